"""MatchRecord: what is written, what is refused, replay, torn ends, changed files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bgcore as bg
from bgcore.match.actions import (
    Accept,
    Action,
    Beaver,
    Decline,
    Double,
    Drop,
    Forfeit,
    MakePlay,
    NextGame,
    OpeningRoll,
    Pass,
    Raccoon,
    Resign,
    Roll,
    Ruling,
    Take,
    from_json,
)
from bgcore.match.clock import Clock, ClockRules
from bgcore.match.conduct import FLAG, TOURNAMENT, ConductRules
from bgcore.match.entries import ClockEvent, Reroll
from bgcore.match.gul_bar import Bonus, GulBar
from bgcore.match.journal import chain_problems, dump, line_hash, read
from bgcore.match.ledger import Ledger
from bgcore.match.record import MatchRecord
from bgcore.match.state import MatchState
from bgcore.match.tavli import best_of_three, points
from bgcore.match.verify import verify
from recorded import random_match

STARTS: dict[str, Callable[[], MatchState]] = {
    "7 points": lambda: MatchState.new(7),
    "1 point": lambda: MatchState.new(1),
    "5 points, 4-2": lambda: MatchState.new(5, score=(4, 2), dead_cube="forbid"),
    "5 points, post-Crawford, Holland": lambda: MatchState.new(5, score=(4, 2), crawford_played=True, holland=True),
    "money": lambda: MatchState.new(0, beavers=3, automatic_doubles=2, jacoby=False),
    "table stakes": lambda: MatchState.new(0, beavers=1, table_stakes=(20, 30), raccoon_owner="doubler", cube_limit=64),
    "portes": lambda: MatchState.new(3, bg.PORTES),
    "plakoto": lambda: MatchState.new(3, bg.PLAKOTO),
    "long nardi": lambda: MatchState.new(3, bg.LONG_NARDI),
    "gul bara": lambda: MatchState.new(2, bg.GUL_BARA),
    "a game of one's own": lambda: MatchState.new(3, bg.HYPERGAMMON.replace(name="mine", larger_die=False)),
    "tavli": lambda: MatchState.new(series=best_of_three(play_all=True)),
    "tavli to 5": lambda: MatchState.new(series=points(5, draw_points=1)),
    "gul bar": lambda: MatchState.new(series=GulBar(bonuses=(Bonus("six_prime", 2), Bonus("home_closed", 3, False)))),
}


def rebuilt(lines: list[bytes], change: Callable[[list[dict[str, Any]]], None]) -> list[bytes]:
    """The lines after a change of what they say, with numbers and hashes that fit: what a forger would write."""
    entries = [json.loads(line) for line in lines]
    change(entries)
    out: list[bytes] = []
    for number, entry in enumerate(entries):
        entry = {"n": number, "prev": line_hash(out[-1]) if out else "0" * 64} | {
            key: value for key, value in entry.items() if key not in ("n", "prev")
        }
        out.append((json.dumps(entry, separators=(",", ":")) + "\n").encode())
    return out


# ---- whole matches


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("seed", [1, 2])
def test_random_matches(start: str, seed: int, tmp_path: Path) -> None:
    """Recorded, read again, replayed state by state, and read by a second reader that knows the format only."""
    state = STARTS[start]()
    actions, states = random_match(state, seed, rulings=True)
    record = MatchRecord.create(tmp_path / "m.jsonl", state, match_id=start, players=("Anna", "Bj\u00f6rn"))
    for number, (action, expected) in enumerate(zip(actions, states, strict=True)):
        assert record.append(action, sync=False, note="n" if number % 50 == 7 else None) == expected
    assert record.state == states[-1]
    again = MatchRecord.open(record.path)
    assert (again.state, again.head, len(again)) == (record.state, record.head, len(record))
    assert (again.header, again.dropped, again.closed) == (record.header, None, states[-1].is_match_over)
    seen = [s for i, s in enumerate(again.states()) if i]
    assert seen[-1] == states[-1]
    collapsed = [s for i, s in enumerate(seen) if i == 0 or s != seen[i - 1]]
    assert collapsed == [s for i, s in enumerate(states) if i == 0 or s != states[i - 1]]
    assert second_reader(record.path.read_bytes(), state) == states[-1]
    found = record.verify(record.head)
    assert (found.ok, found.authenticated, found.closed) == (True, len(record), states[-1].is_match_over)
    assert found.state == states[-1]


def second_reader(data: bytes, state: MatchState) -> MatchState:
    """Replay by the page docs/records.md alone: chain, then one action for each line that is one."""
    previous = "0" * 64
    for number, line in enumerate(data.splitlines(keepends=True)):
        entry = json.loads(line)
        assert (entry["n"], entry["prev"]) == (number, previous)
        previous = hashlib.sha256(line).hexdigest()
        kind = entry["kind"]
        if kind == "reroll" and entry["reason"] == "tie":
            state = state.apply(OpeningRoll(*entry["dice"]))
        elif kind == "auto_double":
            assert (entry["cube"], None) == (state.cube, state.cube_owner)
        elif kind == "game_end":
            assert state.result is not None
            assert entry["winner"] == state.result.winner
            assert entry["points"] == state.result.points
            assert tuple(entry["score"]) == state.score
        elif kind == "match_end":
            assert (entry["winner"], tuple(entry["score"])) == (state.winner, state.score)
        elif kind not in ("match", "clock", "commit", "reveal", "reroll"):
            state = state.apply(from_json(entry))
    return state


def bodies(path: Path) -> list[dict[str, Any]]:
    """What the lines say, without the first, numbers and hashes."""
    return [
        {k: v for k, v in json.loads(line).items() if k not in ("n", "prev")}
        for line in path.read_bytes().splitlines()[1:]
    ]


def test_every_kind_is_written_as_documented(tmp_path: Path) -> None:
    record = MatchRecord.create(
        tmp_path / "m.jsonl", MatchState.new(0, beavers=2, automatic_doubles=1, jacoby=False),
        conduct=ConductRules(clock=ClockRules(extra_ms=60_000)),
    )  # fmt: skip
    play = "8/5 6/5"
    entries: list[tuple[Any, dict[str, Any]]] = [
        (OpeningRoll(4, 4), {}),
        (OpeningRoll(5, 5), {}),
        (OpeningRoll(3, 1), {"source": "dice on the table", "at": 5}),
        (ClockEvent("start", 10, 0), {}),
        (MakePlay(play), {"note": "the book says so"}),
        (ClockEvent("press", 25_000, 0), {}),
        (Reroll((6, 6), 1, "cocked"), {}),
        (Double(), {}),
        (Beaver(), {}),
        (Raccoon(), {}),
        (Take(), {}),
        (Resign(1, 1), {}),
        (Decline(), {}),
        (Roll(2, 6), {"source": "x"}),
        (MakePlay("24/18 13/11"), {}),
        (ClockEvent("end", 30_000), {}),
        (Resign(2, 1), {}),
        (Accept(), {"at": 99}),
        (NextGame(), {}),
        (OpeningRoll(1, 2), {}),
        (MakePlay("13/11 6/5"), {}),
        (Ruling("the 5 point is open", cube=(2, 0)), {}),
        (Double(), {}),
        (Drop(), {}),
        (NextGame(), {}),
        (Forfeit(1, "points", 3, "late arrival"), {}),
    ]
    for entry, extras in entries[:21]:
        record.append(entry, sync=False, **extras)
    assert bodies(record.path) == [
        {"kind": "reroll", "player": None, "dice": [4, 4], "reason": "tie", "source": "manual"},
        {"kind": "auto_double", "cube": 2},
        {"kind": "reroll", "player": None, "dice": [5, 5], "reason": "tie", "source": "manual"},
        {"kind": "open_roll", "dice": [3, 1], "source": "dice on the table", "at": 5},
        {"kind": "clock", "event": "start", "player": 0, "at": 10, "left": [60000, 60000], "fallen": None},
        {"kind": "play", "player": 0, "play": "8/5 6/5", "note": "the book says so"},
        {"kind": "clock", "event": "press", "player": 0, "at": 25000, "left": [47010, 60000], "fallen": None},
        {"kind": "reroll", "player": 1, "dice": [6, 6], "reason": "cocked", "source": "manual"},
        {"kind": "offer", "player": 1, "from": 2, "to": 4},
        {"kind": "beaver", "player": 0, "cube": 4, "owner": 0},
        {"kind": "raccoon", "player": 1, "cube": 8, "owner": 0},
        {"kind": "take", "player": 0, "cube": 16, "owner": 0},
        {"kind": "resign_offer", "player": 1, "level": 1},
        {"kind": "resign_decline", "player": 0},
        {"kind": "roll", "player": 1, "dice": [2, 6], "source": "x"},
        {"kind": "play", "player": 1, "play": "24/18 13/11"},
        {"kind": "clock", "event": "end", "player": None, "at": 30000, "left": [47010, 60000], "fallen": None},
        {"kind": "resign_offer", "player": 1, "level": 2},
        {"kind": "resign_accept", "player": 0, "at": 99},
        {"kind": "game_end", "game": 1, "winner": 0, "points": 32, "result": "gammon", "by": "resignation",
         "score": [32, 0]},
        {"kind": "next_game"},
        {"kind": "open_roll", "dice": [1, 2], "source": "manual"},
        {"kind": "play", "player": 1, "play": "13/11 6/5"},
    ]  # fmt: skip
    before = len(bodies(record.path))
    for entry, extras in entries[21:]:
        record.append(entry, sync=False, **extras)
    record.finish("time to go home")
    assert bodies(record.path)[before:] == [
        {"kind": "ruling", "reason": "the 5 point is open", "position": None, "on_roll": None, "dice": None,
         "score": None, "cube": [2, 0]},
        {"kind": "offer", "player": 0, "from": 2, "to": 4},
        {"kind": "drop", "player": 1},
        {"kind": "game_end", "game": 2, "winner": 0, "points": 2, "result": "single", "by": "drop", "score": [34, 0]},
        {"kind": "next_game"},
        {"kind": "forfeit", "player": 1, "scope": "points", "points": 3, "reason": "late arrival"},
        {"kind": "match_end", "winner": None, "score": [37, 0], "reason": "time to go home"},
    ]  # fmt: skip
    assert MatchRecord.open(record.path).closed
    with pytest.raises(bg.RuleError, match="closed"):
        record.append(OpeningRoll(3, 1))


def test_tc_5_and_tc_9(tmp_path: Path) -> None:
    """One re-roll in the log; offer 1 to 2, take, owner 1; then a second offer is refused."""
    record = MatchRecord.create(tmp_path / "m.jsonl", MatchState.new(5))
    for action in (OpeningRoll(4, 4), OpeningRoll(6, 2), MakePlay("24/18 13/11"), Roll(2, 1), MakePlay("13/11 6/5"),
                   Double(), Take()):  # fmt: skip
        record.append(action, sync=False)
    found = bodies(record.path)
    assert [entry["kind"] for entry in found] == ["reroll", "open_roll", "play", "roll", "play", "offer", "take"]
    assert found[5:] == [
        {"kind": "offer", "player": 0, "from": 1, "to": 2},
        {"kind": "take", "player": 1, "cube": 2, "owner": 1},
    ]
    for dice in ((6, 5), (4, 3)):
        record.append(Roll(*dice), sync=False)
        record.append(record.state.legal_plays()[0], sync=False)
    with pytest.raises(bg.RuleError) as caught:
        record.append(Double())
    assert caught.value.rule == "not_owner"


def test_what_is_refused_leaves_no_trace(tmp_path: Path) -> None:
    record = MatchRecord.create(tmp_path / "m.jsonl", MatchState.new(5))
    record.append(OpeningRoll(3, 1))
    before, head, state = record.path.read_bytes(), record.head, record.state
    refused: list[tuple[Any, dict[str, Any], type[Exception]]] = [
        (MakePlay("8/5 6/4"), {}, bg.IllegalPlay),
        (MakePlay("8/"), {}, bg.FormatError),
        (Roll(3, 1), {}, bg.RuleError),
        (Roll(), {}, bg.RuleError),
        (Pass(), {}, bg.RuleError),
        (Double(), {}, bg.RuleError),
        (NextGame(), {}, bg.RuleError),
        (MakePlay("8/5 6/5"), {"source": "x"}, bg.RuleError),
        (MakePlay("8/5 6/5"), {"at": 1.5}, bg.RuleError),
        (MakePlay("8/5 6/5"), {"note": ""}, bg.RuleError),
        (Reroll((3, 3), 0, "cocked"), {"source": ""}, bg.RuleError),
        (ClockEvent("start", 0, 0), {}, bg.RuleError),
        (Forfeit(0, "match", None, FLAG), {}, bg.RuleError),
        (Forfeit(0, "match", None, "commitment not revealed"), {}, bg.RuleError),
        ("8/5 6/5", {}, TypeError),
        (None, {}, TypeError),
    ]
    for entry, extras, error in refused:
        with pytest.raises(error):
            record.append(entry, **extras)
        assert (record.path.read_bytes(), record.head, record.state, len(record)) == (before, head, state, 2)
    with pytest.raises(bg.RuleError, match="says why"):
        record.finish(" ")
    record.append(bg.BACKGAMMON.check(state.position, (3, 1), "8/5 6/5"))
    assert bodies(record.path)[-1]["play"] == "8/5 6/5"


def test_a_record_begins_before_the_opening_roll(tmp_path: Path) -> None:
    for state in (MatchState.new(5).apply(OpeningRoll(3, 1)), random_match(MatchState.new(5), 3)[1][-1]):
        with pytest.raises(bg.RuleError, match="begins before the first opening roll"):
            MatchRecord.create(tmp_path / "m.jsonl", state)
    assert not list(tmp_path.iterdir())
    record = MatchRecord.create(tmp_path / "m.jsonl", MatchState.new(5))
    record.append(Ruling("a position from the book", bg.Position.initial(), 1, dice=(6, 5)))
    assert MatchRecord.open(record.path).state.dice == (6, 5)


def test_a_ruling_after_the_match(tmp_path: Path) -> None:
    """The score is corrected, and the match ends again with what is right."""
    record = MatchRecord.create(tmp_path / "m.jsonl", MatchState.new(2))
    for action in (OpeningRoll(3, 1), Resign(3, 0), Accept()):
        record.append(action)
    assert record.closed
    record.append(Ruling("nobody resigned a backgammon", score=(0, 2)))
    assert [entry["kind"] for entry in bodies(record.path)[-3:]] == ["match_end", "ruling", "match_end"]
    assert MatchRecord.open(record.path).state.score == (0, 2)


@pytest.mark.parametrize(
    "changes",
    [
        {"match_id": ""}, {"match_id": "x" * 201}, {"match_id": 7}, {"source": ""}, {"dice": "fair"},
        {"players": ("x" * 1001, "")}, {"players": (1, 2)}, {"info": {"date": 7}},
    ],
)  # fmt: skip
def test_heads_that_are_none(changes: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(bg.RuleError):
        MatchRecord.create(tmp_path / "m.jsonl", MatchState.new(5), **changes)
    assert not list(tmp_path.iterdir())


def test_functions_can_not_be_recorded(tmp_path: Path) -> None:
    series = GulBar(bonuses=(Bonus(lambda rules, seen: True, 1),))
    with pytest.raises(bg.RuleError, match="that have a name"):
        MatchRecord.create(tmp_path / "m.jsonl", MatchState.new(series=series))


def test_the_head_says_everything(tmp_path: Path) -> None:
    record = MatchRecord.create(
        tmp_path / "m.jsonl", MatchState.new(7), match_id="final", players=("\u0391\u03bd\u03bd\u03b1", "B"),
        conduct=TOURNAMENT, source="cup", info={"event": "\U0001f3b2"},
    )  # fmt: skip
    header = MatchRecord.open(record.path).header
    assert header == record.header
    assert (header.match_id, header.players[0], header.conduct) == ("final", "\u0391\u03bd\u03bd\u03b1", TOURNAMENT)
    assert header.info == {"event": "\U0001f3b2"}
    assert record.path.read_bytes().isascii()
    assert MatchRecord.create(tmp_path / "2.jsonl", MatchState.new(7)).header.match_id != "final"
    assert repr(record) == f"<MatchRecord {str(record.path)!r}, 1 entries, head {record.head[:16]}...>"


# ---- records that break a rule


SCRIPT: list[Action] = [
    OpeningRoll(4, 4), OpeningRoll(3, 1), MakePlay("8/5 6/5"), Double(), Take(), Roll(6, 4), MakePlay("24/14"),
    Roll(5, 2), MakePlay("13/8 13/11*"), Resign(2, 1), Decline(), Roll(1, 1), MakePlay("bar/24 8/7(2) 6/5"), Roll(6, 6),
    Resign(1, 0), Accept(), NextGame(), OpeningRoll(1, 6),
]  # fmt: skip


@pytest.fixture
def script(tmp_path: Path) -> MatchRecord:
    record = MatchRecord.create(tmp_path / "script.jsonl", MatchState.new(3), match_id="script")
    for action in SCRIPT:
        record.append(action, sync=False)
    return record


def change(index: int, /, **values: Any) -> Callable[[list[dict[str, Any]]], None]:
    return lambda entries: entries[index].update(values)


def remove(at: int) -> Callable[[list[dict[str, Any]]], None]:
    return lambda entries: entries.__delitem__(at)


def add(index: int, /, **entry: Any) -> Callable[[list[dict[str, Any]]], None]:
    return lambda entries: entries.insert(index, entry)


def drop(at: int, key: str) -> Callable[[list[dict[str, Any]]], None]:
    return lambda entries: entries[at].__delitem__(key)


@pytest.mark.parametrize(
    ("forge", "entry", "error", "says"),
    [
        (change(3, play="8/5 6/4"), 3, bg.IllegalPlay, "6/4"),
        (change(3, play="6/5 8/5"), 3, bg.FormatError, "not written as it should be"),
        (change(3, player=1), 3, bg.FormatError, "not written as it should be"),
        (change(6, dice=[6, 7]), 6, bg.RuleError, "7"),
        (change(6, dice=[6, 3]), 7, bg.IllegalPlay, ""),
        (change(6, dice="64"), 6, bg.FormatError, "two numbers"),
        (change(6, dice=[6.0, 4]), 6, bg.FormatError, "two numbers"),
        (change(6, dice=[True, 4]), 6, bg.FormatError, "two numbers"),
        (change(6, source=7), 6, bg.RuleError, "source"),
        (change(6, source=["x"]), 6, bg.RuleError, "source"),
        (change(6, at="noon"), 6, bg.RuleError, "time of day"),
        (change(6, more=1), 6, bg.FormatError, "not written as it should be"),
        (drop(6, "source"), 6, bg.FormatError, "not written as it should be"),
        (drop(6, "dice"), 6, bg.FormatError, "dice"),
        (change(1, dice=[4, 5]), 1, bg.FormatError, "not written"),
        (change(1, reason=""), 1, bg.FormatError, "says why"),
        (change(2, dice=[3, 3]), 2, bg.FormatError, "not written"),
        (change(4, to=4), 4, bg.FormatError, "not written"),
        (change(5, cube=4), 5, bg.FormatError, "not written"),
        (change(5, owner=1), 5, bg.FormatError, "not written"),
        (remove(5), 5, bg.RuleError, ""),
        (remove(7), 7, bg.RuleError, ""),
        (change(10, level=4), 10, bg.FormatError, "backgammon"),
        (change(15, level=2, player=1), 15, bg.RuleError, "declined"),
        (change(17, points=4), 17, bg.FormatError, "must follow"),
        (change(17, score=[0, 3]), 17, bg.FormatError, "must follow"),
        (remove(17), 17, bg.FormatError, "must follow"),
        (remove(18), 18, bg.RuleError, "NextGame"),
        (add(3, kind="auto_double", cube=2), 3, bg.FormatError, "follows from nothing"),
        (add(3, kind="game_end", winner=0), 3, bg.FormatError, "follows from nothing"),
        (add(3, kind="match_end", winner=0, score=[3, 0]), 3, bg.FormatError, "needs a reason"),
        (add(3, kind="match_end", winner=0, score=[0, 0], reason="x"), 3, bg.FormatError, "not written"),
        (add(3, kind="sneeze"), 3, bg.FormatError, "sneeze"),
        (add(3, kind=["roll"]), 3, bg.FormatError, ""),
        (add(3, kind="match"), 3, bg.FormatError, "match"),
        (add(3, note="no kind"), 3, bg.FormatError, "kind"),
        (add(3, kind="clock", event="start", player=0, at=0, left=[0, 0], fallen=None), 3, bg.RuleError,
         "without a clock"),
        (add(3, kind="clock", event="start", player=5, at=0), 3, bg.FormatError, "player"),
        (add(3, kind="clock", at=0), 3, bg.FormatError, "event"),
        (add(3, kind="commit", who="operator", commitment="0" * 64), 3, bg.RuleError, "no provable dice"),
        (add(3, kind="commit", who="me", commitment="0" * 64), 3, bg.FormatError, "player"),
        (add(3, kind="reveal", who=0, data="zz"), 3, bg.FormatError, ""),
        (add(3, kind="reveal", who=0, data=7), 3, bg.FormatError, ""),
        (add(3, kind="reroll", player=0, dice=[1, 2], reason=""), 3, bg.FormatError, "says why"),
        (add(3, kind="reroll", player=0, dice=None, reason="x"), 3, bg.FormatError, ""),
        (add(3, kind="ruling", reason="x", position="00", on_roll=0, dice=None, score=None, cube=None), 3,
         bg.FormatError, "64 hexadecimal"),
        (add(3, kind="ruling", reason="x", position="f" * 64, on_roll=0, dice=None, score=None, cube=None), 3,
         bg.FormatError, ""),
        (add(3, kind="forfeit", player=0, scope="match", points=None, reason=FLAG), 3, bg.RuleError, "has not fallen"),
        (change(3, sig="00"), 3, bg.FormatError, "nobody signs"),
        (change(17, sig="00"), 17, bg.FormatError, "nobody signs"),
    ],
)  # fmt: skip
def test_replay_refuses(
    script: MatchRecord, forge: Callable[[list[dict[str, Any]]], None], entry: int, error: type[Exception], says: str
) -> None:
    """Chains that fit, made by a forger, of records that break a rule: the entry is named."""
    lines = rebuilt(read(script.path)[0], forge)
    script.path.write_bytes(b"".join(lines))
    assert chain_problems(lines) == []
    with pytest.raises(error, match=f"^entry {entry} ") as caught:
        MatchRecord.open(script.path)
    assert says in str(caught.value)
    assert len(str(caught.value)) < 800
    with pytest.raises(bg.BgcoreError):
        list(script.states())
    found = verify(script.path)
    assert [problem.line for problem in found.problems] == [entry + 1]
    assert found.text.startswith(f"not what it was: line {entry + 1}: entry {entry} ")
    assert found.authenticated == 0


@pytest.mark.parametrize(
    "forge",
    [
        change(0, format="bgcore record 2"), change(0, kind="game"), drop(0, "match"), drop(0, "conduct"),
        change(0, id=""), change(0, players=["x"]), change(0, match={"length": -1}), change(0, match=None),
        change(0, dice="fair"), change(0, signer="me"), change(0, info=[1]), change(0, conduct={"flag": "x"}),
    ],
)  # fmt: skip
def test_heads_that_can_not_be_read(script: MatchRecord, forge: Callable[[list[dict[str, Any]]], None]) -> None:
    script.path.write_bytes(b"".join(rebuilt(read(script.path)[0], forge)))
    with pytest.raises(bg.FormatError, match="line 1 is") as caught:
        MatchRecord.open(script.path)
    assert caught.value.line == 1
    assert not verify(script.path).ok


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[bytes]]:
    """A file to write to, and the lines of SCRIPT."""
    path = tmp_path_factory.mktemp("hostile") / "m.jsonl"
    record = MatchRecord.create(path, MatchState.new(3), match_id="m")
    for action in SCRIPT:
        record.append(action, sync=False)
    return path, read(path)[0]


@given(data=st.data())
def test_hostile_values(data: st.DataObject, hostile: tuple[Path, list[bytes]]) -> None:
    """Any value anywhere in a chain that fits: a BgcoreError, or a record that means the same."""
    path = hostile[0]
    lines = hostile[1][: data.draw(st.integers(2, 20))]

    def forge(entries: list[dict[str, Any]]) -> None:
        entry = data.draw(st.sampled_from(entries))
        key = data.draw(st.sampled_from([*entry, "at", "note", "sig", "source"]))
        if key not in ("n", "prev"):
            entry[key] = data.draw(VALUES)

    path.write_bytes(b"".join(rebuilt(lines, forge)))
    found = verify(path)
    try:
        again = MatchRecord.open(path)
    except bg.BgcoreError:
        assert not found.ok
    else:
        assert found.ok
        assert again.state == found.state


# ---- torn ends


def cuts(script: MatchRecord, path: Path, step: int) -> None:
    """No complete record is lost, none is invented; and what is there can be gone on with to the same end."""
    whole, states = script.path.read_bytes(), list(script.states())
    ends = [0]
    for line in read(script.path)[0]:
        ends.append(ends[-1] + len(line))
    near = {end + shift for end in ends for shift in (-1, 0, 1)}
    for size in sorted({*range(0, len(whole), step), *(near & {*range(len(whole) + 1)})}):
        path.write_bytes(whole[:size])
        complete = sum(end <= size for end in ends) - 1
        if complete == 0:
            with pytest.raises(bg.FormatError, match="nothing was recorded"):
                MatchRecord.open(path)
            continue
        record = MatchRecord.open(path)
        assert len(record) == complete
        assert record.state == states[complete - 1]
        torn = whole[ends[complete] : size]
        assert (record.dropped.data if record.dropped else b"") == torn
        if record.dropped:
            assert f"{len(torn)} bytes at offset {ends[complete]}" in str(record.dropped)
        assert path.read_bytes() == whole[:size]
        if size % 7 == 0 or size in ends:
            for action in SCRIPT[actions_in(complete) :]:
                record.append(action, sync=False)
            assert path.read_bytes() == whole
        record.close()


def test_cut_here_and_there(script: MatchRecord, tmp_path: Path) -> None:
    cuts(script, tmp_path / "cut.jsonl", 29)


@pytest.mark.long
def test_cut_at_every_byte(script: MatchRecord, tmp_path: Path) -> None:
    cuts(script, tmp_path / "cut.jsonl", 1)


def actions_in(lines: int) -> int:
    """How many actions of SCRIPT so many lines of its record stand for: the end of the game is none, nor the head."""
    return lines - 1 - (lines > 17)


def test_an_end_of_game_that_was_not_written_any_more(script: MatchRecord) -> None:
    """Killed between the two lines of one write: the second is written before the next one."""
    whole = script.path.read_bytes()
    lines = read(script.path)[0]
    script.close()
    script.path.write_bytes(b"".join(lines[:17]))
    record = MatchRecord.open(script.path)
    assert record.state.is_game_over
    for action in SCRIPT[16:]:
        record.append(action)
    assert script.path.read_bytes() == whole


@pytest.mark.parametrize("tail", [b"\0" * 500, b"{", b"\xff", b'{"n":99'])
def test_what_a_power_cut_may_leave(script: MatchRecord, tail: bytes) -> None:
    state = script.state
    script.close()
    with script.path.open("ab") as file:
        file.write(tail)
    record = MatchRecord.open(script.path)
    assert record.dropped is not None
    assert record.dropped.data == tail
    assert record.state == state
    found = record.verify(script.head)
    assert (found.ok, found.torn, found.authenticated) == (True, record.dropped, len(record))


# ---- changed files


def flips(script: MatchRecord, bits: range, step: int = 1) -> None:
    """Flip bits of an anchored record; each flip is reported, and opening never believes what was changed."""
    whole, lines, head = script.path.read_bytes(), read(script.path)[0], script.head
    end = 0
    for number, line in enumerate(lines, 1):
        for place in (*range(end, end + len(line) - 1, step), end + len(line) - 1):
            for bit in bits:
                data = bytearray(whole)
                data[place] ^= 1 << ((bit + place) % 8)
                script.path.write_bytes(data)
                found = verify(script.path, head)
                assert not found.ok, (place, bit)
                assert found.authenticated == 0
                assert abs(found.problems[0].line - number) <= 1, (place, bit, found.problems)
        end += len(line)


def test_flipped_bits(script: MatchRecord) -> None:
    flips(script, range(1), 13)


@pytest.mark.long
def test_every_flipped_bit(script: MatchRecord) -> None:
    flips(script, range(8))


def test_opening_a_changed_record_names_the_line(script: MatchRecord) -> None:
    lines = read(script.path)[0]
    lines[4] = lines[4].replace(b'"to":2', b'"to":4')
    script.path.write_bytes(b"".join(lines))
    with pytest.raises(bg.FormatError, match="line 5: it was changed") as caught:
        MatchRecord.open(script.path)
    assert caught.value.line == 5


@pytest.mark.parametrize("data", [b"", b"\n", b"x", b"x\n", b"\n\n\n", b"[]\n", b"{}\n", bytes(1000), b"\xff\xfe\n"])
def test_files_that_are_no_records(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.write_bytes(data)
    with pytest.raises(bg.FormatError):
        MatchRecord.open(path)
    assert not verify(path).ok
    assert verify(path, "0" * 64).text.startswith("not what it was: line 1")


def test_no_file(tmp_path: Path) -> None:
    for call in (MatchRecord.open, verify):
        with pytest.raises(FileNotFoundError):
            call(tmp_path / "m.jsonl")


# ---- clocks


def test_clocks_are_replayed(tmp_path: Path) -> None:
    """Reserves by length and score; a flag, and the forfeit that it costs."""
    rules = ConductRules(clock=ClockRules(delay_ms=12_000))
    record = MatchRecord.create(tmp_path / "m.jsonl", MatchState.new(5, score=(1, 2)), conduct=rules)
    record.append(OpeningRoll(3, 1))
    record.append(ClockEvent("start", 0, 0))
    assert record.clock == Clock(rules.clock, (420_000, 420_000), 0, 0, 0, 0)  # type: ignore[arg-type]
    record.append(MakePlay("8/5 6/5"))
    with pytest.raises(bg.RuleError, match="it is player 0's time"):
        record.append(ClockEvent("press", 5, 1))
    with pytest.raises(bg.RuleError, match="no at= or note="):
        record.append(ClockEvent("press", 5, 0), note="x")
    record.append(ClockEvent("press", 20_000, 0))
    with pytest.raises(bg.RuleError, match="has not fallen"):
        record.append(Forfeit(1, "match", None, FLAG))
    record.append(ClockEvent("stop", 21_000))
    record.append(ClockEvent("start", 30_000, 1))
    record.append(ClockEvent("press", 30_000 + 431_001, 1))
    assert record.clock is not None
    assert record.clock.fallen == 1
    with pytest.raises(bg.RuleError, match="flag has fallen"):
        record.append(Roll(2, 1))
    with pytest.raises(bg.RuleError, match="costs"):
        record.append(Forfeit(1, "game", None, FLAG))
    with pytest.raises(bg.RuleError, match="has not fallen"):
        record.append(Forfeit(0, "match", None, FLAG))
    assert MatchRecord.open(record.path).clock == record.clock
    record.append(Forfeit(1, "match", None, FLAG))
    assert (record.state.winner, record.closed) == (0, True)
    with pytest.raises(bg.RuleError, match="closed"):
        record.append(ClockEvent("set", 10**6, left=(1, 1)))
    assert MatchRecord.open(record.path).state == record.state


def test_play_goes_on_after_penalty_points(tmp_path: Path) -> None:
    rules = ConductRules(clock=ClockRules("plain", 0), flag="penalty_points")
    record = MatchRecord.create(tmp_path / "m.jsonl", MatchState.new(5), conduct=rules)
    for entry in (OpeningRoll(3, 1), ClockEvent("start", 0, 0), ClockEvent("press", 600_001, 0),
                  Forfeit(0, "points", 1, FLAG)):  # fmt: skip
        record.append(entry, sync=False)
    with pytest.raises(bg.RuleError, match="backwards"):
        record.append(ClockEvent("set", -5, left=(60_000, 60_000)))
    record.append(ClockEvent("set", 700_000, left=(60_000, 60_000)), sync=False)
    record.append(MakePlay("8/5 6/5"))
    again = MatchRecord.open(record.path)
    assert again.clock == Clock(rules.clock, (60_000, 60_000), since=700_000)  # type: ignore[arg-type]
    assert again.state.score == (0, 1)


@pytest.mark.parametrize(
    "values",
    [
        {"event": "reset", "at": 0}, {"event": "stop", "at": 1.5}, {"event": "start", "at": 0},
        {"event": "press", "at": 0},
        {"event": "stop", "at": 0, "player": 0}, {"event": "set", "at": 0}, {"event": "set", "at": 0, "left": (-1, 0)},
        {"event": "start", "at": 0, "player": 2}, {"event": "end", "at": 0, "left": (0, 0)},
    ],
)  # fmt: skip
def test_clock_events_that_are_none(values: dict[str, Any]) -> None:
    with pytest.raises(bg.RuleError):
        ClockEvent(**values)


# ---- many records


def test_many_records_at_once(tmp_path: Path) -> None:
    """More than the descriptors that are kept; played in turns, and synced together."""
    actions, _ = random_match(MatchState.new(1), 5, most=12)
    records = [MatchRecord.create(tmp_path / f"{i}.jsonl", MatchState.new(1), match_id=str(i)) for i in range(200)]
    for action in actions:
        for record in records:
            record.append(action, sync=False)
    MatchRecord.sync_all(records)
    for record in records[::37]:
        assert MatchRecord.open(record.path).state == record.state
        record.close()
        with record:
            record.sync()
    for record in records:
        record.close()


def test_a_disk_that_refuses_changes_no_state(script: MatchRecord, monkeypatch: pytest.MonkeyPatch) -> None:
    state = script.state

    def refuse(fd: int, data: bytes) -> int:
        raise OSError("no space left")

    monkeypatch.setattr("bgcore.match.journal.os.write", refuse)
    with pytest.raises(OSError, match="no space"):
        script.append(MakePlay("24/23 13/7"))
    assert script.state == state
    monkeypatch.undo()
    script.append(MakePlay("24/23 13/7"))
    assert MatchRecord.open(script.path).state == script.state


def test_ctrl_c_between_writing_and_taking_note(script: MatchRecord, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line is there, the object does not know it: it writes nothing more, and opening again does."""

    def interrupted(self: Ledger, step: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Ledger, "accept", interrupted)
    with pytest.raises(KeyboardInterrupt):
        script.append(MakePlay("24/23 13/7"))
    monkeypatch.undo()
    before = script.path.read_bytes()
    with pytest.raises(OSError, match="open the record again"):
        script.append(MakePlay("24/23 13/7"))
    assert script.path.read_bytes() == before
    script.close()
    again = MatchRecord.open(script.path)
    again.append(Roll(5, 2))
    assert again.verify(again.head).ok


def test_a_file_that_was_cut_under_its_reader(script: MatchRecord) -> None:
    script.path.write_bytes(b"".join(read(script.path)[0][:5]))
    for call in (script.entries, script.states, script.throws):
        with pytest.raises(bg.FormatError, match="it was cut"):
            list(call())


def test_a_file_that_changed_under_its_reader(script: MatchRecord) -> None:
    assert [entry["n"] for entry in script.entries()] == list(range(len(script)))
    data = script.path.read_bytes()
    script.path.write_bytes(data.replace(b'"to":2', b'"to": 2'))
    with pytest.raises(bg.FormatError, match="one spelling"):
        list(script.entries())


def test_dump_is_the_spelling_of_lines() -> None:
    assert dump({"a": ["\u00e9", None, 1.5]}) == '{"a":["\\u00e9",null,1.5]}'
    with pytest.raises(ValueError, match="JSON"):
        dump(float("nan"))
