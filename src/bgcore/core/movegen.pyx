"""Every legal play of a roll, each final position once.

How it works.  ``look`` turns a position into masks, two bits a slot (plays.h), once for all rolls.  A die's legal
sources are then ``occupied & (landing << 2 * die)``: which of them hit is in the mask as well, and the number of a bit
is the index of the delta that makes the move.  Nothing is undone and nothing is looked up twice.

*Doubles.*  Every play of a double can be made with sources that never rise: moving the rearmost checker first never
closes a way, since landing points depend on the opponent alone and bearing off only gets easier.  Different multisets
of sources end differently (read the result from the highest point down).  So the walk goes down the sources and needs
no duplicate check.

*Two different dice* a > b.  A play is a set {a from s, b from t}.  Two such sets end in the same place only if both
move one checker's worth from T to T - a - b, over T - a or over T - b, and hit alike.  So first every pair a then b is
let out, except that b may not go on from T - a when {a from T - b, b from T} says the same; then b before a, only
where one checker runs over T - b and nothing stands there.  Bearing off adds the cases in ``two_bearing_off``.

*How many.*  Each move of a double chooses a source among the points that hold a checker or have just been reached: a
play is a multiset of at most four "checker and number of steps" out of fifteen checkers, and equal end positions are
one play; assigning four steps to fifteen checkers gives at most C(18, 4) = 3060.  For two dice: 15 * 14 ways to move
two different checkers and 15 * 2 to move one by both, at most 240.
"""

from cpython.mem cimport PyMem_RawMalloc
from libc.stdint cimport int8_t, int64_t, uint64_t, uintptr_t
from libc.string cimport memcpy

from bgcore.core.board cimport bg_position, side_slot
from bgcore.core.ends cimport finish, is_filtered, may_break_on_the_way, passes
from bgcore.core.explore cimport explore
from bgcore.core.game cimport (
    BG_DELTAS, BG_EVEN, BG_ODD, BG_OUTSIDE, BG_POINTS, BG_SLACK, BG_SOURCES, CONTACT_HIT, CONTACT_PIN, HEAD_OBSTRUCTED,
    PRIME_UNBLOCK, bg_emit, bg_game, bg_masks, bg_row, bg_use_avx2, has_arrived, is_free_double, look, max_plays,
    steps_of, write_moves,
)

cdef extern from "bits.h":
    int bg_ctz64(uint64_t x) noexcept nogil
    int bg_clz64(uint64_t x) noexcept nogil
    int bg_popcount64(uint64_t x) noexcept nogil

cdef extern from *:
    """
    #if !defined(BG_X86_64)
    #define bg_last_avx2 bg_last_base
    #define bg_pairs_avx2 bg_pairs_base
    #define bg_same_avx2 bg_same_base
    #define bg_last_count_avx2 bg_last_count_base
    #define bg_pairs_count_avx2 bg_pairs_count_base
    #define bg_same_count_avx2 bg_same_count_base
    #endif
    """
    int bg_last_base(bg_emit *e, const uint64_t *base, uint64_t sources, int die) noexcept nogil
    int bg_pairs_base(bg_emit *e, const uint64_t *base, const bg_pair_job *job) noexcept nogil
    int bg_same_base(bg_emit *e, const uint64_t *base, const bg_same_job *job) noexcept nogil
    int bg_last_count_base(bg_emit *e, const uint64_t *base, uint64_t sources, int die) noexcept nogil
    int bg_pairs_count_base(bg_emit *e, const uint64_t *base, const bg_pair_job *job) noexcept nogil
    int bg_same_count_base(bg_emit *e, const uint64_t *base, const bg_same_job *job) noexcept nogil
    int bg_last_avx2(bg_emit *e, const uint64_t *base, uint64_t sources, int die) noexcept nogil
    int bg_pairs_avx2(bg_emit *e, const uint64_t *base, const bg_pair_job *job) noexcept nogil
    int bg_same_avx2(bg_emit *e, const uint64_t *base, const bg_same_job *job) noexcept nogil
    int bg_last_count_avx2(bg_emit *e, const uint64_t *base, uint64_t sources, int die) noexcept nogil
    int bg_pairs_count_avx2(bg_emit *e, const uint64_t *base, const bg_pair_job *job) noexcept nogil
    int bg_same_count_avx2(bg_emit *e, const uint64_t *base, const bg_same_job *job) noexcept nogil

cdef uint64_t ONE = 1
cdef uint64_t BAR_PAIR = <uint64_t>3 << 50
cdef uint64_t BG_HEAD = <uint64_t>1 << 48    # even bit of point 24

# What a move adds to a row, [die][2 * source + hit].  Contrary geometry: own point p is the opponent's 25 - p.
cdef bg_row CONTRARY_HIT[7][BG_DELTAS]


cdef bg_row PARALLEL_HIT[7][BG_DELTAS]   # own p is the opponent's p + 12 or p - 12
cdef bg_row QUIET[7][BG_DELTAS]          # the same where nothing is hit: the opponent's words never change


cdef void fill_deltas() noexcept nogil:
    cdef int die, source, target, hit
    cdef uint64_t *w
    for die in range(1, 7):
        for source in range(1, 26):
            target = max(source - die, 0)
            for hit in range(2):
                w = CONTRARY_HIT[die][2 * source + hit].w
                add_at(w + 2, source, -1)
                add_at(w + 2, target, 1)
                memcpy(QUIET[die][2 * source + hit].w, w, 32)
                memcpy(PARALLEL_HIT[die][2 * source + hit].w, w, 32)
                if hit and target:
                    add_at(w, 25 - target, -1)
                    add_at(w, 25, 1)
                    w = PARALLEL_HIT[die][2 * source + hit].w
                    add_at(w, target + 12 if target <= 12 else target - 12, -1)
                    add_at(w, 25, 1)


cdef inline void add_at(uint64_t *words, int slot, int n) noexcept nogil:
    if slot < 16:
        words[0] += <uint64_t><int64_t>n << (4 * slot)
    else:
        words[1] += <uint64_t><int64_t>n << (4 * (slot - 16))


# ---- one roll -----------------------------------------------------------------------------------------------------

cdef inline void add_delta(uint64_t *row, const bg_emit *e, int die, int bit) noexcept nogil:
    cdef const uint64_t *w = e.delta[die][bit].w
    row[0] += w[0]
    row[1] += w[1]
    row[2] += w[2]
    row[3] += w[3]


cdef inline void push(bg_emit *e, int die, int bit) noexcept nogil:
    cdef int source = bit >> 1
    e.path[e.depth][0] = source
    e.path[e.depth][1] = source - die if source > die else 0
    e.path[e.depth][2] = bit & 1
    e.depth += 1


cdef inline uint64_t pair_of(uint64_t bit) noexcept nogil:
    """Both bits of every slot that has one of them."""
    return ((bit | (bit >> 1)) & BG_EVEN) * 3


cdef inline uint64_t sources_off(uint64_t occ, int die) noexcept nogil:
    """From where the die bears off: the exact point, or the highest if nothing stands on the die's point or above."""
    cdef uint64_t off
    occ &= BG_SOURCES
    if occ & BG_OUTSIDE or occ == 0:
        return 0
    off = occ & (ONE << (2 * die))
    if occ >> (2 * die) == 0:
        off = ONE << ((63 - bg_clz64(occ)) & ~1)
    return off


cdef inline uint64_t landing(const bg_masks *m, int die) noexcept nogil:
    """Slots from which the die lands on a point that is not closed, the bits saying quietly or on a blot."""
    return (m.land << (2 * die)) & BG_SOURCES


cdef inline uint64_t entries(const bg_masks *m, uint64_t land, int die) noexcept nogil:
    """The bar, if the die, which lands from the slots of land, enters."""
    return land & BAR_PAIR & ~(m.shut << (2 * die))


cdef int double_bearing_off(
    bg_masks *m, uint64_t land, const uint64_t *base, uint64_t limit, int depth, int die,
    const bg_kernel *k, bg_emit *e,
) noexcept nogil:
    """A double with bearing off within reach: depth moves, sources within limit and never rising."""
    cdef uint64_t sources = m.occ & (land | sources_off(m.occ, die)) & limit
    cdef uint64_t bit, p, q
    cdef uint64_t row[4]
    cdef bg_masks next_m
    cdef int i
    cdef int n = 0
    if depth == 1:
        return k.last(e, base, sources, die)
    while sources:
        bit = sources & (0 - sources)
        i = bg_ctz64(sources)
        sources ^= bit
        p = pair_of(bit)
        q = (p >> (2 * die)) & BG_POINTS
        next_m.occ = (m.occ & ~(p & ~m.two)) | q
        next_m.two = (m.two & ~(p & ~m.three)) | (m.occ & q)
        next_m.three = (m.three & ~(p & ~m.four)) | (m.two & q)
        next_m.four = m.four  # of no use below: three moves are left at most
        memcpy(row, base, 32)
        add_delta(row, e, die, i)
        push(e, die, i)
        n += double_bearing_off(&next_m, land - ((bit & BG_ODD) >> 1), row, bit ^ (bit - 1), depth - 1, die, k, e)
        e.depth -= 1
    return n


cdef int double_moves(
    const bg_masks *m, const uint64_t *base, int die, int steps, const bg_kernel *k, bg_emit *e
) noexcept nogil:
    """The plays that make so many moves of a double."""
    cdef bg_same_job job
    cdef bg_masks free
    cdef uint64_t row[4]
    cdef uint64_t entry, q
    cdef int i, bit
    job.occ = m.occ
    job.two = m.two
    job.three = m.three
    job.four = m.four
    job.land = landing(m, die)
    job.die = die
    job.depth = steps
    if m.bar == 0:
        if m.far or m.outside >= 4:
            return k.same(e, base, &job)
        free = m[0]
        return double_bearing_off(&free, job.land, base, ~(<uint64_t>0), steps, die, k, e)
    entry = entries(m, job.land, die)
    if entry == 0:
        return 0
    memcpy(row, base, 32)
    q = BAR_PAIR >> (2 * die)
    bit = bg_ctz64(entry)
    for _ in range(min(m.bar, steps - 1)):
        add_delta(row, e, die, bit)
        push(e, die, bit)
        bit = 50  # only the first can hit
        job.four |= job.three & q
        job.three |= job.two & q
        job.two |= job.occ & q
        job.occ |= q
    if m.bar >= steps:
        i = k.last(e, row, ONE << bit, die)  # the last move enters as well
    else:
        job.occ &= ~BAR_PAIR
        job.depth = steps - m.bar
        i = k.same(e, row, &job)
    e.depth = 0
    return i


cdef int two_from_bar(
    const bg_masks *m, const uint64_t *base, int a, int b, const bg_kernel *k, bg_emit *e
) noexcept nogil:
    """Two different dice with something on the bar.  No bearing off: who has entered is not home yet."""
    cdef uint64_t land_a = landing(m, a)
    cdef uint64_t land_b = landing(m, b)
    cdef uint64_t enter_a = entries(m, land_a, a)
    cdef uint64_t enter_b = entries(m, land_b, b)
    cdef uint64_t row[4]
    cdef uint64_t sources
    cdef int i
    cdef int n = 0
    if enter_a and (enter_b or m.bar == 1):
        i = bg_ctz64(enter_a)
        memcpy(row, base, 32)
        add_delta(row, e, a, i)
        push(e, a, i)
        if m.bar > 1:
            n = k.last(e, row, enter_b, b)
            e.depth = 0
            return n
        # b lands quietly on the blot that a has hit
        sources = ((m.occ & ~BAR_PAIR) | (BAR_PAIR >> (2 * a))) & (land_b - ((enter_a & BG_ODD) >> (1 + 2 * (a - b))))
        n = k.last(e, row, sources, b)
        e.depth = 0
    if enter_b and m.bar == 1:
        i = bg_ctz64(enter_b)
        memcpy(row, base, 32)
        add_delta(row, e, b, i)
        push(e, b, i)
        # Here a's sources that land on b's point lie a - b higher, maybe past the bar: clip before subtracting.
        sources = (m.occ & ~BAR_PAIR) | (BAR_PAIR >> (2 * b))
        if enter_a & enter_b & BG_EVEN:
            # Bar to 25 - a - b over either point, hitting on neither: let out above if it can be made at all.
            sources &= ~(BAR_PAIR >> (2 * b))
        n += k.last(e, row, sources & land_a, a)
        e.depth = 0
    return n


cdef int two_bearing_off(
    const bg_masks *m, const uint64_t *base, int a, int b, const bg_kernel *k, bg_emit *e
) noexcept nogil:
    """Two different dice, a > b, at most one checker outside: bearing off is possible or becomes so.

    a before b lets out everything.  b before a adds: the runner over an empty T - b, as always; and bearing off with
    a that a alone may not do yet, because of the one checker that b moves down or home.  Bearing off with b first
    adds nothing: a then takes the exact or highest checker, and the two can change places.
    """
    cdef uint64_t occ = m.occ
    cdef uint64_t land_a = landing(m, a)
    cdef uint64_t land_b = landing(m, b)
    cdef uint64_t first = occ & (land_a | sources_off(occ, a))
    cdef uint64_t todo, bit, p, q, over_a, after, sources
    cdef uint64_t row[4]
    cdef int i
    cdef int n = 0
    todo = first
    while todo:
        bit = todo & (0 - todo)
        i = bg_ctz64(todo)
        todo ^= bit
        p = pair_of(bit)
        q = (p >> (2 * a)) & BG_POINTS
        after = (occ & ~(p & ~m.two)) | q
        sources = after & ((land_b - ((bit & BG_ODD) >> (1 + 2 * (a - b)))) | sources_off(after, b))
        if m.land & BG_EVEN & q and first & (p >> (2 * b)):
            sources &= ~q  # {a from T - b, b from T} is the same
        memcpy(row, base, 32)
        add_delta(row, e, a, i)
        push(e, a, i)
        n += k.last(e, row, sources, b)
        e.depth = 0
    todo = (occ & land_b) >> (2 * b + 2) << (2 * b + 2)
    while todo:
        bit = todo & (0 - todo)
        i = bg_ctz64(todo)
        todo ^= bit
        p = pair_of(bit)
        q = p >> (2 * b)
        after = (occ & ~(p & ~m.two)) | q
        sources = sources_off(after, a) & ~first
        if not occ & q:
            sources |= land_a & q
        over_a = (p >> (2 * a)) & BG_POINTS
        if sources & q and m.land & BG_EVEN & over_a and bit & BG_EVEN:
            # The same over T - a, hitting nothing either way, if b can go on from there.
            after = (occ & ~(p & ~m.two)) | over_a
            if over_a & (land_b | sources_off(after, b)):
                sources &= ~q
        memcpy(row, base, 32)
        add_delta(row, e, b, i)
        push(e, b, i)
        n += k.last(e, row, sources, a)
        e.depth = 0
    return n


cdef int two_dice(
    const bg_masks *m, const uint64_t *base, int a, int b, const bg_kernel *k, bg_emit *e
) noexcept nogil:
    """The plays that use both of two different dice, a the larger."""
    cdef bg_pair_job job
    cdef uint64_t quiet, over_a, over_b, gone
    if m.bar:
        return two_from_bar(m, base, a, b, k, e)
    if m.outside < 2 and not m.far:
        return two_bearing_off(m, base, a, b, k, e)
    job.occ = m.occ
    job.two = m.two
    job.land_a = landing(m, a)
    job.land_b = landing(m, b)
    job.first = m.occ & job.land_a
    job.a = a
    job.b = b
    quiet = m.land & BG_EVEN
    # drop, at T - a: lands quietly there, and a can move from T - b
    job.drop = (quiet & ((job.first | (job.first >> 1)) >> (2 * (a - b)))) * 3
    # chain, at T: b can move, nothing of mine on T - b, a goes on from there, and not the same over T - a
    gone = (job.land_a & ~m.occ) << (2 * b)
    over_a = quiet << (2 * a)
    over_b = quiet << (2 * b)
    job.chain = m.occ & job.land_b & pair_of(gone) & ~((over_a & over_b) * 3)
    return k.pairs(e, base, &job)


cdef inline uint64_t legal_sources(const bg_masks *m, int die) noexcept nogil:
    """Sources of one die as the next move, whatever the rest of the roll."""
    cdef uint64_t land = landing(m, die)
    if m.bar:
        return entries(m, land, die)
    return m.occ & (land if m.far else land | sources_off(m.occ, die))


cdef int generate(
    const bg_position *p, const bg_masks *m, const bg_game *game, int a, int b, int context, const bg_kernel *k,
    bg_emit *e,
) noexcept nogil:
    cdef const uint64_t *base = &m.base[0]
    cdef int n = 0
    cdef int steps
    if m.over:
        return 0
    if not game.plain:
        return generate_closer(p, m, game, a, b, context, k, e)
    if a == b:
        for steps in range(4, 0, -1):
            n = double_moves(m, base, a, steps, k, e)
            if n:
                break
    else:
        n = two_dice(m, base, a, b, k, e)
        if n == 0:
            n = k.last(e, base, legal_sources(m, a), a)
        if n == 0:
            n = k.last(e, base, legal_sources(m, b), b)
    return n


# ---- games unlike backgammon --------------------------------------------------------------------------------------
# What they add is a source that runs out sooner (head rule), a checker that must move first (runner), and ends that are
# not allowed (primes) or need a closer look (pins).  The walks above stay as they are: a head rule only says when a
# slot counts as empty, a runner's way is walked by hand until the rest is free, and ends are gone over afterwards.

cdef bint left_to_explore(
    const bg_position *p, const bg_masks *m, const bg_game *game, int a, int b, int steps, int context, bg_emit *e
) noexcept nogil:
    """What the fast walks do not cover; see explore."""
    cdef uint64_t out
    if m.bar and (entry_binds(m, game, a == b) or (game.head_limit and b == 1)):
        return True  # who enters on 24 may leave it
    if game.off_pinned and p.own_hi >> 40:
        return True
    if game.runner and not (game.runner_flag and context) and not has_arrived(p, game):
        out = runners_out(m, game)
        if game.runner_flag or out & (out - 1) or out & m.two or p.own_hi >> 40:
            return True
    if game.steps == 0 and (game.head_limit or game.contact == CONTACT_PIN):
        return True
    if game.any_die and game.primes & PRIME_UNBLOCK:
        return True
    if game.prime_step and may_break_on_the_way(p, m, game, a, b, steps):
        return breaks_on_the_way(p, m, game, a, b, steps, e)
    return False


cdef bint breaks_on_the_way(
    const bg_position *p, const bg_masks *m, const bg_game *game, int a, int b, int steps, bg_emit *e
) noexcept nogil:
    """Whether some moves of a roll, but not all, lead where no play may end; e.out is the room to try."""
    cdef bg_emit tried = e[0]
    cdef int i, j, n
    if game.steps == 0 and steps > 4:
        return True
    for i in range(1, steps if a == b else 2):
        tried.out = e.out
        if a == b:
            n = same_moves(m, &m.base[0], game, a, i, &WRITE, &tried)
        else:
            n = WRITE.last(&tried, &m.base[0], legal_sources(m, a), a)
            n += WRITE.last(&tried, &m.base[0], legal_sources(m, b), b)
        for j in range(n):
            if not passes(e.out[j].w[2], e.out[j].w[3], p, game):
                return True
    return False


cdef inline bint entry_binds(const bg_masks *m, const bg_game *game, bint double) noexcept nogil:
    """With checkers on the bar: whether what has moved in this turn may decide who enters."""
    if game.entry_any_order:
        return game.entry_forbid_own or game.prime_step or (double and game.entry_cap and game.steps == 0)
    return double and m.bar > 1 and (game.entry_cap or game.entry_forbid_own)


cdef inline uint64_t runners_out(const bg_masks *m, const bg_game *game) noexcept nogil:
    """Even bits of the points with checkers that have left 24 but not come far enough."""
    return m.occ & BG_EVEN & (BG_HEAD - 1) & ~((ONE << (2 * (game.runner + 1))) - 1)


cdef int finished(
    const bg_position *p, const bg_masks *m, const bg_game *game, bg_row *rows, int8_t *moves, int n, int dice,
    bg_emit *e,
) noexcept nogil:
    """What is left of the n ends just let out from rows on; the next end then goes behind them."""
    if n > 0 and is_filtered(m, game):
        n = finish(p, m, game, rows, moves, e.width, n, dice)
        e.out = rows + n
        if moves != NULL:
            e.moves = moves + n * (3 * e.width)
    return n


cdef int most_dice(
    const bg_position *p, const bg_masks *m, const bg_game *game, const uint64_t *base, int a, int b, int steps,
    bint whole, const bg_kernel *k, bg_emit *e,
) noexcept nogil:
    """The plays that use most dice, the larger if only one; with whole none that leaves a die."""
    cdef bg_row *rows = e.out
    cdef int8_t *moves = e.moves
    cdef uint64_t sources
    cdef int i
    cdef int n = 0
    if a == b:
        for i in range(steps, steps - 1 if whole else 0, -1):
            n = same_moves(m, base, game, a, i, k, e)
            n = finished(p, m, game, rows, moves, n, i, e)
            if n:
                break
        return n
    n = finished(p, m, game, rows, moves, two_dice(m, base, a, b, k, e), 2, e)
    if n == 0 and not whole:
        n = finished(p, m, game, rows, moves, k.last(e, base, legal_sources(m, a), a), 1, e)
        if n == 0 or game.any_die:
            sources = legal_sources(m, b)
            if n:  # who is borne off by either die ends in the same place
                sources &= ~(legal_sources(m, a) & ((ONE << (2 * b + 2)) - 1))
            rows, moves = e.out, e.moves
            n += finished(p, m, game, rows, moves, k.last(e, base, sources, b), 1, e)
    return n


cdef inline int same_moves(
    const bg_masks *m, const uint64_t *base, const bg_game *game, int die, int steps, const bg_kernel *k, bg_emit *e
) noexcept nogil:
    """The plays that make so many moves of a double, be they more than four."""
    if game.steps == 0:
        return many_moves(base, game, die, steps, ~(<uint64_t>0), m.far, k, e)
    return double_moves(m, base, die, steps, k, e)


cdef int many_moves(
    const uint64_t *base, const bg_game *game, int die, int steps, uint64_t limit, bint far,
    const bg_kernel *k, bg_emit *e,
) noexcept nogil:
    """`double_moves` for up to six moves, sources within limit: what the masks can't count is made move by move."""
    cdef bg_position p
    cdef bg_masks m
    cdef bg_same_job job
    cdef uint64_t sources, bit
    cdef uint64_t row[4]
    cdef int i
    cdef int depth = e.depth
    cdef int n = 0
    p.own_lo, p.own_hi, p.opp_lo, p.opp_hi = base[2], base[3], base[0], base[1]
    look(&p, game, &m)
    m.far |= far
    if game.entry_any_order:
        m.bar = 0
    if steps > 4:
        sources = legal_sources(&m, die) & limit
        while sources:
            bit = sources & (0 - sources)
            i = bg_ctz64(sources)
            sources ^= bit
            memcpy(row, base, 32)
            add_delta(row, e, die, i)
            push(e, die, i)
            n += many_moves(row, game, die, steps - 1, pair_of(bit) | (bit - 1), far, k, e)
            e.depth = depth
    elif m.bar:
        n = double_moves(&m, base, die, steps, k, e)
        e.depth = depth
    elif m.far or m.outside >= 4:
        job.occ, job.two, job.three, job.four = m.occ, m.two, m.three, m.four
        job.land = landing(&m, die) & limit
        job.die = die
        job.depth = steps
        n = k.same(e, base, &job)
    else:
        n = double_bearing_off(&m, landing(&m, die), base, limit, steps, die, k, e)
    return n


cdef inline void hold_back(bg_masks *m, uint64_t slot, int limit) noexcept nogil:
    """So many checkers of a slot outside may move: it counts as empty after them."""
    m.far = 1  # who stays there keeps the others from bearing off
    if limit == 1:
        m.two &= ~slot
    if limit <= 2:
        m.three &= ~slot
    m.four &= ~slot


cdef int with_head_rule(
    const bg_position *p, const bg_masks *m, const bg_game *game, const uint64_t *base, int a, int b, int steps,
    const bg_kernel *k, bg_emit *e,
) noexcept nogil:
    """So many checkers may leave 24 as the turn allows: its slot counts as empty after them."""
    cdef bg_masks limited = m[0]
    cdef uint64_t head = <uint64_t>3 << 48
    cdef int on_head = side_slot(p.own_lo, p.own_hi, 24)
    cdef int limit = game.head_limit
    cdef int n
    if on_head == game.checkers:
        if game.head_first == HEAD_OBSTRUCTED:
            limited.two &= ~head
            limited.far = 1
            n = most_dice(p, &limited, game, base, a, b, steps, True, k, e)
            if n:
                return n
            limited = m[0]
            limit += 1
        elif is_free_double(game, a, b):
            limit += 1
    if on_head > limit:
        hold_back(&limited, head, limit)
    return most_dice(p, &limited, game, base, a, b, steps, False, k, e)


cdef int run_double(
    const bg_position *p, const bg_masks *m, const bg_game *game, const uint64_t *base, int die, int steps,
    int runner, const bg_kernel *k, bg_emit *e,
) noexcept nogil:
    """So many moves of a double, the runner first until it has come far enough, then whatever is free."""
    cdef bg_masks free = m[0]
    cdef uint64_t row[4]
    cdef uint64_t p_, q
    cdef uint64_t land = landing(m, die)
    cdef int made = 0
    cdef int n
    memcpy(row, base, 32)
    while made < steps and runner > game.runner:
        if not (land >> (2 * runner)) & 1:
            e.depth = 0
            return 0
        if made == steps - 1:
            n = k.last(e, row, ONE << (2 * runner), die)
            e.depth = 0
            return n
        add_delta(row, e, die, 2 * runner)
        push(e, die, 2 * runner)
        p_ = <uint64_t>3 << (2 * runner)
        q = p_ >> (2 * die)
        free.occ &= ~(p_ & ~free.two)
        free.two &= ~(p_ & ~free.three)
        free.three &= ~(p_ & ~free.four)
        free.two |= free.occ & q
        free.occ |= q
        runner -= die
        made += 1
    free.far = 1
    n = same_moves(&free, row, game, die, steps - made, k, e)
    e.depth = 0
    return n


cdef int run_two(
    const bg_position *p, const bg_masks *m, const bg_game *game, const uint64_t *base, int a, int b, int runner,
    const bg_kernel *k, bg_emit *e,
) noexcept nogil:
    """Both of two different dice, the runner first; the other die is free if that brings it far enough."""
    cdef uint64_t land_a = landing(m, a)
    cdef uint64_t land_b = landing(m, b)
    cdef uint64_t from_ = <uint64_t>3 << (2 * runner)
    cdef uint64_t left = m.occ & ~(from_ & ~m.two)
    cdef uint64_t row[4]
    cdef uint64_t to, sources
    cdef bint over_a = (land_a >> (2 * runner)) & 1
    cdef int n = 0
    if over_a:
        to = from_ >> (2 * a)
        sources = (left | to if runner - a <= game.runner else to) & land_b
        memcpy(row, base, 32)
        add_delta(row, e, a, 2 * runner)
        push(e, a, 2 * runner)
        n = k.last(e, row, sources, b)
        e.depth = 0
    if (land_b >> (2 * runner)) & 1:
        to = from_ >> (2 * b)
        sources = left | to if runner - b <= game.runner else to
        if over_a:
            sources &= ~to  # the runner over the other point: the same end
        memcpy(row, base, 32)
        add_delta(row, e, b, 2 * runner)
        push(e, b, 2 * runner)
        n += k.last(e, row, sources & land_a, a)
        e.depth = 0
    return n


cdef int with_runner(
    const bg_position *p, const bg_masks *m, const bg_game *game, const uint64_t *base, int a, int b, int steps,
    const bg_kernel *k, bg_emit *e,
) noexcept nogil:
    """One checker is under way, or none: it must come far enough before another may move."""
    cdef bg_row *rows = e.out
    cdef int8_t *moves = e.moves
    cdef uint64_t out = runners_out(m, game)
    cdef int runner = bg_ctz64(out) >> 1 if out else 24
    cdef int die, i, made
    cdef int n = 0
    if a == b:
        for i in range(steps, 0, -1):
            n = finished(p, m, game, rows, moves, run_double(p, m, game, base, a, i, runner, k, e), i, e)
            if n:
                break
        return n
    n = finished(p, m, game, rows, moves, run_two(p, m, game, base, a, b, runner, k, e), 2, e)
    if n:
        return n
    for i in range(2):
        if n == 0 or game.any_die:
            die = b if i else a
            rows, moves = e.out, e.moves
            made = k.last(e, base, m.occ & landing(m, die) & (<uint64_t>3 << (2 * runner)), die)
            n += finished(p, m, game, rows, moves, made, 1, e)
    return n


cdef int generate_closer(
    const bg_position *p, const bg_masks *m, const bg_game *game, int a, int b, int context, const bg_kernel *k,
    bg_emit *e,
) noexcept nogil:
    """`generate` for games that do not play like backgammon."""
    cdef const uint64_t *base = &m.base[0]
    cdef bg_emit counted
    cdef bg_masks any_order
    cdef int steps = steps_of(game, a, context)
    if k == &COUNT and (is_filtered(m, game) or left_to_explore(p, m, game, a, b, steps, context, e)):
        counted = e[0]
        counted.out = e.scratch
        return generate_closer(p, m, game, a, b, context, &WRITE, &counted)
    if left_to_explore(p, m, game, a, b, steps, context, e):
        return explore(p, game, a, b, context, e)
    if game.runner and not game.runner_flag and not has_arrived(p, game):
        return with_runner(p, m, game, base, a, b, steps, k, e)
    if game.entry_any_order and m.bar:
        any_order = m[0]
        any_order.bar = 0  # a slot like any other, which keeps from bearing off like any other outside
        if a == b and game.entry_cap and m.bar > game.entry_cap:
            hold_back(&any_order, BAR_PAIR, game.entry_cap)
        m = &any_order
    if game.head_limit:
        return with_head_rule(p, m, game, base, a, b, steps, k, e)
    return most_dice(p, m, game, base, a, b, steps, False, k, e)


cdef void start_emit(bg_emit *e, const bg_game *game, bg_row *out, bg_row *scratch, int8_t *moves) noexcept nogil:
    e.out = out
    e.scratch = scratch
    e.moves = moves
    e.width = 4 if game.steps else 6
    e.as_made = game.runner != 0  # the runner may have to go first
    if game.contact != CONTACT_HIT:
        e.delta = QUIET
    elif game.parallel:
        e.delta = PARALLEL_HIT
    else:
        e.delta = CONTRARY_HIT
    e.depth = 0


# ---- the same walk with move lists --------------------------------------------------------------------------------

cdef void write_play(bg_emit *e, const uint64_t *row) noexcept nogil:
    """One result and its moves."""
    memcpy(e.out, row, 32)
    e.out += 1
    write_moves(e, e.path, e.depth)


cdef int record_last(bg_emit *e, const uint64_t *base, uint64_t sources, int die) noexcept nogil:
    cdef uint64_t row[4]
    cdef int i
    cdef int n = 0
    while sources:
        i = bg_ctz64(sources)
        sources &= sources - 1
        memcpy(row, base, 32)
        add_delta(row, e, die, i)
        push(e, die, i)
        write_play(e, row)
        e.depth -= 1
        n += 1
    return n


cdef int record_pairs(bg_emit *e, const uint64_t *base, const bg_pair_job *job) noexcept nogil:
    cdef uint64_t todo, bit, p, q, sources
    cdef uint64_t row[4]
    cdef int i
    cdef int n = 0
    todo = job.first
    while todo:
        bit = todo & (0 - todo)
        i = bg_ctz64(todo)
        todo ^= bit
        p = pair_of(bit)
        q = p >> (2 * job.a)
        sources = ((job.occ & ~(p & ~job.two)) | q) & (job.land_b - ((bit & BG_ODD) >> (1 + 2 * (job.a - job.b))))
        memcpy(row, base, 32)
        add_delta(row, e, job.a, i)
        push(e, job.a, i)
        n += record_last(e, row, sources & ~(q & job.drop), job.b)
        e.depth -= 1
    todo = job.chain
    while todo:
        bit = todo & (0 - todo)
        i = bg_ctz64(todo)
        todo ^= bit
        memcpy(row, base, 32)
        add_delta(row, e, job.b, i)
        push(e, job.b, i)
        n += record_last(e, row, (pair_of(bit) >> (2 * job.b)) & job.land_a, job.a)
        e.depth -= 1
    return n


cdef int record_same(bg_emit *e, const uint64_t *base, const bg_same_job *job) noexcept nogil:
    cdef uint64_t sources = job.occ & job.land
    cdef uint64_t bit, p, q
    cdef uint64_t row[4]
    cdef bg_same_job rest
    cdef int i
    cdef int n = 0
    if job.depth == 1:
        return record_last(e, base, sources, job.die)
    rest = job[0]
    rest.depth -= 1
    while sources:
        bit = sources & (0 - sources)
        i = bg_ctz64(sources)
        sources ^= bit
        p = pair_of(bit)
        q = p >> (2 * job.die)
        rest.occ = (job.occ & ~(p & ~job.two)) | q
        rest.two = (job.two & ~(p & ~job.three)) | (job.occ & q)
        rest.three = (job.three & ~(p & ~job.four)) | (job.two & q)
        rest.land = (job.land - ((bit & BG_ODD) >> 1)) & (bit ^ (bit - 1))  # not above this source any more
        memcpy(row, base, 32)
        add_delta(row, e, job.die, i)
        push(e, job.die, i)
        n += record_same(e, row, &rest)
        e.depth -= 1
    return n


cdef int count_roll(
    const bg_position *p, const bg_masks *m, const bg_game *game, int a, int b, int context, bg_row *scratch
) noexcept nogil:
    cdef bg_emit e
    start_emit(&e, game, NULL, scratch, NULL)
    return generate(p, m, game, a, b, context, &COUNT, &e)


cdef bg_row *aligned_rows(void *block) noexcept nogil:
    return <bg_row *>((<uintptr_t>block + 63) & ~(<uintptr_t>63))


cdef void *roll_memory(const bg_game *game, int rolls) except NULL:
    """Room for the plays of so many rolls at once, to be freed by PyMem_RawFree; use aligned_rows on it."""
    cdef void *block = PyMem_RawMalloc(rolls * (max_plays(game) + BG_SLACK) * sizeof(bg_row) + 64)
    if block == NULL:
        raise MemoryError
    return block


# ---- tables and kernels --------------------------------------------------------------------------------------------

fill_deltas()
if bg_use_avx2:
    WRITE.last, WRITE.pairs, WRITE.same = bg_last_avx2, bg_pairs_avx2, bg_same_avx2
    COUNT.last, COUNT.pairs, COUNT.same = bg_last_count_avx2, bg_pairs_count_avx2, bg_same_count_avx2
else:
    WRITE.last, WRITE.pairs, WRITE.same = bg_last_base, bg_pairs_base, bg_same_base
    COUNT.last, COUNT.pairs, COUNT.same = bg_last_count_base, bg_pairs_count_base, bg_same_count_base
RECORD.last, RECORD.pairs, RECORD.same = record_last, record_pairs, record_same

cdef int _k, _larger, _smaller
_k = 0
for _larger in range(1, 7):
    for _smaller in range(1, _larger + 1):
        ROLLS[_k][0] = _larger
        ROLLS[_k][1] = _smaller
        _k += 1
