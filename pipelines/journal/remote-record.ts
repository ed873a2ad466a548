/** What the journal keeps of a log: whose it is, what was put there, and what it listed. */

import type { LocalDate, LocalTime } from "../../transforms/calendar.ts";
import type { WorkoutFacts } from "../../transforms/duplicates.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { RecordLine } from "./line.ts";

/** A record of the log that we put there. The journal keeps it in its table `placed`. */
export interface RemoteRecord {
  readonly key: string;
  readonly kind: Kind;
  readonly remoteId: string;
  /** Content hash of the source record it was made from. */
  readonly content: string;
  /** What was last sent, as the log's save body; undefined until the first answer to a save. */
  readonly sent: unknown;
  /** False between an import and the PUT that completes it. */
  readonly finished: boolean;
  readonly run: number;
}

/** A workout as an import made it. The journal keeps it in its table `as_imported`. */
export interface AsImported {
  readonly activityID: number | undefined;
  readonly date: LocalDate;
  readonly time: LocalTime | undefined;
  readonly metres: number | undefined;
  readonly seconds: number | undefined;
}

/** Where the record of a line stands in the log, so far as it is not completed. */
export function toRemoteRecord(line: RecordLine, remoteId: string): RemoteRecord {
  const { key, kind, run, content = "" } = line;
  return { key, kind, remoteId, content, sent: undefined, finished: false, run };
}

/** Whose log the journal belongs to. */
export interface AccountRef {
  readonly baseUrl: string;
  /** Hash of what the service says the user is; never the token. */
  readonly userHash: string;
  /** For messages: the screen name. */
  readonly name: string;
}

/** A record of the log as its listing shows it: what is already there. */
export interface LogEntry {
  readonly kind: Kind;
  readonly id: string;
  /** Of a workout; undefined when the listing gives it no date. */
  readonly activityID?: number;
  /** Of a workout, where the listing says it; kept nowhere. */
  readonly activityName?: string;
  readonly facts?: WorkoutFacts;
  /** Of equipment and courses. */
  readonly identity?: string;
  /** For a message: a course's or a shoe's name. */
  readonly name?: string;
}

/** A record of the log with the key of the line it stands for, if any. */
export type ClaimedEntry = LogEntry & { readonly claimedBy: string | undefined };
