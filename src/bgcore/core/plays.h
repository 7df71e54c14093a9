/* What the generator (movegen.pyx) and its inner loops (plays_kernel.h) share: masks, deltas, where plays go.
 *
 * A mask holds two bits a slot: bit 2s says "slot s, landing quietly", bit 2s + 1 "slot s, landing on a blot".  For
 * occupancy both bits are set.  So one AND of occupancy and landing mask gives the legal sources of a die, hits marked,
 * and the number of the lowest bit is the index of the delta that makes the move.
 */
#ifndef BGCORE_PLAYS_H
#define BGCORE_PLAYS_H

#include <string.h>

#include "bgcore.h"
#include "bits.h"

#define BG_EVEN UINT64_C(0x5555555555555555)    /* the quiet bit of every slot */
#define BG_ODD UINT64_C(0xaaaaaaaaaaaaaaaa)     /* the hitting bit of every slot */
#define BG_SOURCES UINT64_C(0x000ffffffffffffc) /* slots 1-25: where a checker can move from */
#define BG_POINTS UINT64_C(0x0003fffffffffffc)  /* slots 1-24 */
#define BG_OUTSIDE UINT64_C(0x000fffffffffc000) /* slots 7-25: a checker here forbids bearing off */

#define BG_DELTAS 66    /* 52 in use; 64 is where counting zeros of an empty mask points, so it must be readable */
#define BG_MAX_PLAYS 3060 /* more plays no roll of at most four moves can have: see movegen.pyx */
#define BG_MOST_PLAYS 38760 /* the same for six moves */
#define BG_MAX_MOVES 6  /* moves in a play, of any game */
#define BG_SLACK 4      /* rows past the last one that the kernels may write to */

/* A result as it is stored: seen by the player who rolls next, so the mover's words come second. */
typedef struct bg_row {
    BG_ALIGNED(32) uint64_t w[4]; /* opp_lo, opp_hi, own_lo, own_hi of the mover */
} bg_row;

/* What the generator wants to know of a position. */
typedef struct bg_masks {
    uint64_t base[4];               /* the position as a row: what every play adds deltas to */
    uint64_t occ, two, three, four; /* slots of the mover with at least 1, 2, 3, 4 checkers; bar included */
    uint64_t land;                  /* points that can be landed on: bit 2p no opposing checker, bit 2p + 1 a blot */
    int bar;                        /* the mover's checkers on the bar */
    uint64_t lone;                  /* even bits: own points with one opposing checker, in games with pinning */
    int outside;                    /* the mover's checkers on slots 7-25 */
    int far;                        /* no bearing off this turn, however few are outside */
    int over;                       /* the game has ended */
    uint64_t shut;                  /* own points that a checker on the bar may not enter on */
} bg_masks;

/* Where plays go.  A counting kernel leaves it alone. */
typedef struct bg_emit {
    bg_row *out;                       /* next result; room for BG_MAX_PLAYS + BG_SLACK rows */
    bg_row *scratch;                   /* as much room again, for counting games with final filters */
    int8_t *moves;                     /* next move list, width x (source, target, flags), or NULL */
    int width;                         /* moves that a list has room for */
    int as_made;                       /* moves stay in the order made, else the highest source comes first */
    bg_row (*delta)[BG_DELTAS];        /* read only, [die][bit]: what a move adds to a row */
    int depth;                         /* moves of the play already made ... */
    int8_t path[BG_MAX_MOVES][3];      /* ... and which: source, target, flags (1 hit) */
} bg_emit;

/* Two different dice, a before b, nothing on the bar and no bearing off within reach. */
typedef struct bg_pair_job {
    uint64_t occ, two;
    uint64_t first;   /* sources of a */
    uint64_t land_b;  /* slots from which b lands well */
    uint64_t drop;    /* points that b must not leave after a has just come: reached otherwise as well */
    uint64_t chain;   /* sources of b then a with one checker that a then b does not reach */
    uint64_t land_a;
    int a, b;
} bg_pair_job;

/* A double: depth moves of die, sources never rising, no bearing off within reach. */
typedef struct bg_same_job {
    uint64_t occ, two, three, four;
    uint64_t land;    /* slots from which the die lands well */
    int die, depth;
} bg_same_job;

/* One way to let out plays: written as rows, counted, or written with their moves. */
typedef struct bg_kernel {
    int (*last)(bg_emit *e, const uint64_t *base, uint64_t sources, int die);
    int (*pairs)(bg_emit *e, const uint64_t *base, const bg_pair_job *job);
    int (*same)(bg_emit *e, const uint64_t *base, const bg_same_job *job);
} bg_kernel;

/* Adds 1 to the number of checkers on slot q (both bits of a pair). */
#define BG_ARRIVE(q, occ, two, three, four) \
    ((four) |= (three) & (q), (three) |= (two) & (q), (two) |= (occ) & (q), (occ) |= (q))

/* ---- portable kernel -------------------------------------------------------------------------------------------- */
#define NAME(x) x##_base
#define ATTR
#define CTZ(m) bg_ctz64(m)
#define POPCOUNT(m) bg_popcount64(m)
#define COMPRESS(x) bg_compress_pairs(x)
#define GROUPS 0
#if defined(BG_X86_64)
typedef struct { __m128i a, b; } bg_vec_base;
#define VEC bg_vec_base
static BG_INLINE VEC bg_load_base(const uint64_t *p) {
    VEC v;
    v.a = _mm_loadu_si128((const __m128i *)p);
    v.b = _mm_loadu_si128((const __m128i *)(p + 2));
    return v;
}
static BG_INLINE void bg_store_base(bg_row *o, VEC v) {
    _mm_store_si128((__m128i *)o->w, v.a);
    _mm_store_si128((__m128i *)(o->w + 2), v.b);
}
static BG_INLINE VEC bg_add_base(VEC v, const bg_row *d) {
    v.a = _mm_add_epi64(v.a, _mm_load_si128((const __m128i *)d->w));
    v.b = _mm_add_epi64(v.b, _mm_load_si128((const __m128i *)(d->w + 2)));
    return v;
}
#elif defined(BG_NEON)
typedef struct { uint64x2_t a, b; } bg_vec_base;
#define VEC bg_vec_base
static BG_INLINE VEC bg_load_base(const uint64_t *p) {
    VEC v;
    v.a = vld1q_u64(p);
    v.b = vld1q_u64(p + 2);
    return v;
}
static BG_INLINE void bg_store_base(bg_row *o, VEC v) {
    vst1q_u64(o->w, v.a);
    vst1q_u64(o->w + 2, v.b);
}
static BG_INLINE VEC bg_add_base(VEC v, const bg_row *d) {
    v.a = vaddq_u64(v.a, vld1q_u64(d->w));
    v.b = vaddq_u64(v.b, vld1q_u64(d->w + 2));
    return v;
}
#else
typedef struct { uint64_t w[4]; } bg_vec_base;
#define VEC bg_vec_base
static BG_INLINE VEC bg_load_base(const uint64_t *p) {
    VEC v;
    memcpy(v.w, p, 32);
    return v;
}
static BG_INLINE void bg_store_base(bg_row *o, VEC v) { memcpy(o->w, v.w, 32); }
static BG_INLINE VEC bg_add_base(VEC v, const bg_row *d) {
    int i;
    for (i = 0; i < 4; i++) v.w[i] += d->w[i];
    return v;
}
#endif
#include "plays_kernel.h"
#undef NAME
#undef ATTR
#undef CTZ
#undef POPCOUNT
#undef COMPRESS
#undef GROUPS
#undef VEC

/* ---- AVX2, BMI1 and BMI2 ---------------------------------------------------------------------------------------- */
#if defined(BG_X86_64)
#define NAME(x) x##_avx2
#if defined(_MSC_VER)
#define ATTR
#else
#define ATTR __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#endif
#define CTZ(m) ((int)_tzcnt_u64(m)) /* 64 for an empty mask, which the loops count on */
#define POPCOUNT(m) ((int)_mm_popcnt_u64(m))
#define COMPRESS(x) _pext_u64(x, UINT64_C(0x3333333333333333))
#define GROUPS 1
#define VEC __m256i
#define bg_load_avx2(p) _mm256_loadu_si256((const __m256i *)(p))
#define bg_store_avx2(o, v) _mm256_store_si256((__m256i *)(o), v)
#define bg_add_avx2(v, d) _mm256_add_epi64(v, _mm256_load_si256((const __m256i *)(d)))
#include "plays_kernel.h"
#undef NAME
#undef ATTR
#undef CTZ
#undef POPCOUNT
#undef COMPRESS
#undef GROUPS
#undef VEC
#endif

#endif
