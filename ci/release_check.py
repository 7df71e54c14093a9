#!/usr/bin/env python3
"""Is the tree ready to be published under this tag?  Prints the notes of the release: its section of CHANGELOG.md.

python ci/release_check.py vX.Y.Z
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path


def notes(tag: str, root: Path) -> str:
    """Return what CHANGELOG.md says about the release; ValueError where tag, pyproject.toml and it don't agree."""
    with (root / "pyproject.toml").open("rb") as file:
        version = tomllib.load(file)["project"]["version"]
    if tag != f"v{version}":
        raise ValueError(f"the tag is {tag}, but pyproject.toml has version {version}, whose tag is v{version}")
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = re.compile(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d{{2}}-\d{{2}}$", re.MULTILINE)
    found = heading.search(changelog)
    if found is None:
        raise ValueError(f"CHANGELOG.md has no heading '## [{version}] - YYYY-MM-DD'")
    section = changelog[found.end() :].split("\n## ", 1)[0].strip()
    if not section:
        raise ValueError(f"CHANGELOG.md says nothing about {version}")
    return section


def main() -> int:
    """Print the notes, or what is wrong."""
    if len(sys.argv) != 2:
        print("usage: python ci/release_check.py vX.Y.Z", file=sys.stderr)
        return 2
    try:
        print(notes(sys.argv[1], Path(__file__).resolve().parent.parent))
    except ValueError as error:
        print(f"release_check: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
