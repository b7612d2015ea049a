// Our own words for the page. What happens in the game comes from the server in words already.
import { type Language, language } from "./settings.svelte";

export type Entry = string | { one: string; other: string };
export type Fields = Record<string, string | number>;

/** A function that says what a key means, in the language of the moment. */
export function strings<T extends Record<string, Entry>>(en: T, fr: Record<keyof T, Entry>) {
  const books: Record<Language, Record<keyof T, Entry>> = { en, fr };
  return (key: keyof T & string, fields: Fields = {}): string =>
    say(books[language()][key] ?? key, fields, language()); // a newer server may know more words
}

/** An entry with its fields filled in; `n` decides between one and many. */
export function say(entry: Entry, fields: Fields, lang: string): string {
  let text = typeof entry === "string" ? entry : entry.other;
  if (typeof entry !== "string") {
    const form = new Intl.PluralRules(lang).select(Number(fields.n));
    text = form === "one" ? entry.one : entry.other;
  }
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    name in fields ? String(fields[name]) : whole,
  );
}
