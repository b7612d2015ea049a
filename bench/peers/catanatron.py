"""Catanatron: whole games of Catan, a board game in Python, by four of its random players."""

from __future__ import annotations

from typing import Any

from catanatron import Color, Game, RandomPlayer

from bench.peers.clock import WHOLE, Trial, tell


def prepare(_: str) -> Trial:
    """One game at a time; to roll and to end a turn are actions, too."""
    players = [RandomPlayer(color) for color in Color]

    def play() -> Any:
        game = Game(players)
        game.play()
        return game

    return Trial(play, lambda game: len(game.state.actions))


if __name__ == "__main__":
    tell("catanatron", WHOLE, ("catan",), prepare)
