"""OpenSpiel: whole games in C++, by its own `evaluate_bots` with its own random bots."""

from __future__ import annotations

from typing import Any

import pyspiel

from bench.peers.clock import WHOLE, Trial, tell

GAMES = ("spades", "hearts", "crazy_eights", "goofspiel", "oh_hell", "gin_rummy")


def prepare(name: str) -> Trial:
    """One game at a time, from the deal to the end; a dealt card is no decision."""
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(game.num_players())]

    def play() -> Any:
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, 1)
        return state

    def count(state: Any) -> int:
        return sum(action.player >= 0 for action in state.full_history())

    return Trial(play, count)


if __name__ == "__main__":
    tell("open_spiel", WHOLE, GAMES, prepare)
