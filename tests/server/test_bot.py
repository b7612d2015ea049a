"""`five211 bot`: whole games at a real server, through rematches and its death, and bad input."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import wraps
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ParamSpec

import httpx
import pytest

from five211 import Card, GameError, Match, Rules, cli, shuffled, stream
from five211.cli import common
from five211.cli.bot import (
    MODULE,
    Place,
    Player,
    _tell,
    _tell_json,
    attend,
    choose,
    duty,
    load,
    read_place,
    take_seat,
)
from five211.client import Client, Left
from five211.view import View, view
from tests.server.houses import ServerProcess, house, server_process

P = ParamSpec("P")
COMMAND = [sys.executable, "-m", "five211", "bot"]
LONG = 120  # seconds until a process that hangs is given up
OWN = """
from neighbour import first

class Mine:
    def choose(self, view, rng):
        return first(view.choices)

class Failing:
    def choose(self, view, rng):
        return 1 / 0

class Cheating:
    def choose(self, view, rng):
        return view.hand

class Lazy:
    def choose(self, view, rng):
        return None

class Odd:
    def choose(self, view, rng):
        return ["G2", "G3"]

class NoBot:
    pass

class Unmade:
    def __init__(self):
        raise OSError("no brain.")

ready = Mine()
"""


def on_a_loop(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """A test that is a coroutine, as one that pytest can call."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        asyncio.run(asyncio.wait_for(test(*args, **kwargs), LONG))

    return run


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """English, and nothing left behind by somebody's file."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setattr(common, "_spoken", [])
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "neighbour", raising=False)
    monkeypatch.delitem(sys.modules, MODULE, raising=False)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A file with bots of one's own, and the neighbour that it imports."""
    (tmp_path / "neighbour.py").write_text("def first(choices): return choices[0]\n")
    path = tmp_path / "my_bot.py"
    path.write_text(OWN)
    return path


def said_by(error: pytest.ExceptionInfo[GameError]) -> str:
    assert error.value.say("fr") != error.value.say("en")
    return error.value.say("en")


def some_view(players: int = 2) -> View:
    rules = Rules.of(players)
    return view(Match(rules).deal(shuffled(rules.deck, stream(1, "deck"))), 0)


# The bot


@pytest.mark.parametrize(("named", "name"), [("greedy", "Greedy"), ("beginner", "Random")])
def test_a_bot_of_five211_by_its_name_or_level(named: str, name: str) -> None:
    player = load(named)
    assert (player.name, player.file) == (name, "")
    assert choose(player, some_view(), stream(1, "bot")) in some_view().choices


def test_a_bot_of_ones_own_by_file_and_class(own: Path) -> None:
    player = load(f"{own}:Mine")
    assert (player.name, player.file) == ("Mine", str(own))
    assert choose(player, some_view(), stream(1, "bot")) == some_view().choices[0]
    assert type(player.bot).__module__ in sys.modules


def test_a_bot_that_is_made_already(own: Path) -> None:
    assert choose(load(f"{own}:ready"), some_view(), stream(1, "b")) == some_view().choices[0]


def test_a_long_name_is_cut_so_that_a_number_fits(tmp_path: Path) -> None:
    path = tmp_path / "long.py"
    path.write_text(f"class {'L' * 40}:\n    def choose(self, view, rng): ...\n")
    assert load(f"{path}:{'L' * 40}").name == "L" * 22


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ("nobody", "There is no bot “nobody”; there are random, beginner, greedy and easy."),
        ("no_such.py:Mine", "There is no file “no_such.py”."),
        ("{own}:Other", "There is no “Other” in “{own}”; name a class, as in my_bot.py:Mine."),
        ("{own}:NoBot", "“NoBot” is no bot: it has no choose(view, rng)."),
        ("{own}:first", "“first” is no bot: it has no choose(view, rng)."),
        ("{own}:Unmade", "The bot failed: my_bot.py:29: OSError: no brain."),
        ("{folder}:Mine", "cannot be opened"),
    ],
)
def test_a_bot_that_there_is_not(own: Path, named: str, words: str) -> None:
    places = {"own": str(own), "folder": str(own.parent)}
    with pytest.raises(GameError) as error:
        load(named.format(**places))
    assert words.format(**places) in said_by(error)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("def choose(:", "SyntaxError: invalid syntax"),
        ("import no_such_module", "bad.py:1: ModuleNotFoundError: No module named"),
        ("\n\nraise ValueError('a\\nb\\x1b')", "bad.py:3: ValueError: a b\ufffd."),
        ("raise SystemExit", "bad.py:1: SystemExit."),
        ("raise KeyError('x' * 1000)", "KeyError"),
    ],
)
def test_a_file_that_does_not_run(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "bad.py"
    path.write_text(text)
    with pytest.raises(GameError) as error:
        load(f"{path}:Mine")
    said = said_by(error)
    assert said.startswith(f"The bot’s file “{path}” cannot be run: ")
    assert reason in said
    assert len(said) < 400
    assert "\n" not in said


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Failing", "The bot failed: my_bot.py:10: ZeroDivisionError: division by zero."),
        ("Cheating", "The bot chose “"),
        ("Lazy", "The bot chose NoneType, which is none of view.choices."),
        ("Odd", "The bot chose list, which is none of view.choices."),
    ],
)
def test_a_bot_that_fails_or_cheats(own: Path, name: str, words: str) -> None:
    with pytest.raises(GameError) as error:
        choose(load(f"{own}:{name}"), some_view(), stream(1, "bot"))
    assert said_by(error).startswith(words)


def test_a_choice_may_be_a_list_in_any_order() -> None:
    wanted = some_view().choices[3]

    class Other:
        def choose(self, view: View, rng: object) -> Any:
            assert view.hand
            assert rng
            return list(reversed(wanted))

    assert choose(Player(Other(), "Other"), some_view(), stream(1, "bot")) == wanted


# The table's address


@pytest.mark.parametrize(
    ("url", "more", "place"),
    [
        ("http://h:1/t/abc#C0DE", (None, None), Place("http://h:1", "abc", "C0DE")),
        ("https://h/t/abc/", (None, None), Place("https://h", "abc", None)),
        ("http://h:1", ("abc", "C0DE"), Place("http://h:1", "abc", "C0DE")),
        ("http://h:1/", (None, "C0DE"), Place("http://h:1", None, "C0DE")),
        ("http://h:1/#C0DE", (None, None), Place("http://h:1", None, "C0DE")),
        ("http://h:1/t/abc#C0DE", ("x", "y"), Place("http://h:1", "x", "y")),
        ("http://me:secret@h:1/t/abc", (None, None), Place("http://h:1", "abc", None)),
        ("http://[::1]:5211/t/abc", (None, None), Place("http://[::1]:5211", "abc", None)),
    ],
)
def test_an_address_as_people_paste_it(
    url: str, more: tuple[str | None, str | None], place: Place
) -> None:
    assert read_place(url, *more) == place


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:5211/t/abc",
        "ftp://h/t/abc",
        "http://",
        "http://h:x/t/abc",
        "http://h:99999",
        "http://h:0",
        "http://[::1/t/abc",
        "http://h/x/abc",
        "http://h/t",
        "http://h/t/abc/d",
    ],
)
def test_what_is_no_address_of_a_table(url: str) -> None:
    with pytest.raises(GameError) as error:
        read_place(url, None, None)
    assert error.value.code == "join_url"
    assert "http://host:port/t/TABLE#CODE" in said_by(error)


class Stranger(BaseHTTPRequestHandler):
    """A server that is not ours."""

    answer = b""
    status = 200

    def do_GET(self) -> None:
        self.send_response(self.status)
        self.end_headers()
        self.wfile.write(self.answer)

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def stranger(status: int, answer: bytes) -> Iterator[str]:
    handler = type("Handler", (Stranger,), {"status": status, "answer": answer})
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize(
    ("status", "answer"),
    [(200, b"<html>"), (200, b"[1]"), (404, b"nothing"), (500, b"{}"), (500, b"[]")],
)
def test_a_server_that_is_another_one(status: int, answer: bytes) -> None:
    with stranger(status, answer) as url, pytest.raises(GameError) as error:
        take_seat(Place(url, "abc", None), ["Ana"], None, None, "en")
    assert error.value.code == "join_server"
    assert url in said_by(error)


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "http://a..b"])
def test_a_server_that_is_not_there(url: str) -> None:
    with pytest.raises(GameError) as error:
        take_seat(Place(url, "abc", None), ["Ana"], "token", None, "en")
    assert error.value == GameError("join_server", url=f"“{url}”")


# Sitting down


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with server_process(tmp_path_factory.mktemp("server"), operator_token="op") as one:
        yield one


def made(server: ServerProcess, **body: Any) -> dict[str, Any]:
    """A table with its host's seat."""
    answer = httpx.post(f"{server.url}/api/tables", json={"name": "Ana", "words": True, **body})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def address(server: ServerProcess, table: dict[str, Any]) -> str:
    return f"{server.url}/t/{table['table']}#{table['code']}"


def seats(server: ServerProcess, table: dict[str, Any]) -> list[str]:
    found = httpx.post(f"{server.url}/api/doors", json={"door": table["code"]}).json()
    return [seat["name"] for seat in found["table"]["seats"]]


def test_a_code_alone_finds_the_table(server: ServerProcess) -> None:
    table = made(server, players=3)
    place = Place(server.url, None, table["code"].lower())
    found, token = take_seat(place, ["Bo"], None, 3, "en")
    assert found == table["table"]
    assert token != table["token"]
    assert seats(server, table) == ["Ana", "", "Bo"]


def test_a_name_that_is_taken_gets_a_number_unless_it_was_wished_for(
    server: ServerProcess,
) -> None:
    table = made(server, players=5)
    place = Place(server.url, table["table"], table["code"])
    for _ in range(2):
        take_seat(place, ["Bo", "Bo 2", "Bo 3"], None, None, "en")
    assert seats(server, table)[1:3] == ["Bo", "Bo 2"]
    with pytest.raises(GameError) as error:
        take_seat(place, ["Bo"], None, None, "en")
    assert "Somebody at this table is called “Bo” already" in said_by(error)


def test_a_token_needs_no_other_seat(server: ServerProcess) -> None:
    table = made(server)
    place = Place(server.url, table["table"], None)
    assert take_seat(place, [], table["token"], None, "en") == (table["table"], table["token"])


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ({"code": "WRONG2"}, "The server says: That is not the code of this table."),
        ({"code": None}, "The server says: That is not the code of this table."),
        ({"table": "nowhere"}, "The server says: There is no such table, or it is gone."),
        ({"table": "a/b?c"}, "The server says: There is nothing here."),
        ({"table": None, "code": "WRONG2"}, "The server says: There is no such table"),
        ({"table": None, "code": None}, "Which table? Give its whole address"),
        ({"table": None, "code": "watch"}, "That is not the code of this table."),
    ],
)
def test_a_table_that_does_not_let_one_in(
    server: ServerProcess, place: dict[str, Any], words: str
) -> None:
    table = made(server)
    place = {"table": table["table"], "code": table["code"], **place}
    if place["code"] == "watch":
        place["code"] = table["watch"]
    with pytest.raises(GameError) as error:
        take_seat(Place(server.url, **place), ["Bo"], None, None, "en")
    assert said_by(error).startswith(words)


def test_the_server_speaks_the_language_that_is_wanted(server: ServerProcess) -> None:
    place = Place(server.url, made(server)["table"], None)
    with pytest.raises(GameError) as error:
        take_seat(place, ["Bo"], None, None, "fr")
    assert error.value.fields["text"] == "Ce n’est pas le code de cette table"


# Playing, in this process


def seat_view(**parts: Any) -> dict[str, Any]:
    here = {"bot": None, "present": True, "host": False}
    bot = {"bot": "greedy", "present": False, "host": False}
    seats = [{**here, "host": True}, bot]
    return {"moment": None, "choice": None, "phase": "gathering", "you": 0, "seats": seats, **parts}


def test_what_a_table_awaits() -> None:
    assert duty(seat_view()) == ("start", seat_view()["seats"])
    assert duty(seat_view(you=1)) is None
    assert duty(seat_view(phase="over")) is None
    away = {"bot": None, "present": False, "host": False}
    assert duty(seat_view(seats=[*seat_view()["seats"], away])) is None
    assert duty(seat_view(moment={"turn": 1}, phase="choosing")) == ("choose", {"turn": 1})
    assert duty(seat_view(moment={"turn": 1}, phase="choosing", choice=["G2"])) is None


class Heard:
    """What a bot tells."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []

    def __call__(self, event: dict[str, Any], seen: dict[str, Any]) -> None:
        assert seen["seats"]
        self.events.append(event)

    @property
    def kinds(self) -> set[str]:
        return {event["event"] for event in self.events}


async def sitting(client: Client, tell: Heard) -> asyncio.Task[None]:
    """A bot that has been let in and waits."""
    task = asyncio.create_task(attend(client, load("greedy"), None, tell))
    await asyncio.sleep(0)  # so that it waits for its view before we do
    await client.until(lambda seen: bool(seen))
    return task


@on_a_loop
async def test_two_bots_play_a_game_and_leave(tmp_path: Path) -> None:
    async with house(tmp_path) as h:
        table = await h.made(players=2)
        other = await h.sat(table, "Bo")
        heard = [Heard(), Heard()]
        await asyncio.gather(
            attend(h.client(table), load("greedy"), 1, heard[0]),
            attend(h.client(other), load("random"), 1, heard[1]),
        )
        game = (await h.get(f"/api/games/{table['table']}-1")).json()
        record = (await h.get(f"/api/games/{table['table']}-1/record")).json()
        for one in heard:
            assert one.kinds == {"deal_bound", "round_scored", "game_ended"}
            assert one.events[0]["commitment"] == record["proof"]["commitment"]
            assert one.events[0]["game"] == one.events[-1]["game"] == game["id"]
            assert one.events[-1]["result"]["points"] == [s["points"] for s in game["standings"]]
            assert len(one.events) == Rules.of(2).rounds + 2


@on_a_loop
async def test_a_bot_that_comes_in_mid_game_tells_what_the_server_was_bound_to(
    tmp_path: Path,
) -> None:
    async with house(tmp_path) as h:
        table = await h.made(players=2, start=True)
        async with h.client(table) as before:
            await before.until(lambda seen: seen["moment"] is not None)
            commitment = before.view["proof"]["commitment"]
        heard = Heard()
        await attend(h.client(table), load("greedy"), 1, heard)
        assert [event["event"] for event in heard.events].count("deal_bound") == 1
        assert heard.events[0]["commitment"] == commitment
        assert heard.events[0]["game"] == heard.events[-1]["game"] == f"{table['table']}-1"


@on_a_loop
async def test_a_whole_longer_game(tmp_path: Path) -> None:
    async with house(tmp_path) as h:
        table = await h.made(players=2, variant="long", bots=["easy"])
        heard = Heard()
        await attend(h.client(table), load("greedy"), 1, heard)
        assert heard.events[-1]["event"] == "game_ended"
        assert max(heard.events[-1]["result"]["points"]) >= 50


@on_a_loop
async def test_a_bot_that_fails_leaves_the_table(tmp_path: Path, own: Path) -> None:
    async with house(tmp_path) as h:
        table = await h.made(players=3, bots=["easy"])
        seat = await h.sat(table, "Bo")
        async with h.client(table) as host:
            playing = attend(h.client(seat), load(f"{own}:Failing"), None, Heard())
            task = asyncio.create_task(playing)
            await host.do("start")
            await host.until(lambda seen: seen["seats"][2]["substitute"] is not None)
            with pytest.raises(GameError) as error:
                await task
            assert error.value.code == "bot_failed"


@on_a_loop
async def test_a_bot_that_is_cancelled_leaves_the_table(tmp_path: Path) -> None:
    async with house(tmp_path) as h:
        table = await h.made(players=3)
        seat = await h.sat(table, "Bo")
        async with h.client(table) as host:
            task = await sitting(h.client(seat), Heard())
            task.cancel()
            await host.until(lambda seen: seen["seats"][1]["free"])
            await task


@on_a_loop
async def test_a_bot_that_is_removed_says_so(tmp_path: Path) -> None:
    async with house(tmp_path) as h:
        table = await h.made(players=3)
        seat = await h.sat(table, "Bo")
        heard = Heard()
        async with h.client(table) as host:
            task = await sitting(h.client(seat), heard)
            await host.do("remove", seat=1)
            await task
        assert heard.events == [{"event": "gone", "reason": "4001 no seat"}]


@on_a_loop
async def test_a_bot_with_a_wrong_token_is_refused(tmp_path: Path) -> None:
    async with house(tmp_path) as h:
        table = {**await h.made(), "token": "wrong"}
        with pytest.raises(GameError) as error:
            await attend(h.client(table), load("greedy"), None, Heard())
        assert "This token does not open a seat here" in said_by(error)


@on_a_loop
async def test_a_server_that_does_not_answer_is_left_anyway(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("five211.cli.bot.GOODBYE", 0.01)
    async with house(tmp_path) as h:
        table = await h.made(players=3)
        one = h.client(table)
        task = await sitting(one, Heard())

        async def lost(_text: str) -> None:
            """As if the line were cut."""

        monkeypatch.setattr(one, "_send", lost)
        task.cancel()
        await task


@on_a_loop
async def test_a_turn_that_went_on_meanwhile_is_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path) as h:
        table = await h.made(players=2, bots=["easy"])
        one = h.client(table)
        do, refused = one.do, list[str]()

        async def late(kind: str, **fields: Any) -> dict[str, Any]:
            """Every first choice comes for a turn that is over."""
            if kind == "choose" and not refused:
                refused.append(kind)
                with pytest.raises(Exception, match="That turn is over"):
                    await do(kind, **{**fields, "moment": {**fields["moment"], "game": 9}})
            return await do(kind, **fields)

        monkeypatch.setattr(one, "do", late)
        await attend(one, load("greedy"), 1, Heard())
        assert refused


# What it says


def test_what_it_says_for_people_and_programs(capsys: pytest.CaptureFixture[str]) -> None:
    seen = {"seats": [{"name": "Ana"}, {"name": "Bo\x1b"}]}
    scored = {"event": "round_scored", "round": 1, "score": {"points": [4, 0]}}
    over = {"event": "game_ended", "text": "Ana wins.", "game": "abc-1"}
    bound = {"event": "deal_bound", "game": "abc-1", "commitment": "0123"}
    _tell("en", "http://h:1", bound, seen)
    _tell("fr", "http://h:1", bound, seen)
    _tell("en", "http://h:1", scored, seen)
    _tell("fr", "http://h:1", scored, seen)
    _tell("en", "http://h:1", over, seen)
    _tell("en", "http://h:1", {"event": "gone", "reason": str(Left(4001, "no seat"))}, seen)
    _tell_json(scored, seen)
    lines = capsys.readouterr().out.splitlines()
    assert lines[:-1] == [
        "Commitment of game abc-1: 0123",
        "Engagement de la partie abc-1 : 0123",
        "Round 2: Ana 4 and Bo\ufffd 0.",
        "Manche 2 : Ana 4 et Bo\ufffd 0.",
        "Ana wins.",
        "Record of game abc-1: http://h:1/api/games/abc-1/record",
        "The bot has no seat here any more: 4001 no seat.",
    ]
    assert json.loads(lines[-1]) == scored


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
        code, out, err = run_here(monkeypatch, capsys, "greedy", *where, *more)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert len(lines) == Rules.of(2).rounds + (2 if more == ["--json"] else 3)
    game = httpx.get(f"{server.url}/api/games/{table['table']}-1").json()
    name = "Deep Five" if more[:1] == ["--name"] else "Greedy"
    assert [one["name"] for one in game["standings"]] == ["Ana", name]
    if more == ["--json"]:
        assert [json.loads(line)["event"] for line in lines][-2:] == ["round_scored", "game_ended"]
    else:
        assert name in lines[1]
        record = httpx.get(lines[-1].split()[-1]).json()
        assert lines[0].split()[-1] == record["proof"]["commitment"]


# Real processes


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
                process.communicate(timeout=LONG)


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    _, err = process.communicate(timeout=LONG)
    return process.returncode, err


@on_a_loop
async def test_two_bots_a_rematch_and_ctrl_c(server: ServerProcess, own: Path) -> None:
    table = made(server, players=2)
    join = ["--join", address(server, table)]
    with (
        playing(f"{own}:Mine", "--token", table["token"], *join) as first,
        playing("easy", "--games", "2", "--json", *join) as second,
    ):
        async with Client(server.url, table["table"], table["token"]) as watch:
            await watch.until(lambda seen: seen["phase"] == "over")
            assert [seat["name"] for seat in watch.view["seats"]] == ["Ana", "Greedy"]
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
            playing("greedy", *join, "--games", "1") as first,
            playing("greedy", *join, "--games", "1") as second,
        ):
            async with Client(server.url, table["table"], table["token"]) as host:
                await host.until(lambda seen: all(seat["present"] for seat in seen["seats"]))
                assert {seat["name"] for seat in host.view["seats"]} == {
                    "Ana",
                    "Greedy",
                    "Greedy 2",
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
            "The bot failed: my_bot.py:10: ZeroDivisionError",
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
