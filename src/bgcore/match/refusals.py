"""Why something is refused: what is due instead, states that no play leads to, rulings and forfeits that fit nowhere.

Only asked when an action comes at the wrong time, from outside the game, or a state from a text; so it may be slow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgcore.errors import RuleError
from bgcore.match.cube import LARGEST_CUBE
from bgcore.match.gul_bar import GulBar

if TYPE_CHECKING:
    from bgcore.match.actions import Forfeit, Ruling
    from bgcore.match.state import MatchState

__all__ = ["check_forfeit", "check_ruling", "check_state", "due"]


def due(state: MatchState) -> str:
    """What is asked for now, in a sentence."""
    zero, one = state.score
    if state.is_match_over:
        return f"the match is over, player {state.winner} has won it at {zero}-{one}"
    if state.is_game_over:
        return "the game is over, and NextGame sets up the next one"
    if state.resigned is not None:
        level, player = state.resigned
        return f"player {1 - player} has to accept or decline player {player}'s resignation at level {level}"
    if state.phase == "opening":
        return "the opening roll is to be thrown"
    if state.phase == "offered":
        return f"player {state.to_act} has to answer a {state.pending}: take, drop or redouble where it is allowed"
    if state.phase == "to_roll":
        return f"player {state.on_roll} is to roll, or to double before where he may"
    larger, smaller = state.dice or (0, 0)
    what = "make a play" if state.actions()[0].kind == "play" else "pass, since nothing can be played,"
    return f"player {state.on_roll} is to {what} with {larger}-{smaller}"


def check_state(state: MatchState) -> None:
    """Raise if no play of a match leads to the state.

    Raises
    ------
    RuleError
        It says what contradicts what; `.rule` names the rule.
    InvalidPosition
        Not a position of the game.
    """
    outcome = state.rules.outcome(state.position)  # validates the position as well
    if outcome is not None and not state.is_game_over:
        raise RuleError("one side has won in that position, so the game is over", rule="game_over")
    if not state.is_game_over and (state.phase == "opening") != (state.on_roll is None):
        raise RuleError("somebody is on roll in every phase but the opening", rule="not_due")
    if state.phase == "opening" and state.position != state.rules.start:
        raise RuleError(f"the opening roll is thrown from the starting position of {state.rules.name}", rule="not_due")
    if state.phase in ("opening", "to_roll", "offered") and state.dice is not None:
        raise RuleError(f"no roll can be on the table in the phase {state.phase!r}", rule="not_due")
    if state.phase == "to_play" and state.dice is None:
        raise RuleError("a play needs a roll", rule="not_due")
    _check_score(state)
    _check_cube(state)
    if state.resigned is not None:
        level, player = state.resigned
        if state.phase == "offered":
            raise RuleError("a resignation and an offer of the cube cannot both be pending", rule="not_due")
        if not state.declined[player] < level <= _levels(state):
            raise RuleError(
                f"player {player} cannot have resigned at level {level} of {state.rules.name}", rule="no_triple"
            )


def _levels(state: MatchState) -> int:
    from bgcore.match.cube import resignation_levels

    return 0 if isinstance(state.series, GulBar) else resignation_levels(state.rules)


def _check_score(state: MatchState) -> None:
    """The score, and whether this can be the Crawford game."""
    if state.series is not None:
        return
    length, score = state.length, state.score
    if min(score) < 0:
        raise RuleError(f"a score of {min(score)} is below 0", rule="score")
    if length and not state.is_game_over and max(score) >= length and score[0] != score[1]:
        raise RuleError(f"at {score[0]}-{score[1]} a match to {length} is over", rule="match_over")
    if not state.is_crawford:
        return
    if not length or not state.options.crawford:
        where = "this match" if length else "money play"
        raise RuleError(f"{where} has no Crawford game", rule="crawford")
    if length == 1:
        raise RuleError("a match to one point has no Crawford game", rule="one_point_match")
    if not state.is_game_over and max(score) != length - 1:
        raise RuleError(
            f"no Crawford game at {score[0]}-{score[1]} to {length}: nobody is one point from winning", rule="crawford"
        )


def _check_cube(state: MatchState) -> None:
    """The cube, and the offer of it."""
    value, owner, options = state.cube, state.cube_owner, state.options
    limit = LARGEST_CUBE if options.cube_limit is None else options.cube_limit
    offered = state.phase == "offered"
    if value > limit:
        raise RuleError(f"a cube of {value} is beyond the limit of {limit}", rule="cube_limit")
    if not state.cube_in_play and (value > 1 or owner is not None or offered):
        why, rule = "this game is played without a cube", "no_cube"
        if state.is_crawford:
            why, rule = "there is no doubling in the Crawford game", "crawford"
        elif state.length == 1:
            why, rule = "a match to one point has no cube", "one_point_match"
        raise RuleError(f"the cube is {'offered' if offered else 'turned'}, but {why}", rule=rule)
    if owner is not None and value == 1:
        raise RuleError(f"player {owner} owns the cube, so it has been turned and cannot show 1", rule="not_owner")
    if owner is None and value > 1 << state.automatic_doubles:
        raise RuleError(f"a centred cube of {value} has never been turned, so it shows 1", rule="automatic_doubles")
    if state.automatic_doubles > options.automatic_doubles:
        raise RuleError(
            f"{state.automatic_doubles} automatic doubles, but {options.automatic_doubles} are agreed",
            rule="automatic_doubles",
        )
    if not offered:
        return
    chain, doubler = state.redoubles, 0 if state.on_roll is None else state.on_roll
    if chain == 0:
        if owner not in (None, doubler):
            raise RuleError(f"player {doubler} cannot have doubled: player {owner} owns the cube", rule="not_owner")
    elif not state.is_money:
        raise RuleError("beavers and raccoons are for money play", rule="money_only")
    elif chain > options.beavers:
        raise RuleError(f"{chain} redoubles at once, but {options.beavers} are agreed", rule="beavers")
    else:
        keeps = doubler if chain % 2 == 0 and options.raccoon_owner == "doubler" else 1 - doubler
        before = state.cube_owner_before
        if owner != keeps or value < 1 << chain:
            raise RuleError(
                f"after {chain} redoubles player {keeps} owns a cube of at least {1 << chain}, not one of {value} "
                f"owned by {owner}",
                rule="not_owner",
            )
        if before not in (None, doubler):
            raise RuleError(f"player {doubler} cannot have doubled: player {before} owned the cube", rule="not_owner")
    if 2 * value > limit:
        raise RuleError(f"a cube of {value} cannot be doubled: the limit is {limit}", rule="cube_limit")


def check_ruling(state: MatchState, ruling: Ruling) -> None:
    """Raise if a ruling cannot be carried out here.

    Raises
    ------
    RuleError
        It says why.
    InvalidPosition
        Not a position of the game.
    """
    if ruling.position is not None:
        over = state.rules.outcome(ruling.position)
        if over is not None and ruling.dice is not None:
            raise RuleError("one side has won in that position, so no roll is to be played", rule="ruling")
    if state.is_game_over and ruling.cube is not None and ruling.position is None:
        raise RuleError("the game is over: a cube goes with the position that takes it up again", rule="ruling")
    if ruling.score is None:
        return
    if state.series is not None:
        raise RuleError("a series keeps its own score: it follows from the games, not from a ruling", rule="ruling")
    playing = ruling.position is not None or not state.is_game_over
    if playing and state.length and max(ruling.score) >= state.length:
        raise RuleError(
            f"at {ruling.score[0]}-{ruling.score[1]} a match to {state.length} is over, but the game goes on",
            rule="ruling",
        )


def check_forfeit(state: MatchState, forfeit: Forfeit) -> None:
    """Raise if a forfeit cannot be carried out here.

    Raises
    ------
    RuleError
        It says why.
    """
    if state.is_match_over:
        raise RuleError(f"Forfeit: {due(state)}", rule="match_over")
    if forfeit.scope == "game" and state.is_game_over:
        raise RuleError("the game is over already; forfeit points or the match", rule="not_due")
    if state.series is None:
        return
    if forfeit.scope != "game" and forfeit.points is not None:
        raise RuleError("a series counts what its games pay: forfeit the game or the match", rule="series")
    if forfeit.scope == "game" and state.phase == "opening":
        raise RuleError("in a series no game is forfeited before it has begun; forfeit the match", rule="series")
    if forfeit.scope == "game" and forfeit.points is None and isinstance(state.series, GulBar):
        raise RuleError("what a game of Gül Bar pays is counted on the board: say how many points", rule="series")
