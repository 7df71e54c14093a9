"""Pictures of positions: one file a medium.

Imports nothing when it is loaded, so that lower rooms can reach a single medium without loading the rest.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bgcore.draw.board_png import png
    from bgcore.draw.board_svg import THEMES, Theme, svg

__all__ = ["THEMES", "Theme", "png", "svg"]

_HOME = {"THEMES": "board_svg", "Theme": "board_svg", "png": "board_png", "svg": "board_svg"}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"bgcore.draw.{_HOME[name]}"), name)
    raise AttributeError(f"module 'bgcore.draw' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
