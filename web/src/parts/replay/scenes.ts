// A finished game as scenes: each deal, each turn, each scoring. Everything is as the server told it;
// a scene only puts side by side what lies on the table and what everyone held when they chose.
import type { Cards, Replay, Round, Score, Tally } from "../../generated/protocol";
import { placesOf } from "../../lib/count";

export interface ReplayScene {
  kind: "deal" | "turn" | "score";
  deal: number;
  round: number;
  turn: number;
  /** The turns of the round, as far as they lie on the table. */
  turns: Cards[][];
  tally: Tally | null;
  /** What everyone held; in a turn, before they put their cards down. */
  hands: Cards[];
  /** The places in the hands of what was played. */
  picked: number[][];
  score: Score | null;
  points: number[];
  pile: number;
  /** What happened, in sentences. */
  lines: string[];
}

export function scenesOf({ players, steps }: Replay): ReplayScene[] {
  const scenes: ReplayScene[] = [];
  const nothing = players.map((): number[] => []);
  let hands: Cards[] = players.map(() => []);
  let points = players.map(() => 0);
  let pile = 0;
  let turns: Cards[][] = [];
  let deal = 0;
  for (const step of steps) {
    for (const event of step.events) {
      const text = event.text ? [event.text] : [];
      if (event.event === "deal_started") {
        deal = event.deal;
        ({ hands, pile } = step);
        const { round, turn, tally } = step;
        const table = { deal, round, turn, turns: [], tally, hands, points, pile };
        scenes.push({ kind: "deal", ...table, picked: nothing, score: null, lines: text });
      } else if (event.event === "revealed") {
        const { round, turn, choices } = event;
        turns = [...turns, choices];
        const going = step.turns.length === turns.length;
        const picked = choices.map((cards, seat) => placesOf(cards, hands[seat] ?? []));
        const tally = going ? step.tally : null;
        const table = { deal, round, turn, turns, tally, hands, points, pile };
        scenes.push({ kind: "turn", ...table, picked, score: null, lines: text });
      } else if (event.event === "round_scored") {
        const { round, score } = event;
        points = points.map((one, seat) => one + (score.points[seat] ?? 0));
        const turn = turns.length - 1;
        const left = step.hands;
        const table = {
          deal,
          round,
          turn,
          turns,
          tally: null,
          hands: left,
          points,
          pile: step.pile,
        };
        const lines = score.steps.flatMap((one) => (one.text ? [one.text] : []));
        scenes.push({ kind: "score", ...table, picked: nothing, score, lines });
        turns = [];
      } else {
        scenes.at(-1)?.lines.push(...text);
      }
    }
    ({ hands, points, pile } = step);
  }
  return scenes;
}

/** The rounds scored up to a scene, with where they were played. */
export function roundsUntil(scenes: ReplayScene[], at: number): PlacedRound[] {
  return scenes
    .slice(0, at + 1)
    .flatMap(({ kind, turns, score, deal, round }) =>
      kind === "score" && score ? [{ turns, score, deal, round }] : [],
    );
}

/** A round, and where it was played. */
export type PlacedRound = Round & { deal: number; round: number };

/** How many cards each turn takes, as they were played. */
export function playsOf(scenes: ReplayScene[]): number[] {
  const full = scenes.find(({ kind }) => kind === "score")?.turns ?? [];
  return full.map((turn) => turn[0]?.length ?? 1);
}

/** The limit of the table, from what the server says of an empty one. */
export function limitOf({ steps }: Replay): number {
  const [one] = steps[0]?.tally.colors ?? [];
  return one ? one.count + one.to_limit : 0;
}

/** The step that an address names: `#12`, counted from 1. */
export function stepOf(hash: string, all: number): number {
  const number = /^\d+$/.test(hash) ? Number(hash) : 1;
  return Math.max(0, Math.min(number, all) - 1);
}
