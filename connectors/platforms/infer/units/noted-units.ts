/** Finds single rows whose notes say that their distance is in another unit: `(distance in miles today)` in a column of kilometres. */
import { isWeekday } from "../../../formats/weekday-names.ts";
import type { Answers, Choice } from "../choices/choice.ts";
import type { AssignedColumn } from "../columns/roles.ts";
import type { SkipRule } from "../rows/skipped-rows.ts";
import { chunks, patternOf, WORKOUTS } from "../rows/sum-rules.ts";
import { type NotedUnit, patternOfUnit, saysUnit, withinNote } from "./change-words.ts";

/** What such a row is held as. */
const OTHER_UNIT = "other unit";

/** The unit that a note would contradict, and its name. */
const OTHERS: Readonly<Record<string, readonly [NotedUnit, string, example: string]>> = {
  km: ["mi", "miles", "6.2 mi"],
  m: ["mi", "miles", "6.2 mi"],
  mi: ["km", "kilometres", "10 km"],
};

/** The days that a question names. */
const MOST_DAYS = 5;

/** A cell without a unit of its own. */
const IS_BARE = /^[\d.,\s]+$/;

/** A table, as far as such notes are concerned. */
interface NotesTask {
  readonly columns: readonly AssignedColumn[];
  /** The rows that are workouts. */
  readonly kept: readonly number[];
  readonly answers: Answers;
  /** The rules before these. */
  readonly rules: readonly SkipRule[];
}

/** The question about such rows, and the rules with the one that holds them. */
export function notedUnits(
  { columns, kept, answers, rules }: NotesTask,
  unit: Choice | undefined,
  distance: AssignedColumn | undefined,
): { readonly choice?: Choice; readonly rules: readonly SkipRule[] } {
  const [other, name, example] = OTHERS[answers.get(unit?.place ?? "") ?? unit?.value ?? ""] ?? [];
  if (distance === undefined || distance.unitColumn !== undefined || other === undefined) return { rules };
  const rows = kept.filter((row) => IS_BARE.test(distance.cells[row] ?? ""));
  const found = columns
    .filter((column) => column !== distance && mayHoldNotes(column))
    .map((column) => ({ column, rows: rows.filter((row) => saysUnit(column.cells[row] ?? "", other)) }))
    .find((one) => one.rows.length > 0);
  if (found === undefined) return { rules };
  const { column } = found;
  const place = `rows.${rules.length}`;
  const texts = [...new Set(found.rows.map((row) => column.cells[row] ?? ""))];
  const days = columns.find(({ role }) => role === "date" || role === "datetime");
  const shown = found.rows.slice(0, MOST_DAYS).map((row) => days?.cells[row] ?? `row ${row + 1}`);
  const more = found.rows.length > MOST_DAYS ? " ..." : "";
  const many = found.rows.length === 1 ? "1 row says" : `${found.rows.length} rows say`;
  const choice: Choice = {
    ...{ place, value: OTHER_UNIT, contradicting: 0, rows: found.rows.length },
    why: `${many} ${name} in the column ${JSON.stringify(column.name)}, such as ${JSON.stringify(texts[0])}: ${shown.join(", ")}${more}`,
    question: `Are the distances of these rows in ${name}?`,
    options: [
      { value: OTHER_UNIT, means: `they are: they wait until you write the unit into their cells, as in ${example}` },
      { value: WORKOUTS, means: "they are not: they are in the unit of the others, and this rule can go" },
    ],
  };
  if (answers.get(place) === WORKOUTS) return { choice, rules };
  // A rule for words finds those of later rows as well.
  const isPattern = column.cells.every((cell) => withinNote(cell, other) === texts.includes(cell));
  const textOf = (row: number) => escaped(column.cells[row] ?? "");
  const patterns = isPattern
    ? [patternOfUnit(other)]
    : chunks(found.rows, (row) => [textOf(row)]).map((own) => patternOf(own.map(textOf)));
  const held = patterns.map((matches) => ({
    ...{
      when: [
        { column: column.name, matches },
        { column: distance.name, matches: IS_BARE.source },
      ],
    },
    ...{ skip: OTHER_UNIT, holds: true as const, place },
  }));
  return { choice, rules: [...rules, ...held] };
}

/** Whether a column has words, and not of weekdays alone: `Mi` is Wednesday in German. */
function mayHoldNotes({ filled }: AssignedColumn): boolean {
  const words = filled.filter((cell) => /\p{L}/u.test(cell));
  return words.length > 0 && !words.every((cell) => isWeekday(cell.trim()));
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}
