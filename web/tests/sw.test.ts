// The service worker: its list is made by the build, and it answers what it should.
import { beforeEach, describe, expect, it } from "vitest";
import worker from "../public/sw.js?raw";
import { type Built, filledIn, listed, versionOf } from "../src/sw";

const file = (name: string, text = name): Built => ({
  name,
  body: new TextEncoder().encode(text),
});

describe("the list", () => {
  it("has every file once, in order, and none that no screen needs", () => {
    const names = ["sw.js", "index.html", "assets/b.js", "assets/a.js", "assets/a.js.map"];
    expect(listed([...names, "stamp.txt", "icons/icon.svg", "index.html"])).toEqual([
      "/assets/a.js",
      "/assets/b.js",
      "/icons/icon.svg",
      "/index.html",
    ]);
  });

  it("has a version that depends on all contents and names, not on their order", async () => {
    const [a, b] = [file("a"), file("b")];
    const version = await versionOf([a, b], "w");
    expect(version).toMatch(/^[0-9a-f]{16}$/);
    expect(await versionOf([b, a], "w")).toBe(version);
    expect(await versionOf([a, file("b", "other")], "w")).not.toBe(version);
    expect(await versionOf([a, file("c", "b")], "w")).not.toBe(version);
    expect(await versionOf([a, b], "other worker")).not.toBe(version);
  });

  it("is put into the worker", async () => {
    const out = await filledIn(worker, [file("index.html"), file("sw.js"), file("assets/a.js")]);
    expect(out).toContain('const FILES = ["/assets/a.js","/index.html"]');
    expect(out).not.toContain("__");
    await expect(filledIn("nothing", [])).resolves.toBe("nothing");
  });
});

/** A browser, as far as a worker sees it. */
class Browser {
  readonly handlers = new Map<string, (event: never) => void>();
  readonly stores = new Map<string, Map<string, Response>>();
  network: (path: string) => Promise<Response> = async (path) => new Response(`net ${path}`);
  asked: string[] = [];

  async start(files: string[]): Promise<void> {
    const code = await filledIn(
      worker,
      files.map((name) => file(name)),
    );
    const caches = {
      keys: async () => [...this.stores.keys()],
      delete: async (name: string) => this.stores.delete(name),
      open: async (name: string) => {
        const store = this.stores.get(name) ?? new Map<string, Response>();
        this.stores.set(name, store);
        return {
          addAll: async (requests: { url: string }[]) => {
            for (const { url } of requests) store.set(url, new Response(`kept ${url}`));
          },
          match: async (path: string) => store.get(path)?.clone(),
        };
      },
    };
    const self = {
      addEventListener: (name: string, handler: (event: never) => void) =>
        this.handlers.set(name, handler),
      location: { origin: "http://here" },
      clients: { claim: async () => {} },
    };
    const fetch = (request: { url: string }) => {
      const { pathname } = new URL(request.url);
      this.asked.push(pathname);
      return this.network(pathname);
    };
    class Request {
      constructor(readonly url: string) {}
    }
    new Function("self", "caches", "fetch", "Request", code)(self, caches, fetch, Request);
    await this.event("install");
    await this.event("activate");
  }

  private async event(name: string): Promise<void> {
    let work: Promise<void> | undefined;
    const event = { waitUntil: (promise: Promise<void>) => (work = promise) };
    this.handlers.get(name)?.(event as never);
    await work;
  }

  async get(path: string, mode = "no-cors", method = "GET"): Promise<string | null> {
    let answer: Promise<Response> | undefined;
    const url = path.startsWith("http") ? path : `http://here${path}`;
    const event = {
      request: { url, mode, method },
      respondWith: (promise: Promise<Response>) => (answer = promise),
    };
    this.handlers.get("fetch")?.(event as never);
    return answer ? (await answer).text() : null;
  }
}

describe("the worker", () => {
  let browser: Browser;

  beforeEach(async () => {
    browser = new Browser();
    browser.stores.set("five211-old", new Map());
    browser.stores.set("of-somebody-else", new Map());
    await browser.start(["index.html", "assets/a.js", "manifest.webmanifest"]);
  });

  it("keeps the files of this version, and no older ones", () => {
    const names = [...browser.stores.keys()];
    expect(names).toHaveLength(2);
    expect(names[0]).toBe("of-somebody-else");
    expect([...(browser.stores.get(names[1] as string)?.keys() ?? [])]).toContain("/index.html");
  });

  it("asks the network for a screen, and shows the kept page without one", async () => {
    expect(await browser.get("/companion", "navigate")).toBe("net /companion");
    browser.network = async () => new Response("bad gateway", { status: 502 });
    expect(await browser.get("/rules", "navigate")).toBe("kept /index.html");
    browser.network = async () => {
      throw new TypeError("no network");
    };
    expect(await browser.get("/companion", "navigate")).toBe("kept /index.html");
  });

  it("answers files from what it keeps, and leaves all others alone", async () => {
    expect(await browser.get("/assets/a.js")).toBe("kept /assets/a.js");
    expect(await browser.get("/assets/new.js")).toBeNull();
    expect(browser.asked).toEqual([]);
  });

  it("never touches what is live", async () => {
    expect(await browser.get("/api/about")).toBeNull();
    expect(await browser.get("/api/games/x/record", "navigate")).toBeNull();
    expect(await browser.get("/socket")).toBeNull();
    expect(await browser.get("/assets/a.js", "cors", "POST")).toBeNull();
    expect(await browser.get("http://elsewhere/index.html")).toBeNull();
  });
});
