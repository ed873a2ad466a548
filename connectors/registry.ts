/** The connectors there are, and which of them an archive belongs to. */
import { describeIssue } from "../transforms/model/issue.ts";
import { printable } from "../transforms/text/printable.ts";
import type { Archive } from "./containers/archive.ts";
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
      `Cannot tell what ${name} is: it is no export of the ${connectors.length} kinds that logferry reads (docs/platforms.md), and no device file. A spreadsheet needs a mapping file, beside it or named with --map: logferry map infer proposes one${
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
