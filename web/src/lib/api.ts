// The server's HTTP side.
import type {
  About,
  Door,
  ErrorBody,
  Games,
  OwnPlayer,
  PlayBody,
  Players,
  Replay,
  Seated,
  SitBody,
  Summary,
  TableBody,
} from "../generated/protocol";
import { t } from "../strings/page";
import { language } from "./settings.svelte";
import { load } from "./storage";

/** The server said no, in words for the person. */
export class Sorry extends Error {
  constructor(
    readonly code: string,
    text: string,
  ) {
    super(text);
  }
}

/** A guest sends no key: a profile is one person, who would be given one seat again and again. */
async function ask<T>(method: string, path: string, body?: object, guest = false): Promise<T> {
  const headers: Record<string, string> = { "accept-language": language() };
  const key = guest ? null : load<string | null>("key", null);
  if (key) headers.authorization = `Bearer ${key}`;
  if (body) headers["content-type"] = "application/json";
  const init: RequestInit = { method, headers };
  if (body) init.body = JSON.stringify(body);
  let answer: Response;
  let found: unknown;
  try {
    answer = await fetch(`/api/${path}`, init);
    if (answer.status === 204) return undefined as T;
    found = await answer.json();
  } catch {
    throw new Sorry("no_server", t("no_server"));
  }
  if (!answer.ok) {
    const { code, text } = (found as ErrorBody).error;
    throw new Sorry(code, text);
  }
  return found as T;
}

export const about = () => ask<About>("GET", "about");
export const makeTable = (body: TableBody, guest = false) =>
  ask<Seated>("POST", "tables", body, guest);
export const play = (body: PlayBody) => ask<Seated>("POST", "play", body);
export const openDoor = (door: string) => ask<Door>("POST", "doors", { door });
export const sit = (table: string, body: SitBody, guest = false) =>
  ask<Seated>("POST", `tables/${encodeURIComponent(table)}/seats`, body, guest);
export const moveHere = (table: string, code: string) =>
  ask<Seated>("POST", `tables/${encodeURIComponent(table)}/device`, { code });
export const tables = () => ask<{ tables: Summary[] }>("GET", "tables");
export const games = (limit = 20, player?: string) =>
  ask<Games>("GET", `games?limit=${limit}${player ? `&player=${encodeURIComponent(player)}` : ""}`);
export const replay = (game: string) =>
  ask<Replay>("GET", `games/${encodeURIComponent(game)}/replay?lang=${language()}`);
export const recordUrl = (game: string) => `/api/games/${encodeURIComponent(game)}/record`;
export const record = (game: string) =>
  ask<unknown>("GET", `games/${encodeURIComponent(game)}/record`);
export const players = () => ask<Players>("GET", "players");
export const newPlayer = (name: string) => ask<OwnPlayer>("POST", "players", { name });
export const me = () => ask<OwnPlayer>("GET", "me");
export const rename = (name: string) => ask<OwnPlayer>("PUT", "me/name", { name });
export const setPassword = (login: string, password: string) =>
  ask<OwnPlayer>("PUT", "me/password", { login, password });
export const logIn = (login: string, password: string) =>
  ask<OwnPlayer>("POST", "login", { login, password });
export const forgetMe = () => ask<void>("DELETE", "me");
