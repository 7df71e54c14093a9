"""Rolls and finished games that tell programs apart: some backgammon program gives another answer than the rules."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["ENDINGS", "TRAPS", "Ending", "Trap"]


class Trap(NamedTuple):
    """A position, a roll (larger die first), how many legal plays it has, the case and the rule."""

    position_id: str
    dice: tuple[int, int]
    plays: int
    why: str
    group: str


class Ending(NamedTuple):
    """A finished game, won by the player whose last checker is off: what the other one has left, and the points."""

    left: dict[int, int]  # point as the winner counts (0 = the loser's bar): checkers
    points: int
    why: str


ENDINGS = (
    Ending({24: 14}, 1, "the loser has one checker off"),
    Ending({24: 14, 18: 1}, 2, "none off, one outside both home boards"),
    Ending({24: 14, 6: 1}, 3, "none off, one in the winner's home board"),
    Ending({24: 14, 0: 1}, 3, "none off, one on the bar"),
)

TRAPS = (
    Trap("+w0IgDF+RwAAAA", (4, 1), 1, "both dice can be played, so a play of one die is illegal", "both dice"),
    Trap("ttsgBwBv3wQAIA", (5, 4), 1, "either die can be played but not both, so it must be the larger", "larger die"),
    Trap(
        "d9sOAAACAAAAAA",
        (2, 1),
        1,
        "the last checker is borne off by one die or by both: a win, not a pass",
        "bear-off",
    ),
    Trap(
        "d9sGACAIAAAAAA", (4, 3), 1, "the last checker can hit with one die and bear off with the other", "last checker"
    ),
    Trap("/74AAIDzNwAAAA", (2, 2), 6, "a double that moves inside and bears off", "bear-off"),
    Trap("71+AABCzvQMAAA", (2, 2), 38, "a double that hits, moves inside and bears off", "bear-off"),
    Trap("/zsAICD+XAMAAA", (3, 3), 10, "a double that bears off its highest checkers on the way", "bear-off"),
    Trap("v7MJCABv1gAAAA", (3, 3), 8, "the same without contact at home", "bear-off"),
    Trap("70hECkiffwUAAA", (6, 5), 1, "each die bears off the highest checker, in either order", "bear-off"),
    Trap(
        "PUDA4UPfzgUAAA",
        (6, 1),
        4,
        "the small die inside, then the large one bears off the same checker",
        "order of the dice",
    ),
    Trap("7wYBkDH+PgEAAA", (4, 2), 1, "the same, and the only play that uses both dice", "both dice"),
    Trap("P3cAgCF+fwAAAA", (4, 3), 1, "both dice bear off from one point, in either order", "bear-off"),
    Trap("dx8EADi+2wMAAA", (2, 1), 8, "several plays that bear off one checker", "bear-off"),
)
