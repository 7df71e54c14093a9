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

from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.string cimport memcpy, memset

import os

from bgcore.core.board cimport (
    BAR_DEADLOCK, SHARED_POINT, PIN_UNUSED, WRONG_TOTAL_OPP, WRONG_TOTAL_OWN,
    bg_position, flip, position_reasons, side_total,
)

cdef extern from "bits.h":
    int bg_ctz64(uint64_t x) noexcept nogil
    int bg_clz64(uint64_t x) noexcept nogil
    int bg_cpu_has_avx2() noexcept nogil
    int64_t bg_fetch_add(int64_t *p, int64_t v) noexcept nogil
    int64_t bg_load_acquire(int64_t *p) noexcept nogil
    void bg_store_release(int64_t *p, int64_t v) noexcept nogil
    void bg_pause() noexcept nogil
    void bg_yield() noexcept nogil

cdef extern from *:
    """
    #if defined(BG_X86_64)
    #define BG_HAS_AVX2_CODE 1
    #else
    #define BG_HAS_AVX2_CODE 0
    #define bg_look_avx2 bg_look_base
    #define bg_last_avx2 bg_last_base
    #define bg_pairs_avx2 bg_pairs_base
    #define bg_same_avx2 bg_same_base
    #define bg_last_count_avx2 bg_last_count_base
    #define bg_pairs_count_avx2 bg_pairs_count_base
    #define bg_same_count_avx2 bg_same_count_base
    #endif
    """
    const int BG_HAS_AVX2_CODE
    void bg_look_base(const bg_position *p, bg_masks *m) noexcept nogil
    int bg_last_base(bg_emit *e, const uint64_t *base, uint64_t sources, int die) noexcept nogil
    int bg_pairs_base(bg_emit *e, const uint64_t *base, const bg_pair_job *job) noexcept nogil
    int bg_same_base(bg_emit *e, const uint64_t *base, const bg_same_job *job) noexcept nogil
    int bg_last_count_base(bg_emit *e, const uint64_t *base, uint64_t sources, int die) noexcept nogil
    int bg_pairs_count_base(bg_emit *e, const uint64_t *base, const bg_pair_job *job) noexcept nogil
    int bg_same_count_base(bg_emit *e, const uint64_t *base, const bg_same_job *job) noexcept nogil
    void bg_look_avx2(const bg_position *p, bg_masks *m) noexcept nogil
    int bg_last_avx2(bg_emit *e, const uint64_t *base, uint64_t sources, int die) noexcept nogil
    int bg_pairs_avx2(bg_emit *e, const uint64_t *base, const bg_pair_job *job) noexcept nogil
    int bg_same_avx2(bg_emit *e, const uint64_t *base, const bg_same_job *job) noexcept nogil
    int bg_last_count_avx2(bg_emit *e, const uint64_t *base, uint64_t sources, int die) noexcept nogil
    int bg_pairs_count_avx2(bg_emit *e, const uint64_t *base, const bg_pair_job *job) noexcept nogil
    int bg_same_count_avx2(bg_emit *e, const uint64_t *base, const bg_same_job *job) noexcept nogil

cdef uint64_t ONE = 1
cdef uint64_t BAR_PAIR = <uint64_t>3 << 50

# What a move adds to a row, [die][2 * source + hit].  Contrary geometry: own point p is the opponent's 25 - p.
cdef bg_row CONTRARY_HIT[7][BG_DELTAS]


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
                if hit and target:
                    add_at(w, 25 - target, -1)
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
    """Both bits of the slot that a source bit belongs to."""
    return ((bit & BG_EVEN) | ((bit & BG_ODD) >> 1)) * 3


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


cdef int roll_double(
    const bg_masks *m, const uint64_t *base, int die, const bg_kernel *k, bg_emit *e
) noexcept nogil:
    cdef bg_same_job job
    cdef bg_masks free
    cdef uint64_t row[4]
    cdef uint64_t before_last[4]
    cdef uint64_t entry = 0
    cdef uint64_t q
    cdef int entries = 0
    cdef int n = 0
    cdef int i, steps
    job.occ = m.occ
    job.two = m.two
    job.three = m.three
    job.four = m.four
    job.land = landing(m, die)
    job.die = die
    memcpy(row, base, 32)
    if m.bar:
        entry = job.land & BAR_PAIR
        if entry == 0:
            return 0
        entries = min(m.bar, 4)
        q = BAR_PAIR >> (2 * die)
        for i in range(entries):
            memcpy(before_last, row, 32)
            add_delta(row, e, die, bg_ctz64(entry) if i == 0 else 50)  # only the first can hit
            push(e, die, bg_ctz64(entry) if i == 0 else 50)
            job.four |= job.three & q
            job.three |= job.two & q
            job.two |= job.occ & q
            job.occ |= q
        job.occ &= ~BAR_PAIR
    elif m.outside < 4:
        free = m[0]
        for steps in range(4, 0, -1):
            n = double_bearing_off(&free, job.land, base, ~(<uint64_t>0), steps, die, k, e)
            if n:
                return n
        return 0
    if m.bar <= entries:
        for steps in range(4 - entries, 0, -1):
            job.depth = steps
            n = k.same(e, row, &job)
            if n:
                break
    if n == 0 and entries:
        # Nothing but entering: let the last entry out as the last move.
        e.depth -= 1
        n = k.last(e, before_last, entry if entries == 1 else ONE << 50, die)
    e.depth = 0
    return n


cdef int two_from_bar(
    const bg_masks *m, const uint64_t *base, int a, int b, const bg_kernel *k, bg_emit *e
) noexcept nogil:
    """Two different dice with something on the bar.  No bearing off: who has entered is not home yet."""
    cdef uint64_t land_a = landing(m, a)
    cdef uint64_t land_b = landing(m, b)
    cdef uint64_t enter_a = land_a & BAR_PAIR
    cdef uint64_t enter_b = land_b & BAR_PAIR
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
    if n == 0:
        # One die at most: the larger if there is a choice, and there is none with two on the bar.
        if enter_a:
            return k.last(e, base, enter_a, a)
        if enter_b:
            return k.last(e, base, enter_b, b)
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
    cdef uint64_t off_a = sources_off(occ, a)
    cdef uint64_t first = occ & (land_a | off_a)
    cdef uint64_t second = occ & (land_b | sources_off(occ, b))
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
    todo = occ & land_b
    while todo:
        bit = todo & (0 - todo)
        i = bg_ctz64(todo)
        todo ^= bit
        p = pair_of(bit)
        q = p >> (2 * b)
        after = (occ & ~(p & ~m.two)) | q
        sources = sources_off(after, a) & ~off_a
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
    if n == 0:
        return k.last(e, base, first, a) if first else k.last(e, base, second, b)
    return n


cdef int roll_two(
    const bg_masks *m, const uint64_t *base, int a, int b, const bg_kernel *k, bg_emit *e
) noexcept nogil:
    cdef bg_pair_job job
    cdef uint64_t quiet, over_a, over_b, gone
    cdef int n
    if m.bar:
        return two_from_bar(m, base, a, b, k, e)
    if m.outside < 2:
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
    job.chain = m.occ & job.land_b & pair_of_all(gone) & ~((over_a & over_b) * 3)
    n = k.pairs(e, base, &job)
    if n == 0:
        if job.first:
            return k.last(e, base, job.first, a)
        return k.last(e, base, m.occ & job.land_b, b)
    return n


cdef inline uint64_t pair_of_all(uint64_t bits) noexcept nogil:
    """Both bits of every slot that has one."""
    return ((bits | (bits >> 1)) & BG_EVEN) * 3


cdef int generate(
    const bg_position *p, const bg_masks *m, int a, int b, const bg_kernel *k, bg_emit *e
) noexcept nogil:
    cdef uint64_t base[4]
    if m.over:
        return 0
    base[0] = p.opp_lo
    base[1] = p.opp_hi
    base[2] = p.own_lo
    base[3] = p.own_hi
    if a == b:
        return roll_double(m, base, a, k, e)
    return roll_two(m, base, a, b, k, e)


cdef void start_emit(bg_emit *e, bg_row *out, int8_t *moves) noexcept nogil:
    e.out = out
    e.moves = moves
    e.delta = CONTRARY_HIT
    e.depth = 0


# ---- the same walk with move lists --------------------------------------------------------------------------------

cdef void write_play(bg_emit *e, const uint64_t *row) noexcept nogil:
    """One result and its moves, the highest source first, then the highest target."""
    cdef int8_t *moves = e.moves
    cdef int i, j
    cdef bint swap = e.depth == 2 and (
        e.path[0][0] < e.path[1][0] or (e.path[0][0] == e.path[1][0] and e.path[0][1] < e.path[1][1])
    )
    memcpy(e.out, row, 32)
    e.out += 1
    for i in range(BG_MAX_MOVES):
        for j in range(3):
            moves[3 * i + j] = e.path[1 - i if swap and i < 2 else i][j] if i < e.depth else -1
    e.moves += 3 * BG_MAX_MOVES


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


# ---- choosing the instruction set ---------------------------------------------------------------------------------

cdef str CPU_PATH = "base"


def _choose_path():
    """Sets the kernels: BGCORE_CPU if it is set, else the best the processor has.  Runs once, at import."""
    global look, CPU_PATH
    wanted = os.environ.get("BGCORE_CPU", "")
    has_avx2 = bool(BG_HAS_AVX2_CODE) and bool(bg_cpu_has_avx2())
    if wanted not in ("", "base", "avx2"):
        raise ImportError(f"BGCORE_CPU={wanted!r}: it must be 'base' or 'avx2', or unset")
    if wanted == "avx2" and not has_avx2:
        raise ImportError("BGCORE_CPU='avx2', but this processor or build has no AVX2 with BMI2; unset it")
    if has_avx2 and wanted != "base":
        CPU_PATH = "avx2"
        look = bg_look_avx2
        WRITE.last, WRITE.pairs, WRITE.same = bg_last_avx2, bg_pairs_avx2, bg_same_avx2
        COUNT.last, COUNT.pairs, COUNT.same = bg_last_count_avx2, bg_pairs_count_avx2, bg_same_count_avx2
    else:
        CPU_PATH = "base"
        look = bg_look_base
        WRITE.last, WRITE.pairs, WRITE.same = bg_last_base, bg_pairs_base, bg_same_base
        COUNT.last, COUNT.pairs, COUNT.same = bg_last_count_base, bg_pairs_count_base, bg_same_count_base
    RECORD.last, RECORD.pairs, RECORD.same = record_last, record_pairs, record_same


def cpu_info() -> dict:
    return {"path": CPU_PATH, "avx2": bool(BG_HAS_AVX2_CODE) and bool(bg_cpu_has_avx2())}


fill_deltas()
_choose_path()

cdef int _k, _larger, _smaller
_k = 0
for _larger in range(1, 7):
    for _smaller in range(1, _larger + 1):
        ROLLS[_k][0] = _larger
        ROLLS[_k][1] = _smaller
        _k += 1


# ---- what a rule set asks of a position ---------------------------------------------------------------------------

cdef uint32_t contrary_reasons(const bg_position *p, const bg_masks *m, int checkers) noexcept nogil:
    """Reasons (errors.InvalidReason) why words are no position of a contrary game with hits; 0 = valid."""
    cdef uint32_t reasons = position_reasons(p)
    cdef uint64_t entry = <uint64_t>0xfff << 38  # both bits of slots 19-24
    if side_total(p.own_lo, p.own_hi) != checkers:
        reasons |= WRONG_TOTAL_OWN
    if side_total(p.opp_lo, p.opp_hi) != checkers:
        reasons |= WRONG_TOTAL_OPP
    if m.occ & BG_EVEN & BG_POINTS & ~m.land:
        reasons |= SHARED_POINT
    if (p.own_hi | p.opp_hi) >> 40:
        reasons |= PIN_UNUSED
    if m.bar and (p.opp_hi >> 36) & 15 and not m.land & entry and (m.two >> 2) & 0xfff == 0xfff:
        reasons |= BAR_DEADLOCK
    return reasons


def validate_rows(const uint64_t[:, ::1] packed, int checkers, uint32_t[::1] out):
    """Reasons of every row under a contrary game with hits."""
    cdef Py_ssize_t i, n = packed.shape[0]
    cdef bg_masks m
    cdef const bg_position *p
    with nogil:
        for i in range(n):
            p = <const bg_position *>&packed[i, 0]
            look(p, &m)
            out[i] = contrary_reasons(p, &m, checkers)


# ---- one position, for the scalar gate ----------------------------------------------------------------------------

cdef int count_roll(const bg_position *p, int a, int b) noexcept nogil:
    cdef bg_masks m
    cdef bg_emit e
    look(p, &m)
    start_emit(&e, NULL, NULL)
    return generate(p, &m, a, b, &COUNT, &e)


cdef uint64_t legal_sources(const bg_position *p, const bg_masks *m, int die) noexcept nogil:
    """Sources of one die played as the next move, whatever the rest of the roll."""
    cdef uint64_t land = landing(m, die)
    if m.over:
        return 0
    if m.bar:
        return land & BAR_PAIR
    return m.occ & (land | sources_off(m.occ, die))


cdef void make_move(const bg_position *p, int die, int bit, bg_position *out) noexcept nogil:
    """The position after one move; the turn is not passed."""
    cdef const uint64_t *w = CONTRARY_HIT[die][bit].w
    out.opp_lo = p.opp_lo + w[0]
    out.opp_hi = p.opp_hi + w[1]
    out.own_lo = p.own_lo + w[2]
    out.own_hi = p.own_hi + w[3]


cdef tuple words_of(const bg_position *p):
    return p.own_lo, p.own_hi, p.opp_lo, p.opp_hi


def single_moves(tuple words, int die):
    """The moves of one die: (source, target, hit, words after), the turn not passed; highest source first."""
    cdef bg_position p, after
    cdef bg_masks m
    cdef uint64_t sources
    cdef int bit, source
    cdef list moves = []
    p.own_lo, p.own_hi, p.opp_lo, p.opp_hi = words
    look(&p, &m)
    sources = legal_sources(&p, &m, die)
    while sources:
        bit = 63 - bg_clz64(sources)
        sources ^= ONE << bit
        source = bit >> 1
        make_move(&p, die, bit, &after)
        moves.append((source, max(source - die, 0), bool(bit & 1), words_of(&after)))
    return moves


# ---- many positions -----------------------------------------------------------------------------------------------

cdef bg_row *aligned_rows(void *block) noexcept nogil:
    return <bg_row *>((<uintptr_t>block + 63) & ~(<uintptr_t>63))


cdef class PlayJob:
    """One call of batch.legal_plays: its arrays, and what its threads share.

    The positions are cut into chunks.  A thread takes the next chunk, makes its plays in memory of its own, waits until
    the chunks before it are counted, and copies them to their place; so the result is the same for any number of
    threads.  A single thread writes straight to the place.  What does not fit is counted, and the call is made again
    with more room.
    """

    def __init__(self, const uint64_t[:, ::1] packed, const uint8_t[:, ::1] dice, int checkers, bint pass_results,
                 int64_t[::1] offsets, uintptr_t results, uintptr_t moves, int64_t capacity, int threads,
                 Py_ssize_t chunk):
        cdef int64_t i
        self.packed = packed
        self.dice = dice
        self.offsets = offsets
        self.n = packed.shape[0]
        self.rolls = ROLL_COUNT if dice is None else 1
        self.dice_step = 0 if dice is None or dice.shape[0] == 1 else 1
        self.checkers = checkers
        self.pass_results = pass_results
        self.results = <bg_row *>results
        self.moves = <int8_t *>moves
        self.capacity = capacity
        self.direct = threads == 1
        self.chunk = chunk
        self.chunks = (self.n + chunk - 1) // chunk
        self.next_chunk = 0
        self.bad_row = -1
        self.bad_reasons = 0
        self.no_memory = False
        self.bases = <int64_t *>PyMem_RawMalloc((self.chunks + 1) * sizeof(int64_t))
        if self.bases == NULL:
            raise MemoryError
        for i in range(self.chunks + 1):
            self.bases[i] = -1
        self.bases[0] = 0
        offsets[0] = 0

    def __dealloc__(self):
        PyMem_RawFree(<void *>self.bases)

    @property
    def total(self):
        return self.bases[self.chunks]

    def run(self):
        """Works until no chunk is left; any number of threads may call it at once."""
        with nogil:
            self.work()

    cdef void work(self) noexcept nogil:
        cdef int64_t room = 0
        cdef void *block = NULL
        cdef void *new_block
        cdef int8_t *scratch_moves = NULL
        cdef int8_t *new_moves
        cdef bg_row *scratch = NULL
        cdef bg_row *at
        cdef int8_t *moves_at
        cdef bg_emit e
        cdef bg_masks m
        cdef const bg_position *p
        cdef const bg_kernel *k = &RECORD if self.moves else &WRITE
        cdef int64_t c, i, last, made, base, segment, limit
        cdef uint32_t reasons
        cdef int r, a, b, got
        cdef bint placed, failed = False
        while not failed:
            c = bg_fetch_add(&self.next_chunk, 1)
            if c >= self.chunks:
                break
            i = c * self.chunk
            last = min(self.n, i + self.chunk)
            made = 0
            placed = self.direct and self.bases[c] + BG_MAX_PLAYS + BG_SLACK <= self.capacity
            at = self.results + self.bases[c] if placed else scratch
            moves_at = self.moves + self.bases[c] * (3 * BG_MAX_MOVES) if placed and self.moves else scratch_moves
            limit = self.capacity - self.bases[c] if placed else room
            segment = i * self.rolls
            while i < last and not failed:
                p = <const bg_position *>&self.packed[i, 0]
                look(p, &m)
                reasons = contrary_reasons(p, &m, self.checkers)
                if reasons:
                    self.note_bad_row(i, reasons)
                    failed = True
                    break
                for r in range(self.rolls):
                    if limit - made < BG_MAX_PLAYS + BG_SLACK:
                        # Grow the thread's own memory; what was written in place moves there as well.
                        limit = max(2 * limit, made + 4 * (BG_MAX_PLAYS + BG_SLACK))
                        new_block = PyMem_RawMalloc(limit * sizeof(bg_row) + 64)
                        new_moves = <int8_t *>PyMem_RawMalloc(limit * (3 * BG_MAX_MOVES)) if self.moves else NULL
                        if new_block == NULL or (self.moves and new_moves == NULL):
                            PyMem_RawFree(new_block)
                            PyMem_RawFree(new_moves)
                            self.no_memory = True
                            failed = True
                            break
                        memcpy(aligned_rows(new_block), at, made * sizeof(bg_row))
                        if self.moves:
                            memcpy(new_moves, moves_at, made * (3 * BG_MAX_MOVES))
                        PyMem_RawFree(block)
                        PyMem_RawFree(scratch_moves)
                        block, scratch_moves, room, placed = new_block, new_moves, limit, False
                        scratch = at = aligned_rows(block)
                        moves_at = scratch_moves
                    start_emit(&e, at + made, moves_at + made * (3 * BG_MAX_MOVES) if self.moves else NULL)
                    if self.dice is None:
                        a, b = ROLLS[r][0], ROLLS[r][1]
                    else:
                        a, b = self.dice[i * self.dice_step, 0], self.dice[i * self.dice_step, 1]
                        if a < b:
                            a, b = b, a
                    got = generate(p, &m, a, b, k, &e)
                    if got == 0 and self.pass_results and not m.over:
                        memcpy(at[made].w, &p.opp_lo, 16)
                        memcpy(&at[made].w[2], &p.own_lo, 16)
                        if self.moves:
                            memset(moves_at + made * (3 * BG_MAX_MOVES), 0xff, 3 * BG_MAX_MOVES)
                        got = 1
                    made += got
                    segment += 1
                    self.offsets[segment] = made
                i += 1
            base = self.wait_for_base(c)
            if failed or base < 0:
                bg_store_release(&self.bases[c + 1], -2)
                bg_fetch_add(&self.next_chunk, self.chunks)
                break
            bg_store_release(&self.bases[c + 1], base + made)
            if not placed and base + made <= self.capacity:
                memcpy(self.results + base, at, made * sizeof(bg_row))
                if self.moves:
                    memcpy(self.moves + base * (3 * BG_MAX_MOVES), moves_at, made * (3 * BG_MAX_MOVES))
            if base:
                for i in range(c * self.chunk * self.rolls + 1, segment + 1):
                    self.offsets[i] += base
        PyMem_RawFree(block)
        PyMem_RawFree(scratch_moves)

    cdef int64_t wait_for_base(self, int64_t c) noexcept nogil:
        """Where chunk c begins, once the chunks before it are counted; -2 if one of them failed."""
        cdef int64_t base = bg_load_acquire(&self.bases[c])
        cdef int spins = 0
        while base == -1:
            bg_pause()
            spins += 1
            if spins > 2000:
                bg_yield()
                spins = 0
            base = bg_load_acquire(&self.bases[c])
        return base

    cdef void note_bad_row(self, int64_t row, uint32_t reasons) noexcept nogil:
        """Keeps the first row that is no position.  Chunks are taken in order, so all before it are still looked at."""
        with gil:
            if self.bad_row < 0 or row < self.bad_row:
                self.bad_row = row
                self.bad_reasons = reasons


def count_rows(const uint64_t[:, ::1] packed, const uint8_t[:, ::1] dice, int checkers, int32_t[:, ::1] out,
               Py_ssize_t begin, Py_ssize_t end):
    """How many plays each roll of rows begin to end - 1 has; returns (row, reasons) of the first bad one, or None."""
    cdef Py_ssize_t i
    cdef int r, a, b
    cdef int rolls = ROLL_COUNT if dice is None else 1
    cdef Py_ssize_t dice_step = 0 if dice is None or dice.shape[0] == 1 else 1
    cdef bg_masks m
    cdef bg_emit e
    cdef const bg_position *p
    cdef uint32_t reasons = 0
    start_emit(&e, NULL, NULL)
    with nogil:
        for i in range(begin, end):
            p = <const bg_position *>&packed[i, 0]
            look(p, &m)
            reasons = contrary_reasons(p, &m, checkers)
            if reasons:
                break
            for r in range(rolls):
                if dice is None:
                    a, b = ROLLS[r][0], ROLLS[r][1]
                else:
                    a, b = dice[i * dice_step, 0], dice[i * dice_step, 1]
                    if a < b:
                        a, b = b, a
                out[i, r] = generate(p, &m, a, b, &COUNT, &e)
    return (i, reasons) if reasons else None


# ---- perft --------------------------------------------------------------------------------------------------------

cdef int64_t perft_below(const bg_position *p, int depth, bg_row *buffers) noexcept nogil:
    """Lines of play of the given depth; buffers has room for one roll's plays a level."""
    cdef bg_masks m
    cdef bg_emit e
    cdef bg_position passed
    cdef bg_row *mine = buffers + (depth - 1) * (BG_MAX_PLAYS + BG_SLACK)
    cdef int64_t lines = 0
    cdef int r, i, n
    if depth == 0:
        return 1
    look(p, &m)
    if m.over:
        return 1
    for r in range(ROLL_COUNT):
        start_emit(&e, mine, NULL)
        n = generate(p, &m, ROLLS[r][0], ROLLS[r][1], &COUNT if depth == 1 else &WRITE, &e)
        if depth == 1:
            lines += n if n else 1
        elif n == 0:
            flip(p, &passed)
            lines += perft_below(&passed, depth - 1, buffers)
        else:
            for i in range(n):
                lines += perft_below(<const bg_position *>mine[i].w, depth - 1, buffers)
    return lines


def perft_row(const uint64_t[:, ::1] packed, int depth, int64_t[::1] out, int64_t[::1] next_row):
    """perft of the next row that nobody has taken; several threads may share next_row and out."""
    cdef int64_t i = bg_fetch_add(&next_row[0], 1)
    cdef void *block
    if i >= packed.shape[0]:
        return
    block = PyMem_RawMalloc(max(depth, 1) * (BG_MAX_PLAYS + BG_SLACK) * sizeof(bg_row) + 64)
    if block == NULL:
        raise MemoryError
    with nogil:
        out[i] = perft_below(<const bg_position *>&packed[i, 0], depth, aligned_rows(block))
        PyMem_RawFree(block)
