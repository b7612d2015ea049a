"""Games at home: whole ones, and those whose process, disk or file gave up."""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from random import Random

import msgspec
import pytest

from five211 import GameError, Rules, Variant, faults, parse, parse_cards, write
from five211.bots import Entry, entry
from five211.terminal.here import Here
from five211.terminal.place import in_thread
from five211.terminal.saved import Log, Move, Setup, folder, games_file, interrupted
from tests.arena.bots import Prepared
from tests.terminal.people import Waits, first, kept, offered, play_first, played, setup

KINDS = list(product((2, 3, 4, 5), Variant, ("classic", "azul")))


@pytest.mark.parametrize(("players", "variant", "edition"), KINDS)
def test_a_whole_game_of_every_kind_becomes_a_record(
    players: int, variant: Variant, edition: str
) -> None:
    record = played(setup(players, variant, edition))
    assert faults(write(record)) == ()
    assert (record.edition, record.match.rules) == (edition, Rules.of(players, variant))
    assert record.finished
    assert kept() == [record]
    assert list(folder().glob("*.game")) == []
    assert offered() == []


@pytest.mark.parametrize("people", [1, 2, 3])
def test_people_take_the_first_seats(people: int) -> None:
    names = ("Ana", "Ben", "Cleo")[:people]
    record = played(setup(3, people=names))
    assert [one.name for one in record.players][:people] == [*names]
    assert [one.bot is None for one in record.players] == [seat < people for seat in range(3)]


def test_a_bot_is_prepared_once() -> None:
    assert played(setup(3, bots=("prepared", "prepared")), lambda _: Entry("it", Prepared)).finished


def test_the_same_seed_is_the_same_game() -> None:
    assert played(setup(4)) == played(setup(4)) != played(setup(4, seed="8"))


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (setup(6), "players"),
        (setup(variant="x"), "variant"),
        (setup(edition="x"), "edition"),
        (setup(people=("",), bots=("easy", "easy")), "name"),
        (setup(people=("Ana", "ana"), bots=("easy",)), "name_taken"),
        (setup(people=(), bots=("easy",) * 3), "opponents_number"),
        (setup(bots=("easy",)), "opponents_number"),
        (setup(bots=("easy", "magic")), "bot_unknown"),
    ],
)
def test_what_cannot_be_played_leaves_no_file(wrong: Setup, code: str) -> None:
    with pytest.raises(GameError) as caught:
        Here.begin(wrong, entry)
    assert caught.value.code == code
    assert list(folder().iterdir()) == []


# Choosing


@pytest.mark.rule("3.3")
@pytest.mark.rule("8.2")
def test_a_choice_is_seen_by_its_owner_changed_and_taken_back() -> None:
    async def play() -> None:
        here = Here.begin(setup(2, people=("Ana", "Ben")), entry)
        await here.start()
        cards = first(here, 0)
        await here.choose(0, cards)
        assert (here.look(0).choice, here.look(1).choice) == (cards, None)
        assert [seat.chosen for seat in here.look(1).seats] == [True, False]
        view = here.look(0).view
        assert view is not None
        await here.choose(0, view.hand[1:3])
        assert here.look(0).choice == view.hand[1:3]
        await here.take_back(0)
        assert here.look(0).choice is None
        for doing in (here.take_back(0), here.choose(0, parse_cards("Y1")), here.choose(5, cards)):
            before, kept = here.table, (folder() / f"{here.setup.id}.game").read_bytes()
            with pytest.raises(GameError):
                await doing
            assert here.table == before
            assert (folder() / f"{here.setup.id}.game").read_bytes() == kept
        assert here.now() == 0.0
        await here.close()

    asyncio.run(play())


def test_after_the_end_nothing_is_chosen_and_it_is_finished_once() -> None:
    async def play() -> None:
        here = Here.begin(setup(5), entry)
        await play_first(here)
        cards = first(here, 0)
        for doing in (here.choose(0, cards), here.take_back(0)):
            with pytest.raises(GameError, match="nothing to choose"):
                await doing
        await here.start()
        await here.start()
        await here.close()

    asyncio.run(play())
    assert len(games_file().read_text().splitlines()) == 1


def test_leaving_while_a_bot_thinks_waits_for_nobody() -> None:
    bot = Waits()

    async def play() -> None:
        here = Here.begin(setup(2, bots=("slow",)), lambda _: Entry("slow", lambda: bot))
        await here.start()
        await here.start()  # it thinks already
        await asyncio.sleep(0)
        await here.close()

    asyncio.run(play())
    bot.may.set()  # it has nobody to tell any more
    assert len(offered()) == 1


def test_what_a_thread_finds_is_handed_over_and_so_is_what_went_wrong() -> None:
    async def ask() -> None:
        assert await in_thread(lambda: 7) == 7
        with pytest.raises(ZeroDivisionError):
            await in_thread(lambda: 1 // 0)
        answer = in_thread(lambda: time.sleep(0.01))
        answer.cancel()  # it is not waited for
        await asyncio.sleep(0.05)

    asyncio.run(ask())


# Interrupted


def left(game: Setup, turns: int = 4) -> Path:
    """The file of a game that was left after some turns."""

    async def play() -> None:
        here = Here.begin(game, entry)
        await here.start()
        for _ in range(turns):
            moment = here.table.moment
            await here.choose(0, first(here, 0))
            while here.table.moment == moment:
                await here.after(here.version)
        await here.close()

    asyncio.run(play())
    return folder() / f"{game.id}.game"


def resumed() -> Here | None:
    """The newest game that can be gone on with."""

    async def resume() -> Here | None:
        found = (Here.resume(log, entry) for log in interrupted())
        return next((one for one in found if one is not None), None)

    return asyncio.run(resume())


def gone_on() -> str:
    """It is played to its end: its record."""

    async def play() -> str:
        here = next(one for log in interrupted() if (one := Here.resume(log, entry)))
        await play_first(here)
        await here.close()
        return here.record

    return asyncio.run(play())


@pytest.mark.parametrize("turns", [0, 1, 2, 3, 20, 25])
def test_a_game_goes_on_as_it_would_have(turns: int) -> None:
    game = setup(3, "long", "azul")
    left(game, turns)
    assert parse(gone_on()) == played(game)


@pytest.mark.parametrize("seed", range(4))
def test_a_process_that_is_killed_loses_nothing_that_was_confirmed(seed: int) -> None:
    rng, game = Random(seed), setup(4, "long", people=("Ana", "Ben"), seed=str(seed))
    confirmed: list[tuple[int, tuple[str, ...]]] = []
    command = [sys.executable, "-m", "tests.terminal.mortal", msgspec.json.encode(game).decode()]
    root = Path(__file__).parent.parent.parent
    for last in (False, False, False, True):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root) as mortal:
            assert mortal.stdout is not None
            assert mortal.stdout.readline() == "begun\n"
            for _ in range(1000 if last else rng.randrange(9)):
                line = mortal.stdout.readline().split()
                if line[0] == "over":
                    break
                confirmed.append((int(line[0]), tuple(line[1:])))
            if not last:
                time.sleep(rng.random() / 100)
                mortal.kill()
                said = mortal.stdout.read().split("\n")[:-1]  # not what it died in the middle of
                confirmed += [(int(one[0]), tuple(one.split()[1:])) for one in said]
        if not last:
            log = next(interrupted())
            found = log.read()
            log.close()
            assert found is not None
            moves = [(move.seat, move.cards) for move in found[1] if move.seat < 2]
            assert moves[: len(confirmed)] == confirmed
            assert len(moves) <= len(confirmed) + 1
            confirmed = moves  # the last one was kept, and not said
    (record,) = kept()
    assert record == played(game)
    assert list(folder().glob("*.game")) == []


def test_two_processes_do_not_touch_each_others_game() -> None:
    game = setup(3)
    held = Log.begin(game)
    code = """
from five211.terminal.saved import interrupted
print(*(log.path.stem for log in interrupted()))
"""

    def elsewhere() -> str:
        run = [sys.executable, "-c", code]
        return subprocess.run(run, capture_output=True, text=True, check=True).stdout.strip()

    assert elsewhere() == ""
    assert offered() == []  # nor this one, twice
    held.close()
    assert elsewhere() == game.id


DAMAGE = {
    "empty": lambda whole: whole[:0],
    "no line": lambda whole: whole[:20],
    "no game": lambda whole: b"{}\n" + whole,
    "no JSON": lambda whole: b"\xff\n" + whole,
    "another seat": lambda whole: whole + b'[7,["Y1"]]\n',
    "no card": lambda whole: whole + b'[0,["Q9","Y1"]]\n',
    "no such card": lambda whole: whole + b'[0,["Y6","Y6"]]\n',
    "not a move": lambda whole: whole + b'{"seat":0}\n',
    "taken back": lambda whole: whole + b"[0,[]]\n",
    "a hole": lambda whole: whole.replace(b"\n[1,", b"\n\0[1,", 1),
    "six players": lambda whole: whole.replace(b'"players":3', b'"players":6', 1),
    "no such bot": lambda whole: whole.replace(b'"random"', b'"my_bot.py:Mine"', 1),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_not_offered_and_not_touched(damage: str) -> None:
    path = left(setup(3))
    broken = DAMAGE[damage](path.read_bytes())
    path.write_bytes(broken)
    assert resumed() is None
    assert path.read_bytes() in (broken, b"")  # a line that was cut off is none
    left(setup(2, seed="1"), 1)
    good = resumed()  # another one is
    assert good is not None
    assert good.setup.seed == "1"
    asyncio.run(good.close())


def test_a_line_that_was_cut_off_is_a_choice_that_was_not_kept() -> None:
    game = setup(3)
    path = left(game)
    whole = path.read_bytes()
    path.write_bytes(whole + b'[0,["Y')
    here = resumed()
    assert here is not None
    assert path.read_bytes() == whole
    asyncio.run(here.close())
    path.write_bytes(whole[:-3])
    assert parse(gone_on()) == played(game)


def test_a_choice_after_the_game_is_over_is_damage() -> None:
    game = setup(5)
    played(game)
    record = games_file().read_bytes()
    log = Log.begin(msgspec.structs.replace(game, id="other"))
    for turn in parse(record.decode()).match.deals[0].rounds:
        for choices in turn.turns:
            for seat, cards in enumerate(choices):
                log.note(seat, tuple(card.code for card in cards))
    log.note(0, ("Y1",))
    log.close()
    assert resumed() is None
    assert games_file().read_bytes() == record


def test_a_game_whose_process_died_at_its_very_end_is_a_record_once() -> None:
    game = setup(5)
    record = played(game)
    log = Log.begin(game)
    for round_ in record.match.deals[0].rounds:
        for choices in round_.turns:
            for seat, cards in enumerate(choices):
                log.note(seat, tuple(card.code for card in cards))
    log.close()
    assert resumed() is None  # there is nothing left to play
    assert len(games_file().read_text().splitlines()) == 1
    assert list(folder().glob("*.game")) == []


# A full disk


@contextmanager
def full_after(size: int) -> Iterator[None]:
    """No file may grow beyond this."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_said_before_the_game() -> None:
    with full_after(10), pytest.raises(GameError) as caught:
        Here.begin(setup(), entry)
    assert "cannot be written: File too large." in str(caught.value)
    assert list(folder().iterdir()) == []


def test_a_choice_that_cannot_be_kept_does_not_count() -> None:
    async def play() -> None:
        here = Here.begin(setup(2, people=("Ana", "Ben")), entry)
        path = folder() / f"{here.setup.id}.game"
        whole, table = path.read_bytes(), here.table
        with full_after(len(whole) + 5), pytest.raises(GameError, match="cannot be written"):
            await here.choose(0, first(here, 0))
        assert (path.read_bytes(), here.table) == (whole, table)
        await here.choose(0, first(here, 0))  # there is room again
        assert len(path.read_bytes()) > len(whole)
        await here.close()

    asyncio.run(play())


@pytest.mark.parametrize("when", ["at the next start", "at the next game", "when one leaves"])
def test_a_record_that_finds_no_room_is_kept_later(when: str) -> None:
    game = setup(5)

    async def play() -> None:
        here = Here.begin(game, entry)
        with full_after(2000):
            await play_first(here)
            assert here.over
            assert here.unkept is not None
            assert here.unkept.code == "file_write"
            if when == "at the next start":
                await here.close()
                return
        if when == "at the next game":
            await here.again()
            assert here.unkept is None
        await here.close()

    asyncio.run(play())
    assert len(kept()) == (when != "at the next start")
    other = resumed()
    assert (other is not None) is (when == "at the next game")
    if other is not None:
        asyncio.run(other.close())
    (record,) = kept()
    assert record == played(game)


def test_a_folder_that_cannot_be_made_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    with pytest.raises(GameError, match="cannot be written: Not a directory"):
        Here.begin(setup(), entry)


def test_a_game_is_for_its_owners_eyes_only() -> None:
    path = left(setup(), 1)
    assert path.stat().st_mode & 0o777 == 0o600
    assert folder().stat().st_mode & 0o777 == 0o700
    assert msgspec.json.decode(path.read_bytes().splitlines()[1], type=Move).seat in range(3)
    assert os.access(path, os.R_OK)
