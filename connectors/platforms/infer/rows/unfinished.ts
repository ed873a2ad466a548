/** Finds rows that say `DNF` or `DNS` in place of a distance or a duration, or `cancelled` in notes. Nobody knows how far these workouts went, or that they began. */
import type { Answers, Choice } from "../choices/choice.ts";
import type { AssignedColumn } from "../columns/roles.ts";
import { countTexts } from "../sample/column.ts";
import { isNothing, isZero } from "../words/values.ts";
import { NOT_DONE } from "./not-done.ts";
import type { SkippedRows } from "./skipped-rows.ts";
import { WORKOUTS } from "./sum-rules.ts";

/** Words before any remark: `DNF - ill`. */
const UNFINISHED =
  /^(?:dnf|dns|did not (?:finish|start)|nicht (?:angetreten|beendet)|abandon|non parti|abandono|ritirato|non partito|opgegeven|brot|ej start)(?!\p{L})/iu;

/** Words in notes before any remark: `cancelled - sick`. */
const CANCELLED =
  /^(?:dns|cancell?ed|skipped|missed|did not (?:start|run|go)|not done|ausgefallen|abgesagt|verpasst|nicht angetreten|annulée?|manquée?|cancelad[oa]|saltad[oa]|annullat[oa]|saltat[oa]|gemist|overgeslagen|geannuleerd|inställ[td]|missat|aflyst|odwołan[ey]|opuszczon[ey]|中止|未実施)(?!\p{L})/iu;

/** Words anywhere in notes, beside a reason: `sore throat, didn't run`, `no run - snow`. */
const NEVER_BEGUN =
  /(?:^|[^\p{L}])(?:did ?n['’]?t (?:run|ride|swim|go|train|start|do it)|did not (?:run|ride|swim|go|train|start)|no (?:run|ride|swim|training|workout)|not (?:run|done)|nicht (?:gelaufen|gefahren|trainiert|gemacht)|kein (?:lauf|training)|pas (?:couru|roulé|nagé|fait)|pas de (?:course|sortie|séance)|no (?:corrí|salí|entrené|hecho)|non (?:corso|fatto|uscit[oa])|não (?:corri|fui|treinei|fiz)|niet (?:gelopen|gefietst|gegaan|getraind|gedaan)|sprang inte|inte sprungit|ej (?:sprungit|gjort)|løb ikke|ikke (?:løbet|trænet)|nie (?:biegał[ae]?m|było|zrobione))(?!\p{L})|走らなかった|走れず|練習なし/iu;

/** In so many rows the duration must be there, so that its absence says something. */
const USUAL = 0.7;

const MEASURED: ReadonlySet<string> = new Set(["distance", "duration", "hours", "minutes", "seconds"]);

/** The texts that a rule lists. */
const MOST_TEXTS = 100;

/** What is known of a table's rows. */
interface UnfinishedTask {
  readonly columns: readonly AssignedColumn[];
  readonly answers: Answers;
}

/** Adds the question about such rows, and the rule that leaves them out, to those that are no workouts anyway. With a distance or a time they count. */
export function withUnfinished(found: SkippedRows, { columns, answers }: UnfinishedTask): SkippedRows {
  const [column, rows = []] = unfinishedRows(columns, found.isSkipped);
  if (column === undefined) return found;
  const place = `rows.${found.rules.length}`;
  const texts = countTexts(rows.map((row) => column.cells[row] ?? "")).map(([text]) => text);
  const many = rows.length === 1 ? "1 row has" : `${rows.length} rows have`;
  const choice: Choice = {
    ...{ place, value: NOT_DONE, contradicting: 0, rows: rows.length },
    why: `${many} words such as ${JSON.stringify(texts[0])} ${placeOf(column)}`,
    question: "Are these rows workouts that never took place?",
    options: [
      { value: NOT_DONE, means: "they are left out" },
      { value: WORKOUTS, means: "they are workouts, and this rule can go" },
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

/** Where the words stand, for people. */
function placeOf({ role, name }: AssignedColumn): string {
  if (role === "distance") return "in place of a distance, and nothing is measured beside them";
  const where =
    role !== undefined && MEASURED.has(role) ? "in place" : `in the column ${JSON.stringify(name)}, instead`;
  return `${where} of a duration`;
}

/** The first column with such words, and their rows. A distance beside a missing duration may be that of the race, or of the plan. */
function unfinishedRows(
  columns: readonly AssignedColumn[],
  isSkipped: (row: number) => boolean,
): readonly [column?: AssignedColumn, rows?: readonly number[]] {
  const measured = columns.filter(({ role }) => role !== undefined && MEASURED.has(role));
  const timed = measured.filter(({ role }) => role !== "distance");
  const isWithout = ({ cells }: AssignedColumn, row: number) => {
    const cell = cells[row] ?? "";
    return isNothing(cell) || isZero(cell) || UNFINISHED.test(cell);
  };
  const rowsOf = (column: AssignedColumn, words: readonly RegExp[], needed: readonly AssignedColumn[]) =>
    [...column.cells.keys()].filter(
      (row) =>
        words.some((one) => one.test(column.cells[row] ?? "")) &&
        !isSkipped(row) &&
        needed.every((other) => isWithout(other, row)),
    );
  const isTimed = timed.some(({ cells, filled }) => filled.length >= cells.length * USUAL);
  const found = [
    ...measured.map((one) => [one, rowsOf(one, [UNFINISHED], one.role === "distance" ? measured : timed)] as const),
    ...columns
      .filter(({ role }) => isTimed && role === "notes")
      .map((one) => [one, rowsOf(one, [CANCELLED, NEVER_BEGUN], timed)] as const),
  ];
  return found.find(([, rows]) => rows.length > 0) ?? [];
}
