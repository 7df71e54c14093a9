"""The forms of a report, speed, the command, the examples, the adapters."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from conformance.engines import DoublesInCrawford, NaiveEngine, OffTooEarly

import bgcore as bg
from bgcore.cli.conformance import SuiteName
from bgcore.conformance import SUITES, Report, check, of_positions
from bgcore.conformance.adapters import NAMES, command
from bgcore.conformance.doors import EngineFault
from bgcore.conformance.failures import of_fault
from bgcore.conformance.junit import junit
from bgcore.conformance.ours import Ours
from bgcore.conformance.page import page
from bgcore.conformance.report import GroupResult

ENGINE = "bgcore.conformance.ours:engine"
VOID = {"meta", "br", "hr"}


class WellFormed(HTMLParser):
    """Raises where tags don't match; collects what there is."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: dict[str, int] = {}
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] = self.seen.get(tag, 0) + 1
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] = self.seen.get(tag, 0) + 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def parsed(text: str) -> WellFormed:
    parser = WellFormed()
    parser.feed(text)
    parser.close()
    assert parser.open == []
    return parser


@pytest.fixture(scope="module")
def broken() -> Report:
    return check(OffTooEarly(), "rules")


def test_page_stands_by_itself(broken: Report) -> None:
    found = parsed(page(broken))
    assert found.seen["svg"] >= 3  # boards
    assert all(link.startswith("#") for link in found.links)
    assert "url(http" not in page(broken)
    assert "all home" in page(broken)


def test_page_of_a_pass_with_speed() -> None:
    text = page(check(Ours(), "smoke", speed=True))
    assert parsed(text).seen["svg"] == 1  # the chart
    assert "a call for all" in text


def test_page_escapes_what_an_engine_says() -> None:
    evil = "<script>alert(1)</script>\x00\x1b[31m&"
    case = of_positions([bg.Position.initial()], [(3, 1)]).cases[0]
    failure = of_fault(EngineFault("crashed", evil, evil, evil), case)
    report = Report(evil, evil, "rules", [GroupResult("positions", 1, 1)], (failure,), [evil], evil)
    assert "<script>" not in page(report)
    parsed(page(report))
    ElementTree.fromstring(junit(report))
    json.loads(json.dumps(report.to_json()))


def test_states_are_shown() -> None:
    report = check(DoublesInCrawford(), "rules")
    assert "crawford_game" in page(report)
    assert "right:    refused" in report.text(examples=9)


def test_junit(broken: Report) -> None:
    root = ElementTree.fromstring(junit(broken))
    cases = {case.get("name"): case for case in root}
    assert int(root.get("tests", "")) == len(cases) == len(broken.groups)
    assert cases["all home"].find("failure") is not None
    assert cases["crawford"].find("failure") is None
    assert int(root.get("failures", "")) == sum(group.failed > 0 for group in broken.groups)
    skipped = ElementTree.fromstring(junit(check(lambda p, d: Ours().plays(p, d), "smoke")))
    assert int(skipped.get("skipped", "")) == 13
    assert sum(case.find("skipped") is not None for case in skipped) == 13


def test_json_round(broken: Report) -> None:
    data = json.loads(json.dumps(broken.to_json()))
    assert data["passed"] is False
    assert data["rules_broken"] == {"all home": len(broken.failures)}
    first = next(failure for failure in data["failures"] if "small" in failure)
    small = first["small"]
    assert bg.Position.from_gnubg_id(small["id"]).board.tolist() == small["board"]
    assert small["extra"]
    assert data["groups"][0].keys() == {
        "name", "status", "asked", "failed", "in_part", "not_offered", "not_run", "lacks", "seconds",
    }  # fmt: skip


def test_speed_counts_the_same_plays_for_everybody() -> None:
    speed = check(NaiveEngine(), "smoke", speed=True).speed
    assert speed is not None
    ratios = {round(rate.plays / rate.rolls, 6) for rate in speed.rates}
    assert len(ratios) == 1
    assert [rate.way for rate in speed.rates] == [
        "this engine, a call a roll",
        "bgcore, a call a roll",
        "bgcore, a call for all",
    ]
    assert speed.rates[0].rolls < speed.rates[2].rolls

    class NoPlays:
        score = Ours().score

    assert check(NoPlays(), "smoke", speed=True).speed is None


def test_progress_is_told() -> None:
    seen: list[tuple[int, int]] = []
    check(Ours(), "smoke", progress=lambda done, total: seen.append((done, total)))
    assert seen
    assert all(0 <= done < total for done, total in seen)


# ---- the command


@pytest.mark.subprocess
def test_command_passes(cli: Any, tmp_path: Path) -> None:
    files = {name: tmp_path / name for name in ("r.json", "r.xml", "r.html")}
    result = cli(
        "conformance", ENGINE, "--suite", "smoke", "--require", "crawford", "--require", "perft",
        "--json", files["r.json"], "--junit", files["r.xml"], "--html", files["r.html"],
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert result.output.rstrip().endswith("passed")
    assert "bgcore, line protocol" in result.output
    assert json.loads(files["r.json"].read_text())["complete"] is True
    ElementTree.fromstring(files["r.xml"].read_text())
    parsed(files["r.html"].read_text(encoding="utf-8"))


@pytest.mark.subprocess
def test_command_fails_and_shows_why(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).resolve().parents[1])
    result = cli("conformance", "conformance.engines:OffTooEarly", "--no-speed")
    assert result.exit_code == 1
    assert "all home" in result.output
    assert "not legal:" in result.output


@pytest.mark.subprocess
def test_require_fails_what_is_not_offered(cli: Any) -> None:
    example = Path(__file__).resolve().parents[2] / "examples" / "conformance" / "engine.py"
    line = f"{sys.executable} {example}"
    assert cli("conformance", line, "--suite", "smoke", "--no-speed").exit_code == 0
    result = cli("conformance", line, "--suite", "smoke", "--no-speed", "--require", "crawford")
    assert result.exit_code == 1
    assert "not complete" in result.output
    result = cli("conformance", line, "--require", "chess")
    assert result.exit_code == 2
    assert "no group 'chess'" in result.stderr


@pytest.mark.subprocess
def test_positions_of_a_file(cli: Any, tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("# two positions\n4HPwATDgc/ABMA\n\nXGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10\n")
    result = cli("conformance", ENGINE, "--positions", path, "--no-speed")
    assert result.exit_code == 0
    assert re.search(r"mine +passed +42", result.output)
    path.write_text("rubbish\n")
    assert cli("conformance", ENGINE, "--positions", path).exit_code == 2
    path.write_text("")
    assert "holds no positions" in cli("conformance", ENGINE, "--positions", path).stderr
    assert "cannot be read" in cli("conformance", ENGINE, "--positions", tmp_path / "none").stderr


@pytest.mark.subprocess
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["/no/such/engine"], "cannot be started"),
        (["no_such_module:engine"], "cannot be loaded"),
        (["bgcore.conformance.ours:nothing"], "cannot be loaded"),
        (["x", "--python", "y"], "--python is for the peers"),
        (["gnubg-nn", "--python", "/no/such/python"], "cannot be started"),
    ],
)
def test_a_wrong_engine_is_one_line_and_status_2(cli: Any, arguments: list[str], says: str) -> None:
    result = cli("conformance", *arguments)
    assert result.exit_code == 2
    assert says in result.stderr
    assert result.stderr.count("\n") == 1


def test_the_command_knows_the_suites() -> None:
    assert tuple(SuiteName) == SUITES


# ---- examples and adapters


@pytest.mark.parametrize("name", ["engine.py", "engine.c"])
def test_the_examples_are_short(repo: Path, name: str) -> None:
    text = (repo / "examples" / "conformance" / name).read_text()
    text = re.sub(r'"""[^"]*"""|/\*.*?\*/|(?m:#(?!include).*$)', "", text)
    assert len([line for line in text.splitlines() if line.strip()]) <= 30
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.subprocess
def test_the_example_in_python(repo: Path) -> None:
    report = check([sys.executable, str(repo / "examples" / "conformance" / "engine.py")], "rules", timeout=60)
    assert report.passed, report.text()
    assert {group.name for group in report.groups if group.status == "passed"} >= {"both dice", "bear-off", "game over"}


@pytest.mark.subprocess
def test_the_example_in_c(repo: Path, tmp_path: Path) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    assert compiler, "no C compiler: the tests of native code need one as well"
    program = tmp_path / "engine"
    source = repo / "examples" / "conformance" / "engine.c"
    flags = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror"]
    built = subprocess.run([compiler, *flags, "-o", program, source], capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    for suite in ("rules", "random"):
        report = check([str(program)], suite, size=400, timeout=60)
        assert report.passed, report.text()


PEER = """
from .peer import Call, Peer

def peer():
    start = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]
    print("chatter of the peer")
    return Peer("stub", "1", [Call("ask", "board", lambda p, a, b: [p, None])], lambda board: board,
                lambda p, answer, a, b: answer, score=lambda p: 2, own_boards={own})
"""


@pytest.mark.subprocess
@pytest.mark.parametrize("own", ["None", "lambda: [start]"])
def test_adapters_speak_the_protocol_without_bgcore(tmp_path: Path, own: str) -> None:
    # A stand-in for a peer beside the real adapters, run by a Python that finds no bgcore.
    folder = tmp_path / "adapters"
    shutil.copytree(Path(command("pgx")[2]).parent, folder)
    (folder / "stub.py").write_text(PEER.replace("{own}", own))
    questions = [
        {"do": "hello", "protocol": 1},
        {"do": "plays", "board": bg.Position.initial().board.tolist(), "dice": [3, 1], "id": 1},
        {"do": "outcome", "board": [0] * 25 + [1], "id": 2},
        {"do": "outcome", "board": [0, -1] + [0] * 24, "id": 3},
        {"do": "outcome", "board": [0, -1] + [0] * 23 + [1], "id": 4},
        {"do": "perft", "id": 5},
        {"do": "bye"},
    ]
    done = subprocess.run(
        [sys.executable, "-S", "-E", folder / "serve.py", "stub"],
        input="".join(json.dumps(question) + "\n" for question in questions),
        capture_output=True, text=True, timeout=60, cwd=tmp_path,
    )  # fmt: skip
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert "chatter" in done.stderr
    assert answers[0]["frame"] == "mover"
    assert ("positions" in answers[0]) == (own != "None")
    assert (len(answers[1]["plays"]), answers[1]["untold"]) == (1, 1)
    assert answers[2]["outcome"] == {"winner": "opp", "points": 2}
    assert answers[3]["outcome"] == {"winner": "own", "points": 2}
    assert answers[4]["outcome"] is None
    assert "no word" in answers[5]["error"]


def test_every_adapter_is_there() -> None:
    for name in NAMES:
        python, _, serve, called = command(name, "somewhere/python")
        assert (python, called) == ("somewhere/python", name)
        assert Path(serve).with_name(f"{name.replace('-', '_')}.py").is_file()
    with pytest.raises(ValueError, match="no adapter for 'chess'"):
        command("chess")


def test_help_has_the_examples(cli: Any) -> None:
    from bgcore.cli import conformance

    text = " ".join(cli("conformance", "--help").output.split())
    assert all(" ".join(line.split()) in text for line in conformance.EXAMPLES)
