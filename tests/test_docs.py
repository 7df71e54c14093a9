"""README and docs run: every ``python`` block is executed, every ``$ bgcore …`` of a ``console`` block exits with 0.

The blocks of one page share their names, in order.  A ``>>>`` block is a doctest: its output is compared.  A block
whose opening line says ``no-run`` is left alone, and one that says ``needs-NAME`` is where that package is missing.
``console session`` blocks of a page are one session of a shell, in one folder: every line that begins with ``$`` must
exit with 0, and the output below it is compared, ``...`` being anything.
"""

from __future__ import annotations

import doctest
import importlib.util
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NEEDS = {"environments.md": ("gymnasium", "pettingzoo")}  # libraries of extras that a page is about
BLOCK = re.compile(
    r"^```(?P<kind>python|pycon|console)(?P<options>[^\n]*)\n(?P<body>.*?)^```", re.DOTALL | re.MULTILINE
)


def blocks(page: Path, *kinds: str, without: str = "no-run", only: str = "") -> list[tuple[int, str]]:
    """Return (line, text) of every block of these kinds whose options contain `only`, and not `without` or no-run."""
    text = page.read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, match.start()) + 2, match["body"])
        for match in BLOCK.finditer(text)
        if match["kind"] in kinds
        and not {"no-run", without} & set(match["options"].split())
        and (not only or only in match["options"].split())
        and not any(missing(option) for option in match["options"].split())
    ]


def missing(option: str) -> bool:
    """Whether an option of a block names a package that is not installed."""
    return option.startswith("needs-") and importlib.util.find_spec(option.removeprefix("needs-")) is None


def page_id(page: Path) -> str:
    """Return how a test names a page."""
    return page.relative_to(ROOT).as_posix()


def commands() -> list[tuple[Path, int, str]]:
    """Return (page, line, command) of every bgcore command in a console block."""
    return [
        (page, start + number, line.removeprefix("$ "))
        for page in PAGES
        for start, body in blocks(page, "console", without="session")
        for number, line in enumerate(body.splitlines())
        if line.startswith("$ bgcore")
    ]


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_python_blocks(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in NEEDS.get(page.name, ()):
        pytest.importorskip(library, reason=f"{page.name} is about {library}, which is not installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BGCORE_CACHE", str(tmp_path / "cache"))
    names: dict[str, object] = {"__name__": "__main__"}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    for line, body in blocks(page, "python", "pycon"):
        if ">>> " in body:
            test = doctest.DocTestParser().get_doctest(body, names, page_id(page), str(page), line - 1)
            report: list[str] = []
            runner.run(test, out=report.append, clear_globs=False)
            assert not report, "".join(report)
            names.update(test.globs)
        else:
            exec(compile("\n" * (line - 1) + body, str(page), "exec"), names)


@pytest.mark.subprocess
@pytest.mark.parametrize(("page", "line", "command"), commands())
def test_console_blocks(page: Path, line: int, command: str, tmp_path: Path) -> None:
    program, *arguments = shlex.split(command, comments=True)
    script = Path(sys.executable).with_name(program)
    environment = os.environ | {"COLUMNS": "100"}
    result = subprocess.run(
        [script, *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, f"{page}:{line}: {command}\n{result.stdout}{result.stderr}"


def steps(page: Path) -> list[tuple[int, str, str]]:
    """Return (line, command, expected output) of the session of a page."""
    found: list[tuple[int, str, str]] = []
    for start, body in blocks(page, "console", only="session"):
        for number, line in enumerate(body.splitlines(keepends=True)):
            if line.startswith("$ "):
                found.append((start + number, line.removeprefix("$ ").strip(), ""))
            else:
                at, command, output = found[-1]
                found[-1] = (at, command, output + line.replace("<BLANKLINE>", ""))
    return found


SESSIONS = [page for page in PAGES if steps(page)]


@pytest.mark.subprocess
@pytest.mark.skipif(os.name == "nt", reason="the sessions of the docs are for a POSIX shell; CI on POSIX runs them")
@pytest.mark.parametrize("page", SESSIONS, ids=page_id)
def test_sessions(page: Path, tmp_path: Path) -> None:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"COLUMNS": "100", "PATH": path}
    checker, options = doctest.OutputChecker(), doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    for line, command, expected in steps(page):
        result = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
            timeout=120,
        )  # fmt: skip
        where = f"{page}:{line}: {command}"
        assert result.returncode == 0, f"{where}\n{result.stdout}{result.stderr}"
        assert checker.check_output(expected, result.stdout, options), f"{where}\n{result.stdout}"


def test_the_readme_has_something_to_run() -> None:
    assert blocks(ROOT / "README.md", "python", "pycon")
    assert any(page.name == "README.md" for page, _, _ in commands())
