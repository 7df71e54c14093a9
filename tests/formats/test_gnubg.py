"""GNU Backgammon itself imports what is written here, exports it again, and the match is the same."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from recorded_matches import check

import bgcore as bg
from bgcore.formats.matches import written
from naive import scribes

PROGRAM = os.environ.get("BGCORE_GNUBG") or shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
MATCHES = 50


@pytest.mark.long
@pytest.mark.subprocess
@pytest.mark.skipif(PROGRAM is None, reason="GNU Backgammon is not installed")
@pytest.mark.parametrize("name", ["mat", "txt", "sgf"])
def test_random_matches_through_gnubg(tmp_path: Path, name: str) -> None:
    stories = [
        scribes.story(seed, length=(0, 5, 7, 9, 15)[seed % 5], plans=("drop", "play", "resign", "play", "drop", "play"))
        for seed in range(MATCHES)
    ]
    commands = ["set confirm new off", "set confirm save off"]
    for number, told in enumerate(stories):
        match = bg.read_match(io.BytesIO(scribes.FILES["xg"](told)))
        path = tmp_path / f"{number}.{name}"
        path.write_bytes(written(match, name))
        commands.append(f'{"load match" if name == "sgf" else "import mat"} "{path}"')
        commands += [f'export match mat "{path}.out.mat"', f'save match "{path}.out.sgf"']
    script = tmp_path / "commands"
    script.write_text("\n".join([*commands, "quit", ""]))
    command = [str(PROGRAM), "-t", "-q", *os.environ.get("BGCORE_GNUBG_OPTIONS", "").split(), "-c", str(script)]
    environment = os.environ | {"HOME": str(tmp_path)}
    subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=600, check=False)
    for number, told in enumerate(stories):
        for suffix in ("mat", "sgf"):
            path = tmp_path / f"{number}.{name}.out.{suffix}"
            assert path.exists(), f"match {number} was not imported from .{name}"
            again = bg.read_match(path)
            assert not any("illegal" in note.message for note in again.notes), again.notes
            check(again, told)
