/** Files in the folder of an export that its first table doesn't have. Shares its recordings with a second table of the same platform in it, such as `activities (1).csv` of an older download. */
import type { Archive } from "../../connectors/containers/archive.ts";
import type { OwnFiles } from "../../connectors/contract.ts";
import { FatalError } from "../../connectors/errors.ts";
import { recordingBeside } from "../../connectors/platforms/device-files/lap-table.ts";
import type { Identified } from "../../connectors/registry.ts";
import { wordsIn } from "./share-out.ts";

/** The files of a folder with several tables of one platform. */
export interface Shared {
  /** Whether the source of a second table has this file, by the table's path. */
  readonly ofTable: (table: string, path: string) => boolean;
  /** Whether only second tables name this file. */
  readonly isOnlyTheirs: (path: string) => boolean;
}

/**
 * Each table has the recordings that it names, and the lists of gear. A recording that two tables name belongs to both, since they have the same
 * workout. One that no table names stays with the first.
 *
 * @param files the files of the export with the first table
 * @param tables paths of the second tables
 * @param isRecording tells recordings, texts and pictures from lists
 */
export async function shareRecordings(
  archive: Archive,
  files: OwnFiles,
  tables: readonly string[],
  isRecording: (path: string) => boolean,
): Promise<Shared> {
  if (tables.length === 0) return { ofTable: () => false, isOnlyTheirs: () => false };
  const own = Array.from(archive.entries(), ({ path }) => path);
  // The lists of gear and routes are of all tables.
  const lists = own.filter((path) => /\.csv$/i.test(path) && files.knows(path) && !files.reads(path));
  const first = await wordsIn(archive, [...own.filter(files.reads), ...lists]);
  const words = new Map<string, ReadonlySet<string>>();
  for (const table of tables) words.set(table, await wordsIn(archive, [table, ...lists]));
  const names = (table: string, path: string) => words.get(table)?.has(nameIn(path)) === true;
  const isShared = (path: string) => files.knows(path) && isRecording(path);
  return {
    ofTable: (table, path) => !files.reads(path) && (isShared(path) ? names(table, path) : files.knows(path)),
    isOnlyTheirs: (path) => isShared(path) && !first.has(nameIn(path)) && tables.some((table) => names(table, path)),
  };
}

/**
 * The tables of workouts in a folder that the export around it would not read.
 *
 * @param own the files of the folder, as an export
 * @param whole the files of the export around it
 */
export function leftTables(folder: Archive, own: OwnFiles, whole: OwnFiles): readonly string[] {
  return Array.from(folder.entries(), ({ path }) => path).filter(
    (path) => own.reads(path) && ![whole.reads, whole.mayRead, whole.knows].some((is) => is(path)),
  );
}

/**
 * The recordings in folders that only tables outside name. The export of those tables keeps them.
 *
 * @param files the files of the export with the tables outside
 * @param tables paths of the tables in the folders
 */
export async function namedOutside(
  archive: Archive,
  files: OwnFiles,
  isOutside: (path: string) => boolean,
  tables: readonly string[],
): Promise<ReadonlySet<string>> {
  const all = Array.from(archive.entries(), ({ path }) => path);
  const inside = all.filter((path) => OF_WATCHES.test(path) && !isOutside(path));
  if (inside.length === 0) return new Set();
  const beside = all.filter((path) => files.reads(path) && isOutside(path));
  const [named, theirs] = [await wordsIn(archive, beside), await wordsIn(archive, tables)];
  return new Set(inside.filter((path) => named.has(nameIn(path)) && !theirs.has(nameIn(path))));
}

/** The place of the recordings in the folder of an export that are none of its files. */
export const WATCH_FILES = "watch files";

/** Files of watches. Other platforms' exports hold them, too. */
export const OF_WATCHES = /\.(?:fit|gpx|tcx)(?:\.gz)?$/i;

/**
 * The recordings in the folder of an export that are none of its files: of a watch, or of another platform.
 *
 * @param files the files of the export
 */
export async function strayRecordings(archive: Archive, files: OwnFiles): Promise<ReadonlySet<string>> {
  const own = Array.from(archive.entries(), ({ path }) => path);
  const stray = own.filter(
    (path) => OF_WATCHES.test(path) && ![files.reads, files.mayRead, files.knows].some((is) => is(path)),
  );
  if (stray.length === 0) return new Set();
  // A row may name a file at a place where its platform writes none.
  const named = await wordsIn(
    archive,
    own.filter((path) => /\.csv$/i.test(path) && files.reads(path)),
  );
  return new Set(stray.filter((path) => !named.has(nameIn(path))));
}

/** Whether a table of this kind adds nothing, because a recording of its name lies beside it. */
export function isInRecording(archive: Archive, table: string, known: Identified | FatalError): boolean {
  if (known instanceof FatalError || known.connector.inRecordings !== true) return false;
  return recordingBeside(archive, table) !== undefined;
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
