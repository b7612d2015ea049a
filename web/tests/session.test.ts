import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Session } from "../src/lib/session.svelte";
import { language, settings } from "../src/lib/settings.svelte";

let hellos: string[] = [];

class Fake {
  onopen: () => void = () => {};
  constructor() {
    queueMicrotask(() => this.onopen());
  }
  send(text: string) {
    hellos.push(JSON.parse(text).language);
  }
  close() {}
}

describe("a table that is open while another tab changes the language", () => {
  beforeEach(() => {
    hellos = [];
    settings.language = "en";
    vi.stubGlobal("WebSocket", Fake);
  });
  afterEach(() => {
    settings.language = "auto";
    vi.unstubAllGlobals();
  });

  async function turn(to: "en" | "fr"): Promise<void> {
    settings.language = to;
    flushSync();
    await Promise.resolve();
  }

  it("is told its sentences in the new one, until it is left", async () => {
    const session = new Session({ table: "t", token: "x", language });
    flushSync();
    await Promise.resolve();
    expect(hellos).toEqual(["en"]);
    await turn("fr");
    expect(hellos).toEqual(["en", "fr"]);
    session.close();
    await turn("en");
    expect(hellos).toEqual(["en", "fr"]);
  });
});
