/** Asks which of two columns of days is that of the workouts: a diary of the weight beside the log has days of its own. */
import { type AssignedColumn, fieldPlace } from "../columns/roles.ts";
import { fits } from "../sample/column.ts";

/** The columns, where a second one of days is a question. A person's answer stands. */
export function withSecondDatesAsked(
  columns: readonly AssignedColumn[],
  isAnswered: (place: string) => boolean,
): readonly AssignedColumn[] {
  const first = columns.find(({ role }) => role === "date" || role === "datetime");
  if (first === undefined || isAnswered(fieldPlace(first))) return columns;
  return columns.map((column): AssignedColumn => {
    const { role, left, split, meaning, filled, name } = column;
    const isFree = role === undefined && left === undefined && split === undefined && filled.length > 0;
    if (!isFree || !meaning.roles.includes("date") || !fits("date", column)) return column;
    if (isAnswered(fieldPlace(column))) return column;
    const asked = {
      ...{ place: fieldPlace(column), value: "unsupported", contradicting: 0, rows: filled.length },
      why: `the table has two columns of days, ${JSON.stringify(first.name)} and ${JSON.stringify(name)}. A workout with the day of the other table would be wrong. If each belongs to a table of its own, put these into two sheets`,
      // A wrong day can't be told from its values.
      isUnproven: true as const,
      question: `What is the column ${JSON.stringify(name)}?`,
      options: [
        { value: "unsupported", means: `no day of a workout: that is ${JSON.stringify(first.name)}` },
        { value: "date", means: `the day of the workouts, and ${JSON.stringify(first.name)} is not` },
      ],
    };
    return { ...column, isGuess: true, asked };
  });
}
