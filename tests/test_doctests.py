"""Every example in a docstring runs, those of the Cython modules as well."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

import bgcore


def documented() -> Iterator[tuple[str, str, dict[str, object]]]:
    """Name, docstring and names in reach of every module, class, function and method that has an example."""
    names = [info.name for info in pkgutil.walk_packages(bgcore.__path__, "bgcore.")]
    for module_name in ["bgcore", *names]:
        if ".cli" in module_name or module_name.endswith("__main__"):
            continue  # commands have no examples, and importing __main__ runs them
        if module_name.startswith("bgcore.conformance.adapters."):
            continue  # they need their peers, and know nothing of bgcore
        if module_name.startswith("bgcore.bridges.rl") and not all(map(find_spec, ("gymnasium", "pettingzoo"))):
            continue  # the tests in tests/bridges say that they are skipped
        module = importlib.import_module(module_name)
        things: list[tuple[str, object]] = [(module_name, module)]
        for name, thing in vars(module).items():
            if getattr(thing, "__module__", None) != module_name:
                continue
            things.append((f"{module_name}.{name}", thing))
            if inspect.isclass(thing):
                things += [(f"{module_name}.{name}.{part}", value) for part, value in vars(thing).items()]
        for name, thing in things:
            doc = getattr(thing, "__doc__", None)
            if isinstance(doc, str) and ">>>" in doc:
                yield name, doc, dict(vars(module))


EXAMPLES = {name: (doc, names) for name, doc, names in documented()}


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 8


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name: str) -> None:
    doc, names = EXAMPLES[name]
    test = doctest.DocTestParser().get_doctest(doc, names, name, None, None)
    assert test.examples
    failures: list[str] = []
    doctest.DocTestRunner().run(test, out=failures.append)
    assert not failures, "".join(failures)
