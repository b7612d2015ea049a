// A television that goes dark in the middle of a game is no use. Where the browser cannot keep it
// awake (plain HTTP), people set the device to.

export function stayAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let over = false;
  const ask = async (): Promise<void> => {
    if (over || document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
    try {
      const got = await navigator.wakeLock.request("screen");
      if (over) await got.release();
      else lock = got;
    } catch {
      // Refused, as with a low battery: nothing to be done.
    }
  };
  document.addEventListener("visibilitychange", ask);
  ask();
  return () => {
    over = true;
    document.removeEventListener("visibilitychange", ask);
    lock?.release().catch(() => {});
  };
}
