"""What a picture shows, seen by the player on roll; and the one function that reads it from the state of a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from bgcore.position import Position

__all__ = ["Scene", "Side", "scene_of_state"]

Side: TypeAlias = Literal["own", "opp"]


@dataclass(slots=True)
class Scene:
    """What there is to see.  Pairs are of the player on roll and of the opponent.

    Attributes
    ----------
    position : Position
    geometry : {"contrary", "parallel"}
    dice : two int or None
    cube : int or None
        What the cube shows; None is no cube, 1 is drawn as 64.
    cube_owner : "own", "opp" or None
        None: centred.
    offered : "own", "opp" or None
        Who is to answer a double; the cube then lies before him.
    score : two int or None
    length : int or None
        Of the match; 0: money.
    crawford, jacoby : bool
    names : two str or None
    to_act : "own" or "opp" or None
        Who decides now.
    player : 0, 1 or None
        Which player of a match is on roll; None where nobody has a number.
    """

    position: Position
    geometry: Literal["contrary", "parallel"] = "contrary"
    dice: tuple[int, int] | None = None
    cube: int | None = None
    cube_owner: Side | None = None
    offered: Side | None = None
    score: tuple[int, int] | None = None
    length: int | None = None
    crawford: bool = False
    jacoby: bool = False
    names: tuple[str, str] | None = None
    to_act: Side | None = "own"
    player: Literal[0, 1] | None = None

    def side(self, who: Side | int) -> Side:
        """Own or opp, of a side or the number of a player."""
        if isinstance(who, str):
            return who
        return "own" if who == self.player else "opp"

    def ordered(self, pair: tuple[Any, Any]) -> tuple[Any, Any]:
        """A pair of player 0 and player 1 as one of own and opp; without numbers it is that already."""
        return pair[::-1] if self.player == 1 else pair


def scene_of_state(state: Any) -> Scene:
    """The scene of a `bgcore.match.state.MatchState`, which stands in a room above this one.

    Parameters
    ----------
    state : object
        Read are the attributes ``position``, ``rules``, ``dice``, ``on_roll``, ``to_act``, ``pending``,
        ``redoubles``, ``cube`` (its value; while it is offered, the value before), ``cube_owner``, ``cube_in_play``,
        ``score``, ``length``, ``is_crawford`` and ``options.jacoby``, as MatchState has them: players are 0 and 1, and
        the position is seen by the player on roll (before the opening roll, when nobody is, by player 0).

    Returns
    -------
    Scene
    """
    scene = Scene(state.position, state.rules.geometry, state.dice, player=1 if state.on_roll == 1 else 0)
    scene.to_act = None if state.to_act is None else scene.side(state.to_act)
    scene.score = scene.ordered(state.score)
    scene.length = state.length
    scene.crawford = state.is_crawford
    if state.cube_in_play:
        scene.cube = state.cube
        scene.cube_owner = None if state.cube_owner is None else scene.side(state.cube_owner)
        scene.jacoby = state.length == 0 and state.options.jacoby
        if state.pending in ("double", "beaver", "raccoon"):
            scene.cube = state.cube << 1 + state.redoubles
            scene.offered = scene.to_act
    return scene
