"""An engine made of the naive twins alone, and one broken engine a rule.

Nothing here comes from `bgcore.conformance.models`, which names the mistakes that are made here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise, permutations
from typing import Any

import bgcore as bg
from naive import backgammon as nb
from naive import match as nm
from naive import variants as nv

Board, Move = nb.Board, nb.Move
GAME = nv.Game("backgammon", "hitting", scoring=nv.Scoring(1, 2, 3), cube="on")


class NaiveEngine:
    """Every word of the protocol, from tests/naive."""

    name = "naive"
    options = ("holland", "table_stakes")
    games: tuple[str, ...] = ("backgammon",)

    # ---- plays, with one method a rule

    def can_move(self, board: Board, source: int, die: int, start: Board) -> bool:
        return nb.can_move(board, source, die)

    def apply_move(self, board: Board, source: int, die: int, hit: int) -> Board:
        return nb.apply(board, (source, max(source - die, 0)))

    def orders(self, board: Board, roll: tuple[int, int]) -> Iterable[tuple[int, ...]]:
        return nb.orders(roll)

    def legal(self, ends: list[tuple[tuple[int, ...], Board]], roll: tuple[int, int], board: Board) -> list[Board]:
        """What the rules of both dice and the larger die leave of (dice played, final board)."""
        most = max(len(used) for used, _ in ends)
        ends = [(used, after) for used, after in ends if len(used) == most > 0]
        if most == 1:
            larger = max(used[0] for used, _ in ends)
            ends = [(used, after) for used, after in ends if used[0] == larger]
        return [after for _, after in ends]

    def sources(self, board: Board, die: int, start: Board) -> list[int]:
        return [source for source in range(1, 26) if board[source] > 0 and self.can_move(board, source, die, start)]

    def sequences(
        self, board: Board, dice: tuple[int, ...], start: Board, hit: int = 0
    ) -> list[tuple[tuple[int, ...], Board]]:
        if not dice or nb.is_over(board):
            return [((), board)]
        ends = []
        for source in self.sources(board, dice[0], start):
            target = max(source - dice[0], 0)
            after = self.apply_move(board, source, dice[0], hit)
            landed = target if target and board[target] == -1 else 0
            for used, end in self.sequences(after, dice[1:], start, landed):
                ends.append(((dice[0], *used), end))
        return ends or [((), board)]

    def boards(self, board: Board, roll: tuple[int, int]) -> list[Board]:
        if nb.is_over(board):
            return []
        ends = [end for dice in self.orders(board, roll) for end in self.sequences(board, dice, board)]
        return self.legal(ends, roll, board)

    def plays(self, position: bg.Position, dice: tuple[int, int], **game: Any) -> list[bg.Position]:
        boards = set(self.boards(tuple(position.board.tolist()), dice))
        return [bg.Position.from_board(nb.flip(board)) for board in boards]

    # ---- the rest

    def check(self, position: bg.Position, dice: tuple[int, int], play: str) -> bool:
        board = tuple(position.board.tolist())
        hops: list[Move] = []
        for word in play.replace("*", "").split():
            text, times = re.fullmatch(r"([^(]+)(?:\((\d)\))?", word).groups()  # type: ignore[union-attr]
            points = [{"bar": 25, "off": 0}.get(p) if p in ("bar", "off") else int(p) for p in text.split("/")]
            hops += list(pairwise(points)) * int(times or 1)  # type: ignore[arg-type]
        goal = self.after_hops(board, dice, hops)
        return bool(goal & set(self.boards(board, dice)))

    def after_hops(self, board: Board, dice: tuple[int, int], hops: list[Move]) -> set[Board]:
        """Where moves lead that each take one die or several."""
        found: set[Board] = set()
        for order in set(permutations(hops)):
            for numbers in nb.orders(dice):
                found |= self.follow(board, list(order), numbers)
        return found

    def follow(self, board: Board, hops: list[Move], dice: tuple[int, ...]) -> set[Board]:
        if not hops:
            return {board}
        source, target = hops[0]
        found: set[Board] = set()
        if dice and board[source] > 0 and nb.can_move(board, source, dice[0]):
            landed = max(source - dice[0], 0)
            after = nb.apply(board, (source, landed))
            if landed == target:
                found |= self.follow(after, hops[1:], dice[1:])
            elif landed > target:
                found |= self.follow(after, [(landed, target), *hops[1:]], dice[1:])
        return found

    def outcome(self, position: bg.Position) -> tuple[str, int] | None:
        return nb.outcome(tuple(position.board.tolist()))

    def perft(self, position: bg.Position, depth: int) -> int:
        return KNOWN[depth] if position == bg.Position.initial() else nb.perft(tuple(position.board.tolist()), depth)

    def machine(self, state: dict[str, Any]) -> nm.State:
        """A state as the naive machine keeps it."""
        options = {name: state[name] for name in nm.OPTIONS if name in state}
        now = nm.new(GAME, state["length"], (state["score"][0], state["score"][1]), **options)
        before = list(now["score"])
        if state["phase"] == "game_over":
            before[state["game_winner"]] -= state["points"]
        one_away = max(before) == state["length"] - 1
        board = state["board"]
        own = {p: board[p] for p in range(1, 26) if board[p] > 0}
        opp = {25 - p: -board[p] for p in range(25) if board[p] < 0}
        now |= {
            "had_crawford": state["length"] > 1 and one_away and not state["crawford_game"],
            "crawford": state["crawford_game"],
            "board": nv.make(nv.counts(own), nv.counts(opp)),
            "phase": state["phase"],
            "on_roll": state["on_roll"],
            "dice": state["dice"] and (max(state["dice"]), min(state["dice"])),
            "cube": state["cube"],
            "owner": state["owner"],
            "redoubles": state["redoubles"],
            "automatic": state["cube"].bit_length() - 1 if state["owner"] is None and not state["length"] else 0,
            "resigned": state["resigned"] and tuple(state["resigned"]),
            "match_winner": state.get("match_winner"),
            "declined": list(state.get("declined", [0, 0])),
            "rolls": list(state.get("rolls", [0, 0])),
        }
        return now

    def actions(self, state: dict[str, Any]) -> list[Any]:
        found = []
        for text in nm.offers(self.machine(state)):
            kind, *numbers = text.split()
            found.append({"kind": kind, "level": int(numbers[0]), "player": int(numbers[1])} if numbers else kind)
        return found

    def apply(self, state: dict[str, Any], action: dict[str, Any]) -> dict[str, Any]:
        now = self.machine(state)
        if action["kind"] == "play":
            board = tuple(state["board"])
            ends = [
                b for b in self.boards(board, state["dice"]) if self.is_written(board, state["dice"], action["play"], b)
            ]
            if not ends:
                raise bg.RuleError("illegal play")
            own = {p: ends[0][p] for p in range(1, 26) if ends[0][p] > 0}
            opp = {25 - p: -ends[0][p] for p in range(25) if ends[0][p] < 0}
            action = {"kind": "play", "board": nv.make(nv.counts(own), nv.counts(opp))}
        try:
            after = nm.step(now, action)
        except nm.Refused as refused:
            raise bg.RuleError(str(refused)) from None
        return state | self.told(after)

    def is_written(self, board: Board, dice: list[int], play: str, after: Board) -> bool:
        hops = [tuple({"off": 0}.get(p) if p == "off" else int(p) for p in word.split("/")) for word in play.split()]
        return after in self.after_hops(board, (dice[0], dice[1]), hops)  # type: ignore[arg-type]

    def told(self, now: nm.State) -> dict[str, Any]:
        own, opp = list(now["board"].own), list(now["board"].opp)
        board = [-opp[25], *(own[p] - opp[25 - p] for p in range(1, 25)), own[25]]
        result = now["result"]
        return {
            "score": list(now["score"]),
            "crawford_game": now["crawford"],
            "phase": now["phase"],
            "on_roll": now["on_roll"],
            "to_act": nm.to_act(now),
            "board": board,
            "dice": now["dice"] and list(now["dice"]),
            "cube": now["cube"],
            "owner": now["owner"],
            "redoubles": now["redoubles"],
            "resigned": now["resigned"] and list(now["resigned"]),
            "declined": list(now["declined"]),
            "rolls": list(now["rolls"]),
            "points": result and result[1],
            "game_winner": result and result[0],
            "match_winner": now["match_winner"],
        }

    def score(self, end: dict[str, Any]) -> dict[str, Any]:
        now = nm.new(GAME, end["length"], (end["score"][0], end["score"][1]), jacoby=end["jacoby"])
        now |= {"cube": end["cube"], "owner": end["owner"]}
        level = 1 + ["single", "gammon", "backgammon"].index(end["kind"])
        points = now["cube"] if end["how"] == "drop" else nm.pays(now, level)
        after = nm.end(now, end["winner"], points, end["kind"], end["how"])
        return {"points": points, "score": after["score"], "match_over": after["match_winner"] is not None}


KNOWN = {1: 447, 2: 202_782, 3: 116_154_993}  # published; the naive one would take hours


class NaiveVariants:
    """Plays of every game that tests/naive/variants has."""

    name = "naive variants"
    games = (
        *("portes", "portes:greek", "kirik_tavla", "kirik_tavla:osmanli", "kirik_tavla:tawula", "plakoto"),
        *("plakoto:tapa", "fevga", "fevga:moultezim", "long_nardi", "long_nardi:shesh_besh", "jacquet"),
        *("jacquet:moulidars", "jacquet:versailles", "gul_bara", "gul_bara:gioul", "uzun_tavla", "short_nardi"),
    )

    def plays(self, position: bg.Position, dice: tuple[int, int], game: str, context: int) -> list[bg.Position]:
        name, _, preset = game.partition(":")
        counts, pinned = position.counts.tolist(), position.pinned.tolist()
        ends = nv.legal_finals(nv.game(name, *([preset] if preset else [])), *counts, *pinned, dice, context=context)
        return [
            bg.Position.from_counts(
                [list(b.opp), list(b.own)], [list(map(bool, b.opp_pinned)), list(map(bool, b.own_pinned))]
            )
            for b in ends
        ]


# ---- broken on purpose: the rule, and how


class NotBothDice(NaiveEngine):
    rule = "both dice"

    def legal(self, ends, roll, board):
        return [after for used, after in ends if used]


class OneDieMayEnd(NaiveEngine):
    rule = "both dice"

    def boards(self, board, roll):
        first = [self.apply_move(board, s, die, 0) for die in roll for s in self.sources(board, die, board)]
        return super().boards(board, roll) + (first if not nb.is_over(board) else [])


class SmallerDieToo(NaiveEngine):
    rule = "larger die"

    def legal(self, ends, roll, board):
        most = max(len(used) for used, _ in ends)
        return [after for used, after in ends if len(used) == most > 0]


class LargerDieFirst(NaiveEngine):
    rule = "order of the dice"

    def orders(self, board, roll):
        high, low = max(roll), min(roll)
        return {(high,) * 4} if high == low else {(high, low), (low,)}


class DoublesAreTwo(NaiveEngine):
    rule = "doubles"

    def orders(self, board, roll):
        return {(roll[0],) * 2} if roll[0] == roll[1] else nb.orders(roll)


class BarCanWait(NaiveEngine):
    rule = "bar"

    def can_move(self, board, source, die, start):
        return nb.can_move((*board[:25], 0 if source != 25 else board[25]), source, die) and (
            source > die or not board[25]
        )


class EntersInOwnHome(NaiveEngine):
    rule = "bar"

    def can_move(self, board, source, die, start):
        if source == 25:
            return board[die] >= -1
        return nb.can_move(board, source, die)

    def apply_move(self, board, source, die, hit):
        return nb.apply(board, (source, die if source == 25 else max(source - die, 0)))


class BlotsBlock(NaiveEngine):
    rule = "closed points"

    def can_move(self, board, source, die, start):
        return nb.can_move(board, source, die) and (source <= die or board[source - die] >= 0)


class MirroredBlocks(NaiveEngine):
    rule = "closed points"

    def can_move(self, board, source, die, start):
        if source <= die or board[source] <= 0 or (board[25] and source != 25):
            return nb.can_move(board, source, die)
        return board[25 - (source - die)] >= -1

    def apply_move(self, board, source, die, hit):
        after = list(board)
        after[source] -= 1
        target = source - die
        if target > 0:
            if after[target] < 0:
                after[0] += after[target]
                after[target] = 0
            after[target] += 1
        return tuple(after)


class HitCheckersVanish(NaiveEngine):
    rule = "hits"

    def apply_move(self, board, source, die, hit):
        return (board[0], *super().apply_move(board, source, die, hit)[1:])


class NoHitOnTheWay(NaiveEngine):
    rule = "hits on the way"

    def apply_move(self, board, source, die, hit):
        after = list(super().apply_move(board, source, die, hit))
        if hit == source:
            after[source], after[0] = -1, after[0] + 1
        return tuple(after)


class OffTooEarly(NaiveEngine):
    rule = "all home"

    def can_move(self, board, source, die, start):
        if 0 < source <= die and board[source] > 0 and not board[25]:
            return source == die or max(board[source + 1 :]) <= 0
        return nb.can_move(board, source, die)


class OffAskedOnce(NaiveEngine):
    rule = "all home"

    def can_move(self, board, source, die, start):
        if source <= die and max(start[7:]) > 0:
            return False
        return nb.can_move(board, source, die)


class OffFromAnyPoint(NaiveEngine):
    rule = "bear-off"

    def can_move(self, board, source, die, start):
        if source <= die and board[source] > 0:
            return max(board[7:]) <= 0
        return nb.can_move(board, source, die)


class OffExactlyOnly(NaiveEngine):
    rule = "bear-off"

    def can_move(self, board, source, die, start):
        return nb.can_move(board, source, die) and source >= die


class WinningDieIsEnough(NaiveEngine):
    rule = "last checker"

    def legal(self, ends, roll, board):
        single = [self.apply_move(board, s, die, 0) for die in roll for s in self.sources(board, die, board)]
        return super().legal(ends, roll, board) + [after for after in single if max(after) <= 0]


class MayPass(NaiveEngine):
    rule = "no play"

    def legal(self, ends, roll, board):
        return [*super().legal(ends, roll, board), board]


class PlaysOn(NaiveEngine):
    rule = "game over"

    def boards(self, board, roll):
        return [board] if nb.is_over(board) else super().boards(board, roll)


class TellsTwice(NaiveEngine):
    rule = "distinct plays"

    def plays(self, position, dice, **game):
        boards = self.boards(tuple(position.board.tolist()), dice)
        return [bg.Position.from_board(nb.flip(board)) for board in boards]


class WrongFrame(NaiveEngine):
    rule = "who sees the result"

    def plays(self, position, dice, **game):
        return [found.flipped() for found in super().plays(position, dice)]


class GammonsAreSingle(NaiveEngine):
    rule = "gammon and backgammon"

    def outcome(self, position):
        found = super().outcome(position)
        return found and (found[0], 1)


class BarIsNoBackgammon(NaiveEngine):
    rule = "gammon and backgammon"

    def outcome(self, position):
        found = super().outcome(position)
        return found and (found[0], min(found[1], 2) if sum(position.bar) else found[1])


class DoublesInCrawford(NaiveEngine):
    rule = "crawford"

    def machine(self, state):
        now = super().machine(state)
        return now | {"crawford": False, "had_crawford": True} if now["crawford"] else now

    def told(self, now):
        found = super().told(now)
        return found | {
            "crawford_game": found["phase"] == "opening" and sorted(found["score"])[1] == 6 != found["score"][1]
        }


class CrawfordTwice(NaiveEngine):
    rule = "crawford"

    def machine(self, state):
        now = super().machine(state)
        return now if state.get("holland") else now | {"had_crawford": False}


class NoJacoby(NaiveEngine):
    rule = "jacoby"

    def machine(self, state):
        return super().machine(state | {"jacoby": False})

    def score(self, end):
        return super().score(end | {"jacoby": False})


class JacobyAlways(NaiveEngine):
    rule = "jacoby"

    def machine(self, state):
        now = super().machine(state)
        return (
            now | {"cube": now["cube"], "owner": None} if state["phase"] == "to_play" and not state["length"] else now
        )

    def score(self, end):
        return (
            super().score(end | {"owner": None})
            if not end["length"] and end["kind"] != "single"
            else super().score(end)
        )


class AnybodyDoubles(NaiveEngine):
    rule = "cube"

    def machine(self, state):
        now = super().machine(state)
        return now | {"owner": None} if now["phase"] == "to_roll" else now


class DropPaysTheNewCube(NaiveEngine):
    rule = "cube"

    def apply(self, state, action):
        after = super().apply(state, action)
        if action["kind"] == "drop" and not state["redoubles"] and not state.get("table_stakes"):
            winner = after["game_winner"]
            more = after["points"]
            after["points"] += more
            after["score"][winner] += more
        return after


class BeaverGoesToTheDoubler(NaiveEngine):
    rule = "beavers"

    def apply(self, state, action):
        after = super().apply(state, action)
        return after | {"owner": state["on_roll"]} if action["kind"] == "beaver" else after


class ResignationsAreSingle(NaiveEngine):
    rule = "resignation"

    def apply(self, state, action):
        if action["kind"] == "resign_accept" and state["length"]:
            state = state | {"resigned": [1, state["resigned"][1]]}
        return super().apply(state, action)


class DeclinedIsForgotten(NaiveEngine):
    rule = "resignation"

    def machine(self, state):
        return super().machine(state | {"declined": [0, 0]})


class DeclinedIsFinal(NaiveEngine):
    rule = "resignation"

    def machine(self, state):
        return super().machine(state | {"declined": [3 * bool(level) for level in state.get("declined", [0, 0])]})


class NoHollandRule(NaiveEngine):
    rule = "holland"

    def machine(self, state):
        return super().machine(state | {"holland": False})


class HollandForOneOnly(NaiveEngine):
    rule = "holland"

    def machine(self, state):
        return super().machine(state | {"rolls": [max(state.get("rolls", [0, 0]))] * 2})


class StakesAreNoLimit(NaiveEngine):
    rule = "table stakes"

    def machine(self, state):
        return super().machine(state | {"table_stakes": None})


class StakesForgetTheScore(NaiveEngine):
    rule = "table stakes"

    def apply(self, state, action):
        won, stakes = state["score"], state.get("table_stakes")
        if stakes is None or state["phase"] == "game_over":
            return super().apply(state, action)
        after = super().apply(state | {"score": [0, 0]}, action)
        return after | {"score": [won[0] + after["score"][0], won[1] + after["score"][1]]}


class CubeForgotten(NaiveEngine):
    rule = "match score"

    def score(self, end):
        return super().score(end | {"cube": 1}) if end["length"] and end["how"] == "play" else super().score(end)


class LowDieBegins(NaiveEngine):
    rule = "opening"

    def apply(self, state, action):
        if action["kind"] == "open_roll":
            action = action | {"dice": action["dice"][::-1]}
        return super().apply(state, action)


class RollsTwice(NaiveEngine):
    rule = "turns"

    def apply(self, state, action):
        if action["kind"] == "roll" and state["phase"] == "to_play":
            state = state | {"phase": "to_roll"}
        return super().apply(state, action)


class DiceUsedTwice(NaiveEngine):
    rule = "written plays"

    def follow(self, board, hops, dice):
        if not hops:
            return {board}
        source, target = hops[0]
        if source - target not in dice or not nb.can_move(board, source, source - target):
            return super().follow(board, hops, dice)
        return self.follow(nb.apply(board, hops[0]), hops[1:], dice)

    def check(self, position, dice, play):
        if play.count("/") != 2 or "(" in play:
            return super().check(position, dice, play)
        hops = [(int(a), int(b)) for a, b in re.findall(r"(\d+)/(\d+)", play)]
        return super().check(position, dice, play) or bool(self.after_hops(tuple(position.board.tolist()), dice, hops))


MUTANTS: tuple[type[NaiveEngine], ...] = tuple(NaiveEngine.__subclasses__())
