// A table whose game is over is none to come back to.
import { setOver } from "./seats";
import type { Session } from "./session.svelte";

/** Note it as the session tells it; called while a component is made, and ends with it. */
export function noteOver(table: string, session: () => Session | null): void {
  const over = $derived.by(() => {
    const view = session()?.view;
    return view ? view.phase === "over" : null;
  });
  $effect(() => {
    if (over !== null) setOver(table, over);
  });
}
