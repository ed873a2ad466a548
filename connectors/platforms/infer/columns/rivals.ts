/** Finds columns that could be the distance or the duration as well as the one that is. They are questions, because a silent choice would lose workouts. */
import type { Choice } from "../choices/choice.ts";
import { areDurations, fits } from "../sample/column.ts";
import { lengthUnit, type Role } from "../words/header-words.ts";
import { isNothing } from "../words/values.ts";
import { sportInTitle } from "../words/words.ts";
import { isElapsed, isMoving } from "./moving-times.ts";
import { repeats } from "./repeated-columns.ts";
import { type AssignedColumn, fieldPlace } from "./roles.ts";
import { isOfOthers } from "./standing.ts";

/** The roles that make a workout, with the roles that stand for them. */
const MEASURED: readonly (readonly [role: "distance" | "duration", others: readonly Role[]])[] = [
  ["distance", ["distance"]],
  ["duration", ["duration", "hours", "minutes"]],
];

/** Marks the columns that compete with the distance or the duration, and those that only repeat it. */
export function withRivals(columns: readonly AssignedColumn[]): readonly AssignedColumn[] {
  const holders = MEASURED.flatMap(([role, others]) => {
    const holder = columns.find((column) => column.role !== undefined && others.includes(column.role));
    return holder === undefined ? [] : [{ role, holder }];
  });
  return columns.map((column) => {
    if (column.role !== undefined || column.left !== undefined || column.filled.length === 0) return column;
    const found = holders.find(({ role, holder }) => competes(column, role, holder));
    if (found === undefined) return column;
    const { role, holder } = found;
    if (repeats(column, holder)) return { ...column, left: `the same as ${holder.name}` };
    return { ...column, isGuess: true, rival: { role, of: holder.name } };
  });
}

function competes(column: AssignedColumn, role: "distance" | "duration", holder: AssignedColumn): boolean {
  const { purpose } = column.meaning;
  // The time that passed is counted as unsupported: a workout lasts as long as one moves.
  if (isElapsed(column.name) && isMoving(holder.name) && isFilledLike(column, holder)) return false;
  if (purpose === "other" || (holder.meaning.purpose === "actual" && purpose !== "actual")) return false;
  if (column.couldBe.includes(role)) return true;
  if (isOfOthers(column.name) && role === "duration" && areDurations(column)) return true;
  // `Swim` beside `Run`: the sport is the whole header.
  if (column.meaning.roles.length > 0 && !column.meaning.roles.includes("equipment")) return false;
  if (sportInTitle(column.name) === undefined) return false;
  return role === "duration" ? areDurations(column) : !areDurations(column) && fits("distance", column);
}

/** Whether a column has no value where another one has none. */
function isFilledLike({ cells }: AssignedColumn, holder: AssignedColumn): boolean {
  return cells.every((cell, row) => isNothing(cell) || !isNothing(holder.cells[row] ?? ""));
}

/** The question about a column that competes with another one. */
export function rivalChoice(column: AssignedColumn, columns: readonly AssignedColumn[]): Choice | undefined {
  const { rival, name, filled } = column;
  if (rival === undefined) return undefined;
  const holder = columns.find((each) => each.name === rival.of);
  const alone = column.cells.filter((cell, row) => !isNothing(cell) && isNothing(holder?.cells[row] ?? "")).length;
  const [own, other] = [sportInTitle(name), sportInTitle(rival.of)];
  const why = [
    `the table has a second ${rival.role} column that is not read: ${JSON.stringify(name)}, beside ${JSON.stringify(rival.of)}`,
    ...(alone === 0 ? [] : [`${alone} ${alone === 1 ? "row has" : "rows have"} a value only there`]),
    ...(own === other
      ? []
      : ["if a row may have a workout of each sport, say which columns are whose: layout.repeat and layout.texts"]),
  ].join("; ");
  // Miles until 2018, then kilometres: each column says its unit, and both are the distance.
  const isEither =
    alone > 0 && own === other && rival.role === "distance" && lengthUnit(column.meaning.unit) !== undefined;
  const writes = `{ field: distance, unit: ${lengthUnit(column.meaning.unit)}, otherwise: true }`;
  const either = { value: "otherwise", writes, means: `it is the distance where ${JSON.stringify(rival.of)} is empty` };
  return {
    ...{ place: fieldPlace(column), value: isEither ? "otherwise" : "unsupported", contradicting: 0 },
    ...{ rows: filled.length, why, question: `What is the column ${JSON.stringify(name)}?` },
    options: [
      ...(isEither ? [either] : []),
      { value: "unsupported", means: "it is not loaded, and counted as left" },
      { value: rival.role, means: `it is the ${rival.role}, and ${JSON.stringify(rival.of)} is not` },
      { value: "notes", means: "it becomes a line of the notes" },
      { value: "ignore", means: "it follows from other columns" },
    ],
  };
}
