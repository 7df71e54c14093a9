"""The core turn rule (variants.md §1, clarification 2) by brute force over sequences of single steps.

A family says which single steps are legal; everything here is the same for all of them.  What a family must remember
within a turn (checkers entered, the head used, …) is its `memo`, any hashable value.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import NamedTuple

from naive.variants import primes
from naive.variants.board import BAR, HOME, OFF, OPPONENTS_NUMBER, Board, moved, with_flag
from naive.variants.games import Game


class Node(NamedTuple):
    """A position within a turn."""

    board: Board
    memo: Hashable


class Play(NamedTuple):
    """Where a sequence of steps ends, and the dice it used (sorted; the order does not matter any more)."""

    board: Board
    used: tuple[int, ...]


class Family:
    """The single steps of a family of games; this one has no contact and no restriction on sources."""

    def begin(self, game: Game, board: Board, dice: tuple[int, ...], context: int) -> Hashable:
        """What is remembered when the turn starts; `dice` are all the steps that the roll gives."""
        return None

    def sources(self, game: Game, node: Node) -> list[int]:
        """The points (or the bar) from which a checker may move now."""
        own = node.board.own
        return [p for p in range(1, 25) if own[p]]

    def may_land(self, game: Game, node: Node, source: int, target: int) -> bool:
        """Whether the point is open to the mover: fewer than `block_at` opposing checkers (§1)."""
        return node.board.opp[OPPONENTS_NUMBER[game.geometry][target]] < game.block_at

    def may_bear_off(self, game: Game, node: Node, source: int, die: int) -> bool:
        """The core bear-off rule (§1)."""
        own = node.board.own
        if any(own[HOME + 1 :]):
            return False
        return source == die or (source < die and not any(own[source + 1 :]))

    def after(self, game: Game, node: Node, source: int, target: int) -> Node:
        """The position once the step is made."""
        own, opp, own_pinned, opp_pinned = node.board
        return Node(Board(moved(own, source, target), opp, own_pinned, opp_pinned), node.memo)

    def steps(self, game: Game, node: Node, die: int) -> Iterator[Node]:
        """Every legal single step with the die."""
        for source in self.sources(game, node):
            target = source - die
            if target > 0:
                if self.may_land(game, node, source, target):
                    yield self.after(game, node, source, target)
            elif self.may_bear_off(game, node, source, die):
                yield self.after(game, node, source, OFF)

    def duty(self, game: Game, before: Board, plays: set[Play]) -> set[Play]:
        """The last filter, over the plays that are left (Fevga's unblock duty)."""
        return plays


def hit(game: Game, board: Board, point: int) -> Board:
    """A lone opposing checker on my point goes to its bar (§1); nothing if there is none."""
    there = OPPONENTS_NUMBER[game.geometry][point]
    if board.opp[there]:
        return board._replace(opp=moved(board.opp, there, BAR))
    return board


def pin(game: Game, board: Board, source: int, target: int) -> Board:
    """The pins after my checker went from source to target, which is made already (§4)."""
    number = OPPONENTS_NUMBER[game.geometry]
    pins = board.opp_pinned
    if not board.own[source]:
        pins = with_flag(pins, number[source], 0)
    if target and board.opp[number[target]]:
        pins = with_flag(pins, number[target], 1)
    return board._replace(opp_pinned=pins)


def all_steps(game: Game, roll: tuple[int, int], context: int = 0) -> tuple[int, ...]:
    """The steps that a roll gives (§1 `doubles`, §7.4, §10; clarification 4 for `context`)."""
    a, b = roll
    if game.doubles == "cascade" and context:
        if a != b or not 1 <= context <= 4:
            raise ValueError("a sub-roll has one to four equal dice")
        return (a,) * context
    if a != b:
        return (a, b)
    return (a,) * {"x4": 4, "cascade": 4, "x2": 2, "n_times": a}[game.doubles]


def sequences(family: Family, game: Game, start: Node, dice: tuple[int, ...]) -> set[Play]:
    """Where every non-empty sequence of legal steps ends, in any order of the dice and stopping anywhere.

    With `prime_check=step` a step that leads to a forbidden position is no step (clarification 8).
    """
    found: set[Play] = set()
    seen: set[tuple[Node, tuple[int, ...]]] = set()

    def walk(node: Node, left: tuple[int, ...], used: tuple[int, ...]) -> None:
        for die in set(left):
            i = left.index(die)
            left_now = left[:i] + left[i + 1 :]
            used_now = tuple(sorted((*used, die)))
            for following in family.steps(game, node, die):
                if (following, left_now) in seen:
                    continue  # been here with the same dice to play: nothing new can follow
                if game.prime_check == "step" and not primes.allowed(game, following.board):
                    continue
                seen.add((following, left_now))
                found.add(Play(following.board, used_now))
                walk(following, left_now, used_now)

    walk(start, dice, ())
    return found


def legal_plays(family: Family, game: Game, start: Node, dice: tuple[int, ...]) -> set[Play]:
    """The sequences of clarification 2: filters, most dice, larger die, then the duty."""
    plays = sequences(family, game, start, dice)
    for n in range(len(dice), 0, -1):
        left = {play for play in plays if len(play.used) == n and primes.allowed(game, play.board)}
        if left:
            break
    else:
        return set()
    if n == 1 and len(set(dice)) == 2 and game.larger_die:
        left = {play for play in left if play.used == (max(dice),)} or left
    return family.duty(game, start.board, left)
