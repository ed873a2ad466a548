/** A service that was started with faults, and the requests that its tests send. */
import { afterEach } from "vitest";
import type { FaultOptions } from "../faults/faults.ts";
import { type Service, startService } from "../server.ts";
import { type Person, person } from "./client.ts";
import { FILE_ID, fitFile, session } from "./fit.ts";

export const WORKOUTS = "/rest/logs/me/workouts";
export const EQUIPMENT = "/rest/logs/me/equipment";
export const RUN = { activityID: 10, date: "2024-05-05", details: { duration: 1800 } };
/** Two workouts in one file. */
export const TWO_RUNS = fitFile([
  FILE_ID,
  session("2024-03-01T08:00:00Z", 1, 1800, 5000),
  session("2024-03-01T09:00:00Z", 1, 900, 3000),
]);

/** A service that misbehaves, and the owner of its log. */
export interface Misbehaving {
  readonly log: Service;
  readonly ann: Person;
  /** The number of workouts in the log. It comes from the store, which no fault affects. */
  readonly stored: () => Promise<number>;
  /** How often each fault was hit. */
  readonly hits: () => number[];
}

/** The services that the current test has started, to be closed after it. */
export const running: Service[] = [];

/** Closes what a test started. */
export function closeAfterEach(): void {
  afterEach(async () => {
    for (const one of running.splice(0)) await one.close();
  });
}

export async function misbehaving(
  armed: string | readonly string[],
  more: Partial<FaultOptions> & { readonly now?: () => number } = {},
): Promise<Misbehaving> {
  const { now, ...options } = more;
  const faults = { armed: [armed].flat(), ...options };
  const log = await startService({ database: ":memory:", faults, ...(now !== undefined && { now }) });
  running.push(log);
  const ann = await person(log);
  const slice = { limit: 100, offset: 0 };
  return {
    log,
    ann,
    stored: async () => (await log.store.workouts(ann.userId, slice, [])).total,
    hits: () => log.faults.hits().map(({ hits }) => hits),
  };
}

export const saveRun = (ann: Person) => ann.send("POST", WORKOUTS, { body: RUN });

/** The code of the error a request ends with. */
export async function failure(sent: Promise<unknown>): Promise<string> {
  return await sent.then(
    () => "it was answered",
    (error) => error.code ?? error.cause?.code,
  );
}

/** Settles when a condition holds. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
