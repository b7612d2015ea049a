"""What is remembered from one time to the next."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from five211.terminal.saved import folder
from five211.terminal.settings import Settings, remember, remembered

MINE = Settings(
    players=3,
    bots=("hard", "easy"),
    people=("Ana",),
    variant="long",
    edition="azul",
    language="fr",
    speed="fast",
    light=True,
)


def write(text: str) -> None:
    folder().mkdir(parents=True)
    (folder() / "settings.json").write_text(text)


def test_what_was_chosen_is_there_the_next_time() -> None:
    assert remembered() == Settings()
    remember(MINE)
    remember(MINE)
    assert remembered() == MINE
    assert [path.name for path in folder().iterdir()] == ["settings.json"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"players": "many"}', '{"bots": [1]}', "\xff"])
def test_what_cannot_be_read_is_the_usual(text: str) -> None:
    write(text)
    assert remembered() == Settings()


@pytest.mark.parametrize(
    ("name", "strange"),
    [("players", 7), ("variant", "x"), ("edition", "moon"), ("language", "tlh"), ("speed", "9")],
)
def test_what_is_not_known_here_is_the_usual_and_the_rest_stays(name: str, strange: Any) -> None:
    kept = {one: getattr(MINE, one) for one in Settings.__struct_fields__}
    write(json.dumps({**kept, name: strange, "of a newer version": 1}))
    found = remembered()
    assert getattr(found, name) == getattr(Settings(), name)
    for other in set(kept) - {name}:
        assert getattr(found, other) == kept[other]


def test_that_it_cannot_be_kept_is_no_reason_not_to_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    remember(MINE)
    assert remembered() == Settings()


def test_a_file_that_is_no_text_is_passed_over() -> None:
    remember(Settings(players=2))
    (folder() / "settings.json").write_bytes(b'{"edition": "\xff"}')
    assert remembered() == Settings()
