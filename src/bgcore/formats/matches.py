"""Match files of every kind: which kind one is, by its content, and one call to read it and one to write it."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import BinaryIO, NamedTuple

from bgcore.errors import BgcoreError, FormatError
from bgcore.files import replacing
from bgcore.formats.bgf import is_bgf, read_bgf
from bgcore.formats.building import Notes
from bgcore.formats.encoding import decoded
from bgcore.formats.mat import is_mat, read_mat
from bgcore.formats.mat_writing import GNUBG, XG_TEXT, write_mat
from bgcore.formats.ogxm import MAGIC as OGXM_MAGIC
from bgcore.formats.ogxm import read_ogxm
from bgcore.formats.record_files import is_record, read_record, record_bytes
from bgcore.formats.sgf import is_sgf, read_sgf
from bgcore.formats.sgf_writing import write_sgf
from bgcore.formats.xg import read_xg
from bgcore.formats.xg_container import MAGIC as XG_MAGIC
from bgcore.match.transcript import Match

__all__ = [
    "FORMATS",
    "MOST_BYTES",
    "SUFFIXES",
    "WRITERS",
    "Writer",
    "is_match",
    "lost_in",
    "read_match",
    "write_match",
    "written",
]

MOST_BYTES = 64 * 2**20
"""Of a file, unless the caller says otherwise."""
SUFFIXES = (".mat", ".txt", ".sgf", ".xg", ".xgp", ".bgf", ".ogxm", ".gvab", ".jsonl")
"""What files that can be read are usually called."""


class Writer(NamedTuple):
    """A format that is written."""

    suffix: str
    write: Callable[[Match], str]
    keeps_comments: bool
    keeps_tags: bool
    keeps_analysis: bool


WRITERS = {
    "mat": Writer(".mat", lambda match: write_mat(match, GNUBG), False, True, False),
    "txt": Writer(".txt", lambda match: write_mat(match, XG_TEXT), False, True, False),
    "sgf": Writer(".sgf", write_sgf, True, False, True),
}
"""By name: GNU Backgammon's transcript, XG's text, GNU Backgammon's SGF.  They hold what was against the rules, too."""

FORMATS = {name: writer.suffix for name, writer in WRITERS.items()} | {"record": ".jsonl"}
"""What can be written, and how its files are called; a record holds only what the rules allow."""


def read_match(
    source: str | os.PathLike[str] | BinaryIO, *, strict: bool = False, max_bytes: int = MOST_BYTES
) -> Match:
    r"""Read a match file; which kind it is shows in its content.

    Read are transcripts (``.mat``, ``.txt``) in every dialect, GNU Backgammon's SGF, XG's ``.xg`` and ``.xgp``,
    BGBlitz's ``.bgf``, OGXM with the extra ``formats``, and the records of `bgcore.match.record`.

    Parameters
    ----------
    source : path or binary file
    strict : bool
        Raise at the first oddity (an illegal play, a wrong result) instead of carrying on and noting it.
    max_bytes : int
        Files larger than this are refused before they are read.

    Returns
    -------
    Match
        `.notes` says what was odd.

    Raises
    ------
    FormatError
        It is no match file, or one that cannot be read: the message names the file and the place.
    OSError
        The file cannot be opened.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "short.mat"
    >>> _ = path.write_text(" 3 point match\n\n Game 1\n Ann : 0    Bob : 0\n  1) 31: 8/5 6/5    52: 13/8 6/4\n")
    >>> match = read_match(path)
    >>> [str(turn.play) for turn in match.games[0].turns]
    ['8/5 6/5', '13/8 6/4']
    """
    if isinstance(source, str | os.PathLike):
        name = os.fspath(source)
        with open(name, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > max_bytes:
                raise FormatError(f"{name}: {size} bytes, and files of more than {max_bytes} are not read (max_bytes=)")
            data = file.read(max_bytes + 1)
    else:
        name = str(getattr(source, "name", "") or "the file")
        data = source.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise FormatError(f"{name}: more than {max_bytes} bytes, which are not read (max_bytes=)")
    try:
        return match_of(bytes(data), Notes(strict))
    except FormatError as error:
        raise FormatError(
            f"{name}: {error}", line=error.line, column=error.column, offset=error.offset, field=error.field
        ) from None
    except BgcoreError as error:
        raise FormatError(f"{name}: {error}") from error


def is_match(data: bytes) -> bool:
    """Whether a file with these bytes is of a kind that `read_match` reads."""
    if data.startswith((XG_MAGIC, OGXM_MAGIC)) or is_bgf(data) or is_record(data):
        return True
    try:
        text = decoded(data, Notes())
    except FormatError:
        return False
    return is_sgf(text) or is_mat(text)


def match_of(data: bytes, notes: Notes) -> Match:
    """The match in the bytes of a file."""
    if data.startswith(XG_MAGIC):
        return read_xg(data, notes)
    if data.startswith(OGXM_MAGIC):
        return read_ogxm(data, notes)
    if is_bgf(data):
        return read_bgf(data, notes)
    if is_record(data):
        return read_record(data, notes)
    if not data.strip():
        notes.refuse("the file is empty", offset=0)
    text = decoded(data, notes)
    if is_sgf(text):
        return read_sgf(text, notes)
    if is_mat(text):
        return read_mat(text, notes)
    raise FormatError(
        "no match file that is known: a transcript has a line such as '7 point match', an SGF of backgammon begins "
        "with '(;' and has GM[6], XG's files begin with 'RGMH', BGBlitz's with {\"format\":\"BGF\", OGXM with 'OGXM'"
    )


def write_match(match: Match, path: str | os.PathLike[str], *, format: str | None = None) -> tuple[str, ...]:
    """Write a match file, whole or not at all.

    Parameters
    ----------
    match : Match
    path : path
    format : {"mat", "txt", "sgf", "record"}, optional
        GNU Backgammon's transcript, XG's text, GNU Backgammon's SGF, or a record (`bgcore.match.record`); if not given,
        what the suffix of the path says.

    Returns
    -------
    tuple of str
        What the match holds and the format does not.

    Raises
    ------
    FormatError
        No such format, or the format cannot hold the match.
    OSError
        The file cannot be written.
    """
    if format is None:
        suffix = os.path.splitext(os.fspath(path))[1].lower()
        format = next((name for name, usual in FORMATS.items() if usual == suffix), None)
        if format is None:
            raise FormatError(f"{os.fspath(path)}: match files are written as {kinds()}; say which with format=")
    data = written(match, format)
    with replacing(path) as file:
        file.write(data)
    return lost_in(match, format)


def written(match: Match, format: str) -> bytes:
    """A match as the bytes of a file; see `write_match`."""
    if format == "record":
        return record_bytes(match)
    if format not in WRITERS:
        raise FormatError(f"{format!r} is not written; match files are written as {kinds()}")
    return WRITERS[format].write(match).encode("utf-8", "replace")


def kinds() -> str:
    """What can be written, for messages."""
    names = [f"{suffix} ({name})" for name, suffix in FORMATS.items()]
    return f"{', '.join(names[:-1])} or {names[-1]}"


def lost_in(match: Match, format: str) -> tuple[str, ...]:
    """What a match holds and a format doesn't."""
    writer = WRITERS[format] if format in WRITERS else Writer("", str, False, True, False)
    turns = [turn for game in match.games for turn in game.turns]
    lost = []
    if not writer.keeps_comments and (count := sum(bool(t.comment) for t in turns) + _comments(match)):
        lost.append(f"{count} comments")
    if not writer.keeps_analysis and any(turn.kept for turn in turns):
        lost.append("analysis")
    if format == "record" and any(rating is not None for rating in match.ratings):
        lost.append("ratings")
    if format in ("mat", "txt") and any(game.cube > 1 and game.owner is None for game in match.games):
        lost.append("automatic doubles")
    if not writer.keeps_tags:
        lost += [f"the tag {name}" for name, _ in match.info if name not in ("AN", "GC", "WR", "BR", "AP")]
        if match.beavers is not None:
            lost.append("whether there are beavers")
        if match.comment:
            lost.append("the comment about the match")
    return tuple(lost)


def _comments(match: Match) -> int:
    return sum(bool(game.comment) for game in match.games)
