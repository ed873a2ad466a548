/** Rows that are records, of JSON or of XML: one a file, or many in a file, read one at a time. */
import type { Issue } from "../../../transforms/model/issue.ts";
import { printable } from "../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { ArchiveError } from "../../containers/archive-error.ts";
import { decodeStream } from "../../formats/text.ts";
import type { ReadSession } from "../session.ts";
import type { ColumnRow, FoundRows, GearColumn, RowSource } from "./description.ts";
import { cellReader, Strangers } from "./json-path.ts";
import type { ReportAt, SheetRow } from "./sheet-row.ts";

/** A record as its file has it. */
export interface RecordFound {
  /** Undefined for one that is too long to be read. */
  readonly value: unknown;
  /** `record 12`; undefined for a file that is one row. */
  readonly place: string | undefined;
}

/** Where the records are, and how they are read. */
export interface Records {
  /** Names of files that may hold rows. */
  readonly files: RegExp;
  /** Members that every row has. */
  readonly knownBy: readonly string[];
  /** Whether a file is the platform's, by its first 64 KiB. */
  readonly isKnown: (head: string) => boolean;
  /** Every file with records is known by its beginning; otherwise any file of those names may have some. */
  readonly eachIsKnown?: true;
  /** The records of a file. Throws an ArchiveError, or an error with an issue that `issueOf` knows; the records before have been given. */
  readonly records: (archive: Archive, entry: Entry, remark: (issue: Issue) => void) => AsyncIterable<RecordFound>;
  /** What an error says of the file; undefined for one that is none of its reader's. */
  readonly issueOf: (error: unknown) => Issue | undefined;
}

/** UTF-16 units of a file in which it shows what it is. */
const HEAD = 64 * 1024;

/** Files that are looked at, at the most, before an archive is somebody else's. */
const MOST_LOOKED_AT = 20;

/** A source of records. */
export function recordSource(described: Records): RowSource {
  return {
    async find(archive: Archive, columns: readonly (ColumnRow | GearColumn)[]): Promise<FoundRows | undefined> {
      const named = [...archive.entries()].filter(({ path }) => described.files.test(path));
      const entries = described.eachIsKnown ? await knownOf(archive, named, described) : named;
      const first = described.eachIsKnown ? entries[0] : (await knownOf(archive, named, described, 1))[0];
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
        holds: (path) =>
          gave.has(path) || (described.eachIsKnown === true && entries.some((each) => each.path === path)),
        strangers: () => [...strangers.names].sort(),
      };
    },
  };
}

/** The files that are known by their beginnings, so many at the most. */
async function knownOf(
  archive: Archive,
  entries: readonly Entry[],
  { isKnown }: Records,
  most = entries.length,
): Promise<readonly Entry[]> {
  const known: Entry[] = [];
  for (const [index, entry] of entries.entries()) {
    if (known.length >= most || (known.length === 0 && index >= MOST_LOOKED_AT)) break;
    if (isKnown(await headOf(archive, entry))) known.push(entry);
  }
  return known;
}

/** The beginning of a file as text; of one that can't be unpacked what there is. */
export async function headOf(archive: Archive, entry: Entry): Promise<string> {
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
  described: Records,
  { cellsOf, strangers, gave }: RowsReader,
  report?: ReportAt,
): AsyncGenerator<SheetRow> {
  const whole = session.origin(entry.path);
  const remark = (issue: Issue) => report?.(issue, whole);
  try {
    for await (const { value, place } of described.records(session.archive, entry, remark)) {
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
    const issue = described.issueOf(error) ?? issueOfArchive(error);
    gave.add(entry.path);
    yield { origin: whole, error: issue, known: fileName(entry) };
  }
}

/** @throws what is no error of an archive */
function issueOfArchive(error: unknown): Issue {
  if (!(error instanceof ArchiveError)) throw error;
  return { severity: "error", rule: error.rule, found: error.message };
}

function lacking({ knownBy }: Records): Issue {
  return { severity: "error", rule: "table/not-a-record", expected: `a record with ${knownBy.join(", ")}` };
}

function fileName({ path }: Entry): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function isRow(value: unknown, { knownBy }: Records): boolean {
  return typeof value === "object" && value !== null && knownBy.every((member) => member in value);
}
