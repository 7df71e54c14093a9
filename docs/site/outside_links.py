"""Links from a page to files of the repository beside docs/: to a page that shows them, or to a copy of the file."""

from __future__ import annotations

from sphinx.application import Sphinx

PAGES = {"../CONTRIBUTING.md": "contributing.md", "../CHANGELOG.md": "changelog.md", "../README.md": "index.md"}


def on_read(app: Sphinx, page: str, text: list[str]) -> None:
    """Turn links to files that have a page of their own into links to that page."""
    up = "../" * page.count("/")
    for outside, inside in PAGES.items():
        text[0] = text[0].replace(f"]({up}{outside}", f"]({up}{inside}")


def setup(app: Sphinx) -> dict[str, bool]:
    """Join Sphinx."""
    app.connect("source-read", on_read)
    return {"parallel_read_safe": True}
