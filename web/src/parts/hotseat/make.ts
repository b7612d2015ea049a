// A table whose people all sit at this device.
import type { ErrorBody, Seated, SitBody, TableBody } from "../../generated/protocol";
import { Sorry } from "../../lib/api";
import { Line, socketUrl } from "../../lib/line";
import { language } from "../../lib/settings.svelte";

export interface Wish {
  names: string[];
  bots: number;
  level: string;
  variant: string;
  edition: string;
}

/** Names as they are sent, and whether two people could be confused. */
export function namesOf(given: string[]): { names: string[]; same: boolean } {
  const names = given.map((name) => name.trim()).filter(Boolean);
  const told = new Set(names.map((name) => name.toLocaleLowerCase()));
  return { names, same: told.size < names.length };
}

// Without this browser's key: a profile is one person, and would be given one seat again and again.
async function asGuest(path: string, body: TableBody | SitBody): Promise<Seated> {
  const answer = await fetch(`/api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "accept-language": language() },
    body: JSON.stringify(body),
  });
  const found: unknown = await answer.json();
  if (answer.ok) return found as Seated;
  const { code, text } = (found as ErrorBody).error;
  throw new Sorry(code, text);
}

/** Make the table, seat everyone, begin. */
export async function setTable(wish: Wish): Promise<Seated[]> {
  const [first = "", ...others] = wish.names;
  const players = wish.names.length + wish.bots;
  const { variant, edition } = wish;
  const host = await asGuest("tables", { name: first, players, variant, edition, words: false });
  const seats = [host];
  for (const name of others) {
    const body = { name, code: host.code, words: false };
    seats.push(await asGuest(`tables/${encodeURIComponent(host.table)}/seats`, body));
  }
  await begin(host, wish.bots ? wish.level : null);
  return seats;
}

/** Be at the table for somebody, and keep nothing of what is heard. */
export function stand({ table, token }: Seated): Line {
  const deaf = { frame: () => {}, state: () => {} };
  return new Line(socketUrl(), { table, token, language: language() }, deaf);
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
