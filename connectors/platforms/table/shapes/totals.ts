/** Rows that sum up the rows above them. They are no workouts. Where a sum is wrong, a remark says so. */
import type { Issue } from "../../../../transforms/model/issue.ts";
import { parseDateTime, parseMeasure, parseNumber } from "../cells/cells.ts";
import { formatsFor, parseDuration } from "../cells/durations.ts";
import { fold } from "../columns/columns.ts";
import type { ColumnSpec, Decimal } from "../mapping/fields.ts";
import type { Conventions } from "../mapping/mapping.ts";
import { RULES } from "../mapping/rule-names.ts";
import { eachRow, type FilledRow, indexesOf, type Shape } from "./shape.ts";

/** The words for a sum, in English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Danish, Polish and Japanese. */
const SUMS = `total totals sum subtotal summe gesamt insgesamt gesamtsumme zwischensumme somme totaux suma totales somma totale totali soma totais
  totaal som summa totalt delsumma ialt razem suma łącznie ogółem 合計 計 小計 週計 月計 総計
  wochensumme monatssumme weektotaal maandtotaal veckototalt ugetotal`;
/** The words for a mean. */
const MEANS = `average averages avg mean durchschnitt schnitt mittel mittelwert moyenne media medio promedio média gemiddeld gemiddelde medel
  medelvärde genomsnitt gennemsnit średnia średnio 平均`;

const wordSet = (words: string) => new Set(words.split(/\s+/));
const SUM_WORDS = wordSet(SUMS);
const MEAN_WORDS = wordSet(MEANS);

/** The description of the columns that a row of totals is checked by. */
export interface TotalsWords {
  readonly columns: Readonly<Record<string, ColumnSpec>>;
  readonly dates: Conventions["dates"];
  readonly decimal: Decimal;
}

/** A column that is added up. */
interface Sum {
  readonly name: string;
  readonly index: number;
  readonly read: (text: string) => number | undefined;
  /** The sums at the beginning and after each row of totals, the newest last. */
  readonly marks: number[];
  sum: number;
  /** Reads the sum itself, which may be too large for the column's own rule; undefined if it can't be told. */
  readonly readSum: (text: string) => number | undefined;
  /** A cell above could not be read, so nothing can be said. */
  isUnknown: boolean;
}

/** Most rows of totals whose place is kept: a total may sum up the rows since any of these. */
const MOST_MARKS = 400;

/** Marks the rows of totals as skipped. */
export function withoutTotals(words: TotalsWords): Shape {
  return (header) => {
    const indexOf = indexesOf(header);
    const columns = Object.entries(words.columns);
    const dateAt = columns
      .filter(([, { field }]) => field === "date" || field === "datetime")
      .flatMap(([name]) => indexOf(name) ?? []);
    const isDated = ({ fields }: FilledRow) =>
      dateAt.some((index) => parseDateTime((fields[index] ?? "").trim(), words.dates, words.decimal) !== undefined);
    return {
      header,
      rows: (rows) => {
        const sums = columns.flatMap(([name, spec]) => sumOf(name, spec, indexOf(name), words.decimal));
        return eachRow((row) => {
          const kind = isDated(row) ? undefined : kindOf(row);
          if (kind === undefined) for (const sum of sums) add(sum, row);
          if (kind === undefined) return [row];
          const remarks = kind === "sum" ? sums.flatMap((sum) => check(sum, row)) : [];
          return [{ ...row, skip: "a row of totals", ...(remarks.length > 0 && { remarks }) }];
        })(rows);
      },
    };
  };
}

/** Whether the first filled cell of a row says that it is a sum or a mean. */
function kindOf({ fields }: FilledRow): "sum" | "mean" | undefined {
  return totalIn(fields.find((cell) => cell.trim() !== "") ?? "");
}

/** Whether a text says that a row is a sum or a mean: `Week total`, `Ø`. */
export function totalIn(first: string): "sum" | "mean" | undefined {
  const words = fold(first.slice(0, 60)).split(/[^\p{L}]+/u);
  if (words.some((word) => SUM_WORDS.has(word)) || /^i alt\b/.test(fold(first))) return "sum";
  return words.some((word) => MEAN_WORDS.has(word)) || first.trim().startsWith("Ø") ? "mean" : undefined;
}

function sumOf(name: string, spec: ColumnSpec, index: number | undefined, table: Decimal): Sum[] {
  const decimal = spec.decimal ?? table;
  const read = readerOf(spec, decimal);
  if (index === undefined || read === undefined) return [];
  // The hours of a sum are many, so the number before its colon doesn't tell hours from minutes.
  const readSum = (text: string) => (spec.hoursBelow !== undefined && !/:\d+:/.test(text) ? undefined : read(text));
  return [{ name, index, read, readSum, marks: [0], sum: 0, isUnknown: false }];
}

function readerOf({ field, unit, format, per = 1, ...spec }: ColumnSpec, decimal: Decimal): Sum["read"] | undefined {
  if (field === "distance" && unit !== undefined)
    return (text) => {
      const measure = parseMeasure("distance", text, unit as "km", decimal);
      return measure?.unit === unit ? measure.value / per : undefined;
    };
  if (field === "duration" && format !== undefined)
    return (text) => parseDuration(text, formatsFor(text, { ...spec, format }), decimal);
  return field.startsWith("duration.") ? (text) => parseNumber(text, decimal) : undefined;
}

function add(sum: Sum, { fields }: FilledRow): void {
  const text = (fields[sum.index] ?? "").trim();
  if (!/\d/.test(text)) return;
  const value = sum.read(text);
  if (value === undefined) sum.isUnknown = true;
  else sum.sum += value;
}

function check(sum: Sum, { fields }: FilledRow): Issue[] {
  const text = (fields[sum.index] ?? "").trim();
  const { marks, isUnknown } = sum;
  const said = text === "" ? undefined : sum.readSum(text);
  const sums = marks.map((mark) => sum.sum - mark);
  marks.push(sum.sum);
  if (marks.length > MOST_MARKS) marks.shift();
  sum.isUnknown = false;
  const tolerance = toleranceOf(text);
  if (said === undefined || isUnknown || sums.some((each) => Math.abs(each - said) <= tolerance + said / 500))
    return [];
  const last = Math.round((sums.at(-1) ?? 0) * 1000) / 1000;
  const expected = `${last}${text.includes(":") ? " s" : ""}, the sum of the rows above since the last total`;
  return [{ severity: "warning", rule: RULES.csv["total-differs"], field: sum.name, found: text, expected }];
}

/** Half of the last digit of a number, or a minute of a time: a total may be rounded. */
function toleranceOf(text: string): number {
  if (text.includes(":")) return 60;
  const [, fraction = ""] = /[.,](\d{1,6})\D*$/.exec(text) ?? [];
  return 0.5 * 10 ** -fraction.length + 1e-6;
}
