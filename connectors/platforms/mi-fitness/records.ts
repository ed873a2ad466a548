/** Reads the rows of hlth_center_sport_record.csv. Each row has a cell of JSON. A later row of the same workout replaces the earlier one. */
import { activityNamed } from "../../../transforms/activities.ts";
import { printable } from "../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import type { SheetRow } from "../table/cells/sheet-row.ts";
import { fold, namesOf } from "../table/columns/columns.ts";
import type { RowSource } from "../table/description.ts";
import { csvRows } from "../table/reading/csv-rows.ts";
import { hasHeader } from "../table/sources/csv-source.ts";
import { cellReader, Strangers } from "../table/sources/json-path.ts";
import type { JsonRow } from "../table/sources/json-source.ts";
import { plainValue } from "./utf7.ts";

const HEADER = ["Uid", "Sid", "Key", "Time", "Category", "Value", "UpdateTime"];

/** Most tables whose headers are checked. */
const MOST_LOOKED_AT = 40;

/** Finds all tables of workouts: by the platform's name, or under any other name if no table has it. */
export function sportRecords(): RowSource {
  return {
    claims: (archive, entry) => hasHeader(archive, entry, isOurs),
    async find(archive, columns) {
      const tables = await tablesOf(archive);
      const entries = [...tables.keys()];
      const [first, ...others] = entries;
      if (first === undefined) return undefined;
      const header = columns.flatMap(([theirs]) => theirs);
      const strangers = new Strangers(header);
      const cellsOf = cellReader(header);
      return {
        saw: `${printable(first.path, 80)} with ${HEADER.join(", ")}`,
        entries: [first, ...others],
        header,
        holds: (path) => entries.some((entry) => entry.path === path),
        strangers: () => strangers.all(),
        async *rows(session, entry, mapping, report) {
          const table = tables.get(entry) ?? HEADER;
          const rows = () => csvRows(session, entry, mapping.file, report);
          const newest = new Map<string, number>();
          for await (const row of csvRows(session, entry, mapping.file)) {
            const record = recordOf(row, table);
            if (record === undefined) continue;
            const { id, updated } = record;
            newest.set(id, Math.max(newest.get(id) ?? 0, updated));
          }
          for await (const row of rows()) {
            const record = recordOf(row, table);
            if (record === undefined || record.value === undefined) {
              const found = record?.text.slice(0, 80) ?? "";
              yield "fields" in row ? { origin: row.origin, error: { ...NO_JSON, ...(found && { found }) } } : row;
              continue;
            }
            const { value, id, updated } = record;
            const added = strangers.add(value, entry.path);
            const replaced = updated < (newest.get(id) ?? 0) ? "yes" : "";
            yield { origin: row.origin, fields: cellsOf({ ...value, replaced }), ...(added.length > 0 && { added }) };
          }
        },
      };
    },
  };
}

const NO_JSON = {
  severity: "error",
  rule: "mi-fitness/no-value",
  field: "Value",
  expected: "the values of a workout in JSON",
} as const;

/** The tables, each with its header. */
async function tablesOf(archive: Archive): Promise<ReadonlyMap<Entry, readonly string[]>> {
  const named = [...archive.entries()].filter(({ path }) => /\.csv$/i.test(path));
  const own = named.filter(({ path }) => /hlth_center_sport_record[^/]*$/i.test(path));
  const found = new Map<Entry, readonly string[]>();
  for (const entry of (own.length > 0 ? own : named).slice(0, MOST_LOOKED_AT)) {
    const keep = (header: readonly string[]) => {
      if (!isOurs(header)) return false;
      found.set(entry, namesOf(header));
      return true;
    };
    await hasHeader(archive, entry, keep);
  }
  return found;
}

/** Whether a header has all columns of the platform, in any order. */
function isOurs(header: readonly string[]): boolean {
  const names = new Set(header.map(fold));
  return HEADER.every((name) => names.has(fold(name)));
}

interface SportRecord {
  readonly id: string;
  readonly updated: number;
  /** The text of the cell that should hold JSON. */
  readonly text: string;
  /** The row with its JSON as an object; undefined if the cell has no JSON object. */
  readonly value: JsonRow | undefined;
}

/** Reads a row. In a copy by another program, the JSON's commas separate cells of the row. */
function recordOf(row: SheetRow, header: readonly string[]): SportRecord | undefined {
  if (!("fields" in row)) return undefined;
  const cells = row.fields.map((cell) => cell.trim());
  const at = header.findIndex((name) => fold(name) === fold("Value"));
  const more = Math.max(cells.length - header.length, 0);
  const text = plainValue(cells.slice(at, at + more + 1).join(","));
  const others = [...cells.slice(0, at), "", ...cells.slice(at + more + 1)].map(plainValue);
  const {
    Uid = "",
    Sid = "",
    Key = "",
    Time = "",
    Category = "",
    UpdateTime = "",
    ...further
  } = Object.fromEntries(
    header.flatMap((name, index) => (index === at ? [] : [[canonical(name), others[index] ?? ""]])),
  );
  const id = `${Key}-${Time}`;
  const Value = parsed(text);
  const value = Value && {
    ...further,
    Uid,
    Sid,
    Key,
    Time,
    Category,
    UpdateTime,
    Value,
    id,
    sport: sportOf(Category, Key),
  };
  return { id, updated: Number(UpdateTime) || 0, text, value };
}

/** The platform's spelling of a column. */
function canonical(name: string): string {
  return HEADER.find((each) => fold(each) === fold(name)) ?? name;
}

/** The sport of a row: its category, or else its key, `outdoor_running`. The category may be in a language whose letters got lost. */
function sportOf(category: string, key: string): string {
  const names = [category, key, key.replace(/^(?:outdoor|indoor)_/, "")];
  return names.find((name) => activityNamed(name) !== undefined) ?? (category || key);
}

/** Reads JSON. A bare NaN in it is no value. */
function parsed(text: string): JsonRow | undefined {
  for (const each of [text, text.replace(/([:,[] ?)NaN(?= ?[,}\]])/g, "$1null")]) {
    try {
      const value: unknown = JSON.parse(each);
      return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonRow) : undefined;
    } catch {
      // The next form of the text is tried.
    }
  }
  return undefined;
}
