import { describe, expect, it } from "vitest";
import page from "../../docs/protocol.md?raw";
import {
  check,
  commitmentOf,
  deck,
  hashOfWords,
  type Kept,
  keepProof,
  keptProof,
  type Proof,
} from "../src/lib/proof";
import { hex } from "../src/lib/random";
import { hmac, sha256 } from "../src/lib/sha256";

interface Vector {
  players: number;
  table: string;
  seed: string;
  words: (string | null)[];
  commitment: string;
  hashes: (string | null)[];
  "deck 0": string;
  "deck 1": string;
}

// The documented vectors themselves, so that page and documentation cannot drift apart.
const vectors = [...page.matchAll(/```json\n(\{"players"[\s\S]*?)```/g)].map(
  (found) => JSON.parse(found[1] as string) as Vector,
);

const bytes = (text: string) => new TextEncoder().encode(text);

describe("SHA-256", () => {
  it("agrees with the published vectors", () => {
    expect(hex(sha256(bytes("")))).toBe(
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    );
    expect(hex(sha256(bytes("abc")))).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
    expect(hex(sha256(bytes("a".repeat(1_000_000))))).toBe(
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
    );
  });

  it("agrees at every length around a block", async () => {
    for (let length = 50; length < 140; length++) {
      const message = Uint8Array.from({ length }, (_, n) => (n * 7) % 256);
      const theirs = new Uint8Array(await crypto.subtle.digest("SHA-256", message));
      expect(hex(sha256(message))).toBe(hex(theirs));
    }
  });

  it("makes HMACs, also with long keys", () => {
    expect(hex(hmac(bytes("Jefe"), bytes("what do ya want for nothing?")))).toBe(
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    );
    const long = hmac(
      new Uint8Array(131).fill(0xaa),
      bytes("Test Using Larger Than Block-Size Key - Hash Key First"),
    );
    expect(hex(long)).toBe("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  });
});

describe("the proof of a deal", () => {
  it("has vectors", () => expect(vectors.length).toBe(2));

  it.each(vectors)("gives the documented decks at $table", (vector) => {
    const proof: Proof = vector;
    expect(commitmentOf(vector.table, vector.seed)).toBe(vector.commitment);
    expect(vector.words.map((one) => one && hashOfWords(one))).toEqual(vector.hashes);
    for (const deal of [0, 1] as const) {
      const cards = deck(proof, deal);
      expect(cards.slice(0, 10).join(" ")).toBe(vector[`deck ${deal}`]);
      expect(cards.length).toBe(100);
    }
  });
});

describe("what was published first", () => {
  it("counts, whatever is said later", () => {
    const first: Kept = { commitment: "aa", hashes: null, words: "bb", seat: 1 };
    keepProof("t-1", first);
    keepProof("t-1", { commitment: "cc", hashes: ["dd", null], words: null, seat: 1 });
    keepProof("t-1", { commitment: "cc", hashes: ["ee", null], words: "ff", seat: 0 });
    expect(keptProof("t-1")).toEqual({ ...first, hashes: ["dd", null] });
    expect(keptProof("t-2")).toBeNull();
  });
});

describe("checking a record", () => {
  const vector = vectors[0] as Vector;
  const cards = deck(vector, 0);
  const sorted = (hand: string[]) =>
    hand
      .slice()
      .sort(
        (a, b) => "YGOBV".indexOf(a.charAt(0)) - "YGOBV".indexOf(b.charAt(0)) || a.localeCompare(b),
      );
  const record = {
    deals: [
      {
        removed: cards.slice(0, 10),
        hands: [sorted(cards.slice(10, 15)), sorted(cards.slice(15, 20))],
        pile: cards.slice(20),
      },
    ],
    proof: vector as Proof,
  };
  const kept: Kept = {
    commitment: vector.commitment,
    hashes: vector.hashes,
    words: vector.words[0] ?? null,
    seat: 0,
  };

  it("finds nothing wrong with an honest one", () => {
    expect(check(record, kept)).toBe("proven");
    expect(check(record, null)).toBe("consistent");
  });

  it("finds a seed that is not the one committed to", () => {
    const proof = { ...record.proof, seed: "00".repeat(32) };
    expect(check({ ...record, proof }, null)).toBe("wrong_seed");
    const other = { ...proof, commitment: commitmentOf(proof.table, proof.seed) };
    expect(check({ ...record, proof: other }, null)).toBe("wrong_cards");
    const deal = {
      removed: deck(other, 0).slice(0, 10),
      hands: [deck(other, 0).slice(10, 15), deck(other, 0).slice(15, 20)],
      pile: deck(other, 0).slice(20),
    };
    expect(check({ deals: [deal], proof: other }, kept)).toBe("wrong_commitment");
  });

  it("finds swapped cards, and words that are not ours or not theirs", () => {
    const [deal] = record.deals;
    const pile = [...(deal?.pile ?? [])].reverse();
    expect(check({ ...record, deals: [{ ...deal, pile } as (typeof record.deals)[0]] }, null)).toBe(
      "wrong_cards",
    );
    const other = "11".repeat(32);
    const swapped = { ...record.proof, words: [other, null] };
    const mine = { ...kept, hashes: [hashOfWords(other), null] };
    expect(check({ ...record, proof: swapped }, mine)).toBe("wrong_cards");
    expect(check(record, { ...kept, words: other })).toBe("proven"); // ours were never sent
    expect(check(record, { ...kept, words: null, hashes: ["22".repeat(32), null] })).toBe(
      "wrong_hashes",
    );
  });

  it("says how much it shows", () => {
    const alone = { ...record.proof, words: [null, null] };
    const cards = deck(alone, 0);
    const deal = {
      removed: cards.slice(0, 10),
      hands: [cards.slice(10, 15), cards.slice(15, 20)],
      pile: cards.slice(20),
    };
    const nobody = { ...kept, words: null, hashes: [null, null] };
    expect(check({ deals: [deal], proof: alone }, nobody)).toBe("proven_alone");
    expect(check(record, { ...kept, hashes: [vector.hashes[0] ?? null, "33".repeat(32)] })).toBe(
      "proven_unused",
    );
  });
});
