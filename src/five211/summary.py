"""What many games came to: whole numbers only, so that any order of adding gives the same."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from five211.match import Match
from five211.rules import Rules
from five211.scoring import Outcome


@dataclass(frozen=True, slots=True)
class Summary:
    """Some games; `+` puts two summaries together."""

    rules: Rules
    games: int
    points: tuple[int, ...]
    """Each seat's points in all of them."""
    winners: Counter[tuple[int, ...]]
    """How often these seats won, alone or together."""
    outcomes: Counter[Outcome]
    """How rounds were decided."""

    @classmethod
    def empty(cls, rules: Rules) -> Summary:
        """No games yet."""
        return cls(rules, 0, (0,) * rules.players, Counter(), Counter())

    @classmethod
    def of(cls, match: Match) -> Summary:
        """One game that is over."""
        result = match.result
        assert result is not None
        outcomes = Counter(round_.score.outcome for deal in match.deals for round_ in deal.rounds)
        return cls(match.rules, 1, result.points, Counter([result.winners]), outcomes)

    def __add__(self, other: Summary) -> Summary:
        return Summary(
            self.rules,
            self.games + other.games,
            tuple(map(sum, zip(self.points, other.points, strict=True))),
            self.winners + other.winners,
            self.outcomes + other.outcomes,
        )

    @property
    def wins(self) -> list[float]:
        """Each seat's victories; a shared one counts as its fraction."""
        won = [0.0] * self.rules.players
        for seats, games in sorted(self.winners.items()):
            for seat in seats:
                won[seat] += games / len(seats)
        return won
