// A scoring in sentences: the generated ones, filled in (web/generate.py says with what).
import editions from "../generated/editions.json";
import type { Card, Color, Step, Tally } from "../generated/protocol";
import english from "../generated/sentences.en.json";
import french from "../generated/sentences.fr.json";
import { COLORS } from "../lib/count";
import { say as fill } from "../lib/i18n";
import { type Language, language } from "../lib/settings.svelte";
import { colorName, iconName, letterOf } from "../lib/words";
import { SOME_ICON } from "./entry";

type Fields = Record<string, string | number | string[]>;
type Forms = string | Record<string, string>;

interface Book {
  plural: Record<string, number[]>;
  list: { comma: string; and: string };
  steps: Record<string, Forms>;
  tally: Record<string, Forms>;
}

type Chapter = "steps" | "tally";

const BOOKS: Record<Language, Book> = { en: english, fr: french };

/** Several things in a row. */
export function listed(items: string[]): string {
  const { comma, and } = BOOKS[language()].list;
  const last = items.at(-1) ?? "";
  return items.length < 2 ? last : items.slice(0, -1).join(comma) + and + last;
}

function filled(chapter: Chapter, key: string, fields: Fields = {}): string {
  const { plural, [chapter]: texts } = BOOKS[language()];
  const forms = texts[key] ?? "";
  const form = Object.keys(plural).find((name) => plural[name]?.includes(Number(fields.n)));
  const text = typeof forms === "string" ? forms : (forms[form ?? "other"] ?? forms.other ?? "");
  const plain = Object.entries(fields).map(([name, value]) => [
    name,
    Array.isArray(value) ? listed(value) : value,
  ]);
  return fill(text, Object.fromEntries(plain), language());
}

function said(chapter: Chapter, key: string, fields: Fields = {}): string {
  const text = filled(chapter, key, fields);
  return text.charAt(0).toLocaleUpperCase(language()) + text.slice(1);
}

/** A colour as a sentence's subject. */
export function the(color: Color, edition: string): string {
  const all = editions.editions as Record<string, (typeof editions.editions)["classic"]>;
  return (all[edition] ?? editions.editions.classic).words[language()].colors[color].the;
}

const items = (counts: [Color, number][], edition: string) =>
  counts.map(([color, count]) =>
    filled("steps", "item", { count, name: colorName(color, edition) }),
  );

/** One step of a scoring as a sentence. */
export function sayStep(step: Step, edition: string): string {
  switch (step.step) {
    case "icons_counted": {
      const { found, needed } = step;
      const words = { icon: iconName(1, edition), icons: iconName(found, edition) };
      return said("steps", found === needed ? "icons_exact" : "icons_other", {
        n: found,
        found,
        needed,
        ...words,
      });
    }
    case "colors_counted": {
      const seen = COLORS.map((color): [Color, number] => [color, step.counts[color]])
        .filter(([, count]) => count)
        .sort((a, b) => b[1] - a[1]);
      return said("steps", "colors_counted", { items: items(seen, edition) });
    }
    case "struck_for_limit": {
      const over = COLORS.flatMap((color): [Color, number][] => {
        const count = step.counts[color];
        return count === undefined ? [] : [[color, count]];
      });
      return said("steps", "struck_for_limit", {
        n: over.length,
        items: items(over, edition),
        colors: over.map(([color]) => the(color, edition)),
        limit: step.limit,
      });
    }
    case "struck_for_tie": {
      const key = step.colors.length === 2 ? "struck_for_tie" : "struck_for_tie_many";
      return said("steps", key, {
        colors: step.colors.map((color) => the(color, edition)),
        count: step.count,
      });
    }
    case "color_scores":
      return said("steps", "color_scores", {
        count: step.count,
        name: colorName(step.color, edition),
        the: the(step.color, edition),
      });
    case "nothing_left":
      return said("steps", "nothing_left");
  }
}

/** The count as the game says it: each colour on the table, the most first, and the icons. */
export function sayCount(tally: Tally, edition: string): string[] {
  const { comma } = BOOKS[language()].list;
  const seen = tally.colors
    .filter((one) => one.standing !== "absent")
    .sort((a, b) => b.count - a.count);
  const lines = seen.map(({ color, count, to_limit, standing }) => {
    const words = [filled("tally", standing)];
    if (standing !== "bust") words.push(filled("tally", "to_limit", { n: to_limit }));
    return said("tally", "line", {
      count,
      name: colorName(color, edition),
      words: words.join(comma),
    });
  });
  const icons = said("tally", "icons_line", {
    icons: iconName(tally.exact, edition),
    found: tally.icons,
    needed: tally.exact,
    words: filled("tally", tally.icon_standing),
  });
  return [...lines, icons];
}

/** A card as it is written on the table: "G2". */
function code(card: Card, edition: string): string {
  const letter = letterOf(card, edition);
  return fill(editions.card[language()].code, { letter, value: card.charAt(1) }, language());
}

/** What each player takes, one sentence a player who takes something. */
export function sayTakes(taken: Card[][], names: string[], edition: string): string[] {
  const lines = taken.flatMap((cards, seat) => {
    if (!cards.length) return [];
    const points = cards.reduce((all, card) => all + Number(card.charAt(1)), 0);
    const shown =
      cards[0] === SOME_ICON
        ? `${cards.length} ${iconName(cards.length, edition)}`
        : cards.map((card) => code(card, edition)).join(" ");
    return [said("steps", "takes", { n: points, name: names[seat] ?? "", cards: shown })];
  });
  return lines.length ? lines : [said("steps", "nobody_takes")];
}
