"""The tags at the head of a transcript: ``; [EventDate "2026.01.08"]`` and the like, to the fields of a match and back.

Tags that mean nothing to a match are kept by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from bgcore.formats.building import MatchBuilder
from bgcore.match.transcript import Match
from bgcore.rules import BACKGAMMON, HYPERGAMMON, NACKGAMMON, Rules

__all__ = ["VARIANTS", "read_tags", "variant_name", "write_tags"]

LONGGAMMON = BACKGAMMON.replace(name="longgammon", start={24: 15})
VARIANTS: dict[str, Rules] = {
    "backgammon": BACKGAMMON,
    "nackgammon": NACKGAMMON,
    "hypergammon": HYPERGAMMON,
    "hypergammon (3)": HYPERGAMMON,
    "hypergammon (2)": HYPERGAMMON.replace(name="hypergammon2", start={24: 1, 23: 1}, checkers=2),
    "hypergammon (1)": HYPERGAMMON.replace(name="hypergammon1", start={24: 1}, checkers=1),
    "longgammon": LONGGAMMON,
}
NAMES = {"nackgammon": "NackGammon", "longgammon": "LongGammon", "hypergammon": "HyperGammon (3)"}
NAMES |= {"hypergammon2": "HyperGammon (2)", "hypergammon1": "HyperGammon (1)"}
FIELDS = {"site": "site", "event": "event", "round": "round"}
SWITCHES = {"crawford": "crawford", "jacoby": "jacoby", "beaver": "beavers", "beavers": "beavers"}
ON_OFF = {"on": True, "off": False}
ELO = re.compile(r"player ([12]) elo")
RATING = re.compile(r"\s*([0-9]{1,6})(?:[.,]([0-9]{1,6}))?")


def read_tags(match: MatchBuilder, tags: Iterable[tuple[str, str]], *, ratings: bool = False) -> None:
    """Put what tags say into a match.

    Parameters
    ----------
    ratings : bool
        Only the ratings, once the names are known: some programs number the players otherwise than their columns.
    """
    tags = list(tags)
    if ratings:
        read_ratings(match, {name.lower(): value for name, value in tags})
        return
    fields: dict[str, Any] = match.fields
    for name, value in tags:
        word = name.lower()
        if word in FIELDS:
            fields[FIELDS[word]] = value
        elif word == "eventdate":
            fields["date"] = value.strip().replace(".", "-").replace("/", "-")
        elif word in SWITCHES and value.strip().lower() in ON_OFF:
            setattr(match, SWITCHES[word], ON_OFF[value.strip().lower()])
        elif word == "variation":
            rules = VARIANTS.get(" ".join(value.lower().split()))
            if rules is None:
                match.notes.odd(f"the game is {value[:40]!a}, which is not known; read as backgammon")
            else:
                match.rules = rules
        elif word in ("player 1", "player 2"):
            pass  # the score line has the names, and in the order of the columns
        elif not ELO.fullmatch(word):
            if word == "cubelimit" and value.strip() == "1":
                fields["use_cube"] = False
            fields["info"] = (*fields.get("info", ()), (name, value))


def read_ratings(match: MatchBuilder, tags: dict[str, str]) -> None:
    """Give each player the rating of his number, or of the number that his name has."""
    said = [tags.get(f"player {number}", "").strip() for number in (1, 2)]
    swapped = said[0] != said[1] and (said[0] == match.names[1] or said[1] == match.names[0])
    ratings = list(match.fields.get("ratings", (None, None)))
    for number in (0, 1):
        found = RATING.match(tags.get(f"player {number + 1} elo", ""))
        if found:
            ratings[1 - number if swapped else number] = float(f"{found[1]}.{found[2] or 0}")
    match.fields["ratings"] = tuple(ratings)


def variant_name(rules: Rules) -> str:
    """How a transcript names a game; empty for backgammon."""
    return NAMES.get(rules.name, "")


def write_tags(match: Match) -> list[str]:
    """The lines of a transcript that say what its rows don't."""
    tags: list[tuple[str, str]] = [("Site", match.site), ("Event", match.event), ("Round", match.round)]
    tags += [(f"Player {number}", name) for number, name in enumerate(match.names, 1)]
    tags += [
        (f"Player {number} Elo", f"{rating:.2f}/0")
        for number, rating in enumerate(match.ratings, 1)
        if rating is not None
    ]
    tags.append(("EventDate", match.date.replace("-", ".")))
    tags.append(("Variation", variant_name(match.rules) or "Backgammon"))
    if match.length:
        tags.append(("Crawford", "On" if match.crawford else "Off"))
    for name, value in (("Jacoby", match.jacoby), ("Beaver", match.beavers)):
        if value is not None:
            tags.append((name, "On" if value else "Off"))
    if not match.use_cube and not any(name.lower() == "cubelimit" for name, _ in match.info):
        tags.append(("CubeLimit", "1"))
    tags += match.info
    return [f'; [{plain(name)} "{plain(value)}"]' for name, value in tags if value]


def plain(text: str) -> str:
    """A text on one line."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
