// What scores, and how a round stands, looked up: the tables were generated from the one scoring that
// there is (web/generate.py says what their rows mean). Nothing here decides anything.
import type { Card, Color, Score, Step, Tally } from "../generated/protocol";
import table from "../generated/scores.json";
import standings from "../generated/standings.json";
import { COLORS, colorOf, isIcon } from "../lib/count";

export type Counts = Record<Color, number>;
type Standing = Tally["colors"][number]["standing"];
type Row = [limit: number[], ties: number[][], scores: number | null];

interface Numbers {
  rounds: number;
  exact: number;
  limit: number;
  goal: number;
  rows: Record<string, Row>;
}

const PLAYERS = table.players as unknown as Record<string, Numbers>;

/** In each colour, how many cards of value 1, 2, 3, ... */
export const COPIES: readonly number[] = table.copies;
/** How many cards each player plays in each turn. */
export const PLAYS: readonly number[] = table.plays;
/** The numbers of players that there are rules for. */
export const SEATS: readonly number[] = Object.keys(PLAYERS).map(Number);

export const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
export const VALUES: readonly number[] = COPIES.map((_, place) => place + 1);
/** The cards that each player plays in a round. */
export const HAND = sum(PLAYS);
export const PER_COLOR = sum(COPIES);

export const worth = (card: Card) => Number(card.charAt(1));
export const copiesOf = (card: Card) => COPIES[worth(card) - 1] ?? 0;
export const ICON_COPIES = copiesOf("Y1");

export function numbersOf(players: number): Numbers {
  const found = PLAYERS[players];
  if (!found) throw new Error(`no rules for ${players} players`);
  return found;
}

const standingsOf = (players: number) =>
  (standings.players as Record<string, { icons: string[]; rows: Record<string, string> }>)[
    players
  ] ?? { icons: [], rows: {} };

/** The colours, the most cards first; equal ones keep their order. */
const ranked = (counts: Counts) => [...COLORS].sort((a, b) => counts[b] - counts[a]);
const keyOf = (order: Color[], counts: Counts) => order.map((color) => counts[color]).join(" ");

/** The steps of a scoring when this many cards lie on the table; null if the table is not full. */
export function judge(players: number, counts: Counts, icons: number): Step[] | null {
  const { exact, limit, rows } = numbersOf(players);
  const order = ranked(counts);
  const row = rows[keyOf(order, counts)];
  if (!row) return null;
  const counted: Step = { step: "icons_counted", found: icons, needed: exact };
  if (icons === exact) return [counted];
  const at = (place: number) => order[place] as Color;
  const [over, ties, scores] = row;
  const steps: Step[] = [counted, { step: "colors_counted", counts: { ...counts } }];
  if (over.length) {
    const struck = COLORS.filter((color) => over.some((place) => at(place) === color));
    const theirs = Object.fromEntries(struck.map((color) => [color, counts[color]]));
    steps.push({ step: "struck_for_limit", counts: theirs, limit });
  }
  for (const tie of ties)
    steps.push({ step: "struck_for_tie", colors: tie.map(at), count: counts[at(tie[0] ?? 0)] });
  if (scores === null) steps.push({ step: "nothing_left" });
  else steps.push({ step: "color_scores", color: at(scores), count: counts[at(scores)] });
  return steps;
}

export interface Verdict {
  kind: Score["kind"];
  color: Color | null;
  /** How many cards score. */
  count: number;
  steps: Step[];
}

export function verdict(players: number, counts: Counts, icons: number): Verdict | null {
  const steps = judge(players, counts, icons);
  const last = steps?.at(-1);
  if (!steps || !last) return null;
  if (last.step === "icons_counted") return { kind: "kododo", color: null, count: icons, steps };
  if (last.step === "color_scores")
    return { kind: "color", color: last.color, count: last.count, steps };
  return { kind: "none", color: null, count: 0, steps };
}

/** Whether a card is one of those that score. */
export const isTaken = (found: Verdict, card: Card) =>
  found.kind === "kododo" ? isIcon(card) : found.color === colorOf(card);

/** The count while cards are still being laid down, as the game's own tally has it. */
export function soFar(players: number, counts: Counts, icons: number): Tally {
  const { exact, limit } = numbersOf(players);
  const { rows, icons: iconStandings } = standingsOf(players);
  const order = ranked(counts);
  const row = rows[keyOf(order, counts)];
  const standing = (color: Color) =>
    standings.names[Number(row?.[order.indexOf(color)])] as Standing | undefined;
  return {
    colors: COLORS.map((color) => ({
      color,
      count: counts[color],
      to_limit: Math.max(0, limit - counts[color]),
      standing: standing(color) ?? "absent",
    })),
    icons,
    exact,
    icon_standing: (iconStandings[icons] ?? iconStandings.at(-1)) as Tally["icon_standing"],
  };
}
