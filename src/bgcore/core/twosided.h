/* Two-sided bear-off databases: every pair of positions solved tile by tile.
 *
 * A position's successors depend on its own side only.  So the value of mover i against every opponent j is
 *
 *     value[i][j] = (1/36) sum over rolls of weight x max over successors k of gain[k][j],   gain[k][j] = -value[j][k],
 *
 * and for a fixed i the maximum runs over whole rows of gain.  Positions stand in blocks of two pip counts (a play that
 * doesn't end the game takes two pips or more, so no play stays in its block), each block padded to whole tiles of 64;
 * "slot" is a place in this order.  gain is stored as source[tile of j][slot k][table][lane of j]: 64 opponents are
 * contiguous, and a solved tile of 64 x 64 pairs is one contiguous piece after transposing.
 */
#ifndef BGCORE_TWOSIDED_H
#define BGCORE_TWOSIDED_H

#include <string.h>

#include "bits.h"

#define BG_TILE 64
#define BG_ROLLS 21

/* Weights of the rolls 11 21 22 31 ... 66, and of a twenty-second that never comes. */
static const int16_t BG_WEIGHT[BG_ROLLS + 1] = {1, 2, 1, 2, 2, 1, 2, 2, 2, 1, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 1, 0};

typedef struct bg_two_sided {
    int tables;                 /* cubeless | owned, centred, opponent's | all four in this order */
    int cubeless, cubeful;      /* whether the first is cubeless, whether the other three are there */
    int gnubg;                  /* GNU Backgammon's integer arithmetic */
    int one;                    /* what equity 1 is in 16 bits */
    int64_t slots;              /* padding included, a multiple of BG_TILE */
    const uint32_t *starts;     /* (slots x 21 + 1): where the successors of a slot and roll begin */
    const uint32_t *successors; /* slot of the successor x tables x BG_TILE: what to add to a tile of source */
    void *source;               /* int16_t or double, see above */
} bg_two_sided;

/* To nearest, half a step to the even neighbour, as the vector instructions round; GNU Backgammon: towards zero. */
static BG_INLINE int16_t bg_36th(int32_t sum, int gnubg) {
    const int32_t size = sum < 0 ? -sum : sum, rest = size % 36;
    int32_t quotient = size / 36;
    if (!gnubg) quotient += rest > 18 || (rest == 18 && (quotient & 1));
    return (int16_t)(sum < 0 ? -quotient : quotient);
}

#define ATTR

/* Double precision. */
#define KERNEL_CELL double
#define KERNEL_WIDE double
#define KERNEL_GNUBG 0
#define KERNEL_PLAIN(sum) ((sum) / 36.0)
#define NAME(f) f##_double
#include "twosided_kernel.h"
#undef KERNEL_PLAIN
#undef NAME

/* Double precision, with the chances under the best cubeless play: equity, win, gammon won, gammon lost. */
#define KERNEL_POLICY 1
#define NAME(f) f##_policy
#include "twosided_kernel.h"
#undef KERNEL_POLICY
#undef NAME
#undef KERNEL_CELL
#undef KERNEL_WIDE
#undef KERNEL_GNUBG

/* 16 bits without vectors: what the others are checked against. */
#define KERNEL_CELL int16_t
#define KERNEL_WIDE int32_t
#define KERNEL_GNUBG job->gnubg
#define KERNEL_PLAIN(sum) bg_36th(sum, job->gnubg)
#define NAME(f) f##_plain
#include "twosided_kernel.h"
#undef KERNEL_PLAIN
#undef NAME
#undef ATTR

#if defined(BG_X86_64)
#define BG_36TH 0.0277777778f

#define ATTR
#define NAME(f) f##_base
#define V_COUNT 8
#define V_LANES 8
#define V_CELL __m128i
#define V_WIDE __m128i
#define V_ZERO _mm_setzero_si128()
#define V_WIDE_ZERO _mm_setzero_si128()
#define V_LOAD(p) _mm_load_si128((const __m128i *)(p))
#define V_STORE(p, x) _mm_storeu_si128((__m128i *)(p), x)
#define V_MAX _mm_max_epi16
#define V_WEIGH(low, high, x, y, wx, wy)                                                                              \
    do {                                                                                                              \
        const __m128i w = _mm_set1_epi32((wx) | (wy) << 16);                                                          \
        low = _mm_add_epi32(low, _mm_madd_epi16(_mm_unpacklo_epi16(x, y), w));                                        \
        high = _mm_add_epi32(high, _mm_madd_epi16(_mm_unpackhi_epi16(x, y), w));                                      \
    } while (0)
#define V_NEAR36(x) _mm_cvtps_epi32(_mm_mul_ps(_mm_cvtepi32_ps(x), _mm_set1_ps(BG_36TH)))
#define V_ROUND(low, high) _mm_packs_epi32(V_NEAR36(low), V_NEAR36(high))
#define V_TRUNC36(x)                                                                                                  \
    _mm_cvttps_epi32(_mm_mul_ps(                                                                                      \
        _mm_add_ps(_mm_cvtepi32_ps(x), _mm_or_ps(_mm_and_ps(_mm_cvtepi32_ps(x), _mm_set1_ps(-0.0f)), _mm_set1_ps(0.5f))), \
        _mm_set1_ps(BG_36TH)))
#define V_TRUNCATE(low, high) _mm_packs_epi32(V_TRUNC36(low), V_TRUNC36(high))
#include "twosided_kernel.h"
#include "twosided_undef.h"

#if defined(__GNUC__)
#define ATTR __attribute__((target("avx2")))
#else
#define ATTR
#endif
#define NAME(f) f##_avx2
#define V_COUNT 4
#define V_LANES 16
#define V_CELL __m256i
#define V_WIDE __m256i
#define V_ZERO _mm256_setzero_si256()
#define V_WIDE_ZERO _mm256_setzero_si256()
#define V_LOAD(p) _mm256_load_si256((const __m256i *)(p))
#define V_STORE(p, x) _mm256_storeu_si256((__m256i *)(p), x)
#define V_MAX _mm256_max_epi16
#define V_WEIGH(low, high, x, y, wx, wy)                                                                              \
    do {                                                                                                              \
        const __m256i w = _mm256_set1_epi32((wx) | (wy) << 16);                                                       \
        low = _mm256_add_epi32(low, _mm256_madd_epi16(_mm256_unpacklo_epi16(x, y), w));                               \
        high = _mm256_add_epi32(high, _mm256_madd_epi16(_mm256_unpackhi_epi16(x, y), w));                             \
    } while (0)
#define V_NEAR36(x) _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_cvtepi32_ps(x), _mm256_set1_ps(BG_36TH)))
#define V_ROUND(low, high) _mm256_packs_epi32(V_NEAR36(low), V_NEAR36(high))
#define V_TRUNC36(x)                                                                                                  \
    _mm256_cvttps_epi32(_mm256_mul_ps(                                                                                \
        _mm256_add_ps(_mm256_cvtepi32_ps(x),                                                                          \
                      _mm256_or_ps(_mm256_and_ps(_mm256_cvtepi32_ps(x), _mm256_set1_ps(-0.0f)), _mm256_set1_ps(0.5f))), \
        _mm256_set1_ps(BG_36TH)))
#define V_TRUNCATE(low, high) _mm256_packs_epi32(V_TRUNC36(low), V_TRUNC36(high))
#include "twosided_kernel.h"
#include "twosided_undef.h"

#elif defined(BG_NEON)
#define BG_36TH 0.0277777778f
#define ATTR
#define NAME(f) f##_base
#define V_COUNT 8
#define V_LANES 8
#define V_CELL int16x8_t
#define V_WIDE int32x4_t
#define V_ZERO vdupq_n_s16(0)
#define V_WIDE_ZERO vdupq_n_s32(0)
#define V_LOAD(p) vld1q_s16(p)
#define V_STORE(p, x) vst1q_s16(p, x)
#define V_MAX vmaxq_s16
#define V_WEIGH(low, high, x, y, wx, wy)                                                                              \
    do {                                                                                                              \
        low = vmlal_n_s16(vmlal_n_s16(low, vget_low_s16(x), wx), vget_low_s16(y), wy);                                \
        high = vmlal_n_s16(vmlal_n_s16(high, vget_high_s16(x), wx), vget_high_s16(y), wy);                            \
    } while (0)
#define V_NEAR36(x) vcvtnq_s32_f32(vmulq_n_f32(vcvtq_f32_s32(x), BG_36TH))
#define V_ROUND(low, high) vcombine_s16(vqmovn_s32(V_NEAR36(low)), vqmovn_s32(V_NEAR36(high)))
#define V_TRUNC36(x)                                                                                                  \
    vcvtq_s32_f32(vmulq_n_f32(                                                                                        \
        vaddq_f32(vcvtq_f32_s32(x), vbslq_f32(vdupq_n_u32(0x80000000u), vcvtq_f32_s32(x), vdupq_n_f32(0.5f))), BG_36TH))
#define V_TRUNCATE(low, high) vcombine_s16(vqmovn_s32(V_TRUNC36(low)), vqmovn_s32(V_TRUNC36(high)))
#include "twosided_kernel.h"
#include "twosided_undef.h"
#endif

#undef KERNEL_CELL
#undef KERNEL_WIDE
#undef KERNEL_GNUBG

#endif
