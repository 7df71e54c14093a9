"""A ``mermaid`` state diagram becomes a table of what leads where: GitHub draws it, but the site loads no scripts."""

from __future__ import annotations

import re

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

ARROW = re.compile(r"\s*(\S+) --> (\S+?)(?:: (.*))?$")


class StateTable(Directive):
    """The transitions of a state diagram, one a row."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Make the table."""
        table, group = nodes.table(), nodes.tgroup(cols=3)
        table += group
        group += [nodes.colspec(colwidth=width) for width in (1, 1, 3)]
        group += nodes.thead("", row(("from", "to", "by")))
        body = nodes.tbody()
        for line in list(self.content)[1:]:
            arrow = ARROW.match(line)
            if arrow is None:
                raise self.error(f"not an arrow of a state diagram: {line!r}")
            begin, end, by = arrow.groups(default="")
            body += row((begin.replace("[*]", "(begin)"), end.replace("[*]", "(end)"), by))
        group += body
        return [table]


def row(cells: tuple[str, ...]) -> nodes.row:
    """One row of a table."""
    return nodes.row("", *[nodes.entry("", nodes.paragraph(text=cell)) for cell in cells])


def setup(app: Sphinx) -> dict[str, bool]:
    """Join Sphinx."""
    app.add_directive("mermaid", StateTable)
    return {"parallel_read_safe": True}
