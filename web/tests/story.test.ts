import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { GameEvent, Score, View } from "../src/generated/protocol";
import { fates, placesOf } from "../src/lib/count";
import { settings } from "../src/lib/settings.svelte";
import { type Scene, Story } from "../src/lib/story.svelte";
import { isPast, lastTold } from "../src/lib/telling";

const TURN = [
  ["Y1", "G2"],
  ["B3", "B4"],
];
const SCORE = {
  kind: "color",
  color: "B",
  points: [0, 7],
  cards: [[], ["B3", "B4"]],
  steps: [
    { step: "icons_counted", found: 1, needed: 4, text: "one" },
    { step: "colors_counted", counts: { Y: 5, G: 3, O: 3, B: 2, V: 0 }, text: "two" },
    { step: "struck_for_limit", counts: { Y: 5 }, limit: 5, text: "three" },
    { step: "struck_for_tie", colors: ["G", "O"], count: 3, text: "four" },
    { step: "color_scores", color: "B", count: 2, text: "five" },
  ],
} as unknown as Score;
const revealed = {
  event: "revealed",
  deal: 0,
  round: 0,
  turn: 0,
  choices: TURN,
  text: "all",
} as GameEvent;
const scored = { event: "round_scored", deal: 0, round: 0, score: SCORE, text: "x" } as GameEvent;
const before = {
  turns: [
    [["Y2"], ["G3"]],
    [["O1"], ["O1"]],
  ],
} as unknown as View;
const after = { tally: { icons: 3 } } as unknown as View;

describe("the story of a round", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("matchMedia", () => ({ matches: false }));
    settings.speed = "normal";
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("turns the cards over with the count that the server gave", () => {
    const story = new Story();
    story.hear([revealed], { turns: [] } as unknown as View, after);
    expect(story.scene).toMatchObject({
      kind: "reveal",
      turns: [TURN],
      fresh: 0,
      tally: { icons: 3 },
    });
    vi.runAllTimers();
    expect(story.scene).toBeNull();
  });

  it("tells every step of a scoring, then the points, then shows the table", () => {
    const story = new Story();
    story.hear([revealed, scored], before, after);
    expect(story.scene?.turns.length).toBe(3);
    expect(story.scene?.tally).toBeNull(); // the view's count is the next round's already
    const texts: string[] = [];
    for (let n = 0; n < 20 && story.scene; n++) {
      story.next();
      if (story.scene) texts.push(`${story.scene.told} ${story.scene.text}`);
    }
    expect(texts).toEqual(["1 one", "2 two", "3 three", "4 four", "5 five", "6 five"]);
  });

  it("tells what comes while it is telling, after it", () => {
    const story = new Story();
    story.hear([revealed], { turns: [] } as unknown as View, after);
    story.hear([revealed, scored], before, after);
    expect(story.scene?.turns.length).toBe(1);
    story.next();
    expect(story.scene?.turns.length).toBe(3);
    story.skip();
    expect(story.scene).toBeNull();
  });

  it("can be paused, told again, and left out", () => {
    const story = new Story();
    story.again({ turns: [TURN], score: SCORE }, { deal: 0, round: 0 });
    story.pause();
    vi.advanceTimersByTime(60_000);
    expect(story.scene?.told).toBe(1);
    story.resume();
    vi.advanceTimersByTime(700);
    expect(story.scene?.told).toBe(2);
    story.skip();
    settings.speed = "none";
    story.hear([revealed, scored], before, after);
    expect(story.scene).toBeNull();
    vi.stubGlobal("matchMedia", () => ({ matches: true })); // the device wants no motion
    settings.speed = "slow";
    story.hear([revealed], before, after);
    expect(story.scene).toBeNull();
  });

  it("tells nothing of what happened before one came", () => {
    const story = new Story();
    story.hear([revealed, scored], null, after);
    expect(story.scene).toBeNull();
  });
});

describe("what a table may say meanwhile", () => {
  const round = { turns: [TURN], score: SCORE };
  const view = { phase: "choosing", deal: 0, round: 1, rounds: [round] } as unknown as View;
  const scene = (kind: "reveal" | "score", number: number) =>
    ({ kind, deal: 0, number }) as unknown as Scene;

  it("says nothing of a round that is still being turned over", () => {
    expect(isPast(view, scene("reveal", 0))).toBe(true);
    expect(lastTold(view, scene("reveal", 0))).toBeNull();
    expect(lastTold(view, scene("score", 0))).toBe(round);
    expect(lastTold(view, null)).toBe(round);
  });

  it("keeps the last round in sight while a later one is in play", () => {
    expect(isPast(view, scene("reveal", 1))).toBe(false);
    expect(isPast(view, null)).toBe(false);
    expect(lastTold(view, scene("reveal", 1))).toBe(round);
    expect(isPast({ ...view, phase: "over" }, scene("reveal", 1))).toBe(true);
  });
});

describe("counting", () => {
  it("knows what became of each colour, as far as it was told", () => {
    expect(fates(SCORE.steps.slice(0, 2))).toEqual({});
    expect(fates(SCORE.steps)).toEqual({ Y: "limit", G: "tie", O: "tie", B: "scores" });
  });

  it("finds a choice in a hand that holds a card twice", () => {
    expect(placesOf(["G2", "G2"], ["G2", "O1", "G2"])).toEqual([0, 2]);
    expect(placesOf(["V1"], ["G2"])).toEqual([]);
  });
});
