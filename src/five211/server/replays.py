"""A game that is over, step by step, for a page that knows no rules."""

from __future__ import annotations

from typing import Any

from five211.editions import words
from five211.match import happened
from five211.record import Record, replay
from five211.sentences import describe_tally
from five211.shapes import as_json, event_json
from five211.view import SPECTATOR, open_to_reader, view, visible


def replay_json(record: Record, language: str) -> dict[str, Any]:
    """Every step: what happened, and what everyone held and saw then."""
    open_to_reader(record.match)
    w = words(language, record.edition)
    names = [player.name for player in record.players]
    steps = []
    for before, after in replay(record.match):
        seen = view(after, SPECTATOR)
        steps.append(
            {
                "events": [
                    event_json(event, names, w)
                    for event in visible(happened(before, after), SPECTATOR)
                ],
                "hands": as_json(after.state.hands),
                "turns": as_json(seen.turns),
                "tally": {**as_json(seen.tally), "text": describe_tally(seen.tally, w)},
                "points": list(seen.points),
                "pile": seen.pile,
                "round": seen.round,
                "turn": seen.turn,
            }
        )
    rules = record.match.rules
    return {
        "players": names,
        "bots": [player.bot for player in record.players],
        "variant": str(rules.variant),
        "edition": record.edition,
        "result": as_json(record.match.result),
        "proof": record.extra.get("proof"),
        "steps": steps,
    }
