// The server's clock: deadlines are by it, and a phone's own may be minutes off.

let ahead = 0; // seconds, of this device's clock

export function setClock(server: number): void {
  ahead = server - Date.now() / 1000;
}

/** The server's time, in seconds since 1970. */
export function serverTime(): number {
  return Date.now() / 1000 + ahead;
}

/** The same as it runs on; called while a component is made, and ends with it. */
export function runningTime(): { readonly now: number } {
  let now = $state(serverTime());
  $effect(() => {
    const tick = () => {
      now = serverTime();
    };
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  });
  return {
    get now() {
      return now;
    },
  };
}
