import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { View } from "../src/generated/protocol";
import { serverTime } from "../src/lib/clock.svelte";
import { Session } from "../src/lib/session.svelte";
import { statusOf } from "../src/lib/status";

let say: (frame: object) => void = () => {};

class Fake {
  onmessage: (event: { data: string }) => void = () => {};
  constructor() {
    say = (frame) => this.onmessage({ data: JSON.stringify(frame) });
  }
  send() {}
  close() {}
}

describe("the clock", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 5_000_000 }); // this device lives in another hour than the server
    vi.stubGlobal("WebSocket", Fake);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("is the server's, whatever this device believes", () => {
    const session = new Session({ table: "t", token: "x", language: () => "en" });
    const seats = [{ name: "Ana", bot: null, substitute: null, present: true }];
    const view = { phase: "choosing", seats, chosen: [false], deadlines: [9090] };
    say({ n: 1, events: [], view, answers: [], now: 9000 });
    expect(serverTime()).toBe(9000);
    vi.advanceTimersByTime(30_000);
    say({ n: 2, events: [], view: {}, answers: [] });
    expect(serverTime()).toBe(9030);
    expect(statusOf(session.view as View, 0, serverTime())).toContain("1:00");
    session.close();
  });
});
