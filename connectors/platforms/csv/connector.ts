/** Any spreadsheet saved as text, with a mapping file that explains its columns. README.md shows the file. */

import { describeProblem, type Issue } from "../../../transforms/model/issue.ts";
import type { Reading } from "../../../transforms/model/item.ts";
import { printable } from "../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import type { Connector, ReadContext, SourceMatch } from "../../contract.ts";
import { FatalError } from "../../errors.ts";
import { OtherFiles } from "../other-files.ts";
import { createReadSession, type ReadSession } from "../session.ts";
import { type Columns, findColumns, unitColumnsOf } from "../table/columns.ts";
import { csvRows, tableOptions } from "../table/csv-rows.ts";
import { headerNames, shapesOf, splitsOf } from "../table/layout.ts";
import type { Mapping } from "../table/mapping.ts";
import { isRecord, readTable } from "../table/read-table.ts";
import type { MatchRule } from "../table/rules.ts";
import { sectionColumns } from "../table/sections.ts";
import { type Shaped, shapedBy } from "../table/shape.ts";
import { readWorkouts, type Sheet, surveyOf, thingsOf } from "../table/sheet.ts";
import { wordsOf } from "../table/things.ts";
import { type MappedTable, mappedTables, mappingEntries, tableEntries } from "./find-mapping.ts";
import { hasFiles, Recordings } from "./recordings.ts";

const NAME = "csv";

export const csv: Connector = {
  name: NAME,
  title: "Spreadsheet with a mapping file",
  howToGet:
    "Save the sheet as CSV, and write a mapping file (log.map.yaml beside log.csv) that says what its columns mean.",

  async identify(archive: Archive): Promise<SourceMatch | undefined> {
    const [mapping] = mappingEntries(archive);
    if (mapping === undefined || tableEntries(archive).length === 0) return undefined;
    return { saw: `the mapping file ${printable(mapping.path)}`, strength: "exact" };
  },

  async *read(archive: Archive, context: ReadContext): AsyncGenerator<Reading> {
    const session = createReadSession(NAME, archive, context);
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
    const recordings = new Recordings(session, tables);
    reportOthers(session, recordings);
    for await (const reading of readAll(session, tables, recordings)) {
      if (context.signal.aborted) return;
      yield reading;
    }
  },
};

async function* readAll(
  session: ReadSession,
  tables: readonly MappedTable[],
  recordings: Recordings,
): AsyncGenerator<Reading> {
  for (const table of tables) yield* readMapped(session, table, recordings);
  yield* recordings.rest(NAME);
}

/**
 * Reports watch files beside a spreadsheet whose mapping gives no files to rows. They are another source, so this connector does not read
 * them.
 */
function reportOthers(session: ReadSession, recordings: Recordings): void {
  const read = new Set([...tableEntries(session.archive), ...mappingEntries(session.archive)].map(({ path }) => path));
  const others = new OtherFiles();
  for (const { path } of session.archive.entries()) {
    if (!read.has(path) && !recordings.has(path) && !/\.(map\.ya?ml|md)$/i.test(path)) others.add(path);
  }
  const expected = "tables. Name a folder or zip with the others as another source, without the mapping file";
  const issue = others.issue("csv/other-files", expected);
  if (issue !== undefined) session.report({ ...issue, severity: "warning" }, session.origin());
}

async function* readMapped(session: ReadSession, mapped: MappedTable, recordings: Recordings): AsyncGenerator<Reading> {
  const { table, mapping, mappingEntry } = mapped;
  const { columns, shaped } = await columnsOfTable(session, mapped);
  session.context.readsTable?.(session.origin(table.path), unitColumnsOf(columns, mappingEntry.path));
  const sheet: Sheet = {
    prefix: NAME,
    rules: NAME,
    mapping,
    columns,
    words: wordsOf(mapping),
    sports: session.context.sports,
    rows: (report) => shaped.rows(csvRows(session, table, fileOf(mapping), report)),
    match: await ruleMatcherOf(mapping),
    mappingPath: mappingEntry.path,
    ...recordings.wordsFor(mapped),
  };
  const survey = await surveyOf(session, sheet);
  yield* thingsOf(session, sheet, survey);
  recordings.note(survey.files.keys());
  yield* readWorkouts(session, sheet, survey, hasFiles(mapping) ? recordings.known : undefined);
}

/** The error for an unreadable header. The table is refused, because no later row may serve as the header. */
function unreadableHeader(table: Entry, error: Issue): FatalError {
  return new FatalError(
    "csv/bad-header",
    "source",
    `Cannot read ${printable(table.path)}: its header can't be used: ${describeProblem(error)}`,
  );
}

/** Loads the engine of the patterns only if there are patterns. */
async function ruleMatcherOf({ rows }: Mapping): Promise<MatchRule> {
  return rows.length === 0 ? () => undefined : (await import("../table/rules.ts")).ruleMatcher(rows);
}

/** The words for the file of a table. Sections have headers of their own, which are found among the rows. */
function fileOf({ file, layout }: Mapping): Mapping["file"] {
  return layout.sections ? { ...file, header: false } : file;
}

async function headerOf(session: ReadSession, table: Entry, mapping: Mapping): Promise<readonly string[]> {
  for await (const row of readTable(session.archive, table, tableOptions(mapping.file))) {
    if (row.line <= mapping.file.skip) continue;
    if (!isRecord(row)) {
      if (mapping.file.header) throw unreadableHeader(table, row.error);
      continue;
    }
    return mapping.file.header ? row.fields : row.fields.map((_, index) => String(index + 1));
  }
  return [];
}

/** @throws FatalError `csv/unknown-column` when mapping and header don't fit. Otherwise every line would report the same mistake */
async function columnsOfTable(
  session: ReadSession,
  { table, mapping, mappingEntry }: MappedTable,
): Promise<{ readonly columns: Columns; readonly shaped: Shaped }> {
  const header = mapping.layout.sections
    ? await sectionColumns(csvRows(session, table, fileOf(mapping)), headerNames(mapping))
    : await headerOf(session, table, mapping);
  const refuse = (errors: readonly string[]): never => {
    const has = header.map((name) => JSON.stringify(printable(name, 40))).join(", ");
    throw new FatalError(
      "csv/unknown-column",
      "source",
      `Cannot use ${printable(mappingEntry.path)}: ${errors.join("; ")}. The columns of ${printable(table.path)} are: ${has}`,
    );
  };
  const splits = splitsOf(mapping);
  // Loads the engine of the patterns only if there are patterns.
  const last =
    Object.keys(splits).length === 0 ? [] : [(await import("../table/split-cells.ts")).splitCells(splits, NAME)];
  const shaped = shapedBy(header, [...shapesOf(mapping, NAME), ...last]);
  if ("errors" in shaped) return refuse(shaped.errors);
  const columns = findColumns(shaped.header, mapping);
  if ("errors" in columns) return refuse(columns.errors);
  if (mapping.unknownColumns === "fail" && columns.unknown.length > 0)
    return refuse(columns.unknown.map((name) => `column ${JSON.stringify(printable(name, 40))} has no field`));
  for (const name of mapping.unknownColumns === "report" ? columns.unknown : []) {
    session.report(
      { severity: "warning", rule: "csv/unmapped-column", field: name, expected: "a field, or ignore, in the mapping" },
      session.origin(table.path),
    );
  }
  return { columns, shaped };
}
