/* The inner loops of value iteration, included once a width and instruction set (no include guard). */

/* best[k] = the largest of up to four plays against opponent list[k], and of best[k] unless fresh. */
static ATTR BG_INLINE void NAME(some)(double *best, const double *const *rows, const uint16_t *const *maps,
                                      const uint16_t *list, int m, const int plays, const int fresh) {
    const double *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3];
    const uint16_t *m0 = maps[0], *m1 = maps[1], *m2 = maps[2], *m3 = maps[3];
    int k;
    for (k = 0; k < m; k++) {
        size_t j = list[k];
        VEC b = LOAD(r0 + WIDTH * (size_t)m0[j]);
        if (plays > 1) b = MAX(b, LOAD(r1 + WIDTH * (size_t)m1[j]));
        if (plays > 2) b = MAX(b, LOAD(r2 + WIDTH * (size_t)m2[j]));
        if (plays > 3) b = MAX(b, LOAD(r3 + WIDTH * (size_t)m3[j]));
        if (!fresh) b = MAX(b, LOAD(best + WIDTH * k));
        STORE(best + WIDTH * k, b);
    }
}

/* The best of the plays that use most dice, against each of m opponents; minus infinity where none is legal. */
static ATTR void NAME(best)(const bg_hyper_game *g, const double *table, const bg_hyper_play *play,
                            const bg_hyper_play *end, const uint16_t *list, int m, double *best) {
    static const uint16_t *const none = 0;
    uint16_t joined[4][BG_HYPER_CHUNK], straight[BG_HYPER_CHUNK];
    const size_t stride = WIDTH * (size_t)(g->n + 1);
    const uint16_t *maps[4] = {none, none, none, none};
    const double *rows[4] = {table, table, table, table};
    int fresh = 1, p, k;
    if (play == end)
        for (k = 0; k < WIDTH * m; k++) best[k] = BG_HYPER_ILLEGAL;
    while (play < end) {
        int plays = end - play < 4 ? (int)(end - play) : 4, second = 0;
        const uint16_t *which = list;
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
        fresh = 0;
        play += plays;
    }
}

/* One opponent against whom not all dice can be played: the largest of the next level that is legal, or the pass. */
static ATTR void NAME(fewer)(const bg_hyper_game *g, const double *table, int own, const uint32_t *starts,
                             int opponent, double *best) {
    const size_t stride = WIDTH * (size_t)(g->n + 1);
    int level, found = 0;
    for (level = 1; level < BG_HYPER_LEVELS && !found; level++) {
        const bg_hyper_play *play = g->plays + starts[level], *end = g->plays + starts[level + 1];
        for (; play < end; play++) {
            int reply = bg_hyper_reply(g, play, opponent);
            const double *row = table + play->own * stride + WIDTH * (size_t)reply;
            if (reply == g->n) continue;
            STORE(best, found ? MAX(LOAD(row), LOAD(best)) : LOAD(row));
            found = 1;
        }
    }
    if (!found) STORE(best, LOAD(table + own * stride + WIDTH * (size_t)opponent));
}

/* Values of own against each of m opponents, from the table of values after a play; sums has room for m of them. */
static ATTR void NAME(values)(const bg_hyper_game *g, const double *table, int own, const uint16_t *list, int m,
                              double *sums) {
    BG_ALIGNED(32) double best[WIDTH * BG_HYPER_CHUNK];
    int r, k, c;
    for (k = 0; k < WIDTH * m; k++) sums[k] = 0;
    for (r = 0; r < BG_HYPER_ROLLS; r++) {
        const uint32_t *starts = g->starts + ((size_t)own * BG_HYPER_ROLLS + (size_t)r) * BG_HYPER_LEVELS;
        const double weight = bg_hyper_weight(r);
        NAME(best)(g, table, g->plays + starts[0], g->plays + starts[1], list, m, best);
        for (k = 0; k < m; k++) {
            if (best[WIDTH * k] == BG_HYPER_ILLEGAL) NAME(fewer)(g, table, own, starts, list[k], best + WIDTH * k);
            STORE(sums + WIDTH * k, ADD_TIMES(LOAD(sums + WIDTH * k), weight, LOAD(best + WIDTH * k)));
        }
    }
    for (k = 0; k < m; k++)
        for (c = 0; c < WIDTH; c++) sums[WIDTH * k + c] /= 36;
}
