// What the companion says of where a game is, and why it refuses something.
import { cardName, colorName, iconName } from "../lib/words";
import { t } from "../strings/companion";
import type { Entry, Refusal } from "./entry";
import { type Game, type Sheet, sheetOf } from "./sheet";

/** The heading: which round is being tapped in or corrected. */
export function titleOf(game: Game, sheet: Sheet, index: number, fixing: boolean): string {
  if (sheet.over && !fixing) return t("over");
  const long = game.variant === "long";
  const { rounds } = sheet;
  const deal = Math.floor(index / rounds) + 1;
  const round = (index % rounds) + 1;
  if (fixing) return t(long ? "correct_deal_round" : "correct_round", { deal, round });
  return t(long ? "deal_round_of" : "round_of", { deal, round, rounds });
}

/** What the button after a result leads to. */
export function nextLabel(game: Game | null, entry: Entry, fixing: boolean): string {
  if (!game || fixing) return t("save_fix");
  const after = sheetOf({ ...game, rounds: [...game.rounds, entry] });
  if (after.over) return t("end_game");
  return t(after.round === 1 ? "next_deal" : "next_round");
}

/** Why something cannot be, in a sentence. */
export function sayRefusal(no: Refusal, names: string[], edition: string): string {
  const fields: Record<string, string | number> = "n" in no ? { n: no.n } : {};
  fields.icons = iconName("n" in no ? no.n : 2, edition);
  if ("card" in no) fields.card = cardName(no.card, edition);
  if ("color" in no) fields.color = colorName(no.color, edition);
  if ("seat" in no) fields.name = names[no.seat] ?? "";
  if ("rounds" in no) fields.rounds = (no.rounds ?? []).join(", ");
  return t(no.why, fields);
}
