"""The chess clock of a match: reserves, delays, who presses, and when a flag has fallen.

All times are integer milliseconds.  The time of day comes in as an argument, on any scale that does not run backwards,
and is never read from the machine: so a clock is a frozen value that can be replayed.

A *segment* is one player's thinking time from the press that starts his clock to the press that ends it; pauses between
them do not count.  With t the segment, r the reserve before it and k the delay (variants.md §13):

=============  ==================================  =======================
kind           reserve after the segment           the flag has fallen if
=============  ==================================  =======================
`plain`        r - t                               t > r
`delay`        r - max(0, t - k)                   t > r + k
`bronstein`    r - t + min(t, k)                   t > r
`fischer`      r - t + k                           t > r
=============  ==================================  =======================

With exactly nothing left the flag has not fallen.

Sources: US clock rules 2013, UK Backgammon Federation, unified clock rules 2001, as variants.md §13 quotes them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from bgcore.errors import RuleError
from bgcore.match.opening import Player, check_player, other

__all__ = ["CLOCK_KINDS", "UK", "UNIFIED_2001", "US", "US_DOUBLES", "Clock", "ClockKind", "ClockRules"]

ClockKind = Literal["plain", "delay", "bronstein", "fischer"]
CLOCK_KINDS: tuple[ClockKind, ...] = ("plain", "delay", "bronstein", "fischer")
"""Clocks that there are; a match without one has None."""

MINUTE = 60_000


@dataclass(frozen=True, slots=True)
class ClockRules:
    """How much time a match gives.

    Parameters
    ----------
    kind : {"delay", "bronstein", "fischer", "plain"}
    delay_ms : int
        Milliseconds of each segment that are free ("delay"), given back ("bronstein") or added ("fischer"); 0 for
        "plain".
    per_point_ms : int
        Reserve of each player for each point of the match length.
    less_per_point_ms : int
        Taken off for each point that either has scored when the clocks come in.
    extra_ms : int
        Reserve on top; all of it in a money session.

    Raises
    ------
    RuleError
        No such kind, a time that is no integer from 0 on, a delay with "plain".

    Examples
    --------
    >>> US.reserve(11, (0, 0)) // 60_000, US.reserve(11, (3, 4)) // 60_000
    (22, 15)
    """

    kind: ClockKind = "delay"
    delay_ms: int = 12_000
    per_point_ms: int = 2 * MINUTE
    less_per_point_ms: int = MINUTE
    extra_ms: int = 0

    def __post_init__(self) -> None:
        if self.kind not in CLOCK_KINDS:
            raise RuleError(f"a clock is one of {', '.join(CLOCK_KINDS)}, not {self.kind!r}; no clock is None")
        for name in ("delay_ms", "per_point_ms", "less_per_point_ms", "extra_ms"):
            check_ms(getattr(self, name), name)
        if self.kind == "plain" and self.delay_ms:
            raise RuleError(f"a plain clock has no delay: delay_ms is 0, not {self.delay_ms}")

    def reserve(self, length: int, score: tuple[int, int] = (0, 0)) -> int:
        """What each player has when the clocks come in, in milliseconds; never below 0.

        Parameters
        ----------
        length : int
            Of the match; 0 for money, where only `extra_ms` counts.
        score : (int, int)
            Points so far.
        """
        scored = sum(score) if length else 0
        return max(0, self.per_point_ms * length - self.less_per_point_ms * scored + self.extra_ms)

    def start(self, length: int, score: tuple[int, int] = (0, 0)) -> Clock:
        """A stopped clock with the reserve of both players on it."""
        reserve = self.reserve(length, score)
        return Clock(self, (reserve, reserve))

    def to_json(self) -> dict[str, Any]:
        """The rules as plain values, which ``ClockRules(**values)`` reads."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock at one moment.

    Made by `ClockRules.start`; `start`, `press`, `stop` and `at` return the clock after that.

    Parameters
    ----------
    rules : ClockRules
    left : (int, int)
        Reserve of player 0 and player 1 in milliseconds, as it was when the running segment began.
    running : 0, 1 or None
        Whose time runs.
    since : int or None
        The time of day from which it runs.
    spent : int
        Milliseconds of the segment from before a pause.
    owner : 0, 1 or None
        Whose segment it is; it stays during a pause.
    fallen : 0, 1 or None
        Whose flag has fallen.  Nothing changes such a clock any more.

    Examples
    --------
    >>> clock = Clock(ClockRules(delay_ms=12_000), (60_000, 60_000)).start(0, at=0)
    >>> clock.press(0, at=20_000).left
    (52000, 60000)
    >>> clock.press(0, at=72_000).fallen is None, clock.press(0, at=72_001).fallen
    (True, 0)
    """

    rules: ClockRules
    left: tuple[int, int]
    running: Player | None = None
    since: int | None = None
    spent: int = 0
    owner: Player | None = None
    fallen: Player | None = None

    def __post_init__(self) -> None:
        for ms in self.left:
            check_ms(ms, "left")

    # ---- what people do

    def start(self, player: Player, at: int) -> Clock:
        """Start a player's time: the loser of the opening roll starts the winner's, or play goes on after a pause.

        Raises
        ------
        RuleError
            It runs already, a flag has fallen, or after a pause it is the other one's segment.
        """
        self._check_going()
        check_player(player)
        if self.running is not None:
            raise RuleError(f"player {self.running}'s time runs already; press() ends it")
        if self.owner not in (None, player):
            raise RuleError(f"the clock was stopped in player {self.owner}'s time, so that is what goes on")
        return replace(self, running=player, owner=player, since=_check_at(at, self.since))

    def press(self, player: Player, at: int) -> Clock:
        """A player ends his segment, which starts the opponent's.

        If his flag has fallen, it says so, with nothing left on his side, and both stand still.

        Raises
        ------
        RuleError
            It is not his time that runs; the time of day runs backwards; a flag has fallen before.
        """
        self._check_going()
        if self.running != check_player(player):
            now = "nobody's" if self.running is None else f"player {self.running}'s"
            raise RuleError(f"player {player} can't press: it is {now} time that runs")
        if self.flag(at) is not None:
            return self._fall(at)
        t = self._segment(at)
        return replace(
            self, left=_with(self.left, player, self._after(t)), running=other(player), since=at, spent=0,
            owner=other(player),
        )  # fmt: skip

    def stop(self, at: int) -> Clock:
        """Pause: the segment goes on where it was when the same player's time is started again.

        Raises
        ------
        RuleError
            Nothing runs; the time of day runs backwards; a flag has fallen before.
        """
        self._check_going()
        if self.running is None:
            raise RuleError("the clock stands already")
        if self.flag(at) is not None:
            return self._fall(at)
        return replace(self, running=None, since=at, spent=self._segment(at))

    def end(self, at: int) -> Clock:
        """The end of a game: the running segment is settled, nobody's time runs, and the next start is anybody's.

        Raises
        ------
        RuleError
            The time of day runs backwards; a flag has fallen before.
        """
        self._check_going()
        if self.owner is None:
            return replace(self, since=_check_at(at, self.since))
        if self.running is not None and self.flag(at) is not None:
            return self._fall(at)
        t = self._segment(at) if self.running is not None else self.spent
        left = _with(self.left, self.owner, self._after(t))
        return replace(self, left=left, running=None, owner=None, spent=0, since=_check_at(at, self.since))

    # ---- what can be read off

    def flag(self, at: int) -> Player | None:
        """Whose flag has fallen by this time of day; None: nobody's."""
        if self.fallen is not None or self.running is None:
            return self.fallen
        free = self.rules.delay_ms if self.rules.kind == "delay" else 0
        return self.running if self._segment(at) > self.left[self.running] + free else None

    def shown(self, at: int) -> tuple[int, int]:
        """What the clock shows at this time of day: the reserves, in milliseconds."""
        if self.running is None or self.fallen is not None:
            return self.left if self.owner is None or self.fallen is not None else self._shown(self.owner, self.spent)
        return self._shown(self.running, self._segment(at))

    def _shown(self, player: Player, t: int) -> tuple[int, int]:
        free = self.rules.delay_ms if self.rules.kind == "delay" else 0
        return _with(self.left, player, max(0, self.left[player] - max(0, t - free)))

    def _segment(self, at: int) -> int:
        """Milliseconds of the segment so far."""
        assert self.since is not None
        return self.spent + _check_at(at, self.since) - self.since

    def _after(self, t: int) -> int:
        """The reserve of the segment's owner after it took t."""
        assert self.owner is not None
        reserve, k = self.left[self.owner], self.rules.delay_ms
        if self.rules.kind == "delay":
            return reserve - max(0, t - k)
        if self.rules.kind == "bronstein":
            return reserve - t + min(t, k)
        return reserve - t + (k if self.rules.kind == "fischer" else 0)

    def _fall(self, at: int) -> Clock:
        assert self.running is not None
        return replace(
            self, left=_with(self.left, self.running, 0), fallen=self.running, running=None, since=at, spent=0
        )

    def _check_going(self) -> None:
        if self.fallen is not None:
            raise RuleError(f"player {self.fallen}'s flag has fallen: the clock is not used any more")


def check_ms(value: object, name: str) -> int:
    """Milliseconds: an integer from 0 on.

    Raises
    ------
    RuleError
        It is something else.
    """
    if type(value) is not int or value < 0:
        raise RuleError(f"{name} is an integer of milliseconds from 0 on, not {value!r}")
    return value


def _check_at(at: object, since: int | None) -> int:
    """A time of day that is not before the last one."""
    if type(at) is not int:
        raise RuleError(f"a time of day is an integer of milliseconds, not {at!r}")
    if since is not None and at < since:
        raise RuleError(f"time runs backwards: {at} comes after {since}")
    return at


def _with(pair: tuple[int, int], player: Player, value: int) -> tuple[int, int]:
    """The pair with one player's number replaced."""
    return (value, pair[1]) if player == 0 else (pair[0], value)


US = ClockRules()
"""US 2013 and WBGF practice: 12 s delay, 2 minutes a point, less 1 minute for each point scored."""
US_DOUBLES = ClockRules(delay_ms=18_000, per_point_ms=150_000, less_per_point_ms=75_000)
"""For teams of two: 18 s delay, 2½ minutes a point.  What comes off for points scored is half of that, as in `US`."""
UK = US
"""UK federation and UK Open: the same as `US`; 22 minutes for 11 points."""
UNIFIED_2001 = ClockRules("plain", 0, 6 * MINUTE, 3 * MINUTE)
"""Unified rules 2001, no delay: 3 minutes for each point that either still needs.  It fits the two entries of their
table that could be read: 9 points 54 minutes, 4-away against 6-away 30."""
