// The tutorial's logic: where one is, what an answer is told, what is kept.
import { beforeEach, describe, expect, it } from "vitest";

beforeEach(() => localStorage.clear());
window.matchMedia ??= (() => ({ matches: false })) as unknown as typeof window.matchMedia;

const lessons = await import("../src/learn/lessons");
const { settings } = await import("../src/lib/settings.svelte");
const { loadProgress, saveProgress, withAnswer, withDone } = await import("../src/learn/progress");
const { t } = await import("../src/strings/learn");

const { LESSONS, QUESTIONS, addressOf, correction, next, placeOf, previous, rightAnswer } = lessons;
const asked = LESSONS.flatMap(({ screens }) => screens).filter((one) => one.kind === "ask");

describe("the way through the lessons", () => {
  it("passes every screen once, forwards and back", () => {
    const seen = [{ lesson: 0, screen: 0 }];
    for (let at = next({ lesson: 0, screen: 0 }); at; at = next(at)) seen.push(at);
    expect(seen).toHaveLength(LESSONS.flatMap(({ screens }) => screens).length);
    expect(new Set(seen.map(addressOf)).size).toBe(seen.length);
    for (const [n, place] of seen.entries()) expect(previous(place)).toEqual(seen[n - 1] ?? null);
    for (const place of seen) expect(placeOf(addressOf(place))).toEqual(place);
  });

  it("knows no other addresses", () => {
    for (const wrong of ["", "nowhere", "cards-9", "cards-x", "cards-0"])
      expect(placeOf(wrong)).toBeNull();
  });

  it("asks at every question", () => {
    expect(QUESTIONS).toContain("scores");
    expect(QUESTIONS).toContain("scores-2");
    expect(QUESTIONS).not.toContain("cards");
    expect(new Set(QUESTIONS).size).toBe(QUESTIONS.length);
  });
});

describe.each(["en", "fr"] as const)("in %s", (language) => {
  beforeEach(() => {
    settings.language = language;
  });

  it.each(["classic", "azul"])("every situation is told in full, %s", (edition) => {
    for (const { situation: name } of asked) {
      const one = lessons.situation(name, edition);
      expect(one.table).toHaveLength(one.players);
      for (const step of one.score.steps) expect(step.text).toMatch(/\.$/);
      expect(one.tally.text?.length).toBeGreaterThan(1);
    }
    expect(lessons.end(edition).text).toContain("Ben");
  });

  it.each(["classic", "azul"])("no sentence lacks a word, %s", (edition) => {
    for (const screen of asked) {
      const one = lessons.situation(screen.situation, edition);
      const right = rightAnswer(one.score);
      for (const answer of ["Y", "G", "O", "B", "V", "icons", "nobody"] as const) {
        const fields = lessons.fieldsOf(one, edition, answer);
        const keys = [screen.say, screen.moral];
        if (answer !== right) keys.push(correction(one, answer));
        if (screen.trap) keys.push(screen.trap);
        for (const key of keys.filter((key) => key !== screen.trap || answer === "Y"))
          expect(t(key, fields)).not.toMatch(/[{}]|undefined/);
      }
    }
  });
});

describe("answers", () => {
  const told = (name: Parameters<typeof lessons.situation>[0], answer: string) =>
    correction(lessons.situation(name, "classic"), answer as never);

  it("are right as the scoring says", () => {
    const right = (name: Parameters<typeof lessons.situation>[0]) =>
      rightAnswer(lessons.situation(name, "classic").score);
    expect(right("count")).toBe("G");
    expect(right("icons")).toBe("icons");
    expect(right("nothing")).toBe("nobody");
  });

  it("get a correction that fits", () => {
    expect(told("limit", "G")).toBe("wrong_limit");
    expect(told("tie", "O")).toBe("wrong_tie");
    expect(told("tie", "B")).toBe("wrong_behind");
    expect(told("tie", "G")).toBe("wrong_absent");
    expect(told("icons_too_many", "icons")).toBe("wrong_icons");
    expect(told("icons", "G")).toBe("wrong_icons_win");
    expect(told("icons", "nobody")).toBe("wrong_icons_win");
    expect(told("cascade", "nobody")).toBe("wrong_nobody");
    expect(told("nothing", "V")).toBe("wrong_absent");
  });

  it("offer the learner's points among others", () => {
    const one = lessons.situation(lessons.points.situation, "classic");
    expect(lessons.points.options).toContain(one.score.points[0]);
    expect(lessons.points.options.length).toBeGreaterThan(2);
  });
});

describe("the round that is played", () => {
  it("has a count and a score for every choice", () => {
    const round = lessons.practice("classic");
    const pick = (hand: string[], own: string[], turn: number): void => {
      if (turn === round.plays.length) {
        expect(round.score(own)?.points).toHaveLength(round.players);
        return;
      }
      if (turn > 0) expect(round.tally(own)?.colors).toHaveLength(5);
      const drawn = round.draws[turn] ?? [];
      for (const [a, first] of hand.entries()) {
        const seconds = round.plays[turn] === 2 ? hand.keys() : [a];
        for (const b of seconds) {
          if (round.plays[turn] === 2 && b <= a) continue;
          const left = hand.filter((_, n) => n !== a && n !== b);
          const taken = a === b ? [first] : [first, hand[b] as string];
          pick([...left, ...drawn], [...own, ...taken], turn + 1);
        }
      }
    };
    pick(round.hand, [], 0);
    expect(round.tally(["B6", "B6"])).toBeNull();
    expect(round.score([])).toBeNull();
  });

  it("finds cards by what they are, in any order", () => {
    expect(lessons.keyOf(["V2", "G3", "Y4", "G2"])).toBe("Y4 G2 G3 V2");
  });

  it("lights as many cards as score", () => {
    expect(lessons.litCards(["G2", "G2", "Y1"], ["G2"])).toEqual([true, false, false]);
  });
});

describe("progress", () => {
  it("is kept, and the first answer stays", () => {
    let progress = withDone(withDone(loadProgress(), "cards"), "cards");
    progress = withAnswer(withAnswer(progress, "ties", false), "ties", true);
    saveProgress({ ...progress, at: "ties" });
    expect(loadProgress()).toEqual({ at: "ties", done: ["cards"], answers: { ties: false } });
  });
});
