/** What is written about an archive without its values: how it is built, which connector knows it, and which rules its records broke. */
import { nameOfSource } from "../../connectors/containers/address.ts";
import type { Archive } from "../../connectors/containers/archive.ts";
import { openArchive } from "../../connectors/containers/open.ts";
import type { OpenOptions } from "../../connectors/containers/options.ts";
import type { ReadContext } from "../../connectors/contract.ts";
import { FatalError } from "../../connectors/errors.ts";
import { type Identified, identifyArchive } from "../../connectors/registry.ts";
import { shapeOfPath } from "../../transforms/text/shape.ts";
import { inspectSource } from "../sources/inspect.ts";
import { type ArchiveStructure, describeArchive } from "./structure.ts";

/** An archive without its values. */
export interface StructureReport extends ArchiveStructure {
  /** The connector that knows it. */
  readonly recognised: readonly string[];
  /** The rule by which it can't be opened, recognised or read to its end. */
  readonly problem?: string;
  /** Records that were read and rules that they broke. */
  readonly records?: { readonly read: number; readonly skipped: number; readonly quarantined: number };
  readonly findings: readonly { readonly rule: string; readonly count: number }[];
}

/** What the work is done with. */
export interface StructureContext extends Pick<ReadContext, "signal" | "sports"> {
  readonly open: OpenOptions;
  readonly onProgress: (done: number) => void;
}

/**
 * Describes what a person named. An archive that is damaged is described as that.
 *
 * @throws FatalError `archive/not-found`, where nothing is at that path
 */
export async function reportStructure(path: string, context: StructureContext): Promise<StructureReport> {
  let archive: Archive;
  try {
    archive = await openArchive(path, context.open);
  } catch (error) {
    if (!(error instanceof FatalError) || error.code === "archive/not-found") throw error;
    return unopened(path, error.code);
  }
  try {
    const structure = await describeArchive(archive, context.signal, context.onProgress);
    return { ...structure, ...(await readOnce(path, archive, context)) };
  } finally {
    await archive.close();
  }
}

function unopened(path: string, problem: string): StructureReport {
  const nothing = { files: 0, bytes: 0, groups: [], otherFiles: 0, structures: [], refused: {} };
  return { archive: shapeOfPath(nameOfSource(path)), ...nothing, recognised: [], problem, findings: [] };
}

type Reading = Pick<StructureReport, "recognised" | "problem" | "records" | "findings">;

/** Reads the archive as `inspect` does, and keeps numbers and rules alone. */
async function readOnce(path: string, archive: Archive, context: StructureContext): Promise<Reading> {
  let known: Identified | undefined;
  try {
    known = await identifyArchive(archive);
    const source = { path, archive, connector: known.connector, saw: known.evidence.saw };
    const { read, skipped, quarantined, issues } = await inspectSource(source, context, () => undefined);
    const findings = issues.map(({ rule, count }) => ({ rule, count }));
    return { recognised: [known.connector.name], records: { read, skipped, quarantined }, findings };
  } catch (error) {
    if (!(error instanceof FatalError)) throw error;
    return { recognised: known === undefined ? [] : [known.connector.name], problem: error.code, findings: [] };
  }
}
