/** Any spreadsheet saved as text, with a mapping file that says what its columns mean. README.md shows the file. */

import type { Issue } from "../../../transforms/model/issue.ts";
import type { Reading } from "../../../transforms/model/item.ts";
import { contentHash } from "../../../transforms/text/canonical.ts";
import { printable } from "../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import type { Connector, Evidence, ReadContext } from "../../contract.ts";
import { FatalError } from "../../errors.ts";
import type { Delimiter } from "../../formats/csv/read.ts";
import { type Session, sessionOf } from "../session.ts";
import { isRecord, type Row, readTable } from "../table.ts";
import { type Columns, columnsOf } from "./columns.ts";
import { type MappedTable, mappedTables, mappingEntries, tableEntries } from "./find-mapping.ts";
import type { Mapping } from "./mapping.ts";
import { mapRow, type Overrides, type RowReader } from "./row.ts";
import { type MatchRule, ruleMatcher } from "./rules.ts";
import { equipmentOf, Named, wordsOf } from "./things.ts";

const NAME = "csv";

const DELIMITERS: Readonly<Record<Mapping["file"]["delimiter"], Delimiter | undefined>> = {
  auto: undefined,
  comma: ",",
  semicolon: ";",
  tab: "\t",
};

export const csv: Connector = {
  name: NAME,
  title: "Spreadsheet with a mapping file",
  howToGet:
    "Save the sheet as CSV, and write a mapping file (log.map.yaml beside log.csv) that says what its columns mean.",

  async identify(archive: Archive): Promise<Evidence | undefined> {
    const [mapping] = mappingEntries(archive);
    if (mapping === undefined || tableEntries(archive).length === 0) return undefined;
    return { saw: `the mapping file ${printable(mapping.path)}`, strength: "exact" };
  },

  async *read(archive: Archive, context: ReadContext): AsyncGenerator<Reading> {
    const session = sessionOf(NAME, archive, context);
    const tables = await mappedTables(archive);
    if (tables.length === 0) {
      throw new FatalError(
        "csv/no-mapping",
        "source",
        `Cannot read ${printable(archive.name)}: there is no mapping file in it`,
      );
    }
    for (const entry of tableEntries(archive)) {
      if (tables.some(({ table }) => table.path === entry.path)) continue;
      const issue: Issue = {
        severity: "warning",
        rule: "csv/no-mapping",
        expected: "a mapping file beside it; it was not read",
      };
      session.report(issue, session.origin(entry.path));
    }
    reportOthers(session);
    for (const table of tables) {
      for await (const reading of readMapped(session, table)) {
        if (context.signal.aborted) return;
        yield reading;
      }
    }
  },
};

/** Watch files beside a spreadsheet are another source: not read here, and never passed over without a word. */
function reportOthers(session: Session): void {
  const read = new Set([...tableEntries(session.archive), ...mappingEntries(session.archive)].map(({ path }) => path));
  const others = [...session.archive.entries()].filter(
    ({ path }) => !read.has(path) && !/\.(map\.ya?ml|md)$/i.test(path),
  );
  const [first] = others;
  if (first === undefined) return;
  const issue: Issue = {
    severity: "warning",
    rule: "csv/other-files",
    found: `${others.length === 1 ? "a file that is" : `${others.length} files that are`} no table, such as ${printable(first.path, 80)}`,
    expected: "a folder or zip of their own: name them as another source, without the mapping file",
  };
  session.report(issue, session.origin(first.path));
}

/** What a table is read with, both times. */
interface Reader extends RowReader {
  readonly entry: Entry;
  readonly match: MatchRule;
}

async function* readMapped(session: Session, { table, mapping, mappingEntry }: MappedTable): AsyncGenerator<Reading> {
  const columns = await columnsOfTable(session, table, mapping, mappingEntry);
  const reader: Reader = {
    mapping,
    columns,
    words: wordsOf(mapping),
    sports: session.context.sports,
    entry: table,
    match: ruleMatcher(mappingEntry.path, mapping.rows),
  };
  yield* readThings(session, reader, await survey(session, reader));
  yield* readWorkouts(session, reader);
}

/** @throws FatalError `csv/unknown-column` when mapping and header don't fit: every later line would be about the same mistake */
async function columnsOfTable(session: Session, table: Entry, mapping: Mapping, mappingEntry: Entry): Promise<Columns> {
  let header: readonly string[] = [];
  for await (const row of readTable(session.archive, table, tableOptions(mapping))) {
    if (!isRecord(row) || row.line <= mapping.file.skip) continue;
    header = mapping.file.header ? row.fields : row.fields.map((_, index) => String(index + 1));
    break;
  }
  const columns = columnsOf(header, mapping);
  const refuse = (errors: readonly string[]): never => {
    const has = header.map((name) => JSON.stringify(printable(name, 40))).join(", ");
    throw new FatalError(
      "csv/unknown-column",
      "source",
      `Cannot use ${printable(mappingEntry.path)}: ${errors.join("; ")}. The columns of ${printable(table.path)} are: ${has}`,
    );
  };
  if ("errors" in columns) return refuse(columns.errors);
  if (mapping.unknownColumns === "fail" && columns.unknown.length > 0)
    return refuse(columns.unknown.map((name) => `column ${JSON.stringify(printable(name, 40))} has no field`));
  for (const name of mapping.unknownColumns === "report" ? columns.unknown : []) {
    session.report(
      { severity: "warning", rule: "csv/unmapped-column", field: name, expected: "a field, or ignore, in the mapping" },
      session.origin(table.path),
    );
  }
  return columns;
}

/** The first of two passes: which courses and equipment the rows that can be used name. */
async function survey(session: Session, reader: Reader): Promise<Named> {
  const named = new Named();
  const fixOf = session.fixes();
  for await (const row of workoutRows(session, reader)) {
    if (!("fields" in row) || row.skip !== undefined) continue;
    const mapped = mapRow(
      row.fields,
      row.set,
      reader,
      () => {},
      fixOf?.(asideKey(contentOf(row.fields, reader.columns))),
    );
    if ("rule" in mapped) continue;
    if (mapped.course !== undefined) named.addCourse(mapped.course, row.line);
    for (const { text, key } of mapped.equipment) named.addEquipment(text, key, mapped.workout.activity, row.line);
  }
  return named;
}

function* readThings(session: Session, reader: Reader, named: Named): Generator<Reading> {
  const { entry, words, mapping } = reader;
  for (const [key, { name, line }] of named.courses) {
    if (session.unique(key) === key)
      yield { kind: "course", key, value: { name }, origin: session.origin(entry.path, `line ${line}`) };
  }
  for (const [key, use] of named.equipment) {
    // Another table of the archive may have named it already.
    if (session.unique(key) !== key) continue;
    const origin = session.origin(entry.path, `line ${use.line}`);
    const value = equipmentOf(use, words, mapping.defaults.activity);
    if ("rule" in value) yield { kind: "set-aside", key, origin, as: "quarantined", issue: { ...value, origin } };
    else yield { kind: "equipment", key, value, origin };
  }
}

async function* readWorkouts(session: Session, reader: Reader): AsyncGenerator<Reading> {
  const { entry, columns } = reader;
  const report = (issue: Issue, line: number) => session.report(issue, session.origin(entry.path, `line ${line}`));
  const fixOf = session.fixes();
  for await (const row of workoutRows(session, reader, report)) {
    const origin = session.origin(entry.path, `line ${row.line}`);
    if (!("fields" in row)) {
      // Of what it holds nothing is known: it is known by where it stands.
      yield session.setAside("quarantined", `csv:row:${row.error.rule}:${row.line}`, origin, row.error);
      continue;
    }
    const content = contentOf(row.fields, columns);
    const aside = asideKey(content);
    if (row.skip !== undefined) {
      const issue: Issue = { severity: "info", rule: "csv/skipped-row", found: row.skip };
      yield session.setAside("skipped", aside, origin, issue);
      continue;
    }
    const extra = row.fields.slice(columns.width).filter((cell) => cell.trim() !== "");
    if (extra.length > 0)
      report(
        {
          severity: "warning",
          rule: "csv/extra-cells",
          found: extra.join(", ").slice(0, 100),
          expected: `${columns.width} cells`,
        },
        row.line,
      );
    const mapped = mapRow(row.fields, row.set, reader, (issue) => report(issue, row.line), fixOf?.(aside));
    if ("rule" in mapped) {
      yield session.setAside("quarantined", aside, origin, mapped);
      continue;
    }
    const key = session.unique(`csv:workout:${mapped.id ?? content}`);
    yield { kind: "workout", key, value: mapped.workout, origin };
  }
}

/** The key a row is set aside under. */
function asideKey(content: string): string {
  return `csv:row:${content}`;
}

/** What a row is known by: its cells that mean something, whatever the order of the columns. */
function contentOf(fields: readonly string[], { columns }: Columns): string {
  const cells = columns
    .filter(({ spec }) => spec.field !== "ignore")
    .map(({ name, index }) => [name, (fields[index] ?? "").trim()]);
  return contentHash(Object.fromEntries(cells)).slice(0, 32);
}

/** A row of workouts, after the rules: to be skipped, or with what they set. */
type RuledRow =
  | {
      readonly line: number;
      readonly fields: readonly string[];
      readonly skip: string | undefined;
      readonly set: Overrides;
    }
  | { readonly line: number; readonly error: Issue };

async function* workoutRows(
  session: Session,
  { entry, mapping, columns, match }: Reader,
  report?: (issue: Issue, line: number) => void,
): AsyncGenerator<RuledRow> {
  const options = { ...tableOptions(mapping), ...(report !== undefined && { report }) };
  for await (const row of rowsOfSheet(readTable(session.archive, entry, options), mapping)) {
    if (!isRecord(row)) {
      yield row;
      continue;
    }
    const rule = match((column) => (row.fields[columns.indexOf(column) ?? -1] ?? "").trim());
    yield { ...row, skip: rule?.skip, set: rule?.set ?? {} };
  }
}

/** The rows between the header and the end, without comments and blank ones. */
async function* rowsOfSheet(rows: AsyncIterable<Row>, { file }: Mapping): AsyncGenerator<Row> {
  const held: Row[] = [];
  let isHeader = file.header;
  for await (const row of rows) {
    if (row.line <= file.skip) continue;
    if (isRecord(row)) {
      if (isHeader) {
        isHeader = false;
        continue;
      }
      if (row.fields.every((cell) => cell.trim() === "")) continue;
      if (file.comment !== undefined && row.fields[0]?.trimStart().startsWith(file.comment)) continue;
    }
    held.push(row);
    if (held.length > file.skipEnd) yield held.shift() as Row;
  }
}

function tableOptions({ file }: Mapping) {
  return { delimiter: DELIMITERS[file.delimiter], ...(file.encoding !== "auto" && { encoding: file.encoding }) };
}
