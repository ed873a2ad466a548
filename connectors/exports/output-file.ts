/** A file that is being written: private and new. Writers wait when the disk is slow. The file is safely on the disk once it is closed. */
import { createWriteStream } from "node:fs";
import type { Duplex, Writable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";

/** A file to write with `write` and end with `close`. Both throw the errors of the disk. */
export interface OutputFile<T = string | Uint8Array> {
  /** Settles when the file can take more. */
  write(chunk: T): Promise<void>;
  /** Settles when everything is on the disk. */
  close(): Promise<void>;
  /** Closes the unfinished file without an error. Safe after `close`. */
  abandon(): Promise<void>;
}

/**
 * Creates a new file that only its owner can read (0600).
 *
 * @param through streams that the chunks pass, in order: a formatter, gzip
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
      // A failed stream closes itself. The promise of the whole pipe gives the reason.
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

/** Settles when a stream takes more, or is closed. */
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
