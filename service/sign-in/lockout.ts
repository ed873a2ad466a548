/**
 * Slows down guessing. The first few mistakes are free. Each later mistake doubles the wait, up to a limit, so every wait ends. A wait
 * stops only the person who guesses, because a key names the target and the origin of a guess.
 */
import { isIPv6 } from "node:net";

/** The settings of a lockout. */
export interface Patience {
  /** Mistakes before the first wait. */
  readonly free: number;
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
}

/** For one account from one address: 1 s after the fifth mistake, 2 s after the sixth, at most a quarter of an hour. */
export const OF_AN_ACCOUNT: Patience = { free: 5, firstWaitMs: 1000, longestWaitMs: 15 * 60_000 };

/** For one address and all accounts together. A household or an office shares an address, so it gets more free mistakes. */
export const OF_AN_ADDRESS: Patience = { free: 50, firstWaitMs: 1000, longestWaitMs: 15 * 60_000 };

/** After this long without a mistake, a key starts anew. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000;

/** The most keys remembered at once, so that memory stays flat. Beyond that, the key that was quiet for longest is forgotten. */
const MAX_KEYS = 20_000;

interface Mistakes {
  readonly count: number;
  readonly lastAt: number;
  readonly waitUntil: number;
}

/** Counts mistakes by key, in memory. A restart forgets them. */
export class Lockout {
  readonly #now: () => number;
  readonly #patience: Patience;
  readonly #mistakes = new Map<string, Mistakes>();

  /** @param now milliseconds since 1970 */
  constructor(now: () => number, patience: Patience) {
    this.#now = now;
    this.#patience = patience;
  }

  /** Milliseconds that a key has to wait before its next try; 0 for no wait. */
  waitMs(key: string): number {
    return Math.max(0, (this.#of(key)?.waitUntil ?? 0) - this.#now());
  }

  /** Counts a mistake. Call it before a slow check, and forgive the key after a success: then simultaneous guesses can't get around the limit. */
  count(key: string): void {
    const { free, firstWaitMs, longestWaitMs } = this.#patience;
    const now = this.#now();
    const count = (this.#of(key)?.count ?? 0) + 1;
    const waitMs = count < free ? 0 : Math.min(longestWaitMs, firstWaitMs * 2 ** (count - free));
    this.#mistakes.delete(key);
    this.#mistakes.set(key, { count, lastAt: now, waitUntil: now + waitMs });
    if (this.#mistakes.size > MAX_KEYS) this.#mistakes.delete(this.#mistakes.keys().next().value as string);
  }

  /** Takes back one mistake that turned out to be none. */
  takeBack(key: string): void {
    const mistakes = this.#of(key);
    if (mistakes === undefined) return;
    if (mistakes.count === 1) this.#mistakes.delete(key);
    else this.#mistakes.set(key, { ...mistakes, count: mistakes.count - 1, waitUntil: 0 });
  }

  /** Forgets every mistake of a key. */
  forgive(key: string): void {
    this.#mistakes.delete(key);
  }

  #of(key: string): Mistakes | undefined {
    const mistakes = this.#mistakes.get(key);
    if (mistakes === undefined || this.#now() - mistakes.lastAt > FORGOTTEN_AFTER_MS) return undefined;
    return mistakes;
  }
}

/** The key of an address. For IPv6 it is the network, because one customer has all 2^64 addresses of it. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1] !== undefined) return mapped[1];
  const [head = "", tail] = address.replace(/%.*$/, "").split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - front.length - back.length)).fill("0");
  return [...front, ...zeros, ...back]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
