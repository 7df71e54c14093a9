"""The games as plain sets of options, with the names and values of variants.md §1, §7.2 and the clarifications."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple


class Scoring(NamedTuple):
    """Points for a win (§1 `scoring`)."""

    single: int = 1
    gammon: int = 2
    backgammon: int = 2  # 2 = counts as a gammon


ONE_OR_TWO = Scoring(1, 2, 2)
ONE_TWO_THREE = Scoring(1, 2, 3)

STANDARD = ((24, 2), (13, 5), (8, 3), (6, 5))
ALL_ON_24 = ((24, 15),)

VALUES: dict[str, tuple[object, ...]] = {
    "geometry": ("contrary", "parallel"),
    "block_at": (1, 2),
    "contact": ("hit", "pin", "none"),
    "doubles": ("x4", "cascade", "x2", "n_times"),
    "opening": ("keep_dice", "reroll"),
    "next_first": ("roll", "winner", "loser", "alternate"),
    "runner": ("none", "pass", "reach", "last_quarter"),
    "head_limit": (None, 1),
    "head_first_turn": ("none", "obstructed", "doubles_346", "doubles_46", "always2"),
    "prime_check": ("final", "step"),
    "hit_and_run_home": ("allow", "forbid"),
    "mother": ("none", "default", "immediate"),
    "bear_off_while_pinned": ("forbid", "allow"),
    "cube": ("off", "on"),
    "gammon_if": ("none_off", "start_quadrant", "loser_not_all_home", "off"),
    "draw": ("none", "last_roll"),
    "remainder": ("opponent", "forfeit"),
    "bear_off": ("core", "exact_any"),
}
PRIME_RULES = (
    "start_quarter",
    "both_start_quarters",
    "front_of_head",
    "unblock_duty",
    "ahead",
    "trap15",
    "ahead_strict",
    "never_six",
    "last_two",
    "free",
)


@dataclass(frozen=True)
class Game:
    """One game: the fields of the document's table, then the few that it names elsewhere."""

    name: str
    family: str  # which file of this package has its steps
    # --- the table of §1; the values are in VALUES
    geometry: str = "contrary"
    start: tuple[tuple[int, int], ...] = STANDARD  # (own point, count)
    block_at: int = 2
    contact: str = "hit"
    doubles: str = "x4"
    opening: str = "keep_dice"
    next_first: str = "roll"
    runner: str = "none"
    head_limit: int | None = None
    head_first_turn: str = "none"
    prime_rules: tuple[str, ...] = ()  # see primes.py; () is the document's `free`
    prime_check: str = "final"
    hit_and_run_home: str = "allow"
    entry_cap_per_point: int | None = None
    entry_forbid_own: bool = False
    entry_all_first: bool = True
    entry_bar_loss: int | None = None
    mother: str = "none"  # default = the rule of §4
    bear_off_while_pinned: str = "forbid"
    scoring: Scoring = ONE_OR_TWO
    cube: str = "off"
    # --- named elsewhere
    larger_die: bool = True  # §1
    gammon_if: str = "none_off"  # §3 start_quadrant; §10 loser_not_all_home, off
    draw_points: int = 0  # §4
    draw: str = "none"  # §9 last_roll
    ladder: tuple[tuple[str, int], ...] = ()  # §9: (home_mars or koks, points), whatever the loser has not borne off
    cascade_from: int = 4  # §7.4: the first turn of a player in which doubles cascade
    remainder: str = "opponent"  # §7.4: opponent, forfeit
    transfer_needs_start: bool = False  # §7.4
    start_points_cap: int | None = None  # §5 Moultezim: occupied points in own 24-19
    start_cases_cap: int | None = None  # §10 Versailles: points with >= 2 checkers in own 24-19
    bear_off: str = "core"  # core; §7.3 julbahar: exact_any

    def __post_init__(self) -> None:
        for field, values in VALUES.items():
            if getattr(self, field) not in values:
                raise ValueError(f"{field}={getattr(self, field)!r}, not one of {values}")
        if not set(self.prime_rules) <= set(PRIME_RULES):
            raise ValueError(f"prime_rules={self.prime_rules!r}, not among {PRIME_RULES}")

    @property
    def courier_flag(self) -> bool:
        """Whether `context` carries the courier's flag (§10, clarification 12)."""
        return self.runner != "none" and self.contact == "hit"


Options = Any  # keyword arguments are fields of Game


# ------------------------------------------------------------------------------------------------ hitting games

_HABITS: dict[str, Any] = {"opening": "reroll", "hit_and_run_home": "forbid", "scoring": ONE_OR_TWO}


def portes(preset: str = "", **options: Options) -> Game:
    """§3 and clarification 1; presets `greek`, `strict_seed`."""
    game = Game("portes", "hitting", scoring=ONE_TWO_THREE)
    if preset == "greek":
        game = replace(game, **_HABITS, next_first="winner")
    elif preset == "strict_seed":  # what the defaults became, with the cube allowed
        game = replace(game, cube="on")
    else:
        _no_preset(preset)
    return replace(game, **options)


def uzun_tavla(preset: str = "", **options: Options) -> Game:
    """§7.1 and clarification 1; presets `cafe`, `tavla_traditional`, `modern_tavla`, `celebi`."""
    game = Game("uzun_tavla", "hitting", scoring=ONE_TWO_THREE)
    if preset == "cafe":
        game = replace(game, **_HABITS)
    elif preset == "tavla_traditional":
        game = replace(game, hit_and_run_home="forbid")
    elif preset == "modern_tavla":
        game = replace(game, cube="on")
    elif preset == "celebi":
        game = replace(game, doubles="cascade")
    else:
        _no_preset(preset)
    return replace(game, **options)


def kirik_tavla(preset: str = "", **options: Options) -> Game:
    """§7.2; presets `osmanli` (bar loss at six) and `tawula` (not onto one's own point)."""
    game = replace(uzun_tavla(), name="kirik_tavla", entry_cap_per_point=1)
    if preset == "osmanli":
        game = replace(game, entry_bar_loss=6)
    elif preset == "tawula":
        game = replace(game, entry_forbid_own=True)
    else:
        _no_preset(preset)
    return replace(game, **options)


def gul_bar(preset: str = "", **options: Options) -> Game:
    """§7.3: the movement of Uzun Tavla, or of Julbahar with preset `julbahar`; the scoring is in layers.py."""
    if preset == "julbahar":
        game = Game("gul_bar", "hitting", start=ALL_ON_24, block_at=1, contact="none", bear_off="exact_any")
    else:
        _no_preset(preset)
        game = replace(uzun_tavla(), name="gul_bar")
    return replace(game, **options)


def short_nardi(preset: str = "", **options: Options) -> Game:
    """§8; preset `takhte` (Persian)."""
    game = Game("short_nardi", "hitting", scoring=ONE_TWO_THREE, cube="on")
    if preset == "takhte":
        game = replace(game, **_HABITS, cube="off")
    else:
        _no_preset(preset)
    return replace(game, **options)


# ------------------------------------------------------------------------------------------------ the others


def plakoto(preset: str = "", **options: Options) -> Game:
    """§4; preset `tapa` (no mother)."""
    game = Game(
        "plakoto",
        "plakoto",
        start=ALL_ON_24,
        contact="pin",
        opening="reroll",
        next_first="winner",
        mother="default",
    )
    if preset == "tapa":
        game = replace(game, mother="none")
    else:
        _no_preset(preset)
    return replace(game, **options)


_PARALLEL: dict[str, Any] = {
    "geometry": "parallel",
    "start": ALL_ON_24,
    "block_at": 1,
    "contact": "none",
    "opening": "reroll",
}


def fevga(preset: str = "", **options: Options) -> Game:
    """§5; preset `moultezim` (at most four points in the own starting quarter)."""
    game = Game(
        "fevga",
        "fevga",
        next_first="winner",
        runner="pass",
        prime_rules=("start_quarter", "unblock_duty"),
        **_PARALLEL,
    )
    if preset == "moultezim":
        game = replace(game, start_points_cap=4)
    else:
        _no_preset(preset)
    return replace(game, **options)


def gul_bara(preset: str = "", **options: Options) -> Game:
    """§7.4; preset `gioul` (contrary geometry, cascade from the first turn)."""
    game = Game("gul_bara", "gul_bara", doubles="cascade", **_PARALLEL)
    if preset == "gioul":
        game = replace(game, geometry="contrary", cascade_from=1)
    else:
        _no_preset(preset)
    return replace(game, **options)


def long_nardi(preset: str = "", **options: Options) -> Game:
    """§9; preset `shesh_besh` (Ludii's exception for 6-6 and 4-4)."""
    game = Game(
        "long_nardi",
        "long_nardi",
        head_limit=1,
        head_first_turn="obstructed",
        prime_rules=("ahead",),
        **_PARALLEL,
    )
    if preset == "shesh_besh":
        game = replace(game, head_first_turn="doubles_46")
    else:
        _no_preset(preset)
    return replace(game, **options)


def jacquet(preset: str = "", **options: Options) -> Game:
    """§10 and clarification 12; presets `moulidars` and `versailles`."""
    game = Game(
        "jacquet",
        "jacquet",
        runner="last_quarter",
        prime_rules=("last_two",),
        **_PARALLEL,
    )
    if preset in ("moulidars", "versailles"):
        game = replace(game, name=f"jacquet_{preset}", contact="hit", block_at=2, prime_rules=())
        if preset == "moulidars":
            game = replace(game, gammon_if="off", scoring=Scoring(1, 1, 1))
        else:
            game = replace(game, doubles="n_times", start_cases_cap=2)
    else:
        _no_preset(preset)
    return replace(game, **options)


def _no_preset(preset: str) -> None:
    if preset:
        raise ValueError(f"no such preset: {preset!r}")


GAMES: dict[str, Callable[..., Game]] = {
    "portes": portes,
    "uzun_tavla": uzun_tavla,
    "kirik_tavla": kirik_tavla,
    "gul_bar": gul_bar,
    "short_nardi": short_nardi,
    "plakoto": plakoto,
    "fevga": fevga,
    "gul_bara": gul_bara,
    "long_nardi": long_nardi,
    "jacquet": jacquet,
}


def game(name: str, preset: str = "", **options: Options) -> Game:
    """The game of that name; options are given as in data files (lists for tuples)."""
    fixed = {k: tuple(v) if isinstance(v, list) else v for k, v in options.items()}
    if "scoring" in fixed:
        fixed["scoring"] = Scoring(*fixed["scoring"])
    return GAMES[name](preset, **fixed)
