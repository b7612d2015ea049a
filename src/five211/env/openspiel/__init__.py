"""5211 in OpenSpiel: `pyspiel.load_game("python_five211(players=4)")` once this is imported.

Everybody chooses at once and chance deals the cards one by one, when somebody draws them; what
nobody ever draws is never dealt. `pyspiel.convert_to_turn_based` gives the same game seat by seat.
It needs `five211[openspiel]`.
"""

from five211.env.extras import extra

with extra("openspiel"):
    import pyspiel  # noqa: F401

from five211.env.openspiel.game import MINI_NAME, NAME, Five211Game, MiniGame
from five211.env.openspiel.observer import Five211Observer
from five211.env.openspiel.state import Five211State
from five211.env.openspiel.worlds import resampler

__all__ = [
    "MINI_NAME",
    "NAME",
    "Five211Game",
    "Five211Observer",
    "Five211State",
    "MiniGame",
    "resampler",
]
