/** Reads a person's answers, one line at a time. The terminal shows them and lets the person edit them. */
import { createInterface } from "node:readline";

/** Lines that a person types. */
export interface Lines {
  /** The next line without blanks at its ends; undefined at the end of the input, or when the signal was aborted. */
  next(): Promise<string | undefined>;
  /** Lets go of the input, so that the process can end. */
  close(): void;
}

/** Opens an input for answers. */
export function openLines(input: NodeJS.ReadableStream, signal: AbortSignal): Lines {
  // Without an output of its own, readline doesn't change the terminal, and Ctrl-C stays a signal.
  const lines = createInterface({ input, terminal: false });
  const iterator = lines[Symbol.asyncIterator]();
  const close = () => lines.close();
  signal.addEventListener("abort", close, { once: true });
  return {
    async next() {
      if (signal.aborted) return undefined;
      const { value, done } = await iterator.next();
      return done === true ? undefined : value.trim();
    },
    close() {
      signal.removeEventListener("abort", close);
      lines.close();
      input.pause();
      (input as Partial<{ unref(): void }>).unref?.();
    },
  };
}
