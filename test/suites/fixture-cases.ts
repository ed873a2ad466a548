/**
 * The cases of connectors: `fixtures/<connector>/<case>/`. Each has `archive/` (a folder as a user has it, or one zip in it), `WHY.md`, and
 * `expected.jsonl`, the expected result.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Archive } from "../../connectors/containers/archive.ts";
import { openArchive } from "../../connectors/containers/open.ts";
import type { Connector, ReadContext } from "../../connectors/contract.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { Reading } from "../../transforms/model/item.ts";
import { canonicalJson } from "../../transforms/text/canonical.ts";

const FIXTURES = join(import.meta.dirname, "..", "..", "fixtures");

/** One case of a connector. */
export interface Case {
  readonly connector: string;
  readonly name: string;
  readonly folder: string;
}

/** Every folder of fixtures that has cases, even without a connector of that name. */
export function fixtureCases(): readonly Case[] {
  return folders(FIXTURES).flatMap((connector) =>
    folders(join(FIXTURES, connector))
      .map((name) => ({ connector, name, folder: join(FIXTURES, connector, name) }))
      .filter(({ folder }) => existsSync(join(folder, "archive"))),
  );
}

/** Opens a case as a person would: the folder, or the one zip that lies in it. Close it. */
export function openCase({ folder }: Case): Promise<Archive> {
  const archive = join(folder, "archive");
  const [only, ...others] = readdirSync(archive);
  return openArchive(only?.endsWith(".zip") && others.length === 0 ? join(archive, only) : archive);
}

/** The path of a case's expectation. */
export function expectedPath({ folder }: Case): string {
  return join(folder, "expected.jsonl");
}

/** The lines of a case's expectation; undefined when there is none yet. */
export function expectedLines(each: Case): readonly string[] | undefined {
  if (!existsSync(expectedPath(each))) return undefined;
  return readFileSync(expectedPath(each), "utf8").trimEnd().split("\n");
}

/** Everything one reading gave. */
export interface Outcome {
  readonly readings: readonly Reading[];
  readonly issues: readonly Issue[];
}

/** Reads an archive to its end. */
export async function readAll(
  connector: Connector,
  archive: Archive,
  context: Partial<ReadContext> = {},
): Promise<Outcome> {
  const readings: Reading[] = [];
  const issues: Issue[] = [];
  const whole: ReadContext = {
    signal: new AbortController().signal,
    report: (issue) => issues.push(issue),
    sports: new Map(),
    ...context,
  };
  for await (const reading of connector.read(archive, whole)) readings.push(reading);
  return { readings, issues };
}

/** An outcome as the lines of `expected.jsonl`: every record in its order, then every issue. Members are sorted. */
export function linesOf({ readings, issues }: Outcome): readonly string[] {
  return [...readings.map(canonicalJson), ...issues.map((issue) => canonicalJson({ kind: "issue", ...issue }))];
}

function folders(path: string): string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}
