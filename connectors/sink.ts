/**
 * What may be done to a log. The loader knows nothing else of it, so a rehearsal, a wrapper or a fault is another sink and
 * not an `if` in the loader.
 *
 * Every method settles when the log durably has what was asked, or throws a TransferError:
 * RetryableError (provably nothing happened; the sink has already tried again as often as it may), ItemError (the log
 * refuses this record), UnknownOutcomeError (it may have happened: look before anything else), FatalError (stop).
 * Methods are called concurrently. None is ever repeated by the sink when that could make a second record.
 */
import type { Kind } from "../transforms/model/item.ts";
import { ItemError, saysGone } from "./errors.ts";
import type { DeviceFormat } from "./formats/recording.ts";

/** A record as the log's save operations take it: plain JSON, exactly the document's fields. */
export type SaveBody = Readonly<Record<string, unknown>>;

/** A log that can be written: over HTTP (`api/sink.ts`), or made up in tests. `create`, `importFile` and `replace` take the bodies and files of the document. */
export interface Sink {
  /** Makes a record. @returns its id */
  create(kind: Kind, body: SaveBody, signal: AbortSignal): Promise<string>;
  /** Makes a workout of every recording in a device file. @returns their ids, in no promised order; none when it found none */
  importFile(format: DeviceFormat, bytes: Uint8Array, signal: AbortSignal): Promise<readonly string[]>;
  /** Puts a line on a course; replaces the line it has. */
  saveMap(courseId: string, gpx: Uint8Array, signal: AbortSignal): Promise<void>;
  /** A record as it stands now, in the form `replace` takes. @throws ItemError `api/gone` when there is none */
  read(kind: Kind, id: string, signal: AbortSignal): Promise<SaveBody>;
  /** Writes a record over the one with this id. */
  replace(kind: Kind, id: string, body: SaveBody, signal: AbortSignal): Promise<void>;
}

/** Reads a record; undefined if the log has no record with its id. @throws all that `read` throws, except `api/gone` */
export async function readIfThere<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (saysGone(error)) return undefined;
    throw error;
  }
}

/** A read by id: the record, undefined if the log has none; or the reason why the log refused to show it. Then it may be there. */
export type ReadResult<T> = { readonly found: T | undefined } | { readonly refused: string };

/** Reads a record that the log may have removed, or may refuse to show. @throws all that `read` throws, except ItemError */
export async function tryToRead<T>(read: () => Promise<T>): Promise<ReadResult<T>> {
  try {
    return { found: await readIfThere(read) };
  } catch (error) {
    if (error instanceof ItemError) return { refused: error.message };
    throw error;
  }
}
