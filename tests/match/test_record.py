"""MatchRecord: what is written, and what is refused."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bgcore as bg
from bgcore.match.actions import (
    Accept,
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
from bgcore.match.journal import dump, read
from bgcore.match.ledger import Ledger
from bgcore.match.record import MatchRecord
from bgcore.match.state import MatchState
from bgcore.match.tavli import best_of_three, points
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
