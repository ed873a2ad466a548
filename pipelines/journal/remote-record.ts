/** The journal's knowledge of a log: its account, our records in it, and its listings. */

import type { LocalDate, LocalTime } from "../../transforms/calendar.ts";
import type { WorkoutFacts } from "../../transforms/duplicates.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { RecordLine } from "./line.ts";

/** A record of the log that we put there. The journal keeps it in its table `placed`. */
export interface RemoteRecord {
  readonly key: string;
  readonly kind: Kind;
  readonly remoteId: string;
  /** The content hash of the source record. */
  readonly content: string;
  /** The save body that was sent last; undefined until the first answer to a save. */
  readonly sent: unknown;
  /** False between an import and the PUT that completes it. */
  readonly finished: boolean;
  readonly run: number;
}

/** The values of a workout right after its import. The journal keeps them in its table `as_imported`. */
export interface AsImported {
  readonly activityID: number | undefined;
  readonly date: LocalDate;
  readonly time: LocalTime | undefined;
  readonly metres: number | undefined;
  readonly seconds: number | undefined;
  /** A hash of all its values (`hashOfBody`). Undefined in rows of older versions. */
  readonly hash?: string | undefined;
}

/** Makes the log record of a line, not completed yet. */
export function toRemoteRecord(line: RecordLine, remoteId: string): RemoteRecord {
  const { key, kind, run, content = "" } = line;
  return { key, kind, remoteId, content, sent: undefined, finished: false, run };
}

/** The account that the journal belongs to. */
export interface AccountRef {
  readonly baseUrl: string;
  /** A hash of the user that the service names. The token is not part of it. */
  readonly userHash: string;
  /** The user's screen name, for messages. */
  readonly name: string;
}

/** A record in a listing of the log. */
export interface LogEntry {
  readonly kind: Kind;
  readonly id: string;
  /** Of workouts. */
  readonly activityID?: number;
  /** Of workouts, if the listing shows it. The journal doesn't keep it. */
  readonly activityName?: string;
  /** Of workouts; undefined when the listing gives no date. */
  readonly facts?: WorkoutFacts;
  /** Of equipment and courses. */
  readonly identity?: string;
  /** The name of a course or a shoe, for messages. */
  readonly name?: string;
  /** Of equipment: the distance that the log added up, in metres, if the listing shows it. */
  readonly metres?: number;
}

/** A record of the log, with the key of the line that it stands for, if any. */
export type ClaimedEntry = LogEntry & { readonly claimedBy: string | undefined };

/** A workout of the log that an earlier run loaded from a file, and that no line of a later run of the same file stands for. */
export interface RowAway {
  /** The log's id of the workout. */
  readonly id: string;
  /** The line that it was loaded for. */
  readonly run: number;
  readonly seq: number;
  readonly source: number;
  readonly key: string;
  /** The connector, the archive and the entry of the line, as one text to compare. */
  readonly table: string;
}
