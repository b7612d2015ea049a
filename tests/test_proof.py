"""The proof of a deal: bound before, checked after, and every card equally likely."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from five211 import Match, Rules
from five211.proof import LABEL, SEED, Proof, check_proof, commitment, hash_words, read_proof
from five211.record import Player, Record, RecordError, parse, write

RULES = Rules.of(2)
PROOF = Proof("abc/1", bytes(range(32)), (b"\1" * 32, None))


def part(content: bytes) -> bytes:
    return len(content).to_bytes(4, "big") + content


def test_the_commitment_is_a_plain_hash_that_anybody_can_compute() -> None:
    text = part(LABEL) + part(b"abc/1") + part(bytes(range(32)))
    assert PROOF.commitment == hashlib.sha256(text).hexdigest()
    words = part(LABEL) + part(b"words") + part(b"\1" * 32)
    assert hash_words(b"\1" * 32) == hashlib.sha256(words).hexdigest()


def test_the_deck_is_fisher_yates_over_hmac_written_a_second_time() -> None:
    start = part(LABEL) + part(b"abc/1") + part(b"3") + part(b"+" + b"\1" * 32) + part(b"")
    numbers: list[int] = []
    for counter in range(40):
        block = hmac.digest(PROOF.seed, start + counter.to_bytes(8, "big"), "sha256")
        numbers += [int.from_bytes(block[i : i + 4], "big") for i in range(0, 32, 4)]
    deck = list(RULES.deck)
    for last in range(99, 0, -1):
        while (number := numbers.pop(0)) >= 2**32 // (last + 1) * (last + 1):
            pass
        other = number % (last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    assert PROOF.deck(RULES, 3) == tuple(deck)


@given(st.binary(min_size=SEED, max_size=SEED), st.integers(0, 3))
def test_every_deck_is_a_whole_deck(seed: bytes, deal: int) -> None:
    proof = Proof("t/1", seed, (None, None))
    assert tuple(sorted(proof.deck(RULES, deal))) == RULES.deck


def test_everything_that_goes_in_changes_the_deck() -> None:
    others = [
        PROOF,
        replace(PROOF, table="abc/2"),
        replace(PROOF, seed=bytes(32)),
        replace(PROOF, words=(b"\2" * 32, None)),
        replace(PROOF, words=(None, b"\1" * 32)),
        replace(PROOF, words=(b"\1" * 32, b"")),
    ]
    assert len({proof.deck(RULES, 0) for proof in others}) == len(others)
    assert PROOF.deck(RULES, 0) != PROOF.deck(RULES, 1)


def test_no_place_favours_any_card() -> None:
    """Chi-square of the first and the last colour; chance passes the bound once in 10^9."""
    count, first, last = 3000, Counter[str](), Counter[str]()
    for number in range(count):
        deck = Proof(f"t/{number}", bytes(32), (None, None)).deck(RULES, 0)
        first[deck[0].color.name] += 1
        last[deck[-1].color.name] += 1
    for seen in (first, last):
        expected = count / 5
        assert sum((seen[c] - expected) ** 2 / expected for c in "YGOBV") < 47


def test_a_number_that_would_favour_some_cards_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    good = iter([2**32 - 1, 5])
    monkeypatch.setattr(Proof, "_numbers", lambda *_: good)
    from five211.proof import _below

    assert _below(3, good) == 5 % 3


def dealt(proof: Proof = PROOF, **extra: Any) -> Record:
    match = Match(RULES).deal(proof.deck(RULES, 0))
    players = (Player("Ana"), Player("Bob"))
    return Record(match, players, extra={"proof": {**proof.write(), **extra}})


def test_a_record_with_its_proof_is_good_also_after_writing_and_reading() -> None:
    assert check_proof(dealt()) == PROOF
    assert check_proof(parse(write(dealt()))) == PROOF


LIES: list[tuple[dict[str, Any], str, str]] = [
    ({"seed": "00" * 32}, "proof_commitment", "proof.commitment"),
    ({"seed": "00" * 32, "commitment": commitment("abc/1", bytes(32))}, "proof_deck", "deals[0]"),
    ({"words": [None, None]}, "proof_deck", "deals[0]"),
    ({"words": [None]}, "record_seats", "proof.words"),
    ({"words": 5}, "record_seats", "proof.words"),
    ({"words": [None, "xx"]}, "proof_hex", "proof.words[1]"),
    ({"words": [None, 5]}, "proof_hex", "proof.words[1]"),
    ({"seed": None}, "proof_hex", "proof.seed"),
    ({"table": None}, "record_text", "proof.table"),
    ({"table": "other/1"}, "proof_commitment", "proof.commitment"),
    ({"commitment": None}, "proof_commitment", "proof.commitment"),
]


@pytest.mark.parametrize(("lie", "code", "place"), LIES)
def test_a_proof_that_lies_is_found_out(lie: dict[str, Any], code: str, place: str) -> None:
    with pytest.raises(RecordError) as error:
        check_proof(dealt(**lie))
    assert (error.value.code, error.value.place) == (code, place)


def test_a_proof_is_an_object() -> None:
    with pytest.raises(RecordError, match="proof: An object"):
        read_proof("no", RULES)
