/** A journal that lives in PostgreSQL, so that any worker of a fleet can go on with it. */
import type pg from "pg";
import type { Clock } from "../../connectors/api/clock.ts";
import type { Journal, JournalReader } from "../journal/journal.ts";
import type { Claim } from "./claim.ts";

/** What a worker says to open a journal of a fleet. */
export interface FleetJournalOptions {
  /** The name of the journal, one for each athlete. It may be any text of 1 to 200 characters. */
  readonly journal: string;
  /** A folder of this worker, on its own disk. The journal is rebuilt in it from PostgreSQL, and `close` removes it from there. */
  readonly folder: string;
  /** The name of the worker, for messages to people: `process 4711 on host`. */
  readonly worker: string;
  /** When it is aborted, a wait for PostgreSQL ends with a FatalError. Without it, the wait lasts until PostgreSQL is back. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

/** An open journal of a fleet. */
export interface OpenFleetJournal {
  /** As the journal of `openJournal`. `close` sends the rest to PostgreSQL, releases the claim, and removes the files. */
  readonly journal: Journal;
  readonly claim: Claim;
}

/**
 * Makes the tables of journals in PostgreSQL, or brings them up to date: the schema `logferry_fleet`. Any number of workers may do so at once.
 *
 * @throws FatalError reason `journal` when PostgreSQL refuses, or was set up by a newer logferry
 */
export async function prepareFleetJournals(_pool: pg.Pool): Promise<void> {
  throw new Error("not written yet");
}

/**
 * Claims a journal and opens it. A journal that is in PostgreSQL already is rebuilt in the folder; any other begins empty.
 *
 * @param pool connections to PostgreSQL, also through a pooler of transactions. It stays the caller's
 * @throws FatalError `journal/locked`, reason `locked`, when another worker has a live claim, naming that worker; reason `journal` when the
 * journal was made by a newer logferry, or is damaged
 */
export async function openFleetJournal(_pool: pg.Pool, _options: FleetJournalOptions): Promise<OpenFleetJournal> {
  throw new Error("not written yet");
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
  _pool: pg.Pool,
  _options: Pick<FleetJournalOptions, "journal" | "folder">,
): Promise<JournalReader | undefined> {
  throw new Error("not written yet");
}
