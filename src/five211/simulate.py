"""Whole games between bots, played with the readable engine.

The same seed gives the same games, one by one: game g has its own streams for the decks and for
each seat's bot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from five211.bots import Bot, Entry, entry
from five211.chance import shuffled, stream
from five211.errors import GameError
from five211.match import Match
from five211.record import DEFAULT_EDITION, Player, Record
from five211.rules import Rules
from five211.view import view


def seat_bots(rules: Rules, bots: Sequence[str | Entry]) -> tuple[Entry, ...]:
    """A bot for each seat: one for all, or one a seat."""
    if len(bots) not in (1, rules.players):
        raise GameError("bots_number", n=len(bots), needed=rules.players)
    return tuple(entry(bot) for bot in bots) * (rules.players // len(bots))


def play_match(rules: Rules, bots: Sequence[Bot], seed: int | str, game: int = 0) -> Match:
    """One whole game."""
    streams = [stream(seed, "bot", game, seat) for seat in range(rules.players)]
    match = Match(rules)
    while not match.over:
        if match.awaits_deck:
            deck_stream = stream(seed, "deck", game, len(match.deals))
            match = match.deal(shuffled(rules.deck, deck_stream))
        match = match.play(
            [
                bot.choose(view(match, seat), rng)
                for seat, (bot, rng) in enumerate(zip(bots, streams, strict=True))
            ]
        )
    return match


def simulate(
    rules: Rules, bots: Sequence[str | Entry], games: int, seed: int | str
) -> Iterator[Match]:
    """That many games, one after the other."""
    seated = [bot.ready() for bot in seat_bots(rules, bots)]
    for game in range(games):
        yield play_match(rules, seated, seed, game)


def record_of(match: Match, names: Sequence[str], edition: str = DEFAULT_EDITION) -> Record:
    """The record of a game between bots."""
    from five211.gathering import bot_name  # not at the top: `five211 simulate` is to be quick

    players: list[Player] = []
    for name in names:
        players.append(Player(bot_name(name, [one.name for one in players]), name))
    return Record(match, tuple(players), edition)
