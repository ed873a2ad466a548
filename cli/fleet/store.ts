/** What a batch knows, in the PostgreSQL of a fleet. */
import { mkdtemp, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { FatalError } from "../../connectors/errors.ts";
import { claimAccount } from "../../pipelines/fleet/account-claim.ts";
import { openFleetJournal, readFleetJournal } from "../../pipelines/fleet/fleet-journal.ts";
import { LatePermit } from "../../pipelines/fleet/late-permit.ts";
import type { RequestTally } from "../../pipelines/fleet/request-tally.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import { OF_FLEET } from "../arguments/journal-name.ts";
import type { BatchStore } from "../batch/store.ts";
import { type Trace, UNTRACED } from "../session/trace.ts";
import type { Fleet } from "./open.ts";

/** Where and for whom journals are opened. */
export interface StoreSettings {
  /** A folder on this machine's own disk. */
  readonly folder: string;
  /** The name of the worker, for messages. */
  readonly worker: string;
  /** Ends waits for a PostgreSQL that is away. */
  readonly signal: AbortSignal;
  /** The requests of the athlete so far; absent for a store that only reads or certifies. */
  readonly tally?: RequestTally;
  /** The trace of the step; absent where nobody asks. */
  readonly trace?: Trace;
}

/** A store for one step of one athlete: its permit is that of the journal it opened. */
export function fleetStore(
  { athletes, database }: Fleet,
  { folder, worker, signal, tally, trace = UNTRACED }: StoreSettings,
): BatchStore {
  const journalOf = ({ key }: { readonly key: string }) => `${OF_FLEET}${key}`;
  const nameOf = (journal: string) => journal.slice(OF_FLEET.length);
  const atEnd = async () => {
    throw new Error("A fleet keeps what it knows of an athlete with the end of their step");
  };
  const permit = new LatePermit();
  return {
    outcome: (key) => athletes.outcome(key),
    outcomes: () => athletes.outcomes(),
    keepOutcome: atEnd,
    recall: async () => athletes.memories(),
    remember: atEnd,
    journalOf,
    wordsFor: (athlete) => `--journal ${shellWord(journalOf(athlete))}`,
    permit,
    trace,
    ...(tally !== undefined && { tally }),
    async openJournal({ journal: name = "" }) {
      const settings = { journal: nameOf(name), folder, worker, signal };
      const opened = await trace.part("open journal", () => openFleetJournal(database.pool, settings));
      permit.add(opened.claim);
      return opened.journal;
    },
    async lockAccount(account, name) {
      const claim = await claimAccount(database.pool, { account, name }, worker, signal);
      permit.add(claim);
      return claim;
    },
    async readJournal(name) {
      const reader = await readFleetJournal(database.pool, { journal: nameOf(name), folder, signal });
      if (reader !== undefined) return reader;
      throw new FatalError("journal/none", "journal", `There is no journal ${name} in the fleet`);
    },
  };
}

/**
 * Runs a body with a store that only reads, in a folder that is removed at the end.
 *
 * @param body also gets a function that makes a store for one step of one athlete: a journal that it opens is claimed
 */
export async function withReadingStore<T>(
  fleet: Fleet,
  signal: AbortSignal,
  body: (store: BatchStore, storeOfStep: () => BatchStore) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "logferry-fleet-"));
  const worker = `a batch, process ${process.pid} on ${hostname()}`;
  const open = () => fleetStore(fleet, { folder, worker, signal });
  try {
    return await body(open(), open);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
