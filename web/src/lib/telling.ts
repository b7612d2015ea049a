// What a public table shows at a moment of the telling (lib/story): the view is further on already.
import type { Cards, Round, Step, View } from "../generated/protocol";
import type { Scene } from "./story.svelte";

export interface Telling {
  /** The turns that lie on the table. */
  turns: Cards[][];
  /** The steps of the scoring that have been told. */
  told: Step[];
  /** The round whose points are being given out. */
  done: Round | null;
  lit: "icons" | "kododo" | null;
}

export function tellingOf(view: View, scene: Scene | null): Telling {
  const round = scene?.round ?? null;
  const told = round && scene ? round.score.steps.slice(0, scene.told) : [];
  const done = round && scene && scene.told > round.score.steps.length ? round : null;
  const lit =
    round?.score.kind === "kododo" && told.length
      ? "kododo"
      : told.at(-1)?.step === "icons_counted"
        ? "icons"
        : null;
  return { turns: scene?.turns ?? view.turns ?? [], told, done, lit };
}

export function lastRound(view: View): Round | null {
  return view.rounds?.at(-1) ?? view.earlier?.at(-1)?.at(-1) ?? null;
}

/** A seat's points; those of the round that is being told come at its end. */
export function pointsOf(view: View, scene: Scene | null, seat: number): number | null {
  if (!view.info.show_points && view.phase !== "over") return null;
  const now = view.points?.[seat] ?? 0;
  const { turns, done } = tellingOf(view, scene);
  const ends = scene && (scene.round !== null || turns.length === view.info.turns.length);
  if (!ends || done) return now;
  return now - ((scene.round ?? lastRound(view))?.score.points[seat] ?? 0);
}

/** The round (from 1) and the turn (from 0) that the table shows. */
export function placeOf(view: View, scene: Scene | null): { round: number; turn: number } {
  const told = scene?.round ? view.rounds?.indexOf(scene.round) : -1;
  const number = scene?.number ?? (told === undefined || told < 0 ? (view.round ?? 0) : told);
  const all = view.info.turns.length;
  const turn = scene
    ? (scene.fresh ?? scene.turns.length)
    : view.phase === "over"
      ? all
      : (view.turn ?? 0);
  return { round: Math.min(number + 1, view.info.rounds), turn };
}

/** Seats in the order of the result; the server says who has won. */
export function standings(view: View): number[] {
  const { points = [], cards = [] } = view.result ?? {};
  return view.seats
    .map((_, seat) => seat)
    .sort((a, b) => (points[b] ?? 0) - (points[a] ?? 0) || (cards[b] ?? 0) - (cards[a] ?? 0));
}
