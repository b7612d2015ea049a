import { beforeEach, describe, expect, it, vi } from "vitest";

const bots = [
  { name: "sage", level: "dreamy" },
  { name: "hasty", level: "easy" },
  { name: "random", level: "beginner" },
  { name: "other", level: "easy" },
  { name: "own", level: null },
];

async function ask(addresses: string[]) {
  vi.resetModules();
  const answer = new Response(JSON.stringify({ bots, addresses }));
  vi.stubGlobal("fetch", async () => answer);
  const found = await import("../src/lib/house.svelte");
  found.askHouse();
  await vi.waitFor(() => expect(found.house.levels).not.toEqual([]));
  vi.unstubAllGlobals();
  return found;
}

describe("what the server is asked once", () => {
  beforeEach(() => localStorage.clear());

  it("is where others find it, if this page is on the machine itself", async () => {
    expect(location.hostname).toBe("localhost");
    const { house, typed } = await ask(["http://192.168.1.5:5211", "http://10.0.0.2:5211"]);
    expect(house).toMatchObject({ origin: "http://192.168.1.5:5211", alone: false });
    expect(typed(house.origin)).toBe("192.168.1.5:5211");
    expect((await ask([])).house).toMatchObject({ origin: location.origin, alone: true });
  });

  it("is which levels its bots have, the easiest first", async () => {
    const { house, levelName } = await ask([]);
    expect(house.levels).toEqual(["beginner", "easy", "dreamy"]);
    expect(house.levels.map(levelName)).toEqual(["beginner · Kiwi", "easy · Maxi", "dreamy"]);
  });

  it("is who plays at them, in the language of the moment", async () => {
    const { house, levelName, character, called } = await ask([]);
    expect(house.levels.map(character)).toEqual([
      "Kiwi plays whatever comes to hand.",
      "Maxi takes what would score right now, and thinks no further.",
      "",
    ]);
    const { settings } = await import("../src/lib/settings.svelte");
    settings.language = "fr";
    expect(levelName("beginner")).toBe("débutant · Kiwi");
    expect(character("beginner")).toBe("Kiwi joue ce qui lui tombe sous la main.");
    expect(["random", "own"].map(called)).toEqual(["Kiwi", "own"]);
  });

  it("replaces a level that is gone", async () => {
    localStorage.setItem("five211.opponents", '{"level": "expert", "players": 3}');
    const { opponents } = await ask([]);
    expect(opponents).toEqual({ level: "easy", players: 3 });
  });
});
