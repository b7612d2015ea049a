"""The buses over real servers, which are killed, paused and told nonsense."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any, Protocol, TypeAlias

import asyncpg
import pytest
from redis.asyncio import Redis as Client

from five211.errors import GameError
from five211.server import faults, sharing
from five211.server.bus import Alone, Bus, News, remote
from five211.server.bus import postgres as over_postgres
from five211.server.bus import redis as over_redis
from five211.server.bus.choosing import make_bus
from five211.server.bus.choosing import name as name_of_bus
from five211.server.bus.news import read_news, write_news
from five211.server.bus.postgres import PostgresBus
from five211.server.bus.redis import RedisBus
from five211.server.settings import Settings
from tests.commands import plain_surroundings, run_main
from tests.server.helpers import Hall, hall, heard, on_a_loop, until
from tests.server.players import check_game, play_on
from tests.server.several import around
from tests.server.stores import postgres_url
from tests.services.postgres import QUICK, Postgres, postgres
from tests.services.redis import redis

__all__ = ["plain_surroundings"]

Texts: TypeAlias = list[Any]


class Service(Protocol):
    """A server that a bus needs."""

    def start(self) -> None: ...
    def kill(self) -> None: ...
    def pause(self) -> None: ...
    def go_on(self) -> None: ...


class Line:
    """A bus of one kind, and the server that it needs."""

    def __init__(self, service: Service, url: str, make: Callable[[str], Bus]) -> None:
        self.service, self.url, self._make = service, url, make

    def make(self) -> Bus:
        return self._make(self.url)

    @asynccontextmanager
    async def end(self) -> AsyncIterator[End]:
        """One end, which hears itself."""
        async with ended(self.make()) as one:
            yield one

    @asynccontextmanager
    async def ends(self) -> AsyncIterator[tuple[End, End]]:
        """Two ends, which hear each other."""
        async with self.end() as one, self.end() as two:
            await both_hear(one, two)
            yield one, two

    @asynccontextmanager
    async def raw(self) -> AsyncIterator[tuple[Callable[[str], Any], Texts]]:
        """How to say anything at all on the channel, and what is said on it from now on."""
        texts: Texts = []
        if self._make is PostgresBus:
            connection = await asyncpg.connect(self.url)
            await connection.add_listener("five211", lambda *said: texts.append(said[-1]))
            yield lambda text: connection.execute("SELECT pg_notify('five211', $1)", text), texts
            await connection.close()
            return
        async with Client.from_url(self.url) as client, client.pubsub() as channel:
            await channel.subscribe(**{"five211:0": lambda message: texts.append(message["data"])})
            await channel.get_message(timeout=60)
            listening = asyncio.create_task(channel.run())
            yield lambda text: client.publish("five211:0", text), texts
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)


class End:
    """One end of a bus, and what it has heard."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self.heard: list[tuple[str, int]] = []

    def hear(self, news: News) -> None:
        self.heard += news


@asynccontextmanager
async def ended(bus: Bus) -> AsyncIterator[End]:
    one = End(bus)
    await bus.start(one.hear)
    try:
        yield one
    finally:
        await bus.stop()


async def both_hear(one: End, two: End) -> None:
    """Each hears the other, sooner or later: what is said while nobody listens is lost."""
    for teller, hearer in ((one, two), (two, one)):
        del hearer.heard[:]
        while ("hello", 1) not in hearer.heard:
            teller.bus.tell([("hello", 1)])
            await asyncio.sleep(0.02)


@pytest.fixture(scope="module")
def over_a_redis() -> Iterator[Line]:
    with redis() as server:
        yield Line(server, server.url, RedisBus)


@pytest.fixture(scope="module")
def over_a_postgres() -> Iterator[Line]:
    server = Postgres(**QUICK)
    try:
        server.start()
        yield Line(server, server.url("postgres"), PostgresBus)
    finally:
        server.remove()


@pytest.fixture(params=["redis", "postgres"])
def line(request: pytest.FixtureRequest) -> Line:
    found = request.getfixturevalue(f"over_a_{request.param}")
    assert isinstance(found, Line)
    return found


@pytest.fixture
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is away is noticed soon, and tried again soon."""
    for module in (over_redis, over_postgres):
        monkeypatch.setattr(module, "PATIENCE", 0.5)
    monkeypatch.setattr(over_redis, "SILENCE", 1.0)
    monkeypatch.setattr(remote, "SIGN", 0.2)
    monkeypatch.setattr(remote, "AGAIN", 0.05)


def check_log(logged: list[Any]) -> None:
    """It says that the bus fails, now and then, and why; nothing else, and no secret."""
    logged = [one for one in logged if one["event"] != "bus recovered"]
    assert {one["event"] for one in logged} == {"bus failed"}
    assert {one["log_level"] for one in logged} == {"warning"}
    assert all(one["reason"] and "exc_info" not in one for one in logged)
    assert len(logged) < 20
    assert "hidden" not in repr(logged)


# What is told


@on_a_loop
async def _two_ends(line: Line) -> None:
    told = {("a", 2), ("b", 7), ("c", 2**40)}
    async with line.ends() as (one, two), line.raw() as (_, texts):
        one.bus.tell([("a", 1), ("b", 7), ("a", 2)])  # of many to a table the last
        two.bus.tell([("c", 2**40)])
        await until(lambda: told <= set(one.heard) and told <= set(two.heard))
        await until(lambda: told <= set(_told(texts)))
    for found in (one.heard, two.heard, _told(texts)):
        assert set(found) - {("hello", 1)} == told
    for text in texts:  # nothing else stands there
        said = text.decode() if isinstance(text, bytes) else text
        assert said == write_news(read_news(said))


def test_two_ends_hear_each_other(line: Line) -> None:
    with heard() as logged:
        _two_ends(line)
    assert logged == []


NONSENSE = (
    "",
    "nonsense",
    "null",
    "{}",
    "[1]",
    '[["a"]]',
    '[["a",1,2]]',
    '[["a","1"]]',
    '[["a",1.5]]',
    "[[null,1]]",
    '[["a",1]',
    "[" * 5000,
    '["' + "x" * 7000,
)


@pytest.mark.parametrize("text", [*NONSENSE, b"\xff\xfe", b'[["\xff",1]]'])
def test_nonsense_is_no_news(text: str | bytes) -> None:
    assert list(read_news(text)) == []


def test_news_are_read_as_they_were_written() -> None:
    news = [("a", 1), ("”", 2**60)]
    assert list(read_news(write_news(news))) == news


def test_nonsense_on_the_channel_harms_nothing(line: Line) -> None:
    @on_a_loop
    async def test() -> None:
        async with line.ends() as (one, two), line.raw() as (say, _):
            for text in NONSENSE:
                await say(text)
            del one.heard[:]
            await both_hear(one, two)
            assert set(one.heard) == {("hello", 1)}

    with heard() as logged:
        test()
    assert logged == []


def test_more_news_than_a_notification_has_room_for(line: Line) -> None:
    news = {(f"{n:016}", 10**9 + n) for n in range(1001)}

    @on_a_loop
    async def test() -> None:
        async with line.ends() as (one, two), line.raw() as (_, texts):
            one.bus.tell(sorted(news))
            await until(lambda: news <= set(two.heard))
            if line._make is PostgresBus:
                assert all(len(text) < 8000 for text in texts)

    with heard() as logged:
        test()
    assert logged == []


def test_too_many_that_wait_are_dropped(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "WAITING", 3)

    @on_a_loop
    async def test() -> None:
        async with line.end() as one:
            while not one.heard:
                one.bus.tell([("hello", 1)])
                await asyncio.sleep(0.02)
            late = line.make()
            for n in range(6):
                late.tell([(f"late {n}", n)])
            async with ended(late):
                await until(lambda: ("late 0", 0) in one.heard)
                late.tell([("later", 1)])
                await until(lambda: ("later", 1) in one.heard)
            told = {table for table, _ in one.heard}
            assert told == {"hello", "late 0", "late 1", "late 2", "later"}

    test()


# What goes wrong


@pytest.mark.usefixtures("_hasty")
def test_a_server_that_was_killed_is_found_again(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    @on_a_loop
    async def test() -> None:
        async with line.ends() as (one, two):
            line.service.kill()
            for n in range(100):
                one.bus.tell([("lost", n)])
                await asyncio.sleep(0)
            await until(lambda: bool(logged))
            assert not (one.bus.up and two.bus.up)
            line.service.start()
            await both_hear(one, two)
            await until(lambda: one.bus.up and two.bus.up)

    monkeypatch.setattr(faults, "CALM", 0.0)
    with heard() as logged:
        test()
    check_log(logged)
    assert logged[-1]["event"] == "bus recovered"


def test_a_wrong_password_is_one_line(over_a_redis: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "AGAIN", 0.01)
    tries: list[Exception] = []

    class Tried(RedisBus):
        def _reason(self, error: Exception) -> str:
            tries.append(error)
            return super()._reason(error)

    @on_a_loop
    async def test() -> None:
        async with ended(Tried(over_a_redis.url.replace("hidden", "nonsense"))) as one:
            await until(lambda: len(tries) > 5)
            assert not one.bus.up

    with heard() as logged:
        test()
    (said,) = logged
    assert (said["event"], said["kind"]) == ("bus failed", "AuthenticationError")
    assert said["reason"] == "Redis refuses the user or the password"
    assert "exc_info" not in said
    assert "nonsense" not in repr(said)


@pytest.mark.usefixtures("_hasty")
def test_a_server_that_was_paused_is_heard_again(line: Line) -> None:
    @on_a_loop
    async def test() -> None:
        async with line.ends() as (one, two):
            line.service.pause()
            try:
                one.bus.tell([("lost", 1)])
                await until(lambda: bool(logged))
            finally:
                line.service.go_on()
            await both_hear(one, two)

    with heard() as logged:
        test()
    check_log(logged)


def test_a_server_that_comes_later_is_found(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "AGAIN", 0.05)

    @on_a_loop
    async def test() -> None:
        line.service.kill()
        async with line.end() as one, line.end() as two:
            try:
                await until(lambda: len(logged) > 1)
            finally:
                line.service.start()
            await both_hear(one, two)

    with heard() as logged:
        test()
    check_log(logged)


@pytest.mark.parametrize("how", ["killed", "paused"])
def test_one_stops_though_the_server_is_away(
    line: Line, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """It would wait for longer than the test does."""
    for module in (over_redis, over_postgres):
        monkeypatch.setattr(module, "PATIENCE", 1000.0)

    @on_a_loop
    async def test() -> None:
        async with line.ends() as (one, _):
            if how == "killed":
                line.service.kill()
            else:
                line.service.pause()
            one.bus.tell([("lost", 1)])
            async with line.end():  # which never gets through
                await asyncio.sleep(0.05)

    try:
        test()
    finally:
        if how == "killed":
            line.service.start()
        else:
            line.service.go_on()


@on_a_loop
async def test_one_stops_that_never_began() -> None:
    await RedisBus("redis://127.0.0.1:1").stop()
    await PostgresBus("postgresql://127.0.0.1:1/x").stop()


def test_redis_that_says_nothing_is_asked_anew(
    over_a_redis: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the network between has gone without a word."""
    monkeypatch.setattr(remote, "SIGN", 1000.0)
    monkeypatch.setattr(remote, "AGAIN", 0.01)
    monkeypatch.setattr(over_redis, "SILENCE", 0.2)

    @on_a_loop
    async def test() -> None:
        async with over_a_redis.ends() as (one, two):
            await until(lambda: bool(logged))
            await both_hear(one, two)

    with heard() as logged:
        test()
    check_log(logged)
    assert {one["kind"] for one in logged} == {"TimeoutError"}


def test_what_a_hearer_does_wrong_ends_nothing(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "AGAIN", 0.01)

    class Clumsy(End):
        def hear(self, news: News) -> None:
            super().hear(news)
            if news and len(self.heard) < 3:
                raise RuntimeError("hidden")

    @on_a_loop
    async def test() -> None:
        async with line.end() as one:
            clumsy = Clumsy(line.make())
            await clumsy.bus.start(clumsy.hear)
            try:
                while len(clumsy.heard) < 6:
                    one.bus.tell([("hello", 1)])
                    await asyncio.sleep(0.02)
            finally:
                await clumsy.bus.stop()

    with heard() as logged:
        test()
    if line._make is RedisBus:  # asyncpg's listeners are asyncio's callbacks, which it logs
        (said,) = logged
        assert (said["kind"], said["reason"]) == ("RuntimeError", "a bug")
        assert said["exc_info"].__traceback__ is not None


# Whole games


@asynccontextmanager
async def halls(
    folder: Path, make: Callable[[], Bus], **settings: Any
) -> AsyncIterator[list[Hall]]:
    """Two servers on one database, with a bus between."""
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(hall(folder, bus=make(), **settings)) for _ in range(2)
        ]


@pytest.mark.parametrize("kind", ["redis", "postgres"])
@on_a_loop
async def test_a_game_at_two_servers(
    tmp_path: Path, request: pytest.FixtureRequest, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "BEAT", 0.2)
    url = postgres_url(tmp_path)
    if kind == "redis":
        line = request.getfixturevalue("over_a_redis")
    else:
        line = Line(postgres(), url, PostgresBus)
    async with (
        line.raw() as (_, texts),
        halls(tmp_path, line.make, database=url) as served,
        around(served, 3, bots=1) as (clients, made),
    ):
        await clients[0].do("start")
        playing = [play_on(one, Random(n), fickle=True) for n, one in enumerate(clients)]
        await asyncio.gather(*playing)
        for one in served:
            await check_game(one, made, clients)
        last = served[0].hub.lives[made["table"]].version
        await until(lambda: last in [version for _, version in _told(texts)])
    assert {table for table, _ in _told(texts)} == {made["table"]}
    assert {version for _, version in _told(texts)} <= set(range(1, last + 20))


def _told(texts: Texts) -> list[tuple[str, int]]:
    return [one for text in texts for one in read_news(text)]


# Which bus

CLUB = "postgresql://x/y"


def test_without_a_bus_one_is_alone() -> None:
    alone = make_bus(Settings())
    assert isinstance(alone, Alone)
    alone.tell([("a", 1)])

    @on_a_loop
    async def test() -> None:
        await alone.start(lambda _: None)
        await alone.stop()

    test()


@pytest.mark.parametrize(
    "bus", ["redis://x", "rediss://me:hidden@x:1/2", "unix:///run/x.sock?db=1"]
)
def test_an_address_of_redis(bus: str) -> None:
    assert isinstance(make_bus(Settings(bus=bus, database=CLUB)), RedisBus)


@pytest.mark.parametrize(
    ("bus", "told"),
    [
        ("", ""),
        ("postgres", "postgres"),
        ("redis://:hidden@host:6379/1?password=hidden", "redis://host:6379/1"),
        ("rediss://me:hid@den@[::1]", "rediss://[::1]"),
        ("unix://me:hidden@/run/x.sock?db=1", "unix:///run/x.sock"),
    ],
)
def test_a_bus_is_shown_without_its_secrets(bus: str, told: str) -> None:
    assert name_of_bus(bus) == told


def test_the_database_as_the_bus() -> None:
    made = make_bus(Settings(bus="postgres", database=CLUB))
    assert isinstance(made, PostgresBus)


KINDS = "The bus is redis://…, postgres or nothing, not {}."
ALONE = (
    "A bus is for several processes on one PostgreSQL database: name that by --database, or leave"
    " the bus out."
)
ADDRESS = "This is no address of a Redis server: redis://host:6379."
BAD = {
    "kafka://me:hidden@host": KINDS.format("“kafka”"),
    "rabbit": KINDS.format("“rabbit”"),
    "redis": KINDS.format("“redis”"),
    "redis:me:hidden@host:6379": KINDS.format("…"),
    "me:hidden@host": KINDS.format("…"),
    "me:hidden@host://x": KINDS.format("…"),
    "://hidden": KINDS.format("…"),
    "postgresql://me:hidden@host/club": KINDS.format("“postgresql”"),
    "postgres": ALONE,
    "redis://host": ALONE,
    "redis://": ADDRESS,
    "redis:///": ADDRESS,
    "redis://:6379": ADDRESS,
    "redis://host/club": ADDRESS,
    "redis://:1#hidden@host": ADDRESS,
    "unix://": ADDRESS,
    "redis://me:hidden@host:port": ADDRESS,
    "redis://me:hidden@host:99999": ADDRESS,
    "redis://me:hidden@[::1": ADDRESS,
    "redis://me:hidden@host?socket_timeout=hidden": ADDRESS,
    "redis://host?passwort=hidden": ADDRESS,
    "rediss://host?ssl_cert_reqs=hidden": ADDRESS,
}


@pytest.mark.parametrize("bus", BAD)
def test_a_bad_bus_is_told_in_a_sentence(
    bus: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "club.sqlite"
    said = run_main(monkeypatch, capsys, "serve", "--port", 0, "--database", file, "--bus", bus)
    assert said == (2, "", f"five211: {BAD[bus]}\n")
    assert not file.exists()
    with pytest.raises(GameError) as refused:
        make_bus(Settings(bus=bus))
    assert "hidden" not in refused.value.say("fr")


@pytest.mark.parametrize(
    ("bus", "sentence"),
    [
        ("redis://me:hidden@host", "Redis needs a package of its own: install five211[scale]."),
        ("postgres", "PostgreSQL needs asyncpg: install five211[scale]."),
    ],
)
def test_a_package_that_is_missing_is_named(
    bus: str, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("redis", "postgres"):
        monkeypatch.setitem(sys.modules, f"five211.server.bus.{name}", None)
    flags = ("--port", 0, "--database", "postgresql://me:hidden@127.0.0.1:1/club", "--bus", bus)
    assert run_main(monkeypatch, capsys, "serve", *flags) == (2, "", f"five211: {sentence}\n")
