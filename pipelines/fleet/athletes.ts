/**
 * The athletes of a fleet, in its PostgreSQL. Each athlete is checked by some worker. When the last athlete of a batch is checked, its worker
 * compares them all, and only then anything is loaded. Each athlete is loaded by some worker, perhaps another one.
 */
import type { Outcome } from "../batch/outcome.ts";
import type { Suspect } from "../ownership/block.ts";
import type { Passed, Remembered } from "../ownership/memory.ts";
import {
  ALL_CHECKED,
  AWAY,
  CANCEL,
  CANCELLED,
  CHECKED,
  LEAVE,
  LOADED,
  MAY_COMPARE,
  NOW,
  PUT,
  SETTLED,
  STEPS,
  TAKE,
  UNCANCEL,
  UNSEEN,
} from "./athlete-statements.ts";
import type { FleetDatabase, Queries, Row } from "./database.ts";
import { memoriesIn, rememberIn } from "./memories.ts";
import type { FleetQueue, Job, JobData, Step } from "./queue.ts";
import { RequestTally } from "./request-tally.ts";

/** An athlete that a batch puts into the fleet. `athlete` is their row of the roster. It holds no token. */
export interface NewAthlete {
  readonly key: string;
  readonly athlete: object;
}

/** Where an athlete stands. */
export type StepNow = Step | "checked" | "done";

/** An athlete that a worker took. */
export interface TakenAthlete {
  readonly key: string;
  readonly step: Step;
  /** Only the worker with the latest attempt may write. It counts within a batch: an athlete who was forgotten begins anew. */
  readonly attempt: number;
  readonly batch: number;
  /** The settings of the batch. */
  readonly settings: object;
  readonly athlete: object;
  /** The outcome so far; that of an earlier batch while the athlete is not checked. */
  readonly outcome: Outcome | undefined;
  readonly passed: Passed | undefined;
  readonly isCancelled: boolean;
  /** Requests for the athlete in this batch, by the workers before. */
  readonly requests: number;
  /** The identities of the archives behind addresses, as the check saw them. */
  readonly seen: Readonly<Record<string, string>>;
  /** Milliseconds since their log began not to answer; undefined when it answered the last worker. */
  readonly awayMs: number | undefined;
}

/** An athlete whose check is over. */
export interface CheckedAthlete {
  readonly key: string;
  readonly athlete: object;
  readonly outcome: Outcome;
  readonly suspect: Suspect;
}

/** What a check found. */
export interface Checked {
  readonly outcome: Outcome;
  readonly suspect: Suspect;
  /** Whether the log has everything from an earlier time. */
  readonly wasDone: boolean;
  /** See `TakenAthlete`. */
  readonly seen?: Readonly<Record<string, string>>;
}

/** What all checks of a batch together say of an athlete. */
export interface SettledAthlete {
  readonly key: string;
  /** `ready`, or the reason why nothing is loaded. */
  readonly outcome: Outcome;
  /** To remember once the archives are in the log. */
  readonly passed?: Passed | undefined;
}

/** Compares all checked athletes of a batch. @returns each of them. They are written while they come */
export type Settle = (
  checked: readonly CheckedAthlete[],
  memory: AsyncIterable<Remembered>,
) => AsyncIterable<SettledAthlete>;

/** The settings of a batch that this part of logferry reads itself. */
interface BatchSettings {
  /** True if nothing is to be loaded. */
  readonly isPlan?: boolean;
}

/** An athlete as a person sees them. */
export interface AthleteNow {
  readonly key: string;
  readonly step: StepNow;
  readonly wasDone: boolean;
  readonly isCancelled: boolean;
  readonly worker: string | undefined;
  /** True if a worker has, or had, the athlete for this step. */
  readonly isBegun: boolean;
  /** Why the athlete waits for their log; undefined for one who doesn't. */
  readonly away: string | undefined;
  /** Why the last worker left them to one with another key, or to a newer one; undefined for an athlete whom it didn't. */
  readonly left: string | undefined;
  readonly outcome: Outcome | undefined;
  readonly planned: Outcome | undefined;
  /** Their row of the roster, as the batch put it that had them last. */
  readonly athlete: object;
  /** The settings of that batch. */
  readonly settings: object;
}

/** The requests of a taken athlete. An older worker may have had them for the check, and it counted only in the outcome. */
export function tallyOf(database: FleetDatabase, taken: TakenAthlete): RequestTally {
  const ofCheck = taken.step === "load" ? (taken.outcome?.requests ?? 0) : 0;
  return new RequestTally(database, taken, Math.max(taken.requests, ofCheck));
}

/** The table of athletes. */
export class FleetAthletes {
  readonly #database: FleetDatabase;
  readonly #queue: FleetQueue;

  constructor(database: FleetDatabase, queue: FleetQueue) {
    this.#database = database;
    this.#queue = queue;
  }

  /**
   * Puts athletes into the fleet. An athlete who waits or is worked on stays as they are.
   *
   * @param settings of the batch, without any token
   * @returns the keys of those who were put
   */
  async put(settings: object & BatchSettings, athletes: readonly NewAthlete[]): Promise<readonly string[]> {
    return this.#database.transaction(async (queries) => {
      const [batch] = await queries.query("INSERT INTO logferry_fleet.batches (settings) VALUES ($1) RETURNING id", [
        JSON.stringify(settings),
      ]);
      const put: string[] = [];
      for (let start = 0; start < athletes.length; start += CHUNK) {
        const rows = athletes.slice(start, start + CHUNK).map((one, index) => ({ ...one, position: start + index }));
        const keys = await queries.query(PUT, [batch?.id, JSON.stringify(rows)]);
        put.push(...keys.map(({ key }) => String(key)));
      }
      await queries.query(UNCANCEL, [athletes.map(({ key }) => key)]);
      await this.#queue.add(
        queries,
        put.map((key) => ({ key, step: "check" })),
      );
      return put;
    });
  }

  /** Takes an athlete for a job. @returns undefined when there is nothing to do for them any more */
  async take({ data: { key, step } }: Job, worker: string): Promise<TakenAthlete | undefined> {
    const [row] = await this.#database.query(TAKE, [key, step, worker]);
    if (row === undefined) return undefined;
    return {
      key,
      step,
      attempt: Number(row.attempt),
      batch: Number(row.batch),
      settings: row.settings as object,
      athlete: row.athlete as object,
      outcome: (row.outcome as Outcome | null) ?? undefined,
      passed: (row.passed as Passed | null) ?? undefined,
      isCancelled: row.is_cancelled === true,
      requests: Number(row.requests),
      seen: (row.seen as Record<string, string> | null) ?? {},
      awayMs: row.away_ms === null ? undefined : Number(row.away_ms),
    };
  }

  /**
   * Ends a check. If it was the last one of its batch, all checked athletes are settled, and those who are ready get their jobs.
   *
   * @param settle compares all checked athletes of the batch
   * @returns false when another worker has the athlete by now; then nothing was written
   */
  async finishCheck(
    { key, attempt, batch, settings }: TakenAthlete,
    { outcome, suspect, wasDone, seen = {} }: Checked,
    settle: Settle,
    job: Job,
  ): Promise<boolean> {
    return this.#database.transaction(async (queries) => {
      const step: StepNow = wasDone ? "done" : "checked";
      const found = [outcome, suspect, seen].map((one) => JSON.stringify(one));
      const values = [key, attempt, step, wasDone, ...found, batch];
      const isMine = (await queries.query(CHECKED, values)).length === 1;
      if (isMine) await this.#settleIfLast(queries, batch, settings, settle);
      await this.#queue.finish(job, queries);
      return isMine;
    });
  }

  async #settleIfLast(
    queries: Queries,
    batch: number,
    { isPlan = false }: BatchSettings,
    settle: Settle,
  ): Promise<void> {
    // One at a time, so that of two last athletes the second one sees the first.
    await queries.query("SELECT id FROM logferry_fleet.batches WHERE id = $1 FOR UPDATE", [batch]);
    const [open] = await queries.query(
      "SELECT 1 FROM logferry_fleet.athletes WHERE batch = $1 AND step = 'check' LIMIT 1",
      [batch],
    );
    if (open !== undefined) return;
    const rows = await queries.query(ALL_CHECKED, [batch]);
    const checked = rows.map((row) => ({
      key: String(row.key),
      athlete: row.athlete as object,
      outcome: row.outcome as Outcome,
      suspect: row.suspect as Suspect,
    }));
    await queries.query(MAY_COMPARE);
    const ready: JobData[] = [];
    for await (const settled of inChunks(settle(checked, memoriesIn(queries)))) {
      const some = settled.map(({ key, outcome, passed }) => ({
        ...{ key, outcome, passed: passed ?? null },
        step: outcome.status === "ready" && !isPlan ? "load" : "done",
      }));
      await queries.query(SETTLED, [JSON.stringify(some)]);
      for (const { key, step } of some) if (step === "load") ready.push({ key, step });
    }
    await this.#queue.add(queries, ready);
  }

  /**
   * Ends a load.
   *
   * @param passed what to remember of the athlete from now on
   * @returns false when another worker has the athlete by now; then nothing was written
   */
  async finishLoad(
    { key, attempt, batch }: Pick<TakenAthlete, "key" | "attempt" | "batch">,
    outcome: Outcome,
    passed: Passed | undefined,
    job: Job,
  ): Promise<boolean> {
    return this.#database.transaction(async (queries) => {
      const isMine = (await queries.query(LOADED, [key, attempt, JSON.stringify(outcome), batch])).length === 1;
      if (isMine && passed !== undefined) await rememberIn(queries, passed);
      await this.#queue.finish(job, queries);
      return isMine;
    });
  }

  /**
   * Says that a worker has an athlete no more whom it gives back. Their step did not end, so the fleet stays as silent as it is.
   *
   * @param why only another kind of worker can go on; undefined where any can
   */
  async leave({ key, attempt }: Pick<TakenAthlete, "key" | "attempt">, why?: string): Promise<void> {
    await this.#database.query(LEAVE, [key, attempt, why ?? null]);
  }

  /** Remembers that the log of an athlete doesn't answer, and since when. @param why undefined once it answers */
  async away({ key, attempt }: Pick<TakenAthlete, "key" | "attempt">, why: string | undefined): Promise<void> {
    await this.#database.query(AWAY, [key, attempt, why ?? null]);
  }

  /** Notes that a worker can't see an archive of an athlete. @returns the names of all workers that can't, for this step */
  async unseen({ key, attempt }: Pick<TakenAthlete, "key" | "attempt">, worker: string): Promise<readonly string[]> {
    const [row] = await this.#database.query(UNSEEN, [key, attempt, worker]);
    return (row?.unseen_by as string[] | undefined) ?? [worker];
  }

  /** The athletes with these keys. Those that the fleet doesn't know are left out. */
  async now(keys: readonly string[]): Promise<ReadonlyMap<string, AthleteNow>> {
    const rows = await this.#database.query(NOW, [keys]);
    return new Map(rows.map((row) => [String(row.key), toNow(row)]));
  }

  /** How many athletes with these keys are at each step. */
  async steps(keys: readonly string[]): Promise<Readonly<Record<StepNow, number>>> {
    const counts: Record<StepNow, number> = { check: 0, checked: 0, load: 0, done: 0 };
    for (const { step, count } of await this.#database.query(STEPS, [keys])) counts[step as StepNow] = Number(count);
    return counts;
  }

  /** Cancels athletes. Those who wait end when a worker comes to them, the others when their worker hears of it. @returns the keys of both */
  async cancel(keys: readonly string[]): Promise<readonly string[]> {
    const rows = await this.#database.query(CANCEL, [keys]);
    return rows.map(({ key }) => String(key));
  }

  /** Those of the athletes that a person cancelled. @param since a `time`: also those whom a person cancelled from then on, whatever row they have now */
  async cancelled(keys: readonly string[], since = "infinity"): Promise<ReadonlySet<string>> {
    const rows = await this.#database.query(CANCELLED, [keys, since]);
    return new Set(rows.map(({ key }) => String(key)));
  }

  /** The time of the database. */
  async time(): Promise<string> {
    const [row] = await this.#database.query("SELECT clock_timestamp()::text AS now");
    return String(row?.now);
  }

  /** The last outcome of an athlete; undefined without one. */
  async outcome(key: string): Promise<Outcome | undefined> {
    return (await this.now([key])).get(key)?.outcome;
  }

  /** The last outcomes of all athletes, by key. */
  async outcomes(): Promise<ReadonlyMap<string, Outcome>> {
    const rows = await this.#database.query(
      "SELECT key, outcome FROM logferry_fleet.athletes WHERE outcome IS NOT NULL",
    );
    return new Map(rows.map(({ key, outcome }) => [String(key), outcome as Outcome]));
  }

  /** The memory about all athletes, read while it is asked for. */
  memories(): AsyncIterable<Remembered> {
    return memoriesIn(this.#database);
  }
}

async function* inChunks<T>(all: AsyncIterable<T>): AsyncGenerator<readonly T[]> {
  let some: T[] = [];
  for await (const one of all)
    if (some.push(one) === CHUNK) {
      yield some;
      some = [];
    }
  yield some;
}

function toNow(row: Row): AthleteNow {
  return {
    key: String(row.key),
    step: row.step as StepNow,
    wasDone: row.was_done === true,
    isCancelled: row.is_cancelled === true,
    worker: (row.worker as string | null) || undefined,
    isBegun: row.worker !== null,
    away: (row.away_why as string | null) ?? undefined,
    left: (row.left_why as string | null) ?? undefined,
    outcome: (row.outcome as Outcome | null) ?? undefined,
    planned: (row.planned as Outcome | null) ?? undefined,
    athlete: row.athlete as object,
    settings: row.settings as object,
  };
}

/** Rows in one statement. */
const CHUNK = 500;
