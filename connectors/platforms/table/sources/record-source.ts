/** Reads rows that are records of JSON or XML: one row a file, or many in a file, one at a time. */
import type { Issue } from "../../../../transforms/model/issue.ts";
import { printable } from "../../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../../containers/archive.ts";
import { ArchiveError } from "../../../containers/archive-error.ts";
import { withoutGz } from "../../../containers/gzip.ts";
import type { ReadSession } from "../../session.ts";
import type { ReportAt, SheetRow } from "../cells/sheet-row.ts";
import type { AnyColumn, FoundRows, RecordFound, RowSource } from "../description.ts";
import { isNamedLike } from "../reading/copy-mark.ts";
import { headOf } from "../reading/head-of.ts";
import { cellReader, Strangers } from "./json-path.ts";

/** The place of the records, and how to read them. */
export interface Records {
  /** Names of files that may hold rows. Each may be packed by gzip, with `.gz` behind its name. */
  readonly files: RegExp;
  /** Members that every row has. */
  readonly knownBy: readonly string[];
  /** Whether a file is the platform's, by its first 64 KiB. */
  readonly isKnown: (head: string) => boolean;
  /** True if the beginning of each file with records shows that it has some. Otherwise any file with such a name may have records. */
  readonly eachIsKnown?: true;
  /** True if a file never has more than one record. */
  readonly oneEach?: true;
  /** Gives the records of a file. It throws an ArchiveError, or an error that `issueOf` knows, after the records before the fault. */
  readonly records: (archive: Archive, entry: Entry, remark: (issue: Issue) => void) => AsyncIterable<RecordFound>;
  /** The same records, with their recorded series. */
  readonly whole?: (archive: Archive, entry: Entry) => AsyncIterable<RecordFound>;
  /** The issue of an error of the format's reader; undefined for any other error. */
  readonly issueOf: (error: unknown) => Issue | undefined;
}

/** A column that every row has: the name of its file, without folders. Some platforms put data there that no member has. */
export const FILE_NAME = "(file name)";

/** Most files to check before the archive counts as another platform's. */
const MOST_LOOKED_AT = 20;

/** Records at the beginning of a file that show whether it holds rows. */
const MOST_RECORDS_LOOKED_AT = 3;

/** Most bytes of a file without any value. */
const MOST_HOLLOW = 1_000;

/** Makes a source of rows from records. */
export function recordSource(described: Records): RowSource {
  const { whole } = described;
  return {
    ...(whole !== undefined && { records: (archive, entry) => untilFault(whole(archive, entry), described) }),
    claims: (archive, entry) => hasRecords(archive, entry, described),
    async find(archive: Archive, columns: readonly AnyColumn[]): Promise<FoundRows | undefined> {
      const named = [...archive.entries()].filter(({ path }) => isNamedLike(described.files, withoutGz(path)));
      const first = await firstKnown(archive, named, described);
      if (first === undefined) return undefined;
      const known = new Map([[first.path, true]]);
      const isOurs = async (entry: Entry) => {
        const isKnown = known.get(entry.path) ?? described.isKnown(await headOf(archive, entry));
        known.set(entry.path, isKnown);
        return isKnown;
      };
      const header = columns.flatMap(([theirs]) => theirs);
      const strangers = new Strangers(header, namesOf(columns, "laps"));
      const gave = new Set<string>();
      // The lists of laps and lines are read as JSON.
      const cellsOf = cellReader(header, {
        asJson: namesOf(columns, "laps", "line"),
        counted: withoutParts(namesOf(columns, "unsupported"), header),
      });
      const reader: RowsReader = { cellsOf, named: header.indexOf(FILE_NAME), strangers, gave };
      return {
        saw: `${printable(first.path, 80)} with ${described.knownBy.join(", ")}`,
        entries: [first, ...named.filter((entry) => entry !== first)],
        header,
        async *rows(session, entry, _, report) {
          // A file is opened when its turn comes. So the first row doesn't wait for the last file.
          if (described.eachIsKnown && !(await isOurs(entry))) return;
          yield* rowsOf(session, entry, described, reader, report);
        },
        holds: (path) => gave.has(path) || (described.eachIsKnown === true && known.get(path) === true),
        strangers: () => strangers.all(),
      };
    },
  };
}

/** Gives records up to the first unreadable one. The fault itself was reported with the rows. */
async function* untilFault(records: AsyncIterable<RecordFound>, { issueOf }: Records): AsyncGenerator<RecordFound> {
  try {
    yield* records;
  } catch (error) {
    if (issueOf(error) === undefined && !(error instanceof ArchiveError)) throw error;
  }
}

/** The names of all columns with one of these fields. */
function namesOf(columns: readonly AnyColumn[], ...fields: readonly AnyColumn[1][]): ReadonlySet<string> {
  return new Set(columns.flatMap(([theirs, ours]) => (fields.includes(ours) ? theirs : [])));
}

/** The names without those that other columns have parts of. */
function withoutParts(names: ReadonlySet<string>, all: readonly string[]): ReadonlySet<string> {
  return new Set([...names].filter((name) => !all.some((each) => each.startsWith(`${name}/`))));
}

/** Whether a file begins with records. A file with the marks of some that is damaged before the first one counts, too. */
async function hasRecords(archive: Archive, entry: Entry, described: Records): Promise<boolean> {
  if (!described.isKnown(await headOf(archive, entry))) return false;
  try {
    let left = MOST_RECORDS_LOOKED_AT;
    for await (const { value, issue } of described.records(archive, entry, () => {})) {
      if (issue !== undefined || isRow(value, described)) return true;
      if (--left === 0) return false;
    }
    return false;
  } catch (error) {
    if (described.issueOf(error) === undefined && !(error instanceof ArchiveError)) throw error;
    return true;
  }
}

/** The first file that is recognised by its beginning. */
async function firstKnown(
  archive: Archive,
  entries: readonly Entry[],
  { isKnown }: Records,
): Promise<Entry | undefined> {
  for (const entry of entries.slice(0, MOST_LOOKED_AT)) if (isKnown(await headOf(archive, entry))) return entry;
  return undefined;
}

/** The tools for reading rows, and the findings during reading. */
interface RowsReader {
  readonly cellsOf: (row: unknown) => readonly string[];
  /** The index of the column for the file's name; -1 if there is none. */
  readonly named: number;
  readonly strangers: Strangers;
  /** Files with rows, or with a damaged row in the place of one. */
  readonly gave: Set<string>;
}

async function* rowsOf(
  session: ReadSession,
  entry: Entry,
  described: Records,
  { cellsOf, named, strangers, gave }: RowsReader,
  report?: ReportAt,
): AsyncGenerator<SheetRow> {
  const whole = session.origin(entry.path);
  const remark = (issue: Issue) => report?.(issue, whole);
  if ((entry.sizeBytes ?? 0) <= MOST_HOLLOW) {
    const text = await headOf(session.archive, entry);
    if (isHollow(text) && !described.isKnown(text)) {
      gave.add(entry.path);
      return;
    }
  }
  try {
    for await (const { value, place, issue } of described.records(session.archive, entry, remark)) {
      const origin = place === undefined ? whole : session.origin(entry.path, place);
      if (issue !== undefined) gave.add(entry.path);
      if (!isRow(value, described)) {
        // A file without these members is another kind of file. An element without them is a faulty row, because it stands among rows.
        if (place !== undefined)
          yield { origin, error: issue ?? lacking(described), known: `${fileName(entry)}:${place}` };
        continue;
      }
      gave.add(entry.path);
      const added = strangers.add(value, entry.path);
      const cells = cellsOf(value);
      const fields = named === -1 ? cells : cells.with(named, fileName(entry));
      yield { origin, fields, ...(added.length > 0 && { added }) };
    }
  } catch (error) {
    const issue = described.issueOf(error) ?? issueOfArchive(error);
    gave.add(entry.path);
    yield {
      origin: whole,
      error: issue,
      known: fileName(entry),
      ...(described.oneEach !== true && { endsFile: true }),
    };
  }
}

/** Whether a text is JSON without any value: `[]`, `[{"exported": []}]`. A platform writes such a file where a list of an account is empty. */
function isHollow(text: string): boolean {
  try {
    return hasNothing(JSON.parse(text));
  } catch {
    return false;
  }
}

function hasNothing(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.values(value).every(hasNothing);
}

/** @throws any error that is not an ArchiveError */
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
