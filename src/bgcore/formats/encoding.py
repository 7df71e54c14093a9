"""The bytes of a text file as a text, with a note of what was assumed."""

from __future__ import annotations

import codecs

from bgcore.formats.building import Notes

__all__ = ["decoded"]

MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


def decoded(data: bytes, notes: Notes) -> str:
    r"""Decode the text of a match file, lines ending in ``\n``.

    Parameters
    ----------
    data : bytes
        UTF-8 with or without a byte-order mark, UTF-16 with one, or else cp1252.
    notes : Notes
        Told which of them it was taken for, unless it is UTF-8.

    Returns
    -------
    str

    Raises
    ------
    FormatError
        It has NUL characters: no text, or UTF-16 without a byte-order mark.
    """
    encoding, mark = next(((name, mark) for mark, name in MARKS.items() if data.startswith(mark)), ("utf-8", b""))
    try:
        text = data[len(mark) :].decode(encoding)
        if encoding != "utf-8":
            notes.remark(f"read as {encoding[:6].upper()}, as its byte-order mark says")
    except UnicodeDecodeError as error:
        if encoding != "utf-8":
            notes.refuse(f"no {encoding[:6].upper()} text, though its byte-order mark says so", offset=error.start)
        text = data[len(mark) :].decode("cp1252", "replace")
        notes.remark("not UTF-8; read as cp1252")
    if (at := text.find("\0")) >= 0:
        notes.refuse("a NUL character: no text file, or UTF-16 without a byte-order mark", offset=at)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text
