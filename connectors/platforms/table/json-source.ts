/** Rows of a platform's JSON files: one a file, or the elements of a list, read one at a time. */
import type { Issue } from "../../../transforms/model/issue.ts";
import { printable } from "../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { ArchiveError } from "../../containers/archive-error.ts";
import { EACH_OF_OBJECT, type JsonPlace, jsonEach } from "../../formats/json/each.ts";
import { JsonError, jsonParts, parsedJson } from "../../formats/json/parts.ts";
import { decodeStream } from "../../formats/text.ts";
import type { ReadSession } from "../session.ts";
import type { ColumnRow, FoundRows, GearColumn, RowSource } from "./description.ts";
import { cellReader, Strangers } from "./json-path.ts";
import type { ReportAt, SheetRow } from "./sheet-row.ts";

/** Where the rows are. */
export interface JsonRows {
  /** Names of files that may hold rows. */
  readonly files: RegExp;
  /** Members that every row has: by them a file is known. */
  readonly knownBy: readonly string[];
  /** Where the lists of rows are, for a file that has one of them. A file without is one row itself. */
  readonly lists: readonly JsonPlace[];
  /** Large members of a row that nothing is read of; of a file that is one row they are never held. */
  readonly skips?: readonly string[];
}

/** Characters of a file in which it shows what it is. */
const HEAD = 64 * 1024;

/** Files that are looked at, at the most, before an archive is somebody else's. */
const MOST_LOOKED_AT = 20;

/** Rows of JSON files. */
export function json(described: JsonRows): RowSource {
  return {
    async find(archive: Archive, columns: readonly (ColumnRow | GearColumn)[]): Promise<FoundRows | undefined> {
      const entries = [...archive.entries()].filter(({ path }) => described.files.test(path));
      const first = await firstKnown(archive, entries, described);
      if (first === undefined) return undefined;
      const header = columns.flatMap(([theirs]) => theirs);
      const strangers = new Strangers(header);
      const gave = new Set<string>();
      const reader: RowsReader = { cellsOf: cellReader(header), strangers, gave };
      return {
        saw: `${printable(first.path, 80)} with ${described.knownBy.join(", ")}`,
        entries: [first, ...entries.filter((entry) => entry !== first)],
        header,
        rows: (session, entry, _, report) => rowsOf(session, entry, described, reader, report),
        holds: (path) => gave.has(path),
        strangers: () => [...strangers.names].sort(),
      };
    },
  };
}

async function firstKnown(archive: Archive, entries: readonly Entry[], rows: JsonRows): Promise<Entry | undefined> {
  for (const entry of entries.slice(0, MOST_LOOKED_AT)) {
    const head = await headOf(archive, entry);
    if (rows.knownBy.every((member) => head.includes(JSON.stringify(member)))) return entry;
  }
  return undefined;
}

async function headOf(archive: Archive, entry: Entry): Promise<string> {
  let head = "";
  try {
    for await (const text of decodeStream(archive.stream(entry), () => {})) {
      head += text;
      if (head.length >= HEAD) break;
    }
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
  }
  return head;
}

/** What rows are read with, and what is found out meanwhile. */
interface RowsReader {
  readonly cellsOf: (row: unknown) => readonly string[];
  readonly strangers: Strangers;
  /** Files that hold rows, or something broken in their place. */
  readonly gave: Set<string>;
}

async function* rowsOf(
  session: ReadSession,
  entry: Entry,
  described: JsonRows,
  { cellsOf, strangers, gave }: RowsReader,
  report?: ReportAt,
): AsyncGenerator<SheetRow> {
  const whole = session.origin(entry.path);
  const remark = (issue: Issue) => report?.(issue, whole);
  try {
    for await (const { value, place } of elementsOf(session.archive, entry, described, remark)) {
      const origin = place === undefined ? whole : session.origin(entry.path, place);
      if (!isRow(value, described)) {
        // A file that is no row is another file; an element of a list of rows is a row that lacks what all have.
        if (place !== undefined) yield { origin, error: lacking(described), known: `${fileName(entry)}:${place}` };
        continue;
      }
      gave.add(entry.path);
      strangers.add(value);
      yield { origin, fields: cellsOf(value) };
    }
  } catch (error) {
    if (!(error instanceof JsonError || error instanceof ArchiveError)) throw error;
    gave.add(entry.path);
    const issue: Issue =
      error instanceof JsonError ? error.issue : { severity: "error", rule: error.rule, found: error.message };
    yield { origin: whole, error: issue, known: fileName(entry) };
  }
}

interface Element {
  readonly value: unknown;
  /** Undefined for a file that is one row. */
  readonly place: string | undefined;
}

/** The elements of a file's list; where it has none, the file itself as an object. */
async function* elementsOf(
  archive: Archive,
  entry: Entry,
  { lists, skips = [] }: JsonRows,
  remark: (issue: Issue) => void,
): AsyncGenerator<Element> {
  const head = (await headOf(archive, entry)).trimStart();
  const list = lists.find((place) => leadsTo(head, place)) ?? lists.find((place) => opensLike(head, place, "["));
  const texts = decodeStream(archive.stream(entry), remark);
  if (list !== undefined) {
    let count = 0;
    for await (const { text, line } of jsonEach(texts, list))
      yield { value: parsedJson(text, line), place: `record ${++count}` };
    return;
  }
  const row: Record<string, unknown> = Object.create(null);
  for await (const { member, index, text, line } of jsonParts(texts)) {
    if (skips.includes(member)) row[member] = [];
    else if (index === undefined) row[member] = parsedJson(text, line);
    else {
      if (index === 0) row[member] = [];
      const members = row[member];
      if (Array.isArray(members)) members.push(parsedJson(text, line));
    }
  }
  yield { value: row, place: undefined };
}

/** Whether a file that begins so has a list at a place: its outermost value is of the right kind, and it names the members on the way. */
function leadsTo(head: string, place: JsonPlace): boolean {
  const members = place.filter((step) => step !== "*" && step !== EACH_OF_OBJECT);
  const isOpen = opensLike(head, place, "[") || opensLike(head, place, "{");
  return isOpen && members.every((member) => head.includes(JSON.stringify(member)));
}

/** Whether a file and a place both begin with a list, or both with an object. A file that is one row is no list. */
function opensLike(head: string, place: JsonPlace, opens: "[" | "{"): boolean {
  return head.startsWith(opens) && (place[0] === "*") === (opens === "[");
}

function lacking({ knownBy }: JsonRows): Issue {
  return { severity: "error", rule: "table/not-a-record", expected: `a record with ${knownBy.join(", ")}` };
}

function fileName({ path }: Entry): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function isRow(value: unknown, { knownBy }: JsonRows): boolean {
  return typeof value === "object" && value !== null && knownBy.every((member) => member in value);
}
