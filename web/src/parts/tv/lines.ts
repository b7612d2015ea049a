// What a television says under the tally.
import type { View } from "../../generated/protocol";
import { t } from "../../strings/tv";

/** For whom the table waits; nothing, if that is not to be known. */
export function sayWaiting(view: View): string {
  if (view.phase === "dealing") return t("dealing");
  if (view.paused) return t("paused");
  if (view.phase !== "choosing" || view.chosen.some((one) => one === null)) return "";
  const awaited = view.seats.filter((_, seat) => view.chosen[seat] === false);
  return awaited.length
    ? t("thinking", { names: awaited.map(({ name }) => name).join(", ") })
    : t("all_chosen");
}
