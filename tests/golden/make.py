"""Makes golden records. For new kinds of record only: a file that is there is never rewritten.

Old records must stay readable, so what stands in this folder stays as it was written on its day,
whatever the bots, the seeds and the writer have become since. This script only adds files that are
missing: `python tests/golden/make.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from five211 import Match, Player, Record, Rules, Variant, write
from five211.bots import make
from five211.editions import edition_names
from five211.simulate import play_match

HERE = Path(__file__).parent
PEOPLE = ("Ana", "Zoë", "李雷", "O’Neill, “Bo”", "🐓")
SEEDS = {0: "golden shared 142"}  # where two share the victory
EXTRAS: tuple[dict[str, Any], ...] = (
    {},
    {"seed": "golden", "times": {"began": 1700000000.5, "turns": [3, 1, 4]}},
    {"comment": 'a \\ and a " and a\nline', "ratings": [1500, None, -2.5e-7]},
)


def game(number: int, players: int, variant: Variant) -> tuple[Match, tuple[Player, ...]]:
    """A whole game of mixed bots; some of the seats go by a person's name."""
    bots = [("random", "greedy")[(number + seat) // 2 % 2] for seat in range(players)]
    seed = SEEDS.get(number, f"golden {number}")
    match = play_match(Rules.of(players, variant), [make(bot) for bot in bots], seed)
    people = [(number + seat) % 3 == 0 for seat in range(players)]
    seats = [
        Player(PEOPLE[seat]) if person else Player(f"{bot.capitalize()} {seat + 1}", bot)
        for seat, (bot, person) in enumerate(zip(bots, people, strict=True))
    ]
    return match, tuple(seats)


def substitutes(number: int, match: Match, seats: tuple[Player, ...]) -> Iterator[tuple[Any, ...]]:
    """Now and then a substitute for a person, in half of the records."""
    turns = [turn for deal in match.deals for round_ in deal.rounds for turn in round_.turns]
    for turn in range(len(turns) if number % 4 in (1, 2) else 0):
        away = turn % 7 in (2, 3)
        yield tuple("greedy" if away and seat.bot is None else None for seat in seats)


def cut(match: Match, turns: int) -> Match:
    """The game as it was after that many turns."""
    now = Match(match.rules)
    for deal in match.deals:
        for turn in (turn for round_ in deal.rounds for turn in round_.turns):
            if turns == 0:
                return now
            now = now.deal(deal.deck) if now.awaits_deck else now
            now, turns = now.play(turn), turns - 1
    return now


def finished() -> Iterator[tuple[str, str]]:
    """A record of every player count, variant and edition."""
    kinds = product(range(2, 6), Variant, edition_names())
    for number, (players, variant, edition) in enumerate(kinds):
        match, seats = game(number, players, variant)
        played_by = tuple(substitutes(number, match, seats))
        extra = EXTRAS[number % len(EXTRAS)]
        record = Record(match, seats, edition, played_by if any(map(any, played_by)) else (), extra)
        yield f"{players}-{variant}-{edition}", write(record) + "\n"


def unfinished() -> Iterator[str]:
    """Games that stopped: before the deal, in mid-round, between rounds, between deals."""
    stops = (
        (2, Variant.STANDARD, "classic", 0),
        (2, Variant.STANDARD, "azul", 1),
        (3, Variant.STANDARD, "classic", 5),
        (4, Variant.STANDARD, "azul", 9),
        (4, Variant.STANDARD, "classic", 17),
        (5, Variant.LONG, "azul", 12),
        (5, Variant.LONG, "classic", 13),
    )
    for number, (players, variant, edition, turns) in enumerate(stops, start=100):
        match, seats = game(number, players, variant)
        yield write(Record(cut(match, turns), seats, edition)) + "\n"


def main() -> None:
    """Add what is missing."""
    for name, text in (*finished(), ("unfinished", "".join(unfinished()))):
        path = HERE / f"{name}.jsonl"
        if not path.exists():
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
