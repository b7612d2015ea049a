"""What somebody asked `five211 play` for, and the game that follows from it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

import msgspec

from five211 import texts
from five211.errors import GameError, shown
from five211.record import check_edition
from five211.rules import Rules
from five211.terminal.saved import Setup
from five211.terminal.settings import SPEEDS, Settings

GAME = ("players", "bots", "variant", "edition", "people", "seed")
"""Options that describe a game at home; so does a name, but that is also good elsewhere."""
DOOR = ("table", "code", "token")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The options as they were given; none where nothing was said."""

    players: int | None = None
    bots: tuple[str, ...] | None = None
    """One for all opponents, or one each."""
    variant: str | None = None
    edition: str | None = None
    name: str | None = None
    """Of the one person who plays here."""
    people: tuple[str, ...] | None = None
    """Of several, who share this terminal."""
    seed: str | None = None
    record: str | None = None
    """A file to which the game is added."""
    language: str | None = None
    speed: str | None = None
    new: bool = False
    """Whether no game that was interrupted is to be offered."""
    join: str | None = None
    """A table elsewhere, and what opens it:"""
    table: str | None = None
    code: str | None = None
    token: str | None = None

    @property
    def at_once(self) -> bool:
        """Whether enough was said to begin without another question."""
        return any(getattr(self, name) is not None for name in (*GAME, "name", "join"))

    def check(self) -> None:
        """Refuse what contradicts itself."""
        if self.speed is not None and self.speed not in SPEEDS:
            raise GameError("speed", speed=shown(self.speed), known=tuple(SPEEDS))
        if self.name is not None and self.people is not None:
            raise GameError("name_or_people")
        if self.join is None:
            if any(getattr(self, name) is not None for name in DOOR):
                raise GameError("join_missing")
            return
        much = tuple(f"--{n}" for n in (*GAME, "record") if getattr(self, n) is not None)
        if much:
            raise GameError("join_alone", options=much)

    def settings(self, usual: Settings) -> Settings:
        """What is usual, with what was asked for instead."""
        given = {
            name: getattr(self, name) for name in Settings.__struct_fields__ if name != "light"
        }
        if self.name is not None:
            given["people"] = (self.name,)
        return msgspec.structs.replace(
            usual, **{name: value for name, value in given.items() if value is not None}
        )

    def setup(self, usual: Settings, language: str) -> Setup:
        """The game that was asked for; what was not said is as usual."""
        wanted = self.settings(usual)
        people = wanted.people or (texts.fill(language, "play.you"),)
        players = wanted.players
        if self.players is None:
            both = len(people) + len(self.bots or ()) if self.bots and self.people else players
            players = max(both, len(people))
        rules = Rules.of(players, wanted.variant)
        if self.people is None and self.name is None:
            people = people[: rules.players]
        needed = rules.players - len(people)
        if needed < 0:
            raise GameError("people_number", n=len(people), players=rules.players)
        return Setup(
            players=rules.players,
            variant=rules.variant,
            edition=check_edition(wanted.edition),
            people=people,
            bots=self._opponents(wanted.bots, needed),
            seed=secrets.token_hex(16) if self.seed is None else self.seed,
        )

    def _opponents(self, bots: tuple[str, ...], needed: int) -> tuple[str, ...]:
        """One bot for each seat that is left."""
        if len(bots) == needed:
            return bots
        if self.bots is not None and len(bots) != 1:
            raise GameError("opponents_number", n=needed, given=len(bots))
        return (bots or Settings().bots)[:1] * needed
