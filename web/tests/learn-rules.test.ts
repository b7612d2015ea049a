// Reading, searching and linking the rules.
import { describe, expect, it } from "vitest";
import {
  anchorOf,
  book,
  marked,
  matches,
  plain,
  ruleOf,
  search,
  sections,
  withLinks,
} from "../src/learn/rulebook";

window.matchMedia ??= (() => ({ matches: false })) as unknown as typeof window.matchMedia;
const { settings } = await import("../src/lib/settings.svelte");
const { tagsOf } = await import("../src/strings/rules");

const text = (number: string, edition: string, players: number) =>
  sections("en", edition, players)
    .flatMap(({ rules }) => rules)
    .find((rule) => rule.number === number)?.text ?? "";

describe("the rules", () => {
  it("are complete for everybody", () => {
    for (const language of ["en", "fr"] as const)
      for (const edition of ["classic", "azul"])
        for (const players of [2, 3, 4, 5]) {
          const all = sections(language, edition, players).flatMap(({ rules }) => rules);
          expect(all.length).toBeGreaterThan(25);
          for (const rule of all) expect(rule.text).toMatch(/\.$/);
        }
    expect(book("fr").title).toContain("5211");
  });

  it("have the figures of so many players, and the words of the edition", () => {
    expect(text("4.3", "classic", 2)).toContain("5 cards or more");
    expect(text("4.3", "classic", 5)).toContain("8 cards or more");
    expect(text("4.1", "azul", 3)).toContain("Roosters");
    expect(text("4.1", "classic", 3)).toContain("exactly 5");
  });
});

describe("searching", () => {
  it("leaves only the sections with something in them", () => {
    settings.language = "en";
    const all = sections("en", "classic", 4);
    expect(search(all, "", tagsOf)).toEqual(all);
    const few = search(all, "4.3", tagsOf);
    expect(few.flatMap(({ rules }) => rules.map(({ number }) => number))).toContain("4.3");
    expect(few.every(({ rules }) => rules.length > 0)).toBe(true);
    expect(search(all, "xylophone", tagsOf)).toEqual([]);
  });

  const found = (query: string, language: "en" | "fr") => {
    settings.language = language;
    return sections(language, "classic", 4)
      .flatMap(({ rules }) => rules)
      .filter((rule) => matches(rule, tagsOf(rule.number), query))
      .map(({ number }) => number);
  };

  it("finds rules by word, by what they are about, and by number", () => {
    expect(found("tie", "en")).toEqual(expect.arrayContaining(["4.5", "5.2", "7.1", "7.4"]));
    expect(found("tie", "en")).not.toContain("1.1");
    expect(found("4.5", "en")[0]).toBe("4.5");
    expect(found("draw pile", "en")).toContain("5.1");
    expect(found("xyz", "en")).toEqual([]);
  });

  it("needs no accents and no capitals", () => {
    expect(found("EGALITE", "fr")).toEqual(expect.arrayContaining(["4.5", "5.2", "7.1"]));
    expect(plain("Égalité")).toBe("egalite");
    expect(plain("ex æquo’s")).toHaveLength("ex æquo’s".length);
  });

  it("marks what was meant, from the beginning of a word", () => {
    expect(marked("Ties tie; not a necktie", "tie")).toEqual([
      { text: "Tie", hit: true },
      { text: "s ", hit: false },
      { text: "tie", hit: true },
      { text: "; not a necktie", hit: false },
    ]);
    expect(marked("Égalité", "egal")[0]).toEqual({ text: "Égal", hit: true });
    expect(marked("text", "")).toEqual([{ text: "text", hit: false }]);
  });
});

describe("links", () => {
  it("name rules that there are", () => {
    expect(withLinks("See (4.5) and 9.9.", (number) => number === "4.5")).toEqual([
      "See (",
      { number: "4.5", text: "4.5" },
      ") and ",
      "9.9",
      ".",
    ]);
  });

  it("go there and back", () => {
    expect(ruleOf(anchorOf("4.5"))).toBe("4.5");
    expect(ruleOf("something")).toBeNull();
  });
});
