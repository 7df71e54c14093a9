"""Members of JSON objects that nobody vouches for: of the type that is asked for, or a default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["flag", "integers", "items", "number", "text"]


def text(content: Mapping[str, Any], name: str) -> str:
    """A text, on one line; empty: there is none."""
    value = content.get(name)
    return " ".join(value.split()) if isinstance(value, str) else ""


def number(content: Mapping[str, Any], name: str, default: int) -> int:
    """An integer of a size that means something."""
    value = content.get(name)
    return value if type(value) is int and abs(value) < 2**60 else default


def flag(content: Mapping[str, Any], name: str, default: bool) -> bool:
    """True or false."""
    value = content.get(name)
    return value if isinstance(value, bool) else default


def items(content: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """The objects of a list."""
    value = content.get(name)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def integers(content: Mapping[str, Any], name: str) -> list[int]:
    """A list of small integers; empty: it is none."""
    value = content.get(name)
    if not isinstance(value, list) or not all(type(item) is int and abs(item) < 256 for item in value):
        return []
    return value
