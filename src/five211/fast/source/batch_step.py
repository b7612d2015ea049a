"""The kernel that plays one turn in all games of a batch."""

from __future__ import annotations

import numpy as np
from numba import carray

from five211.fast.batch import MOMENT, NUMBER, SEATS, STATE, row_words
from five211.fast.source.chance import begin
from five211.fast.source.entry import entry
from five211.fast.source.scoring import count, scoring_byte
from five211.fast.source.stepping import (
    DEALS,
    HELD,
    LEFT,
    TURN,
    deal_row,
    field,
    legal_actions,
    new_round,
    play_turn,
)
from five211.fast.source.totals import POINTS, add_round, clear, new_piles
from five211.fast.source.views import is_legal
from five211.rules import Rules

u64 = np.uint64


def make(takes: str, players: int) -> str:
    """The kernel for so many players."""
    rules = Rules.of(players)
    last, limit, exact = u64(rules.rounds - 1), u64(rules.limit), u64(rules.exact)
    size, n = u64(row_words(players)), u64(players)

    def batch_step(games, key, goal, memory, actions, points, done, winners, legal):
        memory, actions = carray(memory, games * size), carray(actions, games * n)
        points, legal = carray(points, games * n), carray(legal, games * n)
        done, winners = carray(done, games), carray(winners, games)
        for game in range(games):  # first look at all, so that a wrong action changes nothing
            moment = memory[game * size + u64(MOMENT)]
            plays = u64(2) if field(moment, TURN) == u64(0) else u64(1)
            for seat in range(players):
                if not is_legal(actions[game * n + u64(seat)], plays, field(moment, HELD)):
                    return game * n + u64(seat)
        for game in range(games):
            row = memory[game * size : game * size + size]
            deck = row[0:13].view(np.uint8)
            hands, words = row[SEATS : SEATS + players], row[SEATS + players : SEATS + 2 * players]
            drawing = row[SEATS + 2 * players : SEATS + 3 * players]
            totals = row[SEATS + 3 * players : SEATS + 4 * players]
            moment, at = row[MOMENT], game * n
            round_, turn, held = moment & u64(0xFF), field(moment, TURN), field(moment, HELD)
            left, deals = field(moment, LEFT), moment >> u64(DEALS)
            draws, ended = round_ < last, u64(0)
            left = play_turn(players, actions, at, turn, draws, deck, left, hands, words, drawing)
            if not draws:
                held -= u64(2) if turn == u64(0) else u64(1)
            if turn < u64(2):
                for seat in range(players):
                    points[at + u64(seat)] = 0
                moment = (
                    round_
                    | (turn + u64(1)) << u64(TURN)
                    | held << u64(HELD)
                    | left << u64(LEFT)
                    | deals << u64(DEALS)
                )
            else:
                scoring = scoring_byte(count(players, words), limit, exact)
                for seat in range(players):
                    byte = (words[u64(seat)] >> (scoring << u64(3))) & u64(0xFF)
                    points[at + u64(seat)] = byte & u64(31)
                most = add_round(players, totals, words, scoring)
                reached = (most >> u64(POINTS)) >= goal
                if round_ == last or (goal and deals and reached):
                    if reached:
                        won = u64(0)
                        for seat in range(players):
                            won |= u64(totals[u64(seat)] == most) << u64(seat)
                        winners[game], ended, deals = won, u64(1), u64(0)
                        clear(players, totals)
                        row[NUMBER] += games
                        row[STATE] = begin(key, row[NUMBER])
                    else:
                        deals += u64(1)
                        new_piles(players, totals)
                    row[STATE], moment = deal_row(
                        players, row, hands, words, drawing, row[STATE], deals
                    )
                else:
                    row[STATE] = new_round(
                        players, words, drawing, round_ + u64(1) < last, row[STATE]
                    )
                    moment = (
                        (round_ + u64(1))
                        | held << u64(HELD)
                        | left << u64(LEFT)
                        | deals << u64(DEALS)
                    )
            row[MOMENT] = moment
            done[game] = ended
            plays = u64(2) if field(moment, TURN) == u64(0) else u64(1)
            held = field(moment, HELD)
            for seat in range(players):
                legal[at + u64(seat)] = legal_actions(hands[u64(seat)], plays, held)
        return -1

    return entry(takes, batch_step)
