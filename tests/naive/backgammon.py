"""The play of a roll in backgammon, transcribed from the rules; slow on purpose.  Imports nothing of bgcore.

A board is 26 ints seen by the player on roll: 1-24 his points (own checkers positive, the opponent's negative),
25 his bar, 0 the opponent's bar (negative or zero).  Who has fewer than ``checkers`` there has borne off the rest.
A move is (source, target), 25 the bar and 0 off.  Rules: both dice if possible, else the larger; doubles four times.
"""

from collections.abc import Iterator
from itertools import permutations

Board, Move = tuple[int, ...], tuple[int, int]
ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


def flip(board: Board) -> Board:
    """Return the board as the other player sees it."""
    return tuple(-count for count in reversed(board))


def is_over(board: Board) -> bool:
    """Tell whether one of the players has no checker left."""
    return max(board) <= 0 or min(board) >= 0


def moves(board: Board, die: int) -> list[Move]:
    """Return every move of one checker with one die."""
    return [(source, max(source - die, 0)) for source in range(1, 26) if can_move(board, source, die)]


def can_move(board: Board, source: int, die: int) -> bool:
    """Tell whether the player on roll has a checker there and may move it with that die."""
    if board[source] <= 0 or (board[25] and source != 25):
        return False
    if source > die:
        return board[source - die] >= -1  # at most a blot
    all_home = max(board[7:]) <= 0
    return all_home and (source == die or max(board[source + 1 :]) <= 0)


def apply(board: Board, move: Move) -> Board:
    """Return the board after one move; a blot that is met goes to the bar."""
    after, (source, target) = list(board), move
    after[source] -= 1
    if target > 0 and after[target] == -1:
        after[target], after[0] = 0, after[0] - 1
    if target > 0:
        after[target] += 1
    return tuple(after)


def orders(roll: tuple[int, int]) -> set[tuple[int, ...]]:
    """Return the orders in which the dice can be played: a double is four dice."""
    return set(permutations(roll)) if roll[0] != roll[1] else {roll + roll}


def _continue(board: Board, dice: tuple[int, ...]) -> Iterator[tuple[list[tuple[int, Move]], Board]]:
    choices = moves(board, dice[0]) if dice and not is_over(board) else []
    for move in choices:
        for rest, final in _continue(apply(board, move), dice[1:]):
            yield [(dice[0], move), *rest], final
    if not choices:
        yield [], board


def sequences(board: Board, roll: tuple[int, int]) -> dict[tuple[Move, ...], Board]:
    """Return every legal way to play a roll, move by move, with its final board; empty if nothing can be moved."""
    found = [each for dice in orders(roll) for each in _continue(board, dice)]
    longest = max(len(path) for path, _ in found)
    found = [(path, final) for path, final in found if len(path) == longest > 0]
    if longest == 1:  # one die only: the larger if it can be played
        larger = max(path[0][0] for path, _ in found)
        found = [(path, final) for path, final in found if path[0][0] == larger]
    return {tuple(move for _, move in path): final for path, final in found}


def results(board: Board, roll: tuple[int, int]) -> set[Board]:
    """Return the final boards of all legal plays, still seen by the player who moved."""
    return set(sequences(board, roll).values())


def results_by_level(board: Board, roll: tuple[int, int]) -> set[Board]:
    """Return the same as `results`, faster: die by die, all boards so far as a set, in every order of the dice."""
    ends: dict[tuple[int, int], set[Board]] = {}
    for dice in orders(roll):
        level, used = {board}, 0
        while used < len(dice):
            further = {apply(b, move) for b in level if not is_over(b) for move in moves(b, dice[used])}
            if not further:
                break
            level, used = further, used + 1
        ends.setdefault((used, dice[0] if used == 1 else 0), set()).update(level)
    longest = max(ends)  # most dice; of single dice the larger
    return ends[longest] if longest[0] else set()


def next_moves(board: Board, roll: tuple[int, int]) -> dict[tuple[Move, ...], set[Move]]:
    """Return, for every beginning of every legal way to play a roll, the moves that may follow it."""
    following: dict[tuple[Move, ...], set[Move]] = {(): set()}
    for path in sequences(board, roll):
        for made in range(len(path) + 1):
            following.setdefault(path[:made], set()).update(path[made : made + 1])
    return following


def replay(board: Board, roll: tuple[int, int], path: tuple[Move, ...]) -> list[Board] | None:
    """Return the boards before, between and after moves made with the dice of a roll; None if one is not allowed."""
    for dice in orders(roll):
        boards = [board]
        for die, (source, target) in zip(dice, path, strict=False):
            if can_move(boards[-1], source, die) and target == max(source - die, 0):
                boards.append(apply(boards[-1], (source, target)))
        if len(boards) == len(path) + 1:
            return boards
    return None


def outcome(board: Board, checkers: int = 15) -> tuple[str, int] | None:
    """Return the winner, "own" or "opp", and 1 to 3 points (none off: 2; then on the bar or in his home: 3)."""
    if not is_over(board):
        return None
    winner, seen = ("own", board) if max(board) <= 0 else ("opp", flip(board))
    if -sum(seen) < checkers:
        return winner, 1
    return winner, 3 if min(seen[:7]) < 0 else 2


def perft(board: Board, depth: int) -> int:
    """Return the number of lines of play: every roll at every ply, a pass counts one, a won game ends its line."""
    if depth == 0 or is_over(board):
        return 1
    return sum(perft(flip(b), depth - 1) for roll in ROLLS for b in results_by_level(board, roll) or {board})
