"""docs/research.md says what the environments are: its tables come from the code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import pyspiel

import five211
from five211 import Rules
from five211.env import BatchEnv, SeatEnv, parallel_env, truth
from five211.env.encode import HISTORY, OBSERVATION, Slot, layout, size
from five211.env.game import OPTIONS
from five211.env.openspiel.game import NAME, PARAMETERS
from five211.env.rewards import REWARDS
from five211.env.scene import RENDER_MODES
from five211.fast.policies import BUILT_IN
from tests.env.spiel import SMALLEST_NAME

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "research.md").read_text("utf-8")
GAMES = [Rules.of(players) for players in (2, 3, 4, 5)]
KINDS = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


def placed(slot: Slot) -> str:
    """A field's numbers, from the first to the last."""
    last = slot.slice.stop - 1
    return f"{slot.start}" if last == slot.start else f"{slot.start}-{last}"


def table() -> Iterator[str]:
    """The fields of an observation and of an information state, by the number of players."""
    yield "| field | for each | 2 players | 3 | 4 | 5 | what it tells |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for at, field in enumerate((*OBSERVATION, HISTORY)):
        where = " | ".join(placed(layout(rules, 1)[at]) for rules in GAMES)
        axes = " x ".join(axis.removesuffix("s") for axis in field.axes)
        yield f"| `{field.name}` | {axes} | {where} | {field.meaning} |"


def test_the_table_of_fields_is_the_codes() -> None:
    assert "\n".join(table()) in PAGE, "write into docs/research.md:\n" + "\n".join(table())


def test_sizes_rewards_and_renderings_are_the_codes() -> None:
    for rules in GAMES:
        zoo = parallel_env(rules.players)
        zoo.reset(seed=1)
        spiel = pyspiel.load_game(NAME, {"players": rules.players})
        longer = pyspiel.load_game(NAME, {"players": rules.players, "variant": "long"})
        sizes = size(rules), size(rules, 1), len(zoo.state()), *spiel.observation_tensor_shape()
        more = spiel.information_state_tensor_size(), longer.information_state_tensor_size()
        told = f"| {rules.players} | {' | '.join(f'{one:,}' for one in (*sizes, *more))} |"
        assert told in PAGE, told
    for name in (*REWARDS, *RENDER_MODES):
        assert f"`{name}`" in PAGE


def test_the_picture_is_the_codes() -> None:
    env = parallel_env(players=3, render_mode="svg")
    seen, _ = env.reset(seed=7)
    for _ in range(5):
        seen, *_ = env.step({a: seen[a]["action_mask"].nonzero()[0][-1] for a in env.agents})
    assert (ROOT / "docs" / "pictures" / "rendering.svg").read_text("utf-8") == env.render() + "\n"


def test_the_policies_of_many_games_are_named() -> None:
    assert BatchEnv.__doc__ is not None
    for name in BUILT_IN:
        assert f'"{name}"' in BatchEnv.__doc__
        assert re.search(rf"`Batch-v0` has [^.]*`{name}`", PAGE)
    assert BatchEnv(2, opponents="easy").num_envs == 2  # levels are names, too


def options() -> dict[str, list[str]]:
    """The rows of the table of options, by name: a default for each environment."""
    part = PAGE[PAGE.index("## Options") : PAGE.index("## Actions")]
    rows = [
        [cell.strip() for cell in row[1:-1].split("|")] for row in part.split("\n") if "|" in row
    ]
    return {
        name.strip("`"): [
            default.split(", ")[at] if ", " in default else default for default in row
        ]
        for names, *row, _ in rows[2:]
        for at, name in enumerate(names.split(", "))
    }


def test_the_table_of_options_is_the_codes() -> None:
    zoo, seat, batch = (
        {name: one.default for name, one in signature(made).parameters.items() if one.kind in KINDS}
        for made in (parallel_env, SeatEnv, BatchEnv)
    )
    for name, told in options().items():
        for cell, known in zip(
            told, ({**OPTIONS, **zoo}, {**OPTIONS, **seat}, batch), strict=False
        ):
            if cell == "-":
                assert name not in known, name
            elif cell == "needed":
                assert known[name] is Parameter.empty
            else:
                plain = cell.strip("`").strip('"')
                assert plain == str(known[name]), name
        if told[3] not in ("-", "by observer"):
            assert told[3].strip("`") == str(PARAMETERS[name])
    assert {*options()} == {*OPTIONS, *seat, *batch, *PARAMETERS}


def test_the_tree_of_the_page_is_solved() -> None:
    (code,) = re.findall(r">>> (def measured.*?)\n\n```", PAGE, re.DOTALL)
    known: dict[str, Any] = {"truth": truth, "pyspiel": pyspiel}
    exec(re.sub(r"^\.\.\. ", "", code, flags=re.MULTILINE), known)
    solved, uniform = known["measured"](SMALLEST_NAME, 8)
    assert 0 <= solved < uniform


def test_the_citation_is_of_this_version() -> None:
    cited = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"version: {five211.__version__}\n" in cited
    assert "Hashiguchi" in cited


def test_quick_starts_have_ten_lines_at_most() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) >= 3
    for block in blocks:
        lines = [line for line in block.splitlines() if line.startswith((">>>", "..."))]
        assert len(lines) <= 10, block
