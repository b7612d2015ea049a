// Whose hand is next, from what everybody may see.
import type { Moment, View } from "../../generated/protocol";

/** What somebody at this device has put down; the public view may not know it yet. */
export interface Done {
  moment: Moment;
  seat: number;
}

const same = (a: Moment, b: Moment) =>
  a.game === b.game && a.deal === b.deal && a.round === b.round && a.turn === b.turn;

/** The people at this device who still have to choose. */
export function awaited(view: View, held: number[], done: Done | null): number[] {
  const { moment, phase } = view;
  if (phase !== "choosing" || moment === null) return [];
  return held.filter(
    (seat) => !view.chosen[seat] && !(done && done.seat === seat && same(done.moment, moment)),
  );
}

/** The next of them around the table, after whoever chose last. */
export function nextUp(waiting: number[], last: number | null): number | null {
  return waiting.find((seat) => last !== null && seat > last) ?? waiting[0] ?? null;
}

/** The people who have chosen and may look again, as long as the turn lasts. */
export function settled(view: View, held: number[], done: Done | null): number[] {
  if (view.phase !== "choosing" || view.moment === null) return [];
  const waiting = awaited(view, held, done);
  return held.filter((seat) => !waiting.includes(seat));
}
