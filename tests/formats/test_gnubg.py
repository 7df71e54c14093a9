"""GNU Backgammon itself imports what is written here, exports it again, and the match is the same."""

from __future__ import annotations

import io
import os
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from recorded_matches import check

import bgcore as bg
from bgcore.formats.matches import written
from naive import scribes
from recorded import random_match

new = bg.MatchState.new
PROGRAM = os.environ.get("BGCORE_GNUBG") or shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
MATCHES = 50
STATES = 2000

pytestmark = [
    pytest.mark.long,
    pytest.mark.subprocess,
    pytest.mark.skipif(PROGRAM is None, reason="GNU Backgammon is not installed"),
]


def run(folder: Path, commands: list[str]) -> str:
    """Let GNU Backgammon carry out commands, and return what it printed."""
    script = folder / "commands"
    script.write_text("\n".join(["set confirm new off", "set confirm save off", *commands, "quit", ""]))
    command = [str(PROGRAM), "-t", "-q", *os.environ.get("BGCORE_GNUBG_OPTIONS", "").split(), "-c", str(script)]
    done = subprocess.run(
        command,
        env=os.environ | {"HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=600,
        check=False,
    )
    return done.stdout.decode("utf-8", "replace")


def random_state(seed: int) -> bg.MatchState:
    """A state of a match to at most 64 points or of money play, nothing pending, before or after a roll."""
    rng = random.Random(seed)
    length = rng.choice([0, 0, 1, 2, 3, 5, 7, 11, 25, 63, 64])
    options = {} if length else {"jacoby": rng.random() < 0.5, "automatic_doubles": 2}
    while True:
        score = (rng.randrange(length), rng.randrange(length)) if length else (rng.randrange(30), rng.randrange(30))
        start = new(length, score=score, **options)
        _, states = random_match(start, rng.randrange(1 << 30), rng.choice([3, 20, 80, 300]))
        fit = [s for s in states if s.phase in ("to_roll", "to_play") and s.resigned is None and s.cube <= 64]
        if fit:
            return rng.choice(fit)


def told(state: bg.MatchState | None) -> dict[str, object]:
    """What both sides can say of a state, from the side of the player on roll."""
    assert state is not None
    assert state.on_roll is not None
    me = state.on_roll
    return {
        "position": state.position,
        "dice": state.dice,
        "cube": state.cube,
        "mine": None if state.cube_owner is None else state.cube_owner == me,
        "length": state.length,
        "score": (state.score[me], state.score[1 - me]),
        "crawford": state.is_crawford,
        "jacoby": state.options.jacoby,
    }


@pytest.mark.parametrize("kind", ["xgid", "gnubgid"])
def test_random_states_through_gnubg(tmp_path: Path, kind: str) -> None:
    """Read by it as an XGID or as its own ID, and exported as its own ID and as a Snowie line.

    Of an XGID whose top player is on roll it exchanges the seats.  Its Snowie lines show its own setting of Jacoby.
    """
    states = [random_state(seed) for seed in range(STATES)]
    commands = []
    for number, state in enumerate(states):
        text = state.xgid(bottom=0, form="gnubg") if kind == "xgid" else state.gnubg_id
        commands += [
            f"set {kind} {text}",
            f"export position snowietxt {tmp_path}/{number}",
            "show board",
            "show version",
        ]
    # What comes last before each version is the board that `show board` has drawn.
    printed = run(tmp_path, commands).split("GNU Backgammon 1.")[-STATES - 1 : -1]
    assert len(printed) == STATES
    for number, (state, output) in enumerate(zip(states, printed, strict=True)):
        position_id, match_id = re.findall(r"Position ID: (\S+)\s+Match ID\s*: (\S+)", output)[-1]
        theirs = bg.MatchState.from_gnubg_id(f"{position_id}:{match_id}")
        assert told(theirs) == told(state), (state, output)
        exchanged = kind == "xgid" and state.on_roll == 1
        assert (theirs.on_roll == state.on_roll) is not exchanged
        line = bg.parse((tmp_path / str(number)).read_text())
        assert line.kind == "snowie"
        assert told(line.state) | {"jacoby": None} == told(state) | {"jacoby": None}, (state, line.text)


@pytest.mark.parametrize("name", ["mat", "txt", "sgf"])
def test_random_matches_through_gnubg(tmp_path: Path, name: str) -> None:
    stories = [
        scribes.story(seed, length=(0, 5, 7, 9, 15)[seed % 5], plans=("drop", "play", "resign", "play", "drop", "play"))
        for seed in range(MATCHES)
    ]
    commands = []
    for number, told in enumerate(stories):
        match = bg.read_match(io.BytesIO(scribes.FILES["xg"](told)))
        path = tmp_path / f"{number}.{name}"
        path.write_bytes(written(match, name))
        commands.append(f'{"load match" if name == "sgf" else "import mat"} "{path}"')
        commands += [f'export match mat "{path}.out.mat"', f'save match "{path}.out.sgf"']
    run(tmp_path, commands)
    for number, told in enumerate(stories):
        for suffix in ("mat", "sgf"):
            path = tmp_path / f"{number}.{name}.out.{suffix}"
            assert path.exists(), f"match {number} was not imported from .{name}"
            again = bg.read_match(path)
            assert not any("illegal" in note.message for note in again.notes), again.notes
            check(again, told)
