// Telling something step by step, at the pace that somebody likes.
import { pace } from "../lib/settings.svelte";

const STEP = 1300;

export class Steps {
  told = $state(0);
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Tell so many steps; at once, where nothing is to move. */
  start(count: number): void {
    this.stop();
    const factor = pace();
    this.told = factor === 0 ? count : Math.min(1, count);
    if (factor === 0) return;
    const next = () => {
      if (this.told >= count) return;
      this.told += 1;
      this.timer = setTimeout(next, STEP * factor);
    };
    this.timer = setTimeout(next, STEP * factor);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.told = 0;
  }
}
