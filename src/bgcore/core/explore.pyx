"""The slow generator: every sequence of moves, level by level, straight from the rules.

It plays what the fast generator (movegen) leaves to it, such as hit-and-run, entry rules in full and prime rules judged
at every step, and it checks the rest: a test compares the two.  A state is a position plus what the rest of the
turn depends on; equal states of a level are merged, so the work is bounded by the number of different states.
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree, PyMem_RawMalloc, PyMem_RawRealloc
from libc.stdint cimport int8_t, int32_t, int64_t, uint32_t, uint64_t, uintptr_t
from libc.string cimport memcmp, memcpy, memset

from bgcore.core.board cimport bg_position, side_slot
from bgcore.core.ends cimport duty_block, passes
from bgcore.core.game cimport (
    BG_MAX_MOVES, CONTACT_HIT, CONTACT_PIN, Game, HEAD_OBSTRUCTED, bg_emit, bg_game, bg_row, game_outcome,
    is_free_double, lone_points, max_plays, pins_of, points_held, steps_of, write_moves,
)

cdef uint64_t ONE = 1


cdef struct State:
    bg_position p
    uint32_t frozen      # bit p: one checker on own point p has hit and stays this turn
    uint32_t entered     # bit p: a checker has entered on own point p this turn
    int32_t left_head    # checkers that have left 24 this turn
    int32_t released     # the runner has come far enough, though the position may not tell
    # Up to here states are compared.
    int32_t count        # moves made
    int8_t path[6][3]


cdef struct Level:
    State *states
    int64_t size, room
    int32_t *slots       # hash table of indices + 1
    int64_t slot_count


cdef inline uint64_t hash_of(const State *s) noexcept nogil:
    cdef const uint64_t *words = <const uint64_t *>s
    cdef uint64_t h = 0
    cdef int i
    for i in range(5):
        h = (h ^ words[i]) * 0x9e3779b97f4a7c15ULL
        h ^= h >> 29
    return (h ^ <uint64_t>(2 * s.left_head + s.released)) * 0xbf58476d1ce4e5b9ULL >> 13


cdef inline bint same(const State *x, const State *y) noexcept nogil:
    return memcmp(x, y, sizeof(bg_position) + 16) == 0


cdef bint open_level(Level *level) noexcept nogil:
    level.size = 0
    level.room = 64
    level.slot_count = 256
    level.states = <State *>PyMem_RawMalloc(level.room * sizeof(State))
    level.slots = <int32_t *>PyMem_RawCalloc(level.slot_count, sizeof(int32_t))
    return level.states != NULL and level.slots != NULL


cdef void close_level(Level *level) noexcept nogil:
    PyMem_RawFree(level.states)
    PyMem_RawFree(level.slots)


cdef int64_t find_slot(const Level *level, const State *s) noexcept nogil:
    """The slot that holds a state, or the free one where it belongs."""
    cdef int64_t slot = hash_of(s) & <uint64_t>(level.slot_count - 1)
    while level.slots[slot] and not same(&level.states[level.slots[slot] - 1], s):
        slot = (slot + 1) & (level.slot_count - 1)
    return slot


cdef bint keep(Level *level, const State *s) noexcept nogil:
    """Adds a state unless it is there; False only without memory."""
    cdef int64_t slot = find_slot(level, s)
    cdef int64_t i
    cdef void *block
    if level.slots[slot]:
        return True
    if level.size == level.room:
        block = PyMem_RawRealloc(level.states, 2 * level.room * sizeof(State))
        if block == NULL:
            return False
        level.states = <State *>block
        level.room *= 2
    level.states[level.size] = s[0]
    level.size += 1
    level.slots[slot] = <int32_t>level.size
    if 2 * level.size > level.slot_count:
        block = PyMem_RawCalloc(4 * level.slot_count, sizeof(int32_t))
        if block == NULL:
            return False
        PyMem_RawFree(level.slots)
        level.slots = <int32_t *>block
        level.slot_count *= 4
        for i in range(level.size):
            level.slots[find_slot(level, &level.states[i])] = <int32_t>(i + 1)
    return True


# ---- one move -----------------------------------------------------------------------------------------------------

cdef inline int own_at(const bg_position *p, int slot) noexcept nogil:
    return side_slot(p.own_lo, p.own_hi, slot)


cdef inline int opp_point(const bg_game *game, int point) noexcept nogil:
    """The opponent's number of an own point."""
    if not game.parallel:
        return 25 - point
    return point + 12 if point <= 12 else point - 12


cdef inline void add_checkers(uint64_t *lo, uint64_t *hi, int slot, int n) noexcept nogil:
    if slot < 16:
        lo[0] += <uint64_t><int64_t>n << (4 * slot)
    else:
        hi[0] += <uint64_t><int64_t>n << (4 * (slot - 16))


cdef bint runner_passed(const bg_position *p, int threshold) noexcept nogil:
    cdef int slot
    for slot in range(threshold + 1):
        if own_at(p, slot):
            return True
    return False


cdef bint can_leave(const State *s, const bg_game *game, int source, int head_limit) noexcept nogil:
    """Whether a checker on the source may move now."""
    cdef const bg_position *p = &s.p
    cdef int there = own_at(p, source)
    cdef int slot, out
    if source <= 24 and (p.own_hi >> (39 + source)) & 1:
        return False  # pinned
    if there - <int>((s.frozen >> source) & 1) <= 0:
        return False
    if source != 25 and own_at(p, 25) and not game.entry_any_order:
        return False
    if source == 24 and head_limit and s.left_head >= head_limit:
        return False
    if game.runner and not s.released and not runner_passed(p, game.runner):
        out = 0
        for slot in range(game.runner + 1, 24):
            out += own_at(p, slot)
        if source == 24 and out:
            return False
    return True


cdef bint can_land(const State *s, const bg_game *game, int source, int target) noexcept nogil:
    """Whether a point is open to a checker from the source."""
    cdef const bg_position *p = &s.p
    cdef int theirs = side_slot(p.opp_lo, p.opp_hi, opp_point(game, target))
    if (p.own_hi >> (39 + target)) & 1:
        return False  # one of mine lies pinned there
    # On a point that I share I have pinned them, and that keeps it open.
    if theirs >= game.block_at and not (game.contact == CONTACT_PIN and theirs == 1):
        return False
    if source == 25:
        if game.entry_forbid_own and own_at(p, target):
            return False
        if game.entry_cap == 1 and (s.entered >> target) & 1:
            return False
    return True


cdef bint can_bear_off(const State *s, const bg_game *game, int source, int die) noexcept nogil:
    """Whether a die no smaller than the source takes a checker off from there."""
    cdef const bg_position *p = &s.p
    cdef int slot
    if p.own_hi >> 40 and not game.off_pinned:
        return False
    if game.off_early and die == source:
        return True
    for slot in range(7, 26):
        if own_at(p, slot):
            return False
    if die > source:
        for slot in range(source + 1, 7):
            if own_at(p, slot):
                return False
    return True


cdef bint step(const State *s, const bg_game *game, int source, int die, uint64_t singles, State *after) noexcept nogil:
    """Makes one move of a checker that may leave; False if it cannot land."""
    cdef int target = source - die if source > die else 0
    cdef int q, flag = 0
    cdef uint64_t row[4]
    after[0] = s[0]
    if target == 0:
        if not can_bear_off(s, game, source, die):
            return False
    elif not can_land(s, game, source, target):
        return False
    add_checkers(&after.p.own_lo, &after.p.own_hi, source, -1)
    add_checkers(&after.p.own_lo, &after.p.own_hi, target, 1)
    if source == 24:
        after.left_head += 1
    if game.runner_flag and target <= game.runner:
        after.released = 1
    if source == 25:
        after.entered |= <uint32_t>1 << target
    if target:
        q = opp_point(game, target)
        if game.contact == CONTACT_HIT and side_slot(s.p.opp_lo, s.p.opp_hi, q) == 1 and game.block_at == 2:
            add_checkers(&after.p.opp_lo, &after.p.opp_hi, q, -1)
            add_checkers(&after.p.opp_lo, &after.p.opp_hi, 25, 1)
            flag = 1
            if game.freeze and target <= 6:
                after.frozen |= <uint32_t>1 << target
        elif game.contact == CONTACT_PIN:
            if (singles >> (2 * target)) & 1 and own_at(&s.p, target) == 0:
                flag = 2
    if game.contact == CONTACT_PIN:
        row[2] = after.p.own_lo
        row[3] = after.p.own_hi
        after.p.opp_hi = (after.p.opp_hi & 0x000000ffffffffffULL) | pins_of(row, singles)
    after.path[after.count][0] = source
    after.path[after.count][1] = target
    after.path[after.count][2] = flag
    after.count += 1
    return True


cdef bint expand(const Level *start, Level *out, int die, const bg_game *game, int head_limit,
                 const bg_position *before, uint64_t singles) noexcept nogil:
    """Adds every state one move of the die further; False only without memory."""
    cdef int64_t i
    cdef int source
    cdef State after
    cdef const State *s
    for i in range(start.size):
        s = &start.states[i]
        for source in range(25, 0, -1):
            if own_at(&s.p, source) == 0 or not can_leave(s, game, source, head_limit):
                continue
            if not step(s, game, source, die, singles, &after):
                continue
            if game.prime_step and not passes(after.p.own_lo, after.p.own_hi, before, game):
                continue
            if not keep(out, &after):
                return False
    return True


# ---- a roll -------------------------------------------------------------------------------------------------------

cdef int let_out(const Level *level, const bg_game *game, const bg_position *before, bg_emit *e) noexcept nogil:
    """Writes the states of a level that may be ends, each position once; -1 without memory."""
    cdef Level ends
    cdef State end
    cdef int64_t i, n
    cdef uint64_t duty = duty_block(before, game)
    cdef bint opened = False
    cdef int as_made = e.as_made
    if not open_level(&ends):
        close_level(&ends)
        return -1
    for i in range(level.size):
        end = level.states[i]
        if not passes(end.p.own_lo, end.p.own_hi, before, game):
            continue
        end.frozen = 0
        end.entered = 0
        end.left_head = 0
        end.released = 0
        if not keep(&ends, &end):
            close_level(&ends)
            return -1
        if duty and points_held(end.p.own_lo, end.p.own_hi) & duty != duty:
            opened = True
    n = 0
    if game.prime_step or (game.entry_any_order and game.entry_forbid_own):
        e.as_made = 1  # in another order a move may be forbidden
    for i in range(ends.size):
        end = ends.states[i]
        if opened and points_held(end.p.own_lo, end.p.own_hi) & duty == duty:
            continue
        if n == max_plays(game):  # never, by the proof in movegen
            break
        memcpy(&e.out.w[0], &end.p.opp_lo, 16)
        memcpy(&e.out.w[2], &end.p.own_lo, 16)
        e.out += 1
        if e.moves:
            write_moves(e, end.path, end.count)
        n += 1
    e.as_made = as_made
    close_level(&ends)
    return <int>n


cdef int double_with_head(const bg_position *p, const bg_game *game, int die, int steps, int head_limit,
                          bint released, bint whole, bg_emit *e) noexcept nogil:
    """The plays of a double with so many head checkers free; with whole only if every die is played."""
    cdef Level levels[7]
    cdef int i
    cdef int n = 0
    cdef int opened = 0
    cdef State start
    cdef uint64_t singles = lone_points(p)
    memset(&start, 0, sizeof(State))
    start.p = p[0]
    start.released = released
    for i in range(steps + 1):
        opened += 1
        if not open_level(&levels[i]) or (i == 0 and not keep(&levels[0], &start)):
            n = -1
            break
        if i and not expand(&levels[i - 1], &levels[i], die, game, head_limit, p, singles):
            n = -1
            break
    if n == 0:
        for i in range(steps, steps - 1 if whole else 0, -1):
            n = let_out(&levels[i], game, p, e)
            if n:
                break
    for i in range(opened):
        close_level(&levels[i])
    return n


cdef int two_with_head(const bg_position *p, const bg_game *game, int a, int b, int head_limit, bint released,
                       bint whole, bg_emit *e) noexcept nogil:
    """The same for two different dice, a the larger."""
    cdef Level levels[4]
    cdef int i
    cdef int n = 0
    cdef State start
    cdef uint64_t singles = lone_points(p)
    cdef bint good = True
    memset(&start, 0, sizeof(State))
    start.p = p[0]
    start.released = released
    for i in range(4):
        good &= open_level(&levels[i])
    good = (
        good and keep(&levels[0], &start)
        and expand(&levels[0], &levels[1], a, game, head_limit, p, singles)
        and expand(&levels[0], &levels[2], b, game, head_limit, p, singles)
        and expand(&levels[1], &levels[3], b, game, head_limit, p, singles)
        and expand(&levels[2], &levels[3], a, game, head_limit, p, singles)
    )
    if not good:
        n = -1
    else:
        n = let_out(&levels[3], game, p, e)
        if n == 0 and game.any_die:
            for i in range(levels[2].size):
                good &= keep(&levels[1], &levels[2].states[i])
            if not good:
                n = -1
        if n == 0 and not whole:
            n = let_out(&levels[1], game, p, e)
            if n == 0:
                n = let_out(&levels[2], game, p, e)
    for i in range(4):
        close_level(&levels[i])
    return n


cdef int explore(const bg_position *p, const bg_game *game, int a, int b, int context, bg_emit *e) noexcept nogil:
    if game_outcome(p, game):
        return 0
    return explore_turn(p, game, a, b, context, e)


cdef int explore_turn(const bg_position *p, const bg_game *game, int a, int b, int context, bg_emit *e) noexcept nogil:
    cdef int steps = steps_of(game, a, context)
    cdef int limit = game.head_limit
    cdef int n = 0
    cdef bint released = game.runner_flag and context == 1
    cdef bint first_turn = side_slot(p.own_lo, p.own_hi, 24) == game.checkers
    if limit and first_turn and game.head_first:
        if game.head_first == HEAD_OBSTRUCTED:
            # One head checker if that plays the whole roll, else two are free.
            if a == b:
                n = double_with_head(p, game, a, steps, limit, released, True, e)
            else:
                n = two_with_head(p, game, a, b, limit, released, True, e)
            if n:
                return n
            limit += 1
        elif is_free_double(game, a, b):
            limit += 1
    if a == b:
        return double_with_head(p, game, a, steps, limit, released, False, e)
    return two_with_head(p, game, a, b, limit, released, False, e)


# ---- one move at a time, for the gate -----------------------------------------------------------------------------

def first_state(tuple words, Game game not None, int context=0):
    """The state of a turn before any move: words, frozen, entered, left_head, released."""
    return (*words, 0, 0, 0, context if game.rules.runner_flag else 0)


def single_moves(tuple state, tuple before, int die, Game game not None):
    """The moves of one die: (source, target, flags, state after), highest source first; the turn is not passed.

    before are the words at the start of the turn.
    """
    cdef State s
    cdef State after
    cdef bg_position start
    cdef const bg_game *rules = &game.rules
    cdef uint64_t singles
    cdef int source
    cdef int limit = rules.head_limit
    cdef list moves = []
    memset(&s, 0, sizeof(State))
    s.p.own_lo, s.p.own_hi, s.p.opp_lo, s.p.opp_hi, s.frozen, s.entered, s.left_head, s.released = state
    start.own_lo, start.own_hi, start.opp_lo, start.opp_hi = before
    singles = lone_points(&start)
    if limit and rules.head_first and side_slot(start.own_lo, start.own_hi, 24) == rules.checkers:
        limit += 1  # whether the exception holds is seen by the ends it leads to
    if game_outcome(&start, rules):
        return moves
    for source in range(25, 0, -1):
        if own_at(&s.p, source) and can_leave(&s, rules, source, limit):
            if step(&s, rules, source, die, singles, &after):
                moves.append((
                    after.path[0][0], after.path[0][1], after.path[0][2],
                    (after.p.own_lo, after.p.own_hi, after.p.opp_lo, after.p.opp_hi,
                     after.frozen, after.entered, after.left_head, after.released),
                ))
    return moves


def may_end(tuple words, tuple before, Game game not None):
    """Whether a play may end in words, seen by the mover: no prime rule broken, no block kept that must be opened."""
    cdef bg_position start
    cdef uint64_t duty
    start.own_lo, start.own_hi, start.opp_lo, start.opp_hi = before
    duty = duty_block(&start, &game.rules)
    if not passes(words[0], words[1], &start, &game.rules):
        return False
    return not (duty and points_held(words[0], words[1]) & duty == duty)


def slow_plays(tuple words, int a, int b, Game game not None, int context=0, bint last_roll=False):
    """The plays of a roll by this generator: (words of the result, moves) each; for tests against the fast one.

    With last_roll also if the opponent has borne off; a result may then leave nobody on the board.
    """
    cdef bg_position p
    cdef bg_emit e
    cdef int i, n
    cdef int room = max_plays(&game.rules)
    cdef void *block = PyMem_RawMalloc(room * (sizeof(bg_row) + 3 * BG_MAX_MOVES) + 64)
    cdef bg_row *rows
    cdef int8_t *moves
    if block == NULL:
        raise MemoryError
    try:
        rows = <bg_row *>((<uintptr_t>block + 63) & ~(<uintptr_t>63))
        moves = <int8_t *>(rows + room)
        p.own_lo, p.own_hi, p.opp_lo, p.opp_hi = words
        e.out = rows
        e.moves = moves
        e.width = BG_MAX_MOVES
        e.as_made = game.rules.runner != 0
        e.depth = 0
        if last_roll:
            n = explore_turn(&p, &game.rules, max(a, b), min(a, b), context, &e)
        else:
            n = explore(&p, &game.rules, max(a, b), min(a, b), context, &e)
        if n < 0:
            raise MemoryError
        plays = []
        for i in range(n):
            made = []
            for _ in range(BG_MAX_MOVES):
                if moves[0] >= 0:
                    made.append((moves[0], moves[1], moves[2]))
                moves += 3
            plays.append(((rows[i].w[0], rows[i].w[1], rows[i].w[2], rows[i].w[3]), made))
        return plays
    finally:
        PyMem_RawFree(block)
