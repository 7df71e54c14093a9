/* The inner loops of the generator, included once per instruction set (no include guard).
 *
 * Needs NAME, ATTR, CTZ, POPCOUNT, COMPRESS, GROUPS and VEC with its bg_load_, bg_store_ and bg_add_ (see plays.h).
 * Everything a rule set decides is in the masks and deltas; these loops only walk them.
 */

/* Slots with at least 1, 2, 3, 4 checkers, two bits a slot, from the nibbles of one side. */
static ATTR BG_INLINE void NAME(bg_levels)(uint64_t lo, uint64_t hi, uint64_t *g1, uint64_t *g2, uint64_t *g3,
                                           uint64_t *g4) {
    const uint64_t ones = UINT64_C(0x1111111111111111);
    uint64_t x[2], r[4][2];
    int i;
    x[0] = lo;
    x[1] = hi & BG_HI_SLOTS;
    for (i = 0; i < 2; i++) {
        uint64_t b0 = x[i] & ones, b1 = (x[i] >> 1) & ones, b4 = ((x[i] >> 2) | (x[i] >> 3)) & ones;
        r[3][i] = b4;
        r[2][i] = b4 | (b0 & b1);
        r[1][i] = b4 | b1;
        r[0][i] = b4 | b1 | b0;
    }
    *g1 = COMPRESS(r[0][0] * 3) | (COMPRESS(r[0][1] * 3) << 32);
    *g2 = COMPRESS(r[1][0] * 3) | (COMPRESS(r[1][1] * 3) << 32);
    *g3 = COMPRESS(r[2][0] * 3) | (COMPRESS(r[2][1] * 3) << 32);
    *g4 = COMPRESS(r[3][0] * 3) | (COMPRESS(r[3][1] * 3) << 32);
}

/* Checkers on slots 7-25 of one side. */
static ATTR BG_INLINE int NAME(bg_count_outside)(uint64_t lo, uint64_t hi) {
    const uint64_t low = UINT64_C(0x0f0f0f0f0f0f0f0f);
    uint64_t s;
    lo >>= 28;
    hi &= BG_HI_SLOTS;
    s = (lo & low) + ((lo >> 4) & low) + (hi & low) + ((hi >> 4) & low);
    return (int)((s * UINT64_C(0x0101010101010101)) >> 56);
}

static ATTR void NAME(bg_look)(const bg_position *p, int parallel, bg_masks *m) {
    uint64_t g1, g2, g3, g4, quiet, blot;
    m->base[0] = p->opp_lo;
    m->base[1] = p->opp_hi;
    m->base[2] = p->own_lo;
    m->base[3] = p->own_hi;
    NAME(bg_levels)(p->own_lo, p->own_hi, &m->occ, &m->two, &m->three, &m->four);
    NAME(bg_levels)(p->opp_lo, p->opp_hi, &g1, &g2, &g3, &g4);
    if (parallel) {
        quiet = ~g1 & BG_EVEN;
        blot = g1 & ~g2 & BG_ODD;
        m->land = (quiet | blot) & BG_POINTS;
        m->land = ((m->land >> 24) | (m->land << 24)) & BG_POINTS;
    } else {
        /* In the opponent's numbering, the kinds exchanged, so that turning all bits round puts both right. */
        quiet = ~g1 & BG_ODD;
        blot = g1 & ~g2 & BG_EVEN;
        m->land = (bg_reverse64(quiet | blot) >> 12) & BG_POINTS;
    }
    m->bar = (int)((p->own_hi >> 36) & 15);
    m->outside = NAME(bg_count_outside)(p->own_lo, p->own_hi);
    m->over = !((p->own_lo >> 4) | (p->own_hi & BG_HI_SLOTS)) || !((p->opp_lo >> 4) | (p->opp_hi & BG_HI_SLOTS));
    (void)g3;
    (void)g4;
}

/* One result a source: the last die.  Returns how many; with GROUPS up to three rows more are touched. */
static ATTR BG_INLINE int NAME(bg_put)(bg_row *out, VEC base, uint64_t sources, const bg_row *delta) {
#if GROUPS
    int n = POPCOUNT(sources);
    while (sources) {
        NAME(bg_store)(out, NAME(bg_add)(base, delta + CTZ(sources)));
        sources &= sources - 1;
        NAME(bg_store)(out + 1, NAME(bg_add)(base, delta + CTZ(sources)));
        sources &= sources - 1;
        NAME(bg_store)(out + 2, NAME(bg_add)(base, delta + CTZ(sources)));
        sources &= sources - 1;
        NAME(bg_store)(out + 3, NAME(bg_add)(base, delta + CTZ(sources)));
        sources &= sources - 1;
        out += 4;
    }
    return n;
#else
    bg_row *start = out;
    while (sources) {
        NAME(bg_store)(out++, NAME(bg_add)(base, delta + CTZ(sources)));
        sources &= sources - 1;
    }
    return (int)(out - start);
#endif
}

static ATTR int NAME(bg_last)(bg_emit *e, const uint64_t *base, uint64_t sources, int die) {
    int n = NAME(bg_put)(e->out, NAME(bg_load)(base), sources, e->delta[die]);
    e->out += n;
    return n;
}

/* What a move from the slot of one source bit leaves: its pair p, the pair q it comes to, the sources of the next die. */
#define BG_PAIR(bit) ((((bit) | ((bit) >> 1)) & BG_EVEN) * 3)

static ATTR int NAME(bg_pairs)(bg_emit *e, const uint64_t *base, const bg_pair_job *job) {
    const uint64_t occ = job->occ, single = job->occ & ~job->two, land_b = job->land_b, drop = job->drop;
    const bg_row *delta_a = e->delta[job->a], *delta_b = e->delta[job->b];
    const int shift_a = 2 * job->a, shift_ab = 2 * (job->a - job->b) + 1;
    const VEC start = NAME(bg_load)(base);
    bg_row *out = e->out;
    uint64_t m;
    for (m = job->first; m; m &= m - 1) {
        uint64_t bit = m & (0 - m), p = BG_PAIR(bit), q = p >> shift_a;
        /* b no longer hits where a just has */
        uint64_t land = land_b - ((bit & BG_ODD) >> shift_ab);
        uint64_t sources = ((occ & ~(p & single)) | q) & land & ~(q & drop);
        out += NAME(bg_put)(out, NAME(bg_add)(start, delta_a + CTZ(m)), sources, delta_b);
    }
    for (m = job->chain; m; m &= m - 1) {
        uint64_t bit = m & (0 - m);
        uint64_t second = (BG_PAIR(bit) >> (2 * job->b)) & job->land_a;
        NAME(bg_store)(out++, NAME(bg_add)(NAME(bg_add)(start, delta_b + CTZ(m)), delta_a + CTZ(second)));
    }
    {
        int n = (int)(out - e->out);
        e->out = out;
        return n;
    }
}

/* The last two moves of a double; sources in descending order of the two, so the second is at or below the first. */
static ATTR BG_INLINE bg_row *NAME(bg_same2)(bg_row *out, VEC start, uint64_t occ, uint64_t two, uint64_t land,
                                             uint64_t sources, const bg_row *delta, int shift) {
    uint64_t m, single = occ & ~two;
    for (m = sources; m; m &= m - 1) {
        uint64_t bit = m & (0 - m), p = BG_PAIR(bit);
        uint64_t next = ((occ & ~(p & single)) | (p >> shift)) & (land - ((bit & BG_ODD) >> 1)) & (bit ^ (bit - 1));
        out += NAME(bg_put)(out, NAME(bg_add)(start, delta + CTZ(m)), next, delta);
    }
    return out;
}

static ATTR BG_INLINE bg_row *NAME(bg_same3)(bg_row *out, VEC start, uint64_t occ, uint64_t two, uint64_t three,
                                             uint64_t land, uint64_t sources, const bg_row *delta, int shift) {
    uint64_t m;
    for (m = sources; m; m &= m - 1) {
        uint64_t bit = m & (0 - m), p = BG_PAIR(bit), q = p >> shift;
        uint64_t occ1 = (occ & ~(p & ~two)) | q;
        uint64_t two1 = (two & ~(p & ~three)) | (occ & q);
        uint64_t land1 = land - ((bit & BG_ODD) >> 1);
        out = NAME(bg_same2)(out, NAME(bg_add)(start, delta + CTZ(m)), occ1, two1, land1,
                             occ1 & land1 & (bit ^ (bit - 1)), delta, shift);
    }
    return out;
}

static ATTR BG_INLINE bg_row *NAME(bg_same4)(bg_row *out, VEC start, const bg_same_job *job, const bg_row *delta,
                                             int shift) {
    uint64_t m;
    for (m = job->occ & job->land; m; m &= m - 1) {
        uint64_t bit = m & (0 - m), p = BG_PAIR(bit), q = p >> shift;
        uint64_t occ1 = (job->occ & ~(p & ~job->two)) | q;
        uint64_t two1 = (job->two & ~(p & ~job->three)) | (job->occ & q);
        uint64_t three1 = (job->three & ~(p & ~job->four)) | (job->two & q);
        uint64_t land1 = job->land - ((bit & BG_ODD) >> 1);
        out = NAME(bg_same3)(out, NAME(bg_add)(start, delta + CTZ(m)), occ1, two1, three1, land1,
                             occ1 & land1 & (bit ^ (bit - 1)), delta, shift);
    }
    return out;
}

static ATTR int NAME(bg_same)(bg_emit *e, const uint64_t *base, const bg_same_job *job) {
    const bg_row *delta = e->delta[job->die];
    const VEC start = NAME(bg_load)(base);
    const int shift = 2 * job->die;
    bg_row *out = e->out;
    int n;
    switch (job->depth) {
    case 4:
        out = NAME(bg_same4)(out, start, job, delta, shift);
        break;
    case 3:
        out = NAME(bg_same3)(out, start, job->occ, job->two, job->three, job->land, job->occ & job->land, delta, shift);
        break;
    case 2:
        out = NAME(bg_same2)(out, start, job->occ, job->two, job->land, job->occ & job->land, delta, shift);
        break;
    default:
        out += NAME(bg_put)(out, start, job->occ & job->land, delta);
    }
    n = (int)(out - e->out);
    e->out = out;
    return n;
}

/* ---- the same walk, counting only ------------------------------------------------------------------------------- */

static ATTR int NAME(bg_last_count)(bg_emit *e, const uint64_t *base, uint64_t sources, int die) {
    (void)e;
    (void)base;
    (void)die;
    return POPCOUNT(sources);
}

static ATTR int NAME(bg_pairs_count)(bg_emit *e, const uint64_t *base, const bg_pair_job *job) {
    const uint64_t occ = job->occ, single = job->occ & ~job->two;
    const int shift_a = 2 * job->a, shift_ab = 2 * (job->a - job->b) + 1;
    int n = POPCOUNT(job->chain);
    uint64_t m;
    (void)e;
    (void)base;
    for (m = job->first; m; m &= m - 1) {
        uint64_t bit = m & (0 - m), p = BG_PAIR(bit), q = p >> shift_a;
        uint64_t land = job->land_b - ((bit & BG_ODD) >> shift_ab);
        n += POPCOUNT(((occ & ~(p & single)) | q) & land & ~(q & job->drop));
    }
    return n;
}

static ATTR BG_INLINE int NAME(bg_same2_count)(uint64_t occ, uint64_t two, uint64_t land, uint64_t sources, int shift) {
    uint64_t m, single = occ & ~two;
    int n = 0;
    for (m = sources; m; m &= m - 1) {
        uint64_t bit = m & (0 - m), p = BG_PAIR(bit);
        n += POPCOUNT(((occ & ~(p & single)) | (p >> shift)) & (land - ((bit & BG_ODD) >> 1)) & (bit ^ (bit - 1)));
    }
    return n;
}

static ATTR BG_INLINE int NAME(bg_same3_count)(uint64_t occ, uint64_t two, uint64_t three, uint64_t land,
                                               uint64_t sources, int shift) {
    uint64_t m;
    int n = 0;
    for (m = sources; m; m &= m - 1) {
        uint64_t bit = m & (0 - m), p = BG_PAIR(bit), q = p >> shift;
        uint64_t occ1 = (occ & ~(p & ~two)) | q;
        uint64_t two1 = (two & ~(p & ~three)) | (occ & q);
        uint64_t land1 = land - ((bit & BG_ODD) >> 1);
        n += NAME(bg_same2_count)(occ1, two1, land1, occ1 & land1 & (bit ^ (bit - 1)), shift);
    }
    return n;
}

static ATTR int NAME(bg_same_count)(bg_emit *e, const uint64_t *base, const bg_same_job *job) {
    const uint64_t occ = job->occ, two = job->two, three = job->three, land = job->land;
    const int shift = 2 * job->die;
    uint64_t m;
    int n = 0;
    (void)e;
    (void)base;
    if (job->depth == 3) return NAME(bg_same3_count)(occ, two, three, land, occ & land, shift);
    if (job->depth == 2) return NAME(bg_same2_count)(occ, two, land, occ & land, shift);
    if (job->depth == 1) return POPCOUNT(occ & land);
    for (m = occ & land; m; m &= m - 1) {
        uint64_t bit = m & (0 - m), p = BG_PAIR(bit), q = p >> shift;
        uint64_t occ1 = (occ & ~(p & ~two)) | q;
        uint64_t two1 = (two & ~(p & ~three)) | (occ & q);
        uint64_t three1 = (three & ~(p & ~job->four)) | (two & q);
        uint64_t land1 = land - ((bit & BG_ODD) >> 1);
        n += NAME(bg_same3_count)(occ1, two1, three1, land1, occ1 & land1 & (bit ^ (bit - 1)), shift);
    }
    return n;
}
#undef BG_PAIR
