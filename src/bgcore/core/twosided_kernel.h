/* One tile of the two-sided bear-off, 64 movers against 64 opponents; included once per kind of number and instruction
 * set (no include guard).
 *
 * Needs NAME, ATTR, KERNEL_CELL, KERNEL_WIDE (holds 36 cells), KERNEL_GNUBG (whether to do its arithmetic), and one of
 * KERNEL_PLAIN(sum) (sum / 36, rounded), KERNEL_POLICY, or the vector macros of twosided.h.
 */

#if defined(KERNEL_PLAIN)
/* The best play for each roll, averaged: one mover, one table, the opponents in the lanes. */
static ATTR void NAME(bg_best)(const bg_two_sided *job, const KERNEL_CELL *table, const uint32_t *starts,
                               KERNEL_CELL *out) {
    int roll, lane, from;
    for (from = 0; from < BG_TILE; from += 16) {
        KERNEL_WIDE sum[16] = {0};
        for (roll = 0; roll < BG_ROLLS; roll++) {
            const uint32_t *next = job->successors + starts[roll], *end = job->successors + starts[roll + 1];
            KERNEL_CELL best[16];
            memcpy(best, table + *next++ + from, sizeof best);
            while (next < end) {
                const KERNEL_CELL *row = table + *next++ + from;
                for (lane = 0; lane < 16; lane++) best[lane] = row[lane] > best[lane] ? row[lane] : best[lane];
            }
            for (lane = 0; lane < 16; lane++) sum[lane] += (KERNEL_WIDE)BG_WEIGHT[roll] * best[lane];
        }
        for (lane = 0; lane < 16; lane++) out[from + lane] = KERNEL_PLAIN(sum[lane]);
    }
}
#elif defined(V_COUNT)
/* The best play for each roll, averaged: one mover, one table, the opponents in the lanes.  Sums are exact, so there is
 * one rounding, at the end. */
static ATTR void NAME(bg_best)(const bg_two_sided *job, const int16_t *table, const uint32_t *starts, int16_t *out) {
    V_WIDE low[V_COUNT], high[V_COUNT];
    int roll, side, i;
    for (i = 0; i < V_COUNT; i++) low[i] = high[i] = V_WIDE_ZERO;
    for (roll = 0; roll < BG_ROLLS; roll += 2) {
        V_CELL best[2][V_COUNT];
        for (i = 0; i < V_COUNT; i++) best[1][i] = V_ZERO;
        for (side = 0; side < 2 && roll + side < BG_ROLLS; side++) {
            const uint32_t *next = job->successors + starts[roll + side];
            const uint32_t *end = job->successors + starts[roll + side + 1];
            const int16_t *row = table + *next++;
            V_CELL b[V_COUNT];
            for (i = 0; i < V_COUNT; i++) b[i] = V_LOAD(row + i * V_LANES);
            while (next < end) {
                row = table + *next++;
                for (i = 0; i < V_COUNT; i++) b[i] = V_MAX(b[i], V_LOAD(row + i * V_LANES));
            }
            for (i = 0; i < V_COUNT; i++) best[side][i] = b[i];
        }
        for (i = 0; i < V_COUNT; i++)
            V_WEIGH(low[i], high[i], best[0][i], best[1][i], BG_WEIGHT[roll], BG_WEIGHT[roll + 1]);
    }
    for (i = 0; i < V_COUNT; i++)
        V_STORE(out + i * V_LANES, job->gnubg ? V_TRUNCATE(low[i], high[i]) : V_ROUND(low[i], high[i]));
}
#endif

#if defined(KERNEL_POLICY)
/* The best cubeless play for each roll, and the chances it leads to: all four tables at once.  Of equal plays the first
 * in the order of the successors is taken. */
static ATTR void NAME(bg_best_plays)(const bg_two_sided *job, const KERNEL_CELL *source, const uint32_t *starts,
                                     KERNEL_CELL *out) {
    int roll, lane, from, t;
    for (from = 0; from < BG_TILE; from += 16) {
        KERNEL_WIDE sum[4][16] = {{0}};
        for (roll = 0; roll < BG_ROLLS; roll++) {
            const uint32_t *next = job->successors + starts[roll], *end = job->successors + starts[roll + 1];
            KERNEL_CELL best[4][16];
            for (t = 0; t < 4; t++) memcpy(best[t], source + *next + t * BG_TILE + from, sizeof best[t]);
            while (++next < end) {
                const KERNEL_CELL *row = source + *next + from;
                for (lane = 0; lane < 16; lane++) {
                    const int better = row[lane] > best[0][lane];
                    for (t = 0; t < 4; t++) best[t][lane] = better ? row[t * BG_TILE + lane] : best[t][lane];
                }
            }
            for (t = 0; t < 4; t++)
                for (lane = 0; lane < 16; lane++) sum[t][lane] += (KERNEL_WIDE)BG_WEIGHT[roll] * best[t][lane];
        }
        for (t = 0; t < 4; t++)
            for (lane = 0; lane < 16; lane++) out[t * BG_TILE + from + lane] = sum[t][lane] / 36.0;
    }
}

/* The opponent's chances, from the side of the player who has just moved: equity, win, gammon won, gammon lost. */
static ATTR void NAME(bg_gains)(const bg_two_sided *job, const KERNEL_CELL *values, KERNEL_CELL *gains) {
    int lane;
    (void)job;
    for (lane = 0; lane < BG_TILE; lane++) {
        gains[lane] = -values[lane];
        gains[BG_TILE + lane] = 1.0 - values[BG_TILE + lane];
        gains[2 * BG_TILE + lane] = values[3 * BG_TILE + lane];
        gains[3 * BG_TILE + lane] = values[2 * BG_TILE + lane];
    }
}
#else
static ATTR void NAME(bg_best_plays)(const bg_two_sided *job, const KERNEL_CELL *source, const uint32_t *starts,
                                     KERNEL_CELL *out) {
    int t;
    for (t = 0; t < job->tables; t++) NAME(bg_best)(job, source + t * BG_TILE, starts, out + t * BG_TILE);
}

/* What a play that leaves the opponent to roll with these values is worth to the player who made it.
 *
 * Doubled, a cube that the opponent of its owner can turn no more is worth min(2 x opponent's, 1) to the doubler. */
static ATTR void NAME(bg_gains)(const bg_two_sided *job, const KERNEL_CELL *values, KERNEL_CELL *gains) {
    int lane;
    if (job->cubeless) {
        if (KERNEL_GNUBG)
            for (lane = 0; lane < BG_TILE; lane++) gains[lane] = (KERNEL_CELL)(-1 - values[lane]);
        else
            for (lane = 0; lane < BG_TILE; lane++) gains[lane] = (KERNEL_CELL)-values[lane];
        values += BG_TILE, gains += BG_TILE;
    }
    if (job->cubeful) {
        const KERNEL_CELL *owned = values, *centred = values + BG_TILE, *taken = values + 2 * BG_TILE;
        KERNEL_CELL *to_owned = gains, *to_centred = gains + BG_TILE, *to_taken = gains + 2 * BG_TILE;
        if (KERNEL_GNUBG)
            for (lane = 0; lane < BG_TILE; lane++) {
                const int double_take = (int)taken[lane], nd = (int)owned[lane], nd_centred = (int)centred[lane];
                const int doubled = double_take >= 32767 / 2 ? 32767 : 2 * double_take;
                const int decided = double_take >= nd / 2 ? doubled : nd;
                const int decided_centred = double_take >= nd_centred / 2 ? doubled : nd_centred;
                to_owned[lane] = (KERNEL_CELL)(-1 - double_take);
                to_centred[lane] = (KERNEL_CELL)(-1 - decided_centred);
                to_taken[lane] = (KERNEL_CELL)(-1 - decided);
            }
        else
            for (lane = 0; lane < BG_TILE; lane++) {
                const KERNEL_WIDE twice = (KERNEL_WIDE)2 * taken[lane];
                const KERNEL_WIDE doubled = twice < job->one ? twice : (KERNEL_WIDE)job->one;
                to_owned[lane] = (KERNEL_CELL)-taken[lane];
                to_centred[lane] = (KERNEL_CELL)-(centred[lane] > doubled ? centred[lane] : doubled);
                to_taken[lane] = (KERNEL_CELL)-(owned[lane] > doubled ? owned[lane] : doubled);
            }
    }
}
#endif

/* Values before this turn's cube action, [64 movers][tables][64 opponents], of pairs whose successors are all solved. */
static ATTR void NAME(bg_solve_tile)(const bg_two_sided *job, int64_t movers, int64_t opponents, void *out) {
    const int64_t width = (int64_t)job->tables * BG_TILE;
    const KERNEL_CELL *source = (const KERNEL_CELL *)job->source + opponents * job->slots * width;
    int m;
    for (m = 0; m < BG_TILE; m++) {
        KERNEL_CELL *values = (KERNEL_CELL *)out + m * width;
        const uint32_t *starts = job->starts + (movers * BG_TILE + m) * BG_ROLLS;
        if (starts[0] == starts[BG_ROLLS])
            memset(values, 0, width * sizeof *values); /* padding */
        else
            NAME(bg_best_plays)(job, source, starts, values);
    }
}

/* Takes a solved tile into the source: gains of the opponents' plays to these movers' positions. */
static ATTR void NAME(bg_enter_tile)(const bg_two_sided *job, int64_t movers, int64_t opponents, const void *values,
                                     void *scratch) {
    const int64_t width = (int64_t)job->tables * BG_TILE;
    KERNEL_CELL *solved = (KERNEL_CELL *)job->source + (movers * job->slots + opponents * BG_TILE) * width;
    KERNEL_CELL *gains = (KERNEL_CELL *)scratch; /* [mover][table][opponent] */
    int m, j, t;
    for (m = 0; m < BG_TILE; m++) NAME(bg_gains)(job, (const KERNEL_CELL *)values + m * width, gains + m * width);
    for (j = 0; j < BG_TILE; j++)
        for (t = 0; t < job->tables; t++)
            for (m = 0; m < BG_TILE; m++) solved[j * width + t * BG_TILE + m] = gains[m * width + t * BG_TILE + j];
}
