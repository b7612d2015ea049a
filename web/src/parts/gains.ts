// What a round brought whom.
import type { Round, View } from "../generated/protocol";
import { t } from "../strings/over";

/** Who got how many points in a round: "Ana +5, Ben +2". */
export function sayGains(view: View, round: Round): string {
  const gains = round.score.points.flatMap((points, seat) =>
    points ? [`${view.seats[seat]?.name} +${points}`] : [],
  );
  return gains.join(", ") || t("nobody_gains");
}
