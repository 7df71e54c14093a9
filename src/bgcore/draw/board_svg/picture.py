"""`svg`: what a user calls.  Checks what it is given, sorts out who sits where, and puts the parts together."""

from __future__ import annotations

import math
from operator import index
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from bgcore.dice import check_roll
from bgcore.draw.board_svg import parts
from bgcore.draw.board_svg.arrows import counts_before, journeys
from bgcore.draw.board_svg.layout import (
    FIELD,
    HALF,
    LEFT_TABLE,
    PIN_STEP,
    RIGHT_TABLE,
    ROWS,
    TABLE,
    WIDTH,
    Board,
    Place,
    board_of,
)
from bgcore.draw.board_svg.parts import Stack
from bgcore.draw.board_svg.scene import Scene, Side, scene_of_state
from bgcore.draw.board_svg.themes import Theme, theme_of
from bgcore.errors import RuleError
from bgcore.play import Play
from bgcore.position import Position

if TYPE_CHECKING:
    from bgcore.rules import Rules

__all__ = ["svg"]

Seat: TypeAlias = Literal["own", "opp", 0, 1]

LARGEST_CUBE = 1 << 30
LARGEST_SIZE = 100_000
MOST_POINTS = (1 << 31) - 1
SIDES = ("own", "opp")


def svg(
    position: Position | Play | Any,
    *,
    rules: Rules | None = None,
    dice: tuple[int, int] | None = None,
    play: Play | str | None = None,
    cube: int | None = None,
    cube_owner: Side | None = None,
    offered: Side | None = None,
    score: tuple[int, int] | None = None,
    length: int | None = None,
    crawford: bool = False,
    names: tuple[str, str] | None = None,
    orientation: Seat = "own",
    light: Seat | None = None,
    home: Literal["left", "right"] = "right",
    numbers: Literal["own", "absolute"] | None = "own",
    pips: bool = True,
    theme: str | Theme = "wood",
    size: float | None = 480,
) -> str:
    """Draw a position, the state of a match, or a play as SVG.

    Parameters
    ----------
    position : Position, MatchState or Play
        A Play is drawn on the board that it leads to, seen by the player who made it; it must have been resolved.
    rules : Rules, optional
        The game: where the opponent's points are.  Backgammon's if not given; a state knows its own.
    dice : two int, 1 to 6, optional
        The roll, drawn in this order, at the right hand of the player on roll.
    play : Play or str, optional
        A play of the player on roll, drawn as arrows on the position before it.  It is not checked for legality.
    cube : int, a power of 2 up to 2**30, optional
        The value that the cube shows; 1 is drawn as 64.  None: no cube.
    cube_owner : "own" or "opp", optional
        Whose side the cube lies on; None: centred.
    offered : "own" or "opp", optional
        Who is to answer a double: the cube, already turned to the new value, lies on the board at his right hand.
    score : two int, optional
        Points of the player on roll and of the opponent.
    length : int, optional
        Match length; 0 is money play.
    crawford : bool
        Whether this is the Crawford game.
    names : two str, optional
        Of the player on roll and of the opponent; of player 0 and player 1 of a state.
    orientation : "own" or "opp"; of a state also 0 or 1
        Who sits at the bottom.
    light : "own" or "opp"; of a state also 0 or 1
        Whose checkers are light: own of a position, those of player 0 of a state if not given.
    home : "right" or "left"
        Where the player at the bottom bears off.
    numbers : "own", "absolute" or None
        Points numbered as the player on roll counts them, as the one at the bottom does, or not at all.
    pips : bool
        Whether pip counts are shown.
    theme : str or Theme
        A name in `THEMES`, or colours of your own.
    size : float or None
        Width in pixels; the height goes with it.  None: as large as where it is put.

    Returns
    -------
    str
        An ``<svg>`` element, well-formed XML without a declaration, that refers to nothing outside or inside: no ids,
        no fonts but a generic family for names, no styles.

    Raises
    ------
    RuleError
        A value that does not exist or does not go with the others; a play whose checkers are not there; a play that
        was only parsed, in place of a position.
    FormatError
        A play that is no play.
    TypeError
        Something of a wrong type.

    Notes
    -----
    Stacks of more than five checkers carry their count.  A pinned checker lies at the foot of its stack, half
    covered.  A point that both sides hold without a pin, which no game allows, shows one checker of each, and counts.

    **Threads:** safe.

    Examples
    --------
    >>> picture = svg(Position.initial(), dice=(3, 1), play="8/5 6/5")
    >>> picture.count('r="19"'), picture[:40]
    (30, '<svg xmlns="http://www.w3.org/2000/svg" ')
    """
    scene, moves = _seen(position)
    undone = moves is not None
    theme = theme_of(theme)
    if rules is not None:
        if not hasattr(rules, "geometry"):
            raise TypeError(f"rules is a Rules, such as bgcore.FEVGA, not {type(rules).__name__}")
        scene.geometry = rules.geometry
    if dice is not None:
        check_roll(dice)
        scene.dice = (int(dice[0]), int(dice[1]))
    if scene.player is None:
        _fill(scene, cube, cube_owner, offered, score, length, crawford)
    elif (rules, cube, cube_owner, offered, score, length, crawford) != (None,) * 6 + (False,):
        raise RuleError("a state has its own rules, cube, score and length; give these beside a position only")
    if names is not None:
        zero, one = names
        if not isinstance(zero, str) or not isinstance(one, str):
            raise TypeError("names are two str")
        scene.names = scene.ordered((zero, one))
    if play is not None:
        if moves is not None:
            raise RuleError("give play= beside a position; a Play is drawn by itself")
        if isinstance(play, str):
            play = Play.parse(play)
        if not isinstance(play, Play):
            raise TypeError(f"play is a Play or a str, not {type(play).__name__}")
        moves = play.moves
    if numbers not in ("own", "absolute", None):
        raise RuleError(f"numbers is 'own', 'absolute' or None, not {numbers!r}")
    if home not in ("left", "right"):
        raise RuleError(f"home is 'left' or 'right', not {home!r}")
    below = _seat("orientation", orientation, scene)
    bright = _seat("light", (0 if scene.player is not None else "own") if light is None else light, scene)
    return _picture(
        scene,
        moves,
        board_of(scene.geometry, home),
        undone=undone,
        mover=0 if below == "own" else 1,
        light=0 if bright == below else 1,
        even_right=home == "left",
        numbers=numbers,
        pips=pips,
        theme=theme,
        size=size,
    )


def _seen(position: Any) -> tuple[Scene, tuple[Any, ...] | None]:
    """The scene of what was given, and the moves of a Play."""
    if isinstance(position, Position):
        return Scene(position), None
    if isinstance(position, Play):
        return Scene(position.result.flipped(), to_act="opp"), position.moves
    if hasattr(position, "position") and hasattr(position, "cube_owner"):
        return scene_of_state(position), None
    raise TypeError(f"a Position, a MatchState or a Play can be drawn, not {type(position).__name__}")


def _fill(
    scene: Scene,
    cube: int | None,
    cube_owner: Side | None,
    offered: Side | None,
    score: tuple[int, int] | None,
    length: int | None,
    crawford: bool,
) -> None:
    """Check what was given beside a position, and put it into the scene."""
    if cube is not None:
        cube = _whole("cube", cube)
        if not 1 <= cube <= LARGEST_CUBE or cube & (cube - 1):
            raise RuleError(f"cube is None or a power of 2 up to 2**30, not {cube}")
    for name, side in (("cube_owner", cube_owner), ("offered", offered)):
        if side not in (None, "own", "opp"):
            raise RuleError(f"{name} is 'own', 'opp' or None, not {side!r}")
        if side is not None and cube is None:
            raise RuleError(f"{name} needs a cube")
    scene.cube, scene.cube_owner, scene.offered = cube, cube_owner, offered
    scene.to_act = offered or scene.to_act
    if score is not None:
        mine, theirs = score
        scene.score = (_points("score", mine), _points("score", theirs))
    scene.length = None if length is None else _points("length", length)
    scene.crawford = bool(crawford)


def _points(name: str, points: object) -> int:
    number = _whole(name, points)
    if not 0 <= number <= MOST_POINTS:
        raise RuleError(f"{name} is from 0 to {MOST_POINTS} points, not {number}")
    return number


def _whole(name: str, number: Any) -> int:
    if isinstance(number, bool):
        raise TypeError(f"{name} is a whole number, not bool")
    return index(number)


def _seat(name: str, seat: object, scene: Scene) -> Side:
    """Own or opp, of what was given as one of them or as a player."""
    if seat == "own" or seat == "opp":
        return seat
    if type(seat) is int and (seat == 0 or seat == 1):
        if scene.player is None:
            raise RuleError(f"{name} of a position is 'own' or 'opp'; only a state has players 0 and 1")
        return scene.side(seat)
    raise RuleError(f"{name} is 'own' or 'opp', or player 0 or 1 of a state, not {seat!r}")


def _sized(size: object, height: float) -> str:
    """The attributes that give a picture its size."""
    if size is None:
        return ""
    if isinstance(size, bool) or not isinstance(size, int | float):
        raise TypeError(f"size is a number of pixels or None, not {type(size).__name__}")
    if not (math.isfinite(size) and 1 <= size <= LARGEST_SIZE):
        raise RuleError(f"size is from 1 to {LARGEST_SIZE} pixels, not {size!r}")
    return f' width="{size:.6g}" height="{size * height / WIDTH:.6g}"'


def _picture(
    scene: Scene,
    moves: tuple[Any, ...] | None,
    board: Board,
    *,
    undone: bool,
    mover: int,
    light: int,
    even_right: bool,
    numbers: Literal["own", "absolute"] | None,
    pips: bool,
    theme: Theme,
    size: float | None,
) -> str:
    """Put the parts together.  Sides are 0, at the bottom, and 1, at the top; ``mover`` is the one on roll."""
    counts = scene.position.counts.tolist()
    pinned = scene.position.pinned.tolist()
    if mover:
        counts.reverse()
        pinned.reverse()
    row = parts.ROW if numbers else parts.EDGE
    strips = pips or scene.score is not None or scene.names is not None
    words = _caption(scene)
    top = -row - (parts.STRIP if strips else 0)
    bottom = FIELD + row + (parts.STRIP if strips else 0) + (parts.STRIP if words else 0)
    height = bottom - top

    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 {top} {WIDTH} {height}"{_sized(size, height)} role="img" '
        f'aria-label="{_label(scene)}">',
        parts.empty_board(theme, top, height, even_right),
    ]
    if numbers:
        drawn.append(parts.numbers(board, mover if numbers == "own" else 0, theme.text))
    under, over = _stacks(board, counts, pinned)
    for stacks in (under, over):
        drawn += [parts.checkers(theme, side == light, stacks[side]) for side in (0, 1) if stacks[side]]
    trays = [[board.tray(side, place) for place in range(counts[side][0])] for side in (0, 1)]
    drawn += [parts.slabs(theme, side == light, trays[side]) for side in (0, 1) if trays[side]]
    if scene.dice is not None:
        drawn.append(parts.dice(theme, mover == light, scene.dice, mover))
    if scene.cube is not None:
        drawn.append(parts.cube(theme, scene.cube, _cube_place(scene, board, mover)))
    if moves:
        before, pins = counts[mover], pinned[1 - mover]
        if undone:
            before = counts_before(before, moves)
        covered = [False, *(pins[board.facing[slot]] for slot in range(1, 25)), False]
        drawn.append(parts.arrows(theme, journeys(board, mover, before, covered, moves)))
    for side in (0, 1):
        drawn.append(parts.counts(theme, side == light, over[side]))
        if trays[side]:
            drawn.append(parts.borne_off(theme, side, trays[side][-1], counts[side][0]))
    if strips:
        for side in (0, 1):
            who = 0 if side == mover else 1
            drawn.append(
                parts.strip(
                    theme,
                    side == light,
                    top + parts.STRIP / 2 if side else FIELD + row + parts.STRIP / 2,
                    name=None if scene.names is None else scene.names[who],
                    score=None if scene.score is None else _score(scene.score[who], scene.length),
                    pips=scene.position.pips[who] if pips else None,
                    marked=scene.to_act == SIDES[who] and not scene.position.is_over,
                )
            )
    if words:
        drawn.append(parts.caption(theme, words, bottom - parts.STRIP / 2 - 2))
    drawn.append("</svg>")
    return "".join(drawn)


def _stacks(
    board: Board, counts: list[list[int]], pinned: list[list[bool]]
) -> tuple[list[list[Stack]], list[list[Stack]]]:
    """The stacks of each side: first those that lie under others, then the rest.

    Counts and pins are those of the side at the bottom and of the one at the top, each in its own numbering.
    """
    under: list[list[Stack]] = [[], []]
    over: list[list[Stack]] = [[], []]
    (low, high), (low_pinned, high_pinned) = counts, pinned
    for point in range(1, 25):
        far = board.facing[point]
        mine, theirs = low[point], high[far]
        if not mine and not theirs:
            continue
        if not (mine and theirs):
            side, count = (0, mine) if mine else (1, theirs)
            over[side].append(_stack([board.stacked(point, row) for row in range(min(count, ROWS))], count))
            continue
        pins = (low_pinned[point], high_pinned[far])
        numbers = (mine, theirs)
        if sum(pins) == 1 and numbers[lowest := pins.index(True)] == 1:
            under[lowest].append(([board.stacked(point, 0)], 0))
            count = numbers[1 - lowest]
            places = [board.stacked(point, row, PIN_STEP) for row in range(min(count, ROWS))]
            over[1 - lowest].append(_stack(places, count))
        else:  # no game allows it
            over[0].append(([board.stacked(point, 0)], mine))
            over[1].append(([board.stacked(point, 1)], theirs))
    for side in (0, 1):
        if on_bar := counts[side][25]:
            over[side].append(_stack([board.barred(side, row) for row in range(min(on_bar, ROWS))], on_bar))
    return under, over


def _stack(places: list[Place], count: int) -> Stack:
    return places, count if count > ROWS else 0


def _cube_place(scene: Scene, board: Board, mover: int) -> Place:
    if scene.offered is not None:
        table = RIGHT_TABLE if (scene.offered == "own") == (mover == 0) else LEFT_TABLE
        return table + TABLE / 2, HALF
    if scene.cube_owner is None:
        return board.cubes[2]
    return board.cubes[mover if scene.cube_owner == "own" else 1 - mover]


def _score(points: int, length: int | None) -> str:
    return f"{points}/{length}" if length else str(points)


def _caption(scene: Scene) -> str:
    """What is said about the match."""
    if scene.length is None:
        return "CRAWFORD" if scene.crawford else ""
    if scene.length:
        return f"MATCH TO {scene.length}" + (", CRAWFORD" if scene.crawford else "")
    return "MONEY" + (", JACOBY" if scene.jacoby else "")


def _label(scene: Scene) -> str:
    """The picture in a few words, for those who cannot see it."""
    own, opp = scene.position.pips
    turn = "on roll" if scene.dice is None else f"to play {scene.dice[0]}{scene.dice[1]}"
    return f"Board: {own} pips {turn}, the opponent {opp} pips"
