"""Who comes through the door: tokens, profiles and their keys, passwords, bans.

Nobody needs an account. A seat has a token; a profile has a key that the browser keeps; a password
is for those who want to find their profile again elsewhere. Only hashes of them are stored.
"""

from __future__ import annotations

import asyncio
import base64
from unicodedata import normalize

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from five211.errors import GameError, shown
from five211.gathering import checked_name
from five211.server.bans import Bans, network, written
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
        self._bans: Bans | None = None
        self._kept: list[tuple[str, float, str]] = []
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
        sharing = self._hub.sharing
        if sharing.connections(address) >= most:
            return False
        sharing.inside[address] += 1
        return True

    def let_out(self, address: str) -> None:
        """A connection has ended."""
        inside = self._hub.sharing.inside
        inside[address] -= 1
        if not inside[address]:
            del inside[address]

    # Bans

    async def banned(self, *whats: str | None) -> bool:
        """Whether any of these players or addresses is kept out."""
        bans = self._bans
        while bans is None:
            changed = self._bans_changed
            bans = Bans(await self._hub.store.bans())
            if changed == self._bans_changed:
                self._bans = bans
            else:  # somebody was kept out while we looked
                bans = None
        return any(bans.until(what) > self._hub.now for what in whats if what)

    async def ban(self, what: str, until: float, reason: str) -> None:
        """Keep a player, an address or a network out, and close what they have open."""
        if network(what) is None and await self._hub.store.player(what) is None:
            raise GameError("ban_what", what=shown(what))
        await self._hub.store.ban(written(what), until, reason)
        await self.look_out()

    async def unban(self, what: str) -> None:
        """Let them in again."""
        for one in {what, written(what)}:  # it may have been kept as it was typed
            await self._hub.store.unban(one)
        await self.look_out()

    async def look_out(self) -> None:
        """Look up again who is kept out, and close what they have open."""
        self._bans_changed += 1
        kept = await self._hub.store.bans()
        if self._bans is None or kept != self._kept:
            self._bans, self._kept = Bans(kept), kept
        for live in list(self._hub.lives.values()) if self._bans else ():
            await asyncio.sleep(0)  # there may be very many
            for connection in list(live.connections):
                profile = live.room.players.get(connection.person or "")
                if await self.banned(profile, connection.address):
                    connection.close(4003, "banned")

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
