"""Where a play may end, and what is left of the ends that the fast walks let out.

Rules about primes, pins and hit-and-run are judged on the end of a play, not on how it was made; ``movegen`` lets out
every end first and has it gone over here.
"""

from libc.stdint cimport int8_t, uint64_t
from libc.string cimport memcpy

from bgcore.core.board cimport BG_HI_SLOTS, bg_position, side_slot
from bgcore.core.game cimport (
    BG_EVEN, BG_POINTS, CONTACT_PIN, FINAL_PRIMES, PRIME_AHEAD, PRIME_AHEAD_STRICT, PRIME_BOTH_STARTS, PRIME_FRONT,
    PRIME_LAST_TWO, PRIME_NEVER, PRIME_START, PRIME_UNBLOCK, bg_game, bg_masks, bg_row, opp_view, pins_of, points_held,
)

cdef extern from "bits.h":
    int bg_ctz64(uint64_t x) noexcept nogil
    int bg_popcount64(uint64_t x) noexcept nogil

cdef uint64_t ONE = 1
cdef uint64_t START_QUARTER = <uint64_t>0x555 << 38   # even bits of points 19-24


# ---- primes -------------------------------------------------------------------------------------------------------

cdef inline uint64_t six_blocks(uint64_t held) noexcept nogil:
    """The lowest point, in the opponent's numbering, of every six consecutive points held."""
    cdef uint64_t two = held & (held >> 2)
    return two & (two >> 4) & (two >> 8)


cdef bint passes(uint64_t lo, uint64_t hi, const bg_position *before, const bg_game *game) noexcept nogil:
    cdef uint64_t held = points_held(lo, hi)
    cdef uint64_t theirs, blocks, opposing
    cdef int lowest, point
    cdef int made = 0
    if game.start_made:
        for point in range(19, 25):
            made += side_slot(lo, hi, point) >= 2
        if made > game.start_made:
            return False
    if game.start_cap and bg_popcount64(held & START_QUARTER) > game.start_cap:
        return False
    if not game.primes & FINAL_PRIMES:
        return True
    if game.primes & (PRIME_START | PRIME_BOTH_STARTS) and held & START_QUARTER == START_QUARTER:
        return False
    theirs = opp_view(held, game.parallel)
    if game.primes & PRIME_BOTH_STARTS and theirs & START_QUARTER == START_QUARTER:
        return False
    if game.primes & PRIME_FRONT and side_slot(before.opp_lo, before.opp_hi, 24):
        if theirs & (START_QUARTER >> 2) == START_QUARTER >> 2:
            return False
    blocks = six_blocks(theirs)
    if blocks == 0:
        return True
    if game.primes & PRIME_NEVER:
        return False
    if game.primes & PRIME_LAST_TWO and held & 0x14 != 0x14:
        return False
    if game.primes & (PRIME_AHEAD | PRIME_AHEAD_STRICT):
        if before.opp_lo & 15 and not game.primes & PRIME_AHEAD_STRICT:
            return True
        opposing = points_held(before.opp_lo, before.opp_hi)
        lowest = bg_ctz64(opposing) if opposing else 62
        # A block from point j has a checker ahead if one stands below j.
        if blocks & ((ONE << (lowest + 1)) - 1):
            return False
    return True


cdef inline bint last_two_stay(const bg_masks *m, const bg_game *game, int b, int moves) noexcept nogil:
    """Whether own 2 and 1 are held and so many moves, b the smaller die, can't clear them."""
    if m.occ & 0x14 != 0x14 or m.outside < moves or game.off_early:
        return False
    return b > 1 or m.four & 0x10 != 0


cdef uint64_t forbidden_blocks(
    const bg_position *before, const bg_masks *m, const bg_game *game, int b, int moves
) noexcept nogil:
    """The lowest points, in the opponent's numbering, of six-blocks that may not be held within so many moves."""
    cdef uint64_t blocks = 0
    cdef uint64_t opposing
    cdef int lowest
    if game.primes & (PRIME_START | PRIME_BOTH_STARTS):
        blocks = ONE << (14 if game.parallel else 2)
    if game.primes & PRIME_BOTH_STARTS:
        blocks |= ONE << 38
    if game.primes & PRIME_FRONT and side_slot(before.opp_lo, before.opp_hi, 24):
        blocks |= ONE << 36
    if game.primes & PRIME_NEVER or (game.primes & PRIME_LAST_TWO and not last_two_stay(m, game, b, moves)):
        blocks |= BG_POINTS & BG_EVEN
    if game.primes & PRIME_AHEAD_STRICT or (game.primes & PRIME_AHEAD and not before.opp_lo & 15):
        opposing = points_held(before.opp_lo, before.opp_hi)
        lowest = bg_ctz64(opposing) if opposing else 62
        blocks |= BG_POINTS & BG_EVEN & ((ONE << (lowest + 1)) - 1)
    return blocks


cdef bint may_break_on_the_way(
    const bg_position *p, const bg_masks *m, const bg_game *game, int a, int b, int steps
) noexcept nogil:
    """Whether some moves of a roll, but not all, may lead where no play may end; a quick look, never False if so."""
    cdef uint64_t held = points_held(p.own_lo, p.own_hi)
    cdef uint64_t reach[4]  # points held, or that a checker can come to with so many moves; even bits
    cdef uint64_t blocks, block, first
    cdef int moves = steps - 1 if a == b else 1
    cdef int i, needed
    if game.start_cap or game.start_made or moves > 3:
        return True
    if bg_popcount64(held) + moves < 6:
        return False
    first = reached(m.occ, m, a) | reached(m.occ, m, b)
    reach[0] = held
    for i in range(1, moves + 1):
        reach[i] = reach[i - 1] | (first if i == 1 else reached(reach[i - 1] * 3, m, a))
    for i in range(moves + 1):
        reach[i] = opp_view(reach[i], game.parallel)
    blocks = six_blocks(reach[moves]) & forbidden_blocks(p, m, game, b, moves)
    while blocks:
        block = <uint64_t>0x555 << bg_ctz64(blocks)
        blocks &= blocks - 1
        needed = 0
        for i in range(moves):
            needed += bg_popcount64(block & ~reach[i])
        if needed <= moves:
            return True
    return False


cdef inline uint64_t reached(uint64_t occ, const bg_masks *m, int die) noexcept nogil:
    """Even bits of the points that one move of a die from these slots comes to."""
    cdef uint64_t to = (occ >> (2 * die)) & m.land & BG_POINTS
    return (to | (to >> 1)) & BG_EVEN


cdef uint64_t duty_block(const bg_position *p, const bg_game *game) noexcept nogil:
    cdef uint64_t opposing, block
    cdef int point
    if not game.primes & PRIME_UNBLOCK:
        return 0
    opposing = points_held(p.opp_lo, p.opp_hi)
    if opposing == 0 or opposing & (opposing - 1):
        return 0
    point = bg_ctz64(opposing) >> 1
    if point < 7:
        return 0
    block = (<uint64_t>0x555 << (2 * (point - 6)))  # the opponent's point - 6 to point - 1
    block = opp_view(block, game.parallel)
    return block if points_held(p.own_lo, p.own_hi) & block == block else 0


# ---- what is left of the ends -------------------------------------------------------------------------------------

cdef int finish(
    const bg_position *p, const bg_masks *m, const bg_game *game, bg_row *rows, int8_t *moves, int width, int n,
    int dice,
) noexcept nogil:
    """Goes over n ends: sets pins, drops those that break a rule; returns how many are left."""
    cdef uint64_t duty, held, blots
    cdef uint64_t unpinned = p.opp_hi & BG_HI_SLOTS
    cdef int i, kept = n
    cdef bint opened = False
    if game.contact == CONTACT_PIN:
        for i in range(n):
            rows[i].w[1] = unpinned | pins_of(rows[i].w, m.lone)
            if moves != NULL:
                mark_pins(p, m.lone, width, moves + i * (3 * width))
    blots = home_blots(m) if game.freeze else 0
    if blots:
        kept = 0
        for i in range(n):
            if who_hit_has_stayed(&rows[i], game, blots):
                move_row(rows, moves, width, i, kept)
                kept += 1
        n = kept
    # Six points held at the end need six that were held or have been moved to.
    held = points_held(p.own_lo, p.own_hi)
    if game.start_cap or game.start_made or (game.primes & FINAL_PRIMES and bg_popcount64(held) + dice >= 6):
        kept = 0
        for i in range(n):
            if passes(rows[i].w[2], rows[i].w[3], p, game):
                move_row(rows, moves, width, i, kept)
                kept += 1
    duty = duty_block(p, game)
    if duty:
        for i in range(kept):
            held = points_held(rows[i].w[2], rows[i].w[3])
            if held & duty != duty:
                opened = True
        if opened:
            n = kept
            kept = 0
            for i in range(n):
                held = points_held(rows[i].w[2], rows[i].w[3])
                if held & duty != duty:
                    move_row(rows, moves, width, i, kept)
                    kept += 1
    return kept


cdef inline bint who_hit_has_stayed(const bg_row *row, const bg_game *game, uint64_t blots) noexcept nogil:
    """Whether a checker of mine stands wherever a blot in my home has been hit.

    That is all that hit-and-run forbids.  I had nothing where the blot was; of k checkers that came there, the first
    had to stay, so k - 1 could leave.  And if no more left than that, the moves can be made from the highest source
    down as ever: then all k come before the first one leaves.
    """
    cdef int point
    while blots:
        point = bg_ctz64(blots) >> 1
        blots &= blots - 1
        if side_slot(row.w[2], row.w[3], point) == 0:
            if side_slot(row.w[0], row.w[1], point + 12 if game.parallel else 25 - point) == 0:
                return False
    return True


cdef inline void move_row(bg_row *rows, int8_t *moves, int width, int source, int target) noexcept nogil:
    if source != target:
        rows[target] = rows[source]
        if moves != NULL:
            memcpy(moves + target * (3 * width), moves + source * (3 * width), 3 * width)


cdef void mark_pins(const bg_position *p, uint64_t lone, int width, int8_t *moves) noexcept nogil:
    """Flags the moves of a play that land on a lone opposing checker where nothing of mine stands at that moment."""
    cdef int8_t there[26]
    cdef int i, source, target
    for i in range(26):
        there[i] = side_slot(p.own_lo, p.own_hi, i)
    for i in range(width):
        source, target = moves[3 * i], moves[3 * i + 1]
        if source < 0:
            break
        if target and (lone >> (2 * target)) & 1 and there[target] == 0:
            moves[3 * i + 2] = 2
        there[source] -= 1
        there[target] += 1
