/**
 * The queue of a fleet: pg-boss, on the fleet's PostgreSQL. A job is a word to a worker that an athlete waits. Everything else about the
 * athlete stands in the tables of `athletes.ts`, so a job that comes twice does no harm.
 */
import pg from "pg";
import { type JobWithMetadata, PgBoss } from "pg-boss";
import type { FleetDatabase, Queries } from "./database.ts";

/** The step of an athlete that a job asks for. */
export type Step = "check" | "load";

/** What a job says. */
export interface JobData {
  readonly key: string;
  readonly step: Step;
}

/** A job that a worker took. `retryCount` says which attempt it is: what is said of an attempt that was lost has no effect. */
export type Job = Pick<JobWithMetadata<JobData>, "id" | "retryCount" | "data">;

/** The name of the queue in pg-boss. */
export const QUEUE = "athletes";

/** The queue for jobs whose worker ended each time. */
const GIVEN_UP = "athletes-given-up";

/** Seconds without a heartbeat after which a job is taken again. It is the shortest time that pg-boss allows. */
export const HEARTBEAT_SECONDS = 10;

/**
 * How often the worker of one athlete may end without a word. A worker whose machine is killed ends so too, and a batch of days meets several. But
 * an archive that makes each worker run out of memory must not go round for ever.
 */
const RETRIES = 20;

/** Seconds of a step at the most: the longest time that pg-boss allows. A step that takes longer goes on on another worker. */
const LONGEST_STEP = 86_400;

/** Seconds that a job may wait: 30 days. */
const LONGEST_WAIT = 30 * 86_400;

/** The jobs of a fleet. */
export interface FleetQueue {
  /**
   * Adds jobs as a part of a transaction. A job that waits or runs already is not added again. They take turns with the jobs that wait: the first of them
   * comes beside the first that waits, and so on.
   */
  add(queries: Queries, jobs: readonly JobData[]): Promise<void>;
  /** Takes up to this many jobs. */
  take(most: number): Promise<readonly Job[]>;
  /** Says that the worker is alive. @returns the jobs that are no longer its own */
  beat(jobs: readonly Job[]): Promise<readonly Job[]>;
  /** Ends a job, as a part of a transaction or alone. */
  finish(job: Job, queries?: Queries): Promise<void>;
  /**
   * Gives a job back, so that another worker takes it. It counts as a new one, and not as a failure.
   *
   * @param isLast true for a job that may not be possible for long: it comes behind all that wait. Others come first, once their time is over
   */
  giveBack(job: Job, afterSeconds?: number, isLast?: boolean): Promise<void>;
  /** Fails the jobs of workers without a heartbeat, so that they are taken again. Any number of workers may do it. */
  watch(): Promise<void>;
  /** Takes up to this many jobs that were given up. */
  takeGivenUp(most: number): Promise<readonly Job[]>;
  finishGivenUp(job: Job): Promise<void>;
  /** The jobs that wait or run. */
  counts(): Promise<{ readonly waiting: number; readonly running: number; readonly oldestSeconds: number }>;
  close(): Promise<void>;
}

/**
 * Opens the queue, and makes its tables where they are missing: the schema `logferry_queue`.
 *
 * @param onProblem gets problems of the engine that it goes on after
 */
export async function openFleetQueue(
  database: FleetDatabase,
  onProblem: (error: unknown) => void = () => undefined,
): Promise<FleetQueue> {
  const boss = await started(() => makeBoss(database), onProblem);
  try {
    if (!database.isReadOnly) await makeQueues(boss);
  } catch (error) {
    await boss.stop(STOP);
    throw error;
  }
  const toInsert = (data: JobData, priority: number, afterSeconds = 0) => ({
    ...{ data, priority, singletonKey: `${data.step} ${data.key}` },
    ...(afterSeconds > 0 && { startAfter: afterSeconds }),
  });
  return {
    async add({ queue }, jobs) {
      // The engine takes the highest priority first. Each job of a batch has one less than the job before it, so batches take turns.
      const { first } = await waitingIn(queue);
      for (let start = 0; start < jobs.length; start += CHUNK)
        await boss.insert(
          QUEUE,
          jobs.slice(start, start + CHUNK).map((data, index) => toInsert(data, first - start - index)),
          { db: queue },
        );
    },
    take: (most) => boss.fetch<JobData>(QUEUE, { batchSize: most, includeMetadata: true }),
    async beat(jobs) {
      if (jobs.length === 0) return [];
      await boss.touch(QUEUE, jobs.map(attempt));
      const rows = await database.query(ALIVE, [QUEUE, jobs.map(({ id }) => id)]);
      const alive = new Map(rows.map(({ id, retry_count }) => [id, retry_count]));
      return jobs.filter(({ id, retryCount }) => alive.get(id) !== retryCount);
    },
    async finish(job, queries) {
      await boss.complete(QUEUE, attempt(job), null, queries && { db: queries.queue });
    },
    giveBack: (job, afterSeconds, isLast = false) =>
      database.transaction(async ({ queue }) => {
        await boss.complete(QUEUE, attempt(job), null, { db: queue });
        const { first, last } = await waitingIn(queue);
        // If another worker has it already, it still counts as running, and this adds nothing.
        await boss.insert(QUEUE, [toInsert(job.data, isLast ? last - 1 : first, afterSeconds)], { db: queue });
      }),
    watch: () => boss.supervise(QUEUE),
    takeGivenUp: (most) => boss.fetch<JobData>(GIVEN_UP, { batchSize: most, includeMetadata: true }),
    async finishGivenUp(job) {
      await boss.complete(GIVEN_UP, attempt(job));
    },
    async counts() {
      const [row = {}] = await database.query(COUNTS, [QUEUE]);
      return {
        waiting: Number(row.waiting ?? 0),
        running: Number(row.running ?? 0),
        oldestSeconds: Number(row.oldest ?? 0),
      };
    },
    close: () => boss.stop(STOP),
  };
}

/** How often the engine's tables are made again after another worker was faster: each try finds more of them. */
const TRIES = 5;

/**
 * Starts the engine. Where several workers make its tables at the same moment, PostgreSQL tells the slower ones that a schema or a type is there
 * already. They look again.
 */
async function started(make: () => PgBoss, onProblem: (error: unknown) => void): Promise<PgBoss> {
  for (let left = TRIES; ; left--) {
    const boss = make();
    boss.on("error", onProblem);
    try {
      await boss.start();
      return boss;
    } catch (error) {
      if (left === 0 || !isMadeMeanwhile(error)) throw error;
    }
  }
}

/** Whether a table, a schema or the like is there already: https://www.postgresql.org/docs/current/errcodes-appendix.html */
function isMadeMeanwhile(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ALREADY_THERE.has(error.code ?? "");
}

/** A key of PostgreSQL's own catalogue, a schema, a table, a type, a function. */
const ALREADY_THERE: ReadonlySet<string> = new Set(["23505", "42P06", "42P07", "42710", "42723"]);

function makeBoss(database: FleetDatabase): PgBoss {
  return new PgBoss({
    db: database.queue,
    schema: "logferry_queue",
    // The workers watch over the heartbeats, each in turn (`watch`). Nothing here is due at an hour.
    supervise: false,
    schedule: false,
    registerInstance: false,
    monitorIntervalSeconds: 5,
    openTelemetry: { enabled: false },
    // A database that is read only is looked at as it is.
    migrate: !database.isReadOnly,
  });
}

/** The priorities of the first and of the last job that waits and may be taken now; 0 when none waits. */
async function waitingIn(queue: Queries["queue"]): Promise<{ readonly first: number; readonly last: number }> {
  const { rows } = await queue.executeSql(WAITING, [QUEUE]);
  const [row = {}] = rows as readonly Record<string, unknown>[];
  return { first: Number(row.first ?? 0), last: Number(row.last ?? 0) };
}

const WAITING = `
  SELECT max(priority) AS first, min(priority) AS last FROM logferry_queue.job
  WHERE name = $1 AND state < 'active' AND NOT blocked AND start_after <= now()`;

/** The connections are the fleet's own. */
const STOP = { close: false, graceful: false } as const;

async function makeQueues(boss: PgBoss): Promise<void> {
  const settings = { expireInSeconds: LONGEST_STEP, retentionSeconds: LONGEST_WAIT, deleteAfterSeconds: 3_600 };
  await boss.createQueue(GIVEN_UP, settings);
  await boss.createQueue(QUEUE, {
    ...settings,
    policy: "exclusive",
    heartbeatSeconds: HEARTBEAT_SECONDS,
    retryLimit: RETRIES,
    deadLetter: GIVEN_UP,
  });
}

/** Jobs in one statement. */
const CHUNK = 1_000;

const COUNTS = `
  SELECT count(*) FILTER (WHERE state IN ('created', 'retry')) AS waiting, count(*) FILTER (WHERE state = 'active') AS running,
    coalesce(extract(epoch FROM now() - min(created_on) FILTER (WHERE state IN ('created', 'retry'))), 0) AS oldest
  FROM logferry_queue.job WHERE name = $1 AND state IN ('created', 'retry', 'active')`;

const ALIVE = "SELECT id, retry_count FROM logferry_queue.job WHERE name = $1 AND id = ANY($2) AND state = 'active'";

function attempt({ id, retryCount }: Job): { id: string; retryCount: number } {
  return { id, retryCount };
}
