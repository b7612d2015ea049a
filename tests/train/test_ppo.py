"""The example of training, in small: a seed is a run, masks are kept to, and what is written."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="five211[train] is not installed")

from examples import ppo  # noqa: E402
from five211 import Rules  # noqa: E402
from five211.env import BatchEnv  # noqa: E402
from five211.env.encode import PLACES, fields  # noqa: E402

ROOT = Path(__file__).parents[2]
SMALL = {"updates": 2, "games": 16, "batch": 256, "evaluate": 1, "looked": 20, "tested": 30}
TIMES = ("minutes", "cpu_minutes")


def small(**options: Any) -> ppo.Options:
    return ppo.Options(**{**SMALL, **options})


def told(out: Path) -> list[dict[str, Any]]:
    """The lines of a curve, without what depends on the machine."""
    lines = [json.loads(line) for line in (out / "curve.jsonl").read_text().splitlines()]
    return [{name: line[name] for name in line if name not in TIMES} for line in lines]


def test_a_seed_is_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shares = [ppo.learn(small(), tmp_path / place) for place in "ab"]
    ppo.learn(small(seed=2), tmp_path / "other")
    assert shares[0] == shares[1]
    assert told(tmp_path / "a") == told(tmp_path / "b") != told(tmp_path / "other")
    first, second, other = (torch.load(tmp_path / at / "weights.pt") for at in ("a", "b", "other"))
    assert all(torch.equal(first[name], second[name]) for name in first)
    assert not all(torch.equal(first[name], other[name]) for name in first)
    lines = told(tmp_path / "a")
    assert [line["update"] for line in lines] == [0, 1, 2]
    assert [line["steps"] for line in lines] == [0, 16 * 33, 2 * 16 * 33]
    for line in lines[1:]:
        assert all(math.isfinite(line[name]) for name in ("policy", "error", "entropy"))
        assert 0 <= line["low"] <= line["value"] <= line["high"] <= 1
    assert len(capsys.readouterr().out.splitlines()) == 9


@pytest.mark.parametrize("players", [2, 3])
def test_the_command_writes_a_curve_a_plot_and_weights(
    players: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [f"--{name}={value}" for name, value in {**SMALL, "evaluate": 2}.items()]
    ppo.main([*given, f"--players={players}", "--opponents=random", f"--out={tmp_path}"])
    said = capsys.readouterr().out.splitlines()[-1]
    assert re.match(r"\d+\.\d\d% of 30 games against random \(", said)
    assert f"par is {100 / players:.0f}%" in said
    assert [line["update"] for line in told(tmp_path)] == [0, 2]
    picture = ElementTree.fromstring((tmp_path / "curve.svg").read_text())
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    assert "random" in "".join(picture.itertext())
    result = json.loads((tmp_path / "result.json").read_text())
    assert (result["options"]["players"], result["options"]["tested"]) == (players, 30)
    assert f"{result['test']['value']:.1%}"[:3] == said[:3]
    agent = ppo.Agent(Rules.of(players))
    agent.load_state_dict(torch.load(tmp_path / "weights.pt"))
    options = small(players=players, opponents="random")
    assert 0 <= ppo.strength(agent, options, 10, 1).value <= 1


def test_the_network_is_told_what_a_choice_leaves_behind() -> None:
    rules = Rules.of(3)
    agent, env = ppo.Agent(rules), BatchEnv(8, 3)
    seen, _ = env.reset(seed=1)
    for _ in range(5):
        seen, *_ = env.step(seen["action_mask"].argmax(axis=1))
    numbers, mask = ppo.looked(seen)
    whose, actions = mask.nonzero(as_tuple=True)
    played = agent.played(numbers[whose].float(), actions)
    for row, action, cards in zip(whose, actions, played, strict=True):
        places = fields(rules, seen["observation"][row])["places"]
        kinds = [places[place] - 1 for place in PLACES[action]]
        assert cards.tolist() == np.bincount(kinds, minlength=30).tolist()
    before, _ = agent.tell(numbers[whose].float())
    after, rest = agent.tell(numbers[whose].float(), played)
    laid = slice(rules.limit + 1 + 12, rules.limit + 1 + 12 + rules.players)
    more = 4 * (after - before)[:, :, laid]
    np.testing.assert_allclose(more[:, :, 0], played.reshape(-1, 5, 6).sum(2), atol=1e-5)
    assert (more[:, :, 1:] == 0).all()
    assert torch.isfinite(rest).all()


def test_colours_are_alike_and_what_is_not_in_the_mask_is_never_played() -> None:
    agent, env = ppo.Agent(Rules.of(2)), BatchEnv(16)
    numbers, mask = ppo.looked(env.reset(seed=3)[0])
    with torch.no_grad():
        likely = torch.softmax(agent.logits(numbers.float(), mask), 1)
        assert (likely[~mask] == 0).all()
        colors, rest = agent.tell(numbers.float())
        torch.testing.assert_close(agent.value(colors.flip(1), rest), agent.value(colors, rest))


def test_one_update_makes_better_choices_likelier() -> None:
    options = small(epochs=1, batch=10_000)
    torch.manual_seed(1)
    games = ppo.Games(options, 5)
    agent = ppo.Agent(games.env.rules)
    played = games.play(agent, options)
    assert [len(one) for one in played] == [16 * 33] * 6
    numbers, mask, actions, before, gains, _ = played

    def gained() -> float:
        with torch.no_grad():
            likely = torch.log_softmax(agent.logits(numbers.float(), mask), 1)
        now = likely.gather(1, actions[:, None])[:, 0]
        torch.testing.assert_close(now, before, atol=0.5, rtol=0.5)
        return float(((now - before) * (gains - gains.mean())).sum())

    assert gained() == pytest.approx(0, abs=1e-3)
    ppo.improve(agent, torch.optim.Adam(agent.parameters(), lr=5e-3), played, options, 0.0)
    assert gained() > 0.05


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["--updates=0"], "updates must be more than 0, not 0."),
        (["--seed=-1"], "seed must be 0 or more, not -1."),
        (["--rate=0"], "rate must be more than 0, not 0.0."),
        (["--entropy=-1"], "entropy must be 0 or more, not -1.0."),
        (["--clip=nan"], "clip must be more than 0, not nan."),
        (["--players=7"], "2 to 5 players"),
        (["--opponents=nobody"], "no bot “nobody”"),
        (["--games=some"], "invalid int value"),
    ],
)
def test_options_that_make_no_run_are_told_in_a_sentence(
    given: Sequence[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        ppo.main([*given, f"--out={tmp_path / 'none'}"])
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_help_says_what_each_option_is(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        ppo.main(["--help"])
    said = " ".join(capsys.readouterr().out.split())
    for option, told in (("--out OUT", "the folder"), ("--trace TRACE", "lambda of GAE")):
        assert f"{option} {told}" in said


@pytest.mark.parametrize("players", [2, 5])
def test_the_network_of_the_page_learns(players: int, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "research.md").read_text("utf-8")
    (code,) = re.findall(r"```python\n(from examples[^`]*?)```", page)
    assert "build/own" in code
    for old, new in (
        ("players = 2 ", f"players = {players} "),
        ("=players)", f"=players, **{SMALL})"),
    ):
        assert code.count(old) == 1
        code = code.replace(old, new)
    exec(code.replace("build/own", str(tmp_path)), {})
    assert len(told(tmp_path)) == 3
