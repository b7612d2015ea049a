"""What players call the bots: a character with a name, and a sentence about it.

A name is the same in every language, since everybody at a table sees the same seats. No two begin
with the same letter, nor with that of a colour. Bots that are not here go by their own name.
"""

from __future__ import annotations

from five211 import texts

NAMES = {
    "random": "Kiwi",
    "hasty": "Maxi",
    "heuristic": "Domino",
    "neural": "Saga",
    "expert": "Lynx",
}


def called(bot: str) -> str:
    """What players call a bot.

    >>> called("hasty"), called("mine")
    ('Maxi', 'Mine')
    """
    return NAMES.get(bot) or bot[:1].upper() + bot[1:]


def character(language: str, bot: str) -> str | None:
    """What a bot is like, to follow its name; none for bots that are not characters of ours.

    >>> character("en", "random")
    'plays whatever comes to hand.'
    """
    return texts.fill(language, f"characters.{bot}") if bot in NAMES else None
