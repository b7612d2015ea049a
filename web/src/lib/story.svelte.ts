// The reveal and the scoring as a story: what the table shows while it is told.
//
// The view is already further on; nobody's client waits for another's. A scene is what lies on the
// table at one moment of the telling, made from events that everybody was sent.
import type { Cards, GameEvent, Round, Step, Tally, View } from "../generated/protocol";
import { pace } from "./settings.svelte";

export interface Scene {
  kind: "reveal" | "score";
  /** The turns of the round, as far as they lie on the table. */
  turns: Cards[][];
  /** The turn that is being turned over. */
  fresh: number | null;
  /** The count after that turn, if the round goes on. */
  tally: Tally | null;
  /** The round that is being scored, and how many of its steps have been told. */
  round: Round | null;
  told: number;
  /** The deal and the round that it is about. */
  deal: number;
  number: number;
  text: string;
  ms: number;
}

const REVEAL = 1100;
const STEP = 1500;
const POINTS = 2200;

/** Where in the game a round is. */
export interface Where {
  deal: number;
  round: number;
}

const place = ({ deal, round }: Where) => ({ deal, number: round });

export class Story {
  scene = $state.raw<Scene | null>(null);
  paused = $state(false);
  private queue: Scene[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** What a frame brings; told at once, or after what is being told. */
  hear(events: GameEvent[], before: View | null, after: View): void {
    const factor = pace();
    if (!before || factor === 0 || document.hidden) return;
    let turns = before.turns ?? [];
    for (const event of events) {
      if (event.event === "revealed") {
        if (event.turn === 0) this.queue = []; // a newer round: what is not told yet is old
        turns = [...turns, event.choices];
        const last = events.some((one) => one.event === "round_scored");
        this.queue.push(reveal(turns, last ? null : after.tally, event, event.text ?? "", factor));
      } else if (event.event === "round_scored") {
        this.queue.push(...scoring({ turns, score: event.score }, event, factor));
        turns = [];
      } else if (event.event === "game_started") {
        this.skip();
      }
    }
    if (this.scene === null) this.next();
  }

  /** Tell a round again. */
  again(round: Round, where: Where): void {
    this.skip();
    this.queue = scoring(round, where, pace() || 1);
    this.next();
  }

  /** On to the next step; the end of the story shows the table as it is. */
  next = (): void => {
    clearTimeout(this.timer);
    this.paused = false;
    this.scene = this.queue.shift() ?? null;
    if (this.scene) this.timer = setTimeout(this.next, this.scene.ms);
  };

  pause(): void {
    if (!this.scene) return;
    clearTimeout(this.timer);
    this.paused = true;
  }

  resume(): void {
    if (!this.paused) return;
    this.paused = false;
    this.timer = setTimeout(this.next, 600);
  }

  skip(): void {
    this.queue = [];
    this.next();
  }
}

function reveal(
  turns: Cards[][],
  tally: Tally | null,
  where: Where,
  text: string,
  factor: number,
): Scene {
  const fresh = turns.length - 1;
  const ms = REVEAL * factor;
  return { kind: "reveal", turns, fresh, tally, round: null, told: 0, ...place(where), text, ms };
}

function scoring(round: Round, where: Where, factor: number): Scene[] {
  const { steps } = round.score;
  const base = {
    kind: "score" as const,
    turns: round.turns,
    fresh: null,
    tally: null,
    round,
    ...place(where),
  };
  const told = steps.map((step: Step, n: number) => ({
    ...base,
    told: n + 1,
    text: step.text ?? "",
    ms: STEP * factor,
  }));
  const last = steps.at(-1)?.text ?? "";
  return [...told, { ...base, told: steps.length + 1, text: last, ms: POINTS * factor }];
}
