"""How quick the readable engine is: µs for a turn, and whole games a second, on one core.

Each figure is the best of many short runs, since other work on a machine only ever makes one
slower. Every game is random: `random` draws among the cards of the hand.

    make bench
"""

from __future__ import annotations

import platform
from collections.abc import Callable
from time import perf_counter

from five211 import Cards, Match, Rules, State, deal, play, shuffled, stream
from five211.bots import make
from five211.bots.random import RandomBot
from five211.simulate import play_match
from five211.view import view

GAMES = 40
RUNS = 40


def best(run: Callable[[], None]) -> float:
    """Seconds of the quickest run."""
    times = []
    for _ in range(RUNS):
        began = perf_counter()
        run()
        times.append(perf_counter() - began)
    return min(times)


def decks(rules: Rules) -> list[Cards]:
    """The same decks in every run."""
    return [shuffled(rules.deck, stream(1, "deck", game)) for game in range(GAMES)]


def recorded(rules: Rules) -> list[tuple[Cards, list[tuple[Cards, ...]]]]:
    """Games whose choices are known, so that only the engine's own time is measured."""
    games = []
    for number, deck in enumerate(decks(rules)):
        match = play_match(rules, [make("random")] * rules.players, 1, number)
        turns = [turn for round_ in match.state.rounds for turn in round_.turns]
        games.append((match.state.deck, turns))
        assert sorted(deck) == sorted(match.state.deck)
    return games


def transitions(rules: Rules) -> Callable[[], None]:
    """`deal` and `play` alone."""
    games = recorded(rules)

    def run() -> None:
        for deck, turns in games:
            state = deal(rules, deck)
            for choices in turns:
                state = play(state, choices)

    return run


def random_games(rules: Rules) -> Callable[[], None]:
    """`deal` and `play`, each choice drawn at random from the hand."""
    dealt = decks(rules)
    draw = stream(1, "bot").random

    def choose(hand: Cards, count: int) -> Cards:
        first = hand[int(draw() * len(hand))]
        if count == 1:
            return (first,)
        rest = list(hand)
        rest.remove(first)
        return (first, rest[int(draw() * len(rest))])

    def run() -> None:
        for deck in dealt:
            state: State = deal(rules, deck)
            while not state.deal_over:
                count = rules.plays[len(state.turns)]
                state = play(state, [choose(hand, count) for hand in state.hands])

    return run


def bot_games(rules: Rules) -> Callable[[], None]:
    """Through `Match`, a `View` for every decision, and the bot."""
    dealt = decks(rules)
    bot, rng = RandomBot(), stream(1, "bot")

    def run() -> None:
        for deck in dealt:
            match = Match(rules).deal(deck)
            while not match.over:
                match = match.play([bot.choose(view(match, s), rng) for s in range(rules.players)])

    return run


def main() -> None:
    """Print the table."""
    print(f"Python {platform.python_version()} ({platform.python_compiler()}), one core")
    heads = ("players", "µs a play", "games/s", "random games/s", "bots games/s")
    print(*(f"{head:>14}" for head in heads))
    for players in (2, 3, 4, 5):
        rules = Rules.of(players)
        plays = rules.rounds * len(rules.plays) * GAMES
        engine, chance, bots = (
            best(make_run(rules)) for make_run in (transitions, random_games, bot_games)
        )
        figures = (engine / plays * 1e6, GAMES / engine, GAMES / chance, GAMES / bots)
        print(
            f"{players:>14}", *(f"{figure:>14,.{1 if figure < 100 else 0}f}" for figure in figures)
        )


if __name__ == "__main__":
    main()
