"""A board as SVG: one file a part, of which `picture` is the one to call.

============  =======================================================================
`picture`     `svg`: a position, a state or a play as a picture
`scene`       what there is to see, also in the state of a match
`layout`      where everything is
`parts`       the parts of a picture
`arrows`      where the checkers of a play go
`glyphs`      digits and letters as strokes
`themes`      colours
============  =======================================================================
"""

from bgcore.draw.board_svg.picture import svg
from bgcore.draw.board_svg.themes import THEMES, Theme

__all__ = ["THEMES", "Theme", "svg"]
