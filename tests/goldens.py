"""The golden records, and a second, deliberately naive reader of records to judge them by."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests import oracle

FOLDER = Path(__file__).parent / "golden"
NAMES = tuple(sorted(path.stem for path in FOLDER.glob("?-*.jsonl")))
PLAYS = (2, 1, 1)  # rule 3.1


def golden(name: str) -> str:
    """The text of a golden record."""
    return (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")


def golden_data(name: str) -> Any:
    """A golden record as JSON, to be changed at will."""
    return json.loads(golden(name))


def unfinished() -> list[str]:
    """The golden records of games that stopped."""
    return golden("unfinished").splitlines()


def truthful(data: Any) -> bool:
    """Whether a finished game of the standard variant holds no lie: pencil, paper, and no hurry."""
    players, (deal,) = data["game"]["players"], data["deals"]
    hands, pile = [list(hand) for hand in deal["hands"]], list(deal["pile"])
    points, cards = [0] * players, [0] * players
    for round_ in deal["rounds"]:
        table: list[list[str]] = [[] for _ in range(players)]
        draws = len(pile) > 0
        for turn, count in zip(round_["turns"], PLAYS, strict=True):
            for hand, choice, lying in zip(hands, turn, table, strict=True):
                for card in choice:
                    if card not in hand:
                        return False
                    hand.remove(card)
                    lying.append(card)
            for hand in hands if draws else []:
                hand += [pile.pop(0) for _ in range(count)]
        verdict = oracle.judge(table, oracle.EXACT[players], oracle.LIMIT[players])
        if round_["outcome"] != {"kind": verdict.kind, "color": verdict.color}:
            return False
        if round_["points"] != verdict.points:
            return False
        points = [sum(both) for both in zip(points, verdict.points, strict=True)]
        cards = [sum(both) for both in zip(cards, map(len, verdict.cards), strict=True)]
    ranks = list(zip(points, cards, strict=True))
    winners = [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]
    return bool(data["result"] == {"points": points, "cards": cards, "winners": winners})
