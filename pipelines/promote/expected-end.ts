/** Computes when a run of several days ends: by its requests, the pace, a quota a day and the hours in which it may send. */
import { closesAt, dayAt, type Hours, nextDayAt, opensAt } from "../../transforms/sending-hours.ts";

/** In the last minute of the hours no record is begun, so that the records under way are complete in time. */
export const LAST_MINUTE_MS = 60_000;

/** What a run still has to send, and what holds it back. */
export interface Sending {
  /** Requests that write records. */
  readonly requests: number;
  /** Requests to open the log and to look for changes in it, each time that the run goes on. */
  readonly opening: number;
  /** Whether the log is open now, so that the first day needs no such requests. */
  readonly isOpen: boolean;
  /** Requests to look at the log at the end. */
  readonly looking: number;
  /** Milliseconds from one request to the next; 0 for no limit. */
  readonly everyMs: number;
  /** Requests a day; undefined for no limit. */
  readonly perDay: number | undefined;
  /** Requests that were sent today already. */
  readonly usedToday: number;
  /** Requests of a day that are left over on average, because the next record needs more. */
  readonly spare: number;
  readonly hours: Hours | undefined;
  /** The zone of the hours and of the days, as an IANA name. */
  readonly zone: string;
}

/** The parts of a run, each between two waits, and its end. */
export interface Expected {
  /** Milliseconds since 1970 UTC. */
  readonly end: number;
  /** On how many days requests are sent. */
  readonly days: number;
}

/** Days after which the computation gives up: nobody waits for so long. */
const MOST_PARTS = 4_000;

/**
 * Computes the end.
 *
 * @param now milliseconds since 1970 UTC
 * @returns undefined when a day's quota doesn't even cover the requests to go on, or when it would take years
 */
export function expectedEnd(sending: Sending, now: number): Expected | undefined {
  const { opening, looking, everyMs, perDay, spare, hours, zone } = sending;
  const days = new Set<string>();
  let { requests: left, usedToday: used, isOpen } = sending;
  let at = now;
  if (left === 0) return { end: now, days: 0 };
  for (let parts = 0; parts < MOST_PARTS; parts++) {
    const opens = hours === undefined ? at : opensAt(hours, at, zone);
    if (dayAt(opens, zone) !== dayAt(at, zone)) used = 0;
    at = opens;
    const quota = perDay === undefined ? Number.POSITIVE_INFINITY : perDay - spare - used;
    const overhead = isOpen ? 0 : opening;
    const closes = hours === undefined ? Number.POSITIVE_INFINITY : closesAt(hours, at, zone) - LAST_MINUTE_MS;
    const untilDay = perDay === undefined ? Number.POSITIVE_INFINITY : nextDayAt(at, zone);
    const inTime = Math.min(closes, untilDay) - at;
    const most = Math.min(quota, everyMs === 0 ? Number.POSITIVE_INFINITY : Math.floor(Math.max(0, inTime) / everyMs));
    const sends = inTime <= 0 ? 0 : Math.min(left, most - overhead);
    if (sends > 0) {
      days.add(dayAt(at, zone));
      left -= sends;
      used += overhead + sends;
      isOpen = true;
      // The look at the end is left out where no request is left for it.
      if (left === 0) return { end: at + (overhead + sends + Math.min(looking, most)) * everyMs, days: days.size };
    }
    const isUsedUp = quota - overhead <= Math.max(0, sends);
    if (isUsedUp && perDay !== undefined && used === 0) return undefined;
    isOpen = isOpen && !isUsedUp && closes > untilDay;
    const next = isUsedUp ? untilDay : Math.min(closes + LAST_MINUTE_MS, untilDay);
    if (next === untilDay) used = 0;
    at = next;
  }
  return undefined;
}
