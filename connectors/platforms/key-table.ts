/**
 * Counts the keys of records, and remembers facts about the first record of each key. An archive may have a million keys. So the table holds only
 * 64 bits of a key's hash, a count, and 32 bits of each kind of facts. This is at most 21 bytes a key, and 7 more for a kind of facts. A Map of texts needs
 * 300.
 */
import { hash } from "node:crypto";

/** The table is split into parts that grow at different times. So growing copies only a small part, and never doubles the memory. */
const PARTS = 64;
const FIRST_SLOTS = 16;
/** A part grows by half when seven of eight slots are used. */
const MOST_USED = 7 / 8;
const GROWTH = 1.5;

/** A million keys have one hash in common once in thirty million archives. */
export class KeyTable {
  // The first sizes are spread over one step of growth, and so are all later ones.
  readonly #parts = Array.from(
    { length: PARTS },
    (_, at) => new Part(FIRST_SLOTS + Math.floor((at * FIRST_SLOTS) / (2 * PARTS))),
  );

  /** Counts a key. @returns how often it came, including this time */
  count(key: string): number {
    const [high, low] = hashOf(key);
    return this.#partOf(high).count(high, low);
  }

  /** Whether the facts are those of the key's first record. The first call for a key and a kind of facts gives these. */
  isAsFirst(key: string, facts: string, kind = "values"): boolean {
    const [high, low] = hashOf(key);
    return this.#partOf(high).isAsFirst(high, low, hashOf(facts)[1], kind);
  }

  #partOf(high: number): Part {
    return this.#parts[high % PARTS] as Part;
  }
}

/** 64 bits of a text's hash. The second number is never 0. */
function hashOf(text: string): [high: number, low: number] {
  // A text stays in the heap's young part. A buffer would be allocated outside the heap, and stay there for long.
  const hex = hash("sha256", text, "hex");
  return [Number.parseInt(hex.slice(0, 8), 16), Number.parseInt(hex.slice(8, 16), 16) || 1];
}

/** Numbers in a slot: the two halves of the hash, and the count. */
const WIDTH = 3;

/** The keys of one part. The place of a key follows from the second half of its hash. There, 0 marks a free slot. */
class Part {
  #slots: number;
  #rows: Uint32Array;
  /** By kind of facts, 32 bits for each slot, 0 if there are none. Many tables never need it. */
  readonly #facts = new Map<string, Uint32Array>();
  #used = 0;

  constructor(slots: number) {
    this.#slots = slots;
    this.#rows = new Uint32Array(slots * WIDTH);
  }

  count(high: number, low: number): number {
    const at = this.#slotOf(high, low) * WIDTH + 2;
    const count = (this.#rows[at] ?? 0) + 1;
    this.#rows[at] = count;
    return count;
  }

  isAsFirst(high: number, low: number, facts: number, kind: string): boolean {
    const slot = this.#slotOf(high, low);
    const all = this.#facts.get(kind) ?? new Uint32Array(this.#slots);
    this.#facts.set(kind, all);
    if (all[slot] === 0) all[slot] = facts;
    return all[slot] === facts;
  }

  /** Finds the place of a key. A new key gets a place. */
  #slotOf(high: number, low: number): number {
    const slot = this.#find(high, low);
    if (this.#rows[slot * WIDTH + 1] !== 0) return slot;
    if (++this.#used > this.#slots * MOST_USED) this.#grow();
    return this.#place(high, low);
  }

  #place(high: number, low: number): number {
    const slot = this.#find(high, low);
    this.#rows[slot * WIDTH] = high;
    this.#rows[slot * WIDTH + 1] = low;
    return slot;
  }

  #find(high: number, low: number): number {
    const rows = this.#rows;
    let slot = low % this.#slots;
    for (;;) {
      const found = rows[slot * WIDTH + 1];
      if (found === 0 || (found === low && rows[slot * WIDTH] === high)) return slot;
      slot = slot + 1 === this.#slots ? 0 : slot + 1;
    }
  }

  #grow(): void {
    const before = { slots: this.#slots, rows: this.#rows, facts: [...this.#facts] };
    this.#slots = Math.ceil(before.slots * GROWTH);
    this.#rows = new Uint32Array(this.#slots * WIDTH);
    const grown = before.facts.map(([kind, old]) => ({ kind, old, all: new Uint32Array(this.#slots) }));
    for (let from = 0; from < before.slots; from++) {
      const at = from * WIDTH;
      const low = before.rows[at + 1] ?? 0;
      if (low === 0) continue;
      const to = this.#place(before.rows[at] ?? 0, low);
      this.#rows[to * WIDTH + 2] = before.rows[at + 2] ?? 0;
      for (const { old, all } of grown) all[to] = old[from] ?? 0;
    }
    for (const { kind, all } of grown) this.#facts.set(kind, all);
  }
}
