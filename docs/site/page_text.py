"""What is changed in the text of a page before it is read.

Links to files of the repository that have a page here lead to that page, and patterns of the table of contents for
which there is no page yet are left out, since Sphinx would complain.
"""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

PAGES = {"../CONTRIBUTING.md": "contributing.md", "../CHANGELOG.md": "changelog.md"}
PATTERN = re.compile(r"^[a-z/]+\*\n", re.MULTILINE)


def on_read(app: Sphinx, page: str, text: list[str]) -> None:
    """Change the text of a page."""
    up = "../" * page.count("/")
    for outside, inside in PAGES.items():
        text[0] = text[0].replace(f"]({up}{outside}", f"]({up}{inside}")
    if page == "index":
        folder = Path(app.srcdir)
        text[0] = PATTERN.sub(lambda found: found[0] if list(folder.glob(f"{found[0].strip()}.md")) else "", text[0])


def setup(app: Sphinx) -> dict[str, bool]:
    """Join Sphinx."""
    app.connect("source-read", on_read)
    return {"parallel_read_safe": True}
