/** Asks what a column is that neither its header nor its values explain. */
import { alternatives } from "../../../../transforms/text/zod-messages.ts";
import type { Choice } from "../choices/choice.ts";
import type { RepeatedColumns } from "./group-tags.ts";
import { evidenceOf } from "./guess-evidence.ts";
import { type AssignedColumn, fieldPlace } from "./roles.ts";

/**
 * The question about a column. The likeliest answer is the first one, then those that its values speak for.
 *
 * @param repeat the columns that a new one is made of
 */
export function guess(
  column: AssignedColumn,
  columns: readonly AssignedColumn[],
  repeat: RepeatedColumns | undefined,
): Choice {
  const { role = "unsupported", name, filled } = column;
  const examples = filled.slice(0, 3).map((cell) => JSON.stringify(cell.slice(0, 20)));
  const isTaken = (one: string) => columns.some((other) => other !== column && other.role === one);
  const evidence = new Map<string, string>(
    evidenceOf(column, columns).flatMap((one) => (isTaken(one.role) ? [] : [[one.role, one.says]])),
  );
  const parts = repeat?.get(name)?.filter((part) => part !== null);
  const first = [role, ...evidence.keys()];
  const values = Object.keys(GUESSABLE);
  return {
    ...{ place: fieldPlace(column), value: role, contradicting: 0, rows: filled.length },
    why: `its cells are such as ${examples.join(", ")}`,
    question:
      parts === undefined
        ? `What is the column ${JSON.stringify(name)}?`
        : `What are the values of the columns ${alternatives(
            parts.map((part) => JSON.stringify(part)),
            "and",
          )}?`,
    options: [...new Set([...first.filter((value) => values.includes(value)), ...values])].map((value) => ({
      value,
      means: meaningOf(value, evidence.get(value)),
    })),
  };
}

/** The words behind an answer: what it means, and what speaks for it. */
function meaningOf(value: string, evidence: string | undefined): string {
  const means = GUESSABLE[value] ?? value;
  if (evidence === undefined) return means;
  return means === value ? evidence : `${means}; ${evidence}`;
}

/** Fields that a column of numbers can be. */
const GUESSABLE: Readonly<Record<string, string>> = {
  date: "date",
  distance: "distance",
  duration: "duration",
  avgHR: "average heart rate",
  maxHR: "highest heart rate",
  weight: "body weight",
  effort: "effort",
  time: "time of day",
  unsupported: "none of these: it is counted as left",
};
