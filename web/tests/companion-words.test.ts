// What the companion says of where a game is, and which keys it shows.
import { beforeEach, describe, expect, it } from "vitest";
import { newEntry, SOME_ICON, turnOf } from "../src/companion/entry";
import { keysOf, labelOf } from "../src/companion/keys";
import { verdict } from "../src/companion/score";
import { type Game, sheetOf } from "../src/companion/sheet";
import { nextLabel, sayRefusal, titleOf } from "../src/companion/wording";
import { settings } from "../src/lib/settings.svelte";

const game: Game = { names: ["Ana", "Ben"], edition: "classic", variant: "standard", rounds: [] };
const icons = { ...newEntry("count"), counts: { Y: 2, G: 2, O: 2, B: 2, V: 0 }, icons: 4 };
const played = (rounds: number, variant: Game["variant"] = "standard"): Game => ({
  ...game,
  variant,
  rounds: Array(rounds).fill(icons),
});

beforeEach(() => {
  settings.language = "en";
});

describe("where a game is", () => {
  const title = (one: Game, index: number, fixing = false) =>
    titleOf(one, sheetOf(one), index, fixing);

  it("is the heading: a round, one that is corrected, the end", () => {
    expect(title(played(2), 2)).toBe("Round 3 of 11");
    expect(title(played(2), 0, true)).toBe("Correct round 1");
    expect(title(played(11), 11)).toBe("The game is over");
    expect(title(played(11), 4, true)).toBe("Correct round 5");
    expect(title(played(12, "long"), 12)).toBe("Deal 2, round 2 of 11");
  });

  it("is on the button, too: what comes next", () => {
    const next = (rounds: number, variant?: Game["variant"], fixing = false) =>
      nextLabel(played(rounds, variant), icons, fixing);
    const said = [next(0), next(10), next(10, "long"), next(3, "standard", true)];
    expect(new Set(said).size).toBe(4);
    expect(nextLabel(null, icons, false)).toBe(next(3, "standard", true));
  });

  it("counts the turns of a player by the cards there", () => {
    const held = (n: number) => ({
      ...newEntry("turns"),
      cards: Array.from({ length: n }, () => ({ seat: 0, card: "G2" })),
    });
    expect([0, 1, 2, 3, 4].map((n) => turnOf(held(n), 0))).toEqual([1, 1, 2, 3, 3]);
    expect(turnOf(held(4), 1)).toBe(1);
  });
});

describe("the keys", () => {
  it("are all cards, or those that score", () => {
    expect(keysOf("cards", null).flat()).toHaveLength(30);
    expect(keysOf("count", verdict(2, icons.counts, 4))).toEqual([[SOME_ICON]]);
    const green = verdict(2, { Y: 1, G: 4, O: 1, B: 1, V: 1 }, 0);
    expect(keysOf("count", green)).toEqual([["G1", "G2", "G3", "G4", "G5", "G6"]]);
    expect(labelOf(SOME_ICON, "azul")).toBe("Rooster");
  });

  it("say whose and which when they refuse", () => {
    const said = sayRefusal({ why: "hand_full", seat: 1 }, game.names, "classic");
    expect(said).toContain("Ben");
    expect(said).not.toMatch(/[{}]/);
  });
});
