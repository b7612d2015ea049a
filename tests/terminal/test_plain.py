"""The game in lines of text: whole games by scripts, every command, every wrong line."""

from __future__ import annotations

import asyncio
import re
from itertools import product
from random import Random

import pytest

from five211 import (
    Cards,
    GameError,
    Rules,
    Variant,
    faults,
    parse_cards,
    shuffled,
    texts,
    write,
)
from five211.bots import Entry, entry
from five211.terminal import here, plain
from five211.terminal.here import Here
from five211.terminal.plain import Plain, Quit, meant
from five211.terminal.saved import interrupted
from five211.texts import language_names
from tests.tables import deck_for
from tests.terminal.people import (
    CLEARED,
    Person,
    Player,
    Waits,
    by_code,
    by_number,
    setup,
    then,
)

KINDS = list(product((2, 3, 4, 5), Variant, ("classic", "azul"), ("en", "fr")))


@pytest.mark.rule("3.1")
@pytest.mark.rule("5.1")
@pytest.mark.parametrize(("players", "variant", "edition", "language"), KINDS)
def test_a_whole_game_of_every_kind(
    players: int, variant: Variant, edition: str, language: str
) -> None:
    player = Player(by_number, setup(players, variant, edition), language)
    record = player.play()
    assert record.finished
    assert faults(write(record)) == ()
    assert (record.edition, record.match.rules) == (edition, Rules.of(players, variant))
    assert [one.bot for one in record.players][:2] == [None, "hasty"]
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
    one = Player(by_number, setup(edition=edition), language)
    other = Player(by_code, setup(edition=edition), language)
    assert one.play() == other.play()
    assert one.heard == other.heard


def test_the_same_seed_is_the_same_game() -> None:
    assert Player(by_number).play() == Player(by_number).play()
    assert Player(by_number).play() != Player(by_number, setup(seed="8")).play()


def ended(*lines: str, **game: object) -> Player:
    """A game in which these lines are typed, and no more."""
    language = str(game.pop("language", "en"))
    player = Player(then(*lines), setup(**game), language)  # type: ignore[arg-type]
    with pytest.raises(EOFError):
        player.play()
    assert player.heard.pop() == ""  # to leave the prompt
    return player


def test_what_is_said_before_the_first_choice() -> None:
    player = ended()
    assert player.asked == ["Play 2 cards"]
    assert player.heard[:6] == [
        "5211 for 3 players. You sit in seat 1 and are called Ana.",
        "Maxi (easy) takes what would score right now, and thinks no further.",
        "Kiwi (beginner) plays whatever comes to hand.",
        "Type the numbers of your cards, or the cards as they are shown; "
        "Enter shows the table, ? helps, q quits.",
        "Letters of the colours: Y yellow, G green, O orange, B blue and V violet.",
        "The game begins.",
    ]
    assert player.here.table.match is not None
    assert player.here.table.match.state.hands[0] == parse_cards(" ".join(player.person.hand))
    assert "Round 1 of 7, turn 1 of 3. Draw pile: 72. Limit: 6." in player.heard


def test_a_bot_without_a_character_is_not_introduced() -> None:
    assert "Montecarlo" not in "".join(ended(bots=("montecarlo", "random")).heard[:4])


def test_the_table_and_its_tally_are_shown_after_a_turn() -> None:
    player = ended("1 2")
    match = player.here.table.match
    assert match is not None
    said = player.heard[player.heard.index("The game begins.") :]
    for seat, cards in zip(player.here.table.seats, match.state.table, strict=True):
        assert f"{seat.name}: {' '.join(card.code for card in sorted(cards))}" in said
    assert any(re.fullmatch(r"Kododos: \d of exactly 5, .+", line) for line in said)
    assert any("to the limit" in line for line in said)
    assert player.asked == ["Play 2 cards", "Play 1 card"]


@pytest.mark.rule("3.2")
def test_what_was_drawn_is_said_and_nothing_in_the_last_round() -> None:
    player = Player(by_number)
    match = player.play().match
    drawn = [line for line in player.heard if line.startswith("You draw ")]
    _first, *later = (
        set(re.findall(r"\d=(\S+)", line)) for line in player.heard if line.startswith("Your hand")
    )
    assert len(drawn) == 3 * (match.rules.rounds - 1)
    for line, hand in zip(drawn, later, strict=False):
        assert set(line[9:-1].split()) <= hand


def test_a_new_deal_is_no_draw() -> None:
    player = Player(by_number, setup(variant="long"))
    match = player.play().match
    drawn = [line for line in player.heard if line.startswith("You draw ")]
    rounds = [len(deal.rounds) for deal in match.deals]
    ends = [3 * min(count, match.rules.rounds - 1) for count in rounds]
    assert len(rounds) > 1
    assert len(drawn) == sum(ends) - (rounds[-1] < match.rules.rounds)  # the end comes instead


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
    player = ended(line, "1 2", language=language)
    said = player.heard.pop(11)  # after the table and the hand
    assert WRONG[line][language == "fr"] in said
    assert said.endswith(".")
    assert len(said) < 200
    assert player.asked[0] == player.asked[1] != player.asked[2]
    right = ended("1 2", language=language)
    assert player.heard == right.heard
    assert player.here.table.match == right.here.table.match


@pytest.mark.parametrize("line", ["q", "Q", "quit", "EXIT", "  q  "])
def test_one_may_quit_at_any_time(line: str) -> None:
    player = Player(then("1 2", "1", line))
    with pytest.raises(Quit):
        player.play()
    assert len(player.asked) == 3
    assert not player.here.table.record.finished


@pytest.mark.rule("7.5")
@pytest.mark.parametrize(
    ("language", "counted", "later"),
    [
        ("en", "Cards are counted, not their values", "2, then 1, then 1 cards"),
        ("fr", "On compte les cartes, pas leurs valeurs", "2, puis 1, puis 1"),
    ],
)
def test_help_explains_what_is_often_misread(language: str, counted: str, later: str) -> None:
    player = ended("?", language=language, edition="azul")
    text = player.heard[-3]
    assert counted in text
    assert later in text
    assert "6" in text  # the limit
    assert re.search("5 (Roosters|Coqs)", text)
    assert player.heard[-2] == player.heard[3]


def test_enter_shows_the_table_again_and_who_has_chosen() -> None:
    player = ended("1 2", "", " \t ")
    status = [line for line in player.heard if line.startswith("Round 1 of 7, turn 2")]
    assert len(status) == 3
    assert player.heard[-2:] == ["Maxi and Kiwi have chosen.", "Ana is still choosing."]
    assert player.heard[-3].startswith("Your hand: ")


@pytest.mark.rule("8.1")
def test_score_piles_and_points() -> None:
    player = ended(*["1 2", "1", "1"] * 4, "s")
    match = player.here.table.match
    assert match is not None
    for name, pile, points, line in zip(
        ("Ana", "Maxi", "Kiwi"),
        match.state.score_piles,
        match.points,
        player.heard[-3:],
        strict=True,
    ):
        assert line.startswith(f"{name} {points}; {len(pile)} card")
        assert sum(card.value for card in pile) == points
        assert all(card.code in line for card in pile)


def test_points_that_the_host_hides_are_shown_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Here, "show_points", False)
    player = ended("1 2", "", "s")
    assert not any(line.startswith("Points: ") for line in player.heard)
    assert player.heard[-1] == "The points of this table are shown at the end."


@pytest.mark.parametrize(("language", "last", "whole"), [("en", "r", "a"), ("fr", "m", "tout")])
def test_the_last_round_and_the_whole_game_are_told_again(
    language: str, last: str, whole: str
) -> None:
    turns = ["1 2", "1", "1"]
    player = ended(last, *turns, *turns, "1 2", last, whole, language=language)
    none = {"en": "There is nothing to tell again yet.", "fr": "Il n’y a encore rien à raconter."}
    assert player.heard.count(none[language]) == 1
    told = [x for x in player.heard if re.match(r"(Round|Manche) \d+, (turn|tour) \d+\W+Ana", x)]
    assert told[7:10] == told[3:6]  # the second round
    assert told[10:] == told[:7]
    scorings = [x for x in player.heard if re.match(r"\d+ Kododos? (on the|sur la) table", x)]
    assert scorings == [scorings[0], scorings[1], scorings[1], scorings[0], scorings[1]]


@pytest.mark.rule("3.3")
def test_a_choice_can_be_changed_and_taken_back_while_a_bot_thinks() -> None:
    bot = Waits()
    lines = ["1 2", "", "u", "U", "3 4", "2 3", "?", "u"]

    def answer(person: Person) -> str:
        if not lines:
            bot.may.set()
            return by_number(person) if "Play" in person.asked[-1] else "s"
        return lines.pop(0)

    slow = Entry("slow", lambda: bot)
    player = Player(answer, setup(2, bots=("slow",)), load=lambda _: slow, terminal=True)
    record = player.play()
    assert record.finished
    waiting = [x for x in player.asked if x == "Waiting for Slow; u takes your cards back"]
    assert len(waiting) >= 4
    assert player.heard.count("Your cards are back in your hand.") == 2
    assert sum(line.startswith("Face down in front of you: ") for line in player.heard) == 1
    assert sum("nothing to take back" in line for line in player.heard) == 1


def test_what_goes_wrong_with_a_bot_ends_the_game_in_words() -> None:
    class Fails:
        def choose(self, _view: object, _rng: object) -> Cards:
            raise GameError("bot_failed", name="x", reason="y")

    player = Player(by_number, setup(2, bots=("x",)), load=lambda _: Entry("x", Fails))
    with pytest.raises(GameError, match="x failed"):
        player.play()


def test_a_line_for_a_turn_that_is_over_is_not_played() -> None:
    """Somebody types while the table goes on, as at a server."""
    player = Player(then("1 2"))

    def changed(person: Person) -> str:
        if len(person.asked) == 1:
            player.plain._shown = None  # what was shown is not the table any more
            return "1 2"
        raise EOFError

    player.person.answer = changed
    with pytest.raises(EOFError):
        player.play()
    assert sum("That turn is over" in line for line in player.heard) == 1
    assert player.here.look(0).choice is None


def test_an_unknown_bot_is_refused_before_the_game() -> None:
    with pytest.raises(GameError) as caught:
        Player(by_number, setup(bots=("magic", "greedy"))).play()
    assert caught.value.code == "bot_unknown"


@pytest.mark.rule("8.2")
@pytest.mark.rule("8.3")
def test_nothing_that_is_hidden_is_ever_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """With everything permuted that seat 1 cannot see, the same lines are heard."""

    def heard(deck: Cards, *lines: str) -> list[str]:
        monkeypatch.setattr(here, "shuffled", lambda _cards, _rng: deck)
        return ended(*lines, players=4, bots=("random", "greedy", "random")).heard

    rules, rng = Rules.of(4), Random(1)
    deck = deck_for(rules)
    others = (*deck[:5], *shuffled(deck[5:], rng))  # nobody is put aside with four players
    everything = ("", "zz", "?", "s", "r", "a", "u", "c", "!")
    assert heard(deck, *everything) == heard(others, *everything)
    last = (*deck[:-32], *shuffled(deck[-32:], rng))  # the last two rounds' cards
    turns = ["1 2", "1", "1"] * 3
    assert heard(deck, *turns, *everything) == heard(last, *turns, *everything)
    assert heard(deck, *turns, "1 2") != heard(last, *turns, "1 2")


@pytest.mark.parametrize("edition", ["classic", "azul"])
def test_cards_may_be_typed_as_they_are_shown_but_not_what_could_be_two(edition: str) -> None:
    player = ended("V1 V2", edition=edition, language="fr")
    view = player.here.look(0).view
    assert view is not None
    for card in view.hand:
        shown = player.plain._teller.words.card(card)
        assert player.plain._read(shown.lower(), view) == (card,)
    assert "“V1” n’est pas clair" in player.heard[-1]
    assert player.plain._read("12", view) == view.hand[:2]


@pytest.mark.parametrize("language", language_names())
def test_no_word_means_two_things(language: str) -> None:
    table = [(*plain.COMMANDS, "go"), ("yes", "no", *plain.COMMANDS)]
    for among in table:
        words = [
            word
            for one in among
            for tongue in {language, "en"}
            for word in str(texts.template(tongue, f"play.word_{one}")).split()
        ]
        for word in words:
            assert [one for one in among if meant(language, word, (one,))] == [
                meant(language, word.upper(), among)
            ]
    assert meant(language, "x" * 10_000, plain.COMMANDS) is None


def test_at_home_nobody_is_called_or_talked_to() -> None:
    player = ended("c", "!", "!hello")
    assert player.heard[-3] == "Nobody waits for seat 1."
    assert player.heard[-2:] == ["Nobody else is at this table."] * 2
    assert (player.here.host, player.here.link, player.here.record_url) == (True, None, None)


# After the end


def after_the_end(*lines: str) -> tuple[bool, Player]:
    player = Player(by_number, setup(2, bots=("greedy",)))

    async def play() -> bool:
        await player._play()
        player.person.answer = then(*lines)
        return await player.plain.another()

    return asyncio.run(play()), player


@pytest.mark.parametrize(
    ("lines", "again"),
    [(["y"], True), ([""], True), (["YES"], True), (["n"], False), (["q"], False), ([], False)],
)
def test_another_game_is_offered(lines: list[str], again: bool) -> None:
    found, player = after_the_end("zz", "s", "r", *lines)
    assert found is again
    assert player.asked[-1] == "Another game with the same players? (y/n)"
    assert sum(" in the score pile: " in line for line in player.heard) == 2


def test_two_games_in_a_row() -> None:
    async def play() -> tuple[Person, Here]:
        person = Person(by_number)
        place = Here.begin(setup(5), entry)
        game = Plain(place, person, "en", place.opponents)
        with pytest.raises(GameError, match="not over yet"):
            await place.again()
        await game.play()
        first_record = place.record
        await place.again()
        await game.play()
        assert place.record != first_record
        await place.close()
        return person, place

    person, place = asyncio.run(play())
    assert person.heard.count("The game begins.") == 2
    assert person.heard.count("The cards are dealt; 60 cards are in the draw pile.") == 2
    assert sum("Final score" in line for line in person.heard) == 2
    assert place.table.game == 2


# Several people at one keyboard


def test_a_curtain_falls_before_every_hand() -> None:
    player = Player(by_number, setup(3, people=("Ana", "Ben"), bots=("greedy",)))
    record = player.play()
    assert [one.bot for one in record.players] == [None, None, "greedy"]
    assert player.heard[0] == "5211 for 3 players. At this keyboard: Ana and Ben."
    assert player.asked[:4] == [
        "Pass the keyboard to Ana; Enter when only Ana looks",
        "Ana: Play 2 cards",
        "Pass the keyboard to Ben; Enter when only Ben looks",
        "Ben: Play 2 cards",
    ]
    hands = [n for n, line in enumerate(player.person.all) if line.startswith("Your hand")]
    assert len(hands) == 2 * 3 * 7
    for n in hands:
        since = player.person.all[:n]
        curtain = max(k for k, line in enumerate(since) if line.startswith("Pass the keyboard"))
        name = since[curtain].split()[-2]
        assert not any("=" in line for line in since[curtain:])
        assert player.person.all[n + 1].startswith(f"{name}: Play")
        if n != hands[0]:
            hidden = max(k for k, line in enumerate(since) if line == CLEARED)
            assert hidden > hands[hands.index(n) - 1]  # the last hand is gone


def test_nothing_of_a_hand_is_told_at_the_curtain() -> None:
    """Whatever is typed there, it is the same whoever holds which cards."""
    curtain = ("zz", "1 2", "s", "r", "a", "?", "c")

    def said(seed: str) -> list[str]:
        game = setup(3, people=("Ana", "Ben"), bots=("greedy",), seed=seed)
        player = Player(then(*curtain, "", "1 2", *curtain), game)
        with pytest.raises(EOFError):
            player.play()
        return player.person.all[player.person.all.index(CLEARED) :]

    assert said("1") == said("2")
    assert not any(re.search(r"\b[YGOBV]\d", line) for line in said("3"))


@pytest.mark.rule("3.3")
def test_who_has_just_chosen_may_take_it_back_at_the_next_curtain() -> None:
    game = setup(2, people=("Ana", "Ben"))
    player = Player(then("u", "", "u", "1 2", "u", "u", "", "2 3", "", "1 2"), game)
    with pytest.raises(EOFError):
        player.play()
    names = [re.findall("Ana|Ben", prompt)[0] for prompt in player.asked]
    assert names == ["Ana"] * 2 + ["Ana"] * 2 + ["Ben"] + ["Ana"] * 3 + ["Ben"] * 2 + ["Ana"]
    assert sum("nothing to take back" in line for line in player.heard) == 3
    assert player.heard.count("Your cards are back in your hand.") == 1
    assert "Round 1, turn 1: Ana" in "".join(player.heard)


def test_while_a_bot_thinks_no_hand_of_two_people_is_shown() -> None:
    bot = Waits()
    slow = Entry("slow", lambda: bot)
    lines = ["", "1 2", "", "1 2", "", "1", "u", "", "1 2"]

    def answer(_person: Person) -> str:
        if not lines:
            bot.may.set()
            raise EOFError
        return lines.pop(0)

    game = setup(3, people=("Ana", "Ben"), bots=("slow",))
    player = Player(answer, game, load=lambda _: slow, terminal=True)
    with pytest.raises(EOFError):
        player.play()
    waiting = [n for n, line in enumerate(player.person.all) if line.startswith("Waiting for Slow")]
    assert len(waiting) == 4
    hands = [n for n, line in enumerate(player.person.all) if line.startswith("Your hand")]
    assert len(hands) == 3
    assert not any(waiting[0] < n < waiting[2] for n in hands)


# Going on


def test_a_game_is_gone_on_with() -> None:
    async def go_on() -> tuple[Person, Here]:
        person = Person(by_number)
        place = Here.resume(next(interrupted()), entry)
        assert place is not None
        game = Plain(place, person, "en", place.opponents)
        game.go_on()
        await game.play()
        await place.close()
        return person, place

    ended("1 2", "1")
    person, place = asyncio.run(go_on())
    assert person.heard[5] == "The game goes on."
    assert person.heard[6].startswith("Round 1 of 7, turn 3")
    assert place.table.record == Player(by_number).play()
