/** Turns the paths that a person named into archives with a connector each. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { absoluteSource, isAddress, withoutQuery } from "../../connectors/containers/address.ts";
import type { Archive } from "../../connectors/containers/archive.ts";
import type { OpenOptions } from "../../connectors/containers/options.ts";
import { withEntries } from "../../connectors/containers/overlay.ts";
import { sizeInWords } from "../../connectors/containers/sizes.ts";
import { withIssues } from "../../connectors/containers/view.ts";
import type { Connector } from "../../connectors/contract.ts";
import { FatalError } from "../../connectors/errors.ts";
import { MAPPING_BYTES } from "../../connectors/platforms/csv/limits.ts";
import { namedMapping } from "../../connectors/platforms/table/mapping/mapping-files.ts";
import { exportWithoutWorkouts, type Identified, identifyArchive } from "../../connectors/registry.ts";
import { defined } from "../../transforms/model/defined.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { RunSource } from "../journal/run.ts";
import { withCompanions } from "./companion-zips.ts";
import { openParts, type Place, placesOf } from "./places.ts";
import { exportsIn, type FoundExport, unreadIssues } from "./split.ts";
import { explainUnknown, withoutWorkoutsIssue } from "./unknown-source.ts";
import { apartFromWatchFiles } from "./watch-files-beside.ts";

export { WITHOUT_WORKOUTS } from "./unknown-source.ts";

/** Options for opening the sources of a command. */
export interface SourceOptions extends OpenOptions {
  /**
   * What helps when some of them can't be read and nobody typed them now, as a sentence. It gets the paths of those that can be read. Default: to type
   * the same without the others.
   */
  readonly remedy?: (readable: readonly string[]) => string;
}

/**
 * Opens and recognises every source, in the given order. The parts of a download that came as several zips become one source. An archive
 * with several exports becomes several sources. Close the result with `closeSources`.
 *
 * @param mapping path of a mapping file for the spreadsheets among them
 * @param options as for `openArchive`
 * @throws FatalError reason `source` for a source that can't be opened, that no connector knows, or that two connectors claim; of several such
 *   sources, `more` names the others
 */
export async function openSources(
  paths: readonly string[],
  mapping: string | undefined,
  { remedy, ...options }: SourceOptions = {},
): Promise<OpenedSource[]> {
  const named = mapping === undefined ? undefined : await readMapping(mapping);
  const sources: OpenedSource[] = [];
  try {
    const left: Left = { issues: [] };
    const places = withCompanions(await placesOf(paths));
    const refused: FatalError[] = [];
    const readable: string[] = [];
    for (const place of places) {
      try {
        sources.push(...(await openPlace(place, named, options, left)));
        readable.push(place.path);
      } catch (error) {
        if (!(error instanceof FatalError) || error.reason !== "source") throw error;
        if (places.length === 1 && remedy === undefined) throw error;
        refused.push(error);
      }
    }
    if (refused.length > 0) throw refusalOfAll(refused, readable.length, remedy?.(readable));
    const [first, ...others] = sources;
    if (first === undefined && left.error !== undefined) throw left.error;
    if (first !== undefined) return [{ ...first, archive: withIssues(first.archive, left.issues) }, ...others];
  } catch (error) {
    await closeSources(sources);
    throw error;
  }
  return sources;
}

/**
 * The error for all sources that can't be read, so that a person mends or leaves out all of them at once.
 *
 * @param readable the number of others
 * @param remedy what helps, where nobody typed them
 */
function refusalOfAll(refused: readonly FatalError[], readable: number, remedy: string | undefined): FatalError {
  const [first, ...others] = refused;
  if (first === undefined) throw new RangeError("no source was refused");
  const rest = readable === 1 ? "The other source can be read" : `The other ${readable} sources can be read`;
  const without = others.length === 0 ? "this one" : `these ${refused.length}`;
  const more = [
    ...first.more,
    ...others.flatMap(({ message, more: below }) => [message, ...below]),
    ...(remedy !== undefined
      ? [remedy]
      : readable === 0
        ? []
        : [`${rest}. To go on with ${readable === 1 ? "it" : "them"}, type the same without ${without}`]),
  ];
  return new FatalError(first.code, first.reason, first.message, { cause: first, more });
}

/** The versions of logferry that planned a run and that read its sources again. Runs of older versions lack it. */
export interface Versions {
  readonly planned: string | undefined;
  readonly own: string;
}

/**
 * Opens a source of a run once more. An earlier version may have read a whole folder in which this one finds several exports. Then it is the only
 * export of the same platform, or the one with the folder's loose files.
 *
 * @throws FatalError as `openSources`; `source/changed` if the archive no longer holds this export
 */
export async function openSourceAgain(
  source: RunSource,
  mapping: string | undefined,
  versions: Versions,
  options: OpenOptions,
): Promise<OpenedSource> {
  const all = await openSources([source.path, ...(source.parts ?? [])], mapping, options);
  const there = all.filter(({ path }) => absoluteSource(path) === source.path);
  const same = there.filter(({ connector }) => connector.name === source.connector);
  const wanted =
    there.find(({ within }) => within === source.within) ??
    (same.length === 1 ? same[0] : same.find(({ within }) => within === restOf(source.within)));
  await closeSources(all.filter(({ path }) => path !== wanted?.path));
  if (wanted !== undefined) return wanted;
  const why =
    versions.planned === versions.own
      ? "the exports beside it changed"
      : `${versions.planned === undefined ? "an earlier version" : `version ${versions.planned}`} of logferry planned it, and version ${versions.own} finds no such export there`;
  const message = `Cannot read ${source.name} again: ${why}. Plan the source again, with logferry import`;
  throw new FatalError("source/changed", "source", message);
}

/** The place of an export's loose files, where other exports lie in its folder. */
function restOf(within: string | undefined): string {
  return within === undefined ? "." : `${within}/.`;
}

/** Unknown files beside exports. They are told of with the first export. */
interface Left {
  readonly issues: Issue[];
  /** What the person is told if there is no export at all. */
  error?: FatalError;
}

/**
 * A mapping on the command line applies to sources that no connector knows by itself, or that are spreadsheets.
 *
 * @param left gets the unknown files of a folder with parts of a download
 */
async function openPlace(
  place: Place,
  mapping: NamedMapping | undefined,
  options: OpenOptions,
  left: Left,
): Promise<OpenedSource[]> {
  const archive = await openParts(place, options);
  try {
    const sources: OpenedSource[] = [];
    for (const one of await foundIn(archive)) {
      const { archive: own, within, known } = one;
      const isForMapping = mapping !== undefined && (known instanceof FatalError || isMappable(known));
      if (isForMapping) {
        const mapped = withEntries(own, { [namedMapping(mapping.name)]: mapping.content });
        const parts = await apartFromWatchFiles({ ...one, archive: mapped, known: await identifyArchive(mapped) });
        for (const part of parts)
          if (!(part.known instanceof FatalError))
            sources.push({
              ...opened(place, part, part.archive, part.known, await sizeOf(place, part.archive, part.within)),
              mapping: mapping.path,
            });
      } else if (known instanceof FatalError && known.code === "source/unknown" && isOfFolder(place)) {
        left.issues.push(...unreadIssues(own));
        if (place.isFound) left.error ??= await explainUnknown(known, own);
      } else if (known instanceof FatalError) throw await explainUnknown(known, own);
      else sources.push(opened(place, one, own, known, await sizeOf(place, own, within)));
    }
    if (sources.length === 0) await archive.close();
    return sources;
  } catch (error) {
    await archive.close();
    throw error;
  }
}

/** The exports in an archive. Watch files beside a spreadsheet are one of them. */
async function foundIn(archive: Archive): Promise<readonly FoundExport[]> {
  const found: FoundExport[] = [];
  for (const one of await exportsIn(archive)) found.push(...(await apartFromWatchFiles(one)));
  return found;
}

/** Whether it is a part of a folder that a person named. Of a folder, only a part needs to be an export. */
function isOfFolder({ without, isFound }: Place): boolean {
  return without.length > 0 || isFound === true;
}

function opened(
  { path, parts }: Place,
  { within, unclaimed }: FoundExport,
  found: Archive,
  { connector, evidence }: Identified,
  sizeBytes: number,
): OpenedSource {
  const more = { ...(parts.length > 0 && { parts }), ...defined({ within, unclaimed }) };
  const { language, strength } = evidence;
  const rest = strength === "general" && connector.recordings === true ? exportWithoutWorkouts(found) : undefined;
  const archive = rest === undefined ? found : withIssues(found, [withoutWorkoutsIssue(rest)]);
  const saw = `${evidence.saw}${rest === undefined ? "" : `; a ${rest.connector.title} without its table of workouts`}`;
  return { path, ...more, archive, connector, saw, ...(language !== undefined && { language }), sizeBytes };
}

/** The size of a file with its parts, or of all files of a folder or an export. It helps a person to distinguish two exports. */
async function sizeOf({ path, parts }: Place, archive: Archive, within: string | undefined): Promise<number> {
  let bytes = 0;
  if (within === undefined && !isAddress(path) && (await stat(path)).isFile()) {
    for (const part of [path, ...parts]) bytes += (await stat(part)).size;
    return bytes;
  }
  for (const { sizeBytes } of archive.entries()) bytes += sizeBytes ?? 0;
  return bytes;
}

function isMappable({ connector, evidence }: Identified): boolean {
  return connector.name === "csv" || evidence.byContent === true;
}

/** Closes the archives of sources. */
export async function closeSources(sources: readonly OpenedSource[]): Promise<void> {
  for (const { archive } of sources) await archive.close();
}

/** A mapping file at any path. */
interface NamedMapping {
  /** Absolute. */
  readonly path: string;
  readonly name: string;
  readonly content: Uint8Array;
}

async function readMapping(path: string): Promise<NamedMapping> {
  try {
    // One byte above the limit proves that the file is too long. A pipe has no size to ask for.
    const chunks: Uint8Array[] = [];
    for await (const chunk of createReadStream(path, { end: MAPPING_BYTES })) chunks.push(chunk);
    const content = Buffer.concat(chunks);
    if (content.length > MAPPING_BYTES) {
      const state = `it is longer than ${sizeInWords(MAPPING_BYTES)}, so it is no mapping file`;
      throw new FatalError("source/no-mapping", "source", `Cannot read ${withoutQuery(path)}: ${state}`);
    }
    return { path: resolve(path), name: basename(path), content };
  } catch (error) {
    if (error instanceof FatalError) throw error;
    const message = `Cannot read the mapping file ${withoutQuery(path)}: there is no such file`;
    throw new FatalError("source/no-mapping", "source", message, { cause: error });
  }
}

/** An opened and recognised source. */
export interface OpenedSource {
  /** The path as the person gave it. */
  readonly path: string;
  /** The other parts of a download that came as several zips. */
  readonly parts?: readonly string[];
  /** The place of the export in the archive, if the archive holds several: `export_2024.zip`. */
  readonly within?: string;
  readonly archive: Archive;
  /** Files beside it that belong to no export. Closing the archive closes them. */
  readonly unclaimed?: readonly Archive[];
  readonly connector: Connector;
  readonly saw: string;
  /** The language of its headers, by its English name, where it isn't English. */
  readonly language?: string;
  /** The size of the file, or of all files of the folder. */
  readonly sizeBytes?: number;
  /** Absolute path of the mapping file that the person named for it. */
  readonly mapping?: string;
}
