/** Reads lines of a plan: by key, by file, by possible duplicates, and in loading order. */

import { DUPLICATE_TOLERANCE, type WorkoutFacts } from "../../transforms/duplicates.ts";
import { type Kind, LOADING_ORDER } from "../../transforms/model/item.ts";
import type { JournalDatabase } from "./database.ts";
import { EDGES, isRecord, type Line, type LineOf, type LineState, type RecordLine, type WorkoutLine } from "./line.ts";
import { lineFrom, lineOfKind, localSeconds, type Row } from "./rows.ts";
import { listed, sql } from "./sql.ts";

/** Rows in one read. Only so many are in memory, even for a long plan. */
export const ROWS_PER_READ = 40;

/** See `JournalWriter.duplicateCandidates`: planned workouts that may be the same one. */
export function duplicateCandidates(
  database: JournalDatabase,
  run: number,
  facts: WorkoutFacts,
): readonly WorkoutLine[] {
  if (facts.activity === undefined) return [];
  const found = new Map<number, WorkoutLine>();
  const collect = (rows: readonly Row[]) => {
    for (const row of rows) if (row.state === "planned") found.set(Number(row.seq), lineOfKind(row, "workout"));
  };
  // Each query of planning names its index. Without statistics, SQLite would walk through the whole primary key of a run.
  const of = sql`WHERE kind = 'workout' AND run = ${run} AND activity = ${facts.activity}`;
  const select = sql`SELECT * FROM line INDEXED BY line_local ${of}`;
  const local = localSeconds(facts);
  if (facts.time === undefined) {
    collect(database.all(sql`${select} AND local_s >= ${local} AND local_s < ${local + 86_400}`));
  } else {
    const { seconds } = DUPLICATE_TOLERANCE;
    collect(database.all(sql`${select} AND local_s BETWEEN ${local - seconds} AND ${local + seconds}`));
    const midnight = localSeconds({ ...facts, time: undefined });
    collect(database.all(sql`${select} AND local_s = ${midnight} AND time IS NULL`));
    if (facts.instant !== undefined) {
      const ms = seconds * 1000;
      collect(
        database.all(sql`SELECT * FROM line INDEXED BY line_instant ${of} AND instant IS NOT NULL
          AND instant BETWEEN ${facts.instant - ms} AND ${facts.instant + ms}`),
      );
    }
  }
  return [...found.values()].sort((a, b) => a.seq - b.seq);
}

/** The planned line of the same piece of equipment or the same course. */
export function lineWithIdentity<K extends Kind>(
  database: JournalDatabase,
  run: number,
  kind: K,
  identity: string,
): LineOf<K> | undefined {
  const row = database.get(sql`SELECT * FROM line INDEXED BY line_identity WHERE run = ${run}
    AND kind = ${kind} AND identity = ${identity} AND state = 'planned' ORDER BY seq LIMIT 1`);
  return row === undefined ? undefined : lineOfKind(row, kind);
}

/** Whether a line of this source was merged into the line with this key. */
export function hasDuplicateFrom(database: JournalDatabase, run: number, key: string, source: number): boolean {
  return (
    database.get(sql`SELECT 1 AS yes FROM line INDEXED BY line_twin WHERE run = ${run} AND twin = ${key}
      AND source = ${source}`) !== undefined
  );
}

/** See `JournalReader.assumesTimes`. Values are searched as texts: most runs have no such time, and parsing takes ten times as long. */
export function assumesTimes(database: JournalDatabase, run: number, states: readonly LineState[]): boolean {
  return (
    database.get(sql`SELECT 1 AS yes FROM line WHERE run = ${run} AND kind = 'workout' AND state IN (${listed(states)})
      AND instr(value, '"basis":"utcOffset"') > 0 LIMIT 1`) !== undefined
  );
}

/** The lines that were merged into the line with this key. */
export function mergedInto(database: JournalDatabase, run: number, key: string): readonly Line[] {
  return database
    .all(sql`SELECT * FROM line INDEXED BY line_twin WHERE run = ${run} AND twin = ${key} AND state = 'merged'
      AND key <> twin ORDER BY seq`)
    .map(lineFrom);
}

/** One line of a run. */
export function lineAt(database: JournalDatabase, run: number, seq: number): Line | undefined {
  const row = database.get(sql`SELECT * FROM line WHERE run = ${run} AND seq = ${seq}`);
  return row === undefined ? undefined : lineFrom(row);
}

/** The first line of a run with this key. */
export function lineWithKey(database: JournalDatabase, run: number, key: string): Line | undefined {
  const row = database.get(sql`SELECT * FROM line INDEXED BY line_key WHERE run = ${run} AND key = ${key}
    ORDER BY seq LIMIT 1`);
  return row === undefined ? undefined : lineFrom(row);
}

/**
 * The lines of a run in loading order. It commits the open chunk of planning first, so that the caller can change lines while it reads on.
 */
export async function* linesInOrder(
  database: JournalDatabase,
  run: number,
  filter: { state?: readonly LineState[]; kind?: Kind },
): AsyncIterable<Line> {
  database.commit();
  const states = filter.state ?? (Object.keys(EDGES) as LineState[]);
  const kinds: readonly Line["kind"][] = filter.kind === undefined ? [...LOADING_ORDER, "set-aside"] : [filter.kind];
  for (const kind of kinds) {
    // Each read continues after the last row, because lines change their state during the iteration.
    let after = { place: Number.MIN_SAFE_INTEGER, seq: 0 };
    for (;;) {
      const rows: Row[] = database.all(sql`SELECT * FROM line INDEXED BY line_order WHERE run = ${run}
        AND kind = ${kind} AND (place, seq) > (${after.place}, ${after.seq}) AND state IN (${listed(states)})
        ORDER BY place, seq LIMIT ${ROWS_PER_READ}`);
      for (const row of rows) yield lineFrom(row);
      const last = rows.at(-1);
      if (last === undefined) break;
      after = { place: Number(last.place), seq: Number(last.seq) };
    }
  }
}

/** The lines of one device file. */
export function linesOfFile(
  database: JournalDatabase,
  run: number,
  source: number,
  entry: string,
): readonly WorkoutLine[] {
  return database
    .all(sql`SELECT * FROM line INDEXED BY line_entry WHERE run = ${run} AND entry_source = ${source}
      AND entry = ${entry} ORDER BY seq`)
    .map((row) => lineOfKind(row, "workout"));
}

/** Lines of all runs with an unknown outcome. */
export function doubtful(database: JournalDatabase): readonly RecordLine[] {
  return database
    .all(sql`SELECT * FROM line INDEXED BY line_open WHERE state IN ('in-flight', 'in-doubt') ORDER BY run, seq`)
    .map(lineFrom)
    .filter(isRecord);
}

/** The run in which the record of this key is in doubt. */
export function runInDoubt(database: JournalDatabase, key: string): number | undefined {
  const row = database.get(sql`SELECT run FROM line INDEXED BY line_open
    WHERE state IN ('in-flight', 'in-doubt') AND key = ${key} LIMIT 1`);
  return row === undefined ? undefined : Number(row.run);
}
