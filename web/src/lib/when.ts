// A moment as people write it, in the language of the page.
import { language } from "./settings.svelte";

export const when = (ms: number) =>
  new Date(ms).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });
