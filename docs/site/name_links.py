"""Where names in docstrings lead, and what a list of fields is called.

A name may be said as users say it (``bgcore.read_match``) or by the module that it is in; it leads to the one place
where it is documented.  And plain words lead nowhere: Sphinx would take a type like ``(n, points)`` or the name of a
field for whatever has a field of that name.
"""

from __future__ import annotations

import re
import sys
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import find_pending_xref_condition

KINDS = {"module", "class", "exception", "function", "data"}


def thing_of(name: str) -> Any:
    """The object of a dotted name, in modules that are loaded; None if there is none."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        thing: Any = sys.modules.get(".".join(parts[:end]))
        if thing is not None:
            for part in parts[end:]:
                thing = getattr(thing, part, None)
            return thing
    return None


def shown(node: pending_xref) -> list[nodes.Node]:
    """What a link shows, without the link."""
    short = find_pending_xref_condition(node, "resolved")
    return list((node if short is None else short).children)


def on_missing(app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.TextElement) -> Any:
    """Lead a name of ours to where the same object is documented."""
    target = node.get("reftarget", "")
    if node.get("refdomain") != "py" or not target.startswith("bgcore."):
        return None
    thing = thing_of(target)
    if thing is None:
        return None
    if node["reftype"] == "class" and not isinstance(thing, type):
        return shown(node)[0]  # a type that is no class, such as Player
    owner = thing_of(target.rpartition(".")[0])  # of a field, which may be told of only in the list of its class
    documented = env.domains.python_domain.objects
    for wanted in (thing, owner):
        for name in sorted(documented):
            if documented[name].objtype in KINDS and thing_of(name) is wanted:
                domain = env.domains.python_domain
                return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", name, node, content)
    return None


def on_doctree(app: Sphinx, doctree: nodes.document) -> None:
    """Take the links off plain words; numpydoc's word is Attributes."""
    for field in list(doctree.findall(nodes.field_name)):
        if field.astext() == "Variables":
            field.replace_self(nodes.field_name("", "Attributes"))
    for node in list(doctree.findall(pending_xref)):
        if node.get("refspecific") and re.fullmatch("[a-z_0-9]+", node["reftarget"]):
            node.replace_self(shown(node))


def setup(app: Sphinx) -> dict[str, bool]:
    """Join Sphinx."""
    app.connect("missing-reference", on_missing)
    app.connect("doctree-read", on_doctree)
    return {"parallel_read_safe": True}
