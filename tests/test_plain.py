"""The game in lines of text, played by scripts and once on a real terminal."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from random import Random

import pexpect
import pytest

from five211 import Cards, GameError, Rules, Variant, faults, parse_cards, shuffled, write
from five211.table import Options
from five211.terminal import plain
from five211.terminal.plain import PlainGame, Quit
from tests.tables import deck_for

COMMAND = str(Path(sys.executable).parent / "five211")
KINDS = list(product((2, 3, 4, 5), Variant, ("classic", "azul"), ("en", "fr")))


class Player:
    """Somebody at a game: hears what is said, and answers as told."""

    def __init__(
        self,
        answer: Callable[[Player, str], str],
        players: int = 3,
        variant: str = "standard",
        edition: str = "classic",
        language: str = "en",
        seed: str = "7",
        bots: tuple[str, ...] = (),
    ) -> None:
        self.heard: list[str] = []
        self.asked: list[str] = []
        self.answer = answer
        self.game = PlainGame(
            rules=Rules.of(players, variant),
            bots=bots or ("greedy", "random", "greedy", "random")[: players - 1],
            name="Ana",
            seed=seed,
            options=Options(edition=edition),
            language=language,
            ask=self.ask,
            say=self.heard.append,
        )

    def ask(self, prompt: str) -> str:
        self.asked.append(prompt)
        return self.answer(self, prompt) + "\n"

    @property
    def hand(self) -> list[str]:
        """The cards as the last line that shows them has them, by what may be typed."""
        return re.findall(r"\d=(\S+)", self.heard[-1])


def by_number(_player: Player, prompt: str) -> str:
    """The first cards of the hand."""
    return " ".join("12"[: int(re.findall(r"\d", prompt)[0])])


def by_code(player: Player, prompt: str) -> str:
    """The same cards by what they are called."""
    return ", ".join(player.hand[: int(re.findall(r"\d", prompt)[0])]).lower()


def then(*lines: str) -> Callable[[Player, str], str]:
    """These lines, and the end of the input after them."""
    left = list(lines)

    def answer(_player: Player, _prompt: str) -> str:
        if not left:
            raise EOFError
        return left.pop(0)

    return answer


@pytest.mark.rule("3.1")
@pytest.mark.rule("5.1")
@pytest.mark.parametrize(("players", "variant", "edition", "language"), KINDS)
def test_a_whole_game_of_every_kind(
    players: int, variant: Variant, edition: str, language: str
) -> None:
    player = Player(by_number, players, variant, edition, language)
    record = player.game.play()
    assert record.finished
    assert faults(write(record)) == ()
    assert (record.edition, record.match.rules) == (edition, Rules.of(players, variant))
    assert [one.bot for one in record.players][:2] == [None, "greedy"]
    assert record.played_by == ()
    assert len({deal.deck for deal in record.match.deals}) == len(record.match.deals)
    rounds = [len(deal.rounds) for deal in record.match.deals]
    plays = [int(re.findall(r"\d", prompt)[0]) for prompt in player.asked]
    assert plays == [2, 1, 1] * sum(rounds)
    last = {"en": "this is the last round", "fr": "dernière manche"}[language]
    assert sum(last in line for line in player.heard) == rounds.count(Rules.of(players).rounds)
    final = {"en": "Final score: Ana", "fr": "Score final"}[language]
    assert final in player.heard[-1]
    for points in record.match.points:
        assert str(points) in player.heard[-1]
    icon = {"classic": "Kododo", "azul": {"en": "Rooster", "fr": "Coq"}[language]}[edition]
    heard = "\n".join(player.heard)
    assert [word for word in ("Kododo", "Rooster", "Coq") if word in heard] == [icon]
    assert "{" not in heard


@pytest.mark.parametrize("edition", ["classic", "azul"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_cards_are_played_by_number_or_by_code(edition: str, language: str) -> None:
    one = Player(by_number, edition=edition, language=language)
    other = Player(by_code, edition=edition, language=language)
    assert one.game.play() == other.game.play()
    assert one.heard == other.heard


def test_the_same_seed_is_the_same_game() -> None:
    assert Player(by_number).game.play() == Player(by_number).game.play()
    assert Player(by_number).game.play() != Player(by_number, seed="8").game.play()


def test_what_is_said_before_the_first_choice() -> None:
    player = Player(then(), seed="7")
    with pytest.raises(EOFError):
        player.game.play()
    assert player.asked == ["Play 2 cards> "]
    assert player.heard[:6] == [
        "5211 for 3 players. You sit in seat 1 and are called Ana.",
        "Maxi (easy) loves big numbers, and everyone knows it.",
        "Kiwi (beginner) plays whatever comes to hand.",
        "Type the numbers of your cards, or the cards as they are shown; "
        "Enter shows the table, ? helps, q quits.",
        "Letters of the colours: Y yellow, G green, O orange, B blue and V violet.",
        "The game begins.",
    ]
    hand = parse_cards(" ".join(player.hand))
    assert player.game.table.match is not None
    assert player.game.table.match.state.hands[0] == hand
    assert "Round 1 of 7, turn 1 of 3. Draw pile: 72. Limit: 6." in player.heard


def test_the_table_and_its_tally_are_shown_after_a_turn() -> None:
    player = Player(then("1 2"))
    with pytest.raises(EOFError):
        player.game.play()
    match = player.game.table.match
    assert match is not None
    said = player.heard[player.heard.index("The game begins.") :]
    for seat, cards in zip(player.game.table.seats, match.state.table, strict=True):
        assert f"{seat.name}: {' '.join(card.code for card in cards)}" in said
    assert any(re.fullmatch(r"Kododos: \d of exactly 5, .+", line) for line in said)
    assert any("to the limit" in line for line in said)
    assert player.asked == ["Play 2 cards> ", "Play 1 card> "]


WRONG = {
    "zz": ("“zz” is not a card", "“zz” n’est pas une carte"),
    "G9 G9": ("G9 is not in the hand", "Ve9"),
    "Y6 Y6": ("Y6 is not in the hand", "J6"),
    "1": ("exactly 2 cards, not 1", "2"),
    "1 2 3": ("exactly 2 cards, not 3", "2"),
    ",": ("exactly 2 cards, not 0", "2"),
    "1 1": ("2 numbers from 1 to 5", "1"),
    "0 1": ("2 numbers from 1 to 5", "5"),
    "1 6": ("2 numbers from 1 to 5", "5"),
    "1 99999999999999999999": ("2 numbers from 1 to 5", "5"),
    "-1 2": ("“-1” is not a card", "“-1”"),
    "1 G": ("is not a card", "n’est pas une carte"),
    "１ ２": ("“１” is not a card", "“１”"),
    "² ³": ("is not a card", "n’est pas une carte"),
    "Ｇ2 Y1": ("“Ｇ2” is not a card", "“Ｇ2”"),
    "\x1b[31m": ("�[3” is not a card", "�"),
    "x" * 10_000_000: ("…” is not a card", "…"),
    "1 " * 5_000_000: ("", ""),
}


@pytest.mark.parametrize("line", WRONG, ids=lambda line: line[:12])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_wrong_line_gets_a_sentence_and_changes_nothing(line: str, language: str) -> None:
    player = Player(then(line, "1 2"), language=language)
    with pytest.raises(EOFError):
        player.game.play()
    said = player.heard.pop(11)  # after the table and the hand
    assert WRONG[line][language == "fr"] in said
    assert said.endswith(".")
    assert len(said) < 200
    assert player.asked[0] == player.asked[1] != player.asked[2]
    right = Player(then("1 2"), language=language)
    with pytest.raises(EOFError):
        right.game.play()
    assert player.heard == right.heard
    assert player.game.table == right.game.table


@pytest.mark.parametrize("line", ["q", "Q", "quit", "EXIT", "  q  "])
def test_one_may_quit_at_any_time(line: str) -> None:
    player = Player(then("1 2", "1", line))
    with pytest.raises(Quit):
        player.game.play()
    assert len(player.asked) == 3
    assert not player.game.table.record.finished


@pytest.mark.rule("7.5")
@pytest.mark.parametrize(
    ("language", "counted", "later"),
    [
        ("en", "Cards are counted, not their values", "2, then 1, then 1 cards"),
        ("fr", "On compte les cartes, pas leurs valeurs", "2, puis 1, puis 1"),
    ],
)
def test_help_explains_what_is_often_misread(language: str, counted: str, later: str) -> None:
    player = Player(then("?"), language=language, edition="azul")
    with pytest.raises(EOFError):
        player.game.play()
    text = player.heard[-2]
    assert counted in text
    assert later in text
    assert "6" in text  # the limit
    assert re.search("5 (Roosters|Coqs)", text)
    assert player.heard[-1] == player.heard[3]


def test_enter_shows_the_table_again() -> None:
    player = Player(then("1 2", "", " \t "))
    with pytest.raises(EOFError):
        player.game.play()
    status = [line for line in player.heard if line.startswith("Round 1 of 7, turn 2")]
    assert len(status) == 3
    assert player.heard[-1].startswith("Your hand: ")


def test_an_unknown_bot_is_refused_before_the_game() -> None:
    with pytest.raises(GameError) as caught:
        Player(by_number, bots=("magic", "greedy"))
    assert caught.value.code == "bot_unknown"


@pytest.mark.rule("8.2")
@pytest.mark.rule("8.3")
def test_nothing_that_is_hidden_is_ever_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """With everything permuted that seat 1 cannot see, the same lines are heard."""

    def heard(deck: Cards, *lines: str) -> list[str]:
        monkeypatch.setattr(plain, "shuffled", lambda _cards, _rng: deck)
        player = Player(then(*lines), players=4, bots=("random", "greedy", "random"))
        with pytest.raises(EOFError):
            player.game.play()
        return player.heard

    rules, rng = Rules.of(4), Random(1)
    deck = deck_for(rules)
    others = (*deck[:5], *shuffled(deck[5:], rng))  # nobody is put aside with four players
    assert heard(deck, "", "zz", "?") == heard(others, "", "zz", "?")
    last = (*deck[:-32], *shuffled(deck[-32:], rng))  # the last two rounds' cards
    turns = ["1 2", "1", "1"] * 3
    assert heard(deck, *turns) == heard(last, *turns)
    assert heard(deck, *turns, "1 2") != heard(last, *turns, "1 2")


def test_a_whole_long_game_on_a_real_terminal() -> None:
    child = pexpect.spawn(
        COMMAND,
        ["play", "--seed", "7", "--players", "3", "--variant", "long"],
        env={**os.environ, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TERM": "dumb"},
        encoding="utf-8",
        timeout=60,
        dimensions=(40, 200),
    )
    child.delaybeforesend = None
    asked: list[int] = []
    while child.expect([r"Play (\d) cards?> ", pexpect.EOF]) == 0:
        assert isinstance(child.match, re.Match)
        asked.append(int(child.match.group(1)))
        child.sendline("1 2" if asked[-1] == 2 else "1")
    assert child.before is not None
    end = " ".join(child.before.split())  # a terminal wraps its lines
    child.close()
    assert child.exitstatus == 0
    same = Player(by_number, variant="long", bots=("greedy", "greedy"))
    record = same.game.play()
    assert len(record.match.deals) > 1
    assert asked == [2, 1, 1] * (len(asked) // 3)
    assert len(asked) == len(same.asked)
    assert end.endswith(same.heard[-1].replace("Ana", "Player"))


@pytest.mark.parametrize("edition", ["classic", "azul"])
def test_cards_may_be_typed_as_they_are_shown_but_not_what_could_be_two(edition: str) -> None:
    player = Player(then("V1 V2", "q"), language="fr", edition=edition)
    with pytest.raises(Quit):
        player.game.play()
    for card in player.game._view.hand:
        shown = player.game.words.card(card)
        assert player.game._read(shown.lower()) == (card,)
    assert "“V1” n’est pas clair" in player.heard[-1]
    assert player.game._read("12") == player.game._view.hand[:2]
