/** The question about rows whose dates don't fit to those around them, and the rules that leave them out. */
import type { Choice } from "../choices/choice.ts";
import type { SkippedRows } from "../rows/skipped-rows.ts";
import { chunks, dateTexts, patternOf, WORKOUTS } from "../rows/sum-rules.ts";
import type { DatedTable } from "./dated-table.ts";

/** A row with its day. */
export interface DatedRow {
  readonly row: number;
  readonly day: string;
}

/** What was found, for the evidence. */
interface Found {
  /** The rows that don't fit. There is one at least. */
  readonly odd: readonly DatedRow[];
  /** All rows with a day. */
  readonly dated: readonly DatedRow[];
  readonly isOne: boolean;
  /** `1 row`, `12 rows`. Rows with the same cell as an odd one count. */
  readonly many: string;
  /** The date of a row as its cell has it, in quotes. */
  readonly shown: (row: DatedRow) => string;
}

/** One way not to fit. */
interface OddKind {
  /** What such a row is left out as. */
  readonly value: string;
  readonly findOdd: (dated: readonly DatedRow[]) => readonly DatedRow[];
  readonly why: (found: Found) => string;
  readonly question: string;
  /** What the two answers mean. */
  readonly means: { readonly wrong: string; readonly right: string };
}

/** Adds the question about such rows, and the rules that leave them out, to those that are no workouts anyway. */
export function withOddRows(found: SkippedRows, { columns, days, answers }: DatedTable, kind: OddKind): SkippedRows {
  const column = columns.find(({ role }) => role === "date" || role === "datetime");
  const dated = days.flatMap((day, row) => (day === undefined || found.isSkipped(row) ? [] : [{ row, day }]));
  const odd = kind.findOdd(dated);
  if (column === undefined || odd.length === 0) return found;
  const place = `rows.${found.rules.length}`;
  const { cells } = column;
  const texts = new Set(odd.map(({ row }) => cells[row]));
  const rows = [...days.keys()].filter((row) => texts.has(cells[row]));
  const isOne = rows.length === 1;
  const shown = ({ row }: DatedRow) => JSON.stringify(cells[row]);
  const choice: Choice = {
    ...{ place, value: kind.value, contradicting: 0, rows: rows.length },
    why: kind.why({ odd, dated, isOne, many: isOne ? "1 row" : `${rows.length} rows`, shown }),
    question: kind.question,
    options: [
      { value: kind.value, means: kind.means.wrong },
      { value: WORKOUTS, means: kind.means.right },
    ],
  };
  const choices = [...found.choices, choice];
  if (answers.get(place) === WORKOUTS) return { ...found, choices };
  const textOf = dateTexts(column, days);
  const rules = chunks(rows, (row) => [textOf(row)]).map((own) => ({
    ...{
      when: [{ column: column.name, matches: patternOf(own.map(textOf)) }],
      skip: kind.value,
      holds: true as const,
      place,
    },
  }));
  const left = new Set(rows);
  return { rules: [...found.rules, ...rules], choices, isSkipped: (row) => found.isSkipped(row) || left.has(row) };
}
