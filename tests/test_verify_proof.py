"""`five211 verify` and the proof of the deal: what was shown, and what is a fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from five211 import Match, Player, Record, Rules, stream, write
from five211.bots import make
from five211.cli import app, common
from five211.cli.verify import check
from five211.errors import GameError
from five211.proof import Proof
from five211.record import RecordError
from five211.view import view

SEED, WORDS = bytes(range(32)), bytes(range(32, 64))


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setattr(common, "_spoken", [])


def game(variant: str = "standard", turns: int | None = None) -> dict[str, Any]:
    """A record with a proof, whole or cut off after some turns."""
    rules = Rules.of(2, variant)
    proof = Proof("table/1", SEED, (WORDS, None))
    match, bots, rng = Match(rules), [make("greedy"), make("random")], stream(1, "bots")
    played = 0
    while not match.over and played != turns:
        if match.awaits_deck:
            match = match.deal(proof.deck(rules, len(match.deals)))
        match = match.play([bot.choose(view(match, n), rng) for n, bot in enumerate(bots)])
        played += 1
    record = Record(match, (Player("Ana"), Player("Bo")), extra={"proof": proof.write()})
    return dict(json.loads(write(record)))


def kept(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def run(*args: object) -> tuple[int, str, Any]:
    done = CliRunner().invoke(app, ["verify", *map(str, args)])
    shown = done.exception
    return done.exit_code, done.output, shown if isinstance(shown, GameError) else None


@pytest.mark.parametrize("variant", ["standard", "long"])
def test_without_a_commitment_the_deal_is_consistent_and_no_more(
    tmp_path: Path, variant: str
) -> None:
    path = kept(tmp_path / "game", game(variant))
    code, out, _ = run(path)
    assert code == 0
    assert out.startswith(f"{path}: all good, 1 game. The cards follow from the proof")
    assert "only the commitment published before the game can tell" in out
    (report,) = json.loads(run("--json", path)[1])["files"]
    assert (report["proof"], report["finished"]) == ("consistent", 1)
    code, out, _ = run("--lang", "fr", path)
    assert "seul l’engagement publié avant la partie" in out


@pytest.mark.parametrize("change", [str, str.upper, " {} ".format])
def test_whoever_kept_the_commitment_is_shown_that_the_server_was_bound(
    tmp_path: Path, change: Any
) -> None:
    record = game()
    path = kept(tmp_path / "game", record)
    commitment = change(record["proof"]["commitment"])
    code, out, _ = run("--commitment", commitment, path)
    assert code == 0
    assert "The cards follow from the commitment" in out
    (report,) = json.loads(run("--json", "--commitment", commitment, path)[1])["files"]
    assert report["proof"] == "committed"
    assert (
        "Les cartes découlent bien de l’engagement"
        in run("--lang", "fr", "--commitment", commitment, path)[1]
    )


def test_an_unfinished_game_is_shown_as_well(tmp_path: Path) -> None:
    record = game(turns=4)
    path = kept(tmp_path / "game", record)
    code, out, _ = run("--commitment", record["proof"]["commitment"], path)
    assert code == 0
    assert "1 game is unfinished. The cards follow from the commitment" in out


def test_a_file_shows_what_all_its_records_show(tmp_path: Path) -> None:
    plain = {key: value for key, value in game().items() if key != "proof"}
    path = kept(tmp_path / "games", game(), plain)
    code, out, _ = run(path)
    assert (code, out) == (0, f"{path}: all good, 2 games.\n")
    (report,) = json.loads(run("--json", path)[1])["files"]
    assert report["proof"] == "none"


def test_a_record_without_proof_is_a_fault_if_a_commitment_is_given(tmp_path: Path) -> None:
    record = game()
    commitment = record.pop("proof")["commitment"]
    path = kept(tmp_path / "game", record)
    assert run(path)[0] == 0
    code, out, _ = run("--commitment", commitment, path)
    assert (code, out) == (1, f"{path}:1: proof: This record has no proof of its deal.\n")
    (report,) = json.loads(run("--json", "--commitment", commitment, path)[1])["files"]
    assert (report["proof"], report["finished"]) == ("none", 0)
    assert report["faults"][0]["code"] == "proof_missing"


def faults(path: Path, record: dict[str, Any], commitment: str | None = None) -> list[RecordError]:
    report = check(str(kept(path, record)), commitment)
    assert (report.code, report.proof) == (1, "none")
    return [fault for _, fault in report.faults]


def test_another_commitment_is_a_fault(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path / "game", game(), "0" * 64)
    assert (fault.code, fault.place) == ("proof_other", "proof.commitment")


@pytest.mark.parametrize(
    ("key", "value", "code", "place"),
    [
        ("seed", SEED[::-1].hex(), "proof_commitment", "proof.commitment"),
        ("seed", "zz", "proof_hex", "proof.seed"),
        ("commitment", None, "proof_commitment", "proof.commitment"),
        ("table", "table/2", "proof_commitment", "proof.commitment"),
        ("table", 7, "record_text", "proof.table"),
        ("words", [None, None], "proof_deck", "deals[0]"),
        ("words", [None, WORDS.hex()], "proof_deck", "deals[0]"),
        ("words", [None], "record_seats", "proof.words"),
        ("words", [7, None], "proof_hex", "proof.words[0]"),
    ],
)
def test_a_proof_that_does_not_fit_is_a_fault_with_its_place(
    tmp_path: Path, key: str, value: object, code: str, place: str
) -> None:
    record = game()
    record["proof"][key] = value
    (fault,) = faults(tmp_path / "game", record)
    assert (fault.code, fault.place) == (code, place)


def test_a_proof_that_is_no_object_is_a_fault(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path / "game", {**game(), "proof": "trust me"})
    assert (fault.code, fault.place) == ("record_object", "proof")


@pytest.mark.parametrize("text", ["", "x", "0" * 63, "0" * 65, "g" * 64])
def test_what_is_no_commitment_is_refused_before_anything_is_read(text: str) -> None:
    code, _, error = run("--commitment", text, "no such file")
    assert code != 0
    assert error == GameError("commitment")
