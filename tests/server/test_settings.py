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


MISFITS = {
    "prot = 1": "There is no setting “prot”; perhaps port is meant.",
    "zzz = 1": "There is no setting “zzz”; docs/operate.md names them all.",
    "port = 70000": "The setting port is a whole number from 0 to 65535, not 70000.",
    "port = -1": "The setting port is a whole number from 0 to 65535, not -1.",
    'port = "x"': "The setting port is a whole number from 0 to 65535, not “x”.",
    "bot_workers = 0": "The setting bot_workers is a whole number from 1 to 999999999, not 0.",
    "patience = -1.5": (
        "The setting patience is a number from 0 on, less than 1000000000, not -1.5."
    ),
    "away_after = nan": (
        "The setting away_after is a number from 0 on, less than 1000000000, not nan."
    ),
    "messages_a_second = 0": (
        "The setting messages_a_second is a number from 0.01 on, less than 1000000000, not 0."
    ),
    'log = "loud"': ("The setting log cannot be “loud”; there are debug, error, info and warning."),
    'lan = "perhaps"': "The setting lan is true or false, not “perhaps”.",
    "host = true": "The setting host is a text, not true.",
    'hosts = "a.example"': "The setting hosts is a list of texts.",
    "hosts = [1]": "The setting hosts is a list of texts.",
}


@pytest.mark.parametrize("text", MISFITS)
def test_a_setting_that_does_not_fit_is_named(tmp_path: Path, text: str) -> None:
    with pytest.raises(GameError) as refused:
        load({}, written(tmp_path, text))
    assert str(refused.value) == MISFITS[text]
    assert text.split()[0] in refused.value.say("fr")


def test_a_flag_that_does_not_fit_is_named_however_large_it_is() -> None:
    with pytest.raises(GameError, match=r"port is a whole number .* not …\.$"):
        load({"port": 10**5000})


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "There is no file “{}”."),
        (b"\xff", "“{}” is not UTF-8 text."),
        (b"port = 1\nhost = ", "The settings in “{}” are not TOML (line 2)."),
        (b"port = 1\n= 2\n\n", "The settings in “{}” are not TOML (line 2)."),
        (b'port = 1\nurl = """x', "The settings in “{}” are not TOML (line 2)."),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: Any, said: str) -> None:
    path = tmp_path / "s.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(GameError) as refused:
        load({}, str(path))
    assert str(refused.value) == said.format(path)
    assert "s.toml" in refused.value.say("fr")


def test_a_folder_is_no_file_of_settings(tmp_path: Path) -> None:
    with pytest.raises(GameError, match=f"The file “{tmp_path}” cannot be opened: Is a directory"):
        load({}, str(tmp_path))
