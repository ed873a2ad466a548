/** The connectors there are, and which of them an archive belongs to. */
import { describeIssue } from "../transforms/model/issue.ts";
import { printable } from "../transforms/text/printable.ts";
import type { Archive, Entry } from "./containers/archive.ts";
import { ArchiveError } from "./containers/archive-error.ts";
import type { Connector, SourceMatch } from "./contract.ts";
import { FatalError } from "./errors.ts";
import * as archives from "./platforms/index.ts";

/** Every connector, by name. */
export const CONNECTORS: readonly Connector[] = Object.values<Connector>(archives).sort((a, b) =>
  a.name < b.name ? -1 : 1,
);

/** The connector of a name, as a person types it. */
export function connectorNamed(name: string): Connector | undefined {
  return CONNECTORS.find((connector) => connector.name === name);
}

/** A connector and why it believes an archive is its own. */
export interface Identified {
  readonly connector: Connector;
  readonly evidence: SourceMatch;
}

/** Two connectors or more know an archive equally well. */
export class AmbiguousSource extends FatalError {
  readonly claims: readonly Identified[];

  constructor(claims: readonly Identified[], message: string) {
    super("source/ambiguous", "source", message);
    this.claims = claims;
  }
}

/** An export whose workouts are missing: an archive has the files that a platform exports beside them. */
export interface WithoutWorkouts {
  readonly connector: Connector;
  /** Some of these files, by name. */
  readonly names: readonly string[];
}

/** So many kinds of its own files show a platform. */
const TRACES = 3;

/** So many files are looked at. The files beside the workouts come early, or are the only ones. */
const LOOKED_AT = 2000;

/**
 * Whether an archive that no platform knows for its own holds the rest of an export. Names that two platforms have are no evidence.
 *
 * @returns the platform with most kinds of its own files, three at least; undefined if there is none, or if two have as many
 */
export function exportWithoutWorkouts(archive: Archive): WithoutWorkouts | undefined {
  const found = new Map<Connector, Map<string, string>>();
  let looked = 0;
  for (const { path } of archive.entries()) {
    if (looked++ === LOOKED_AT) break;
    const traces = CONNECTORS.flatMap((connector) => {
      const kind = connector.traceOf?.(path);
      return kind === undefined ? [] : [{ connector, kind }];
    });
    const [only, other] = traces;
    if (only === undefined || other !== undefined) continue;
    found.set(only.connector, (found.get(only.connector) ?? new Map()).set(only.kind, path));
  }
  const [first, second] = [...found].toSorted(([, a], [, b]) => b.size - a.size);
  if (first === undefined || first[1].size < TRACES || first[1].size === second?.[1].size) return undefined;
  return { connector: first[0], names: [...first[1].values()] };
}

/** The platform that exports a file of this name beside its workouts; undefined if none does, or several do. */
export function platformBeside(path: string): Connector | undefined {
  const [only, ...others] = CONNECTORS.filter((connector) => connector.traceOf?.(path) !== undefined);
  return others.length === 0 ? only : undefined;
}

/**
 * Asks every connector. One that knows the archive exactly beats those that could read it.
 *
 * @throws FatalError with reason `source`: `source/unknown` when none knows it; AmbiguousSource when two know it equally well;
 *   the message names what was seen and what to do
 */
export async function identifyArchive(
  archive: Archive,
  connectors: readonly Connector[] = CONNECTORS,
): Promise<Identified> {
  const claims: Identified[] = [];
  for (const connector of connectors) {
    const evidence = await connector.identify(archive);
    if (evidence !== undefined) claims.push({ connector, evidence });
  }
  const exact = claims.filter(({ evidence }) => evidence.strength === "exact");
  const best = exact.length > 0 ? exact : claims;
  const [first, second] = best;
  const name = printable(archive.name);
  if (first === undefined) {
    const refused = archive.issues.filter(({ severity }) => severity === "error");
    throw new FatalError(
      "source/unknown",
      "source",
      `Cannot tell what ${name} is: it is no export of the ${connectors.length} kinds that logferry reads (docs/platforms.md), and no device file${mappingAdvice(archive)}${await listAdvice(archive)}${
        refused[0] === undefined ? "" : `. ${refused.length} of its entries were refused: ${describeIssue(refused[0])}`
      }`,
    );
  }
  if (second !== undefined) {
    const both = [first, second].map(({ connector, evidence }) => `${connector.name} (${evidence.saw})`).join(" and ");
    throw new AmbiguousSource(
      best,
      `Cannot tell what ${name} is: both ${both} know it; leave one of the two out of it`,
    );
  }
  return first;
}

/** Whether a file is JSON by its name. No mapping file can describe such a file. */
export function isJson(path: string): boolean {
  return /\.json$/i.test(path);
}

function mappingAdvice(archive: Archive): string {
  return [...archive.entries()].every(({ path }) => isJson(path))
    ? ""
    : ". A spreadsheet needs a mapping file, beside it or named with --map: logferry map infer proposes one";
}

/** A first row after the header that begins with the number of an activity. Other platforms name their list so too, and begin with something else. */
const BEGINS_WITH_NUMBER = /^[^\n]*\n"?\d{5,20}"?[,;\t]/;

/** What a person can do about a list with the name of Strava's, whose header is in none of the languages that logferry knows; "" without one. */
async function listAdvice(archive: Archive): Promise<string> {
  const list = [...archive.entries()].find(({ path }) => /(?:^|\/)activities\.csv$/i.test(path));
  if (list === undefined || !BEGINS_WITH_NUMBER.test(await beginningOf(archive, list))) return "";
  return ". Its activities.csv may be Strava's list in a language that logferry doesn't know: unpack it, and let map infer propose a mapping file for it";
}

/** The first characters of a file; none if it can't be unpacked. Letters beside ASCII don't count here. */
async function beginningOf(archive: Archive, entry: Entry): Promise<string> {
  try {
    for await (const chunk of archive.stream(entry))
      return new TextDecoder("latin1").decode(chunk.subarray(0, 64 * 1024));
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
  }
  return "";
}
