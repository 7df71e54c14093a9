"""A rule set as numbers, and what one position is under it.

Geometry, blocking and contact are here; where a play may end is in ``ends``, how plays are put together in ``explore``
(slowly, straight from the rules) and ``movegen`` (fast).
"""

import os

from libc.stdint cimport int8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from bgcore.core.board cimport (
    BAR_DEADLOCK, BAR_UNUSED, PIN_UNMATCHED, PIN_UNUSED, SHARED_POINT, WRONG_TOTAL_OPP, WRONG_TOTAL_OWN,
    bg_position, contrary_outcome, position_reasons, side_is_off, side_slot, side_total,
)

cdef extern from "bits.h":
    int bg_ctz64(uint64_t x) noexcept nogil
    int bg_popcount64(uint64_t x) noexcept nogil
    int bg_cpu_has_avx2() noexcept nogil

cdef extern from *:
    """
    #if !defined(BG_X86_64)
    #define bg_look_avx2 bg_look_base
    #endif
    """
    void bg_look_base(const bg_position *p, int parallel, bg_masks *m) noexcept nogil
    void bg_look_avx2(const bg_position *p, int parallel, bg_masks *m) noexcept nogil

cdef uint64_t ONE = 1
cdef uint64_t START_QUARTER = <uint64_t>0x555 << 38   # even bits of points 19-24


# ---- masks --------------------------------------------------------------------------------------------------------

cdef void look(const bg_position *p, const bg_game *game, bg_masks *m) noexcept nogil:
    if bg_use_avx2:
        bg_look_avx2(p, game.parallel, m)
    else:
        bg_look_base(p, game.parallel, m)
    m.far = 0
    m.shut = 0
    if not game.plain:
        look_closer(p, game, m)


cdef void look_closer(const bg_position *p, const bg_game *game, bg_masks *m) noexcept nogil:
    """What games unlike backgammon change in the masks."""
    cdef uint64_t pinned
    if game.block_at == 1 or game.contact == CONTACT_NONE:
        m.land &= BG_EVEN
    elif game.contact == CONTACT_PIN:
        # Lone checkers can be landed on like empty points: who is pinned is read off the end of the play.
        pinned = spread(p.own_hi >> 40)
        m.lone = (m.land >> 1) & BG_EVEN & ~pinned  # what lies under a lone checker does not pin it
        m.land = (m.land | (m.land >> 1)) & BG_EVEN & ~pinned
        m.occ &= ~pinned
        if pinned and not game.off_pinned:
            m.far = 1
    if game.entry_forbid_own:
        m.shut = m.occ & BG_POINTS
    if game.off_early and (not p.own_hi >> 40 or game.off_pinned):
        m.land |= 1  # slot 0: as a point that an exact die can always come to
    if not m.over and (game.contact == CONTACT_PIN or game.bar_loss):
        m.over = game_outcome(p, game) != 0


cdef uint64_t spread(uint64_t points) noexcept nogil:
    cdef uint64_t pairs = 0
    while points:
        pairs |= <uint64_t>3 << (2 * (bg_ctz64(points) + 1))
        points &= points - 1
    return pairs


cdef uint64_t lone_points(const bg_position *p) noexcept nogil:
    cdef uint64_t singles = 0
    cdef int q
    for q in range(1, 25):
        # One that lies on mine is the pinner.
        if side_slot(p.opp_lo, p.opp_hi, q) == 1 and not (p.own_hi >> (64 - q)) & 1:
            singles |= ONE << (2 * (25 - q))
    return singles


cdef uint64_t pins_of(const uint64_t *row, uint64_t singles) noexcept nogil:
    cdef uint64_t pinned = 0
    cdef int point
    while singles:
        point = bg_ctz64(singles) >> 1
        singles &= singles - 1
        if side_slot(row[2], row[3], point):
            pinned |= ONE << (39 + 25 - point)
    return pinned


# ---- reasons and outcome ------------------------------------------------------------------------------------------

cdef uint32_t game_reasons(const bg_position *p, const bg_masks *m, const bg_game *game) noexcept nogil:
    cdef uint32_t reasons = position_reasons(p)
    cdef uint64_t entry = <uint64_t>0xfff << 38  # both bits of slots 19-24
    if side_total(p.own_lo, p.own_hi) != game.checkers:
        reasons |= WRONG_TOTAL_OWN
    if side_total(p.opp_lo, p.opp_hi) != game.checkers:
        reasons |= WRONG_TOTAL_OPP
    if game.contact == CONTACT_PIN:
        return reasons | pin_reasons(p)
    if m.occ & BG_EVEN & BG_POINTS & ~m.land:
        reasons |= SHARED_POINT
    if (p.own_hi | p.opp_hi) >> 40:
        reasons |= PIN_UNUSED
    if game.contact == CONTACT_NONE:
        if ((p.own_hi | p.opp_hi) >> 36) & 15:
            reasons |= BAR_UNUSED
    elif m.bar and (p.opp_hi >> 36) & 15 and not m.land & entry and (m.two >> 2) & 0xfff == 0xfff:
        reasons |= BAR_DEADLOCK
    return reasons


cdef uint32_t pin_reasons(const bg_position *p) noexcept nogil:
    """Every shared point has one lone pinned checker of one side, and every pin something on top."""
    cdef int point, own, opp
    cdef bint own_pinned, opp_pinned
    if ((p.own_hi | p.opp_hi) >> 36) & 15:
        return BAR_UNUSED
    for point in range(1, 25):
        own = side_slot(p.own_lo, p.own_hi, point)
        opp = side_slot(p.opp_lo, p.opp_hi, 25 - point)
        own_pinned = (p.own_hi >> (39 + point)) & 1
        opp_pinned = (p.opp_hi >> (64 - point)) & 1
        if own_pinned + opp_pinned != (1 if own and opp else 0):
            return PIN_UNMATCHED
        if (own_pinned and own != 1) or (opp_pinned and opp != 1):
            return PIN_UNMATCHED
    return 0


cdef int lost_more(const bg_position *p, const bg_game *game) noexcept nogil:
    """2 if the loser, the side with checkers left, has one where the rule set says, else 1."""
    cdef uint64_t lo = p.own_lo
    cdef uint64_t hi = p.own_hi
    cdef int slot
    if side_is_off(lo, hi):
        lo, hi = p.opp_lo, p.opp_hi
    if game.gammon_if == GAMMON_NOT_HOME:
        for slot in range(7, 26):
            if side_slot(lo, hi, slot):
                return 2
        return 1
    return 2 if points_held(lo, hi) & START_QUARTER else 1


cdef int game_outcome(const bg_position *p, const bg_game *game) noexcept nogil:
    cdef int won = contrary_outcome(p, game.checkers)
    cdef bint own_lost, opp_lost
    if game.bar_loss:
        if side_slot(p.own_lo, p.own_hi, 25) >= game.bar_loss:
            return -OUTCOME_BAR_LOSS
        if side_slot(p.opp_lo, p.opp_hi, 25) >= game.bar_loss:
            return OUTCOME_BAR_LOSS
    if won:
        if game.gammon_if:
            return lost_more(p, game) if won > 0 else -lost_more(p, game)
        return won if game.triple or -2 <= won <= 2 else (2 if won > 0 else -2)
    if game.contact == CONTACT_PIN:
        own_lost = (p.own_hi >> 63) & 1
        opp_lost = (p.opp_hi >> 63) & 1
        if own_lost and opp_lost and game.mother != MOTHER_IMMEDIATE:
            # Neither pinner can leave but by bearing off, which a pinned side may not: nobody could ever win.
            return OUTCOME_DRAW
        if game.mother == MOTHER_NONE:
            return 0
        if game.mother == MOTHER_WAIT:
            if own_lost and side_slot(p.opp_lo, p.opp_hi, 24):
                own_lost = False
            if opp_lost and side_slot(p.own_lo, p.own_hi, 24):
                opp_lost = False
        if own_lost:
            return -OUTCOME_MOTHER
        if opp_lost:
            return OUTCOME_MOTHER
    return 0


# ---- move lists -----------------------------------------------------------------------------------------------------

cdef inline bint goes_first(const int8_t *x, const int8_t *y) noexcept nogil:
    """Whether move x stands before y: the higher source, then the higher target."""
    return x[0] > y[0] or (x[0] == y[0] and x[1] > y[1])


cdef void write_moves(bg_emit *e, const int8_t (*path)[3], int depth) noexcept nogil:
    cdef int8_t *moves = e.moves
    cdef int i, j
    cdef int8_t held[3]
    for i in range(e.width):
        if i >= depth:
            moves[3 * i] = moves[3 * i + 1] = moves[3 * i + 2] = -1
            continue
        memcpy(held, path[i], 3)
        j = i
        while j and not e.as_made and goes_first(held, moves + 3 * (j - 1)):
            memcpy(moves + 3 * j, moves + 3 * (j - 1), 3)
            # Two that land on one point: the mark stays with whichever stands first.
            if moves[3 * j + 1] == held[1] and moves[3 * j + 2]:
                held[2] = moves[3 * j + 2]
                moves[3 * j + 2] = 0
            j -= 1
        memcpy(moves + 3 * j, held, 3)
    e.moves += 3 * e.width


# ---- for the gate --------------------------------------------------------------------------------------------------

FIELDS = (
    "checkers", "plain", "parallel", "block_at", "contact", "steps", "cascade", "cascade_from", "forfeit",
    "needs_start", "runner", "runner_flag", "head_limit", "head_first", "primes", "prime_step", "start_cap",
    "start_made", "freeze", "entry_cap", "entry_forbid_own", "entry_any_order", "bar_loss", "mother", "off_early",
    "off_pinned", "triple", "gammon_if", "any_die", "last_roll",
)


cdef class Game:
    """The numbers of a rule set as the core reads them; made by Rules, never by hand."""

    def __init__(self, **numbers):
        if self.rules.checkers:
            raise TypeError("a Game is frozen")
        (
            self.rules.checkers, self.rules.plain, self.rules.parallel, self.rules.block_at, self.rules.contact,
            self.rules.steps, self.rules.cascade, self.rules.cascade_from, self.rules.forfeit,
            self.rules.needs_start, self.rules.runner, self.rules.runner_flag, self.rules.head_limit,
            self.rules.head_first, self.rules.primes, self.rules.prime_step, self.rules.start_cap,
            self.rules.start_made, self.rules.freeze, self.rules.entry_cap, self.rules.entry_forbid_own,
            self.rules.entry_any_order, self.rules.bar_loss, self.rules.mother, self.rules.off_early,
            self.rules.off_pinned, self.rules.triple, self.rules.gammon_if, self.rules.any_die, self.rules.last_roll,
        ) = [numbers[field] for field in FIELDS]


def validate_rows(const uint64_t[:, ::1] packed, Game game not None, uint32_t[::1] out):
    """Reasons of every row under a rule set."""
    cdef Py_ssize_t i, n = packed.shape[0]
    cdef bg_masks m
    cdef const bg_position *p
    with nogil:
        for i in range(n):
            p = <const bg_position *>&packed[i, 0]
            look(p, &game.rules, &m)
            out[i] = game_reasons(p, &m, &game.rules)


# ---- choosing the instruction set ---------------------------------------------------------------------------------

cdef extern from *:
    """
    #if defined(BG_X86_64)
    #define BG_HAS_AVX2_CODE 1
    #else
    #define BG_HAS_AVX2_CODE 0
    #endif
    """
    const int BG_HAS_AVX2_CODE


def _choose_path():
    """BGCORE_CPU if it is set, else the best the processor has.  Runs once, at import."""
    wanted = os.environ.get("BGCORE_CPU", "")
    has_avx2 = bool(BG_HAS_AVX2_CODE) and bool(bg_cpu_has_avx2())
    if wanted not in ("", "base", "avx2"):
        raise ImportError(f"BGCORE_CPU={wanted!r}: it must be 'base' or 'avx2', or unset")
    if wanted == "avx2" and not has_avx2:
        raise ImportError("BGCORE_CPU='avx2', but this processor or build has no AVX2 with BMI2; unset it")
    return has_avx2 and wanted != "base"


def cpu_info() -> dict:
    return {
        "path": "avx2" if bg_use_avx2 else "base",
        "avx2": bool(BG_HAS_AVX2_CODE) and bool(bg_cpu_has_avx2()),
    }


bg_use_avx2 = _choose_path()
