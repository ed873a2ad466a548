/** How a whole fleet stands, in numbers: for its metrics and for `batch status`. */
import type { AthleteStatus } from "../batch/outcome.ts";
import { LEDGER_COLUMNS } from "../journal/summary.ts";
import type { FleetDatabase } from "./database.ts";
import { type HostPace, pacesNow } from "./paces.ts";
import { type FleetQueue, QUEUE } from "./queue.ts";
import { workersAtWork } from "./workers.ts";

/** The numbers of a fleet. */
export interface FleetNumbers {
  /** Athletes by where they stand: `check`, `checked`, `load`, or the status of those who are over. */
  readonly athletes: Readonly<Partial<Record<"check" | "checked" | "load" | AthleteStatus, number>>>;
  /** Jobs that wait and run, and the seconds that the oldest waiting one waits. */
  readonly jobs: { readonly waiting: number; readonly running: number; readonly oldestSeconds: number };
  /** Records of all athletes by what became of them: `created`, `quarantined` and so on, in the words of a ledger. */
  readonly records: Readonly<Record<string, number>>;
  readonly hosts: readonly HostPace[];
  readonly life: SignsOfLife;
  /** Workers that gave a sign of life in the last seconds. */
  readonly workers: number;
}

/** Signs that a fleet is at work. Where no job is open, nothing is expected of it, and both times are 0. */
export interface SignsOfLife {
  /** Seconds since a step of an athlete ended; since the oldest open step became due, if that is later. Who is only handed back waits on. */
  readonly endedSeconds: number;
  /** Seconds since a worker said that it is alive or ended a job; since the oldest open job was made, if that is later. */
  readonly beatSeconds: number;
}

/** The numbers of now. */
export async function fleetNumbers(database: FleetDatabase, queue: FleetQueue): Promise<FleetNumbers> {
  const athletes = await database.query(ATHLETES);
  const records = await database.query(RECORDS, [LEDGER_COLUMNS]);
  return {
    athletes: Object.fromEntries(athletes.map(({ state, count }) => [String(state), Number(count)])),
    jobs: await queue.counts(),
    records: Object.fromEntries(records.map(({ outcome, count }) => [String(outcome), Number(count)])),
    hosts: await pacesNow(database),
    life: await signsOfLife(database),
    workers: await workersAtWork(database),
  };
}

async function signsOfLife(database: FleetDatabase): Promise<SignsOfLife> {
  const [{ ended, beat } = {}] = await database.query(LIFE, [QUEUE]);
  return { endedSeconds: Number(ended ?? 0), beatSeconds: Number(beat ?? 0) };
}

/**
 * A time before the oldest open job was made says nothing: nobody had anything to do then. An athlete who is handed back gets a new job each time, so
 * the time of a step goes by the athlete.
 */
const LIFE = `
  SELECT extract(epoch FROM clock_timestamp() - greatest(coalesce(due.since, open.since), steps.ended))::float8 AS ended,
    extract(epoch FROM clock_timestamp() - greatest(open.since, jobs.beat))::float8 AS beat
  FROM (SELECT min(created_on) AS since FROM logferry_queue.job
      WHERE name = $1 AND state IN ('created', 'retry', 'active')) AS open,
    (SELECT min(waits_since) AS since FROM logferry_fleet.athletes WHERE step IN ('check', 'load')) AS due,
    (SELECT max(since) AS ended FROM logferry_fleet.athletes WHERE worker IS NULL AND step <> 'check') AS steps,
    (SELECT greatest(max(heartbeat_on), max(completed_on)) AS beat FROM logferry_queue.job WHERE name = $1) AS jobs
  WHERE open.since IS NOT NULL`;

const ATHLETES = `
  SELECT CASE WHEN step = 'done' THEN outcome->>'status' ELSE step END AS state, count(*) AS count
  FROM logferry_fleet.athletes GROUP BY 1 ORDER BY 1`;

const RECORDS = `
  SELECT ledger.key AS outcome, sum(ledger.value::text::bigint) AS count
  FROM logferry_fleet.athletes, jsonb_each(outcome->'ledger') AS ledger
  WHERE jsonb_typeof(outcome->'ledger') = 'object' AND ledger.key = ANY($1) GROUP BY 1 ORDER BY 1`;
