/** Turns the paths that a person named into archives with a connector each. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { Archive } from "../../connectors/containers/archive.ts";
import { openArchive } from "../../connectors/containers/open.ts";
import type { Limits } from "../../connectors/containers/options.ts";
import { withEntries } from "../../connectors/containers/overlay.ts";
import { sizeInWords } from "../../connectors/containers/sizes.ts";
import type { Connector } from "../../connectors/contract.ts";
import { FatalError } from "../../connectors/errors.ts";
import { namedMapping } from "../../connectors/platforms/csv/find-mapping.ts";
import { MAPPING_BYTES } from "../../connectors/platforms/csv/limits.ts";
import { identifyArchive } from "../../connectors/registry.ts";

/**
 * Opens and recognises every source, in the given order. Close the result with `closeSources`.
 *
 * @param mapping path of a mapping file for the spreadsheets among them
 * @param limits caps of archives that differ from the usual ones
 * @throws FatalError reason `source` for a source that can't be opened, that no connector knows, or that two connectors claim
 */
export async function openSources(
  paths: readonly string[],
  mapping: string | undefined,
  limits: Partial<Limits> = {},
): Promise<OpenedSource[]> {
  const named = mapping === undefined ? undefined : await readMapping(mapping);
  const sources: OpenedSource[] = [];
  try {
    for (const path of paths) sources.push(await openSource(path, named, limits));
  } catch (error) {
    await closeSources(sources);
    throw error;
  }
  return sources;
}

/** A mapping on the command line applies to sources that no connector knows by itself, or that are spreadsheets. */
async function openSource(
  path: string,
  mapping: NamedMapping | undefined,
  limits: Partial<Limits>,
): Promise<OpenedSource> {
  const archive = await openArchive(path, { limits });
  try {
    const known = await identifyArchive(archive).catch((error: unknown) => error);
    const isForMapping = mapping !== undefined && (known instanceof FatalError || isMappable(known));
    const sizeBytes = await sizeOf(path, archive);
    if (!isForMapping) return opened(path, archive, known, sizeBytes);
    const mapped = withEntries(archive, { [namedMapping(mapping.name)]: mapping.content });
    return { ...opened(path, mapped, await identifyArchive(mapped), sizeBytes), mapping: mapping.path };
  } catch (error) {
    await archive.close();
    throw error;
  }
}

function opened(path: string, archive: Archive, known: unknown, sizeBytes: number): OpenedSource {
  if (!isIdentified(known)) throw known;
  return { path, archive, connector: known.connector, saw: known.evidence.saw, sizeBytes };
}

/** The size of a file, or of all files of a folder together. It helps a person to distinguish two exports. */
async function sizeOf(path: string, archive: Archive): Promise<number> {
  const stats = await stat(path);
  if (stats.isFile()) return stats.size;
  let bytes = 0;
  for (const { sizeBytes } of archive.entries()) bytes += sizeBytes ?? 0;
  return bytes;
}

function isIdentified(known: unknown): known is Awaited<ReturnType<typeof identifyArchive>> {
  return typeof known === "object" && known !== null && "connector" in known;
}

function isMappable(known: unknown): boolean {
  return isIdentified(known) && (known.connector.name === "csv" || known.evidence.byContent === true);
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
      throw new FatalError("source/no-mapping", "source", `Cannot read ${path}: ${state}`);
    }
    return { path: resolve(path), name: basename(path), content };
  } catch (error) {
    if (error instanceof FatalError) throw error;
    throw new FatalError("source/no-mapping", "source", `Cannot read the mapping file ${path}: there is no such file`, {
      cause: error,
    });
  }
}

/** An opened and recognised source. */
export interface OpenedSource {
  /** The path as the person gave it. */
  readonly path: string;
  readonly archive: Archive;
  readonly connector: Connector;
  readonly saw: string;
  /** The size of the file, or of all files of the folder. */
  readonly sizeBytes?: number;
  /** Absolute path of the mapping file that the person named for it. */
  readonly mapping?: string;
}
