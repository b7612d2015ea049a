"""The network in compiled code: what it is told of a choice, and what it makes of it.

`five211.bots.network` has the same in NumPy, and a test holds the two together. Sums over inputs go
into all outputs at once, in one order, so that the processor can do eight at a time and every
machine finds the same numbers.
"""

from __future__ import annotations

import numpy as np

from five211.bots.network import CF, GF, H1, H2, H3, POLICY_AT, SCALES, VALUE_AT
from five211.fast.network import FEATURES, LAYERS, OUT, SPREAD
from five211.fast.packed import KINDS
from five211.fast.source.chance import below
from five211.fast.source.part import copy, part
from five211.fast.source.views import color_of, pair, single, value_of
from five211.fast.view import COLORS

f32, i64, u64 = np.float32, np.int64, np.uint64
P1, PB1, P2, PB2, P3, PB3, P4, PB4, _ = POLICY_AT
V1, VB1, V2, VB2, V3, VB3, V4, VB4, _ = VALUE_AT


@part
def look(view, cards, space):
    """How the cards still to come may fall: by colour and for the icons, into the workspace."""
    total = 0
    for kind in range(KINDS):
        total += i64(view.unseen[kind])
    for color in range(COLORS + 1):
        some = 0
        for value in range(6 if color < COLORS else COLORS):
            some += i64(view.unseen[6 * color + value if color < COLORS else 6 * value])
        chance = f32(some) / f32(total) if total else f32(0)
        into = space[color * SPREAD : (color + 1) * SPREAD]
        into[:] = f32(0)
        into[0] = f32(1)
        for done in range(cards):
            for successes in range(done + 1, 0, -1):
                into[successes] = into[successes] * (f32(1) - chance) + into[successes - 1] * chance
            into[0] *= f32(1) - chance


@part
def tell(view, cards, place, other, space):
    """What the network is told, once the cards at these places are laid; -1 is none.

    `cards` is how many may still come to the table, one's own of now left out.
    """
    seat, players, limit = i64(view.seat), i64(view.players), i64(view.limit)
    told = space[FEATURES : FEATURES + COLORS * CF + GF]
    out = space[OUT : OUT + COLORS * SPREAD]
    told[:] = f32(0)
    others = f32(players - 1)
    draws = view.pile > 0
    icons, mine_icons = i64(view.icons), i64(view.laid[seat, COLORS])
    kept_icons, kept, kept_sum = 0, 0, 0
    for at in range(i64(view.held)):
        card = i64(view.hand[at])
        color, value = color_of(card), value_of(card)
        row = told[color * CF : (color + 1) * CF]
        if at == place or at == other:
            row[0] += f32(1)
            row[8] += f32(value)
            row[9] += f32(1)
            if value == 1:
                icons += 1
                mine_icons += 1
        else:
            row[12] += f32(1)
            row[13] += f32(value)
            row[14] = max(row[14], f32(value))
            kept += 1
            kept_sum += value
            kept_icons += value == 1
    most, second = 0, 0  # the highest numbers of cards under the limit
    for color in range(COLORS):
        row = told[color * CF : (color + 1) * CF]
        row[0] += f32(view.count[color])
        row[8] += f32(view.worth[seat, color])
        row[9] += f32(view.laid[seat, color])
        count = i64(row[0])
        if count < limit:
            if count > most:
                most, second = count, most
            elif count > second:
                second = count
        theirs, best = f32(0), f32(0)
        for one in range(players):
            if one != seat:
                theirs += f32(view.worth[one, color])
                best = max(best, f32(view.worth[one, color]))
        row[10], row[11] = theirs / others, best
        less, over = f32(0), f32(0)
        for extra in range(max(limit - count, 0), cards + 1):
            over += space[color * SPREAD + extra]
        for n in range(limit):
            out[color * SPREAD + n] = less + over
            if 0 <= n - count <= cards:
                less += space[color * SPREAD + n - count]
        row[7] = over
    total = 0
    for kind in range(KINDS):
        total += i64(view.unseen[kind])
    exact = i64(view.exact) - icons
    by_icons = space[COLORS * SPREAD + exact] if 0 <= exact <= cards else f32(0)
    hope, nobody = f32(0), f32(1)
    for color in range(COLORS):
        row = told[color * CF : (color + 1) * CF]
        count = i64(row[0])
        scores = f32(0)
        for n in range(max(count, 1), min(limit, count + cards + 1)):
            alone = space[color * SPREAD + n - count]
            for rival in range(COLORS):
                if rival != color:
                    alone *= out[rival * SPREAD + n]
            scores += alone
        some, worth = 0, 0
        for value in range(6):
            some += i64(view.unseen[6 * color + value])
            worth += i64(view.unseen[6 * color + value]) * (value + 1)
        lead, held = row[8] - row[10], row[13]
        rival = second if count == most else most
        hope += scores * lead
        nobody -= scores
        row[0] = f32(count) / f32(limit)
        row[1 + min(max(limit - count, 0), 4)] = f32(1)
        row[6] = scores
        row[8] *= f32(0.1)
        row[9] *= f32(0.25)
        row[10] *= f32(0.1)
        row[11] *= f32(0.1)
        row[12] /= f32(3)
        row[13] *= f32(0.1)
        row[14] /= f32(6)
        row[15] = f32(5 * some) / f32(total) - f32(1) if total else f32(0)
        row[16] = f32(worth) / f32(3 * some) - f32(0.8) if some else f32(0)
        row[17] = scores * lead * f32(0.2)
        row[18] = scores * held * f32(0.1)
        row[19] = f32(view.turn == 0)
        row[20] = f32(view.turn == 1)
        row[21] = f32(cards) * f32(0.1)
        row[22] = f32(not draws)
        row[23] = f32(count == most and second < most and count > 0)
        row[24] = f32(count - rival) * f32(0.25)
        row[25] = row[7] * lead * f32(0.2)
    g = told[COLORS * CF :]
    g[0], g[1], g[2] = f32(view.turn == 0), f32(view.turn == 1), f32(view.turn == 2)
    g[3] = f32(not draws)
    left = i64(view.rounds) - i64(view.round)
    g[4] = f32(left) / f32(view.rounds)
    g[5], g[6], g[7] = f32(players == 3), f32(players == 4), f32(players == 5)
    g[8 + min(max(exact + 1, 0), 5)] = f32(1)
    g[14] = by_icons
    their_icons, best_icons, best_points, sum_points, ahead = 0, 0, -1000, 0, 0
    points = i64(view.points[seat])
    for one in range(players):
        if one != seat:
            their_icons += i64(view.laid[one, COLORS])
            best_icons = max(best_icons, i64(view.laid[one, COLORS]))
            best_points = max(best_points, i64(view.points[one]))
            sum_points += i64(view.points[one])
            ahead += i64(view.points[one]) > points
    g[15] = f32(mine_icons) / f32(3)
    g[16] = f32(their_icons) / others / f32(3)
    g[17] = f32(best_icons) / f32(3)
    g[18] = f32(kept_icons) / f32(3)
    some = 0
    for color in range(COLORS):
        some += i64(view.unseen[6 * color])
    g[19] = f32(4 * some) / f32(total) - f32(1) if total else f32(0)
    over_best = f32(points - best_points)
    over_mean = f32(points) - f32(sum_points) / others
    scale = SCALES[left]
    g[20], g[21] = over_best * f32(0.05), over_mean * f32(0.05)
    g[22] = min(max(over_best * scale, f32(-3)), f32(3)) * f32(0.5)
    g[23] = min(max(over_mean * scale, f32(-3)), f32(3)) * f32(0.5)
    g[24] = f32(kept_sum) / f32(15)
    g[25] = f32(cards) * f32(0.1)
    g[26] = hope * (f32(1) - by_icons) * f32(0.2)
    g[27] = by_icons * (f32(mine_icons) - f32(their_icons) / others) * f32(0.5)
    g[28] = nobody
    g[29] = f32(kept) * f32(0.2)
    g[30] = f32(ahead) / others


@part
def dense(told, inputs, weights, weight, out, outputs):
    """Add inputs times weights to the outputs; four inputs at a time, which is quicker."""
    for four in range(inputs // 4):
        index = u64(4 * four)
        a, b = told[index], told[index + u64(1)]
        c, d = told[index + u64(2)], told[index + u64(3)]
        row = u64(weight) + index * u64(outputs)
        for unit in range(outputs):
            h = u64(unit)
            out[h] += (
                a * weights[row + h]
                + b * weights[row + u64(outputs) + h]
                + c * weights[row + u64(2 * outputs) + h]
                + d * weights[row + u64(3 * outputs) + h]
            )
    for rest in range(inputs - inputs % 4, inputs):
        a, row = told[u64(rest)], u64(weight + rest * outputs)
        for unit in range(outputs):
            h = u64(unit)
            out[h] += a * weights[row + h]


@part
def judge(weights, a1, b1, a2, b2, a3, b3, space):
    """The last layer of one of the networks, from what it is told."""
    told, layers = space[FEATURES:LAYERS], space[LAYERS:]
    pooled, second, third = layers[:H1], layers[H1 : H1 + H2], layers[H1 + H2 : H1 + H2 + H3]
    unit = layers[H1 + H2 + H3 : 2 * H1 + H2 + H3]
    pooled[:] = f32(0)
    for color in range(COLORS):
        copy(unit, weights[b1 : b1 + H1])
        dense(told[color * CF : color * CF + CF], CF, weights, a1, unit, H1)
        for h in range(H1):
            pooled[h] += max(unit[h], f32(0))
    copy(second, weights[b2 : b2 + H2])
    dense(pooled, H1, weights, a2, second, H2)
    dense(told[COLORS * CF :], GF, weights, a2 + H1 * H2, second, H2)
    for h in range(H2):
        second[h] = max(second[h], f32(0))
    copy(third, weights[b3 : b3 + H3])
    dense(second, H2, weights, a3, third, H3)
    return third


@part
def worth_of(weights, space):
    """What the choice that was told is worth: the higher, the likelier it is played."""
    third = judge(weights, P1, PB1, P2, PB2, P3, PB3, space)
    worth = weights[PB4]
    for h in range(H3):
        worth += max(third[h], f32(0)) * weights[P4 + h]
    return worth


@part
def values_of(weights, view, space):
    """What a view is worth before any choice: the share of the victory, and the lead."""
    coming = i64(view.players) * (i64(view.plays) + 2 - i64(view.turn))
    look(view, coming, space)
    tell(view, coming, -1, -1, space)
    third = judge(weights, V1, VB1, V2, VB2, V3, VB3, space)
    share, lead = weights[VB4], weights[VB4 + 1]
    for h in range(H3):
        x = max(third[h], f32(0))
        share += x * weights[V4 + 2 * h]
        lead += x * weights[V4 + 2 * h + 1]
    return share, lead


@part
def is_first(hand, place, other):
    """Whether no earlier action plays the same cards."""
    if place and hand[place] == hand[place - 1]:
        return False
    return other <= place + 1 or hand[other] != hand[other - 1]


@part
def power(x):
    """e to the power of what is not above 0: by the same sums on every machine."""
    x = max(x, -40.0) / 128.0
    y = 1.0 + x * (1.0 + x * (0.5 + x * (1 / 6 + x * (1 / 24 + x * (1 / 120)))))
    for _square in range(7):
        y *= y
    return y


@part
def chances(weights, view, space, actions, shares):
    """The actions that a view allows and how likely the network plays each; how many there are."""
    number = worths(weights, view, space, actions, shares)
    to_shares(shares, number, 1.0)
    return number


@part
def worths(weights, view, space, actions, into):
    """The actions that a view allows and what each is worth, less the best; how many there are."""
    plays = i64(view.plays)
    coming = (i64(view.players) - 1) * plays + i64(view.players) * (2 - i64(view.turn))
    look(view, coming, space)
    number, best = 0, f32(-1e30)
    for place in range(i64(view.held)):
        for other in range(place + 1, i64(view.held)) if plays == 2 else range(place, place + 1):
            if is_first(view.hand, place, other):
                tell(view, coming, place, other, space)
                worth = worth_of(weights, space)
                actions[number] = single(place) if plays == 1 else pair(place, other)
                into[number] = worth
                best = max(best, worth)
                number += 1
    for index in range(number):
        into[index] -= best
    return number


@part
def to_shares(worth, number, warmth):
    """How likely each is, by what it is worth: the warmer, the more alike."""
    total = 0.0
    for index in range(number):
        worth[index] = power(worth[index] / warmth)
        total += worth[index]
    for index in range(number):
        worth[index] /= total


@part
def drawn(shares, number, rng):
    """One of the actions, as likely as its share."""
    at = float(below(rng, 1 << 52)) / float(1 << 52)
    for index in range(number - 1):
        at -= shares[index]
        if at < 0:
            return index
    return number - 1
