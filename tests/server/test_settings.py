"""Settings by file, environment and flag."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import five211
from five211.errors import GameError
from five211.server.settings import ELSEWHERE, Settings, load

PACKAGE = Path(five211.__file__).parent


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
    file = written(
        tmp_path, 'port = 1\nhost = "a"\nurl = "https://x.org"\nhosts = ["h"]\nbot_pace = 2\n'
    )
    monkeypatch.setenv("FIVE211_PORT", "2")
    monkeypatch.setenv("FIVE211_HOST", "b")
    found = load({"port": 3, "host": None}, file)
    assert (found.port, found.host, found.url) == (3, "b", "https://x.org")
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
    ("variable", "said"),
    [
        ("FIVE211_DATABSE", "There is no setting “databse”; perhaps database is meant."),
        ("FIVE211_ZZZ", "There is no setting “zzz”; docs/operate.md names them all."),
    ],
)
def test_a_variable_that_is_misspelt_is_refused(
    variable: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "postgresql://me:hidden@host/club")
    with pytest.raises(GameError) as refused:
        load({})
    assert str(refused.value) == said


def test_variables_of_other_parts_of_five211_are_no_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ELSEWHERE:
        monkeypatch.setenv(f"FIVE211_{name.upper()}", "x")
    monkeypatch.setenv("FIVE211", "x")
    assert load({}) == Settings()
    sources = "".join(file.read_text() for file in PACKAGE.rglob("*.py"))
    told = {name.lower() for name in re.findall(r"FIVE211_([A-Z]+)", sources)}
    assert set(ELSEWHERE) == told - set(Settings.__struct_fields__)


def test_a_variable_that_is_empty_is_not_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in Settings.__struct_fields__:
        monkeypatch.setenv(f"FIVE211_{name.upper()}", "")
    assert load({}) == Settings()
    assert load({}, written(tmp_path, 'bus = "postgres"')).bus == "postgres"


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
    **{
        f'proxies = "{value}"': (
            "The setting proxies is addresses or networks by commas, such as"
            f" 127.0.0.1,10.0.0.0/8; “{told}” is neither."
        )
        for value, told in (
            ("nonsense", "nonsense"),
            ("10.0.0.0/33", "10.0.0.0/33"),
            ("10.0.0.5/8", "10.0.0.5/8"),
            ("127.0.0.1,nginx.example.org", "nginx.example.org"),
            ("127.0.0.1, *", "*"),
            ("::1,", ""),
        )
    },
    **{
        f'url = "{value}"': (
            f"The setting url is an address such as https://5211.example.org, not “{value}”."
        )
        for value in ("5211.example.org", "//x.org", "ftp://x.org", "https://", "http://[::1")
    },
}


@pytest.mark.parametrize("proxies", ["*", "127.0.0.1", "::1, 10.0.0.0/8,fd00::/8"])
def test_proxies_are_addresses_and_networks(proxies: str) -> None:
    assert load({"proxies": proxies}).proxies == proxies


@pytest.mark.parametrize("url", ["http://x", "https://5211.example.org:8443/", "http://[::1]:5"])
def test_a_url_is_where_people_find_it(url: str) -> None:
    assert load({"url": url}).url == url


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


def test_hosts_stand_between_commas_and_spaces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIVE211_HOSTS", "a.example, b.example")
    assert list(load({}).hosts) == ["a.example", "b.example"]
