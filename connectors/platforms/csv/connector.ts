/** Any spreadsheet, as a text or a workbook, with a mapping file that explains its columns. README.md shows the file. */

import { describeProblem, type Issue } from "../../../transforms/model/issue.ts";
import type { Reading } from "../../../transforms/model/item.ts";
import { printable } from "../../../transforms/text/printable.ts";
import type { Archive } from "../../containers/archive.ts";
import type { Connector, ReadContext, SourceMatch } from "../../contract.ts";
import { FatalError } from "../../errors.ts";
import type { SheetInfo } from "../../formats/sheets/sheet.ts";
import { CountedFiles, OtherFiles } from "../other-files.ts";
import { createReadSession, type ReadSession } from "../session.ts";
import { asWideAs, type Columns, findColumns, unitColumnsOf } from "../table/columns/columns.ts";
import { LeftColumns } from "../table/columns/left-columns.ts";
import { wordsOf } from "../table/lists/things.ts";
import type { HeaderProblem } from "../table/mapping/header-problem.ts";
import type { Mapping } from "../table/mapping/mapping.ts";
import { mappingEntries, shownPath, tableEntries } from "../table/mapping/mapping-files.ts";
import { csvRows, tableOptions } from "../table/reading/csv-rows.ts";
import { isRecord, readTable } from "../table/reading/read-table.ts";
import { sheetPlace, sheetWords, withDurations } from "../table/reading/sheet-words.ts";
import { type OpenWorkbook, openIfWorkbook } from "../table/reading/workbook.ts";
import type { MatchRule } from "../table/rows/rules.ts";
import { withNeededAlone } from "../table/rows/uncomputed.ts";
import { headerNames, shapesOf, splitsOf } from "../table/shapes/layout.ts";
import { sectionColumns } from "../table/shapes/sections.ts";
import { type Shaped, shapedBy } from "../table/shapes/shape.ts";
import { readWorkouts, type Sheet, surveyOf, thingsOf } from "../table/sheet.ts";
import { withCellPlaces } from "./cell-places.ts";
import { rejectExtraCells } from "./extra-cells.ts";
import { type MappedTable, mappedTables } from "./find-mapping.ts";
import { mappedSheets } from "./find-sheets.ts";
import { hasFiles, Recordings } from "./recordings.ts";
import { checkRestsOn } from "./rests-on.ts";
import { withSumsHeld } from "./sums-of-rows.ts";
import { tellSheets } from "./tell-sheets.ts";
import { UsedWords } from "./used-words.ts";

const NAME = "csv";

/** A spreadsheet of any layout, read by the mapping file that lies beside it. */
export const csv: Connector = {
  name: NAME,
  title: "Spreadsheet with a mapping file",
  howToGet:
    "Take the workbook (XLSX or ODS), or save the sheet as CSV. Write a mapping file (log.map.yaml beside log.xlsx) that says what its columns mean.",

  async identify(archive: Archive): Promise<SourceMatch | undefined> {
    const [mapping] = mappingEntries(archive);
    if (mapping === undefined || tableEntries(archive).length === 0) return undefined;
    return { saw: `the mapping file ${shownPath(mapping.path)}`, strength: "exact" };
  },

  /**
   * Its tables and mapping files. Watch files beside them are its own only if a mapping gives files to rows. Otherwise they are a source beside it. An
   * unusable mapping has every file, and the reading names its mistake.
   */
  async keepsIn(archive: Archive): Promise<(path: string) => boolean> {
    const tables = await mappedTables(archive).catch((error: unknown) => {
      if (error instanceof FatalError) return undefined;
      throw error;
    });
    const isWhole = tables === undefined || tables.some(({ mapping }) => hasFiles(mapping));
    const own = new Set([...tableEntries(archive), ...mappingEntries(archive)].map(({ path }) => path));
    return (path) => isWhole || own.has(path);
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
    reportUnmapped(session, tables);
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
  for (const table of tables) yield* readMapped(session, table, recordings, tables);
  yield* recordings.rest(NAME);
}

/** Reports the tables that have no mapping file. */
function reportUnmapped(session: ReadSession, tables: readonly MappedTable[]): void {
  const others = new CountedFiles();
  for (const { path } of tableEntries(session.archive))
    if (!tables.some(({ table }) => table.path === path)) others.add(path);
  const expected = "tables with a mapping file beside them. For a new one: logferry map infer TABLE";
  const issue = others.issue("warning", "csv/other-files", expected);
  if (issue !== undefined) session.report(issue, session.origin());
}

/**
 * Reports watch files beside a spreadsheet whose mapping gives no files to rows. They are another source, so this connector does not read
 * them.
 */
function reportOthers(session: ReadSession, recordings: Recordings): void {
  const read = new Set([...tableEntries(session.archive), ...mappingEntries(session.archive)].map(({ path }) => path));
  const others = new OtherFiles();
  for (const { path } of session.archive.entries()) {
    if (!read.has(path) && !recordings.has(path)) others.add(path);
  }
  const expected = "tables. Name a folder or zip with the others as another source, without the mapping file";
  for (const issue of others.issues("csv/other-files", expected)) session.report(issue, session.origin());
}

async function* readMapped(
  session: ReadSession,
  table: MappedTable,
  recordings: Recordings,
  tables: readonly MappedTable[],
): AsyncGenerator<Reading> {
  const sheetsOf = ({ table: entry, mapping, mappingEntry }: MappedTable) =>
    mappedSheets(session.archive, entry, mapping, shownPath(mappingEntry.path));
  const sheets = await sheetsOf(table);
  // Several mapping files may share a workbook. What none of them reads is told once.
  const [first, ...others] = tables.filter((one) => one.table.path === table.table.path);
  if (first === table) {
    const more = (await Promise.all(others.map(sheetsOf))).flatMap(({ read }) => read);
    await tellSheets(
      session,
      table.table,
      { ...sheets, read: [...sheets.read, ...more] },
      table.mapping,
      shownPath(table.mappingEntry.path),
    );
  }
  const used = new UsedWords(table.mapping);
  // A text is opened by each of its readings. A single sheet gains nothing.
  const workbook = sheets.read.length > 1 ? await openIfWorkbook(session.archive, table.table) : undefined;
  try {
    for (const [index, { sheet }] of sheets.read.entries())
      yield* readSheet(session, { ...table, sheet, workbook, isFirst: index === 0, used }, recordings);
  } finally {
    await workbook?.close();
  }
  const unused = used.issue(table.lineOf, shownPath(table.mappingEntry.path));
  if (unused !== undefined) session.report(unused, session.origin(table.table.path));
}

/** A table with its mapping. If it is a workbook, one sheet of it. */
interface MappedSheet extends MappedTable {
  readonly sheet: SheetInfo | undefined;
  /** The sheets of one workbook have the same columns, so their units are watched together, beginning with the first. */
  readonly isFirst: boolean;
  readonly used: UsedWords;
  /** The open workbook of several sheets. */
  readonly workbook: OpenWorkbook | undefined;
}

async function* readSheet(session: ReadSession, table: MappedSheet, recordings: Recordings): AsyncGenerator<Reading> {
  const { mapping, mappingEntry } = table;
  await checkRestsOn(session, table);
  const { columns, shaped, isReshaped } = await columnsOfTable(session, table);
  if (table.isFirst)
    session.context.readsTable?.(
      session.origin(table.table.path),
      unitColumnsOf(columns, shownPath(mappingEntry.path)),
    );
  const words = table.sheet && sheetWords(table.sheet, mapping, isReshaped ? undefined : columns);
  const file = { ...fileOf(mapping), sheetWords: words, workbook: table.workbook };
  const left = new LeftColumns(columns, mapping);
  const sheet: Sheet = {
    prefix: NAME,
    rules: NAME,
    mapping,
    columns: words === undefined ? columns : withDurations(columns),
    words: table.used.watchValues(wordsOf(mapping)),
    sports: session.context.sports,
    rows: (report) => {
      const rows = shaped.rows(csvRows(session, table.table, file, report));
      return table.used.watchRows(words === undefined ? rows : withNeededAlone(rows, columns), columns);
    },
    match: table.used.watchRules(await ruleMatcherOf(mapping)),
    mappingPath: shownPath(mappingEntry.path),
    left,
    countsSkipped: "days",
    ...recordings.wordsFor(table),
  };
  // A layout moves cells, so their columns in the sheet aren't known after it.
  const placed = words === undefined || isReshaped ? session : withCellPlaces(session, columns);
  const survey = await surveyOf(placed, sheet);
  yield* thingsOf(placed, sheet, survey);
  recordings.note(survey.files.keys());
  const workouts = readWorkouts(placed, sheet, survey, hasFiles(mapping) ? recordings.known : undefined);
  yield* withSumsHeld(workouts, mapping);
  for (const issue of left.issues()) session.report(issue, session.origin(table.table.path));
}

/** The error for an unreadable header. The table is refused, because no later row may serve as the header. */
function unreadableHeader(place: string, error: Issue): FatalError {
  return new FatalError(
    "csv/bad-header",
    "source",
    `Cannot read ${place}: its header can't be used: ${describeProblem(error)}`,
  );
}

/** Loads the engine of the patterns only if there are patterns. */
async function ruleMatcherOf({ rows }: Mapping): Promise<MatchRule> {
  return rows.length === 0 ? () => undefined : (await import("../table/rows/rules.ts")).ruleMatcher(rows);
}

/** The words for the file of a table. Sections have headers of their own, which are found among the rows. */
function fileOf({ file, layout }: Mapping): Mapping["file"] {
  return layout.sections ? { ...file, header: false } : file;
}

/** The place of a table in messages: its path, and its sheet. */
function placeOf({ table, sheet }: MappedSheet): string {
  return `${printable(table.path)}${sheet === undefined ? "" : `, ${printable(sheetPlace(sheet))}`}`;
}

async function headerOf(session: ReadSession, mapped: MappedSheet): Promise<readonly string[]> {
  const { table, mapping, sheet, workbook } = mapped;
  let above: readonly string[] | undefined;
  for await (const row of readTable(session.archive, table, { ...tableOptions(mapping.file), sheet, workbook })) {
    if (row.line <= mapping.file.skip) {
      above = isRecord(row) && row.line === mapping.file.skip ? row.fields : undefined;
      continue;
    }
    if (!isRecord(row)) {
      if (mapping.file.header) throw unreadableHeader(placeOf(mapped), row.error);
      continue;
    }
    if (mapping.file.header) return namesBlank(mapping) ? asWideAs(row.fields, above) : row.fields;
    return row.fields.map((_, index) => String(index + 1));
  }
  return [];
}

/** Whether a mapping names a column without a header. */
function namesBlank({ columns }: Mapping): boolean {
  return Object.keys(columns).some((name) => /^(?:#\d+)?$/.test(name));
}

/** With a mark at its end. */
function sentence(text: string): string {
  return text.endsWith("?") ? text : `${text}.`;
}

/** @throws FatalError `csv/unknown-column` when mapping and header don't fit. Otherwise every line would report the same mistake */
async function columnsOfTable(
  session: ReadSession,
  mapped: MappedSheet,
): Promise<{ readonly columns: Columns; readonly shaped: Shaped; readonly isReshaped: boolean }> {
  const { table, mapping, mappingEntry, sheet, workbook, lineOf } = mapped;
  const place = placeOf(mapped);
  const words = sheet && sheetWords(sheet, mapping, undefined);
  const header = mapping.layout.sections
    ? await sectionColumns(
        csvRows(session, table, { ...fileOf(mapping), sheetWords: words, workbook }),
        headerNames(mapping),
      )
    : await headerOf(session, mapped);
  const refuse = (problems: readonly HeaderProblem[]): never => {
    const errors = problems.map(({ path, message }) => `line ${lineOf(path)}: ${message}`);
    const has = header.map((name) => JSON.stringify(printable(name, 40))).join(", ");
    throw new FatalError(
      "csv/unknown-column",
      "source",
      `Cannot use ${shownPath(mappingEntry.path)}: ${sentence(errors.join("; "))} The columns of ${place} are: ${has}`,
    );
  };
  const splits = splitsOf(mapping);
  // Loads the engine of the patterns only if there are patterns.
  const { nulls } = mapping.file;
  const last =
    Object.keys(splits).length === 0
      ? []
      : [(await import("../table/shapes/split-cells.ts")).splitCells(splits, nulls, mapped.used.splitUsed)];
  const isText = sheet === undefined && mapping.file.header && !mapping.layout.sections;
  const whole = isText ? [rejectExtraCells()] : [];
  const shaped = shapedBy(header, [...whole, ...shapesOf(mapping, sheet?.name), ...last]);
  if ("errors" in shaped) return refuse(shaped.errors);
  const columns = findColumns(shaped.header, mapping);
  if ("errors" in columns) return refuse(columns.errors);
  for (const name of Object.keys(splits)) if (columns.indexOf(name) === undefined) mapped.used.lacks(name);
  if (mapping.unknownColumns === "fail" && columns.unknown.length > 0)
    return refuse(
      columns.unknown.map((name) => ({
        path: ["unknownColumns"],
        message: `column ${JSON.stringify(printable(name, 40))} has no field`,
      })),
    );
  return { columns, shaped, isReshaped: shapesOf(mapping).length + last.length > 0 };
}
