"""Telling people who are away that it is their turn, to receivers on this machine."""

from __future__ import annotations

import asyncio
import json
import smtplib
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from five211.client import Client
from five211.errors import GameError
from five211.server import alerts as alerts_module
from five211.server import lobby
from five211.server.alerts import Alerts
from five211.server.settings import Settings
from tests.server.helpers import DAY, Hall, hall, heard, on_a_loop, until
from tests.server.players import raw_seat

PRIVATE: dict[str, Any] = {"private_webhooks": True, "url": "https://play.example"}


class Receiver:
    """What came to a port of this machine."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{port}/hook?x=1"
        self.heads: list[str] = []
        self.messages: list[dict[str, Any]] = []
        self.mails: list[tuple[str, str]] = []
        self.logins: list[str] = []


@asynccontextmanager
async def receiving(
    kind: str, answer: bytes = b"HTTP/1.1 204 X\r\n\r\n"
) -> AsyncIterator[Receiver]:
    async def web(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        size = int(head.lower().split("content-length: ")[1].split("\r\n")[0])
        found.messages.append(json.loads(await reader.readexactly(size)))
        found.heads.append(head)
        writer.write(answer)
        await writer.drain()
        await reader.read()  # until the other side goes
        writer.close()

    async def mail(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 hello\r\n")
        to = ""
        while line := (await reader.readline()).decode().strip():
            verb = line.split()[0].upper()
            if verb == "RCPT":
                to += line
            if verb == "AUTH":
                found.logins.append(line)
            if verb == "DATA":
                writer.write(b"354 go on\r\n")
                text = (await reader.readuntil(b"\r\n.\r\n")).decode()
                found.mails.append((to, text))
            answers = {"EHLO": "250-here\r\n250 AUTH PLAIN", "AUTH": "235 in", "QUIT": "221 bye"}
            writer.write(f"{answers.get(verb, '250 fine')}\r\n".encode())
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(web if kind == "web" else mail, "127.0.0.1", 0)
    found = Receiver(server.sockets[0].getsockname()[1])
    async with server:
        yield found


@asynccontextmanager
async def playing(
    one: Hall, kind: str, target: str
) -> AsyncIterator[tuple[Client, dict[str, Any], dict[str, Any]]]:
    """A game whose guest wants to be told and has gone; the host, and both seats."""
    ana = await one.make()
    ben = await one.join(ana)
    async with one.client(ana) as host:
        async with raw_seat(one, ben) as guest:
            await host.do("start")
            assert (await guest.answer(type="alert", id="1", kind=kind, target=target))["done"]
        yield host, ana, ben


async def choose(client: Client) -> None:
    await client.until(lambda view: bool(view["choices"]) and view["choice"] is None)
    await client.do("choose", moment=client.view["moment"], cards=client.view["choices"][0])


async def settled(one: Hall) -> None:
    """All that was to be sent is sent."""
    await until(lambda: not one.hub.commits.dirty)
    await until(lambda: not one.hub.alerts._tasks)


@on_a_loop
async def test_a_webhook_comes_once_a_turn_and_not_at_the_table(tmp_path: Path) -> None:
    async with receiving("web") as web, hall(tmp_path, **PRIVATE) as one:
        async with playing(one, "webhook", web.url) as (host, ana, ben):
            await until(lambda: len(web.messages) == 1)
            await choose(host)  # the same turn still waits for the guest
            await host.do("react", reaction="hurry")
            await settled(one)
            assert len(web.messages) == 1
            async with one.client(ben) as guest:
                await choose(guest)
                await host.until(lambda view: view["turn"] == 1)
                await settled(one)
                assert len(web.messages) == 1  # the next turn, but the guest is here
                await choose(guest)
            await host.until(lambda view: not view["seats"][1]["present"])
            await settled(one)
            assert len(web.messages) == 1  # away, but not awaited
            await choose(host)
            await until(lambda: len(web.messages) == 2)
            await settled(one)
        (first, second) = web.messages
        said = {"event": "your_turn", "table": ana["table"], "name": "Ben"}
        assert first == second == {**said, "url": f"https://play.example/t/{ana['table']}"}
        assert web.heads[0].startswith("POST /hook?x=1 ")
        assert f"host: 127.0.0.1:{web.port}" in web.heads[0].lower()


@on_a_loop
async def test_a_message_holds_no_card_and_no_secret(tmp_path: Path) -> None:
    async with receiving("web") as web, hall(tmp_path, private_webhooks=True) as one:
        async with playing(one, "webhook", web.url) as (_, ana, ben):
            await until(lambda: len(web.messages) == 1)
        (message,) = web.messages
        assert set(message) == {"event", "table", "name", "url"}
        assert message["url"] is None
        for secret in (ana["code"], ben["token"], ana["watch"]):
            assert secret not in str(web.messages) + str(web.heads)


@on_a_loop
async def test_a_mail_comes_once_a_turn(tmp_path: Path) -> None:
    async with receiving("mail") as post:
        smtp = f"smtp://me:pass%40word@localhost:{post.port}"
        async with hall(tmp_path, smtp=smtp, mail_from="game@example.org") as one:
            async with playing(one, "email", "ben@example.org") as (host, ana, _):
                await until(lambda: len(post.mails) == 1)
                await choose(host)
                await settled(one)
            ((to, text),) = post.mails
            assert "<ben@example.org>" in to
            assert "From: game@example.org" in text
            assert "Subject: Ben, it is your turn" in text
            assert ana["table"] in text
            assert len(post.logins) == 1


@on_a_loop
async def test_nobody_is_told_who_does_not_want_it_any_more(tmp_path: Path) -> None:
    async with receiving("web") as web, hall(tmp_path, **PRIVATE) as one:
        ana = await one.make()
        ben = await one.join(ana)
        async with one.client(ana) as host:
            async with raw_seat(one, ben) as guest:
                alert = {"type": "alert", "kind": "webhook", "target": web.url}
                assert (await guest.answer(**alert, id="1"))["done"]
                assert (await guest.answer(type="alert", kind="", id="2"))["done"]
                await host.do("start")
            await host.until(lambda view: not view["seats"][1]["present"])
            await settled(one)
        assert web.messages == []


@on_a_loop
async def test_a_webhook_does_not_reach_into_the_servers_own_network(tmp_path: Path) -> None:
    async with receiving("web") as web, hall(tmp_path) as one:
        for host in ("127.0.0.1", "localhost", "0.0.0.0"):
            with heard() as logged:
                target = f"http://{host}:{web.port}/"
                async with playing(one, "webhook", target):
                    await until(lambda heard=logged: _failed(heard) == ["GameError"])  # type: ignore[misc]
        assert web.messages == []


def _failed(logged: list[Any]) -> list[str]:
    return [one["reason"] for one in logged if one["event"] == "alert failed"]


@pytest.mark.parametrize(
    ("address", "is_open"),
    [
        ("1.1.1.1", True),
        ("2606:4700::1111", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("100.64.0.1", False),
        ("169.254.169.254", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:1.1.1.1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("2002:7f00:1::", False),
        ("2001:0:4136:e378::1", False),
    ],
)
def test_only_the_open_internet_is_open(address: str, is_open: bool) -> None:
    assert alerts_module._is_open(address) is is_open


@pytest.mark.parametrize(
    ("settings", "kind", "target", "code"),
    [
        ({}, "pigeon", "x", "alert_kind"),
        ({"webhooks": False}, "webhook", "https://x.org/", "alert_off"),
        ({}, "email", "a@b.org", "alert_off"),
        *(
            ({}, "webhook", target, "alert_address")
            for target in (
                "",
                "x.org",
                "ftp://x.org/",
                "file:///etc/passwd",
                "http://",
                "http://[",
                "http://x.org:99999/",
                "http://x.org:0/",
                "http://me:pass@x.org/",
                "http://x.org/\n",
                "http://x.org/ a",
            )
        ),
        *(
            ({"smtp": "smtp://x"}, "email", target, "alert_address")
            for target in (
                "",
                "a",
                "@b.org",
                "a@b",
                "a@b.org,c@d.org",
                "a@b.org\nBcc: c@d.org",
                "A <a@b.org>",
                "a b@c.org",
                "a@b.org\u200b",
            )
        ),
    ],
)
def test_what_could_never_be_sent_is_refused(
    settings: dict[str, Any], kind: str, target: str, code: str
) -> None:
    with pytest.raises(GameError) as refused:
        Alerts(Settings(**settings)).check(kind, target)
    assert refused.value.code == code


def test_good_targets_and_none_at_all_are_taken() -> None:
    alerts = Alerts(Settings(smtp="smtp://x"))
    alerts.check("", "")
    alerts.check("webhook", "https://x.org:8443/a?b#c")
    alerts.check("email", "a.b+c@d.example.org")


@on_a_loop
async def test_a_bad_target_is_refused_on_the_socket_which_stays_open(tmp_path: Path) -> None:
    async with hall(tmp_path) as one, raw_seat(one, await one.make()) as socket:
        for number, target in enumerate(("http://[", "http://x:99999", "x")):
            alert = {"type": "alert", "id": str(number), "kind": "webhook", "target": target}
            answer = await socket.answer(**alert)
            assert answer["error"]["code"] == "alert_address"


@on_a_loop
async def test_an_answer_without_end_is_not_read() -> None:
    endless = b"HTTP/1.1 200 X\r\ncontent-length: 1000000000000\r\n\r\n" + b"x" * 100_000
    async with receiving("web", endless) as web:
        alerts = Alerts(Settings(private_webhooks=True))
        with heard() as logged:
            await alerts._send(("webhook", web.url), "t", "Ben")
        assert (len(web.messages), logged) == (1, [])
        await alerts._send(("webhook", web.url), "t", "Ben")
        await alerts.close()


@on_a_loop
async def test_a_redirect_is_not_followed() -> None:
    async with receiving("web") as inside:
        moved = f"HTTP/1.1 307 X\r\nlocation: {inside.url}\r\ncontent-length: 0\r\n\r\n"
        async with receiving("web", moved.encode()) as web:
            alerts = Alerts(Settings(private_webhooks=True))
            await alerts._send(("webhook", web.url), "t", "Ben")
            await alerts.close()
            assert (len(web.messages), inside.messages) == (1, [])


@pytest.mark.parametrize(
    "target", ["http://127.0.0.1:1/", "http://" + "x" * 70 + ".invalid/", "http://x..y/"]
)
def test_what_does_not_arrive_is_logged_without_its_address(target: str) -> None:
    @on_a_loop
    async def test() -> None:
        alerts = Alerts(Settings(private_webhooks=True))
        with heard() as logged:
            await alerts._send(("webhook", target), "t", "Ben")
        await alerts.close()
        assert [set(one) for one in logged] == [{"event", "kind", "reason", "log_level"}]
        assert target not in str(logged)

    test()


class FakeSmtp:
    """What is done with a mail server."""

    done: list[tuple[Any, ...]]

    def __init__(self, host: str, port: int, **more: Any) -> None:
        self.done.append((type(self).__name__, host, port, "context" in more))

    def __enter__(self) -> FakeSmtp:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def starttls(self, context: ssl.SSLContext) -> None:
        assert context.verify_mode == ssl.CERT_REQUIRED
        self.done.append(("starttls",))

    def login(self, user: str, password: str) -> None:
        self.done.append(("login", user, password))

    def send_message(self, mail: Any) -> None:
        self.done.append(("send", mail["From"], mail["To"]))


class FakeSmtps(FakeSmtp):
    pass


@pytest.mark.parametrize(
    ("smtp", "done"),
    [
        ("smtp://mail.example", [("FakeSmtp", "mail.example", 25, False)]),
        ("smtp:", [("FakeSmtp", "localhost", 25, False)]),
        (
            "smtp://me:p%3Aw@mail.example:587",
            [("FakeSmtp", "mail.example", 587, False), ("starttls",), ("login", "me", "p:w")],
        ),
        ("smtp://me@localhost", [("FakeSmtp", "localhost", 25, False), ("login", "me", "")]),
        (
            "smtps://me:x@mail.example",
            [("FakeSmtps", "mail.example", 465, True), ("login", "me", "x")],
        ),
    ],
)
def test_a_password_is_never_sent_in_the_open(
    monkeypatch: pytest.MonkeyPatch, smtp: str, done: list[tuple[Any, ...]]
) -> None:
    FakeSmtp.done = []
    monkeypatch.setattr(smtplib, "SMTP", FakeSmtp)
    monkeypatch.setattr(smtplib, "SMTP_SSL", FakeSmtps)
    Alerts(Settings(smtp=smtp))._mail("a@b.org", "Ben", "t")
    assert FakeSmtp.done == [*done, ("send", "five211@localhost", "a@b.org")]


@on_a_loop
async def test_a_mail_server_that_is_not_there_is_logged() -> None:
    for smtp in ("smtp://127.0.0.1:1", "smtp://127.0.0.1:99999"):
        with heard() as logged:
            await Alerts(Settings(smtp=smtp))._send(("email", "a@b.org"), "t", "Ben")
        assert len(_failed(logged)) == 1


@on_a_loop
async def test_whoever_comes_back_after_a_restart_at_once_is_not_told(tmp_path: Path) -> None:
    async with receiving("web") as web:
        async with hall(tmp_path, **PRIVATE, away_after=1000.0) as one:
            made = await one.make(bots=["random"], words=False)
            async with raw_seat(one, made) as ana:
                alert = {"type": "alert", "kind": "webhook", "target": web.url}
                assert (await ana.answer(**alert, id="1"))["done"]
                assert (await ana.answer(type="start", id="2"))["done"]
        assert web.messages == []
        async with hall(tmp_path, **PRIVATE, away_after=1000.0) as one:
            live = await one.hub.find(made["table"])
            await one.hub.written(live)
            assert live.room.to_tell
            assert lobby.due(live.room) is None  # it is no game by correspondence
            async with one.client(made):
                one.hub._speak(live)  # after a thousand seconds
                await settled(one)
                assert web.messages == []
        async with hall(tmp_path, **PRIVATE, away_after=0.1) as one:
            live = await one.hub.find(made["table"])
            await until(lambda: len(web.messages) == 1)  # nobody came
            one.hub.forget(live)
            one.hub._speak(live)  # once more is no harm


@on_a_loop
async def test_whoever_was_here_when_the_server_ended_is_told_though_nobody_asks_for_the_table(
    tmp_path: Path,
) -> None:
    async with receiving("web") as web:
        async with hall(tmp_path, **PRIVATE, away_after=1000.0) as one:
            made = await one.make(bots=["random"], words=False, clock=DAY)
            async with raw_seat(one, made) as ana:
                alert = {"type": "alert", "kind": "webhook", "target": web.url}
                assert (await ana.answer(**alert, id="1"))["done"]
                assert (await ana.answer(type="start", id="2"))["done"]
        assert web.messages == []
        async with hall(tmp_path, **PRIVATE, away_after=0.1):
            await until(lambda: len(web.messages) == 1)


@on_a_loop
async def test_what_is_under_way_at_the_end_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent, ending = list[str](), asyncio.Event()

    async def slow(_alerts: Alerts, target: str, _message: object) -> None:
        await ending.wait()
        sent.append(target)

    monkeypatch.setattr(Alerts, "_post", slow)
    async with hall(tmp_path, **PRIVATE) as one:
        async with playing(one, "webhook", "http://example.org/"):
            await until(lambda: bool(one.hub.alerts._tasks))
        close = one.hub.store.close

        async def closes() -> None:
            await close()
            ending.set()  # when all else has ended

        one.hub.store.close = closes  # type: ignore[method-assign]
    assert sent == ["http://example.org/"]


@on_a_loop
async def test_what_does_not_end_at_the_end_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alerts_module, "LAST", 0.01)
    async with (
        receiving("web", b"") as web,
        hall(tmp_path, **PRIVATE) as one,
        playing(one, "webhook", web.url),
    ):
        await until(lambda: len(web.messages) == 1)
        (task,) = one.hub.alerts._tasks
        await one.hub.alerts.close()
        await until(task.cancelled)
