// The game at the real table: what was tapped in, kept in this browser after every tap.
import type { Card, Color } from "../generated/protocol";
import { load, save } from "../lib/storage";
import { t } from "../strings/companion";
import {
  colorsOn,
  type Entry,
  handOf,
  iconsOn,
  isDone,
  missing,
  newEntry,
  nextSeat,
  type Others,
  outcome,
  type Refusal,
  refuseCard,
  refuseColor,
  refuseIcons,
  refuseShares,
  takes,
  unshared,
  type Way,
} from "./entry";
import { sum } from "./score";
import { type Game, type Kept, othersOf, readKept, type Sheet, sheetOf } from "./sheet";

const KEY = "companion";
const LAST = "companion.last";

export type Setup = Pick<Game, "names" | "edition" | "variant">;

/** Who played last, and how, for the next game. */
export function lastSetup(): Setup | null {
  const last = load<Setup | null>(LAST, null);
  return Array.isArray(last?.names) ? last : null;
}

export class Keeper {
  kept = $state.raw<Kept | null>(readKept(load<unknown>(KEY, null)));
  refusal = $state.raw<Refusal | null>(null);
  /** Counts what was refused, so that the same sentence is read out again. */
  refused = $state(0);
  private past = $state.raw<{ entry: Entry; seat: number }[]>([]);

  game = $derived(this.kept?.game ?? null);
  players = $derived(this.kept?.game.names.length ?? 0);
  names = $derived(
    (this.kept?.game.names ?? []).map(
      (name, seat) => name.trim() || t("player_n", { n: seat + 1 }),
    ),
  );
  sheet: Sheet | null = $derived(this.kept ? sheetOf(this.kept.game) : null);
  fixing = $derived(this.kept?.fixing ?? null);
  entry: Entry = $derived(this.kept?.fixing?.entry ?? this.kept?.draft ?? newEntry("cards"));
  seat = $derived(this.kept?.fixing?.seat ?? this.kept?.seat ?? 0);
  /** The round that is being tapped in or corrected, counted from 0 through the game. */
  index = $derived(this.kept?.fixing?.index ?? this.kept?.game.rounds.length ?? 0);
  /** While an earlier round is corrected, the one that is being played is another, too. */
  others: Others = $derived.by(() => {
    if (!this.kept) return [];
    const { game, draft, fixing } = this.kept;
    return othersOf(fixing ? { ...game, rounds: [...game.rounds, draft] } : game, this.index);
  });
  missing = $derived(missing(this.entry, this.players));
  outcome = $derived(this.players ? outcome(this.entry, this.players) : null);
  takes = $derived(this.players ? takes(this.entry, this.players) : []);
  unshared = $derived(this.players ? unshared(this.entry, this.players) : 0);
  done = $derived(this.players > 0 && isDone(this.entry, this.players));

  private keep(kept: Kept | null): void {
    this.kept = kept;
    save(KEY, kept);
  }

  private set(entry: Entry, seat = this.seat, remember = true): void {
    if (!this.kept) return;
    if (remember) this.past = [...this.past.slice(-99), { entry: this.entry, seat: this.seat }];
    this.refusal = null;
    const { fixing } = this.kept;
    if (fixing) this.keep({ ...this.kept, fixing: { ...fixing, entry, seat } });
    else this.keep({ ...this.kept, draft: entry, seat });
  }

  private refuse(refusal: Refusal | null): boolean {
    this.refusal = refusal;
    if (refusal) this.refused += 1;
    return refusal !== null;
  }

  // A game

  start(setup: Setup): void {
    save(LAST, setup);
    this.past = [];
    this.refusal = null;
    const way = this.kept?.draft.way ?? "cards";
    const game: Game = { ...setup, rounds: [] };
    this.keep({ version: 1, game, draft: newEntry(way), seat: 0, fixing: null });
  }

  leave(): void {
    this.past = [];
    this.refusal = null;
    this.keep(null);
  }

  rename(seat: number, name: string): void {
    if (!this.kept) return;
    const { game } = this.kept;
    const names = game.names.map((old, one) => (one === seat ? name : old));
    save(LAST, { names, edition: game.edition, variant: game.variant });
    this.keep({ ...this.kept, game: { ...game, names } });
  }

  // A round

  way(way: Way): void {
    const { entry } = this;
    // What was tapped in card by card need not be counted again.
    const fresh = way === "count" && entry.cards.length && !sum(Object.values(entry.counts));
    const counted = fresh ? { counts: colorsOn(entry), icons: iconsOn(entry) } : {};
    this.set({ ...entry, ...counted, way, shown: false }, 0);
    if (way !== "count") this.sit(nextSeat(this.entry, this.players, this.players - 1) ?? 0);
  }

  sit(seat: number): void {
    this.set(this.entry, seat, false);
  }

  /** A card lies in front of the player whose turn it is; true if it may. */
  add(card: Card): boolean {
    const { entry, seat, players } = this;
    if (this.refuse(refuseCard(entry, this.others, players, seat, card))) return false;
    if (entry.way === "count") {
      this.set({ ...entry, taken: [...entry.taken, { seat, card }] });
      this.refuse(refuseShares(this.entry, players));
      return true;
    }
    const now = { ...entry, cards: [...entry.cards, { seat, card }] };
    const next = nextSeat(now, players, seat);
    this.set({ ...now, shown: next === null }, next ?? seat);
    return true;
  }

  /** Take away the card at a place of a player's hand. */
  remove(seat: number, place: number): void {
    const { entry, list } = this;
    let at = -1;
    const left = entry[list].filter((one) => one.seat !== seat || ++at !== place);
    this.set({ ...entry, [list]: left, shown: list === "taken" }, seat);
  }

  count(color: Color, by: 1 | -1): boolean {
    const { entry } = this;
    if (by > 0 && this.refuse(refuseColor(entry, this.others, this.players, color))) return false;
    const count = entry.counts[color] + by;
    if (count < 0) return false;
    this.set({ ...entry, counts: { ...entry.counts, [color]: count }, taken: [], shown: false });
    return true;
  }

  countIcons(by: 1 | -1): boolean {
    const { entry } = this;
    const icons = entry.icons + by;
    const rest = Math.max(0, this.missing);
    if (icons < 0) return false;
    if (by > 0 && this.refuse(refuseIcons(entry, this.others, icons, rest))) return false;
    this.set({ ...entry, icons, taken: [], shown: false });
    return true;
  }

  /** Show what scores, if all cards are in. */
  show(): void {
    const { entry } = this;
    if (this.missing !== 0) return;
    if (entry.way === "count" && this.refuse(refuseIcons(entry, this.others, entry.icons))) return;
    if (entry.way === "count") this.past = []; // from here on, undo takes back what was shared
    this.set({ ...entry, shown: true }, entry.way === "count" ? 0 : this.seat, false);
  }

  /** Back to the cards. */
  change(): void {
    this.set({ ...this.entry, shown: false }, this.seat, false);
  }

  clear(): void {
    this.set(newEntry(this.entry.way), 0);
  }

  private get list(): "taken" | "cards" {
    return this.entry.way === "count" ? "taken" : "cards";
  }

  get canUndo(): boolean {
    return this.past.length > 0 || this.entry[this.list].length > 0;
  }

  undo(): void {
    const { entry, list } = this;
    const last = this.past.at(-1);
    const gone = entry[list].at(-1);
    if (last) {
      this.past = this.past.slice(0, -1);
      this.set(last.entry, last.seat, false);
    } else if (gone) {
      // After a reload the taps are forgotten, but not the cards.
      const left = { ...entry, [list]: entry[list].slice(0, -1), shown: list === "taken" };
      this.set(left, gone.seat, false);
    }
  }

  /** The round is over: onto the sheet. */
  finish(): void {
    const { kept, entry } = this;
    if (!kept || !this.done || this.refuse(refuseShares(entry, this.players))) return;
    this.past = [];
    this.refusal = null;
    const { game, fixing } = kept;
    const closed = { ...entry, shown: true };
    if (fixing) {
      const rounds = game.rounds.map((old, index) => (index === fixing.index ? closed : old));
      this.keep({ ...kept, game: { ...game, rounds }, fixing: null });
    } else {
      const rounds = [...game.rounds, closed];
      this.keep({ ...kept, game: { ...game, rounds }, draft: newEntry(entry.way), seat: 0 });
    }
  }

  // Earlier rounds

  /** Open a round that is on the sheet. */
  open(index: number): void {
    const entry = this.kept?.game.rounds[index];
    if (!this.kept || !entry) return;
    this.past = [];
    this.refusal = null;
    this.keep({ ...this.kept, fixing: { index, entry: { ...entry, shown: true }, seat: 0 } });
  }

  /** Leave it as it was. */
  close(): void {
    if (!this.kept) return;
    this.past = [];
    this.refusal = null;
    this.keep({ ...this.kept, fixing: null });
  }

  /** The cards in front of a player. */
  hand(seat: number): Card[] {
    return handOf(this.entry[this.list], seat);
  }
}
