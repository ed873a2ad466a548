/**
 * A listing of the log as evidence. It shows what is there. That something is not there it shows only where it held still while it was
 * read, and where it came from the service itself.
 */
import { FatalError } from "../../connectors/errors.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { LogEntry } from "../journal/remote-record.ts";
import { SEVERAL } from "./stale-listing.ts";

/** The entries of a listing. */
export interface LogListing extends AsyncIterable<LogEntry> {
  /** Once it was read: why it can't tell that something is not there. Undefined where it can. */
  readonly doubt?: string | undefined;
  /** Whether that is because its total is another than its pages hold, each time it is read: waiting doesn't help. */
  readonly isMiscounted?: boolean | undefined;
}

/** What believes such a listing. */
export const TRUST_LIST = "--trust-list";

/**
 * Lists everything of a kind, afresh; undefined where the service has no such listing.
 *
 * @param isAnotherLook asks in another way than the looks before, so that nothing in between can have kept the answer
 */
export type ListLog = (kind: Kind, signal: AbortSignal, isAnotherLook?: boolean) => Promise<LogListing | undefined>;

/**
 * The entries of a listing from which it is concluded what is not in the log.
 *
 * @throws FatalError `log/listing-in-doubt` at its end, where it can't tell
 */
export async function* trusted(kind: Kind, listing: LogListing): AsyncGenerator<LogEntry> {
  yield* listing;
  if (listing.doubt === undefined) return;
  if (listing.isMiscounted === true) {
    throw new FatalError(
      "log/listing-miscounted",
      "journal",
      `Stopped before anything was sent: the log counts its ${SEVERAL[kind]} wrongly, or its list lacks some: ${listing.doubt}. Trying again won't help. Ask whoever runs the log to count again. If you know that the list is complete, run the same command with ${TRUST_LIST}.`,
    );
  }
  throw new FatalError(
    "log/listing-in-doubt",
    "journal",
    `Stopped before anything was sent: the log's listing of ${SEVERAL[kind]} can't be trusted, because ${listing.doubt}. What it lacks would be sent a second time. Run the same command again when nothing else writes to the log, and without a cache in between.`,
  );
}
