"""Signatures are shown as they are written: in the stub of a compiled module, else in the source.

What Cython embeds has no types to speak of, and what Python evaluates of ``ArrayLike`` fills a page.
"""

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
ARRAY = re.compile(r"~?(?:numpy\.)?ndarray\[~?tuple\[~?(?:typing\.)?Any, \.\.\.\], ~?(?:numpy\.)?dtype\[([^\[\]]+)\]\]")
"""NDArray, evaluated: in the signatures that a dataclass makes for itself."""


class Written(NamedTuple):
    """What is written of one name."""

    arguments: str | None
    """In brackets; None for what isn't called."""
    answer: str
    """What it returns or is, empty if that isn't said."""


class Qualified(ast.NodeTransformer):
    """Gives names of bgcore the module that they come from, so that they lead there."""

    def __init__(self, module: str, tree: ast.Module) -> None:
        self.homes: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("bgcore"):
                self.homes |= {alias.asname or alias.name: str(node.module) for alias in node.names}
        self.homes |= {node.name: module for node in tree.body if isinstance(node, ast.ClassDef)}

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Qualify one name."""
        home = self.homes.get(node.id)
        return node if home is None else ast.Name(f"{home}.{node.id}")

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """Leave texts alone, ``Literal["own"]`` among them."""
        return node

    def visit_arguments(self, node: ast.arguments) -> ast.arguments:
        """Qualify annotations, and leave default values as they are written."""
        for argument in (*node.posonlyargs, *node.args, *node.kwonlyargs, node.vararg, node.kwarg):
            if argument is not None and argument.annotation is not None:
                argument.annotation = self.visit(argument.annotation)
        return node


@cache
def written_names(module: str) -> dict[str, Written]:
    """Everything that the stub or the source of a module says, by qualified name."""
    path = file_of(module)
    if path is None:
        return {}
    found: dict[str, Written] = {}
    tree = ast.parse(path.read_text(encoding="utf-8"))
    _collect(Qualified(module, tree).visit(tree).body, "", found)
    return found


def file_of(module: str) -> Path | None:
    """The stub of a compiled module, the source of another one."""
    source = getattr(sys.modules.get(module), "__file__", None)
    if not module.startswith("bgcore") or source is None:
        return None
    if source.endswith(".py"):
        return Path(source)
    stub = Path(source).parent / f"{module.rpartition('.')[2]}.pyi"
    return stub if stub.exists() else None


def _collect(body: list[ast.stmt], prefix: str, found: dict[str, Written]) -> None:
    for node in body:
        if isinstance(node, ast.ClassDef):
            _collect(node.body, f"{prefix}{node.name}.", found)
        elif isinstance(node, ast.FunctionDef):
            marks = {mark.id for mark in node.decorator_list if isinstance(mark, ast.Name)}
            answer = "" if node.returns is None else ast.unparse(node.returns)
            if "property" in marks:
                found[prefix + node.name] = Written(None, answer)
                continue
            arguments = node.args
            if prefix and "staticmethod" not in marks:  # self or cls
                del (arguments.posonlyargs or arguments.args)[0]
            found[prefix + node.name] = Written(f"({ast.unparse(arguments)})", answer)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[prefix + node.target.id] = Written(None, ast.unparse(node.annotation))


def written_of(name: str, thing: object) -> Written | None:
    """What is written of something that autodoc documents under this name."""
    cls = getattr(thing, "__objclass__", None)  # of what a cdef class computes or holds
    if cls is not None:
        return written_names(cls.__module__).get(f"{cls.__qualname__}.{name.rpartition('.')[2]}")
    module, qualified = getattr(thing, "__module__", None), getattr(thing, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(qualified, str):
        return None
    return written_names(module).get(qualified)


def on_signature(
    app: Sphinx, what: str, name: str, thing: object, options: Any, signature: str | None, answer: str | None
) -> tuple[str | None, str | None] | None:
    """Put what is written in the place of what was evaluated."""
    if signature is None:  # Sphinx has no place for one where it found none
        return None
    if what == "class":
        module, qualified = getattr(thing, "__module__", ""), getattr(thing, "__qualname__", "")
        written = written_names(module).get(f"{qualified}.__init__")
        if written is None or written.arguments is None:
            return ARRAY.sub(r"NDArray[\1]", signature), answer
        made_by_methods = written.arguments == "(*args: Any, **kwargs: Any)"
        return "" if made_by_methods else written.arguments, None
    written = written_of(name, thing)
    if written is None or written.arguments is None:
        return None
    return written.arguments, written.answer or None


def on_docstring(app: Sphinx, what: str, name: str, thing: object, options: Any, lines: list[str]) -> None:
    """Say the type of a property of a compiled class below its text; leave out what named tuples say of themselves."""
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()
    if what not in ("attribute", "property") or getattr(thing, "__objclass__", None) is None:
        return
    written = written_of(name, thing)
    if written is not None and written.arguments is None and written.answer:
        lines += ["", ":type: " + LAST_UNDERSCORE.sub(r"\\_", written.answer), ""]


def setup(app: Sphinx) -> dict[str, bool]:
    """Join Sphinx."""
    app.connect("autodoc-process-signature", on_signature)
    app.connect("autodoc-process-docstring", on_docstring)
    return {"parallel_read_safe": True}
