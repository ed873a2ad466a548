/** Lets a single command write to journals of a fleet: with the claims that a worker would take, for as long as it has them open. */
import { mkdtempSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { Permit } from "../../connectors/api/permit.ts";
import type { Journal } from "../journal/journal.ts";
import { claimAccount } from "./account-claim.ts";
import { openFleetDatabase, readOnly } from "./database.ts";
import { hasFleetJournal, openFleetJournal } from "./fleet-journal.ts";
import { LatePermit } from "./late-permit.ts";

/** A fleet as a command writes to it. Its database stays open until this is closed, and everything that was opened with it. */
export interface FleetWriter extends AsyncDisposable {
  /** Whether requests may leave: once a journal and an account are open, only while both claims are this command's. */
  readonly permit: Permit;
  /**
   * Claims a journal of the fleet and opens it. A worker that comes to its athlete meanwhile tries again later.
   *
   * @param journal its name in the fleet
   * @returns undefined when there is none with this name
   * @throws FatalError as `openFleetJournal`: `journal/locked` while a worker has it
   */
  openJournal(journal: string): Promise<Journal | undefined>;
  /** The address of the log that a worker opened for a journal, or else of the roster; undefined where the fleet knows none. */
  addressOf(journal: string): Promise<string | undefined>;
  /** Claims an account of a service. @throws FatalError as `claimAccount` */
  lockAccount(account: string, name: string): Promise<{ release(): Promise<void> }>;
  close(): Promise<void>;
}

/**
 * Opens a fleet for a command.
 *
 * @param address of the fleet's PostgreSQL
 * @param signal ends waits for a PostgreSQL that is away
 * @throws FatalError `fleet/database` and `fleet/none` as `openFleetDatabase`, and `fleet/database` where this role or the database only reads
 */
export async function openFleetWriter(address: string, signal: AbortSignal): Promise<FleetWriter> {
  const database = await openFleetDatabase(address, signal, undefined, "refuse");
  if (database.isReadOnly) {
    await database.close();
    throw readOnly(database.name);
  }
  const { pool } = database;
  const folder = mkdtempSync(join(tmpdir(), "logferry-fleet-"));
  const worker = `a command, process ${process.pid} on ${hostname()}`;
  const permit = new LatePermit();
  let open = 1;
  const closeOne = async () => {
    if (--open > 0) return;
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const close = once(closeOne);
  return {
    permit,
    async openJournal(journal) {
      if (!(await hasFleetJournal(pool, journal, { signal }))) return undefined;
      const { journal: own, claim } = await openFleetJournal(pool, { journal, folder, worker, signal });
      open++;
      permit.add(claim);
      return closing(own, once(closeOne));
    },
    async addressOf(journal) {
      const [row] = await database.query(ADDRESS, [journal]);
      return typeof row?.address === "string" ? row.address : undefined;
    },
    async lockAccount(account, name) {
      const claim = await claimAccount(pool, { account, name }, worker, signal);
      open++;
      permit.add(claim);
      const end = once(closeOne);
      return { release: () => claim.release().finally(end) };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The journal itself knows only the host of its log. It has the key of its athlete for a name. */
const ADDRESS = `
  SELECT coalesce(outcome->'log'->>'url', planned->'log'->>'url', athlete->'options'->>'url') AS address
  FROM logferry_fleet.athletes WHERE key = $1`;

/** The same function, which works the first time alone. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

/** A journal that does one thing more once it is closed. */
function closing(journal: Journal, then: () => Promise<void>): Journal {
  const close = () => journal.close().finally(then);
  return new Proxy(journal, {
    get: (target, name) => (name === "close" || name === Symbol.asyncDispose ? close : Reflect.get(target, name)),
  });
}
