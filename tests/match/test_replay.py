"""Matches that were written down, played again by the rules; and records as such matches."""

from __future__ import annotations

import io
import random
from dataclasses import replace
from pathlib import Path

import pytest
from recorded_matches import check

import bgcore as bg
from bgcore.errors import FormatError, IllegalPlay, RuleError
from bgcore.formats.matches import WRITERS, written
from bgcore.match.actions import Forfeit, MakePlay, NextGame, OpeningRoll, Resign, Roll, Ruling, Take
from bgcore.match.replay import before_the_first_game, match_of, record_match, replay
from bgcore.match.tavli import best_of_three
from bgcore.match.transcript import Game, GameEnd, Match, Turn
from naive import scribes
from recorded import random_match

PLANS = ("drop", "play", "resign", "play", "drop", "stop")


def read(data: bytes) -> Match:
    return bg.read_match(io.BytesIO(data))


@pytest.mark.parametrize("seed", range(8))
def test_a_written_match_becomes_a_record_and_comes_back(tmp_path: Path, seed: int) -> None:
    told = scribes.story(seed, length=(7, 0, 3, 11)[seed % 4], plans=PLANS)
    match = read(scribes.FILES["xg"](told))
    record = record_match(match, tmp_path / "match.jsonl", match_id="m")
    assert record.verify().ok
    assert record.state.score == match.score
    assert (record.header.match_id, record.header.players) == ("m", match.names)
    back = match_of(record)
    check(back, told)
    assert back.difference(match) == ""
    assert [game.score for game in back.games] == [game.score for game in match.games]
    assert [game.end and game.end[:4] for game in back.games] == [game.end and game.end[:4] for game in match.games]
    last = list(replay(match))[-1]
    assert last.state == record.state
    assert last.game == len(match.games) - 1


@pytest.mark.parametrize("seed", range(12))
def test_a_record_is_written_as_every_kind_and_comes_back(tmp_path: Path, seed: int) -> None:
    """Whatever two bots did: beavers, automatic doubles, resignations in vain, games that break off."""
    options = {} if seed % 3 else {"beavers": 2, "automatic_doubles": 2, "jacoby": bool(seed % 2)}
    start = bg.MatchState.new(seed % 3 * 3, **options)
    actions, states = random_match(start, seed, 600)
    record = bg.MatchRecord.create(tmp_path / "m.jsonl", start, players=("Ann", "Bob"), info={"event": "Cup", "x": "y"})
    for action in actions:
        record.append(action, sync=False)
    match = match_of(record)
    assert (match.event, match.info, match.names) == ("Cup", (("x", "y"),), ("Ann", "Bob"))
    assert sum(turn.action == "play" and turn.play is not None for game in match.games for turn in game.turns) == sum(
        isinstance(action, MakePlay) or action.kind == "pass" for action in actions
    )
    ends = [
        now.result
        for last, now in zip([start, *states], states, strict=False)
        if now.result is not None and not last.is_game_over
    ]
    assert [(end.winner, end.points) for end in ends] == [game.end[:2] for game in match.games if game.end]
    for name in WRITERS:
        again = read(written(match, name))
        if not any(game.cube > 1 for game in match.games):  # which transcripts have no place for
            assert again.difference(match) == ""
            assert again.score == match.score
    assert [done.state for done in replay(match)][-1].score == match.score


def test_what_a_file_leaves_out_is_played() -> None:
    told = scribes.story(5, length=5, plans=("resign",))
    match = read(scribes.FILES["gnubg"](told))
    kinds = [done.action.kind for done in replay(match) if done.game == 0]
    assert kinds[0] == "open_roll"
    assert kinds[-2:] == ["resign_offer", "resign_accept"]
    for done in replay(match):
        if isinstance(done.action, MakePlay):
            assert match.games[done.game].turns[done.turn or 0].play == done.action.play


PLAY = bg.BACKGAMMON.check(bg.BACKGAMMON.start, (3, 1), "8/5 6/5")
FIRST = Turn(0, "play", (1, 3), PLAY, PLAY.result)


def game(*turns: Turn, **more: object) -> Game:
    return Game((FIRST, *turns), **more)  # type: ignore[arg-type]


def match_with(*games: Game, length: int = 7, **more: object) -> Match:
    return Match(("a", "b"), length, games, **more)  # type: ignore[arg-type]


def test_a_beaver_is_accepted_by_rolling_on() -> None:
    turns = (Turn(1, "double", cube=2), Turn(0, "beaver", cube=4), Turn(1, "play", (6, 6)))
    actions = [done.action for done in replay(match_with(game(*turns), length=0))]
    assert actions[-2:] == [Take(), Roll(6, 6)]
    assert before_the_first_game(match_with(game(*turns), length=0)).options.beavers == 1


def test_how_a_game_began_is_a_ruling() -> None:
    place = PLAY.result.flipped()
    play = bg.BACKGAMMON.legal_plays(place, (6, 5))[0]
    ruling, roll, _ = replay(match_with(Game((Turn(0, "play", (6, 5), play, play.result),), start=place)))
    assert isinstance(ruling.action, Ruling)
    assert (ruling.action.position, ruling.action.on_roll) == (place, 0)
    assert roll.action == Roll(6, 5)
    state = next(iter(replay(match_with(Game(cube=4), length=0)))).state
    assert (state.cube, state.cube_owner, state.automatic_doubles) == (4, None, 2)
    later = match_with(game(end=GameEnd(0, 1, "single", "resigned")), Game(score=(3, 0)))
    assert [done.state.score for done in replay(later)][-1] == (3, 0)


@pytest.mark.parametrize("how", ["settled", "time", "forfeited", "unknown"])
def test_ends_off_the_board_are_forfeits(how: str) -> None:
    end = GameEnd(1, 2, "gammon", how, None)  # type: ignore[arg-type]
    *_, last = replay(match_with(game(end=end)))
    assert isinstance(last.action, Forfeit)
    assert last.state.score == (0, 2)


def test_a_crawford_game_that_is_over() -> None:
    assert before_the_first_game(match_with(Game(score=(6, 2)))).is_post_crawford
    assert not before_the_first_game(match_with(Game(score=(6, 2), crawford=True))).is_post_crawford


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        (match_with(game(Turn(1, "play", (5, 2), None, PLAY.result, "13/1"))), "turn 2: 13/1 with 52 is an illegal"),
        (match_with(game(Turn(1, "play", None))), "nobody knows what was rolled"),
        (match_with(game(Turn(0, "play", (5, 2)))), "turn 2: player 0 acts, but it is the turn of player 1"),
        (match_with(game(Turn(1, "take"))), "turn 2: Take is not to be done now"),
        (match_with(Game((FIRST._replace(dice=(3, 3)),))), "does not begin with 33"),
        (match_with(game(), game()), "game 1 has no end"),
        (match_with(game(end=GameEnd(0, 1, "single", "played"))), "said to have been played"),
        (
            match_with(game(Turn(1, "double", cube=2), Turn(0, "drop"), end=GameEnd(0, 1, "single", "dropped"))),
            "player 0 is said to have won, but by what was played it is 1",
        ),
        (match_with(game(Turn(1, "double"), Turn(0, "beaver"))), "turn 3: .*money"),
    ],
)  # fmt: skip
def test_what_is_against_the_rules_is_refused(tmp_path: Path, broken: Match, says: str) -> None:
    with pytest.raises(RuleError, match=says):
        list(replay(broken))
    with pytest.raises(RuleError, match=says):
        record_match(broken, tmp_path / "m.jsonl")
    with pytest.raises(FormatError, match="only what the rules allow"):
        bg.write_match(broken, tmp_path / "m.jsonl")
    assert not list(tmp_path.iterdir())


def test_an_illegal_play_that_is_said_to_be_legal(tmp_path: Path) -> None:
    wrong = match_with(game(FIRST._replace(player=1, dice=(6, 6))))
    with pytest.raises(IllegalPlay, match="game 1, turn 2: ") as caught:
        list(replay(wrong))
    assert caught.value.reason is not None


def test_records_that_no_match_file_can_hold(tmp_path: Path) -> None:
    tavli = bg.MatchRecord.create(tmp_path / "a", bg.MatchState.new(series=best_of_three()))
    fevga = bg.MatchRecord.create(tmp_path / "b", bg.MatchState.new(3, bg.FEVGA))
    for record in (tavli, fevga):
        with pytest.raises(RuleError, match="match files hold games of backgammon"):
            match_of(record)
    ruled = bg.MatchRecord.create(tmp_path / "c", bg.MatchState.new(3))
    for action in (OpeningRoll(3, 1), MakePlay("8/5 6/5"), Ruling("moved wrong", PLAY.result, 1)):
        ruled.append(action)
    with pytest.raises(RuleError, match="entry 3 is a ruling, which no match file can hold: moved wrong"):
        match_of(ruled)


def test_a_record_is_a_match_file(tmp_path: Path) -> None:
    told = scribes.story(3, length=5)
    match = read(scribes.FILES["gnubg"](told))
    path = tmp_path / "m.jsonl"
    assert bg.write_match(match, path) == ()
    assert bg.MatchRecord.open(path).state.score == match.score
    check(bg.read_match(path), told)
    assert bg.read_match(path).format == "record"
    first = path.read_bytes()
    bg.write_match(match, path)
    assert path.read_bytes() == first  # the same match makes the same record
    path.write_bytes(first[:-20])
    torn = bg.read_match(path)
    assert "left out" in torn.notes[0].message
    with pytest.raises(FormatError):
        bg.read_match(path, strict=True)
    path.write_bytes(first.replace(b"Take", b"take").replace(b'"dice":[', b'"dice":[ ', 1))
    with pytest.raises(FormatError, match=r"m\.jsonl.*line 2"):
        bg.read_match(path)
    assert bg.write_match(replace(match, comment="good", ratings=(1600.0, None)), path) == ("ratings",)


def test_declined_resignations_leave_no_trace(tmp_path: Path) -> None:
    record = bg.MatchRecord.create(tmp_path / "m", bg.MatchState.new(3))
    from bgcore.match.actions import Accept, Decline

    for action in (OpeningRoll(3, 1), Resign(1, 0), Decline(), MakePlay("8/5 6/5"), Roll(2, 1), Resign(2, 1), Accept()):
        record.append(action)
    record.append(NextGame())
    [first] = match_of(record).games
    assert [turn.action for turn in first.turns] == ["play", "play"]
    assert first.turns[1].is_unknown
    assert first.end == GameEnd(0, 2, "gammon", "resigned")


@pytest.mark.slow
def test_hostile_records_are_matches_or_format_errors() -> None:
    data = written(read(scribes.FILES["gnubg"](scribes.story(3, length=5))), "record")
    rng = random.Random(8)
    deep = data.split(b"\n")[0][:-1] + b',"x":' + b"[" * 100_000
    found = {"match": 0, "error": 0}
    for number in range(400):
        broken = bytearray(data)
        if number % 3 == 0:
            broken = broken[: rng.randrange(len(broken))]
        elif number % 3 == 1:
            broken[rng.randrange(len(broken))] = rng.randrange(256)
        else:
            at = rng.randrange(len(broken))
            broken[at:at] = broken[rng.randrange(len(broken)) :][: rng.randrange(200)]
        try:
            assert isinstance(read(bytes(broken)), Match)
            found["match"] += 1
        except FormatError:
            found["error"] += 1
    assert min(found.values()) > 0
    for text in (deep, deep + b"\n", data.split(b"\n")[0] + b"\n" + b"{" * 100_000 + b"\n", data[:300] + b"\0" * 5000):
        with pytest.raises(FormatError):
            read(text)
