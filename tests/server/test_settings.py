"""Settings by file, environment and flag."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from five211.errors import GameError
from five211.server.settings import Settings, load


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.__struct_fields__:
        monkeypatch.delenv(f"FIVE211_{name.upper()}", raising=False)


def written(folder: Path, text: str) -> str:
    path = folder / "settings.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_without_anything_the_defaults_hold() -> None:
    assert load({"port": None, "lan": None}) == Settings()


def test_a_flag_wins_over_the_environment_and_that_over_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(tmp_path, 'port = 1\nhost = "a"\nurl = "x"\nhosts = ["h"]\nbot_pace = 2\n')
    monkeypatch.setenv("FIVE211_PORT", "2")
    monkeypatch.setenv("FIVE211_HOST", "b")
    found = load({"port": 3, "host": None}, file)
    assert (found.port, found.host, found.url) == (3, "b", "x")
    assert (found.hosts, found.bot_pace) == (("h",), 2.0)


def test_the_environment_is_text_that_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (
        ("LAN", "true"),
        ("METRICS", "1"),
        ("DOCS", "false"),
        ("HOSTS", "a.example,b.example"),
        ("AWAY_AFTER", "0.5"),
        ("LOG", "debug"),
    ):
        monkeypatch.setenv(f"FIVE211_{name}", value)
    found = load({})
    assert (found.lan, found.metrics, found.docs) == (True, True, False)
    assert found.hosts == ("a.example", "b.example")
    assert (found.away_after, found.log) == (0.5, "debug")


@pytest.mark.parametrize(
    "text",
    [
        "prot = 1",
        "port = 70000",
        "port = -1",
        "bot_workers = 0",
        "patience = -1",
        'log = "loud"',
        "requests_a_minute = 0",
        'lan = "perhaps"',
        "away_after = nan",
        "messages_a_second = 0",
    ],
)
def test_a_setting_that_does_not_fit_is_named(tmp_path: Path, text: str) -> None:
    with pytest.raises(GameError) as refused:
        load({}, written(tmp_path, text))
    assert refused.value.code == "settings"
    assert text.split()[0] in str(refused.value)
    assert text.split()[0] in refused.value.say("fr")


@pytest.mark.parametrize("content", [None, b"port = ", b"\xff"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: Any) -> None:
    path = tmp_path / "s.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(GameError) as refused:
        load({}, str(path))
    assert refused.value.code == "settings_file"
