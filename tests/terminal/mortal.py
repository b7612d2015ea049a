"""A game at home in a process of its own, to be killed: it says what was confirmed, and no more."""

from __future__ import annotations

import asyncio
import sys

import msgspec

from five211.bots import entry
from five211.terminal.here import Here
from five211.terminal.saved import Setup, interrupted
from tests.terminal.people import first


async def main(setup: Setup) -> None:
    """Go on with the game that was interrupted, or begin it; to the end."""
    found = (Here.resume(log, entry) for log in interrupted())
    here = next((one for one in found if one is not None), None) or Here.begin(setup, entry)
    print("begun", flush=True)
    await here.start()
    while not here.over:
        seen = here.version
        for seat in here.people:
            now = here.look(seat)
            if now.moment is not None and now.choice is None:
                cards = first(here, seat)
                await here.choose(seat, cards)
                print(seat, *(card.code for card in cards), flush=True)
        if not here.over and here.version == seen:
            await here.after(seen)
    await here.close()
    print("over", flush=True)


if __name__ == "__main__":
    asyncio.run(main(msgspec.json.decode(sys.argv[1], type=Setup)))
