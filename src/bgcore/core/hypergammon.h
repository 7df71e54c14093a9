/* Value iteration over every position of one to three checkers a side: the plays of one side, and the inner loops.
 *
 * One side's checkers are a number, its id.  What a play does to the mover depends on his checkers and the dice alone;
 * what it does to the opponent on the points it touches: a blot there goes to the bar, a made point forbids the play.
 * So a play is the mover's new id and a map from the opponent's id to his new one, and for a fixed mover the best of
 * his plays is found for all opponents at once, in loops over rows of the table.
 */
#ifndef BGCORE_HYPERGAMMON_H
#define BGCORE_HYPERGAMMON_H

#include <math.h>

#include "bits.h"

enum {
    BG_HYPER_ROLLS = 21,
    BG_HYPER_LEVELS = 4,   /* of a roll: most dice played, then fewer, each only if nothing before it is legal */
    BG_HYPER_CHUNK = 256,  /* opponents that are looked at together: their sums and bests stay in the first cache */
    BG_HYPER_PASS = 255    /* instead of the number of a play: none is legal */
};

typedef struct bg_hyper_play {
    uint16_t own;     /* id of the mover's checkers afterwards */
    uint16_t first;   /* map of up to two of the points touched; 0 changes nothing */
    uint16_t second;  /* and of two more: the new id of the opponent is second[first[id]] */
} bg_hyper_play;

typedef struct bg_hyper_game {
    int checkers;               /* a side */
    int n;                      /* ids of one side */
    const uint16_t *maps;       /* [map][n + 1]; n, also of n, where a made point forbids it */
    const bg_hyper_play *plays; /* those of id i, roll r, level l begin at starts[(i * 21 + r) * 4 + l] */
    const uint32_t *starts;
} bg_hyper_game;

static BG_INLINE const uint16_t *bg_hyper_map(const bg_hyper_game *g, int number) {
    return g->maps + (size_t)number * (size_t)(g->n + 1);
}

/* The opponent's id after a play, n if it is not legal against him. */
static BG_INLINE int bg_hyper_reply(const bg_hyper_game *g, const bg_hyper_play *play, int opponent) {
    return bg_hyper_map(g, play->second)[bg_hyper_map(g, play->first)[opponent]];
}

/* A position that cannot be reached by the play in question: worse than any. */
#define BG_HYPER_ILLEGAL (-HUGE_VAL)

/* How many of the 36 throws give roll r of 11 21 22 31 32 33 ... 66. */
static BG_INLINE double bg_hyper_weight(int r) {
    return r == 0 || r == 2 || r == 5 || r == 9 || r == 14 || r == 20 ? 1 : 2;
}

/* ---- one number a position, or four; portable, or AVX2 ----------------------------------------------------------- */
#define NAME(x) bg_hyper_##x##_one
#define ATTR
#define WIDTH 1
#define VEC double
#define LOAD(p) (*(p))
#define STORE(p, v) (*(p) = (v))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define ADD_TIMES(s, w, v) ((s) + (w) * (v))
#include "hypergammon_kernel.h"
#undef NAME
#undef WIDTH
#undef VEC
#undef LOAD
#undef STORE
#undef MAX
#undef ADD_TIMES

typedef struct { 
#if defined(BG_X86_64)
    __m128d a, b; 
#elif defined(BG_NEON)
    float64x2_t a, b;
#else
    double w[4];
#endif
} bg_four;

#define NAME(x) bg_hyper_##x##_four_base
#define WIDTH 4
#define VEC bg_four
#if defined(BG_X86_64)
static BG_INLINE bg_four bg_four_load(const double *p) { bg_four v; v.a = _mm_load_pd(p); v.b = _mm_load_pd(p + 2); return v; }
static BG_INLINE void bg_four_store(double *p, bg_four v) { _mm_store_pd(p, v.a); _mm_store_pd(p + 2, v.b); }
static BG_INLINE bg_four bg_four_max(bg_four x, bg_four y) { x.a = _mm_max_pd(x.a, y.a); x.b = _mm_max_pd(x.b, y.b); return x; }
static BG_INLINE bg_four bg_four_add(bg_four s, double w, bg_four v) {
    __m128d t = _mm_set1_pd(w);
    s.a = _mm_add_pd(s.a, _mm_mul_pd(t, v.a));
    s.b = _mm_add_pd(s.b, _mm_mul_pd(t, v.b));
    return s;
}
#endif
#define LOAD(p) bg_four_load(p)
#define STORE(p, v) bg_four_store(p, v)
#define MAX(a, b) bg_four_max(a, b)
#define ADD_TIMES(s, w, v) bg_four_add(s, w, v)
#include "hypergammon_kernel.h"
#undef NAME
#undef ATTR
#undef VEC
#undef LOAD
#undef STORE
#undef MAX
#undef ADD_TIMES

#if defined(BG_X86_64)
#define NAME(x) bg_hyper_##x##_four_avx2
#if defined(_MSC_VER)
#define ATTR
#else
#define ATTR __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#endif
#define VEC __m256d
#define LOAD(p) _mm256_load_pd(p)
#define STORE(p, v) _mm256_store_pd(p, v)
#define MAX(a, b) _mm256_max_pd(a, b)
#define ADD_TIMES(s, w, v) _mm256_add_pd(s, _mm256_mul_pd(_mm256_set1_pd(w), v))
#include "hypergammon_kernel.h"
#undef NAME
#undef ATTR
#undef VEC
#undef LOAD
#undef STORE
#undef MAX
#undef ADD_TIMES
#endif
#undef WIDTH

#endif
