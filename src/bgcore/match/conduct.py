"""How people behave at the board: one value that holds every option, and the decisions it makes.

Nothing here watches a board or a clock.  What has happened comes in as plain values, what follows goes out as plain
values: a verdict, or an action that the state of the match understands.  `Turn` puts the decisions about one turn into
their order.

Source: variants.md §13: the user's rule texts, and federation rules as far as they could be read (US 2008 and 2013,
unified clock rules 2001, UKBGF, WBGF 2.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Literal, NamedTuple, get_args

from bgcore.errors import FormatError, RuleError
from bgcore.match.actions import Forfeit, Ruling
from bgcore.match.clock import Clock, ClockRules, check_ms
from bgcore.match.opening import Player, check_player

__all__ = [
    "DIGITAL",
    "FLAG",
    "LATE",
    "NOT_REVEALED",
    "TAVLI",
    "TOURNAMENT",
    "Completion",
    "ConductRules",
    "Throw",
    "Verdict",
    "VerdictKind",
]

Equipment = Literal["cup_or_box", "cup", "baffle_box", "hand", "server"]
Completion = Literal["lift_dice", "press_clock", "confirm", "announce"]
IllegalPlayRule = Literal["legal_moves", "responsible_moves", "opponent_may_refuse", "next_play", "reject"]

FLAG = "flag"
"""Reason of a forfeit: the time is used up."""
LATE = "late arrival"
"""Reason of a forfeit: a player came late."""
NOT_REVEALED = "commitment not revealed"
"""Reason of a forfeit: a player committed himself to a secret for the dice, and did not reveal it."""


class VerdictKind(StrEnum):
    """What becomes of a throw."""

    VALID = "valid"
    """It is to be played."""
    COCKED = "cocked"
    """It does not count; both dice are thrown again."""
    MAY_DEMAND = "opponent may demand a re-roll"
    """It is to be played unless the opponent demands another one."""


class Throw(NamedTuple):
    """Two dice as they fell."""

    dice: tuple[int, int]
    """In the order thrown."""
    flat: tuple[bool, bool] = (True, True)
    """Whether each lies flat; one that leans on something does not."""
    on_board: tuple[bool, bool] = (True, True)
    """Whether each lies on the playing surface: not on the rim, the bar or the floor."""
    right_side: tuple[bool, bool] = (True, True)
    """Whether each lies on the half to the right of the bar, as the roller sees it."""
    on_checker: tuple[bool, bool] = (False, False)
    """Whether each lies on top of a checker."""
    together: bool = True
    """Whether both were thrown at once."""
    shaken: bool = True
    """Whether they were shaken well before."""
    by: Equipment = "cup"
    """What they were thrown with; never "cup_or_box"."""


class Verdict(NamedTuple):
    """What becomes of a throw, and why."""

    kind: VerdictKind
    reason: str = ""
    warning: bool = False
    """The roller is warned: the throw counts, the next careless one can be demanded again."""


@dataclass(frozen=True, slots=True)
class ConductRules:
    """How a match is conducted.

    Parameters
    ----------
    equipment : {"cup_or_box", "cup", "baffle_box", "hand", "server"}
        What the dice are thrown with; anything else is careless.  "server": they are rolled by a platform, always well.
    on_checker : {"cocked", "valid"}
        A die that lies flat on a checker.
    wrong_side : {"cocked", "opponent_may_demand"}
        A die left of the bar, as the roller sees it.
    careless : {"warn_then_demand", "ignore"}
        Dice that are not shaken well, not thrown together, or thrown with the wrong thing: one warning, from then on
        the opponent may demand another throw.
    premature_roll : {"stands", "reroll", "opponent_chooses"}
        Dice thrown before the opponent has completed his play: they stand, and he may go on knowing them; they do not
        count; he chooses.
    premature_cube : {"stands", "void"}
        The cube offered before the opponent has completed his play.
    touch_move : bool
        A checker that was moved stays moved: nothing is taken back, even before completion.
    completion : {"lift_dice", "press_clock", "confirm", "announce"} or None
        What completes a play and makes it irrevocable.  None: pressing the clock where there is one, else lifting the
        dice.
    illegal_play : {"legal_moves", "responsible_moves", "opponent_may_refuse", "next_play", "reject"}
        An illegal play that was completed.  "legal_moves": whoever notices has it corrected, until the opponent's next
        valid roll or double.  "responsible_moves" and "opponent_may_refuse", two texts' names for the same: until then
        the opponent may have it corrected or let it stand.  "next_play": whoever notices has it corrected until the
        opponent's next play is completed, whose roll is then withdrawn.  "reject": it can't be completed.
    clock : ClockRules or None
    flag : {"lose_match", "lose_game", "penalty_points"}
        What a fallen flag costs.
    flag_points : int
        With "penalty_points".
    late_after_ms, late_step_ms : int
        A player who is later than the first gives a penalty point, and another one for each further step.
    late_points : int
        Penalty points of each step.
    late_loses : bool
        Whether more penalty points than half of the match length lose the match.

    Raises
    ------
    RuleError
        Values that do not exist.

    Notes
    -----
    Spectators are silent and there are no aids under every text, so these are no options; nor is the order bar first,
    which belongs to the rules of the game, nor the void offer in the Crawford game (`void_offer`).

    Examples
    --------
    >>> rules = ConductRules(wrong_side="opponent_may_demand")
    >>> rules.judge(Throw((6, 4), right_side=(True, False))).kind.name
    'MAY_DEMAND'
    """

    equipment: Equipment = "cup_or_box"
    on_checker: Literal["cocked", "valid"] = "cocked"
    wrong_side: Literal["cocked", "opponent_may_demand"] = "cocked"
    careless: Literal["warn_then_demand", "ignore"] = "warn_then_demand"
    premature_roll: Literal["stands", "reroll", "opponent_chooses"] = "stands"
    premature_cube: Literal["stands", "void"] = "stands"
    touch_move: bool = False
    completion: Completion | None = None
    illegal_play: IllegalPlayRule = "legal_moves"
    clock: ClockRules | None = None
    flag: Literal["lose_match", "lose_game", "penalty_points"] = "lose_match"
    flag_points: int = 1
    late_after_ms: int = 300_000
    late_step_ms: int = 300_000
    late_points: int = 1
    late_loses: bool = True

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise RuleError(f"{name} is one of {', '.join(map(repr, choices))}, not {getattr(self, name)!r}")
        for name in ("touch_move", "late_loses"):
            if type(getattr(self, name)) is not bool:
                raise RuleError(f"{name} is True or False, not {getattr(self, name)!r}")
        for name in ("flag_points", "late_points"):
            points = getattr(self, name)
            if type(points) is not int or points < 1:
                raise RuleError(f"{name} is a number of points from 1 on, not {points!r}")
        check_ms(self.late_after_ms, "late_after_ms")
        if check_ms(self.late_step_ms, "late_step_ms") == 0:
            raise RuleError("late_step_ms is more than 0: each step gives another point")
        if self.clock is not None and not isinstance(self.clock, ClockRules):
            raise TypeError(f"clock is a ClockRules or None, not {type(self.clock).__name__}")
        if self.clock is None and self.completion == "press_clock":
            raise RuleError("a play can't be completed by pressing the clock where there is none")

    # ---- throws

    def judge(self, throw: Throw, *, warned: bool = False) -> Verdict:
        """What becomes of a throw.

        Parameters
        ----------
        throw : Throw
        warned : bool
            Whether the roller has had his warning.

        Returns
        -------
        Verdict
        """
        if self.equipment == "server":
            return Verdict(VerdictKind.VALID)
        if not all(throw.on_board):
            return Verdict(VerdictKind.COCKED, "a die left the playing surface")
        if not all(throw.flat):
            return Verdict(VerdictKind.COCKED, "a die does not lie flat")
        if any(throw.on_checker) and self.on_checker == "cocked":
            return Verdict(VerdictKind.COCKED, "a die lies on a checker")
        wrong_side = not all(throw.right_side)
        if wrong_side and self.wrong_side == "cocked":
            return Verdict(VerdictKind.COCKED, "a die lies on the wrong side")
        careless = self._carelessness(throw)
        if careless and warned:
            return Verdict(VerdictKind.MAY_DEMAND, careless)
        if wrong_side:
            return Verdict(VerdictKind.MAY_DEMAND, "a die lies on the wrong side", warning=bool(careless))
        return Verdict(VerdictKind.VALID, careless, warning=bool(careless))

    def _carelessness(self, throw: Throw) -> str:
        """What was careless; empty: nothing, or nobody minds."""
        if self.careless == "ignore":
            return ""
        if not throw.together:
            return "the dice were not thrown together"
        if not throw.shaken:
            return "the dice were not shaken"
        allowed = ("cup", "baffle_box") if self.equipment == "cup_or_box" else (self.equipment,)
        if throw.by not in allowed:
            return f"the dice were thrown with: {throw.by}, not {' or '.join(allowed)}".replace("_", " ")
        return ""

    # ---- plays

    @property
    def completed_by(self) -> Completion:
        """What completes a play."""
        if self.completion is not None:
            return self.completion
        return "lift_dice" if self.clock is None else "press_clock"

    def corrected_by(self, noticed_by: Player, player: Player) -> bool:
        """Whether somebody who notices a player's illegal play in time can have it corrected."""
        check_player(player)
        if self.illegal_play in ("responsible_moves", "opponent_may_refuse"):
            return check_player(noticed_by) != player
        return self.illegal_play != "reject"

    # ---- what is lost off the board

    def flag_forfeit(self, player: Player) -> Forfeit:
        """What a fallen flag costs its player."""
        if self.flag == "penalty_points":
            return Forfeit(player, "points", self.flag_points, FLAG)
        return Forfeit(player, "game" if self.flag == "lose_game" else "match", None, FLAG)

    def judge_clock(self, clock: Clock, at: int) -> Forfeit | None:
        """The forfeit that follows from the clock at this time of day; None: no flag has fallen."""
        fallen = clock.flag(at)
        return None if fallen is None else self.flag_forfeit(fallen)

    def late_arrival(self, player: Player, late_ms: int, length: int) -> Forfeit | None:
        """What coming late costs; None: nothing.

        Parameters
        ----------
        player : 0 or 1
            Who came late.
        late_ms : int
            By how many milliseconds.
        length : int
            Of the match; in money play (0) there are points only.

        Examples
        --------
        >>> TOURNAMENT.late_arrival(1, 600_000, 7)
        Forfeit(1, 'points', 2, 'late arrival')
        """
        if check_ms(late_ms, "late_ms") < self.late_after_ms:
            return None
        points = self.late_points * (1 + (late_ms - self.late_after_ms) // self.late_step_ms)
        if self.late_loses and length and 2 * points > length:
            return Forfeit(player, "match", None, LATE)
        return Forfeit(player, "points", points, LATE)

    def unrevealed(self, player: Player) -> Forfeit:
        """What not revealing a secret for the dice costs: the match, since the refuser may have seen the roll."""
        return Forfeit(player, "match", None, NOT_REVEALED)

    # ---- JSON

    def to_json(self) -> dict[str, Any]:
        """The rules as plain values, which `from_json` reads."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return values | {"clock": None if self.clock is None else self.clock.to_json()}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> ConductRules:
        """The rules that `to_json` has written.

        Raises
        ------
        FormatError
            They are none.
        """
        try:
            values = dict(data)
            if values.get("clock") is not None:
                values["clock"] = ClockRules(**values["clock"])
            return ConductRules(**values)
        except (TypeError, ValueError) as error:
            raise FormatError(f"no rules of conduct: {error}", field="conduct") from None


CHOICES: dict[str, tuple[object, ...]] = {
    "equipment": get_args(Equipment),
    "on_checker": ("cocked", "valid"),
    "wrong_side": ("cocked", "opponent_may_demand"),
    "careless": ("warn_then_demand", "ignore"),
    "premature_roll": ("stands", "reroll", "opponent_chooses"),
    "premature_cube": ("stands", "void"),
    "completion": (*get_args(Completion), None),
    "illegal_play": get_args(IllegalPlayRule),
    "flag": ("lose_match", "lose_game", "penalty_points"),
}

TOURNAMENT = ConductRules()
"""The defaults: legal moves, cocked dice left of the bar or on a checker, a premature roll stands."""
DIGITAL = ConductRules(equipment="server", completion="confirm", illegal_play="reject", premature_roll="reroll")
"""A platform: it rolls, refuses what is illegal, and a confirmed play is irrevocable."""
TAVLI = ConductRules(
    equipment="hand", wrong_side="opponent_may_demand", on_checker="valid", premature_roll="reroll",
    illegal_play="opponent_may_refuse",
)  # fmt: skip
"""Tavli at the café table: dice from the hand, a premature roll does not count, the opponent may refuse a play."""


def void_offer(score: tuple[int, int], *, winner: Player | None = None, points: int = 0, cube: int = 1) -> Ruling:
    """The correction after an offer in the Crawford game, where every offer is void.

    Parameters
    ----------
    score : (int, int)
        As it stands, the game's points included where it is over.
    winner : 0, 1 or None
        Who has won the game; None: it goes on, with a centred cube at 1.
    points : int
        What the game has paid him.
    cube : int
        The value it was paid at.

    Returns
    -------
    Ruling
        The score as if nobody had doubled.  (Found at once, nothing has to be done: a state refuses the offer.)

    Raises
    ------
    RuleError
        Points that the cube can't have paid.

    Notes
    -----
    A ruling of the Danish federation that bkgm.com quotes (variants.md §12).

    Examples
    --------
    >>> void_offer((4, 4), winner=1, points=4, cube=2).score
    (4, 2)
    """
    reason = "an offer in the Crawford game is void"
    if winner is None:
        return Ruling(reason, cube=(1, None))
    check_player(winner)
    if cube < 1 or points < 1 or points % cube or score[winner] < points:
        raise RuleError(f"a game with a cube of {cube} can't have paid player {winner} {points} points of {score}")
    corrected = list(score)
    corrected[winner] -= points - points // cube
    return Ruling(reason, score=(corrected[0], corrected[1]))
