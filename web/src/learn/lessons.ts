// What the tutorial shows, in its order. Situations, right answers and sentences are played by the
// game itself (web/lessons.py); nothing here knows a rule.
import editions from "../generated/editions.json";
import en from "../generated/lessons.en.json";
import fr from "../generated/lessons.fr.json";
import data from "../generated/lessons.json";
import type { Cards, Color, Result, Score, Step, Tally } from "../generated/protocol";
import { countColors, fates } from "../lib/count";
import type { Fields } from "../lib/i18n";
import { type Language, language } from "../lib/settings.svelte";
import { colorName, iconName } from "../lib/words";
import type { LearnKey } from "../strings/learn";

export interface Situation {
  players: number;
  limit: number;
  exact: number;
  table: Cards[];
  tally: Tally;
  score: Score;
  sums: Record<Color, number>;
}

export interface Practice {
  players: number;
  limit: number;
  exact: number;
  plays: number[];
  hand: Cards;
  draws: Cards[];
  others: Cards[][];
  tally: (own: Cards) => Tally | null;
  score: (own: Cards) => Score | null;
}

export type SituationName = keyof typeof data.situations;

interface Said {
  names: string[];
  classic: string[];
  azul: string[];
}

const SAID: Record<Language, Said> = { en, fr };

function sentence(n: number, edition: string): string {
  const said = SAID[language()];
  return (edition === "azul" ? said.azul : said.classic)[n] ?? "";
}

export const friends = (): string[] => SAID[language()].names;

// What the files hold: numbers instead of sentences.
type RawTally = Omit<Tally, "text"> & { says: number[] };
type RawScore = Omit<Score, "steps"> & { steps: (Step & { say: number })[] };

function tallyOf({ says, ...rest }: RawTally, edition: string): Tally {
  return { ...rest, text: says.map((n) => sentence(n, edition)) };
}

function scoreOf({ steps, ...rest }: RawScore, edition: string): Score {
  return {
    ...rest,
    steps: steps.map(({ say, ...step }) => ({ ...step, text: sentence(say, edition) })),
  };
}

export function situation(name: SituationName, edition: string): Situation {
  const { tally, score, ...rest } = data.situations[name];
  return {
    ...rest,
    tally: tallyOf(tally as RawTally, edition),
    score: scoreOf(score as unknown as RawScore, edition),
  };
}

/** The key of cards that somebody has played: in the order of the game. */
export function keyOf(own: Cards): string {
  const order = (card: string) => `${"YGOBV".indexOf(card.charAt(0))}${card}`;
  return own.toSorted((a, b) => order(a).localeCompare(order(b))).join(" ");
}

export function practice(edition: string): Practice {
  const { tallies, scores, ...rest } = data.round;
  const tally = (own: Cards) => (tallies as unknown as Record<string, RawTally>)[keyOf(own)];
  const score = (own: Cards) => (scores as unknown as Record<string, RawScore>)[keyOf(own)];
  return {
    ...rest,
    tally: (own) => {
      const found = tally(own);
      return found ? tallyOf(found, edition) : null;
    },
    score: (own) => {
      const found = score(own);
      return found ? scoreOf(found, edition) : null;
    },
  };
}

export const points = data.points as { situation: SituationName; options: number[] };
export const asks = data.asks;

export function end(edition: string): { result: Result; text: string } {
  const { says, ...result } = data.end;
  return { result, text: says.map((n) => sentence(n, edition)).join(" ") };
}

// Screens

export type Screen =
  | { kind: "deck" | "icon" | "round" | "points" | "last" | "end" | "finish" }
  | {
      kind: "ask";
      situation: SituationName;
      say: LearnKey;
      moral: LearnKey;
      /** The count is not shown before the answer. */
      blind?: boolean;
      /** The icons are not mentioned yet. */
      early?: boolean;
      /** What is said to those who added up the values. */
      trap?: LearnKey;
    };

export interface Lesson {
  id: string;
  title: LearnKey;
  screens: Screen[];
}

export const LESSONS: Lesson[] = [
  { id: "cards", title: "title_cards", screens: [{ kind: "deck" }, { kind: "icon" }] },
  { id: "round", title: "title_round", screens: [{ kind: "round" }] },
  {
    id: "scores",
    title: "title_scores",
    screens: [
      {
        kind: "ask",
        situation: "count",
        say: "say_count",
        moral: "moral_count",
        blind: true,
        early: true,
        trap: "wrong_count",
      },
      { kind: "points" },
    ],
  },
  {
    id: "limit",
    title: "title_limit",
    screens: [
      { kind: "ask", situation: "limit", say: "say_limit", moral: "moral_limit", early: true },
      {
        kind: "ask",
        situation: "limit_of_four",
        say: "say_limit_2",
        moral: "moral_limit_2",
        early: true,
      },
    ],
  },
  {
    id: "ties",
    title: "title_ties",
    screens: [{ kind: "ask", situation: "tie", say: "say_tie", moral: "moral_tie", early: true }],
  },
  {
    id: "cascade",
    title: "title_cascade",
    screens: [
      {
        kind: "ask",
        situation: "cascade",
        say: "say_cascade",
        moral: "moral_cascade",
        early: true,
      },
    ],
  },
  {
    id: "nothing",
    title: "title_nothing",
    screens: [
      {
        kind: "ask",
        situation: "nothing",
        say: "say_nothing",
        moral: "moral_nothing",
        early: true,
      },
    ],
  },
  {
    id: "icons",
    title: "title_icons",
    screens: [
      { kind: "ask", situation: "icons", say: "say_icons", moral: "moral_icons" },
      { kind: "ask", situation: "icons_too_many", say: "say_icons_2", moral: "moral_icons_2" },
    ],
  },
  {
    id: "color",
    title: "title_color",
    screens: [{ kind: "ask", situation: "icon_color", say: "say_color", moral: "moral_color" }],
  },
  { id: "last", title: "title_last", screens: [{ kind: "last" }] },
  { id: "end", title: "title_end", screens: [{ kind: "end" }] },
  { id: "finish", title: "title_finish", screens: [{ kind: "finish" }] },
];

/** Where one is: a lesson, and a screen of it. */
export interface Place {
  lesson: number;
  screen: number;
}

export const addressOf = ({ lesson, screen }: Place) =>
  `${LESSONS[lesson]?.id ?? ""}${screen ? `-${screen + 1}` : ""}`;

/** The place that an address names, or none. */
export function placeOf(address: string): Place | null {
  const [id, number = "1"] = address.split("-");
  const lesson = LESSONS.findIndex((one) => one.id === id);
  const screen = Number(number) - 1;
  return LESSONS[lesson]?.screens[screen] ? { lesson, screen } : null;
}

export function next({ lesson, screen }: Place): Place | null {
  if (LESSONS[lesson]?.screens[screen + 1]) return { lesson, screen: screen + 1 };
  return LESSONS[lesson + 1] ? { lesson: lesson + 1, screen: 0 } : null;
}

export function previous({ lesson, screen }: Place): Place | null {
  if (screen > 0) return { lesson, screen: screen - 1 };
  const earlier = LESSONS[lesson - 1];
  return earlier ? { lesson: lesson - 1, screen: earlier.screens.length - 1 } : null;
}

/** The addresses of all screens that ask something. */
export const QUESTIONS: string[] = LESSONS.flatMap(({ screens }, lesson) =>
  screens.flatMap(({ kind }, screen) =>
    ["ask", "points", "last", "end"].includes(kind) ? [addressOf({ lesson, screen })] : [],
  ),
);

// Answers

export type Answer = Color | "icons" | "nobody";

export function rightAnswer(score: Score): Answer {
  if (score.kind === "kododo") return "icons";
  return score.color ?? "nobody";
}

/** What a wrong answer is told: what the scoring's own steps say became of it. */
export function correction({ table, score }: Situation, answer: Answer): LearnKey {
  const right = rightAnswer(score);
  if (right === "icons") return "wrong_icons_win";
  if (answer === "icons") return "wrong_icons";
  if (answer === "nobody") return "wrong_nobody";
  const fate = fates(score.steps)[answer];
  if (fate === "limit" || fate === "tie") return `wrong_${fate}`;
  return countColors(table.flat())[answer] ? "wrong_behind" : "wrong_absent";
}

/** Which of a seat's cards score: as many of each kind as the score says. */
export function litCards(cards: Cards, scoring: Cards): boolean[] {
  const left = [...scoring];
  return cards.map((card) => {
    const at = left.indexOf(card);
    if (at < 0) return false;
    left.splice(at, 1);
    return true;
  });
}

// Words

/** A colour as a sentence's subject: "green", "le vert". */
export function theColor(color: Color, edition: string): string {
  const found = editions.editions[edition === "azul" ? "azul" : "classic"].words[language()];
  return found.colors[color].the;
}

export const large = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** What a sentence about a situation can be filled with. */
export function fieldsOf(one: Situation, edition: string, answer?: Answer): Fields {
  const icons = one.score.steps.find((step) => step.step === "icons_counted");
  const right = one.score.color;
  const about = answer && answer !== "icons" && answer !== "nobody" ? answer : right;
  const highest = one.table.flat().map((card) => Number(card.charAt(1)));
  return {
    players: one.players,
    limit: one.limit,
    exact: one.exact,
    over_limit: one.limit - one.players,
    over_exact: one.exact - one.players,
    icon: iconName(1, edition),
    icons: iconName(one.exact, edition),
    found: icons?.found ?? 0,
    needed: icons?.needed ?? 0,
    value: Math.max(...highest),
    ...(about && {
      name: colorName(about, edition),
      the: theColor(about, edition),
      The: large(theColor(about, edition)),
      sum: one.sums[about],
    }),
    ...(right && { right: theColor(right, edition), right_sum: one.sums[right] }),
  };
}
