// The table companion's logic: looked up, counted, added up.
import { beforeEach, describe, expect, it } from "vitest";
import {
  type Entry,
  isDone,
  isEntry,
  missing,
  newEntry,
  nextSeat,
  outcome,
  type Placed,
  pointsOf,
  refuseCard,
  refuseColor,
  refuseIcons,
  refuseShares,
  SOME_ICON,
  takes,
} from "../src/companion/entry";
import { Keeper } from "../src/companion/keeper.svelte";
import { sayCount, sayStep, sayTakes } from "../src/companion/say";
import { type Counts, HAND, judge, numbersOf, SEATS, soFar } from "../src/companion/score";
import { ending, type Game, othersOf, readKept, sheetOf } from "../src/companion/sheet";
import type { Step } from "../src/generated/protocol";
import table from "../src/generated/scores.json";
import { COLORS } from "../src/lib/count";
import { settings } from "../src/lib/settings.svelte";
import en from "../src/strings/companion.en.json";
import fr from "../src/strings/companion.fr.json";

type Rows = Record<string, [number[], number[][], number | null]>;
const rowsOf = (players: number) => numbersOf(players).rows as Rows;

function counts(key: string, colors = COLORS): Counts {
  const all = Object.fromEntries(key.split(" ").map((count, n) => [colors[n], Number(count)]));
  return { Y: 0, G: 0, O: 0, B: 0, V: 0, ...all };
}

/** Hands as they are written: "Y1 Y2 G3 B4 / ...". */
function cards(text: string, way: "cards" | "turns" = "cards"): Entry {
  const placed: Placed[] = text.split("/").flatMap((hand, seat) =>
    hand
      .trim()
      .split(/\s+/)
      .filter(Boolean)
      .map((card) => ({ seat, card })),
  );
  return { ...newEntry(way), cards: placed };
}

beforeEach(() => {
  localStorage.clear();
  settings.language = "en";
});

describe("what scores", () => {
  for (const players of SEATS)
    it(`tells every row of the table for ${players} players, whatever the colours`, () => {
      const { exact, limit } = numbersOf(players);
      for (const [key, [over, ties, scores]] of Object.entries(rowsOf(players))) {
        const mixed = [...COLORS].reverse();
        for (const colors of [COLORS, mixed]) {
          const some = counts(key, colors);
          const order = [...COLORS].sort((a, b) => some[b] - some[a]);
          const steps = judge(players, some, exact + 1) as Step[];
          const kinds = steps.map((step) => step.step);
          expect(kinds).toEqual([
            "icons_counted",
            "colors_counted",
            ...(over.length ? ["struck_for_limit"] : []),
            ...ties.map(() => "struck_for_tie"),
            scores === null ? "nothing_left" : "color_scores",
          ]);
          for (const step of steps) {
            if (step.step === "struck_for_limit") {
              expect(Object.keys(step.counts).sort()).toEqual(over.map((n) => order[n]).sort());
              for (const count of Object.values(step.counts))
                expect(count).toBeGreaterThanOrEqual(limit);
            }
            if (step.step === "struck_for_tie")
              for (const color of step.colors) expect(some[color]).toBe(step.count);
            if (step.step === "color_scores") expect(step.color).toBe(order[scores as number]);
            expect(sayStep(step, "classic")).toMatch(/^[A-Z0-9].*\.$/);
            expect(sayStep(step, "azul")).not.toMatch(/[{}]|undefined/);
          }
          expect(judge(players, some, exact)).toEqual([
            { step: "icons_counted", found: exact, needed: exact },
          ]);
        }
      }
    });

  it("says nothing before the table is full", () => {
    expect(judge(2, counts("3 2 2"), 0)).toBeNull();
    expect(judge(2, counts("9 0"), 0)).toBeNull();
  });

  it("tells the cascade of ties in the words of the rules (rule 4.5)", () => {
    const steps = judge(4, counts("4 4 3 3 2"), 1) ?? [];
    expect(steps.map((step) => sayStep(step, "classic"))).toEqual([
      "1 Kododo on the table, not exactly 6: the colours decide.",
      "Cards counted, not their values: 4 yellow, 4 green, 3 orange, 3 blue and 2 violet.",
      "Yellow and green tie at 4: both are out.",
      "Orange and blue tie at 3: both are out.",
      "2 violet, the most: violet scores.",
    ]);
  });

  it("says it in French, and for the other edition", () => {
    settings.language = "fr";
    const steps = judge(3, counts("6 2 2 2"), 1) ?? [];
    const said = steps.map((step) => sayStep(step, "azul"));
    expect(said[0]).toMatch(/^1 Coq sur la table/);
    expect(said[2]).toBe("Jaune 6, limite 6\u00a0: le jaune est éliminé.");
    expect(said[3]).toMatch(/tous éliminés\.$/);
  });

  it("gives each player the cards of the colour, or the icons (rules 4.1 and 4.4)", () => {
    const color = cards("G2 G3 Y1 B2 / G4 O2 Y2 V1");
    expect(takes(color, 2)).toEqual([["G2", "G3"], ["G4"]]);
    expect(takes(color, 2).map(pointsOf)).toEqual([5, 4]);
    expect(sayTakes(takes(color, 2), ["Ana", "Bo"], "classic")).toEqual([
      "Ana takes G2 G3: 5 points.",
      "Bo takes G4: 4 points.",
    ]);
    const icons = cards("G1 Y1 O1 G6 / G4 G2 G2 V1");
    expect(outcome(icons, 2)?.kind).toBe("kododo");
    expect(takes(icons, 2).map(pointsOf)).toEqual([3, 1]);
    expect(sayTakes([[SOME_ICON, SOME_ICON], []], ["Ana", "Bo"], "azul")).toEqual([
      "Ana takes 2 Roosters: 2 points.",
    ]);
    expect(sayTakes([[], []], ["Ana", "Bo"], "classic")).toEqual(["No points this round."]);
  });

  it("shows while cards come which colours lead, tie or are out, and how far the limit is", () => {
    const stand = (players: number, key: string) =>
      soFar(players, counts(key), 0).colors.map((one) => `${one.standing} ${one.to_limit}`);
    expect(stand(2, "5 2 1")).toEqual(["bust 0", "leads 3", "behind 4", "absent 5", "absent 5"]);
    expect(stand(5, "1 3 3")).toEqual(["leads 7", "tied 5", "tied 5", "absent 8", "absent 8"]);
    expect(stand(3, "2 2 0 1 1")).toEqual(["tied 4", "tied 4", "absent 6", "tied 5", "tied 5"]);
    expect(stand(4, "")).toEqual(Array(5).fill("absent 7"));
    for (const players of SEATS) {
      const { limit, exact } = numbersOf(players);
      const at = (n: number) => soFar(players, counts(`${n}`), 0).colors[0]?.standing;
      expect([at(1), at(limit - 1), at(limit)]).toEqual(["leads", "leads", "bust"]);
      const icons = (n: number) => soFar(players, counts("1"), n).icon_standing;
      expect([icons(0), icons(exact - 1), icons(exact), icons(exact + 1)]).toEqual([
        "few",
        "one_more",
        "exact",
        "too_many",
      ]);
    }
  });

  it("leaves the colour in front that scores when the last card is there", () => {
    for (const players of SEATS)
      for (const key of Object.keys(rowsOf(players))) {
        const steps = judge(players, counts(key), 0) ?? [];
        const last = steps.at(-1);
        const { colors } = soFar(players, counts(key), 0);
        const leading = colors.filter((one) => one.standing === "leads").map((one) => one.color);
        expect(leading).toEqual(last?.step === "color_scores" ? [last.color] : []);
      }
  });
});

describe("tapping in", () => {
  it("goes from player to player, with all cards at once or turn by turn", () => {
    const go = (way: "cards" | "turns") => {
      let entry = newEntry(way);
      let seat: number | null = 0;
      const seats: number[] = [];
      while (seat !== null) {
        seats.push(seat);
        entry = { ...entry, cards: [...entry.cards, { seat, card: "Y2" }] };
        seat = nextSeat(entry, 2, seat);
      }
      return seats.join("");
    };
    expect(go("cards")).toBe("00001111");
    expect(go("turns")).toBe("00110101");
  });

  it("refuses more cards than the deck has, and says where they are", () => {
    const entry = cards("Y6 Y4 Y4 / ");
    const no = (card: string, seat = 1) => refuseCard(entry, [], 2, seat, card);
    expect(no("Y6")).toEqual({ why: "on_table", card: "Y6", n: 1 });
    expect(no("Y4")).toEqual({ why: "on_table", card: "Y4", n: 2 });
    expect(no("Y5")).toBeNull();
    const earlier = [{ number: 2, entry: cards("Y5 Y3 Y3 Y3 / Y3 Y3 G2 G2") }];
    expect(refuseCard(entry, earlier, 2, 1, "Y5")).toEqual({
      why: "no_copies",
      card: "Y5",
      n: 1,
      rounds: [2],
    });
    expect(refuseCard(entry, earlier, 2, 1, "Y3")?.why).toBe("no_copies");
    expect(refuseCard(cards("Y2 Y2 Y2 Y2 / "), [], 2, 0, "G2")).toEqual({
      why: "hand_full",
      seat: 0,
    });
    for (const [n, copies] of table.copies.entries()) {
      const card = `V${n + 1}`;
      const full = { ...newEntry("cards"), cards: [] as Placed[] };
      for (let one = 0; one < copies; one++) {
        expect(refuseCard(full, [], 5, one % 5, card)).toBeNull();
        full.cards.push({ seat: one % 5, card });
      }
      expect(refuseCard(full, [], 5, 4, card)?.why).toBe("on_table");
    }
  });

  it("refuses counts that cannot be", () => {
    const count = (key: string, icons = 0): Entry => ({
      ...newEntry("count"),
      counts: counts(key),
      icons,
    });
    expect(refuseColor(count("8"), [], 2, "G")).toEqual({ why: "table_full", n: 8 });
    expect(refuseColor(count("7"), [], 2, "G")).toBeNull();
    const before = [{ number: 1, entry: count("14 2", 3) }];
    expect(refuseColor(count("6"), before, 4, "Y")).toEqual({
      why: "color_gone",
      color: "Y",
      n: 20,
    });
    expect(refuseIcons(count("8"), [], 6)).toEqual({ why: "icons_most", n: 5 });
    expect(refuseIcons(count("6 2"), [], 7)).toBeNull();
    expect(refuseIcons(count("17 3"), [], 1)).toEqual({ why: "icons_least", n: 2 });
    const many = [{ number: 1, entry: count("5 5 5 5", 20) }];
    expect(refuseIcons(count("4 4 4 4 4"), many, 6)).toEqual({ why: "icons_gone", n: 25 });
    // 4 green score; of 7 icons the 2 + 1 + 1 other cards hold at most 4.
    const shared: Entry = {
      ...count("2 4 1 1", 7),
      taken: "2345".split("").map((v) => ({ seat: 0, card: `G${v}` })),
    };
    expect(refuseShares(shared, 2)).toEqual({ why: "icons_elsewhere", color: "G", n: 3 });
  });

  it("knows when a counted round is done: all that scores has an owner", () => {
    const entry: Entry = { ...newEntry("count"), counts: counts("4 3 1"), icons: 0 };
    expect([missing(entry, 2), isDone(entry, 2)]).toEqual([0, false]);
    const taken = ["Y2", "Y2", "Y3", "Y6"].map((card, n) => ({ seat: n % 2, card }));
    expect(isDone({ ...entry, taken }, 2)).toBe(true);
    expect(takes({ ...entry, taken }, 2).map(pointsOf)).toEqual([5, 8]);
    expect(isDone({ ...entry, counts: counts("4 4") }, 2)).toBe(true); // nobody scores
  });
});

/** A round in which these players take so many points with so many cards. */
function round(points: number[], each = points.map(() => 1)): Entry {
  const players = points.length;
  const total = each.reduce((all, one) => all + one, 0);
  const rest = players * HAND - total;
  // The colour that takes part scores: all others are over the limit or none.
  const taken = points.flatMap((sum, seat) =>
    Array.from({ length: each[seat] ?? 0 }, (_, n) => ({
      seat,
      card: `Y${n ? 2 : sum - 2 * ((each[seat] ?? 1) - 1)}`,
    })),
  );
  return {
    ...newEntry("count"),
    counts: { Y: total, G: rest, O: 0, B: 0, V: 0 },
    taken,
    shown: true,
  };
}

const game = (
  rounds: Entry[],
  variant: Game["variant"] = "standard",
  names = ["Ana", "Bo"],
): Game => ({
  names,
  edition: "classic",
  variant,
  rounds,
});

describe("the score sheet", () => {
  it("adds up, and knows the last round and the end for each number of players", () => {
    for (const players of SEATS) {
      const { rounds } = numbersOf(players);
      const names = Array.from({ length: players }, (_, n) => `P${n}`);
      const one = round(
        names.map((_, n) => (n ? 0 : 3)),
        names.map((_, n) => (n ? 0 : 1)),
      );
      expect(isDone(one, players)).toBe(true);
      for (let played = 0; played <= rounds; played++) {
        const sheet = sheetOf(game(Array(played).fill(one), "standard", names));
        expect(sheet.totals[0]).toBe(3 * played);
        expect(sheet.lastRound).toBe(played === rounds - 1);
        expect(sheet.over).toBe(played === rounds);
      }
    }
  });

  it("decides by points, then by cards, then not at all (rule 5.2)", () => {
    const last = (entry: Entry) => {
      const nothing = round([0, 0], [0, 0]);
      return ending(sheetOf(game([entry, ...Array(10).fill(nothing)])));
    };
    expect(last(round([6, 5]))).toMatchObject({ by: "points", winners: [0], points: 6 });
    expect(last(round([5, 5], [1, 2]))).toMatchObject({ by: "cards", winners: [1], first: [0, 1] });
    expect(last(round([5, 5]))).toMatchObject({ by: "shared", winners: [0, 1] });
  });

  it("plays the longer game: the first deal to its end, then until 50 (rules 6.1 to 6.4)", () => {
    const six = round([6, 2]);
    const nine = Array<Entry>(9).fill(six); // 54 points, in the first deal
    expect(sheetOf(game(nine, "long"))).toMatchObject({ over: false, deal: 1, round: 10 });
    expect(sheetOf(game(Array(11).fill(six), "long")).over).toBe(true);
    const four = Array<Entry>(11).fill(round([4, 2])); // 44 points
    const second = sheetOf(game(four, "long"));
    expect(second).toMatchObject({ over: false, deal: 2, round: 1, totals: [44, 22] });
    expect(sheetOf(game([...four, six], "long"))).toMatchObject({
      over: true,
      deal: 2,
      totals: [50, 24],
      piles: [1, 1], // the last deal's
    });
    expect(sheetOf(game([...four, round([5, 2])], "long"))).toMatchObject({
      over: false,
      round: 2,
    });
  });

  it("follows corrections: later rounds may no longer count", () => {
    const four = Array<Entry>(11).fill(round([4, 2]));
    const rounds = [...four, round([2, 2]), round([2, 2]), round([2, 2])];
    const played = game(rounds, "long");
    expect(sheetOf(played)).toMatchObject({ over: true, surplus: 0, totals: [50, 28] });
    const more = { ...played, rounds: rounds.with(0, round([6, 2])) };
    expect(sheetOf(more)).toMatchObject({ over: true, surplus: 1, totals: [50, 26] });
    const less = { ...played, rounds: rounds.with(0, round([3, 2])) };
    expect(sheetOf(less)).toMatchObject({ over: false, surplus: 0, round: 4 });
  });

  it("takes the other rounds of the same deal for what is gone from the deck", () => {
    const one = round([4, 2]);
    const some = game(Array(13).fill(one), "long");
    expect(othersOf(some, 13).map((other) => other.number)).toEqual([1, 2]);
    expect(othersOf(some, 0).map((other) => other.number)).toEqual([
      2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    ]);
  });
});

describe("the game in the browser", () => {
  const setup = { names: ["Ana", ""], edition: "classic" as const, variant: "standard" as const };
  const tap = (keeper: Keeper, text: string) => {
    for (const card of text.split(" ")) expect(keeper.add(card)).toBe(true);
  };

  it("keeps every tap, and comes back where it was", () => {
    const keeper = new Keeper();
    expect(keeper.kept).toBeNull();
    keeper.start(setup);
    expect(keeper.names).toEqual(["Ana", "Player 2"]);
    tap(keeper, "G2 G3 Y1 B2 G4");
    const back = new Keeper();
    expect([back.seat, back.missing]).toEqual([1, 3]);
    expect(back.hand(0)).toEqual(["G2", "G3", "Y1", "B2"]);
    back.undo(); // also after a reload
    expect(back.hand(1)).toEqual([]);
    tap(back, "G4 O2 Y2 V1");
    expect(back.entry.shown).toBe(true);
    back.finish();
    expect(back.sheet?.totals).toEqual([5, 4]);
    expect(new Keeper().sheet?.totals).toEqual([5, 4]);
  });

  it("undoes, takes away, and moves on to whoever lacks a card", () => {
    const keeper = new Keeper();
    keeper.start(setup);
    tap(keeper, "G2 G3 Y1 B2");
    expect(keeper.seat).toBe(1);
    keeper.remove(0, 1);
    expect([keeper.seat, keeper.hand(0)]).toEqual([0, ["G2", "Y1", "B2"]]);
    keeper.undo();
    expect([keeper.seat, keeper.hand(0)]).toEqual([1, ["G2", "G3", "Y1", "B2"]]);
    expect(keeper.canUndo).toBe(true);
    keeper.sit(0);
    expect(keeper.add("V2")).toBe(false);
    expect(keeper.refusal).toEqual({ why: "hand_full", seat: 0 });
  });

  it("corrects an earlier round and leaves the present one alone", () => {
    const keeper = new Keeper();
    keeper.start(setup);
    tap(keeper, "G2 G3 Y1 B2 G4 O2 Y2 V1");
    keeper.finish();
    tap(keeper, "V2 V3");
    expect(keeper.add("G5")).toBe(true);
    keeper.open(0);
    keeper.remove(1, 0);
    expect(keeper.add("G5")).toBe(false); // it lies in round 2
    expect(keeper.refusal).toMatchObject({ why: "no_copies", rounds: [2] });
    expect(keeper.add("G6")).toBe(true);
    expect(keeper.entry.shown).toBe(true);
    keeper.finish();
    expect(keeper.sheet?.totals).toEqual([5, 6]);
    expect(keeper.fixing).toBeNull();
    expect(keeper.hand(0)).toEqual(["V2", "V3", "G5"]);
    keeper.open(0);
    keeper.remove(0, 0);
    keeper.close();
    expect(keeper.sheet?.totals).toEqual([5, 6]);
  });

  it("counts only, then shares out what scores", () => {
    const keeper = new Keeper();
    keeper.start(setup);
    keeper.way("count");
    for (const color of ["Y", "Y", "Y", "G", "G", "O", "O", "V"] as const)
      expect(keeper.count(color, 1)).toBe(true);
    expect(keeper.count("B", 1)).toBe(false);
    expect(keeper.countIcons(1)).toBe(true);
    keeper.show();
    expect(keeper.outcome).toMatchObject({ kind: "color", color: "Y", count: 3 });
    keeper.finish();
    expect(keeper.sheet?.lines).toHaveLength(0);
    tap(keeper, "Y1 Y5");
    expect(keeper.add("Y1")).toBe(false); // only one icon was counted
    keeper.sit(1);
    tap(keeper, "Y2");
    const back = new Keeper(); // undo works after a reload, too
    back.undo();
    expect([back.unshared, back.entry.shown, back.canUndo]).toEqual([1, true, true]);
    keeper.finish();
    expect(keeper.sheet?.totals).toEqual([6, 2]);
    expect(keeper.entry.way).toBe("count");
  });

  it("starts counting from the cards that were tapped in already", () => {
    const keeper = new Keeper();
    keeper.start(setup);
    tap(keeper, "G2 G1 Y1");
    keeper.way("count");
    expect(keeper.entry).toMatchObject({ counts: counts("1 2"), icons: 2 });
    keeper.way("turns");
    expect([keeper.seat, keeper.hand(0)]).toEqual([1, ["G2", "G1", "Y1"]]);
  });

  it("reads nothing that it cannot understand", () => {
    const keeper = new Keeper();
    keeper.start(setup);
    tap(keeper, "G2 G3 Y1 B2 G4 O2 Y2 V1");
    keeper.finish();
    const good = JSON.parse(localStorage.getItem("five211.companion") ?? "");
    expect(readKept(good)).not.toBeNull();
    expect(readKept(null)).toBeNull();
    expect(readKept("x")).toBeNull();
    expect(readKept({ ...good, version: 2 })).toBeNull();
    expect(readKept({ ...good, seat: 2 })).toBeNull();
    expect(readKept({ ...good, game: { ...good.game, names: ["A"] } })).toBeNull();
    const odd = { ...good.draft, cards: [{ seat: 0, card: "Z9" }] };
    expect(isEntry(odd, 2)).toBe(false);
    expect(readKept({ ...good, draft: odd })).toBeNull();
    expect(readKept({ ...good, fixing: { index: 7 } })?.fixing).toBeNull();
    localStorage.setItem("five211.companion", "{");
    expect(new Keeper().kept).toBeNull();
  });
});

describe("the words", () => {
  it("say the count for ears", () => {
    expect(sayCount(soFar(2, counts("1 5 2"), 3), "classic")).toEqual([
      "5 green, bust",
      "2 orange, leads, 3 to the limit",
      "1 yellow, behind, 4 to the limit",
      "Kododos: 3 of exactly 4, one more!",
    ]);
    settings.language = "fr";
    expect(sayCount(soFar(3, counts("2 2 1"), 0), "azul")[0]).toMatch(/^jaune 2, à égalité/i);
  });

  it("are there in both languages, with the same fields", () => {
    const flat = (book: Record<string, string | Record<string, string>>) =>
      Object.fromEntries(
        Object.entries(book).map(([key, entry]) => {
          const text = typeof entry === "string" ? entry : (entry.other ?? "");
          return [key, [...text.matchAll(/\{(\w+)\}/g)].map((one) => one[1]).sort()];
        }),
      );
    expect(flat(fr)).toEqual(flat(en));
  });

  it("have no-break spaces where French wants them", () => {
    expect(JSON.stringify(Object.values(fr))).not.toMatch(/[^\u00a0][;!?»](?!")|[a-zé] :|« /);
  });
});
