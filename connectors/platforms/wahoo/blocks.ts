/** Reads the blocks of a CSV file of the Wahoo Fitness app. A file is one workout. Its head, comments, totals, laps and points are one block each. */

import type { Issue } from "../../../transforms/model/issue.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import type { RecordFound } from "../table/description.ts";
import { readTable } from "../table/reading/read-table.ts";

/** The row under a header: its cells by the header's names. */
type Row = Record<string, string>;

/** The first cells of the headers. */
const BLOCKS = ["comments", "sensor", "workout", "interval", "time"];

/** A file during reading. */
interface Draft {
  readonly head: Row;
  readonly comments: string[];
  workout: Row | undefined;
  readonly laps: Row[];
  points: number;
}

/** Whether a file begins like a file of the app. */
export function isOfApp(head: string): boolean {
  return /^\uFEFF?"?Device"?,[^\r\n]*\r?\n"?Year"?,/.test(head);
}

/** Gives a file as one record; nothing for another program's table. */
export async function* recordsOf(
  archive: Archive,
  entry: Entry,
  remark: (issue: Issue) => void,
): AsyncGenerator<RecordFound> {
  const draft: Draft = { head: {}, comments: [], workout: undefined, laps: [], points: 0 };
  let block = "";
  let header: readonly string[] = [];
  for await (const row of readTable(archive, entry, { delimiter: ",", report: remark })) {
    if ("error" in row) {
      remark({ ...row.error, severity: "warning" });
      continue;
    }
    const cells = row.fields.map((cell) => cell.trim());
    const [first = ""] = cells;
    if (row.isUnended && cells.length < header.length && block !== "comments") remark(cutIn(block, cells.length));
    if (BLOCKS.includes(first)) [block, header] = [first, cells];
    else if (block === "") Object.assign(draft.head, pairsOf(cells));
    else addRow(draft, block, header, row.fields);
  }
  if ("Device" in draft.head && "Year" in draft.head) yield { value: recordOf(draft), place: undefined };
}

/** Each block has a header, so a last row with fewer cells and no line end is where the file was cut. */
function cutIn(block: string, width: number): Issue {
  const found = `${width} ${width === 1 ? "cell" : "cells"} and no line end: the file seems to be cut here`;
  return { severity: "warning", rule: "csv/cut-row", found, expected: `a whole row of the block "${block}"` };
}

function addRow(draft: Draft, block: string, header: readonly string[], fields: readonly string[]): void {
  const cells = fields.map((cell) => cell.trim());
  if (cells.every((cell) => cell === "")) return;
  const row: Row = Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ""]));
  if (block === "comments") draft.comments.push(fields.join(",").trim());
  else if (block === "workout") draft.workout ??= row;
  else if (block === "time") draft.points++;
  // The parts of a lap follow it under the same number.
  else if (block === "interval" && !draft.laps.some(({ interval }) => interval === row.interval)) draft.laps.push(row);
}

/** Reads pairs of names and values: `Device,fisica,model,key` is the device and its model. */
function pairsOf(cells: readonly string[]): Row {
  return Object.fromEntries(
    cells.flatMap((name, index) => (index % 2 === 0 && name !== "" ? [[name, cells[index + 1] ?? ""]] : [])),
  );
}

function recordOf({ head, comments, workout, laps, points }: Draft): Readonly<Record<string, unknown>> {
  const { Year, Month, Day, Hour, Minute, Second, ...others } = head;
  const two = (text = "") => text.padStart(2, "0");
  return {
    head: others,
    start: `${Year}-${two(Month)}-${two(Day)} ${two(Hour)}:${two(Minute)}:${two(Second)}`,
    ...(comments.length > 0 && { comments: comments.join("\n") }),
    ...(workout !== undefined && { workout: withoutName(workout), sport: sportOf(workout) }),
    ...(laps.length > 0 && { laps }),
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
