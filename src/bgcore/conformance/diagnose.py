"""Which rule an engine breaks, from what it answered to one roll."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from bgcore.conformance.models import MODELS, RULES, Board, Model, is_over, results
from bgcore.errors import BgcoreError, IllegalPlay
from bgcore.position import Position
from bgcore.rules import BACKGAMMON, Rules

__all__ = ["Diagnoser", "Diagnosis", "written"]

FRAME = "who sees the result"
THOROUGH = 200
"""Wrong answers for which every mistake is tried."""


class Diagnosis(NamedTuple):
    """What is wrong with an answer."""

    rule: str
    why: str


class Diagnoser:
    """Names the rules that wrong answers of one engine may break.

    What it has seen helps it: after `THOROUGH` answers the mistakes that were found so far are tried first.
    """

    def __init__(self) -> None:
        self._answers = 0
        self._seen: Counter[Model] = Counter()

    def __call__(
        self,
        position: Position,
        dice: tuple[int, int],
        legal: frozenset[Position],
        told: frozenset[Position],
        rules: Rules = BACKGAMMON,
        group: str = "",
    ) -> tuple[Diagnosis, ...]:
        """Every explanation of a wrong answer.

        Parameters
        ----------
        position : Position
        dice : (int, int)
        legal, told : frozenset of Position
            What is right and what the engine said, seen by the player who rolls next; not equal.
        rules : Rules
        group : str
            What the question was about, if it was about one rule.

        Returns
        -------
        tuple of Diagnosis
            In backgammon rules of `bgcore.conformance.models.RULES`: those whose breach gives just this answer; if
            there are none, those whose breach gives all that is wrong with it and at most as much again; else one,
            after what the question was about or the plays have in common.
        """
        if told and legal and frozenset(p.flipped() for p in told) == legal:
            return (Diagnosis(FRAME, "the results are right, but seen by the other player than it says"),)
        if rules.name != BACKGAMMON.name:
            return (_of_variant(position, dice, legal, told, rules),)
        board = board_of(position)
        if is_over(board):
            return (Diagnosis("game over", "plays are found in a finished game"),)
        self._answers += 1
        right, answer = _boards(legal), _boards(told)
        if self._answers > THOROUGH:
            for model, _ in self._seen.most_common():
                if results(board, dice, model.switch) == answer:
                    return (Diagnosis(model.rule, model.why),)
        candidates = [(model, results(board, dice, model.switch)) for model in MODELS]
        exact = [model for model, wrong in candidates if wrong == answer]
        self._seen.update(exact)
        if exact:
            return _named(exact)
        if not told:
            return (Diagnosis("no play", "no play is found where there are some"),)
        missing, extra = right - answer, answer - right
        fitting = [
            (len((wrong - right) ^ extra) + len((right - wrong) ^ missing), number, model)
            for number, (model, wrong) in enumerate(candidates)
            if missing <= right - wrong and extra <= wrong - right
        ]
        fitting = [fit for fit in fitting if fit[0] <= len(missing) + len(extra)]
        if fitting:
            return _named([model for _, _, model in sorted(fitting)])
        rule = group if group in RULES else _feature(board, dice, missing | extra)
        return (Diagnosis(rule, _count(missing, extra)),)


def _named(models: list[Model]) -> tuple[Diagnosis, ...]:
    """One diagnosis a rule."""
    found: dict[str, Diagnosis] = {}
    for model in models:
        found.setdefault(model.rule, Diagnosis(model.rule, model.why))
    return tuple(found.values())


def _count(missing: frozenset[Board], extra: frozenset[Board]) -> str:
    parts = []
    if missing:
        parts.append(f"{len(missing)} legal play{'s are' if len(missing) > 1 else ' is'} missing")
    if extra:
        parts.append(f"{len(extra)} result{'s' if len(extra) > 1 else ''} no legal play leads to")
    return ", ".join(parts)


def _feature(board: Board, dice: tuple[int, int], about: Iterable[Board]) -> str:
    """The rule that differing plays have in common, by what they do."""
    boards = list(about)
    if board[25]:
        return "bar"
    if all(sum(n for n in after if n > 0) < sum(n for n in board if n > 0) for after in boards):
        return "bear-off"
    if dice[0] == dice[1]:
        return "doubles"
    return "hits" if all(after[0] < board[0] for after in boards) else "closed points"


def _of_variant(
    position: Position, dice: tuple[int, int], legal: frozenset[Position], told: frozenset[Position], rules: Rules
) -> Diagnosis:
    extra = sorted(told - legal)
    missing = len(legal - told)
    why = f"{missing} missing, {len(extra)} too many"
    for result in extra:
        play = written(position, result, rules)
        try:
            rules.check(position, dice, play)
        except IllegalPlay as error:
            return Diagnosis(f"{rules.name}: {error.reason}", why)
        except BgcoreError:
            continue
    return Diagnosis(f"{rules.name}: {'plays are missing' if missing else 'no such play'}", why)


def board_of(position: Position) -> Board:
    """A position as the models see it."""
    return tuple(position.board.tolist())


def _boards(found: frozenset[Position]) -> frozenset[Board]:
    """Results as boards seen by the player who moved."""
    return frozenset(board_of(p.flipped()) for p in found)


# ---- in words


def written(before: Position, after: Position, rules: Rules = BACKGAMMON) -> str:
    """A play that is not legal, from its result: where the player's checkers left and where they came, in pairs.

    `after` is seen by the player who rolls next.
    """
    old, new = before.counts[0].astype(int), after.counts[1].astype(int)
    sources: list[int] = []
    targets: list[int] = []
    for point in range(25, -1, -1):
        change = int(new[point] - old[point])
        (targets if change > 0 else sources).extend([point] * abs(change))
    if len(sources) != len(targets):
        return f"to {rules.text(after.flipped())}" if rules.geometry == "parallel" else f"to {after.gnubg_id}"
    if not sources:
        return "no move"
    name = {25: "bar", 0: "off"}
    return " ".join(f"{name.get(a, a)}/{name.get(b, b)}" for a, b in zip(sources, targets, strict=True))
