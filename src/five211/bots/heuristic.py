"""Plays where it hopes to gain more than the others, if the unknown cards fall by chance.

For each choice: how likely each colour is to score, when every card still to come in this round is
of a colour as often as the unseen cards are; times what one has there more than the others have.
A card that is kept is worth something, too: in a later turn if its colour scores, or in a later
round. `five211.fast.policies` has the same, compiled, and a test holds the two together.
"""

from __future__ import annotations

from random import Random

from five211.cards import Cards, Color
from five211.view import View

RESERVE = 0.2
"""What a card is worth for a later round, as a share of its value."""
FOLLOW = 0.5
"""The share of a colour's cards in hand that one hopes still to lay if that colour scores."""
BILLIONTHS = 1e9


class HeuristicBot:
    """Counts what lies on the table, and bets on it."""

    def choose(self, view: View, rng: Random) -> Cards:  # noqa: ARG002
        """The choice with the best hope; of equal ones the first."""
        return max(view.choices, key=Outlook(view).worth)


class Outlook:
    """What the rest of a round may bring."""

    def __init__(self, view: View) -> None:
        rules, unseen = view.rules, view.unseen
        self.view = view
        self.later = len(rules.plays) - 1 - view.turn
        self.coming = (rules.players - 1) * view.plays + rules.players * self.later
        """Cards that will still be laid in this round, besides one's own now."""
        self.spread = {
            color: binomial(self.coming, sum(card.color == color for card in unseen) / len(unseen))
            for color in rules.colors
        }
        self.icons = binomial(self.coming, sum(card.is_icon for card in unseen) / len(unseen))
        self.counts = {color.color: color.count for color in view.tally.colors}

    def worth(self, choice: Cards) -> int:
        """The expected gain over the mean of the others, less what the cards are worth later.

        In billionths of a point: equal hopes must not differ by the order of a sum.
        """
        view, rules = self.view, self.view.rules
        counts = {c: n + sum(card.color == c for card in choice) for c, n in self.counts.items()}
        gain = 0.0
        for color, chance in self.chances(counts).items():
            mine = self.laid(view.seat, color) + self.hoped(choice, color)
            others = [self.laid(seat, color) for seat in range(rules.players) if seat != view.seat]
            gain += chance * (mine - sum(others) / len(others))
        missing = rules.exact - view.tally.icons - sum(card.is_icon for card in choice)
        if 0 <= missing <= self.coming:
            gain *= 1 - self.icons[missing]  # then the icons score instead
        cost = 0.0 if view.last_round else sum(card.value for card in choice) * RESERVE
        return round((gain - cost) * BILLIONTHS)

    def chances(self, counts: dict[Color, int]) -> dict[Color, float]:
        """How likely each colour is to score, if each goes on by itself."""
        limit = self.view.rules.limit
        clear = {color: self.clears(color, count) for color, count in counts.items()}
        found = {}
        for color, count in counts.items():
            found[color] = 0.0
            for n in range(max(count, 1), min(limit, count + self.coming + 1)):
                alone = self.spread[color][n - count]
                for rival in counts:
                    if rival != color:
                        alone *= clear[rival][n]
                found[color] += alone
        return found

    def clears(self, color: Color, count: int) -> list[float]:
        """For each n under the limit: how likely a colour has less than n cards, or is out."""
        limit, spread = self.view.rules.limit, self.spread[color]
        out = sum(spread[max(limit - count, 0) :])
        return [sum(spread[: max(n - count, 0)]) + out for n in range(limit)]

    def laid(self, seat: int, color: Color) -> int:
        """The points of a colour that lie before a seat."""
        return sum(card.value for card in self.view.table[seat] if card.color == color)

    def hoped(self, choice: Cards, color: Color) -> float:
        """The points of a colour that one lays now, and some of those that one keeps."""
        now = sum(card.value for card in choice if card.color == color)
        held = sum(card.value for card in self.view.hand if card.color == color)
        return now + (held - now) * FOLLOW * self.later / 2


def binomial(trials: int, chance: float) -> list[float]:
    """How likely each number of successes is."""
    found = [1.0]
    for _ in range(trials):
        found = [
            here * (1 - chance) + before * chance
            for here, before in zip([*found, 0.0], [0.0, *found], strict=True)
        ]
    return found
