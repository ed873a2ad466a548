/**
 * Writes the cells of a workbook's sheet the way a mapping reads texts. A date that is a date in the workbook gets the order of the mapping, and a
 * number its decimal mark. So one sheet may mix real dates and typed ones, and the engine reads both.
 */
import { columnLetters } from "../../../formats/sheets/letters.ts";
import { type Cell, type SheetInfo, UNCOMPUTED } from "../../../formats/sheets/sheet.ts";
import type { Columns } from "../columns/columns.ts";
import type { ColumnSpec, DurationFormat } from "../mapping/fields.ts";
import type { Mapping } from "../mapping/mapping.ts";
import type { TableRecord } from "./table-row.ts";

/** A sheet, and how its cells are written for the engine. */
export interface SheetWords {
  readonly sheet: SheetInfo;
  /** The texts of a row. */
  fieldsOf(row: TableRecord): readonly string[];
  /** Whether the mapping reads a column. A faulty cell elsewhere is no loss. */
  reads(column: number): boolean;
}

/** The place of a row or a cell, as a person finds it: `Sheet "2019", row 12, column C`. */
export function sheetPlace({ name }: Pick<SheetInfo, "name">, row?: number, column?: number): string {
  const cell = column === undefined ? "" : `, column ${columnLetters(column)}`;
  return `Sheet ${JSON.stringify(name)}${row === undefined ? "" : `, row ${row}`}${cell}`;
}

/** Makes the words of a sheet. @param found the columns of its header; undefined if a layout moves them */
export function sheetWords(sheet: SheetInfo, mapping: Mapping, found: Columns | undefined): SheetWords {
  const write = cellWriter(mapping);
  if (found === undefined) {
    const fieldsOf = (row: TableRecord) => row.cells?.map((cell) => write(cell, undefined)) ?? row.fields;
    return { sheet, fieldsOf: (row) => withUncomputed(fieldsOf(row), row), reads: () => true };
  }
  const { columns, indexOf } = found;
  const specs = new Map(columns.map(({ index, spec }) => [index, spec]));
  const others = mapping.rows.flatMap(({ when }) => when.map(({ column }) => indexOf(column)));
  return {
    sheet,
    fieldsOf: (row) => {
      const { fields, cells } = row;
      return cells === undefined
        ? fields
        : withUncomputed(
            cells.map((cell, column) => write(cell, specs.get(column))),
            row,
          );
    },
    reads: (column) => (specs.get(column)?.field ?? "ignore") !== "ignore" || others.includes(column),
  };
}

/** The texts of a row, with the word for each formula that was never computed. */
function withUncomputed(texts: readonly string[], { uncomputed }: TableRecord): readonly string[] {
  if (uncomputed === undefined) return texts;
  const all = [...texts];
  for (const column of uncomputed) {
    while (all.length < column) all.push("");
    all[column] = UNCOMPUTED;
  }
  return all;
}

/** The columns for reading a sheet: a duration that is one in the workbook is `h:mm:ss`, whatever the texts of its column look like. */
export function withDurations(columns: Columns): Columns {
  const typed = columns.columns.map((column) =>
    column.spec.field === "duration"
      ? { ...column, spec: { ...column.spec, ...durationFormats(column.spec) } }
      : column,
  );
  return { ...columns, columns: typed };
}

function durationFormats({ format = [] }: ColumnSpec): Pick<ColumnSpec, "format" | "hoursAreMinutes"> {
  if (format.includes("h:mm:ss")) return { format };
  return { format: [...format, "h:mm:ss"], ...(format.includes("mm:ss:00") && { hoursAreMinutes: true as const }) };
}

function cellWriter({ dates, file }: Mapping): (cell: Cell | undefined, spec: ColumnSpec | undefined) => string {
  const number = (text: string) => (file.decimal === "," ? text.replace(".", ",") : text);
  return (cell, spec) => {
    if (cell === undefined) return "";
    const { kind, text } = cell;
    if (kind === "number") return number(cell.shown !== undefined && showsWords(spec) ? cell.shown : text);
    if (kind !== "date" && kind !== "date-time") return text;
    const [date = "", clock] = text.split(" ");
    // Programs such as pandas write a day as its midnight.
    const isDay = clock === undefined || (spec?.field === "date" && /^0?0:00:00$/.test(clock));
    if (dates.order === "excel" || dates.order === "excel-1904")
      return number(serialOf(date, isDay ? undefined : clock, dates.order));
    const day = inOrder(date, dates.order);
    return isDay ? day : `${day} ${clock}`;
  };
}

/** Fields whose numbers stand alone, whatever the sheet shows behind them. */
const BARE: ReadonlySet<string> = new Set<ColumnSpec["field"]>([
  ...(["duration.hours", "duration.minutes", "duration.seconds", "avgHR", "maxHR", "restHR"] as const),
  ...(["effort", "quality", "id", "offset", "file"] as const),
]);

/** Durations that are numbers. */
const BARE_FORMATS: ReadonlySet<DurationFormat> = new Set<DurationFormat>([
  ...(["hmmss", "minutes", "hours", "seconds", "milliseconds", "day-fraction"] as const),
  ...(["h.mm.ss", "mm.ss", "h.mm"] as const),
]);

/** Whether a column takes a number with its unit or its colons, as a CSV file of the sheet has it. A unit that the mapping gives isn't written twice. */
function showsWords(spec: ColumnSpec | undefined): boolean {
  if (spec === undefined) return true;
  const { field, format = [], unit } = spec;
  if (BARE.has(field) || (field === "unsupported" && unit !== undefined)) return false;
  return format.includes("text") || !format.some((one) => BARE_FORMATS.has(one));
}

function inOrder(date: string, order: "iso" | "dmy" | "mdy" | "ymd" | "shown"): string {
  const [year, month, day] = date.split("-");
  // As platforms show it, a date may stand in any order, and this one is among them.
  return { iso: date, ymd: date, shown: date, dmy: `${day}.${month}.${year}`, mdy: `${month}/${day}/${year}` }[order];
}

/** 1899-12-30 and 1904-01-01 in days since 1970. */
const EPOCH_DAYS = { excel: -25_569, "excel-1904": -24_107 } as const;

function serialOf(date: string, clock: string | undefined, order: keyof typeof EPOCH_DAYS): string {
  const [hours = 0, minutes = 0, seconds = 0] = (clock ?? "").split(":").map(Number);
  const day = Date.parse(`${date}T00:00:00Z`) / 86_400_000 - EPOCH_DAYS[order];
  const fraction = (hours * 3600 + minutes * 60 + seconds) / 86_400;
  return fraction === 0 ? String(day) : (day + fraction).toFixed(10);
}
