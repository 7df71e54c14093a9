"""From texts and half-made turns to legal plays, and why a play is not legal.

Everything is decided by the positions reached: the generator says which final positions are legal, and single moves
lead there.  Nothing here is fast, and nothing here is a second set of rules.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from bgcore.core.explore import first_state, may_end, single_moves
from bgcore.errors import FormatError, IllegalPlay, IllegalReason, RuleError
from bgcore.notation import Move, format_moves, parse_hops
from bgcore.play import Play, restore

if TYPE_CHECKING:
    from bgcore.position import Position
    from bgcore.rules._base import Rules

Words = tuple[int, int, int, int]
State = tuple[int, ...]  # words, then what the rest of the turn depends on
Roll = tuple[int, int]
Dice = tuple[int, ...]

HIT = 1
PIN = 2


def without(dice: Dice, die: int) -> Dice:
    """The dice less one."""
    i = dice.index(die)
    return dice[:i] + dice[i + 1 :]


def words_of(position: Position) -> Words:
    own_lo, own_hi, opp_lo, opp_hi = position.packed.tolist()
    return own_lo, own_hi, opp_lo, opp_hi


def moves_of_double(rules: Rules, die: int, context: int) -> int:
    """How many moves a double gives."""
    if rules.doubles == "cascade" and context:
        return context
    return {"x2": 2, "n_times": die}.get(rules.doubles, 4)


class Turn:
    """A roll to be played: the position, the dice, and where they may lead."""

    def __init__(self, rules: Rules, position: Position, roll: Roll, context: int) -> None:
        self.rules = rules
        self.position = position
        self.context = context
        self.before = words_of(position)
        self.plays = rules.legal_plays(position, roll, context=context)
        self.dice: Dice = roll
        if roll[0] == roll[1]:
            self.dice = roll[:1] * moves_of_double(rules, roll[0], context)
        self.own, self.opp = position.counts.tolist()
        self.pinned = position.pinned[0].tolist()
        self.most = max((len(play) for play in self.plays), default=0)
        self.finals: dict[Words, Play] = {}
        for play in self.plays:
            own_lo, own_hi, opp_lo, opp_hi = words_of(play.result)
            self.finals[opp_lo, opp_hi, own_lo, own_hi] = play

    def start(self) -> State:
        return first_state(self.before, self.rules.core(), self.context)

    def steps(self, state: State, die: int) -> list[tuple[int, int, int, State]]:
        """The single moves of one die: source, target, flags, state after."""
        return single_moves(state, self.before, die, self.rules.core())

    def is_complete(self, state: State, left: Dice) -> bool:
        """Whether a legal play has been made, with as many moves as one must have."""
        return len(self.dice) - len(left) == self.most and state[:4] in self.finals

    def left_on(self, point: int, hops: Sequence[Move]) -> int:
        """Own checkers on a slot once the hops are made."""
        leaving = sum(hop.source == point for hop in hops)
        return int(self.own[point]) - leaving + sum(hop.target == point for hop in hops)

    def is_closed(self, point: int) -> str:
        """What closes an own point to the mover, or nothing."""
        opp_point = 25 - point if self.rules.geometry == "contrary" else point + 12 if point <= 12 else point - 12
        there = self.opp[opp_point]
        if self.pinned[point]:
            return "closed by your own pinned checker"
        return f"blocked by {there} checker{'s' * (there > 1)}" if there >= self.rules.block_at else ""


# ---- a turn made step by step -------------------------------------------------------------------------------------


def next_moves(
    rules: Rules, position: Position, roll: Roll, moved: Iterable[Any], context: int = 0
) -> tuple[Move, ...]:
    """See Rules.next_moves."""
    turn = Turn(rules, position, roll, context)
    known: dict[tuple[State, Dice], bool] = {}

    def leads_on(state: State, dice: Dice) -> bool:
        """Whether the play is complete or can be completed."""
        key = state, dice
        if key not in known:
            known[key] = turn.is_complete(state, dice) or any(
                leads_on(after, without(dice, die)) for die in set(dice) for *_, after in turn.steps(state, die)
            )
        return known[key]

    hops = [as_hop(move) for move in moved]
    # A checker borne off may have used either die, so what is left of the roll can be more than one thing.
    state, left = turn.start(), {turn.dice}
    for source, target in hops:
        ways = [
            (after, without(dice, die))
            for dice in left
            for die in set(dice)
            for start, end, _, after in turn.steps(state, die)
            if (start, end) == (source, target)
        ]
        if not ways:
            left = set()
            break
        state = ways[0][0]
        left = {dice for _, dice in ways}
    left = {dice for dice in left if leads_on(state, dice)}
    if not left and (hops or turn.finals):
        reason, message = explain(turn, [Move(*hop) for hop in hops])
        raise IllegalPlay(f"moved {hops} leads to no legal play: {message}", reason=reason)
    if any(turn.is_complete(state, dice) for dice in left):
        return ()
    moves = {
        Move(source, target, flags == HIT, flags == PIN)
        for dice in left
        for die in set(dice)
        for source, target, flags, after in turn.steps(state, die)
        if leads_on(after, without(dice, die))
    }
    return tuple(sorted(moves, key=lambda move: (-move.source, -move.target)))


def as_hop(move: Any) -> tuple[int, int]:
    """Source and target of a Move or a pair."""
    source, target, *_ = (operator.index(part) for part in move)
    if not (1 <= source <= 25 and 0 <= target < source):
        raise IllegalPlay(f"no move goes from {source} to {target}", reason=IllegalReason.NO_SUCH_PLAY)
    return source, target


# ---- a play given as a text or as a Play --------------------------------------------------------------------------


def parse_play(
    rules: Rules,
    position: Position,
    roll: Roll,
    text: str,
    numbering: str = "own",
    side: str | None = None,
    context: int = 0,
) -> Play:
    """See Rules.parse_play."""
    if numbering not in ("own", "absolute"):
        raise RuleError(f"numbering is 'own' or 'absolute', not {numbering!r}")
    if (numbering == "absolute") != (side is not None):
        raise RuleError("side= goes with numbering='absolute', which needs it: 'bottom' or 'top'")
    if side not in (None, "bottom", "top"):
        raise RuleError(f"side is 'bottom' or 'top', not {side!r}")
    if numbering == "absolute" and rules.geometry != "contrary":
        raise RuleError(f"{rules.name}: the sides' numberings are not mirrored, so there is no absolute one")
    return resolve(Turn(rules, position, roll, context), parse_hops(text, side == "top"), text)


def check_play(rules: Rules, position: Position, roll: Roll, play: Play | str, context: int = 0) -> Play:
    """See Rules.check."""
    if isinstance(play, str):
        return parse_play(rules, position, roll, play, context=context)
    if not isinstance(play, Play):
        raise TypeError(f"a play is a Play or a text, not {type(play).__name__}")
    return resolve(Turn(rules, position, roll, context), list(play.moves), str(play))


def resolve(turn: Turn, hops: list[Move], text: str) -> Play:
    """The legal play that the hops mean."""
    if not hops and not turn.finals and turn.rules.outcome(turn.position) is None:
        return restore((), turn.position.flipped())
    reached = routes(turn, hops)
    meant = {words: hits for words, hits in reached.items() if words in turn.finals}
    if len(meant) > 1:
        # Writers mark hits, so the route with as many hits as marks is meant; without marks, the one that hits nothing.
        marks = sum(move.hit for move in hops)
        meant = {words: hits for words, hits in meant.items() if hits == marks} or meant
    if len(meant) > 1:
        names = " or ".join(str(turn.finals[words]) for words in meant)
        raise FormatError(f"play {text!r} could mean {names}; mark the hits or write every hop")
    for words in meant:
        return turn.finals[words]
    # Our own text joins the hops of two checkers into one way; where a rule says who moves first (a runner), no single
    # checker can go that way, but what is printed must be read.
    printed = format_moves(hops)
    for play in turn.plays:
        if str(play) == printed:
            return play
    reason, message = explain(turn, hops)
    raise IllegalPlay(f"{text or 'no move'} with {turn.dice[0]}-{turn.dice[-1]}: {message}", reason=reason)


def routes(turn: Turn, hops: Sequence[Move]) -> dict[Words, int]:
    """The positions that the hops can end in, whatever of the roll they leave, and how many blots each way hits."""
    ends: dict[Words, int] = {}
    seen = set()
    todo = [(turn.start(), turn.dice, tuple(sorted((hop.source, hop.target) for hop in hops)), 0)]
    while todo:
        item = todo.pop()
        if item in seen:
            continue
        seen.add(item)
        state, left, open_hops, hits = item
        if not open_hops:
            ends[state[0], state[1], state[2], state[3]] = hits
            continue
        for die in set(left):
            ways = {source: (end, flags == HIT, after) for source, end, flags, after in turn.steps(state, die)}
            for i, (source, target) in enumerate(open_hops):
                if source not in ways or (i and open_hops[i - 1] == (source, target)):
                    continue
                end, hit, after = ways[source]
                if end < target or (end == 0 and target > 0):
                    continue
                rest = open_hops[:i] + open_hops[i + 1 :]
                if end > target:
                    rest = tuple(sorted((*rest, (end, target))))
                todo.append((after, without(left, die), rest, hits + hit))
    return ends


# ---- why not ------------------------------------------------------------------------------------------------------


def explain(turn: Turn, hops: Sequence[Move]) -> tuple[IllegalReason, str]:
    """The first reason why hops are no legal play, and a sentence that says what would be right."""
    if turn.rules.outcome(turn.position) is not None:
        return IllegalReason.GAME_OVER, str(IllegalReason.GAME_OVER)
    for test, reason in REASONS.items():
        message = test(turn, hops)
        if message:
            return reason, message
    if not turn.plays:
        return IllegalReason.NO_SUCH_PLAY, "no die can be played, so the turn passes"
    example = f"for example {turn.plays[0]}"
    larger = turn.dice[0]
    reached = routes(turn, hops)
    if any(breaks_prime(turn, words) for words in reached):
        return IllegalReason.PRIME_FORBIDDEN, f"it leaves a row of points that the rules forbid: {example}"
    if reached:
        if len(hops) == 1 and turn.most == 1 and larger != turn.dice[-1]:
            return IllegalReason.MUST_PLAY_LARGER, f"only one die can be played, and it must be the {larger}: {example}"
        return IllegalReason.MUST_PLAY_MORE, f"{turn.most} of the dice can be played, so they must be: {example}"
    count = len(turn.plays)
    return IllegalReason.NO_SUCH_PLAY, f"no order of the dice makes these moves; {count} plays are legal, {example}"


def breaks_prime(turn: Turn, words: Words) -> bool:
    """Whether the prime rules forbid to end there, or ask to open a block that stands."""
    return bool(turn.rules.prime_rules) and not may_end(words, turn.before, turn.rules.core())


def point_name(point: int) -> str:
    return "the bar" if point == 25 else f"point {point}"


def not_yours(turn: Turn, hops: Sequence[Move]) -> str:
    """A hop starts where there is no checker, counting those that other hops bring."""
    own = turn.own
    for point in range(25, 0, -1):
        leaving = sum(hop.source == point for hop in hops)
        there = own[point] + sum(hop.target == point for hop in hops)
        if leaving > there:
            if not own[point]:
                return f"there is no checker of yours on {point_name(point)}"
            return f"only {own[point]} of yours on {point_name(point)}, but {leaving} would move from there"
    return ""


def bar_first(turn: Turn, hops: Sequence[Move]) -> str:
    """Checkers stay on the bar while others move, or one that has entered moves on."""
    waiting = turn.own[25] - sum(hop.source == 25 for hop in hops)
    if waiting > 0 and any(hop.source != 25 or 25 - hop.target not in turn.dice for hop in hops):
        return f"{turn.own[25]} on the bar must enter first"
    return ""


def pinned(turn: Turn, hops: Sequence[Move]) -> str:
    """A pinned checker would move."""
    for hop in hops:
        if turn.pinned[hop.source] and not any(other.target == hop.source for other in hops):
            return f"your checker on {point_name(hop.source)} is pinned"
    return ""


def head_used(turn: Turn, hops: Sequence[Move]) -> str:
    """More checkers leave 24 than may."""
    limit = turn.rules.head_limit
    leaving = sum(hop.source == 24 for hop in hops)
    if limit and leaving > max([limit, *(sum(m.source == 24 for m in play.moves) for play in turn.plays)]):
        return f"only {limit} checker may leave point 24 this turn, but {leaving} would"
    return ""


def runner_first(turn: Turn, hops: Sequence[Move]) -> str:
    """Another checker moves before the first has come far enough."""
    far = {"none": 0, "pass": 11, "reach": 12, "last_quarter": 6}[turn.rules.runner]
    if not far or any(turn.own[: far + 1]):
        return ""
    out = next((point for point in range(23, far, -1) if turn.own[point]), 24)
    ends = {hop.target for hop in hops}
    if len({hop.source for hop in hops} - ends) > 1 and not any(end <= far for end in ends):
        return f"no other checker may move before the one on {point_name(out)} has come to point {far} or beyond"
    if out != 24 and all(hop.source == 24 for hop in hops):
        return f"no other checker may move before the one on {point_name(out)} has come to point {far} or beyond"
    return ""


def die_not_rolled(turn: Turn, hops: Sequence[Move]) -> str:
    """The dice cannot make these distances."""
    dice = turn.dice
    for hop in hops:
        if not any(fits(hop, sum(way)) for way in ways_of(dice)):
            lengths = ", ".join(map(str, sorted({sum(way) for way in ways_of(dice)})))
            return f"{hop.source} to {hop.target} is {hop.source - hop.target} pips; the roll moves a checker {lengths}"
    if not any(True for _ in deals(dice, hops)):
        return f"the roll has only {len(dice)} moves in it, and not these together"
    return ""


def fits(hop: Move, pips: int) -> bool:
    """Whether so many pips make the hop; bearing off may take more than the distance."""
    distance = hop.source - hop.target
    return pips >= distance if hop.target == 0 else pips == distance


def ways_of(dice: Dice) -> set[Dice]:
    """Every order in which some of the dice can be played with one checker."""
    if len(dice) > 2:
        return {dice[:n] for n in range(1, len(dice) + 1)}
    return {(die,) for die in dice} | {dice, dice[::-1]}


def deals(dice: Dice, hops: Sequence[Move]) -> Iterator[tuple[Dice, ...]]:
    """Every way to deal the dice to the hops, each hop's in the order it plays them."""
    if not hops:
        yield ()
        return
    for way in ways_of(dice) if dice else ():
        if fits(hops[0], sum(way)):
            left = dice
            for die in way:
                left = without(left, die)
            for rest in deals(left, hops[1:]):
                yield way, *rest


def blocked(turn: Turn, hops: Sequence[Move]) -> str:
    """Every way of a hop comes to a closed point."""
    dice = turn.dice
    for hop in hops:
        closed: set[int] = set()
        for way in ways_of(dice):
            if not fits(hop, sum(way)):
                continue
            points = [hop.source - sum(way[: i + 1]) for i in range(len(way))]
            bad = [point for point in points if point > 0 and turn.is_closed(point)]
            if not bad:
                closed = set()
                break
            closed.add(bad[0])
        if closed:
            return " and ".join(f"point {point} is {turn.is_closed(point)}" for point in sorted(closed))
    return ""


def not_home(turn: Turn, hops: Sequence[Move]) -> str:
    """A checker is borne off while others are outside."""
    if not any(hop.target == 0 for hop in hops):
        return ""
    for point in range(25, 6, -1):
        if turn.left_on(point, hops) > 0:
            return f"no checker may be borne off while one is on {point_name(point)}"
    return ""


def overshoot(turn: Turn, hops: Sequence[Move]) -> str:
    """However the dice are dealt, one bears a checker off from below another one that it could have moved."""
    behind = 0
    for deal in deals(turn.dice, hops):
        behind = 0
        for hop, way in zip(hops, deal, strict=True):
            last = hop.source - sum(way[:-1])
            if hop.target == 0 and way[-1] > last:
                behind = max(behind, next((p for p in range(6, last, -1) if turn.left_on(p, hops) > 0), 0))
        if not behind:
            return ""
    return f"a larger die bears off from the highest point only, and there is a checker on {behind}" if behind else ""


REASONS = {
    not_yours: IllegalReason.NOT_YOUR_CHECKER,
    bar_first: IllegalReason.BAR_FIRST,
    pinned: IllegalReason.PINNED,
    head_used: IllegalReason.HEAD_USED,
    runner_first: IllegalReason.RUNNER_FIRST,
    die_not_rolled: IllegalReason.DIE_NOT_ROLLED,
    blocked: IllegalReason.POINT_BLOCKED,
    not_home: IllegalReason.NOT_ALL_HOME,
    overshoot: IllegalReason.OVERSHOOT,
}
