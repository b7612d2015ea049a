import { describe, expect, it } from "vitest";
import { type Entry, say } from "../src/lib/i18n";

const files = import.meta.glob<{ default: Record<string, Entry> }>("../src/strings/*.json", {
  eager: true,
});
const books = Object.keys(files).flatMap((path) => path.match(/\/([^/]+)\.en\.json$/)?.[1] ?? []);
const book = (name: string, language: string) =>
  files[`../src/strings/${name}.${language}.json`]?.default as Record<string, Entry>;
const forms = (entry: Entry) => (typeof entry === "string" ? [entry] : Object.values(entry));
const holes = (entry: Entry) =>
  [...new Set(forms(entry).flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort();
const plain = (hole: string) => hole.toLowerCase().replace("{the}", "{name}");
const sources = Object.values(
  import.meta.glob<string>("../src/**/*.{svelte,ts}", {
    eager: true,
    query: "?raw",
    import: "default",
  }),
).join("\n");

describe("the words of the page", () => {
  it.each(books)("are complete in both languages: %s", (name) => {
    const [en, fr] = [book(name, "en"), book(name, "fr")];
    expect(Object.keys(fr)).toEqual(Object.keys(en));
    for (const [key, entry] of Object.entries(en)) {
      const other = fr[key] as Entry;
      // A language may need fewer of the fields, and a colour with its article, but no others.
      const known = holes(entry).map(plain);
      for (const hole of holes(other)) expect(known, key).toContain(plain(hole));
      for (const text of [...forms(entry), ...forms(other)]) expect(text.trim(), key).not.toBe("");
    }
  });

  it.each(books)("keep French signs with their words: %s", (name) => {
    for (const [key, entry] of Object.entries(book(name, "fr"))) {
      for (const text of forms(entry)) expect(text, key).not.toMatch(/ [:;!?»]|« /);
    }
  });

  it.each(books)("say robot in French: %s", (name) => {
    for (const [key, entry] of Object.entries(book(name, "fr")))
      for (const text of forms(entry)) expect(text, key).not.toMatch(/(?<![{_\w])bots?\b/i);
  });

  it.each(books)("are all used: %s", (name) => {
    for (const key of Object.keys(book(name, "en"))) {
      const stem = key.replace(/_[^_]+$/, "_");
      const used = sources.includes(`"${key}"`) || sources.includes(`\`${stem}\${`);
      const deep = sources.includes(`\`${key.split("_")[0]}_\${`);
      expect(used || deep, `${name}: ${key}`).toBe(true);
    }
  });

  it("say one and many as each language does", () => {
    const entry = { one: "{n} card", other: "{n} cards" };
    expect(say(entry, { n: 1 }, "en")).toBe("1 card");
    expect(say(entry, { n: 0 }, "en")).toBe("0 cards");
    expect(say(entry, { n: 0 }, "fr")).toBe("0 card");
    expect(say("{who} {what}", { who: "Ana" }, "en")).toBe("Ana {what}");
  });
});
