import { describe, expect, it } from "vitest";
import type { GameEvent, Replay, ReplayStep, Score, Tally } from "../src/generated/protocol";
import { limitOf, playsOf, roundsUntil, scenesOf, stepOf } from "../src/parts/replay/scenes";

const tally: Tally = {
  colors: [{ color: "Y", count: 2, to_limit: 3, standing: "leads" }],
  icons: 0,
  exact: 4,
  icon_standing: "few",
};
const score: Score = {
  kind: "color",
  color: "G",
  points: [2, 0],
  cards: [["G2"], []],
  steps: [
    { step: "icons_counted", found: 0, needed: 4, text: "No icons." },
    { step: "color_scores", color: "G", count: 3, text: "Green scores." },
  ],
};

function step(events: GameEvent[], more: Partial<ReplayStep> = {}): ReplayStep {
  const hands = [["Y1", "Y1", "G2"], ["B2"]];
  return { events, hands, turns: [], tally, points: [0, 0], pile: 80, round: 0, turn: 0, ...more };
}

const first = [["Y1", "Y1"], ["B2"]];
const second = [["G2"], ["B3"]];
const game: Replay = {
  players: ["Ana", "Bo"],
  bots: [null, "easy"],
  variant: "standard",
  edition: "classic",
  result: { points: [2, 0], cards: [1, 0], winners: [0] },
  proof: null,
  steps: [
    step([{ event: "deal_started", deal: 0, pile: 80, text: "Dealt." }]),
    step([{ event: "revealed", deal: 0, round: 0, turn: 0, choices: first, text: "One." }], {
      turns: [first],
      hands: [["G2"], ["B3"]],
      pile: 76,
    }),
    step(
      [
        { event: "revealed", deal: 0, round: 0, turn: 1, choices: second, text: "Two." },
        { event: "round_scored", deal: 0, round: 0, score, text: "All at once." },
        {
          event: "game_ended",
          result: { points: [2, 0], cards: [1, 0], winners: [0] },
          text: "Over.",
        },
      ],
      { hands: [[], []], points: [2, 0], pile: 0 },
    ),
  ],
};

describe("a replay's scenes", () => {
  const scenes = scenesOf(game);

  it("are a deal, each turn, and each scoring", () => {
    expect(scenes.map(({ kind }) => kind)).toEqual(["deal", "turn", "turn", "score"]);
  });

  it("show in a turn what everyone held before it, and what they played of it", () => {
    expect(scenes[1]?.hands).toEqual([["Y1", "Y1", "G2"], ["B2"]]);
    expect(scenes[1]?.picked).toEqual([[0, 1], [0]]);
    expect(scenes[2]?.hands).toEqual([["G2"], ["B3"]]);
  });

  it("keep the cards of the whole round on the table while it is scored", () => {
    expect(scenes[2]?.turns).toEqual([first, second]);
    expect(scenes[3]?.turns).toEqual([first, second]);
  });

  it("say nothing of standings once the round is full, since the server says nothing", () => {
    expect(scenes[1]?.tally).toBe(tally);
    expect(scenes[2]?.tally).toBeNull();
  });

  it("give points with the scoring, not before", () => {
    expect(scenes.map(({ points }) => points[0])).toEqual([0, 0, 0, 2]);
  });

  it("tell the scoring step by step, and what came of it", () => {
    expect(scenes[3]?.lines).toEqual(["No icons.", "Green scores.", "Over."]);
  });

  it("know the rounds so far, the cards a turn, and the limit", () => {
    expect(roundsUntil(scenes, 2)).toEqual([]);
    expect(roundsUntil(scenes, 3)).toHaveLength(1);
    expect(playsOf(scenes)).toEqual([2, 1]);
    expect(limitOf(game)).toBe(5);
  });
});

describe("the step in an address", () => {
  it("counts from one and stays within the game", () => {
    expect(stepOf("1", 4)).toBe(0);
    expect(stepOf("3", 4)).toBe(2);
    expect(stepOf("99", 4)).toBe(3);
    expect(stepOf("0", 4)).toBe(0);
    expect(stepOf("", 4)).toBe(0);
    expect(stepOf("x", 4)).toBe(0);
  });
});
