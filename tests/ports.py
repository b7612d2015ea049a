"""Ports for servers that are started later, or again: nobody else comes between."""

from __future__ import annotations

import secrets
import socket

# Below those that the system hands out by itself, to connections and to whoever asks for any port.
RANGE = range(10_000, 32_768)


def free_port() -> int:
    """A port of this machine at which nobody listens."""
    while True:
        port = secrets.choice(RANGE)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port
