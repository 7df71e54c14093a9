/* Hypergammon: every position of one to three checkers a side, solved by value iteration.
 *
 * One side's checkers are a number, its id.  What a play does to the mover depends on his checkers and the dice alone;
 * what it does to the opponent, on the points it touches: a blot there goes to the bar, a made point forbids it.  So a
 * play is the mover's new id and a map from the opponent's id to his new one.  With
 *
 *     table[i][j] = what it is worth to the mover to have i against j, the opponent being on roll,
 *     value[i][j] = (1/36) sum over rolls of weight x max over plays of table[play's own id][map of the play[j]],
 *
 * a fixed mover's plays are gone through against many opponents at once.  A row of the table has one more column,
 * minus infinity, to which maps send the opponents against whom a play is forbidden.
 */
#ifndef BGCORE_HYPERGAMMON_H
#define BGCORE_HYPERGAMMON_H

#include <math.h>

#include "bits.h"

#if defined(_MSC_VER) && defined(_M_X64)
#define BG_FETCH(p) _mm_prefetch((const char *)(p), _MM_HINT_T0)
#elif defined(_MSC_VER)
#define BG_FETCH(p) __prefetch(p)
#else
#define BG_FETCH(p) __builtin_prefetch(p)
#endif

enum {
    BG_HYPER_ROLLS = 21,
    BG_HYPER_LEVELS = 4,  /* of a roll: plays of most moves, then of fewer, each for want of anything before it */
    BG_HYPER_CHUNK = 256  /* opponents that are gone through together: their sums stay in the first-level cache */
};

/* Chosen by nobody who has a choice. */
#define BG_HYPER_FORBIDDEN (-HUGE_VAL)

typedef struct bg_hyper_play {
    uint16_t own;           /* the mover's id afterwards */
    uint16_t first, second; /* maps: the opponent's id afterwards is second[first[id]]; map 0 changes nothing */
} bg_hyper_play;

typedef struct bg_hyper_game {
    int checkers;               /* a side */
    int n;                      /* ids */
    const uint16_t *maps;       /* [map][n + 1]; n where the play is forbidden, and for n itself */
    const bg_hyper_play *plays; /* of id i, roll r and level l: from starts[(i * 21 + r) * 4 + l] on, to the next */
    const uint32_t *starts;
} bg_hyper_game;

/* How many of the 36 throws give roll r of 11 21 22 31 32 33 ... 66. */
static const double BG_HYPER_WEIGHT[BG_HYPER_ROLLS] = {1, 2, 1, 2, 2, 1, 2, 2, 2, 1, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 1};

static BG_INLINE const uint16_t *bg_hyper_map(const bg_hyper_game *g, int map) {
    return g->maps + (size_t)map * (size_t)(g->n + 1);
}

static BG_INLINE const uint32_t *bg_hyper_starts(const bg_hyper_game *g, int own, int roll) {
    return g->starts + ((size_t)own * BG_HYPER_ROLLS + (size_t)roll) * BG_HYPER_LEVELS;
}

/* The opponent's id after a play, n if it is forbidden. */
static BG_INLINE int bg_hyper_after(const bg_hyper_game *g, const bg_hyper_play *play, int opponent) {
    return bg_hyper_map(g, play->second)[bg_hyper_map(g, play->first)[opponent]];
}

/* ---- one value a position: cubeless ----------------------------------------------------------------------------- */
#define NAME(f) bg_hyper_##f##_one
#define ATTR
#define WIDTH 1
#define VEC double
#define LOAD(p) (*(p))
#define STORE(p, v) (*(p) = (v))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define PLUS(s, w, v) ((s) + (w) * (v))
#include "hypergammon_kernel.h"
#undef NAME
#undef WIDTH
#undef VEC
#undef LOAD
#undef STORE
#undef MAX
#undef PLUS

/* ---- four values: cube owned, centred, centred with the Jacoby rule, the opponent's ------------------------------ */
#define WIDTH 4
typedef struct bg_four {
#if defined(BG_X86_64)
    __m128d a, b;
#elif defined(BG_NEON)
    float64x2_t a, b;
#else
    double a, b, c, d;
#endif
} bg_four;

static BG_INLINE bg_four bg_four_load(const double *p) {
    bg_four v;
#if defined(BG_X86_64)
    v.a = _mm_load_pd(p);
    v.b = _mm_load_pd(p + 2);
#elif defined(BG_NEON)
    v.a = vld1q_f64(p);
    v.b = vld1q_f64(p + 2);
#else
    v.a = p[0], v.b = p[1], v.c = p[2], v.d = p[3];
#endif
    return v;
}

static BG_INLINE void bg_four_store(double *p, bg_four v) {
#if defined(BG_X86_64)
    _mm_store_pd(p, v.a);
    _mm_store_pd(p + 2, v.b);
#elif defined(BG_NEON)
    vst1q_f64(p, v.a);
    vst1q_f64(p + 2, v.b);
#else
    p[0] = v.a, p[1] = v.b, p[2] = v.c, p[3] = v.d;
#endif
}

static BG_INLINE bg_four bg_four_max(bg_four x, bg_four y) {
#if defined(BG_X86_64)
    x.a = _mm_max_pd(x.a, y.a);
    x.b = _mm_max_pd(x.b, y.b);
#elif defined(BG_NEON)
    x.a = vmaxq_f64(x.a, y.a);
    x.b = vmaxq_f64(x.b, y.b);
#else
    x.a = x.a > y.a ? x.a : y.a, x.b = x.b > y.b ? x.b : y.b;
    x.c = x.c > y.c ? x.c : y.c, x.d = x.d > y.d ? x.d : y.d;
#endif
    return x;
}

/* s + w v, the product rounded first: the same on every processor. */
static BG_INLINE bg_four bg_four_plus(bg_four s, double w, bg_four v) {
#if defined(BG_X86_64)
    const __m128d t = _mm_set1_pd(w);
    s.a = _mm_add_pd(s.a, _mm_mul_pd(t, v.a));
    s.b = _mm_add_pd(s.b, _mm_mul_pd(t, v.b));
#elif defined(BG_NEON)
    s.a = vaddq_f64(s.a, vmulq_n_f64(v.a, w));
    s.b = vaddq_f64(s.b, vmulq_n_f64(v.b, w));
#else
    s.a += w * v.a, s.b += w * v.b, s.c += w * v.c, s.d += w * v.d;
#endif
    return s;
}

#define NAME(f) bg_hyper_##f##_four_base
#define VEC bg_four
#define LOAD(p) bg_four_load(p)
#define STORE(p, v) bg_four_store(p, v)
#define MAX(a, b) bg_four_max(a, b)
#define PLUS(s, w, v) bg_four_plus(s, w, v)
#include "hypergammon_kernel.h"
#undef NAME
#undef ATTR
#undef VEC
#undef LOAD
#undef STORE
#undef MAX
#undef PLUS

#if defined(BG_X86_64)
#define NAME(f) bg_hyper_##f##_four_avx2
#if defined(_MSC_VER)
#define ATTR
#else
#define ATTR __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#endif
#define VEC __m256d
#define LOAD(p) _mm256_load_pd(p)
#define STORE(p, v) _mm256_store_pd(p, v)
#define MAX(a, b) _mm256_max_pd(a, b)
#define PLUS(s, w, v) _mm256_add_pd(s, _mm256_mul_pd(_mm256_set1_pd(w), v))
#include "hypergammon_kernel.h"
#undef NAME
#undef ATTR
#undef VEC
#undef LOAD
#undef STORE
#undef MAX
#undef PLUS
#else
#define bg_hyper_values_four_avx2 bg_hyper_values_four_base
#define bg_hyper_follow_four_avx2 bg_hyper_follow_four_base
#endif
#undef WIDTH

/* ---- from values before a turn to what the play before it is worth ----------------------------------------------- */

typedef enum bg_hyper_kind {
    BG_HYPER_CUBELESS, /* equity */
    BG_HYPER_CUBEFUL,  /* equities: cube owned, centred, centred with the Jacoby rule, the opponent's */
    BG_HYPER_GAMMONS   /* chances: win gammon, win backgammon, lose gammon, lose backgammon */
} bg_hyper_kind;

/* Column i of the table from row i of values, for every step-th i from first up to end. */
static void bg_hyper_turn(bg_hyper_kind kind, const double *values, double *table, size_t n, size_t first, size_t end,
                          size_t step) {
    size_t i, j;
    for (j = 0; j < n; j++) {
        if (kind == BG_HYPER_CUBELESS) {
            for (i = first; i < end; i += step) table[j * (n + 1) + i] = -values[i * n + j];
        } else if (kind == BG_HYPER_CUBEFUL) {
            for (i = first; i < end; i += step) {
                const double *v = values + 4 * (i * n + j);
                double *t = table + 4 * (j * (n + 1) + i);
                /* The opponent doubles if that is better for him; then it is a pass or a take. */
                const double cash = 2 * v[3] < 1 ? 2 * v[3] : 1;
                t[0] = -v[3];
                t[1] = v[1] > cash ? -v[1] : -cash;
                t[2] = v[2] > cash ? -v[2] : -cash;
                t[3] = v[0] > cash ? -v[0] : -cash;
            }
        } else {
            for (i = first; i < end; i += step) {
                const double *v = values + 4 * (i * n + j);
                double *t = table + 4 * (j * (n + 1) + i);
                t[0] = v[2];
                t[1] = v[3];
                t[2] = v[0];
                t[3] = v[1];
            }
        }
    }
}

/* ---- the best cubeless plays ------------------------------------------------------------------------------------- */

/* chosen[j] = the place in a table (own's new id x (n + 1) + the opponent's) after the first play of the roll that is
 * within slack of the best one's value. */
static void bg_hyper_choose(const bg_hyper_game *g, const double *table, int own, int roll, double slack,
                            const uint16_t *list, int m, uint32_t *chosen) {
    const uint32_t *starts = bg_hyper_starts(g, own, roll);
    const size_t columns = (size_t)(g->n + 1);
    double best[BG_HYPER_CHUNK];
    int k;
    bg_hyper_best_one(g, table, g->plays + starts[0], g->plays + starts[1], list, m, best);
    for (k = 0; k < m; k++) {
        const int j = list[k];
        size_t place = (size_t)own * columns + (size_t)j;
        int level = 0;
        if (best[k] == BG_HYPER_FORBIDDEN) level = bg_hyper_fewer_one(g, table, own, roll, j, best + k);
        if (level < BG_HYPER_LEVELS) {
            const bg_hyper_play *play = g->plays + starts[level];
            do {
                place = play->own * columns + (size_t)bg_hyper_after(g, play, j);
                play++;
            } while (table[place] < best[k] - slack);
        }
        chosen[j] = (uint32_t)place;
    }
}

#endif
