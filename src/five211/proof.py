"""The proof of a deal: a deck that nobody could choose and nobody can change (docs/protocol.md).

Before anything else the server publishes the hash of a secret seed. Then each person's client sends
the hash of its own random words, and when all hashes are in, the words. The decks follow from the
seed and everyone's words: the server cannot choose them, because it was bound before it knew the
words, and nobody else can, because the seed is secret. At the end both are in the record.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from five211.cards import Cards
from five211.match import Match
from five211.record import Record, RecordError
from five211.rules import Rules

LABEL = b"five211 deal 1"
SEED = 32  # bytes
WORDS = 32  # bytes that each person's client adds


@dataclass(frozen=True, slots=True)
class Proof:
    """All that the decks of a game follow from."""

    table: str
    seed: bytes
    words: tuple[bytes | None, ...]
    """Each seat's; none for a seat that sent none, such as a bot's."""

    @property
    def commitment(self) -> str:
        """What the server publishes before anything else."""
        return commitment(self.table, self.seed)

    def deck(self, rules: Rules, deal: int) -> Cards:
        """The shuffled deck of a deal: Fisher-Yates from the last card down."""
        deck = list(rules.deck)
        numbers = self._numbers(deal)
        for last in range(len(deck) - 1, 0, -1):
            other = _below(last + 1, numbers)
            deck[last], deck[other] = deck[other], deck[last]
        return tuple(deck)

    def _numbers(self, deal: int) -> Iterator[int]:
        """An endless stream of 32-bit numbers, eight from each HMAC."""
        start = _parts(LABEL, self.table.encode(), str(deal).encode(), *map(_present, self.words))
        counter = 0
        while True:
            block = hmac.digest(self.seed, start + counter.to_bytes(8, "big"), "sha256")
            for place in range(0, len(block), 4):
                yield int.from_bytes(block[place : place + 4], "big")
            counter += 1

    def write(self) -> dict[str, Any]:
        """As it stands in a record."""
        return {
            "table": self.table,
            "commitment": self.commitment,
            "seed": self.seed.hex(),
            "words": [None if words is None else words.hex() for words in self.words],
        }


def commitment(table: str, seed: bytes) -> str:
    """The hash that binds the server to a seed."""
    return hashlib.sha256(_parts(LABEL, table.encode(), seed)).hexdigest()


def hash_words(words: bytes) -> str:
    """The hash that binds a client to its words."""
    return hashlib.sha256(_parts(LABEL, b"words", words)).hexdigest()


def _present(words: bytes | None) -> bytes:
    """Told apart from words that are empty."""
    return b"" if words is None else b"+" + words


def _parts(*parts: bytes) -> bytes:
    """Each part after its length, so that no two lists of parts give the same bytes."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def _below(bound: int, numbers: Iterator[int]) -> int:
    """A number under the bound, each equally likely: those that would favour some are rejected."""
    fair = 2**32 - 2**32 % bound
    return next(number for number in numbers if number < fair) % bound


def read_proof(data: Any, rules: Rules) -> Proof:
    """The proof in a record."""
    if not isinstance(data, Mapping):
        raise RecordError("record_object", "proof")
    table, words = data.get("table"), data.get("words")
    if not isinstance(table, str):
        raise RecordError("record_text", "proof.table")
    if not isinstance(words, Sequence) or len(words) != rules.players:
        raise RecordError("record_seats", "proof.words", n=rules.players)
    read = tuple(
        None if one is None else _read_hex(one, f"proof.words[{seat}]")
        for seat, one in enumerate(words)
    )
    proof = Proof(table, _read_hex(data.get("seed"), "proof.seed"), read)
    if data.get("commitment") != proof.commitment:
        raise RecordError("proof_commitment", "proof.commitment")
    return proof


def _read_hex(text: Any, place: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except (TypeError, ValueError):
        raise RecordError("proof_hex", place) from None


def check_proof(record: Record) -> Proof:
    """The proof of a record, if all its decks follow from it."""
    match = record.match
    proof = read_proof(record.extra.get("proof"), match.rules)
    for number, state in enumerate(match.deals):
        # A deal sorts each hand, so the deck is dealt once more to compare like with like.
        dealt = Match(match.rules).deal(proof.deck(match.rules, number)).state
        if dealt.deck != state.deck:
            raise RecordError("proof_deck", f"deals[{number}]")
    return proof
