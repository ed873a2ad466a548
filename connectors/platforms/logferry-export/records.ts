/** Reads the records of an export one by one, in any of its formats. Each record has its place. */
import type { Issue } from "../../../transforms/model/issue.ts";
import { isRecord as isObject } from "../../api/json.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { ArchiveError } from "../../containers/archive-error.ts";
import { findEntry } from "../../containers/find.ts";
import { streamUnpacked } from "../../containers/gzip.ts";
import { DATA_PACKAGE, EXPORT_VERSION, isOurPackage, type OurPackage } from "../../exports/data-package.ts";
import { KINDS, type RecordKind, TABLES, type Table, wordsOfCell } from "../../exports/tables.ts";
import { unguarded } from "../../formats/csv/guard.ts";
import { JsonError, jsonParts, parsedJson } from "../../formats/json/parts.ts";
import { jsonTexts } from "../json-texts.ts";
import { cutRows } from "../table/reading/cut-row.ts";
import { isRecord, readTable } from "../table/reading/read-table.ts";

/** A record, or the error in the place of one. */
export type Found =
  | { readonly kind: RecordKind; readonly value: unknown; readonly entry: string; readonly line: number }
  | { readonly error: Issue; readonly entry: string; readonly line: number; readonly endsFile?: true };

/** Receives issues that belong to no record. */
type Report = (issue: Issue, entry: string) => void;

/** One format of an export in an archive. */
export interface Form {
  /** For evidence: `log.ndjson of a logferry export`. */
  readonly saw: string;
  /** The version that the export itself states. */
  readonly version: number;
  /** Gives every record of these kinds, from the start at each call. */
  records(kinds: ReadonlySet<RecordKind>, report: Report): AsyncGenerator<Found>;
}

/** Bytes at the beginning of a file that show its format. */
const HEAD_BYTES = 64 * 1024;

const HEAD_OF_NDJSON =
  /^\s*\{\s*"kind"\s*:\s*"export"\s*,\s*"value"\s*:\s*\{\s*"format"\s*:\s*"logferry-export"\s*,\s*"version"\s*:\s*(\d{1,9})/;
const HEAD_OF_JSON = /^\s*\{\s*"export"\s*:\s*\{\s*"format"\s*:\s*"logferry-export"\s*,\s*"version"\s*:\s*(\d{1,9})/;

/**
 * Finds the best format of an export. NDJSON and JSON hold everything. CSV holds only the values that fit into tables.
 *
 * @returns undefined if this is not an export; without records if it has none of these formats. Never throws for the contents of the archive
 */
export async function findForm(archive: Archive): Promise<Form | undefined> {
  const named = ["log.ndjson", "log.ndjson.gz", "log.json", "log.json.gz"].flatMap(
    (name) => findEntry(archive, name) ?? [],
  );
  const entries = [...archive.entries()];
  // A person may have renamed a single file.
  const alone = entries.length === 1 && /json(\.gz)?$/i.test(entries[0]?.path ?? "") ? entries : [];
  for (const entry of new Set([...named, ...alone])) {
    const head = await headOf(archive, entry);
    for (const [pattern, records] of [
      [HEAD_OF_NDJSON, ndjsonRecords],
      [HEAD_OF_JSON, jsonRecords],
    ] as const) {
      const version = pattern.exec(head)?.[1];
      if (version === undefined) continue;
      return {
        saw: `${entry.path} of a logferry export`,
        version: Number(version),
        records: (kinds, report) => guardedBy(entry, records(archive, entry, kinds, report)),
      };
    }
  }
  const entry = findEntry(archive, DATA_PACKAGE);
  const description = entry === undefined ? undefined : await packageOf(archive, entry);
  if (entry === undefined || description === undefined) return undefined;
  return {
    saw: `${entry.path} of a logferry export`,
    version: description.logferry.export,
    records: (kinds, report) => csvRecords(archive, description, kinds, report),
  };
}

/** Whether this logferry can read a format. */
export function isKnownVersion({ version }: Form): boolean {
  return version >= 1 && version <= EXPORT_VERSION;
}

async function headOf(archive: Archive, entry: Entry): Promise<string> {
  const decoder = new TextDecoder();
  let head = "";
  try {
    for await (const chunk of streamUnpacked(archive, entry, () => undefined)) {
      head += decoder.decode(chunk.subarray(0, HEAD_BYTES), { stream: true });
      if (head.length >= 200) break;
    }
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
  }
  return head.replace(/^\uFEFF/, "");
}

async function packageOf(archive: Archive, entry: Entry): Promise<OurPackage | undefined> {
  try {
    const text = new TextDecoder().decode(await archive.read(entry, 2 ** 20));
    const description = parsedJson(text.replace(/^\uFEFF/, ""), 1);
    return isOurPackage(description) ? description : undefined;
  } catch (error) {
    if (error instanceof ArchiveError || error instanceof JsonError) return undefined;
    throw error;
  }
}

/** Gives records up to a fault of the file, and then the fault as an error. */
async function* guardedBy(entry: Entry, records: AsyncGenerator<Found>): AsyncGenerator<Found> {
  try {
    yield* records;
  } catch (error) {
    if (error instanceof JsonError) yield { error: error.issue, entry: entry.path, line: error.line, endsFile: true };
    else if (error instanceof ArchiveError) {
      const issue = { severity: "error", rule: error.rule, found: error.message } as const;
      yield { error: issue, entry: entry.path, line: 1, endsFile: true };
    } else throw error;
  }
}

const KIND_OF_MEMBER = new Map(Object.entries(KINDS).map(([kind, { member }]) => [member, kind as RecordKind]));
const KIND_NAMES: ReadonlySet<string> = new Set(Object.keys(KINDS));

async function* jsonRecords(
  archive: Archive,
  entry: Entry,
  kinds: ReadonlySet<RecordKind>,
  report: Report,
): AsyncGenerator<Found> {
  const remark = (issue: Issue) => report(issue, entry.path);
  for await (const { member, index, text, line } of jsonParts(jsonTexts(archive, entry, remark))) {
    const kind = KIND_OF_MEMBER.get(member);
    if (kind === undefined && member !== "export") {
      remark({
        severity: "warning",
        rule: "logferry-export/unknown-member",
        found: member,
        expected: "a member of an export; it was left",
      });
    }
    const isEmptyList = index === undefined && text === "[]";
    if (kind === undefined || isEmptyList || !kinds.has(kind)) continue;
    yield recordOf(kind, text, entry, line);
  }
}

async function* ndjsonRecords(
  archive: Archive,
  entry: Entry,
  kinds: ReadonlySet<RecordKind>,
  report: Report,
): AsyncGenerator<Found> {
  const remark = (issue: Issue) => report(issue, entry.path);
  let records = 0;
  let said: number | undefined;
  for await (const { text, line } of linesOf(jsonTexts(archive, entry, remark))) {
    const found = recordOf(undefined, text, entry, line);
    if ("error" in found) {
      records++;
      yield found;
      continue;
    }
    const { kind, value } = found.value as { kind?: unknown; value?: unknown };
    if (kind === "export") continue;
    if (kind === "end") {
      said = isObject(value) && typeof value.records === "number" ? value.records : undefined;
      continue;
    }
    records++;
    if (typeof kind !== "string" || !KIND_NAMES.has(kind)) {
      const what = typeof kind === "string" ? kind : "no kind";
      yield {
        error: { severity: "error", rule: "logferry-export/unknown-kind", found: what },
        entry: entry.path,
        line,
      };
    } else if (kinds.has(kind as RecordKind)) yield { kind: kind as RecordKind, value, entry: entry.path, line };
  }
  if (said !== records) {
    remark({
      severity: "warning",
      rule: "logferry-export/incomplete",
      found: `${records} records${said === undefined ? " and no last line" : ""}`,
      expected:
        said === undefined ? "a line that counts them at the end: the file was cut" : `${said}, as its last line says`,
    });
  }
}

/** Gives the lines of a text that are not empty, with their numbers. @throws JsonError for a line that is too long */
async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<{ text: string; line: number }> {
  let rest = "";
  let line = 1;
  for await (const chunk of texts) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) {
      if (text.trim() !== "") yield { text, line };
      line++;
    }
    // A long line is refused early, before it grows to the size of the file.
    if (rest.length > 2 ** 22) parsedJson(rest, line);
  }
  if (rest.trim() !== "") yield { text: rest, line };
}

function recordOf(kind: RecordKind | undefined, text: string, entry: Entry, line: number): Found {
  try {
    const value = parsedJson(text, line);
    if (!isObject(value)) {
      return {
        error: { severity: "error", rule: "logferry-export/not-a-record", found: text.slice(0, 40) },
        entry: entry.path,
        line,
      };
    }
    return { kind: kind ?? "workout", value, entry: entry.path, line };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { error: error.issue, entry: entry.path, line };
  }
}

async function* csvRecords(
  archive: Archive,
  description: OurPackage,
  kinds: ReadonlySet<RecordKind>,
  report: Report,
): AsyncGenerator<Found> {
  const isGuarded = description.logferry.csvText !== "raw";
  for (const table of TABLES) {
    if (table.each !== undefined || !kinds.has(table.kind)) continue;
    const entry = findEntry(archive, `${table.name}.csv`);
    if (entry === undefined) continue;
    const lists = TABLES.filter(({ kind, each }) => kind === table.kind && each !== undefined);
    const members = await Promise.all(lists.map((list) => membersOf(archive, list, isGuarded, report)));
    try {
      for await (const found of rowsOf(archive, table, entry, isGuarded, report)) {
        if (!("error" in found)) for (const each of members) await each.addTo(found.value as Record<string, unknown>);
        yield found;
      }
      for (const each of members) await each.end();
    } finally {
      for (const each of members) await each.close();
    }
  }
}

/** Turns the rows of a table back into records. */
async function* rowsOf(
  archive: Archive,
  { kind, columns, name }: Table,
  entry: Entry,
  isGuarded: boolean,
  report: Report,
): AsyncGenerator<Found> {
  let header: readonly (Table["columns"][number] | undefined)[] | undefined;
  const cutIn = cutRows();
  for await (const row of readTable(archive, entry, { report: (issue) => report(issue, entry.path) })) {
    const error = isRecord(row) ? cutIn(row) : row.error;
    if (!isRecord(row) || error !== undefined) {
      const endsFile = "endsFile" in row && row.endsFile === true && ({ endsFile: true } as const);
      yield { error: error as Issue, entry: entry.path, line: row.line, ...endsFile };
      continue;
    }
    if (header === undefined) {
      header = row.fields.map((field) => columns.find((column) => column.name === field.trim()));
      const unknown = row.fields.filter((_, index) => header?.[index] === undefined);
      if (unknown.length > 0) {
        const expected = `columns of ${name}; they were left`;
        report(
          { severity: "warning", rule: "logferry-export/unknown-column", found: unknown.join(", "), expected },
          entry.path,
        );
      }
      continue;
    }
    const value: Record<string, unknown> = {};
    for (const [index, cell] of row.fields.entries()) {
      const column = header[index];
      if (column === undefined || cell === "") continue;
      const text = isGuarded ? unguarded(cell) : cell;
      setAt(value, column.path, column.type === "words" ? wordsOfCell(text) : text);
    }
    yield { kind, value, entry: entry.path, line: row.line };
  }
}

/** Puts a value at its path. A number in the path is a place in a list. */
function setAt(record: Record<string, unknown>, path: string, value: unknown): void {
  const steps = path.split(".");
  let inner: Record<string, unknown> = record;
  for (const [index, step] of steps.slice(0, -1).entries()) {
    inner[step] ??= /^\d+$/.test(steps[index + 1] ?? "") ? [] : {};
    inner = inner[step] as Record<string, unknown>;
  }
  inner[steps.at(-1) ?? ""] = value;
}

/** The id of the record that the row belongs to. */
function ownerOf(row: unknown): string {
  return String((row as { readonly "^"?: { readonly id?: unknown } })["^"]?.id ?? "");
}

/** The rows of a table that belong to lists in another table's records. */
interface Members {
  /** Adds the members to a record. */
  addTo(record: Record<string, unknown>): Promise<void>;
  /** Reports the rows without a record. */
  end(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Finds the members of each record. An export has both tables in one order. So memory holds only the next member, and the ids of all records with
 * members. If a person sorted one of the tables, members wait in memory until their record comes.
 */
async function membersOf(archive: Archive, table: Table, isGuarded: boolean, report: Report): Promise<Members> {
  const entry = findEntry(archive, `${table.name}.csv`);
  if (entry === undefined || table.each === undefined) return { addTo: nothing, end: nothing, close: nothing };
  const [listName = "", memberName = ""] = table.each.split(".");
  const owners = new Set<string>();
  for await (const row of rowsOf(archive, table, entry, isGuarded, () => undefined)) {
    if (!("error" in row)) owners.add(ownerOf(row.value));
  }
  const rows = rowsOf(archive, table, entry, isGuarded, report);
  const waiting = new Map<string, Record<string, unknown>[]>();
  let isDone = false;
  /** The owner of the last row. */
  let last: string | undefined;

  const readOne = async () => {
    const next = await rows.next();
    if (next.done) {
      isDone = true;
      return;
    }
    if ("error" in next.value) {
      report(next.value.error, next.value.entry);
      return;
    }
    const { "^": _owner, "#": number, ...member } = next.value.value as Record<string, unknown>;
    last = ownerOf(next.value.value);
    const members = waiting.get(last) ?? [];
    waiting.set(last, members);
    members.push({ ...member, "#": Number(number ?? members.length + 1) });
  };

  return {
    async addTo(record) {
      const id = String(record.id ?? "");
      // One row of the next record shows that this record has no more.
      while (!isDone && owners.has(id) && (last === id || !waiting.has(id))) await readOne();
      const members = waiting.get(id);
      if (members === undefined) return;
      waiting.delete(id);
      const list = (record[listName] ?? {}) as Record<string, unknown>;
      record[listName] = list;
      list[memberName] = members
        .sort((a, b) => Number(a["#"]) - Number(b["#"]))
        .map(({ "#": _number, ...member }) => member);
    },
    async end() {
      while (!isDone) await readOne();
      const left = [...waiting.values()].reduce((sum, members) => sum + members.length, 0);
      if (left === 0) return;
      const expected = "a workout of the export for each; they were left";
      report({ severity: "warning", rule: "logferry-export/no-workout", found: `${left} rows`, expected }, entry.path);
    },
    close: async () => void (await rows.return(undefined)),
  };
}

async function nothing(): Promise<void> {}
