"""Engines that hang, crash, chatter and lie; nothing of them is left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import bgcore as bg
from bgcore.conformance import EngineFault, InProcess, Program, check, of_positions
from bgcore.conformance.messages import (
    PROTOCOL,
    Malformed,
    position_fields,
    read_action,
    read_info,
    read_outcome,
    read_position,
    read_score,
)
from bgcore.conformance.ours import Ours
from bgcore.errors import BgcoreError

START = bg.Position.initial()
ROLL = (3, 1)
ONE = of_positions([START], [ROLL], name="one")
FEW = of_positions([START], [ROLL, (2, 1), (6, 5)], name="few")

HEAD = """
import json, os, sys, time
def say(**answer):
    print(json.dumps(answer), flush=True)
def board(result):
    return result.board.tolist()
for line in sys.stdin:
    request = json.loads(line)
    do = request["do"]
    if do == "hello":
        say(protocol=1, name="bad")
        continue
    if do == "bye":
        break
    id = request["id"]
"""


def program(body: str, **options: Any) -> Program:
    """An engine that says hello and then does this for every question."""
    code = HEAD + textwrap.indent(textwrap.dedent(body), "    ")
    return Program([sys.executable, "-c", code], **({"timeout": 5.0} | options))


@pytest.mark.subprocess
def test_the_protocol_carries_every_word() -> None:
    door = Program([sys.executable, "-m", "bgcore.conformance.serve", "bgcore.conformance.ours:engine"])
    try:
        report = check(door, "smoke")
        assert report.passed, report.text()
        assert report.complete
        for game in ("plakoto", "fevga", "gul_bara", "hypergammon"):
            rules = bg.rules.get(game)
            answer = door.plays(rules.start, (5, 2), rules)
            assert answer.results == {play.result for play in rules.legal_plays(rules.start, (5, 2))}
    finally:
        door.close()


@pytest.mark.subprocess
@pytest.mark.parametrize(
    ("body", "kind", "says"),
    [
        ("time.sleep(60)", "hung", "no answer in"),
        ("print('no idea', file=sys.stderr, flush=True); os._exit(3)", "crashed", "status 3"),
        ("os.kill(os.getpid(), 11)", "crashed", "status -11"),
        ("say(id=id + 1, plays=[])", "malformed", "not to question"),
        ("say(id=id)", "malformed", "has no 'plays'"),
        ("print('{\"id\": ', flush=True)", "malformed", "no JSON"),
        ('print(\'{"id": %d, "plays": [NaN]}\' % id, flush=True)', "malformed", "no JSON"),
        ("print('{' + '\"a\":{' * 100000, flush=True)", "malformed", "no JSON"),
        ("print('[1, 2]', flush=True); time.sleep(60)", "hung", "no answer"),
        ("say(id=id, plays=7)", "malformed", "a list"),
        ("say(id=id, plays=[[1, 2, 3]])", "malformed", "list of 26 integers"),
        ("say(id=id, plays=[[0.5] * 26])", "malformed", "integers from -15 to 15"),
        ("say(id=id, plays=[[True] * 26])", "malformed", "integers from -15 to 15"),
        ("say(id=id, plays=[[2] * 26])", "malformed", "no position"),
        ("say(id=id, plays=[[10**30] * 26])", "malformed", "integers from -15 to 15"),
        ("say(id=id, plays=[], untold=-1)", "malformed", "from 0 on"),
        ("say(id=id, error='out of memory')", "error", "out of memory"),
        ("[print('thinking', i, flush=True) for i in range(5000)]", "malformed", "lines that are no answer"),
        ("sys.stdout.write('x' * 10**7); sys.stdout.flush(); time.sleep(60)", "hung", "no answer"),
    ],
)
def test_a_bad_answer_is_one_clear_fault(body: str, kind: str, says: str) -> None:
    slow = kind == "hung"
    door = program(body, timeout=0.6 if slow else 30.0)
    assert door._process is not None
    number = door._process.pid
    try:
        with pytest.raises(EngineFault, match=says) as caught:
            door.plays(START, ROLL)
        assert caught.value.kind == kind
        assert '"dice": [3, 1]' in caught.value.request
        if "no idea" in body:
            assert caught.value.stderr.strip() == "no idea"
    finally:
        door.close()
    assert_gone(number)


def assert_gone(number: int) -> None:
    """No process of that number, and so no zombie."""
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


@pytest.mark.subprocess
def test_what_an_engine_started_is_ended_with_it(tmp_path: Path) -> None:
    body = """
    import subprocess
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    say(id=id, plays=[], child=child.pid)
    """
    door = program(body)
    answer = door._exchange({"do": "plays", "id": 1, "board": [], "dice": [1, 1]}, 30)
    door.close()
    for _ in range(100):  # whoever adopts the child reaps it
        if not is_running(answer["child"]):
            break
        time.sleep(0.05)
    assert not is_running(answer["child"])


def is_running(number: int) -> bool:
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.mark.subprocess
def test_a_run_goes_on_after_a_crash_and_ends_after_many() -> None:
    crash_once = "os._exit(1) if request['dice'] == [2, 1] else say(id=id, plays=[])"
    report = run_and_close(program(crash_once), FEW)
    assert [group.asked for group in report.groups] == [3]
    assert [failure.rule for failure in report.failures] == ["no play", "no answer: the engine ended", "no play"]
    fault = report.failures[1]
    assert '"dice": [2, 1]' in fault.request
    assert fault.request in fault.text()
    assert report.trouble == ""

    rolls = [(6, d) for d in range(1, 7)] + [(5, d) for d in range(1, 6)]
    report = run_and_close(program("os._exit(1)"), of_positions([START], rolls, name="many"))
    assert report.trouble.startswith("5 questions")
    assert not report.passed
    assert not report.complete
    assert report.groups[0].asked == 5
    assert report.groups[0].not_run == 6
    assert "ended early" in report.text()


def run_and_close(door: Program, suite: Any) -> Any:
    try:
        return check(door, suite)
    finally:
        door.close()


@pytest.mark.subprocess
def test_chatter_is_borne_and_noted() -> None:
    body = "print('hello there', flush=True); print('x' * 100000, file=sys.stderr, flush=True); say(id=id, plays=[])"
    report = run_and_close(program(body), FEW)
    assert report.rules_broken == {"no play": 3}
    assert report.notes
    assert report.notes[0].endswith("lines on standard output that are no answers")


@pytest.mark.subprocess
@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("print('Traceback', file=__import__('sys').stderr); raise SystemExit(2)", "ended with status 2"),
        ("print('{\"protocol\": 2}')", "protocol is 1, not 2"),
        ('print(\'{"protocol": 1, "can": ["fly"]}\')', "can lists 'fly'"),
        ('print(\'{"protocol": 1, "games": ["chess"]}\')', "no game 'chess'"),
        ('print(\'{"protocol": 1, "frame": "mine"}\')', "frame is next or mover"),
        ('print(\'{"protocol": 1, "pass": 0}\')', "pass is empty or unchanged"),
        ('print(\'{"protocol": 1, "repeats": 1}\')', "repeats is true or false"),
        (
            'print(\'{"protocol": 1, "options": ["jacoby"]}\')',
            "options lists 'jacoby'; there are holland, table_stakes",
        ),
        ('print(\'{"protocol": 1, "options": "holland"}\')', "options is a list of words"),
        ('print(\'{"protocol": 1, "name": 5}\')', "short texts"),
        ('print(\'{"protocol": 1, "positions": [[1]]}\')', "list of 26 integers"),
        ("import time; time.sleep(60)", "no answer in 1 s"),
    ],
)
def test_a_bad_hello(code: str, says: str) -> None:
    before = set(children())
    with pytest.raises(EngineFault, match=says):
        Program([sys.executable, "-c", code], start_timeout=1.0 if "sleep" in code else 30.0)
    assert set(children()) <= before


def children() -> list[str]:
    listed = subprocess.run(["ps", "--ppid", str(os.getpid()), "-o", "pid=,comm="], capture_output=True, text=True)
    return [line for line in listed.stdout.splitlines() if "ps" not in line]


@pytest.mark.subprocess
def test_a_program_that_is_not_there() -> None:
    with pytest.raises(EngineFault, match="cannot be started"):
        Program("/no/such/program --at-all")
    with pytest.raises(BgcoreError, match="empty"):
        Program("")


@pytest.mark.subprocess
def test_an_engine_that_ignores_bye_and_signals_is_ended() -> None:
    code = (
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + HEAD.replace("break", "pass") + "    pass\n"
    )
    door = Program([sys.executable, "-c", code + "\nimport time; time.sleep(600)"])
    assert door._process is not None
    number = door._process.pid
    door.close()
    assert_gone(number)
    door.close()  # twice is fine
    with pytest.raises(EngineFault, match="not running"):
        door.plays(START, ROLL)


@pytest.mark.subprocess
@pytest.mark.parametrize("way", ["interrupt", "forgotten"])
def test_no_engine_outlives_us(tmp_path: Path, way: str) -> None:
    code = HEAD.replace(
        'say(protocol=1, name="bad")', "open(sys.argv[1], 'w').write(str(os.getpid())); say(protocol=1)"
    )
    engine, note = tmp_path / "engine.py", tmp_path / "number"
    engine.write_text(code + "    time.sleep(600)\n")
    if way == "interrupt":
        command = [
            sys.executable,
            "-m",
            "bgcore",
            "conformance",
            f"{sys.executable} {engine} {note}",
            "--timeout",
            "500",
        ]
    else:
        line = f"import bgcore.conformance as c; kept = c.Program([{sys.executable!r}, {str(engine)!r}, {str(note)!r}])"
        command = [sys.executable, "-c", line]

    def heed_interrupts() -> None:
        signal.signal(
            signal.SIGINT, signal.SIG_DFL
        )  # which a job in the background of a script ignores, with its children

    quiet = subprocess.DEVNULL
    ours = subprocess.Popen(command, stdout=quiet, stderr=quiet, preexec_fn=heed_interrupts)
    until = time.monotonic() + 60
    while not (note.exists() and note.read_text()) and time.monotonic() < until:
        time.sleep(0.05)
    number = int(note.read_text())
    if way == "interrupt":
        time.sleep(1.0)
        ours.send_signal(signal.SIGINT)
    assert ours.wait(60) == (130 if way == "interrupt" else 0)
    while is_running(number) and time.monotonic() < until:
        time.sleep(0.05)
    assert not is_running(number)


# ---- in this process


def test_any_callable_is_an_engine() -> None:
    report = check(lambda position, dice: (p.result for p in bg.BACKGAMMON.legal_plays(position, dice)), FEW)
    assert report.passed
    assert report.engine == "<lambda>"


def test_pass_and_frame_conventions() -> None:
    class Mover:
        frame, passes = "mover", "unchanged"

        def __call__(self, position: bg.Position, dice: tuple[int, int]) -> list[bg.Position]:
            plays = bg.BACKGAMMON.legal_plays(position, dice)
            return [play.result.flipped() for play in plays] or [position]

    report = check(Mover(), "rules")
    assert report.passed, report.text()
    assert report.notes == ["no legal play is answered by the unchanged position"]

    def unchanged(position: bg.Position, dice: tuple[int, int]) -> list[bg.Position]:
        return [play.result for play in bg.BACKGAMMON.legal_plays(position, dice)] or [position.flipped()]

    assert set(check(unchanged, "rules").rules_broken) == {"no play", "game over"}


def test_repeats_are_allowed_where_they_are_announced() -> None:
    class Twice:
        def plays(self, position: bg.Position, dice: tuple[int, int]) -> list[bg.Position]:
            return [play.result for play in bg.BACKGAMMON.legal_plays(position, dice)] * 2

    report = check(Twice(), FEW)
    assert report.rules_broken == {"distinct plays": 3}
    Twice.repeats = True  # type: ignore[attr-defined]
    assert check(Twice(), FEW).passed


@pytest.mark.subprocess
def test_options_are_asked_where_they_are_announced() -> None:
    class Plain(Ours):
        options = ()

        def apply(self, state: Any, action: Any) -> Any:
            assert not {"holland", "table_stakes"} & set(state)
            return super().apply(state, action)

    report = check(Plain(), "smoke")
    assert report.passed, report.text()
    assert set(report.not_offered) == {"holland", "table stakes"}
    group = report.group("holland")
    assert group is not None
    assert group.lacks == {"option holland"}
    Plain.options = ("holland",)  # type: ignore[assignment]
    broken = check(Plain(), "smoke")
    assert broken.not_offered == ("table stakes",)
    assert not broken.passed  # it was asked
    served = check([sys.executable, "-m", "bgcore.conformance.serve", "bgcore.conformance.ours:engine"], "smoke")
    assert served.complete


def test_a_python_engine_that_hangs() -> None:
    let_go = threading.Event()

    def hangs(position: bg.Position, dice: tuple[int, int]) -> list[bg.Position]:
        if dice == (2, 1):
            let_go.wait(60)
        return [play.result for play in bg.BACKGAMMON.legal_plays(position, dice)]

    report = check(hangs, FEW, timeout=0.3)
    let_go.set()
    assert [failure.rule for failure in report.failures] == ["no answer in time"]
    assert report.groups[0].asked == 3


@pytest.mark.parametrize("error", [ZeroDivisionError("oh"), SystemExit(3), KeyboardInterrupt("mine")])
def test_a_python_engine_that_raises(error: BaseException) -> None:
    def raises(position: bg.Position, dice: tuple[int, int]) -> list[bg.Position]:
        raise error

    report = check(raises, FEW)
    assert report.rules_broken == {"the engine reports an error": 3}
    assert type(error).__name__ in report.failures[0].why


@pytest.mark.parametrize("answer", [None, 5, "text", [1], [START.board], [[0] * 26], {"a": 1}])
def test_a_python_engine_that_answers_nonsense(answer: Any) -> None:
    report = check(lambda position, dice: answer, ONE)
    assert not report.passed
    assert set(report.rules_broken) <= {"malformed answer", "the engine reports an error"}


def test_positions_of_another_game_are_malformed() -> None:
    report = check(lambda position, dice: [bg.HYPERGAMMON.start], ONE)
    assert report.rules_broken == {"malformed answer": 1}


def test_what_is_no_engine() -> None:
    with pytest.raises(TypeError, match="an engine is a callable"):
        check(object(), ONE)

    class Odd(Ours):
        frame = "sideways"

    with pytest.raises(EngineFault, match="frame is next or mover"):
        InProcess(Odd())


def test_nothing_offered_is_never_a_pass() -> None:
    class OnlyPerft:
        def perft(self, position: bg.Position, depth: int) -> int:
            return bg.perft(position, depth)

    report = check(OnlyPerft(), "rules")
    assert not report.passed
    assert not report.complete
    assert report.failures == ()
    assert {group.status for group in report.groups} == {"not offered"}
    report = check(OnlyPerft(), "perft")
    assert report.passed
    assert not report.complete
    assert report.not_offered == ("tree",)
    assert report.meets(("perft",))
    assert not report.meets(("perft", "tree"))


def test_a_group_that_is_offered_in_part_does_not_meet_a_requirement() -> None:
    class Scores:
        score = Ours().score

    report = check(Scores(), "rules")
    group = report.group("jacoby")
    assert group is not None
    assert group.status == "in part"
    assert group.lacks == {"apply"}
    assert report.passed
    assert not report.meets(("jacoby",))


def test_an_engine_with_its_own_positions() -> None:
    class Own(Ours):
        positions = (START, bg.Position.from_gnubg_id("+w0IgDF+RwAAAA"))

    report = check(Own(), "rules")
    group = report.group("its own positions")
    assert group is not None
    assert group.asked == 42
    assert report.passed
    other = report.group("larger die")
    assert other is not None
    assert other.status == "not offered"
    assert any("cannot be set" in note for note in report.notes)


def test_plays_that_are_not_told_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    class Some(InProcess):
        hidden = 0

        def untold(self) -> int:
            return self.hidden

    def half(position: bg.Position, dice: tuple[int, int]) -> list[bg.Position]:
        return [play.result for play in bg.BACKGAMMON.legal_plays(position, dice)][2:]

    door = Some(half)
    try:
        door.hidden = 2
        report = check(door, FEW)
        assert report.passed
        assert not report.complete
        assert report.groups[0].status == "in part"
        assert report.notes == ["3 rolls whose plays were not all told; their number is right"]
        door.hidden = 1
        assert not check(door, FEW).passed
    finally:
        door.close()


# ---- messages


def test_info_defaults() -> None:
    info = read_info({"protocol": PROTOCOL})
    assert (info.can, info.games, info.frame, info.passes) == (("plays",), ("backgammon",), "next", "empty")


@pytest.mark.parametrize("value", ["own", ("own",), ("me", 1), ("own", True), ("own", 4), 7, {"winner": "own"}])
def test_no_outcomes(value: Any) -> None:
    with pytest.raises(Malformed):
        read_outcome(value)


@pytest.mark.parametrize(
    "value", [None, {}, {"points": 1, "score": [1], "match_over": False}, {"points": True}, [1, 2]]
)
def test_no_scores(value: Any) -> None:
    with pytest.raises(Malformed):
        read_score(value)


COUNTS = bg.PLAKOTO.start.counts.tolist()


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (7, "counts, two lists"),
        ({"counts": 7}, "counts, two lists"),
        ({"counts": [COUNTS[0]]}, "counts, two lists"),
        ({"counts": [COUNTS[0], [1] * 25]}, "list of 26"),
        ({"counts": [COUNTS[0], [-1] * 26]}, "no position"),
        ({"counts": [COUNTS[0], [15] * 26]}, "no position"),
        ({"counts": COUNTS, "pinned": 5}, "two lists of points"),
        ({"counts": COUNTS, "pinned": [[1], 5]}, "two lists of points"),
        ({"counts": COUNTS, "pinned": [[0], []]}, "two lists of points"),
        ({"counts": COUNTS, "pinned": [[True], []]}, "two lists of points"),
        ({"counts": COUNTS, "pinned": [[2], []]}, "no position"),
        ({"counts": COUNTS, "pinned": [[24], []]}, "no position"),
    ],
)
def test_no_positions_of_other_games(value: Any, says: str) -> None:
    with pytest.raises(Malformed, match=says):
        read_position(value, bg.PLAKOTO)


def test_positions_with_pins_go_there_and_back() -> None:
    position = bg.Position.from_counts(
        [[0] * 12 + [13, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0], [0] * 13 + [1] + [0] * 10 + [14, 0]],
        [[False] * 26, [p == 13 for p in range(26)]],
    )
    assert bg.PLAKOTO.validate(position) == 0
    assert read_position(json.loads(json.dumps(position_fields(position, bg.PLAKOTO))), bg.PLAKOTO) == position


def test_actions_in_three_forms() -> None:
    from bgcore.match.actions import Double

    assert read_action("offer") == read_action({"kind": "offer"}) == read_action(Double()) == {"kind": "offer"}
    with pytest.raises(Malformed):
        read_action(7)
