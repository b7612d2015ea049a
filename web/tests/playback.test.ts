// A replay: stepping, sliding, playing on by itself, and what is said of where it is.
import { beforeEach, describe, expect, it } from "vitest";
import type { Replay } from "../src/generated/protocol";
import { settings } from "../src/lib/settings.svelte";
import { Playback } from "../src/parts/replay/playback.svelte";
import type { ReplayScene } from "../src/parts/replay/scenes";
import { sayWhere, sayWon } from "../src/parts/replay/words";

function playback(last: number, at = 0): Playback {
  const made = new Playback();
  made.last = last;
  made.show(at);
  return made;
}

beforeEach(() => {
  settings.language = "en";
});

describe("a playback", () => {
  it("stays within the game", () => {
    const one = playback(5);
    one.goto(-3);
    expect(one.at).toBe(0);
    one.goto(9);
    expect(one.at).toBe(5);
  });

  it("stops when a person takes a step, and at the end", () => {
    const one = playback(2);
    one.toggle();
    one.next();
    expect([one.at, one.playing]).toEqual([1, true]);
    one.goto(0);
    expect(one.playing).toBe(false);
    one.toggle();
    one.next();
    one.next();
    expect([one.at, one.playing]).toEqual([2, false]);
  });

  it("begins anew from the end", () => {
    const one = playback(2, 2);
    one.toggle();
    expect([one.at, one.playing]).toEqual([0, true]);
  });

  it("gives a scoring more time, and takes the speed that is wanted", () => {
    const one = playback(2);
    expect(one.duration(true)).toBeGreaterThan(one.duration(false));
    const normal = one.duration(false);
    one.speed = "fast";
    expect(one.duration(false)).toBeLessThan(normal);
  });

  it("listens to keys", () => {
    const one = playback(5, 2);
    const places = ["ArrowRight", "ArrowLeft", "End", "Home"].map((key) => {
      one.key(key)?.();
      return one.at;
    });
    expect(places).toEqual([3, 2, 5, 0]);
    one.key(" ")?.();
    expect(one.playing).toBe(true);
    expect(one.key("x")).toBeNull();
  });
});

describe("its words", () => {
  const scene = { kind: "turn", deal: 1, round: 0, turn: 2 } as ReplayScene;

  it("name the deal only where there are several", () => {
    expect(sayWhere(scene, 1)).toBe("Round 1, turn 3");
    expect(sayWhere(scene, 2)).toMatch(/^Round 1, turn 3 · .*2/);
  });

  it("name all who won", () => {
    const result = { points: [7, 9, 9], cards: [2, 3, 3], winners: [1] };
    const game = { players: ["Ana", "Bo", "Cleo"], result } as unknown as Replay;
    expect(sayWon(game)).toMatch(/Bo.*9/);
    expect(sayWon({ ...game, result: { ...result, winners: [1, 2] } })).toMatch(/Bo, Cleo.*9/);
  });
});
