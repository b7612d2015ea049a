// One connection to one table, through all interruptions (docs/protocol.md).
//
// It comes back by itself, says what it saw last, and sends again whatever was not answered: ids make
// that harmless. It knows nothing of what a view means.
import type { Answer, Frame } from "../generated/protocol";
import { hex, randomBytes } from "./random";

/** Close codes after which coming back makes no sense. */
const FOR_GOOD = [1000, 4001, 4003, 4004];
const SILENCE = 8000; // ms without a word while something is awaited
const PAUSES = [200, 500, 1000, 2000, 5000];

export type LineState = "connecting" | "open" | "lost" | "gone";

export interface Door {
  table: string;
  token?: string | null;
  watch?: string | null;
  /** Asked again at each hello: people may change it. */
  language: () => string;
}

export interface Hooks {
  frame(frame: Frame): void;
  state(state: LineState, why: { code: number; reason: string } | null): void;
}

export class Refused extends Error {
  constructor(
    readonly code: string,
    text: string,
  ) {
    super(text);
  }
}

interface Waiting {
  text: string;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

export class Line {
  private socket: WebSocket | null = null;
  private readonly waiting = new Map<string, Waiting>();
  private readonly prefix = hex(randomBytes(4));
  private count = 0;
  private seen: number | null = null;
  private tries = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private watchdog: ReturnType<typeof setTimeout> | undefined;
  private heard = 0;
  private welcome = false;
  private ended = false;

  constructor(
    private readonly url: string,
    private readonly door: Door,
    private readonly hooks: Hooks,
  ) {
    addEventListener("online", this.now);
    document.addEventListener("visibilitychange", this.now);
    this.connect();
  }

  /** Send a command; resolves when the server has written it down. */
  send(type: string, fields: object = {}): Promise<Answer> {
    if (this.ended) return Promise.reject(this.refused ?? new Refused("gone", ""));
    const id = `${this.prefix}-${++this.count}`;
    const text = JSON.stringify({ type, id, ...fields });
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { text, resolve, reject });
      if (this.welcome) this.socket?.send(text);
      this.watch();
    });
  }

  /** Say hello again: something in it has changed. */
  again(): void {
    if (this.ended) return;
    this.drop();
    this.connect();
  }

  close(): void {
    this.end(1000, "");
    this.socket?.close(1000);
  }

  /** A tab that wakes up, or a network that is back: no need to wait. */
  private readonly now = () => {
    if (this.ended || document.visibilityState === "hidden") return;
    const silent = Date.now() - this.heard > SILENCE;
    if (this.socket !== null && silent && (this.waiting.size > 0 || !this.welcome)) this.drop();
    if (this.socket === null) this.connect();
  };

  /** A connection may be dead without a word: what is not answered for long is sent on another. */
  private watch(): void {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => {
      if (this.ended || this.socket === null) return;
      if (this.welcome && this.waiting.size === 0) return;
      if (Date.now() - this.heard >= SILENCE) this.drop();
      else this.watch();
    }, SILENCE);
  }

  private drop(): void {
    const socket = this.socket;
    this.lost(1006, "");
    socket?.close();
  }

  private connect(): void {
    clearTimeout(this.timer);
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.welcome = false;
    this.refused = null;
    this.heard = Date.now();
    this.watch();
    this.hooks.state("connecting", null);
    socket.onopen = () => socket.send(JSON.stringify(this.hello()));
    socket.onmessage = ({ data }) => this.hear(JSON.parse(data as string) as Frame);
    socket.onclose = ({ code, reason }) => {
      if (this.socket === socket) this.lost(code, reason);
    };
  }

  private hello(): object {
    const language = this.door.language();
    return { type: "hello", protocol: 1, seen: this.seen, ...this.door, language };
  }

  private hear(frame: Frame): void {
    if (this.ended) return;
    this.heard = Date.now();
    for (const answer of frame.answers) this.answer(answer);
    if (frame.n === 0 && Object.keys(frame.view).length === 0) return; // a refusal
    this.seen = frame.n;
    const first = !this.welcome;
    this.welcome = true;
    if (first) {
      this.tries = 0;
      for (const { text } of this.waiting.values()) this.socket?.send(text);
      this.hooks.state("open", null);
    }
    this.hooks.frame(frame);
  }

  private answer(answer: Answer): void {
    const waiting = this.waiting.get(answer.id ?? "");
    this.waiting.delete(answer.id ?? "");
    if (answer.done) waiting?.resolve(answer);
    else {
      const refused = new Refused(answer.error?.code ?? "", answer.error?.text ?? "");
      if (waiting) waiting.reject(refused);
      else if (answer.id === null) this.refused = refused; // the connection's own, not a command's
    }
  }

  /** Why the server closes this connection, if it said so. */
  refused: Refused | null = null;

  private lost(code: number, reason: string): void {
    this.socket = null;
    this.welcome = false;
    if (this.ended) return;
    if (FOR_GOOD.includes(code)) {
      this.end(code, reason);
      return;
    }
    this.hooks.state("lost", { code, reason });
    const pause = PAUSES[Math.min(this.tries++, PAUSES.length - 1)] as number;
    this.timer = setTimeout(() => this.connect(), pause * (0.8 + 0.4 * Math.random()));
  }

  private end(code: number, reason: string): void {
    if (this.ended) return;
    this.ended = true;
    clearTimeout(this.timer);
    clearTimeout(this.watchdog);
    removeEventListener("online", this.now);
    document.removeEventListener("visibilitychange", this.now);
    this.hooks.state("gone", { code, reason });
    const error = this.refused ?? new Refused("gone", reason);
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}

/** Where a table's socket is. The server does not read the query: a proxy may, to keep those of a
 * table together (docs/deploy.md). */
export function socketUrl(table: string): string {
  const server = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}`;
  return `${server}/socket?table=${encodeURIComponent(table)}`;
}
