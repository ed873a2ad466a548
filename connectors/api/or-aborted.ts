import { setMaxListeners } from "node:events";

/**
 * Waits for a promise until a signal is aborted.
 *
 * @returns the value of the promise
 * @throws the signal's reason as soon as it is aborted; the error of the promise if it rejects
 */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/**
 * Makes a function that gives a signal which is aborted with either of two. The requests of a run have the same two, so these are joined once: the
 * last result is kept.
 */
export function signalJoiner(): (one: AbortSignal, other: AbortSignal) => AbortSignal {
  let last: Readonly<Record<"one" | "other" | "either", AbortSignal>> | undefined;
  return (one, other) => {
    if (last?.one !== one || last.other !== other) {
      last = { one, other, either: AbortSignal.any([one, other]) };
      // One signal stops many requests at a time.
      setMaxListeners(0, last.either);
    }
    return last.either;
  };
}
