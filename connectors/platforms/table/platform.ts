/** Turns a description into a connector. */
import { type Activity, foldSport } from "../../../transforms/activities.ts";
import type { Origin } from "../../../transforms/model/issue.ts";
import type { Reading, Rejected } from "../../../transforms/model/item.ts";
import { languageOfHeader } from "../../../transforms/text/language-of-header.ts";
import { printable } from "../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import type { Connector, OwnFiles, ReadContext, SourceMatch } from "../../contract.ts";
import { FatalError } from "../../errors.ts";
import { type KnownFiles, readDeviceFile } from "../device-files/readings.ts";
import { KeyTable } from "../key-table.ts";
import { createReadSession, type ReadSession } from "../session.ts";
import type { ReportAt } from "./cells/sheet-row.ts";
import { type Columns, unitColumnsOf } from "./columns/columns.ts";
import { numberColumnsOf } from "./columns/number-columns.ts";
import { ResavedDates } from "./columns/resaved-dates.ts";
import { conventionsOf } from "./conventions.ts";
import type { Description, FoundRows, WorkoutTable } from "./description.ts";
import { hasTracks, MadeTracks, trackIn } from "./files/made-tracks.ts";
import { missingNumbers } from "./files/numbered-files.ts";
import { ownFiles, traceOf } from "./files/own-files.ts";
import { article, reportOthers } from "./files/report-others.ts";
import { StartedFiles } from "./files/started-files.ts";
import { missingPages } from "./files/told-totals.ts";
import { GearUse } from "./lists/called-gear.ts";
import { readSmallLists } from "./lists/small-lists.ts";
import { wordsOf } from "./lists/things.ts";
import { DecimalCommas } from "./mapping/decimal-commas.ts";
import type { Conventions } from "./mapping/mapping.ts";
import { withOwnRules } from "./mapping/own-rules.ts";
import { lineOfRecord, readCourseRecords } from "./other-records/course-records.ts";
import { DayBook, type FoundDays } from "./other-records/days.ts";
import { type FoundGear, GearBook, usesOf } from "./other-records/gear.ts";
import { type FoundRoutes, lineIn, readRoutes } from "./other-records/routes.ts";
import { headOf } from "./reading/head-of.ts";
import { leavePrivateNotes } from "./rows/private-notes.ts";
import { readWorkouts, type Sheet, surveyOf, thingsOf } from "./sheet.ts";
import { columnsIn, unknownIn } from "./sources/described-columns.ts";
import { toldOnce } from "./sources/told-once.ts";
import { summaryOf } from "./summary.ts";

/** Makes the connector of a platform from its description. */
export function platform(description: Description): Connector {
  const { name, title, howToGet } = description;
  return {
    name,
    title,
    howToGet,
    summary: summaryOf(description),
    mappings: async () => (await import("./as-mapping.ts")).asMappings(description),
    ...(description.workouts.some(hasTracks) && {
      trackIn: trackIn.bind(undefined, description.workouts),
    }),
    ...linesOf(description),
    ...((description.owner ?? description.ownerFiles) && { namesOwner: true as const }),
    ...(description.inDays && { inDays: true as const }),
    ...(description.inRecordings && { inRecordings: true as const }),
    traceOf: (path) => traceOf(path, description),
    async identify(archive: Archive): Promise<SourceMatch | undefined> {
      const found = (await tablesOf(archive, description)).filter(({ rows }) => rows.unsure === undefined);
      if (found.length === 0) return undefined;
      const byContent = found.every(({ rows }) => rows.byContent === true);
      const language = languageOfHeader(found.flatMap(({ rows }) => rows.header));
      return {
        saw: (await Promise.all(found.map((table) => withLayout(archive, table)))).join(" and "),
        strength: "exact",
        ...(byContent && { byContent: true }),
        ...(language !== undefined && language !== "English" && { language }),
      };
    },
    async filesIn(archive: Archive): Promise<OwnFiles> {
      const found = await tablesOf(archive, description);
      const read = readOf(found, await gearIn(archive, description), await routesIn(archive, description));
      return ownFiles(archive, description, read);
    },
    async *read(archive: Archive, context: ReadContext): AsyncGenerator<Reading> {
      const session = withOwnRules(createReadSession(name, archive, context), description.rules ?? {});
      const days = await daysOf(session, description);
      for await (const reading of readAll(session, description)) {
        if (context.signal.aborted) return;
        yield days?.fill(reading) ?? reading;
      }
    },
  };
}

/** The evidence for a table, with the words for its layout. */
async function withLayout(archive: Archive, { table: { layout }, rows }: FoundTable): Promise<string> {
  if (layout === undefined) return rows.saw;
  if (typeof layout === "string") return `${rows.saw}, layout ${layout}`;
  const head = await headOf(archive, rows.entries[0]);
  const marked = layout.flatMap(([mark, words]) => {
    const match = mark.exec(head);
    return match === null ? [] : words.replace("$1", printable(match[1] ?? "", 20));
  });
  return marked[0] === undefined ? rows.saw : `${rows.saw}, layout ${marked[0]}`;
}

/** A table of the description, and its rows in an archive. */
interface FoundTable {
  readonly table: WorkoutTable;
  readonly rows: FoundRows;
  /** True for the table that has the platform's small lists beside it. */
  readonly isFirst: boolean;
}

async function tablesOf(archive: Archive, { workouts }: Description): Promise<readonly FoundTable[]> {
  const found: FoundTable[] = [];
  for (const table of workouts) {
    // It would not be read, so its files stay closed.
    if (table.onlyAlone === true && found.length > 0) continue;
    const rows = await table.from.find(archive, table.columns);
    if (rows !== undefined) found.push({ table, rows, isFirst: found.length === 0 });
  }
  return found;
}

/** The values of days; undefined if an archive has no list of them. */
async function daysOf(session: ReadSession, { days = [], workouts }: Description): Promise<DayBook | undefined> {
  const found: FoundDays[] = [];
  for (const table of days) {
    const rows = await table.from.find(session.archive, table.columns);
    if (rows !== undefined) found.push({ table, rows });
  }
  const [first] = workouts;
  if (found.length === 0 || first === undefined) return undefined;
  const book = new DayBook();
  for (const each of found) await book.read(session, each, conventionsOf(first));
  return book;
}

async function gearIn(archive: Archive, { gear: table }: Description): Promise<FoundGear | undefined> {
  const rows = await table?.from.find(archive, table.columns);
  if (table === undefined || rows === undefined) return undefined;
  return { table, rows, uses: table.uses && (await table.uses.from.find(archive, usesOf(table.uses))) };
}

async function routesIn(archive: Archive, { routes: table }: Description): Promise<FoundRoutes | undefined> {
  const rows = await table?.from.find(archive, table.columns);
  return table === undefined || rows === undefined ? undefined : { table, rows };
}

async function* readRouteList(
  session: ReadSession,
  routes: FoundRoutes,
  first: FoundTable,
  name: string,
): AsyncGenerator<Reading> {
  yield* readRoutes(session, routes, conventionsOf(first.table), name);
  reportNew(session, routes.rows);
}

/** How the lines of courses are made, if the platform keeps courses as records of its own. */
function linesOf({ routes, courseRecords }: Description): Pick<Connector, "lineIn"> {
  if (courseRecords !== undefined) return { lineIn: lineOfRecord.bind(undefined, courseRecords) };
  return routes?.line === undefined ? {} : { lineIn: lineIn.bind(undefined, routes) };
}

async function* readAll(session: ReadSession, description: Description): AsyncGenerator<Reading> {
  const { archive } = session;
  const found = await tablesOf(archive, description);
  if (found.length === 0) {
    const own = description.rules?.["table/no-table"];
    const wanted = own?.expected ?? `table of ${article(description.title)}`;
    throw new FatalError(
      own?.rule ?? `${description.name}/no-table`,
      "source",
      `Cannot read ${printable(archive.name)}: there is no ${wanted} in it`,
    );
  }
  yield* missingNumbers(session, description);
  const recordings = [...archive.entries()].filter(({ path }) => description.recordings?.test(path) === true);
  const files: RecordingFiles = {
    all: recordings,
    byName: new Map(recordings.map((entry) => [stemOf(entry), entry])),
    known: new Map(),
    named: new Set(),
    toldFaults: new Map(),
    ...(description.filesByStart === true && { started: new StartedFiles(session, recordings) }),
  };
  const gear = await gearIn(archive, description);
  const book = gear && new GearBook(description.name);
  if (gear !== undefined && book !== undefined) yield* readGear(session, gear, book, found[0]);
  const routes = await routesIn(archive, description);
  if (routes !== undefined && found[0] !== undefined) yield* readRouteList(session, routes, found[0], description.name);
  const { courseRecords } = description;
  if (courseRecords !== undefined) yield* readCourseRecords(session, courseRecords, description.name);
  for (const each of found) yield* readTable(session, description, each, files, book);
  yield* missingPages(session, description);
  const refused = found.find(({ rows }) => rows.refused !== undefined);
  if (refused !== undefined) {
    const why = `they wait for their rows in ${printable(refused.rows.entries[0].path, 80)}, which can't be read`;
    for (const { path } of recordings) session.context.leftFile?.(path, why);
    await reportOthers(session, description, readOf(found, gear, routes));
    return;
  }
  if (book !== undefined) yield* book.unused(session);
  if (files.started !== undefined) yield* files.started.rest(description.name, files.named, files.known);
  else
    for (const entry of recordings)
      if (!files.named.has(entry.path)) yield* readDeviceFile(session, entry, description.name, files.known);
  await reportOthers(session, withoutCopies(description, found), readOf(found, gear, routes), files.named);
}

/** The description without tables that repeat the workouts of another one which was found: such a copy is rightly left. */
function withoutCopies(description: Description, found: readonly FoundTable[]): Description {
  if (found.every(({ table }) => table.onlyAlone === true)) return description;
  return { ...description, workouts: description.workouts.filter(({ onlyAlone }) => onlyAlone !== true) };
}

/** The tables that are read. */
function readOf(
  found: readonly FoundTable[],
  gear: FoundGear | undefined,
  routes: FoundRoutes | undefined,
): readonly FoundRows[] {
  const all = [...found.map(({ rows }) => rows), gear?.rows, gear?.uses, routes?.rows];
  return all.filter((rows) => rows !== undefined);
}

async function* readGear(
  session: ReadSession,
  gear: FoundGear,
  book: GearBook,
  first: FoundTable | undefined,
): AsyncGenerator<Reading> {
  const { rows, uses, table } = gear;
  if (first !== undefined) yield* book.read(session, gear, conventionsOf(first.table));
  const place = session.origin(rows.entries[0].path);
  const unknown = unknownIn(rows.header, [...table.columns, ...(table.uses === undefined ? [] : usesOf(table.uses))]);
  reportUnknown(session, unknown, place);
  reportNew(session, rows, uses);
}

/** The device files of an archive. */
interface RecordingFiles {
  readonly all: readonly Entry[];
  /** Files by name, without folder and extension. */
  readonly byName: ReadonlyMap<string, Entry>;
  /** Recognises the files that rows name. */
  readonly known: KnownFiles;
  /** Paths of the files that rows name. */
  readonly named: Set<string>;
  /** By the path of a file, the table that told its fault. */
  readonly toldFaults: Map<string, WorkoutTable>;
  /** Files by start, for platforms whose rows and files don't name one another. */
  readonly started?: StartedFiles;
}

async function* readTable(
  session: ReadSession,
  description: Description,
  asDescribed: FoundTable,
  files: RecordingFiles,
  gear: GearBook | undefined,
): AsyncGenerator<Reading> {
  const { rows } = asDescribed;
  const place = session.origin(rows.entries[0].path);
  const found = await withClock(session, asDescribed, place);
  const top = session.origin(rows.entries[0].path, "line 1");
  if (rows.refused !== undefined) {
    yield* readSmallLists(session, description, description.name, rows.entries[0], new GearUse());
    yield await refusedTable(session, description, found, rows.refused);
    return;
  }
  for (const remark of rows.remarks ?? []) session.report(remark, top);
  const inTable = new KeyTable();
  for (const [index, entry] of rows.entries.entries()) {
    const own = sheetOf(session, description, found, entry, files);
    const made = hasTracks(found.table) ? new MadeTracks(session, found.table) : undefined;
    const sheet = {
      ...own,
      ...(rows.entries.length > 1 && { inTable }),
      ...(gear && { gear }),
      ...(made && { made }),
      ...(files.started && { started: files.started }),
    };
    if (index === 0) {
      session.context.readsTable?.(place, unitColumnsOf(sheet.columns, undefined));
      reportUnknown(session, sheet.columns.unknown, place);
    }
    const survey = await surveyOf(session, sheet);
    const called =
      index === 0 && found.isFirst
        ? yield* readSmallLists(session, description, description.name, entry, survey.gear)
        : undefined;
    yield* thingsOf(session, sheet, survey);
    for (const path of survey.files.keys()) files.named.add(path);
    const areAllNamed = files.started === undefined && files.all.every(({ path }) => survey.files.has(path));
    const { system, issue } = survey.units;
    for (const remark of [issue, survey.private.issue()]) if (remark !== undefined) session.report(remark, place);
    const read = { ...sheet, ...(system !== undefined && { system }), ...(called && { called }) };
    try {
      yield* readWorkouts(session, read, survey, areAllNamed ? undefined : files.known);
    } finally {
      for (const path of made?.used ?? []) files.named.add(path);
      await made?.close();
    }
  }
  reportNew(session, rows);
}

/** The table, with the clock that its times have in this archive. */
async function withClock(session: ReadSession, found: FoundTable, place: Origin): Promise<FoundTable> {
  const { table, rows } = found;
  const clock = await table.clock?.(session, rows);
  if (clock === undefined) return found;
  session.report(clock.issue, place);
  return { ...found, table: { ...table, dates: { ...table.dates, zone: clock.zone } } };
}

/** A table of which no row can be read, with the number of its rows. */
async function refusedTable(
  session: ReadSession,
  { name }: Description,
  { table, rows }: FoundTable,
  { key, issue }: NonNullable<FoundRows["refused"]>,
): Promise<Rejected> {
  const [entry] = rows.entries;
  let count = 0;
  for await (const _ of rows.rows(session, entry, conventionsOf(table))) count++;
  const all = count === 1 ? "its only row can't" : `none of its ${count} rows can`;
  const found = { ...issue, found: `${issue.found}, so ${all} be read` };
  const rejected = session.reject("quarantined", `${name}:${key}`, session.origin(entry.path, "line 1"), found);
  return { ...rejected, rows: count };
}

function reportUnknown(session: ReadSession, names: Iterable<string>, place: Origin): void {
  const expected = "a known column; it was left out";
  for (const name of names)
    session.report({ severity: "warning", rule: "table/unknown-column", field: name, expected }, place);
}

/** Reports the columns that showed themselves while the rows were read, each at its own file. */
function reportNew(session: ReadSession, ...tables: readonly (FoundRows | undefined)[]): void {
  for (const { name, path } of tables.flatMap((rows) => rows?.strangers?.() ?? []))
    reportUnknown(session, [name], session.origin(path));
}

function sheetOf(
  session: ReadSession,
  { name, days }: Description,
  { table, rows }: FoundTable,
  entry: Entry,
  { byName, toldFaults }: RecordingFiles,
): Sheet {
  const described = columnsIn(rows, table.columns);
  const mapping = withCommas(conventionsOf(table), described, table.quotesCommas === true);
  const { withoutPrivateNotes } = session.context;
  const all = (report?: ReportAt) => rows.rows(session, entry, mapping, report);
  const columns = withoutPrivateNotes === true ? leavePrivateNotes(described) : described;
  const dates = new ResavedDates(columns, mapping, all, session.context);
  const beside = table.filesByName === true ? byName.get(stemOf(entry)) : undefined;
  const folder = entry.path.slice(0, entry.path.lastIndexOf("/") + 1);
  return {
    prefix: name,
    rules: "table",
    mapping,
    columns,
    dateAdvice: (found) => dates.advice(found),
    words: wordsOf(mapping),
    sports: new Map([...presumedBy(table), ...session.context.sports]),
    givenUnits: session.context.distanceUnits ?? [],
    usesGiven: session.context.usesGiven,
    rows: (report) => toldOnce(dates.rows(all(report)), entry.path, table, toldFaults),
    match: (cellOf) => {
      const skip = table.skips?.((column) => cellOf(column) ?? "", session.context.sports);
      return skip === undefined ? undefined : { skip };
    },
    fileNamed: (file) => session.archive.entry(folder + file),
    ...(table.countsSkipped && { countsSkipped: table.countsSkipped, listsDays: days !== undefined }),
    ...(table.shows !== undefined && { shows: table.shows }),
    ...(table.sameBy !== undefined && { sameBy: table.sameBy }),
    ...(table.filesFill === false && { filesFill: false as const }),
    ...(beside !== undefined && { fileBeside: beside }),
    ...(table.filesById === true && { fileOfId: (id: string) => byName.get(id) }),
  };
}

function presumedBy({ presumes = {} }: WorkoutTable): readonly (readonly [string, Activity])[] {
  return Object.entries(presumes).map(([name, activity]) => [foldSport(name), activity]);
}

/** The conventions of a table that a spreadsheet program may have saved with decimal commas. */
function withCommas(mapping: Conventions, columns: Columns, areQuoted: boolean): Conventions {
  const numbers = numberColumnsOf(columns, mapping);
  return numbers === undefined
    ? mapping
    : { ...mapping, file: { ...mapping.file, commas: new DecimalCommas({ ...numbers, areQuoted }) } };
}

function stemOf({ path }: Entry): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.[a-z]{3,4}(\.gz)?$/i, "");
}
