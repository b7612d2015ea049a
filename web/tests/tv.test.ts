import { describe, expect, it } from "vitest";
import type { Round, View } from "../src/generated/protocol";
import type { Scene } from "../src/lib/story.svelte";
import { placeOf, pointsOf, standings, tellingOf } from "../src/lib/telling";
import { sayGains } from "../src/parts/gains";
import { sayWaiting } from "../src/parts/tv/lines";
import { sides } from "../src/parts/tv/sides";

const round: Round = {
  turns: [[["G2"], ["Y1"]]],
  score: {
    kind: "color",
    color: "G",
    points: [2, 0],
    cards: [["G2"], []],
    steps: [
      { step: "icons_counted", found: 1, needed: 4 },
      { step: "color_scores", color: "G", count: 1 },
    ],
  },
};

function view(more: Partial<View> = {}): View {
  const info = { show_points: true, turns: [2, 1, 1] };
  return {
    info,
    phase: "choosing",
    seats: [{ name: "Ana" }, { name: "Bo" }, { name: "Cy" }],
    points: [7, 3, 0],
    turns: [],
    rounds: [round],
    earlier: [],
    ...more,
  } as unknown as View;
}

function scene(told: number): Scene {
  return {
    kind: "score",
    turns: round.turns,
    fresh: null,
    tally: null,
    round,
    told,
    deal: 0,
    number: 0,
    text: "",
    ms: 1,
  };
}

describe("what a public table shows while a round is told", () => {
  it("is the view itself when nothing is told", () => {
    expect(tellingOf(view(), null)).toEqual({ turns: [], told: [], done: null, lit: null });
  });

  it("is the round that was played, step by step", () => {
    expect(tellingOf(view(), scene(1)).told).toHaveLength(1);
    expect(tellingOf(view(), scene(1)).lit).toBe("icons");
    expect(tellingOf(view(), scene(2)).done).toBeNull();
    expect(tellingOf(view(), scene(3)).done).toBe(round);
  });

  it("gives the points at its end", () => {
    expect(pointsOf(view(), null, 0)).toBe(7);
    const other = { ...round, score: { ...round.score, points: [5, 3] } };
    const played = view({ earlier: [[other]], rounds: [round, other] });
    const told = (n: number) => ({ ...scene(n), deal: 1 });
    expect(pointsOf(played, told(1), 0)).toBe(5); // an earlier deal counts, later rounds do not
    expect(pointsOf(played, told(3), 0)).toBe(7);
  });

  it("hides totals where the table wants it, until the end", () => {
    const info = { show_points: false, turns: [2, 1, 1] } as View["info"];
    expect(pointsOf(view({ info }), null, 0)).toBeNull();
    expect(pointsOf(view({ info, phase: "over" }), null, 0)).toBe(7);
  });
});

describe("where the game is", () => {
  const info = { show_points: true, turns: [2, 1, 1], rounds: 6 } as View["info"];
  const now = view({ info, round: 1, turn: 0 });

  it("is the view's own place", () => {
    expect(placeOf(now, null)).toEqual({ round: 2, turn: 0 });
  });

  it("is the round before while that is told", () => {
    expect(placeOf(now, scene(1)).round).toBe(1);
    expect(placeOf(view({ info, round: 0, rounds: [] }), { ...scene(1), number: 5 }).round).toBe(6);
  });

  it("is the round that is told again", () => {
    expect(placeOf(now, { ...scene(1), number: 0 }).round).toBe(1);
  });

  it("is the turn that is turned over", () => {
    const reveal = { ...scene(0), kind: "reveal" as const, round: null, number: 1, fresh: 0 };
    expect(placeOf(now, reveal)).toEqual({ round: 2, turn: 0 });
  });
});

describe("the result", () => {
  it("is in the order of points, then of cards", () => {
    const result = { points: [5, 9, 9], cards: [1, 2, 4], winners: [2] };
    expect(standings(view({ result }))).toEqual([2, 1, 0]);
  });
});

describe("the seats left and right", () => {
  it("are all there, once", () => {
    for (const count of [2, 3, 4, 5]) {
      const [left, right] = sides(count);
      expect([...left, ...right]).toEqual(Array.from({ length: count }, (_, n) => n));
      expect(left.length - right.length).toBeLessThanOrEqual(1);
    }
  });
});

describe("what a television says under the tally", () => {
  const waiting = (chosen: (boolean | null)[], more: Partial<View> = {}) =>
    sayWaiting(view({ chosen, ...more } as Partial<View>));

  it("names those who think, unless that is hidden", () => {
    expect(waiting([true, false, false])).toMatch(/Bo, Cy/);
    expect(waiting([true, false, false])).not.toMatch(/Ana/);
    expect(waiting([true, true, true])).not.toMatch(/Ana|Bo|Cy/);
    expect(waiting([true, null, null])).toBe("");
    expect(waiting([null, null, null], { phase: "over" })).toBe("");
  });

  it("says when the table waits for nobody", () => {
    const said = [waiting([false], { phase: "dealing" }), waiting([false], { paused: true })];
    expect(new Set([...said, waiting([true, true, true])]).size).toBe(3);
  });

  it("adds up what a round brought", () => {
    expect(sayGains(view(), round)).toBe("Ana +2");
    const nothing = { ...round, score: { ...round.score, points: [0, 0] } };
    expect(sayGains(view(), nothing)).not.toMatch(/Ana|\+/);
  });
});
