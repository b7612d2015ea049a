"""Who comes through the door: tokens, profiles and their keys, passwords, bans.

Nobody needs an account. A seat has a token; a profile has a key that the browser keeps; a password
is for those who want to find their profile again elsewhere. Only hashes of them are stored.
"""

from __future__ import annotations

import asyncio
import base64
from collections import Counter
from unicodedata import normalize

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from five211.errors import GameError
from five211.gathering import checked_name
from five211.server.hub import Hub
from five211.server.ratings import MU, SIGMA
from five211.server.room import hashed
from five211.server.store import PlayerData

ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # nothing that is taken for something else
PASSWORD = range(8, 201)  # characters
LOGIN = range(3, 33)


class Guests:
    """The people of this server."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._passwords = PasswordHasher()
        self._nobody = self._passwords.hash("nobody")
        self._inside: Counter[str] = Counter()
        self._bans: dict[str, float] | None = None
        self._bans_changed = 0
        self._hashing = asyncio.Semaphore(2)  # it takes memory and time on purpose

    # Secrets

    def secret(self, size: int) -> str:
        """A token, or part of a link."""
        return base64.urlsafe_b64encode(self._hub.sources.secret(size)).decode().rstrip("=")

    def code(self, size: int) -> str:
        """Something that can be read aloud and typed."""
        return "".join(ALPHABET[byte % len(ALPHABET)] for byte in self._hub.sources.secret(size))

    # Addresses

    def let_in(self, address: str, most: int) -> bool:
        """Count a connection, unless its address has too many."""
        if self._inside[address] >= most:
            return False
        self._inside[address] += 1
        return True

    def let_out(self, address: str) -> None:
        """A connection has ended."""
        self._inside[address] -= 1
        if not self._inside[address]:
            del self._inside[address]

    # Bans

    async def banned(self, *whats: str | None) -> bool:
        """Whether any of these players or addresses is kept out."""
        bans = self._bans
        while bans is None:
            changed = self._bans_changed
            bans = {what: until for what, until, _ in await self._hub.store.bans()}
            if changed == self._bans_changed:
                self._bans = bans
            else:  # somebody was kept out while we looked
                bans = None
        return any(bans.get(what, 0.0) > self._hub.now for what in whats if what)

    def bans_changed(self) -> None:
        """Look them up again."""
        self._bans = None
        self._bans_changed += 1

    # Profiles

    async def make_player(self, name: str) -> tuple[PlayerData, str]:
        """A new profile and its key."""
        now, key = self._hub.now, self.secret(32)
        player = PlayerData(
            self.secret(9), checked_name(name), None, None, now, now, MU, SIGMA, 0, 0.0
        )
        await self._hub.store.new_player(player, hashed(key))
        return player, key

    async def player_with(self, key: str) -> PlayerData:
        """The profile that a key opens."""
        player = await self._hub.store.player_with(hashed(key))
        if player is None:
            raise GameError("key")
        if await self.banned(player.id):
            raise GameError("banned")
        return player

    async def set_password(self, player: PlayerData, login: str, password: str) -> None:
        """Make a profile an account."""
        login = _tidy(login)
        if len(login) not in LOGIN or not login.isprintable() or " " in login:
            raise GameError("login_text", least=LOGIN.start, most=LOGIN.stop - 1)
        if len(password) not in PASSWORD:
            raise GameError("password_text", least=PASSWORD.start, most=PASSWORD.stop - 1)
        async with self._hashing:
            made = await asyncio.to_thread(self._passwords.hash, password)
        if not await self._hub.store.change_player(player.id, login=login, password=made):
            raise GameError("login_taken")

    async def log_in(self, login: str, password: str) -> tuple[PlayerData, str]:
        """The profile of an account, and a new key for it; both errors take the same time."""
        player = await self._hub.store.player_named(_tidy(login))
        kept = self._nobody if player is None or player.password is None else player.password
        async with self._hashing:
            good = await asyncio.to_thread(self._matches, kept, password[: PASSWORD.stop])
        if player is None or not good:
            raise GameError("login")
        if await self.banned(player.id):
            raise GameError("banned")
        key = self.secret(32)
        await self._hub.store.add_key(player.id, hashed(key), self._hub.now)
        return player, key

    def _matches(self, kept: str, password: str) -> bool:
        try:
            return self._passwords.verify(kept, password)
        except (Argon2Error, InvalidHashError):
            return False


def _tidy(login: str) -> str:
    """A login as it is compared: however a keyboard writes it."""
    return normalize("NFKC", login.strip().casefold())
