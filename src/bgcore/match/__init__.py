"""What people do around the plays: who begins, matches of several games, scoring laid over a game.

Frozen values and functions; nothing here reads dice from anywhere or writes anything anywhere.

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
`random_game`   one random game, play by play
==============  ========================================================================
"""

from bgcore.match.gul_bar import GulBar
from bgcore.match.opening import Opening
from bgcore.match.tavli import TavliMatch, best_of_three, tabla_match

__all__ = ["GulBar", "Opening", "TavliMatch", "best_of_three", "tabla_match"]
