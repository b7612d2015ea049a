// What this page asks the server once: which bots it has, and where others find it.
import levels from "../generated/levels.json";
import { about } from "./api";
import { language } from "./settings.svelte";
import { load, save } from "./storage";

const ITSELF = ["localhost", "127.0.0.1", "[::1]"]; // nobody else finds a machine by these
const LEVELS: Record<string, (typeof levels)["easy"]> = levels;
const KEPT = "opponents";

/** `origin` is for links that are passed on; `alone`: no other device could open them. */
export const house = $state({ levels: [] as string[], origin: location.origin, alone: false });

/** Whom this person plays against where nobody else comes. */
export const opponents = $state({ level: "easy", players: 4, ...load<object>(KEPT, {}) });

export function keepOpponents(): void {
  save(KEPT, opponents);
}

let asked = false;

export function askHouse(): typeof house {
  if (!asked) {
    asked = true;
    about()
      .then(({ bots, addresses }) => {
        house.levels = levelsOf(bots);
        if (house.levels[0] && !house.levels.includes(opponents.level))
          opponents.level = house.levels.includes("easy") ? "easy" : house.levels[0];
        if (ITSELF.includes(location.hostname)) {
          house.origin = addresses[0] ?? location.origin;
          house.alone = addresses.length === 0;
        }
      })
      .catch(() => {
        asked = false; // whoever comes to the next screen asks again
      });
  }
  return house;
}

/** The levels, the easiest first; those that this page does not know come last. */
export function levelsOf(bots: { level: string | null }[]): string[] {
  const found = new Set(bots.flatMap(({ level }) => (level ? [level] : [])));
  return [...Object.keys(LEVELS).filter((one) => found.delete(one)), ...found];
}

/** A level and who plays at it: "easy · Maxi". */
export function levelName(level: string): string {
  const known = LEVELS[level];
  return known ? `${known[language()].level} · ${known.called}` : level;
}

/** A sentence about whoever plays at a level. */
export function character(level: string): string {
  const known = LEVELS[level];
  return known ? `${known.called} ${known[language()].character}` : "";
}

/** What players call a bot. */
export function called(bot: string): string {
  return Object.values(LEVELS).find((one) => one.bot === bot)?.called ?? bot;
}

/** An origin as people type it. */
export function typed(origin: string): string {
  return origin.replace(/^https?:\/\//, "");
}
