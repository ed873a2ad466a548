/**
 * Slows down guessing. The first few mistakes are free. Each later mistake doubles the wait, up to a limit, so every wait ends. A wait
 * stops only the person who guesses, because a key names the target and the origin of a guess.
 */
import { isIPv6 } from "node:net";
import type { MistakeStore, Mistakes } from "../store/mistakes.ts";

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

/** Mistakes that are counted under one key. */
export interface Target {
  readonly key: string;
  readonly patience: Patience;
}

/** Counts mistakes by key, for all processes on one database together. */
export class Lockout {
  readonly #mistakes: MistakeStore;
  readonly #now: () => number;

  /** @param now milliseconds since 1970 */
  constructor(mistakes: MistakeStore, now: () => number) {
    this.#mistakes = mistakes;
    this.#now = now;
  }

  /** Milliseconds that a key has to wait before its next try; 0 for no wait. */
  async waitMs(key: string): Promise<number> {
    const now = this.#now();
    return remainingMs(await this.#mistakes.of(key, now), now);
  }

  /** Counts a mistake. */
  async count({ key, patience }: Target): Promise<void> {
    const now = this.#now();
    await this.#mistakes.change([key], now, ([kept]) => [oneMore(kept, patience, now)]);
  }

  /**
   * Counts a try as a mistake under each target, unless one of them has to wait. Call it before a slow check, and take the mistakes back
   * after a success: then simultaneous guesses can't get around the limit.
   * @returns milliseconds to wait; 0 when the try was counted
   */
  async attempt(targets: readonly Target[]): Promise<number> {
    const now = this.#now();
    const keys = targets.map(({ key }) => key);
    // Whoever has to wait costs no more than two reads, however often they come.
    let waitMs = Math.max(...(await Promise.all(keys.map((key) => this.waitMs(key)))));
    if (waitMs > 0) return waitMs;
    await this.#mistakes.change(keys, now, (kept) => {
      waitMs = Math.max(...kept.map((one) => remainingMs(one, now)));
      return waitMs > 0 ? kept : targets.map(({ patience }, index) => oneMore(kept[index], patience, now));
    });
    return waitMs;
  }

  /** Takes back one mistake that turned out to be none. */
  async takeBack(key: string): Promise<void> {
    await this.#mistakes.change([key], this.#now(), ([kept]) => [
      kept === undefined || kept.count === 1 ? undefined : { ...kept, count: kept.count - 1, waitUntil: 0 },
    ]);
  }

  /** Forgets every mistake of a key. */
  async forgive(key: string): Promise<void> {
    await this.#mistakes.forget(key);
  }
}

function remainingMs(mistakes: Mistakes | undefined, now: number): number {
  return Math.max(0, (mistakes?.waitUntil ?? 0) - now);
}

function oneMore(
  mistakes: Mistakes | undefined,
  { free, firstWaitMs, longestWaitMs }: Patience,
  now: number,
): Mistakes {
  const count = (mistakes?.count ?? 0) + 1;
  const waitMs = count < free ? 0 : Math.min(longestWaitMs, firstWaitMs * 2 ** (count - free));
  return { count, lastAt: now, waitUntil: now + waitMs };
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
