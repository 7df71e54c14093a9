"""What all sub-commands share: help, version, errors, interrupts, pipes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgcore import batch
from bgcore.cli import app as application
from bgcore.cli import bench, dice_audit, moves, perft, play, playout, progress, show, verify
from bgcore.cli.app import one_line
from bgcore.errors import BgcoreError

DATA = Path(__file__).resolve().parent.parent / "data" / "matches"

COMMANDS = (show, moves, play, verify, dice_audit, perft, playout, bench)
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
MANY = "AAAA/3+UUkpJKQ"  # 2,226 plays of 11, more text than a pipe holds


def python(code: str, *arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, **({"capture_output": True, "text": True} | options))  # type: ignore[call-overload, no-any-return]


# ---- help and version


def test_no_arguments_give_the_help(cli):
    result = cli()
    assert all(module.NAME in result.output for module in COMMANDS)


@pytest.mark.parametrize("module", COMMANDS, ids=lambda module: module.NAME)
def test_help_has_an_example_that_runs(cli, module, monkeypatch):
    result = cli(module.NAME, "--help")
    assert result.exit_code == 0
    assert all(" ".join(line.split()) in " ".join(result.output.split()) for line in module.EXAMPLES)


@pytest.mark.parametrize(
    "line",
    [line for module in (show, moves, playout) for line in module.EXAMPLES] + list(perft.EXAMPLES[:2]),
)
def test_examples_run(cli, line, tmp_path, monkeypatch):
    import shlex

    monkeypatch.chdir(tmp_path)
    program, *arguments = shlex.split(line)
    if "match.jsonl" in arguments:
        assert cli("play", "--bots", "--length", "1", "--seed", "1", "--record", "match.jsonl").exit_code == 0
    Path("match.xg").write_bytes((DATA / "xg.xg").read_bytes())
    text = f"Would you double? {XGID}" if arguments[-2:] == ["<", "post.txt"] else None
    assert program == "bgcore"
    assert cli(*arguments[: None if text is None else -2], input=text).exit_code == 0


def test_version(cli):
    result = cli("--version")
    assert result.exit_code == 0
    assert result.stdout.startswith("bgcore ")


# ---- wrong input


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["show", ""], "is no position"),
        (["show", "nonsense"], "is no position"),
        (["show", "\N{GAME DIE}"], "is no position"),
        (["show", "4HPwATDgc/ABM\N{GAME DIE}"], "is not one of A-Z"),
        (["show", "4HPwATDgc_ABMA"], "web-safe"),
        (["show", "////////////AA"], "Position ID"),
        (["show", "4HPwATDgc/ABMA:////////////"], "Match ID"),
        (["show", "-b----E-C---eE---c-e----B-"], "only the first field"),
        (["show", XGID.replace(":31:", ":77:")], "field 5"),
        (["show", "start", "--rules", "chess"], "no game 'chess'"),
        (["show", "hypergammon", "--rules", "backgammon"], "leave --rules out"),
        (["show", "start", "--rules", "portes:french"], "no preset 'french'"),
        (["show", "4HPwATDgc/ABMA", "--rules", "fevga"], "fevga has no Position IDs"),
        (["show", XGID, "--rules", "plakoto"], "plakoto has no XGIDs"),
        (["show", "0x0 0x0 0x0 0x0"], "neither side has a checker"),
        (["show", "0xf 0x0 0xf"], "is no position"),
        (["show", "4HPwATDgc/ABMA", "--rules", "hypergammon"], "more than 3 checkers"),
        (["show", "folder/lost.mat"], "there is no file folder/lost.mat"),
        (["show", "start", "--entries"], "go with a record or a match"),
        (["show", "OGID=11:22"], "OGID"),
        (["show", "board:1:2"], "board line"),
        (["moves", "start"], "--dice"),
        (["moves", XGID.replace(":31:", ":D:")], "answer to the cube"),
        (["moves", "start", "--dice", "77"], "'77'"),
        (["moves", "start", "--dice", ""], "''"),
        (["moves", "start", "--dice", "31", "--check", "rubbish"], "is no move"),
        (["moves", "start", "--dice", "31", "--check", "8/5 " * 30], "a roll has at most"),
        (["perft", "1", "rubbish"], "is no position"),
        (["playout", "rubbish"], "is no position"),
    ],
)
def test_a_wrong_value_is_one_line_and_status_2(cli, arguments, says):
    if arguments[1].startswith("-"):
        arguments[1:1] = ["--"]
    result = cli(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert says in result.stderr
    assert result.stderr.startswith("bgcore: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["perft"],
        ["perft", "x"],
        ["perft", "100"],
        ["perft", "9" * 5000],
        ["perft", "2", "--threads", "0"],
        ["playout", "--trials", "0"],
        ["playout", "--seed", "-1"],
        ["show"],
        ["show", "start", "more"],
        ["show", "--no-such-option"],
        ["no-such-command"],
        [""],
    ],
)
def test_wrong_usage_is_status_2(cli, arguments):
    result = cli(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("length", [10**3, 10**6])
@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "{}"],
        ["show", "XGID={}"],
        ["show", "start", "--rules", "{}"],
        ["moves", "start", "--dice", "{}"],
        ["moves", "start", "--dice", "31", "--check", "{}"],
        ["perft", "1", "{}"],
    ],
)
@pytest.mark.parametrize("character", ["a", ":", "\N{GAME DIE}", "\n"])
def test_long_text_is_refused_in_a_short_line(cli, arguments, character, length):
    result = cli(*(argument.replace("{}", character * length) for argument in arguments))
    assert result.exit_code == 2 or (character == "\n" and "--check" in arguments and result.exit_code == 1)
    assert len(result.output) < 1000
    assert result.output.count("\n") == 1


@pytest.mark.slow
@given(text=st.text(max_size=60))
def test_no_text_gives_a_traceback(cli, text):
    for arguments in (["show", "--", text], ["moves", "--dice", "31", "--", text], ["moves", "start", "--dice", text]):
        assert cli(*arguments).exit_code in (0, 2)
    assert cli("moves", "start", "--dice", "31", "--check", text).exit_code in (0, 1, 2)


@given(at=st.integers(0, len(XGID) - 1), character=st.sampled_from(list("-AaBbPpQ0123:=DBR \N{GAME DIE}")))
def test_no_damaged_xgid_gives_a_traceback(cli, at, character):
    assert cli("show", "--", XGID[:at] + character + XGID[at + 1 :]).exit_code in (0, 2)


def test_a_message_is_one_printable_line():
    assert one_line("a\n b\x1b[31m\ud800") == r"a b\x1b[31m\ud800"
    assert len(one_line("x" * 10**6)) < 1000


# ---- interrupts and endings


def test_an_interrupt_is_status_130(cli, monkeypatch):
    def interrupted(*arguments: object, **options: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(batch, "perft", interrupted)
    result = cli("perft", "1")
    assert result.exit_code == 130
    assert result.stderr == "bgcore: interrupted\n"


def test_other_mistakes_are_not_hidden(monkeypatch):
    def broken(*arguments: object, **options: object) -> int:
        raise RuntimeError("a bug")

    monkeypatch.setattr(batch, "perft", broken)
    with pytest.raises(RuntimeError, match="a bug"):
        application.app(["perft", "1"], standalone_mode=False)


@pytest.mark.subprocess
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT to send")
def test_ctrl_c_stops_native_work_at_once(tmp_path):
    code = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # also where the parent ignores it
from bgcore.cli import main
print("ready", flush=True)
sys.exit(main())
"""
    command = [sys.executable, "-c", code, "perft", "6", "--threads", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "ready\n"
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(2)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert process.stdout.read() == ""
        assert process.stderr.read() in ("bgcore: interrupted\n", "")  # nothing while it was still being imported


@pytest.mark.subprocess
def test_a_reader_who_leaves_early(tmp_path):
    command = [sys.executable, "-m", "bgcore", "moves", MANY, "--dice", "11"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "X to play 11: 2226 legal plays\n"
        process.stdout.close()
        assert process.wait(60) == 1
        assert process.stderr.read() == ""


@pytest.mark.subprocess
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
def test_a_full_disk_is_one_line(shell):
    with open("/dev/full", "w") as full:
        result = shell("show", "start", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert result.returncode == 1
    assert result.stderr.startswith("bgcore: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.subprocess
@pytest.mark.parametrize(
    "settings", [{"PYTHONIOENCODING": "ascii"}, {"COLUMNS": "1"}, {"TERM": "dumb"}, {"LC_ALL": "C"}]
)
def test_poor_terminals(cli, shell, settings):
    environment = os.environ | settings
    assert (
        shell("moves", "start", "--dice", "31", env=environment).stdout == cli("moves", "start", "--dice", "31").stdout
    )
    assert shell("moves", "--help", env=environment).returncode == 0
    result = shell("show", "\N{GAME DIE}\udcff", env=environment)
    assert result.returncode == 2
    assert "is no position" in result.stderr


@pytest.mark.subprocess
def test_an_xgid_without_its_prefix_is_no_option(shell):
    bare = XGID.removeprefix("XGID=")
    assert bare.startswith("-")
    assert shell("show", bare).stdout == shell("show", XGID).stdout
    assert "only the first field" in shell("show", bare[:26]).stderr


# ---- without the extra


@pytest.mark.subprocess
@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_without_the_extra_it_says_how_to_get_it(missing, tmp_path):
    code = f"import sys; sys.modules[{missing!r}] = None; from bgcore.cli import main; sys.exit(main())"
    result = python(code, "show", "start", cwd=tmp_path)
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert f"needs {missing}" in result.stderr
    assert 'pip install "bgcore[cli]"' in result.stderr


@pytest.mark.subprocess
def test_importing_the_package_imports_no_extra(tmp_path):
    result = python("import sys, bgcore.cli; print({'typer', 'rich'} & set(sys.modules))", cwd=tmp_path)
    assert result.stdout == "set()\n"


# ---- progress


class Terminal:
    """A standard error that says it is a terminal."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return True


def slow_work(report):
    import time

    for done in range(5):
        report(done, 5)
        time.sleep(0.1)
    return "result"


def test_long_work_shows_a_bar_on_a_terminal(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(progress, "QUIET_SECONDS", 0)
    monkeypatch.setattr(sys, "stderr", terminal)
    assert progress.with_progress("some label", slow_work) == "result"
    assert "some label" in terminal.text


def test_short_work_shows_none(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert progress.with_progress("some label", slow_work) == "result"
    assert terminal.text == ""


def test_long_work_shows_none_elsewhere(monkeypatch, capsys):
    monkeypatch.setattr(progress, "QUIET_SECONDS", 0)
    assert progress.with_progress("some label", slow_work) == "result"
    assert capsys.readouterr() == ("", "")


def test_errors_of_the_work_come_out():
    def fails(report: object) -> None:
        raise BgcoreError("no")

    with pytest.raises(BgcoreError, match="no"):
        progress.with_progress("", fails)
