/** Reads the rows of hlth_center_sport_record.csv. Each row has a cell of JSON. A later row of the same workout replaces the earlier one. */
import { activityNamed } from "../../../transforms/activities.ts";
import { printable } from "../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import type { SheetRow } from "../table/cells/sheet-row.ts";
import { fold } from "../table/columns/columns.ts";
import type { RowSource } from "../table/description.ts";
import { csvRows } from "../table/reading/csv-rows.ts";
import { hasHeader } from "../table/sources/csv-source.ts";
import { cellReader, Strangers } from "../table/sources/json-path.ts";
import type { JsonRow } from "../table/sources/json-source.ts";
import { plainValue } from "./utf7.ts";

const HEADER = ["Uid", "Sid", "Key", "Time", "Category", "Value", "UpdateTime"];
const VALUE = HEADER.indexOf("Value");

/** Most tables whose headers are checked. */
const MOST_LOOKED_AT = 40;

/** Finds all tables of workouts: by the platform's name, or under any other name if no table has it. */
export function sportRecords(): RowSource {
  return {
    claims: (archive, entry) => hasHeader(archive, entry, isOurs),
    async find(archive, columns) {
      const entries = await tablesOf(archive);
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
        strangers: () => [...strangers.names].sort(),
        async *rows(session, entry, mapping, report) {
          const rows = () => csvRows(session, entry, mapping.file, report);
          const newest = new Map<string, number>();
          for await (const row of csvRows(session, entry, mapping.file)) {
            const record = recordOf(row);
            if (record === undefined) continue;
            const { id, updated } = record;
            newest.set(id, Math.max(newest.get(id) ?? 0, updated));
          }
          for await (const row of rows()) {
            const record = recordOf(row);
            if (record === undefined || record.value === undefined) {
              yield "fields" in row ? { origin: row.origin, error: NO_JSON } : row;
              continue;
            }
            const { value, id, updated } = record;
            strangers.add(value);
            const replaced = updated < (newest.get(id) ?? 0) ? "yes" : "";
            yield { origin: row.origin, fields: cellsOf({ ...value, replaced }) };
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

async function tablesOf(archive: Archive): Promise<readonly Entry[]> {
  const named = [...archive.entries()].filter(({ path }) => /\.csv$/i.test(path));
  const own = named.filter(({ path }) => /hlth_center_sport_record[^/]*$/i.test(path));
  const found: Entry[] = [];
  for (const entry of (own.length > 0 ? own : named).slice(0, MOST_LOOKED_AT)) {
    if (await hasHeader(archive, entry, isOurs)) found.push(entry);
  }
  return found;
}

function isOurs(header: readonly string[]): boolean {
  return header.map(fold).join() === HEADER.map(fold).join();
}

interface SportRecord {
  readonly id: string;
  readonly updated: number;
  /** The row with its JSON as an object; undefined if the cell has no JSON object. */
  readonly value: JsonRow | undefined;
}

/** Reads a row. In a copy by another program, the JSON's commas separate cells of the row. */
function recordOf(row: SheetRow): SportRecord | undefined {
  if (!("fields" in row)) return undefined;
  const cells = row.fields.map((cell) => cell.trim());
  const [Uid = "", Sid = "", Key = "", Time = "", Category = ""] = cells.slice(0, VALUE).map(plainValue);
  const UpdateTime = cells.at(-1) ?? "";
  const id = `${Key}-${Time}`;
  const Value = parsed(plainValue(cells.slice(VALUE, -1).join(",")));
  const sport = [Category, Key].find((name) => activityNamed(name) !== undefined) ?? (Category || Key);
  const value = Value && { Uid, Sid, Key, Time, Category, UpdateTime, Value, id, sport };
  return { id, updated: Number(UpdateTime) || 0, value };
}

function parsed(text: string): JsonRow | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonRow) : undefined;
  } catch {
    return undefined;
  }
}
