"""Files built piece by piece: what is finished survives anything, and what was not is done again."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from bgcore.bearoff import store
from bgcore.bearoff.store import Partial
from bgcore.errors import DatabaseError

HEADER = {"kind": "two-sided", "points": 6}
ARRAYS = {"values": (np.uint16, (20, 1000)), "extra": ("<f8", (7,))}
PIECES = 20


def piece(number: int) -> np.ndarray[tuple[int], np.dtype[np.uint16]]:
    return np.random.default_rng(number).integers(0, 2**16, 1000, dtype=np.uint16)


def go_on(partial: Partial, most: int = PIECES) -> int:
    """Write up to ``most`` pieces that are missing; return how many were."""
    missing = [number for number in range(PIECES) if f"piece {number}" not in partial.done][:most]
    for number in missing:
        partial.write("values", 1000 * number, piece(number))
        partial.commit(f"piece {number}")
    return len(missing)


@pytest.fixture
def wanted(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What the file is in the end."""
    path = tmp_path_factory.mktemp("wanted") / "db"
    values = np.stack([piece(number) for number in range(PIECES)])
    store.write(path, HEADER, {"values": values, "extra": np.zeros(7)})
    return path.read_bytes()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "db"


def beside(path: Path) -> list[str]:
    return sorted(p.name for p in path.parent.iterdir())


def test_built_in_one_go(path: Path, wanted: bytes) -> None:
    told: list[tuple[int, int]] = []
    with Partial.open(path, HEADER, ARRAYS) as partial:
        assert partial.done == ()
        assert go_on(partial) == PIECES
        assert partial.done == tuple(f"piece {number}" for number in range(PIECES))
        assert beside(path) == ["db.partial", "db.partial.journal", "db.partial.lock"]
        with pytest.raises(DatabaseError, match="damaged"):
            store.read(f"{path}.partial")
        partial.finish(progress=lambda *args: told.append(args))
    assert path.read_bytes() == wanted
    assert [name for name in beside(path) if "lock" not in name] == ["db"]
    assert told[-1][0] == told[-1][1]


def test_built_in_many_goes(path: Path, wanted: bytes) -> None:
    for most in (0, 3, 1, 0, 9, 5):
        with Partial.open(path, HEADER, ARRAYS) as partial:
            assert go_on(partial, most) == most
    with Partial.open(path, HEADER, ARRAYS) as partial:
        assert len(partial.done) == 18
        go_on(partial)
    with Partial.open(path, HEADER, ARRAYS) as partial:
        assert go_on(partial) == 0
        partial.finish()
    assert path.read_bytes() == wanted


def test_native_code_writes_by_itself(path: Path, wanted: bytes) -> None:
    with Partial.open(path, HEADER, ARRAYS) as partial:
        for number in range(PIECES):
            os.pwrite(partial.fd, piece(number).astype("<u2").tobytes(), partial.offset("values") + 2000 * number)
        partial.commit("all of it")
        partial.finish()
    assert path.read_bytes() == wanted


def test_data_reach_the_disk_before_the_journal_says_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    with Partial.open(path, HEADER, ARRAYS) as partial:
        names = {partial.fd: "data", partial._journal.fileno(): "journal"}
        for name in ("fdatasync", "fsync", "pwrite"):
            real = getattr(os, name)

            def spy(descriptor: int, *args: object, real: object = real, name: str = name) -> object:
                calls.append(f"{name} {names[descriptor]}")
                return real(descriptor, *args)  # type: ignore[operator]

            monkeypatch.setattr(os, name, spy)
        go_on(partial, 1)
        monkeypatch.undo()
    assert calls == ["pwrite data", "fdatasync data", "pwrite journal", "fsync journal"]


def test_what_is_no_entry(path: Path) -> None:
    with Partial.open(path, HEADER, ARRAYS) as partial:
        for wrong in ("", "two\nlines", "a\rb", "\x00", "\u2028"):
            with pytest.raises(ValueError, match="journal entry"):
                partial.commit(wrong)
        partial.commit("Stück 1 – ready")
    with Partial.open(path, HEADER, ARRAYS) as partial:
        assert partial.done == ("Stück 1 – ready",)


def test_what_does_not_fit(path: Path) -> None:
    with Partial.open(path, HEADER, ARRAYS) as partial:
        for first, count in ((-1, 1), (20_000, 1), (19_999, 2), (0, 20_001)):
            with pytest.raises(ValueError, match="don't fit into array 'values' of 20000"):
                partial.write("values", first, np.zeros(count, np.uint16))


# ---- the journal after a crash ---------------------------------------------------------------------------------------


def begun(path: Path, most: int) -> tuple[Path, bytes]:
    """Begin a file; return its journal and what is in it."""
    with Partial.open(path, HEADER, ARRAYS) as partial:
        go_on(partial, most)
    journal = Path(f"{path}.partial.journal")
    return journal, journal.read_bytes()


def test_a_torn_journal(path: Path) -> None:
    journal, text = begun(path, 3)
    lines = text.splitlines(keepends=True)
    for end in range(len(text) + 1):
        journal.write_bytes(text[:end])
        whole = sum(len(b"".join(lines[: number + 1])) <= end for number in range(3))
        with Partial.open(path, HEADER, ARRAYS) as partial:
            assert partial.done == tuple(f"piece {number}" for number in range(whole))
            partial.commit("next")
        with Partial.open(path, HEADER, ARRAYS) as partial:
            assert partial.done[whole:] == ("next",)


def test_a_damaged_journal(path: Path) -> None:
    journal, text = begun(path, 3)
    rng = random.Random(3)
    for at in range(len(text)):
        hurt = bytearray(text)
        hurt[at] ^= 1 << rng.randrange(8)
        journal.write_bytes(hurt)
        with Partial.open(path, HEADER, ARRAYS) as partial:
            assert partial.done == tuple(f"piece {number}" for number in range(text[:at].count(b"\n")))
    for garbage in (b"\0" * 100, b"piece 3\n", text, os.urandom(300), b"0" * 10**5):
        journal.write_bytes(text + garbage)
        with Partial.open(path, HEADER, ARRAYS) as partial:
            assert len(partial.done) == 3
    journal.unlink()
    with Partial.open(path, HEADER, ARRAYS) as partial:
        assert partial.done == ()


def test_a_commit_that_failed_can_be_tried_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Partial.open(path, HEADER, ARRAYS) as partial:
        go_on(partial, 2)
        real = os.pwrite

        def half(descriptor: int, data: bytes, offset: int) -> int:
            real(descriptor, bytes(data)[: len(data) // 2], offset)
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "pwrite", half)
        with pytest.raises(OSError, match="No space"):
            partial.commit("a rather long entry")
        monkeypatch.undo()
        assert len(partial.done) == 2
        partial.commit("short")
    with Partial.open(path, HEADER, ARRAYS) as partial:
        assert partial.done[2:] == ("short",)


# ---- begun anew ------------------------------------------------------------------------------------------------------


def test_another_header_begins_anew(path: Path, wanted: bytes) -> None:
    begun(path, 4)
    with pytest.warns(RuntimeWarning, match=r"db\.partial was begun for something else .* begun anew"):
        partial = Partial.open(path, HEADER | {"points": 7}, ARRAYS)
    with partial:
        assert partial.done == ()
        assert not any(os.pread(partial.fd, 10**6, partial.offset("values")))
    with Partial.open(path, HEADER, ARRAYS) as partial:  # nothing was done, so nothing is said
        go_on(partial)
        partial.finish()
    assert path.read_bytes() == wanted


def test_a_partial_that_was_cut_begins_anew(path: Path) -> None:
    begun(path, 4)
    os.truncate(f"{path}.partial", 8000)
    with pytest.warns(RuntimeWarning, match="begun anew"), Partial.open(path, HEADER, ARRAYS) as partial:
        assert partial.done == ()


def test_a_journal_without_its_file_means_nothing(path: Path) -> None:
    begun(path, 4)
    os.unlink(f"{path}.partial")
    with Partial.open(path, HEADER, ARRAYS) as partial:
        assert partial.done == ()


def test_killed_between_renaming_and_forgetting(path: Path, wanted: bytes) -> None:
    journal, text = begun(path, PIECES)
    with Partial.open(path, HEADER, ARRAYS) as partial:
        partial.finish()
    journal.write_bytes(text)
    assert path.read_bytes() == wanted
    with Partial.open(path, HEADER, ARRAYS) as partial:
        assert partial.done == ()


def test_killed_between_sealing_and_renaming(path: Path, wanted: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    def no(*_: object) -> None:
        raise OSError(5, "Input/output error")

    with Partial.open(path, HEADER, ARRAYS) as partial:
        go_on(partial)
        monkeypatch.setattr(os, "replace", no)
        with pytest.raises(OSError, match="Input/output"):
            partial.finish()
        monkeypatch.undo()
    assert not path.exists()
    with Partial.open(path, HEADER, ARRAYS) as partial:
        assert len(partial.done) == PIECES
        partial.finish()
    assert path.read_bytes() == wanted


# ---- refused ---------------------------------------------------------------------------------------------------------


def test_one_builder_at_a_time(path: Path) -> None:
    with Partial.open(path, HEADER, ARRAYS) as partial:
        go_on(partial, 2)
        with pytest.raises(DatabaseError, match=f"db is being built by process {os.getpid()}"):
            Partial.open(path, HEADER, ARRAYS)
    with Partial.open(path, HEADER, ARRAYS) as partial:
        assert len(partial.done) == 2


def test_a_short_disk_is_refused_up_front(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage(NamedTuple):
        free: int = 20_000

    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage())
    with pytest.raises(DatabaseError, match=r"needs 49,160 bytes, .*20,000 are free"):
        Partial.open(path, HEADER, ARRAYS)
    assert beside(path) in ([], ["db.partial.lock"])
    monkeypatch.undo()
    with pytest.raises(DatabaseError, match="bytes"):
        Partial.open(path, HEADER, {"a": ("u2", (10**8, 10**8))})


def test_what_is_on_the_disk_already_needs_no_room(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun(path, PIECES)
    os.sync()  # some file systems allocate late

    class Usage(NamedTuple):
        free: int = 20_000

    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage())
    with Partial.open(path, HEADER, ARRAYS) as partial:
        assert len(partial.done) == PIECES


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="cannot be built there: No such file"):
        Partial.open(tmp_path / "none" / "db", HEADER, ARRAYS)
    (tmp_path / "db.partial").mkdir()
    with pytest.raises(DatabaseError, match="cannot be built there"):
        Partial.open(tmp_path / "db", HEADER, ARRAYS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Partial.open(tmp_path / "other", HEADER, ARRAYS).close()


# ---- killed ----------------------------------------------------------------------------------------------------------

BUILDER = """
import os, random, signal, sys, time
import numpy as np
from bgcore.bearoff.store import Partial

PIECES = 100

def build(path):
    with Partial.open(path, {"kind": "x"}, {"values": (np.uint32, (PIECES, 5000))}) as partial:
        done = len(partial.done)
        assert partial.done == tuple(map(str, range(done))), partial.done
        last = np.zeros(5000, np.uint32)  # each piece is made of the one before it, as it is on the disk
        for number in range(PIECES):
            if number >= done:
                row = last * np.uint32(2654435761) + np.arange(5000, dtype=np.uint32) + np.uint32(number)
                partial.write("values", 5000 * number, row[:2500])
                partial.write("values", 5000 * number + 2500, row[2500:])
                partial.commit(str(number))
            last = np.frombuffer(os.pread(partial.fd, 20000, partial.offset("values") + 20000 * number), "<u4")
        partial.finish()

path, kills, goes, rng = sys.argv[1], 0, 0, random.Random(20)
while kills < int(sys.argv[2]) or not os.path.exists(path):
    if os.path.exists(path):  # it was faster than the kills: once more
        os.unlink(path)
    goes += 1
    child = os.fork()
    if child == 0:
        try:
            build(path)
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    if kills < int(sys.argv[2]):
        time.sleep(rng.random() * 0.03)
        os.kill(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, -signal.SIGKILL), status
    kills += status != 0
print(kills, goes)
"""


@pytest.mark.subprocess
@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGKILL")
@pytest.mark.parametrize("kills", [20, pytest.param(400, marks=pytest.mark.long)])
def test_killed_at_random_moments(path: Path, kills: int) -> None:
    """The same bytes as without kills, whenever they come: opening, writing, committing, finishing."""
    command = [sys.executable, "-W", "error", "-c", BUILDER]
    result = subprocess.run([*command, str(path), str(kills)], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert int(result.stdout.split()[0]) == kills
    once = path.with_name("once")
    subprocess.run([*command, str(once), "0"], check=True, stdout=subprocess.DEVNULL)
    assert path.read_bytes() == once.read_bytes()
    store.verify(path)
    last = np.zeros(5000, np.uint32)
    for number, row in enumerate(store.read(path).arrays["values"]):
        last = last * np.uint32(2654435761) + np.arange(5000, dtype=np.uint32) + np.uint32(number)
        np.testing.assert_array_equal(row, last)
