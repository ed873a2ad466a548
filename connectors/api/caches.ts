/**
 * Deals with caches between us and the service: asks them not to answer, and recognises a cached answer. A cached listing lacks the newest
 * records of the log, so it can't show that a record is missing.
 */
import { randomBytes } from "node:crypto";

/** Headers of a read. `Pragma` is for caches older than HTTP/1.1. Source: RFC 9111 5.2.1.4 and 5.4. */
export const ASK_THE_SERVICE = { "cache-control": "no-cache", pragma: "no-cache" } as const;

/** The query parameter that gives a listing an address that no cache has seen. The document has no such parameter. */
export const UNSEEN = "nocache";

/** A value for this parameter, different at each call. */
export function unseenValue(): string {
  return randomBytes(9).toString("base64url");
}

/** Headers of an answer that may reveal a cache. */
interface CacheHeaders {
  readonly age?: string | undefined;
  readonly cacheStatus?: readonly string[] | undefined;
}

/**
 * The evidence in an answer's headers that a cache gave it, for a message; undefined if there is none.
 *
 * Source: RFC 9111 5.1 (`Age`), RFC 9211 (`Cache-Status`). Proxies and delivery networks send `X-Cache` and its kin.
 */
export function cacheWord({ age, cacheStatus }: CacheHeaders): string | undefined {
  if (age !== undefined && /^\d{1,10}$/.test(age.trim()) && Number(age) > 0) return `Age: ${age.trim()}`;
  const hit = cacheStatus?.find((value) => /\bhit\b/i.test(value));
  return hit === undefined ? undefined : `a cache's header says ${JSON.stringify(hit.slice(0, 60))}`;
}

/** `Date` has whole seconds, and the machines of one service may differ by more than a second. */
const SLACK_MS = 3_000;

/** The service's clock, learned from answers that no cache keeps. A listing that was made before its request came from a cache. */
export class ServiceClock {
  /** Milliseconds by which the service's clock is ahead of ours, at least. */
  #ahead: number | undefined;

  /** Notes an answer that no cache gave. `now`: when it arrived, by `Clock.now`. */
  answered(date: string | undefined, now: number): void {
    const time = timeOf(date);
    if (time !== undefined) this.#ahead = time - now;
  }

  /**
   * Seconds by which an answer is older than its request; undefined if it is not older. @param askedAt when the request left, by
   * `Clock.now`
   */
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
