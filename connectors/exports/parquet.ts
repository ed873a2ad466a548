/**
 * A log as Parquet, for DuckDB, pandas and similar programs. Each table is a file packed with Snappy, and each column has its own type. Rows are
 * collected and written group by group.
 */
import { join } from "node:path";
import type { SchemaElement } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { isLocalDate, isLocalTime } from "../../transforms/calendar.ts";
import { daysFrom1970, secondsOfDay } from "./days.ts";
import { type OutputFile, openFile } from "./output-file.ts";
import { tableWriter } from "./table-writer.ts";
import type { Cell, Column, ColumnType, Table } from "./tables.ts";
import type { LogWriter, WriterOptions } from "./writer.ts";

/** Rows to collect before they are written as one group of the file. */
const GROUP_ROWS = 2_000;

/** For each type: its element of the schema, and its cells in the library's form. A cell of another type is left empty. */
const TYPES: Readonly<
  Record<ColumnType, { readonly element: Partial<SchemaElement>; readonly value: (cell: Cell) => unknown }>
> = {
  text: { element: { type: "BYTE_ARRAY", converted_type: "UTF8" }, value: textOf },
  id: { element: { type: "BYTE_ARRAY", converted_type: "UTF8" }, value: textOf },
  words: { element: { type: "BYTE_ARRAY", converted_type: "UTF8" }, value: textOf },
  number: { element: { type: "DOUBLE" }, value: (cell) => (typeof cell === "number" ? cell : undefined) },
  integer: {
    element: { type: "INT64" },
    value: (cell) => (Number.isSafeInteger(cell) ? BigInt(cell as number) : undefined),
  },
  boolean: { element: { type: "BOOLEAN" }, value: (cell) => (typeof cell === "boolean" ? cell : undefined) },
  date: {
    element: { type: "INT32", converted_type: "DATE" },
    value: (cell) => (typeof cell === "string" && isLocalDate(cell) ? daysFrom1970(cell) : undefined),
  },
  time: {
    element: { type: "INT32", converted_type: "TIME_MILLIS" },
    value: (cell) => (typeof cell === "string" && isLocalTime(cell) ? secondsOfDay(cell) * 1000 : undefined),
  },
};

/** Makes the writer of Parquet. */
export function parquetWriter({ folder, choice, report }: WriterOptions): LogWriter {
  return tableWriter(choice.tables, (table) => {
    const name = `${table.name}.parquet`;
    const file = openFile<Uint8Array>(join(folder, name));
    const bytes = new FileBytes(file);
    const parquet = new ParquetWriter({ writer: bytes, schema: schemaOf(table), createdBy: "logferry" });
    let rows: (readonly Cell[])[] = [];
    const left = new Map<string, number>();
    const writeGroup = async () => {
      const group = rows;
      rows = [];
      if (group.length === 0) return;
      const columnData = table.columns.map((column, index) => ({
        name: column.name,
        data: group.map((row) => typedValue(column, row[index], left)),
      }));
      await parquet.write({ columnData, rowGroupSize: GROUP_ROWS });
    };
    return {
      name,
      begin: async () => undefined,
      write: async (row) => {
        rows.push(row);
        if (rows.length === GROUP_ROWS) await writeGroup();
      },
      end: async () => {
        await writeGroup();
        await parquet.finish();
        await file.close();
        for (const [field, count] of left) {
          const expected = "a whole number in a column of whole numbers: left empty there";
          report({
            severity: "warning",
            rule: "export/left-empty",
            field: `${name} ${field}`,
            found: "other values",
            expected,
            count,
          });
        }
      },
      abandon: file.abandon,
    };
  });
}

function schemaOf({ columns }: Table): SchemaElement[] {
  return [
    { name: "root", num_children: columns.length },
    ...columns.map(({ name, type }): SchemaElement => ({ name, repetition_type: "OPTIONAL", ...TYPES[type].element })),
  ];
}

function typedValue({ name, type }: Column, cell: Cell, left: Map<string, number>): unknown {
  if (cell === undefined) return undefined;
  const value = TYPES[type].value(cell);
  if (value === undefined) left.set(name, (left.get(name) ?? 0) + 1);
  return value;
}

function textOf(cell: Cell): string {
  return String(cell).toWellFormed();
}

/** The output of the library: a buffer that is emptied into the file after each group. */
class FileBytes extends ByteWriter {
  readonly #file: OutputFile<Uint8Array>;

  constructor(file: OutputFile<Uint8Array>) {
    super(64 * 1024);
    this.#file = file;
  }

  async flush(): Promise<void> {
    // This is a copy, because the library overwrites the buffer at once.
    const bytes = this.getBytes().slice();
    this.index = 0;
    await this.#file.write(bytes);
  }

  override async finish(): Promise<void> {
    await this.flush();
  }
}
