// A table whose people all sit at this device.
import type { Seated } from "../../generated/protocol";
import { makeTable, sit } from "../../lib/api";
import { Line, socketUrl } from "../../lib/line";
import { language } from "../../lib/settings.svelte";

export interface Wish {
  names: string[];
  bots: number;
  level: string;
  variant: string;
  edition: string;
}

/** Names as they are sent, one for whoever gave none, and whether two people could be confused. */
export function namesOf(
  given: string[],
  otherwise: (n: number) => string,
): { names: string[]; same: boolean } {
  const names = given.map((name, n) => name.trim() || otherwise(n + 1));
  const told = new Set(names.map((name) => name.toLocaleLowerCase()));
  return { names, same: told.size < names.length };
}

/** Make the table, seat everyone, begin. */
export async function setTable(wish: Wish): Promise<Seated[]> {
  const [first = "", ...others] = wish.names;
  const players = wish.names.length + wish.bots;
  const { variant, edition } = wish;
  const table = { name: first, players, variant, edition, words: false };
  const host = await makeTable(table, true);
  const seats = [host];
  for (const name of others) {
    seats.push(await sit(host.table, { name, code: host.code, words: false }, true));
  }
  await begin(host, wish.bots ? wish.level : null);
  return seats;
}

/** Be at the table for somebody, and keep nothing of what is heard. */
export function stand({ table, token }: Seated): Line {
  const deaf = { frame: () => {}, state: () => {} };
  return new Line(socketUrl(table), { table, token, language }, deaf);
}

/** The host begins, over a connection of a moment. */
export async function begin(seat: Seated, fill: string | null, rematch = false): Promise<void> {
  const line = stand(seat);
  try {
    if (rematch) await line.send("rematch");
    await line.send("start", fill ? { fill } : {});
  } finally {
    line.close();
  }
}

/** Everybody at this device gets up; a server that does not answer soon is not waited for. */
export async function leave(seats: Seated[]): Promise<void> {
  const up = seats.map(async (seat) => {
    const line = stand(seat);
    const patience = setTimeout(() => line.close(), 5000);
    await line.send("leave").catch(() => {});
    clearTimeout(patience);
    line.close();
  });
  await Promise.all(up);
}
