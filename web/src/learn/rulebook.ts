// Reading and searching the numbered rules (generated; five211 says them itself).
import en from "../generated/rules.en.json";
import fr from "../generated/rules.fr.json";
import numbers from "../generated/scores.json";
import type { Language } from "../lib/settings.svelte";
import type { SituationName } from "./lessons";

type Varied = string | { [key: string]: Varied };

interface Book {
  book: Record<string, string>;
  sections: Record<string, string>;
  rules: Record<string, Varied>;
}

const BOOKS: Record<Language, Book> = { en: en as Book, fr: fr as Book };

export interface Rule {
  number: string;
  text: string;
}

export interface Section {
  number: string;
  title: string;
  rules: Rule[];
}

/** The numbers of players that there are rules for. */
export const COUNTS = Object.keys(numbers.players) as (keyof typeof numbers.players)[];

/** The rules that have an example: a table, and the lesson about it. */
export const EXAMPLES: Record<string, { name: SituationName; lesson: string }> = {
  4.1: { name: "icons", lesson: "icons" },
  4.2: { name: "count", lesson: "scores" },
  4.3: { name: "limit", lesson: "limit" },
  4.5: { name: "cascade", lesson: "cascade" },
  4.6: { name: "nothing", lesson: "nothing" },
};

export const book = (language: Language) => BOOKS[language].book;

/** A text that depends on the edition, the number of players, both or neither. */
function read(text: Varied, edition: string, players: number): string {
  if (typeof text === "string") return text;
  const next = text[edition] ?? text[String(players)];
  return next === undefined ? "" : read(next, edition, players);
}

export function sections(language: Language, edition: string, players: number): Section[] {
  const { sections: titles, rules } = BOOKS[language];
  return Object.entries(titles).map(([number, title]) => ({
    number,
    title,
    rules: Object.entries(rules)
      .filter(([rule]) => rule.split(".")[0] === number)
      .map(([rule, text]) => ({ number: rule, text: read(text, edition, players) })),
  }));
}

/** Without capitals and accents; every character stays at its place. */
export function plain(text: string): string {
  return [...text.replaceAll("’", "'")]
    .map((letter) => letter.toLowerCase().normalize("NFD").charAt(0) || letter)
    .join("");
}

const wordsOf = (query: string) => plain(query).split(/\s+/).filter(Boolean);

/** A text in pieces: those that a search means are marked. Short words only match beginnings. */
export function marked(text: string, query: string): { text: string; hit: boolean }[] {
  const low = plain(text);
  const hits = new Array<boolean>(text.length).fill(false);
  for (const word of wordsOf(query)) {
    for (let at = low.indexOf(word); at >= 0; at = low.indexOf(word, at + 1)) {
      if (begins(low, at)) hits.fill(true, at, at + word.length);
    }
  }
  const pieces: { text: string; hit: boolean }[] = [];
  for (const [n, hit] of hits.entries()) {
    const last = pieces.at(-1);
    if (last && last.hit === hit) last.text += text.charAt(n);
    else pieces.push({ text: text.charAt(n), hit });
  }
  return pieces;
}

/** Whether a word begins here: "tie" is not in "properties". */
function begins(low: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(low.charAt(at - 1));
}

/** Whether a rule is about all words of a search. */
export function matches(rule: Rule, tags: string, query: string): boolean {
  const low = plain(`${rule.number} ${rule.text} ${tags}`);
  return wordsOf(query).every((word) => {
    for (let at = low.indexOf(word); at >= 0; at = low.indexOf(word, at + 1)) {
      if (begins(low, at)) return true;
    }
    return false;
  });
}

/** Only the rules that a search means, and their sections. */
export function search(all: Section[], query: string, tags: (rule: string) => string): Section[] {
  return all
    .map((one) => ({
      ...one,
      rules: one.rules.filter((rule) => matches(rule, tags(rule.number), query)),
    }))
    .filter(({ rules }) => rules.length);
}

/** Pieces of a text in which other rules are named: "(4.5)". */
export function withLinks(text: string, known: (number: string) => boolean): (string | Rule)[] {
  return text.split(/(\b\d\.\d\b)/).flatMap((part) => {
    if (!part) return [];
    return [/^\d\.\d$/.test(part) && known(part) ? { number: part, text: part } : part];
  });
}

export const anchorOf = (number: string) => `rule-${number}`;

export function ruleOf(anchor: string): string | null {
  return /^rule-(\d+\.\d+)$/.exec(anchor)?.[1] ?? null;
}
