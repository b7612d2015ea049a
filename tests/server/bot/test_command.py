"""The command `five211 bot`: whole games through rematches and the death of the server."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from five211 import Card, Rules, cli
from five211.client import Client, Left
from tests.server.bot.helpers import address, made
from tests.server.helpers import LONG, on_a_loop
from tests.server.houses import ServerProcess, server_process

COMMAND = [sys.executable, "-m", "five211", "bot"]


def run_here(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *args: str
) -> tuple[int, str, str]:
    """The command in this process."""
    monkeypatch.setattr(sys, "argv", ["five211", "bot", *args])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    out, err = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, out, err


@pytest.mark.parametrize("more", [[], ["--json"], ["--name", "Deep Five", "--lang", "fr"]])
def test_the_command_plays_a_game(
    server: ServerProcess,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    more: list[str],
) -> None:
    table = made(server, players=2)
    with playing("random", "--token", table["token"], "--join", address(server, table)):
        where = ["--join", address(server, table), "--games", "1", "--seat", "2"]
        code, out, err = run_here(monkeypatch, capsys, "hasty", *where, *more)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert len(lines) == Rules.of(2).rounds + (2 if more == ["--json"] else 3)
    game = httpx.get(f"{server.url}/api/games/{table['table']}-1").json()
    name = "Deep Five" if more[:1] == ["--name"] else "Maxi"
    assert [one["name"] for one in game["standings"]] == ["Ana", name]
    if more == ["--json"]:
        assert [json.loads(line)["event"] for line in lines][-2:] == ["round_scored", "game_ended"]
    else:
        assert name in lines[1]
        record = httpx.get(lines[-1].split()[-1]).json()
        assert lines[0].split()[-1] == record["proof"]["commitment"]


def test_a_token_may_stand_in_the_environment_where_others_do_not_see_it(
    server: ServerProcess, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = made(server, players=2, bots=["easy"])
    monkeypatch.setenv("FIVE211_TOKEN", table["token"])
    where = ["--join", address(server, table), "--games", "1"]
    assert run_here(monkeypatch, capsys, "random", *where)[0] == 0
    game = httpx.get(f"{server.url}/api/games/{table['table']}-1").json()
    assert [one["name"] for one in game["standings"]] == ["Ana", "Maxi"]


@contextmanager
def playing(*args: str) -> Iterator[subprocess.Popen[str]]:
    """A bot as a process of its own, gone at the end."""
    with subprocess.Popen(
        [*COMMAND, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                try:
                    process.communicate(timeout=LONG)
                finally:
                    process.kill()  # if it has not heard; Popen would wait for it for ever


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    _, err = process.communicate(timeout=LONG)
    return process.returncode, err


@on_a_loop
async def test_two_bots_a_rematch_and_ctrl_c(server: ServerProcess, own: Path) -> None:
    table = made(server, players=2)
    join = ["--join", address(server, table)]
    with (
        playing(f"{own}:Prepared", "--token", table["token"], *join) as first,
        playing("easy", "--games", "2", "--json", *join) as second,
    ):
        async with Client(server.url, table["table"], table["token"]) as watch:
            await watch.until(lambda seen: seen["phase"] == "over")
            assert [seat["name"] for seat in watch.view["seats"]] == ["Ana", "Maxi"]
            await watch.do("rematch")  # the host, a bot, starts it by itself
            await watch.until(lambda seen: seen["phase"] in ("dealing", "choosing"))
            await watch.until(lambda seen: seen["phase"] == "over")
            await watch.until(lambda seen: not seen["seats"][1]["present"])
            second_out, second_err = await asyncio.to_thread(second.communicate, timeout=LONG)
            assert (second.returncode, second_err) == (0, "")
            told = [json.loads(line)["event"] for line in second_out.splitlines()]
            assert (
                told == (["deal_bound", *["round_scored"] * Rules.of(2).rounds, "game_ended"]) * 2
            )
            games = [json.loads(line).get("game") for line in second_out.splitlines()]
            assert games[0] == f"{table['table']}-1"
            assert games[-1] == f"{table['table']}-2"
            first.send_signal(signal.SIGINT)
            with pytest.raises(Left, match="4001"):  # it has left, and so has whoever sat there
                await watch.until(lambda seen: seen["phase"] == "nothing like it")
        assert await asyncio.to_thread(ended, first) == (0, "")
    for number in (1, 2):
        assert httpx.get(f"{server.url}/api/games/{table['table']}-{number}").status_code == 200


@on_a_loop
async def test_bots_come_back_to_a_server_that_was_killed(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        table = made(server, players=3)
        join = ["--join", address(server, table)]
        with (
            playing("hasty", *join, "--games", "1") as first,
            playing("hasty", *join, "--games", "1") as second,
        ):
            async with Client(server.url, table["table"], table["token"]) as host:
                await host.until(lambda seen: all(seat["present"] for seat in seen["seats"]))
                assert {seat["name"] for seat in host.view["seats"]} == {
                    "Ana",
                    "Maxi",
                    "Maxi 2",
                }
                await host.do("start")
                for turn in range(3):
                    await one_turn(host)
                    if turn < 2:  # once in the middle of a round, once before the next
                        server.kill()
                        await asyncio.to_thread(server.start)
                while host.view["phase"] != "over":
                    await one_turn(host)
            for process in (first, second):
                out, err = await asyncio.to_thread(process.communicate, timeout=LONG)
                assert (process.returncode, err) == (0, "")
                lines = out.splitlines()
                assert len(lines) == Rules.of(3).rounds + 3
                assert lines[1].startswith("Round 1: Ana ")
                assert "Final score" in lines[-2]
        record = httpx.get(lines[-1].split()[-1]).json()
        assert lines[0].endswith(record["proof"]["commitment"])
        assert all(record["proof"]["words"])


async def one_turn(host: Client) -> None:
    """Play the first choice, and wait until the turn is over."""
    seen = await host.until(lambda seen: seen["moment"] is not None or seen["phase"] == "over")
    moment = seen["moment"]
    if moment is not None:
        await host.choose(tuple(Card(code) for code in seen["choices"][0]))
        await host.until(lambda seen: seen["moment"] != moment)


@on_a_loop
async def test_a_table_that_is_closed_ends_it(server: ServerProcess) -> None:
    table = made(server, players=2)
    with playing("greedy", "--join", address(server, table)) as process:
        async with Client(server.url, table["table"], table["token"]) as host:
            await host.until(lambda seen: seen["seats"][1]["present"])
            await host.do("start")
            await host.until(lambda seen: seen["chosen"][1] is True)
        path = f"{server.url}/api/operator/tables/{table['table']}/close"
        assert httpx.post(path, headers={"authorization": "Bearer op"}).status_code == 204
        out, err = await asyncio.to_thread(process.communicate, timeout=LONG)
    assert (process.returncode, err) == (0, "")
    assert out.splitlines()[1:] == ["The bot has no seat here any more: 4004 closed."]


@pytest.mark.parametrize(
    ("bot", "more", "words"),
    [
        ("nobody", [], "There is no bot “nobody”"),
        ("missing.py:Mine", [], "There is no file “missing.py”."),
        ("{own}:Other", [], "There is no “Other” in"),
        ("{own}:NoBot", [], "“NoBot” is no bot"),
        ("greedy", ["--join", "here"], "“here” is no address of a table"),
        ("greedy", ["--join", "http://127.0.0.1:1/t/x"], "No game server answers at"),
        ("greedy", ["--code", "WRONG2"], "The server says: That is not the code of this table."),
        ("greedy", ["--token", "wrong"], "The server says: This token does not open a seat here."),
        ("greedy", ["--table", "nowhere"], "The server says: There is no such table"),
        ("greedy", ["--name", "x" * 99], "The server says: A name has 1 to 24 plain characters."),
        ("greedy", ["--seat", "9"], "The server says: There is no seat 9 at this table."),
        ("greedy", ["--seat", "1"], "The server says: Seat 1 is taken."),
        ("greedy", ["--games", "0"], "--games"),
        ("greedy", ["--lang", "xx"], "There is no language “xx”"),
        ("greedy", ["--code", "WRONG2", "--lang", "fr"], "Ce n’est pas le code de cette table."),
        (
            "{own}:Failing",
            ["--token", "{token}"],
            "The bot “Failing” failed: my_bot.py:10: ZeroDivisionError",
        ),
        ("{own}:Cheating", ["--token", "{token}"], "which is none of view.choices."),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    server: ServerProcess, own: Path, bot: str, more: list[str], words: str
) -> None:
    table = made(server, players=2, bots=["easy"] if "{own}" in bot else [])
    join = [] if "--join" in more else ["--join", address(server, table)]
    more = [word.format(token=table["token"]) for word in more]
    done = subprocess.run(
        [*COMMAND, bot.format(own=own), *join, *more],
        capture_output=True,
        text=True,
        timeout=LONG,
        check=False,
    )
    begun = "{own}" in bot and "--token" in more  # the commitment was told before it failed
    assert (done.returncode, done.stdout.count("\n")) == (2, begun)
    assert done.stderr.startswith("five211: ")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
