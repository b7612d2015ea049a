import { mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeTable } from "../src/lib/api";
import { Attempt } from "../src/lib/attempt.svelte";
import { lookAfter } from "../src/lib/back";
import { heldTables, hold, seatsAt, setOver } from "../src/lib/seats";
import { keep, settings } from "../src/lib/settings.svelte";
import { load, save } from "../src/lib/storage";
import Trouble from "../src/parts/Trouble.svelte";

const seat = (table: string) => ({
  table,
  seat: 0,
  token: "t",
  code: "CODE42",
  watch: `watch-${table}`,
  screen: "s",
});
const names = () => heldTables().map(({ table }) => table);
const refusal = (code: string) => ({
  ok: false,
  status: 401,
  json: async () => ({ error: { code, text: `Sorry: ${code}.` } }),
});

beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

describe("settings in two tabs", () => {
  it("are merged, whichever tab writes last", () => {
    save("settings", { ...settings, sound: true, name: "Bo" }); // another tab, unheard
    settings.theme = "dark";
    keep();
    expect(load("settings", {})).toMatchObject({ sound: true, name: "Bo", theme: "dark" });
  });

  it("are heard from the other tab, and leave what is being typed here", () => {
    keep();
    settings.name = "An";
    save("settings", { ...load("settings", {}), speed: "fast" });
    dispatchEvent(new StorageEvent("storage", { key: "five211.settings" }));
    expect(settings).toMatchObject({ speed: "fast", name: "An" });
    keep();
    expect(load("settings", {})).toMatchObject({ speed: "fast", name: "An" });
  });
});

describe("your tables", () => {
  it("are those whose game is not over", () => {
    hold([seat("one")], ["Ana"]);
    hold([seat("two")], ["Ana"]);
    setOver("one", true);
    expect(names()).toEqual(["two"]);
    expect(seatsAt("one")).toHaveLength(1); // its address still opens it
    setOver("one", false); // another game there
    expect(names().sort()).toEqual(["one", "two"]);
  });

  it("are asked after at home", async () => {
    const phases: Record<string, string> = { over: "over", playing: "playing" };
    for (const table of ["over", "gone", "playing", "silent"]) hold([seat(table)], [table]);
    vi.stubGlobal("fetch", async (_: string, init: RequestInit) => {
      const table = JSON.parse(String(init.body)).door.replace("watch-", "");
      if (table === "gone") return refusal("table_unknown");
      if (table === "silent") throw new Error("no network");
      const found = { kind: "watch", table: { id: table, phase: phases[table] } };
      return { ok: true, status: 200, json: async () => found };
    });
    await Promise.all(heldTables().map(lookAfter));
    expect(names().sort()).toEqual(["playing", "silent"]);
    expect(seatsAt("over")).toHaveLength(1);
    expect(seatsAt("gone")).toHaveLength(1); // perhaps only on this server, or only today
  });
});

describe("a key that is worth nothing any more", () => {
  const asked = async (code: string) => {
    save("key", "old");
    vi.stubGlobal("fetch", async () => refusal(code));
    const asking = new Attempt();
    await asking.make(() => makeTable({ name: "Ana" }));
    const shown = mount(Trouble, { target: document.body, props: { asking } });
    const alert = document.querySelector('[role="alert"]');
    const found = [alert?.textContent?.trim(), alert?.querySelector("a")?.getAttribute("href")];
    await unmount(shown);
    return found;
  };

  it("is told with the way to where one logs in; it stays, and so does what was filled in", async () => {
    expect(await asked("key")).toEqual(["Sorry: key. Profile", "/me"]);
    expect(location.pathname).toBe("/");
    expect(load("key", null)).toBe("old");
  });

  it("is not what any other refusal is about", async () => {
    expect(await asked("server_full")).toEqual(["Sorry: server_full.", undefined]);
  });
});
