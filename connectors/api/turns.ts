/**
 * Lets so many tasks run at the same time, in the order they came. With a limit on the pace, bottleneck keeps the queue. It starts at most 380
 * tasks a second, with a timer each, and takes 0.7 ms of the processor for one. So without a limit, a list of our own does.
 */
import Bottleneck from "bottleneck";

/** A queue of tasks, of which only some run at the same time. */
export interface Turns {
  /**
   * Runs a task when one more may run.
   *
   * @returns the result of the task
   * @throws the error of the task; the signal's reason when it is aborted before the task starts. Such a task never starts
   */
  run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/**
 * bottleneck makes a task wait until `minTime` after the previous start, by the wall clock, even if `minTime` is 0. If that clock is set
 * back an hour, the task waits an hour. With this value, every previous start was long enough ago.
 */
const NEVER_WAITED = Number.NEGATIVE_INFINITY;

/** The turns of a service with a limit on its pace. @param atOnce how many tasks may run at the same time */
export function limitedTurns(atOnce: number): Turns {
  const limiter = new Bottleneck({ maxConcurrent: atOnce, minTime: NEVER_WAITED });
  // bottleneck compares the very first task with the moment at which the limiter was made. This empty task takes that place.
  void limiter.schedule(async () => undefined);
  return {
    run: (task, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const onAbort = () => reject(signal.reason);
        signal.addEventListener("abort", onAbort, { once: true });
        limiter
          .schedule(async () => {
            signal.removeEventListener("abort", onAbort);
            signal.throwIfAborted();
            return await task();
          })
          .then(resolve, reject);
      }),
  };
}

/** The turns of a service without a limit. @param atOnce how many tasks may run at the same time */
export function freeTurns(atOnce: number): Turns {
  let free = atOnce;
  // A set keeps the order, and an aborted task leaves it at once.
  const waiting = new Set<() => void>();
  const turn = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        waiting.delete(enter);
        reject(signal.reason);
      };
      const enter = () => {
        signal.removeEventListener("abort", onAbort);
        waiting.delete(enter);
        resolve();
      };
      waiting.add(enter);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  const leave = () => {
    const [next] = waiting;
    if (next === undefined) free++;
    else next();
  };
  return {
    async run(task, signal) {
      signal.throwIfAborted();
      if (free > 0) free--;
      else await turn(signal);
      try {
        // The signal may be aborted between the turn and this line.
        signal.throwIfAborted();
        return await task();
      } finally {
        leave();
      }
    },
  };
}
