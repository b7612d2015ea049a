import { describe, expect, it, vi } from "vitest";
import { go, route } from "../src/lib/route.svelte";

vi.stubGlobal("scrollTo", () => {});

describe("an address", () => {
  it.each([
    ["/", ""],
    ["/index.html", ""],
    ["/index.html/", ""],
    ["/t/index.html", "t"],
    ["/new", "new"],
    ["/new/", "new"],
    ["/t/abc#CODE42", "t"],
    ["/t/abc/", "t"],
    ["/game/abc-1#7", "game"],
    ["/t", "lost"],
    ["/t/abc/more", "lost"],
    ["/new/abc", "lost"],
  ])("%s leads to a screen, or nowhere", (path, screen) => {
    go(path, true);
    expect(route.now.screen).toBe(screen);
  });

  it("keeps what follows #", () => {
    go("/t/abc#CODE42", true);
    expect(route.now).toEqual({ screen: "t", id: "abc", fragment: "CODE42" });
  });
});
