/**
 * Takes athletes out of a fleet's database once their work is over: their rows, their journals with all receipts, what is remembered of their archives,
 * their sealed tokens and their jobs. No log is asked, and none changes.
 */
import { FatalError } from "../../connectors/errors.ts";
import { printable } from "../../transforms/text/printable.ts";
import type { FleetDatabase, Queries, Row } from "./database.ts";

/** Rows that were taken out. */
export interface Forgotten {
  /** The keys of the athletes. */
  readonly keys: readonly string[];
  readonly journals: number;
  readonly memories: number;
  readonly tokens: number;
  readonly jobs: number;
}

/**
 * Takes athletes out of the database, all or nobody. A worker that takes one of them meanwhile waits for the end of it.
 *
 * @param keys of athletes. Those that the fleet doesn't know do no harm
 * @throws FatalError `fleet/at-work`, reason `locked`, while one of them waits or is worked on, or a command has a journal; then nothing was taken out
 */
export async function forgetAthletes(database: FleetDatabase, keys: readonly string[]): Promise<Forgotten> {
  return database.transaction(async (queries) => {
    await checkAtRest(queries, keys);
    const gone = async (statement: string) => (await queries.query(statement, [keys])).length;
    const rest = {
      tokens: await gone("DELETE FROM logferry_fleet.tokens WHERE key = ANY($1) RETURNING 1"),
      memories: await gone(
        "DELETE FROM logferry_fleet.memories WHERE memory -> 'member' ->> 'key' = ANY($1) RETURNING 1",
      ),
      jobs: await gone("DELETE FROM logferry_queue.job WHERE data ->> 'key' = ANY($1) RETURNING 1"),
    };
    await gone("DELETE FROM logferry_fleet.journal_changes WHERE journal = ANY($1)");
    await gone("DELETE FROM logferry_fleet.journal_snapshots WHERE journal = ANY($1)");
    const journals = await gone("DELETE FROM logferry_fleet.journals WHERE journal = ANY($1) RETURNING 1");
    const athletes = await queries.query("DELETE FROM logferry_fleet.athletes WHERE key = ANY($1) RETURNING key", [
      keys,
    ]);
    await queries.query(LEFT_BATCHES);
    await queries.query(FREE_ACCOUNTS);
    return { ...rest, journals, keys: athletes.map(({ key }) => String(key)) };
  });
}

/** Locks the rows of athletes and journals until the end of the transaction. @throws FatalError `fleet/at-work` */
async function checkAtRest(queries: Queries, keys: readonly string[]): Promise<void> {
  const athletes = await queries.query(ATHLETES, [keys]);
  const open = athletes.filter(({ step }) => step !== "done");
  if (open.length > 0)
    throw atWork(
      `${namesIn(open)}: waiting or worked on. Let them end, or end them with batch cancel. A worker ends those who are cancelled, so start one if none is at work`,
    );
  const claims = await queries.query(JOURNALS, [keys]);
  const held = claims.filter(({ is_live: isLive }) => isLive === true);
  if (held.length === 0) return;
  const seconds = Math.ceil(Math.max(...held.map((row) => Number(row.seconds))));
  const holders = [...new Set(held.map(({ worker }) => String(worker)))].join(", ");
  throw atWork(`a command has the journal of ${namesIn(held)} (${holders}). Try again in ${seconds} s`);
}

function atWork(found: string): FatalError {
  return new FatalError("fleet/at-work", "locked", `Cannot forget anybody, and nothing was removed. ${found}`);
}

/** Names in one message. */
const MOST_NAMES = 5;

function namesIn(rows: readonly Row[]): string {
  const shown = rows.slice(0, MOST_NAMES).map(({ name, journal }) => printable(String(name ?? journal), 40));
  return [...shown, ...(rows.length > MOST_NAMES ? [`${rows.length - MOST_NAMES} more`] : [])].join(", ");
}

/** Ordered, so that two who forget at once wait for each other in one order. */
const ATHLETES = `
  SELECT key, step, athlete ->> 'name' AS name FROM logferry_fleet.athletes WHERE key = ANY($1) ORDER BY key FOR UPDATE`;

const JOURNALS = `
  SELECT j.journal, j.worker, j.until > clock_timestamp() AS is_live,
    (SELECT athlete ->> 'name' FROM logferry_fleet.athletes WHERE key = j.journal) AS name,
    CASE WHEN j.until > clock_timestamp() THEN extract(epoch FROM j.until - clock_timestamp())::float8 ELSE 0 END AS seconds
  FROM logferry_fleet.journals j WHERE j.journal = ANY($1) ORDER BY j.journal FOR UPDATE OF j`;

/** Settings of batches whose athletes are all gone, or belong to a later batch. */
const LEFT_BATCHES = `
  DELETE FROM logferry_fleet.batches b WHERE NOT EXISTS (SELECT 1 FROM logferry_fleet.athletes a WHERE a.batch = b.id)`;

/** Claims on accounts that were given back. They hold no changes, and the next claim has a higher fence than any before it. */
const FREE_ACCOUNTS = "DELETE FROM logferry_fleet.journals WHERE journal LIKE 'account %' AND until = '-infinity'";

/** An athlete whose row a roster has no more. */
export interface Removed {
  readonly key: string;
  readonly name: string;
  /** Whether nothing is left to do for them. */
  readonly isOver: boolean;
}

/**
 * Athletes of a fleet whom an earlier state of a roster put, and whose row is gone from it.
 *
 * @param roster its absolute folder, and the name of its file
 * @param keys of the athletes in it now
 */
export async function removedFrom(
  database: Pick<Queries, "query">,
  { folder, file }: { readonly folder: string; readonly file: string },
  keys: readonly string[],
): Promise<readonly Removed[]> {
  const rows = await database.query(REMOVED, [folder, file, keys]);
  return rows.map(({ key, name, step }) => ({ key: String(key), name: String(name), isOver: step === "done" }));
}

/** The roster of a batch is as it was typed, perhaps with a path. */
const REMOVED = `
  SELECT a.key, a.step, a.athlete ->> 'name' AS name
  FROM logferry_fleet.athletes a JOIN logferry_fleet.batches b ON b.id = a.batch
  WHERE b.settings ->> 'folder' = $1 AND regexp_replace(b.settings ->> 'roster', '^.*[/\\\\]', '') = $2 AND a.key <> ALL($3)
  ORDER BY a.position`;
