/* Intrinsics only: counting bits, and asking the processor what it can do.
 *
 * gcc, clang and MSVC, with portable fallbacks.  No knowledge of backgammon belongs here.
 */
#ifndef BGCORE_BITS_H
#define BGCORE_BITS_H

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) || defined(_M_X64)
#define BG_X86_64 1
#include <immintrin.h>
#if defined(_MSC_VER)
#include <intrin.h>
#else
#include <cpuid.h>
#endif
#elif defined(__aarch64__) || defined(_M_ARM64)
#define BG_NEON 1
#include <arm_neon.h>
#endif

#if defined(_MSC_VER)
#include <windows.h>
#define BG_ALIGNED(n) __declspec(align(n))
#define BG_INLINE __forceinline
#else
#define BG_ALIGNED(n) __attribute__((aligned(n)))
#define BG_INLINE inline __attribute__((always_inline))
#endif

/* Number of zeros below the lowest one; undefined for 0. */
static BG_INLINE int bg_ctz64(uint64_t x) {
#if defined(_MSC_VER)
    unsigned long i;
    _BitScanForward64(&i, x);
    return (int)i;
#else
    return __builtin_ctzll(x);
#endif
}

/* Number of zeros above the highest one; undefined for 0. */
static BG_INLINE int bg_clz64(uint64_t x) {
#if defined(_MSC_VER)
    unsigned long i;
    _BitScanReverse64(&i, x);
    return 63 - (int)i;
#else
    return __builtin_clzll(x);
#endif
}

/* Number of ones.  Without a popcnt instruction gcc calls a table function, which this beats. */
static BG_INLINE int bg_popcount64(uint64_t x) {
    x -= (x >> 1) & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + ((x >> 2) & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int)((x * UINT64_C(0x0101010101010101)) >> 56);
}

/* The bits in the opposite order. */
static BG_INLINE uint64_t bg_reverse64(uint64_t x) {
    x = ((x >> 1) & UINT64_C(0x5555555555555555)) | ((x & UINT64_C(0x5555555555555555)) << 1);
    x = ((x >> 2) & UINT64_C(0x3333333333333333)) | ((x & UINT64_C(0x3333333333333333)) << 2);
    x = ((x >> 4) & UINT64_C(0x0f0f0f0f0f0f0f0f)) | ((x & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4);
#if defined(_MSC_VER)
    return _byteswap_uint64(x);
#else
    return __builtin_bswap64(x);
#endif
}

/* The two low bits of each nibble, closed up to 32 bits. */
static BG_INLINE uint64_t bg_compress_pairs(uint64_t x) {
    x &= UINT64_C(0x3333333333333333);
    x = (x | (x >> 2)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    x = (x | (x >> 4)) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x | (x >> 8)) & UINT64_C(0x0000ffff0000ffff);
    return (x | (x >> 16)) & UINT64_C(0x00000000ffffffff);
}

/* 1 if AVX2, BMI1, BMI2, LZCNT and POPCNT can be used: the processor has them and the system saves the registers.
 * Our own check, since __builtin_cpu_supports is a stub in some toolchains (zig). */
static int bg_cpu_has_avx2(void) {
#if defined(BG_X86_64)
    unsigned a, b, c, d;
    uint64_t xcr0;
#if defined(_MSC_VER)
    int r[4];
    __cpuid(r, 0);
    if (r[0] < 7) return 0;
    __cpuid(r, 1);
    c = (unsigned)r[2];
#else
    if (__get_cpuid_max(0, 0) < 7) return 0;
    __cpuid(1, a, b, c, d);
#endif
    if (!(c & (1u << 27)) || !(c & (1u << 28)) || !(c & (1u << 23))) return 0; /* OSXSAVE, AVX, POPCNT */
#if defined(_MSC_VER)
    xcr0 = _xgetbv(0);
    __cpuidex(r, 7, 0);
    b = (unsigned)r[1];
    __cpuid(r, (int)0x80000001);
    c = (unsigned)r[2];
    (void)a; (void)d;
#else
    {
        unsigned lo, hi;
        __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
        xcr0 = ((uint64_t)hi << 32) | lo;
    }
    __cpuid_count(7, 0, a, b, c, d);
    {
        unsigned a2, b2, d2;
        __cpuid(0x80000001, a2, b2, c, d2);
    }
#endif
    if ((xcr0 & 6) != 6) return 0;
    return (b & (1u << 5)) && (b & (1u << 3)) && (b & (1u << 8)) && (c & (1u << 5));
#else
    return 0;
#endif
}

/* Copies n blocks of 32 bytes, both ends 32-byte aligned, past the caches: for results that will not be read soon. */
static void bg_copy_past_cache(void *target, const void *source, int64_t n) {
#if defined(BG_X86_64)
    __m128i *t = (__m128i *)target;
    const __m128i *s = (const __m128i *)source;
    int64_t i;
    for (i = 0; i < 2 * n; i++) _mm_stream_si128(t + i, _mm_load_si128(s + i));
    _mm_sfence();
#else
    memcpy(target, source, (size_t)(32 * n));
#endif
}

/* Ordered shared counters for the threads of one call. */
#if defined(_MSC_VER)
static BG_INLINE int64_t bg_fetch_add(volatile int64_t *p, int64_t v) { return _InterlockedExchangeAdd64(p, v); }
static BG_INLINE int64_t bg_load_acquire(volatile int64_t *p) { return _InterlockedOr64(p, 0); }
static BG_INLINE void bg_store_release(volatile int64_t *p, int64_t v) { _InterlockedExchange64(p, v); }
static BG_INLINE void bg_pause(void) { YieldProcessor(); }
static BG_INLINE void bg_yield(void) { Sleep(0); }
#else
#include <sched.h>
static BG_INLINE void bg_yield(void) { sched_yield(); }
static BG_INLINE int64_t bg_fetch_add(volatile int64_t *p, int64_t v) { return __atomic_fetch_add(p, v, __ATOMIC_ACQ_REL); }
static BG_INLINE int64_t bg_load_acquire(volatile int64_t *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
static BG_INLINE void bg_store_release(volatile int64_t *p, int64_t v) { __atomic_store_n(p, v, __ATOMIC_RELEASE); }
static BG_INLINE void bg_pause(void) {
#if defined(BG_X86_64)
    _mm_pause();
#endif
}
#endif

#endif
