// Generated from the Python definitions by `.venv/bin/python web/generate.py`. Do not edit.

/** A colour's letter and a value, as in "G2". */
export type Card = string;
export type Cards = Card[];

/** What decided a round, in the record's words. */
export type Outcome = "kododo" | "color" | "none";

/** A colour's letter. */
export type Color = "Y" | "G" | "O" | "B" | "V";

/** A number for every colour. */
export interface ByColor {
  Y: number;
  G: number;
  O: number;
  B: number;
  V: number;
}

export type Step =
  | { step: "icons_counted"; found: number; needed: number; text?: string }
  | { step: "colors_counted"; counts: ByColor; text?: string }
  | { step: "struck_for_limit"; counts: Partial<Record<Color, number>>; limit: number; text?: string }
  | { step: "struck_for_tie"; colors: Color[]; count: number; text?: string }
  | { step: "color_scores"; color: Color; count: number; text?: string }
  | { step: "nothing_left"; text?: string };

/** What a round brought, and the steps that led there. */
export interface Score {
  kind: Outcome;
  color: Color | null;
  points: number[];
  cards: Cards[];
  steps: Step[];
}

/** How a game ended (rules 5.2, 6.4): points, cards that break a tie, and the winners' seats. */
export interface Result {
  points: number[];
  cards: number[];
  winners: number[];
}

export type GameEvent =
  | { event: "deal_started"; deal: number; pile: number; text?: string }
  | { event: "hand_dealt"; seat: number; cards: Cards; text?: string }
  | { event: "revealed"; deal: number; round: number; turn: number; choices: Cards[]; text?: string }
  | { event: "drew"; seat: number; cards: Cards; text?: string }
  | { event: "round_scored"; deal: number; round: number; score: Score; text?: string }
  | { event: "last_round"; deal: number; round: number; text?: string }
  | { event: "deal_ended"; deal: number; points: number[]; text?: string }
  | { event: "game_ended"; result: Result; text?: string }
  | { event: "seat_taken"; seat: number; name: string; bot: string | null; text?: string }
  | { event: "seat_left"; seat: number; name: string; text?: string }
  | { event: "host_changed"; seat: number; text?: string }
  | { event: "came_back"; seat: number; text?: string }
  | { event: "went_away"; seat: number; text?: string }
  | { event: "game_started"; game: number; text?: string }
  | { event: "choice_kept"; seat: number; cards: Cards; text?: string }
  | { event: "chose"; seat: number; hidden: boolean; text?: string }
  | { event: "took_back"; seat: number; hidden: boolean; text?: string }
  | { event: "time_short"; seat: number; deadline: number; text?: string }
  | { event: "substitute_came"; seat: number; bot: string; why: string; text?: string }
  | { event: "seat_returned"; seat: number; text?: string }
  | { event: "paused"; text?: string }
  | { event: "resumed"; text?: string }
  | { event: "rematch_called"; seat: number; text?: string }
  | { event: "deal_bound"; commitment: string; asked: number[]; text?: string }
  | { event: "hashes_in"; hashes: (string | null)[]; text?: string }
  | { event: "reaction"; seat: number; reaction: string; text?: string }
  | { event: "message"; seat: number; said: string; text?: string }
  | { event: "table_closed"; text?: string };

/** The game of one deal, or the longer one (rule 6). */
export type Variant = "standard" | "long";

/** How long a turn may take. */
export interface Clock {
  seconds: number;
  reserve: number;
  warning: number;
  correspondence: boolean;
}

/** What never changes about a table. */
export interface Info {
  id: string;
  name: string;
  players: number;
  variant: Variant;
  edition: string;
  rounds: number;
  limit: number;
  exact: number;
  turns: number[];
  goal: number | null;
  clock: Clock | null;
  show_chosen: boolean;
  show_points: boolean;
  public: boolean;
  chat: boolean;
  rated: boolean;
  code: string | null;
  watch: string | null;
  screen: string | null;
}

/** Who sits in a seat. */
export interface Seat {
  name: string;
  bot: string | null;
  substitute: string | null;
  free: boolean;
  present: boolean;
  host: boolean;
}

/** One turn of one game at a table; a choice names the one that it is meant for. */
export interface Moment {
  game: number;
  deal: number;
  round: number;
  turn: number;
}

/** Where a colour stands if the round ended now. */
export type Standing = "absent" | "behind" | "tied" | "leads" | "bust";

/** One colour on the table. */
export interface ColorTally {
  color: Color;
  count: number;
  to_limit: number;
  standing: Standing;
}

/** Where the icons stand. */
export type IconStanding = "few" | "one_more" | "exact" | "too_many";

/** The table as players count it. */
export interface Tally {
  colors: ColorTally[];
  icons: number;
  exact: number;
  icon_standing: IconStanding;
  text?: string[];
}

/** A round that was played. */
export interface Round {
  turns: Cards[][];
  score: Score;
}

/** The proof of the deal, as far as it is public. */
export interface ProofState {
  table: string;
  commitment: string;
  hashes: (string | null)[] | null;
  asked: number[];
  stage: "dealt" | "hashes" | "words";
}

/** All that a viewer may know; the parts of the game are null while people gather. */
export interface View {
  info: Info;
  you: number | null;
  seats: Seat[];
  phase: "choosing" | "dealing" | "gathering" | "over";
  moment: Moment | null;
  chosen: (boolean | null)[];
  deadlines: (number | null)[];
  call_from: number | null;
  paused: boolean;
  deal: number | null;
  round: number | null;
  turn: number | null;
  plays: number | null;
  pile: number | null;
  last_round: boolean | null;
  turns: Cards[][] | null;
  tally: Tally | null;
  rounds: Round[] | null;
  earlier: Round[][] | null;
  points: number[] | null;
  piles: number[] | null;
  result: Result | null;
  proof: ProofState | null;
  hand?: Cards;
  choice?: Cards | null;
  choices?: Cards[];
}

/** What is wrong, for programs and for people. */
export interface ErrorText {
  code: string;
  text: string;
}

/** What became of a command: the error if it was not done, a code if one was asked for. */
export interface Answer {
  id: string | null;
  done: boolean;
  error?: ErrorText;
  code?: string;
  until?: number;
}

/** Everything that comes over the socket. */
export interface Frame {
  n: number;
  events: GameEvent[];
  view: Partial<View>;
  answers: Answer[];
  now?: number;
}

/** What the decks of a game that is over followed from. */
export interface Proof {
  table: string;
  commitment: string;
  seed: string;
  words: (string | null)[];
}

/** What happened, and what everyone held and saw then. */
export interface ReplayStep {
  events: GameEvent[];
  hands: Cards[];
  turns: Cards[][];
  tally: Tally;
  points: number[];
  pile: number;
  round: number;
  turn: number;
}

/** A game that is over, step by step. */
export interface Replay {
  players: string[];
  bots: (string | null)[];
  variant: Variant;
  edition: string;
  result: Result;
  proof: Proof | null;
  steps: ReplayStep[];
}

/** One has a seat, and the token that opens it. */
export interface Seated {
  table: string;
  seat: number;
  token: string;
  code: string;
  watch: string;
  screen: string;
}

/** A seat, as the lobby shows it. */
export interface SummarySeat {
  name: string;
  bot: string | null;
  free: boolean;
  present: boolean;
}

/** A table's line in the lobby. */
export interface Summary {
  id: string;
  name: string;
  players: number;
  variant: Variant;
  edition: string;
  clock: Clock | null;
  rated: boolean;
  public: boolean;
  phase: "closed" | "gathering" | "over" | "playing";
  seats: SummarySeat[];
  round: number | null;
  rounds: number;
}

/** What a code or a link opens. */
export interface Door {
  kind: string;
  table: Summary;
  watch: string | null;
  screen: string | null;
}

/** The lobby. */
export interface Tables {
  tables: Summary[];
}

/** One seat at the end of a game. */
export interface GameStanding {
  name: string;
  bot: string | null;
  player: string | null;
  points: number;
  rank: number;
}

/** A game that is over. */
export interface Game {
  id: string;
  ended: number;
  rated: boolean;
  standings: GameStanding[];
}

/** Games that are over, the latest first. */
export interface Games {
  games: Game[];
}

/** A profile as anybody may see it. */
export interface Player {
  id: string;
  name: string;
  rating: number;
  games: number;
  wins: number;
}

/** Players, the best first. */
export interface Players {
  players: Player[];
}

/** One's own profile; the key is shown once. */
export interface OwnPlayer {
  player: Player;
  login: string | null;
  key: string | null;
}

/** A bot that one can play with. */
export interface Bot {
  name: string;
  called: string;
  level: string | null;
}

/** What this server is and has. */
export interface About {
  name: string;
  version: string;
  protocol: number;
  languages: string[];
  editions: string[];
  bots: Bot[];
  reactions: string[];
  webhooks: boolean;
  email: boolean;
  addresses: string[];
}

/** How the server is. */
export interface Health {
  status: string;
}

/** The answer when something cannot be done. */
export interface ErrorBody {
  error: ErrorText;
}

export type ClientMessage =
  | { type: "hello"; table?: string; token?: string | null; watch?: string | null; seen?: number | null; language?: string | null; protocol?: number; id?: string | null }
  | { type: "choose"; moment: Moment; cards: string[]; id?: string | null }
  | { type: "take_back"; moment: Moment; id?: string | null }
  | { type: "start"; fill?: string | null; id?: string | null }
  | { type: "seat_bot"; bot: string; seat?: number | null; id?: string | null }
  | { type: "remove"; seat: number; id?: string | null }
  | { type: "leave"; id?: string | null }
  | { type: "call_substitute"; seat: number; id?: string | null }
  | { type: "rematch"; id?: string | null }
  | { type: "react"; reaction: string; id?: string | null }
  | { type: "say"; text: string; id?: string | null }
  | { type: "hash"; hash: string; id?: string | null }
  | { type: "words"; words: string; id?: string | null }
  | { type: "alert"; kind: string; target?: string; id?: string | null }
  | { type: "move_device"; id?: string | null };

/** How long a turn may take. */
export interface ClockBody {
  seconds: number;
  reserve?: number;
  correspondence?: boolean;
}

/** A table to be made; whoever makes it sits in its first seat and is the host. */
export interface TableBody {
  name: string;
  title?: string;
  players?: number;
  variant?: string;
  edition?: string;
  clock?: ClockBody | null;
  public?: boolean;
  chat?: boolean;
  rated?: boolean;
  show_chosen?: boolean;
  show_points?: boolean;
  substitute?: string;
  bots?: string[];
  words?: boolean;
  start?: boolean;
}

/** A game against bots, at once. */
export interface PlayBody {
  name?: string;
  players?: number;
  level?: string;
  variant?: string;
  edition?: string;
  words?: boolean;
}

/** Sit down. */
export interface SitBody {
  name: string;
  code?: string | null;
  seat?: number | null;
  token?: string | null;
  words?: boolean;
}

/** A seat moves to this device. */
export interface DeviceBody {
  code: string;
}

/** A code, or the secret of a watch link. */
export interface DoorBody {
  door: string;
}

/** A profile's name. */
export interface PlayerBody {
  name: string;
}

/** An account. */
export interface LoginBody {
  login: string;
  password: string;
}

export const REACTIONS = [
  "hello",
  "wow",
  "ouch",
  "haha",
  "thinking",
  "hurry",
  "well_played",
  "thanks",
  "sorry",
] as const;
