import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { settings } from "../src/lib/settings.svelte";
import { load, save } from "../src/lib/storage";
import { Profile } from "../src/parts/me/profile.svelte";
import Me from "../src/screens/Me.svelte";

type Answer = { status: number; body: object };
const refused = (status: number, code: string): Answer => ({
  status,
  body: { error: { code, text: `Sorry: ${code}.` } },
});
const person = (name: string) => ({
  player: { id: name, name, rating: 1500, games: 0, wins: 0 },
  login: null,
  key: null,
});

let me: () => Answer;
let games: (player: string) => Promise<Answer>;
let silent = false;

beforeEach(() => {
  localStorage.clear();
  settings.language = "en";
  silent = false;
  games = async () => ({ status: 200, body: { games: [] } });
  vi.stubGlobal("fetch", async (url: string) => {
    let answer: Answer = { status: 200, body: { players: [] } };
    if (url === "/api/me" && silent) throw new Error("no network");
    if (url === "/api/me") answer = me();
    if (url.startsWith("/api/games")) answer = await games(url.split("player=")[1] ?? "");
    const { status, body } = answer;
    return { ok: status < 400, status, json: async () => body };
  });
});
afterEach(() => {
  settings.language = "auto";
  vi.unstubAllGlobals();
});

const settled = async () => {
  await new Promise((done) => setTimeout(done, 5));
  flushSync();
};

describe("somebody with a key", () => {
  const shown = () => document.body.textContent ?? "";

  it.each([
    ["is down", () => refused(503, "server_full")],
    ["does not answer", null],
  ])("whose server %s is not asked to make a profile, but to try again", async (_, says) => {
    save("key", "good");
    silent = says === null;
    if (says) me = says;
    const screen = mount(Me, { target: document.body });
    await settled();
    expect(shown()).not.toContain("Make a profile");
    silent = false;
    me = () => ({ status: 200, body: person("Ana") });
    const again = [...document.querySelectorAll("button")].find(
      (one) => one.textContent === "Try again",
    );
    again?.click();
    await settled();
    expect(document.querySelector(".who h2")?.textContent).toBe("Ana");
    expect(load("key", null)).toBe("good");
    await unmount(screen);
  });

  it("that opens nothing any more may make a profile, and so may whoever has none", async () => {
    for (const key of ["old", null]) {
      save("key", key);
      me = () => refused(401, "key");
      const screen = mount(Me, { target: document.body });
      await settled();
      expect(shown()).toContain("Make a profile");
      await unmount(screen);
    }
  });
});

describe("a profile's games", () => {
  it("that come late are not shown as somebody else's", async () => {
    save("key", "one");
    me = () => ({ status: 200, body: person("Ana") });
    let late: (answer: Answer) => void = () => {};
    games = () => new Promise((resolve) => (late = resolve));
    const profile = new Profile();
    await settled();
    games = async () => ({ status: 200, body: { games: [{ id: "bo-1" }] } });
    me = () => ({ status: 200, body: person("Bo") });
    await profile.importKey("two");
    await settled();
    late({ status: 200, body: { games: [{ id: "ana-1" }] } });
    await settled();
    expect(profile.mine.map(({ id }) => id)).toEqual(["bo-1"]);
  });
});
