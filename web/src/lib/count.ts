// Counting cards, and nothing else: what a count means is said by the server.
import type { Card, Cards, Color, Step } from "../generated/protocol";

export const COLORS: Color[] = ["Y", "G", "O", "B", "V"];

export const colorOf = (card: Card) => card.charAt(0) as Color;
export const isIcon = (card: Card) => card.charAt(1) === "1";

export function countColors(cards: Cards): Record<Color, number> {
  const counts: Record<Color, number> = { Y: 0, G: 0, O: 0, B: 0, V: 0 };
  for (const card of cards) counts[colorOf(card)] += 1;
  return counts;
}

export const countIcons = (cards: Cards) => cards.filter(isIcon).length;

/** What became of each colour in the steps told so far. */
export type Fate = "limit" | "tie" | "scores" | undefined;

export function fates(steps: Step[]): Partial<Record<Color, Fate>> {
  const found: Partial<Record<Color, Fate>> = {};
  for (const step of steps) {
    if (step.step === "struck_for_limit") {
      for (const color of Object.keys(step.counts)) found[color as Color] = "limit";
    } else if (step.step === "struck_for_tie") {
      for (const color of step.colors) found[color] = "tie";
    } else if (step.step === "color_scores") found[step.color] = "scores";
  }
  return found;
}

/** Which cards of a hand a choice takes, by their places; the same card may be held twice. */
export function placesOf(choice: Cards, hand: Cards): number[] {
  const free = hand.map((_, place) => place);
  return choice.flatMap((card) => {
    const at = free.findIndex((place) => hand[place] === card);
    return at < 0 ? [] : free.splice(at, 1);
  });
}
