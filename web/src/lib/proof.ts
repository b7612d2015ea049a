// The proof of the deal (docs/protocol.md): the one algorithm of the game that the page has itself.
import { fromHex, hex, randomBytes } from "./random";
import { hmac, join, sha256 } from "./sha256";
import { load, save } from "./storage";

const LABEL = text("five211 deal 1");
const COLORS = ["Y", "G", "O", "B", "V"];
const COPIES = [5, 6, 5, 2, 1, 1];

/** What was published while the game was dealt, kept by this browser itself. */
export interface Kept {
  commitment: string;
  hashes: (string | null)[] | null;
  words: string | null;
  seat: number | null;
}

export interface Proof {
  table: string;
  commitment: string;
  seed: string;
  words: (string | null)[];
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

function number(value: number, bytes: number): Uint8Array {
  const out = new Uint8Array(bytes);
  new DataView(out.buffer).setUint32(bytes - 4, value);
  return out;
}

function parts(...all: Uint8Array[]): Uint8Array {
  return join(all.flatMap((part) => [number(part.length, 4), part]));
}

export function newWords(): string {
  return hex(randomBytes(32));
}

export function hashOfWords(words: string): string {
  return hex(sha256(parts(LABEL, text("words"), fromHex(words))));
}

export function commitmentOf(table: string, seed: string): string {
  return hex(sha256(parts(LABEL, text(table), fromHex(seed))));
}

/** The shuffled deck of a deal. */
export function deck(proof: Proof, deal: number): string[] {
  const words = proof.words.map((one) =>
    one === null ? new Uint8Array() : join([text("+"), fromHex(one)]),
  );
  const start = parts(LABEL, text(proof.table), text(String(deal)), ...words);
  const numbers = stream(fromHex(proof.seed), start);
  const cards = COLORS.flatMap((color) =>
    COPIES.flatMap((copies, index) => Array<string>(copies).fill(`${color}${index + 1}`)),
  );
  for (let last = cards.length - 1; last > 0; last--) {
    const top = 2 ** 32 - (2 ** 32 % (last + 1));
    let next = numbers.next().value;
    while (next >= top) next = numbers.next().value;
    const other = next % (last + 1);
    [cards[last], cards[other]] = [cards[other] as string, cards[last] as string];
  }
  return cards;
}

function* stream(seed: Uint8Array, start: Uint8Array): Generator<number, never> {
  for (let block = 0; ; block++) {
    const data = new DataView(hmac(seed, join([start, number(block, 8)])).buffer);
    for (let i = 0; i < 8; i++) yield data.getUint32(4 * i);
  }
}

/** What a finished game's record shows: the first thing that is wrong, or how much is proven. */
export type Verdict =
  | "wrong_commitment"
  | "wrong_seed"
  | "wrong_cards"
  | "wrong_words"
  | "wrong_hashes"
  | "consistent"
  | "proven"
  | "proven_alone"
  | "proven_unused";

export interface RecordWithProof {
  deals: { removed: string[]; hands: string[][]; pile: string[] }[];
  proof: Proof;
}

export function check(record: RecordWithProof, kept: Kept | null): Verdict {
  const { proof } = record;
  if (commitmentOf(proof.table, proof.seed) !== proof.commitment) return "wrong_seed";
  for (const [number, { removed, hands, pile }] of record.deals.entries()) {
    const cards = deck(proof, number);
    const rest = cards.slice(removed.length);
    const dealt = hands.map(() => inOrder(rest.splice(0, 5)));
    const told = [removed, ...hands.map(inOrder), pile];
    if (same([cards.slice(0, removed.length), ...dealt, rest]) !== same(told)) return "wrong_cards";
  }
  if (kept === null) return "consistent";
  if (kept.commitment !== proof.commitment) return "wrong_commitment";
  const hashes = kept.hashes ?? [];
  const said = proof.words.map((one) => (one === null ? null : hashOfWords(one)));
  if (said.some((hash, seat) => hash !== null && hash !== hashes[seat])) return "wrong_hashes";
  const { seat, words } = kept;
  const sent = seat !== null && words !== null && hashes[seat] === hashOfWords(words);
  if (sent && proof.words[seat] !== null && proof.words[seat] !== words) return "wrong_words";
  if (said.every((hash) => hash === null)) return "proven_alone";
  return hashes.some((hash, seat) => hash && said[seat] === null) ? "proven_unused" : "proven";
}

const same = (all: string[][]) => JSON.stringify(all);

/** A record writes each first hand in order, since the order of dealing within it means nothing. */
function inOrder(hand: string[]): string[] {
  const place = (card: string) => COLORS.indexOf(card.charAt(0)) * 10 + Number(card.charAt(1));
  return hand.slice().sort((a, b) => place(a) - place(b));
}

/** What was published first counts: whoever says something else later must not be believed. */
export function keepProof(game: string, kept: Kept): void {
  const all = load<Record<string, Kept>>("proofs", {});
  const first = all[game];
  const games = Object.keys(all);
  if (games.length > 100 && !first) delete all[games[0] as string];
  const merged: Kept = {
    commitment: first?.commitment ?? kept.commitment,
    hashes: first?.hashes ?? kept.hashes,
    words: first?.words ?? kept.words,
    seat: first?.seat ?? kept.seat,
  };
  save("proofs", { ...all, [game]: merged });
}

export function keptProof(game: string): Kept | null {
  return load<Record<string, Kept>>("proofs", {})[game] ?? null;
}
