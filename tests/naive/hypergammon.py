"""Hypergammon, transcribed from its rules; slow on purpose.  Imports nothing of bgcore.

Boards are those of `naive.backgammon`.  A row is what a position is worth to the player on roll: ten numbers, see ROW.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb

from naive.backgammon import ROLLS, Board, flip, is_over, outcome, results_by_level

Row = tuple[float, ...]
Look = Callable[[Board], Row]
ROW = (
    *("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"),
    *("cubeless", "owned", "centred", "centred_jacoby", "opponents"),
)
CUBELESS = ROW.index("cubeless")


def side_id(slots: tuple[int, ...]) -> int:
    """Number one side's checkers, given by their slots (25 the bar): sum over k of C(s_k + k - 1, k)."""
    return sum(comb(sum(slot > 25 - k for slot in slots) + k - 1, k) for k in range(1, 26))


def sides(checkers: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to place at most so many checkers, those off left out."""
    for slots in combinations_with_replacement(range(26), checkers):
        yield tuple(slot for slot in slots if slot)


def board_of(own: tuple[int, ...], opp: tuple[int, ...]) -> Board | None:
    """Return the board with these checkers; None if a point would be shared or both are off."""
    board = [0] * 26
    for slot in own:
        board[slot] += 1
    for slot in opp:
        if slot < 25 and board[25 - slot] > 0:
            return None
        board[25 - slot] -= 1
    return tuple(board) if own or opp else None


def finished(board: Board, checkers: int) -> Row:
    """Return the row of a game that is over."""
    end = outcome(board, checkers)
    assert end is not None
    winner, points = end
    won = tuple(float(points >= least) for least in (1, 2, 3))
    if winner == "own":
        return *won, 0.0, 0.0, points, points, points, 1, points
    return 0.0, 0.0, 0.0, *won[1:], -points, -points, -points, -1, -points


def turned(row: Row) -> Row:
    """Return what a row of the opponent, who is on roll and may double, is worth to the other player."""
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon, cubeless, owned, centred, jacoby, opponents = row
    doubled = min(2 * opponents, 1)  # he passes, or plays on with a cube of his own at twice the stake
    return (
        *(1 - win, lose_gammon, lose_backgammon, win_gammon, win_backgammon, -cubeless),
        *(-opponents, -max(centred, doubled), -max(jacoby, doubled), -max(owned, doubled)),
    )


@lru_cache(1000)
def plays(board: Board) -> list[tuple[int, list[Board]]]:
    """Return of each roll how many of the 36 throws it is, and the boards it leads to, the opponent being on roll."""
    found = []
    for roll in ROLLS:
        after = [flip(end) for end in results_by_level(board, roll) or {board}]
        found.append((1 if roll[0] == roll[1] else 2, after))
    return found


def backup(board: Board, worth: Look, slack: float = 1e-8) -> tuple[Row, Row]:
    """Return the row of a board, as the least and the most it may be, from what boards after a play are worth.

    Equities are exact; chances depend on the choice between plays whose cubeless equities are equal within slack.
    """
    low, high = [0.0] * len(ROW), [0.0] * len(ROW)
    for weight, boards in plays(board):
        rows = [worth(after) for after in boards]
        if len(rows) == 1:
            least = most = rows[0]
        else:
            best = max(row[CUBELESS] for row in rows)
            chosen = [row[:CUBELESS] for row in rows if row[CUBELESS] >= best - slack]
            equities = tuple(map(max, zip(*(row[CUBELESS:] for row in rows), strict=True)))
            least = (*map(min, zip(*chosen, strict=True)), *equities)
            most = (*map(max, zip(*chosen, strict=True)), *equities)
        for column in range(len(ROW)):
            low[column] += weight * least[column]
            high[column] += weight * most[column]
    return tuple(value / 36 for value in low), tuple(value / 36 for value in high)


def solve(checkers: int, tolerance: float) -> dict[Board, Row]:
    """Solve every position by value iteration in place: for one checker only."""
    boards = [board for own in sides(checkers) for opp in sides(checkers) if (board := board_of(own, opp))]
    values = {board: finished(board, checkers) if is_over(board) else (0.0,) * len(ROW) for board in boards}
    worth = {board: turned(row) for board, row in values.items()}
    going = [board for board in boards if not is_over(board)]
    change = 1.0
    while change > tolerance:
        change = 0.0
        for board in going:
            row = backup(board, worth.__getitem__)[0]
            change = max(change, *(abs(new - old) for new, old in zip(row, values[board], strict=True)))
            values[board], worth[board] = row, turned(row)
    return values
