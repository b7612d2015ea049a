"""The compiled engine's chance and policies in plain Python: an oracle for its games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

from five211 import Card, Cards, Match, Rules, View, view
from five211.bots.hasty import ahead
from five211.bots.heuristic import HeuristicBot
from five211.fast.packed import CARDS, NUMBERS
from five211.fast.streams import key

WORD = 2**64
GAMMA = 0x9E3779B97F4A7C15


def mix(state: int) -> int:
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % WORD
    state = (state ^ state >> 27) * 0x94D049BB133111EB % WORD
    return state ^ state >> 31


class Stream:
    """A game's stream of words."""

    def __init__(self, key: int, game: int) -> None:
        self.state = mix((key + game * GAMMA) % WORD)

    def word(self) -> Word:
        self.state = (self.state + GAMMA) % WORD
        return Word(mix(self.state))

    def below(self, n: int) -> int:
        return self.word().below(n)


class Word:
    """One word, which serves several draws."""

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def below(self, n: int) -> int:
        found, self.bits = divmod(self.bits * n, WORD)
        return found


def decks(rules: Rules, seed: int | str, game: int) -> Iterator[tuple[Card, ...]]:
    """The decks of a game, as the readable engine takes them."""
    stream = Stream(key(seed, "deck"), game)
    seats = range(rules.players)
    while True:
        rest = [NUMBERS[card] for card in rules.deck]
        drawn = []

        def draw(word: Word, rest: list[int] = rest) -> int:
            place = word.below(len(rest))
            rest[place], rest[-1] = rest[-1], rest[place]
            return rest.pop()

        for _seat in seats:
            word = stream.word()
            drawn += [draw(word) for _ in range(rules.hand)]
        for _round in range(rules.rounds - 1):
            words = [stream.word() for _ in seats]
            for plays in rules.plays:
                drawn += [draw(words[seat]) for seat in seats for _ in range(plays)]
        yield tuple(CARDS[number] for number in (*rest, *drawn))


def random_match(rules: Rules, seed: int | str, game: int) -> Match:
    """A game of random play: a new card takes the place of the one that was played."""
    match, cards = Match(rules), decks(rules, seed, game)
    stream = Stream(key(seed, "choices"), game)
    while not match.over:
        if match.awaits_deck:
            deck = next(cards)
            match = match.deal(deck)
            at = rules.aside
            hands = []
            for _seat in range(rules.players):
                hands.append(list(deck[at : at + rules.hand]))
                at += rules.hand
        if match.state.turn == 0:
            words = [stream.word() for _ in range(rules.players)]
        choices = []
        for hand, word in zip(hands, words, strict=True):
            places = [word.below(len(hand))]
            if rules.plays[match.state.turn] == 2:
                other = word.below(len(hand) - 1)
                places.append(other + (other >= places[0]))
            choices.append([hand[place] for place in places])
            for place in places if match.state.pile else ():
                hand[place] = deck[at]
                at += 1
            for place in () if match.state.pile else sorted(places, reverse=True):
                del hand[place]
        match = match.play(choices)
    return match


def chosen(name: str, hand: Cards, plays: int, stream: Stream) -> Cards:
    """What a policy that looks at its hand alone plays."""
    if name == "greedy":
        ranks = [(card.value * 1024 + stream.below(1024), place) for place, card in enumerate(hand)]
        ranks.sort(key=lambda rank: (-rank[0], rank[1]))
        return tuple(sorted(hand[place] for _rank, place in ranks[:plays]))
    places = [stream.below(len(hand))]
    if plays == 2:
        other = stream.below(len(hand) - 1)
        places.append(other + (other >= places[0]))
    return tuple(sorted(hand[place] for place in places))


def hasty(view: View, stream: Stream) -> Cards:
    """What the bot plays, its chance from here."""
    ranked = [
        (ahead(view, cards) * 1024 + stream.below(1024), -number, cards)
        for number, cards in enumerate(combinations(view.hand, view.plays))
    ]
    return max(ranked)[-1]


class Policies:
    """The built-in policies in plain Python, with the compiled engine's streams."""

    def __init__(self, rules: Rules, names: Sequence[str], seed: int | str, game: int) -> None:
        self.names = names
        self.streams = [Stream(key(seed, "seat", seat), game) for seat in range(rules.players)]

    def choose(self, view: View) -> Cards:
        name = self.names[view.seat]
        if name == "hasty":
            return hasty(view, self.streams[view.seat])
        if name == "heuristic":
            return HeuristicBot().choose(view, Random(0))
        return chosen(name, view.hand, view.plays, self.streams[view.seat])


def policy_match(rules: Rules, names: Sequence[str], seed: int | str, game: int) -> Match:
    match, cards = Match(rules), decks(rules, seed, game)
    policies = Policies(rules, names, seed, game)
    while not match.over:
        if match.awaits_deck:
            match = match.deal(next(cards))
        match = match.play([policies.choose(view(match, seat)) for seat in range(rules.players)])
    return match
