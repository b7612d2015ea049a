// One round as it is tapped in: every card, or only how many of each colour.
import type { Card, Color } from "../generated/protocol";
import { COLORS, colorOf, countColors, countIcons, isIcon } from "../lib/count";
import {
  type Counts,
  copiesOf,
  HAND,
  ICON_COPIES,
  isTaken,
  PER_COLOR,
  PLAYS,
  sum,
  VALUES,
  type Verdict,
  verdict,
  worth,
} from "./score";

/** All four cards of a player together, turn by turn, or only counts. */
export type Way = "cards" | "turns" | "count";
export const WAYS: Way[] = ["cards", "turns", "count"];

export interface Placed {
  seat: number;
  card: Card;
}

export interface Entry {
  way: Way;
  cards: Placed[];
  /** Only counted: the cards of each colour, the icons, and who took which. */
  counts: Counts;
  icons: number;
  taken: Placed[];
  /** What scores is being shown. */
  shown: boolean;
}

/** An icon card of which nobody said the colour: it scores for what it is. */
export const SOME_ICON = "*1";

export const newEntry = (way: Way): Entry => ({
  way,
  cards: [],
  counts: { Y: 0, G: 0, O: 0, B: 0, V: 0 },
  icons: 0,
  taken: [],
  shown: false,
});

export const handOf = (placed: Placed[], seat: number) =>
  placed.filter((one) => one.seat === seat).map((one) => one.card);

const codes = (entry: Entry) => entry.cards.map((one) => one.card);
export const colorsOn = (entry: Entry): Counts =>
  entry.way === "count" ? entry.counts : countColors(codes(entry));
export const iconsOn = (entry: Entry) =>
  entry.way === "count" ? entry.icons : countIcons(codes(entry));
export const totalOn = (entry: Entry) => sum(Object.values(colorsOn(entry)));
export const missing = (entry: Entry, players: number) => players * HAND - totalOn(entry);

/** What the round brings; null until all cards are in. */
export function outcome(entry: Entry, players: number): Verdict | null {
  return verdict(players, colorsOn(entry), iconsOn(entry));
}

/** The cards that each player takes. */
export function takes(entry: Entry, players: number): Card[][] {
  const found = outcome(entry, players);
  const all =
    entry.way === "count"
      ? entry.taken
      : found
        ? entry.cards.filter((one) => isTaken(found, one.card))
        : [];
  return Array.from({ length: players }, (_, seat) =>
    handOf(all, seat).sort((a, b) => order(a) - order(b)),
  );
}

export const order = (card: Card) => COLORS.indexOf(colorOf(card)) * 10 + worth(card);
export const pointsOf = (cards: Card[]) => sum(cards.map(worth));

/** How many scoring cards nobody has got yet (only when cards were counted). */
export function unshared(entry: Entry, players: number): number {
  const found = outcome(entry, players);
  return found && entry.way === "count" ? found.count - entry.taken.length : 0;
}

export const isDone = (entry: Entry, players: number) =>
  outcome(entry, players) !== null && unshared(entry, players) === 0;

/** Whose card comes next after this seat's: its own until its turn is full, then the next one's. */
export function nextSeat(entry: Entry, players: number, seat: number): number | null {
  const turns = PLAYS.map((_, turn) => sum(PLAYS.slice(0, turn + 1)));
  const full = entry.way === "turns" ? turns : [HAND];
  const held = Array.from({ length: players }, (_, one) => handOf(entry.cards, one).length);
  const own = held[seat] ?? 0;
  if (own > 0 && !full.includes(own)) return seat;
  for (const stage of full)
    for (let step = 1; step <= players; step++) {
      const one = (seat + step) % players;
      if ((held[one] ?? 0) < stage) return one;
    }
  return null;
}

/** The turn that a player's next card belongs to. */
export function turnOf(entry: Entry, seat: number): number {
  const held = handOf(entry.cards, seat).length;
  const at = PLAYS.findIndex((_, turn) => held < sum(PLAYS.slice(0, turn + 1)));
  return at < 0 ? PLAYS.length : at + 1;
}

// What cannot be

/** Why something is refused: a key of the words, and what they need. */
export type Refusal =
  | { why: "hand_full"; seat: number }
  | { why: "on_table" | "no_copies"; card: Card; n: number; rounds?: number[] }
  | { why: "table_full"; n: number }
  | { why: "color_gone"; color: Color; n: number }
  | { why: "icons_most" | "icons_least"; n: number }
  | { why: "icons_gone"; n: number }
  | { why: "not_so_many_icons"; n: number }
  | { why: "icons_elsewhere"; color: Color; n: number }
  | { why: "all_shared"; n: number };

/** The other rounds of the deal, with their numbers: what lay there cannot lie here. */
export type Others = { number: number; entry: Entry }[];

const known = (entry: Entry) => (entry.way === "count" ? entry.taken : entry.cards);

/** Why a card cannot be added, or null. */
export function refuseCard(
  entry: Entry,
  others: Others,
  players: number,
  seat: number,
  card: Card,
): Refusal | null {
  const counting = entry.way === "count";
  const list = known(entry);
  if (counting && unshared(entry, players) <= 0) return { why: "all_shared", n: list.length };
  if (handOf(list, seat).length >= HAND) return { why: "hand_full", seat };
  if (card === SOME_ICON) return null;
  const n = copiesOf(card);
  const here = list.filter((one) => one.card === card).length;
  if (here >= n) return { why: "on_table", card, n };
  const before = others.filter((one) => known(one.entry).some((placed) => placed.card === card));
  const used = sum(
    before.map(({ entry }) => known(entry).filter((one) => one.card === card).length),
  );
  if (here + used >= n)
    return { why: "no_copies", card, n, rounds: before.map((one) => one.number) };
  if (counting && isIcon(card) && list.filter((one) => isIcon(one.card)).length >= entry.icons)
    return { why: "not_so_many_icons", n: entry.icons };
  return null;
}

/** Why another card of a colour cannot be counted, or null. */
export function refuseColor(
  entry: Entry,
  others: Others,
  players: number,
  color: Color,
): Refusal | null {
  if (missing(entry, players) <= 0) return { why: "table_full", n: players * HAND };
  const used = sum(others.map((one) => colorsOn(one.entry)[color]));
  if (entry.counts[color] + used >= PER_COLOR) return { why: "color_gone", color, n: PER_COLOR };
  return null;
}

/** The fewest and the most icon cards that can be among cards of these colours. */
function iconRange(counts: Counts): [number, number] {
  const all = Object.values(counts);
  return [
    sum(all.map((count) => Math.max(0, count - (PER_COLOR - ICON_COPIES)))),
    sum(all.map((count) => Math.min(count, ICON_COPIES))),
  ];
}

/** Why this number of icons cannot be, or null. `rest`: cards that are not counted yet. */
export function refuseIcons(entry: Entry, others: Others, icons: number, rest = 0): Refusal | null {
  const [least, most] = iconRange(entry.counts);
  if (icons > most + rest) return { why: "icons_most", n: most };
  if (rest === 0 && icons < least) return { why: "icons_least", n: least };
  const all = ICON_COPIES * COLORS.length;
  if (icons + sum(others.map((one) => iconsOn(one.entry))) > all)
    return { why: "icons_gone", n: all };
  return null;
}

/** Why the shared cards cannot be all of them, or null: the other colours hold only so many icons. */
export function refuseShares(entry: Entry, players: number): Refusal | null {
  const found = outcome(entry, players);
  if (entry.way !== "count" || !found?.color || unshared(entry, players) !== 0) return null;
  const elsewhere = sum(
    COLORS.filter((color) => color !== found.color).map((color) =>
      Math.min(entry.counts[color], ICON_COPIES),
    ),
  );
  const n = entry.icons - elsewhere;
  const here = entry.taken.filter((one) => isIcon(one.card)).length;
  return here < n ? { why: "icons_elsewhere", color: found.color, n } : null;
}

// Reading what was kept

const whole = (value: unknown, most: number) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;

function isPlaced(value: unknown, players: number): value is Placed {
  const one = value as Placed | null;
  if (typeof one !== "object" || one === null || typeof one.card !== "string") return false;
  const card = one.card === SOME_ICON || CARDS.has(one.card);
  return card && whole(one.seat, players - 1);
}

export const CARDS: ReadonlySet<Card> = new Set(
  COLORS.flatMap((color) => VALUES.map((value) => `${color}${value}`)),
);

/** Whether what a browser kept is an entry. */
export function isEntry(value: unknown, players: number): value is Entry {
  const one = value as Entry | null;
  if (typeof one !== "object" || one === null || !WAYS.includes(one.way)) return false;
  const lists = [one.cards, one.taken];
  return (
    lists.every((list) => Array.isArray(list) && list.every((it) => isPlaced(it, players))) &&
    typeof one.counts === "object" &&
    one.counts !== null &&
    COLORS.every((color) => whole(one.counts[color], PER_COLOR)) &&
    whole(one.icons, PER_COLOR * COLORS.length) &&
    typeof one.shown === "boolean"
  );
}
