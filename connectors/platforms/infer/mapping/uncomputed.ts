/** Columns with formulas that were never computed: what they are, how many formulas there are, and what to do. Where a distance has nothing else, its unit is asked. */
import type { Choice } from "../choices/choice.ts";
import { type AssignedColumn, fieldPlace } from "../columns/roles.ts";
import { lengthUnit, type Role } from "../words/header-words.ts";

/**
 * Roles whose values a workout must not lack, and the value that each gives. Their columns are read also where no formula has a value, so that a
 * plan misses it.
 */
const GIVES: Readonly<Partial<Record<Role, string>>> = {
  ...{ date: "date", datetime: "date", time: "time", distance: "distance" },
  ...{ duration: "duration", hours: "duration", minutes: "duration", seconds: "duration" },
  ...{ avgHR: "avgHR", maxHR: "maxHR", restHR: "restHR" },
};

const givenBy = (role: Role | undefined) => (role === undefined ? undefined : GIVES[role]);

/** Whether a column has nothing but such formulas, and a workout needs their values. */
export function isNeededUncomputed({ filled, uncomputed, role }: AssignedColumn): boolean {
  return filled.length === 0 && uncomputed > 0 && givenBy(role) !== undefined;
}

/**
 * The columns, where one with nothing but such formulas is what its header says first, unless another column gives that value. Empty columns may have
 * got that role before it.
 */
export function withUncomputed(
  columns: readonly AssignedColumn[],
  isAnswered: (place: string) => boolean,
): readonly AssignedColumn[] {
  const given = new Set(columns.flatMap(({ role, filled }) => (filled.length > 0 ? (givenBy(role) ?? []) : [])));
  return columns.map((column) => {
    const { filled, uncomputed, meaning, left, asked } = column;
    if (uncomputed === 0 || filled.length > 0 || isAnswered(fieldPlace(column))) return column;
    if (left !== undefined || asked !== undefined || meaning.purpose !== undefined) return column;
    // Below `Time` durations are the rule. A clock that is read as a duration can't be true, and a duration that is read as a start can.
    const said = meaning.roles
      .toSorted((a, b) => Number(a === "time") - Number(b === "time"))
      .find((one) => !given.has(givenBy(one) ?? ""));
    const value = givenBy(said);
    if (said === undefined || value === undefined) return column;
    given.add(value);
    return { ...column, role: said };
  });
}

/** The evidence of such formulas, and the question that they leave; nothing for a column that a question is about. */
export function uncomputedChoices(column: AssignedColumn): readonly Choice[] {
  const { role, uncomputed, filled, isGuess, asked, left } = column;
  const isNamed = filled.length > 0 || isNeededUncomputed(column);
  if (uncomputed === 0 || role === undefined || isGuess || asked !== undefined || left !== undefined || !isNamed)
    return [];
  const rows = filled.length + uncomputed;
  const why = `${uncomputed} of ${rows} values are formulas that were never computed; open the workbook in a spreadsheet program, save it, and propose again`;
  return [{ place: fieldPlace(column), value: role, why, contradicting: 0, rows }, ...unitChoice(column)];
}

/** The unit of distances of which none has a value. */
function unitChoice(column: AssignedColumn): readonly Choice[] {
  const { name, meaning, uncomputed: rows } = column;
  if (!isNeededUncomputed(column) || column.role !== "distance") return [];
  const place = `columns.${name}.unit`;
  const said = lengthUnit(meaning.unit);
  if (said !== undefined) return [{ place, value: said, why: "the header says so", contradicting: 0, rows }];
  const options = [
    { value: "km", means: "kilometres" },
    { value: "mi", means: "miles" },
    { value: "m", means: "metres" },
  ];
  const why = "none of its formulas has a value that shows it";
  const question = `In which unit are the distances in the column ${JSON.stringify(name)}?`;
  return [{ ...{ place, value: "km", why, contradicting: 0, rows }, options, question, isUnproven: true }];
}
