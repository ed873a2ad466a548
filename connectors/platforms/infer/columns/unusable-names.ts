/** Finds columns whose header no mapping file may name. */
import type { NoProposal } from "../choices/no-proposal.ts";
import type { AssignedColumn } from "./roles.ts";

/** Headers that no mapping file may name. Each plan reports such a column as one without a line in it. */
export const NO_KEYS: ReadonlySet<string> = new Set(["__proto__"]);

/** Why a table waits in which a person would be asked about such a column; undefined for any other. */
export function withoutUsableName(columns: readonly AssignedColumn[]): NoProposal | undefined {
  const column = columns.find(
    ({ name, filled, isGuess, asked }) => NO_KEYS.has(name) && filled.length > 0 && (isGuess || asked !== undefined),
  );
  if (column === undefined) return undefined;
  return {
    problem: `a column is called ${JSON.stringify(column.name)}, which no mapping file can name`,
    next: "Give it another name in the table, and propose again",
  };
}
