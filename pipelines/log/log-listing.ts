/**
 * A listing of the log as evidence. Each entry proves that a record is there. A missing entry proves that a record is not there only under
 * two conditions: the listing did not change while it was read, and it came from the service itself.
 */
import type { ListingDoubt } from "../../connectors/api/listing.ts";
import { FatalError } from "../../connectors/errors.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { LogEntry } from "../journal/remote-record.ts";
import { PAST_THE_CACHE, SEVERAL } from "./stale-listing.ts";

/** The entries of a listing. */
export interface LogListing extends AsyncIterable<LogEntry> {
  /**
   * The reason why this listing can't prove that a record is missing. It is known after the listing was read. Undefined when the listing
   * can prove it.
   */
  readonly doubt?: string | undefined;
  /** The cause of the doubt. If the total is wrong at each reading, waiting doesn't help. */
  readonly doubtOf?: ListingDoubt | undefined;
}

/** The option that accepts a listing with a wrong total. */
export const TRUST_LIST = "--trust-list";

/**
 * Makes a fresh listing of all records of a kind; undefined when the service has no such listing.
 *
 * @param isAnotherLook asks in another way than before, so that no cache on the way can have kept the answer
 */
export type ListLog = (kind: Kind, signal: AbortSignal, isAnotherLook?: boolean) => Promise<LogListing | undefined>;

/**
 * The entries of a listing that must be able to prove that a record is missing.
 *
 * @throws FatalError `log/listing-in-doubt` or `log/listing-miscounted` after the last entry, when the listing can't prove it
 */
export async function* trusted(kind: Kind, listing: LogListing): AsyncGenerator<LogEntry> {
  yield* listing;
  if (listing.doubt === undefined) return;
  const [code, words] = REFUSALS[listing.doubtOf ?? "change"];
  throw new FatalError(code, "journal", `Stopped before anything was sent: ${words(SEVERAL[kind], listing.doubt)}`);
}

const AGAIN = "run the same command again";

/** For each cause of doubt: the code of the error, and a message with the observation, the possible causes and the remedy. */
const REFUSALS: Readonly<
  Record<ListingDoubt, readonly [code: string, words: (several: string, seen: string) => string]>
> = {
  cache: [
    "log/listing-in-doubt",
    (several, seen) =>
      `the log's list of ${several} may be an old one, because ${seen}. ${whatItLacks(several)} ${PAST_THE_CACHE} Then ${AGAIN}.`,
  ],
  change: [
    "log/listing-in-doubt",
    (several, seen) =>
      `the log's list of ${several} can't be relied on, because ${seen}. ${whatItLacks(several)} There are two possible causes. Something else writes to the log: wait until it is done, and ${AGAIN}. Or a cache between here and the log gives old answers. ${PAST_THE_CACHE} Then ${AGAIN}.`,
  ],
  count: [
    "log/listing-miscounted",
    (several, seen) =>
      `the log counts its ${several} wrongly, or its list lacks some: ${seen}. Trying again won't help. Ask whoever runs the log to count again. If a cache stands between here and the log, it may give old pages: use an address of the log without it. If you know that the list is complete, run the same command with ${TRUST_LIST}.`,
  ],
};

function whatItLacks(several: string): string {
  return `${several[0]?.toUpperCase()}${several.slice(1)} that it lacks would be sent a second time.`;
}
