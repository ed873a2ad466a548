/** A journal that lives in PostgreSQL, so that any worker of a fleet can go on with it. */
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { type Clock, systemClock } from "../../connectors/api/clock.ts";
import type { Journal, JournalReader } from "../journal/journal.ts";
import { JOURNAL_VERSION } from "../journal/rebuild.ts";
import { openRebuiltToRead, openReplicatedJournal } from "../journal/replicated.ts";
import { atFirstContact } from "./ask.ts";
import { type Claim, claimJournal, type KeptClaim } from "./claim.ts";
import { type Patience, untilAnswered } from "./patience.ts";
import { rebuildFrom } from "./rebuild.ts";
import { Shipping } from "./shipping.ts";
import { postgresStore } from "./store.ts";
import { prepareTables } from "./tables.ts";

/** What a worker says to open a journal of a fleet. */
export interface FleetJournalOptions {
  /** The name of the journal, one for each athlete: any text of at most 200 characters. */
  readonly journal: string;
  /** A folder of this worker, on its own disk. The journal is rebuilt in it from PostgreSQL, and `close` removes it from there. */
  readonly folder: string;
  /** The name of the worker, for messages to people: `process 4711 on host`. */
  readonly worker: string;
  /** When it is aborted, a wait for PostgreSQL ends with a FatalError. Without it, the wait lasts until PostgreSQL is back. */
  readonly signal?: AbortSignal;
  /** Is told the reason when logferry begins to wait for PostgreSQL or asks again, and `undefined` once PostgreSQL answers. */
  readonly onWait?: (reason: string | undefined) => void;
  readonly clock?: Clock;
}

/** An open journal of a fleet. */
export interface OpenFleetJournal {
  /**
   * As the journal of `openJournal`. `close` sends the rest to PostgreSQL, releases the claim, and removes the files. It throws only when something is
   * lost that nobody was told of yet: an error of an earlier write is not thrown again.
   */
  readonly journal: Journal;
  readonly claim: Claim;
}

/**
 * Makes the tables of journals in PostgreSQL, or brings them up to date: the schema `logferry_fleet`. Any number of workers may do so at once.
 *
 * @param options as in `openFleetJournal`
 * @throws FatalError reason `journal` when PostgreSQL refuses, or was set up by a newer logferry
 */
export async function prepareFleetJournals(
  pool: pg.Pool,
  options: Pick<FleetJournalOptions, "signal" | "onWait" | "clock"> = {},
): Promise<void> {
  await untilAnswered(patienceOf(options), () =>
    prepareTables(pool).catch((error: unknown) => {
      throw atFirstContact(error);
    }),
  );
}

/** Whether there is a journal with a name. @param options as in `openFleetJournal` */
export async function hasFleetJournal(
  pool: pg.Pool,
  journal: string,
  options: Pick<FleetJournalOptions, "signal" | "onWait" | "clock"> = {},
): Promise<boolean> {
  const store = postgresStore(pool, journal);
  return (await untilAnswered(patienceOf(options), () => store.read(async () => true))) ?? false;
}

/**
 * Claims a journal and opens it. A journal that is in PostgreSQL already is rebuilt in the folder; any other begins empty.
 *
 * @param pool connections to PostgreSQL, also through a pooler of transactions. It stays the caller's
 * @throws FatalError `journal/locked`, reason `locked`, when another worker has a live claim, naming that worker; reason `journal` when the
 * journal was made by a newer logferry, or is damaged
 */
export async function openFleetJournal(pool: pg.Pool, options: FleetJournalOptions): Promise<OpenFleetJournal> {
  const { journal: name, worker } = options;
  const store = postgresStore(pool, name);
  const patience = patienceOf(options);
  const { claim, version } = await claimJournal(store, { journal: name, worker, patience });
  const own = ownFolder(options.folder);
  try {
    const path = join(own.path, "journal.db");
    const kept = await untilAnswered(withClaim(patience, claim), () =>
      store.read((stored) => rebuildFrom(path, stored)),
    );
    // The claim made its row, so the journal is there.
    if (kept === undefined) throw claim.lose();
    const copyPath = join(own.path, "copy.db");
    const settings = { store, claim, patience, copyPath, shipped: kept, fileBytes: statSync(path).size };
    const shipping = Promise.withResolvers<Shipping>();
    const journal = openReplicatedJournal(path, (source) => {
      const made = new Shipping(source, settings);
      shipping.resolve(made);
      return made;
    });
    // The steps of a newer version are no changes that could be shipped.
    if (version < JOURNAL_VERSION) await (await shipping.promise).snapshotNow();
    return { journal: releasing(journal, claim, own.remove), claim };
  } catch (error) {
    await claim.release();
    own.remove();
    throw error;
  }
}

/**
 * Opens a journal to read it, without a claim. It shows the journal as it is in PostgreSQL now, even while a worker uses it. `close` removes its
 * files.
 *
 * @param options as in `openFleetJournal`
 * @returns undefined when there is no journal with this name
 * @throws FatalError reason `journal` as `openFleetJournal`
 */
export async function readFleetJournal(
  pool: pg.Pool,
  options: Omit<FleetJournalOptions, "worker">,
): Promise<JournalReader | undefined> {
  const store = postgresStore(pool, options.journal);
  const own = ownFolder(options.folder);
  try {
    const path = join(own.path, "journal.db");
    const found = await untilAnswered(patienceOf(options), () => store.read((stored) => rebuildFrom(path, stored)));
    if (found === undefined) {
      own.remove();
      return undefined;
    }
    const reader = openRebuiltToRead(path);
    const close = async () => {
      await reader.close();
      own.remove();
    };
    return { ...reader, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    own.remove();
    throw error;
  }
}

function patienceOf({ clock = systemClock, signal, onWait }: Partial<FleetJournalOptions>): Patience {
  return { clock, signal: signal ?? new AbortController().signal, onWait: onWait ?? (() => undefined) };
}

function withClaim(patience: Patience, claim: KeptClaim): Patience {
  return { ...patience, signal: AbortSignal.any([patience.signal, claim.over]) };
}

/** A new folder in the worker's own, for the files of one open journal. */
function ownFolder(folder: string): { readonly path: string; readonly remove: () => void } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = mkdtempSync(join(folder, "journal-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A journal that gives its claim back when it is closed. */
function releasing(journal: Journal, claim: Claim, removeFiles: () => void): Journal {
  const close = async () => {
    try {
      await journal.close();
    } finally {
      await claim.release();
      removeFiles();
    }
  };
  return new Proxy(journal, {
    get: (target, name) => (name === "close" || name === Symbol.asyncDispose ? close : Reflect.get(target, name)),
  });
}
