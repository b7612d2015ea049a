"""A room is a function of its log: doors, talk, and the proof of the deal in the making."""

from __future__ import annotations

from dataclasses import replace

import pytest

from five211.commands import Leave, Rematch, Sit, Start, Tick
from five211.errors import GameError
from five211.proof import check_proof, hash_words
from five211.server.codec import _decode_hook, encode_hook, entry_bytes, read_row, row_bytes
from five211.server.entries import (
    Admitted,
    Alerted,
    Bound,
    Closed,
    Dealt,
    GoneOn,
    Hashed,
    Moved,
    Moving,
    Opened,
    Reacted,
    Said,
    Worded,
)
from five211.server.live import Live
from five211.server.room import PATIENCE, Entry, Message, Reaction, Room, TableClosed, apply, hashed
from five211.server.store import Row
from five211.table import Options

OPENED = Opened("id", "CODE", "watch", "screen", 2, "standard", Options(), chat=True)
SEED = bytes(32)
WORDS = {"ana": b"a" * 32, "bob": b"b" * 32}


class Log:
    """A room and the log that it came from."""

    def __init__(self, opened: Opened = OPENED) -> None:
        self.room: Room = apply(None, opened, 0.0)[0]
        self.entries: list[tuple[Entry, float]] = [(opened, 0.0)]
        self.now = 0.0

    def do(self, *entries: Entry) -> tuple[object, ...]:
        events: tuple[object, ...] = ()
        for entry in entries:
            self.room, happened = apply(self.room, entry, self.now)
            self.entries.append((entry, self.now))
            events += happened
        return events

    def refuses(self, entry: Entry) -> str:
        before = self.room
        with pytest.raises(GameError) as error:
            self.do(entry)
        assert self.room is before
        return error.value.code


def gathered(*wordy: str) -> Log:
    log = Log()
    for person in ("ana", "bob"):
        log.do(Sit(person, person.title()))
        log.do(Admitted(person, hashed(f"{person}'s"), None, person in wordy))
    return log


def started(*wordy: str) -> Log:
    log = gathered(*wordy)
    log.do(Start("ana"))
    log.do(Bound(SEED, log.room.to_ask))
    return log


def test_the_log_is_the_room() -> None:
    log = started("ana")
    log.do(Hashed("ana", hash_words(WORDS["ana"])), Worded("ana", WORDS["ana"]), Dealt())
    log.do(Reacted("bob", "wow"), Alerted("bob", "webhook", "https://example.org/x"))
    rows = [row_bytes([entry_bytes(entry, at, None)]) for entry, at in log.entries]
    numbered = [Row("id", version, row) for version, row in enumerate(rows, 1)]
    assert Live.replayed(numbered).room == log.room
    assert [entry for row in rows for entry, _, _ in read_row(row)] == [e for e, _ in log.entries]


def test_hashes_first_then_words_then_the_deck() -> None:
    log = started("ana", "bob")
    settled, commitment = [log.room.proof], log.room.commitment
    assert settled == [None]
    assert log.refuses(Worded("ana", WORDS["ana"])) == "words_not_asked"  # not before all hashes
    log.do(Hashed("ana", hash_words(WORDS["ana"])))
    assert log.refuses(Hashed("ana", hash_words(WORDS["ana"]))) == "words_not_asked"  # once
    assert log.room.dealing is not None
    assert log.room.dealing.asked == (1,)
    log.do(Hashed("bob", hash_words(WORDS["bob"])))
    assert log.refuses(Worded("bob", WORDS["ana"])) == "words_other"
    assert log.refuses(Worded("bob", b"short")) == "words_size"
    log.do(Worded("bob", WORDS["bob"]), Worded("ana", WORDS["ana"]))
    assert log.room.proof is not None
    assert log.room.proof.commitment == commitment
    assert log.room.proof.words == (WORDS["ana"], WORDS["bob"])
    log.do(Dealt())
    assert check_proof(log.room.record) == log.room.proof


@pytest.mark.parametrize("text", ["", "0" * 63, "0" * 65, "G" * 64, "A" * 64])
def test_a_hash_is_a_hash(text: str) -> None:
    assert started("ana").refuses(Hashed("ana", text)) == "words_hash"


def test_whoever_does_not_answer_is_not_waited_for() -> None:
    log = started("ana", "bob")
    assert log.room.wakes_at == PATIENCE
    log.do(Hashed("ana", hash_words(WORDS["ana"])))
    log.now = 6.0
    log.do(GoneOn())  # bob sent no hash
    assert log.room.wakes_at == 6.0 + PATIENCE
    assert log.refuses(Hashed("bob", hash_words(WORDS["bob"]))) == "words_not_asked"
    log.do(GoneOn())  # and ana no words
    assert log.room.proof is not None
    assert log.room.proof.words == (None, None)
    assert log.room.wakes_at is None


def test_only_those_are_asked_who_are_here_and_can_answer() -> None:
    log = gathered("bob")
    assert list(log.room.to_ask) == ["bob"]
    log.do(Admitted("bob", hashed("other"), None, False))
    assert not log.room.to_ask
    log.do(GoneOn())  # before a game there is nothing to go on with
    assert log.room.dealing is None
    assert log.room.commitment is None


def test_every_game_has_a_seed_of_its_own() -> None:
    log = started()
    log.do(Dealt())
    first = log.room.commitment
    table = log.room.table
    assert table.match is not None
    over = replace(table.match, rules=replace(table.rules, goal=0))  # over at once
    log.room = replace(log.room, table=replace(table, match=replace(over, deals=over.deals * 2)))
    log.do(Rematch("bob"), Start("ana"))
    assert log.room.dealing is None
    log.do(Bound(SEED, ()))
    assert log.room.commitment not in (None, first)  # the same seed, but another game


def test_a_device_code_is_good_once_and_not_for_long() -> None:
    log = gathered()
    log.do(Moving("ana", hashed("one"), 300.0), Moving("ana", hashed("two"), 300.0))
    assert log.refuses(Moved(hashed("one"), hashed("x"))) == "device_code"  # the last one counts
    log.do(Moved(hashed("two"), hashed("new")))
    assert log.room.person_with("new") == "ana"
    for token in ("ana's", "one", ""):
        with pytest.raises(GameError, match="does not open"):
            log.room.person_with(token)
    assert log.refuses(Moved(hashed("two"), hashed("x"))) == "device_code"
    log.do(Moving("bob", hashed("three"), 300.0))
    log.now = 301.0
    assert log.refuses(Moved(hashed("three"), hashed("x"))) == "device_code"
    assert log.refuses(Moving("nobody", hashed("x"), 400.0)) == "not_seated"


def test_talk() -> None:
    log = gathered()
    assert log.do(Reacted("bob", "haha")) == (Reaction(1, "haha"),)
    assert log.refuses(Reacted("bob", "<b>")) == "reaction"
    assert log.do(Said("ana", "  <b>well</b>\n played ")) == (Message(0, "<b>well</b> played"),)
    for text in ("", " ", "x" * 201, "a\x00b"):
        assert log.refuses(Said("ana", text)) == "chat_text"
    assert log.refuses(Said("nobody", "hello")) == "not_seated"
    quiet = Log(replace(OPENED, chat=False))
    quiet.do(Sit("ana", "Ana"))
    assert quiet.refuses(Said("ana", "hello")) == "chat_off"


def test_no_free_text_at_a_public_table() -> None:
    with pytest.raises(GameError, match="only reactions"):
        Log(replace(OPENED, public=True))


def test_a_title_is_a_line_of_text() -> None:
    assert Log(replace(OPENED, name="Friday")).room.opened.name == "Friday"
    with pytest.raises(GameError, match="1 to 24"):
        Log(replace(OPENED, name="x" * 25))


def test_how_to_be_told_is_kept_and_dropped() -> None:
    log = gathered()
    log.do(Alerted("ana", "email", "ana@example.org"))
    assert log.room.alerts == {"ana": ("email", "ana@example.org")}
    log.do(Alerted("ana", "", ""))
    assert log.room.alerts == {}


def test_a_closed_table_takes_nothing_more() -> None:
    log = gathered()
    assert log.do(Closed()) == (TableClosed(),)
    assert log.refuses(Leave("ana")) == "table_closed"
    assert log.refuses(Tick()) == "table_closed"


def test_a_table_is_opened_once() -> None:
    assert gathered().refuses(OPENED) == "command"


def test_a_profile_is_remembered() -> None:
    log = gathered()
    log.do(Admitted("ana", hashed("x"), "profile"))
    assert log.room.players == {"ana": "profile"}


def test_nothing_else_goes_into_a_log() -> None:
    with pytest.raises(TypeError):
        encode_hook(object())
    with pytest.raises(TypeError):
        _decode_hook(Room, "x")


def test_a_log_from_before_an_option_came_has_its_default() -> None:
    old = entry_bytes(OPENED, 0.0, None).replace(b',"show_points":true', b"")
    assert b"show_points" not in old
    ((entry, _, _),) = read_row(row_bytes([old]))
    assert entry == OPENED
