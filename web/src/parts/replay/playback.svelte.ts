// Where a replay is, and its playing on by itself.

export const SPEEDS = { slow: 3600, normal: 2000, fast: 900 };
export type Speed = keyof typeof SPEEDS;
const STORY = 1.8; // a scoring has more to read

export class Playback {
  at = $state(0);
  /** The last step; the game may still be on its way here. */
  last = $state(0);
  playing = $state(false);
  speed = $state<Speed>("normal");

  /** How long a step is shown. */
  duration(scoring: boolean): number {
    return SPEEDS[this.speed] * (scoring ? STORY : 1);
  }

  show(step: number): void {
    this.at = Math.max(0, Math.min(step, this.last));
  }

  /** A person goes to a step: it stays there. */
  goto(step: number): void {
    this.playing = false;
    this.show(step);
  }

  /** It plays on; the end ends it. */
  next(): void {
    this.show(this.at + 1);
    if (this.at >= this.last) this.playing = false;
  }

  toggle(): void {
    if (!this.playing && this.at >= this.last) this.show(0);
    this.playing = !this.playing;
  }

  /** What a key does, if anything. */
  key(key: string): (() => void) | null {
    const does: Record<string, () => void> = {
      ArrowRight: () => this.goto(this.at + 1),
      ArrowLeft: () => this.goto(this.at - 1),
      Home: () => this.goto(0),
      End: () => this.goto(this.last),
      " ": () => this.toggle(),
    };
    return does[key] ?? null;
  }
}
