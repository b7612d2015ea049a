// What a seat is doing, in words.
import type { View } from "../generated/protocol";
import { t } from "../strings/page";
import { called } from "./house.svelte";

/** While a round is told, the table says nothing of the next; but time runs, and its owner sees it. */
export function statusOf(view: View, seat: number, now: number, told = false): string {
  const one = view.seats[seat];
  if (!one) return "";
  const who = one.substitute
    ? t("plays_for", { bot: called(one.substitute) })
    : !one.bot && !one.present
      ? t("away")
      : "";
  const doing = told ? leftOf(view, seat, now) : doingOf(view, seat, now);
  return [who || (one.bot ? t("bot") : ""), doing].filter(Boolean).join(" · ");
}

function doingOf(view: View, seat: number, now: number): string {
  if (view.phase !== "choosing") return "";
  const chosen = view.chosen[seat];
  if (chosen) return t("has_chosen");
  if (chosen === null || chosen === undefined) return "";
  const left = secondsOf(view, seat, now);
  return left === null ? t("thinking") : t("thinking_for", { time: clock(left) });
}

function leftOf(view: View, seat: number, now: number): string {
  if (view.phase !== "choosing" || seat !== view.you || view.chosen[seat] !== false) return "";
  const left = secondsOf(view, seat, now);
  return left === null ? "" : t("time_left", { time: clock(left) });
}

function secondsOf(view: View, seat: number, now: number): number | null {
  const deadline = view.deadlines[seat];
  return deadline ? Math.max(0, Math.round(deadline - now)) : null;
}

/** Seconds as people read them. */
export function clock(seconds: number): string {
  if (seconds >= 86400) return t("days", { n: Math.floor(seconds / 86400) });
  if (seconds >= 3600) return t("hours", { n: Math.floor(seconds / 3600) });
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
