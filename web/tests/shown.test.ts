import { afterEach, describe, expect, it } from "vitest";
import { settings } from "../src/lib/settings.svelte";
import { steady } from "../src/lib/steady";
import { when } from "../src/lib/when";

describe("a number that changes in its place", () => {
  it("takes the room of two digits", () => {
    expect([0, 8, 16, 120].map(steady)).toEqual(["\u20070", "\u20078", "16", "120"]);
  });
});

describe("a moment", () => {
  afterEach(() => {
    settings.language = "auto";
  });

  it("is written in the language of the page, whatever the browser's", () => {
    const noon = new Date(2026, 7, 5, 12, 30).getTime();
    settings.language = "fr";
    expect(when(noon)).toContain("août 2026");
    settings.language = "en";
    expect(when(noon)).toContain("Aug 5, 2026");
  });
});
