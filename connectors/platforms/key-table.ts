/**
 * Counts the keys of records, and remembers facts about the first record of each key. An archive may have a million keys. So the table holds only
 * 64 bits of a key's hash, 32 bits of the facts and a count. This is at most 40 bytes a key. A Map of texts needs 300.
 */
import { hash } from "node:crypto";

/** Keys that fit at first. The table doubles when it is half full. */
const FIRST_SLOTS = 1024;

/** A million keys have one hash in common once in thirty million archives. */
export class KeyTable {
  #high = new Uint32Array(FIRST_SLOTS);
  #low = new Uint32Array(FIRST_SLOTS);
  #facts = new Uint32Array(FIRST_SLOTS);
  #counts = new Uint32Array(FIRST_SLOTS);
  /** 1 if the facts are those of a first record. */
  #known = new Uint8Array(FIRST_SLOTS);
  #used = 0;

  /** Counts a key. @returns how often it came, including this time */
  count(key: string): number {
    const slot = this.#slotOf(key);
    const count = (this.#counts[slot] ?? 0) + 1;
    this.#counts[slot] = count;
    return count;
  }

  /** Whether the facts are those of the key's first record. The first call for a key gives these. */
  isAsFirst(key: string, facts: string): boolean {
    const slot = this.#slotOf(key);
    const own = hash("sha256", facts, "buffer").readUInt32LE(0);
    if (this.#known[slot] === 0) {
      this.#known[slot] = 1;
      this.#facts[slot] = own;
    }
    return this.#facts[slot] === own;
  }

  /** Finds the place of a key. A new key gets a place. */
  #slotOf(key: string): number {
    const bytes = hash("sha256", key, "buffer");
    const high = bytes.readUInt32LE(0);
    // 0 marks a free slot.
    const low = bytes.readUInt32LE(4) || 1;
    const slot = this.#find(high, low);
    if (this.#low[slot] !== 0) return slot;
    this.#used++;
    if (2 * this.#used > this.#low.length) this.#grow();
    const free = this.#find(high, low);
    this.#high[free] = high;
    this.#low[free] = low;
    return free;
  }

  #find(high: number, low: number): number {
    const mask = this.#low.length - 1;
    let slot = (high ^ low) & mask;
    while (this.#low[slot] !== 0 && (this.#low[slot] !== low || this.#high[slot] !== high)) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const before = { high: this.#high, low: this.#low, facts: this.#facts, counts: this.#counts, known: this.#known };
    const slots = 2 * before.low.length;
    this.#high = new Uint32Array(slots);
    this.#low = new Uint32Array(slots);
    this.#facts = new Uint32Array(slots);
    this.#counts = new Uint32Array(slots);
    this.#known = new Uint8Array(slots);
    for (const [from, low] of before.low.entries()) {
      if (low === 0) continue;
      const high = before.high[from] ?? 0;
      const to = this.#find(high, low);
      this.#high[to] = high;
      this.#low[to] = low;
      this.#facts[to] = before.facts[from] ?? 0;
      this.#counts[to] = before.counts[from] ?? 0;
      this.#known[to] = before.known[from] ?? 0;
    }
  }
}
