/** Where sources lie on the disk: a path, or the paths of all parts of a download that came as several zips. */
import { readdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { absoluteSource, isAddress, nameOfSource } from "../../connectors/containers/address.ts";
import type { Archive } from "../../connectors/containers/archive.ts";
import { archiveIssue } from "../../connectors/containers/archive-issue.ts";
import { openArchive } from "../../connectors/containers/open.ts";
import type { OpenOptions } from "../../connectors/containers/options.ts";
import { missingParts, type PartName, partNameOf } from "../../connectors/containers/part-names.ts";
import { joinArchives, viewOf, withIssues } from "../../connectors/containers/view.ts";
import { FatalError } from "../../connectors/errors.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import { printable } from "../../transforms/text/printable.ts";

/** A source on the disk. */
export interface Place {
  /** As a person gave it. For a download in parts it is the first part. */
  readonly path: string;
  /** The other parts, in the order of their numbers. */
  readonly parts: readonly string[];
  /** Names of zips in the folder that are sources of their own. */
  readonly without: readonly string[];
  /** Nobody named it: it was found in a folder. */
  readonly isFound?: true;
}

interface Part {
  readonly path: string;
  readonly name: PartName;
  readonly isFound?: true;
}

/**
 * Puts the parts of downloads together. Parts may be named one by one, or by their folder.
 *
 * @param paths as a person gave them
 * @returns the sources, in the order of their first paths
 * @throws FatalError `archive/same-address` for two addresses that would be stored as one
 */
export async function placesOf(paths: readonly string[]): Promise<readonly Place[]> {
  refuseMixedUp(paths);
  const groups = new Map<string, Part[]>();
  const order: (Place | string)[] = [];
  const addPart = (part: Part) => {
    const known = [...groups].find(([, parts]) => isNextOf(parts, part.name));
    const key = known?.[0] ?? absoluteSource(part.path);
    if (known === undefined) order.push(key);
    groups.set(key, [...(known?.[1] ?? []), part]);
  };
  for (const path of paths) {
    const name = partNameOf(nameOfSource(path));
    const inFolder = name === undefined && !isAddress(path) ? await partsInFolder(path) : [];
    if (name !== undefined) addPart({ path, name });
    else order.push({ path, parts: [], without: inFolder.map((part) => basename(part.path)) });
    for (const part of inFolder) addPart(part);
  }
  return order.map((one) => (typeof one === "string" ? placeOfParts(groups.get(one) ?? []) : one));
}

/** Refuses addresses that only their signatures tell apart, because these are not stored. */
function refuseMixedUp(paths: readonly string[]): void {
  const known = new Map<string, string>();
  for (const path of paths.filter(isAddress)) {
    const stored = absoluteSource(path);
    if ((known.get(stored) ?? path) !== path) {
      const state = "only their signatures or passwords differ, which logferry doesn't store";
      const message = `Cannot tell two addresses of ${printable(nameOfSource(path))} apart: ${state}. Import one after the other, or download them`;
      throw new FatalError("archive/same-address", "source", message);
    }
    known.set(stored, path);
  }
}

/** Two files with one number are two downloads, not two parts of one. */
function isNextOf(parts: readonly Part[], { stem, number }: PartName): boolean {
  return parts[0]?.name.stem === stem && parts.every(({ name }) => name.number !== number);
}

function placeOfParts(parts: readonly Part[]): Place {
  const [first, ...others] = parts.toSorted((a, b) => a.name.number - b.name.number).map(({ path }) => path);
  if (first === undefined) throw new RangeError("a download has at least one part");
  const isFound = parts.every((part) => part.isFound === true);
  return { path: first, parts: others, without: [], ...(isFound && { isFound }) };
}

/** The zips of a folder that are parts of a download with other parts, which are there too or missing. Others stay in their folder. */
async function partsInFolder(path: string): Promise<readonly Part[]> {
  // A path that can't be read is told of when it is opened.
  const children = await readdir(path, { withFileTypes: true }).catch(() => []);
  const parts = children.flatMap((child) => {
    const name = child.isFile() ? partNameOf(child.name) : undefined;
    return name === undefined ? [] : [{ path: join(path, child.name), name, isFound: true as const }];
  });
  const isPart = (name: PartName) =>
    missingParts([name]).length > 0 || parts.some((other) => other.name !== name && isNextOf([other], name));
  return parts.filter(({ name }) => isPart(name));
}

/**
 * Opens a source. A download in parts is opened as one archive.
 *
 * @param options as for `openArchive`
 * @throws FatalError as `openArchive`
 */
export async function openParts({ path, parts, without }: Place, options: OpenOptions): Promise<Archive> {
  const archives: Archive[] = [];
  try {
    for (const one of [path, ...parts]) archives.push(await openArchive(one, options));
    const [first, ...others] = archives;
    if (first === undefined) throw new RangeError("a source has a path");
    if (without.length > 0) return viewOf(first, first.name, isOutside(without), first.issues);
    const name = others.length === 0 ? first.name : `${first.name} (${archives.length} parts)`;
    const joined = others.length === 0 ? first : joinArchives(name, [first, ...others]);
    return withIssues(joined, await missingIssues(path, parts));
  } catch (error) {
    for (const archive of archives) await archive.close();
    throw error;
  }
}

function isOutside(zips: readonly string[]): (path: string) => boolean {
  return (path) => !zips.some((zip) => path.startsWith(`${zip}!/`));
}

/** Parts that are not there, or that lie beside the others and were not named. Each may hold workouts. */
async function missingIssues(path: string, parts: readonly string[]): Promise<readonly Issue[]> {
  const given = [path, ...parts].map((one) => nameOfSource(one));
  const names = given.map(partNameOf).filter((name) => name !== undefined);
  const [first] = names;
  const archive = nameOfSource(path);
  if (first === undefined) return [];
  // Nobody can look around a server.
  const neighbours = isAddress(path) ? [] : await readdir(dirname(resolve(path))).catch(() => []);
  const beside = neighbours.flatMap((child) => {
    const name = partNameOf(child);
    return name !== undefined &&
      isNextOf(
        names.map((own) => ({ path: "", name: own })),
        name,
      )
      ? [{ child, name }]
      : [];
  });
  const known = [...names, ...beside.map(({ name }) => name)];
  const absent = missingParts(known).map((number) =>
    archiveIssue("error", "archive/missing-part", archive, `${first.stem} part ${number}`, {
      found: `no part ${number} of ${Math.max(...known.map((name) => Math.max(name.number, name.of ?? 0)))}`,
      expected: "all parts of the download; download the missing one, and name all of them in one command",
    }),
  );
  const unnamed = beside.map(({ child }) =>
    archiveIssue("error", "archive/missing-part", archive, child, {
      found: "a part that lies beside the others and was not named",
      expected: "all parts of the download in one command",
    }),
  );
  return [...absent, ...unnamed];
}
