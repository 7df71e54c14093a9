"""A board as PNG: the SVG, rendered by resvg-py, which comes with the extra ``png``."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bgcore.draw.board_svg import svg
from bgcore.errors import RuleError

if TYPE_CHECKING:
    from bgcore.play import Play
    from bgcore.position import Position

__all__ = ["png"]

LARGEST = 10_000
GENERIC = 'font-family="sans-serif"'
FAMILIES = 'font-family="sans-serif, DejaVu Sans, Liberation Sans, Noto Sans, Helvetica"'


def png(position: Position | Play | Any, *, size: int = 480, **options: Any) -> bytes:
    """Draw a position, the state of a match, or a play as PNG.

    Parameters
    ----------
    position : Position, MatchState or Play
    size : int
        Width in pixels, 1 to 10000; the height goes with it.
    **options
        As `bgcore.draw.svg` takes them.

    Returns
    -------
    bytes
        A PNG file.  Names are written in the sans serif font of the system, if it has one; everything else looks the
        same everywhere.

    Raises
    ------
    ModuleNotFoundError
        resvg-py is not installed; the message says how to add it.
    RuleError, FormatError, TypeError
        As `bgcore.draw.svg`.
    """
    if type(size) is not int or not 1 <= size <= LARGEST:
        raise RuleError(f"size is from 1 to {LARGEST} pixels, not {size!r}")
    try:
        resvg_py: Any = import_module("resvg_py")
    except ModuleNotFoundError:
        message = 'PNG pictures need resvg-py; add it with:  pip install "bgcore[png]"'
        raise ModuleNotFoundError(message, name="resvg_py") from None
    picture = svg(position, size=size, **options)
    named = GENERIC in picture
    if named:  # resvg takes the generic family for Arial, and leaves out text of families that it does not find
        picture = picture.replace(GENERIC, FAMILIES)
    return bytes(resvg_py.svg_to_bytes(svg_string=picture, width=size, skip_system_fonts=not named))
