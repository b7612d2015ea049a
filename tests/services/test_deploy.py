"""docs/deploy.md is true: its files are those of deploy/, and do what it says.

nginx is started with its file, before three processes that are started by the unit's own ExecStart
line, on PostgreSQL and Redis.
"""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from configparser import ConfigParser
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import httpx
import pytest
import yaml  # type: ignore[import-untyped]

from five211.client import Client, Refused
from five211.server.metrics import Metrics
from five211.server.postgres import PostgresStore
from five211.server.settings import Settings, load
from tests.ports import free_port
from tests.server.helpers import on_a_loop
from tests.server.houses import QUICK, House, until_ready
from tests.server.players import check_game, may_choose, play_on, seated, some_choice
from tests.server.stores import opened
from tests.services.nginx import NAME, PORTS, Nginx, nginx
from tests.services.postgres import drop_database, new_database, postgres, programs
from tests.services.redis import redis

ROOT = Path(__file__).parent.parent.parent
DEPLOY = ROOT / "deploy"
PAGE = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
OPERATE = (ROOT / "docs" / "operate.md").read_text(encoding="utf-8")
PROGRAM = "/opt/five211/bin/five211"
UNIT = "five211@.service"
DATABASE = "five211_deploy"
TOKEN = "a secret"
FULL = (
    """CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE 'no room' USING ERRCODE = 'disk_full'; END $$""",
    "CREATE TRIGGER full_disk BEFORE INSERT ON log EXECUTE FUNCTION full_disk()",
)
"""Nothing more can be written."""


def unit() -> ConfigParser:
    """The unit, whose names keep their letters."""
    found = ConfigParser(interpolation=None, strict=False)
    found.optionxform = str  # type: ignore[assignment,method-assign]
    found.read(DEPLOY / UNIT)
    return found


def environment() -> dict[str, str]:
    """What deploy/env says."""
    lines = shlex.split((DEPLOY / "env").read_text(), comments=True)
    return dict(line.split("=", 1) for line in lines)


def program(folder: Path) -> Path:
    """`five211`, as it is in /opt/five211/bin."""
    file = folder / "five211"
    file.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m five211 "$@"\n')
    file.chmod(0o755)
    return file


class Process:
    """One instance of the unit, without systemd."""

    def __init__(self, folder: Path, bus: str, database: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._folder = folder / str(self.port)
        self._folder.mkdir()
        service = unit()["Service"]
        line = service["ExecStart"].replace(PROGRAM, str(program(self._folder)))
        self._command = shlex.split(line.replace("%i", str(self.port)))
        kept = {name: value for name, value in os.environ.items() if "FIVE211" not in name}
        own = dict(part.split("=") for part in service["Environment"].split())
        told = {
            **environment(),
            "FIVE211_DATABASE": database,
            "FIVE211_BUS": bus,
            "FIVE211_OPERATOR_TOKEN": TOKEN,
        }
        quick = {f"FIVE211_{name.upper()}": str(value) for name, value in QUICK.items()}
        data = {"XDG_DATA_HOME": str(self._folder)}  # what is compiled is there already
        assert set(own) == {"XDG_DATA_HOME", "XDG_CACHE_HOME"}
        self._environment = {**kept, **told, **quick, **data}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                env=self._environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def ready(self) -> None:
        """Wait until it is."""
        assert self._process is not None
        until_ready(self.url, self._process, lambda: self.log)

    @property
    def log(self) -> str:
        return (self._folder / "log").read_text()

    def kill(self) -> None:
        """As a machine dies."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(60)

    @contextmanager
    def stuck(self) -> Iterator[None]:
        """It neither answers nor hangs up."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.killpg(self._process.pid, signal.SIGCONT)

    def stop(self) -> int:
        """As systemd does it."""
        assert self._process is not None
        self._process.send_signal(getattr(signal, unit()["Service"]["KillSignal"]))
        return self._process.wait(int(unit()["Service"]["TimeoutStopSec"]))

    def remove(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self.kill()

    def sum(self, name: str) -> float:
        """One of its metrics."""
        text = httpx.get(f"{self.url}/metrics", trust_env=False).text
        (found,) = re.findall(rf"(?m)^five211_{name} (\S+)$", text)
        return float(found)


class Site:
    """Three processes, and nginx before them."""

    def __init__(self, before: Nginx, processes: Sequence[Process]) -> None:
        self.url, self.before, self.processes = before.url, before, processes
        self.ports = [one.port for one in processes]
        self.house = House(self.url)

    def serving(self) -> Process:
        """The one where the only table is that has somebody connected."""
        (found,) = [one for one in self.processes if one.sum("sockets")]
        return found


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("deploy")
    with ExitStack() as stack:
        bus = stack.enter_context(redis())
        database = new_database(DATABASE)
        stack.callback(drop_database, DATABASE)
        processes = [Process(folder, bus.url, database) for _ in range(3)]
        for one in processes:
            stack.callback(one.remove)
            one.start()
        for one in processes:
            one.ready()
        before = stack.enter_context(nginx([one.port for one in processes]))
        yield Site(before, processes)
        logs = "".join(one.log for one in processes)
        assert "hidden" not in logs  # a password of PostgreSQL and Redis
        assert '"bug"' not in logs


def from_address(address: str, url: str) -> httpx.Client:
    """Somebody at another address, all of which are this machine."""
    transport = httpx.HTTPTransport(local_address=address)
    return httpx.Client(base_url=url, transport=transport, trust_env=False)


# Through nginx


def test_the_page_and_http_come_through(site: Site) -> None:
    with from_address("127.0.0.1", site.url) as client:
        page = client.get("/")
        assert page.status_code == 200
        assert page.headers["content-type"].startswith("text/html")
        assert client.get("/api/ready").status_code == 200
        for path in ("/metrics", "/metrics/", "/metrics//"):
            assert client.get(path).status_code == 404
        wrong = client.post("/api/tables", json={"name": "A"}, headers={"origin": "http://evil"})
        assert wrong.status_code == 403
        ours = client.post("/api/tables", json={"name": "A"}, headers={"origin": site.url})
        assert ours.status_code == 201
    assert all(one.sum("commands_total") >= 0 for one in site.processes)


@on_a_loop
async def test_a_game_is_played_through_it_at_one_process(site: Site) -> None:
    async with seated(site.house, 4, bots=1) as (clients, made):
        await clients[0].do("start")
        await asyncio.gather(*(play_on(one, Random(n)) for n, one in enumerate(clients)))
        await check_game(site.house, made, clients)
        assert await asyncio.to_thread(lambda: site.serving().sum("sockets")) == 3


async def persist(client: Client, rng: Random) -> None:
    """Play until the game is over; who is told to try again does so."""
    while True:
        seen = await client.until(may_choose)
        if seen["phase"] == "over":
            return
        try:
            await client.choose(some_choice(seen, rng))
        except Refused as refused:
            if refused.code not in ("turn_over", "try_again"):
                raise


@on_a_loop
async def test_play_goes_on_though_processes_are_killed_and_restarted(site: Site) -> None:
    """The one that serves a table dies; later all begin anew, one after the other."""
    async with seated(site.house, 3, bots=1) as (clients, made):
        await clients[0].do("start")
        await clients[0].until(may_choose)
        await clients[0].choose(some_choice(clients[0].view, Random(1)))
        killed = await asyncio.to_thread(site.serving)
        killed.kill()
        await asyncio.gather(*(persist(one, Random(n)) for n, one in enumerate(clients)))
        await check_game(site.house, made, clients)

        await clients[0].do("rematch")
        await clients[0].do("start")
        await clients[0].until(may_choose)
        chosen = some_choice(clients[0].view, Random(2))
        await clients[0].choose(chosen)
        codes = await asyncio.to_thread(restarted, site.processes, killed)
        assert codes == [0, 0]  # they ended well
        cards = [card.code for card in chosen]
        await clients[0].until(lambda seen: clients[0].connected and seen["choice"] == cards)
        await asyncio.gather(*(persist(one, Random(n)) for n, one in enumerate(clients)))
        await check_game(site.house, made, clients, 2)


def restarted(processes: Sequence[Process], dead: Process) -> list[int]:
    """Start each anew, as an operator does it; the exit codes of those that lived."""
    codes = []
    for one in sorted(processes, key=lambda one: one is not dead):
        if one is not dead:
            codes.append(one.stop())
        one.start()
        one.ready()
    return codes


def test_an_address_is_believed_from_nginx_only(site: Site) -> None:
    """Somebody at 127.0.0.3 is kept out; nobody else can be made to look so, nor the other way."""
    head = {"authorization": f"Bearer {TOKEN}"}
    ban = {"what": "127.0.0.3", "days": 1, "reason": "why"}
    for one in site.processes:  # each hears of it by and by, and at once if it is told
        said = httpx.post(f"{one.url}/api/operator/bans", json=ban, headers=head, trust_env=False)
        assert said.status_code == 204

    def status(address: str, url: str, **headers: str) -> int:
        with from_address(address, url) as client:
            return client.post("/api/tables", json={"name": "A"}, headers=headers).status_code

    own, pretended = site.processes[0].url, {"x-forwarded-for": "127.0.0.3"}
    assert status("127.0.0.3", site.url) == 403
    assert status("127.0.0.3", site.url, **{"x-forwarded-for": "127.0.0.2"}) == 403
    assert status("127.0.0.2", site.url, **pretended) == 201
    assert status("127.0.0.2", own, **pretended) == 201
    assert status("127.0.0.1", own, **pretended) == 403  # as nginx says it


@on_a_loop
async def test_a_process_that_is_stuck_keeps_nobody(site: Site) -> None:
    """Whatever may be sent again is; sockets come to another process, and play goes on there."""
    with (
        nginx(site.ports, impatient=True) as before,
        nginx(site.ports, impatient=True) as asked,
        nginx(site.ports, impatient=True) as told,
    ):
        async with seated(House(before.url), 3, bots=1) as (clients, made):
            stuck = await asyncio.to_thread(site.serving)
            with stuck.stuck():
                there = f"table={made['table']}"  # where that process is the first to be tried
                late = await House(told.url).post(f"/api/players?{there}", name="Ana")
                assert late.status_code == 504
                assert (await House(asked.url).get(f"/api/ready?{there}")).status_code == 200
                await clients[0].do("start")
                await clients[0].until(may_choose)
            await asyncio.gather(*(persist(one, Random(n)) for n, one in enumerate(clients)))
        for one in (before, asked, told):
            assert "client" not in one.log  # an address
            assert made["table"] not in one.log


@on_a_loop
async def test_a_game_is_played_over_tls(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(site.before.certificate))
    house = House(site.before.https)
    page = await house.get("/")
    assert page.status_code == 200
    assert page.headers["strict-transport-security"].startswith("max-age=")
    assert page.headers["cross-origin-opener-policy"] == "same-origin"  # it knows that it is TLS
    async with seated(house, 2, bots=1) as (clients, made):
        await clients[0].do("start")
        await play_on(clients[0], Random(1))
        await check_game(house, made, clients)


def test_without_tls_there_is_only_the_way_to_it(site: Site) -> None:
    before = site.before
    ours = {"host": NAME, "origin": f"http://{NAME}"}
    with httpx.Client(base_url=before.http, headers=ours, trust_env=False) as client:
        asked = [
            client.get("/?lang=fr"),
            client.get("/socket?table=1"),
            client.post("/api/tables", json={"name": "A"}),
        ]
        assert {one.status_code for one in asked} == {301}
        assert asked[0].headers["location"] == f"https://{NAME}/?lang=fr"
        challenge = before.web / ".well-known" / "acme-challenge" / "abc"
        challenge.parent.mkdir(parents=True)
        challenge.write_text("abc.def")
        assert client.get("/.well-known/acme-challenge/abc").text == "abc.def"


def test_the_operators_commands_are_at_each_process_only(site: Site) -> None:
    """However the path is written."""
    own = site.processes[0].url
    head = {"authorization": f"Bearer {TOKEN}"}
    for path in ("tables", "bans"):
        for written in (
            "/api/operator/",
            "//api//operator/",
            "/api/%6fperator/",
            "/x/../api/operator/",
        ):
            asked = httpx.get(f"{site.url}{written}{path}", headers=head, trust_env=False)
            assert (asked.status_code, asked.headers["server"]) == (404, "nginx")
        asked = httpx.get(f"{own}/api/operator/{path}", headers=head, trust_env=False)
        assert asked.status_code == 200


def blocks(page: str, kind: str) -> list[str]:
    """Its blocks of code."""
    return re.findall(rf"(?m)^```{kind}\n(.*?)^```", page, re.DOTALL)


def sh(mark: str) -> str:
    """The only shell block of the page with these words."""
    (found,) = [one for one in blocks(PAGE, "sh") if mark in one]
    return found


def commands() -> list[str]:
    """What is typed, in the page's order."""
    return [
        line.removeprefix("$ ").split("   #")[0]
        for one in blocks(PAGE, "console")
        for line in one.splitlines()
    ]


def fake(folder: Path, name: str, text: str) -> None:
    """A command of the tests' own, where PATH begins."""
    (folder / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / name).chmod(0o755)


def typed(text: str, folder: Path, **environment: str) -> None:
    """Run what the page says on the database's machine; whoever is asked for, is us."""
    fake(folder, "sudo", '[ "$1" != -u ] || shift 2\nexec "$@"')
    kept = {name: value for name, value in os.environ.items() if "FIVE211" not in name}
    told = {
        "PATH": f"{folder}:{programs()}:{os.environ['PATH']}",
        "PGHOST": "127.0.0.1",
        "PGPORT": str(postgres().port),
        "PGUSER": "postgres",
    }
    subprocess.run(
        ["sh", "-euc", text], check=True, cwd=folder, env={**kept, **told, **environment}
    )


@pytest.fixture
def role() -> Iterator[str]:
    """The user and the database that the page speaks of."""
    postgres().execute("postgres", "CREATE ROLE five211 LOGIN")
    yield "five211"
    drop_database("five211")
    postgres().execute("postgres", "DROP ROLE five211")


def test_a_backup_is_restored(site: Site, tmp_path: Path, role: str) -> None:
    """To five211 itself, which may not do more than it could; and nobody else can read the file."""
    made = httpx.post(f"{site.url}/api/players", json={"name": "Ana"}, trust_env=False).json()
    file = tmp_path / "five211.dump"
    there = "--host=db.example.org"
    for mark, old, new in (
        ("postgres pg_dump", "five211 >", f"{DATABASE} >"),
        ("pg_restore", "five211.dump", "five211.dump"),
        (f"pg_dump {there}", there, "--host=127.0.0.1"),
        ("pg_restore", "five211.dump", "five211.dump"),
    ):
        assert old in sh(mark)
        typed(sh(mark).replace(old, new), tmp_path)
        assert file.stat().st_mode & 0o777 == 0o600
        if mark != "pg_restore":
            continue
        file.unlink()

        @on_a_loop
        async def test() -> None:
            url = postgres().url(role).replace("//postgres:", f"//{role}:")
            async with opened(PostgresStore(url)) as store:
                found = await store.player(made["player"]["id"])
                assert found is not None
                assert found.name == "Ana"
                await store.ban("203.0.113.7", 1e12, "")

        test()


def test_no_secret_is_an_argument() -> None:
    for page in (PAGE, (ROOT / "docs" / "operate.md").read_text(encoding="utf-8")):
        for one in blocks(page, "(?:sh|console)"):
            lines = one.replace("\\\n", "").splitlines()
            for line in lines:
                assert not re.search(r"five211 .*(--database|--bus)[ =](postgres|redis)", line), (
                    line
                )
                assert "$FIVE211_DATABASE" not in line
                assert "PGPASSWORD" not in line


# One after the other


def restart(folder: Path, *ports: int) -> subprocess.CompletedProcess[str]:
    """deploy/restart.sh, where `systemctl` only notes what it is told."""
    fake(folder, "systemctl", f'echo "$@" >> {folder}/told')
    fake(folder, "sleep", "exit 0")
    (folder / "env").write_text("FIVE211_HOST='127.0.0.1'\n")
    text = (DEPLOY / "restart.sh").read_text()
    assert text.count("/etc/five211/env") == 1
    (folder / "restart.sh").write_text(text.replace("/etc/five211/env", f"{folder}/env"))
    return subprocess.run(
        ["sh", str(folder / "restart.sh"), *map(str, ports)],
        env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_processes_begin_anew_one_after_the_other(site: Site, tmp_path: Path) -> None:
    done = restart(tmp_path, *site.ports)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    told = (tmp_path / "told").read_text().splitlines()
    assert told == [f"restart five211@{port}" for port in site.ports]


def test_the_next_is_left_alone_if_one_does_not_get_ready(site: Site, tmp_path: Path) -> None:
    dead = free_port()
    done = restart(tmp_path, site.ports[0], dead, site.ports[1])
    assert done.returncode == 1
    assert f"journalctl -u five211@{dead} " in done.stderr
    told = (tmp_path / "told").read_text().splitlines()
    assert told == [f"restart five211@{port}" for port in (site.ports[0], dead)]


# Setting it up


def test_the_steps_are_in_an_order_that_works() -> None:
    steps = (
        "ufw enable",
        "pip install '.[scale]'",
        "install -m 600 deploy/env",
        "sudoedit /etc/five211/env",
        "db migrate",
        "enable --now",
        "certbot certonly",
        "install -m 644 deploy/nginx.conf",
        "sudoedit /etc/nginx/nginx.conf",
        "nginx -t",
        "reload nginx",
        "pip install --upgrade",
        "db migrate",
        "deploy/restart.sh",
        "stop five211.target",
        "pip install 'five211[scale]==",
    )
    there = iter(commands())
    for step in steps:
        assert any(step in command for command in there), step
    typed = " ".join(commands())
    assert all(f"deploy/{one.name}" in typed for one in DEPLOY.iterdir())


def test_the_database_is_made_ready_with_the_environments_file(tmp_path: Path) -> None:
    (command,) = {one for one in commands() if "db migrate" in one}
    program(tmp_path)
    name = "five211_empty"
    postgres().execute("postgres", f"CREATE DATABASE {name}")
    try:
        url = postgres().url(name)
        own = (DEPLOY / "env").read_text().replace(environment()["FIVE211_DATABASE"], url)
        (tmp_path / "env").write_text(own)
        command = command.replace("/etc/five211/env", str(tmp_path / "env"))
        typed(command.replace(PROGRAM, str(tmp_path / "five211")), tmp_path)
        found = postgres().execute(
            name, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
        )
        assert found[0][0] > 5
    finally:
        drop_database(name)


def test_a_process_that_is_ready_says_so(site: Site, tmp_path: Path) -> None:
    (command,) = [one for one in commands() if one.startswith("curl ")]
    assert command.endswith("127.0.0.1:5211/api/ready")
    typed(command.replace("5211/api", f"{site.ports[0]}/api"), tmp_path, no_proxy="*")


def text_block(mark: str) -> str:
    (found,) = [one for one in blocks(PAGE, "text") if mark in one]
    return found


def test_postgresql_has_nothing_against_the_line_of_who_may_come() -> None:
    ((name,),) = postgres().execute("postgres", "SHOW hba_file")
    file = Path(name)
    before = file.read_text()
    file.write_text(text_block("hostssl"))
    try:  # it reads the file to tell of it, and goes on with what it had
        asked = "SELECT type, database, user_name, auth_method, error FROM pg_hba_file_rules"
        found = postgres().execute("postgres", asked)
    finally:
        file.write_text(before)
    (*said, error) = found[0]
    assert (len(found), said) == (1, ["hostssl", ["five211"], ["five211"], "scram-sha-256"])
    assert error in (
        None,
        "hostssl record cannot match because SSL is disabled",
    )  # as Debian's is not


def test_redis_starts_with_the_lines_of_the_page_and_wants_the_password(tmp_path: Path) -> None:
    port = free_port()
    (tmp_path / "redis.conf").write_text(text_block("requirepass"))
    command = ["redis-server", "redis.conf", "--port", str(port), "--save", ""]
    with (tmp_path / "log").open("wb") as log:
        server = subprocess.Popen(command, cwd=tmp_path, stdout=log, stderr=log)
    try:
        password = urlsplit(environment()["FIVE211_BUS"]).password
        said = redis_says(port, f"AUTH {password}", server)
        assert said == "+OK"
        assert redis_says(port, "PING", server).startswith("-NOAUTH")
    finally:
        server.terminate()
        server.wait(60)


def redis_says(port: int, command: str, server: subprocess.Popen[bytes]) -> str:
    """Its answer, as soon as it gives one."""
    while True:
        assert server.poll() is None
        with (
            suppress(ConnectionRefusedError),
            socket.create_connection(("127.0.0.1", port), 60) as connection,
        ):
            connection.sendall(f"{command}\r\n".encode())
            with connection.makefile() as lines:
                return lines.readline().strip()
        time.sleep(0.02)


# The files


FILES = ["env", UNIT, "five211.target", "nginx.conf", "restart.sh"]


@pytest.mark.parametrize("name", FILES)
def test_the_page_quotes_its_files(name: str) -> None:
    assert (DEPLOY / name).read_text() in blocks(PAGE, r"\w+")
    assert f"](../deploy/{name})" in PAGE


def test_every_file_is_quoted() -> None:
    found = {one.name for one in DEPLOY.iterdir()}
    assert found == set(FILES)


def test_the_environment_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.__struct_fields__:
        monkeypatch.delenv(f"FIVE211_{name.upper()}", raising=False)
    for name, value in environment().items():
        assert name.removeprefix("FIVE211_").lower() in Settings.__struct_fields__
        monkeypatch.setenv(name, value)
    assert load({}).metrics is True


def test_a_shell_reads_the_environment_as_systemd_does() -> None:
    asked = ["env", "-i", "sh", "-c", f"set -a; . {DEPLOY / 'env'}; /usr/bin/env -0"]
    said = subprocess.run(asked, check=True, capture_output=True, text=True).stdout
    found = dict(one.split("=", 1) for one in said.split("\0") if one)
    assert {name: found[name] for name in environment()} == environment()
    lines = [one for one in (DEPLOY / "env").read_text().splitlines() if one[0] != "#"]
    assert all(re.fullmatch(r"FIVE211_\w+='[^']*'", one) for one in lines)


def test_a_database_is_waited_for_and_a_wrong_setting_given_up() -> None:
    """A start that fails takes as long as the database's patience, and not much more."""
    pause, most = int(unit()["Service"]["RestartSec"]), int(unit()["Unit"]["StartLimitBurst"])
    span = int(unit()["Unit"]["StartLimitIntervalSec"])
    assert pause * most > 5 * 60
    assert most * (pause + 2 * Settings().database_patience) < span


def test_systemd_has_nothing_against_the_units(tmp_path: Path) -> None:
    command = shutil.which("systemd-analyze")
    assert command, "This test needs systemd. On Debian: apt-get install systemd"
    (tmp_path / "env").write_text((DEPLOY / "env").read_text())
    text = (DEPLOY / UNIT).read_text().replace(PROGRAM, str(program(tmp_path)))
    instance = tmp_path / UNIT.replace("@", "@5211")
    instance.write_text(text.replace("/etc/five211/env", str(tmp_path / "env")))
    shutil.copy(DEPLOY / "five211.target", tmp_path)
    files = [str(instance), str(tmp_path / "five211.target")]
    done = subprocess.run(
        [command, "verify", "--man=no", *files], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_nginx_waits_longer_than_five211_may_take() -> None:
    text = (DEPLOY / "nginx.conf").read_text()
    rest, sockets = map(int, re.findall(r"proxy_read_timeout (\d+)s;", text))
    assert text.index("location = /socket") > text.index(f"proxy_read_timeout {rest}s;")
    assert rest > Settings().database_patience
    source = (ROOT / "src" / "five211" / "server" / "serve.py").read_text()
    (ping,) = re.findall(r"ws_ping_interval=(\d+),", source)
    assert sockets > int(ping)
    assert f"every {ping} seconds" in PAGE


# What to watch


def test_every_metric_is_told_and_no_other() -> None:
    there = set(re.findall(r"(?m)^# TYPE (\w+)", Metrics().text().decode()))
    told = re.findall(r"(?m)^\| `(five211_\w+)` \|", OPERATE)
    assert len(told) == len(set(told))
    assert set(told) == there
    alerts = re.findall(r"(?m)^\| `(.*(?:==|[<>]) .*)` \|", PAGE)
    assert len(alerts) > 5
    assert {name for one in alerts for name in re.findall(r"five211_\w+", one)} <= there


def test_prometheus_is_told_of_every_process_by_the_alerts_name(site: Site) -> None:
    """Each is asked by an address; by a name that it does not know, it does not answer."""
    (text,) = blocks(PAGE, "yaml")
    (job,) = yaml.safe_load(text)["scrape_configs"]
    assert f'`up{{job="{job["job_name"]}"}} == 0`' in PAGE
    (static,) = job["static_configs"]
    assert static["targets"] == [f"127.0.0.1:{port}" for port in PORTS]
    for one in site.processes:
        assert one.sum("tables") >= 0
        named = {"host": f"prometheus.example.org:{one.port}"}
        asked = httpx.get(f"{one.url}/metrics", headers=named, trust_env=False)
        assert asked.status_code == 421


@on_a_loop
async def test_the_alert_for_nothing_written_is_for_people_who_do_something(site: Site) -> None:
    """Not for tabs that are open; and it is there while PostgreSQL has no room."""
    assert (
        "`sum(rate(five211_commands_total[5m])) > 0 and sum(rate(five211_commits_total[5m])) == 0`"
        in PAGE
    )

    async def sums(name: str) -> float:
        return sum([await asyncio.to_thread(one.sum, name) for one in site.processes])

    made = await site.house.made(players=2, bots=["random"])
    before = await sums("commands_total")
    async with site.house.client(made) as client:
        await client.until(lambda seen: bool(seen))
        assert await sums("sockets") > 0
        assert await sums("commands_total") == before
        await asyncio.to_thread(postgres().execute, DATABASE, *FULL)
        try:
            commits = await sums("commits_total")
            start = asyncio.create_task(client.do("start"))
            while await sums("commands_total") == before:
                await asyncio.sleep(0.05)
            assert await sums("commits_total") == commits
        finally:
            await asyncio.to_thread(postgres().execute, DATABASE, "DROP FUNCTION full_disk CASCADE")
        with suppress(Refused):  # it is told to try again, or comes back and does so by itself
            await start


def test_the_bounds_of_alerts_are_the_defaults() -> None:
    for name in ("sockets", "tables"):
        assert f"`five211_{name} > 0.8 * {getattr(Settings(), name)}`" in PAGE


def test_every_event_of_the_log_is_told_and_no_other() -> None:
    files = (ROOT / "src" / "five211" / "server").rglob("*.py")
    logs = r"(?:\blog|get_logger\(\))\.(?:info|warning|error)\(\s*\"([^\"]+)\""
    sources = "".join(file.read_text() for file in files)
    there = set(re.findall(logs, sources))
    for what in re.findall(r"\bTrouble\(\"(\w+)\"", sources):
        there |= {f"{what} failed", f"{what} recovered"}
    events = OPERATE.split("| event |")[1]
    assert set(re.findall(r"(?m)^\| `([a-z ]+)` \|", events)) == there
