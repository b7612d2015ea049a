// What somebody has learned so far, kept in this browser.
import { load, save } from "../lib/storage";

export interface Progress {
  /** The screen that was open last. */
  at: string;
  /** Lessons that were seen to their end. */
  done: string[];
  /** Questions, and whether the first answer was right. */
  answers: Record<string, boolean>;
}

const NONE: Progress = { at: "", done: [], answers: {} };

export const loadProgress = (): Progress => ({
  ...NONE,
  ...load<Partial<Progress>>("learn", {}),
});
export const saveProgress = (progress: Progress) => save("learn", progress);

export function withDone(progress: Progress, lesson: string): Progress {
  if (progress.done.includes(lesson)) return progress;
  return { ...progress, done: [...progress.done, lesson] };
}

/** The first answer stays; whoever comes back to try again loses nothing. */
export function withAnswer(progress: Progress, question: string, right: boolean): Progress {
  if (question in progress.answers) return progress;
  return { ...progress, answers: { ...progress.answers, [question]: right } };
}
