"""One look ahead: what each choice leads to, in worlds that what was played makes likely.

In a world each of the others holds a hand, picked out of a few that were dealt by chance, by how
likely it makes what its owner played in this round; and each of them plays in one of several
manners, by how likely that makes it. Everyone lays cards, and what one sees then
is worth what the network says; the end of the game is worth what it is. From the second turn on,
three players or more play the round to its end before the network is asked, everyone in their
manner and with the hand that they have in that world: who only sees the table cannot know what the
last cards will do.
"""

from __future__ import annotations

import numpy as np
from numba import carray

from five211.bots.network import LEAD, SIZE
from five211.fast.network import WORKSPACE
from five211.fast.packed import DECK_BYTES, WORDS
from five211.fast.search import CANDIDATES, MANNERS, ROOM, SCRATCH
from five211.fast.source.chance import begin, below
from five211.fast.source.entry import bytes_at, entry
from five211.fast.source.hands import card_at, insert, without
from five211.fast.source.manners import LOOSE, NOTHING_HELD, likelihoods, remove, show
from five211.fast.source.network import chances, drawn, to_shares, values_of, worths
from five211.fast.source.part import copy, part
from five211.fast.source.rollouts import read_table, read_unseen
from five211.fast.source.totals import POINTS, most_of, score_round
from five211.fast.source.turns import ask
from five211.fast.source.views import HOLDS, MOMENT, RULES, records_at, take, view_moment
from five211.fast.view import ACTIONS, FIRST, SECOND, WORDS_OF_VIEW
from five211.rules import HAND

u64, i64, f32 = np.uint64, np.int64, np.float32
A_SEAT = 16
"""Places for the actions of a seat."""
HARDLY = 0.02
"""What another does less often than this is not looked at."""
UNFIT = 0.05
"""What is left of a hand's weight that was only looked at half, because it hardly fits."""


@part
def give_back(unseen, card):
    """One card more of its kind."""
    unseen[card >> u64(3)] += u64(1) << ((card & u64(7)) << u64(3))


@part
def chance(rng):
    """A number from 0 to 1."""
    return f32(below(rng, 1 << 24)) / f32(1 << 24)


@part
def dealt(deck, left, held, rng, into):
    """So many cards out of the deck, by chance; they stay in it, at its end."""
    for place in range(held):
        at, end = below(rng, left - u64(place)), left - u64(1 + place)
        card = deck[at]
        deck[at] = deck[end]
        deck[end] = card
        into[place] = u64(card)


@part
def held_in_second_turn(cards, held, draws, played):
    """What somebody held who holds these cards after having played one: the first was drawn."""
    hand = insert(NOTHING_HELD, played)
    for place in range(1 if draws else 0, held):
        hand = insert(hand, cards[place])
    return hand


@part
def held_in_first_turn(cards, held, draws, turn, log, rng):
    """What they held at the round's begin; which two they drew since then, nobody knows."""
    kept = HAND - 2
    hand = insert(insert(NOTHING_HELD, u64(log[0])), u64(log[1]))
    if turn == u64(2) and (not draws or below(rng, HAND) < u64(kept)):
        hand = insert(hand, u64(log[2]))  # played in the second turn, and no new card then
        kept -= 1
    for place in range(kept):
        hand = insert(hand, cards[held - 1 - place])
    return hand


@part
def multiplied(weighed, likely):
    """The weights of a hand times how likely each manner is; and their sum."""
    total = f32(0)
    for manner in range(MANNERS):
        weighed[manner] *= likely[manner]
        total += weighed[manner]
    return total


@part
def picked(weighed, total, rng):
    """One place, as likely as its weight."""
    at, found = chance(rng) * total, 0
    for place in range(weighed.size):
        if weighed[place] > f32(0):
            found = place
            at -= weighed[place]
            if at < f32(0):
                break
    return found


@part
def laid_by(word, hand, action, plays, unseen):
    """A seat's word on the table once it has laid an action's cards."""
    card = card_at(hand, u64(FIRST[action]))
    take(unseen, card)
    word += WORDS[card]
    if plays == u64(2):
        card = card_at(hand, u64(SECOND[action]))
        take(unseen, card)
        word += WORDS[card]
    return word


@part
def left_over(hand, action, plays):
    """A hand without an action's cards."""
    if plays == u64(2):
        hand = without(hand, u64(SECOND[action]))
    return without(hand, u64(FIRST[action]))


@part
def result(players, totals, seat):
    """The share of the victory, and the lead over the mean of the others."""
    most, winners, others = most_of(players, totals), f32(0), f32(0)
    for other in range(players):
        winners += f32(totals[other] == most)
        if u64(other) != seat:
            others += f32(totals[other] >> u64(POINTS))
    share = f32(1) / winners if totals[seat] == most else f32(0)
    lead = f32(totals[seat] >> u64(POINTS)) - others / f32(players - 1)
    return share, lead / f32(LEAD)


@part
def fallen(shares, number, coin):
    """The place on which a coin falls, that is a number from 0 to 1."""
    for index in range(number - 1):
        coin -= shares[index]
        if coin < f32(0):
            return index
    return number - 1


@part
def last_turn(
    players,
    moment,
    held,
    hands,
    words,
    unseen,
    totals,
    ways,
    coins,
    acts,
    weights,
    policies,
    shown,
    stream,
    space,
    choices,
    how,
    rules,
):
    """Play the last turn of a round: everyone in their manner, out of their hands."""
    view = carray(shown, WORDS_OF_VIEW)
    for other in range(players):
        show(view, players, u64(other), hands[other], held, moment, words, totals, unseen, rules)
        way = i64(ways[other])
        if way == 0 or way == MANNERS - 1:
            number = worths(weights, carray(records_at(shown), 1)[0], space, choices, how)
            to_shares(how, number, 1.0 if way == 0 else LOOSE)
            acts[other] = u64(choices[fallen(how, number, coins[other])])
        else:
            acts[other] = u64(ask(policies[way], shown, stream, u64(0)))
    for other in range(players):
        action = i64(acts[other])
        words[other] = laid_by(words[other], hands[other], action, u64(1), unseen)
        hands[other] = left_over(hands[other], action, u64(1))


def make(takes: str) -> str:
    """The kernel, for any number of players."""

    def search(
        given,
        piles,
        goal,
        deals,
        log,
        weights,
        priors,
        policies,
        key,
        worlds,
        tries,
        joints,
        ends,
        found,
        actions,
        shares,
        shown,
        stream,
        scratch,
        floats,
    ):
        seen = carray(given, WORDS_OF_VIEW)
        rules, moment = seen[RULES], seen[MOMENT]
        players, rounds = i64(rules & u64(0xFF)), (rules >> u64(8)) & u64(0xFF)
        limit, exact = (rules >> u64(16)) & u64(0xFF), (rules >> u64(24)) & u64(0xFF)
        seat, held = moment & u64(0xFF), i64((moment >> u64(8)) & u64(0xFF))
        round_, turn = (moment >> u64(16)) & u64(0xFF), (moment >> u64(24)) & u64(0xFF)
        pile = (moment >> u64(40)) & u64(0xFF)
        plays, n = u64(2) if turn == u64(0) else u64(1), u64(players)
        log, weights, piles = (
            carray(log, 4 * players),
            carray(weights, SIZE),
            carray(piles, players),
        )
        priors, policies = carray(priors, players * MANNERS), carray(policies, MANNERS)
        found = carray(found, 2 * ACTIONS + 1)
        my_actions, my_shares = carray(actions, ACTIONS), carray(shares, ACTIONS)
        view, rng = carray(shown, WORDS_OF_VIEW), carray(stream, 1)
        space = carray(floats, WORKSPACE + ROOM)
        more = space[WORKSPACE:]
        choices, how, weighed = more[0:16], more[16:48], more[64 : 64 + CANDIDATES * MANNERS]
        likely = more[48 : 48 + MANNERS]
        # of each other seat: the actions that it may take now, and how likely each is
        rest = more[64 + CANDIDATES * MANNERS :]
        their_actions, their_shares = rest[: 5 * A_SEAT], rest[5 * A_SEAT : 10 * A_SEAT]
        memory = carray(scratch, SCRATCH)
        all_words, deck = memory[0:13], carray(bytes_at(scratch, u64(16)), DECK_BYTES)
        all_cards, deck_words = carray(bytes_at(scratch, u64(0)), DECK_BYTES), memory[16:29]
        laid, totals, empty = memory[32:37], memory[40:45], memory[48:53]
        after, after_totals, before = memory[56:61], memory[64:69], memory[104:109]
        unseen, unseen_first, unseen_second = memory[72:76], memory[76:80], memory[80:84]
        after_unseen, hands, numbers = memory[84:88], memory[88:93], memory[96:101]
        candidates = memory[120 : 120 + CANDIDATES * HAND]
        extra = memory[120 + CANDIDATES * HAND :]
        ways, acts, ending, unseen_end = extra[0:5], extra[5:10], extra[10:15], extra[15:19]
        hands_now, hands_end, draws = extra[19:24], extra[24:29], extra[29:39]
        coins = rest[10 * A_SEAT : 10 * A_SEAT + 5]
        to_end = players > 2 and turn == u64(1)  # the round is played to its end
        spent = u64(2) if to_end else plays  # cards that each plays until the network is asked
        own = seen[HOLDS] | NOTHING_HELD << u64(8 * HAND)
        read_table(players, seen, laid, totals)
        unknown = read_unseen(seen, own, u64(held), all_cards, unseen)
        # the table and the cards that nobody had seen, before each earlier turn of the round
        copy(before, laid)
        copy(unseen_second, unseen)
        for other in range(players):
            totals[other] += piles[other]
            empty[other] = u64(0)
            if turn == u64(2):
                before[other] -= WORDS[log[4 * other + 2]]
                give_back(unseen_second, u64(log[4 * other + 2]))
        copy(unseen_first, unseen_second)
        for index in range(4 * players if turn else 0):
            if index % 4 < 2:
                give_back(unseen_first, u64(log[index]))
        held_second = u64(HAND if pile else HAND - 2)
        pile_second = pile + n if pile and turn == u64(2) else pile
        first = view_moment(round_, 0, 2, pile_second + u64(2) * n if pile else pile)
        second = view_moment(round_, 1, 1, pile_second)
        now = view_moment(round_, turn, plays, pile)
        copy(view, seen)
        tried = chances(weights, carray(records_at(shown), 1)[0], space, my_actions, my_shares)
        ways[seat] = u64(0)  # oneself plays as the network
        found[:] = f32(0)
        for world in range(i64(worlds)):
            rng[0] = begin(key, u64(world))
            copy(deck_words, all_words)
            left = unknown
            for other in range(players):
                s = u64(other)
                if s == seat:
                    continue
                theirs = log[4 * other : 4 * other + 4]
                manners = priors[other * MANNERS : (other + 1) * MANNERS]
                several, begins, total = 0, 0, f32(0)
                while several < (i64(tries) if turn else 1):
                    cards = candidates[several * HAND : (several + 1) * HAND]
                    weight = weighed[several * MANNERS : (several + 1) * MANNERS]
                    several += 1
                    dealt(deck, left, held, rng, cards)
                    copy(weight, manners)
                    need, fit = chance(rng), f32(1)
                    if turn == u64(2):
                        hand = held_in_second_turn(cards, held, pile > 0, u64(theirs[2]))
                        show(
                            view,
                            players,
                            s,
                            hand,
                            held_second,
                            second,
                            before,
                            totals,
                            unseen_second,
                            rules,
                        )
                        likelihoods(
                            manners,
                            policies,
                            weights,
                            shown,
                            hand,
                            theirs[2:],
                            1,
                            stream,
                            space,
                            choices,
                            how,
                            likely,
                        )
                        fit = multiplied(weight, likely)
                        if need >= fit:  # not the one: the rest need not be looked at
                            likely[:] = f32(UNFIT)
                            total += multiplied(weight, likely)
                            continue
                    if turn:
                        hand = held_in_first_turn(cards, held, pile > 0, turn, theirs, rng)
                        show(
                            view,
                            players,
                            s,
                            hand,
                            u64(HAND),
                            first,
                            empty,
                            totals,
                            unseen_first,
                            rules,
                        )
                        likelihoods(
                            manners,
                            policies,
                            weights,
                            shown,
                            hand,
                            theirs,
                            2,
                            stream,
                            space,
                            choices,
                            how,
                            likely,
                        )
                        fit = multiplied(weight, likely)
                    if need < fit:  # this is the hand
                        begins, total = several - 1, fit
                        break
                    total += fit
                some = weighed[begins * MANNERS : several * MANNERS]
                place = begins * MANNERS + picked(some, total, rng)
                manner, hand = place % MANNERS, NOTHING_HELD
                for index in range(held):
                    card = candidates[place // MANNERS * HAND + index]
                    hand = insert(hand, card)
                    left = remove(deck, left, card)
                hands[other], ways[other] = hand, u64(manner)
                show(view, players, s, hand, u64(held), now, laid, totals, unseen, rules)
                at = their_actions[other * A_SEAT : (other + 1) * A_SEAT]
                often = their_shares[other * A_SEAT : (other + 1) * A_SEAT]
                if manner == 0 or manner == MANNERS - 1:
                    one = carray(records_at(shown), 1)[0]
                    number = worths(weights, one, space, at, often)
                    to_shares(often, number, 1.0 if manner == 0 else LOOSE)
                    numbers[other] = u64(number)
                else:
                    at[0], often[0] = f32(ask(policies[manner], shown, stream, u64(0))), f32(1)
                    numbers[other] = u64(1)
            drew = NOTHING_HELD
            for _draw in range(i64(plays) if pile and not to_end else 0):
                card = u64(deck[below(rng, left)])
                drew = insert(drew, card)
                left = remove(deck, left, card)
            rival = 1 - i64(seat)  # of two players, all that the other may do is looked at
            several = i64(ends) if to_end else i64(joints)
            for sample in range(i64(numbers[rival]) if players == 2 else several):
                weight = f32(1) / f32(several)
                if players == 2:
                    weight = their_shares[rival * A_SEAT + sample]
                    if weight < f32(HARDLY):
                        continue
                found[2 * ACTIONS] += weight  # the last of them is the weight of all
                copy(after, laid)
                copy(after_unseen, unseen)
                for other in range(players):
                    if u64(other) != seat:
                        index = sample
                        if players > 2:
                            often = their_shares[other * A_SEAT : (other + 1) * A_SEAT]
                            index = drawn(often, i64(numbers[other]), rng)
                        action = i64(their_actions[other * A_SEAT + index])
                        word, hand = after[other], hands[other]
                        after[other] = laid_by(word, hand, action, plays, after_unseen)
                        hands_now[other] = left_over(hand, action, plays)
                if to_end:  # the same luck for each of one's choices
                    for other in range(players):
                        coins[other] = chance(rng)
                    if pile:
                        dealt(deck, left, 2 * players, rng, draws)
                        for other in range(players):
                            if u64(other) != seat:
                                hands_now[other] = insert(hands_now[other], draws[other])
                for index in range(tried):
                    action, word = i64(my_actions[index]), after[seat]
                    after[seat] = laid_by(word, own, action, plays, after_unseen)
                    hand = left_over(own, action, plays)
                    for card in range(i64(plays) if pile else 0):
                        new = draws[seat] if to_end else card_at(drew, u64(card))
                        hand = insert(hand, new)
                    copy(after_totals, totals)
                    table, unseen_then = after, after_unseen
                    if to_end:
                        table, unseen_then = ending, unseen_end
                        copy(ending, after)
                        copy(unseen_end, after_unseen)
                        copy(hands_end, hands_now)
                        hands_end[seat] = hand
                        last_turn(
                            players,
                            view_moment(round_, 2, 1, pile - n if pile else pile),
                            u64(held) if pile else u64(held - 1),
                            hands_end,
                            ending,
                            unseen_end,
                            totals,
                            ways,
                            coins,
                            acts,
                            weights,
                            policies,
                            shown,
                            stream,
                            space,
                            choices,
                            how,
                            rules,
                        )
                        hand = hands_end[seat]
                        if pile:
                            hand = insert(hand, draws[n + seat])
                    ends_round = to_end or turn == u64(2)
                    over, last = False, ends_round and round_ + u64(1) == rounds
                    if ends_round:
                        score_round(players, table, after_totals, limit, exact)
                        most = most_of(players, after_totals) >> u64(POINTS)
                        over = most >= goal and (last or (goal and deals))  # rules 5.1 and 6.3
                    if over or last:
                        share, lead = result(players, after_totals, seat)
                    else:
                        to_draw = pile - spent * n if pile else pile
                        where = view_moment(round_, turn + u64(1), 1, to_draw)
                        if ends_round:
                            table, where = empty, view_moment(round_ + u64(1), 0, 2, to_draw)
                        holds = u64(held) if pile else u64(held) - plays
                        show(
                            view,
                            players,
                            seat,
                            hand,
                            holds,
                            where,
                            table,
                            after_totals,
                            unseen_then,
                            rules,
                        )
                        share, lead = values_of(weights, carray(records_at(shown), 1)[0], space)
                    if goal and not over:  # the network knows of one deal only
                        share = f32(1) / f32(players)
                    found[2 * index] += weight * share
                    found[2 * index + 1] += weight * lead
                    after[seat] = word
                    give_back(after_unseen, card_at(own, u64(FIRST[action])))
                    if plays == u64(2):
                        give_back(after_unseen, card_at(own, u64(SECOND[action])))
        return tried

    return entry(takes, search)
