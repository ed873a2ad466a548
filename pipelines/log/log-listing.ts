/**
 * A listing of the log as evidence. It shows what is there. That something is not there it shows only where it held still while it was
 * read, and where it came from the service itself.
 */
import type { ListingDoubt } from "../../connectors/api/listing.ts";
import { FatalError } from "../../connectors/errors.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { LogEntry } from "../journal/remote-record.ts";
import { PAST_THE_CACHE, SEVERAL } from "./stale-listing.ts";

/** The entries of a listing. */
export interface LogListing extends AsyncIterable<LogEntry> {
  /** Once it was read: why it can't tell that something is not there. Undefined where it can. */
  readonly doubt?: string | undefined;
  /** What the doubt is about. Of a total that is wrong each time it is read, waiting doesn't help. */
  readonly doubtOf?: ListingDoubt | undefined;
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
  const [code, words] = REFUSALS[listing.doubtOf ?? "change"];
  throw new FatalError(code, "journal", `Stopped before anything was sent: ${words(SEVERAL[kind], listing.doubt)}`);
}

const AGAIN = "run the same command again";

/** By what a list is doubted for: the code, and in words what was seen, what may cause it, and what to do. */
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
