"""docs/protocol.md is complete and true: every name, number, example and test vector in it."""

from __future__ import annotations

import ast
import dataclasses
import hashlib
import hmac
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

import httpx
import msgspec
import pytest

from five211 import Rules
from five211.commands import Moment
from five211.events import GameEvent, Private
from five211.gathering import LONGEST_NAME
from five211.happenings import TableEvent
from five211.proof import LABEL, Proof, hash_words
from five211.sentences import snake
from five211.server import app, live, protocol, room, routes, shapes, socket, wire
from five211.server.entries import Opened
from five211.server.lobby import summary
from five211.server.room import HouseEvent
from five211.server.settings import Settings
from five211.table import Clock, Options
from five211.view import SPECTATOR
from tests.ports import free_port
from tests.server.houses import server_process
from tests.server.stores import database_in

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
SOURCES = sorted((ROOT / "src" / "five211" / "server").rglob("*.py"))
EXAMPLE = ROOT / "examples" / "bot.py"
EVENTS = get_args(GameEvent) + get_args(TableEvent) + get_args(HouseEvent)
MESSAGES = get_args(protocol.Message)
LONG = 120  # seconds until something that hangs is given up


def part(title: str) -> str:
    """What stands under a heading, down to the next one of the same or a higher level."""
    level, text = re.split(rf"^(##+) {title}\n", PAGE, flags=re.MULTILINE)[1:]
    return re.split(rf"^#{{2,{len(level)}}} ", text, flags=re.MULTILINE)[0]


def rows(text: str) -> list[tuple[set[str], str]]:
    """The rows of a table: the names in the first cell, and the rest."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [line.strip("| ").split(" | ", maxsplit=1) for line in lines]
    return [(named(first), rest[0] if rest else "") for first, *rest in cells]


def named(text: str) -> set[str]:
    """What stands in code's letters."""
    return set(re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL)))


def blocks(kind: str, text: str = PAGE) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)


def kind_name(event: Any) -> str:
    return snake(event.__new__(event))


# Names


@pytest.mark.parametrize("message", MESSAGES, ids=lambda kind: kind.__name__)
def test_every_message_is_there_with_its_fields_and_an_example(message: Any) -> None:
    config = message.__struct_config__
    (told,) = [rest for names, rest in rows(part("Commands")) if config.tag in names]
    fields = set(message.__struct_fields__) - {"id"}
    assert fields == named(told.split(" | ")[0] if fields else "")
    examples = [line for block in blocks("json") for line in block.splitlines()]
    sent = [line for line in examples if f'"type": "{config.tag}"' in line]
    assert sent
    for line in sent:
        assert isinstance(protocol.read_message(line), message)
        assert set(json.loads(line)) <= {"type", *message.__struct_fields__}


def test_no_message_is_there_that_the_server_does_not_know() -> None:
    told = {name for names, _ in rows(part("Commands")) for name in names}
    assert told == {message.__struct_config__.tag for message in MESSAGES}


@pytest.mark.parametrize("event", EVENTS, ids=lambda kind: kind.__name__)
def test_every_event_is_there_with_its_fields(event: Any) -> None:
    (told,) = [rest for names, rest in rows(part("Events")) if kind_name(event) in names]
    wanted = {field.name for field in dataclasses.fields(event)}
    assert wanted == named(told.split(":")[0])


def test_no_event_is_there_that_does_not_happen() -> None:
    told = {name for names, _ in rows(part("Events")) for name in names}
    assert told == {kind_name(event) for event in EVENTS}


def test_events_for_one_seat_are_marked() -> None:
    marked = set(re.findall(r"^\| `(\w+)` \* \|", PAGE, re.MULTILINE))
    assert marked == {kind_name(event) for event in EVENTS if issubclass(event, Private)}


def made_room() -> room.Room:
    clock = Options(clock=Clock(60.0))
    opened = Opened("k7mq2x9abc", "CODE22", "watch", "screen", 2, "long", clock)
    return room.apply(None, opened, 0.0)[0]


def parts_of_the_view() -> dict[str, bytes]:
    one = made_room()
    return {
        **wire.info_parts(one, 0, knows_code=True),
        **wire.seat_parts(one.table, SPECTATOR),
        **wire.game_parts(None, None, {}),
        **wire.choice_parts(one.table, 0),
        **wire.hand_parts(None, 0),
        **wire.house_parts(one),
    }


def test_every_part_of_the_view_is_there_and_no_other() -> None:
    told = {name for names, _ in rows(part("The view")) for name in names}
    assert told == set(parts_of_the_view())


def test_the_fields_within_the_parts_are_there() -> None:
    told = {name: rest for names, rest in rows(part("The view")) for name in names}
    parts = {name: json.loads(value) for name, value in parts_of_the_view().items()}
    info = parts["info"]
    assert {*info, *info["clock"]} <= named(told["info"])
    assert set(parts["seats"][0]) <= named(told["seats"])
    assert {field.name for field in dataclasses.fields(Moment)} <= named(told["moment"])


@pytest.mark.parametrize(
    "shape",
    [
        shapes.TableBody,
        shapes.ClockBody,
        shapes.PlayBody,
        shapes.SitBody,
        shapes.Seated,
        shapes.DeviceBody,
        shapes.DoorBody,
        shapes.Door,
        shapes.PlayerBody,
        shapes.LoginBody,
        shapes.PlayerShape,
        shapes.OwnPlayer,
        shapes.GameShape,
        shapes.StandingShape,
        shapes.About,
        shapes.BotShape,
        shapes.Health,
    ],
    ids=lambda shape: shape.__name__,
)
def test_the_fields_of_http_bodies_are_there(shape: Any) -> None:
    assert set(shape.__struct_fields__) <= named(part("HTTP"))


@pytest.mark.parametrize(
    ("title", "shape"),
    [
        ("A **table**", shapes.TableBody),
        ("A **game against bots**", shapes.PlayBody),
        ("**Sit down**", shapes.SitBody),
    ],
    ids=lambda one: getattr(one, "__name__", None),
)
def test_the_defaults_of_what_is_sent_are_those_of_the_server(title: str, shape: Any) -> None:
    text = part("What to send").split(f"\n{title}")[1].split("\n\n")[1]
    told = re.findall(r"^\| `(\w+)` \| (?:`(.+?)`|needed) \|", text, re.MULTILINE)
    fields = msgspec.structs.fields(shape)
    assert [name for name, _ in told] == [field.name for field in fields]
    for field, (_, default) in zip(fields, told, strict=True):
        assert field.required is (default == "")
        if default:
            made = field.default_factory is not msgspec.NODEFAULT
            assert json.loads(default) == (field.default_factory() if made else field.default)


def test_a_tables_summary_is_there() -> None:
    (told,) = re.findall(r"A \*\*summary\*\*:(.*?)\nA \*\*", PAGE, re.DOTALL)
    told = named(told)
    shape = summary(made_room())
    assert {*shape, *shape["seats"][0]} <= told


def calls() -> Iterator[str]:
    for handler in routes.HANDLERS:
        if handler.include_in_schema is not False:
            for path in handler.paths:
                for method in handler.http_methods - {"OPTIONS", "HEAD"}:
                    yield f"{method} {path.replace(':str', '')}"


@pytest.mark.parametrize("call", sorted(calls()))
def test_every_http_call_is_there(call: str) -> None:
    assert call in named(part("HTTP"))


def test_no_http_call_is_there_that_the_server_does_not_know() -> None:
    told = {name for names, _ in rows(part("HTTP").split("\n### ")[0]) for name in names}
    assert told == set(calls())
    assert len(told) > 15


def test_every_status_is_there() -> None:
    for status in {*app.STATUS.values(), 400, 421, 429}:
        assert str(status) in part("HTTP")


def numbers() -> set[int]:
    """Every number in the server's source that can only be a close code."""
    found = set()
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and type(node.value) is int:
                found.add(node.value)
    return {number for number in found if 4000 <= number < 4096 or number in (1009, 1012, 1013)}


def test_every_close_code_is_there() -> None:
    told = {int(code) for code in re.findall(r"^\| (\d{4}) \|", part("Close codes"), re.MULTILINE)}
    assert numbers() <= told
    assert told == {4001, 4003, 4004, 4008, 4029, 1009, 1012, 1013}


def test_the_codes_that_end_it_are_those_of_our_own_client() -> None:
    from five211.client import FOR_GOOD

    told = re.findall(r"^\| (\d{4}) \| .* \| (.*) \|$", part("Close codes"), re.MULTILINE)
    assert {int(code) for code, back in told if back == "no"} == {*FOR_GOOD} - {1000}


# Numbers


def test_the_limits_are_those_of_the_server() -> None:
    settings = Settings()
    (id_,) = get_args(protocol.Id)[1:]
    told = dict(re.findall(r"^\| (.*?) \| (\d+) \|$", part("Limits"), re.MULTILINE))
    assert {what: float(much) for what, much in told.items()} == {
        "bytes of a message": socket.LARGEST,
        "messages at once": settings.messages_at_once,
        "messages a second, in the long run": settings.messages_a_second,
        "sockets of one address": settings.sockets_an_address,
        "HTTP requests a minute, of one address": settings.requests_a_minute,
        "seconds until hello": socket.HELLO_WITHIN,
        "frames that may wait for a slow reader": socket.QUEUE,
        "events kept for coming back": live.TAIL,
        "ids remembered of a person": live.IDS,
        "characters of an id": id_.max_length,
        "characters of a name": LONGEST_NAME,
        "characters of something said": room.LONGEST_TEXT,
        "seconds for hash, and again for words": room.PATIENCE,
        "seconds that a device code is good": socket.DEVICE_CODE,
    }


def test_the_version_is_the_servers() -> None:
    assert f"Version {protocol.VERSION}." in PAGE


# The proof of the deal


VECTORS = [json.loads(block) for block in blocks("json", part("The proof of the deal"))]


def written_out(vector: dict[str, Any], deal: int) -> list[str]:
    """A deck by the page's own words, without five211."""

    def parts(*some: bytes) -> bytes:
        return b"".join(len(one).to_bytes(4, "big") + one for one in some)

    words = [b"" if one is None else b"+" + bytes.fromhex(one) for one in vector["words"]]
    start = parts(b"five211 deal 1", vector["table"].encode(), str(deal).encode(), *words)
    seed = bytes.fromhex(vector["seed"])
    numbers = []
    for i in range(40):
        block = hmac.new(seed, start + i.to_bytes(8, "big"), hashlib.sha256).digest()
        numbers += [int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4)]
    deck = [f"{color}{value}" for color in "YGOBV" for value in "1111122222233333445" + "6"]
    for last in range(99, 0, -1):
        number = numbers.pop(0)
        while number >= 2**32 - 2**32 % (last + 1):
            number = numbers.pop(0)
        other = number % (last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def test_there_are_vectors_for_two_and_for_four() -> None:
    assert [vector["players"] for vector in VECTORS] == [2, 4]
    assert f"`{LABEL.decode()}`" in PAGE
    assert f"the {len(LABEL)}\nASCII bytes" in PAGE


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["table"])
def test_the_vectors_are_what_five211_computes(vector: dict[str, Any]) -> None:
    words = tuple(None if one is None else bytes.fromhex(one) for one in vector["words"])
    proof = Proof(vector["table"], bytes.fromhex(vector["seed"]), words)
    assert proof.commitment == vector["commitment"]
    assert [one and hash_words(one) for one in words] == vector["hashes"]
    rules = Rules.of(vector["players"])
    for deal in (0, 1):
        codes = [card.code for card in proof.deck(rules, deal)]
        assert codes[:10] == vector[f"deck {deal}"].split()
        assert codes == written_out(vector, deal)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["table"])
def test_the_hashes_are_what_the_page_says(vector: dict[str, Any]) -> None:
    def digest(*some: bytes) -> str:
        data = b"".join(len(one).to_bytes(4, "big") + one for one in some)
        return hashlib.sha256(data).hexdigest()

    label, seed = b"five211 deal 1", bytes.fromhex(vector["seed"])
    assert digest(label, vector["table"].encode(), seed) == vector["commitment"]
    for words, hashed in zip(vector["words"], vector["hashes"], strict=True):
        assert hashed == (words and digest(label, b"words", bytes.fromhex(words)))


# The walk-through


def test_the_whole_game_to_paste_can_be_pasted(tmp_path: Path) -> None:
    (script,) = blocks("sh", part("A whole game, to paste"))
    port = str(free_port())
    assert script.count(":5211\n") == 1
    script = script.replace(":5211\n", f":{port}\n") + "wait\n"
    (folder := tmp_path / "bin").mkdir()
    command = f'#!/bin/sh\nexec "{sys.executable}" -m five211 "$@"\n'
    (folder / "five211").write_text(command)
    (folder / "five211").chmod(0o755)
    settings = {"PORT": port, "BOT_PACE": "0", "DATABASE": database_in(tmp_path)}
    environment = {
        **os.environ,
        **{f"FIVE211_{name}": value for name, value in settings.items()},
        "PATH": f"{folder}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "src"),  # a relative one would mean another five211 over there
        "LC_ALL": "C.UTF-8",
    }
    with subprocess.Popen(
        ["sh", "-e", "-c", script],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as shell:
        try:
            out, _ = shell.communicate(timeout=LONG)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(shell.pid, signal.SIGKILL)
    assert shell.returncode == 0
    lines = out.splitlines()
    (made,) = [json.loads(line) for line in lines if line.startswith("{")]
    told = [line for line in lines if line.startswith(("Commitment", "Record"))]
    game = f"{made['table']}-1"
    record = json.loads((tmp_path / "game.json").read_text())
    assert told == [
        f"Commitment of game {game}: {record['proof']['commitment']}",
        f"Record of game {game}: http://127.0.0.1:{port}/api/games/{game}/record",
    ]
    assert [seat["name"] for seat in record["seats"]] == ["Ana", "Maxi", "Kiwi"]
    assert [words is None for words in record["proof"]["words"]] == [False, True, False]
    checked = next(line for line in lines if line.startswith("game.json: all good, 1 game."))
    assert "the server was bound to its seed before the game" in checked


# The example


def test_the_example_is_the_one_in_the_page() -> None:
    (shown,) = blocks("python")
    assert shown == EXAMPLE.read_text(encoding="utf-8")
    assert "five211" not in re.sub(r'""".*?"""', "", shown)


def test_the_example_plays_a_whole_game(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        body = {"name": "Ana", "players": 3, "bots": ["easy"]}
        made = httpx.post(f"{server.url}/api/tables", json=body).json()
        address = f"{server.url}/t/{made['table']}"
        host = [sys.executable, "-m", "five211", "bot", "random", "--games", "1"]
        with subprocess.Popen(
            [*host, "--join", address, "--token", made["token"]], stdout=subprocess.DEVNULL
        ) as other:
            done = subprocess.run(
                [sys.executable, str(EXAMPLE), address, made["code"]],
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
            assert other.wait(60) == 0
        assert (done.returncode, done.stderr) == (0, "")
        game = httpx.get(f"{server.url}/api/games/{made['table']}-1").json()
    points = [one["points"] for one in game["standings"]]
    assert done.stdout.startswith(f"points: {points} winners: [")
    assert [one["name"] for one in game["standings"]] == ["Ana", "Maxi", "Plain"]
