"""The cube and the score as cases, with their answers written out from the rules.

Rules for people: docs/rules.md.  Players are 0 and 1; player 0 is on roll where nothing else is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bgcore.conformance.cases import ActionsCase, ApplyCase, Case, ScoreCase
from bgcore.conformance.states import START, state

__all__ = ["match_cases"]

Fields = dict[str, Any]
MONEY: Fields = {"length": 0, "jacoby": False}
JACOBY: Fields = {"length": 0, "jacoby": True}
CUBE = ("roll", "offer")
ANSWERS = ("take", "drop", "beaver", "raccoon")
OFFER, TAKE, DROP, BEAVER, RACCOON = ({"kind": kind} for kind in ("offer", "take", "drop", "beaver", "raccoon"))
NEXT = {"kind": "next_game"}
OFF = {"kind": "play", "play": "1/off"}


def last_checker(left: dict[int, int]) -> list[int]:
    """The last checker of the player on roll on his ace point; `left` are the opponent's, by the same numbers."""
    board = [0] * 26
    board[1] = 1
    for point, count in left.items():
        board[point] = -count
    return board


SINGLE = last_checker({24: 3})
GAMMON = last_checker({24: 10, 19: 5})
BACKGAMMON = last_checker({24: 14, 4: 1})


def about_to_win(board: list[int], **fields: Any) -> Fields:
    """A state in which 2-1 bears off the last checker."""
    return state(board=board, phase="to_play", dice=[2, 1], **fields)


def end(
    kind: str, *, winner: int = 0, how: str = "play", cube: int = 1, owner: int | None = None, **more: Any
) -> Fields:
    """The end of a game, as "score" is asked about it."""
    base = {"length": 7, "score": [0, 0], "jacoby": False}
    return base | {"winner": winner, "kind": kind, "how": how, "cube": cube, "owner": owner} | more


def match_cases() -> Iterator[Case]:
    """All of them, group by group."""
    yield from crawford()
    yield from jacoby()
    yield from cube()
    yield from beavers()
    yield from resignation()
    yield from score()
    yield from opening()
    yield from turns()
    yield from holland()
    yield from table_stakes()


def crawford() -> Iterator[Case]:
    """No doubling in the first game after a player comes to one point from winning, and only in that one."""
    group = "crawford"
    for player, name in ((0, "leader"), (1, "trailer")):
        game = state(score=[6, 3], crawford_game=True, on_roll=player)
        yield ActionsCase(group, f"the {name} in the Crawford game", game, CUBE, ("roll",))
        yield ApplyCase(group, f"the {name} doubles in the Crawford game", game, (OFFER,), None)
        after = state(score=[6, 3], on_roll=player)
        yield ActionsCase(group, f"the {name} after the Crawford game", after, CUBE, CUBE)
        yield ApplyCase(group, f"the {name} doubles after the Crawford game", after, (OFFER,), {"phase": "offered"})
    yield ActionsCase(group, "two points from winning is no Crawford game", state(score=[5, 3]), CUBE, CUBE)
    won = about_to_win(SINGLE, score=[5, 3])
    yield ApplyCase(
        group,
        "a player comes to one point from winning: the next game is the Crawford game",
        won,
        (OFF, NEXT),
        {"score": [6, 3], "crawford_game": True},
    )
    lost = about_to_win(SINGLE, score=[6, 3], crawford_game=True, on_roll=1)
    yield ApplyCase(
        group,
        "the leader loses the Crawford game: the next one is none",
        lost,
        (OFF, NEXT),
        {"score": [6, 4], "crawford_game": False},
    )
    both = about_to_win(SINGLE, score=[6, 5], on_roll=1)
    yield ApplyCase(
        group,
        "the other player comes to one point from winning as well: no second Crawford game",
        both,
        (OFF, NEXT),
        {"score": [6, 6], "crawford_game": False},
    )


def jacoby() -> Iterator[Case]:
    """Money: gammons and backgammons count only once the cube has been turned."""
    group = "jacoby"
    for kind, board, points in (("gammon", GAMMON, 2), ("backgammon", BACKGAMMON, 3)):
        centred, turned = f"{kind}, Jacoby, cube centred", f"{kind}, Jacoby, cube turned"
        yield ScoreCase(group, centred, end(kind, **JACOBY), 1, (1, 0))
        yield ApplyCase(group, centred, about_to_win(board, **JACOBY), (OFF,), {"points": 1, "score": [1, 0]})
        paid = 2 * points
        yield ScoreCase(group, turned, end(kind, cube=2, owner=0, **JACOBY), paid, (paid, 0))
        game = about_to_win(board, cube=2, owner=1, **JACOBY)
        yield ApplyCase(group, turned, game, (OFF,), {"points": paid, "score": [paid, 0]})
        without = f"{kind}, money without Jacoby"
        yield ScoreCase(group, without, end(kind, **MONEY), points, (points, 0))
        yield ApplyCase(group, without, about_to_win(board, **MONEY), (OFF,), {"points": points})
    offered = {"kind": "resign_offer", "level": 2, "player": 1}
    resigned = (offered, {"kind": "resign_accept"})
    yield ApplyCase(group, "a gammon resigned, Jacoby, cube centred", state(**JACOBY), resigned, {"points": 1})


def cube() -> Iterator[Case]:
    """Who may double and when, and what an answer does."""
    group = "cube"
    for name, table in (("a match", {"length": 7}), ("money", MONEY)):
        yield ActionsCase(group, f"{name}, cube centred", state(**table), CUBE, CUBE)
        for value in (2, 8):
            mine = state(cube=value, owner=0, **(table | {"length": 25} if table["length"] else table))
            yield ActionsCase(group, f"{name}, the cube of {value} is his own", mine, CUBE, CUBE)
            yield ActionsCase(
                group, f"{name}, the cube of {value} is the opponent's", mine | {"owner": 1}, CUBE, ("roll",)
            )
            yield ApplyCase(group, f"{name}, he doubles with the opponent's cube", mine | {"owner": 1}, (OFFER,), None)
    rolled = state(phase="to_play", dice=[3, 1])
    yield ActionsCase(group, "after the roll", rolled, ("play", "offer"), ("play",))
    yield ApplyCase(group, "he doubles after the roll", rolled, (OFFER,), None)
    throw = state(phase="opening", on_roll=None)
    yield ActionsCase(group, "before the opening roll", throw, ("open_roll", "offer"), ("open_roll",))
    offered = {"phase": "offered", "on_roll": 0, "to_act": 1, "cube": 1, "owner": None}
    yield ApplyCase(group, "a double waits for the answer", state(), (OFFER,), offered)
    answer = state(phase="offered")
    yield ActionsCase(group, "a double is taken or dropped", answer, (*CUBE, *ANSWERS), ("take", "drop"))
    yield ApplyCase(group, "who is doubled rolls", answer, ({"kind": "roll", "dice": [3, 1]},), None)
    taken = {"phase": "to_roll", "on_roll": 0, "to_act": 0, "cube": 2, "owner": 1}
    yield ApplyCase(group, "a take doubles the cube once and gives it to the taker", state(), (OFFER, TAKE), taken)
    yield ApplyCase(group, "the doubler doubles again", state(), (OFFER, TAKE, OFFER), None)
    dropped = {"phase": "game_over", "points": 1, "game_winner": 0, "score": [1, 0]}
    yield ApplyCase(group, "a drop pays the cube before the double", state(), (OFFER, DROP), dropped)
    four = state(cube=4, owner=0, length=25)
    again = {"points": 4, "game_winner": 0, "score": [4, 0]}
    yield ApplyCase(group, "a dropped redouble pays the cube before it", four, (OFFER, DROP), again)
    taken = {"cube": 8, "owner": 1, "on_roll": 0, "phase": "to_roll"}
    yield ApplyCase(group, "a redouble taken", four, (OFFER, TAKE), taken)
    one = state(length=1)
    yield ActionsCase(group, "a match to one point has no cube", one, CUBE, ("roll",))
    yield ApplyCase(group, "a double in a match to one point", one, (OFFER,), None)
    dead = state(length=5, score=[4, 2])
    yield ActionsCase(group, "a cube that gains nothing may still be offered", dead, CUBE, CUBE)
    yield ScoreCase(group, "a drop pays the cube before the double", end("single", how="drop", cube=2), 2, (2, 0))
    yield ScoreCase(group, "a cube of 64", end("single", cube=64, owner=1, length=0), 64, (64, 0))


def beavers() -> Iterator[Case]:
    """Money, where agreed: who is doubled may redouble at once and keep the cube."""
    group = "beavers"
    agreed = MONEY | {"beavers": 3}
    asked = state(phase="offered", **agreed)
    yield ActionsCase(group, "beavers agreed", asked, ANSWERS, ("take", "drop", "beaver"))
    yield ActionsCase(group, "beavers not agreed", state(phase="offered", **MONEY), ANSWERS, ("take", "drop"))
    yield ActionsCase(group, "no beavers in a match", state(phase="offered"), ANSWERS, ("take", "drop"))
    yield ApplyCase(group, "a beaver in a match", state(phase="offered"), (BEAVER,), None)
    kept = {"cube": 2, "owner": 1, "to_act": 0, "phase": "offered"}
    yield ApplyCase(group, "a beaver: the cube is the receiver's, the doubler answers", asked, (BEAVER,), kept)
    won = {"points": 2, "game_winner": 1}
    yield ApplyCase(group, "a beaver is dropped for the double that it answers", asked, (BEAVER, DROP), won)
    on = {"cube": 4, "owner": 1, "on_roll": 0, "phase": "to_roll"}
    yield ApplyCase(group, "a beaver is taken", asked, (BEAVER, TAKE), on)
    raccoon = {"cube": 8, "owner": 1, "on_roll": 0, "phase": "to_roll"}
    yield ApplyCase(group, "a raccoon is taken", asked, (BEAVER, RACCOON, TAKE), raccoon)
    once = state(phase="offered", **(MONEY | {"beavers": 1}))
    yield ApplyCase(group, "a raccoon where one redouble is agreed", once, (BEAVER, RACCOON), None)


def resignation() -> Iterator[Case]:
    """A game is resigned as a single one, a gammon or a backgammon; the opponent may decline."""
    group = "resignation"
    answers = ("resign_accept", "resign_decline")
    for level, kind in ((1, "single"), (2, "gammon"), (3, "backgammon")):
        offer = {"kind": "resign_offer", "level": level, "player": 0}
        game = state(cube=2, owner=0)
        paid = {"phase": "game_over", "points": 2 * level, "game_winner": 1, "score": [0, 2 * level]}
        yield ApplyCase(group, f"{kind} resigned and accepted, cube 2", game, (offer, {"kind": "resign_accept"}), paid)
        declined = {"phase": "to_roll", "on_roll": 0, "score": [0, 0], "resigned": None}
        yield ApplyCase(group, f"{kind} resigned and declined", game, (offer, {"kind": "resign_decline"}), declined)
        yield ActionsCase(group, f"{kind} resigned", state(resigned=[level, 0]), (*answers, *CUBE), answers)
        ended = end(kind, winner=1, how="resignation", cube=2, owner=0)
        yield ScoreCase(group, f"{kind} resigned, cube 2", ended, 2 * level, (0, 2 * level))
    yield from declined_offers()
    wrong = state(resigned=[1, 0])
    yield ApplyCase(group, "a roll while a resignation waits", wrong, ({"kind": "roll", "dice": [3, 1]},), None)


def declined_offers() -> Iterator[Case]:
    """What may be offered once the opponent has declined: in the same turn only more."""
    group = "resignation"
    decline = {"kind": "resign_decline"}
    single, gammon, backgammon = ({"kind": "resign_offer", "level": level, "player": 0} for level in (1, 2, 3))
    waits = {"phase": "to_roll", "on_roll": 0, "resigned": [2, 0]}
    yield ApplyCase(group, "a single game declined, a gammon offered", state(), (single, decline, gammon), waits)
    paid = {"phase": "game_over", "points": 2, "game_winner": 1, "score": [0, 2]}
    accept = {"kind": "resign_accept"}
    more = (single, decline, gammon, accept)
    yield ApplyCase(group, "a single game declined, a gammon offered and accepted", state(), more, paid)
    yield ApplyCase(group, "a single game declined, and offered again", state(), (single, decline, single), None)
    yield ApplyCase(group, "a gammon declined, a single game offered", state(), (gammon, decline, single), None)
    yield ApplyCase(group, "a backgammon declined, a gammon offered", state(), (backgammon, decline, gammon), None)
    theirs = {"kind": "resign_offer", "level": 1, "player": 1}
    waits = {"phase": "to_roll", "on_roll": 0, "resigned": [1, 1]}
    yield ApplyCase(group, "one resignation declined, the other player's", state(), (gammon, decline, theirs), waits)
    goes_on = ({"kind": "roll", "dice": [3, 1]},)
    rolled = {"phase": "to_play", "dice": [3, 1], "on_roll": 0, "resigned": None}
    yield ApplyCase(group, "a resignation declined, the game goes on", state(), (gammon, decline, *goes_on), rolled)
    none = state(declined=[3, 0])
    yield ActionsCase(group, "a backgammon declined: nothing more to offer", none, ("resign_offer",), ())


def score() -> Iterator[Case]:
    """What a game pays in a match, and when that is over."""
    group = "match score"
    yield ScoreCase(group, "a single game", end("single"), 1, (1, 0))
    yield ScoreCase(group, "a gammon without a turned cube", end("gammon"), 2, (2, 0))
    yield ScoreCase(group, "a backgammon of player 1", end("backgammon", winner=1), 3, (0, 3))
    yield ScoreCase(
        group, "a gammon, cube 2, wins to 5", end("gammon", cube=2, owner=0, length=5, score=[2, 2]), 4, (6, 2), True
    )
    yield ScoreCase(
        group, "a backgammon, cube 64, to 127", end("backgammon", cube=64, owner=0, length=127), 192, (192, 0), True
    )
    yield ScoreCase(
        group, "a dropped redouble", end("single", how="drop", cube=2, owner=0, length=5, score=[1, 3]), 2, (3, 3)
    )
    yield ScoreCase(group, "a gammon in the Crawford game", end("gammon", winner=1, score=[6, 3]), 2, (6, 5))
    yield ScoreCase(group, "exactly enough", end("single", score=[6, 3]), 1, (7, 3), True)
    for kind, board, points in (("single", SINGLE, 1), ("gammon", GAMMON, 2), ("backgammon", BACKGAMMON, 3)):
        paid = {"points": 2 * points, "score": [2 * points, 1], "phase": "game_over", "game_winner": 0}
        won = about_to_win(board, score=[0, 1], cube=2, owner=1)
        yield ApplyCase(group, f"{kind} won, cube 2", won, (OFF,), paid)
    over = about_to_win(SINGLE, score=[6, 6])
    yield ApplyCase(group, "a match is won", over, (OFF,), {"match_winner": 0, "phase": "game_over"})
    yield ApplyCase(group, "no game after the last", over, (OFF, NEXT), None)
    fresh = {"cube": 1, "owner": None, "phase": "opening", "score": [4, 1], "board": START}
    game = about_to_win(GAMMON, score=[0, 1], cube=2, owner=1)
    yield ApplyCase(group, "the next game begins with a centred cube of 1", game, (OFF, NEXT), fresh)


def opening() -> Iterator[Case]:
    """One die each; the higher plays both, equal ones are thrown again."""
    group = "opening"
    throw = state(phase="opening", on_roll=None)
    for dice, player in (([3, 1], 0), ([1, 4], 1), ([6, 5], 0)):
        first = {"on_roll": player, "phase": "to_play", "dice": sorted(dice, reverse=True), "board": START}
        title = f"{dice[0]} against {dice[1]}"
        yield ApplyCase(group, title, throw, ({"kind": "open_roll", "dice": dice},), first)
    tie = {"kind": "open_roll", "dice": [2, 2]}
    again = {"phase": "opening", "on_roll": None, "cube": 1, "dice": None}
    yield ApplyCase(group, "equal dice", throw, (tie,), again)
    money = state(phase="opening", on_roll=None, **MONEY)
    yield ApplyCase(group, "equal dice, no automatic doubles agreed", money, (tie,), again)
    agreed = state(phase="opening", on_roll=None, **(MONEY | {"automatic_doubles": 1}))
    yield ApplyCase(group, "equal dice, one automatic double agreed", agreed, (tie,), again | {"cube": 2})
    yield ApplyCase(group, "no second automatic double", agreed, (tie, tie), again | {"cube": 2})


def turns() -> Iterator[Case]:
    """Roll, play, and it is the other player's turn."""
    group = "turns"
    roll, play = {"kind": "roll", "dice": [3, 1]}, {"kind": "play", "play": "8/5 6/5"}
    yield ApplyCase(group, "a roll", state(), (roll,), {"phase": "to_play", "dice": [3, 1], "on_roll": 0})
    made = START.copy()
    made[8], made[6], made[5] = 2, 4, 2
    seen = [-n for n in reversed(made)]
    after = {"phase": "to_roll", "on_roll": 1, "to_act": 1, "dice": None, "board": seen}
    yield ApplyCase(group, "a play", state(), (roll, play), after)
    yield ApplyCase(group, "an illegal play", state(), (roll, {"kind": "play", "play": "13/8"}), None)
    yield ApplyCase(group, "a second roll", state(), (roll, roll), None)
    yield ApplyCase(group, "a pass where something can be played", state(), (roll, {"kind": "pass"}), None)
    shut = [0] * 26
    shut[25], shut[6] = 1, 14
    for point in range(19, 25):
        shut[point] = -2
    shut[13] = -3
    closed = state(board=shut, phase="to_play", dice=[6, 6])
    yield ActionsCase(group, "nothing can be played", closed, ("play", "pass"), ("pass",))
    passed = {"phase": "to_roll", "on_roll": 1, "board": [-n for n in reversed(shut)]}
    yield ApplyCase(group, "a pass", closed, ({"kind": "pass"},), passed)


def holland() -> Iterator[Case]:
    """Where agreed: after the Crawford game nobody doubles before both players have rolled twice."""
    group = option = "holland"
    after = {"length": 5, "score": [4, 2], "holland": True}
    for rolls, offered in (
        ([0, 0], ()),
        ([1, 2], ()),
        ([2, 1], ()),
        ([4, 1], ()),
        ([2, 2], CUBE[1:]),
        ([5, 4], CUBE[1:]),
    ):
        for player, name in ((0, "leader"), (1, "trailer")):
            title = f"the {name} after the Crawford game, {rolls[0]} and {rolls[1]} rolls"
            game = state(rolls=rolls, on_roll=player, **after)
            yield ActionsCase(group, title, game, CUBE, ("roll", *offered), option)
            expected = {"phase": "offered", "on_roll": player} if offered else None
            yield ApplyCase(group, f"{title}: he doubles", game, (OFFER,), expected, option)
    before = state(length=5, score=[3, 2], holland=True)
    yield ActionsCase(group, "before the Crawford game", before, CUBE, CUBE, option)
    without = state(length=5, score=[4, 2])
    yield ActionsCase(group, "the Holland rule not agreed", without, CUBE, CUBE, option)
    opened = state(phase="to_play", dice=[3, 1], rolls=[1, 0], **after)
    roll = {"kind": "roll", "dice": [3, 1]}
    first, second = ({"kind": "play", "play": text} for text in ("24/23 13/10", "13/9"))
    each_once = (first, roll, first)
    yield ApplyCase(group, "the opening roll is the first one", opened, (*each_once, OFFER), None, option)
    both_twice = (*each_once, roll, second, roll, second)
    allowed = {"phase": "offered", "on_roll": 0}
    yield ApplyCase(group, "both have rolled twice", opened, (*both_twice, OFFER), allowed, option)
    yield ApplyCase(group, "one has rolled twice", opened, (*each_once, roll, second, OFFER), None, option)


def table_stakes() -> Iterator[Case]:
    """Money, where agreed: nobody pays more than he has brought and won, and who has nothing left ends the session."""
    group, option = "table stakes", "table_stakes"
    table = MONEY | {"table_stakes": [5, 3]}
    whole = {"points": 2, "score": [2, 0], "match_winner": None, "phase": "game_over"}
    yield ApplyCase(group, "a gammon within the stakes", about_to_win(GAMMON, **table), (OFF,), whole, option)
    fresh = {"phase": "opening", "score": [2, 0], "cube": 1}
    yield ApplyCase(group, "then the session goes on", about_to_win(GAMMON, **table), (OFF, NEXT), fresh, option)
    all_of_it = {"points": 3, "score": [3, 0], "match_winner": 0}
    exact = about_to_win(BACKGAMMON, **table)
    yield ApplyCase(group, "exactly all", exact, (OFF,), all_of_it, option)
    yield ApplyCase(group, "no game after that", exact, (OFF, NEXT), None, option)
    large = about_to_win(GAMMON, cube=4, owner=0, **table)
    yield ApplyCase(group, "more than the loser has is not paid", large, (OFF,), all_of_it, option)
    behind = about_to_win(GAMMON, score=[2, 0], **table)
    one = {"points": 1, "score": [3, 0], "match_winner": 0}
    yield ApplyCase(group, "what he has lost before is not there", behind, (OFF,), one, option)
    ahead = about_to_win(GAMMON, score=[0, 4], cube=4, owner=0, **table)
    seven = {"points": 7, "score": [7, 4], "match_winner": 0}
    yield ApplyCase(group, "what he has won before can be lost", ahead, (OFF,), seven, option)
    dropped = state(cube=8, owner=0, **table)
    yield ApplyCase(group, "a double dropped", dropped, (OFFER, DROP), all_of_it, option)
    offer = {"kind": "resign_offer", "level": 3, "player": 0}
    resigned = {"points": 5, "score": [0, 5], "match_winner": 1}
    game = state(cube=2, owner=0, **table)
    yield ApplyCase(group, "a backgammon resigned", game, (offer, {"kind": "resign_accept"}), resigned, option)
