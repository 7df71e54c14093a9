"""The plain text of the RTF that XG keeps comments in."""

from __future__ import annotations

import re

__all__ = ["plain_text"]

TOKEN = re.compile(
    r"\\([a-z]{1,32})(-?[0-9]{1,10})? ?|\\'([0-9a-fA-F]{2})|\\(.)|([{}])|[\r\n]+|([^\\{}\r\n]+)", re.DOTALL
)
BREAKS = {"par": "\n", "line": "\n", "tab": "\t"}
HIDDEN = frozenset({"fonttbl", "colortbl", "stylesheet", "info", "pict", "header", "footer", "themedata"})


def plain_text(rtf: str) -> str:
    """The words of an RTF text, its formatting left out; a text that is no RTF as it is.

    Parameters
    ----------
    rtf : str

    Returns
    -------
    str
    """
    if not rtf.lstrip().startswith("{\\rtf"):
        return rtf.strip()
    words: list[str] = []
    hidden = [False]  # for each group that is open
    skip = 0  # characters that stand in for the \u before them
    for match in TOKEN.finditer(rtf):
        word, number, code, symbol, brace, text = match.groups()
        if brace == "{":
            hidden.append(hidden[-1])
        elif brace == "}":
            if len(hidden) > 1:
                hidden.pop()
        elif symbol == "*" or word in HIDDEN:
            hidden[-1] = True
        elif not hidden[-1]:
            said = BREAKS.get(word or "", "")
            if word == "u" and number:
                said, skip = chr(int(number) % 65536), 2
                said = "" if "\ud800" <= said <= "\udfff" else said
            elif code:
                said = bytes.fromhex(code).decode("cp1252", "replace")
            elif symbol in ("\\", "{", "}"):
                said = symbol
            elif symbol == "~":
                said = " "
            elif text:
                said = text
            if skip == 1:
                said = said[1:] if text else ""
            skip = max(skip - 1, 0)
            words.append(said)
    return "".join(words).strip()
