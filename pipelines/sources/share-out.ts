/** Shares the files of a folder among the platforms that claim it: an export's loose files, and beside them a table of another platform. */
import type { Archive } from "../../connectors/containers/archive.ts";
import { ArchiveError } from "../../connectors/containers/archive-error.ts";
import type { OwnFiles } from "../../connectors/contract.ts";
import type { Identified } from "../../connectors/registry.ts";

/** The largest table that is searched for the names of recordings. */
const MOST_SEARCHED = 32 * 1024 * 1024;

/** A platform's files in a shared folder. */
export interface Share {
  readonly name: string;
  /** Paths of its tables, in the order of the archive. */
  readonly tables: readonly string[];
  /** Its other files, by their paths. */
  readonly others: ReadonlySet<string>;
}

/** A share that is being filled. */
interface Claimant {
  readonly name: string;
  readonly files: OwnFiles;
  readonly tables: string[];
  readonly others: Set<string>;
}

/**
 * Gives each file to one platform, so that nothing is lost and nothing is read twice. A file that several platforms could have goes to the one whose
 * table names it. Files that no platform knows stay with the first share.
 *
 * @param claims the platforms that know the archive
 * @param alone gives the platform that knows a file, or its folder, by itself, for the file's path
 * @returns the shares, the one with the most files beside its tables first; undefined if two platforms would read one table, or if no platform has a
 *   file beside its tables
 */
export async function shareOut(
  archive: Archive,
  claims: readonly Identified[],
  alone: (path: string) => string | undefined,
): Promise<readonly Share[] | undefined> {
  const claimants: Claimant[] = [];
  for (const { connector, evidence } of claims) {
    if (connector.filesIn === undefined || evidence.strength !== "exact") return undefined;
    claimants.push({ name: connector.name, files: await connector.filesIn(archive), tables: [], others: new Set() });
  }
  const contested: Contested[] = [];
  for (const { path } of archive.entries()) {
    const { tables, others } = candidates(path, claimants, alone);
    if (tables.length > 1) return undefined;
    if (tables[0] !== undefined) tables[0].tables.push(path);
    else if (others.length > 1) contested.push({ path, by: others });
    else others[0]?.others.add(path);
  }
  await settle(archive, contested);
  if (claimants.some(({ tables }) => tables.length === 0) || claimants.every(({ others }) => others.size === 0))
    return undefined;
  return claimants.toSorted((a, b) => b.others.size - a.others.size);
}

/** The platforms that would read a file as a table; or else those that have such a file beside their tables. */
function candidates(
  path: string,
  claimants: readonly Claimant[],
  alone: (path: string) => string | undefined,
): { readonly tables: readonly Claimant[]; readonly others: readonly Claimant[] } {
  const sure = claimants.filter(({ files }) => files.reads(path));
  if (sure.length > 0) return { tables: sure, others: [] };
  const may = claimants.filter(({ files }) => files.mayRead(path));
  const isOfOwner = ({ name }: Claimant) => name === alone(path);
  const known = may.filter(isOfOwner);
  if (known.length > 0) return { tables: known, others: [] };
  const owner = claimants.filter(isOfOwner);
  if (owner.length > 0) return { tables: [], others: owner };
  const others = claimants.filter(({ files }) => files.knows(path));
  return { tables: [], others: others.length > 0 ? others : may };
}

/** A file that several platforms could have. */
interface Contested {
  readonly path: string;
  readonly by: readonly Claimant[];
}

/** Gives each contested file to the platform whose table names it, or else to the platform with the most files. */
async function settle(archive: Archive, contested: readonly Contested[]): Promise<void> {
  const words = new Map<Claimant, ReadonlySet<string>>();
  for (const { path, by } of contested) {
    for (const each of by) if (!words.has(each)) words.set(each, await wordsOf(archive, each));
    const name = path.slice(path.lastIndexOf("/") + 1);
    const naming = by.find((each) => words.get(each)?.has(name));
    const [largest] = by.toSorted((a, b) => b.others.size - a.others.size);
    (naming ?? largest)?.others.add(path);
  }
}

/** The words of a platform's tables and lists. */
function wordsOf(archive: Archive, { tables, others }: Claimant): Promise<ReadonlySet<string>> {
  return wordsIn(archive, [...tables, ...[...others].filter((path) => path.toLowerCase().endsWith(".csv"))]);
}

/** What stands between the commas, quotes and slashes of tables. A table that can't be read names nothing, and its reader says why. */
export async function wordsIn(archive: Archive, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const words = new Set<string>();
  for (const path of paths) {
    const entry = archive.entry(path);
    if (entry === undefined) continue;
    try {
      const text = Buffer.from(await archive.read(entry, MOST_SEARCHED)).toString("utf8");
      for (const word of text.split(/[",;\t\r\n/\\]/)) words.add(word);
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
    }
  }
  return words;
}
