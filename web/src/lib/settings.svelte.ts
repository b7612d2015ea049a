// How this person wants it. Kept in this browser, applied at once.
import { load, save } from "./storage";

export type Language = "en" | "fr";
export type Speed = "slow" | "normal" | "fast" | "none";
export type Edition = "classic" | "azul";

export interface Settings {
  language: Language | "auto";
  theme: "auto" | "light" | "dark";
  edition: Edition;
  speed: Speed;
  sound: boolean;
  vibrate: boolean;
  instant: boolean;
  preview: boolean;
  words: boolean;
  mute: boolean;
  notify: boolean;
  name: string;
}

const FIRST: Settings = {
  language: "auto",
  theme: "auto",
  edition: "classic",
  speed: "normal",
  sound: false,
  vibrate: true,
  instant: false,
  preview: true,
  words: false,
  mute: false,
  notify: false,
  name: "",
};

const stored = (): Settings => ({ ...FIRST, ...load<Partial<Settings>>("settings", {}) });

export const settings: Settings = $state(stored());
let known = stored(); // as this tab last read or wrote them

function changed(from: Settings, to: Settings): Partial<Settings> {
  const keys = Object.keys(FIRST) as (keyof Settings)[];
  return Object.fromEntries(keys.flatMap((key) => (from[key] === to[key] ? [] : [[key, to[key]]])));
}

/** Only what was changed in this tab: another may have changed something else meanwhile. */
export function keep(): void {
  save("settings", { ...stored(), ...changed(known, settings) });
  known = { ...settings };
}

addEventListener("storage", ({ key }) => {
  if (key !== "five211.settings" && key !== null) return;
  const found = stored();
  Object.assign(settings, changed(known, found));
  known = found;
});

/** The language that people read: chosen, or the browser's first that we have. */
export function language(): Language {
  if (settings.language !== "auto") return settings.language;
  for (const wanted of navigator.languages ?? []) {
    const short = wanted.slice(0, 2);
    if (short === "en" || short === "fr") return short;
  }
  return "en";
}

export function dark(): boolean {
  if (settings.theme !== "auto") return settings.theme === "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

/** The time that a step of the story takes, as a factor; 0 for no motion at all. */
export function pace(): number {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return 0;
  return { slow: 1.8, normal: 1, fast: 0.5, none: 0 }[settings.speed];
}
