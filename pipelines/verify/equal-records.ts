/**
 * Finds records of the log that equal a record of the run, but are not ours. A service may have made one from a request that logferry had
 * given up. Or the owner of the log typed it. logferry can't tell which, so it names these records. If both records were there before
 * anything was sent, this journal made neither of them.
 */
import type { SaveBody } from "../../connectors/sink.ts";
import type { Kind } from "../../transforms/model/item.ts";
import { inMetres } from "../../transforms/units.ts";
import type { Journal } from "../journal/journal.ts";
import type { AsImported, LogEntry } from "../journal/remote-record.ts";
import type { Run } from "../journal/run.ts";

/** A record of the log, and the record of the run that it equals. */
export interface EqualRecord {
  readonly kind: Kind;
  readonly id: string;
  readonly like: string;
  /**
   * Whether both records were in the log before anything was sent, and no run of this journal made either. Then logferry duplicated
   * nothing.
   */
  readonly wasThere: boolean;
}

/** The maximum number of records that are named. */
const MOST_NAMED = 1000;

/** Collects the workouts of a run as they were read back. Then it searches the log for others with the same values. */
export class EqualRecords {
  /** The number of workouts of the run for each fingerprint. It takes a few bytes for each workout. */
  readonly #count = new Map<number, number>();
  /** The id of each imported workout, by the fingerprint of its values after the import. */
  readonly #imported = new Map<number, string>();

  /** Adds a workout of the run, with its values in the log. */
  add(body: SaveBody): void {
    const { date, time, activityID, details = {} } = body as Shown;
    const { distance, duration } = details;
    const fingerprint = fingerprintOf(
      activityID,
      date,
      time,
      distance === undefined ? undefined : inMetres(distance),
      duration,
    );
    this.#count.set(fingerprint, (this.#count.get(fingerprint) ?? 0) + 1);
  }

  /**
   * Adds the values that a workout had right after its import, before logferry completed it. Another workout with these values came from
   * another import.
   */
  addImported(id: string, { activityID, date, time, metres, seconds }: AsImported): void {
    this.#imported.set(fingerprintOf(activityID, date, time, metres, seconds), id);
  }

  /**
   * Finds the workouts of the log that equal a workout of the run, and that the journal doesn't know.
   *
   * @param list lists the log's workouts, from the beginning at each call; undefined when the service has no listing
   */
  async find(
    run: Run,
    journal: Journal,
    list: () => Promise<AsyncIterable<LogEntry> | undefined>,
  ): Promise<readonly EqualRecord[]> {
    const found = new Map<number, number>();
    const listing = await list();
    if (listing === undefined) return [];
    for await (const entry of listing) {
      const fingerprint = fingerprintOfEntry(entry);
      if (this.#count.has(fingerprint) || this.#imported.has(fingerprint))
        found.set(fingerprint, (found.get(fingerprint) ?? 0) + 1);
    }
    const more = new Set(
      [...found]
        .filter(([fingerprint, times]) => times > (this.#count.get(fingerprint) ?? 0))
        .map(([fingerprint]) => fingerprint),
    );
    if (more.size === 0) return [];
    // The second listing gives the ids. There are few such workouts, and most logs have none.
    const suspects = new Map<string, number>();
    for await (const entry of (await list()) ?? []) {
      const fingerprint = fingerprintOfEntry(entry);
      if (more.has(fingerprint) && suspects.size < MOST_NAMED) suspects.set(entry.id, fingerprint);
    }
    const like = new Map<number, string>(this.#imported);
    const known = new Set<string>();
    const made = new Set<number>(this.#imported.keys());
    const know = (id: string | undefined, isMade: boolean) => {
      const fingerprint = suspects.get(id ?? "");
      if (id === undefined || fingerprint === undefined) return;
      like.set(fingerprint, id);
      known.add(id);
      if (isMade) made.add(fingerprint);
    };
    for await (const { remoteId } of journal.lines(run.id, { state: ["done", "unchanged"], kind: "workout" }))
      know(remoteId, false);
    for await (const { kind, remoteId } of journal.allRemoteRecords()) if (kind === "workout") know(remoteId, true);
    const apart = await calledAnother(journal);
    const others = [...suspects].filter(([id]) => !known.has(id) && !apart.has(id));
    return Promise.all(
      others.map(async ([id, fingerprint]) => ({
        kind: "workout",
        id,
        like: like.get(fingerprint) ?? "",
        wasThere: !made.has(fingerprint) && (await journal.wasThere("workout", id)),
      })),
    );
  }
}

/** The workouts of the log of which a person said that they are another one than a workout of a source. */
async function calledAnother({ links }: Journal): Promise<ReadonlySet<string>> {
  const twos = (await links.answers()).filter(({ answer }) => answer === "two");
  return new Set(twos.flatMap(({ records }) => records.flatMap(({ inLog }) => inLog ?? [])));
}

/**
 * Finds shoes or courses of the log with the same identity as one of the run, if the journal doesn't know them.
 *
 * @param list lists the log's records of the kind; undefined when the service has no listing
 */
export async function equalThings(
  kind: "equipment" | "course",
  run: Run,
  journal: Journal,
  list: () => Promise<AsyncIterable<LogEntry> | undefined>,
): Promise<readonly EqualRecord[]> {
  if (!(await journal.hasInLog(run.id, kind))) return [];
  const ofRun = new Set<string>();
  for await (const { remoteId } of journal.lines(run.id, { state: ["done", "unchanged"], kind }))
    if (remoteId !== undefined) ofRun.add(remoteId);
  const made = new Set<string>();
  for await (const { remoteId } of journal.allRemoteRecords()) made.add(remoteId);
  const like = new Map<string, { readonly id: string; readonly isMade: boolean }>();
  const others: LogEntry[] = [];
  for await (const entry of (await list()) ?? []) {
    if (!ofRun.has(entry.id) && !made.has(entry.id)) others.push(entry);
    else if (ofRun.has(entry.id) && entry.identity !== undefined) {
      const isMade = made.has(entry.id) || like.get(entry.identity)?.isMade === true;
      like.set(entry.identity, { id: entry.id, isMade });
    }
  }
  const equal: EqualRecord[] = [];
  for (const { id, identity } of others) {
    const own = identity === undefined ? undefined : like.get(identity);
    if (own === undefined || equal.length === MOST_NAMED) continue;
    equal.push({ kind, id, like: own.id, wasThere: !own.isMade && (await journal.wasThere(kind, id)) });
  }
  return equal;
}

/** The fields of a save body that are compared. */
interface Shown {
  readonly date?: string;
  readonly time?: string;
  readonly activityID?: number;
  readonly details?: { readonly distance?: Parameters<typeof inMetres>[0]; readonly duration?: number };
}

function fingerprintOfEntry({ activityID, facts }: LogEntry): number {
  return fingerprintOf(activityID, facts?.date, facts?.time, facts?.metres, facts?.seconds);
}

/** The listed values of a workout, to the metre and the second, as one number (FNV-1a, 53 bits of two hashes). */
function fingerprintOf(
  activityID: number | undefined,
  date: string | undefined,
  time: string | undefined,
  metres: number | undefined,
  seconds: number | undefined,
): number {
  const text = [activityID, date, time?.slice(0, 5), Math.round(metres ?? 0), Math.round(seconds ?? 0)].join("|");
  let high = 0x811c9dc5;
  let low = 0x01000193;
  for (let index = 0; index < text.length; index++) {
    high = Math.imul(high ^ text.charCodeAt(index), 0x01000193) >>> 0;
    low = Math.imul(low ^ text.charCodeAt(text.length - 1 - index), 0x01000193) >>> 0;
  }
  return (high & 0x1fffff) * 2 ** 32 + low;
}
