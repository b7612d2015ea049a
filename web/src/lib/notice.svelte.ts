// "It is your turn", for somebody who looks elsewhere: the title, and a notification where allowed.

import { t } from "../strings/page";
import { settings } from "./settings.svelte";

let shown: Notification | null = null;

export function notice(yours: boolean, table: string): void {
  document.title = yours ? `● ${t("your_turn")} – five211` : "five211";
  shown?.close();
  shown = null;
  if (!yours || !document.hidden || !settings.notify) return;
  if ("Notification" in window && Notification.permission === "granted") {
    try {
      shown = new Notification(t("your_turn"), { body: table, tag: "five211-turn" });
      shown.onclick = () => window.focus();
    } catch {
      // Phones want it from the service worker; without one, the title must do.
      navigator.serviceWorker?.ready
        .then((worker) =>
          worker.showNotification(t("your_turn"), { body: table, tag: "five211-turn" }),
        )
        .catch(() => {});
    }
  }
}

/** Whether the page may notify now; asks the person once. */
export async function mayNotify(): Promise<boolean> {
  if (!("Notification" in window)) return false;
  return (await Notification.requestPermission()) === "granted";
}
