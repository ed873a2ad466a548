/** Reads the blocks of a CSV file of the Wahoo Fitness app. A file is one workout. Its head, comments, totals, laps and points are one block each. */

import type { Issue } from "../../../transforms/model/issue.ts";
import { printable } from "../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import type { Delimiter } from "../../formats/csv/read.ts";
import type { RecordFound } from "../table/description.ts";
import { headOf } from "../table/reading/head-of.ts";
import { readTable } from "../table/reading/read-table.ts";
import { DISTANCES } from "./values.ts";

/** The row under a header: its cells by the header's names. */
type Row = Record<string, string>;

/** The first cells of the headers, without a unit behind them. */
const BLOCKS = ["comments", "sensor", "workout", "interval", "time"];

/** The columns of a lap that are read, or that follow from others. */
const OF_LAPS: ReadonlySet<string> = new Set([
  ...DISTANCES,
  "interval",
  "starttime",
  "runningtime",
  "pausedtime",
  "spdavg",
]);

/** A file during reading. */
interface Draft {
  readonly head: Row;
  readonly comments: string[];
  workout: Row | undefined;
  readonly laps: Row[];
  points: number;
  /** The numbers of rows in other blocks, by the first cells of their headers. */
  readonly others: Map<string, number>;
}

/** The first two lines. A spreadsheet program in a country with decimal commas puts semicolons or tabs in the place of the commas. */
const HEAD = /^\uFEFF?"?Device"?(?<delimiter>[,;\t])[^\r\n]*\r?\n"?Year"?\k<delimiter>/;

/** Whether a file begins like a file of the app. */
export function isOfApp(head: string): boolean {
  return HEAD.test(head);
}

/** A number as such a program writes it. Nothing puts marks between the thousands of these numbers. */
const WITH_COMMA = /^-?\d{1,9},\d{1,17}$/;

/**
 * Gives a file as one record; nothing for another program's table. A file without totals is a faulty record: without the block with distance and time, its
 * workout would be no more than a day and a note.
 */
export async function* recordsOf(
  archive: Archive,
  entry: Entry,
  remark: (issue: Issue) => void,
): AsyncGenerator<RecordFound> {
  const draft: Draft = { head: {}, comments: [], workout: undefined, laps: [], points: 0, others: new Map() };
  let block = "";
  let header: readonly string[] = [];
  let line = 0;
  let isBehindBlank = false;
  let cut: Issue | undefined;
  const delimiter = delimiterIn(await headOf(archive, entry));
  for await (const row of readTable(archive, entry, { delimiter, report: remark })) {
    if ("error" in row) {
      // Zeros may have taken the header of a block, and then its rows would be read as those of the block above: a lap as the totals.
      if (row.error.rule === "csv/nul-block") {
        yield { value: undefined, issue: row.error, place: `line ${row.line}` };
        return;
      }
      remark({ ...row.error, severity: "warning" });
      continue;
    }
    const width = row.fields.length;
    if (row.isUnended && width < header.length && block !== "comments") cut = cutIn(block, width);
    const fields = withoutPadding(row.fields);
    isBehindBlank ||= row.line > line + 1;
    line = row.line;
    if (fields.length === 0) {
      isBehindBlank = true;
      continue;
    }
    const cells = fields.map((cell) => asWritten(cell.trim(), delimiter));
    const [first = ""] = cells;
    const known = BLOCKS.find((each) => each === first.replace(/ \([^()]{1,20}\)$/, ""));
    if (known !== undefined || startsBlock(fields, block, isBehindBlank)) [block, header] = [known ?? first, cells];
    else if (block === "") Object.assign(draft.head, pairsOf(cells));
    else addRow(draft, block, header, block === "comments" ? fields : cells);
    isBehindBlank = false;
  }
  if (!("Device" in draft.head && "Year" in draft.head)) return;
  if (draft.workout === undefined) yield { value: undefined, issue: withoutTotals(draft), place: "the whole file" };
  else yield { value: recordOf(draft), place: undefined };
  // The workout lacks laps and points behind the cut, and perhaps totals.
  if (cut !== undefined) yield { value: undefined, issue: cut, place: `line ${line}` };
}

function delimiterIn(head: string): Delimiter {
  const delimiter = HEAD.exec(head)?.groups?.delimiter;
  return delimiter === ";" || delimiter === "\t" ? delimiter : ",";
}

/** A cell as the app wrote it. */
function asWritten(cell: string, delimiter: Delimiter): string {
  return delimiter !== "," && WITH_COMMA.test(cell) ? cell.replace(",", ".") : cell;
}

/** A row without the empty cells at its end. A spreadsheet program makes all rows as wide as the widest. */
function withoutPadding(fields: readonly string[]): readonly string[] {
  return fields.slice(0, fields.findLastIndex((cell) => cell.trim() !== "") + 1);
}

/**
 * Whether a row is the header of a block that nobody knows. The rows of totals, laps and points are numbers. A comment has blanks behind its commas, and
 * is no list of names.
 */
function startsBlock(fields: readonly string[], block: string, isBehindBlank: boolean): boolean {
  const [first = ""] = fields;
  const isNamed = /^[A-Za-z_]/.test(first) && fields.length > 2;
  if (block === "workout" || block === "interval" || block === "time") return isNamed;
  return block !== "" && isBehindBlank && isNamed && fields.every((name) => /^[A-Za-z_[(]/.test(name));
}

function withoutTotals({ others, laps, points }: Draft): Issue {
  const rows = [
    ...[...others].map(([name, count]) => `"${printable(name, 40)}" with ${countOf(count, "row")}`),
    ...(laps.length > 0 ? [countOf(laps.length, "lap")] : []),
    ...(points > 0 ? [countOf(points, "point")] : []),
  ];
  const found = `no totals${rows.length === 0 ? "" : `, but ${rows.join(", ")}`}`;
  const expected =
    "a block that begins with `workout`, with its totals. Take the workout's FIT, TCX or GPX file, or add it by hand";
  return { severity: "error", rule: "wahoo/no-totals", found, expected };
}

function countOf(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

/** Each block has a header, so a last row with fewer cells and no line end is where the file was cut. */
function cutIn(block: string, width: number): Issue {
  const found = `${width} ${width === 1 ? "cell" : "cells"} and no line end: the file seems to be cut here`;
  return { severity: "error", rule: "csv/cut-row", found, expected: `a whole row of the block "${block}"` };
}

function addRow(draft: Draft, block: string, header: readonly string[], cells: readonly string[]): void {
  const row: Row = Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ""]));
  if (block === "comments") draft.comments.push(cells.join(",").trim());
  else if (block === "workout") draft.workout ??= row;
  else if (block === "time") draft.points++;
  // The parts of a lap follow it under the same number.
  else if (block === "interval") {
    if (!draft.laps.some(({ interval }) => interval === row.interval)) draft.laps.push(row);
  } else if (block !== "sensor") draft.others.set(block, (draft.others.get(block) ?? 0) + 1);
}

/** The columns of laps that nothing reads, each with the number of its values: `hravg: 3`. 0 means "none". */
function leftOfLaps(laps: readonly Row[]): string {
  const counts = new Map<string, number>();
  for (const [name, text] of laps.flatMap((lap) => Object.entries(lap)))
    if (!OF_LAPS.has(name) && text !== "" && Number(text) !== 0) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${name}: ${count}`).join(", ");
}

/** Reads pairs of names and values: `Device,fisica,model,key` is the device and its model. */
function pairsOf(cells: readonly string[]): Row {
  return Object.fromEntries(
    cells.flatMap((name, index) => (index % 2 === 0 && name !== "" ? [[name, cells[index + 1] ?? ""]] : [])),
  );
}

function recordOf({ head, comments, workout, laps, points, others }: Draft): Readonly<Record<string, unknown>> {
  const { Year, Month, Day, Hour, Minute, Second, ...device } = head;
  const two = (text = "") => text.padStart(2, "0");
  return {
    head: device,
    start: `${Year}-${two(Month)}-${two(Day)} ${two(Hour)}:${two(Minute)}:${two(Second)}`,
    ...(comments.length > 0 && { comments: comments.join("\n") }),
    ...(workout !== undefined && { workout: withoutName(workout), sport: sportOf(workout) }),
    ...(laps.length > 0 && { laps, "values of laps": leftOfLaps(laps) }),
    ...(others.size > 0 && {
      blocks: [...others].map(([name, count]) => `${name}: ${countOf(count, "row")}`).join(", "),
    }),
    ...(points > 0 && { points: `${points} points of CSV` }),
  };
}

/** Leaves out the first column, which only names the block. */
function withoutName({ workout: _, ...values }: Row): Row {
  return values;
}

/** Finds the sport. A wheel that turned means a bike, and a stride of a foot pod means a run. Otherwise the sport stays unknown. */
function sportOf({ wheeldist, stridedist }: Row): string {
  const [wheel, stride] = [Number(wheeldist) > 0, Number(stridedist) > 0];
  if (wheel === stride) return "";
  return wheel ? "bike" : "run";
}
