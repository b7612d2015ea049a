"""The situations of the tutorial, played by five211 itself: the page asks, and knows no rule.

**lessons.json**: `situations` by name, each with `players`, `limit`, `exact`, the `table` (each
seat's cards; the learner is seat 0), its `tally` and `score`, and `sums`: what the values of each
colour add up to, which decides nothing but is what people misread. `points`: how many points the
learner gets in the situation that it names, and the `options` to choose from. `round` is a round
that the learner plays: the first `hand`, what is drawn after each turn (`draws`), what the others
play in each turn (`others`), and for all cards that the learner can have played, in their order
with a space between, the `tallies` after the first turns and the `scores` at the end. `end`: how a
game ended, with the `says` for it. `asks`: questions about a rule, the first option is right.

**lessons.LANGUAGE.json**: `names` of the others, and by edition the sentences. `say` in a step and
`says` in a tally are their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from five211 import Match, Result, Rules, parse_cards, score_round, shuffled, stream, tally, texts
from five211.cards import Card, Cards
from five211.editions import Words, edition_names, words
from five211.events import GameEnded
from five211.scoring import Score
from five211.sentences import describe_tally, explain_step, tell
from five211.shapes import as_json, score_json
from five211.tally import Tally

NAMES = ("Ana", "Ben", "Cleo", "Dan")

# Each seat's cards, the learner's first.
SITUATIONS = {
    "count": ("G2 Y6 O3 V2", "G1 G2 Y5 B3", "G2 Y4 O2 B2"),
    "points": ("B3 B5 Y2 O2", "B2 Y3 G2 V2", "B2 V3 G3 O3"),
    "limit": ("G6 G4 B2 Y3", "G2 G3 B4 O2", "G2 G3 B3 Y2"),
    "limit_of_four": ("G2 G3 Y2 O2", "G2 Y3 Y4 B2", "G1 G2 O3 V2", "G3 Y2 B3 O2"),
    "tie": ("Y2 Y5 O3 V2", "Y3 O2 O4 V3", "Y2 O2 V4 B3"),
    "cascade": ("Y2 G3 O2 V3", "Y3 G2 O3 B2", "Y4 G2 O2 B3", "Y2 G4 B2 V2"),
    "nothing": ("Y2 Y4 G3 O2", "Y3 G2 G5 B6"),
    "icons": ("G1 O1 V3 B2", "Y1 G2 G3 B1", "V1 G4 O2 Y3"),
    "icons_too_many": ("G1 O1 V1 B2", "Y1 G1 G3 B1", "G4 O2 Y3 V2"),
    "icon_color": ("B1 O5 Y2 V3", "B1 B2 O4 G2", "B3 O3 Y3 G2"),
}
POINTS = "points"  # the situation in which the learner adds up

# A round for three in which one colour always scores, and the learner holds one card of it.
HAND = "Y1 Y4 G2 O3 B5"
DRAWS = ("G3 V2", "O2")
OTHERS = (("B3 O2", "B2", "V1"), ("Y3 B2", "G4", "B4"))

END = (2, 94)  # players, and the seed of a game that the cards of the score piles decided

ASKS = {
    "left_over": {"rule": "5.1", "options": ["discarded", "scores", "kept"]},
}


@dataclass
class Lessons:
    """What is asked, and the sentences that the answers need, in every language and edition."""

    said: list[tuple[str, ...]] = field(default_factory=list)
    """Each sentence as all speakers say it."""

    def json(self) -> dict[str, Any]:
        """Everything but the words."""
        return {
            "situations": {name: self.situation(name) for name in SITUATIONS},
            "points": {"situation": POINTS, "options": options(table(POINTS))},
            "round": self.round(),
            "end": self.end(),
            "asks": ASKS,
        }

    def words(self, language: str) -> dict[str, Any]:
        """The words for it; only after the rest was made."""
        return {
            "names": list(NAMES),
            **{
                w.edition: [sentence[n] for sentence in self.said]
                for n, w in enumerate(speakers())
                if w.language == language
            },
        }

    def situation(self, name: str) -> dict[str, Any]:
        """A table at the end of a round."""
        cards = table(name)
        rules = Rules.of(len(cards))
        return {
            "players": rules.players,
            "limit": rules.limit,
            "exact": rules.exact,
            "table": as_json(cards),
            "tally": self.tally(tally(rules, cards)),
            "score": self.score(score_round(rules, cards)),
            "sums": {
                color.name: sum(one.value for seat in cards for one in seat if one.color is color)
                for color in rules.colors
            },
        }

    def round(self) -> dict[str, Any]:
        """The round that the learner plays."""
        rules = Rules.of(len(OTHERS) + 1)
        tallies, scores = {}, {}
        for turn in range(len(rules.plays)):
            there = [
                tuple(one for cards in turns[: turn + 1] for one in parse_cards(cards))
                for turns in OTHERS
            ]
            for own in sorted(plays(rules, turn)):
                key = " ".join(one.code for one in own)
                if turn < len(rules.plays) - 1:
                    tallies[key] = self.tally(tally(rules, [own, *there]))
                else:
                    scores[key] = self.score(score_round(rules, [own, *there]))
        return {
            "players": rules.players,
            "limit": rules.limit,
            "exact": rules.exact,
            "plays": rules.plays,
            "hand": as_json(parse_cards(HAND)),
            "draws": [as_json(parse_cards(cards)) for cards in DRAWS],
            "others": [[as_json(parse_cards(cards)) for cards in turns] for turns in OTHERS],
            "tallies": tallies,
            "scores": scores,
        }

    def end(self) -> dict[str, Any]:
        """A game that is over; the learner looks on."""
        result = ended(*END)
        names = NAMES[: len(result.points)]
        event = GameEnded(result)
        says = self.say(lambda w: [tell(event, names, w.language, w.edition)])
        return {**as_json(result), "says": says}

    def tally(self, found: Tally) -> dict[str, Any]:
        """A tally with its sentences."""
        return {**as_json(found), "says": self.say(lambda w: describe_tally(found, w))}

    def score(self, found: Score) -> dict[str, Any]:
        """A scoring with a sentence for each step."""
        shape = score_json(found, None)
        says = self.say(lambda w: [explain_step(step, w) for step in found.steps])
        steps = [{**step, "say": n} for step, n in zip(shape["steps"], says, strict=True)]
        return {**shape, "steps": steps}

    def say(self, of: Callable[[Words], Iterable[str]]) -> list[int]:
        """The numbers of some sentences."""
        numbers = []
        for sentence in zip(*(of(w) for w in speakers()), strict=True):
            if sentence not in self.said:
                self.said.append(sentence)
            numbers.append(self.said.index(sentence))
        return numbers


def speakers() -> Iterator[Words]:
    """Every language and edition."""
    for language in texts.language_names():
        for edition in edition_names():
            yield words(language, edition)


def table(name: str) -> tuple[Cards, ...]:
    """The cards of a situation."""
    return tuple(parse_cards(cards) for cards in SITUATIONS[name])


def options(cards: Sequence[Cards]) -> list[int]:
    """The learner's points among what one could take for them: cards, or everybody's points."""
    score = score_round(Rules.of(len(cards)), cards)
    return sorted({score.points[0], len(score.cards[0]), sum(score.points)})


def plays(rules: Rules, turn: int) -> set[Cards]:
    """All that the learner can have played after a turn."""
    hands: set[tuple[tuple[Card, ...], tuple[Card, ...]]] = {((), parse_cards(HAND))}
    for number in range(turn + 1):
        drawn = parse_cards(DRAWS[number]) if number < len(DRAWS) else ()
        hands = {
            (tuple(sorted([*own, *choice])), tuple(sorted([*without(hand, choice), *drawn])))
            for own, hand in hands
            for choice in combinations(hand, rules.plays[number])
        }
    return {own for own, _ in hands}


def without(hand: Sequence[Card], choice: Sequence[Card]) -> list[Card]:
    """What stays in the hand."""
    left = list(hand)
    for one in choice:
        left.remove(one)
    return left


def ended(players: int, seed: int) -> Result:
    """How a game between players who take any cards ended."""
    rng, match = stream(seed, "lessons"), Match(Rules.of(players))
    match = match.deal(shuffled(match.rules.deck, rng))
    while (result := match.result) is None:
        take = match.rules.plays[match.state.turn]
        match = match.play([shuffled(hand, rng)[:take] for hand in match.state.hands])
    return result
