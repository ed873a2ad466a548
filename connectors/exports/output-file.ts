/** A file on its way to the disk: private, new, written as fast as the disk takes it, and safely there once it is closed. */
import { createWriteStream } from "node:fs";
import type { Duplex, Writable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";

/** What is written with `write` and ended with `close`. Both throw what the disk throws. */
export interface OutputFile<T = string | Uint8Array> {
  /** Settles when more can be taken. */
  write(chunk: T): Promise<void>;
  /** Settles when all of it is on the disk. */
  close(): Promise<void>;
  /** Closes it as it is, without a word. Safe after `close`. */
  abandon(): Promise<void>;
}

/**
 * Opens a file that isn't there yet, for the owner's eyes alone (0600).
 *
 * @param through what the chunks pass on their way, in order: a formatter, gzip
 */
export function openFile<T = string | Uint8Array>(path: string, ...through: readonly Duplex[]): OutputFile<T> {
  const disk = createWriteStream(path, { flags: "wx", mode: 0o600, flush: true });
  const closed = new Promise<void>((resolve) => disk.once("close", resolve));
  const first: Writable = through[0] ?? disk;
  const done = through.length === 0 ? finished(disk) : pipeline([...through, disk]);
  let failure: { readonly error: unknown } | undefined;
  done.catch((error: unknown) => {
    failure = { error };
  });
  return {
    async write(chunk) {
      if (failure !== undefined) throw failure.error;
      if (!first.write(chunk)) await drained(first);
      // What failed is closed; why is told by the end of the pipe.
      if (first.destroyed) await done;
    },
    async close() {
      if (failure !== undefined) throw failure.error;
      first.end();
      await done;
      await closed;
    },
    async abandon() {
      for (const stream of [...through, disk]) stream.destroy();
      await closed;
    },
  };
}

/** Settles when a stream takes more, or will never again. */
function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      stream.off("drain", settle);
      stream.off("close", settle);
      resolve();
    };
    stream.on("drain", settle);
    stream.on("close", settle);
  });
}
