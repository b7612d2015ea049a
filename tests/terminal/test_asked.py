"""What `five211 play` is asked for, and the game that follows."""

from __future__ import annotations

from typing import Any

import pytest

from five211 import GameError
from five211.terminal.asked import Asked
from five211.terminal.settings import Settings

USUAL = Settings()
MINE = Settings(
    players=3, bots=("hard", "easy"), people=("Ana",), variant="long", edition="azul", speed="fast"
)


def test_without_a_word_it_is_the_usual_game() -> None:
    game = Asked().setup(USUAL, "en")
    assert (game.players, game.variant, game.edition) == (4, "standard", "classic")
    assert (game.people, game.bots) == (("Player",), ("easy",) * 3)
    assert Asked().setup(USUAL, "fr").people == ("Joueur",)
    other = Asked().setup(USUAL, "en")
    assert game.seed != other.seed
    assert game.id != other.id


def test_what_was_chosen_the_last_time_is_chosen_again() -> None:
    game = Asked().setup(MINE, "en")
    assert (game.players, game.variant, game.edition) == (3, "long", "azul")
    assert (game.people, game.bots) == (("Ana",), ("hard", "easy"))


def test_what_is_asked_for_counts_more() -> None:
    asked = Asked(variant="standard", edition="classic", name="Zoë", bots=("random",), seed="7")
    game = asked.setup(MINE, "en")
    assert (game.players, game.variant, game.edition) == (3, "standard", "classic")
    assert (game.people, game.bots, game.seed) == (("Zoë",), ("random", "random"), "7")
    assert asked.settings(MINE).people == ("Zoë",)


@pytest.mark.parametrize(
    ("asked", "usual", "people", "bots"),
    [
        (Asked(players=2), MINE, ("Ana",), ("hard",)),
        (Asked(players=5), MINE, ("Ana",), ("hard",) * 4),
        (Asked(people=("A", "B"), bots=("easy", "hard")), MINE, ("A", "B"), ("easy", "hard")),
        (Asked(people=("A", "B"), bots=("hard",)), USUAL, ("A", "B"), ("hard",)),
        (Asked(people=("A", "B")), USUAL, ("A", "B"), ("easy", "easy")),
        (Asked(people=tuple("ABCDE")), USUAL, tuple("ABCDE"), ()),
        (Asked(players=2, people=("A", "B")), USUAL, ("A", "B"), ()),
        (Asked(players=2, people=("A", "B"), bots=("easy",)), USUAL, ("A", "B"), ()),
        (Asked(players=2), Settings(people=tuple("ABC")), ("A", "B"), ()),
        (Asked(name="Z"), Settings(people=tuple("ABC")), ("Z",), ("easy",) * 3),
        (Asked(), Settings(bots=()), ("Player",), ("easy",) * 3),
        (Asked(), Settings(players=2, people=tuple("ABC")), tuple("ABC"), ()),
    ],
)
def test_people_and_bots_make_the_players(
    asked: Asked, usual: Settings, people: tuple[str, ...], bots: tuple[str, ...]
) -> None:
    game = asked.setup(usual, "en")
    assert (game.people, game.bots, game.players) == (people, bots, len(people) + len(bots))


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (Asked(players=1), "players"),
        (Asked(players=6), "players"),
        (Asked(players="four"), "players"),  # type: ignore[arg-type]
        (Asked(people=tuple("ABCDEF")), "players"),
        (Asked(variant="x"), "variant"),
        (Asked(edition="x"), "edition"),
        (Asked(players=4, bots=("easy", "easy")), "opponents_number"),
        (Asked(players=4, people=("A", "B"), bots=("easy",) * 3), "opponents_number"),
        (Asked(players=2, people=("A", "B", "C")), "people_number"),
    ],
)
def test_what_makes_no_game_is_refused(asked: Asked, code: str) -> None:
    with pytest.raises(GameError) as caught:
        asked.setup(USUAL, "en")
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (Asked(speed="warp"), "speed"),
        (Asked(name="A", people=("B", "C")), "name_or_people"),
        (Asked(table="x"), "join_missing"),
        (Asked(code="x"), "join_missing"),
        (Asked(token="x"), "join_missing"),
        (Asked(join="x", players=2), "join_alone"),
        (Asked(join="x", record="f"), "join_alone"),
    ],
)
def test_what_contradicts_itself_is_refused(asked: Asked, code: str) -> None:
    with pytest.raises(GameError) as caught:
        asked.check()
    assert caught.value.code == code


def test_what_fits_together_is_not_refused() -> None:
    Asked().check()
    Asked(join="x", table="t", code="c", token="k", name="Ana", speed="none").check()
    Asked(people=("A", "B"), speed="slow", seed="1").check()


@pytest.mark.parametrize(
    ("given", "at_once"),
    [
        ({}, False),
        ({"record": "f", "language": "fr", "speed": "fast", "new": True}, False),
        ({"players": 2}, True),
        ({"bots": ("easy",)}, True),
        ({"variant": "long"}, True),
        ({"edition": "azul"}, True),
        ({"name": "Ana"}, True),
        ({"people": ("A", "B")}, True),
        ({"seed": ""}, True),
        ({"join": "x"}, True),
    ],
)
def test_a_game_that_was_described_begins_at_once(given: dict[str, Any], at_once: bool) -> None:
    assert Asked(**given).at_once is at_once


def test_settings_take_what_was_asked_for() -> None:
    asked = Asked(players=2, bots=("random",), language="fr", speed="none")
    found = asked.settings(MINE)
    assert (found.players, found.bots, found.language, found.speed) == (
        2,
        ("random",),
        "fr",
        "none",
    )
    assert (found.people, found.variant, found.light) == (MINE.people, MINE.variant, MINE.light)
