"""The same rolls asked of bgcore and of its peers, in one run: how fast, and where the answers differ.

    benchmarks/peers/run [PEER ...] [--skip PEER] [--rounds N] [--json FILE]

`run` sets everything up.  Every peer is installed from PyPI into an environment of its own and asked by a process of
its own (worker.py with bgcore.conformance.adapters), on one core; bgcore is asked in turn with it, round by round, so
that both meet the same weather.  Times are process CPU time, ratios are medians over the rounds.
"""

from __future__ import annotations

import argparse
import datetime
import functools
import json
import os
import platform
import selectors
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import bgcore as bg
from bgcore.conformance import adapters
from bgcore.conformance.adapters.peer import time_one_by_one
from bgcore.conformance.traps import ENDINGS, TRAPS
from bgcore.dice import ROLLS

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from positions import corpus, pin_to_one_core, processor

HERE = Path(__file__).resolve().parent
ADAPTERS = Path(adapters.__file__).resolve().parent
PEERS = ("gnubg-nn", "gnubg", "bgsage", "open-spiel", "gym-backgammon", "pgx")
INSTALL_LIMIT = 900.0  # seconds
PEER_LIMIT = 120.0  # seconds after which no new round and no new part of the comparison begins
ANSWER_LIMIT = 300.0  # seconds after which a peer that gives no answer is stopped
PART = 250  # positions of one part of the comparison
EXAMPLES = 3

Boards = NDArray[np.int8]
Packed = NDArray[np.uint64]
Roll = tuple[int, int]
Key = bytes  # a board of 26 int8


# ---- a peer in its own environment --------------------------------------------------------------------------------


class PeerError(Exception):
    """The peer can't be installed, started, set to a position, or doesn't answer."""


def install(name: str, cache: Path, upgrade: bool) -> Path:
    """The Python of an environment that has the peer, made if there is none yet."""
    folder = cache / name
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    done = folder / "installed"
    if done.exists() and not upgrade:
        return python
    if not python.exists():
        venv.create(folder, with_pip=True)
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--upgrade", name]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_LIMIT, check=False)
    except subprocess.TimeoutExpired:
        raise PeerError(f"pip install {name} did not end in {INSTALL_LIMIT:.0f} s") from None
    if result.returncode:
        errors = [line for line in result.stderr.splitlines() if line.startswith("ERROR")] or [result.stderr.strip()]
        raise PeerError(f"pip install {name} failed: {errors[-1][:300]}")
    done.touch()
    return python


class Process:
    """A worker that has been started; one question at a time."""

    def __init__(self, name: str, python: Path, log: Path) -> None:
        self._log = log
        with log.open("w") as errors:
            self._process = subprocess.Popen(
                [python, "-u", HERE / "worker.py", name, ADAPTERS],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
            )
        self.hello = self._answer()

    def __call__(self, do: str, **arguments: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"do": do, **arguments}).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # why it ended is told below
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        pipe = self._process.stdout
        assert pipe is not None
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            if not selector.select(ANSWER_LIMIT):
                raise PeerError(f"no answer in {ANSWER_LIMIT:.0f} s")
        line = pipe.readline()
        if not line:
            last = self._log.read_text(errors="replace").strip().splitlines()[-1:]
            raise PeerError(f"its process ended with status {self._process.wait()}: {' '.join(last)}")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise PeerError(answer["error"])
        return answer

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate()


# ---- ours ---------------------------------------------------------------------------------------------------------


class Ours:
    """bgcore on the positions that a peer is asked about."""

    def __init__(self, packed: Packed) -> None:
        self.packed = packed
        self.positions = [bg.Position.from_packed(row) for row in packed]
        self.reused = bg.batch.PlayBatch()

    def plays(self, n: int) -> int:
        """How many legal plays the first n positions have."""
        return int(bg.batch.count_plays(self.packed[:n]).sum())

    def one_by_one(self, n: int) -> float:
        """CPU seconds of Rules.legal_plays, one call a roll."""
        legal_plays = bg.BACKGAMMON.legal_plays
        return self._one_by_one(n, lambda position, larger, smaller: legal_plays(position, (larger, smaller)))

    def counted_one_by_one(self, n: int) -> float:
        """CPU seconds of Rules.count_plays, one call a roll."""
        count_plays = bg.BACKGAMMON.count_plays
        return self._one_by_one(n, lambda p, larger, smaller: range(count_plays(p, (larger, smaller))))

    def _one_by_one(self, n: int, ask: Callable[[Any, int, int], Any]) -> float:
        seconds, counts = time_one_by_one(ask, self.positions[:n], list(ROLLS))
        assert sum(counts) == self.plays(n)
        return seconds

    def batch(self, n: int) -> float:
        """CPU seconds of batch.legal_plays into a PlayBatch that is used again."""
        return self._batch(n, lambda rows: bg.batch.legal_plays(rows, out=self.reused).results)

    def batch_fresh(self, n: int) -> float:
        """CPU seconds of batch.legal_plays into fresh arrays."""
        return self._batch(n, lambda rows: bg.batch.legal_plays(rows).results)

    def batch_counted(self, n: int) -> float:
        """CPU seconds of batch.count_plays."""
        return self._batch(n, bg.batch.count_plays)

    def _batch(self, n: int, ask: Callable[[Packed], Any]) -> float:
        rows = self.packed[:n]
        ask(rows)  # memory that is used again is there already
        times = 10 if n > 200 else 100
        begin = time.process_time()
        for _ in range(times):
            ask(rows)
        return (time.process_time() - begin) / times


@dataclass
class Asked:
    """The legal plays of one roll, their results as boards of 26 seen by the same player."""

    position: bg.Position
    dice: Roll
    before: Key
    results: list[Key]  # in the order of `plays`

    @functools.cached_property
    def plays(self) -> tuple[bg.Play, ...]:
        """The plays themselves."""
        return bg.BACKGAMMON.legal_plays(self.position, self.dice)

    @functools.cached_property
    def legal(self) -> dict[Key, str]:
        """The plays, written."""
        return dict(zip(self.results, map(str, self.plays), strict=True))


def asked(packed: Packed, boards: Boards, rolls: Sequence[Roll]) -> Iterator[Asked]:
    """The legal plays of each roll of each position."""
    n = len(packed)
    batch = bg.batch.legal_plays(np.repeat(packed, len(rolls), axis=0), np.tile(np.array(rolls), (n, 1)))
    data = bg.batch.to_boards(bg.batch.flip(batch.results)).tobytes()
    ends = iter((26 * batch.offsets).tolist())
    begin = next(ends)
    for row, board in zip(packed, boards, strict=True):
        position = bg.Position.from_packed(row)
        for dice in rolls:
            end = next(ends)
            yield Asked(position, dice, board.tobytes(), [data[i : i + 26] for i in range(begin, end, 26)])
            begin = end


# ---- how answers differ -------------------------------------------------------------------------------------------

PASS = "the unchanged position where there is no legal play"
AGAIN = "one final position several times"
HIDDEN = "plays that the answer does not tell in full"
NONE = "no play at all where there is one"
MISSING = "a legal final position is missing"
ONE_DIE = "a play of one die where both can be played"
LAST = "the last checker borne off with one die where both can be played"
SMALLER = "a play of the smaller die where it must be the larger"
SHORT = "a play of fewer moves of a double than can be made"
ILLEGAL = "a final position that no legal play reaches"

HARMLESS = (PASS, AGAIN)
"""Ways of answering, not of reading the rules."""


def checkers_moved(before: Key, after: Key) -> list[tuple[int, int]]:
    """(from, to) of the player's checkers, the rearmost first: enough to name a play that is not legal."""
    sources: list[int] = []
    targets: list[int] = []
    for point, (old, new) in enumerate(zip(_signed(before), _signed(after), strict=True)):
        change = max(new, 0) - max(old, 0)
        (targets if change > 0 else sources).extend([point] * abs(change))
    targets = [0] * (len(sources) - len(targets)) + targets
    return list(zip(reversed(sources), reversed(targets), strict=True))


def _signed(key: Key) -> list[int]:
    return list(memoryview(key).cast("b"))


def written(before: Key, after: Key) -> str:
    """A play as points, without hits."""
    name = {25: "bar", 0: "off"}
    moves = (f"{name.get(a, a)}/{name.get(b, b)}" for a, b in checkers_moved(before, after))
    return " ".join(moves) or "no move"


def kind_of_illegal(roll: Asked, after: Key) -> str:
    """What is wrong with a final position that is not legal."""
    larger, smaller = roll.dice
    moved = checkers_moved(roll.before, after)
    if larger == smaller:
        return SHORT if sum(a - b for a, b in moved) < 4 * larger and len(moved) < 4 else ILLEGAL
    if len(moved) != 1:
        return ILLEGAL
    ((source, target),) = moved
    one = source - target in roll.dice or (target == 0 and source < larger)
    if not one:
        return ILLEGAL
    if not any(n > 0 for n in _signed(after)):
        return LAST
    # All legal plays use as many dice.
    return ONE_DIE if any(len(play) == 2 for play in roll.plays) else SMALLER


@dataclass
class Kind:
    """One way in which answers differ."""

    rolls: int = 0
    plays: int = 0
    examples: list[dict[str, Any]] = field(default_factory=list)


class Differences:
    """Collects how a peer's answers differ from ours."""

    def __init__(self) -> None:
        self.rolls = 0
        self.told = 0
        self.legal = 0
        self.hidden = 0
        self.same = 0
        self.kinds: dict[str, Kind] = {}

    def compare(self, roll: Asked, told: list[Key], hidden: int) -> list[str]:
        """Note what one answer has more or less than ours; the kinds of difference."""
        self.rolls += 1
        self.told += len(told) + hidden
        self.legal += len(roll.results)
        found: dict[str, list[str]] = {}

        def note(kind: str, *plays: str) -> None:
            found.setdefault(kind, []).extend(plays)

        if not roll.results and told == [roll.before]:
            note(PASS, "")
            told = []
        results = Counter(told)
        legal = set(roll.results)
        again = [result for result, times in results.items() if times > 1]
        if again:
            plays = [roll.legal.get(result) or written(roll.before, result) for result in again]
            note(AGAIN, *plays, *[""] * (len(told) - len(results) - len(again)))
        for result in results.keys() - legal:
            note(kind_of_illegal(roll, result), written(roll.before, result))
        missing = [roll.legal[result] for result in roll.results if result not in results]
        if hidden:
            # What is hidden may be what is missing; only the number can be compared.
            note(HIDDEN, *[""] * hidden)
            if hidden < len(missing):
                note(MISSING, *[""] * (len(missing) - hidden))
            elif hidden > len(missing):
                note(AGAIN, *[""] * (hidden - len(missing)))
        elif missing:
            note(MISSING if told else NONE, *missing)
        serious = [kind for kind in found if kind not in HARMLESS]
        self.same += not serious
        self.hidden += serious == [HIDDEN]
        for kind, plays in found.items():
            seen = self.kinds.setdefault(kind, Kind())
            seen.rolls += 1
            seen.plays += len(plays)
            named = [play for play in plays if play]
            seen.examples.append(
                {
                    "position": roll.position.gnubg_id,
                    "dice": f"{roll.dice[0]}-{roll.dice[1]}",
                    "plays": named[:EXAMPLES],
                    "legal": list(roll.legal.values())[:EXAMPLES],
                    "legal_plays": len(roll.results),
                }
            )
            seen.examples.sort(key=lambda example: example["legal_plays"])
            del seen.examples[EXAMPLES:]
        return list(found)


def read_answers(path: Path, rolls: int) -> Iterator[tuple[list[Key], int]]:
    """What a worker wrote: the boards told for each roll, and how many plays it hid."""
    data = path.read_bytes()
    heads = np.frombuffer(data, np.int32, 2 * rolls).reshape(rolls, 2).tolist()
    at = 8 * rolls
    for told, hidden in heads:
        yield [data[i : i + 26] for i in range(at, at + 26 * told, 26)], hidden
        at += 26 * told


# ---- one peer -----------------------------------------------------------------------------------------------------


@dataclass
class Timing:
    """One call of a peer beside ours on the same rolls."""

    call: str
    gives: str
    positions: int
    rounds: int
    rolls_a_second: float
    plays_a_second: float  # distinct ones, by our count
    ours_one_by_one: float  # how many times faster: Rules.legal_plays
    ours_batch: float  # batch.legal_plays(out=)
    range_one_by_one: tuple[float, float]
    range_batch: tuple[float, float]


@dataclass
class Report:
    """What a run found out about a peer."""

    name: str
    version: str = ""
    trouble: str = ""
    notes: list[str] = field(default_factory=list)
    timings: list[Timing] = field(default_factory=list)
    compared: int = 0
    rolls: int = 0
    same: int = 0
    hidden: int = 0  # rolls of which only the number of plays can be compared, and is the same
    told: int = 0
    legal: int = 0
    kinds: dict[str, Kind] = field(default_factory=dict)
    scores: list[int] = field(default_factory=list)
    traps: list[str] = field(default_factory=list)


def examine(name: str, python: Path, rounds: int, folder: Path) -> Report:
    """Time one peer and compare its answers."""
    report = Report(name)
    process: Process | None = None
    begin = time.monotonic()
    try:
        process = Process(name, python, folder / f"{name}.log")
        hello = process.hello
        report.version, report.notes = hello["version"], hello["notes"]
        settable = hello["boards"] is None
        boards = corpus().boards if settable else np.array(hello["boards"], np.int8)
        ours = Ours(bg.batch.from_boards(boards))
        process("load", boards=boards.tolist(), rolls=ROLLS)
        time_calls(report, process, ours, rounds, begin)
        compare_answers(report, process, ours.packed, boards, hello["compared"], begin, folder / f"{name}.bin")
        if settable:
            spring_traps(report, process, folder / f"{name}.bin")
        if hello["scores"]:
            score_endings(report, process)
    except PeerError as error:
        report.trouble = str(error)
    finally:
        if process is not None:
            process.close()
    return report


def time_calls(report: Report, process: Process, ours: Ours, rounds: int, begin: float) -> None:
    """Ask in turn: each call of the peer, then ours on as many positions."""
    calls = process.hello["calls"]
    wanted = [min(call["timed"], len(ours.packed)) for call in calls]
    seconds: list[list[tuple[float, float, float]]] = [[] for _ in calls]
    for number in range(-1, rounds):  # the first one warms up
        if number > 0 and time.monotonic() - begin > PEER_LIMIT / 2:
            break
        own: dict[int, tuple[float, float]] = {}
        for i, n in enumerate(wanted):
            taken = process("clock", call=i, positions=n if number >= 0 else min(n, 20))["seconds"]
            if number < 0:
                continue
            if n not in own:
                own[n] = ours.one_by_one(n), ours.batch(n)
            seconds[i].append((taken, *own[n]))
    for call, n, taken in zip(calls, wanted, seconds, strict=True):
        one = [theirs / ours for theirs, ours, _ in taken]
        batch = [theirs / ours for theirs, _, ours in taken]
        middle = statistics.median(theirs for theirs, _, _ in taken)
        report.timings.append(
            Timing(
                call["name"],
                call["gives"],
                n,
                len(taken),
                n * len(ROLLS) / middle,
                ours.plays(n) / middle,
                statistics.median(one),
                statistics.median(batch),
                (min(one), max(one)),
                (min(batch), max(batch)),
            )
        )


def compare_answers(
    report: Report, process: Process, packed: Packed, boards: Boards, wanted: int, begin: float, path: Path
) -> None:
    """Compare every result of every roll, a part of the positions at a time."""
    differences = Differences()
    report.kinds = differences.kinds
    wanted = min(wanted, len(packed))
    for first in range(0, wanted, PART):
        if time.monotonic() - begin > PEER_LIMIT:
            report.notes.append(f"compared on the first {first} positions only, for want of time")
            break
        last = min(first + PART, wanted)
        process("answer", first=first, last=last, rolls=None, path=str(path))
        answers = read_answers(path, (last - first) * len(ROLLS))
        for roll, (told, hidden) in zip(asked(packed[first:last], boards[first:last], ROLLS), answers, strict=True):
            differences.compare(roll, told, hidden)
        report.compared = last
    report.rolls, report.same, report.hidden = differences.rolls, differences.same, differences.hidden
    report.told, report.legal = differences.told, differences.legal


def spring_traps(report: Report, process: Process, path: Path) -> None:
    """Ask about the rolls of bgcore.conformance.traps."""
    packed = bg.batch.from_gnubg_ids([trap.position_id for trap in TRAPS])
    boards = bg.batch.to_boards(packed)
    process("load", boards=boards.tolist(), rolls=[])
    for i, trap in enumerate(TRAPS):
        process("answer", first=i, last=i + 1, rolls=[trap.dice], path=str(path))
        ((told, hidden),) = read_answers(path, 1)
        (roll,) = asked(packed[i : i + 1], boards[i : i + 1], [trap.dice])
        assert len(roll.results) == trap.plays
        report.traps.append("; ".join(Differences().compare(roll, told, hidden)) or "as ours")


def score_endings(report: Report, process: Process) -> None:
    """Ask about the finished games of bgcore.conformance.traps."""
    boards = []
    for ending in ENDINGS:
        board = [0] * 26
        for point, checkers in ending.left.items():
            board[point] = -checkers
        outcome = bg.BACKGAMMON.outcome(bg.Position.from_board(board))
        assert outcome is not None
        assert (outcome.winner, outcome.points) == ("own", ending.points)
        boards.append(board)
    process("load", boards=boards, rolls=[])
    report.scores = process("score")["points"]


# ---- what is printed ----------------------------------------------------------------------------------------------


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table that can be read as it is; columns of figures to the right."""
    right = [bool(rows) and all(row[i][:1].isdigit() or row[i] in ("", "-") for row in rows) for i in range(len(head))]
    width = [max(len(line[i]) for line in (head, *rows)) for i in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        padded = (c.rjust(w) if r else c.ljust(w) for c, w, r in zip(cells, width, right, strict=True))
        return "| " + " | ".join(padded) + " |"

    rule = "|" + "|".join("-" * (w + 1) + (":" if r else "-") for w, r in zip(width, right, strict=True)) + "|"
    return "\n".join([line(head), rule, *map(line, rows)])


def figure(x: float) -> str:
    """Three significant digits, thousands apart."""
    return f"{float(f'{x:.3g}'):,.0f}" if x >= 100 else f"{x:.3g}"


def speed_table(reports: list[Report]) -> str:
    """Who is how fast."""
    rows = [
        [
            f"{report.name} {report.version}",
            timing.call,
            timing.gives,
            str(timing.positions),
            str(timing.rounds),
            figure(timing.rolls_a_second),
            figure(timing.plays_a_second),
            figure(timing.ours_one_by_one) + "×",
            figure(timing.ours_batch) + "×",
        ]
        for report in reports
        for timing in report.timings
    ]
    head = ("peer", "call", "one result is", "positions", "rounds", "rolls/s", "distinct plays/s")
    return table((*head, "bgcore, one call a roll", "bgcore, batch"), rows)


def own_table(rounds: int) -> tuple[str, dict[str, float]]:
    """How fast we are on the corpus."""
    ours = Ours(corpus().packed)
    n = len(ours.packed)
    ways = {
        "`Rules.legal_plays(position, dice)`": ours.one_by_one,
        "`Rules.count_plays(position, dice)`": ours.counted_one_by_one,
        "`batch.legal_plays(packed)`, fresh arrays": ours.batch_fresh,
        "`batch.legal_plays(packed, out=)`": ours.batch,
        "`batch.count_plays(packed)`": ours.batch_counted,
    }
    seconds = {name: statistics.median(way(n) for _ in range(rounds)) for name, way in ways.items()}
    plays = ours.plays(n)
    rows = [[name, figure(n * len(ROLLS) / taken), figure(plays / taken)] for name, taken in seconds.items()]
    return table(("bgcore call", "rolls/s", "distinct plays/s"), rows), seconds


def agreement_table(reports: list[Report]) -> str:
    """Who gives the same plays."""
    rows = [
        [
            report.name,
            str(report.compared),
            f"{report.rolls:,}",
            f"{report.same:,}",
            f"{report.hidden:,}",
            f"{report.rolls - report.same - report.hidden:,}",
            f"{report.legal:,}",
            f"{report.told:,}",
        ]
        for report in reports
        if report.rolls
    ]
    head = ("peer", "positions", "rolls", "same plays", "same number, not told in full", "other plays")
    return table((*head, "legal plays", "results given"), rows)


def differences_table(reports: list[Report]) -> str:
    """Every kind of difference with its smallest example."""
    rows = []
    for report in reports:
        for name, kind in sorted(report.kinds.items(), key=lambda item: item[0] in HARMLESS):
            example = kind.examples[0]
            shown = f"`{example['position']}` {example['dice']}"
            if example["plays"]:
                shown += ": " + ", ".join(f"`{play}`" for play in example["plays"])
            legal = ", ".join(f"`{play}`" for play in example["legal"])
            if example["legal_plays"] > EXAMPLES:
                legal += f" and {example['legal_plays'] - EXAMPLES} more"
            rows.append([report.name, name, f"{kind.rolls:,}", f"{kind.plays:,}", shown, legal or "none"])
    return table(("peer", "difference", "rolls", "plays", "for example", "legal plays there"), rows)


def traps_table(reports: list[Report]) -> str:
    """What each peer says to the rolls of bgcore.conformance.traps."""
    asked_too = [report for report in reports if report.traps]
    rows = [
        [f"`{trap.position_id}` {trap.dice[0]}-{trap.dice[1]}", trap.why, *(report.traps[i] for report in asked_too)]
        for i, trap in enumerate(TRAPS)
    ]
    return table(("roll", "case", *(report.name for report in asked_too)), rows)


def scores_table(reports: list[Report]) -> str:
    """What each peer pays for a finished game."""
    asked_too = [report for report in reports if report.scores]
    rows = [
        [ending.why, str(ending.points), *(str(report.scores[i]) for report in asked_too)]
        for i, ending in enumerate(ENDINGS)
    ]
    return table(("the player on roll has won;", "points", *(report.name for report in asked_too)), rows)


def bgcore_version() -> str:
    """The installed version, if it is installed."""
    try:
        return version("bgcore")
    except PackageNotFoundError:
        return "from the source tree"


def machine(core: int | None) -> dict[str, str]:
    """What the figures were measured on and with."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    return {
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": f"{processor()}, {os.cpu_count()} visible, core {core}",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": f"{platform.python_version()}, numpy {np.__version__}",
        "bgcore": f"{bgcore_version()}, path {bg.cpu_info()['path']}",
        "load": f"{load:.1f} at the start",
    }


# ---- the run ------------------------------------------------------------------------------------------------------


def main() -> int:
    """Ask all peers that were named, and print what came out."""
    root = HERE.parent.parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "peers", nargs="*", metavar="PEER", help=f"which ones; all if none is named: {', '.join(PEERS)}"
    )
    parser.add_argument("--skip", action="append", default=[], choices=PEERS, help="leave one out; may be repeated")
    parser.add_argument("--rounds", type=int, default=5, help="timings of each call (default 5)")
    parser.add_argument("--cache", type=Path, default=root / ".cache-ci" / "peers", help="where environments are kept")
    parser.add_argument("--upgrade", action="store_true", help="install the newest versions again")
    parser.add_argument("--json", type=Path, help="where figures go (default: results.json in the cache)")
    options = parser.parse_args()
    unknown = [name for name in options.peers if name not in PEERS]
    if unknown:
        parser.error(f"unknown peer {unknown[0]}; there are {', '.join(PEERS)}")
    names = [name for name in PEERS if name not in options.skip and (not options.peers or name in options.peers)]
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    cache = options.cache.resolve()
    cache.mkdir(parents=True, exist_ok=True)
    core = pin_to_one_core()
    facts = machine(core)
    for key, value in facts.items():
        print(f"{key:<10} {value}")
    assert (bg.batch.count_plays(corpus().packed) == corpus().counts).all(), "bgcore disagrees with the golden corpus"

    reports = []
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            begin = time.monotonic()
            print(f"\n{name} ...", end=" ", flush=True)
            try:
                report = examine(name, install(name, cache, options.upgrade), options.rounds, Path(folder))
            except PeerError as error:
                report = Report(name, trouble=str(error))
            reports.append(report)
            told = f", {report.hidden:,} more with the same number" if report.hidden else ""
            said = report.trouble or f"{report.same:,} of {report.rolls:,} rolls with the same plays{told}"
            print(f"{report.version}: {said}  [{time.monotonic() - begin:.0f} s]", flush=True)

    own, own_seconds = own_table(options.rounds)
    parts = {
        "Speed": speed_table(reports),
        f"bgcore on the corpus: {corpus().counts.size:,} rolls, {corpus().plays:,} plays": own,
        "Agreement": agreement_table(reports),
        "Differences": differences_table(reports),
        "Rolls that tell programs apart": traps_table(reports),
        "Points of finished games": scores_table(reports),
    }
    for title, text in parts.items():
        print(f"\n## {title}\n\n{text}")
    remarks = [f"{report.name}: {note}" for report in reports for note in report.notes]
    remarks += [f"{report.name}: TROUBLE: {report.trouble}" for report in reports if report.trouble]
    print("\n" + "\n".join(remarks))

    path = options.json or cache / "results.json"
    found = {"machine": facts, "bgcore_seconds": own_seconds, "peers": [asdict(report) for report in reports]}
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(f"\nwritten: {path}")
    return 1 if any(report.trouble for report in reports) else 0


if __name__ == "__main__":
    sys.exit(main())
