"""The command line: every command for people and programs, and every way to get it wrong."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import pexpect
import pytest

from five211 import (
    Color,
    Match,
    Rules,
    __version__,
    cli,
    fast,
    faults,
    parse,
    parse_cards,
    texts,
    words,
)
from five211.bots import entry
from five211.cli import waiting
from five211.cli.simulate import read_games
from five211.fast import machine
from five211.fast.policies import BUILT_IN, policy_address
from five211.fast.simulate import Work, prepare
from five211.fast.work import NEAR
from five211.record import LONGEST
from five211.simulate import simulate
from five211.stats.gather import compile_for
from five211.summary import Summary
from tests.commands import plain_surroundings, run_main  # noqa: F401 - around every test here
from tests.goldens import FOLDER, NAMES, golden, golden_data, unfinished

COMMAND = str(Path(sys.executable).parent / "five211")
TABLE = "G2 G3 Y1 B2 / G4 O2 Y2 V1"
CLEAR = "G2 G3 Y1 B2 / G4 O2 Y2 B1"  # in French, too
ESCAPE = "\x1b"
warmup = import_module("five211.cli.warmup")  # the command has the same name
COMMANDS = (
    *("play", "score", "simulate", "stats", "habits"),
    *("verify", "replay", "rules", "warmup"),
)


@dataclass
class Done:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.out.count("\n") == 1
        return json.loads(self.out)

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.out.splitlines()]


Run = Callable[..., Done]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command in this process."""

    def run_command(*args: object, stdin: str | bytes | None = "") -> Done:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        opened = None if given is None else io.TextIOWrapper(io.BytesIO(given), "utf-8")
        monkeypatch.setattr(sys, "stdin", opened)
        return Done(*run_main(monkeypatch, capsys, *args))

    return run_command


def spawn(*args: object, stdin: bytes = b"", **more: Any) -> Done:
    """Runs the real command in a process of its own."""
    done = subprocess.run(
        [COMMAND, *map(str, args)], input=stdin, capture_output=True, timeout=60, **more
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def refused(done: Done, *words: str) -> None:
    """One clear line on stderr, exit code 2, and nothing else."""
    assert done.code == 2
    assert done.out == ""
    assert re.fullmatch(r"five211: [^\n]+\n", done.err)
    assert len(done.err) < 300
    for word in words:
        assert word in done.err


# score


def test_score_tells_why_and_how_much(run: Run) -> None:
    done = run("score", TABLE)
    assert (done.code, done.err) == (0, "")
    assert done.lines == [
        "2 Kododos on the table, not exactly 4: the colours decide.",
        "Cards counted, not their values: 3 green, 2 yellow, 1 orange, 1 blue and 1 violet.",
        "3 green, the most: green scores.",
        "seat  on the table         scores     points",
        "1      Y1   G2   G3   B2    G2   G3        5",
        "2      Y2   G4   O2   V1    G4             4",
    ]


def test_score_speaks_french_and_knows_the_other_edition(run: Run) -> None:
    done = run("score", "--lang", "fr", "--edition", "azul", "Y1 Y1 B2 T3 / B1 B1 G2 G2")
    assert done.code == 0
    assert "4 Coqs" in done.out
    assert "T3" in done.out
    assert "place" in done.lines[-3]


STEPS = {
    "Y1 Y1 B2 G3 / B1 B1 G2 G2": ("kododo", None, [2, 2], ["icons_counted"]),
    TABLE: ("color", "G", [5, 4], ["icons_counted", "colors_counted", "color_scores"]),
    "Y2 Y2 Y3 Y3 / Y4 G2 G3 B6": (
        "color",
        "G",
        [0, 5],
        ["icons_counted", "colors_counted", "struck_for_limit", "color_scores"],
    ),
    "Y2 Y2 Y3 G4 / G2 G2 B6 O6": (
        "none",
        None,
        [0, 0],
        ["icons_counted", "colors_counted", "struck_for_tie", "struck_for_tie", "nothing_left"],
    ),
}


@pytest.mark.rule("4.1")
@pytest.mark.rule("4.3")
@pytest.mark.rule("4.5")
@pytest.mark.parametrize("cards", STEPS)
def test_score_gives_its_derivation_to_programs(run: Run, cards: str) -> None:
    kind, color, points, steps = STEPS[cards]
    done = run("score", "--json", cards)
    assert done.code == 0
    assert list(done.json) == ["kind", "color", "points", "cards", "steps"]
    assert (done.json["kind"], done.json["color"], done.json["points"]) == (kind, color, points)
    assert [step["step"] for step in done.json["steps"]] == steps
    values = [[int(card[1]) for card in seat] for seat in done.json["cards"]]
    assert [sum(seat) for seat in values] == points
    assert all(step["text"].endswith(".") for step in done.json["steps"])


def test_the_steps_of_a_score_hold_the_numbers(run: Run) -> None:
    steps = run("score", "--json", "Y2 Y2 Y3 Y3 / Y4 G2 G3 B6").json["steps"]
    assert [{key: step[key] for key in step if key not in ("step", "text")} for step in steps] == [
        {"found": 0, "needed": 4},
        {"counts": {"Y": 5, "G": 2, "O": 0, "B": 1, "V": 0}},
        {"counts": {"Y": 5}, "limit": 5},
        {"color": "G", "count": 2},
    ]
    tie = run("score", "--json", "Y2 Y2 Y3 G4 / G2 G2 B6 O6").json["steps"][2]
    assert (tie["colors"], tie["count"]) == (["Y", "G"], 3)


def test_score_reads_cards_in_any_case_and_order_also_from_stdin(run: Run) -> None:
    expected = run("score", TABLE).out
    assert run("score", "-p", "2", "b2,g3 , y1 G2/v1 g4 o2 y2").out == expected
    assert run("score", "-", stdin=TABLE.replace("/", "\n/\n")).out == expected


@pytest.mark.parametrize("players", [3, 4, 5])
def test_score_knows_the_numbers_of_every_player_count(run: Run, players: int) -> None:
    cards = "/".join(["Y1 Y2 G1 G2", "O1 O2 B1 B2", "V1 V2 Y3 G3", "O3 B3 V3 Y2", "G2 O2 B2 V2"])
    table = "/".join(cards.split("/")[:players])
    steps = run("score", "--json", "--players", players, table).json["steps"]
    assert steps[0]["needed"] == players + 2
    assert run("score", "--json", table).json["steps"] == steps


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["G2 G3 Y1 B2"], "2 to 5 players, not 1"),
        (["/".join([TABLE] * 3)], "not 6"),
        (["--players", "3", TABLE], "3 seats"),
        (["--players", "1", TABLE], "not 1"),
        (["--players", "6", TABLE], "not 6"),
        (["--players", "x", TABLE], "not “x”"),
        (["--players", "9" * 5000, TABLE], "not “999"),
        (["G2 G3 Y1 / G4 O2 Y2 V1"], "Seat 1 has 3 cards"),
        (["G2 G3 Y1 B2 B2 / G4 O2 Y2 V1"], "Seat 1 has 5 cards"),
        (["G6 G6 Y1 B2 / G4 O2 Y2 V1"], "2 G6"),
        (["G7 G3 Y1 B2 / G4 O2 Y2 V1"], "G7"),
        (["G0 G3 Y1 B2 / G4 O2 Y2 V1"], "“G0”"),
        (["Ｇ2 G3 Y1 B2 / G4 O2 Y2 V1"], "“Ｇ2”"),
        (["G23 Y1 B2 / G4 O2 Y2 V1"], "“3”"),
        (["G2\x1b[31m / G4 O2 Y2 V1"], "�"),
        (["x" * 100_000], "…"),
        ([""], "no cards"),
        (["/"], "no cards"),
        ([TABLE.split("/")[0]], "not 1"),
        ([], "cards"),
        (["--edition", "gold", TABLE], "“gold”"),
        (["--lang", "de", TABLE], "“de”"),
        (["--bogus", TABLE], "--bogus"),
        ([TABLE, TABLE], "five211"),
    ],
)
def test_score_refuses_what_could_not_lie_on_a_table(run: Run, args: list[str], words: str) -> None:
    refused(run("score", *args), words)
    refused(run("score", "--json", *args), words)


@pytest.mark.parametrize("given", [b"\xff\xfe", b"", b"zz", b"G2 " * 100_000])
def test_score_refuses_what_stdin_holds_in_one_line_too(run: Run, given: bytes) -> None:
    refused(run("score", "-", stdin=given))


# simulate


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """What these tests need, so that no command says that it compiles."""
    for players in range(2, 6):
        for bots in ("random", "greedy"):
            prepare(Rules.of(players), (bots,) * players)
    policy_address("hasty")
    policy_address("heuristic")


ISSUE_KEYS = {"players", "variant", "games", "seconds", "outcomes", "points", "wins"}


@pytest.mark.parametrize("variant", ["standard", "long"])
def test_simulate_sums_up_for_programs(run: Run, variant: str) -> None:
    args = ["--players", 3, "--games", 8, "--seed", 7, "--variant", variant, "--json"]
    done = run("simulate", *args)
    assert (done.code, done.err) == (0, "")
    said = done.json
    assert set(said) >= ISSUE_KEYS
    assert (said["players"], said["variant"], said["games"]) == (3, variant, 8)
    assert list(said["outcomes"]) == ["kododo", "color", "none"]
    assert list(said["points"]) == ["mean"]
    assert len(said["points"]["mean"]) == len(said["wins"]) == 3
    assert sum(said["wins"]) == pytest.approx(8)
    assert said["seconds"] > 0
    rounds = sum(said["outcomes"].values())
    assert rounds == 8 * 7 if variant == "standard" else rounds > 8 * 7
    again = run("simulate", *args).json
    assert {**again, "seconds": 0} == {**said, "seconds": 0}


def test_simulate_plays_the_games_of_the_compiled_engine(run: Run) -> None:
    bots = ("random", "easy", "heuristic")
    args = ("-p", 3, "--seed", 7, "--variant", "long", "--bots", ",".join(bots))
    said = run("simulate", "-n", "1e3", *args, "--json").json
    names = [entry(bot).name for bot in bots]
    games = fast.simulate(3, 1000, names, "7", variant="long")
    assert said["bots"] == names
    assert said["points"]["mean"] == games.points.mean(axis=0).tolist()
    assert said["wins"] == pytest.approx(games.shares().sum(axis=0).tolist())
    assert list(said["outcomes"].values()) == games.outcomes.sum(axis=0).tolist()


def test_simulate_with_records_plays_the_games_of_the_readable_engine(
    run: Run, tmp_path: Path
) -> None:
    args = ("-p", 2, "-n", 5, "--seed", 7, "--json", "--records", tmp_path / "out.jsonl")
    said = run("simulate", *args).json
    games = list(simulate(Rules.of(2), ["random"] * 2, 5, "7"))
    assert said["points"]["mean"] == [sum(g.points[s] for g in games) / 5 for s in (0, 1)]
    shares = [[(s in g.result.winners) / len(g.result.winners) for s in (0, 1)]
              for g in games if g.result]  # fmt: skip
    assert said["wins"] == [sum(column) for column in zip(*shares, strict=True)]


def test_simulate_prints_a_summary_in_both_languages(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("five211.cli.simulate"), "SLOW", float("inf"))
    english = run("simulate", "-n", "1e1", "--bots", "random,greedy,easy,beginner", "--seed", "x")
    assert english.code == 0
    assert english.lines[0].split() == ["seat", "bot", "points", "a", "game", "wins", "share"]
    assert [line.split()[1] for line in english.lines[1:5]] == [
        *("random", "greedy", "hasty", "random")
    ]
    assert re.fullmatch(r".* \d\d?\.\d% ±\d\d\.\d", english.lines[1])
    assert english.lines[5].startswith("A shared victory is divided among those who share it. ±")
    assert english.lines[-1] == "10 games in less than 0.1 s; seed x."
    assert "a colour scores" in english.out
    french = run("simulate", "-n", "1", "--lang", "fr", "--seed", "x")
    assert "une couleur marque" in french.out
    assert "±" not in french.out  # one game tells nothing
    assert french.lines[-1] == "1 partie en moins de 0,1 s ; graine x."


def test_numbers_are_written_as_the_language_writes_them(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("five211.cli.simulate"), "SLOW", 0)
    given = ("simulate", "-n", "1e5", "-p", 2, "--seed", 1)
    english, french = run(*given), run(*given, "--lang", "fr")
    assert re.match(r"1 +random +3\d\.\d\d +\d\d,\d{3}\.\d +\d\d\.\d% ±0\.3$", english.lines[1])
    assert re.match(r"100,000 games in \d\.\d s, [\d,]+ a second; seed 1\.", english.lines[-1])
    thin, hard = "\u202f", "\u00a0"
    number = rf"\d\d{thin}\d{{3}},\d"
    assert re.match(rf"1 +random +3\d,\d\d +{number} +\d\d,\d{hard}% ±0,3$", french.lines[1])
    assert re.match(rf"100{thin}000 parties en \d,\d s, [\d{thin}]+ par", french.lines[-1])


def test_a_share_is_as_sure_as_its_games_allow(run: Run) -> None:
    """The interval is that of the shares of all games, a shared victory being divided."""
    line = run("simulate", "-n", 400, "-p", 3, "--seed", 5).lines[2]
    shares = fast.simulate(3, 400, "random", "5").shares()[:, 1]
    share, half = line.split()[-2:]
    assert share == f"{shares.mean():.1%}"
    assert float(half[1:]) == pytest.approx(196 * shares.std(ddof=1) / 20, abs=0.25)


def test_simulate_without_a_seed_takes_a_new_one_and_says_which(run: Run) -> None:
    one, two = (run("simulate", "-n", 2, "-p", 2, "--json").json for _ in range(2))
    assert one["seed"] != two["seed"]
    again = run("simulate", "-n", 2, "-p", 2, "--json", "--seed", one["seed"]).json
    assert {**again, "seconds": 0} == {**one, "seconds": 0}


@pytest.mark.parametrize("edition", ["classic", "azul"])
def test_simulate_writes_records_that_verify(run: Run, tmp_path: Path, edition: str) -> None:
    path = tmp_path / "out.jsonl"
    args = ["--games", 3, "--edition", edition, "--variant", "long", "--seed", 1, "--json"]
    said = run("simulate", *args, "--records", path).json
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [faults(line) for line in lines] == [(), (), ()]
    records = [json.loads(line) for line in lines]
    assert {record["game"]["edition"] for record in records} == {edition}
    totals = [record["result"]["points"][0] for record in records]
    assert said["points"]["mean"][0] == pytest.approx(sum(totals) / 3)
    assert run("verify", path).out.startswith(f"{path}: all good, 3 games.")


def test_simulate_writes_records_to_stdout_too(run: Run) -> None:
    done = run("simulate", "-n", 2, "--records", "-", "--json")
    assert [faults(record) for record in done.out.splitlines()] == [(), ()]
    assert json.loads(done.err)["games"] == 2


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--games", "0"], "“0”"),
        (["--games", "-1"], "“-1”"),
        (["--games", "1e99"], "“1e99”"),
        (["--games", "1.5"], "“1.5”"),
        (["--games", "x"], "“x”"),
        (["--games", "nan"], "“nan”"),
        (["--games", "inf"], "“inf”"),
        (["--games", ""], "“”"),
        (["--games", "9" * 5000], "…"),
        (["--players", "1"], "not 1"),
        (["--players", "6"], "not 6"),
        (["--players", "-3"], "not -3"),
        (["--variant", "short"], "“short”"),
        (["--edition", "gold"], "“gold”"),
        (["--bots", "magic"], "“magic”"),
        (["--bots", "random,greedy"], "not 2"),
        (["--bots", ""], "“”"),
        (["--bots", ",,,"], "“”"),
        (["--lang", "xx"], "“xx”"),
        (["--records", "/nowhere/out.jsonl"], "/nowhere/out.jsonl"),
        (["--records", "/"], "“/”"),
        (["--records", ""], "A file needs a name."),
        (["--players", "four"], "2 to 5 players, not “four”"),
        (["--players", "9" * 5000], "not “999"),
        (["extra"], "extra"),
        (["--games", "10k"], "“10k”"),
        (["--games", "1e19"], "“1e19”"),
        (["--cluster", "127.0.0.1:1", "--records", "/dev/null"], "keeps no records"),
        (["--cluster", "127.0.0.1:1"], "“127.0.0.1:1”"),
        (["--cluster", "127.0.0.1:1", "--lang", "fr"], "ne répond"),
    ],
)
def test_simulate_refuses(run: Run, args: list[str], words: str) -> None:
    refused(run("simulate", "--games", "1", *args), words)


@pytest.mark.parametrize("text", ["1000", "1e3", "1_000", "1000.0", " 1000 ", "+1000"])
def test_a_thousand_games_however_they_are_written(run: Run, text: str) -> None:
    assert run("simulate", "--games", text, "--json").json["games"] == 1000


def test_more_games_than_a_float_can_count() -> None:
    assert read_games("9007199254740993") == 9007199254740993
    assert read_games("1e18") == 10**18


def test_a_full_disk_is_one_clear_line(run: Run) -> None:
    refused(run("simulate", "--games", 300, "--records", "/dev/full"), "/dev/full")


def test_simulate_shows_progress_to_whoever_watches(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # stderr counts as a terminal then
    done = run("simulate", "--games", 500_000, "--json")
    assert "500000/500000" in done.err
    assert " a second" in done.err
    assert done.json["games"] == 500_000


def test_simulate_sums_up_what_was_played_when_interrupted(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def interrupted(*args: Any) -> Iterator[Match]:
        yield from islice(simulate(*args), 2)
        os.kill(os.getpid(), signal.SIGINT)  # in the middle of the third game
        yield from islice(simulate(*args), 2, None)

    monkeypatch.setattr(import_module("five211.cli.simulate"), "simulate", interrupted)
    usual = signal.getsignal(signal.SIGINT)
    path = tmp_path / "out.jsonl"
    done = run("simulate", "--games", 100, "--json", "--records", path)
    assert done.code == 130
    assert done.err == ""
    assert [faults(line) for line in path.read_text().splitlines()] == [()] * 3
    assert done.json["games"] == 3
    assert signal.getsignal(signal.SIGINT) is usual


def test_a_game_that_a_second_interrupt_breaks_off_costs_no_other(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*args: Any) -> Iterator[Match]:
        yield from islice(simulate(*args), 2)
        for _ in range(3):  # in the middle of the third game, which would take for ever
            os.kill(os.getpid(), signal.SIGINT)
        raise AssertionError

    monkeypatch.setattr(import_module("five211.cli.simulate"), "simulate", interrupted)
    done = run("simulate", "--games", 100, "--json", "--records", os.devnull)
    assert (done.code, done.err) == (130, "")
    assert done.json["games"] == 2


@pytest.mark.parametrize(("tasks", "games"), [(0, None), (3, 3 * NEAR)])
def test_simulate_sums_up_compiled_games_when_interrupted(
    run: Run, monkeypatch: pytest.MonkeyPatch, tasks: int, games: int | None
) -> None:
    left = iter(range(tasks))

    def play(work: Work, first: int, number: int) -> Summary:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return work.play(first, number).summary()

    monkeypatch.setattr(Work, "sum_up", play)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    done = run("simulate", "--games", 10 * NEAR, "--bots", "greedy", "--json")
    said = "" if games else "Stopped before there was anything to show.\n"
    assert (done.code, done.err) == (130, said)
    assert (done.json["games"] if done.out else None) == games


def test_ctrl_c_sums_up_compiled_games_too() -> None:
    with subprocess.Popen(
        [COMMAND, "simulate", "--games", "1e18", "--seed", "c", "--json"],
        env={**os.environ, "FORCE_COLOR": "1"},  # shows progress, as on a terminal
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stderr is not None
        seen = b""
        while b"a second" not in seen:  # some games are over
            seen += os.read(process.stderr.fileno(), 1000)
        for _ in range(5):  # one counts, and more do no harm
            process.send_signal(signal.SIGINT)
        out, _err = process.communicate(timeout=60)
    assert process.returncode == 130
    said = json.loads(out)
    games = fast.simulate(4, said["games"], seed="c").summary()
    assert said["points"]["mean"] == [points / games.games for points in games.points]
    assert said["wins"] == games.wins


def test_a_game_needs_nothing_slow_once_it_is_compiled() -> None:
    code = """
import atexit, sys
from five211.cli import main
sys.argv = ["five211", "simulate", "--games", "1"]
atexit.register(lambda: print(*sys.modules, file=sys.stderr))
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    loaded = set(done.stderr.split())
    assert "numpy" in loaded
    assert not loaded & {"numba", "distributed", "asyncio", "rich.progress", "five211.table"}


# warmup


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder for machine code, and nothing told or loaded yet."""
    monkeypatch.setenv("FIVE211_CACHE", str(tmp_path / "code"))
    monkeypatch.setattr(machine, "_listeners", [])
    monkeypatch.setattr(machine, "kernel", cache(machine.kernel.__wrapped__))
    for told in (waiting.told_of_compiling, waiting._announce):
        told.cache_clear()
    text = f"define i64 @{machine.ENTRY}(i64 %n) {{ ret i64 %n }}"
    steps = [lambda name=name: machine.address(name, lambda: text) for name in ("one", "two")]
    monkeypatch.setattr(warmup, "needed", lambda: steps)
    return tmp_path / "code"


def test_warmup_compiles_what_is_missing_and_says_where_it_is(run: Run, cold: Path) -> None:
    done = run("warmup")
    assert done.code == 0
    assert done.err == "Compiling the fast engine, once: a few seconds…\n"
    assert re.fullmatch(r"2 parts of .* compiled in \d+\.\d s and kept in “.*”\.", done.lines[0])
    assert len(list(cold.rglob("*.o"))) == 2
    again = run("warmup")
    assert (again.code, again.err) == (0, "")
    assert again.lines == [f"The fast engine is compiled already, and kept in “{cold}”."]


def test_warmup_in_french_and_for_programs(run: Run, cold: Path) -> None:
    done = run("warmup", "--lang", "fr", "--json")
    assert done.err.startswith("Compilation du moteur rapide")
    assert done.json["compiled"] == ["one", "two"]
    assert (done.json["folder"], done.json["kept"]) == (str(cold), True)


def test_warmup_says_when_nothing_can_be_kept(run: Run, cold: Path) -> None:
    cold.touch()  # a file is no folder
    done = run("warmup")
    assert done.code == 0
    assert "cannot be written" in done.out


def test_warmup_shows_progress(run: Run, cold: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "2/2" in run("warmup").err
    assert cold.exists()


def test_after_a_warmup_nothing_is_left_to_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    for step in warmup.needed():
        step()
    made: list[str] = []
    monkeypatch.setattr(machine, "_listeners", [made.append])
    for players in range(2, 6):
        for bots in (["random"], ["heuristic", *["easy"] * (players - 1)]):
            fast.simulate(players, 1, bots)
        for bot in BUILT_IN:
            compile_for(Rules.of(players), bot)
        next(simulate(Rules.of(players), ["montecarlo", *["random"] * (players - 1)], 1, 1))
    assert made == []


def test_nobody_is_told_without_a_stderr(cold: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    waiting._say("one")
    assert not cold.exists()


OWN = """
class myBot:
    def choose(self, view, rng):
        return view.choices[0]

class random(myBot):
    pass

class Failing(myBot):
    def choose(self, view, rng):
        return 1 / 0 if view.turn else view.choices[0]

class Sleepy(myBot):
    def choose(self, view, rng):
        import os, signal
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with bots of one's own."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    path = tmp_path / "my_bot.py"
    path.write_text(OWN)
    return path


def test_simulate_with_bots_of_ones_own(run: Run, own: Path, tmp_path: Path) -> None:
    bots, path = f"{own}:myBot,greedy,beginner", tmp_path / "out.jsonl"
    given = ("simulate", "-p", 3, "-n", 3, "--seed", 1, "--bots", bots)
    done = run(*given, "--json", "--records", path)
    assert (done.code, done.err) == (0, "")
    assert done.json["bots"] == ["myBot", "greedy", "random"]
    record = parse(path.read_text().splitlines()[0])
    assert [player.name for player in record.players] == ["MyBot", "Greedy", "Kiwi"]
    assert run("verify", path).code == 0
    assert "myBot" in run(*given).out
    refused(run(*given, "--cluster", "127.0.0.1:1"), "bots of five211 alone")


def test_ones_own_bot_may_be_called_like_one_of_ours(run: Run, own: Path) -> None:
    given = ("simulate", "-p", 2, "-n", 20, "--seed", 1, "--json", "--bots")
    mine, ours = (run(*given, bots).json for bots in (f"{own}:random", "random"))
    assert mine["bots"] == ours["bots"]
    assert mine["points"] != ours["points"]


def test_play_against_bots_of_ones_own(run: Run, own: Path) -> None:
    done = run("play", "-p", 3, "--bots", f"{own}:myBot", stdin="1 2\nq\n")
    assert (done.code, done.err) == (0, "")
    assert "MyBot: " in done.out
    assert "MyBot 2: " in done.out


@pytest.mark.parametrize("command", ["play", "simulate"])
def test_a_bot_of_ones_own_that_is_wrong_is_one_clear_line(
    run: Run, own: Path, command: str
) -> None:
    done = run(command, "-p", 2, "--bots", f"{own}:Failing", stdin="1 2\n1\n")
    assert done.code == 2
    assert done.err == (
        "five211: The bot “Failing” failed: my_bot.py:11: ZeroDivisionError: division by zero.\n"
    )
    refused(run(command, "--bots", own), "as in my_bot.py:Mine")
    refused(run(command, "--bots", f"{own}:Nobody"), "“Nobody”")


def test_a_second_interrupt_stops_a_bot_that_thinks_for_ever(run: Run, own: Path) -> None:
    done = run("simulate", "--bots", f"{own}:Sleepy")
    said = "Stopped before there was anything to show.\n"
    assert (done.code, done.out, done.err) == (130, "", said)


def test_only_the_first_interrupt_counts() -> None:
    usual = signal.getsignal(signal.SIGINT)
    with waiting.one_interrupt():
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is usual


def test_another_thread_leaves_interrupts_alone() -> None:
    def handler() -> Any:
        with waiting.one_interrupt():
            return signal.getsignal(signal.SIGINT)

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(handler).result() is signal.getsignal(signal.SIGINT)


def test_interrupts_that_are_ignored_stay_ignored() -> None:
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as nohup does
    try:
        with waiting.one_interrupt():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, usual)


# verify


def lying() -> str:
    """A record with two wrong claims."""
    data = golden_data("2-standard-classic")
    data["deals"][0]["rounds"][1]["points"] = [0, 0]
    data["result"]["winners"] = [0, 1]
    return json.dumps(data) + "\n"


def test_verify_finds_all_golden_records_good(run: Run) -> None:
    done = run("verify", *(FOLDER / f"{name}.jsonl" for name in NAMES))
    assert (done.code, done.err) == (0, "")
    assert len(done.lines) == 16
    assert all(line.endswith(": all good, 1 game.") for line in done.lines)


def test_verify_says_how_many_games_are_unfinished(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(golden("2-long-azul") + golden("unfinished"), encoding="utf-8")
    done = run("verify", path)
    assert done.code == 0
    assert done.lines == [f"{path}: all good, 8 games. 7 games are unfinished."]
    french = run("verify", path, "--lang", "fr")
    assert french.lines == [f"{path}\xa0: tout est bon, 8 parties. 7 parties sont inachevées."]
    (report,) = run("verify", "--json", path).json["files"]
    assert (report["finished"], report["unfinished"]) == (1, 7)


def test_verify_names_every_fault_with_its_line_and_place(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(golden("2-long-azul") + "\n" + lying(), encoding="utf-8")
    done = run("verify", path)
    assert (done.code, done.err) == (1, "")
    assert done.lines == [
        f"{path}:3: deals[0].rounds[1].points: The record says “[0, 0]”, but the cards say [6, 2].",
        f"{path}:3: result.winners: The record says “[0, 1]”, but the cards say [1].",
    ]


def test_verify_reports_to_programs(run: Run, tmp_path: Path) -> None:
    (tmp_path / "lie").write_text(lying(), encoding="utf-8")
    (tmp_path / "empty").write_text("\n \n")
    done = run("verify", "--json", "--lang", "fr", tmp_path / "lie", tmp_path / "empty")
    assert (done.code, done.err) == (2, "")
    assert done.json["good"] is False
    lie, empty = done.json["files"]
    assert list(lie) == ["file", "finished", "unfinished", "proof", "unreadable", "faults"]
    assert lie["unreadable"] is None
    assert [fault["place"] for fault in lie["faults"]] == [
        "deals[0].rounds[1].points",
        "result.winners",
    ]
    assert lie["faults"][0]["code"] == "record_claim"
    assert lie["faults"][0]["line"] == 1
    assert empty["unreadable"].startswith("“")
    assert empty["faults"] == []
    good = run("verify", "--json", FOLDER / "2-long-azul.jsonl")
    assert (good.code, good.json["good"]) == (0, True)


@pytest.mark.parametrize(
    "text",
    [
        golden("3-standard-classic"),
        golden("3-standard-classic").strip(),
        "\n\n" + golden("3-standard-classic") + "\n\n",
        json.dumps(golden_data("3-standard-classic"), indent=2),
        "\n" + json.dumps(golden_data("3-standard-classic"), indent=1) + "\n\n",
        golden("3-standard-classic").replace(", ", ",\r\n"),
        "\ufeff" + golden("3-standard-classic"),
    ],
    ids=["line", "no newline", "blank lines", "pretty", "pretty in blanks", "crlf", "bom"],
)
def test_verify_reads_json_lines_and_json_from_a_file_and_from_stdin(
    run: Run, tmp_path: Path, text: str
) -> None:
    path = tmp_path / "game.json"
    path.write_text(text, encoding="utf-8", newline="")
    assert run("verify", path).out == f"{path}: all good, 1 game.\n"
    assert run("verify", "-", stdin=text).out == "-: all good, 1 game.\n"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "holds no record"),
        (b"\n \n\t\n", "holds no record"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (golden("2-long-azul").encode() + b"\xff\n", "not UTF-8"),
    ],
)
def test_verify_of_a_file_that_holds_no_text(
    run: Run, tmp_path: Path, content: bytes, words: str
) -> None:
    path = tmp_path / "f"
    path.write_bytes(content)
    done = run("verify", path)
    refused(done, words)
    refused(run("verify", "-", stdin=content), words, "“-”")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "not JSON"),
        ("hello\nworld\n", "not JSON"),
        (golden("2-long-azul") + "{\n", "not JSON"),
        ("[" * 100_000 + "\n", "not JSON"),
        ('{"a": 1, "a": 1}', "twice"),
        ('{"a": NaN}\n', "NaN"),
        ('{"a": "' + "x" * (2 * LONGEST) + '"}\n', "characters"),
        (golden("2-long-azul") + "[" + " " * (3 * LONGEST) + "]\n" + lying(), "characters"),
    ],
)
def test_verify_of_unreadable_json_exits_with_2(
    run: Run, tmp_path: Path, text: str, reason: str
) -> None:
    path = tmp_path / "f"
    path.write_text(text, encoding="utf-8")
    done = run("verify", path)
    assert done.code == 2
    assert reason in done.out + done.err
    assert "Traceback" not in done.err


def test_verify_goes_on_after_a_line_that_is_too_long(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text(golden("2-long-azul") + "[" + " " * (3 * LONGEST) + "]\n" + lying())
    done = run("verify", path)
    assert done.err.startswith(f"{path}:2: ")
    assert [line.split(": ")[0][-2:] for line in done.lines] == [":3", ":3"]


@pytest.mark.parametrize("text", ["null\n", "[]\n", "7\n", '"x"\n', "{}\n"])
def test_verify_of_json_that_is_no_record_exits_with_1(run: Run, tmp_path: Path, text: str) -> None:
    path = tmp_path / "f"
    path.write_text(text)
    done = run("verify", path)
    assert done.code == 1
    assert done.out.startswith(f"{path}:1: ")


def test_verify_looks_at_every_file_and_the_worst_decides(run: Run, tmp_path: Path) -> None:
    (tmp_path / "lie").write_text(lying(), encoding="utf-8")
    good = FOLDER / "2-long-azul.jsonl"
    assert run("verify", good, tmp_path / "lie", good).code == 1
    done = run("verify", tmp_path, tmp_path / "missing", tmp_path / "lie", good)
    assert done.code == 2
    assert done.err.count("\n") == done.err.count("five211: ") == 2
    assert len(done.lines) == 3
    refused(run("verify"), "files")


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_a_file_that_cannot_be_read_is_one_clear_line(
    run: Run, tmp_path: Path, command: str
) -> None:
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    (tmp_path / "empty").touch()
    refused(run(command, tmp_path / "missing"), "There is no file")
    refused(run(command, "x" * 5000), "…")
    refused(run(command, tmp_path), "directory")
    refused(run(command, tmp_path / "binary"), "UTF-8")
    refused(run(command, tmp_path / "empty"), "no record")


# replay


def test_replay_tells_a_game_turn_by_turn(run: Run) -> None:
    done = run("replay", FOLDER / "2-standard-classic.jsonl")
    assert (done.code, done.err) == (0, "")
    assert done.lines[:5] == [
        "2 players, standard game, classic edition: Random 1 and Greedy 2.",
        "The cards are dealt; 80 cards are in the draw pile.",
        "",
        "Round 1, turn 1: Random 1 O2 O6 and Greedy 2 O4 V5.",
        "Round 1, turn 2: Random 1 B2 and Greedy 2 Y3.",
    ]
    assert sum(line.startswith("Round 11, turn") for line in done.lines) == 3
    assert "last round" in done.out
    assert "Greedy 2 wins with 39 points. Final score: Random 1 35 and Greedy 2 39." in done.out


def test_replay_speaks_french_in_the_records_own_edition(run: Run) -> None:
    done = run("replay", "--lang", "fr", FOLDER / "3-standard-azul.jsonl")
    assert "édition spéciale" in done.lines[0]
    assert "Coqs" in done.out
    assert "Kododo" not in done.out


def test_replay_shows_hands_if_asked(run: Run) -> None:
    shown = run("replay", "--hands", FOLDER / "2-standard-classic.jsonl").lines
    assert shown[3:6] == [
        "  Random 1:  G3   G3   O2   O6   B2",
        "  Greedy 2:  Y3   O4   V2   V2   V5",
        "Round 1, turn 1: Random 1 O2 O6 and Greedy 2 O4 V5.",
    ]


def test_replay_gives_events_to_programs(run: Run) -> None:
    said = run("replay", "--json", FOLDER / "2-long-azul.jsonl").json
    assert list(said) == ["players", "finished", "events"]
    assert said["players"] == ["Greedy 1", "Zoë"]
    assert said["finished"] is True
    kinds = [event["event"] for event in said["events"]]
    assert kinds.count("deal_started") == 2
    assert kinds.count("revealed") == 3 * (11 + 8)
    assert kinds.count("round_scored") == 11 + 8
    assert kinds.count("last_round") == kinds.count("deal_ended") == 1
    assert kinds[-1] == "game_ended"
    assert said["events"][-1]["result"] == {
        "points": [56, 35],
        "cards": [13, 7],
        "winners": [0],
    }
    assert said["events"][1]["choices"] == golden_data("2-long-azul")["deals"][0]["rounds"][0][
        "turns"
    ][0]  # fmt: skip
    assert all(event["text"] for event in said["events"])


def test_replay_of_an_unfinished_game_says_so(run: Run) -> None:
    done = run("replay", "-", stdin=unfinished()[2])
    assert done.lines[-1] == "1 game is unfinished."
    assert run("replay", "--json", "-", stdin=unfinished()[2]).json["finished"] is False
    assert run("replay", "-", stdin=unfinished()[0]).code == 0


def test_replay_chooses_a_game_of_the_file(run: Run) -> None:
    path = FOLDER / "unfinished.jsonl"
    assert run("replay", "--game", 5, path).lines[0].startswith("4 players")
    for number in (0, -1, 8, 10**30):
        refused(run("replay", f"--game={number}", path), str(number))


def test_replay_without_a_file_tells_the_games_of_this_terminal(run: Run) -> None:
    refused(run("replay"), "No game has been finished in this terminal yet")
    first, last = (
        run("play", "-p", 5, "--seed", seed, stdin="1 2\n1\n1\n" * 4).lines[-2] for seed in (1, 2)
    )
    assert run("replay").lines[-1] == run("replay", "--game", 2).lines[-1] == last
    assert run("replay", "--game", 1, "--hands").lines[-1] == first
    assert run("replay", "--json").json["finished"]
    refused(run("replay", "--game", 3), "no game 3", "holds 2")


def test_replay_refuses_a_record_that_lies(run: Run) -> None:
    refused(run("replay", "-", stdin=lying()), "deals[0].rounds[1].points: The record says")
    refused(run("replay", "-", stdin="{"), "not JSON")
    refused(run("replay", "--lang", "fr", "-", stdin="{}"), "format: ")


@pytest.mark.parametrize("name", ["\ud800", "\x1b[31m red", "a\nfive211: b", "x" * 100_000, ""])
@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_replay_survives_any_name(run: Run, name: str, flags: list[str]) -> None:
    data = json.loads(unfinished()[1])
    data["seats"][0]["name"] = name
    done = run("replay", "-", *flags, stdin=json.dumps(data))
    assert (done.code, done.err) == (0, "")
    assert ESCAPE not in done.out


# rules


@pytest.mark.rule("7.5")
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_rules_prints_every_rule_by_its_number(run: Run, lang: str) -> None:
    done = run("rules", "--lang", lang)
    assert (done.code, done.err) == (0, "")
    for number in texts.load("languages", lang)["rules"]:
        assert re.search(rf"^{re.escape(number)} ", done.out, re.MULTILINE)
    misread = run("rules", "--json", "--lang", lang).json["rules"]["7.5"]
    assert "4.2" in misread
    assert "3.1" in misread


@pytest.mark.rule("2.1")
@pytest.mark.rule("2.2")
def test_rules_fills_in_the_numbers_of_a_player_count(run: Run) -> None:
    said = run("rules", "--players", 3, "--json").json
    assert said["numbers"] == [
        {"players": 3, "aside": 13, "pile": 72, "rounds": 7, "exact": 5, "limit": 6}
    ]
    assert "put 13 of them aside" in said["rules"]["2.1"]
    everything = run("rules", "--json").json
    assert [one["players"] for one in everything["numbers"]] == [2, 3, 4, 5]
    assert [one["pile"] for one in everything["numbers"]] == [80, 72, 80, 60]
    assert "10/13/0/15" in everything["rules"]["2.1"]


def test_rules_in_the_words_of_either_edition(run: Run) -> None:
    classic, azul = (run("rules", "--edition", edition).out for edition in ("classic", "azul"))
    assert "Kododo" in classic
    assert "violet" in classic
    assert "Rooster" in azul
    assert "turquoise" in azul
    assert "Kododo" not in azul


def test_rules_as_markdown(run: Run) -> None:
    page = run("rules", "--markdown", "-p", 5).out
    assert page.startswith("# The rules of 5211\n")
    assert "\n## 4 " in page
    assert "\n**4.5** " in page
    assert "| limit of a colour | 8 |" in page


@pytest.mark.parametrize(
    "args", [["--players", "1"], ["--players", "6"], ["--edition", "x"], ["--lang", ""], ["x"]]
)
def test_rules_refuses(run: Run, args: list[str]) -> None:
    refused(run("rules", *args))


# play


def test_play_from_a_script_to_the_end_and_into_a_record(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    script = "1 2\n1\n1\n" * 4
    done = run("play", "-p", 5, "--seed", 7, "--name", "Ana", "--record", path, stdin=script)
    assert (done.code, done.err) == (0, "")
    assert "Ana" in done.lines[0]
    assert "Final score" in done.out
    assert str(path)[:10] in done.lines[-1]
    record = path.read_text(encoding="utf-8")
    assert faults(record) == ()
    data = json.loads(record)
    assert data["seats"][0] == {"name": "Ana", "bot": None}
    assert {seat["bot"] for seat in data["seats"][1:]} == {"hasty"}
    assert run("replay", path).code == 0


def test_play_to_the_end_without_a_record(run: Run) -> None:
    done = run("play", "-p", 5, "--seed", 7, stdin="1 2\n1\n1\n" * 4)
    assert (done.code, done.err) == (0, "")
    assert "Final score" in done.lines[-2]
    assert "games.jsonl”; `five211 replay` tells it again." in done.lines[-1]
    assert run("replay").lines[-1] == done.lines[-2]


def test_play_without_a_seed_deals_anew_each_time(run: Run) -> None:
    assert run("play", stdin="q\n").out != run("play", stdin="q\n").out
    assert run("play", "--seed", 1, stdin="q\n").out == run("play", "--seed", 1, stdin="q\n").out


def test_without_a_command_it_is_a_server(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[tuple[dict[str, object], str | None, str | None, bool]] = []
    module = import_module("five211.cli.serve")  # not the command of that name
    monkeypatch.setattr(module, "run", lambda *given: served.append(given))
    assert run().code == 0
    assert run("serve", "--port", 0, "--docs").code == 0
    flags = ("host", "port", "lan", "database", "url", "bus", "docs", "metrics")
    assert served[0] == (dict.fromkeys(flags), None, None, True)
    assert served[1] == ({**dict.fromkeys(flags), "port": 0, "docs": True}, None, None, False)
    for flag, browser in (("--browser", True), ("--no-browser", False)):
        assert run("serve", flag).code == 0
        assert served[-1][3] is browser


def test_play_with_a_bot_for_each_opponent_in_french(run: Run) -> None:
    done = run("play", "-p", 3, "--bots", "random, hasty", "--lang", "fr", stdin="q\n")
    assert "Kiwi" in done.out
    assert "Maxi" in done.out
    assert done.lines[-1].endswith("elle est gardée pour la prochaine fois.")


@pytest.mark.parametrize("given", [b"", b"1 2\n", b"\xff\xfe\n", b"\x00\n", b"1 2"])
def test_play_ends_quietly_when_nobody_types_any_more(run: Run, given: bytes) -> None:
    done = run("play", "-p", 2, "--seed", 7, stdin=given)
    assert (done.code, done.err) == (0, "")
    assert done.lines[-1] == "Bye! The game is not finished; it is kept for the next time."


def test_play_ends_quietly_when_interrupted() -> None:
    child = pexpect.spawn(COMMAND, ["play", "--plain"], encoding="utf-8", timeout=60)
    child.expect("Play 2 cards> ")
    child.sendintr()
    child.expect(r"\r\nBye! The game is not finished; it is kept for the next time\.\r\n")
    child.expect(pexpect.EOF)
    child.close()
    assert (child.before, child.exitstatus) == ("", 0)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--players", "1"], "not 1"),
        (["--players", "6"], "not 6"),
        (["--bots", "magic"], "“magic”"),
        (["--players", "4", "--bots", "random,greedy"], "not 2"),
        (["--players", "2", "--bots", "random,greedy"], "not 2"),
        (["--variant", "x"], "“x”"),
        (["--edition", "x"], "“x”"),
        (["--lang", "x"], "“x”"),
        (["--name", ""], "name"),
        (["--name", "x" * 10_000], "name"),
        (["--name", "a\x1b[31mb"], "name"),
    ],
)
def test_play_refuses(run: Run, args: list[str], words: str) -> None:
    refused(run("play", *args), words)


def test_play_says_before_the_game_that_its_record_cannot_be_written(run: Run) -> None:
    refused(run("play", "-p", 5, "--record", "/nowhere/x", stdin="1 2\n1\n1\n" * 4), "/nowhere/x")


# All of them


def test_version_and_help(run: Run) -> None:
    assert run("--version").out == f"{__version__}\n"
    for flag in ("-h", "--help"):
        assert all(command in run(flag).out for command in COMMANDS)
    for command in COMMANDS:
        done = run(command, "-h")
        assert done.code == 0
        assert done.out.startswith("Usage: ")
        assert "--lang" in done.out
        assert "--json" in done.out or command == "play"


@pytest.mark.parametrize("args", [["bogus"], ["--bogus"], ["--lang", "fr"], ["score", "-x"]])
def test_an_unknown_command_or_option_is_refused(run: Run, args: list[str]) -> None:
    refused(run(*args))


@pytest.mark.parametrize(
    ("variables", "french"),
    [
        ({"LANG": "fr_FR.UTF-8"}, True),
        ({"LANG": "fr"}, True),
        ({"LANG": "FR_ca"}, True),
        ({"LANG": "en_GB.UTF-8"}, False),
        ({"LANG": "de_DE.UTF-8"}, False),
        ({"LANG": ""}, False),
        ({"LANG": "en_GB", "LC_MESSAGES": "fr_BE"}, True),
        ({"LANG": "fr_FR", "LC_ALL": "C"}, False),
    ],
)
def test_the_systems_language_is_spoken_also_in_errors(
    run: Run, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], french: bool
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert ("les couleurs décident" in run("score", CLEAR).out) is french
    refused(run("score", "zz"), "n’est pas une carte" if french else "is not a card")
    assert "the colours decide" in run("score", TABLE, "--lang", "en").out
    refused(run("score", "zz", "--lang", "fr"), "n’est pas une carte")


def test_a_closed_pipe_an_interrupt_or_a_full_disk_outside_a_command_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    for error, code in ((BrokenPipeError(), 0), (KeyboardInterrupt(), 130), (full, 2)):

        def ends(error: BaseException = error, **_: object) -> None:
            raise error

        monkeypatch.setattr(cli, "app", ends)
        with pytest.raises(SystemExit) as caught:
            cli.main()
        assert caught.value.code == code
    assert capfd.readouterr() == ("", "five211: No space left on device\n")


def test_a_closed_stdin_is_said_or_ends_the_game(run: Run) -> None:
    refused(run("verify", "-", stdin=None), "“-”")
    refused(run("score", "-", stdin=None), "“-”")
    done = run("play", stdin=None)
    assert (done.code, done.err) == (0, "")
    assert done.lines[-1] == "Bye! The game is not finished; it is kept for the next time."


def test_a_closed_stdout_is_no_traceback(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    for args in (["score", TABLE], ["score", TABLE, "--json"], ["rules"]):
        assert run(*args).code == 0


# The real command


def test_the_real_command_scores_and_refuses() -> None:
    done = spawn("score", TABLE)
    assert (done.code, done.err) == (0, "")
    assert "green scores" in done.out
    assert ESCAPE not in done.out
    refused(spawn("score", "zz", env={**os.environ, "LANG": "fr_FR"}), "n’est pas")


def test_the_real_command_reads_stdin() -> None:
    done = spawn("verify", "-", stdin=golden("5-long-azul").encode())
    assert (done.code, done.out, done.err) == (0, "-: all good, 1 game.\n", "")


@pytest.mark.parametrize("args", [["rules"], ["score", "--json", TABLE]])
def test_a_closed_pipe_ends_quietly(args: list[str]) -> None:
    with subprocess.Popen(
        [COMMAND, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()  # long before it has anything to say
        assert process.stderr.read() == b""
        assert process.wait(60) in (0, 1)


def test_head_gets_its_line_and_nobody_complains() -> None:
    pipe = f"'{COMMAND}' simulate -n 200 --seed 1 --records - | head -1"
    done = subprocess.run(["/bin/sh", "-c", pipe], capture_output=True, timeout=60)
    assert done.stderr == b""
    assert faults(done.stdout.decode()) == ()


@pytest.mark.parametrize("args", [["rules"], ["score", "--json", TABLE]])
def test_a_full_disk_behind_stdout_is_one_clear_line(args: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([COMMAND, *args], stdout=full, stderr=subprocess.PIPE, timeout=60)
    refused(Done(done.returncode, "", done.stderr.decode()))


def test_ascii_output_loses_signs_but_not_its_head() -> None:
    done = spawn("score", "--lang", "fr", CLEAR, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (done.code, done.err) == (0, "")
    assert "les couleurs" in done.out


def test_ctrl_c_ends_quietly_with_130_and_sums_up() -> None:
    with subprocess.Popen(
        [COMMAND, "simulate", "--games", "1e9", "--records", "-"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()  # it has begun
        process.send_signal(signal.SIGINT)
        # not communicate(): that passes over what readline() has read ahead
        out, err = process.stdout.read(), process.stderr.read()
    assert process.returncode == 130
    assert not any(faults(record) for record in out.splitlines()), "no line is cut off"
    assert re.search(r"\d+ games? in ", err.splitlines()[-1])


def on_terminal(*args: str, **variables: str) -> str:
    """What a terminal shows of a command."""
    surroundings = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", **variables}
    child = pexpect.spawn(
        COMMAND, list(args), env=surroundings, dimensions=(40, 100), timeout=60, encoding="utf-8"
    )
    child.expect(pexpect.EOF)
    assert child.before is not None
    return child.before.replace("\r\n", "\n")


def test_colour_on_a_terminal_is_never_alone() -> None:
    shown = on_terminal("score", TABLE)
    assert "48;2;31;181;138m G2 " in shown  # the green of the classic edition
    bare = re.sub(r"\x1b\[[\d;]*m", "", shown)
    assert [line.rstrip() for line in bare.splitlines()] == spawn("score", TABLE).lines


def test_no_color_is_respected_on_a_terminal() -> None:
    shown = on_terminal("score", TABLE, NO_COLOR="1")
    assert set(re.findall(r"\x1b\[([\d;]*)m", shown)) <= {"0", "1"}  # bold, at most
    assert " G2 " in shown


def test_progress_is_shown_on_a_terminal_and_gone_at_the_end() -> None:
    shown = on_terminal("simulate", "--games", "20", "--json")
    assert "20/20" in shown
    assert "\x1b[2K" in shown  # the bar is wiped away
    found = re.search(r"\{.*\}", shown)
    assert found is not None
    assert json.loads(found.group())["games"] == 20


def test_play_prints_its_record_as_json_and_talks_on_stderr(run: Run) -> None:
    done = run("play", "--seed", "7", "--players", "2", "--json", stdin="1 2\n1\n")
    record = parse(done.out)
    assert not record.finished
    assert record.match.state.turn == 2
    assert "Your hand:" in done.err


def test_a_game_that_was_left_can_be_kept(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    run("play", "--record", path, stdin="1 2\nq\n")
    assert run("verify", path).out.endswith("1 game is unfinished.\n")


@pytest.mark.parametrize("wrong", [["--edition", "foo"], ["--name", ""], ["--bots", "none"]])
def test_a_refused_game_leaves_no_file(run: Run, tmp_path: Path, wrong: list[str]) -> None:
    path = tmp_path / "mine.json"
    assert run("play", "--record", path, *wrong).code == 2
    assert not path.exists()


@pytest.mark.rule("8.3")
def test_hands_are_shown_only_when_the_game_is_over(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text(golden("2-standard-classic"))
    events = json.loads(run("replay", path, "--hands", "--json").out)["events"]
    assert [len(e["hands"][0]) for e in events if e["event"] == "revealed"][-3:] == [5, 3, 2]
    assert "hands" not in run("replay", path, "--json").out
    done = run("replay", "--hands", FOLDER / "unfinished.jsonl")
    assert done.code == 2
    assert "when the whole game is over" in done.err


def test_a_broken_first_line_hides_no_other_fault(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("{bad\n" + lying() + golden("2-standard-classic"))
    done = run("verify", path)
    assert done.code == 2
    assert f"{path}:1: " in done.err
    assert f"{path}:2: " in done.out


def test_score_names_the_letters_where_they_are_no_codes(run: Run) -> None:
    assert "T turquoise" in run("score", "--edition", "azul", TABLE).out
    assert "Letters of the colours" not in run("score", TABLE).out


def test_with_four_players_no_card_is_put_aside(run: Run) -> None:
    four, two = (" ".join(run("rules", "-p", n).out.split()) for n in (4, 2))
    assert "none is put aside" in four
    assert "put 10 of them aside" in two


def test_an_error_with_nowhere_to_say_it_is_still_an_error() -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "{COMMAND}" score x 2>&-'], capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, b"")


def test_cards_may_be_typed_without_quotes_and_without_spaces(run: Run) -> None:
    expected = run("score", TABLE).out
    assert run("score", *TABLE.split()).out == expected
    assert run("score", TABLE.replace(" ", "") + "/").out == expected
    assert run("score", "-", stdin=TABLE.replace("/", "\n")).out == expected


TYPED = ("Y1 Y1 B2 V3", "B1 O1 G2 V2")
EVERYWHERE = [(lang, edition) for lang in ("en", "fr") for edition in ("classic", "azul")]


@pytest.mark.parametrize(("lang", "edition"), EVERYWHERE)
def test_what_score_prints_can_be_pasted_back(run: Run, lang: str, edition: str) -> None:
    w = words(lang, edition)
    shown = " / ".join(w.cards(parse_cards(seat)) for seat in TYPED)
    done = run("score", "--lang", lang, "--edition", edition, shown)
    assert done.code == 0
    printed = [" ".join(line.split()[1:5]) for line in done.lines[-2:]]
    assert " / ".join(printed) == shown
    for color in Color:
        if lang == "fr" or edition == "azul":
            assert f"{w.letter(color)} {w.color(color)}" in done.lines[0]


@pytest.mark.parametrize("flags", [[], ["--json"]])
@pytest.mark.parametrize(("edition", "other"), [("classic", "Vi3"), ("azul", "T3")])
def test_a_french_v_is_never_guessed(run: Run, flags: list[str], edition: str, other: str) -> None:
    done = run("score", *flags, "--lang", "fr", "--edition", edition, "J1 J2 V3 B4 / J2 J3 O1 O2")
    refused(done, "“V3”", "Ve3", other)
    refused(run("score", "--lang", "fr", "Vi6 Vi6 Vi6 J1 / J1 J1 O1 O1"), "Vi6 est ici 3 fois")


def test_games_are_added_to_a_file_of_games(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    for _ in range(2):
        run("play", "--record", path, stdin="q\n")
    assert len(path.read_text().splitlines()) == 2


def test_the_module_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "five211", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == __version__


def test_fail_without_stderr_still_exits_with_2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    with pytest.raises(SystemExit) as caught:
        cli.fail("nobody hears this")
    assert caught.value.code == 2
