"""``bgcore play``: a match in the terminal against a bot, or between two bots, with a record on disk."""

from __future__ import annotations

import hashlib
import secrets
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from bgcore.cli.arguments import read_rules
from bgcore.cli.record_text import entry_text, print_summary, side
from bgcore.dice import Dice, ProvableDice
from bgcore.dice.provable import MatchDice
from bgcore.draw.board_text import board_text
from bgcore.errors import BgcoreError, RuleError
from bgcore.match.actions import (
    Accept,
    Action,
    Beaver,
    Decline,
    Double,
    Drop,
    MakePlay,
    NextGame,
    Pass,
    Raccoon,
    Resign,
    Roll,
    Take,
)
from bgcore.match.bots import EntryDice, RandomBot, next_entry, seeds
from bgcore.match.clock import US, ClockRules
from bgcore.match.conduct import DIGITAL, TOURNAMENT, ConductRules
from bgcore.match.entries import ClockEvent, Entry
from bgcore.match.opening import Player
from bgcore.match.record import MatchRecord
from bgcore.match.state import MatchState

NAME = "play"
SUMMARY = "Play a match against a bot, and record it."
HELP = (
    "Play a match in the terminal against a bot that plays at random. You are X. Everything is written to the record "
    "as it happens; if the file is there, the match goes on where it was left, with the options that it began with. "
    "With --bots two bots play: the same seed gives the same record, byte for byte, however often it was interrupted."
)
EXAMPLES = (
    "bgcore play --record match.jsonl",
    "bgcore play --length 0 --beavers 2 --record money.jsonl",
    "bgcore play --bots --seed 7 --clock --record bots.jsonl",
)
ASK = "roll, double, resign 1|2|3, quit"
MONEY_CLOCK_MS = 1_800_000


def run(
    record: Annotated[
        Path, typer.Option("--record", metavar="FILE", help="Where it is recorded; goes on with what is there.")
    ] = Path("match.jsonl"),
    length: Annotated[int, typer.Option("--length", min=0, max=999, help="Points that win; 0 is money play.")] = 7,
    rules: Annotated[str, typer.Option("--rules", metavar="NAME", help="The game.")] = "backgammon",
    bots: Annotated[bool, typer.Option("--bots", help="Two bots play; otherwise you play against one.")] = False,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, help="The same seed gives the same dice and bots.")
    ] = None,
    clock: Annotated[bool, typer.Option("--clock", help="With a clock: 2 minutes a point and 12 s a move.")] = False,
    beavers: Annotated[int, typer.Option("--beavers", min=0, max=30, help="Money: redoubles at once allowed.")] = 0,
    automatic: Annotated[
        int, typer.Option("--automatic-doubles", min=0, max=30, help="Money: ties that double the cube.")
    ] = 0,
    games: Annotated[int, typer.Option("--games", min=1, help="Money: how many games are played.")] = 3,
    provable: Annotated[
        bool, typer.Option("--provable", help="Dice with a seed that is committed to, and revealed at the end.")
    ] = False,
    entries: Annotated[
        int | None, typer.Option("--entries", min=1, help="Stop when the record has so many entries.")
    ] = None,
    pace: Annotated[int, typer.Option("--pace", min=0, max=10_000, help="Milliseconds to wait after each entry.")] = 0,
    plays: Annotated[bool, typer.Option("--plays", help="With --bots: print every entry.")] = False,
) -> None:
    """Play until the match is over, somebody quits, or enough was played."""
    if record.exists():
        course = MatchRecord.open(record)
        print(f"Going on with {record}: {len(course)} entries")
        if course.dropped is not None:
            print(f"Left out: {course.dropped}")
    else:
        start = MatchState.new(length, read_rules(rules), beavers=beavers, automatic_doubles=automatic)
        course = begin(record, start, bots, secrets.randbits(63) if seed is None else seed, clock, provable)
    bots = course.header.info.get("mode", "bots") == "bots"
    table = Table(course, bots, chosen_seed(course, seed))
    with course:
        try:
            table.play(entries, games, pace / 1000, plays)
        except EOFError:
            table.leave()
    if bots or course.closed:
        print()
        print_summary(course.header, course.entries(), course.state)
    print(f"Record       {record}, {len(course)} entries, head {course.head}")


def begin(path: Path, start: MatchState, bots: bool, seed: int, clock: bool, provable: bool) -> MatchRecord:
    """A new record."""
    conduct = TOURNAMENT if bots else DIGITAL
    if clock:
        timed = US if start.length else ClockRules(extra_ms=MONEY_CLOCK_MS)
        conduct = ConductRules.from_json(conduct.to_json() | {"clock": timed.to_json()})
    info = {"mode": "bots" if bots else "play"} | ({} if provable else {"seed": str(seed)})
    return MatchRecord.create(
        path, start, match_id=hashlib.sha256(f"bgcore play {seed}".encode()).hexdigest()[:16],
        players=("random bot" if bots else "you", "random bot"), conduct=conduct,
        dice="per_match" if provable else None, source="provable" if provable else "seeded", info=info,
    )  # fmt: skip


def chosen_seed(course: MatchRecord, seed: int | None) -> int:
    """The seed that a record was begun with: it says so, but with provable dice, where it is secret until the end."""
    known = course.header.info.get("seed")
    if known is not None and known.isascii() and known.isdigit():
        if seed not in (None, int(known)):
            raise RuleError(f"the record was begun with --seed {known}, not {seed}")
        return int(known)
    if seed is None:
        raise RuleError("give the --seed that the record was begun with: with provable dice it is not written down")
    return seed


class Table:
    """Where the match is played: who sits there, the dice, the record.

    Parameters
    ----------
    course : MatchRecord
    bots : bool
    seed : int
    """

    def __init__(self, course: MatchRecord, bots: bool, seed: int) -> None:
        self.course, self.bots = course, bots
        self.bot = RandomBot(seed)
        self.dice: Dice = EntryDice(seed)
        if course.proof is not None:
            self.dice = provable_dice(course, seed)
        self.began = time.monotonic()  # the human's segment, or this session

    def play(self, entries: int | None, games: int, pause: float, plays: bool) -> None:
        """Play on; EOFError when the human leaves."""
        course = self.course
        deciders = (self.bot, self.bot) if self.bots else (self.ask, self.bot)
        self.prove()
        while not course.closed and (entries is None or len(course) < entries):
            entry = next_entry(course, deciders, self.dice, self.thinks)
            assert entry is not None
            if entry == NextGame() and course.state.is_money and course.state.game >= games:
                course.finish(f"{games} game{'s' if games > 1 else ''} played", sync=not self.bots)
                break
            self.record(entry, plays)
            if pause:
                time.sleep(pause)
        self.prove()
        course.sync()

    def prove(self) -> None:
        """Write down what provable dice have to show now."""
        if isinstance(self.dice, MatchDice):
            for entry in seeds(self.course, self.dice):
                self.course.append(entry)

    def record(self, entry: Action | Entry, plays: bool) -> None:
        """Append an entry, and say what has happened."""
        before = len(self.course)
        self.course.append(entry, sync=not self.bots)
        if isinstance(entry, ClockEvent):
            self.began = time.monotonic()
        if plays or not self.bots:
            for line in self.course.entries(before):
                if plays or line["kind"] != "clock":
                    print(entry_text(line))

    def thinks(self, player: Player, entry: int) -> int:
        """Milliseconds of a segment: of a bot as it says, of the human by the machine's clock."""
        if self.bots or player == 1:
            return self.bot.thinks(player, entry) if self.bots else 1000
        return int((time.monotonic() - self.began) * 1000)

    def stop_clock(self) -> None:
        """The clock stands while nobody plays."""
        clock = self.course.clock
        if clock is not None and clock.running is not None:
            assert clock.since is not None
            self.course.append(ClockEvent("stop", clock.since + self.thinks(clock.running, len(self.course))))

    def leave(self) -> None:
        """The human leaves the table; the match can go on later."""
        self.stop_clock()
        print("\nThe match can go on later: the same command with the same --record.")

    # ---- the human

    def ask(self, state: MatchState, player: Player, entry: int) -> Action:
        """What the human does, asked until it is something that may be done."""
        self.show(state)
        question, answer = self.question(state)
        while True:
            print(f"{question}> ", end="", flush=True)
            line = sys.stdin.readline()
            if not line or line.strip().lower() in ("quit", "q", "exit"):
                raise EOFError
            text = " ".join(line.lower().split())
            if text in ("?", "help", "plays"):
                self.help(state)
                continue
            try:
                action = answer(text)
                state.apply(Roll(1, 1) if action == Roll() else action)  # what may not be done is said here
            except BgcoreError as error:
                print(f"  {error}")
                continue
            return action

    def question(self, state: MatchState) -> tuple[str, Callable[[str], Action]]:
        """What is asked, and how an answer is read."""
        if state.pending == "resignation":
            assert state.resigned is not None
            level = ("a single game", "a gammon", "a backgammon")[state.resigned[0] - 1]
            return f"O offers to resign {level}: accept, decline", lambda text: read_word(
                text, {"accept": Accept(), "yes": Accept(), "decline": Decline(), "no": Decline()}
            )
        if state.phase == "offered":
            words: dict[str, Action] = {"take": Take(), "drop": Drop(), "pass": Drop()}
            words |= {"beaver": Beaver(), "raccoon": Raccoon()}
            allowed = ", ".join(action.kind for action in state.actions())
            return f"the cube is offered at {2 * state.cube}: {allowed}", lambda text: read_word(text, words)
        if state.phase == "to_play":
            assert state.dice is not None
            if not state.legal_plays():
                return f"{state.dice[0]}-{state.dice[1]}: nothing can be played; pass", lambda text: Pass()
            return f"{state.dice[0]}-{state.dice[1]}: your play, ? for all of them", self.read_play
        asked = ASK if Double() in state.actions() else ASK.replace("double, ", "")
        words = {"roll": Roll(), "": Roll(), "double": Double()}
        words |= {f"resign {level}": Resign(level, 0) for level in (1, 2, 3)}
        return asked, lambda text: read_word(text, words)

    def read_play(self, text: str) -> Action:
        """A play, by its text or by its number in the list."""
        plays = self.course.state.legal_plays()
        if text.isascii() and text.isdigit() and 1 <= int(text) <= len(plays):
            return MakePlay(plays[int(text) - 1])
        if text.startswith("resign ") and text[7:] in ("1", "2", "3"):
            return Resign(int(text[7:]), 0)  # type: ignore[arg-type]
        return MakePlay(text)

    def show(self, state: MatchState) -> None:
        """The board as the human sees it."""
        game = state.rules
        mine = state.on_roll != 1
        position = state.position if mine else state.position.flipped()
        text = board_text(
            position, dice=state.dice if mine else None, geometry=game.geometry, bar=game.contact == "hit"
        )
        print(f"\n{text if mine else text.replace('X on roll', 'O on roll')}")
        owner = "centred" if state.cube_owner is None else f"owned by {side(state.cube_owner)}"
        cube = f"; cube {state.cube}, {owner}" if state.cube_in_play else ""
        print(f"X {state.score[0]}, O {state.score[1]}{cube}{'; Crawford game' if state.is_crawford else ''}")

    def help(self, state: MatchState) -> None:
        """All plays with their numbers, or what can be said."""
        plays = state.legal_plays() if state.phase == "to_play" else ()
        for number, play in enumerate(plays, 1):
            print(f"{number:>4}  {play}")
        if not plays:
            print("  say one of the words before the >, or quit; the match can go on later")


def read_word(text: str, words: dict[str, Action]) -> Action:
    """The action of a word or of the beginning of one."""
    fits = {word: action for word, action in words.items() if word == text or (text and word.startswith(text))}
    found = {fits[text]} if text in fits else set(fits.values())
    if len(found) != 1:
        raise RuleError(f"say one of: {', '.join(word for word in words if word)}")
    return found.pop()


def provable_dice(course: MatchRecord, seed: int) -> MatchDice:
    """The dice of a record from its secret seed; the players' seeds come from it too, since nobody else is there."""
    assert course.proof is not None
    secret = [hashlib.sha256(f"bgcore play {who} {seed}".encode()).digest() for who in ("operator", "X", "O")]
    dice = ProvableDice.per_match(
        course.header.match_id, course.header.start.rules.name, seed=secret[0], index=course.proof.throws
    )
    if course.proof.commitment not in (None, dice.commitment):
        raise RuleError("the record was begun with another --seed")
    for player in (0, 1):
        given = course.proof.seeds[player]
        dice.add_seed(player, secret[1 + player][:16] if given is None else given)
    return dice
