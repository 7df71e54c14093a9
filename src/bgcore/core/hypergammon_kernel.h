/* The maximum over plays, included once a width and instruction set (no include guard).
 *
 * Needs NAME, ATTR, WIDTH (values a position), and VEC for so many of them with LOAD, STORE, MAX and PLUS.  Tables,
 * bests and sums of width 4 are aligned to 32 bytes.
 */

/* best[k] = the largest of one to four plays against opponent list[k], and of what best[k] was unless fresh. */
static ATTR BG_INLINE void NAME(some)(double *best, const double *const *rows, const uint16_t *const *maps,
                                      const uint16_t *list, int m, const int plays, const int fresh) {
    const double *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3];
    const uint16_t *m0 = maps[0], *m1 = maps[1], *m2 = maps[2], *m3 = maps[3];
    int k;
    for (k = 0; k < m; k++) {
        const int j = list[k];
        VEC b = LOAD(r0 + WIDTH * m0[j]);
        if (plays > 1) b = MAX(b, LOAD(r1 + WIDTH * m1[j]));
        if (plays > 2) b = MAX(b, LOAD(r2 + WIDTH * m2[j]));
        if (plays > 3) b = MAX(b, LOAD(r3 + WIDTH * m3[j]));
        if (!fresh) b = MAX(b, LOAD(best + WIDTH * k));
        STORE(best + WIDTH * k, b);
    }
}

/* The best of some plays against each of m opponents, at most a chunk of them; forbidden where none is allowed. */
static ATTR void NAME(best)(const bg_hyper_game *g, const double *table, const bg_hyper_play *play,
                            const bg_hyper_play *end, const uint16_t *list, int m, double *best) {
    uint16_t joined[4][BG_HYPER_CHUNK], straight[BG_HYPER_CHUNK];
    const size_t stride = WIDTH * (size_t)(g->n + 1);
    int fresh, p, k;
    for (k = 0; play == end && k < WIDTH * m; k++) best[k] = BG_HYPER_FORBIDDEN;
    for (fresh = 1; play < end; fresh = 0) {
        const int plays = end - play < 4 ? (int)(end - play) : 4;
        const double *rows[4] = {table, table, table, table};
        const uint16_t *maps[4] = {g->maps, g->maps, g->maps, g->maps}, *which = list;
        int second = 0;
        for (p = 0; p < plays; p++) {
            rows[p] = table + play[p].own * stride;
            maps[p] = bg_hyper_map(g, play[p].first);
            second |= play[p].second;
        }
        if (second) {
            for (k = 0; k < m; k++) straight[k] = (uint16_t)k;
            which = straight;
            for (p = 0; p < plays; p++) {
                const uint16_t *then = bg_hyper_map(g, play[p].second);
                for (k = 0; k < m; k++) joined[p][k] = then[maps[p][list[k]]];
                maps[p] = joined[p];
            }
        }
        if (fresh) {
            if (plays == 1) NAME(some)(best, rows, maps, which, m, 1, 1);
            else if (plays == 2) NAME(some)(best, rows, maps, which, m, 2, 1);
            else if (plays == 3) NAME(some)(best, rows, maps, which, m, 3, 1);
            else NAME(some)(best, rows, maps, which, m, 4, 1);
        } else {
            if (plays == 1) NAME(some)(best, rows, maps, which, m, 1, 0);
            else if (plays == 2) NAME(some)(best, rows, maps, which, m, 2, 0);
            else if (plays == 3) NAME(some)(best, rows, maps, which, m, 3, 0);
            else NAME(some)(best, rows, maps, which, m, 4, 0);
        }
        play += plays;
    }
}

/* Not all dice can be played against this opponent: the best of the next level that has something, or the pass.
 * Returns the level; BG_HYPER_LEVELS for the pass. */
static ATTR int NAME(fewer)(const bg_hyper_game *g, const double *table, int own, int roll, int opponent,
                            double *best) {
    const size_t stride = WIDTH * (size_t)(g->n + 1);
    const uint32_t *starts = bg_hyper_starts(g, own, roll);
    int level;
    uint32_t p;
    for (level = 1; level < BG_HYPER_LEVELS; level++) {
        int found = 0;
        for (p = starts[level]; p < starts[level + 1]; p++) {
            const int after = bg_hyper_after(g, g->plays + p, opponent);
            const double *at = table + g->plays[p].own * stride + (size_t)(WIDTH * after);
            if (after == g->n) continue;
            STORE(best, found ? MAX(LOAD(best), LOAD(at)) : LOAD(at));
            found = 1;
        }
        if (found) return level;
    }
    STORE(best, LOAD(table + (size_t)own * stride + (size_t)(WIDTH * opponent)));
    return BG_HYPER_LEVELS;
}

/* Values of own against each of m opponents, at most a chunk of them. */
static ATTR void NAME(values)(const bg_hyper_game *g, const double *table, int own, const uint16_t *list, int m,
                              double *sums) {
    BG_ALIGNED(32) double best[WIDTH * BG_HYPER_CHUNK];
    int r, k;
    for (k = 0; k < WIDTH * m; k++) sums[k] = 0;
    for (r = 0; r < BG_HYPER_ROLLS; r++) {
        const uint32_t *starts = bg_hyper_starts(g, own, r);
        NAME(best)(g, table, g->plays + starts[0], g->plays + starts[1], list, m, best);
        for (k = 0; k < m; k++) {
            if (best[WIDTH * k] == BG_HYPER_FORBIDDEN) NAME(fewer)(g, table, own, r, list[k], best + WIDTH * k);
            STORE(sums + WIDTH * k, PLUS(LOAD(sums + WIDTH * k), BG_HYPER_WEIGHT[r], LOAD(best + WIDTH * k)));
        }
    }
    for (k = 0; k < WIDTH * m; k++) sums[k] /= 36;
}

/* The same when the plays are known: chosen[roll][opponent] is the place in the table after the play. */
static ATTR void NAME(follow)(const bg_hyper_game *g, const double *table, const uint32_t *chosen,
                              const uint16_t *list, int m, double *sums) {
    int r, k;
    for (k = 0; k < WIDTH * m; k++) sums[k] = 0;
    for (r = 0; r < BG_HYPER_ROLLS; r++, chosen += g->n) {
        for (k = 0; k < m; k++) {
            VEC v = LOAD(table + WIDTH * (size_t)chosen[list[k]]);
            STORE(sums + WIDTH * k, PLUS(LOAD(sums + WIDTH * k), BG_HYPER_WEIGHT[r], v));
        }
    }
    for (k = 0; k < WIDTH * m; k++) sums[k] /= 36;
}
