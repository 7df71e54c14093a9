"""A process that writes a record is killed at any moment: nothing it was told is written is lost, nothing is invented.

What the bots do depends on the seed and the number of the entry, so the record that is gone on with must in the end be
byte for byte the one that was never interrupted.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bgcore.match.record import MatchRecord
from recorded import ENTRIES, go_on

WRITER = """
import sys
sys.path[:0] = sys.argv[4:]
from recorded import go_on
go_on(sys.argv[1], sys.argv[2] == "sync", float(sys.argv[3]), tell=True)
"""


def kill(path: Path, rng: random.Random, *, sync: bool) -> int:
    """Start a writer, kill it at some moment, and return how many entries it has told to be written."""
    folders = [str(Path(__file__).parent.parent), *sys.path]
    command = [sys.executable, "-c", WRITER, str(path), "sync" if sync else "", str(rng.choice([0, 0.0005])), *folders]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        told = [writer.stdout.readline()]  # it has begun
        time.sleep(rng.random() * 0.06)
        writer.send_signal(signal.SIGKILL)
        told += writer.stdout.read().splitlines()
    complete = [int(line) for line in told if line.strip()]
    return max(complete, default=0)


def killed(folder: Path, times: int) -> None:
    whole = go_on(str(folder / "whole.jsonl"), False, 0)
    expected = whole.path.read_bytes()
    rng = random.Random(times)
    path = folder / "killed.jsonl"
    interrupted = torn = 0
    for number in range(times):
        told = kill(path, rng, sync=number % 2 == 0)
        data = path.read_bytes()
        record = MatchRecord.open(path)
        torn += record.dropped is not None
        assert len(record) >= told
        assert expected.startswith(data)
        if len(record) >= ENTRIES:
            record.close()
            assert data == expected
            path.unlink()
        else:
            interrupted += 1
        record.close()
    if path.exists():
        record = go_on(str(path), False, 0)
        assert path.read_bytes() == expected
        assert record.head == whole.head
        assert record.verify(whole.head).authenticated == len(whole)
    assert interrupted > times // 4


@pytest.mark.subprocess
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL; its CI jobs on POSIX have")
def test_killed_10_times(tmp_path: Path) -> None:
    killed(tmp_path, 10)


@pytest.mark.long
@pytest.mark.subprocess
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL; its CI jobs on POSIX have")
def test_killed_200_times(tmp_path: Path) -> None:
    killed(tmp_path, 200)
