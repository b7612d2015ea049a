"""What every bot on the list keeps to, also those that come later.

The same view and the same stream give the same choice, whatever is hidden; the view is left as it
was; the choice is legal; and nothing of it depends on the process.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from five211 import Match, Rules, stream, view
from five211.bots import Bot, Entry, entries, make
from five211.simulate import play_match
from five211.view import View
from tests.bots.positions import position
from tests.conftest import SOAK
from tests.tables import other_worlds, replayed

BOTS = entries()
SEEDS = range(20 if SOAK else 1)
WORLDS = 5 if SOAK else 2
every_bot = pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.name)
every_table = pytest.mark.parametrize("players", [2, 3, 4, 5])


def turns_of(rules: Rules) -> list[int]:
    """The turns of the first rounds and of the last one, which has no pile to draw from."""
    last = 3 * (rules.rounds - 1)
    return [0, 1, 2, 4, last - 1, last, last + 1, last + 2]


@every_table
@every_bot
def test_what_is_hidden_changes_no_choice(bot: Entry, players: int) -> None:
    one = bot.make()
    for seed in SEEDS:
        for turns in turns_of(Rules.of(players)):
            match = position(Rules.of(players), seed, turns)
            seat = (seed + turns) % players
            mine, rng = view(match, seat), stream(seed, "worlds", turns)
            before = repr(mine)
            chosen = one.choose(mine, stream(seed, "bot"))
            assert repr(mine) == before
            for _ in range(WORLDS):
                world = replayed(match, other_worlds(match, seat, rng))[-1]
                assert world.state.deck != match.state.deck
                theirs = view(world, seat)
                assert theirs == mine
                # another bot of the kind, too: it has no memory that the first one would have
                assert bot.make().choose(theirs, stream(seed, "bot")) == chosen


class Checked:
    """A bot whose every choice is looked at."""

    def __init__(self, bot: Bot) -> None:
        self.bot, self.choices = bot, 0

    def choose(self, view: View, rng: object) -> object:
        """What it chose, if it may."""
        cards = self.bot.choose(view, rng)  # type: ignore[arg-type]
        assert cards in view.choices
        assert type(cards) is tuple
        self.choices += 1
        return cards


@pytest.mark.parametrize("variant", ["standard", "long"])
@every_table
@every_bot
def test_every_choice_of_whole_games_is_legal(bot: Entry, players: int, variant: str) -> None:
    rules = Rules.of(players, variant)
    for seed in SEEDS:
        watched = Checked(bot.make())
        others = [make("random")] * (players - 1)
        match = play_match(rules, [watched, *others], seed)  # type: ignore[list-item]
        assert watched.choices == sum(3 * len(deal.rounds) for deal in match.deals)


TOLD = """
from five211 import Rules, stream, view
from five211.bots import entries
from tests.bots.positions import position
for bot in entries():
    for players in (2, 4):
        for turns in (0, 1, 5, 3 * Rules.of(players).rounds - 1):
            now = view(position(Rules.of(players), 7, turns), 1)
            print(bot.name, players, turns, *bot.make().choose(now, stream("same", "bot")))
"""


def test_a_seed_is_the_same_choices_in_every_process() -> None:
    told = []
    for hashes in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hashes}
        command = [sys.executable, "-c", TOLD]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        told.append(done.stdout)
    assert told[0] == told[1]
    assert len(told[0].splitlines()) == len(BOTS) * 8


def test_these_tests_could_fail() -> None:
    """A bot that sees the deck is found out."""
    match: Match = position(Rules.of(3), 1, 4)

    class Peeping:
        def choose(self, view: View, _rng: object) -> object:
            return view.choices[hash(seen.state.pile) % len(view.choices)]

    found = set()
    for number in range(8):
        seen = replayed(match, other_worlds(match, 0, stream(number)))[-1]
        found.add(Peeping().choose(view(seen, 0), None))
    assert len(found) > 1
