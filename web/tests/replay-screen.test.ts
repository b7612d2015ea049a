import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { go } from "../src/lib/route.svelte";
import { settings } from "../src/lib/settings.svelte";
import Replay from "../src/screens/Replay.svelte";

const hands = [["Y1", "G2"], ["B2"]];
const tally = { colors: [], icons: 0, exact: 4, icon_standing: "few" };
const step = (event: object) => ({
  events: [event],
  hands,
  turns: [],
  tally,
  points: [0, 0],
  pile: 80,
  round: 0,
  turn: 0,
});
const turn = (n: number) =>
  step({ event: "revealed", deal: 0, round: 0, turn: n, choices: hands, text: "Shown." });
const game = {
  players: ["Ana", "Bo"],
  bots: [null, null],
  variant: "standard",
  edition: "classic",
  result: { points: [2, 0], cards: [1, 0], winners: [0] },
  proof: null,
  steps: [step({ event: "deal_started", deal: 0, pile: 80, text: "Dealt." }), turn(0), turn(1)],
};

let asked: string[] = [];

describe("a replay on the screen", () => {
  beforeEach(() => {
    asked = [];
    settings.language = "en";
    vi.stubGlobal("scrollTo", () => {});
    vi.stubGlobal("matchMedia", () => ({ matches: true, addEventListener: () => {} }));
    vi.stubGlobal("fetch", async (url: string) => {
      if (url.includes("/replay")) asked.push(url);
      return { ok: true, status: 200, json: async () => structuredClone(game) };
    });
  });
  afterEach(() => {
    settings.language = "auto";
    go("/", true);
    vi.unstubAllGlobals();
  });

  const settled = async () => {
    await new Promise((done) => setTimeout(done, 5));
    flushSync();
  };
  const at = () => document.querySelector<HTMLInputElement>('input[type="range"]')?.value;

  it("follows the address, and stays where it is when the language changes", async () => {
    go("/game/abc-1#2", true);
    const screen = mount(Replay, { target: document.body });
    await settled();
    const entry = at();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "End", bubbles: true }));
    await settled();
    const end = at();
    expect(end).not.toBe(entry);
    settings.language = "fr"; // in another tab
    flushSync();
    await settled();
    expect(asked).toHaveLength(2);
    expect(at()).toBe(end);
    go("/game/abc-1#1", true);
    await settled();
    expect(Number(at())).toBe(Number(entry) - 1);
    await unmount(screen);
  });
});
