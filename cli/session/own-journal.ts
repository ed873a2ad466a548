/** The journal that the options name. The commands that ask no log load nothing else of a session: they start at once. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Permit } from "../../connectors/api/permit.ts";
import type { FleetWriter } from "../../pipelines/fleet/writer.ts";
import type { When } from "../../pipelines/journal/cost.ts";
import type { Journal, JournalReader } from "../../pipelines/journal/journal.ts";
import { findHolder } from "../../pipelines/journal/lock.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { openJournal, openJournalToRead } from "../../pipelines/journal/sqlite.ts";
import type { CommandContext } from "../arguments/command.ts";
import { userFolders } from "../arguments/config.ts";
import { isOfFleet, OF_FLEET } from "../arguments/journal-name.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { checkedProfile } from "../login/credentials.ts";
import { pace } from "../login/pace.ts";
import type { Pricing } from "../printing/print-run.ts";
import { folderOfRehearsal } from "../suggested-commands.ts";

/**
 * Opens the journal that the options name. Each profile has one, unless `--journal` names another. One of a fleet is claimed until it is closed.
 *
 * @throws FatalError `journal/locked`, reason `locked`, when another process or a worker has it open
 */
export async function openOwnJournal(options: CommandContext["options"]): Promise<Journal> {
  const path = journalPath(options);
  if (!isOfFleet(path))
    return openJournal(path, {
      onNetwork: options.networkJournal,
      waitsForDisk: folderOfRehearsal(path) === undefined,
    });
  await using fleet = await openFleetToWrite(options, new AbortController().signal);
  return await openIn(fleet, path);
}

/** What a session needs to write to a journal of a fleet: with claims on the journal and on the account, which its permit watches. */
export interface OwnFleet extends AsyncDisposable {
  readonly permit: Permit;
  /** The address of the log that the journal belongs to; undefined where the fleet knows none. */
  readonly address: string | undefined;
  openJournal(options: CommandContext["options"]): Promise<Journal>;
  lockAccount(account: string, name: string): Promise<{ release(): Promise<void> }>;
}

/**
 * Opens the fleet of the journal that the options name.
 *
 * @returns undefined for a journal on this machine
 * @throws UsageError without an address of the fleet; FatalError `fleet/database` when its database can't be used
 */
export async function openOwnFleet({
  options,
  signal,
}: Pick<CommandContext, "options" | "signal">): Promise<OwnFleet | undefined> {
  const path = journalPath(options);
  if (!isOfFleet(path)) return undefined;
  const fleet = await openFleetToWrite(options, signal);
  try {
    const address = await fleet.addressOf(path.slice(OF_FLEET.length));
    return { ...fleet, address, openJournal: (own) => openIn(fleet, journalPath(own)) };
  } catch (error) {
    await fleet.close();
    throw error;
  }
}

async function openFleetToWrite(options: CommandContext["options"], signal: AbortSignal): Promise<FleetWriter> {
  const { openFleetWriter } = await import("../../pipelines/fleet/writer.ts");
  return openFleetWriter(addressFor(options), signal);
}

async function openIn(fleet: FleetWriter, path: string): Promise<Journal> {
  return (await fleet.openJournal(path.slice(OF_FLEET.length))) ?? refuseUnknown(path);
}

/** Opens the journal that the options name for reading, even while a run uses it. */
export async function openOwnJournalToRead(options: CommandContext["options"]): Promise<JournalReader> {
  const path = journalPath(options);
  if (!isOfFleet(path)) return openJournalToRead(path);
  const address = addressFor(options);
  const { openFleetReader } = await import("../../pipelines/fleet/reader.ts");
  return (await openFleetReader(address, path.slice(OF_FLEET.length))) ?? refuseUnknown(path);
}

/** Who has the journal that the options name open to write to it now: a process or a worker. */
export async function findOwnHolder(options: CommandContext["options"]): Promise<string | undefined> {
  const path = journalPath(options);
  if (!isOfFleet(path)) return findHolder(path);
  const { findFleetHolder } = await import("../../pipelines/fleet/reader.ts");
  return findFleetHolder(addressFor(options), path.slice(OF_FLEET.length));
}

function addressFor(options: CommandContext["options"]): string {
  if (options.fleet !== undefined) return options.fleet;
  throw new UsageError(
    `Cannot open ${journalPath(options)}: it is in a fleet. Put the address of its PostgreSQL into LOGFERRY_FLEET`,
  );
}

function refuseUnknown(path: string): never {
  throw new UsageError(`There is no journal ${path} in the fleet`);
}

/** Whether there may be a journal with a path or a name: one of a fleet is only known once it is opened. */
export function mayBeJournal(path: string): boolean {
  return isOfFleet(path) || existsSync(path);
}

/** The path of the journal, whether or not it exists. */
export function journalPath({ journal, profile }: CommandContext["options"]): string {
  return journal ?? join(userFolders().data, `${checkedProfile(profile)}.journal.db`);
}

/**
 * The run with a number, else the last one.
 *
 * @throws UsageError when no run has that number
 */
export async function findRun(journal: JournalReader, id: number | undefined): Promise<Run | undefined> {
  const run = await journal.run(id);
  if (run !== undefined || id === undefined) return run;
  const ids = (await journal.runs()).map((one) => one.id);
  throw new UsageError(`There is no run ${id}${ids.length === 0 ? "" : `; the journal holds ${ids.join(", ")}`}`);
}

/** The basis of a plan's cost. @param url address of the log; a log on this machine answers without a limit on the pace */
export function pricing({ rate }: Pick<CommandContext["options"], "rate">, url: string, when: When): Pricing {
  return { when, perSecond: pace({ rate, url }).start };
}
