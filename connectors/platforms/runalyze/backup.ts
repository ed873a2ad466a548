/**
 * Reads the tables of a Runalyze backup. The first line is the version. Then each table has a line with its name, and a line for each row: a JSON
 * object with the row's id as the only member. Gear, races and links stand after the workouts, so the small tables are read first.
 */
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { linesOf } from "../../formats/json/lines.ts";
import { JSON_CAPS, JsonError, parsedJson } from "../../formats/json/parts.ts";
import { jsonTexts } from "../json-texts.ts";
import type { RowSource } from "../table/description.ts";
import { isJsonRow, type JsonRow } from "../table/sources/json-source.ts";
import { recordSource } from "../table/sources/record-source.ts";
import { NewTables } from "./new-tables.ts";

/** The rows of the small tables, by table and id. Rows of links have no id, so their place in the file identifies them. */
export type SmallTables = ReadonlyMap<string, ReadonlyMap<string, JsonRow>>;

/** Makes the function that completes the rows of a table. */
export type Joins = (small: SmallTables) => (row: JsonRow) => JsonRow | undefined;

/** The tables that workouts and gear refer to. The others hold most bytes, so they never stay in memory. */
const SMALL = [
  ...["sport", "type", "equipment_type", "equipment", "activity_equipment", "raceresult", "tag", "activity_tag"],
  "route",
];

/** The other tables of a backup. Any table beside these is new, and is reported. */
const OTHERS = [
  ...["account", "conf", "dataset", "hrv", "plugin", "plugin_conf", "user", "training", "trackdata", "swimdata"],
  ...["equipment_sport", "clothes", "shoe", "weathercache", "notification"],
];

/** Large members of small tables. */
const DROPPED = new Set(["geohashes", "elevations_original", "elevations_corrected", "elevations_source"]);

const WORKOUTS = "training";

/** The line that begins a table. The name of the database, without an underscore, stands before the table's. */
const TABLE = /^\{"TABLE": ?"[A-Za-z0-9]{1,20}_([A-Za-z0-9_]{1,60})"\}\s?$/;

/**
 * Makes a source of the rows of one table.
 *
 * @param knownBy members that each row has
 * @param joins takes the small tables, and gives a function that adds their data to a row; undefined for a row that is left out
 */
export function backupTable(table: string, knownBy: readonly string[], joins: Joins): RowSource {
  return recordSource({
    files: /\.json(\.gz)?$/i,
    knownBy: ["id", ...knownBy],
    eachIsKnown: true,
    isKnown: (head) => /^version=/.test(head) && /\{"TABLE": ?"/.test(head),
    async *records(archive, entry, remark) {
      // Every source of a backup reads all its lines. New tables are told of with the workouts.
      const beside = table === WORKOUTS ? new NewTables() : undefined;
      const joined = joins(await smallTables(archive, entry, beside && { beside, remark }));
      for await (const { row, line } of rowsOf(archive, entry, (name) => name === table)) {
        const value = row && joined(row);
        const more = beside?.take(`${row?.id}`);
        if (row === undefined || value !== undefined)
          yield { value: value && { ...value, ...more }, place: `line ${line}` };
      }
      yield* beside?.rest() ?? [];
    },
    issueOf: (error) => (error instanceof JsonError ? error.issue : undefined),
  });
}

/** @param told takes the new tables, and what the reader of the text says */
async function smallTables(
  archive: Archive,
  entry: Entry,
  told?: { readonly beside: NewTables; readonly remark: (issue: Issue) => void },
): Promise<SmallTables> {
  const found = new Map<string, Map<string, JsonRow>>(SMALL.map((name) => [name, new Map()]));
  const isWanted = (name: string) => found.has(name) || (told !== undefined && isNew(name));
  for await (const { table, row, line } of rowsOf(archive, entry, isWanted, told?.remark)) {
    if (isNew(table)) told?.beside.add(table, row, line);
    if (row === undefined) continue;
    const kept = Object.fromEntries(Object.entries(row).filter(([member]) => !DROPPED.has(member)));
    found.get(table)?.set(row.id === "" ? `line ${line}` : `${row.id}`, kept);
  }
  return found;
}

function isNew(table: string): boolean {
  return table !== "" && !SMALL.includes(table) && !OTHERS.includes(table);
}

/** A row of a table, with its id as a member; undefined if the line is not JSON, or too long. */
interface BackupRow {
  readonly table: string;
  readonly row: JsonRow | undefined;
  readonly line: number;
}

/** Longest line that names a table. In tables that are not read, only this much of a line is kept in memory. */
const HEAD = 200;

async function* rowsOf(
  archive: Archive,
  entry: Entry,
  isOfThese: (table: string) => boolean,
  remark?: (issue: Issue) => void,
): AsyncGenerator<BackupRow> {
  let table = "";
  let last = "";
  let lines = 0;
  const isWanted = () => isOfThese(table);
  const texts = jsonTexts(archive, entry, remark ?? (() => {}));
  for await (const { text, line } of linesOf(texts, () => (isWanted() ? JSON_CAPS.partLength : HEAD))) {
    lines = line;
    if (text !== "") last = text ?? "";
    const named = text === undefined ? undefined : TABLE.exec(text)?.[1];
    if (named !== undefined) table = named;
    else if (isWanted() && text !== "") yield { table, row: text === undefined ? undefined : rowIn(text, line), line };
  }
  // Tables that are read before the workouts end with the same line.
  const isCut = last.startsWith("{") && !last.trimEnd().endsWith("}");
  if (isCut && isOfThese(WORKOUTS)) throw new JsonError("json/cut", lines, "the rest of the backup: it ends early");
}

/** Reads the row on a line: `{"21":{"time":"1400000400"}}`. */
function rowIn(text: string, line: number): JsonRow | undefined {
  let parsed: unknown;
  try {
    parsed = parsedJson(text, line);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return undefined;
  }
  const [only] = isJsonRow(parsed) ? Object.entries(parsed) : [];
  if (only === undefined || !isJsonRow(only[1])) return undefined;
  return { ...only[1], id: only[0] };
}
