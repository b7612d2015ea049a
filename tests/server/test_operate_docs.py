"""docs/operate.md is complete and true: every setting, flag, default and call in it."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.main import get_command

from five211.cli import KEPT, app
from five211.server import serve, shapes
from five211.server.routes import operator
from five211.server.settings import Settings, load
from tests.server.houses import server_process

PAGE = (Path(__file__).parent.parent.parent / "docs" / "operate.md").read_text(encoding="utf-8")
NO_SETTINGS = {"config", "browser", "lang"}


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.__struct_fields__:
        monkeypatch.delenv(f"FIVE211_{name.upper()}", raising=False)


def part(title: str) -> str:
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def block(kind: str) -> str:
    (found,) = re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


def rows() -> dict[str, list[str]]:
    """Each setting's default, flag and meaning."""
    lines = re.findall(r"^\| `(\w+)` \|(.*)\|$", part("Settings"), re.MULTILINE)
    return {name: [cell.strip().strip("`") for cell in rest.split("|")] for name, rest in lines}


def test_every_setting_is_there_in_order_and_no_other() -> None:
    assert list(rows()) == list(Settings.__struct_fields__)


@pytest.mark.parametrize("name", Settings.__struct_fields__)
def test_a_settings_default_is_the_servers(name: str) -> None:
    told, default = rows()[name][0], getattr(Settings(), name)
    if isinstance(default, str):
        assert told == default
    else:
        assert json.loads(told) == (list(default) if isinstance(default, tuple) else default)


def test_the_flags_are_those_of_the_command() -> None:
    command: Any = get_command(app)
    flags = {one.name for one in command.commands["serve"].params} - NO_SETTINGS - {"help"}
    assert {name for name, cells in rows().items() if cells[1]} == flags
    assert all(cells[1] in ("", f"--{name}") for name, cells in rows().items())
    assert all(f"`--{name}`" in part("Settings") for name in NO_SETTINGS)


def test_the_file_to_begin_with_is_one(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(block("toml"))
    found = load({}, str(tmp_path / "club.toml"))
    assert found.url in PAGE
    assert found.metrics is True
    assert found != Settings()


def test_the_database_is_where_the_page_and_the_help_say(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        assert name in part("Settings")
        assert name in KEPT
        monkeypatch.delenv(name, raising=False)
    place = serve.data_folder().relative_to(Path.home()) / "five211.sqlite"
    assert KEPT.startswith(f"~/{place.as_posix()} ")
    assert "`~/.local/share`" in part("Settings")


def test_every_call_of_an_operator_is_there() -> None:
    calls = {
        f"{method} {re.sub(r':(str|path)', '', path)}"
        for handler in operator.HANDLERS
        for path in handler.paths
        for method in handler.http_methods - {"OPTIONS", "HEAD"}
    }
    lines = re.findall(r"^\| .* \| `([A-Z]+ /.*?)`", part("What an operator can do"), re.MULTILINE)
    assert set(lines) == calls
    assert all(f"`{name}`" in PAGE for name in shapes.BanBody.__struct_fields__)
    assert f"({shapes.BanBody('x').days:.0f})" in PAGE


def curls() -> Iterator[str]:
    """The calls of the page, each to be run with its answer's status shown."""
    for line in block("sh").replace("\\\n", "").splitlines():
        yield line.replace("curl -s ", "curl -s -w '\\n%{http_code}\\n' ", 1)


def test_the_calls_for_curl_do_what_they_say(tmp_path: Path) -> None:
    with server_process(tmp_path, operator_token="a secret") as server:
        made = httpx.post(f"{server.url}/api/tables", json={"name": "Ana"}).json()
        player = httpx.post(f"{server.url}/api/players", json={"name": "Bo"}).json()["player"]
        script = "\n".join(curls()).replace("http://127.0.0.1:5211", server.url)
        script = script.replace("TABLE/", f"{made['table']}/").replace("PLAYER", player["id"])
        done = subprocess.run(
            ["sh", "-e", "-c", script],
            env={**os.environ, "FIVE211_OPERATOR_TOKEN": "a secret"},
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        assert httpx.get(f"{server.url}/api/players/{player['id']}").status_code == 404
    lines = [line for line in done.stdout.splitlines() if line]
    assert [line for line in lines if len(line) == 3] == ["200", *["204"] * 2, "200", *["204"] * 2]
    tables, bans = (json.loads(line) for line in lines if line.startswith("{"))
    assert [one["id"] for one in tables["memory"]] == [made["table"]]
    assert [(one["what"], one["reason"]) for one in bans["bans"]] == [("203.0.113.7", "floods")]
