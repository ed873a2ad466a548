/** What is decided or asked about the unit of the distances. */
import type { Answers, Choice } from "../choices/choice.ts";
import type { AssignedColumn } from "../columns/roles.ts";
import type { Reading } from "../columns/score.ts";
import type { chooseMeasures } from "../units/measures.ts";
import { type RateTask, unrelatedRates } from "../units/rates.ts";
import { sayingWhere } from "../units/unit-in-names.ts";
import { forEachPart } from "./added-parts.ts";
import { answered } from "./answers.ts";

/** The choices about the unit of the distance, and the paces that contradict it: one unit for all rows, one a sport or a part, or a column that says it. */
export function unitChoices(
  measures: ReturnType<typeof chooseMeasures>,
  distance: AssignedColumn | undefined,
  answers: Answers,
  table: Pick<RateTask, "rows" | "columns">,
): readonly (Choice | undefined)[] {
  const { name, unitColumn: value, filled = [] } = distance ?? {};
  const { bySport } = measures;
  const unit = sayingWhere(measures.unit, distance);
  const rates = distance === undefined ? [] : unrelatedRates({ ...table, ...unitsIn(measures, distance, answers) });
  if (value === undefined) return [unit, ...bySport, ...forEachPart([unit, ...bySport], distance, answers), ...rates];
  const why = `the cells of the column ${JSON.stringify(value)} are units of length`;
  return [{ place: `columns.${name}.unitColumn`, value, why, contradicting: 0, rows: filled.length }, ...rates];
}

/** The reading of a table with the unit of each sport, as a person answered. */
function unitsIn(
  { reading, unit, bySport }: ReturnType<typeof chooseMeasures>,
  distance: AssignedColumn,
  answers: Answers,
): Pick<RateTask, "reading" | "unitOf"> {
  const prefix = `columns.${distance.name}.unit.`;
  const own = new Map(bySport.map((one) => [one.place.slice(prefix.length), answered(one, answers).value]));
  const all = unit === undefined ? reading.unit : answered(unit, answers).value;
  return { reading, unitOf: ({ activity }) => (own.get(activity ?? "") ?? all) as Reading["unit"] };
}
