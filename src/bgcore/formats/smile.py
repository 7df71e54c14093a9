"""Smile, the binary JSON of the Jackson project, as far as BGBlitz writes it: to plain Python values.

Source: the Smile format specification, https://github.com/FasterXML/smile-format-specification.
"""

from __future__ import annotations

import struct
from typing import Any

from bgcore.errors import FormatError

__all__ = ["HEADER", "read_smile"]

HEADER = b":)\n"
DEEPEST = 64
MOST_SHARED = 1024
LONGEST_SHARED = 64
MOST_VALUES = 4_000_000
"""Of a document; BGBlitz writes some 70,000 for a match."""
LONG_END = 0xFC
SHARED_VALUES, SHARED_NAMES = 2, 1  # bits of the header's last byte
END = object()


def read_smile(data: bytes) -> Any:
    """Decode one document.

    Parameters
    ----------
    data : bytes

    Returns
    -------
    object
        Of dict, list, str, int, float, bool and None.

    Raises
    ------
    FormatError
        It is no Smile, is cut off, or uses what BGBlitz doesn't (big numbers, binary data); `.offset` says where.
    """
    if data[:3] != HEADER or len(data) < 4:
        raise FormatError("no Smile: it begins with ':)' and a line feed", offset=0)
    reader = Reader(data)
    try:
        return reader.value(0)
    except (IndexError, struct.error):
        raise FormatError(f"byte {len(data)}: the Smile document is cut off", offset=len(data)) from None


class Reader:
    """A document, and how far it has been read."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 4
        self.shares_names, self.shares_values = bool(data[3] & SHARED_NAMES), bool(data[3] & SHARED_VALUES)
        self.names: list[str] = []
        self.values: list[str] = []
        self.count = 0

    def wrong(self, message: str) -> FormatError:
        """An error at the byte just read."""
        return FormatError(f"byte {self.at - 1}: {message}", offset=self.at - 1)

    def byte(self) -> int:
        """The next byte."""
        self.at += 1
        return self.data[self.at - 1]

    def text(self, size: int) -> str:
        """So many bytes of UTF-8."""
        raw = self.data[self.at : self.at + size]
        if len(raw) < size:
            raise IndexError
        self.at += size
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            raise self.wrong("a text that is no UTF-8") from None

    def long_text(self) -> str:
        """Text up to its end mark."""
        end = self.data.find(LONG_END, self.at)
        if end < 0:
            raise IndexError
        text = self.text(end - self.at)
        self.at = end + 1
        return text

    def varint(self) -> int:
        """An integer in groups of seven bits, the last byte with six and its top bit set; zigzag."""
        number = 0
        for _ in range(10):
            byte = self.byte()
            if byte & 0x80:
                number = number << 6 | byte & 0x3F
                return number >> 1 ^ -(number & 1)
            number = number << 7 | byte
        raise self.wrong("an integer of more than 64 bits")

    def real(self, groups: int, form: str) -> float:
        """A floating-point number in groups of seven bits."""
        number = 0
        for _ in range(groups):
            number = number << 7 | self.byte() & 0x7F
        size = struct.calcsize(form)
        return float(struct.unpack(form, (number & (1 << 8 * size) - 1).to_bytes(size, "big"))[0])

    def shared(self, table: list[str], text: str) -> str:
        """A text that may be referred to from now on."""
        if len(text.encode()) <= LONGEST_SHARED:
            if len(table) >= MOST_SHARED:
                table.clear()
            table.append(text)
        return text

    def known(self, table: list[str], number: int) -> str:
        """A text referred to."""
        if number >= len(table):
            raise self.wrong(f"a reference to text {number} of {len(table)}")
        return table[number]

    def value(self, depth: int) -> Any:
        """The next value; END where an array ends."""
        if depth > DEEPEST:
            raise self.wrong(f"values inside values, more than {DEEPEST} deep")
        self.count += 1
        if self.count > MOST_VALUES:
            raise self.wrong(f"more than {MOST_VALUES} values")
        byte = self.byte()
        if 0x01 <= byte <= 0x1F:
            return self.known(self.values, byte - 1)
        if 0x40 <= byte <= 0xBF:
            size = (byte & 0x3F) + (1 if byte < 0x80 else 2)
            text = self.text(size)
            return self.shared(self.values, text) if self.shares_values else text
        if 0xC0 <= byte <= 0xDF:
            number = byte & 0x1F
            return number >> 1 ^ -(number & 1)
        if 0xEC <= byte <= 0xEF:
            return self.known(self.values, (byte & 3) << 8 | self.byte())
        match byte:
            case 0x20:
                return ""
            case 0x21:
                return None
            case 0x22 | 0x23:
                return byte == 0x23
            case 0x24 | 0x25:
                return self.varint()
            case 0x28:
                return self.real(5, ">f")
            case 0x29:
                return self.real(10, ">d")
            case 0xE0 | 0xE4:
                return self.long_text()
            case 0xF8:
                items = []
                while (item := self.value(depth + 1)) is not END:
                    items.append(item)
                return items
            case 0xF9 if depth:
                return END
            case 0xFA:
                return self.members(depth)
        raise self.wrong(f"{byte:#04x} begins no value that BGBlitz writes")

    def members(self, depth: int) -> dict[str, Any]:
        """What is in an object."""
        found: dict[str, Any] = {}
        while (name := self.name()) is not None:
            value = self.value(depth + 1)
            if value is END:
                raise self.wrong("the end of an array where a value belongs")
            found[name] = value
        return found

    def name(self) -> str | None:
        """The next key; None at the end of the object."""
        byte = self.byte()
        if byte == 0xFB:
            return None
        if byte == 0x20:
            return ""
        if 0x30 <= byte <= 0x33:
            return self.known(self.names, (byte & 3) << 8 | self.byte())
        if byte == 0x34:
            text = self.long_text()
        elif 0x40 <= byte <= 0x7F:
            return self.known(self.names, byte - 0x40)
        elif 0x80 <= byte <= 0xBF:
            text = self.text((byte & 0x3F) + 1)
        elif 0xC0 <= byte <= 0xF7:
            text = self.text(byte - 0xC0 + 2)
        else:
            raise self.wrong(f"{byte:#04x} begins no key")
        return self.shared(self.names, text) if self.shares_names else text
