// A replay's scenes and its end, in words.
import type { Replay } from "../../generated/protocol";
import { t } from "../../strings/replay";
import type { ReplayScene } from "./scenes";

/** Where in the game a scene is. */
export function sayWhere(scene: ReplayScene, deals: number): string {
  const said = t(`where_${scene.kind}`, { round: scene.round + 1, turn: scene.turn + 1 });
  return deals > 1 ? `${said} · ${t("in_deal", { n: scene.deal + 1 })}` : said;
}

/** Who won. */
export function sayWon({ result, players }: Replay): string {
  const names = result.winners.map((seat) => players[seat] ?? "");
  const n = Math.max(...result.points);
  return names.length > 1
    ? t("shared", { names: names.join(", "), n })
    : t("wins", { name: names[0] ?? "", n });
}
