// The words around the rules, and the words that people search for.
import { strings } from "../lib/i18n";
import en from "./rules.en.json";
import fr from "./rules.fr.json";

export type RulesKey = keyof typeof en;
export const t = strings(en, fr);

/** What a rule is about, in words that it may not use itself. */
export function tagsOf(number: string): string {
  const key = `tags_${number}`;
  return key in en ? t(key as RulesKey) : "";
}
