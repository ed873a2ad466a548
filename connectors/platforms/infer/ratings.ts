/** Finds the scale of a column of ratings: the log has 1 to 10, and many people have 1 to 5. */
import type { Choice } from "./choice.ts";
import type { AssignedColumn } from "./roles.ts";
import { roughNumber } from "./values.ts";

/** Of so many ratings of 1 to 10, one at least is above 5. */
const ENOUGH = 15;

/** The scale as a mapping file writes it. */
const scaleTo = (best: number) => `1..${best} -> 1..10`;

/** The best ratings of scales that people use, besides 10. */
const BEST = [5, 6, 7];

/** The scale of a column; undefined if its ratings are as the log has them. */
export function scaleOf({ name, meaning, filled }: AssignedColumn): Choice | undefined {
  const values = filled.map(roughNumber).filter((value) => !Number.isNaN(value));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const base = { place: `columns.${name}.scale`, contradicting: 0, rows: values.length };
  const said = meaning.unit?.replace("–", "-");
  if (said === "1-5" || said === "/5") return { ...base, value: scaleTo(5), why: "the header says so" };
  const best = BEST.find((one) => most <= one);
  if (said !== undefined || values.length === 0 || least < 1 || best === undefined) return undefined;
  const why = `all ${values.length} ratings are from ${least} to ${most}`;
  if (values.length >= ENOUGH && most === 5) return { ...base, value: scaleTo(5), why };
  return {
    ...{ ...base, value: scaleTo(best), why },
    question: `What is the best rating in the column ${JSON.stringify(name)}?`,
    options: [
      { value: scaleTo(best), means: `${best} of ${best}` },
      { value: scaleTo(10), means: "10 of 10" },
    ],
  };
}
