"""Looking up one-sided tables: distributions, their moments, races of two sides, the best play against a distribution.

A table holds of each id's distribution what isn't zero at either end: ``count`` values from ``first`` rolls on, which
begin at ``start`` among ``values``; single precision, or 16 bits where 65535 is 1.  Whoever makes a Table has checked
that the three agree.
"""

from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from libc.math cimport INFINITY, NAN
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from bgcore.core.bearoff cimport (
    bg_single, bg_singles, free_singles, on_board, rank_side, reach_of, write_singles,
)

cdef enum:
    MOST_ROLLS = 255
    REMEMBERED = 18      # best results an id: [d] of one move with die d, [6 + d] of two, [12 + d] of three

cdef uint64_t NO_RANK = ~<uint64_t>0


ctypedef struct bg_chances:
    int first                # the rolls that of[0] is for
    int end                  # the first number of rolls behind those stored
    double of[MOST_ROLLS]


cdef class Table:
    """The distributions of all ids of a side."""

    cdef const uint8_t[::1] first
    cdef const uint8_t[::1] count
    cdef const uint32_t[::1] start
    cdef const float[::1] singles      # the values, or None
    cdef const uint16_t[::1] shorts    # or these

    def __init__(self, const uint8_t[::1] first, const uint8_t[::1] count, const uint32_t[::1] start, values):
        self.first = first
        self.count = count
        self.start = start
        # An unassigned memoryview is not None.
        self.singles = values if values.dtype.kind == "f" else None
        self.shorts = values if values.dtype.kind == "u" else None

    cdef void read(self, uint64_t id, bg_chances *out) noexcept nogil:
        cdef uint32_t start = self.start[id]
        cdef int k
        out.first = self.first[id]
        out.end = out.first + self.count[id]
        if self.singles is not None:
            for k in range(self.count[id]):
                out.of[k] = self.singles[start + k]
        else:
            for k in range(self.count[id]):
                out.of[k] = self.shorts[start + k] / 65535.0


def distribution_rows(Table table not None, const uint64_t[::1] ids, float[:, ::1] out):
    """Distributions (n, rolls), where rolls are enough for all; NaN for an id that is no rank."""
    cdef bg_chances chances
    cdef Py_ssize_t i, n = ids.shape[0]
    cdef int k, rolls = <int>out.shape[1]
    with nogil:
        for i in range(n):
            if ids[i] == NO_RANK:
                for k in range(rolls):
                    out[i, k] = NAN
                continue
            table.read(ids[i], &chances)
            for k in range(rolls):
                out[i, k] = 0
            for k in range(chances.first, chances.end):
                out[i, k] = <float>chances.of[k - chances.first]


def raw_rows(Table table not None, uint64_t first_id, uint16_t[:, ::1] out):
    """The 16-bit distributions of as many ids as out has rows, from first_id on."""
    cdef Py_ssize_t i, n = out.shape[0]
    cdef int rolls = <int>out.shape[1]
    cdef uint64_t id
    cdef int k, within
    with nogil:
        for i in range(n):
            id = first_id + <uint64_t>i
            for k in range(rolls):
                within = k - table.first[id]
                out[i, k] = table.shorts[table.start[id] + within] if 0 <= within < table.count[id] else 0


def moment_rows(Table table not None, const uint64_t[::1] ids, double[::1] mean, double[::1] variance):
    """Means and variances of distributions; NaN for an id that is no rank."""
    cdef bg_chances chances
    cdef double total, first, second
    cdef Py_ssize_t i, n = ids.shape[0]
    cdef int k, size
    with nogil:
        for i in range(n):
            if ids[i] == NO_RANK:
                mean[i] = NAN
                variance[i] = NAN
                continue
            table.read(ids[i], &chances)
            size = chances.end - chances.first
            total = first = second = 0
            for k in range(size):
                total += chances.of[k]
                first += k * chances.of[k]
            first /= total
            for k in range(size):
                second += (k - first) * (k - first) * chances.of[k]
            mean[i] = chances.first + first
            variance[i] = second / total


cdef void accumulate(bg_chances *chances) noexcept nogil:
    """Turns chances of k rolls into chances of k or more."""
    cdef int k
    for k in range(chances.end - chances.first - 2, -1, -1):
        chances.of[k] += chances.of[k + 1]


cdef double not_sooner(const bg_chances *own, const bg_chances *late, int lead) noexcept nogil:
    """The chance that `late`, accumulated, needs at least as many rolls as `own` and `lead` more."""
    cdef double early = 0, chance = 0
    cdef int k
    for k in range(own.first, min(own.end, late.first - lead)):
        early += own.of[k - own.first]
    for k in range(max(own.first, late.first - lead), min(own.end, late.end - lead)):
        chance += own.of[k - own.first] * late.of[k + lead - late.first]
    return early * late.of[0] + chance


def race_rows(Table table not None, Table gammons, const uint64_t[:, ::1] packed, int points, int checkers,
              float[:, ::1] out):
    """Chances (n, 3) to win, to win a gammon and to lose one, both sides playing for the fewest rolls of their own.

    NaN where a side is out of range, the sides can still meet, or both are off; the gammons' also if there is no table
    of them.
    """
    cdef bg_chances own, opp, first
    cdef Py_ssize_t i, n = packed.shape[0]
    cdef int own_reach, opp_reach
    cdef uint64_t own_id, opp_id
    with nogil:
        for i in range(n):
            own_reach = reach_of(packed[i, 0], packed[i, 1])
            opp_reach = reach_of(packed[i, 2], packed[i, 3])
            if (
                own_reach > points or opp_reach > points or own_reach + opp_reach >= 25 or own_reach + opp_reach == 0
                or on_board(packed[i, 0], packed[i, 1]) > checkers or on_board(packed[i, 2], packed[i, 3]) > checkers
            ):
                out[i, 0] = out[i, 1] = out[i, 2] = NAN
                continue
            own_id = rank_side(packed[i, 0], packed[i, 1], points)
            opp_id = rank_side(packed[i, 2], packed[i, 3], points)
            table.read(own_id, &own)
            table.read(opp_id, &opp)
            out[i, 1] = out[i, 2] = NAN
            if gammons is not None:
                # With k rolls he who rolls first wins a gammon if the other's first checker needs k or more, or one if
                # he was off before his first roll; he who rolls second, if it needs more than k.
                gammons.read(opp_id, &first)
                accumulate(&first)
                out[i, 1] = <float>not_sooner(&own, &first, 1 if own_id == 0 else 0)
                gammons.read(own_id, &first)
                accumulate(&first)
                out[i, 2] = <float>not_sooner(&opp, &first, 1)
            accumulate(&opp)
            out[i, 0] = <float>not_sooner(&own, &opp, 0)


# ---- the best play against a distribution ----------------------------------------------------------------------------

cdef double best_of_rolls(const bg_singles *singles, uint64_t id, const double *values, double *best) noexcept nogil:
    """The mean over the rolls of the best of their results' values.

    best remembers the best of one, two and three moves of an id; it holds those of lower ids and gets this one's.
    """
    cdef double pair[6][6]
    cdef double found[9]
    cdef double *mine = best + REMEMBERED * id
    cdef const double *there
    cdef const bg_single *single = &singles.of[id]
    cdef double once = 0, twice = 0
    cdef uint32_t after
    cdef int die, k, e
    for die in range(6):
        for e in range(9):
            found[e] = -INFINITY
        for k in range(single.ends[die], single.ends[die + 1]):
            after = singles.ids[single.start + k]
            there = best + REMEMBERED * <uint64_t>after
            for e in range(6):
                found[e] = max(found[e], there[e])
            found[6] = max(found[6], values[after])
            found[7] = max(found[7], there[6 + die])
            found[8] = max(found[8], there[12 + die])
        for e in range(6):
            pair[die][e] = found[e]
        mine[die] = found[6]
        mine[6 + die] = found[die]
        mine[12 + die] = found[7]
        once += found[8]
    for die in range(6):
        for e in range(die):
            twice += max(pair[die][e], pair[e][die])
    return (2 * twice + once) / 36


def best_chances(const uint64_t[::1] ids, int points, const double[::1] needed, double[::1] out):
    """Winning chances of the player on roll who plays as well as can be against a distribution of the opponent's rolls.

    needed[k] is the chance that the opponent needs k rolls or more; out gets one number an id, NaN if it is no rank.
    """
    cdef Py_ssize_t i, n = ids.shape[0]
    cdef uint64_t id, most = 0
    cdef int rolls = <int>needed.shape[0]
    cdef int used, k
    cdef bg_singles singles
    cdef double *values
    cdef double *before
    cdef double *best
    cdef int status
    for i in range(n):
        if ids[i] != NO_RANK:
            most = max(most, ids[i])
    with nogil:
        status = write_singles(points, most + 1, &singles)
        values = <double *>PyMem_RawMalloc((most + 1) * sizeof(double))
        before = <double *>PyMem_RawMalloc((most + 1) * sizeof(double))
        best = <double *>PyMem_RawMalloc(REMEMBERED * (most + 1) * sizeof(double))
        if values == NULL or before == NULL or best == NULL:
            status = -1
        if status == 0:
            # values: by id, with so many rolls used; all who are still there when the opponent is off have lost.
            for id in range(most + 1):
                values[id] = 0
            for used in range(rolls - 1, -1, -1):
                values, before = before, values
                values[0] = needed[used]
                for k in range(18):
                    best[k] = before[0]
                for id in range(1, most + 1):
                    values[id] = best_of_rolls(&singles, id, before, best)
            for i in range(n):
                out[i] = NAN if ids[i] == NO_RANK else values[ids[i]]
        free_singles(&singles)
        PyMem_RawFree(values)
        PyMem_RawFree(before)
        PyMem_RawFree(best)
    if status:
        raise MemoryError
