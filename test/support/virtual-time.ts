/** Time that moves only when somebody sleeps on it. A minute is over at once, and everything due in it happens first. */
import type { Clock } from "../../connectors/api/clock.ts";

/** A clock for the loader, and the sleep of a service's faults by the same time. */
export interface VirtualTime {
  readonly clock: Clock;
  /** How long each sleep of the loader's was, in milliseconds. */
  readonly slept: readonly number[];
  /** For `FaultOptions.sleep`. The clock awaits everything that is due before time goes on. */
  readonly serviceSleep: (ms: number) => Promise<void>;
  /** Tells the clock that a held-back request is done now. */
  readonly isDone: () => void;
}

/** Time begins now. */
export function virtualTime(): VirtualTime {
  let now = Date.now();
  const slept: number[] = [];
  const due: { readonly at: number; readonly go: () => void }[] = [];
  let isDone: () => void = () => undefined;

  const sleep = async (ms: number) => {
    slept.push(ms);
    const until = now + Math.max(0, ms);
    for (;;) {
      const next = due.toSorted((a, b) => a.at - b.at).find(({ at }) => at <= until);
      if (next === undefined) break;
      due.splice(due.indexOf(next), 1);
      now = Math.max(now, next.at);
      const done = new Promise<void>((resolve) => {
        isDone = resolve;
      });
      next.go();
      await done;
    }
    now = until;
  };
  return {
    clock: { now: () => now, date: () => now, sleep: (ms) => sleep(ms), random: () => 0.5 },
    slept,
    serviceSleep: (ms) => new Promise((resolve) => due.push({ at: now + ms, go: resolve })),
    isDone: () => isDone(),
  };
}
