import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Line, type LineState, Refused, socketUrl } from "../src/lib/line";

class Fake {
  static all: Fake[] = [];
  sent: Record<string, unknown>[] = [];
  onopen: () => void = () => {};
  onmessage: (event: { data: string }) => void = () => {};
  onclose: (event: { code: number; reason: string }) => void = () => {};
  constructor(readonly url: string) {
    Fake.all.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close() {
    this.onclose({ code: 1000, reason: "" });
  }
  frame(n: number, view: object = { phase: "choosing" }, answers: object[] = []) {
    this.onmessage({ data: JSON.stringify({ n, events: [], view, answers }) });
  }
}

const last = () => Fake.all.at(-1) as Fake;

describe("a socket's address", () => {
  it("names the table, for a proxy", () => {
    expect(socketUrl("a&b")).toBe(`ws://${location.host}/socket?table=a%26b`);
  });
});

describe("a line to a table", () => {
  let states: LineState[] = [];
  let frames: unknown[] = [];
  let spoken = "en";

  function line(): Line {
    return new Line(
      "ws://x/socket",
      { table: "t", token: "secret", language: () => spoken },
      {
        frame: (frame) => frames.push(frame),
        state: (state) => states.push(state),
      },
    );
  }

  beforeEach(() => {
    vi.useFakeTimers();
    Fake.all = [];
    states = [];
    frames = [];
    spoken = "en";
    vi.stubGlobal("WebSocket", Fake);
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("says hello, and what it saw last when it comes back", () => {
    line();
    last().onopen();
    expect(last().sent).toEqual([
      { type: "hello", protocol: 1, seen: null, table: "t", token: "secret", language: "en" },
    ]);
    last().frame(17);
    expect(states).toEqual(["connecting", "open"]);
    last().onclose({ code: 1006, reason: "" });
    expect(states.at(-1)).toBe("lost");
    vi.advanceTimersByTime(400);
    expect(Fake.all.length).toBe(2);
    last().onopen();
    expect(last().sent[0]?.seen).toBe(17);
  });

  it("says hello again at once in another language, and loses nothing by it", () => {
    const one = line();
    last().onopen();
    last().frame(17);
    one.send("start").catch(() => {});
    spoken = "fr";
    one.again();
    expect(Fake.all.length).toBe(2);
    last().onopen();
    last().frame(17);
    expect(last().sent).toMatchObject([
      { type: "hello", seen: 17, language: "fr" },
      { type: "start" },
    ]);
    one.close();
    one.again();
    vi.advanceTimersByTime(60_000);
    expect(Fake.all.length).toBe(2);
  });

  it("sends again what was not answered, with the same id, and only then", async () => {
    const one = line();
    last().onopen();
    last().frame(1);
    const done = one.send("choose", { cards: ["G2"] });
    const id = last().sent[1]?.id as string;
    last().onclose({ code: 1012, reason: "restart" });
    vi.advanceTimersByTime(400);
    last().onopen();
    expect(last().sent.length).toBe(1); // nothing before the view is there
    last().frame(2);
    expect(last().sent[1]).toMatchObject({ type: "choose", id, cards: ["G2"] });
    last().frame(3, {}, [{ id, done: true }]);
    await expect(done).resolves.toMatchObject({ done: true });
    last().onclose({ code: 1006, reason: "" });
    vi.advanceTimersByTime(400);
    last().onopen();
    last().frame(4);
    expect(last().sent.length).toBe(1);
  });

  it("keeps what is sent while there is no connection", () => {
    const one = line();
    one.send("react", { reaction: "wow" }).catch(() => {});
    last().onopen();
    last().frame(1);
    expect(last().sent.map((message) => message.type)).toEqual(["hello", "react"]);
  });

  it("tells why something is refused", async () => {
    const one = line();
    last().onopen();
    last().frame(1);
    const refused = one.send("choose");
    const error = { code: "turn_over", text: "That turn is over." };
    last().frame(1, {}, [{ id: last().sent[1]?.id, done: false, error }]);
    await expect(refused).rejects.toEqual(new Refused("turn_over", "That turn is over."));
  });

  it.each([4001, 4003, 4004, 1000])("does not come back after %i", async (code) => {
    const one = line();
    last().onopen();
    const lost = one.send("start");
    const error = { code: "token", text: "This token opens nothing." };
    last().frame(0, {}, [{ id: null, done: false, error }]);
    last().onclose({ code, reason: "why" });
    expect(states.at(-1)).toBe("gone");
    await expect(lost).rejects.toThrow("This token opens nothing.");
    vi.advanceTimersByTime(60_000);
    expect(Fake.all.length).toBe(1);
    expect(frames).toEqual([]);
  });

  it("waits longer each time, and not at all when the network is back", () => {
    line();
    for (let n = 1; n < 8; n++) {
      last().onclose({ code: 1006, reason: "" });
      vi.advanceTimersByTime(100);
      expect(Fake.all.length).toBe(n);
      dispatchEvent(new Event("online"));
      expect(Fake.all.length).toBe(n + 1);
    }
    last().onclose({ code: 1006, reason: "" });
    vi.advanceTimersByTime(3900);
    expect(Fake.all.length).toBe(8);
    vi.advanceTimersByTime(2200);
    expect(Fake.all.length).toBe(9);
  });

  it("sends on another connection what a dead one does not answer", async () => {
    const one = line();
    last().onopen();
    last().frame(1);
    one.send("choose").catch(() => {});
    vi.advanceTimersByTime(9_000);
    expect(states).toContain("lost");
    expect(Fake.all.length).toBe(2);
    last().onopen();
    last().frame(2);
    expect(last().sent[1]).toMatchObject({ type: "choose" });
  });

  it("leaves a quiet connection alone", () => {
    line();
    last().onopen();
    last().frame(1);
    vi.advanceTimersByTime(600_000);
    expect(Fake.all.length).toBe(1);
  });

  it("forgets a refusal with the connection that was refused, and one that nobody awaits", () => {
    const one = line();
    last().onopen();
    const full = { code: "try_again", text: "Try again." };
    last().frame(0, {}, [{ id: null, done: false, error: full }]);
    expect(one.refused?.code).toBe("try_again");
    last().onclose({ code: 1012, reason: "try_again" });
    vi.advanceTimersByTime(400);
    expect(one.refused).toBeNull();
    last().onopen();
    last().frame(1);
    last().frame(1, {}, [{ id: "long-ago", done: false, error: full }]);
    expect(one.refused).toBeNull();
  });

  it("refuses at once what is sent after the end", async () => {
    const one = line();
    last().onclose({ code: 4004, reason: "closed" });
    await expect(one.send("rematch")).rejects.toThrow();
  });
});
