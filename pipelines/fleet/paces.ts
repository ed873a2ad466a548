/** The rows of the hosts' paces: `logferry_fleet.paces`. */
import type { FleetDatabase } from "./database.ts";
import { type Asking, type Lease, lease, newPace, type PaceState, type Refusal, turnedAway } from "./shared-pace.ts";

/** The pace of a host, as its workers use it. Times are milliseconds by the clock behind it. */
export interface PaceTable {
  /** Leases slots. @returns the slots, and the time by the clock behind the table */
  lease(asking: Asking): Promise<Lease & { readonly now: number }>;
  /** Notes a refusal. @returns the time before which nothing starts */
  turnedAway(refusal: Refusal): Promise<{ readonly notBefore: number }>;
}

/** A host's pace in PostgreSQL. @param start first pace of a host that nobody asked before, in starts a second */
export function paceOf(database: FleetDatabase, host: string, start: number): PaceTable {
  /** One worker at a time: the row is locked until its new state is written. */
  const change = <T>(body: (state: PaceState, now: number) => readonly [PaceState, T]): Promise<T> =>
    database.transaction(async (queries) => {
      const [row = await makeRow()] = await queries.query(LOCKED, [host]);
      const now = Number(row.now);
      const [state, result] = body((row.state as PaceState | null) ?? newPace(start, now), now);
      await queries.query("UPDATE logferry_fleet.paces SET state = $2 WHERE host = $1", [host, JSON.stringify(state)]);
      return result;

      async function makeRow() {
        await queries.query("INSERT INTO logferry_fleet.paces (host) VALUES ($1) ON CONFLICT DO NOTHING", [host]);
        const [made = {}] = await queries.query(LOCKED, [host]);
        return made;
      }
    });
  return {
    lease: (asking) =>
      change((state, now) => {
        const [after, got] = lease(state, now, { ...asking, start });
        return [after, { ...got, now }];
      }),
    turnedAway: (refusal) =>
      change((state, now) => {
        const after = turnedAway(state, now, refusal);
        return [after, { notBefore: after.notBefore }];
      }),
  };
}

/** The clock is read while the row is locked, so a later lease never sees an earlier time. */
const LOCKED = `
  WITH mine AS MATERIALIZED (SELECT state FROM logferry_fleet.paces WHERE host = $1 FOR UPDATE)
  SELECT state, extract(epoch FROM clock_timestamp()) * 1000 AS now FROM mine`;

/** How fast a host is asked, for a person. */
export interface HostPace {
  readonly host: string;
  /** Starts a second. */
  readonly rate: number;
  /** Refusals of the last half minute. */
  readonly refused: number;
  /** Seconds until requests may start again; 0 while they may. */
  readonly pausedSeconds: number;
}

/** The paces of all hosts that were asked. */
export async function pacesNow(database: FleetDatabase): Promise<readonly HostPace[]> {
  const rows = await database.query(
    "SELECT host, state, extract(epoch FROM clock_timestamp()) * 1000 AS now FROM logferry_fleet.paces WHERE state IS NOT NULL ORDER BY host",
  );
  return rows.map(({ host, state, now }) => {
    const { rate, refused, notBefore } = state as PaceState;
    const lately = refused.filter(([at]) => Number(now) - at < 30_000).length;
    return { host: String(host), rate, refused: lately, pausedSeconds: Math.max(0, (notBefore - Number(now)) / 1000) };
  });
}
