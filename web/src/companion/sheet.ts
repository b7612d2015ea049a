// The score sheet of a whole game: its deals, totals, and how it ends (rules 5 and 6).
import { type Entry, isDone, isEntry, type Others, pointsOf, takes } from "./entry";
import { numbersOf, SEATS } from "./score";

export interface Game {
  names: string[];
  edition: "classic" | "azul";
  variant: "standard" | "long";
  rounds: Entry[];
}

export interface Line {
  /** The number of the round in the game, from 0; its deal, and its number there, from 1. */
  index: number;
  deal: number;
  round: number;
  points: number[];
  cards: number[];
  /** After this round. */
  totals: number[];
}

export interface Sheet {
  lines: Line[];
  totals: number[];
  /** The cards in the score piles: of this deal, since the earlier ones went back into the deck. */
  piles: number[];
  deal: number;
  /** The round that is being played, in its deal; and how many a deal has. */
  round: number;
  rounds: number;
  lastRound: boolean;
  over: boolean;
  /** Rounds that were written down after the end (an earlier one was corrected since). */
  surplus: number;
}

export function sheetOf(game: Game): Sheet {
  const players = game.names.length;
  const { rounds, goal } = numbersOf(players);
  const lines: Line[] = [];
  let totals = Array<number>(players).fill(0);
  let piles = [...totals];
  let over = false;
  for (const [index, entry] of game.rounds.entries()) {
    if (over) break;
    const deal = Math.floor(index / rounds) + 1;
    const round = (index % rounds) + 1;
    const taken = takes(entry, players);
    const points = taken.map(pointsOf);
    const cards = taken.map((one) => one.length);
    totals = add(totals, points);
    piles = round === 1 ? cards : add(piles, cards);
    lines.push({ index, deal, round, points, cards, totals });
    const reached = game.variant === "long" && Math.max(...totals) >= goal;
    const dealt = round === rounds;
    over = game.variant === "standard" ? dealt : reached && (dealt || deal > 1);
  }
  const played = lines.length;
  const round = (played % rounds) + 1;
  return {
    lines,
    totals,
    piles,
    deal: over ? (lines.at(-1)?.deal ?? 1) : Math.floor(played / rounds) + 1,
    round,
    rounds,
    lastRound: !over && round === rounds,
    over,
    surplus: game.rounds.length - played,
  };
}

const add = (some: number[], more: number[]) => some.map((one, seat) => one + (more[seat] ?? 0));

export interface Ending {
  winners: number[];
  /** What decided: points alone, the cards in the score pile, or nothing could. */
  by: "points" | "cards" | "shared";
  /** Who had the most points. */
  first: number[];
  points: number;
  cards: number;
}

/** Who wins (rules 5.2 and 6.4). */
export function ending(sheet: Sheet): Ending {
  const points = Math.max(...sheet.totals);
  const first = sheet.totals.flatMap((one, seat) => (one === points ? [seat] : []));
  const cards = Math.max(...first.map((seat) => sheet.piles[seat] ?? 0));
  const winners = first.filter((seat) => sheet.piles[seat] === cards);
  const by = first.length === 1 ? "points" : winners.length === 1 ? "cards" : "shared";
  return { winners, by, first, points, cards };
}

/** The other rounds of the same deal: their cards are out of the deck. */
export function othersOf(game: Game, index: number): Others {
  const { rounds } = numbersOf(game.names.length);
  const deal = Math.floor(index / rounds);
  return game.rounds.flatMap((entry, one) =>
    one !== index && Math.floor(one / rounds) === deal
      ? [{ number: (one % rounds) + 1, entry }]
      : [],
  );
}

/** All that is kept in the browser. */
export interface Kept {
  version: 1;
  game: Game;
  /** The round that is being tapped in. */
  draft: Entry;
  seat: number;
  /** An earlier round that is being corrected. */
  fixing: { index: number; entry: Entry; seat: number } | null;
}

/** What a browser kept, if it can still be read. */
export function readKept(value: unknown): Kept | null {
  const kept = value as Kept | null;
  if (typeof kept !== "object" || kept === null || kept.version !== 1) return null;
  const { game, draft, seat, fixing } = kept;
  if (typeof game !== "object" || game === null || !Array.isArray(game.names)) return null;
  const players = game.names.length;
  const fine =
    SEATS.includes(players) &&
    game.names.every((name) => typeof name === "string") &&
    (game.edition === "classic" || game.edition === "azul") &&
    (game.variant === "standard" || game.variant === "long") &&
    Array.isArray(game.rounds) &&
    game.rounds.every((one) => isEntry(one, players) && isDone(one, players)) &&
    isEntry(draft, players) &&
    Number.isInteger(seat) &&
    seat >= 0 &&
    seat < players;
  if (!fine) return null;
  const sound =
    fixing &&
    isEntry(fixing.entry, players) &&
    fixing.index in game.rounds &&
    Number.isInteger(fixing.seat) &&
    fixing.seat >= 0 &&
    fixing.seat < players;
  return { version: 1, game, draft, seat, fixing: sound ? fixing : null };
}
