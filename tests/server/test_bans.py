"""Who is kept out: each by all the ways in which it can be written."""

from __future__ import annotations

import pytest

from five211.server.bans import Bans, written


@pytest.mark.parametrize(
    ("banned", "address"),
    [
        ("1.2.3.4", "::ffff:1.2.3.4"),
        ("::ffff:1.2.3.4", "1.2.3.4"),
        ("10.0.0.0/8", "10.200.0.1"),
        ("10.0.0.0/8", "::ffff:10.200.0.1"),
        ("::ffff:10.0.0.0/104", "10.200.0.1"),
        ("fe80::1%eth0", "fe80::1"),
        ("fe80::1", "fe80::1%eth1"),
        ("2001:db8::/32", "2001:db8::7"),
        ("player", "player"),
    ],
)
def test_an_address_is_found_however_it_is_written(banned: str, address: str) -> None:
    assert Bans([(banned, 9.0, "")]).until(address) == 9.0
    assert Bans([(written(banned), 9.0, "")]).until(address) == 9.0


@pytest.mark.parametrize("address", ["11.0.0.1", "::10.0.0.1", "player", ""])
def test_nobody_else_is_kept_out(address: str) -> None:
    assert Bans([("10.0.0.0/8", 9.0, ""), ("somebody", 9.0, "")]).until(address) == 0.0


def test_of_two_bans_of_the_same_the_longer_counts() -> None:
    kept = [("1.2.3.4", 9.0, ""), ("::ffff:1.2.3.4", 1.0, "")]
    assert Bans(kept).until("1.2.3.4") == Bans(kept[::-1]).until("1.2.3.4") == 9.0
