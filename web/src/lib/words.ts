// What colours and cards are called, per edition and language (generated from the edition files).
import editions from "../generated/editions.json";
import type { Card, Color } from "../generated/protocol";
import { say } from "./i18n";
import { type Language, language } from "./settings.svelte";

interface Words {
  name: string;
  colors: Record<Color, { letter: string; name: string; the: string }>;
  icon: { one: string; other: string };
}

interface EditionFile {
  editions: Record<string, { words: Record<Language, Words> }>;
  card: Record<Language, { name: string; icon: string }>;
}

const FILE = editions as EditionFile;

function words(edition: string): Words {
  return (FILE.editions[edition] ?? FILE.editions.classic)?.words[language()] as Words;
}

export const editionName = (edition: string) => words(edition).name;
export const colorName = (color: Color, edition: string) => words(edition).colors[color].name;
export const letterOfColor = (color: Color, edition: string) => words(edition).colors[color].letter;
export const letterOf = (card: Card, edition: string) =>
  letterOfColor(card.charAt(0) as Color, edition);
export const iconName = (count: number, edition: string) =>
  say(words(edition).icon, { n: count }, language());

/** A card as it is read aloud: "green 2", "green Kododo". */
export function cardName(card: Card, edition: string): string {
  const value = card.charAt(1);
  const template = FILE.card[language()][value === "1" ? "icon" : "name"];
  const color = colorName(card.charAt(0) as Color, edition);
  return say(template, { color, value, icon: iconName(1, edition) }, language());
}
