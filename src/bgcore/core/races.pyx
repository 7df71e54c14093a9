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
        if values.dtype.kind == "f":
            self.singles = values
        else:
            self.shorts = values

    cdef int read(self, uint64_t id, double *out) noexcept nogil:
        """Writes the chances of 0, 1, ... rolls; returns how many numbers these are."""
        cdef int first = self.first[id]
        cdef int count = self.count[id]
        cdef uint32_t start = self.start[id]
        cdef int k
        for k in range(first):
            out[k] = 0
        if self.singles is not None:
            for k in range(count):
                out[first + k] = self.singles[start + k]
        else:
            for k in range(count):
                out[first + k] = self.shorts[start + k] / 65535.0
        return first + count


def distribution_rows(Table table not None, const uint64_t[::1] ids, float[:, ::1] out):
    """Distributions (n, rolls), where rolls are enough for all; NaN for an id that is no rank."""
    cdef double row[2 * MOST_ROLLS]
    cdef Py_ssize_t i, n = ids.shape[0]
    cdef int k, end, rolls = <int>out.shape[1]
    with nogil:
        for i in range(n):
            if ids[i] == NO_RANK:
                for k in range(rolls):
                    out[i, k] = NAN
                continue
            end = table.read(ids[i], row)
            for k in range(rolls):
                out[i, k] = <float>row[k] if k < end else 0


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
    cdef double row[2 * MOST_ROLLS]
    cdef double total, first, second
    cdef Py_ssize_t i, n = ids.shape[0]
    cdef int k, end
    with nogil:
        for i in range(n):
            if ids[i] == NO_RANK:
                mean[i] = NAN
                variance[i] = NAN
                continue
            end = table.read(ids[i], row)
            total = first = second = 0
            for k in range(end):
                total += row[k]
                first += k * row[k]
            first /= total
            for k in range(end):
                second += (k - first) * (k - first) * row[k]
            mean[i] = first
            variance[i] = second / total


def race_rows(Table table not None, Table gammons, const uint64_t[:, ::1] packed, int points, int checkers,
              float[:, ::1] out):
    """Chances (n, 3) to win, to win a gammon and to lose one, both sides playing for the fewest rolls of their own.

    NaN where a side is out of range, the sides can still meet, or both are off; the gammons' also if there is no table
    of them.
    """
    cdef double own[2 * MOST_ROLLS]
    cdef double opp[2 * MOST_ROLLS]
    cdef double own_first[2 * MOST_ROLLS]
    cdef double opp_first[2 * MOST_ROLLS]
    cdef Py_ssize_t i, n = packed.shape[0]
    cdef int own_reach, opp_reach, own_end, opp_end
    cdef int own_first_end = 0
    cdef int opp_first_end = 0
    cdef uint64_t own_id, opp_id
    cdef double win, gammon_won, gammon_lost
    cdef int k
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
            own_end = table.read(own_id, own)
            opp_end = table.read(opp_id, opp)
            if gammons is not None:
                own_first_end = gammons.read(own_id, own_first)
                opp_first_end = gammons.read(opp_id, opp_first)
            # From here on [k] is the chance of k rolls or more, but of own, which rolls first: he wins with k rolls if
            # the opponent needs k or more, and wins a gammon if the opponent's first checker needs k or more.
            accumulate(opp, opp_end)
            win = gammon_won = gammon_lost = 0
            for k in range(own_end):
                win += own[k] * (opp[k] if k < opp_end else 0)
            if gammons is not None:
                accumulate(opp_first, opp_first_end)
                accumulate(own_first, own_first_end)
                for k in range(own_end):
                    # A side that is off has won before its first roll: the opponent hasn't borne off if he needs 1.
                    gammon_won += own[k] * (opp_first[max(k, 1)] if max(k, 1) < opp_first_end else 0)
                for k in range(opp_end):
                    if k + 1 < own_first_end:
                        gammon_lost += (opp[k] - (opp[k + 1] if k + 1 < opp_end else 0)) * own_first[k + 1]
            out[i, 0] = <float>win
            out[i, 1] = <float>gammon_won if gammons is not None else NAN
            out[i, 2] = <float>gammon_lost if gammons is not None else NAN


cdef void accumulate(double *row, int end) noexcept nogil:
    """Turns chances of k into chances of k or more."""
    cdef int k
    for k in range(end - 2, -1, -1):
        row[k] += row[k + 1]


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
