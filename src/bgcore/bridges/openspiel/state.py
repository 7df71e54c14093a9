"""A state of OpenSpiel's backgammon; `bgcore.bridges.openspiel` says what it is for."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, NamedTuple, SupportsIndex

import numpy as np

from bgcore.bridges.openspiel.words import BAR, PAIRS, PASS, CheckerMove, action_text, chance_text, state_text
from bgcore.core.explore import first_state, single_moves
from bgcore.dice import check_roll
from bgcore.errors import RuleError
from bgcore.position import Position

__all__ = ["ACTIONS", "CHANCE", "TERMINAL", "PlayerAction", "State"]

if TYPE_CHECKING:
    from bgcore.bridges.openspiel.game import Game

CHANCE, TERMINAL, NOBODY = -1, -4, -1

ACTIONS = 1352
"""Numbers of actions: two digits of base 26 (the place each checker leaves: 24 the bar, 25 no checker), the first mover
the low one; plus 676 where the lower die moves first."""

HALF = 676
ENCODED_BAR, ENCODED_PASS = 24, 25
NO_MOVE = CheckerMove(PASS, -1, False)

Words = tuple[int, int, int, int]


class PlayerAction(NamedTuple):
    """One entry of a history."""

    player: int
    """-1 for a roll."""
    action: int


class _Past(NamedTuple):
    """What has been done, and the state before."""

    made: PlayerAction
    state: tuple[Words, int, int, int, bool, tuple[int, ...]]


class State:
    """A state of a game; see `Game.new_initial_state`.

    Methods are OpenSpiel's, with its names and results.  What it answers with an abort or an exception of its own is a
    RuleError here.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._words: Words = _words(game.rules.start)  # seen by player 0
        self._player = CHANCE
        self._previous = NOBODY
        self._turns = -1
        self._extra = False
        self._dice: tuple[int, ...] = ()
        self._past: tuple[_Past, ...] = ()
        self._legal: dict[int, tuple[Words, int]] | None = None

    @classmethod
    def at(cls, game: Game, position: Position, player: int, dice: tuple[int, int] | None = None) -> State:
        """See `Game.state_of`."""
        _check_player(player)
        game.rules.outcome(position)
        state = cls(game)
        words = _words(position)
        state._words = words if player == 0 else words[2:] + words[:2]
        state._previous = 1 - player
        state._turns = 0
        if dice is not None:
            larger, smaller = check_roll(dice)
            state._dice = smaller, larger
            state._player = player
        return state

    def __str__(self) -> str:
        own, opp = self._counts()
        boards = own[24:0:-1], opp[1:25]
        return state_text(
            boards, (own[25], opp[25]), (own[0], opp[0]), self._dice, self._player, self._previous, self._extra
        )

    __repr__ = __str__

    # ---- whose turn it is

    def current_player(self) -> int:
        """0 or 1; -1 a roll is due; -4 the game is over."""
        return TERMINAL if self.is_terminal() else self._player

    def is_terminal(self) -> bool:
        """Whether a side has borne off, or the turns are used up."""
        all_off = self._game.rules.checkers
        return self._turns > self._game.max_player_turns or all_off in (self._words[0], self._words[2])

    def is_chance_node(self) -> bool:
        """Whether a roll is due."""
        return self.current_player() == CHANCE

    def is_player_node(self) -> bool:
        """Whether a player has to act."""
        return self.current_player() >= 0

    def is_simultaneous_node(self) -> bool:
        """Never."""
        return False

    def is_mean_field_node(self) -> bool:
        """Never."""
        return False

    def is_initial_state(self) -> bool:
        """Whether nothing has happened."""
        return not self._past

    def num_players(self) -> int:
        """2."""
        return 2

    def num_distinct_actions(self) -> int:
        """1,352."""
        return ACTIONS

    def move_number(self) -> int:
        """Actions and rolls so far."""
        return len(self._past)

    def get_game(self) -> Game:
        """The game."""
        return self._game

    # ---- what can be done

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Outcomes of the roll that is due, and how likely each is.

        Raises
        ------
        RuleError
            No roll is due.
        """
        if not self.is_chance_node():
            raise RuleError("no roll is due; chance outcomes belong to states whose current_player() is -1")
        n = 30 if self._turns == -1 else 36
        return [(outcome, 1 / n) for outcome in range(n)]

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Numbers of the actions of the current player, or of the rolls that are possible; ascending."""
        now = self.current_player()
        if now == TERMINAL or (player is not None and player != now):
            return []
        if now == CHANCE:
            return list(range(30 if self._turns == -1 else 36))
        return sorted(self._actions())

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """The same as 1 among 0: 1,352 for a player, 36 for a roll."""
        mask = [0] * (36 if self.is_chance_node() and player in (None, CHANCE) else ACTIONS)
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def apply_action(self, action: SupportsIndex) -> None:
        """Make an action of the current player, or the roll that is due.

        Raises
        ------
        RuleError
            It is not legal, or the game is over.
        """
        number = operator.index(action)
        now = self.current_player()
        if now == TERMINAL:
            raise RuleError("the game is over")
        if now == CHANCE and not 0 <= number < (30 if self._turns == -1 else 36):
            raise RuleError(f"no roll has the number {number}")
        if now != CHANCE and number not in self._actions():
            raise RuleError(f"action {number} is not legal; legal_actions() says what is")
        before = _Past(
            PlayerAction(now, number),
            (self._words, self._player, self._previous, self._turns, self._extra, self._dice),
        )
        if now == CHANCE:
            self._roll(number)
        else:
            self._move(number)
        self._past = (*self._past, before)
        self._legal = None

    apply_action_with_legality_check = apply_action

    def child(self, action: SupportsIndex) -> State:
        """The state after an action; this one stays as it is."""
        after = self.clone()
        after.apply_action(action)
        return after

    def clone(self) -> State:
        """A copy that goes its own way."""
        copy = State.__new__(State)
        vars(copy).update(vars(self))
        return copy

    def undo_action(self, player: int, action: int) -> None:
        """Take back the last action.

        Raises
        ------
        RuleError
            It was another one, or there is none.
        """
        if not self._past or self._past[-1].made != (player, action):
            raise RuleError(f"action {action} of player {player} is not the last one")
        self._words, self._player, self._previous, self._turns, self._extra, self._dice = self._past[-1].state
        self._past = self._past[:-1]
        self._legal = None

    # ---- what has happened

    def history(self) -> list[int]:
        """Actions and rolls so far."""
        return [past.made.action for past in self._past]

    def full_history(self) -> list[PlayerAction]:
        """The same with who made them."""
        return [past.made for past in self._past]

    def history_str(self) -> str:
        """The same as a text."""
        return ", ".join(map(str, self.history()))

    def serialize(self) -> str:
        """The history, a line each, as `Game.deserialize_state` reads it."""
        return "\n".join(map(str, self.history())) + "\n"

    # ---- what it is worth

    def returns(self) -> list[float]:
        """Points of each player, 0 until a side has borne off."""
        own, opp = self._words[:2], self._words[2:]
        all_off = self._game.rules.checkers
        if all_off not in (own[0], opp[0]):
            return [0.0, 0.0]
        outcome = self._game.rules.outcome(_position(own + opp))
        assert outcome is not None
        points = float(outcome.points)
        return [points, -points] if own[0] == all_off else [-points, points]

    def rewards(self) -> list[float]:
        """What the last action has brought: the same, since nothing is paid before the end."""
        return self.returns()

    def player_return(self, player: int) -> float:
        """Points of one player."""
        return self.returns()[_check_player(player)]

    def player_reward(self, player: int) -> float:
        """The same."""
        return self.player_return(player)

    # ---- what is seen

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """200 numbers: for each place the player's checkers as four units, the opponent's, bars, scores, turn, dice.

        Raises
        ------
        RuleError
            No such player; none was named and none is on turn.
        """
        player = _check_player(self.current_player() if player is None else player)
        sides = self._counts()
        mine, yours = sides[player], sides[1 - player]
        tensor: list[float] = []
        for side, counts in ((player, mine), (1 - player, yours)):
            for count in counts[24:0:-1] if side == 0 else counts[1:25]:
                tensor += UNITS[count]
        for side, counts in ((player, mine), (1 - player, yours)):
            tensor += [float(counts[25]), float(counts[0]), float(self._player == side)]
        first, second = self._dice or (0, 0)
        return [*tensor, float(first), float(second)]

    def observation_string(self, player: int | None = None) -> str:
        """The picture of the state, the same for both."""
        _check_player(self.current_player() if player is None else player)
        return str(self)

    to_string = __str__

    def board(self, player: int, place: int) -> int:
        """Checkers of a player on place 0 to 23, or on the bar (100)."""
        counts = self._counts()[_check_player(player)]
        if place == BAR:
            return counts[25]
        if not 0 <= place < 24:
            raise RuleError(f"a place is 0 to 23, or 100 for the bar, not {place}")
        return counts[24 - place if player == 0 else place + 1]

    @property
    def position(self) -> Position:
        """The position, seen by the player who acts or is about to roll; before the opening roll by player 0.

        In a finished game the opponent of who moved last sees it.
        """
        player = self.current_player()
        if player < 0:
            player = 0 if self._previous == NOBODY else 1 - self._previous
        return _position(self._words if player == 0 else self._words[2:] + self._words[:2])

    # ---- actions and their names

    def action_to_string(self, player: int, action: int | None = None) -> str:
        """The name of an action: with a player, who may be -1 for a roll, or of the current one."""
        if action is None:
            player, action = self.current_player(), player
        if player == CHANCE:
            if not 0 <= action < (30 if self._turns == -1 else 36):
                raise RuleError(f"no roll has the number {action}")
            return chance_text(action, self._turns == -1)
        moves = self.augment_with_hit_info(player, self.spiel_move_to_checker_moves(player, action))
        return action_text(action, player, moves)

    def string_to_action(self, text: str) -> int:
        """The legal action of that name.

        Raises
        ------
        RuleError
            There is none.
        """
        for action in self.legal_actions():
            if self.action_to_string(action) == text:
                return action
        raise RuleError(f"no legal action is called {text[:60]!r}")

    def spiel_move_to_checker_moves(self, player: int, action: int) -> list[CheckerMove]:
        """The two moves that an action's number stands for, in the order in which they are made."""
        _check_player(player)
        if not 0 <= action < ACTIONS:
            raise RuleError(f"an action is 0 to {ACTIONS - 1}, not {action}")
        low_first, rest = divmod(action, HALF)
        low, high = self._rolled()
        return [
            NO_MOVE if digit == ENCODED_PASS else CheckerMove(BAR if digit == ENCODED_BAR else digit, die, False)
            for digit, die in zip((rest % 26, rest // 26), (low, high) if low_first else (high, low), strict=True)
        ]

    def checker_moves_to_spiel_move(self, moves: list[CheckerMove]) -> int:
        """The number of an action of at most two moves, in the order in which they are made."""
        if len(moves) > 2:
            raise RuleError(f"an action is at most two moves, not {len(moves)}")
        _, high = self._rolled()
        first, second = [*moves, NO_MOVE, NO_MOVE][:2]
        low_first = first.pos == PASS or first.num != high
        return 26 * _digit(second.pos) + _digit(first.pos) + HALF * low_first

    def translate_action(self, first: int, second: int, use_high_die_first: bool) -> int:
        """The number of the action that moves from two places, with one die each."""
        low, high = self._rolled()
        dice = (high, low) if use_high_die_first else (low, high)
        return self.checker_moves_to_spiel_move(
            [CheckerMove(place, die, False) for place, die in zip((first, second), dice, strict=True)]
        )

    def augment_with_hit_info(self, player: int, moves: list[CheckerMove]) -> list[CheckerMove]:
        """The moves with what each would hit if it were made first."""
        opposing = self._counts()[1 - _check_player(player)]
        marked = []
        for pos, num, _ in moves:
            end = 0 if pos == PASS else _own_point(player, pos) - num
            marked.append(CheckerMove(pos, num, end > 0 and opposing[25 - end] == 1))
        return marked

    # ---- inside

    def _rolled(self) -> tuple[int, int]:
        """The dice, lower first."""
        if not self._dice:
            raise RuleError("nothing is rolled, so an action means nothing here")
        low, high = self._dice
        return low, high

    def _counts(self) -> tuple[list[int], list[int]]:
        """Checkers of both players on the slots of their own numbering."""
        own_lo, own_hi, opp_lo, opp_hi = self._words
        sides = own_lo | own_hi << 64, opp_lo | opp_hi << 64
        own, opp = ([side >> 4 * slot & 15 for slot in range(26)] for side in sides)
        return own, opp

    def _roll(self, outcome: int) -> None:
        """The dice fall."""
        self._dice = PAIRS[outcome // 2 if outcome < 30 else outcome - 15]
        if self._turns == -1:
            self._player = outcome % 2
            self._turns = 0
        else:
            self._player = 1 - self._previous

    def _move(self, action: int) -> None:
        """A player has moved."""
        player = self._player
        words, used = self._actions()[action]
        self._words = words if player == 0 else words[2:] + words[:2]
        if not self._extra:
            self._turns += 1
        self._previous = player
        if not self._extra and used == 2 and self._dice[0] == self._dice[1]:
            self._extra = True  # the other half of the double
        else:
            self._extra = False
            self._player = CHANCE
            self._dice = ()

    def _actions(self) -> dict[int, tuple[Words, int]]:
        """Every legal action: the words after it, seen by the player who acts, and how many dice it uses."""
        if self._legal is None:
            self._legal = self._find_actions()
        return self._legal

    def _find_actions(self) -> dict[int, tuple[Words, int]]:
        core = self._game.rules.core()
        words = self._words if self._player == 0 else self._words[2:] + self._words[:2]
        low, high = self._rolled()
        orders = [(high, low)] if low == high else [(high, low), (low, high)]
        pairs: dict[int, tuple[Words, int]] = {}
        singles: dict[int, dict[int, tuple[Words, int]]] = {}
        for first, second in orders:
            offset = 0 if first == high else HALF
            for source, _, _, after in single_moves(first_state(words, core), words, first, core):
                number = offset + self._digit_of(source)
                more = single_moves(after, words, second, core)
                for next_source, _, _, end in more:
                    pairs[number + 26 * self._digit_of(next_source)] = _first_four(end), 2
                if not more:
                    singles.setdefault(first, {})[number + 26 * ENCODED_PASS] = _first_four(after), 1
        if pairs:
            return pairs
        if singles:
            return singles[max(singles)]
        return {HALF + 27 * ENCODED_PASS: (words, 0)}

    def _digit_of(self, source: int) -> int:
        """An own point of the player who acts as a digit of an action."""
        return ENCODED_BAR if source == 25 else 24 - source if self._player == 0 else source - 1


UNITS = [
    [float(count == 1), float(count == 2), float(count == 3), float(max(0, count - 3))] for count in range(16)
]  # what the tensor holds for a place with so many checkers


def _first_four(state: tuple[int, ...]) -> Words:
    own_lo, own_hi, opp_lo, opp_hi = state[:4]
    return own_lo, own_hi, opp_lo, opp_hi


def _words(position: Position) -> Words:
    return _first_four(tuple(position.packed.tolist()))


def _position(words: Words) -> Position:
    return Position.from_packed(np.array(words, np.uint64))


def _own_point(player: int, place: int) -> int:
    """A place in the player's own numbering."""
    return 25 if place == BAR else 24 - place if player == 0 else place + 1


def _digit(place: int) -> int:
    """A place as a digit of an action."""
    return {BAR: ENCODED_BAR, PASS: ENCODED_PASS}.get(place, place)


def _check_player(player: int) -> int:
    if player not in (0, 1):
        raise RuleError(f"a player is 0 or 1, not {player!r}")
    return player
