// 5211 for boardgame.io, by our own docs/rules.md: the same game as five211's, so that the two
// servers do the same work. Where there was a choice, it is the one that is cheaper for
// boardgame.io: nothing kept for undo, and a rematch inside the match instead of a new match.
"use strict";

const { ActivePlayers, INVALID_MOVE } = require("boardgame.io/core");

const COLORS = "YGOBV";
const COPIES = [5, 6, 5, 2, 1, 1]; // of the values 1 to 6, in each colour
const HAND = 5;
const PLAYS = [2, 1, 1];
const ASIDE = { 2: 10, 3: 13, 4: 0, 5: 15 };
const GOAL = 50;

const DECK = [...COLORS].flatMap((color) =>
  COPIES.flatMap((copies, index) => Array(copies).fill(`${color}${index + 1}`)),
);

// What a round scores (rule 4).
function score(table) {
  const players = table.length;
  const all = table.flat();
  const scoring = (good) => {
    const cards = table.map((seat) => seat.filter(good));
    return {
      cards: cards.map((seat) => seat.length),
      points: cards.map((seat) => seat.reduce((sum, card) => sum + Number(card[1]), 0)),
    };
  };
  const isIcon = (card) => card[1] === "1";
  if (all.filter(isIcon).length === players + 2) {
    return { kind: "kododo", color: null, ...scoring(isIcon) };
  }
  const counts = [...COLORS].map((color) => [color, all.filter((c) => c[0] === color).length]);
  const left = counts.filter(([, count]) => count > 0 && count < players + 3);
  const alone = left.filter(([, count]) => left.filter(([, n]) => n === count).length === 1);
  if (alone.length === 0) return { kind: "none", color: null, ...scoring(() => false) };
  const [color] = alone.reduce((best, one) => (one[1] > best[1] ? one : best));
  return { kind: "color", color, ...scoring((card) => card[0] === color) };
}

function deal(G, random) {
  const cards = random.Shuffle(DECK);
  cards.splice(0, ASIDE[G.hands.length]);
  G.hands = G.hands.map(() => cards.splice(0, HAND).sort());
  G.secret = { pile: cards };
  G.pile = cards.length;
  G.turns = [];
  G.rounds = [];
  G.piles = G.hands.map(() => 0);
}

function begin(players, goal, game, random) {
  const each = (value) => Array(players).fill(value);
  const G = {
    goal,
    moment: { game, deal: 0, round: 0, turn: 0 },
    hands: each([]),
    choices: each(null),
    chosen: each(false),
    points: each(0),
    earlier: [],
    result: null,
  };
  deal(G, random);
  return G;
}

function reveal(G, random) {
  const played = G.choices.map((cards) => [...cards]);
  G.turns.push(played);
  G.hands.forEach((hand, seat) => {
    for (const card of played[seat]) hand.splice(hand.indexOf(card), 1);
    if (G.pile > 0) hand.push(...G.secret.pile.splice(0, played[seat].length));
    hand.sort();
  });
  G.pile = G.secret.pile.length;
  G.choices = G.choices.map(() => null);
  G.chosen = G.chosen.map(() => false);
  G.moment.turn += 1;
  if (G.turns.length === PLAYS.length) endRound(G, random);
}

function endRound(G, random) {
  const table = G.hands.map((_, seat) => G.turns.flatMap((turn) => turn[seat]));
  const scored = score(table);
  const last = G.hands[0].length < HAND; // nothing was drawn in it (rule 5.1)
  G.rounds.push({ turns: G.turns, score: scored });
  G.turns = [];
  G.points = G.points.map((points, seat) => points + scored.points[seat]);
  G.piles = G.piles.map((count, seat) => count + scored.cards[seat]);
  G.moment.round += 1;
  G.moment.turn = 0;
  const reached = G.goal === null || Math.max(...G.points) >= G.goal;
  if (reached && (last || (G.goal !== null && G.moment.deal > 0))) {
    const rank = (seat) => G.points[seat] * 1000 + G.piles[seat];
    const best = Math.max(...G.hands.map((_, seat) => rank(seat)));
    const winners = G.hands.map((_, seat) => seat).filter((seat) => rank(seat) === best);
    G.result = { points: [...G.points], cards: [...G.piles], winners };
  } else if (last) {
    G.earlier.push(G.rounds);
    G.moment.deal += 1;
    G.moment.round = 0;
    deal(G, random);
  }
}

function choose({ G, playerID, random }, moment, cards) {
  const seat = Number(playerID);
  const now = G.moment;
  const stale = ["game", "deal", "round", "turn"].some((part) => moment?.[part] !== now[part]);
  if (stale || G.result !== null || !Array.isArray(cards)) return INVALID_MOVE;
  if (cards.length !== PLAYS[now.turn]) return INVALID_MOVE;
  const rest = [...G.hands[seat]];
  for (const card of cards) {
    const at = rest.indexOf(card);
    if (at < 0) return INVALID_MOVE;
    rest.splice(at, 1);
  }
  G.choices[seat] = [...cards].sort();
  G.chosen[seat] = true;
  if (G.chosen.every(Boolean)) reveal(G, random);
  return undefined;
}

function again({ G, playerID, random }) {
  if (G.result === null || playerID !== "0") return INVALID_MOVE;
  return begin(G.hands.length, G.goal, G.moment.game + 1, random);
}

// Everyone moves at once, so nobody's move may be called stale; choices are secret in the log too.
const simultaneous = (move) => ({ move, client: false, ignoreStaleStateID: true, redact: true });

module.exports = {
  FiveTwoOneOne: {
    name: "5211",
    minPlayers: 2,
    maxPlayers: 5,
    disableUndo: true,
    setup: ({ ctx, random }, options) =>
      begin(ctx.numPlayers, options?.variant === "long" ? GOAL : null, 0, random),
    turn: { activePlayers: ActivePlayers.ALL },
    moves: { choose: simultaneous(choose), again: simultaneous(again) },
    // One's own hand and face-down choice, and nothing of the pile or of the others'.
    playerView: ({ G, playerID }) => {
      const { secret, hands, choices, ...open } = G;
      const seat = playerID === null || playerID === undefined ? -1 : Number(playerID);
      return { ...open, hand: hands[seat] ?? [], choice: choices[seat] ?? null };
    },
  },
};
