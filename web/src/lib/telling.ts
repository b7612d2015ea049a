// What a public table shows at a moment of the telling (lib/story): the view is further on already.
import type { Cards, Round, Step, View } from "../generated/protocol";
import type { Scene, Where } from "./story.svelte";

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

/** Where a round of the view is in the game. */
export function whereIs(view: View, round: Round): Where {
  const deals = [...(view.earlier ?? []), view.rounds ?? []];
  const deal = deals.findIndex((rounds) => rounds.includes(round));
  return { deal, round: deals[deal]?.indexOf(round) ?? 0 };
}

/** Whether what is told is about another round than the one that is being played. */
export function isPast(view: View, scene: Scene | null): boolean {
  if (!scene) return false;
  return view.phase === "over" || scene.deal !== (view.deal ?? 0) || scene.number !== view.round;
}

/** The last round whose end may be told in a line: one that is still being turned over may not. */
export function lastTold(view: View, scene: Scene | null): Round | null {
  const last = lastRound(view);
  return scene?.kind === "reveal" && isPast(view, scene) ? null : last;
}

/** A seat's points; while a round is told, as they were before it, and with it at its end. */
export function pointsOf(view: View, scene: Scene | null, seat: number): number | null {
  if (!view.info.show_points && view.phase !== "over") return null;
  if (!scene) return view.points?.[seat] ?? 0;
  const { done } = tellingOf(view, scene);
  const deals = [...(view.earlier ?? []), view.rounds ?? []];
  const before = deals
    .slice(0, scene.deal + 1)
    .flatMap((rounds, deal) => (deal === scene.deal ? rounds.slice(0, scene.number) : rounds));
  return [...before, ...(done ? [done] : [])].reduce(
    (sum, round) => sum + (round.score.points[seat] ?? 0),
    0,
  );
}

/** The round (from 1) and the turn (from 0) that the table shows. */
export function placeOf(view: View, scene: Scene | null): { round: number; turn: number } {
  const { rounds, turns } = view.info;
  const round = Math.min((scene?.number ?? view.round ?? 0) + 1, rounds);
  if (scene) return { round, turn: scene.fresh ?? scene.turns.length };
  return { round, turn: view.phase === "over" ? turns.length : (view.turn ?? 0) };
}

/** Every round of the game so far. */
export function allRounds(view: View): Round[] {
  return [...(view.earlier ?? []).flat(), ...(view.rounds ?? [])];
}

/** What broke a tie of points at the top, as a key of strings/over; none if there was no tie. */
export function tieOf({ result }: View): "tie_shared" | "tie_cards" | null {
  if (!result) return null;
  const best = Math.max(...result.points);
  if (result.points.filter((points) => points === best).length < 2) return null;
  return result.winners.length > 1 ? "tie_shared" : "tie_cards";
}

/** Seats in the order of the result; the server says who has won. */
export function standings(view: View): number[] {
  const { points = [], cards = [] } = view.result ?? {};
  return view.seats
    .map((_, seat) => seat)
    .sort((a, b) => (points[b] ?? 0) - (points[a] ?? 0) || (cards[b] ?? 0) - (cards[a] ?? 0));
}
