// The keys of the keypad: which there are, what they are called.
import type { Card } from "../generated/protocol";
import { COLORS, colorOf } from "../lib/count";
import { cardName, iconName } from "../lib/words";
import { SOME_ICON, type Way } from "./entry";
import { VALUES, type Verdict } from "./score";

const ALL = COLORS.map((color) => VALUES.map((value) => `${color}${value}`));

/** All cards; or only those that score, where the others were just counted. */
export function keysOf(way: Way, found: Verdict | null): Card[][] {
  if (way !== "count") return ALL;
  if (found?.kind === "kododo") return [[SOME_ICON]];
  return ALL.filter(([first]) => first !== undefined && colorOf(first) === found?.color);
}

/** What a card is called, also one of which only the icon counts. */
export const labelOf = (card: Card, edition: string) =>
  card === SOME_ICON ? iconName(1, edition) : cardName(card, edition);
