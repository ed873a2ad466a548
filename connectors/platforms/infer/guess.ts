/** Asks what a column is that neither its header nor its values explain. */
import type { Choice } from "./choice.ts";
import { type AssignedColumn, fieldPlace } from "./roles.ts";

/** The question about a column. */
export function guess(column: AssignedColumn): Choice {
  const { role = "unsupported", name, filled } = column;
  const examples = filled.slice(0, 3).map((cell) => JSON.stringify(cell.slice(0, 20)));
  return {
    ...{ place: fieldPlace(column), value: role, contradicting: 0, rows: filled.length },
    why: `its cells are such as ${examples.join(", ")}`,
    question: `What is the column ${JSON.stringify(name)}?`,
    options: Object.entries(GUESSABLE).map(([value, means]) => ({ value, means })),
  };
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
