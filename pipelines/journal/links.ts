/**
 * What a plan knows about workouts of several sources that may be one: the scored pairs, a person's answers about pairs, and the lines before they
 * were linked.
 */
import { toFacts, type WorkoutFacts } from "../../transforms/duplicates.ts";
import type { Differences } from "../../transforms/matching/likeness.ts";
import { defined } from "../../transforms/model/defined.ts";
import type { Issue, Origin } from "../../transforms/model/issue.ts";
import { fromStored } from "../../transforms/model/stored-value.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import type { JournalDatabase } from "./database.ts";
import type { LineState } from "./line.ts";
import { type Measures, type SourceMeasures, sourceMeasures, typedMeasures } from "./measure-rows.ts";
import { factColumns, type Row, valueColumns } from "./rows.ts";
import { assigned, sql } from "./sql.ts";

/** A scored pair of a plan. The keys are in the order of the sources. */
export interface FoundPair {
  readonly one: string;
  readonly other: string;
  /** `one`: the plan has both as one workout. `doubtful`: as two, and perhaps they are one. `two`: another pair is likelier, or a person said so. */
  readonly verdict: "one" | "doubtful" | "two";
  /** As in `Pair` of the plan. */
  readonly ms: number;
  readonly differences: Differences;
  readonly score: number;
  /** As in `Pair` of the plan. */
  readonly isClockUnproven: boolean;
  /** The keys of the parts, where one of the two is a part of the other one. The numbers are those of all parts then. Undefined for two copies. */
  readonly parts?: readonly string[];
  /** The id of `other` in the log, where the plan lacks `other`. Its key is that of the record it was loaded for, if the journal knows one. */
  readonly inLog?: string;
  /** Whether the log has both, although they are surely one by their values. The plan names them. */
  readonly isTwiceInLog?: true;
  /** Whether the plan has both as two, and names them: they were done at one time. `score` is `-Infinity` where they are too different for one. */
  readonly isSameTime?: true;
}

/** A record of an answer, as it was when the answer was given. */
export interface AnsweredRecord {
  readonly key: string;
  readonly origin: Origin;
  /** The place of its source (`placeOfSource`). */
  readonly place: string;
  /** The values of its source that a pair is compared by. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether one of the two is a part of the other one. */
  readonly isOfParts?: true;
  /** Its id, where it is a record of the log that this journal loaded from no source. Its values are those of the listing then. */
  readonly inLog?: string;
}

/** A person's answer: these two records are one workout, or two. */
export interface PairAnswer {
  readonly records: readonly [AnsweredRecord, AnsweredRecord];
  readonly answer: "one" | "two";
  /** For one workout: the fields whose value is that of the record with this key. */
  readonly take: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Whether it was given in a rehearsal, and a promotion took it over. */
  readonly isRehearsed?: boolean;
}

/** The starts of two records that may be one workout of one source, under two numbers, are no further apart. Source: ../shared/platforms/formats.md, sections 7 and 9. */
export const REPEATS = { seconds: 120 } as const;

/** A workout of a plan, before it was linked and now. */
export interface UnlinkedWorkout {
  readonly seq: number;
  readonly key: string;
  readonly source: number;
  readonly origin: Origin;
  readonly value: Workout;
  readonly facts: WorkoutFacts | undefined;
  readonly before: Standing;
  readonly now: Standing & { readonly isSent: boolean };
}

/** The state of a line, and the key of the line that it was merged into. */
interface Standing {
  readonly state: LineState;
  readonly duplicateOf: string | undefined;
}

/** The questions about pairs. */
export interface LinksReader {
  /** Every answer, oldest first. */
  answers(): Promise<readonly PairAnswer[]>;
  /** The scored pairs of a run; with a key only those of one record. Older runs than the newest have none. */
  pairs(run: number, key?: string): Promise<readonly FoundPair[]>;
  /** How many workouts that are new to the log it perhaps has by a clock that may be off. Older runs than the newest have none. */
  doubtfulClocks(run: number): Promise<number>;
  /** The value of a workout before others were merged into it. */
  ownValue(run: number, seq: number): Promise<Workout | undefined>;
  /** The planned workouts of a run that share a record of the log: their keys, record by record, in the order of loading. */
  sharing(run: number): Promise<readonly (readonly string[])[]>;
  /** Whether a source of a run may have a workout twice: different apps recorded its workouts, or two of a sport have one distance, duration and start, as `REPEATS` says. */
  hasTwins(run: number): Promise<boolean>;
  /** The workouts of a run as they were before it linked them, in the order of loading, and as they are now. */
  workouts(run: number): AsyncIterable<UnlinkedWorkout>;
  /** The distances and durations of all workouts of a run, as their own sources have them. */
  measures(run: number): AsyncIterable<SourceMeasures>;
  /** The distances and durations of the workouts of the log that no run loaded. */
  typedMeasures(): AsyncIterable<Measures>;
}

/** The pairs of a journal, to read and write. */
export interface Links extends LinksReader {
  /** Keeps an answer. It replaces an earlier one about the same two records. Durable. */
  keepAnswer(answer: PairAnswer): Promise<void>;
  /** Removes the answer about two records. Durable. @returns whether there was one */
  forgetAnswer(one: string, other: string): Promise<boolean>;
  /** Keeps the value of a workout as it is now, unless an earlier one is kept. Call it before the first merge. */
  keepOwn(run: number, seq: number): Promise<void>;
  /** From now on the plan keeps each line as it is before its next change. */
  begin(): Promise<void>;
  /** Keeps scored pairs of a run. */
  keepPairs(run: number, pairs: readonly FoundPair[]): Promise<void>;
  /** Removes the scored pairs of these records. */
  dropPairs(run: number, keys: ReadonlySet<string>): Promise<void>;
  /** Puts workouts back to what they were before they were linked. Their records of the log are free again. */
  unlink(workouts: readonly UnlinkedWorkout[], run: number): Promise<void>;
  /** Removes the issues of a rule. */
  dropIssue(run: number, rule: Issue["rule"]): Promise<void>;
  /** The activity numbers in the listing of the log. */
  activitiesInLog(): Promise<ReadonlySet<number>>;
  /** Does everything or nothing. */
  atomically(body: () => Promise<void>): Promise<void>;
}

/** No record is merged into others more often, one after another. */
const MOST_MERGES = 1_000;

/** Workouts in one read. */
const ROWS_PER_READ = 500;

/** The pairs in an SQLite journal. */
export class SqliteLinks implements Links {
  readonly #database: JournalDatabase;
  #keepsBefore = false;

  constructor(database: JournalDatabase) {
    this.#database = database;
  }

  /** Whether the plan keeps lines before their next change. */
  get keepsBefore(): boolean {
    return this.#keepsBefore;
  }

  /** A new plan begins. */
  end(): void {
    this.#keepsBefore = false;
  }

  async keepOwn(run: number, seq: number): Promise<void> {
    this.#database.beginChunk();
    this.#database.run(sql`INSERT INTO line_own (run, seq, value)
      SELECT run, seq, value FROM line WHERE run = ${run} AND seq = ${seq} AND value IS NOT NULL
      ON CONFLICT (run, seq) DO NOTHING`);
  }

  async begin(): Promise<void> {
    this.#keepsBefore = true;
  }

  async answers(): Promise<readonly PairAnswer[]> {
    this.#database.commit();
    return this.#database.all(sql`SELECT * FROM pair_answer ORDER BY at, one, other`).map((row) => ({
      records: JSON.parse(String(row.records)),
      answer: row.answer as PairAnswer["answer"],
      take: JSON.parse(String(row.take)),
      at: Number(row.at),
      isRehearsed: row.rehearsed === 1,
    }));
  }

  async pairs(run: number, key?: string): Promise<readonly FoundPair[]> {
    this.#database.commit();
    return this.#database
      .all(
        sql`SELECT * FROM pair WHERE run = ${run} AND (${key} IS NULL OR ${key} IN (one, other)) ORDER BY one, other`,
      )
      .map(pairFrom);
  }

  async ownValue(run: number, seq: number): Promise<Workout | undefined> {
    const row = this.#database.get(sql`SELECT coalesce(line_own.value, line_before.value, line.value) AS value
      FROM line LEFT JOIN line_before USING (run, seq) LEFT JOIN line_own USING (run, seq) WHERE line.run = ${run} AND line.seq = ${seq} AND line.kind = 'workout'`);
    return row === undefined || row.value === null ? undefined : workoutFrom(row);
  }

  async sharing(run: number): Promise<readonly (readonly string[])[]> {
    this.#database.commit();
    // A merged record has no row in `placed`. It is in the log as the record that it was merged into, which the chain leads to. Only these, and the
    // records of the log with two rows in `placed`, are shared. So a workout with a row of its own is looked up only where another one shares its record:
    // looking up 100,000 keys in no order takes most of the time. The limit ends a circle.
    const rows = this.#database.all(sql`WITH RECURSIVE chain (key, at, depth) AS (
        SELECT key, into_key, 0 FROM alias WHERE NOT EXISTS (SELECT 1 FROM placed WHERE placed.key = alias.key)
        UNION ALL SELECT chain.key, alias.into_key, depth + 1 FROM chain JOIN alias ON alias.key = chain.at
        WHERE depth < ${MOST_MERGES} AND NOT EXISTS (SELECT 1 FROM placed WHERE placed.key = chain.at)),
      merged AS MATERIALIZED (SELECT chain.key, remote_id FROM chain JOIN placed ON placed.key = chain.at),
      shared AS MATERIALIZED (SELECT remote_id FROM placed INDEXED BY placed_remote WHERE kind = 'workout'
        GROUP BY remote_id HAVING count(*) > 1 UNION SELECT remote_id FROM merged),
      member AS (SELECT key, remote_id FROM merged UNION ALL
        SELECT placed.key, remote_id FROM shared JOIN placed USING (remote_id) WHERE placed.kind = 'workout')
      SELECT json_group_array(member.key ORDER BY place, seq) AS keys
      FROM member CROSS JOIN line INDEXED BY line_key ON line.run = ${run} AND line.key = member.key
      WHERE line.kind = 'workout' AND line.state = 'planned'
      GROUP BY member.remote_id HAVING count(*) > 1 ORDER BY min(place), min(seq)`);
    return rows.map(({ keys }) => JSON.parse(String(keys)));
  }

  async hasTwins(run: number): Promise<boolean> {
    this.#database.commit();
    const byApps = this.#database.get(sql`SELECT 1 AS yes FROM line WHERE run = ${run} AND kind = 'workout'
      GROUP BY source HAVING count(DISTINCT json_extract(value, '$.recorder')) > 1 LIMIT 1`);
    if (byApps !== undefined) return true;
    const repeat = this.#database.get(sql`SELECT 1 AS yes FROM line AS one JOIN line AS other ON other.run = one.run
      AND other.kind = 'workout' AND other.activity = one.activity AND other.source = one.source AND other.seq <> one.seq
      AND other.local_s BETWEEN one.local_s AND one.local_s + ${REPEATS.seconds}
      AND abs(other.seconds - one.seconds) <= 1
      AND (abs(other.metres - one.metres) <= 1 OR (other.metres IS NULL AND one.metres IS NULL))
      WHERE one.run = ${run} AND one.kind = 'workout' AND one.time IS NOT NULL AND other.time IS NOT NULL LIMIT 1`);
    return repeat !== undefined;
  }

  async *workouts(run: number): AsyncGenerator<UnlinkedWorkout> {
    this.#database.commit();
    let after = { place: Number.MIN_SAFE_INTEGER, seq: 0 };
    for (;;) {
      const rows = this.#database.all(sql`SELECT line.seq, key, source, origin, place, intended_at, line.state AS now,
          line.twin AS twin_now, coalesce(line_before.value, line.value) AS value,
          line_before.state AS before, line_before.twin AS twin_before
        FROM line INDEXED BY line_order LEFT JOIN line_before USING (run, seq)
        WHERE line.run = ${run} AND kind = 'workout' AND (place, line.seq) > (${after.place}, ${after.seq})
        ORDER BY place, line.seq LIMIT ${ROWS_PER_READ}`);
      for (const row of rows) yield unlinkedFrom(row);
      const last = rows.at(-1);
      if (last === undefined) return;
      after = { place: Number(last.place), seq: Number(last.seq) };
    }
  }

  measures(run: number): AsyncIterable<SourceMeasures> {
    this.#database.commit();
    return sourceMeasures(this.#database, run);
  }

  typedMeasures(): AsyncIterable<Measures> {
    this.#database.commit();
    return typedMeasures(this.#database);
  }

  async keepAnswer({ records, answer, take, at, isRehearsed = false }: PairAnswer): Promise<void> {
    const [one, other] = inOrder(records[0].key, records[1].key);
    this.#database.commit();
    this.#database.transaction(() =>
      this.#database.run(sql`INSERT INTO pair_answer (one, other, answer, at, take, records, rehearsed)
        VALUES (${one}, ${other}, ${answer}, ${at}, ${JSON.stringify(take)}, ${JSON.stringify(records)}, ${isRehearsed})
        ON CONFLICT (one, other) DO UPDATE SET answer = excluded.answer, at = excluded.at, take = excluded.take,
          records = excluded.records, rehearsed = excluded.rehearsed`),
    );
  }

  async doubtfulClocks(run: number): Promise<number> {
    const found = this.#database.get(sql`SELECT count(DISTINCT one) AS workouts FROM pair
      JOIN line INDEXED BY line_key ON line.run = pair.run AND line.key = pair.one
      WHERE pair.run = ${run} AND verdict = 'doubtful' AND action = 'create'
        AND state IN ('planned', 'in-flight', 'in-doubt', 'done')
        AND json_extract(found, '$.isClockUnproven') AND json_extract(found, '$.inLog') IS NOT NULL`);
    return Number(found?.workouts);
  }

  async forgetAnswer(a: string, b: string): Promise<boolean> {
    const [one, other] = inOrder(a, b);
    this.#database.commit();
    const isThere = sql`SELECT 1 AS yes FROM pair_answer WHERE one = ${one} AND other = ${other}`;
    const was = this.#database.get(isThere) !== undefined;
    this.#database.run(sql`DELETE FROM pair_answer WHERE one = ${one} AND other = ${other}`);
    return was;
  }

  async keepPairs(run: number, pairs: readonly FoundPair[]): Promise<void> {
    for (const { one, other, verdict, ...found } of pairs) {
      this.#database.beginChunk();
      this.#database.run(sql`INSERT INTO pair (run, one, other, verdict, found)
        VALUES (${run}, ${one}, ${other}, ${verdict}, ${JSON.stringify(found)})
        ON CONFLICT (run, one, other) DO UPDATE SET verdict = excluded.verdict, found = excluded.found`);
    }
  }

  async dropPairs(run: number, keys: ReadonlySet<string>): Promise<void> {
    for (const { one, other } of await this.pairs(run))
      if (keys.has(one) || keys.has(other))
        this.#database.run(sql`DELETE FROM pair WHERE run = ${run} AND one = ${one} AND other = ${other}`);
  }

  async unlink(workouts: readonly UnlinkedWorkout[], run: number): Promise<void> {
    for (const { seq, key, value, facts, before: was } of workouts) {
      const before = this.#database.get(sql`SELECT * FROM line_before WHERE run = ${run} AND seq = ${seq}`);
      // A line that the plan didn't change since is as it was.
      if (before === undefined && was.state !== "planned") continue;
      const { state, action, twin, reason } = before ?? {
        state: "planned",
        action: "create",
        twin: null,
        reason: null,
      };
      const columns = { ...valueColumns(value), ...factColumns(state === "planned" ? facts : undefined) };
      const standing = { state, action, twin, reason, carrier: undefined, remote_id: undefined };
      this.#database.run(
        sql`UPDATE line SET ${assigned({ ...columns, ...standing })} WHERE run = ${run} AND seq = ${seq}`,
      );
      this.#database.run(sql`DELETE FROM line_before WHERE run = ${run} AND seq = ${seq}`);
      this.#database.run(sql`UPDATE log SET claimed_by = (SELECT placed.key FROM placed WHERE placed.kind = log.kind
        AND placed.remote_id = log.id LIMIT 1) WHERE claimed_by = ${key}`);
    }
  }

  async dropIssue(run: number, rule: string): Promise<void> {
    this.#database.beginChunk();
    this.#database.run(sql`DELETE FROM issue WHERE run = ${run} AND rule = ${rule}`);
  }

  async activitiesInLog(): Promise<ReadonlySet<number>> {
    const rows = this.#database.all(sql`SELECT DISTINCT activity_id FROM log WHERE activity_id IS NOT NULL`);
    return new Set(rows.map((row) => Number(row.activity_id)));
  }

  atomically(body: () => Promise<void>): Promise<void> {
    return this.#database.atomically(body);
  }
}

/** Keeps a line as it is now, unless an earlier state of it is kept. Its value is kept before the first change of the value. */
export function keepBefore(database: JournalDatabase, run: number, seq: number, withValue: boolean): void {
  database.run(sql`INSERT INTO line_before (run, seq, state, action, twin, reason, value)
    SELECT run, seq, state, action, twin, reason, iif(${withValue}, value, NULL) FROM line WHERE run = ${run} AND seq = ${seq}
    ON CONFLICT (run, seq) DO UPDATE SET value = coalesce(value, excluded.value)`);
}

/** Two keys in the order of the tables. */
function inOrder(a: string, b: string): readonly [string, string] {
  return a < b ? [a, b] : [b, a];
}

function pairFrom(row: Row): FoundPair {
  const found = JSON.parse(String(row.found));
  const { ms, differences, isClockUnproven = false, parts, inLog, isSameTime } = found;
  // JSON has no infinite numbers.
  const score: number = found.score ?? Number.NEGATIVE_INFINITY;
  return {
    one: String(row.one),
    other: String(row.other),
    verdict: row.verdict as FoundPair["verdict"],
    ...{ ms, score, differences, isClockUnproven },
    ...defined({ parts, inLog, isSameTime }),
  };
}

/** The row of a workout has one. */
function workoutFrom(row: Row): Workout {
  return fromStored(JSON.parse(String(row.value))) as Workout;
}

/** States that a line gets only after it was linked, and without a change by the plan. */
const SINCE: readonly LineState[] = ["in-flight", "in-doubt", "done", "refused", "failed"];

function unlinkedFrom(row: Row): UnlinkedWorkout {
  const text = (value: Row[string] | undefined) => (value === null || value === undefined ? undefined : String(value));
  const now = row.now as LineState;
  const value = workoutFrom(row);
  const isSent = SINCE.includes(now) || row.intended_at !== null;
  const before = row.before === null ? (isSent ? "planned" : now) : (row.before as LineState);
  return {
    seq: Number(row.seq),
    key: String(row.key),
    source: Number(row.source),
    origin: JSON.parse(String(row.origin)),
    value,
    facts: toFacts(value),
    before: { state: before, duplicateOf: before === "merged" ? text(row.twin_before ?? row.twin_now) : undefined },
    now: { state: now, duplicateOf: text(row.twin_now), isSent },
  };
}
