/**
 * Asks about texts that carry distances or durations which nobody takes out of them, where no column of the table has any: `easy loop, then 3 km home with
 * Bob, 12 km in all`. As notes they would be workouts without a distance, and nobody would hear of it.
 */
import { groupsOf } from "../../table/mapping/pattern.ts";
import type { Role } from "../words/header-words.ts";
import { type AssignedColumn, fieldPlace } from "./roles.ts";
import { saysDistance, saysDuration } from "./whole-texts.ts";

/** Columns of texts. `undefined` is one that nobody knows, which becomes notes. */
const TEXTS: ReadonlySet<Role | undefined> = new Set([undefined, "notes", "name", "type", "course"]);

/** How many cells must say the value: so many, and this share. Notes speak of minutes for other reasons, too. */
const VALUES = [
  { value: "distance", roles: ["distance"], says: saysDistance, least: 2, share: 0.2, unless: ["distance"] },
  {
    ...{ value: "duration", roles: ["duration", "hours", "minutes", "seconds"], says: saysDuration },
    ...{ least: 3, share: 0.5, unless: ["distance", "duration", "hours", "minutes", "seconds"] },
  },
] as const;

/** The columns, where such texts are questions. A person's answer stands. */
export function withTextsAsked(
  columns: readonly AssignedColumn[],
  isAnswered: (place: string) => boolean,
): readonly AssignedColumn[] {
  const has = (role: string) =>
    columns.some(
      (column) =>
        column.filled.length > 0 &&
        (column.role === role || column.split?.patterns.some((pattern) => groupsOf(pattern).includes(role)) === true),
    );
  const missing = VALUES.filter(({ unless }) => !unless.some(has));
  return columns.map((column): AssignedColumn => {
    const { role, name, filled, left, split, isGuess, isOut, meaning } = column;
    if (!TEXTS.has(role) || left !== undefined || split !== undefined || isGuess === true || isOut === true)
      return column;
    if (meaning.purpose !== undefined || isAnswered(fieldPlace(column))) return column;
    const found = missing.find(({ says, least, share }) => {
      const count = filled.filter(says).length;
      return count >= least && count >= filled.length * share;
    });
    if (found === undefined) return column;
    const cells = filled.filter(found.says);
    const asked = {
      ...{ place: fieldPlace(column), value: role ?? "notes", contradicting: 0, rows: filled.length },
      why: `${cells.length} of ${filled.length} cells have a ${found.value} in them, such as ${JSON.stringify(cells[0]?.slice(0, 60))}, which logferry can't take out of them, and no column has it. Write it into a column of its own, or say it by split in the mapping file`,
      // No answer gives the workouts their value.
      isUnproven: true as const,
      question: `What is the column ${JSON.stringify(name)}?`,
      options: [
        ...(role === undefined || role === "notes"
          ? []
          : [{ value: role, means: `it is what its header says, and the workouts have no ${found.value} of it` }]),
        { value: "notes", means: `words about the workout, which has no ${found.value} of it` },
        { value: "unsupported", means: "it is not loaded, and counted as left" },
        { value: "ignore", means: "nothing of it is missed" },
      ],
    };
    return { ...column, role: undefined, isGuess: true, asked };
  });
}
