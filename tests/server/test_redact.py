"""Taking a player's name out of logs, the lobby and records."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from five211.commands import Sit
from five211.server.codec import entry_bytes, read_row, row_bytes
from five211.server.entries import Admitted, Alerted, Opened, Said
from five211.server.live import Live
from five211.server.redact import players_in, redact_log, redact_record, redact_summary
from five211.server.room import Entry, Room, kept
from five211.server.store import Game, Row, Standing
from five211.table import Options

ANA, BEN = "player-ana", "player_ben"


def row(*entries: Entry) -> bytes:
    return row_bytes([entry_bytes(entry, 1.0, f"id {n}") for n, entry in enumerate(entries)])


def replayed(rows: list[bytes]) -> Room:
    return Live.replayed([Row("t", n, one) for n, one in enumerate(rows, 1)]).room


def log(host: str = "p1") -> list[bytes]:
    opened = Opened("t", "CODE", "w", "s", 3, "standard", Options(), name="Anas table", chat=True)
    names = {"p1": ("Ana", ANA), "p2": ("Ben", BEN)}
    first, second = (host, "p2") if host == "p1" else (host, "p1")
    return [
        row(opened, Sit(first, names[first][0], None), Admitted(first, "h1", names[first][1])),
        row(Sit(second, names[second][0], None), Admitted(second, "h2", names[second][1])),
        row(Said("p1", f'it is "player":"{BEN}"'), Said("p2", "hello")),
        row(Alerted("p1", "email", "ana@x.org"), Alerted("p2", "email", "ben@x.org")),
    ]


def test_a_rows_profiles_are_found_and_not_what_people_write() -> None:
    assert [players_in(one) for one in log()] == [{ANA}, {BEN}, set(), set()]
    admitted = row(Said("p1", f'"Admitted" "player":"{BEN}"'), Admitted("p1", "h", None))
    assert players_in(admitted) == set()


def test_a_log_without_the_player_is_the_same_table() -> None:
    new, names, hosted = redact_log(log(), ANA)
    assert hosted
    room, before = replayed(new), replayed(log())
    assert names == {"Ana": room.table.seats[0].name}
    assert room.table.seats[1:] == before.table.seats[1:]
    assert (room.opened.name, room.tokens) == ("", before.tokens)
    assert room.players == {"p2": BEN}
    assert room.alerts == {"p2": ("email", "ben@x.org")}
    text = b"".join(new).decode()
    assert not [word for word in ("Ana", ANA, "ana@x.org", "it is") if word in text]
    assert "hello" in text
    times = [[(at, id_) for _, at, id_ in read_row(one)] for one in new]
    assert times == [[(at, id_) for _, at, id_ in read_row(one)] for one in log()]


def test_a_guests_table_keeps_its_title() -> None:
    new, _, hosted = redact_log(log("p2"), ANA)
    assert not hosted
    assert replayed(new).opened.name == "Anas table"


@pytest.mark.parametrize("host", ["p1", "p2"])
def test_a_log_that_began_anew_loses_the_same(host: str) -> None:
    anew = [row(kept(replayed(log(host)), (0, 0, 0, 0), {}))]
    assert players_in(anew[0]) == {ANA, BEN}
    assert replayed(anew) == replace(
        replayed(log(host)), table=replace(replayed(log(host)).table, now=1.0)
    )
    new, names, hosted = redact_log(anew, ANA)
    room = replayed(new)
    assert hosted is (host == "p1")
    assert room.opened.name == ("" if hosted else "Anas table")
    assert room.players == {"p2": BEN}
    assert room.alerts == {"p2": ("email", "ben@x.org")}
    seats = [seat.name for seat in room.table.seats if seat.person]
    assert sorted(seats) == sorted([names["Ana"], "Ben"])
    assert ANA.encode() not in new[0]
    assert redact_log(anew, "somebody")[0] == anew


def test_nobody_else_is_redacted() -> None:
    new, names, hosted = redact_log(log(), "somebody")
    assert (new, names, hosted) == (log(), {}, False)


def test_the_lobbys_line_loses_names_of_people_only() -> None:
    seats = [{"name": "Ana", "bot": None}, {"name": "Ana", "bot": "x"}, {"name": "B", "bot": None}]
    line = json.dumps({"name": "title", "seats": seats}).encode()
    for hosted, title in ((True, ""), (False, "title")):
        found = json.loads(redact_summary(line, {"Ana": "?"}, hosted))
        assert found["name"] == title
        assert [seat["name"] for seat in found["seats"]] == ["?", "Ana", "B"]


def test_a_record_loses_the_name_and_nothing_else() -> None:
    record = {"seats": [{"name": "Ana"}, {"name": "Bén"}], "deals": [1]}
    standings = (Standing(ANA, "Ana", None, 5, 0), Standing(None, "Bén", None, 3, 1))
    game = Game("g", "t", 1.0, True, True, json.dumps(record), standings)
    text, new = redact_record(game, ANA)
    assert json.loads(text) == {"seats": [{"name": "?"}, {"name": "Bén"}], "deals": [1]}
    assert new == (Standing(None, "?", None, 5, 0), standings[1])
