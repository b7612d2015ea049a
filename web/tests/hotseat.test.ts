import { afterEach, describe, expect, it, vi } from "vitest";
import type { Seated, View } from "../src/generated/protocol";
import { leave, namesOf, setTable } from "../src/parts/hotseat/make";
import { awaited, nextUp, settled } from "../src/parts/hotseat/order";

const moment = { game: 1, deal: 0, round: 2, turn: 1 };

function view(chosen: boolean[], more: Partial<View> = {}): View {
  return { phase: "choosing", moment, chosen, ...more } as unknown as View;
}

describe("whose hand is next", () => {
  it("is somebody at this device who has not chosen", () => {
    expect(awaited(view([false, true, false, false]), [0, 1, 2], null)).toEqual([0, 2]);
    expect(settled(view([false, true, false, false]), [0, 1, 2], null)).toEqual([1]);
  });

  it("is nobody whose choice the server has confirmed, even before the table shows it", () => {
    const done = { moment: { ...moment }, seat: 0 };
    expect(awaited(view([false, false]), [0, 1], done)).toEqual([1]);
    expect(settled(view([false, false]), [0, 1], done)).toEqual([0]);
  });

  it("is everybody again in the next turn", () => {
    const done = { moment: { ...moment, turn: 0 }, seat: 0 };
    expect(awaited(view([false, false]), [0, 1], done)).toEqual([0, 1]);
  });

  it("is nobody while nothing can be chosen", () => {
    expect(awaited(view([false], { phase: "over" }), [0], null)).toEqual([]);
    expect(awaited(view([false], { moment: null }), [0], null)).toEqual([]);
    expect(settled(view([true], { phase: "over" }), [0], null)).toEqual([]);
  });

  it("goes around the table", () => {
    expect(nextUp([0, 1, 3], null)).toBe(0);
    expect(nextUp([0, 1, 3], 1)).toBe(3);
    expect(nextUp([0, 1, 3], 3)).toBe(0);
    expect(nextUp([], 1)).toBeNull();
  });
});

describe("the names", () => {
  it("are trimmed, and two of the same are found", () => {
    const other = (n: number) => `Player ${n}`;
    expect(namesOf([" Ana ", "Bo"], other)).toEqual({ names: ["Ana", "Bo"], same: false });
    expect(namesOf(["Ana", "ana"], other).same).toBe(true);
    expect(namesOf(["", " "], other)).toEqual({ names: ["Player 1", "Player 2"], same: false });
    expect(namesOf(["player 2", ""], other).same).toBe(true);
  });
});

describe("setting the table", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("seats everyone as a guest, and has the host begin", async () => {
    localStorage.setItem("five211.key", '"secret-key"');
    const calls: { path: string; init: RequestInit }[] = [];
    const seated = (seat: number) => ({
      table: "tab",
      seat,
      token: `token-${seat}`,
      code: "CODE42",
    });
    vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
      calls.push({ path, init });
      return { ok: true, status: 201, json: async () => seated(calls.length - 1) };
    });
    const sent: Record<string, unknown>[] = [];
    vi.stubGlobal(
      "WebSocket",
      class {
        onopen = () => {};
        onmessage = (_: { data: string }) => {};
        constructor() {
          queueMicrotask(() => this.onopen());
        }
        send(text: string) {
          const said = JSON.parse(text) as Record<string, unknown>;
          sent.push(said);
          const answers = said.id ? [{ id: said.id, done: true }] : [];
          const frame = { n: 1, events: [], view: { you: 0 }, answers };
          queueMicrotask(() => this.onmessage({ data: JSON.stringify(frame) }));
        }
        close() {}
      },
    );

    const wish = { names: ["Ana", "Bo"], bots: 1, level: "easy", variant: "standard" };
    const seats = await setTable({ ...wish, edition: "azul" });

    expect(seats.map(({ token }) => token)).toEqual(["token-0", "token-1"]);
    expect(calls.map(({ path }) => path)).toEqual(["/api/tables", "/api/tables/tab/seats"]);
    const bodies = calls.map(({ init }) => JSON.parse(String(init.body)));
    expect(bodies[0]).toMatchObject({ name: "Ana", players: 3, edition: "azul", words: false });
    expect(bodies[1]).toMatchObject({ name: "Bo", code: "CODE42", words: false });
    for (const { init } of calls) expect(JSON.stringify(init.headers)).not.toContain("secret-key");
    expect(sent[0]).toMatchObject({ type: "hello", table: "tab", token: "token-0" });
    expect(sent[1]).toMatchObject({ type: "start", fill: "easy" });
    localStorage.clear();
  });

  it("gets everybody up at the end, and does not wait for a server that is gone", async () => {
    vi.useFakeTimers();
    const sent: string[] = [];
    vi.stubGlobal(
      "WebSocket",
      class {
        onopen = () => {};
        onmessage = (_: { data: string }) => {};
        constructor() {
          queueMicrotask(() => this.onopen());
        }
        send(text: string) {
          const { type, id, token } = JSON.parse(text) as Record<string, string>;
          sent.push(`${type} ${token ?? ""}`.trim());
          if (token === "silent") return;
          const answers = id ? [{ id, done: true }] : [];
          const frame = { n: 1, events: [], view: { you: 0 }, answers };
          queueMicrotask(() => this.onmessage({ data: JSON.stringify(frame) }));
        }
        close() {}
      },
    );
    const seats = ["one", "two", "silent"].map((token, seat) => ({ table: "tab", seat, token }));
    const all = leave(seats as Seated[]);
    await vi.advanceTimersByTimeAsync(6000);
    await all;
    expect(sent.filter((one) => one === "leave")).toHaveLength(2);
    expect(sent.filter((one) => one === "hello silent")).toHaveLength(1);
    vi.useRealTimers();
  });

  it("says why the server refuses", async () => {
    vi.stubGlobal("fetch", async () => ({
      ok: false,
      json: async () => ({ error: { code: "name", text: "That name is too long." } }),
    }));
    const wish = { names: ["Ana", "Bo"], bots: 0, level: "", variant: "standard", edition: "azul" };
    await expect(setTable(wish)).rejects.toThrow("That name is too long.");
  });
});
