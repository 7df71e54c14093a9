"""Backgammon's rules of movement, one by one, and what a program that breaks one of them would answer.

`results` is a plain enumerator with switches.  A model switches one rule off or turns it into a mistake that programs
make; `RULES` names the rules, `MODELS` says which switch breaks which.  Slow: only asked about answers that are wrong.

A board is a tuple of 26 ints seen by the player who moves, as `Position.board`.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["MODELS", "RULES", "Board", "Model", "results"]

Board = tuple[int, ...]
State = tuple[Board, int]  # a board, and the point on which the last move hit (0: none), which one model looks at
BAR = 25

RULES: dict[str, str] = {
    "both dice": "Both dice must be played if they can be; of a double, as many of the four as can be.",
    "larger die": "If either die can be played but not both, it must be the larger.",
    "order of the dice": "The dice may be played in either order, by the same checker or by two.",
    "doubles": "A double is played four times.",
    "bar": "A checker on the bar must enter before any other may move, on the point that the die counts from 25.",
    "closed points": "A point with two or more opposing checkers is closed; any other is open.",
    "hits": "A checker that lands on a blot sends it to the bar.",
    "hits on the way": "A checker that stops over on a blot between two dice hits it too.",
    "all home": "No checker may be borne off while another is outside the home board or on the bar.",
    "bear-off": "A die bears off from its point; a larger die bears off from the highest point only, and a checker may "
    "be moved inside instead.",
    "last checker": "Both dice are played even if one of them alone would bear off the last checker.",
    "no play": "Who cannot move passes, and who can must.",
    "game over": "A finished game has no legal plays.",
    "distinct plays": "Each final position is one play, however it is reached.",
}
"""The rules of movement by name."""


class Model(NamedTuple):
    """A mistake, and the rule that it breaks."""

    switch: str
    rule: str
    why: str


MODELS: tuple[Model, ...] = (
    Model("any of both", "larger die", "the smaller die is allowed where it must be the larger"),
    Model("smaller", "larger die", "the smaller die is demanded where it must be the larger"),
    Model(
        "win stops", "last checker", "a die that bears off the last checker ends the turn before the other is played"
    ),
    Model("no look-ahead", "both dice", "a die is played without asking whether the others can be played after it"),
    Model("any part", "both dice", "a part of the dice may be played where all can be"),
    Model("may stop", "both dice", "the turn may end after one die"),
    Model("larger first", "order of the dice", "the larger die is always played first"),
    Model("smaller first", "order of the dice", "the smaller die is always played first"),
    Model("dead die", "order of the dice", "a die with no move at first is never tried after the other"),
    Model("two moves", "doubles", "a double is played twice"),
    Model("three moves", "doubles", "a double is played three times"),
    Model("one checker", "doubles", "a double is played with one checker only"),
    Model("bar waits", "bar", "other checkers may move while one is on the bar"),
    Model("bar mirrored", "bar", "a checker enters in the wrong home board"),
    Model("blot closed", "closed points", "a point with a single opposing checker is taken for closed"),
    Model("nothing closed", "closed points", "a point with several opposing checkers is taken for open"),
    Model("mirrored point", "closed points", "whether a point is closed is asked of the mirrored point"),
    Model("hit vanishes", "hits", "a checker that is hit leaves the board and does not come to the bar"),
    Model("no way hit", "hits on the way", "a blot on which a checker stops over is not hit"),
    Model("home ignored", "all home", "checkers are borne off while others are outside the home board"),
    Model("home without 24", "all home", "the home test overlooks the 24 point"),
    Model("home without bar", "all home", "the home test overlooks the bar"),
    Model("home at first", "all home", "whether all are home is asked at the beginning of the turn only"),
    Model("off from any", "bear-off", "a larger die bears off from any point"),
    Model("off exact", "bear-off", "a larger die never bears off"),
    Model("off forced", "bear-off", "no checker may move inside where one can be borne off"),
    Model("may pass", "no play", "the player may leave his roll unplayed"),
)
"""The mistakes that are known, those that break less first."""


def results(board: Board, roll: tuple[int, int], wrong: str = "") -> frozenset[Board]:
    """The final boards of all legal plays, seen by the player who moved.

    Parameters
    ----------
    board : tuple of 26 int
    roll : (int, int)
    wrong : str
        The switch of a model, or "" for the rules as they are.

    Returns
    -------
    frozenset of tuple
        Empty if there is no legal play.
    """
    if is_over(board):
        return frozenset()
    ends: dict[tuple[int, int], set[Board]] = {}
    for dice in _orders(board, roll, wrong):
        _play(board, dice, wrong, ends)
    most = max(used for used, _ in ends)
    if wrong == "win stops":
        legal = _kept(ends, most, roll, wrong) | {b for found in ends.values() for b in found if max(b) <= 0}
    elif wrong in ("any part", "no look-ahead"):
        legal = set().union(*(found for (used, _), found in ends.items() if used))
    else:
        legal = _kept(ends, most, roll, wrong)
    if wrong == "may stop":
        legal = legal.union(*(found for (used, _), found in ends.items() if used == 1))
    if wrong == "may pass":
        legal = legal | {board}
    return frozenset(legal)


def is_over(board: Board) -> bool:
    """Whether one side has no checker left."""
    return max(board) <= 0 or min(board) >= 0


def _kept(ends: dict[tuple[int, int], set[Board]], most: int, roll: tuple[int, int], wrong: str) -> set[Board]:
    """What the rules of both dice and of the larger die leave."""
    if most == 0:
        return set()
    firsts = [first for used, first in ends if used == most]
    if most == 1 and roll[0] != roll[1] and wrong != "any of both":
        firsts = [min(firsts) if wrong == "smaller" else max(firsts)]
    return set().union(*(ends[most, first] for first in firsts))


def _orders(board: Board, roll: tuple[int, int], wrong: str) -> list[tuple[int, ...]]:
    larger, smaller = max(roll), min(roll)
    if larger == smaller:
        return [(larger,) * {"two moves": 2, "three moves": 3}.get(wrong, 4)]
    if wrong == "larger first":
        return [(larger, smaller), (smaller,)]
    if wrong == "smaller first":
        return [(smaller, larger), (larger,)]
    if wrong == "dead die":
        alive = [die for die in (larger, smaller) if _moves((board, 0), die, wrong, _at_home(board, wrong))]
        return [(larger, smaller), (smaller, larger)] if len(alive) == 2 else [tuple(alive)]
    return [(larger, smaller), (smaller, larger)]


def _play(board: Board, dice: tuple[int, ...], wrong: str, ends: dict[tuple[int, int], set[Board]]) -> None:
    """Note every board at which playing the dice in this order can end, by how many were played and the first."""
    home_at_first = _at_home(board, wrong)
    level: set[State] = {(board, 0)}
    for used in range(len(dice) + 1):
        further: set[State] = set()
        for state in level:
            after = set()
            if used < len(dice) and not is_over(state[0]):
                after = _after(state, dice[used], wrong, home_at_first)
                if used and wrong == "one checker" and len(dice) > 2:
                    after = {(b, last) for b, last in after if _is_one_checker(board, b)}
            further |= after
            if not after or wrong in ("any part", "may stop"):
                ends.setdefault((used, dice[0] if used else 0), set()).add(state[0])
        level = further


def _is_one_checker(before: Board, after: Board) -> bool:
    """Whether the second board differs by a single checker of the player who moved."""
    return sum(max(0, max(a, 0) - max(b, 0)) for a, b in zip(before, after, strict=True)) <= 1


def _after(state: State, die: int, wrong: str, home_at_first: bool) -> set[State]:
    return {_move(state, source, target, wrong) for source, target in _moves(state, die, wrong, home_at_first)}


def _at_home(board: Board, wrong: str) -> bool:
    """Whether bearing off is allowed."""
    outside = board[7:]
    if wrong == "home ignored":
        return True
    if wrong == "home without 24":
        outside = (*board[7:24], board[BAR])
    if wrong == "home without bar":
        outside = board[7:BAR]
    return max(outside) <= 0


def _moves(state: State, die: int, wrong: str, home_at_first: bool) -> list[tuple[int, int]]:
    board = state[0]
    home = home_at_first if wrong == "home at first" else _at_home(board, wrong)
    found = []
    for source in range(1, 26):
        if board[source] <= 0 or (board[BAR] and source != BAR and wrong not in ("bar waits", "home without bar")):
            continue
        if board[BAR] and source != BAR and wrong == "home without bar" and source > die:
            continue
        if source > die:
            target = die if wrong == "bar mirrored" and source == BAR else source - die
            if not _closed(board, target, wrong):
                found.append((source, target))
        elif home and _bears_off(board, source, die, wrong):
            found.append((source, 0))
    if wrong == "off forced" and any(target == 0 for _, target in found):
        found = [(source, target) for source, target in found if target == 0]
    return found


def _closed(board: Board, point: int, wrong: str) -> bool:
    if wrong == "nothing closed":
        return False
    if wrong == "mirrored point":
        point = 25 - point
    return board[point] < (0 if wrong == "blot closed" else -1)


def _bears_off(board: Board, source: int, die: int, wrong: str) -> bool:
    if source == die or wrong == "off from any":
        return True
    return wrong != "off exact" and max(board[source + 1 :]) <= 0


def _move(state: State, source: int, target: int, wrong: str) -> State:
    before, hit = state
    board = list(before)
    board[source] -= 1
    if source == hit and wrong == "no way hit":
        board[source], board[0] = -1, board[0] + 1  # as if it had not been touched
    if target == 0:
        return tuple(board), 0
    if board[target] >= 0:
        board[target] += 1
        return tuple(board), 0
    if wrong != "hit vanishes":
        board[0] += board[target]
    board[target] = 1
    return tuple(board), target if wrong == "no way hit" else 0
