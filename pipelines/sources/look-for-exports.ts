/**
 * Looks for exports in a person's folders, such as Downloads. It is a cheap look: of a zip it reads the list and the heads that the platforms ask
 * for, and never the whole. What it doesn't find may be an export all the same.
 */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { openArchive } from "../../connectors/containers/open.ts";
import type { OpenOptions } from "../../connectors/containers/options.ts";
import { FatalError } from "../../connectors/errors.ts";
import { AmbiguousSource, identifyArchive } from "../../connectors/registry.ts";

/** An export that was found. */
export interface FoundExport {
  readonly path: string;
  /** The name of its platform, or of several platforms. */
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** What a look came to. */
export interface Look {
  /** Newest first. */
  readonly found: readonly FoundExport[];
  /** Files and folders that the time did not suffice for. */
  readonly unseen: number;
}

/** How much is looked at. */
export interface LookLimits {
  /** Milliseconds for everything. */
  readonly ms: number;
  /** Milliseconds by any clock. */
  readonly now: () => number;
}

/** A folder with more files is not looked at: listing it takes too long. Nor are zips in zips, which would be unpacked. */
const CHEAP: OpenOptions = { limits: { entries: 5_000, nesting: 0 } };

/** Zips have a list, so their size doesn't matter. Other files may be read to their end. */
const LARGEST_FILE = 32 * 2 ** 20;

/** The names of files that may be an export. A single recording is none. */
const MAY_BE_EXPORT = /\.(?:zip|csv|tsv|xlsx|ods|xml|json|db|sqlite3?|realm|fitlog|tlg)$/i;

interface Candidate {
  readonly path: string;
  readonly changedAt: number;
}

/** Looks at the files and folders in these folders, newest first. A folder that isn't there holds nothing. */
export async function lookForExports(folders: readonly string[], { ms, now }: LookLimits): Promise<Look> {
  const end = now() + ms;
  const candidates = (await Promise.all([...new Set(folders)].map(candidatesIn))).flat();
  candidates.sort((a, b) => b.changedAt - a.changedAt);
  const found: FoundExport[] = [];
  let seen = 0;
  for (const { path, changedAt } of candidates) {
    if (now() > end) break;
    seen++;
    const title = await titleOf(path);
    if (title !== undefined) found.push({ path, title, changedAt });
  }
  return { found, unseen: candidates.length - seen };
}

async function candidatesIn(folder: string): Promise<readonly Candidate[]> {
  const names = await readdir(folder).catch(() => []);
  const candidates: Candidate[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const state = name.startsWith(".") ? undefined : await stat(path).catch(() => undefined);
    if (state === undefined) continue;
    const mayBe = state.isFile() && MAY_BE_EXPORT.test(name) && (/\.zip$/i.test(name) || state.size <= LARGEST_FILE);
    if (mayBe || state.isDirectory()) candidates.push({ path, changedAt: state.mtimeMs });
  }
  return candidates;
}

/** The platform of a source, or several; undefined where a cheap look knows none. */
export async function titleOf(path: string): Promise<string | undefined> {
  try {
    const archive = await openArchive(path, CHEAP);
    try {
      const { connector, evidence } = await identifyArchive(archive);
      // A zip beside recordings is not opened here, and may be the export itself.
      const hasZips = evidence.strength === "general" && [...archive.entries()].some(({ path }) => isZip(path));
      return hasZips ? `${connector.title}, and zips` : connector.title;
    } finally {
      await archive.close();
    }
  } catch (error) {
    if (error instanceof AmbiguousSource) return titleOfSeveral(error);
    if (error instanceof FatalError) return undefined;
    throw error;
  }
}

function isZip(path: string): boolean {
  return /\.zip$/i.test(path);
}

function titleOfSeveral({ claims }: AmbiguousSource): string {
  return claims.length > 2 ? "several exports" : claims.map(({ connector }) => connector.title).join(" and ");
}
