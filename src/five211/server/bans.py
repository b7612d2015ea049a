"""Who is kept out: players by their id, addresses, and networks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import TypeAlias

Network: TypeAlias = IPv4Network | IPv6Network
ASKED = 1 << 16  # players and addresses that are remembered, since everybody is looked at again
MAPPED = 96  # bits before an address of the older kind in one of the newer


class Bans:
    """Until when each of them is kept out: `until` says it of a player or an address, or 0."""

    def __init__(self, kept: Iterable[tuple[str, float, str]]) -> None:
        self._until: dict[Network | str, float] = {}
        for what, until, _ in kept:
            who = network(what) or what
            self._until[who] = max(until, self._until.get(who, 0.0))
        self.until = lru_cache(ASKED)(self._of)
        self._wide = [
            one for one in self._until if not isinstance(one, str) and one.num_addresses > 1
        ]

    def __bool__(self) -> bool:
        return bool(self._until)

    def _of(self, what: str) -> float:
        """Until when a player or an address is kept out; 0 if it is not."""
        address = network(what)
        if address is None:
            return self._until.get(what, 0.0)
        around = [one for one in self._wide if address[0] in one]
        return max(self._until.get(one, 0.0) for one in (address, *around))


def network(what: str) -> Network | None:
    """The network that this is, of one address perhaps; none if it is something else."""
    try:
        found = ip_network(re.sub("%[^/]*", "", what), strict=False)  # without the card it came by
    except ValueError:
        return None
    # a server that listens on addresses of both kinds sees those of the older kind in the newer
    older = getattr(found[0], "ipv4_mapped", None)
    if older is None or found.prefixlen < MAPPED:
        return found
    return ip_network(f"{older}/{found.prefixlen - MAPPED}")


def written(what: str) -> str:
    """As it is kept: addresses and networks in one way of writing each."""
    found = network(what)
    if found is None:
        return what
    return str(found[0] if found.num_addresses == 1 else found)
