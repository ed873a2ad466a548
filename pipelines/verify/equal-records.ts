/**
 * Records of a log that are alike to one of a run and stand for no record of ours: what a service did after it was given up shows as these,
 * and so does what the log's owner typed. Nobody can tell which it is, so they are named. Two that were there before anything was sent are
 * no work of this journal.
 */
import type { SaveBody } from "../../connectors/sink.ts";
import type { Kind } from "../../transforms/model/item.ts";
import { inMetres } from "../../transforms/units.ts";
import type { Journal } from "../journal/journal.ts";
import type { AsImported, LogEntry } from "../journal/remote-record.ts";
import type { Run } from "../journal/run.ts";

/** A record of the log, and the one of the run that it is alike to. */
export interface EqualRecord {
  readonly kind: Kind;
  readonly id: string;
  readonly like: string;
  /** Both were in the log before anything was sent, and no run of this journal made either: nothing of ours was doubled. */
  readonly wasThere: boolean;
}

/** At most this many are named. */
const MOST_NAMED = 1000;

/** Collects a run's workouts as they were read back, then looks for others like them. */
export class EqualRecords {
  /** How many of the run's workouts look so: a few bytes a workout, however long the run. */
  readonly #count = new Map<number, number>();
  /** Of those that were imported, which one was made so. */
  readonly #imported = new Map<number, string>();

  /** Takes in a workout of the run as it stands in the log. */
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

  /** Takes in how an import made a workout of the run, before it was completed: what looks so still was made by another import. */
  addImported(id: string, { activityID, date, time, metres, seconds }: AsImported): void {
    this.#imported.set(fingerprintOf(activityID, date, time, metres, seconds), id);
  }

  /**
   * The workouts of the log that are alike to one of the run, and that no record of the journal stands for.
   *
   * @param list the log's workouts, from the beginning at each call; undefined where the service has no listing
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
    // Read once more for their ids: there are few, and most logs have none.
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
    const others = [...suspects].filter(([id]) => !known.has(id));
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

/**
 * Shoes or courses of the log that are one of the run's by their identity, and that no record of the journal stands for.
 *
 * @param list the log's records of the kind; undefined where the service has no listing
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

/** The members of a save body that are looked at. */
interface Shown {
  readonly date?: string;
  readonly time?: string;
  readonly activityID?: number;
  readonly details?: { readonly distance?: Parameters<typeof inMetres>[0]; readonly duration?: number };
}

function fingerprintOfEntry({ activityID, facts }: LogEntry): number {
  return fingerprintOf(activityID, facts?.date, facts?.time, facts?.metres, facts?.seconds);
}

/** What a listing shows of a workout, to the metre and the second, as a number (FNV-1a, 53 bits of two). */
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
