/** A part of an archive as an archive of its own: one export of several in a folder, or one part of a download in several zips. */
import type { Issue } from "../../transforms/model/issue.ts";
import type { Archive, Entry } from "./archive.ts";
import { byPath } from "./listed.ts";

/**
 * Shows only some entries of an archive, under their paths in the archive. Closing the view closes the archive.
 *
 * @param name for messages, in place of the archive's
 * @param holds whether an entry with this path belongs to the view
 * @param issues those of the archive that the view tells of
 */
export function viewOf(
  archive: Archive,
  name: string,
  holds: (path: string) => boolean,
  issues: readonly Issue[] = [],
): Archive {
  const shown = (entry: Entry | undefined) => (entry !== undefined && holds(entry.path) ? entry : undefined);
  // Each connector asks for them, and going through a large archive for a part of it takes long.
  let kept: readonly Entry[] | undefined;
  return {
    name,
    allowance: archive.allowance,
    issues,
    entries: () => (kept ??= [...archive.entries()].filter(({ path }) => holds(path))),
    entry: (path) => shown(archive.entry(path)),
    read: (entry, maxBytes) => archive.read(entry, maxBytes),
    packed: async (entry) => archive.packed?.(entry),
    stream: (entry, maxBytes) => archive.stream(entry, maxBytes),
    bytes: (entry) => archive.bytes(entry),
    close: () => archive.close(),
  };
}

/** The same archive, with more issues. */
export function withIssues(archive: Archive, more: readonly Issue[]): Archive {
  return more.length === 0 ? archive : { ...archive, issues: [...archive.issues, ...more] };
}

/**
 * Joins the parts of a download that came as several zips, as if somebody had unpacked them into one folder. When two parts have a file of one
 * path, the first part's counts if both are of one size. Otherwise the second one is called `name (part 2).csv`.
 *
 * @param name for messages
 * @param parts at least one, in the order of their numbers
 */
export function joinArchives(name: string, parts: readonly [Archive, ...Archive[]]): Archive {
  const homes = new Map<string, Home>();
  for (const [index, archive] of parts.entries()) {
    for (const entry of archive.entries()) {
      const first = homes.get(entry.path);
      const isCopy = first !== undefined && first.entry.sizeBytes === entry.sizeBytes;
      if (!isCopy) homes.set(first === undefined ? entry.path : pathInPart(entry.path, index + 1), { archive, entry });
    }
  }
  const entries = [...homes]
    .map(([path, { entry }]) => ({ path, sizeBytes: entry.sizeBytes, modifiedAt: entry.modifiedAt }))
    .sort(byPath);
  const homeOf = ({ path }: Entry) => {
    const home = homes.get(path);
    if (home === undefined) throw new Error(`no entry of ${name}: ${path}`);
    return home;
  };
  return {
    name,
    allowance: parts[0].allowance,
    issues: parts.flatMap(({ issues }) => issues),
    entries: () => entries,
    entry: (path) => (homes.has(path) ? { path, sizeBytes: homes.get(path)?.entry.sizeBytes } : undefined),
    read: (entry, maxBytes) => homeOf(entry).archive.read(homeOf(entry).entry, maxBytes),
    stream: (entry, maxBytes) => homeOf(entry).archive.stream(homeOf(entry).entry, maxBytes),
    bytes: (entry) => homeOf(entry).archive.bytes(homeOf(entry).entry),
    close: async () => {
      await Promise.all(parts.map((part) => part.close()));
    },
  };
}

/** An entry in its part. */
interface Home {
  readonly archive: Archive;
  readonly entry: Entry;
}

function pathInPart(path: string, part: number): string {
  const dot = path.lastIndexOf(".");
  const at = dot > path.lastIndexOf("/") ? dot : path.length;
  return `${path.slice(0, at)} (part ${part})${path.slice(at)}`;
}
