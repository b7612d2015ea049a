"""The bench of several processes runs and tells figures; what it makes of them on paper adds up."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bench.scale.__main__ import main
from bench.scale.report import sizing_lines
from bench.scale.sizing import BUS, POSTGRES, REDIS, WAL, Assumed, Measured, processes_for, size
from bench.server.packages import install

FREE = Measured(
    server_move=1.0,
    postgres_move=0.1,
    server_follow=0.0,
    postgres_follow=0.0,
    server_table=0.0,
    postgres_table=0.0,
    hear_message=0.0,
    hear_table=0.0,
    publish=0.0,
    deliver=0.0,
    commits_a_move=0.5,
    rows_a_move=1.0,
    wal_a_move=500.0,
    wire_a_move=2000.0,
    moves_a_game=72.0,
    table_kb=100.0,
    sockets_kb=100.0,
    process_mb=100.0,
    game_bytes=2000.0,
    table_bytes=1000.0,
)
"""Nothing costs but moves, so that the head can do the sum."""
ROOMY = Assumed(tables=60_000, seconds_a_move=10, busy=0.6, postgres_cores=1000)


def test_moves_alone_are_divided_among_processes() -> None:
    found = size(FREE, ROOMY)
    # 6,000 moves a second of a millisecond are 6 cores at work, which are 10 at 60 %.
    assert (found.houses, found.processes, found.moves_a_second) == (1, 10, 6000)
    assert found.commits_a_second == found.messages_a_second == 3000
    assert found.house.heard_a_second == 30_000
    assert found.house.postgres_cores == pytest.approx(0.6)
    assert found.wal_mb_a_second == pytest.approx(3)
    assert found.network_mb_a_second == pytest.approx(12)
    assert found.memory_gb == pytest.approx(60_000 * 300e-6 + 10 * 0.1)
    assert found.games_a_second == pytest.approx(6000 / 72)
    assert found.kept_gb_a_day == pytest.approx(6000 / 72 * 86400 * 2000 / 1e9)
    assert found.live_gb == pytest.approx(0.06)


def test_what_each_part_can_do_at_most() -> None:
    costs = replace(FREE, hear_message=0.1, hear_table=0.01, publish=0.01, deliver=0.01)
    limits = size(costs, replace(ROOMY, postgres_cores=4)).limits
    # Of a table every process hears 0.1 x (0.5 x 0.1 + 1 x 0.01) ms a second, and 300 are left.
    assert limits[BUS] == pytest.approx(300 / 0.006)
    assert limits[POSTGRES] == pytest.approx(4 * 600 / 0.01)
    assert limits[WAL] == pytest.approx(200e6 / 50)
    processes = math.ceil(processes_for(costs, ROOMY, limits[REDIS]))
    work = limits[REDIS] / 10 * 0.5 * (0.01 + processes * 0.01)
    assert 0.9 * 600 < work <= 600


def test_a_house_can_be_too_large_for_any_number_of_processes() -> None:
    costs = replace(FREE, hear_message=0.1)
    largest = 600 / 0.005
    assert processes_for(costs, ROOMY, largest * 1.01) == math.inf
    assert processes_for(costs, ROOMY, largest / 2) == pytest.approx(2 * (largest / 2) * 0.1 / 600)


def test_beyond_its_limit_there_are_several_houses() -> None:
    costs = replace(FREE, hear_message=0.1)
    found = size(costs, replace(ROOMY, tables=599_000))
    assert found.first == BUS
    assert found.houses == 10
    assert found.processes == 10 * found.house.processes
    assert found.house.tables * found.houses == 599_000


def test_following_and_looking_up_count_for_each_who_has_the_table() -> None:
    costs = replace(FREE, server_follow=1.0, postgres_follow=0.1, postgres_table=0.01)
    once, twice = size(costs, replace(ROOMY, copies=1)), size(costs, replace(ROOMY, copies=2))
    assert (once.processes, twice.processes) == (10, 20)
    assert once.house.postgres_cores == pytest.approx(0.6 + 0.6)
    assert twice.house.postgres_cores == pytest.approx(1.2 + 1.2)
    seldom = size(costs, replace(ROOMY, copies=2, looks_a_second=0.1))
    assert seldom.house.postgres_cores == pytest.approx(1.2 + 0.12)


def test_what_is_found_is_always_within_the_limits() -> None:
    rng = Random(5211)
    for _ in range(300):
        names = Measured.__dataclass_fields__
        costs = Measured(**{name: 10 ** rng.uniform(-4, 0) for name in names})
        found = size(costs, Assumed(tables=rng.randrange(1, 10**7)))
        assert found.house.tables <= min(found.limits.values()) * 1.0001
        assert processes_for(costs, Assumed(), found.house.tables) <= found.house.processes
        assert found.house.redis_cores <= Assumed().busy * 1.01
        assert found.house.postgres_cores <= Assumed().postgres_cores * Assumed().busy * 1.0001


def test_the_paper_says_what_was_assumed() -> None:
    lines = sizing_lines(size(FREE, ROOMY), ROOMY)
    assert lines[0].startswith(
        "Assumed: 60,000 tables at once, a move at each every 10 s, in the memory"
    )
    assert "| server processes | 10 | 10 |" in lines


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packages")
    install(folder, "ws")
    return folder


def test_the_quick_form_plays_and_tells(
    packages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "figures.json"
    plans = ("sqlite-1", "postgres-2-turn")
    main(["--quick", "--packages", str(packages), "--json", str(file), "--only", *plans])
    figures = json.loads(file.read_text())["figures"]
    assert [one["plan"]["store"] for one in figures] == ["sqlite", "postgres"]
    for one in figures:
        assert one["moves"] > 0
        assert one["trouble"] == {}
        assert one["counts"]["rows"] > 0
        assert one["size"]["wal"] > 0
        assert one["size"]["to_people"] > one["size"]["from_people"] > 0
        assert one["moves_a_game"] >= 72
        assert (one["counts"]["published"] > 0) == (one["plan"]["store"] == "postgres")
    assert "| PostgreSQL, Redis, 2 processes, in turn |" in capsys.readouterr().out
