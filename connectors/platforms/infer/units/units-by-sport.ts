/** Finds sports whose distances have a unit of their own: swims in metres among runs in kilometres. */
import type { Activity } from "../../../../transforms/activities.ts";
import { UNITS, type UnitOf } from "../../../../transforms/units.ts";
import type { Choice } from "../choices/choice.ts";
import type { AssignedColumn } from "../columns/roles.ts";
import { impossibleShare, type Reading, type SpeedRow, score, usualShare } from "../columns/score.ts";
import { betweenSystems, PAIRS } from "./between-systems.ts";
import type { Sign } from "./evidence.ts";

/** The rows of the sport that has most distances, and those of the others. */
export interface RowsBySport {
  readonly main: readonly SpeedRow[];
  readonly others: ReadonlyMap<Activity | undefined, readonly SpeedRow[]>;
}

/** Splits rows by their sport. In a table without distances, the times of all sports are written alike. */
export function bySport(rows: readonly SpeedRow[]): RowsBySport {
  const measured = (some: readonly SpeedRow[]) => some.filter(({ distance = "" }) => distance !== "").length;
  if (measured(rows) === 0) return { main: rows, others: new Map() };
  const groups = Map.groupBy(rows, ({ activity }) => activity);
  const [most, ...less] = [...groups].toSorted((a, b) => measured(b[1]) - measured(a[1]));
  return { main: most?.[1] ?? [], others: new Map(less) };
}

/** Fewer rows show nothing. */
const LEAST_ROWS = 2;

/** The question for a unit in a table with several sports: each may have its own, which the question has no answer for. */
export function sayingBySport(choice: Choice, { others }: RowsBySport): Choice {
  const [sport] = [...others].flatMap(([activity, rows]) =>
    activity === undefined || rows.length < LEAST_ROWS ? [] : [activity],
  );
  if (choice.options === undefined || sport === undefined) return choice;
  const [unit = "mi", other = "km"] = [choice.value, ...choice.options.map(({ value }) => value)].filter(
    (one, at, all) => all.indexOf(one) === at,
  );
  const words = `unit: { ${sport}: ${other}, default: ${unit} }`;
  return {
    ...choice,
    why: `${choice.why}. If a sport has a unit of its own, write it into the mapping file, as ${words}`,
  };
}

/** The unit of length that the header of a sport says, by its sport. */
export type SaidUnits = ReadonlyMap<string, UnitOf<"distance">>;

/**
 * The sports whose rows are no workouts in the column's unit, and are in another one.
 *
 * @param signs what speaks for metric or imperial units in the whole table
 * @param said the units of sports whose distances have a header of their own
 */
export function unitsBySport(
  { name }: AssignedColumn,
  { others }: RowsBySport,
  { reading, signs }: { readonly reading: Reading; readonly signs: readonly Sign[] },
  said: SaidUnits,
): readonly Choice[] {
  const isImperial = reading.unit === "mi" || reading.unit === "yd";
  return [...others].flatMap(([activity, rows]) => {
    if (activity === undefined) return [];
    const unit = said.get(activity);
    const place = `columns.${name}.unit.${activity}`;
    if (unit === reading.unit) return [];
    if (unit !== undefined)
      return [{ place, value: unit, why: "the header says so", contradicting: 0, rows: rows.length }];
    const own = score(rows, reading);
    if (own.measured < LEAST_ROWS || impossibleShare(own) < 0.3) return [];
    const fitting = UNITS.distance
      .map(({ unit }) => score(rows, { ...reading, unit }))
      .filter((one) => impossibleShare(one) <= 0.1 && usualShare(one) >= 0.5);
    const why = `as ${reading.unit} ${own.impossible} of ${own.rows} rows can't be true (${own.example ?? ""})`;
    const chosen = (value: UnitOf<"distance">, because = why): Choice => ({
      ...{ place, value, why: because, contradicting: 0, rows: own.measured },
    });
    const of = (unit: UnitOf<"distance">) => fitting.find((one) => one.reading.unit === unit);
    const [km, mi] = [of("km"), of("mi")];
    // Beside a pool's metres and yards, the runs and rides have one of these.
    if (km !== undefined && mi !== undefined && (reading.unit === "m" || reading.unit === "yd")) {
      const scoreOf = (unit: UnitOf<"distance">) => (unit === "km" ? km : mi);
      const pool: Sign = { weight: reading.unit === "m" ? -1 : 3, says: `the column has ${reading.unit}` };
      const choice = (unit: UnitOf<"distance">, signsSay: string) => chosen(unit, `${why}; ${signsSay}`);
      const found = betweenSystems(PAIRS[0], scoreOf, [...signs, pool], choice);
      return [found.question === undefined ? found : { ...found, question: unitQuestion(activity) }];
    }
    const [first, ...more] = fitting
      .map((one): UnitOf<"distance"> => one.reading.unit)
      .toSorted((a, b) => Number(b === (isImperial ? "yd" : "m")) - Number(a === (isImperial ? "yd" : "m")));
    if (first === undefined) return [];
    const choice = chosen(first);
    // A pool of yards can't be told from one of metres. Where people run in kilometres, pools have metres.
    if (more.length === 0 || !isImperial) return [choice];
    const options = [first, ...more].map((value) => ({ value, means: value }));
    return [{ ...choice, question: unitQuestion(activity), options }];
  });
}

const unitQuestion = (activity: Activity) => `In which unit are the distances of the sport ${activity}?`;
