// A table as one viewer sees it: the view as it is now, and what happens, as it happens.
import type { Answer, Frame, GameEvent, View } from "../generated/protocol";
import { setClock } from "./clock.svelte";
import { type Door, Line, type LineState, type Refused, socketUrl } from "./line";
import { hashOfWords, keepProof, keptProof, newWords } from "./proof";

export type Listener = (events: GameEvent[], before: View | null, after: View) => void;

export class Session {
  view = $state.raw<View | null>(null);
  state = $state<LineState>("connecting");
  /** Why the connection has ended for good. */
  ended = $state.raw<{ code: number; text: string } | null>(null);
  private readonly line: Line;
  private readonly listeners = new Set<Listener>();
  private answered = "";
  private readonly deaf: () => void;

  constructor(door: Door) {
    this.line = new Line(socketUrl(door.table), door, {
      frame: (frame) => this.hear(frame),
      state: (state, why) => {
        this.state = state;
        if (state === "gone" && why) {
          this.ended = { code: why.code, text: this.line.refused?.message ?? "" };
        }
      },
    });
    this.deaf = this.followLanguage(door.language);
  }

  /** The server's sentences are in the language of the hello; another tab may change it. */
  private followLanguage(language: () => string): () => void {
    let said = language();
    return $effect.root(() => {
      $effect(() => {
        const wanted = language();
        if (wanted !== said) this.line.again();
        said = wanted;
      });
    });
  }

  /** Be told of events; the returned function stops it. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  do(type: string, fields: object = {}): Promise<Answer> {
    return this.line.send(type, fields);
  }

  get refused(): Refused | null {
    return this.line.refused;
  }

  close(): void {
    this.deaf();
    this.line.close();
  }

  private hear(frame: Frame): void {
    if (frame.now !== undefined) setClock(frame.now);
    const before = this.view;
    const after = { ...before, ...frame.view } as View;
    this.view = after;
    for (const listener of this.listeners) listener(frame.events, before, after);
    if (frame.view.proof) this.takePart(after);
  }

  /** Our own words make the deal one that the server alone could not have chosen. */
  private takePart({ proof, you, phase }: View): void {
    if (!proof || phase === "over") return; // what is first seen at the end proves nothing
    const { table, commitment, hashes, stage, asked } = proof;
    const game = table.replace("/", "-");
    const asks = you !== null && asked.includes(you) && stage !== "dealt";
    let words = keptProof(game)?.words ?? null; // a reload must not forget them
    if (asks && stage === "hashes") words ??= newWords();
    keepProof(game, { commitment, hashes, words, seat: you });
    if (!asks || words === null || this.answered === `${table} ${stage}`) return;
    this.answered = `${table} ${stage}`;
    const [type, fields] =
      stage === "hashes" ? ["hash", { hash: hashOfWords(words) }] : ["words", { words }];
    this.do(type as string, fields as object).catch(() => {});
  }
}
