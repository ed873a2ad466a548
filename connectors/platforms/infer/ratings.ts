/** Finds the scale of a column of ratings: the log has 1 to 10, and many people have 1 to 5. */
import type { Choice } from "./choice.ts";
import type { AssignedColumn } from "./roles.ts";
import { roughNumber } from "./values.ts";

/** Of so many ratings of 1 to 10, one at least is above 5. */
const ENOUGH = 15;

/** The scale as a mapping file writes it. */
const SCALES: Readonly<Record<string, string>> = { "1..5": "1..5 -> 1..10", "1..10": "1..10 -> 1..10" };

/** The scale of a column; undefined if its ratings are as the log has them. */
export function scaleOf({ name, meaning, filled }: AssignedColumn): Choice | undefined {
  const values = filled.map(roughNumber).filter((value) => !Number.isNaN(value));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const base = { place: `columns.${name}.scale`, contradicting: 0, rows: values.length };
  const said = meaning.unit?.replace("–", "-");
  if (said === "1-5" || said === "/5") return { ...base, value: SCALES["1..5"] ?? "", why: "the header says so" };
  if (said !== undefined || values.length === 0 || least < 1 || most > 5) return undefined;
  const why = `all ${values.length} ratings are from ${least} to ${most}`;
  if (values.length >= ENOUGH && most === 5) return { ...base, value: SCALES["1..5"] ?? "", why };
  return {
    ...{ ...base, value: SCALES["1..5"] ?? "", why },
    question: `What is the best rating in the column ${JSON.stringify(name)}?`,
    options: [
      { value: SCALES["1..5"] ?? "", means: "5 of 5" },
      { value: SCALES["1..10"] ?? "", means: "10 of 10" },
    ],
  };
}
