"""Lines in and out, from every kind of source; and the plain game on real terminals."""

from __future__ import annotations

import asyncio
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest
from rich.console import Console

from five211.terminal.lines import Talk, reader
from five211.terminal.saved import games_file
from tests.terminal.people import Player, by_number, kept, offered, played, setup

COMMAND = str(Path(sys.executable).parent / "five211")


def lines_of(given: bytes) -> list[str]:
    """What is read from a pipe, up to its end."""
    end, other = os.pipe()
    with os.fdopen(other, "wb") as pipe:
        pipe.write(given)
    with open(end, encoding="utf-8") as file:  # noqa: PTH123
        following = reader(file)
        found = [following()]
        while found[-1]:
            found.append(following())
    return found[:-1]


def test_lines_come_one_by_one_and_the_last_may_have_no_end() -> None:
    assert lines_of(b"") == []
    assert lines_of(b"1 2\n\n1\nq") == ["1 2\n", "\n", "1\n", "q"]
    assert lines_of(b"\xff\xfe\n\xc3\xa9\r\n") == ["\ufffd\ufffd\n", "é\r\n"]


def test_a_very_long_line_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "long"
    path.write_text("x" * 3_000_000 + "\nq\n")
    with path.open() as file:
        following = reader(file)
        assert len(following()) == 3_000_001
        assert (following(), following(), following()) == ("q\n", "", "")


def test_a_source_that_is_closed_gone_or_in_memory(tmp_path: Path) -> None:
    assert reader(None)() == ""
    assert reader(io.StringIO("a\nb"))() == "a\n"
    with (tmp_path / "f").open("w+") as file:
        following = reader(file)
        os.close(file.fileno())
        assert following() == ""
        os.dup2(os.open(os.devnull, os.O_RDONLY), file.fileno())


def test_what_is_said_goes_where_the_console_goes() -> None:
    heard = io.StringIO()
    talk = Talk(Console(file=heard, width=20), io.StringIO(" a \n"))
    assert not talk.terminal

    async def hear() -> None:
        talk.say("a sentence that is longer than a line")
        talk.ask("Play")
        assert await talk.hear() == "a"
        with pytest.raises(EOFError):
            await talk.hear()

    asyncio.run(hear())
    assert heard.getvalue() == "a sentence that is longer than a line\nPlay> "


def test_a_screen_is_cleared_by_as_many_lines_as_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINES", "17")
    monkeypatch.setenv("COLUMNS", "80")
    heard = io.StringIO()
    Talk(Console(file=heard), None).clear()
    assert heard.getvalue() == "\n" * 17


# Real terminals


def spawn(*args: str, **variables: str) -> pexpect.spawn[str]:
    child = pexpect.spawn(
        COMMAND,
        ["play", *args],
        env={**os.environ, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TERM": "xterm", **variables},
        encoding="utf-8",
        timeout=60,
        dimensions=(40, 200),
    )
    child.delaybeforesend = None
    return child


def played_on(child: pexpect.spawn[str]) -> list[int]:
    """The first cards are played to the end of the game: how many were asked for."""
    asked: list[int] = []
    while True:
        child.expect(r"Play (\d) cards?> |Another game with the same players\? \(y/n\)> ")
        assert isinstance(child.match, re.Match)
        if child.match.group(1) is None:
            return asked
        asked.append(int(child.match.group(1)))
        child.sendline("12" if asked[-1] == 2 else "1")


def ends(child: pexpect.spawn[str]) -> str:
    """What is said last, in one line: a terminal wraps."""
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    return " ".join((child.before or "").split())


def test_a_whole_long_game_on_a_real_terminal() -> None:
    child = spawn("--plain", "--seed", "7", "--players", "3", "--variant", "long")
    asked = played_on(child)
    end = " ".join((child.before or "").split())
    child.sendline("n")
    ends(child)
    game = setup(3, "long", bots=("easy", "easy"), people=("Player",))
    same = Player(by_number, game)
    record = same.play()
    assert len(record.match.deals) > 1
    assert asked == [2, 1, 1] * (len(asked) // 3)
    assert len(asked) == len(same.asked)
    assert same.heard[-1] in end
    assert end.endswith("games.jsonl”; `five211 replay` tells it again.")
    assert kept()[0] == record


def test_a_dumb_terminal_is_played_in_lines_and_a_rematch_is_another_game() -> None:
    child = spawn("--players", "5", "--seed", "7", TERM="dumb")
    for last in ("y", "n"):
        assert played_on(child) == [2, 1, 1] * 4
        child.sendline(last)
    ends(child)
    first, second = kept()
    assert first == played(setup(5, bots=("easy",) * 4, people=("Player",)))
    assert first.match.deals[0].deck != second.match.deals[0].deck


def test_ctrl_c_after_the_end_is_no_unfinished_game() -> None:
    child = spawn("--plain", "--players", "5", "--seed", "7")
    played_on(child)
    child.sendintr()
    assert "Bye" not in ends(child)
    assert len(games_file().read_text().splitlines()) == 1


def test_an_interrupted_game_is_offered_again() -> None:
    child = spawn("--plain", "--seed", "7", "--name", "Ana", "--players", "3")
    child.expect("Play 2 cards> ")
    child.sendline("1 2")
    child.expect("Play 1 card> ")
    child.sendeof()
    child.expect("Bye! The game is not finished.")
    ends(child)

    offer = r"There is a game that was not finished: round 1 of 7, Ana 0, Maxi 0 and Maxi 2 0\."
    for answer in ("q", "\x03", "\x04"):  # neither yes nor no
        child = spawn("--plain")
        child.expect(offer)
        child.expect(r"Go on with it\? \(y/n\)> ")
        child.sendline("what?")
        child.expect(offer)
        child.send(answer + "\n" * (answer == "q"))
        ends(child)
    child = spawn("--plain", "--new")
    child.expect("round|Round 1 of 6, turn 1")
    assert "not finished" not in (child.before or "")
    child.sendintr()
    ends(child)
    assert len(offered()) == 2

    child = spawn("--plain")  # the newest first; no to that one
    child.expect(r"round 1 of 6, Player 0.*Go on with it\? \(y/n\)> ")
    child.sendline("n")
    child.expect("Play 2 cards> ")
    child.sendline("q")
    ends(child)

    first = min(games_file().parent.glob("*.game"), key=lambda path: path.stat().st_mtime)
    os.utime(first)
    child = spawn("--plain")
    child.expect(offer)
    child.sendline("")
    child.expect("The game goes on.")
    child.expect("Round 1 of 7, turn 2 of 3")
    child.expect("Play 1 card> ")
    child.sendline("q")
    ends(child)


def test_several_people_at_a_real_keyboard() -> None:
    child = spawn("--plain", "--people", "Ana, Ben", "--bots", "greedy", "--seed", "7")
    for turn, cards in (("2 cards", "1 2"), ("1 card", "1")):
        for name in ("Ana", "Ben"):
            child.expect(f"Pass the keyboard to {name}; Enter when only {name} looks> ")
            above = (child.before or "").splitlines()[1:]
            if (turn, name) != ("2 cards", "Ana"):
                assert above[:40] == [""] * 40  # the whole screen
            assert not any("Your hand" in line for line in above)
            child.sendline("")
            child.expect("Your hand: ")
            child.expect(f"{name}: Play {turn}> ")
            child.sendline(cards)
    child.sendintr()
    child.expect("Bye!")
    ends(child)


def test_a_script_in_a_file_is_played_to_its_end(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("1 2\n1\n1\n" * 4 + "never read\n")
    with script.open() as lines:
        done = subprocess.run(
            [COMMAND, "play", "--players", "5", "--seed", "7"],
            stdin=lines,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
    assert done.stderr == ""
    (record,) = kept()
    assert record == played(setup(5, bots=("easy",) * 4, people=("Player",)))
