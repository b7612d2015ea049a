"""`five211 serve`: its address, its signals, its log."""

from __future__ import annotations

import asyncio
import errno
import gc
import json
import logging
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import pytest
import structlog
import uvicorn

from five211 import __version__
from five211.cli.serve import run as run_command
from five211.cli.serve import show
from five211.client import Client
from five211.errors import GameError
from five211.server import databases, serve
from five211.server.network import addresses
from five211.server.settings import Settings
from five211.server.sqlite import SCHEMA
from tests.server.helpers import code_of, hall, heard, on_a_loop
from tests.server.players import raw_seat
from tests.server.stores import database_in

ADDRESS = re.compile(r"http://[\w.:-]+:\d+")


def clean() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FIVE211_")}
    return {**kept, "LANG": "C.UTF-8", "FIVE211_BOT_PACE": "0", "COLUMNS": "200"}


@contextmanager
def running(folder: Path, *flags: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`five211 serve` as a process, and the address that it printed."""
    database = database_in(folder)
    process = subprocess.Popen(
        [sys.executable, "-m", "five211", "serve", "--port", "0", "--database", database, *flags],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=clean(),
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        found = ADDRESS.search(process.stdout.readline())
        assert found is not None, process.stderr
        yield process, found.group()
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def failing(*flags: str) -> str:
    """The one line that is said when the server cannot run."""
    done = subprocess.run(
        [sys.executable, "-m", "five211", "serve", *flags],
        capture_output=True,
        text=True,
        env=clean(),
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    return line


def ready(url: str) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            if httpx.get(f"{url}/api/health", timeout=60).status_code == 200:
                return
        except httpx.HTTPError:
            time.sleep(0.02)
    raise AssertionError(url)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_sends_everybody_away_to_come_back_and_ends_quietly(
    tmp_path: Path, number: int, code: int
) -> None:
    @on_a_loop
    async def test() -> None:
        with running(tmp_path) as (process, url):
            async with httpx.AsyncClient(base_url=url, timeout=60) as web:
                made = (await web.post("/api/play", json={"level": "beginner"})).json()
            async with Client(url, made["table"], made["token"]) as client:
                await client.until(lambda view: view["chosen"] == [False, True, True, True])
                inner = client._socket
                assert inner is not None
                os.killpg(process.pid, number)  # as a terminal does: its bots' processes, too
                await inner.wait_closed()
                assert inner.close_code == 1012
            _, log = await asyncio.to_thread(process.communicate)
            events = [json.loads(line)["event"] for line in log.splitlines()]
            assert (process.returncode, events) == (code, ["started", "stopped"])

    test()


def test_a_port_that_is_taken_is_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        line = failing("--port", port, "--database", str(tmp_path / "five211.sqlite"))
    assert line == f"five211: Port {port} is taken already. Try another one with --port."


def test_a_port_that_is_refused_for_another_reason_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def forbidden(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", forbidden)
    with pytest.raises(GameError, match=r"^Cannot listen on port 80: Permission denied\. Try"):
        serve.listen(Settings(port=80))


def test_a_file_of_a_newer_version_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "five211.sqlite"
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {len(SCHEMA) + 1}")
    connection.close()
    line = failing("--port", "0", "--database", str(path))
    assert line == (
        f"five211: Cannot use the database {path}:"
        " this file was made by a newer version of five211."
    )


def test_a_setting_that_is_unknown_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text("prot = 5")
    assert "prot" in failing("--config", str(tmp_path / "s.toml"))


# In this process


@contextmanager
def served(
    monkeypatch: pytest.MonkeyPatch,
    flags: dict[str, Any],
    config: str | None = None,
    browser: bool = False,
) -> Iterator[list[Any]]:
    """The command itself, ended by a signal after what a test does meanwhile."""
    before = signal.getsignal(signal.SIGTERM), gc.get_threshold()
    listening: list[socket.socket] = []
    listen = serve.listen

    def remembered(settings: Settings) -> socket.socket:
        listening.append(listen(settings))
        return listening[0]

    monkeypatch.setattr(serve, "listen", remembered)
    work: list[Any] = []
    done: list[Any] = []
    ended = threading.Event()

    def meanwhile() -> None:
        while not listening and not ended.is_set():
            time.sleep(0.01)
        if ended.is_set():
            return
        try:
            url = f"http://127.0.0.1:{listening[0].getsockname()[1]}"
            ready(url)
            work[0](url)
            done.append(url)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    yield work
    thread = threading.Thread(target=meanwhile)
    signal.signal(signal.SIGTERM, lambda *_: None)
    thread.start()
    try:
        run_command({"port": 0, **flags}, config, "en", browser)
    finally:
        ended.set()
        thread.join()
        signal.signal(signal.SIGTERM, before[0])
        gc.set_threshold(*before[1])
    assert done


def test_on_the_local_network_there_is_an_address_and_a_code_to_scan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    def work(url: str) -> None:
        host = f"{addresses()[0]}:{url.rsplit(':', 1)[1]}"
        assert httpx.get(f"{url}/api/about", headers={"host": host}).status_code == 200
        statuses.append(host)

    statuses: list[str] = []
    with served(monkeypatch, {"lan": True}) as works:
        works.append(work)
    said = capsys.readouterr().out
    assert f"http://{statuses[0]}" in said
    assert len([line for line in said.splitlines() if set(line) & set("█▀▄")]) > 10
    assert (tmp_path / "five211" / "five211.sqlite").exists()


# The browser


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that a browser was opened at, by somebody in front of a screen."""
    addresses: list[str] = []
    monkeypatch.setattr("webbrowser.open", addresses.append)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("CI", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    return addresses


def test_the_browser_opens_once_the_server_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: list[str]
) -> None:
    database = {"database": str(tmp_path / "x.sqlite")}
    urls: list[str] = []
    answers: list[int] = []

    def look(url: str) -> None:
        answers.append(httpx.get(url, timeout=60).status_code)
        opened.append(url)

    def work(url: str) -> None:
        urls.append(url)
        while not opened:
            time.sleep(0.01)

    monkeypatch.setattr("webbrowser.open", look)
    with served(monkeypatch, database, browser=True) as works:
        works.append(work)
    assert (opened, answers) == (urls, [200])


def test_one_of_several_says_where_it_listens_and_by_what_it_hears_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = import_module("five211.cli.serve")  # not the command of that name
    monkeypatch.setattr(command, "make_bus", lambda _settings: None)  # there is none here
    monkeypatch.setattr(serve, "run", lambda _settings, listener, _up: listener.close())
    where = {"port": 0, "database": str(tmp_path / "x.sqlite"), "url": "https://5211.example.org/"}
    run_command({**where, "bus": "redis://user:hidden@10.0.0.9:6379/1"}, None, "en", False)
    first, _, own, bus = capsys.readouterr().out.splitlines()
    assert first.startswith("five211 is running at https://5211.example.org ")
    assert re.fullmatch(r"this process listens at http://127\.0\.0\.1:\d+", own)
    assert bus == "other processes are told of moves by redis://10.0.0.9:6379/1"


def test_a_second_bare_start_opens_the_browser_at_the_first_server(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    opened: list[str],
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)  # that of capsys
    with running(tmp_path) as (_, url):
        flags = {"port": int(url.rsplit(":", 1)[1]), "database": str(tmp_path / "x.sqlite")}
        ready(url)
        run_command(flags, None, "en", True)
        assert opened == [url]
        assert capsys.readouterr().out == f"five211 is already running at {url}\n"
        with pytest.raises(GameError) as refused:
            run_command(flags, None, "en", False)
        assert refused.value.code == "port_taken"
    assert opened == [url]


@pytest.mark.parametrize("said", [b"[]", b'{"name": "other"}', b"<html>", None])
def test_a_port_that_another_program_has_is_an_error_to_a_bare_start_too(
    tmp_path: Path, opened: list[str], said: bytes | None
) -> None:
    def serve_once(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(10_000)
            if said is not None:
                connection.sendall(b"HTTP/1.0 200 OK\r\n\r\n" + said)

    with socket.create_server(("127.0.0.1", 0)) as other:
        thread = threading.Thread(target=serve_once, args=(other,))
        thread.start()
        flags = {"port": other.getsockname()[1], "database": str(tmp_path / "x.sqlite")}
        with pytest.raises(GameError) as refused:
            run_command(flags, None, "en", True)
        thread.join()
    assert refused.value.code == "port_taken"
    assert opened == []


def test_the_browser_opens_only_where_somebody_sees_it(
    monkeypatch: pytest.MonkeyPatch, opened: list[str]
) -> None:
    def opens() -> bool:
        opened.clear()
        show("http://x")
        return opened == ["http://x"]

    assert opens()
    monkeypatch.setenv("CI", "true")
    assert not opens()
    monkeypatch.delenv("CI")
    monkeypatch.delenv("DISPLAY")
    assert not opens()
    monkeypatch.setattr("sys.platform", "darwin")
    assert opens()
    monkeypatch.setattr("sys.stdout.isatty", lambda: False)
    assert not opens()
    monkeypatch.setattr("sys.stdout", None)
    assert not opens()


# What else it is told


def test_an_address_that_a_client_claims_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(url: str) -> None:
        with httpx.Client(base_url=url) as web:
            for status in (200, 200, 200, 429, 429):
                headers = {"x-forwarded-for": f"10.0.0.{os.urandom(1)[0]}", "x-real-ip": "1.1.1.1"}
                assert web.get("/api/about", headers=headers).status_code == status

    (tmp_path / "s.toml").write_text("requests_a_minute = 3")
    database = {"database": str(tmp_path / "x.sqlite")}
    with served(monkeypatch, database, str(tmp_path / "s.toml")) as works:
        works.append(work)


def test_a_file_that_is_no_database_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(GameError) as refused:
        databases.prepare(Settings(database=str(tmp_path)))
    assert refused.value.code == "store"


def test_a_server_that_does_not_start_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = signal.getsignal(signal.SIGTERM), gc.get_threshold()
    monkeypatch.setattr(uvicorn.Server, "run", lambda *_, **__: None)
    settings = Settings(database=str(tmp_path / "x.sqlite"), port=0)
    try:
        with serve.listen(settings) as listener, pytest.raises(GameError) as refused:
            serve.run(settings, listener)
    finally:
        signal.signal(signal.SIGTERM, before[0])
        gc.set_threshold(*before[1])
    assert refused.value.code == "server_start"


@pytest.mark.parametrize("host", ["nowhere.invalid", "192.0.2.1", "a..b", "x" * 70 + ".example"])
def test_a_host_that_is_not_here_is_an_error(host: str) -> None:
    with pytest.raises(GameError) as refused:
        serve.listen(Settings(host=host, port=0))
    assert refused.value.code == "listen_host"
    assert f"This machine has no address “{host[:24]}" in str(refused.value)


def test_a_port_is_taken_as_soon_as_it_is_bound() -> None:
    with serve.listen(Settings(port=0)) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(GameError) as refused:
            serve.listen(Settings(port=port))
    assert (refused.value.code, refused.value.fields["port"]) == ("port_taken", port)


def test_the_address_is_one_that_people_can_type() -> None:
    assert serve.where(Settings(), 5) == "http://127.0.0.1:5"
    assert serve.where(Settings(host="::1"), 5) == "http://[::1]:5"
    assert serve.where(Settings(url="https://x.org/"), 5) == "https://x.org"
    here = f"http://{addresses()[0]}:5"
    assert serve.where(Settings(lan=True), 5) == here
    assert serve.where(Settings(host="0.0.0.0"), 5) == here
    with serve.listen(Settings(host="::1", port=0)) as listener:
        assert listener.family is socket.AF_INET6


def test_data_is_kept_where_the_system_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/x")
    assert serve.data_folder() == Path("/x/five211")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("LOCALAPPDATA", "/y")
    assert serve.data_folder() == Path("/y/five211")
    monkeypatch.delenv("LOCALAPPDATA")
    assert serve.data_folder() == Path.home() / ".local" / "share" / "five211"


def test_without_a_network_the_machines_name_is_its_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object, **__: object) -> Any:
        raise OSError

    monkeypatch.setattr(socket, "socket", fail)
    monkeypatch.setattr(socket, "getaddrinfo", fail)
    monkeypatch.setattr(socket, "gethostname", lambda: "Box")
    assert addresses() == ("box", "box.local")


# The log


def logged(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """What went wrong."""
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    return [line for line in lines if line["level"] != "info"]


@on_a_loop
async def test_a_bug_is_a_500_and_a_line_without_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_room: object) -> None:
        hidden = "G2 G3 Y1"
        raise RuntimeError(hidden)

    serve.set_up_log("info")
    async with hall(tmp_path) as one:
        seat = await one.make()
        monkeypatch.setattr("five211.server.routes.tables.summary", broken)
        answer = await one.ask("POST", "/api/doors", door=seat["code"])
        assert (answer.status_code, code_of(answer)) == (500, "bug")
        assert "G2" not in answer.text
        monkeypatch.undo()
        assert (await one.ask("POST", "/api/doors", door=seat["code"])).status_code == 200
    said = capsys.readouterr().err
    first, line, last = [json.loads(one) for one in said.splitlines()]
    assert (first["event"], first["version"], last["event"]) == ("started", __version__, "stopped")
    assert (line["event"], line["kind"], line["path"]) == ("bug", "RuntimeError", "/api/doors")
    assert line["at"][-1].endswith(" broken")
    assert len(line["at"]) <= 8
    assert not [word for word in ("G2", seat["code"], "hidden") if word in said]


@on_a_loop
async def test_what_is_no_http_is_one_line_of_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    serve.set_up_log("info")
    async with hall(tmp_path) as one:
        reader, writer = await asyncio.open_connection(*one.url.removeprefix("http://").split(":"))
        writer.write(b"\x16\x03\x01 nonsense\r\n\r\n")
        assert b" 400 " in (await reader.read()).splitlines()[0]
        writer.close()
        await writer.wait_closed()
    (line,) = logged(capsys)
    assert (line["level"], line["source"]) == ("warning", "uvicorn.error")


def test_what_a_library_logs_is_its_first_line_and_where(
    capsys: pytest.CaptureFixture[str],
) -> None:
    serve.set_up_log("info")
    serve.set_up_log("info")
    try:
        raise KeyError("G2")
    except KeyError:
        logging.getLogger("asyncio").exception("a task failed\nhand: G2 %s", "G3")
    logging.getLogger("x").warning("")
    logging.getLogger("x").info("not this")
    first, second = logged(capsys)
    assert (first["event"], first["kind"]) == ("a task failed", "KeyError")
    assert first["at"][0].startswith("test_serve.py:")
    assert "G2" not in str(first)
    assert second["event"] == ""


def test_at_a_terminal_only_what_goes_wrong_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    log = structlog.get_logger()
    for level in ("info", "debug"):
        serve.set_up_log(level)
        log.info("started")
        log.warning("bus failed")
    told = [json.loads(line)["event"] for line in capsys.readouterr().err.splitlines()]
    assert told == ["bus failed", "started", "bus failed"]


def test_a_traceback_of_the_moment_is_short_too(capsys: pytest.CaptureFixture[str]) -> None:
    serve.set_up_log("warning")
    log = structlog.get_logger()
    try:
        raise KeyError("G2")
    except KeyError:
        log.error("store failed", exc_info=True)
    log.error("plain", exc_info=False)
    log.info("too quiet")
    first, second = logged(capsys)
    assert first["at"][0].startswith("test_serve.py:")
    assert "at" not in second
    assert {"event", "level", "timestamp"} <= set(second)


@on_a_loop
async def test_a_stopping_server_closes_a_socket_with_1012(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        seat = await one.make()
        context = raw_seat(one, seat)
        socket_ = await context.__aenter__()
        await socket_.frame()
    await socket_.socket.wait_closed()
    assert socket_.socket.close_code == 1012
    await context.__aexit__(None, None, None)


@on_a_loop
async def test_it_opens_even_if_nothing_can_be_compiled_ahead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[str] = []

    async def begun(*_: object) -> None:
        told.append("listening")

    def fails() -> None:
        raise BlockingIOError(errno.EAGAIN, "no more processes")

    monkeypatch.setattr(uvicorn.Server, "startup", begun)
    monkeypatch.setattr(serve, "compile_ahead", fails)
    with heard() as logged:
        await serve._Server(uvicorn.Config(object()), lambda: told.append("open")).startup()  # type: ignore[arg-type]
    assert told == ["listening", "open"]
    assert [one["event"] for one in logged] == ["nothing compiled ahead"]
