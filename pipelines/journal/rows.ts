/** Turns rows of the journal's tables into records, and facts into columns. */
import type { SQLInputValue } from "node:sqlite";
import { asIfUtc } from "../../transforms/calendar.ts";
import type { WorkoutFacts } from "../../transforms/duplicates.ts";
import type { Item, Kind } from "../../transforms/model/item.ts";
import { fromStored, toStored } from "../../transforms/model/stored-value.ts";
import type { LossRow, TallyRow } from "./counts.ts";
import { isOfKind, type LeftValues, type Line, type LineOf, type LineState } from "./line.ts";
import type { ClaimedEntry, LogEntry, RemoteRecord } from "./remote-record.ts";
import type { Run, RunOptions, RunState } from "./run.ts";

/** A row from node:sqlite. */
export type Row = Record<string, SQLInputValue>;

/** The columns of a line that hold a workout's facts. Without facts, all are empty. */
export function factColumns(facts: WorkoutFacts | undefined) {
  const { activity, date, time, instant, metres, seconds } = facts ?? {};
  const local_s = facts && localSeconds(facts);
  return { activity, date, time, local_s, instant: instant && Math.round(instant), metres, seconds };
}

/** The columns of a line that hold its value. */
export function valueColumns(value: Item["value"] | LeftValues | undefined) {
  const track = value !== undefined && "track" in value ? value.track : undefined;
  return { value: value && JSON.stringify(toStored(value)), entry: track?.entry, entry_source: track?.source };
}

/** The local time as a number of seconds, for comparisons. A workout without a time of day counts as midnight. */
export function localSeconds(facts: WorkoutFacts): number {
  return asIfUtc(facts) / 1000;
}

/** Reads a row of `line`. */
export function lineFrom(row: Row): Line {
  return {
    run: Number(row.run),
    seq: Number(row.seq),
    key: String(row.key),
    kind: row.kind as Line["kind"],
    source: Number(row.source),
    origin: JSON.parse(String(row.origin)),
    state: row.state as LineState,
    action: row.action as Line["action"],
    uploadMethod: optional(row.carrier) as Line["uploadMethod"],
    content: optional(row.content),
    value: row.value === null ? undefined : fromStored(JSON.parse(String(row.value))),
    reason: optional(row.reason),
    duplicateOf: optional(row.twin),
    remoteId: optional(row.remote_id),
    intendedAt: row.intended_at === null ? undefined : Number(row.intended_at),
    // The row's value was written together with its kind.
  } as Line;
}

/**
 * Reads a row of `line` of a known kind.
 *
 * @throws Error when it has another kind
 */
export function lineOfKind<K extends Line["kind"]>(row: Row, kind: K): LineOf<K> {
  const line = lineFrom(row);
  if (!isOfKind(line, kind))
    throw new Error(`Cannot read line ${line.seq} of run ${line.run} as ${kind}: it is ${line.kind}`);
  return line;
}

/** Reads a row of `placed`. */
export function remoteRecordFrom(row: Row): RemoteRecord {
  return {
    key: String(row.key),
    kind: row.kind as Kind,
    remoteId: String(row.remote_id),
    content: String(row.content),
    sent: row.sent === null ? undefined : JSON.parse(String(row.sent)),
    finished: row.finished === 1,
    run: Number(row.run),
  };
}

/** Reads a count of lines. */
export function tallyRowFrom(row: Row): TallyRow {
  return {
    kind: row.kind as TallyRow["kind"],
    source: Number(row.source),
    state: row.state as LineState,
    action: row.action as TallyRow["action"],
    count: Number(row.count),
    there: Number(row.there),
    apart: Number(row.apart),
    lost: { missing: Number(row.missing), damaged: Number(row.damaged), cut: Number(row.cut) },
  };
}

/** Reads a count of a field that the log can't store. */
export function lossRowFrom(row: Row): LossRow {
  return { field: String(row.field), count: Number(row.count) };
}

/** Reads the options of a run. A journal keeps `retryOf` under its former name. */
function readOptions(json: string): RunOptions {
  const { takesUp, ...options } = JSON.parse(json);
  return takesUp === undefined ? options : { ...options, retryOf: takesUp };
}

/** The options of a run, in the form that a journal keeps. */
export function writeOptions({ retryOf, ...options }: RunOptions): string {
  return JSON.stringify(retryOf === undefined ? options : { ...options, takesUp: retryOf });
}

/** Reads a row of `run`. */
export function runFrom(row: Row): Run {
  return {
    id: Number(row.id),
    state: row.state as RunState,
    createdAt: Number(row.created_at),
    finishedAt: row.finished_at === null ? undefined : Number(row.finished_at),
    sources: JSON.parse(String(row.sources)),
    options: readOptions(String(row.options)),
    read: Number(row.read),
    requests: row.requests === null ? undefined : Number(row.requests),
  };
}

/** Reads a row of `log`. The caller gives the activity, because the log has only its number. */
export function logEntryFrom(row: Row, activity: WorkoutFacts["activity"]): LogEntry {
  return {
    kind: row.kind as Kind,
    id: String(row.id),
    ...(row.activity_id !== null && { activityID: Number(row.activity_id) }),
    ...(row.date !== null && {
      facts: {
        activity,
        date: String(row.date),
        time: optional(row.time),
        instant: undefined,
        metres: row.metres === null ? undefined : Number(row.metres),
        seconds: row.seconds === null ? undefined : Number(row.seconds),
      },
    }),
    ...(row.identity !== null && { identity: String(row.identity) }),
    ...(row.name !== null && { name: String(row.name) }),
  };
}

/** Reads a row of `log`, with the key of the line that it stands for. */
export function claimedEntryFrom(row: Row, activity: WorkoutFacts["activity"]): ClaimedEntry {
  return { ...logEntryFrom(row, activity), claimedBy: optional(row.claimed_by) };
}

function optional(value: SQLInputValue | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}
