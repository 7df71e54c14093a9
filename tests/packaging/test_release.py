"""Tags, changelog and workflows fit each other."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

CHANGELOG = """\
# Changelog

## [Unreleased]

### Added

- Not yet.

## [1.2.0] - 2026-12-24

### Added

- A cube.

### Fixed

- A die.

## [1.1.0] - 2026-11-30

- The first.
"""


def check(repo: Path, root: Path, tag: str, version: str = "1.2.0", changelog: str = CHANGELOG) -> tuple[int, str, str]:
    """What release_check.py says of a tree with this version and changelog: status, output, error."""
    (root / "ci").mkdir(exist_ok=True)
    shutil.copy(repo / "ci" / "release_check.py", root / "ci")
    (root / "pyproject.toml").write_text(f'[project]\nversion = "{version}"\n', encoding="utf-8")
    (root / "CHANGELOG.md").write_text(changelog, encoding="utf-8")
    command = [sys.executable, str(root / "ci" / "release_check.py"), tag]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return result.returncode, result.stdout, result.stderr


@pytest.mark.subprocess
def test_notes_are_the_section_of_the_release(repo: Path, tmp_path: Path) -> None:
    notes = "### Added\n\n- A cube.\n\n### Fixed\n\n- A die.\n"
    assert check(repo, tmp_path, "v1.2.0") == (0, notes, "")
    assert check(repo, tmp_path, "v1.1.0", "1.1.0") == (0, "- The first.\n", "")


@pytest.mark.subprocess
@pytest.mark.parametrize(
    ("tag", "version", "changelog", "says"),
    [
        ("v1.2.1", "1.2.0", CHANGELOG, "the tag is v1.2.1, but pyproject.toml has version 1.2.0, whose tag is v1.2.0"),
        ("1.2.0", "1.2.0", CHANGELOG, "the tag is 1.2.0, but"),
        ("v1.3.0", "1.3.0", CHANGELOG, "no heading '## [1.3.0] - YYYY-MM-DD'"),
        ("v1.2.0", "1.2.0", CHANGELOG.replace(" - 2026-12-24", ""), "no heading '## [1.2.0] - YYYY-MM-DD'"),
        (
            "v1.2.0",
            "1.2.0",
            "## [1.2.0] - 2026-12-24\n\n## [1.1.0] - 2026-11-30\n\n- More.\n",
            "says nothing about 1.2.0",
        ),
    ],
)
def test_what_does_not_agree(repo: Path, tmp_path: Path, tag: str, version: str, changelog: str, says: str) -> None:
    status, output, error = check(repo, tmp_path, tag, version, changelog)
    assert (status, output) == (1, "")
    assert says in error


def workflow(repo: Path, name: str) -> str:
    return (repo / ".github" / "workflows" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["ci.yml", "release.yml"])
def test_workflows_call_scripts_that_are_there(repo: Path, name: str) -> None:
    called = set(re.findall(r"\bci/[\w.-]+", re.sub(r"#.*", "", workflow(repo, name))))
    assert called
    for script in called:
        assert os.access(repo / script, os.X_OK), script


def test_parts_of_long_runs_are_those_of_the_script(repo: Path) -> None:
    [listed] = re.findall(r"part: \[(.*)\]", workflow(repo, "ci.yml"))
    parts = re.findall(r"^    (\w+)\) ?", (repo / "ci" / "test-long").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(listed.split(", ")) <= set(parts)


def test_the_tag_of_this_version_starts_a_release(repo: Path) -> None:
    with (repo / "pyproject.toml").open("rb") as file:
        version = tomllib.load(file)["project"]["version"]
    [pattern] = re.findall(r'tags: \["(.*)"\]', workflow(repo, "release.yml"))
    assert fnmatchcase(f"v{version}", pattern)
    assert not fnmatchcase("very", pattern)


def test_only_jobs_that_publish_may_do_more_than_read(repo: Path) -> None:
    jobs = re.split(r"(?m)^  (?=\w+:$)", workflow(repo, "release.yml"))
    more = {job.split(":")[0]: re.findall(r"(\S+): write", job) for job in jobs if ": write" in job}
    assert more == {"testpypi": ["id-token"], "pypi": ["id-token"], "github": ["contents"]}
    assert "secrets." not in workflow(repo, "release.yml")
