"""Where this machine is found on the local network."""

from __future__ import annotations

import socket
from contextlib import suppress

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""What this machine calls itself."""


def addresses() -> tuple[str, ...]:
    """This machine's own names and addresses, the most useful first."""
    found: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # nothing is sent: it only asks which way it would go
        found.append(probe.getsockname()[0])
    name = socket.gethostname()
    with suppress(OSError):
        found += [str(one[4][0]) for one in socket.getaddrinfo(name, None, socket.AF_INET)]
    return tuple(dict.fromkeys([*found, name.lower(), f"{name.lower()}.local"]))
