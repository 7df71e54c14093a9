"""bgcore play, verify, dice-audit, and show of a record."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bgcore.cli.app import app
from bgcore.cli.record_text import entry_text
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
    Raccoon,
    Resign,
    Roll,
    Ruling,
    Take,
)
from bgcore.match.clock import ClockRules
from bgcore.match.conduct import ConductRules
from bgcore.match.entries import ClockEvent, Reroll
from bgcore.match.journal import read
from bgcore.match.record import MatchRecord
from bgcore.match.signing import HmacKey
from bgcore.match.state import MatchState


def human(record: Path, *lines: str, options: tuple[str, ...] = ()) -> Result:
    """Play against the bot, saying these lines."""
    result = CliRunner().invoke(
        app, ["play", "--record", str(record), *options], input="".join(line + "\n" for line in lines),
        prog_name="bgcore", env={"COLUMNS": "120", "NO_COLOR": "1"},
    )  # fmt: skip
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def played(cli, tmp_path):
    """A match between bots, on disk."""
    path = tmp_path / "m.jsonl"
    assert cli("play", "--bots", "--seed", "5", "--length", "1", "--record", str(path)).exit_code == 0
    return path


# ---- bots


def test_the_same_seed_is_the_same_record_however_often_it_is_interrupted(cli, played, tmp_path):
    other = tmp_path / "other.jsonl"
    for stop in ("7", "8", "30", "1000"):
        result = cli("play", "--bots", "--seed", "5", "--length", "1", "--record", str(other), "--entries", stop)
        assert result.exit_code == 0
    assert other.read_bytes() == played.read_bytes()
    assert f"Going on with {other}: 30 entries" in result.stdout.replace("\n", "")
    record = MatchRecord.open(other)
    assert record.closed
    assert f"{len(record)} entries, head {record.head}" in result.stdout
    assert "has won it" in result.stdout


def test_bots_with_everything(cli, tmp_path):
    path = tmp_path / "m.jsonl"
    options = ["--bots", "--length", "0", "--games", "2", "--beavers", "2", "--automatic-doubles", "1", "--clock"]
    first = cli("play", *options, "--seed", "3", "--provable", "--record", str(path), "--plays")
    assert first.exit_code == 0
    record = MatchRecord.open(path)
    assert record.closed
    assert "seed" not in record.header.info
    found = record.verify()
    assert found.ok
    assert found.throws == found.proved > 20
    lines = [entry_text(entry) for entry in record.entries()]
    said = first.stdout
    for line in lines[4:-1]:  # the secrets of the dice are said by nobody while they play
        assert line in said, line
    assert any("clock press" in line for line in lines)


def test_the_matches_of_the_docs_have_everything(cli, tmp_path):
    """What docs/records.md says of the match with seed 2211, and of the money session with seed 13."""
    path, money = tmp_path / "m.jsonl", tmp_path / "money.jsonl"
    cli("play", "--bots", "--seed", "2211", "--clock", "--record", str(path))
    record = MatchRecord.open(path)
    entries, states = list(record.entries()), list(record.states())
    kinds = {entry["kind"] for entry in entries}
    assert kinds >= {"take", "drop", "pass", "resign_decline", "forfeit", "clock", "open_roll", "match_end"}
    assert any(entry["kind"] == "reroll" and entry["reason"] == "tie" for entry in entries)
    assert any(entry["kind"] == "offer" and entry["from"] > 1 for entry in entries)
    assert any(
        entry["kind"] == "game_end" and (entry["result"], entry["by"]) == ("gammon", "play") for entry in entries
    )
    assert any(state.is_crawford for state in states)
    assert any(state.is_post_crawford for state in states)
    assert record.clock is not None
    assert record.clock.fallen == 0
    assert (record.state.length, record.state.winner) == (7, 1)
    options = ["--length", "0", "--beavers", "2", "--automatic-doubles", "1", "--provable"]
    cli("play", "--bots", "--seed", "13", *options, "--record", str(money))
    assert {entry["kind"] for entry in MatchRecord.open(money).entries()} >= {"beaver", "raccoon", "commit", "reveal"}


def test_provable_dice_need_their_seed_again(cli, tmp_path):
    path = tmp_path / "m.jsonl"
    begun = ["play", "--bots", "--provable", "--length", "1", "--record", str(path)]
    assert cli(*begun, "--seed", "3", "--entries", "20").exit_code == 0
    without = cli("play", "--bots", "--record", str(path))
    assert without.exit_code == 2
    assert "give the --seed" in without.stderr
    assert "another --seed" in cli("play", "--bots", "--record", str(path), "--seed", "4").stderr
    assert cli("play", "--bots", "--record", str(path), "--seed", "3").exit_code == 0
    assert MatchRecord.open(path).verify().proved > 10


def test_another_seed_than_the_record_has(cli, played):
    result = cli("play", "--bots", "--record", str(played), "--seed", "6")
    assert result.exit_code == 2
    assert "begun with --seed 5, not 6" in result.stderr


@pytest.mark.parametrize(
    "options", [["--beavers", "1"], ["--rules", "whist"], ["--automatic-doubles", "1", "--length", "3"]]
)
def test_options_that_do_not_go_together(cli, tmp_path, options):
    result = cli("play", "--bots", "--record", str(tmp_path / "m.jsonl"), *options)
    assert result.exit_code == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("rules", ["plakoto", "gul_bara", "long_nardi"])
def test_other_games(cli, tmp_path, rules):
    path = tmp_path / "m.jsonl"
    result = cli("play", "--bots", "--rules", rules, "--length", "1", "--seed", "1", "--record", str(path))
    assert result.exit_code == 0
    assert cli("verify", str(path)).exit_code == 0
    assert cli("show", str(path)).exit_code == 0


# ---- a human


def test_a_human_plays_leaves_and_comes_back(tmp_path):
    path = tmp_path / "m.jsonl"
    first = human(path, "?", "6/7", "1", options=("--seed", "4", "--length", "3"))
    assert first.exit_code == 0
    assert "your play, ? for all of them" in first.stdout
    assert "The match can go on later" in first.stdout
    before = MatchRecord.open(path)
    assert [entry["kind"] for entry in before.entries()][1:3] == ["open_roll", "play"]
    second = human(path, "sing", "double", "double", "roll", "2", "quit")
    assert "say one of: roll, double" in second.stdout
    assert "X doubles from 1 to 2" in second.stdout
    assert len(MatchRecord.open(path)) > len(before)


def test_a_human_plays_to_the_end(tmp_path):
    """Every question is answered by what fits; the first legal play, no cube of his own."""
    path = tmp_path / "m.jsonl"
    answers = ["roll", "1", "drop", "decline", "pass"]
    result = human(path, *(answers * 400), options=("--seed", "4", "--length", "1", "--clock"))
    record = MatchRecord.open(path)
    assert record.closed
    assert "has won it" in result.stdout
    assert record.verify().ok
    assert record.clock is not None
    assert record.header.players == ("you", "random bot")


def test_what_a_human_is_asked(tmp_path):
    """The cube, a resignation of the bot's, and his own."""
    path = tmp_path / "m.jsonl"
    answers = ["take", "accept", "roll", "1", "pass"]
    result = human(path, *(answers * 300), options=("--seed", "11", "--length", "0", "--games", "6", "--beavers", "2"))
    assert "the cube is offered at 2: take, drop, beaver" in result.stdout
    assert MatchRecord.open(path).closed
    path.unlink()
    result = human(
        path,
        "1",
        "resign 1",
        "resign 1",
        "resign 2",
        "quit",
        options=(
            "--seed",
            "5",
        ),
    )
    assert "X offers to resign a single game" in result.stdout


# ---- verify


def test_verify(cli, played):
    record = MatchRecord.open(played)
    plain = cli("verify", str(played))
    assert plain.exit_code == 0
    assert f"consistent, not authenticated: {len(record)} entries" in plain.stdout.replace("\n", "")
    assert f"head {record.head}" in plain.stdout
    with_head = cli("verify", str(played), "--head", record.head)
    assert f"authenticated: all {len(record)} entries" in with_head.stdout
    lines = read(played)[0]
    played.write_bytes(b"".join(lines[:-1]))
    cut = cli("verify", str(played), "--head", record.head)
    assert cut.exit_code == 1
    assert "not the expected head" in cut.stdout
    played.write_bytes(b"".join([*lines[:3], lines[3][:50]]))
    torn = cli("verify", str(played))
    assert torn.exit_code == 0
    assert "a torn last line of 50 bytes" in torn.stdout
    assert "not closed" in torn.stdout
    for number in (3, 5, 7):
        lines[number] = lines[number].replace(b'"player":', b'"Player":').replace(b'"dice":', b'"Dice":')
    played.write_bytes(b"".join(lines))
    changed = cli("verify", str(played))
    assert changed.exit_code == 1
    assert "line 4: it was changed" in changed.stdout
    assert "  line 6: it was changed" in changed.stdout


def test_verify_with_keys(cli, tmp_path):
    key = HmacKey(b"0123456789abcdef")
    record = MatchRecord.create(tmp_path / "m.jsonl", MatchState.new(1), match_id="m", signer=key)
    for action in (OpeningRoll(3, 1), Resign(1, 0), Accept()):
        record.append(action)
    good, bad = (f"hmac:{data.hex()}" for data in (b"0123456789abcdef", b"0123456789abcdeX"))
    assert "authenticated: all 6 entries" in cli("verify", str(record.path), "--key", good).stdout
    assert cli("verify", str(record.path), "--key", bad).exit_code == 1
    assert cli("verify", str(record.path), "--key", "hmac:x").exit_code == 2
    anchor = tmp_path / "anchor"
    anchor.write_text(record.anchor(key).text())
    assert cli("verify", str(record.path), "--anchor", str(anchor), "--key", good).exit_code == 0
    assert cli("verify", str(record.path), "--anchor", str(anchor), "--key", bad).exit_code == 1
    anchor.write_text("x")
    assert cli("verify", str(record.path), "--anchor", str(anchor)).exit_code == 2


@pytest.mark.subprocess
@pytest.mark.parametrize("command", ["verify", "dice-audit"])
def test_no_such_file(shell, command):
    result = shell(command, "nothing.jsonl")
    assert result.returncode == 1
    assert result.stderr.startswith("bgcore: ")
    assert "nothing.jsonl" in result.stderr
    assert "Traceback" not in result.stderr


# ---- dice-audit


def test_dice_audit(cli, played, tmp_path):
    other = tmp_path / "other.jsonl"
    cli("play", "--bots", "--seed", "6", "--record", str(other))
    result = cli("dice-audit", str(played), str(other))
    assert result.exit_code == 0
    throws = sum(len(list(MatchRecord.open(path).throws())) for path in (played, other))
    assert result.stdout.startswith(f"2 records, {throws} throws\n")
    assert "all together: p = " in result.stdout
    assert cli("dice-audit", str(other), "--alpha", "1").exit_code == (0 if "p = 1.0000" in result.stdout else 1)


def test_dice_audit_of_loaded_dice(cli, tmp_path):
    record = MatchRecord.create(tmp_path / "m.jsonl", MatchState.new(0))
    for _ in range(60):
        record.append(OpeningRoll(6, 6), sync=False)
    result = cli("dice-audit", str(record.path))
    assert result.exit_code == 1
    assert "should be looked into" in result.stdout


# ---- show


def test_show_of_a_record(cli, played):
    record = MatchRecord.open(played)
    plain = cli("show", str(played))
    assert plain.exit_code == 0
    assert f"Match        {record.header.match_id}" in plain.stdout
    assert "has won it" in plain.stdout
    everything = cli("show", str(played), "--entries").stdout
    assert all(entry_text(entry) in everything for entry in record.entries())
    third = cli("show", str(played), "--entry", "3")
    assert third.stdout.startswith("    3  ")
    assert str(list(record.states())[3].gnubg_id) in third.stdout
    assert cli("show", str(played), "--entry", "0").exit_code == 0
    assert f"entries 0 to {len(record) - 1}" in cli("show", str(played), "--entry", "9999").stderr
    assert "leave --rules out" in cli("show", str(played), "--rules", "portes").stderr
    assert "go with a record" in cli("show", "start", "--entries").stderr
    with played.open("ab") as file:
        file.write(b"half a l")
    assert "Left out: a torn last line of 8 bytes" in cli("show", str(played)).stdout


def test_show_of_a_state(cli):
    result = cli("show", "4HPwATDgc/ABMA:cAnzAAAAAAAE")
    assert result.exit_code == 0
    assert "7-point match at 0-0, game 1: player 0 to play 6-4" in result.stdout
    assert "GNUBGID      4HPwATDgc/ABMA:cAnzAAAAAAAE" in result.stdout
    assert cli("show", "4HPwATDgc/ABMA:////////////").exit_code == 2


def test_every_entry_in_words(tmp_path):
    record = MatchRecord.create(
        tmp_path / "m.jsonl", MatchState.new(0, beavers=2, automatic_doubles=1, jacoby=False), match_id="m",
        conduct=ConductRules(clock=ClockRules(extra_ms=60_000)),
    )  # fmt: skip
    for entry in (
        OpeningRoll(4, 4), OpeningRoll(3, 1), ClockEvent("start", 0, 0), MakePlay("8/5 6/5"),
        Reroll((6, 6), 1, "cocked"), Double(), Beaver(), Raccoon(), Take(), Resign(2, 1), Decline(),
        Roll(6, 4), MakePlay("24/14"),
        Forfeit(1, "points", 1, "late arrival"), Ruling("cube corrected", cube=(2, None)), Double(), Drop(), NextGame(),
        ClockEvent("end", 90_000),
    ):  # fmt: skip
        record.append(entry, sync=False)
    record.finish("enough")
    words = [entry_text(entry).lstrip("0123456789 ") for entry in record.entries()]
    assert words == [
        "match m", "- throws 4-4 again: tie", "- the cube shows 2", "one die each: X 3, O 1",
        "X clock start, X 1:00.0, O 1:00.0", "X   8/5 6/5", "O throws 6-6 again: cocked", "O doubles from 2 to 4",
        "X beavers; the cube shows 4", "O raccoons; the cube shows 8", "X takes; the cube shows 16",
        "O offers to resign a gammon", "X declines", "O rolls 6-4", "O   24/14",
        "O forfeits points (1 point): late arrival", "- ruling: cube corrected", "X doubles from 2 to 4", "O drops",
        "- game 1: X wins a single game by a drop, 2 points; score 3-0", "- next game",
        "- clock end, X 0:00.0, O 1:00.0; X's flag has fallen", "- the match ends 3-0: enough",
    ]  # fmt: skip
    with pytest.raises(AssertionError):
        entry_text({"n": 1, "kind": "sneeze"})
