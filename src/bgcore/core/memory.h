/* Address space that is used page by page, and given back page by page: for tables of which a window is needed. */
#ifndef BGCORE_MEMORY_H
#define BGCORE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#include <windows.h>

static void *bg_reserve(size_t bytes) { return VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE); }

static void bg_unreserve(void *memory, size_t bytes) {
    (void)bytes;
    VirtualFree(memory, 0, MEM_RELEASE);
}

static void bg_drop_pages(void *first, size_t bytes) { VirtualFree(first, bytes, MEM_DECOMMIT); }

#else
#include <sys/mman.h>
#if !defined(MAP_ANONYMOUS)
#define MAP_ANONYMOUS MAP_ANON
#endif
#if !defined(MAP_NORESERVE)
#define MAP_NORESERVE 0
#endif

/* Zeros, of which only what is written to takes memory; NULL when there is no room. */
static void *bg_reserve(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void bg_unreserve(void *memory, size_t bytes) { munmap(memory, bytes); }

static void bg_drop_pages(void *first, size_t bytes) { madvise(first, bytes, MADV_DONTNEED); }
#endif

/* Gives back the whole pages between first and end, which are not used again; returns the end of the last one, from
 * where the next piece can be dropped. */
static unsigned char *bg_drop(unsigned char *first, unsigned char *end) {
    const uintptr_t page = 65536; /* what any system's pages divide */
    const uintptr_t from = ((uintptr_t)first + page - 1) / page * page, to = (uintptr_t)end / page * page;
    if (to <= from) return first;
    bg_drop_pages((void *)from, to - from);
    return (unsigned char *)to;
}

#endif
