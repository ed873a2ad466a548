/**
 * Finds several exports in one archive: a folder of downloads, two exports of one account in one folder, a Takeout with two platforms. Each
 * becomes a source of its own. Read as one, all but one export would be left unread, or the archive would be refused.
 */
import type { Archive } from "../../connectors/containers/archive.ts";
import { archiveIssue } from "../../connectors/containers/archive-issue.ts";
import { wrapperOf } from "../../connectors/containers/find.ts";
import { viewOf, withIssues } from "../../connectors/containers/view.ts";
import { FatalError } from "../../connectors/errors.ts";
import { OtherFiles } from "../../connectors/platforms/other-files.ts";
import { AmbiguousSource, type Identified, identifyArchive } from "../../connectors/registry.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import { filesOf, type Group, groupsOf, haveSameFiles, isIn, isZip, SAYS_NOTHING } from "./groups.ts";
import {
  isInRecording,
  leftTables,
  namedOutside,
  shareRecordings,
  strayRecordings,
  WATCH_FILES,
} from "./second-tables.ts";
import { type Share, shareOut } from "./share-out.ts";

/** An export in an archive. */
export interface FoundExport {
  readonly archive: Archive;
  /** Its place in the archive: `export_2024.zip`. Undefined if it is the whole archive. */
  readonly within: string | undefined;
  /** The connector that recognises it; or the error, if none does or several do. */
  readonly known: Identified | FatalError;
  /** Files beside it that belong to no export. The first export has them, so that the inventory of a run is whole. */
  readonly unclaimed?: readonly Archive[];
}

/** So few folders are looked at even where the whole is one platform's export: another one may have been unpacked beside it. */
const FEW_GROUPS = 16;

/** Most parts of an archive that are looked at in all: ten thousand folders of something else would take minutes. */
const MOST_LOOKS = 400;

/** Where a part of an archive lies. */
interface Place {
  /** The name of the whole archive. */
  readonly base: string;
  /** The beginning of the part's paths, without the slash. Undefined for the whole archive. */
  readonly label: string | undefined;
  /** Counts down for the whole archive. */
  readonly looks: { left: number };
}

/** A group with the exports in it. */
interface FoundGroup {
  readonly group: Group;
  readonly exports: readonly FoundExport[];
}

/**
 * Recognises the exports in an archive, in zips and folders of any depth.
 *
 * @returns the archive itself if it holds only one, or none
 * @throws the errors of opening and reading the archive. If no connector recognises an export, or several do, nothing is thrown: its `known` is that error
 */
export function exportsIn(archive: Archive): Promise<readonly FoundExport[]> {
  return exportsAt(archive, { base: archive.name, label: undefined, looks: { left: MOST_LOOKS } });
}

async function exportsAt(archive: Archive, place: Place): Promise<readonly FoundExport[]> {
  const whole = await wholeOf(archive, place);
  const { known } = whole;
  const isClear = isExport(whole) && !(known instanceof FatalError);
  const second = isClear ? await secondTables(archive, place, known) : undefined;
  if (second !== undefined) return second;
  // Tables beside each other are one export of many platforms. Each is looked at alone only if all of them together say nothing.
  const groups = [...groupsOf(archive), ...(isClear ? [] : await filesOf(archive))];
  if (groups.length === 0 || !mayBeSeveral(known, groups)) return [whole];
  const found: FoundGroup[] = [];
  for (const group of groups) {
    if (group.shapes.size === 0 || place.looks.left-- <= 0) continue;
    const label = group.root.replace(/!?\/$/, "");
    const own = archive.issues.filter(({ origin }) => isIn(group, origin?.entry ?? ""));
    const view = viewOf(archive, `${place.base}/${label}`, (path) => isIn(group, path), own);
    const inside: Place = { ...place, label };
    // A file has nothing beside it that could be looked at next, and zips that belong together are one export.
    const isOne = group.kind === "file" || group.companions !== undefined;
    const exports = isOne ? [await wholeOf(view, inside)] : await exportsAt(view, inside);
    if (group.kind === "file" && exports.every(({ known: of }) => isInRecording(archive, group.root, of))) continue;
    if (exports.length > 1 || exports.some(isExport)) found.push({ group, exports });
  }
  const beside = isAmbiguous(known) ? await keptWhole(archive, place, known, found) : undefined;
  if (beside !== undefined) return beside;
  const holds = outside(found);
  const rest = { holds, known: await identified(viewOf(archive, archive.name, holds)) };
  if (areSeveral(known, found, rest.known)) return split(archive, place, found, rest);
  return (known instanceof FatalError ? undefined : await otherLayouts(archive, place, known, found)) ?? [whole];
}

/**
 * An export, and beside it folders with tables of the same platform that its connector leaves: another layout, the list of the website. Each is a
 * source of its own.
 *
 * @returns undefined if there are none
 */
async function otherLayouts(
  archive: Archive,
  place: Place,
  { connector }: Identified,
  found: readonly FoundGroup[],
): Promise<readonly FoundExport[] | undefined> {
  const files = found.length === 0 ? undefined : await connector.filesIn?.(archive);
  if (files === undefined) return undefined;
  const left: FoundGroup[] = [];
  const tables: string[] = [];
  for (const one of found) {
    const [first] = one.exports;
    if (first === undefined || nameOf(first.known) !== connector.name) continue;
    const own = await connector.filesIn?.(first.archive);
    const theirs = own === undefined ? [] : leftTables(first.archive, own, files);
    if (theirs.length > 0) left.push(one);
    tables.push(...theirs);
  }
  if (left.length === 0) return undefined;
  const isOutside = outside(left);
  const needed = await namedOutside(archive, files, isOutside, tables);
  const beside = left.flatMap(({ exports }) => exports);
  return keptBeside(archive, place, (path) => isOutside(path) || needed.has(path), beside);
}

/**
 * The export that has loose files in a folder where other sources lie beside it: spreadsheets with mapping files, zips, the files of another
 * platform. It keeps every file that none of them has.
 *
 * @returns undefined if each part of the archive is a source by itself
 */
async function keptWhole(
  archive: Archive,
  place: Place,
  known: Identified | FatalError,
  found: readonly FoundGroup[],
): Promise<readonly FoundExport[] | undefined> {
  const apart = found.filter(({ group, exports }) => isZip(group) || exports.every(isSpreadsheet));
  if (apart.length === found.length) return undefined;
  const beside = apart.flatMap(({ exports }) => exports);
  if (apart.length > 0) return keptBeside(archive, place, outside(apart), beside);
  const shares =
    known instanceof AmbiguousSource ? await shareOut(archive, known.claims, knownAlone(found)) : undefined;
  const [, ...others] = shares ?? [];
  if (shares === undefined || others.length === 0) return undefined;
  const given = new Set(others.flatMap(({ tables, others: more }) => [...tables, ...more]));
  const guests: FoundExport[] = [];
  for (const share of others) guests.push(...(await guestsOf(archive, place, share)));
  // A second table of a platform stays with the rest, which is looked at once more.
  return keptBeside(archive, place, (path) => !given.has(path), guests);
}

/**
 * An export, and beside its tables others that its connector leaves: a list that was downloaded a second time, the web's list among the files of
 * the whole account. Each is a source of its own.
 *
 * @returns undefined if there are none
 */
async function secondTables(
  archive: Archive,
  place: Place,
  { connector }: Identified,
): Promise<readonly FoundExport[] | undefined> {
  const files = await connector.filesIn?.(archive);
  if (files === undefined) return undefined;
  const found: FoundGroup[] = [];
  for (const group of await filesOf(archive)) {
    const { root } = group;
    if (files.reads(root) || files.mayRead(root) || files.knows(root) || place.looks.left-- <= 0) continue;
    const one = await viewOfFiles(archive, place, root, (path) => isIn(group, path));
    if (isExport(one)) found.push({ group, exports: [one] });
  }
  const stray = await strayRecordings(archive, files);
  const watch =
    stray.size === 0 ? undefined : await viewOfFiles(archive, place, WATCH_FILES, (path) => stray.has(path));
  const isRead = watch !== undefined && !(watch.known instanceof FatalError);
  if (found.length === 0 && !isRead) return undefined;
  const same = found.filter(({ exports }) => exports.every(({ known }) => nameOf(known) === connector.name));
  const roots = same.map(({ group }) => group.root);
  const shared = await shareRecordings(archive, files, roots, (path) => SAYS_NOTHING.test(path));
  const beside: FoundExport[] = [];
  for (const { group, exports } of found) {
    const { root } = group;
    const holds = (path: string) => isIn(group, path) || shared.ofTable(root, path);
    beside.push(...(roots.includes(root) ? [await viewOfFiles(archive, place, root, holds)] : exports));
  }
  if (isRead) beside.push(watch);
  const isOutside = outside(found);
  const holds = (path: string) => isOutside(path) && !shared.isOnlyTheirs(path) && !(isRead && stray.has(path));
  return keptBeside(archive, place, holds, beside);
}

/** Some files of an archive, as a source of its own. */
function viewOfFiles(
  archive: Archive,
  place: Place,
  label: string,
  holds: (path: string) => boolean,
): Promise<FoundExport> {
  const own = archive.issues.filter(({ origin }) => holds(origin?.entry ?? ""));
  return wholeOf(viewOf(archive, `${place.base}/${label}`, holds, own), { ...place, label });
}

/** The platform of a file that is an export by itself, or that lies in a folder that is one. Undefined for any other file. */
function knownAlone(found: readonly FoundGroup[]): (path: string) => string | undefined {
  return (path) => {
    const { exports: [first, ...others] = [] } = found.find(({ group }) => isIn(group, path)) ?? {};
    return first === undefined || others.length > 0 ? undefined : nameOf(first.known);
  };
}

/** The export that holds these files, and the sources beside it. */
async function keptBeside(
  archive: Archive,
  place: Place,
  holds: (path: string) => boolean,
  beside: readonly FoundExport[],
): Promise<readonly FoundExport[] | undefined> {
  const others = archive.issues.filter(({ origin }) => holds(origin?.entry ?? ""));
  const rest = viewOf(archive, nameAt(place), holds, others);
  const kept = (await exportsAt(rest, place)).map((one) =>
    one.archive === rest ? { ...one, within: restWithin(place) } : one,
  );
  if (kept.some(({ known }) => known instanceof FatalError && !isAmbiguous(known))) return undefined;
  return [...kept, ...beside];
}

/** The sources of a platform in the folder of another one. Its place is its only folder, or else its first table. */
async function guestsOf(archive: Archive, place: Place, { tables, others }: Share): Promise<readonly FoundExport[]> {
  const own = new Set([...tables, ...others]);
  const roots = new Set([...own].map((path) => path.slice(0, path.indexOf("/", wrapperOf(archive).length) + 1)));
  const [root] = roots;
  const label = roots.size === 1 && root !== "" ? root?.slice(0, -1) : tables[0];
  const issues = archive.issues.filter(({ origin }) => own.has(origin?.entry ?? ""));
  const view = viewOf(archive, `${place.base}/${label}`, (path) => own.has(path), issues);
  return exportsAt(view, { ...place, label });
}

function outside(found: readonly FoundGroup[]): (path: string) => boolean {
  return (path) => !found.some(({ group }) => isIn(group, path));
}

function isSpreadsheet({ known }: FoundExport): boolean {
  return nameOf(known) === "csv";
}

function nameAt({ base, label }: Place): string {
  return label === undefined ? base : `${base}/${label}`;
}

/** The place of an export that has all files but those of the exports beside it. */
function restWithin({ label }: Place): string {
  return label === undefined ? "." : `${label}/.`;
}

async function wholeOf(archive: Archive, { label }: Place): Promise<FoundExport> {
  return { archive, within: label, known: await identified(archive) };
}

/**
 * Whether a look at each group could find more than one export. A look at a group asks every connector whether it recognises it, so hopeless looks
 * are left out.
 */
function mayBeSeveral(known: Identified | FatalError, groups: readonly Group[]): boolean {
  if (known instanceof FatalError || known.evidence.strength === "general") return true;
  if (known.connector.inDays && groups.every(({ root }) => /(?:^|\/)\d{4}-\d{2}-\d{2}\/?$/.test(root))) return false;
  return groups.length <= FEW_GROUPS || groups.some(isZip) || haveSameFiles(groups);
}

function areSeveral(
  whole: Identified | FatalError,
  found: readonly FoundGroup[],
  rest: Identified | FatalError,
): boolean {
  const [first] = found;
  if (first === undefined) return false;
  // Read as a whole, the tables of these exports would be left.
  if (whole instanceof FatalError || whole.evidence.strength === "general") return true;
  if (found.some(({ exports }) => exports.length > 1)) return true;
  // Beside one zip, other files are no part of its export. One folder may be: tables in one, recordings beside it.
  if (found.length === 1) {
    if (rest instanceof FatalError) return false;
    const isOther =
      rest.evidence.strength === "exact" && first.exports.every(({ known }) => nameOf(known) !== nameOf(rest));
    return isZip(first.group) || isOther;
  }
  if (found.some(({ group }) => isZip(group))) return true;
  const names = new Set(found.flatMap(({ exports }) => exports.map(({ known }) => nameOf(known))));
  return names.size > 1 || haveSameFiles(found.map(({ group }) => group));
}

function nameOf(known: Identified | FatalError): string {
  return known instanceof FatalError ? "" : known.connector.name;
}

function split(
  archive: Archive,
  place: Place,
  found: readonly FoundGroup[],
  rest: { readonly holds: (path: string) => boolean; readonly known: Identified | FatalError },
): readonly FoundExport[] {
  const exports = found.flatMap((one) => one.exports);
  const others = archive.issues.filter(({ origin }) => rest.holds(origin?.entry ?? ""));
  if (!(rest.known instanceof FatalError)) {
    const own = viewOf(archive, nameAt(place), rest.holds, others);
    return [...exports, { archive: own, within: restWithin(place), known: rest.known }];
  }
  // Files and problems of no export are told of with the first one.
  const unread = unreadIssues(archive, rest.holds);
  const [first, ...more] = exports;
  if (first === undefined) return exports;
  const unclaimed = [...(first.unclaimed ?? []), viewOf(archive, nameAt(place), rest.holds)];
  return [{ ...first, archive: withIssues(first.archive, [...others, ...unread]), unclaimed }, ...more];
}

/** Names the files that belong to no export. */
export function unreadIssues(archive: Archive, holds: (path: string) => boolean = () => true): readonly Issue[] {
  const others = new OtherFiles();
  for (const { path } of archive.entries()) if (holds(path)) others.add(path);
  return others
    .issues("archive/other-files", "exports that logferry knows")
    .map(({ severity, rule, ...details }) => archiveIssue(severity, rule, archive.name, undefined, details));
}

/** Whether it is a platform's export, or an archive that two platforms claim. */
function isExport({ known }: FoundExport): boolean {
  return known instanceof FatalError ? isAmbiguous(known) : known.evidence.strength === "exact";
}

function isAmbiguous(known: Identified | FatalError): boolean {
  return known instanceof FatalError && known.code === "source/ambiguous";
}

/** Codes of an archive that no connector knows, or two. */
const UNCLEAR: readonly string[] = ["source/unknown", "source/ambiguous"];

async function identified(archive: Archive): Promise<Identified | FatalError> {
  try {
    return await identifyArchive(archive);
  } catch (error) {
    if (error instanceof FatalError && UNCLEAR.includes(error.code)) return error;
    throw error;
  }
}
