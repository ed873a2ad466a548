/** A clock for commands that wait for days. Sleeping on it is over at once. The command ends when its days are over. */
import type { Clock } from "../../connectors/api/clock.ts";

/** Time that moves when somebody sleeps on it. */
export interface NightClock extends Pick<Clock, "now" | "sleep"> {
  /** Aborted at the end time, as by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Moves on, as on a machine that is asleep. */
  pass(ms: number): void;
  /** Ctrl-C. */
  stop(): void;
}

/**
 * A clock that begins and ends.
 *
 * @param from ISO 8601
 * @param until ISO 8601: then the signal is aborted
 * @param at called when a sleep is over
 */
export function nightClock(
  from: string,
  until: string,
  at: (time: string, clock: NightClock) => void = () => undefined,
): NightClock {
  let now = Date.parse(from);
  const end = Date.parse(until);
  const stop = new AbortController();
  const clock: NightClock = {
    signal: stop.signal,
    now: () => now,
    async sleep(ms, signal) {
      now += ms;
      at(new Date(now).toISOString(), clock);
      if (now >= end) stop.abort();
      signal.throwIfAborted();
    },
    pass(ms) {
      now += ms;
    },
    stop: () => stop.abort(),
  };
  return clock;
}
