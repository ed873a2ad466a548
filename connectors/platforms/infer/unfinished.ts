/** Finds rows that say `DNF` or `DNS` in place of a distance. Nobody knows how far these workouts went, or that they began. */
import type { Answers, Choice } from "./choice.ts";
import { countTexts } from "./column.ts";
import { NOT_DONE } from "./not-done.ts";
import type { AssignedColumn } from "./roles.ts";
import type { SkippedRows } from "./skipped-rows.ts";
import { WORKOUTS } from "./sum-rules.ts";
import { isNothing, isZero } from "./values.ts";

/** Words before any remark: `DNF - ill`. */
const UNFINISHED =
  /^(?:dnf|dns|did not (?:finish|start)|nicht (?:angetreten|beendet)|abandon|non parti|abandono|ritirato|non partito|opgegeven|brot|ej start)(?!\p{L})/iu;

const MEASURED: ReadonlySet<string> = new Set(["distance", "duration", "hours", "minutes", "seconds"]);

/** The texts that a rule lists. */
const MOST_TEXTS = 20;

/** What is known of a table's rows. */
interface UnfinishedTask {
  readonly columns: readonly AssignedColumn[];
  readonly answers: Answers;
}

/** Adds the question about such rows, and the rule that leaves them out, to those that are no workouts anyway. With a distance or a time they count. */
export function withUnfinished(found: SkippedRows, { columns, answers }: UnfinishedTask): SkippedRows {
  const measured = columns.filter(({ role }) => role !== undefined && MEASURED.has(role));
  const rowsOf = (column: AssignedColumn) =>
    [...column.cells.keys()].filter(
      (row) =>
        UNFINISHED.test(column.cells[row] ?? "") &&
        !found.isSkipped(row) &&
        measured.every(({ cells }) => {
          const cell = cells[row] ?? "";
          return isNothing(cell) || isZero(cell) || UNFINISHED.test(cell);
        }),
    );
  const [column, rows = []] =
    measured.map((one) => [one, rowsOf(one)] as const).find(([, own]) => own.length > 0) ?? [];
  if (column === undefined) return found;
  const place = `rows.${found.rules.length}`;
  const texts = countTexts(rows.map((row) => column.cells[row] ?? "")).map(([text]) => text);
  const many = rows.length === 1 ? "1 row has" : `${rows.length} rows have`;
  const choice: Choice = {
    ...{ place, value: NOT_DONE, contradicting: 0, rows: rows.length },
    why: `${many} words such as ${JSON.stringify(texts[0])} in place of a ${column.role === "distance" ? "distance" : "duration"}, and nothing is measured beside them`,
    question: "Are these rows workouts that never took place?",
    options: [
      { value: NOT_DONE, means: "they are left out" },
      { value: WORKOUTS, means: "they are workouts without a distance, and this rule can go" },
    ],
  };
  if (answers.get(place) === WORKOUTS) return { ...found, choices: [...found.choices, choice] };
  const patterns = texts.slice(0, MOST_TEXTS).map((text) => text.replaceAll(/[\\^$.|?*+()[\]{}]/g, "\\$&"));
  const skipped = new Set(rows);
  return {
    rules: [
      ...found.rules,
      { when: [{ column: column.name, matches: `^(?:${patterns.join("|")})$` }], skip: NOT_DONE, place },
    ],
    choices: [...found.choices, choice],
    isSkipped: (row) => skipped.has(row) || found.isSkipped(row),
  };
}
