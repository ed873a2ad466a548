/**
 * Finds values that are of all workouts of a row together, such as the hours of a day beside the kilometres of each sport. Given to each workout they
 * would be counted several times, and no workout has them.
 */
import type { Choice } from "../choices/choice.ts";
import type { RepeatedColumns, TagKind } from "../columns/group-tags.ts";
import { type ColumnSample, fits } from "../sample/column.ts";
import type { SheetSample } from "../sample/sample.ts";
import type { Role } from "../words/header-words.ts";
import { isNothing, isZero } from "../words/values.ts";

/** What each workout has for itself. The weather, the weight and the notes of a day are of each of its workouts. */
export const OF_ONE: readonly Role[] = [
  ...(["distance", "duration", "hours", "minutes", "seconds", "time", "pace", "speed"] as const),
  ...(["avgHR", "maxHR", "elevation", "calories", "cadence", "power", "steps"] as const),
];

/**
 * Nobody swims in the shoes of a run. Two runs of a day may well be in the same shoes. The place and the effort of a triathlon are those of the whole: its swim
 * may have been the 5th of all, and its run the 40th.
 */
const OF_ONE_SPORT: readonly Role[] = [...OF_ONE, "equipment", "fieldPlacement", "effort"];

/**
 * The columns outside the groups that measure something of one workout.
 *
 * @param grouped the columns of the groups
 * @param beside columns that are left because they sum up others, and what the groups are
 */
export function sharedBeside(
  columns: readonly ColumnSample[],
  grouped: ReadonlySet<string | null>,
  { sums, kind }: { readonly sums: SheetSample["sums"]; readonly kind: TagKind },
): readonly ColumnSample[] {
  const ofOne = kind === "sport" ? OF_ONE_SPORT : OF_ONE;
  return columns.filter(
    (column) =>
      !grouped.has(column.name) &&
      sums.get(column.name) !== "sure" &&
      column.filled.length > 0 &&
      (column.meaning.purpose === undefined || column.meaning.purpose === "actual") &&
      ofOne.some((role) => column.meaning.roles.includes(role) && fits(role, column)),
  );
}

/** Makes a check for rows with a value in more than one group. */
function hasSeveral(header: readonly string[], repeat: RepeatedColumns): (fields: readonly string[]) => boolean {
  const lists = [...repeat.values()].map((names) => names.map((name) => (name === null ? -1 : header.indexOf(name))));
  const groups = [...(lists[0]?.keys() ?? [])].map((at) => lists.map((indexes) => indexes[at] ?? -1));
  const isValue = (cell: string) => !isNothing(cell) && !isZero(cell);
  return (fields) =>
    groups.filter((indexes) => indexes.some((index) => isValue((fields[index] ?? "").trim()))).length > 1;
}

/** The rows without the values that `layout.shared` leaves out. */
export function withoutShared(
  sample: SheetSample,
  repeat: RepeatedColumns,
  shared: readonly ColumnSample[],
): SheetSample {
  if (shared.length === 0) return sample;
  const left = new Set(shared.map(({ index }) => index));
  const isSeveral = hasSeveral(sample.header, repeat);
  const rows = sample.rows.map((row) =>
    isSeveral(row.fields) ? { ...row, fields: row.fields.map((cell, index) => (left.has(index) ? "" : cell)) } : row,
  );
  return { ...sample, rows };
}

/** The evidence for `layout.shared`; none if nothing is shared. */
export function sharedChoice(
  { header, rows }: SheetSample,
  repeat: RepeatedColumns,
  shared: readonly ColumnSample[],
): readonly Choice[] {
  if (shared.length === 0) return [];
  const count = rows.filter(({ fields }) => hasSeveral(header, repeat)(fields)).length;
  const value = shared.map(({ name }) => name).join(", ");
  const why =
    count === 0
      ? "the column has one value a row, and no row has several workouts, so each workout has it"
      : `${count} of ${rows.length} rows have several workouts and one value for all of them, so none of these workouts has it`;
  return [{ ...{ place: "layout.shared", value, why }, contradicting: 0, rows: rows.length }];
}
