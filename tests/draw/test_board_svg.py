"""The SVG board: what a picture shows is read back by its shapes and compared with what was to be drawn."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from draw.boards import BAR, FACING, OFF, position_of, positions, random_positions, side
from draw.svg_reader import Place, Seen, read_picture
from hypothesis import given
from hypothesis import strategies as st

import bgcore as bg
from bgcore.draw import THEMES, Theme, svg
from bgcore.rules import Rules, get, names

GAMES = [get(name) for name in names()] + [get("jacquet", "moulidars")]
STATES = 200
STATES_LONG = 10_000
START = bg.Position.initial()


def place_of(point: int, home: str) -> Place:
    """Where the bottom player's points are: 13 to 24 at the top from the left, 12 to 1 below them, or mirrored."""
    column, half = (point - 13, "top") if point > 12 else (12 - point, "bottom")
    return (column if home == "right" else 11 - column, half)


def slot_place(rules: Rules, home: str, below: bool, slot: int) -> Place:
    """Where a slot of the player at the bottom, or of the one at the top, is."""
    if slot == BAR:
        return ("bar", "bottom" if below else "top")
    if slot == OFF:
        other = "left" if home == "right" else "right"
        end = home if below or rules.geometry == "contrary" else other
        return ("tray", end, "bottom" if below else "top")
    return place_of(slot if below else FACING[rules.geometry][slot - 1], home)


@dataclass
class Drawn:
    """A picture that was asked for, and the choices that went with it."""

    rules: Rules
    position: bg.Position
    own_below: bool
    own_light: bool
    home: str
    theme: Theme

    def fill(self, own: bool) -> str:
        return self.theme.light if own is self.own_light else self.theme.dark

    def half(self, own: bool) -> str:
        return "bottom" if own is self.own_below else "top"

    def check_checkers(self, seen: Seen) -> None:
        wanted: dict[Place, dict[str, int]] = {}
        lowest: dict[Place, str] = {}
        counts, pinned = self.position.counts.tolist(), self.position.pinned.tolist()
        for row, own in ((0, True), (1, False)):
            for slot in range(26):
                where = slot_place(self.rules, self.home, own is self.own_below, slot)
                if counts[row][slot]:
                    wanted.setdefault(where, {})[self.fill(own)] = counts[row][slot]
                if pinned[row][slot]:
                    lowest[where] = self.fill(own)
        assert seen.stacks == wanted
        for where, stack in wanted.items():
            if len(stack) == 2:
                assert seen.lowest[where] == lowest[where]

    def check_numbers(self, seen: Seen, numbers: str | None) -> None:
        if numbers is None:
            assert not seen.numbers
            return
        below = numbers == "absolute" or self.own_below
        facing = FACING[self.rules.geometry]
        points = range(1, 25)
        assert seen.numbers == {place_of(p, self.home): p if below else facing[p - 1] for p in points}

    def journeys(self, play: bg.Play) -> Counter[tuple[Place, Place]]:
        def place(slot: int) -> Place:
            return slot_place(self.rules, self.home, self.own_below, slot)

        return Counter((place(move.source), place(move.target)) for move in play.moves)


def cube_at(drawn: Drawn, owner_own: bool | None, offered_own: bool | None) -> Place:
    """Where the cube should lie."""
    if offered_own is not None:
        return ("table", "right" if offered_own is drawn.own_below else "left")
    far = "left" if drawn.home == "right" else "right"
    return ("tray", far, "centre" if owner_own is None else drawn.half(owner_own))


def check_random_state(rules: Rules, position: bg.Position, rng: random.Random) -> None:
    """Draw a position, with everything around it at random, as a state or with options, and read it back."""
    player = rng.choice((None, 0, 1))
    home = rng.choice(("left", "right"))
    numbers = rng.choice(("own", "absolute", None))
    name, theme = rng.choice(list(THEMES.items()))
    pips = rng.random() < 0.7
    dice = rng.choice((None, (rng.randint(1, 6), rng.randint(1, 6))))
    offered = None if dice else rng.choice((None, True, False))
    cube = 1 << rng.randrange(1, 14) if offered is not None else rng.choice((None, 1 << rng.randrange(14)))
    owner = rng.choice((None, True, False)) if cube else None
    score = rng.choice((None, (rng.randrange(12), rng.randrange(12))))
    length = rng.choice((0, 25)) if score else None
    options: dict[str, Any] = {"home": home, "numbers": numbers, "pips": pips}
    if rng.random() < 0.5:
        options["theme"] = name
    else:
        options["theme"] = theme
    orientation = rng.choice((None, "own", "opp"))
    light = rng.choice((None, "own", "opp"))
    own_below, own_light = orientation != "opp", light != "opp"
    if player is None:
        options |= {"rules": rules, "dice": dice, "cube": cube, "score": score, "length": length}
        for key, own in (("cube_owner", owner), ("offered", offered)):
            if own is not None:
                options[key] = "own" if own else "opp"
        thing: Any = position
    else:
        score = score or (0, 0)
        thing = state(rules, position, player, dice, cube, owner, offered, score, length or 0)
        if light is None:
            own_light = player == 0
        if orientation is not None and rng.random() < 0.5:  # by the player's number
            orientation = player if own_below else 1 - player
        if light is not None and rng.random() < 0.5:
            light = player if own_light else 1 - player
    if orientation is not None:
        options["orientation"] = orientation
    if light is not None:
        options["light"] = light
    drawn = Drawn(rules, position, own_below, own_light, home, theme)
    plays = rules.legal_plays(position, dice) if dice else ()
    if plays:
        play = options["play"] = rng.choice(plays)

    seen = read_picture(svg(thing, **options))
    drawn.check_checkers(seen)
    drawn.check_numbers(seen, numbers)
    assert seen.dice == (dice or ())
    if dice:
        assert seen.dice_side == drawn.fill(True)
        assert (seen.dice_at[0] > seen.width / 2) is own_below
    assert seen.cube == ("" if cube is None else str(64 if cube == 1 else cube))
    if cube:
        assert seen.cube_at == cube_at(drawn, owner, offered)
    strips = pips or score is not None
    if strips:
        assert seen.sides == {drawn.half(own): drawn.fill(own) for own in (True, False)}
        acting = True if offered is None else offered
        assert seen.turn == ("" if position.is_over else drawn.half(acting))
    assert seen.pips == ({drawn.half(own): position.pips[not own] for own in (True, False)} if pips else {})
    tail = f"/{length}" if length else ""
    wanted = {drawn.half(own): f"{score[not own]}{tail}" for own in (True, False)} if score else {}
    assert seen.scores == (wanted if strips else {})
    assert Counter(seen.arrows) == (drawn.journeys(play) if plays else Counter())
    if plays:
        after = Drawn(rules, play.result.flipped(), own_below, own_light, home, theme)
        options = {"rules": rules, "home": home, "theme": name, "light": "own" if own_light else "opp"}
        seen = read_picture(svg(play, orientation="own" if own_below else "opp", **options))
        after.check_checkers(seen)
        assert Counter(seen.arrows) == after.journeys(play)
        assert seen.turn == ("" if play.result.is_over else after.half(False))


def state(
    rules: Rules,
    position: bg.Position,
    player: int,
    dice: tuple[int, int] | None,
    cube: int | None,
    owner: bool | None,
    offered: bool | None,
    score: tuple[int, int],
    length: int,
) -> SimpleNamespace:
    """What has the attributes of a MatchState; pairs and sides were seen by the player on roll."""

    def number(own: bool | None) -> int | None:
        return None if own is None else player if own else 1 - player

    redoubles = 0
    if offered is not None and cube is not None:
        redoubles = 0 if cube < 4 else 1
        cube >>= 1 + redoubles
    return SimpleNamespace(
        position=position,
        rules=rules,
        dice=dice,
        on_roll=player,
        to_act=player if offered is None else number(offered),
        pending=None if offered is None else ("double", "beaver")[redoubles],
        redoubles=redoubles,
        cube=1 if cube is None else cube,
        cube_owner=number(owner),
        cube_in_play=cube is not None,
        score=score if player == 0 else score[::-1],
        length=length,
        is_crawford=False,
        options=SimpleNamespace(jacoby=True),
    )


@pytest.mark.slow
@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
def test_random_states_are_read_back(rules: Rules) -> None:
    read_back(rules, STATES, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
def test_many_random_states_are_read_back(rules: Rules) -> None:
    read_back(rules, STATES_LONG, seed=2)


def read_back(rules: Rules, count: int, seed: int) -> None:
    rng = random.Random(seed)
    left = count
    while left:
        met = random_positions(rules, games=1, seed=rng.randrange(1 << 32))
        for position in rng.sample(met, min(left, 10, len(met))):
            check_random_state(rules, position, rng)
            left -= 1


@pytest.mark.parametrize("rules", [bg.BACKGAMMON, bg.HYPERGAMMON, bg.PLAKOTO, bg.FEVGA], ids=lambda rules: rules.name)
@given(data=st.data())
def test_the_picture_holds_the_position(rules: Rules, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    own_below = data.draw(st.booleans())
    drawn = Drawn(rules, position, own_below, True, data.draw(st.sampled_from(["left", "right"])), THEMES["wood"])
    seen = read_picture(svg(position, rules=rules, home=drawn.home, orientation="own" if own_below else "opp"))
    drawn.check_checkers(seen)


def test_what_no_game_allows_is_drawn_all_the_same() -> None:
    light, dark = THEMES["wood"].light, THEMES["wood"].dark
    for own, opp in (
        (side({24: 15}), side({1: 14, 6: 1})),
        (side({24: 2}, 24), side({1: 3})),
        (side({24: 1}, 24), side({1: 1}, 1)),
        (side({24: 1}), side({1: 1})),
    ):
        seen = read_picture(svg(position_of(own, opp)))
        assert seen.stacks[(11, "top")] == {light: own.counts[24], dark: opp.counts[1]}
    alone = position_of(side({24: 3}, 24), side({2: 1}))
    assert read_picture(svg(alone)).stacks[(11, "top")] == {light: 3}


@given(
    st.lists(st.lists(st.integers(0, 25), min_size=1, max_size=15), min_size=2, max_size=2),
    st.booleans(),
    st.sampled_from(["contrary", "parallel"]),
)
def test_any_four_words_are_drawn(slots: list[list[int]], pinned: bool, geometry: str) -> None:
    counts = np.array([np.bincount(each, minlength=26) for each in slots], dtype=np.uint8)
    if not counts[:, 1:].any():
        counts[0, :2] = counts[0, 0] - 1, 1
    pins = counts.astype(np.bool_) & pinned
    pins[:, [OFF, BAR]] = False
    rules = bg.FEVGA if geometry == "parallel" else bg.BACKGAMMON
    position = bg.Position.from_counts(counts, pins)
    seen = read_picture(svg(position, rules=rules))
    for row, fill in ((0, THEMES["wood"].light), (1, THEMES["wood"].dark)):
        for slot in range(26):
            stack = seen.stacks.get(slot_place(rules, "right", row == 0, slot), {})
            assert stack.get(fill, 0) == counts[row, slot]
