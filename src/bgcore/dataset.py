"""Matches as plain columns: one row a turn, for training, statistics and data frames.

`columns` makes numpy arrays, `to_arrow` a pyarrow table of them, `write` a Parquet or Arrow file of folders of match
files, in pieces, so that any number of them fits into memory.  pyarrow comes with the extra ``formats``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgcore.errors import FormatError
from bgcore.files import replacing
from bgcore.formats.folders import match_files, over_files
from bgcore.formats.matches import MOST_BYTES, read_match
from bgcore.match.opening import other
from bgcore.match.transcript import Match, Step

__all__ = ["ACTIONS", "COLUMNS", "ENDINGS", "LEGALITY", "Written", "columns", "concatenated", "to_arrow", "write"]

Columns = dict[str, NDArray[Any]]

ACTIONS = ("play", "double", "take", "drop", "beaver", "raccoon")
"""What the numbers of the column ``action`` mean."""
LEGALITY = ("legal", "illegal", "unknown")
"""What the numbers of the column ``legality`` mean; turns about the cube are 0."""
ENDINGS = ("unfinished", "played", "dropped", "resigned", "settled", "time", "forfeited", "unknown")
"""What the numbers of the column ``ending`` mean."""

MOST_MOVES = 4
TEXT = np.dtypes.StringDType()
COLUMNS: dict[str, tuple[Any, tuple[int, ...], str]] = {
    "file": (TEXT, (), "the file that the match is from"),
    "game": (np.int32, (), "place of the game in the match, from 0"),
    "turn": (np.int32, (), "place of the turn in the game, from 0"),
    "player": (np.int8, (), "who acts: 0 or 1"),
    "name": (TEXT, (), "his name"),
    "rating": (np.float32, (), "his rating; NaN: unknown"),
    "action": (np.int8, (), "what he does, see ACTIONS"),
    "position": (np.uint64, (4,), "packed, before the turn, seen by him; zeros: unknown"),
    "dice": (np.int8, (2,), "as the file has them; 0 in turns about the cube"),
    "moves": (np.int8, (MOST_MOVES, 3), "source, target, flags (1: hit) of each move of a legal play; unused: -1"),
    "play": (TEXT, (), "the play as a text; an illegal one as it stood"),
    "result": (np.uint64, (4,), "packed, after a play, seen by the opponent; zeros: unknown, or no play"),
    "legality": (np.int8, (), "of a play, see LEGALITY"),
    "cube": (np.int32, (), "before the turn; while an answer is due the one before the double"),
    "owner": (np.int8, (), "of that cube: 1 he, -1 the opponent, 0 centred"),
    "score": (np.int32, (2,), "before the game: his and the opponent's"),
    "length": (np.int32, (), "points that win the match; 0: money play"),
    "crawford": (np.bool_, (), "whether it is the Crawford game"),
    "jacoby": (np.int8, (), "1 yes, 0 no, -1 unknown"),
    "points": (np.int32, (), "what he wins by the game, negative if he loses it; 0: unfinished"),
    "ending": (np.int8, (), "how the game ends, see ENDINGS"),
}
"""Type, shape of a row, and meaning of every column."""

GROUP = 131_072
"""Rows of a piece of a file: large enough to compress well, small enough for a thousand at once."""
SUFFIXES = (".parquet", ".arrow", ".feather")


def columns(matches: Match | Iterable[Match], *, files: Iterable[str] | None = None) -> Columns:
    """The turns of matches as arrays.

    Parameters
    ----------
    matches : Match or iterable of Match
    files : iterable of str, optional
        What to put into the column ``file``; as many as matches.

    Returns
    -------
    dict of str to numpy.ndarray
        The keys of `COLUMNS`, each array with one row a turn.

    Examples
    --------
    >>> from bgcore.match.transcript import Game, Match, Turn
    >>> from bgcore import BACKGAMMON
    >>> play = BACKGAMMON.check(BACKGAMMON.start, (3, 1), "8/5 6/5")
    >>> found = columns(Match(("Ann", "Bob"), 5, (Game((Turn(0, "play", (3, 1), play, play.result),)),)))
    >>> found["position"].shape, found["dice"].tolist(), found["name"].tolist(), found["moves"][0, 0].tolist()
    ((1, 4), [[3, 1]], ['Ann'], [8, 5, 0])
    """
    rows: list[tuple[Any, ...]] = []
    names = iter(files) if files is not None else None
    for match in (matches,) if isinstance(matches, Match) else matches:
        rows += rows_of(match, next(names) if names is not None else "")
    cells: Iterable[tuple[Any, ...]] = zip(*rows, strict=True) if rows else ((),) * len(COLUMNS)
    return {
        name: np.array(values, kind).reshape(-1, *shape)
        for (name, (kind, shape, _)), values in zip(COLUMNS.items(), cells, strict=True)
    }


def rows_of(match: Match, file: str) -> Iterator[tuple[Any, ...]]:
    """The rows of one match."""
    jacoby = -1 if match.jacoby is None else int(match.jacoby)
    ratings = [np.nan if rating is None else rating for rating in match.ratings]
    for place, game in enumerate(match.games):
        end = game.end
        ending = ENDINGS.index("unfinished" if end is None else end.how)
        points = (0, 0) if end is None else (end.points, -end.points)[:: 1 if end.winner == 0 else -1]
        for number, step in enumerate(game.steps()):
            player = step.turn.player
            yield (
                file, place, number, player, match.names[player], ratings[player],
                *turn_of(step), (game.score[player], game.score[other(player)]),
                match.length, game.crawford, jacoby, points[player], ending,
            )  # fmt: skip


NO_WORDS = (0, 0, 0, 0)
NO_MOVE = (-1, -1, -1)


def turn_of(step: Step) -> tuple[Any, ...]:
    """From action to owner."""
    turn = step.turn
    moves: tuple[tuple[int, int, int], ...] = ()
    if turn.play is not None:
        moves = tuple((source, target, hit) for source, target, hit, _ in turn.play.moves)
    owner = 0 if step.owner is None else 1 if step.owner == turn.player else -1
    return (
        ACTIONS.index(turn.action),
        NO_WORDS if step.position is None else step.position.packed,
        turn.dice or (0, 0),
        moves + (NO_MOVE,) * (MOST_MOVES - len(moves)),
        str(turn.play) if turn.play is not None else turn.text,
        NO_WORDS if turn.result is None else turn.result.packed,
        1 if turn.is_illegal else 2 if turn.is_unknown else 0,
        step.cube,
        owner,
    )


def concatenated(pieces: Iterable[Columns]) -> Columns:
    """Columns one after the other.

    Parameters
    ----------
    pieces : iterable of dict
        As `columns` makes them.

    Returns
    -------
    dict of str to numpy.ndarray
    """
    found = list(pieces)
    if not found:
        return columns(())
    return {name: np.concatenate([piece[name] for piece in found]) for name in COLUMNS}


def to_arrow(table: Columns) -> Any:
    """Columns as a pyarrow table; arrays with rows of several numbers become lists of a fixed size.

    Parameters
    ----------
    table : dict
        As `columns` makes them.

    Returns
    -------
    pyarrow.Table

    Raises
    ------
    FormatError
        pyarrow is not installed.
    """
    arrow = pyarrow()
    arrays = {}
    for name, (kind, shape, _) in COLUMNS.items():
        values = table[name]
        if kind is TEXT:
            # Not dictionaries: those of an Arrow file may not change from batch to batch, and Parquet makes its own.
            array = arrow.array(values.tolist(), arrow.string())
        else:
            array = arrow.array(np.ascontiguousarray(values).reshape(-1))
            if shape:
                array = arrow.FixedSizeListArray.from_arrays(array, int(np.prod(shape)))
        arrays[name] = array
    return arrow.table(arrays)


def pyarrow() -> Any:
    """The package, or what to do about it."""
    try:
        import pyarrow as package
    except ImportError:
        message = 'Parquet and Arrow need the package pyarrow; add it with:  pip install "bgcore[formats]"'
        raise FormatError(message) from None
    return package


# ---- files ----------------------------------------------------------------------------------------------------------


class Written(NamedTuple):
    """What a data set was made of."""

    rows: int
    files: int
    """Match files that are in it."""
    failed: tuple[str, ...]
    """Why other files are not."""
    notes: tuple[str, ...]
    """What was odd, with the name of the file."""


class Piece(NamedTuple):
    """One file as columns, or why not."""

    table: Columns | None
    error: str
    notes: tuple[str, ...]


def write(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    strict: bool = False,
    max_bytes: int = MOST_BYTES,
    rows: int = GROUP,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Written:
    """Make a data set of a folder of match files, or of one.

    Parameters
    ----------
    source : path
        A folder, with the folders in it, or a file.
    target : path
        ``.parquet``, or ``.arrow`` or ``.feather`` for an Arrow file.  Written whole or not at all.
    strict, max_bytes
        As in `bgcore.read_match`; a file that is refused is left out and told of.
    rows : int
        Of a piece (row group, record batch) of the file.
    workers, executor, progress
        As in `bgcore.formats.folders.over_files`.

    Returns
    -------
    Written

    Raises
    ------
    FormatError
        Nothing to read; a suffix that is not known; pyarrow is not installed.
    OSError
        The file cannot be written.
    """
    suffix = os.path.splitext(os.fspath(target))[1].lower()
    if suffix not in SUFFIXES:
        raise FormatError(f"{os.fspath(target)}: a data set is written as {', '.join(SUFFIXES)}")
    if rows < 1:
        raise ValueError(f"rows must be at least 1, not {rows}")
    pyarrow()
    root = Path(source)
    files = match_files(root)
    failed: list[str] = []
    notes: list[str] = []
    count = 0
    work = partial(read_piece, root if root.is_dir() else root.parent, strict, max_bytes)
    with replacing(target) as file, Sink(file, suffix) as sink:
        waiting: list[Columns] = []
        held = 0
        for piece in over_files(work, files, workers=workers, executor=executor, progress=progress):
            notes += piece.notes
            if piece.table is None:
                failed.append(piece.error)
                continue
            waiting.append(piece.table)
            held += len(piece.table["turn"])
            while held >= rows:
                table = concatenated(waiting)
                sink.write(to_arrow({name: values[:rows] for name, values in table.items()}))
                waiting = [{name: values[rows:] for name, values in table.items()}]
                held -= rows
                count += rows
        if held:
            sink.write(to_arrow(concatenated(waiting)))
            count += held
    return Written(count, len(files) - len(failed), tuple(failed), tuple(notes))


def read_piece(root: Path, strict: bool, max_bytes: int, path: Path) -> Piece:
    """One file as columns."""
    try:
        match = read_match(path, strict=strict, max_bytes=max_bytes)
    except (FormatError, OSError) as error:
        return Piece(None, str(error), ())
    name = path.relative_to(root).as_posix()
    return Piece(columns(match, files=(name,)), "", tuple(f"{path}: {note}" for note in match.notes))


class Sink:
    """A Parquet or Arrow file that tables are written to, one after the other."""

    def __init__(self, file: Any, suffix: str) -> None:
        arrow = pyarrow()
        schema = to_arrow(columns(())).schema
        if suffix == ".parquet":
            from pyarrow import parquet

            self._writer = parquet.ParquetWriter(file, schema, compression="zstd")
        else:
            self._writer = arrow.ipc.new_file(file, schema)

    def __enter__(self) -> Sink:
        return self

    def write(self, table: Any) -> None:
        """Append a table."""
        self._writer.write_table(table)

    def __exit__(self, *raised: object) -> None:
        self._writer.close()
