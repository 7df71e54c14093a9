"""What people do around the plays: who begins, matches of several games, scoring laid over a game.

Frozen values and functions; only `record` and what it stands on touches a file, and nothing reads dice or the time of
day from the machine.

==============  ========================================================================
`actions`       what can be done in a match: roll, play, double, take, resign and so on
`state`         `MatchState`: what may be done now, and what comes of it
`cube`          options of a match, what a game pays
`ids`           states as XGIDs and GNU Backgammon's IDs, and back
`refusals`      why an action or a state is refused
`opening`       who begins a game, and with which roll
`tavli`         the Tavli match, the Bulgarian match, and matches at random to look at
`gul_bar`       Gül Bar: points for men left and for blockades, over any game
`cascade`       the doubles of Gul bara, stage by stage, and what is left to the opponent
`last_roll`     a last roll for the second player, which may draw
`random_game`   one random game, play by play
`conduct`       `ConductRules`: every option of how people behave at the board, and what follows
`turn`          `Turn`: one turn at the board, until nothing about it can be changed any more
`clock`         clocks, and when a flag has fallen
`record`        `MatchRecord`: the append-only record of a match, on disk
`ledger`        what may follow in a record, and how it is written
`header`        the first line of a record
`entries`       what a record holds beside actions
`proof`         provable dice, followed through a record
`journal`       the file: lines chained by hashes
`verify`        whether a record is what it was
`transcript`    a match as somebody wrote it down: `Match`, `Game`, `Turn`
`replay`        such a match played again by the rules, and recorded; a record as such a match
`signing`       keys that sign records
`bots`          players at random, and the loop that lets two play
==============  ========================================================================
"""

from bgcore.match.gul_bar import GulBar
from bgcore.match.opening import Opening
from bgcore.match.tavli import TavliMatch, best_of_three, tabla_match

__all__ = ["GulBar", "Opening", "TavliMatch", "best_of_three", "tabla_match"]
