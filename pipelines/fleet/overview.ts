/** How a whole fleet stands, in numbers: for its metrics and for `batch status`. */
import type { AthleteStatus } from "../batch/outcome.ts";
import { LEDGER_COLUMNS } from "../journal/summary.ts";
import type { FleetDatabase } from "./database.ts";
import { type HostPace, pacesNow } from "./paces.ts";
import type { FleetQueue } from "./queue.ts";

/** The numbers of a fleet. */
export interface FleetNumbers {
  /** Athletes by where they stand: `check`, `checked`, `load`, or the status of those who are over. */
  readonly athletes: Readonly<Partial<Record<"check" | "checked" | "load" | AthleteStatus, number>>>;
  /** Jobs that wait and run, and the seconds that the oldest waiting one waits. */
  readonly jobs: { readonly waiting: number; readonly running: number; readonly oldestSeconds: number };
  /** Records of all athletes by what became of them: `created`, `quarantined` and so on, in the words of a ledger. */
  readonly records: Readonly<Record<string, number>>;
  readonly hosts: readonly HostPace[];
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
  };
}

const ATHLETES = `
  SELECT CASE WHEN step = 'done' THEN outcome->>'status' ELSE step END AS state, count(*) AS count
  FROM logferry_fleet.athletes GROUP BY 1 ORDER BY 1`;

const RECORDS = `
  SELECT ledger.key AS outcome, sum(ledger.value::text::bigint) AS count
  FROM logferry_fleet.athletes, jsonb_each(outcome->'ledger') AS ledger
  WHERE jsonb_typeof(outcome->'ledger') = 'object' AND ledger.key = ANY($1) GROUP BY 1 ORDER BY 1`;
