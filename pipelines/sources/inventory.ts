/**
 * The inventory of a run: every file of its sources with its size and hash, taken before the first record is sent. Of a container it lists the
 * content. Later it tells what changed in the sources since.
 */
import { createHash } from "node:crypto";
import { isAddress } from "../../connectors/containers/address.ts";
import type { Archive, Entry } from "../../connectors/containers/archive.ts";
import { ArchiveError } from "../../connectors/containers/archive-error.ts";
import type { OpenOptions } from "../../connectors/containers/options.ts";
import type { ReadHashes } from "../../connectors/containers/read-hashes.ts";
import { FatalError } from "../../connectors/errors.ts";
import type { Journal, JournalReader } from "../journal/journal.ts";
import type { InventoryFile, Run, RunSource } from "../journal/run.ts";
import { closeSources, type OpenedSource, openSourceAgain } from "./sources.ts";

/** What reading the sources of a run once more needs. */
export interface InventoryContext {
  readonly open: OpenOptions;
  /** The version of logferry that reads. */
  readonly version: string;
  readonly signal: AbortSignal;
  /** Called with the number of files read so far. */
  readonly onProgress: (done: number) => void;
}

/** An inventory that is taken with a plan. */
export interface PlannedInventory extends InventoryContext {
  /** What the plan read of each source, in the order of the run. Only the other files are read now. */
  readonly read?: readonly ReadHashes[];
  /** The sources that the plan read, in the order of the run, while they are open. Without them they are opened once more. */
  readonly opened?: readonly OpenedSource[];
}

/** Files that are kept with one wait for the disk. */
const TOGETHER = 500;

/** A source behind an address is not fetched a second time. */
const NOT_FETCHED = "it lies behind an address, and was not fetched a second time";

/**
 * Takes the inventory of a run, if it has none yet. Of a file that its plan read whole, it has the hash of what the plan read.
 *
 * @returns false when a person stopped it: then the run has none, and the next command takes it
 */
export async function takeInventory(
  run: Run,
  journal: Journal,
  now: number,
  context: PlannedInventory,
): Promise<boolean> {
  if ((await journal.inventoryTakenAt(run.id)) !== undefined) return true;
  let files: InventoryFile[] = [];
  for await (const file of filesOf(run, context)) {
    files.push(file);
    if (files.length < TOGETHER) continue;
    await journal.keepInventory(run.id, files);
    files = [];
  }
  if (context.signal.aborted) return false;
  await journal.keepInventory(run.id, files, now);
  return true;
}

/** A source that can't be read once more. */
export interface UnreadableSource {
  readonly name: string;
  readonly why: string;
  /** Its files are in the inventory: it could be read then. */
  readonly wasListed?: true;
}

/** How the sources of a run differ from its inventory. */
export interface SourceChanges {
  /** Paths of files that came later, that have other bytes now, and that are gone. */
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly gone: readonly string[];
  /** Sources that can't be read any more, by name, with the reason. They are in none of the lists. */
  readonly unreadable: readonly UnreadableSource[];
}

/** Reads the sources once more, and compares them with the inventory. */
export async function compareInventory(
  run: Run,
  journal: JournalReader,
  context: InventoryContext,
): Promise<SourceChanges> {
  const changes = { added: [] as string[], changed: [] as string[], gone: [] as string[] };
  const unreadable: UnreadableSource[] = [];
  for (const [source, { name }] of run.sources.entries()) {
    const before = new Map<string, InventoryFile>();
    for await (const file of inventoryOf(journal, run.id, source)) before.set(file.path, file);
    const unlisted = before.get("")?.unread;
    if (unlisted !== undefined) {
      unreadable.push({ name, why: unlisted });
      continue;
    }
    const called = (path: string) => (run.sources.length === 1 ? path : `${name}: ${path}`);
    let isRead = true;
    for await (const file of filesOf(run, context, source)) {
      if (file.path === "") {
        unreadable.push({ name, why: file.unread ?? "", ...(before.size > 0 && { wasListed: true as const }) });
        isRead = false;
        break;
      }
      const known = before.get(file.path);
      before.delete(file.path);
      if (known === undefined) changes.added.push(called(file.path));
      else if (known.sha256 !== file.sha256 || known.bytes !== file.bytes) changes.changed.push(called(file.path));
    }
    if (isRead) for (const path of before.keys()) changes.gone.push(called(path));
  }
  return { ...changes, unreadable };
}

/** All files of a source in the inventory of a run, sorted by path. */
export async function* inventoryOf(journal: JournalReader, run: number, source: number): AsyncIterable<InventoryFile> {
  for (let after: string | undefined; ; ) {
    const files = await journal.inventory(run, source, after);
    yield* files;
    const last = files.at(-1);
    if (last === undefined) return;
    after = last.path;
  }
}

/** The files of a run's sources as they are now. A source that can't be opened is one file with an empty path, and the reason. */
async function* filesOf(run: Run, context: PlannedInventory, only?: number): AsyncIterable<InventoryFile> {
  let done = 0;
  for (const [source, one] of run.sources.entries()) {
    if (only !== undefined && only !== source) continue;
    if (isAddress(one.path)) {
      yield { source, path: "", bytes: one.sizeBytes, sha256: undefined, unread: NOT_FETCHED };
      continue;
    }
    const ofPlan = context.opened?.[source];
    const opened = ofPlan ?? (await openAgain(run, one, context));
    if (typeof opened === "string") {
      yield { source, path: "", bytes: one.sizeBytes, sha256: undefined, unread: opened };
      continue;
    }
    try {
      for (const archive of [opened.archive, ...(opened.unclaimed ?? [])])
        for (const entry of archive.entries()) {
          if (context.signal.aborted) return;
          const read = archive === opened.archive ? context.read?.[source]?.get(entry.path) : undefined;
          const found = read === undefined ? await hashOf(archive, entry) : { ...read, unread: undefined };
          yield { source, path: entry.path, ...found };
          context.onProgress(++done);
        }
    } finally {
      if (ofPlan === undefined) await closeSources([opened]);
    }
  }
}

async function openAgain(run: Run, source: RunSource, { open, version }: InventoryContext) {
  try {
    return await openSourceAgain(source, source.mapping, { planned: run.options.version, own: version }, open);
  } catch (error) {
    if (error instanceof FatalError) return error.message;
    throw error;
  }
}

async function hashOf(archive: Archive, entry: Entry): Promise<Omit<InventoryFile, "source" | "path">> {
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    for await (const chunk of archive.stream(entry)) {
      hash.update(chunk);
      bytes += chunk.length;
    }
    return { bytes, sha256: hash.digest("hex"), unread: undefined };
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    return { bytes: entry.sizeBytes, sha256: undefined, unread: error.message };
  }
}
