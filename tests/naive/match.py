"""A match once more, as a plain dict, written from the rules of the cube and the score; slow and obviously right.

    now = new(nv.game("plakoto"), length=5)
    now = step(now, {"kind": "open_roll", "dice": [3, 1]})      # or Refused, with the rule in its text

Actions are the dicts of a record; a play is {"kind": "play", "board": Board}, the position after it as the mover sees
it.  Imports nothing of bgcore; plays and outcomes are those of `naive.variants`.
"""

from __future__ import annotations

from typing import Any

from naive import variants as nv

State = dict[str, Any]
Action = dict[str, Any]

OPTIONS: dict[str, Any] = {
    "jacoby": True,
    "beavers": 0,
    "automatic_doubles": 0,
    "cube_limit": None,
    "raccoon_owner": "receiver",
    "table_stakes": None,
    "dead_cube": "allow",
    "crawford": True,
    "holland": False,
    "declined_for": "game",
}
LARGEST = 2**30


class Refused(Exception):
    """The action may not be done now; "illegal play" if it is a play that is the wrong one."""


def new(game: nv.Game, length: int, score: tuple[int, int] = (0, 0), **options: Any) -> State:
    """A match before its first game."""
    rule = (OPTIONS | options)["crawford"] and length > 1
    state: State = {
        "game_of": game,
        "length": length,
        "options": OPTIONS | options,
        "score": list(score),
        "number": 0,
        "had_crawford": bool(rule and min(score) == length - 1),
        "match_winner": None,
        "last_winner": None,
        "first": None,
    }
    return next_game(state)


def next_game(state: State) -> State:
    """The same match with its next game set up."""
    game, rule = state["game_of"], state["game_of"].next_first
    first = None
    if state["number"]:
        if rule == "alternate" and state["first"] is not None:
            first = 1 - state["first"]
        elif rule in ("winner", "loser") and state["last_winner"] is not None:
            first = state["last_winner"] if rule == "winner" else 1 - state["last_winner"]
    one_away = max(state["score"]) == state["length"] - 1
    crawford = state["options"]["crawford"] and state["length"] > 1 and one_away and not state["had_crawford"]
    return state | {
        "number": state["number"] + 1,
        "crawford": crawford,
        "board": nv.start(game),  # seen by on_roll
        "phase": "opening" if first is None else "to_roll",
        "on_roll": first,
        "first": first,
        "dice": None,
        "cube": 1,
        "owner": None,
        "redoubles": 0,
        "doubled_this_turn": False,
        "automatic": 0,
        "resigned": None,
        "declined": [0, 0],
        "rolls": [0, 0],
        "passes": 0,
        "arrived": [False, False],
        "owed": None,  # the stage of a cascade that is to be played
        "transferred": False,  # it was left by the opponent
        "played": 0,  # steps in earlier stages
        "result": None,
    }


def step(state: State, action: Action) -> State:
    """The state after an action."""
    now = {name: list(value) if isinstance(value, list) else value for name, value in state.items()}
    kind = action["kind"]
    if kind == "ruling":
        return ruling(now, action)
    if now["match_winner"] is not None:
        raise Refused("match_over")
    if kind == "forfeit":
        return forfeit(now, action)
    if now["phase"] == "game_over":
        if kind != "next_game":
            raise Refused("not_due")
        now["had_crawford"] = now["had_crawford"] or now["crawford"]
        return next_game(now)
    if now["resigned"] is not None:
        return answer_resignation(now, kind)
    if kind == "resign_offer":
        return resign(now, action["level"], action["player"])
    if now["phase"] == "opening" and kind == "open_roll":
        return opening(now, *action["dice"])
    if now["phase"] == "to_roll" and kind == "roll":
        return roll(now, *action["dice"])
    if now["phase"] == "to_roll" and kind == "offer":
        return double(now)
    if now["phase"] == "to_play" and kind in ("play", "pass"):
        return play(now, action.get("board"))
    if now["phase"] == "offered" and kind in ("take", "drop", "beaver", "raccoon"):
        return answer(now, kind)
    if kind in ("beaver", "raccoon") and now["phase"] == "offered":
        raise Refused("beavers")
    raise Refused("not_due")


# ---- turns


def opening(now: State, zero: int, one: int) -> State:
    if zero == one:
        if (
            now["length"] == 0
            and now["game_of"].cube == "on"
            and now["automatic"] < now["options"]["automatic_doubles"]
            and now["cube"] * 2 <= (now["options"]["cube_limit"] or LARGEST)
        ):
            now["cube"] *= 2
            now["automatic"] += 1
        return now
    now["on_roll"] = now["first"] = 0 if zero > one else 1
    now["phase"] = "to_roll"
    return roll(now, zero, one) if now["game_of"].opening == "keep_dice" else now


def roll(now: State, a: int, b: int) -> State:
    me = now["on_roll"]
    now["rolls"][me] += 1
    now["doubled_this_turn"] = False
    now["phase"] = "to_play"
    now["dice"] = (max(a, b), min(a, b))
    if nv.cascades(now["game_of"], (a, b), now["rolls"][me]):
        now["owed"], now["transferred"], now["played"] = nv.Owed(a, 4), False, 0
    return now


def context(now: State) -> int:
    if now["owed"] is not None:
        return int(now["owed"].steps)
    return int(now["arrived"][now["on_roll"]]) if now["game_of"].courier_flag else 0


def finals(now: State) -> set[nv.Board]:
    """Where the plays of the roll lead, seen by the mover; the game is going on."""
    return nv.finals(now["game_of"], now["board"], now["dice"], context(now))


def play(now: State, board: nv.Board | None) -> State:
    game, me, owed = now["game_of"], now["on_roll"], now["owed"]
    ends = {way.board: len(way.used) for way in nv.plays(game, now["board"], now["dice"], context(now))}
    if board is None and ends:
        raise Refused("must_play")
    if board is not None and board not in ends:
        raise Refused("illegal play")
    steps = 0 if board is None else ends[board]
    after = now["board"] if board is None else board
    now["passes"] = 0 if steps else now["passes"] + 1
    if now["options"]["declined_for"] == "turn":
        now["declined"] = [0, 0]
    if game.courier_flag:
        now["arrived"][me] = nv.courier_after(game, after, now["arrived"][me])
    was_transferred, played = now["transferred"], now["played"]
    now |= {"dice": None, "owed": None, "transferred": False, "played": 0, "phase": "to_roll"}
    now["board"], now["on_roll"] = after.swapped(), 1 - me
    result = nv.outcome(game, after)
    if result is not None:
        winner = {"own": me, "opp": 1 - me, "none": None}[result.winner]
        return end(now, winner, pays(now, result.points), result.kind, "play")
    if now["passes"] >= 2 and nobody_can_move(now):
        return end(now, None, game.draw_points, "draw", "stuck")
    if owed is None:
        return now
    # A stage: the same player goes on if it is complete, else the opponent plays the rest; once only.
    if steps == owed.steps and owed.value < 6:
        now |= {"owed": nv.Owed(owed.value + 1, 4), "transferred": was_transferred, "played": played + steps}
        return keep_turn(now, after, me)
    if was_transferred:
        return keep_turn(now, after, me)
    if steps < owed.steps and game.remainder == "opponent" and (played + steps or not game.transfer_needs_start):
        now |= {"owed": nv.Owed(owed.value, owed.steps - steps), "transferred": True, "phase": "to_play"}
        now["dice"] = (owed.value, owed.value)
    return now


def keep_turn(now: State, board: nv.Board, me: int) -> State:
    now["board"], now["on_roll"] = board, me
    if now["owed"] is not None:
        now["phase"], now["dice"] = "to_play", (now["owed"].value, now["owed"].value)
    return now


def nobody_can_move(now: State) -> bool:
    game = now["game_of"]
    for board, player in ((now["board"], now["on_roll"]), (now["board"].swapped(), 1 - now["on_roll"])):
        arrived = int(now["arrived"][player]) if game.courier_flag else 0
        if any(nv.finals(game, board, dice, arrived) for dice in nv.ROLLS):
            return False
    return True


# ---- cube and score


def double(now: State) -> State:
    options, me = now["options"], now["on_roll"]
    if now["game_of"].cube == "off":
        raise Refused("no_cube")
    if now["length"] == 1:
        raise Refused("one_point_match")
    if now["crawford"]:
        raise Refused("crawford")
    if now["owner"] == 1 - me:
        raise Refused("not_owner")
    if now["doubled_this_turn"]:
        raise Refused("turned")
    if now["cube"] * 2 > (options["cube_limit"] or LARGEST):
        raise Refused("cube_limit")
    if now["length"] and options["dead_cube"] == "forbid" and now["score"][me] + now["cube"] >= now["length"]:
        raise Refused("dead_cube")
    if options["holland"] and now["had_crawford"] and (now["rolls"][0] < 2 or now["rolls"][1] < 2):
        raise Refused("holland")
    return now | {"phase": "offered", "redoubles": 0, "doubled_this_turn": True}


def answerer(now: State) -> int:
    """Who has to answer the cube: the receiver of a double, the doubler of a beaver, and so on in turn."""
    return now["on_roll"] if now["redoubles"] % 2 else 1 - now["on_roll"]


def answer(now: State, kind: str) -> State:
    options, doubler, receiver = now["options"], now["on_roll"], 1 - now["on_roll"]
    if kind == "drop":
        return end(now, 1 - answerer(now), now["cube"], "single", "drop")
    if kind == "take":
        if now["redoubles"] == 0:
            now["owner"] = receiver
        return now | {"cube": now["cube"] * 2, "phase": "to_roll", "redoubles": 0}
    if now["length"]:
        raise Refused("money_only")
    if (kind == "beaver") != (answerer(now) == receiver):
        raise Refused("not_due")
    if now["redoubles"] == options["beavers"]:
        raise Refused("beavers")
    if now["cube"] * 4 > (options["cube_limit"] or LARGEST):
        raise Refused("cube_limit")
    now["owner"] = doubler if kind == "raccoon" and options["raccoon_owner"] == "doubler" else receiver
    return now | {"cube": now["cube"] * 2, "redoubles": now["redoubles"] + 1}


def levels(now: State) -> int:
    scoring = now["game_of"].scoring
    return 3 if scoring.backgammon > scoring.gammon and now["game_of"].geometry == "contrary" else 2


def resign(now: State, level: int, player: int) -> State:
    if now["phase"] == "offered":
        raise Refused("not_due")
    if level > levels(now):
        raise Refused("no_triple")
    if level <= now["declined"][player]:
        raise Refused("declined")
    return now | {"resigned": (level, player)}


def answer_resignation(now: State, kind: str) -> State:
    level, player = now["resigned"]
    if kind == "resign_decline":
        now["declined"][player] = level
        return now | {"resigned": None}
    if kind != "resign_accept":
        raise Refused("not_due")
    points = (now["game_of"].scoring.single, now["game_of"].scoring.gammon, now["game_of"].scoring.backgammon)
    names = ("single", "gammon", "backgammon")
    return end(now, 1 - player, pays(now, points[level - 1]), names[level - 1], "resignation")


def pays(now: State, points: int) -> int:
    """What a win pays: times the cube; under Jacoby a single game while the cube is centred."""
    jacoby = now["options"]["jacoby"] and now["length"] == 0 and now["game_of"].cube == "on" and now["owner"] is None
    return int(now["cube"]) * (1 if jacoby else points)


def paid_by(now: State, loser: int, points: int) -> int:
    """No more than table stakes leave him."""
    stakes = now["options"]["table_stakes"]
    if stakes is None:
        return points
    return max(0, min(points, stakes[loser] - (now["score"][1 - loser] - now["score"][loser])))


def end(now: State, winner: int | None, points: int, kind: str, how: str) -> State:
    before = list(now["score"])
    if winner is None:
        now["score"] = [now["score"][0] + points, now["score"][1] + points]
    else:
        points = paid_by(now, 1 - winner, points)
        now["score"][winner] += points
    now |= {
        "phase": "game_over",
        "result": (winner, points, kind, how),
        "last_winner": winner,
        "paid": [now["score"][0] - before[0], now["score"][1] - before[1]],
        "dice": None,
        "owed": None,
        "resigned": None,
        "redoubles": 0,
    }
    return settle(now)


def settle(now: State) -> State:
    """Whether somebody has won the match, or has nothing left to lose."""
    zero, one = now["score"]
    now["match_winner"] = None
    if now["length"] and max(zero, one) >= now["length"] and zero != one:
        now["match_winner"] = 0 if zero > one else 1
    if now["options"]["table_stakes"] is not None:
        for loser in (0, 1):
            if paid_by(now, loser, 1) == 0:
                now["match_winner"] = 1 - loser
    return now


# ---- from outside


def ruling(now: State, action: Action) -> State:
    """What a director changes: {"position": Board, "on_roll", "dice"}, {"score"}, {"cube": (value, owner)}."""
    position, score, cube = action.get("position"), action.get("score"), action.get("cube")
    over = now["phase"] == "game_over"
    if over and cube is not None and position is None:
        raise Refused("ruling")
    if position is not None and action.get("dice") and nv.outcome(now["game_of"], position) is not None:
        raise Refused("ruling")
    goes_on = not over or position is not None
    if score is not None and goes_on and now["length"] and max(score) >= now["length"]:
        raise Refused("ruling")
    if position is not None:
        if over:
            now["score"] = [now["score"][0] - now["paid"][0], now["score"][1] - now["paid"][1]]
            now |= {"result": None, "match_winner": None}
        elif now["phase"] == "opening":
            now["first"] = None
        now |= {"phase": "to_roll", "on_roll": action["on_roll"], "board": position, "dice": None, "owed": None}
        now |= {"resigned": None, "redoubles": 0, "passes": 0, "doubled_this_turn": False, "transferred": False}
        if action.get("dice"):
            a, b = action["dice"]
            now |= {"phase": "to_play", "dice": (max(a, b), min(a, b))}
    if cube is not None:
        value, owner = cube
        now |= {"cube": value, "owner": owner, "resigned": None, "redoubles": 0, "doubled_this_turn": False}
        now["phase"] = "to_roll" if now["phase"] == "offered" else now["phase"]
        doublings = value.bit_length() - 1
        if owner is None and doublings <= now["options"]["automatic_doubles"]:
            now["automatic"] = doublings  # a centred cube has been doubled by nothing else
        else:
            now["automatic"] = min(now["automatic"], doublings)
    if score is not None:
        now["score"] = list(score)
        if now["phase"] == "game_over":
            return settle(now)
        one_away = max(score) == now["length"] - 1
        rule = now["options"]["crawford"] and now["length"] > 1
        now["crawford"] = rule and one_away and not now["had_crawford"]
    if min(now["score"]) < 0:
        raise Refused("score")
    turned = now["cube"] > 1 or now["owner"] is not None or now["phase"] == "offered"
    no_cube = now["crawford"] or now["length"] == 1 or now["game_of"].cube == "off"
    if (turned and no_cube) or (now["owner"] is not None and now["cube"] == 1):
        raise Refused("cube")
    if now["owner"] is None and now["cube"] > 2 ** now["automatic"]:
        raise Refused("cube")
    if now["cube"] > (now["options"]["cube_limit"] or LARGEST):
        raise Refused("cube")
    if position is not None and not action.get("dice"):
        result = nv.outcome(now["game_of"], position)
        if result is not None:
            winner = {"own": now["on_roll"], "opp": 1 - now["on_roll"], "none": None}[result.winner]
            return end(now, winner, pays(now, result.points), result.kind, "play")
    return now


def forfeit(now: State, action: Action) -> State:
    winner, points = 1 - action["player"], action.get("points")
    playing = now["phase"] != "game_over"
    if action["scope"] == "game":
        if not playing:
            raise Refused("not_due")
        return end(now, winner, now["cube"] if points is None else points, "single", "forfeit")
    before = list(now["score"])
    now["score"][winner] += paid_by(now, 1 - winner, points or 0)
    if action["scope"] == "match":
        now["match_winner"] = winner
    else:
        settle(now)
    if playing and now["match_winner"] is not None:
        gained = now["score"][now["match_winner"]] - before[now["match_winner"]]
        paid = [now["score"][0] - before[0], now["score"][1] - before[1]]
        now |= {"phase": "game_over", "result": (now["match_winner"], gained, "single", "forfeit"), "paid": paid}
        now |= {"dice": None, "owed": None, "resigned": None, "redoubles": 0, "last_winner": now["match_winner"]}
    return now


# ---- questions


def offers(now: State) -> set[str]:
    """The kinds of action that the players may take now, resignations as "resign_offer level player"."""
    if now["match_winner"] is not None:
        return set()
    if now["phase"] == "game_over":
        return {"next_game"}
    if now["resigned"] is not None:
        return {"resign_accept", "resign_decline"}
    found = set()
    if now["phase"] == "opening":
        found.add("open_roll")
    if now["phase"] == "to_play":
        found.add("play" if finals(now) else "pass")
    tries = {"to_roll": ["roll", "offer"], "offered": ["take", "drop", "beaver", "raccoon"]}.get(now["phase"], [])
    for kind in tries:
        try:
            step(now, {"kind": kind, "dice": [2, 1]})
        except Refused:
            continue
        found.add(kind)
    for level in (1, 2, 3):
        for player in (0, 1):
            try:
                step(now, {"kind": "resign_offer", "level": level, "player": player})
            except Refused:
                continue
            found.add(f"resign_offer {level} {player}")
    return found


def to_act(now: State) -> int | None:
    """Who must decide."""
    if now["match_winner"] is not None or now["phase"] in ("game_over", "opening"):
        return None if now["resigned"] is None or now["phase"] == "game_over" else 1 - now["resigned"][1]
    if now["resigned"] is not None:
        return 1 - int(now["resigned"][1])
    return answerer(now) if now["phase"] == "offered" else int(now["on_roll"])


def pending(now: State) -> str | None:
    """What is to be answered."""
    if now["phase"] == "game_over":
        return None
    if now["resigned"] is not None:
        return "resignation"
    if now["phase"] != "offered":
        return None
    return "double" if now["redoubles"] == 0 else "beaver" if now["redoubles"] % 2 else "raccoon"
