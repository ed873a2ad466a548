/** Finds columns whose header names a distance or a duration, and whose cells nobody can read: `km 10.1`, `1-05-00`. They would be notes without a word. */
import { alternatives } from "../../../../transforms/text/zod-messages.ts";
import type { Role } from "../words/header-words.ts";
import { type AssignedColumn, fieldPlace } from "./roles.ts";

/** This share of the cells must have a digit. Others are texts. */
const SHARE = 0.5;

/** The values that make a workout, with the roles that say them, and how a cell may be written. */
const MEASURED: readonly (readonly [value: string, roles: readonly Role[], written: (cell: string) => string])[] = [
  ["distance", ["distance"], (cell) => lengthOf(cell) ?? "10.1 km"],
  ["duration", ["duration", "hours", "minutes", "seconds"], (cell) => timeOf(cell) ?? "1:05:30"],
];

/** `km 8.0` as `8.0 km`; undefined for other texts. */
function lengthOf(cell: string): string | undefined {
  const [, unit, number] = /^(\p{L}{1,10})\.?\s?(\d[\d.,]*)$/u.exec(cell) ?? [];
  return number === undefined ? undefined : `${number} ${unit}`;
}

/** `1-05-30` as `1:05:30`; undefined for other texts. */
function timeOf(cell: string): string | undefined {
  return /^\d{1,2}(?:\D\d{2}){1,2}$/.test(cell) ? cell.replaceAll(/\D/g, ":") : undefined;
}

/** Asks about such columns, if no other column has the value. A person's answer stands. */
export function withUnreadAsked(
  columns: readonly AssignedColumn[],
  isAnswered: (place: string) => boolean,
): readonly AssignedColumn[] {
  const has = (roles: readonly Role[]) =>
    columns.some(({ role, split, filled }) => filled.length > 0 && (isOne(role, roles) || split !== undefined));
  return columns.map((column): AssignedColumn => {
    const { role, meaning, name, filled, left, split, isGuess } = column;
    if (role !== undefined || left !== undefined || split !== undefined || isGuess === true) return column;
    if (filled.length === 0 || meaning.purpose !== undefined || isAnswered(fieldPlace(column))) return column;
    const found = MEASURED.find(([, roles]) => meaning.roles.some((one) => isOne(one, roles)) && !has(roles));
    if (found === undefined || filled.filter((cell) => /\d/.test(cell)).length < filled.length * SHARE) return column;
    const [value, , written] = found;
    const examples = filled.slice(0, 3).map((cell) => JSON.stringify(cell.slice(0, 20)));
    const asked = {
      ...{ place: fieldPlace(column), value: "notes", contradicting: 0, rows: filled.length },
      why: `its header says ${value}, and its cells, such as ${alternatives(examples, "and")}, can't be read as one. Write them like ${written(filled[0] ?? "")}, and propose again`,
      // No answer gives the workouts their value.
      isUnproven: true as const,
      question: `What is the column ${JSON.stringify(name)}?`,
      options: [
        { value: "notes", means: `it becomes a line of the notes, and the workouts have no ${value} of it` },
        { value: "unsupported", means: "it is not loaded, and counted as left" },
        { value: "ignore", means: "it follows from other columns" },
      ],
    };
    return { ...column, isGuess: true, asked };
  });
}

const isOne = (role: Role | undefined, roles: readonly Role[]) => role !== undefined && roles.includes(role);
