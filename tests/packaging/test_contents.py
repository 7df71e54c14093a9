"""What the sdist and the installed wheel hold, and what they must not."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
from importlib import metadata
from pathlib import Path, PurePosixPath

import pytest

GENERATED = {".c", ".so", ".pyd", ".o", ".pyc"}
WRITTEN = {"examples/c/blots.c", "examples/conformance/engine.c"}  # the only C that a person wrote


def sources(repo: Path, *suffixes: str) -> set[str]:
    """Return the files under src/ with these suffixes, relative to src/."""
    src = repo / "src"
    return {p.relative_to(src).as_posix() for p in src.rglob("*") if p.suffix in suffixes}


@pytest.fixture(scope="session")
def sdist(repo: Path, tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Return the names in the sdist: of the one that ci/ built and tests (BGCORE_DIST), else built here."""
    folder = Path(os.environ.get("BGCORE_DIST") or tmp_path_factory.mktemp("dist"))
    if not list(folder.glob("*.tar.gz")):
        command = [sys.executable, "-m", "build", "--no-isolation", "--sdist", "--outdir", str(folder), str(repo)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stdout + result.stderr
    [archive] = folder.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        return {"/".join(PurePosixPath(name).parts[1:]) for name in file.getnames()}


@pytest.fixture(scope="session")
def installed() -> set[str]:
    """Return the files of the installed distribution."""
    files = metadata.files("bgcore")
    assert files, "bgcore is not installed from a wheel"
    return {file.as_posix() for file in files}


@pytest.mark.subprocess
def test_sdist_holds_every_source(repo: Path, sdist: set[str]) -> None:
    wanted = {f"src/{name}" for name in sources(repo, ".py", ".pyx", ".pxd", ".pyi", ".h", ".typed")}
    wanted |= {
        *WRITTEN,
        ".github/workflows/release.yml",
        "setup.py",
        "pyproject.toml",
        "LICENSE",
        "README.md",
        "ci/test",
        "tests/conftest.py",
    }
    assert wanted - sdist == set()


@pytest.mark.subprocess
def test_sdist_holds_nothing_generated(sdist: set[str]) -> None:
    generated = {name for name in sdist if PurePosixPath(name).suffix in GENERATED}
    assert generated == WRITTEN


def test_wheel_holds_what_users_and_cimport_need(repo: Path, installed: set[str]) -> None:
    assert sources(repo, ".py", ".pxd", ".pyi", ".h", ".typed") - installed == set()
    assert "bgcore/py.typed" in installed
    assert "bgcore/include/bgcore.h" in installed


def test_wheel_has_one_module_a_pyx(repo: Path, installed: set[str]) -> None:
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    modules = {name.removesuffix(".pyx") for name in sources(repo, ".pyx")} | {"bgcore/_cyutility"}
    assert {name.removesuffix(suffix) for name in installed if name.endswith(suffix)} == modules


def test_every_module_has_a_stub(repo: Path) -> None:
    assert {name[:-4] for name in sources(repo, ".pyx")} - {name[:-4] for name in sources(repo, ".pyi")} == set()


def test_wheel_holds_no_source_to_compile(installed: set[str]) -> None:
    assert {name for name in installed if PurePosixPath(name).suffix in {".c", ".pyx", ".o"}} == set()
    assert {name for name in installed if name.startswith(("tests/", "ci/", "examples/"))} == set()


def test_version_is_that_of_pyproject(repo: Path) -> None:
    with (repo / "pyproject.toml").open("rb") as file:
        version = tomllib.load(file)["project"]["version"]
    assert metadata.version("bgcore") == version
    import bgcore

    assert bgcore.__version__ == version
