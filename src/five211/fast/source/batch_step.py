"""The kernel that plays one turn in all games of a batch."""

from __future__ import annotations

import numpy as np
from numba import carray

from five211.fast.batch import MOMENT, NUMBER, SEATS, STATE, UNSEEN, row_words
from five211.fast.packed import DECK_BYTES, FINE
from five211.fast.source.chance import begin
from five211.fast.source.entry import bytes_at, entry
from five211.fast.source.stepping import (
    DEALS,
    HELD,
    LEFT,
    TURN,
    deal_row,
    field,
    legal_actions,
    moment_of,
    new_round,
    observe,
    play_turn,
    plays_of,
)
from five211.fast.source.totals import (
    clear,
    ends_early,
    new_piles,
    reached,
    score_round,
    scored,
    winners_of,
)
from five211.fast.source.views import is_legal, rules_word
from five211.fast.view import WORDS_OF_VIEW
from five211.rules import Rules

u64 = np.uint64


def make(takes: str, players: int) -> str:
    """The kernel for so many players."""
    rules = Rules.of(players)
    rounds = rules.rounds
    last, limit, exact = u64(rounds - 1), u64(rules.limit), u64(rules.exact)
    size, n, aside = u64(row_words(players)), u64(players), u64(rules.aside)

    def batch_step(
        games, key, goal, memory, actions, points, done, winners, legal, observed, views
    ):
        rows, actions = carray(memory, games * size), carray(actions, games * n)
        points, legal = carray(points, games * n), carray(legal, games * n)
        done, winners = carray(done, games), carray(winners, games)
        views = carray(views, games * n * u64(WORDS_OF_VIEW))
        its_rules = rules_word(players, rounds, limit, exact)
        for game in range(games):  # first look at all, so that a wrong action changes nothing
            moment = rows[game * size + u64(MOMENT)]
            plays, held = plays_of(moment), field(moment, HELD)
            for seat in range(players):
                if not is_legal(actions[game * n + u64(seat)], plays, held):
                    return game * n + u64(seat)
        for game in range(games):
            row = rows[game * size : game * size + size]
            deck = carray(bytes_at(memory, game * size), DECK_BYTES)
            hands, words = row[SEATS : SEATS + players], row[SEATS + players : SEATS + 2 * players]
            drawing, unseen = row[SEATS + 2 * players : SEATS + 3 * players], row[UNSEEN:SEATS]
            totals = row[SEATS + 3 * players : SEATS + 4 * players]
            moment, at = row[MOMENT], game * n
            round_, turn, held = moment & u64(0xFF), field(moment, TURN), field(moment, HELD)
            left, deals = field(moment, LEFT), moment >> u64(DEALS)
            draws, ended = round_ < last, u64(0)
            left = play_turn(
                players, actions, at, turn, draws, deck, left, hands, words, unseen, drawing
            )
            if not draws:
                held -= plays_of(moment)
            if turn < u64(2):
                for seat in range(players):
                    points[at + u64(seat)] = 0
                moment = moment_of(round_, turn + u64(1), held, left, deals)
            else:
                scoring = score_round(players, words, totals, limit, exact)
                for seat in range(players):
                    points[at + u64(seat)], _cards = scored(words[u64(seat)], scoring)
                if round_ == last or ends_early(players, totals, goal, deals):
                    if reached(players, totals, goal):
                        winners[game] = winners_of(players, totals)
                        ended, deals = u64(1), u64(0)
                        clear(players, totals)
                        row[NUMBER] += games
                        row[STATE] = begin(key, row[NUMBER])
                    else:
                        deals += u64(1)
                        new_piles(players, totals)
                    row[STATE], moment = deal_row(
                        players, deck, row, hands, words, drawing, row[STATE], deals
                    )
                else:
                    row[STATE] = new_round(
                        players, words, drawing, round_ + u64(1) < last, row[STATE]
                    )
                    moment = moment_of(round_ + u64(1), u64(0), held, left, deals)
            row[MOMENT] = moment
            done[game] = ended
            plays, held = plays_of(moment), field(moment, HELD)
            for seat in range(players):
                legal[at + u64(seat)] = legal_actions(hands[u64(seat)], plays, held)
            if observed:
                observe(
                    players,
                    aside,
                    moment,
                    hands,
                    words,
                    totals,
                    unseen,
                    its_rules,
                    views[at * u64(WORDS_OF_VIEW) : (at + n) * u64(WORDS_OF_VIEW)],
                )
        return FINE

    return entry(takes, batch_step)
