"""Signatures and types of the compiled modules come from their stubs: what Cython embeds has no types to speak of."""

from __future__ import annotations

import ast
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from sphinx.application import Sphinx

LAST_UNDERSCORE = re.compile(r"_(?!\w)")
"""Which would make a link of the word before it, as in np.bool_."""


class Stub(NamedTuple):
    """What a stub says of one name."""

    arguments: str | None
    """In brackets; None for what isn't called."""
    answer: str
    """What it returns or is, empty if the stub doesn't say."""


class Qualified(ast.NodeTransformer):
    """Gives names of bgcore the module that they come from, so that they lead there."""

    def __init__(self, module: str, tree: ast.Module) -> None:
        self.homes = {node.name: module for node in tree.body if isinstance(node, ast.ClassDef)}
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("bgcore"):
                self.homes |= {alias.asname or alias.name: str(node.module) for alias in node.names}

    def visit_Name(self, node: ast.Name) -> ast.expr:  # noqa: N802
        """Qualify one name."""
        home = self.homes.get(node.id)
        return node if home is None else ast.Name(f"{home}.{node.id}")


@cache
def stub_names(module: str) -> dict[str, Stub]:
    """Everything that the stub of a module says, by qualified name; nothing if it has none."""
    source = getattr(sys.modules.get(module), "__file__", None)
    if source is None:
        return {}
    path = Path(source).parent / f"{module.rpartition('.')[2]}.pyi"
    if not path.exists():
        return {}
    found: dict[str, Stub] = {}
    tree = ast.parse(path.read_text(encoding="utf-8"))
    _collect(Qualified(module, tree).visit(tree).body, "", found)
    return found


def _collect(body: list[ast.stmt], prefix: str, found: dict[str, Stub]) -> None:
    for node in body:
        if isinstance(node, ast.ClassDef):
            _collect(node.body, f"{prefix}{node.name}.", found)
        elif isinstance(node, ast.FunctionDef):
            marks = {mark.id for mark in node.decorator_list if isinstance(mark, ast.Name)}
            answer = "" if node.returns is None else ast.unparse(node.returns)
            if "property" in marks:
                found[prefix + node.name] = Stub(None, answer)
                continue
            arguments = node.args
            if prefix and "staticmethod" not in marks:  # self or cls
                del (arguments.posonlyargs or arguments.args)[0]
            found[prefix + node.name] = Stub(f"({ast.unparse(arguments)})", answer)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[prefix + node.target.id] = Stub(None, ast.unparse(node.annotation))


def stub_of(name: str, thing: object) -> Stub | None:
    """The stub of something that autodoc documents under this name."""
    cls = getattr(thing, "__objclass__", None)  # of what a cdef class computes or holds
    if cls is not None:
        return stub_names(cls.__module__).get(f"{cls.__qualname__}.{name.rpartition('.')[2]}")
    module, qualified = getattr(thing, "__module__", None), getattr(thing, "__qualname__", None)
    return stub_names(module).get(qualified) if isinstance(module, str) and isinstance(qualified, str) else None


def on_signature(
    app: Sphinx, what: str, name: str, thing: object, options: Any, signature: str | None, answer: str | None
) -> tuple[str | None, str | None] | None:
    """Put the stub's signature in the place of the embedded one."""
    if what == "class":
        stub = stub_names(getattr(thing, "__module__", "")).get(f"{getattr(thing, '__qualname__', '')}.__init__")
        if stub is None or signature is None:  # Sphinx has no place for one where it found none
            return None
        made_by_methods = stub.arguments == "(*args: Any, **kwargs: Any)"
        return "" if made_by_methods else stub.arguments, None
    stub = stub_of(name, thing)
    if stub is None or stub.arguments is None:
        return None
    return stub.arguments, stub.answer or None


def on_docstring(app: Sphinx, what: str, name: str, thing: object, options: Any, lines: list[str]) -> None:
    """Say the type of a property below its text."""
    stub = stub_of(name, thing) if what in ("attribute", "property") else None
    if stub is not None and stub.arguments is None and stub.answer:
        lines += ["", ":type: " + LAST_UNDERSCORE.sub(r"\\_", stub.answer), ""]


def setup(app: Sphinx) -> dict[str, bool]:
    """Join Sphinx."""
    app.connect("autodoc-process-signature", on_signature)
    app.connect("autodoc-process-docstring", on_docstring)
    return {"parallel_read_safe": True}
