/* bgcore's C header: the packed board and the number that native code checks before it relies on it.
 *
 * Installed beside the .pxd files; bgcore.get_include() gives the folder.
 */
#ifndef BGCORE_H
#define BGCORE_H

#include <stdint.h>

/* Rises whenever a struct below, or a function signature in a shipped .pxd file, changes. */
#define BG_API_VERSION 1

/* One position, seen by the player on roll ("own").  Each side is written in its own numbering: point 1 is the last
 * before bearing off, slot 0 counts checkers borne off, slot 25 those on the bar.  A slot is one nibble: lo holds slots
 * 0-15, hi slots 16-25 in bits 0-39; bits 40-63 of hi are that side's pinned mask (bit 39 + p: point p).
 * Swapping the two pairs passes the turn.  Equal positions are equal words.
 */
typedef struct bg_position {
    uint64_t own_lo;
    uint64_t own_hi;
    uint64_t opp_lo;
    uint64_t opp_hi;
} bg_position;

/* The bits of hi that count checkers. */
#define BG_HI_SLOTS UINT64_C(0x000000ffffffffff)

#endif
