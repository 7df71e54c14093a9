"""From texts and half-made turns to legal plays, and why a play is not legal.

Everything is decided by the positions reached: the generator says which final positions are legal, and single moves
lead there.  Nothing here is fast, and nothing here is a second set of rules.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from bgcore.core.movegen import single_moves
from bgcore.errors import FormatError, IllegalPlay, IllegalReason, RuleError
from bgcore.notation import Move, parse_hops
from bgcore.play import Play, restore

if TYPE_CHECKING:
    from bgcore.position import Position
    from bgcore.rules._base import Rules

Words = tuple[int, int, int, int]
Roll = tuple[int, int]
Dice = tuple[int, ...]


def dice_of(roll: Roll) -> Dice:
    """The dice to be played: four of a double."""
    return roll * 2 if roll[0] == roll[1] else roll


def without(dice: Dice, die: int) -> Dice:
    """The dice less one."""
    i = dice.index(die)
    return dice[:i] + dice[i + 1 :]


def words_of(position: Position) -> Words:
    own_lo, own_hi, opp_lo, opp_hi = position.packed.tolist()
    return own_lo, own_hi, opp_lo, opp_hi


def finals_of(rules: Rules, position: Position, roll: Roll) -> dict[Words, Play]:
    """Each legal final position, seen by the mover, and its play."""
    finals = {}
    for play in rules.legal_plays(position, roll):
        own_lo, own_hi, opp_lo, opp_hi = words_of(play.result)
        finals[opp_lo, opp_hi, own_lo, own_hi] = play
    return finals


# ---- a turn made step by step -------------------------------------------------------------------------------------


def next_moves(rules: Rules, position: Position, roll: Roll, moved: Iterable[Any]) -> tuple[Move, ...]:
    """See Rules.next_moves."""
    finals = finals_of(rules, position, roll)
    known: dict[tuple[Words, Dice], bool] = {}

    def leads_on(words: Words, dice: Dice) -> bool:
        """Whether a legal final position is this one or can be reached from it."""
        key = words, dice
        if key not in known:
            known[key] = words in finals or any(
                leads_on(after, without(dice, die)) for die in set(dice) for *_, after in single_moves(words, die)
            )
        return known[key]

    hops = [as_hop(move) for move in moved]
    # A checker borne off may have used either die, so what is left of the roll can be more than one thing.
    words, left = words_of(position), {dice_of(roll)}
    for source, target in hops:
        steps = [
            (after, without(dice, die))
            for dice in left
            for die in set(dice)
            for start, end, _, after in single_moves(words, die)
            if (start, end) == (source, target)
        ]
        if not steps:
            left = set()
            break
        words = steps[0][0]
        left = {dice for _, dice in steps}
    left = {dice for dice in left if leads_on(words, dice)}
    if not left and (hops or finals):
        reason, message = explain(rules, position, roll, [Move(*hop) for hop in hops])
        raise IllegalPlay(f"moved {hops} leads to no legal play: {message}", reason=reason)
    if words in finals:
        return ()
    moves = {
        Move(source, target, hit)
        for dice in left
        for die in set(dice)
        for source, target, hit, after in single_moves(words, die)
        if leads_on(after, without(dice, die))
    }
    return tuple(sorted(moves, key=lambda move: (-move.source, -move.target)))


def as_hop(move: Any) -> tuple[int, int]:
    """Source and target of a Move or a pair."""
    source, target = operator.index(move[0]), operator.index(move[1])
    if not (1 <= source <= 25 and 0 <= target < source):
        raise IllegalPlay(f"no move goes from {source} to {target}", reason=IllegalReason.NO_SUCH_PLAY)
    return source, target


# ---- a play given as a text or as a Play --------------------------------------------------------------------------


def parse_play(
    rules: Rules, position: Position, roll: Roll, text: str, numbering: str = "own", side: str | None = None
) -> Play:
    """See Rules.parse_play."""
    if numbering not in ("own", "absolute"):
        raise RuleError(f"numbering is 'own' or 'absolute', not {numbering!r}")
    if (numbering == "absolute") != (side is not None):
        raise RuleError("side= goes with numbering='absolute', which needs it: 'bottom' or 'top'")
    if side not in (None, "bottom", "top"):
        raise RuleError(f"side is 'bottom' or 'top', not {side!r}")
    return resolve(rules, position, roll, parse_hops(text, side == "top"), text)


def check_play(rules: Rules, position: Position, roll: Roll, play: Play | str) -> Play:
    """See Rules.check."""
    if isinstance(play, str):
        return parse_play(rules, position, roll, play)
    if not isinstance(play, Play):
        raise TypeError(f"a play is a Play or a text, not {type(play).__name__}")
    return resolve(rules, position, roll, list(play.moves), str(play))


def resolve(rules: Rules, position: Position, roll: Roll, hops: list[Move], text: str) -> Play:
    """The legal play that the hops mean."""
    finals = finals_of(rules, position, roll)
    if not hops and not finals and not position.is_over:
        return restore((), position.flipped())
    reached = routes(words_of(position), dice_of(roll), hops)
    meant = {words: hits for words, hits in reached.items() if words in finals}
    if len(meant) > 1:
        # Writers mark hits, so the route with as many hits as marks is meant; without marks, the one that hits nothing.
        marks = sum(move.hit for move in hops)
        meant = {words: hits for words, hits in meant.items() if hits == marks} or meant
    if len(meant) > 1:
        names = " or ".join(str(finals[words]) for words in meant)
        raise FormatError(f"play {text!r} could mean {names}; mark the hits or write every hop")
    for words in meant:
        return finals[words]
    reason, message = explain(rules, position, roll, hops)
    raise IllegalPlay(f"{text or 'no move'!s} with {roll[0]}-{roll[1]}: {message}", reason=reason)


def routes(start: Words, dice: Dice, hops: Sequence[Move]) -> dict[Words, int]:
    """The positions that the hops can end in, whatever of the roll they leave, and how many blots each way hits."""
    ends: dict[Words, int] = {}
    seen = set()
    todo = [(start, dice, tuple(sorted((hop.source, hop.target) for hop in hops)), 0)]
    while todo:
        state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        words, left, open_hops, hits = state
        if not open_hops:
            ends[words] = hits
            continue
        for die in set(left):
            ways = {source: (end, hit, after) for source, end, hit, after in single_moves(words, die)}
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


def explain(rules: Rules, position: Position, roll: Roll, hops: Sequence[Move]) -> tuple[IllegalReason, str]:
    """The first reason why hops are no legal play, and a sentence that says what would be right."""
    plays = rules.legal_plays(position, roll)
    dice = dice_of(roll)
    own, opp = position.counts.tolist()
    if position.is_over:
        return IllegalReason.GAME_OVER, str(IllegalReason.GAME_OVER)
    for test, reason in REASONS.items():
        message = test(own, opp, dice, hops)
        if message:
            return reason, message
    if not plays:
        return IllegalReason.NO_SUCH_PLAY, "no die can be played, so the turn passes"
    example = f"for example {plays[0]}"
    most = max(len(play) for play in plays)
    if routes(words_of(position), dice, hops):
        if len(hops) == 1 and most == 1 and dice[0] != dice[1]:
            return (
                IllegalReason.MUST_PLAY_LARGER,
                f"only one die can be played, and it must be the {dice[0]}: {example}",
            )
        return IllegalReason.MUST_PLAY_MORE, f"{most} of the dice can be played, so they must be: {example}"
    return (
        IllegalReason.NO_SUCH_PLAY,
        f"no order of the dice makes these moves; {len(plays)} plays are legal, {example}",
    )


def point_name(point: int) -> str:
    return "the bar" if point == 25 else f"point {point}"


def not_yours(own: list[int], opp: list[int], dice: Dice, hops: Sequence[Move]) -> str:
    """A hop starts where there is no checker, counting those that other hops bring."""
    for point in range(25, 0, -1):
        leaving = sum(hop.source == point for hop in hops)
        there = own[point] + sum(hop.target == point for hop in hops)
        if leaving > there:
            if not own[point]:
                return f"there is no checker of yours on {point_name(point)}"
            return f"only {own[point]} of yours on {point_name(point)}, but {leaving} would move from there"
    return ""


def bar_first(own: list[int], opp: list[int], dice: Dice, hops: Sequence[Move]) -> str:
    """Checkers stay on the bar while others move."""
    entering = sum(hop.source == 25 for hop in hops)
    if entering < own[25] and any(hop.source != 25 for hop in hops):
        return f"{own[25]} on the bar must enter first"
    return ""


def die_not_rolled(own: list[int], opp: list[int], dice: Dice, hops: Sequence[Move]) -> str:
    """The dice cannot make these distances."""
    for hop in hops:
        if not any(fits(hop, sum(way)) for way in ways_of(dice)):
            lengths = ", ".join(map(str, sorted({sum(way) for way in ways_of(dice)})))
            return f"{hop.source} to {hop.target} is {hop.source - hop.target} pips; the roll moves a checker {lengths}"
    if not shared_out(dice, hops):
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


def shared_out(dice: Dice, hops: Sequence[Move]) -> bool:
    """Whether the dice can be dealt to the hops."""
    if not hops:
        return True
    for way in ways_of(dice) if dice else ():
        if fits(hops[0], sum(way)):
            left = dice
            for die in way:
                left = without(left, die)
            if shared_out(left, hops[1:]):
                return True
    return False


def blocked(own: list[int], opp: list[int], dice: Dice, hops: Sequence[Move]) -> str:
    """Every way of a hop comes to a closed point."""
    for hop in hops:
        closed: set[int] = set()
        for way in ways_of(dice):
            if not fits(hop, sum(way)):
                continue
            points = [hop.source - sum(way[: i + 1]) for i in range(len(way))]
            bad = [point for point in points if point > 0 and opp[25 - point] > 1]
            if not bad:
                closed = set()
                break
            closed.add(bad[0])
        if closed:
            return " and ".join(f"point {point} is blocked by {opp[25 - point]} checkers" for point in sorted(closed))
    return ""


def not_home(own: list[int], opp: list[int], dice: Dice, hops: Sequence[Move]) -> str:
    """A checker is borne off while others are outside."""
    if not any(hop.target == 0 for hop in hops):
        return ""
    for point in range(25, 6, -1):
        left = own[point] - sum(hop.source == point for hop in hops) + sum(hop.target == point for hop in hops)
        if left > 0:
            return f"no checker may be borne off while one is on {point_name(point)}"
    return ""


def overshoot(own: list[int], opp: list[int], dice: Dice, hops: Sequence[Move]) -> str:
    """A checker is borne off with a larger die from below another one."""
    for hop in hops:
        # With a die of its own distance, or moved down first, the checker may go.
        if hop.target or hop.source > 6 or any(sum(way) == hop.source for way in ways_of(dice)):
            continue
        behind = [p for p in range(6, hop.source, -1) if own[p] > sum(h.source == p for h in hops)]
        if behind:
            return f"a larger die bears off from the highest point only, and there is a checker on {behind[0]}"
    return ""


REASONS = {
    not_yours: IllegalReason.NOT_YOUR_CHECKER,
    bar_first: IllegalReason.BAR_FIRST,
    die_not_rolled: IllegalReason.DIE_NOT_ROLLED,
    blocked: IllegalReason.POINT_BLOCKED,
    not_home: IllegalReason.NOT_ALL_HOME,
    overshoot: IllegalReason.OVERSHOOT,
}
