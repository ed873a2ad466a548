/** Finds the column that is the whole of a workout, where others are its parts: `Total` beside `WU`, `Main` and `CD`. */
import type { Choice } from "../choices/choice.ts";
import { taggedColumn } from "../columns/group-tags.ts";
import { isMain } from "../columns/main-part.ts";
import { type ColumnSample, fits } from "../sample/column.ts";
import { lengthUnit, type Role } from "../words/header-words.ts";
import { isNumber } from "../words/values.ts";
import { rowSum } from "./row-sums.ts";

/** A workout has at most so many parts of its own. */
const MOST_PARTS = 8;

/** What parts and their sum can be. The sum of heart rates is nothing. */
const SUMMED: readonly Role[] = ["distance", "duration", "minutes", "time", "total"];

/** The columns of a table in which one is the whole of others, and the evidence. */
export interface RowTotals {
  readonly columns: readonly ColumnSample[];
  readonly choices: readonly Choice[];
}

/** Takes the sum for the distance or the duration, and its parts for values that the log has no field for. */
export function withRowTotals(columns: readonly ColumnSample[]): RowTotals {
  for (const sum of columns.filter(canAddUp)) {
    const parts = runs(columns, sum).find((some) => rowSum(sum, some) !== undefined);
    if (parts === undefined) continue;
    const whole = wholeOf(sum, parts, columns);
    if (whole === undefined) continue;
    const { role, isLikely } = whole;
    const why = rowSum(sum, parts) ?? "";
    const place = `columns.${sum.name}.field`;
    return {
      columns: columns.map((column) => {
        if (column === sum)
          return {
            ...column,
            ...(isLikely && { isLikely }),
            meaning: { ...column.meaning, ...unitOf([column, ...parts]), roles: [role], purpose: "actual" },
          };
        if (!parts.includes(column)) return column;
        return { ...column, partOf: sum.name, meaning: { ...column.meaning, roles: [], purpose: "other" } };
      }),
      choices: isLikely ? [] : [{ place, value: role, why, contradicting: 0, rows: sum.filled.length }],
    };
  }
  return { columns, choices: [] };
}

/** The unit that the headers of a sum and its parts have, if it is one. */
function unitOf(columns: readonly ColumnSample[]): { readonly unit?: string } {
  const [unit, ...others] = new Set(columns.flatMap(({ meaning }) => meaning.unit ?? []));
  return unit === undefined || others.length > 0 ? {} : { unit };
}

function canAddUp(column: ColumnSample): boolean {
  const { roles, purpose } = column.meaning;
  if (purpose === "plan" || column.sumOf !== undefined || column.filled.length === 0) return false;
  if (roles.some((role) => ["hours", "seconds"].includes(role))) return false;
  return roles.length === 0 || roles.some((role) => SUMMED.includes(role));
}

/** The columns beside a sum, before it and behind it, the longest run first. Workouts of their own are no parts. */
function runs(columns: readonly ColumnSample[], sum: ColumnSample): readonly (readonly ColumnSample[])[] {
  const isPart = (column: ColumnSample) => canAddUp(column) && (isMain(column) || taggedColumn(column).length === 0);
  const others = columns.filter(({ filled }) => filled.length > 0);
  const at = others.indexOf(sum);
  const beside = (side: readonly ColumnSample[]) => {
    const end = side.findIndex((column) => !isPart(column));
    return side.slice(0, Math.min(end === -1 ? side.length : end, MOST_PARTS));
  };
  return [beside(others.slice(0, at).toReversed()).toReversed(), beside(others.slice(at + 1))].flatMap((side, which) =>
    [...side.keys()]
      .map((less) => (which === 0 ? side.slice(less) : side.slice(0, side.length - less)))
      .filter((some) => some.length > 1),
  );
}

/** What a sum is, and whether that is only likely. */
interface Whole {
  readonly role: "distance" | "duration";
  readonly isLikely?: true;
}

/** What a sum is: by its header, by the headers of its parts, or because it is a length beside a duration. */
function wholeOf(
  sum: ColumnSample,
  parts: readonly ColumnSample[],
  columns: readonly ColumnSample[],
): Whole | undefined {
  const own = [sum, ...parts];
  const said = new Set(own.flatMap(({ meaning }) => saidBy(meaning)));
  const [role] = said;
  if (said.size > 1) return undefined;
  const clocks = sum.filled.filter((cell) => !isNumber(cell)).length > sum.filled.length / 2;
  if (clocks) return role === "distance" ? undefined : { role: "duration" };
  if (role !== undefined) return { role };
  if (!fits("distance", sum)) return undefined;
  const isTimed = columns.some((column) => !own.includes(column) && isDuration(column));
  return { role: "distance", ...(!isTimed && { isLikely: true }) };
}

/** What a header says for sure. `Tempo` is a time in one language and a kind of training in another. */
function saidBy({ roles, unit }: ColumnSample["meaning"]): readonly Whole["role"][] {
  if (roles.length > 0 && roles.every((role) => role === "distance")) return ["distance"];
  if (roles.length > 0 && roles.every((role) => TIMES.includes(role))) return ["duration"];
  if (unit === undefined) return [];
  return lengthUnit(unit) === undefined ? ["duration"] : ["distance"];
}

const TIMES: readonly Role[] = ["duration", "minutes", "time"];

function isDuration(column: ColumnSample): boolean {
  return column.filled.length > 0 && column.meaning.roles.includes("duration") && fits("duration", column);
}
