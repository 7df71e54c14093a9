"""What a record says of a match before it begins, as plain values: rules, options, players, conduct, dice, signer.

Line 0 of a record holds everything that `MatchState.new` needs to make the first state again.  Rule sets are written
out in full, so that a preset which changes later does not change old records.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from bgcore.errors import BgcoreError, FormatError, RuleError
from bgcore.match.conduct import ConductRules
from bgcore.match.cube import MatchOptions
from bgcore.match.gul_bar import Bonus, GulBar
from bgcore.match.proof import ProofMode
from bgcore.match.state import MatchState
from bgcore.match.tavli import TavliMatch
from bgcore.rules import Rules

__all__ = ["FORMAT", "Header", "read_header", "rules_from_json", "rules_to_json"]

FORMAT = "bgcore record 1"
"""What line 0 begins with; other bytes get another number."""
LONGEST_TEXT = 1000


@dataclass(frozen=True, slots=True)
class Header:
    """What is known of a match before it begins.

    Attributes
    ----------
    match_id : str
        1 to 200 characters; provable dice are bound to it.
    start : MatchState
        Before the first opening roll.
    players : (str, str)
        Names of player 0 and player 1; empty where they have none.
    conduct : ConductRules or None
    dice : {"per_match", "per_roll"} or None
        How the dice are proved; None: not at all.
    source : str
        Where rolls come from, if an entry does not say so.
    signer : (algorithm, key) or None
        Who signs closing entries.
    info : dict of str to str
        Event, place, date and the like.

    Raises
    ------
    RuleError
        Values that a record can't hold.
    """

    match_id: str
    start: MatchState
    players: tuple[str, str] = ("", "")
    conduct: ConductRules | None = None
    dice: ProofMode | None = None
    source: str = "manual"
    signer: tuple[str, str] | None = None
    info: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        texts = {"a match id": self.match_id, "a source of dice": self.source}
        for what, text in texts.items():
            if not isinstance(text, str) or not 1 <= len(text) <= 200:
                raise RuleError(f"{what} is a text of 1 to 200 characters, not {text!r}")
        zero, one = self.players
        for text in (zero, one, *self.info, *self.info.values()):
            if not isinstance(text, str) or len(text) > LONGEST_TEXT:
                raise RuleError(f"names and info are texts of up to {LONGEST_TEXT} characters, not {text!r}")
        if self.dice not in (None, "per_match", "per_roll"):
            raise RuleError(f"dice are None, per_match or per_roll, not {self.dice!r}")
        data = state_to_json(self.start)
        try:
            fresh = _begin(data) == self.start
        except RuleError:  # such as a match that is over
            fresh = False
        if not fresh:
            raise RuleError(
                "a record begins before the first opening roll; to go on from a position, append a Ruling to that"
            )

    def to_json(self) -> dict[str, Any]:
        """Line 0 as plain values, without ``n`` and ``prev``."""
        return {
            "kind": "match",
            "format": FORMAT,
            "id": self.match_id,
            "players": list(self.players),
            "info": dict(self.info),
            "match": state_to_json(self.start),
            "conduct": None if self.conduct is None else self.conduct.to_json(),
            "dice": self.dice,
            "source": self.source,
            "signer": None if self.signer is None else {"algorithm": self.signer[0], "key": self.signer[1]},
        }


def read_header(data: Mapping[str, Any]) -> Header:
    """The header that `Header.to_json` has written.

    Raises
    ------
    FormatError
        It is none.
    """
    if data.get("kind") != "match" or data.get("format") != FORMAT:
        raise FormatError(f"line 1 is not the head of a record: it says {data.get('format')!r}, not {FORMAT!r}", line=1)
    try:
        zero, one = data["players"]
        signer = data["signer"]
        return Header(
            data["id"],
            _begin(data["match"]),
            (zero, one),
            None if data["conduct"] is None else ConductRules.from_json(data["conduct"]),
            data["dice"],
            data["source"],
            None if signer is None else (signer["algorithm"], signer["key"]),
            dict(data["info"]),
        )
    except (BgcoreError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(f"line 1 is no head of a record: {type(error).__name__}: {error}", line=1) from None


# ---- states before the first opening roll


def state_to_json(state: MatchState) -> dict[str, Any]:
    """What `MatchState.new` needs, as plain values."""
    if state.series is not None:
        plain = MatchState.new(series=state.series) if state.series.winner is None else state
        return {"series": series_to_json(state.series), "options": options_to_json(state.options, plain.options)}
    return {
        "length": state.length,
        "rules": rules_to_json(state.rules),
        "score": list(state.score),
        "crawford_played": state.is_post_crawford,
        "options": options_to_json(state.options, MatchState.new(state.length, state.rules).options),
    }


def _begin(data: Mapping[str, Any]) -> MatchState:
    """The state that `state_to_json` has written."""
    options = options_from_json(data["options"])
    if "series" in data:
        return MatchState.new(series=series_from_json(data["series"]), **options)
    zero, one = data["score"]
    return MatchState.new(
        data["length"], rules_from_json(data["rules"]), score=(zero, one), crawford_played=data["crawford_played"],
        **options,
    )  # fmt: skip


def options_to_json(options: MatchOptions, plain: MatchOptions) -> dict[str, Any]:
    """Options that differ from the plain ones."""
    values = {f.name: getattr(options, f.name) for f in fields(options)}
    changed = {name: value for name, value in values.items() if value != getattr(plain, name)}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in changed.items()}


def options_from_json(data: Mapping[str, Any]) -> dict[str, Any]:
    """Keywords of `MatchState.new`."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}


def rules_to_json(rules: Rules) -> dict[str, Any]:
    """Every field of a rule set that is not backgammon's."""
    values = rules.fields()
    values["start"] = [[point, n] for point, n in values["start"].items()]
    for name, value in values.items():
        if isinstance(value, frozenset):
            values[name] = sorted(value)
        elif isinstance(value, tuple):
            values[name] = list(value)
    return values


def rules_from_json(data: Mapping[str, Any]) -> Rules:
    """The rule set that `rules_to_json` has written."""
    values = dict(data)
    values["start"] = dict(values["start"])
    return Rules(**values)


def series_to_json(series: TavliMatch | GulBar) -> dict[str, Any]:
    """A Tavli match or a Gül Bar session before its first game."""
    if isinstance(series, TavliMatch):
        return {
            "name": "tavli",
            "games": [rules_to_json(rules) for rules in series.games],
            "target": series.target,
            "play_all": series.play_all,
            "tiebreak": series.tiebreak,
            "next_first": series.next_first,
        }
    if not all(isinstance(bonus.predicate, str) for bonus in series.bonuses):
        raise RuleError("a record can hold the bonuses of Gül Bar that have a name, not functions")
    return {
        "name": "gul_bar",
        "base": rules_to_json(series.base),
        "target": series.target,
        "match_end": series.match_end,
        "blockade": series.blockade,
        "blocked_test": series.blocked_test,
        "bonuses": [[bonus.predicate, bonus.points, bonus.once_per_game] for bonus in series.bonuses],
        "next_first": series.next_first,
    }


def series_from_json(data: Mapping[str, Any]) -> TavliMatch | GulBar:
    """The series that `series_to_json` has written."""
    values = dict(data)
    name = values.pop("name")
    if name == "tavli":
        values["games"] = tuple(rules_from_json(rules) for rules in values["games"])
        return TavliMatch(**values)
    if name == "gul_bar":
        values["base"] = rules_from_json(values["base"])
        values["bonuses"] = tuple(Bonus(*bonus) for bonus in values["bonuses"])
        return GulBar(**values)
    raise FormatError(f"a series is tavli or gul_bar, not {name!r}", field="series")
