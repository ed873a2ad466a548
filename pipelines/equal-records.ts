/**
 * Workouts of a log that are alike to one of a run and stand for no record of ours: what a service did after it was given up shows as these,
 * and so does what the log's owner typed. Nobody can tell which it is, so they are named.
 */
import type { SaveBody } from "../connectors/sink.ts";
import { inMetres } from "../transforms/units.ts";
import type { Journal, LogEntry, Run } from "./journal/journal.ts";

/** A workout of the log, and the one of the run that it is alike to. */
export interface EqualRecord {
  readonly id: string;
  readonly like: string;
}

/** At most this many are named. */
const MOST_NAMED = 1000;

/** Collects a run's workouts as they were read back, then looks for others like them. */
export class EqualRecords {
  /** How many of the run's workouts look so: a few bytes a workout, however long the run. */
  readonly #count = new Map<number, number>();

  /** Takes in a workout of the run as it stands in the log. */
  add(body: SaveBody): void {
    const { date, time, activityID, details = {} } = body as Shown;
    const { distance, duration } = details;
    const mark = markOf(activityID, date, time, distance === undefined ? undefined : inMetres(distance), duration);
    this.#count.set(mark, (this.#count.get(mark) ?? 0) + 1);
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
      const mark = markOfEntry(entry);
      if (this.#count.has(mark)) found.set(mark, (found.get(mark) ?? 0) + 1);
    }
    const more = new Set(
      [...found].filter(([mark, times]) => times > (this.#count.get(mark) ?? 0)).map(([mark]) => mark),
    );
    if (more.size === 0) return [];
    // Read once more for their ids: there are few, and most logs have none.
    const suspects = new Map<string, number>();
    for await (const entry of (await list()) ?? []) {
      const mark = markOfEntry(entry);
      if (more.has(mark) && suspects.size < MOST_NAMED) suspects.set(entry.id, mark);
    }
    const like = new Map<number, string>();
    const know = (id: string | undefined) => {
      const mark = suspects.get(id ?? "");
      if (id === undefined || mark === undefined) return;
      like.set(mark, id);
      suspects.delete(id);
    };
    for await (const { remoteId } of journal.lines(run.id, { state: ["done", "unchanged"], kind: "workout" }))
      know(remoteId);
    for await (const { kind, remoteId } of journal.allPlaced()) if (kind === "workout") know(remoteId);
    return [...suspects].map(([id, mark]) => ({ id, like: like.get(mark) ?? "" }));
  }
}

/** The members of a save body that are looked at. */
interface Shown {
  readonly date?: string;
  readonly time?: string;
  readonly activityID?: number;
  readonly details?: { readonly distance?: Parameters<typeof inMetres>[0]; readonly duration?: number };
}

function markOfEntry({ activityID, facts }: LogEntry): number {
  return markOf(activityID, facts?.date, facts?.time, facts?.metres, facts?.seconds);
}

/** What a listing shows of a workout, to the metre and the second, as a number (FNV-1a, 53 bits of two). */
function markOf(
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
