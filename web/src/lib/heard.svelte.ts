// What a screen reader is told of a table: the sentences of its events, the latest last.
import type { GameEvent } from "../generated/protocol";

const KEPT = 40;

export class Heard {
  lines = $state.raw<{ id: number; text: string }[]>([]);
  private count = 0;

  add(events: GameEvent[]): void {
    const said = events.flatMap(({ text }) => (text ? [{ id: ++this.count, text }] : []));
    if (said.length) this.lines = [...this.lines, ...said].slice(-KEPT);
  }
}
