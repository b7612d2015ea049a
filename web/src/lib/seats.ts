// The seats that this browser holds: a token is the seat, so it is kept until the game is long over.
import type { Seated } from "../generated/protocol";
import { load, save } from "./storage";

export interface HeldSeat extends Seated {
  name: string;
  at: number;
  /** The game is over: nothing to come back to, unless by the table's own address. */
  over?: boolean;
}

const KEPT = 90 * 86400_000;

function all(): Record<string, HeldSeat[]> {
  const found = load<Record<string, HeldSeat[]>>("seats", {});
  const now = Date.now();
  return Object.fromEntries(
    Object.entries(found).filter(([, seats]) => seats.some(({ at }) => now - at < KEPT)),
  );
}

/** The seats at a table; more than one where people share this device. */
export function seatsAt(table: string): HeldSeat[] {
  return all()[table] ?? [];
}

export function hold(seats: Seated[], names: string[]): void {
  const [first] = seats;
  if (!first) return;
  const held = seats.map((seat, n) => ({ ...seat, name: names[n] ?? "", at: Date.now() }));
  save("seats", { ...all(), [first.table]: held });
}

/** Somebody is at this table: its seats are kept as long again. */
export function freshen(table: string): void {
  const seats = seatsAt(table).map((seat) => ({ ...seat, at: Date.now() }));
  if (seats.length) save("seats", { ...all(), [table]: seats });
}

export function setOver(table: string, over: boolean): void {
  const seats = seatsAt(table);
  if (!seats.length || Boolean(seats[0]?.over) === over) return;
  save("seats", { ...all(), [table]: seats.map((seat) => ({ ...seat, over })) });
}

export function letGo(table: string): void {
  const { [table]: _gone, ...rest } = all();
  save("seats", rest);
}

/** Tables that one may come back to, the latest first. */
export function heldTables(): HeldSeat[] {
  return Object.values(all())
    .flatMap((seats) => seats.slice(0, 1))
    .filter(({ over }) => !over)
    .sort((a, b) => b.at - a.at);
}
