/**
 * Caches between us and the service: how they are asked to stand aside, and what gives one away that didn't. A listing out of a cache
 * lacks what was put into the log since, so it can't say that something is not there.
 */
import { randomBytes } from "node:crypto";

/** Headers of a read. `Pragma` is for caches older than HTTP/1.1. Source: RFC 9111 5.2.1.4 and 5.4. */
export const ASK_THE_SERVICE = { "cache-control": "no-cache", pragma: "no-cache" } as const;

/** The query parameter of a listing that makes its address one that no cache has seen. The document knows no such parameter. */
export const UNSEEN = "nocache";

/** A value of it, never given twice. */
export function unseenValue(): string {
  return randomBytes(9).toString("base64url");
}

/** What of an answer's headers may give a cache away. */
interface CacheHeaders {
  readonly age?: string | undefined;
  readonly cacheStatus?: readonly string[] | undefined;
}

/**
 * An answer's own word that it came out of a cache, for a message; undefined where it says nothing of the kind.
 *
 * Source: RFC 9111 5.1 (`Age`), RFC 9211 (`Cache-Status`); `X-Cache` and its kin are what proxies and delivery networks send.
 */
export function cacheWord({ age, cacheStatus }: CacheHeaders): string | undefined {
  if (age !== undefined && /^\d{1,10}$/.test(age.trim()) && Number(age) > 0) return `Age: ${age.trim()}`;
  const hit = cacheStatus?.find((value) => /\bhit\b/i.test(value));
  return hit === undefined ? undefined : `a cache's header says ${JSON.stringify(hit.slice(0, 60))}`;
}

/** `Date` has whole seconds, and the machines of a service don't agree to the second. */
const SLACK_MS = 3_000;

/** The service's clock, as its answers to what no cache keeps show it: a listing that was made before it was asked for is a kept one. */
export class ServiceClock {
  /** Milliseconds that the service's clock is ahead of ours, at the least. */
  #ahead: number | undefined;

  /** An answer that was made for us, and when it was here, by `Clock.now`. */
  answered(date: string | undefined, now: number): void {
    const time = timeOf(date);
    if (time !== undefined) this.#ahead = time - now;
  }

  /** Seconds by which an answer is older than the request for it, where it is. @param askedAt when that left, by `Clock.now` */
  secondsTooOld(date: string | undefined, askedAt: number): number | undefined {
    const time = timeOf(date);
    if (time === undefined || this.#ahead === undefined) return undefined;
    const tooOld = askedAt + this.#ahead - time;
    return tooOld > SLACK_MS ? Math.round(tooOld / 1000) : undefined;
  }
}

function timeOf(date: string | undefined): number | undefined {
  const time = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(time) ? undefined : time;
}
