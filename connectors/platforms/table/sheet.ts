/**
 * The engine reads a table by its description, in any format. It goes through the rows twice. So the courses, equipment and files that rows
 * name come before the workouts. And if a doubt concerns most rows, all rows that it concerns are held back.
 */
import type { LocalDate } from "../../../transforms/calendar.ts";
import type { Issue, Origin } from "../../../transforms/model/issue.ts";
import type { Reading } from "../../../transforms/model/item.ts";
import type { Doubt } from "../../../transforms/model/workout.ts";
import { isEmptyWorkout } from "../../../transforms/plausibility/judge.ts";
import type { Entry } from "../../containers/archive.ts";
import type { KnownFiles } from "../device-files/readings.ts";
import { KeyTable } from "../key-table.ts";
import { unreadRest } from "../other-files.ts";
import type { ReadSession } from "../session.ts";
import { withFile } from "../with-file.ts";
import { adviceForSum } from "./cells/doubtful-numbers.ts";
import type { ReportAt, SheetRow } from "./cells/sheet-row.ts";
import { DateOrder, type DateOrderFinding } from "./columns/date-order.ts";
import type { LeftColumns } from "./columns/left-columns.ts";
import type { MadeTracks } from "./files/made-tracks.ts";
import { SharedFiles } from "./files/shared-files.ts";
import type { StartedFiles, StartedRecording } from "./files/started-files.ts";
import { GearUse } from "./lists/called-gear.ts";
import { placeholderGear } from "./lists/placeholder-gear.ts";
import { courseKey, equipmentOf, Named } from "./lists/things.ts";
import { heldRow, RULES } from "./mapping/rule-names.ts";
import { type CellOf, ShownUnits, type System } from "./mapping/shown-units.ts";
import { leftInRow, type SkippingReader } from "./rows/left-of-row.ts";
import { PrivateNotes } from "./rows/private-notes.ts";
import { type MappedRow, mapRow, namesIn, type RowReader } from "./rows/row.ts";
import { contentHashOf, rejectedKey } from "./rows/row-content.ts";
import { rejectedForId } from "./rows/row-ids.ts";
import { otherVersion, RowVersions } from "./rows/row-versions.ts";
import { cellsOf, ruledRows } from "./rows/ruled-rows.ts";
import type { MatchRule } from "./rows/rules.ts";
import { withLost } from "./rows/unread-values.ts";
import { UnreadableColumns } from "./rows/unreadable.ts";
import { ShortRows } from "./shapes/short-rows.ts";
import { UnreadDates } from "./shapes/unread-dates.ts";

/** A table, and everything needed to read its rows. */
export interface Sheet extends SkippingReader {
  /** Gives all rows, from the start at each call. */
  readonly rows: (report?: ReportAt) => AsyncIterable<SheetRow>;
  /** Finds the description's rule that a row matches. */
  readonly match: MatchRule;
  /** Counts the keys of the rows of all files of the table. */
  readonly inTable?: KeyTable;
  /** The unit system that a row shows for the whole table. */
  readonly shows?: (cellOf: CellOf) => System | undefined;
  /** The mapping file, for people who can change it. */
  readonly mappingPath?: string;
  /** What a person can do about a date in the form of a spreadsheet program; undefined for any other date. */
  readonly dateAdvice?: (found: string) => string | undefined;
  /** Finds the device file with the name that a row gives. */
  readonly fileNamed?: (name: string) => Entry | undefined;
  /** False if a file must not add values that its row lacks. By default it adds them. */
  readonly filesFill?: false;
  /** Finds the device file named by a row's id, if rows name no files themselves. */
  readonly fileOfId?: (id: string) => Entry | undefined;
  /** The device file with the name of the row's own file. */
  readonly fileBeside?: Entry;
  /** The values that make a row without an id the same row in a later export. If undefined, its content does. */
  readonly sameBy?: (cellOf: CellOf) => string;
  /** Makes tracks of the rows' recorded series, for rows without a device file. */
  readonly made?: MadeTracks;
  /** Counts the values that a person's mapping leaves out. */
  readonly left?: LeftColumns;
  /** The device files by their start, for rows that have no name leading to a file. */
  readonly started?: StartedFiles;
}

/** The result of the first of two passes. */
export interface Survey {
  /** The courses and the equipment that usable rows name. */
  readonly named: Named;
  /** Paths of the device files that rows name, and the number of usable rows for each. */
  readonly files: ReadonlyMap<string, number>;
  readonly unreadable: UnreadableColumns;
  readonly dates: DateOrder;
  /** The dates that can't be read, and the change that would read them. */
  readonly unread: UnreadDates;
  readonly units: ShownUnits;
  readonly short: ShortRows;
  readonly private: PrivateNotes;
  /** The names that rows use for gear, also in rejected rows. */
  readonly gear: GearUse;
  /** The number of usable rows of each day that name no device file, if rows may get files by their day. */
  readonly days: ReadonlyMap<LocalDate, number>;
  /** The days with a usable row, if the values of skipped rows are counted. */
  readonly workoutDays: ReadonlySet<LocalDate>;
  /** The rows of one id and one start. */
  readonly versions: RowVersions;
}

/** Makes the first pass. */
export async function surveyOf(session: ReadSession, sheet: Sheet): Promise<Survey> {
  const dates = new DateOrder(sheet.columns, sheet.mapping);
  const unread = new UnreadDates(sheet.columns, sheet.mapping);
  const named = new Named();
  const files = new Map<string, number>();
  const unreadable = new UnreadableColumns(sheet.columns, sheet.mapping);
  const units = new ShownUnits();
  const short = new ShortRows(sheet.columns, sheet.rules);
  const ofWriter = new PrivateNotes(sheet.columns);
  const gear = new GearUse();
  const days = new Map<LocalDate, number>();
  const workoutDays = new Set<LocalDate>();
  const versions = new RowVersions(
    sheet.rules !== "table" || sheet.columns.columns.some(({ spec }) => spec.isShared === true),
  );
  const fixOf = session.fixes();
  // The units are known only after all rows were read. Until then, any system will do.
  const reader: RowReader = { ...sheet, system: "metric" };
  for await (const row of ruledRows(sheet)) {
    if (!("fields" in row) || row.skip !== undefined || row.hold !== undefined) continue;
    dates.add(row.fields);
    units.add(sheet.shows?.(cellsOf(row.fields, sheet.columns)));
    const remarks: Issue[] = [...(row.remarks ?? [])];
    const fix = fixOf?.(rejectedKey(sheet, contentHashOf(row.fields, sheet)));
    const mapped = mapRow(row.fields, row.set, reader, (issue) => remarks.push(issue), fix);
    if ("rule" in mapped) {
      if (isBadDate(mapped)) unread.addUnread(mapped.found ?? "");
      if (isNoDate(mapped)) unread.addMissing();
      const names = namesIn(row.fields, row.set, reader);
      if (names === undefined) continue;
      gear.add(names.called, names.activity);
      // A rejected row still owns its file, so the file is not read on its own.
      const { entry } = fileOf(sheet, names);
      if (entry !== undefined) files.set(entry.path, files.get(entry.path) ?? 0);
      continue;
    }
    unread.addRead(row.fields);
    versions.add(mapped);
    sheet.left?.add(row.fields);
    short.add(row);
    ofWriter.add(row.fields);
    gear.add(mapped.called, mapped.workout.activity);
    unreadable.add(row.fields, remarks);
    const { course, equipment, placeholders, workout } = mapped;
    if (course !== undefined) named.addCourse(course, courseKey(course, sheet.prefix), row.origin);
    for (const { text, key } of equipment) named.addEquipment(text, key, workout.activity, row.origin);
    for (const text of placeholders) named.addPlaceholder(text, row.origin);
    const { entry } = fileOf(sheet, mapped);
    if (entry !== undefined) files.set(entry.path, (files.get(entry.path) ?? 0) + 1);
    const { date } = workout.start;
    if (sheet.countsSkipped !== undefined && date !== undefined) workoutDays.add(date);
    if (sheet.started !== undefined && mapped.file === undefined && date !== undefined)
      days.set(date, (days.get(date) ?? 0) + 1);
  }
  return {
    ...{ named, files, unreadable, unread, dates, units, short, private: ofWriter, gear, days, workoutDays },
    versions: versions.settle(),
  };
}

/** Gives the courses and the equipment that the rows name. */
export function* thingsOf(session: ReadSession, sheet: Sheet, { named }: Survey): Generator<Reading> {
  const { words, mapping, rules, gear } = sheet;
  for (const [key, { name, origin }] of named.courses) {
    if (session.unique(key) === key) yield { kind: "course", key, value: { name }, origin };
  }
  for (const { text, count, origin } of named.placeholders.values())
    session.report(placeholderGear(text, count, rules), origin);
  for (const [key, use] of named.equipment) {
    // Another table of the archive may have given it already.
    if (session.unique(key) !== key) continue;
    const { origin } = use;
    const value = equipmentOf(use, words, mapping.defaults.activity, rules);
    if ("rule" in value) yield { kind: "set-aside", key, origin, as: "quarantined", issue: { ...value, origin } };
    else {
      const unlisted = gear?.unlisted(key, use.text);
      if (unlisted !== undefined) session.report(unlisted, origin);
      yield { kind: "equipment", key, value: gear?.define(key, value) ?? value, origin };
    }
  }
}

/** Doubts about the rows of a table. */
interface TableDoubts {
  readonly order: DateOrderFinding | undefined;
  readonly doubtsOf: (fields: readonly string[]) => readonly Doubt[];
}

/**
 * Makes the second pass.
 *
 * @param known receives the files that are read; given if files without a row must be distinguished from them
 */
export async function* readWorkouts(
  session: ReadSession,
  sheet: Sheet,
  { dates, days, files, short, unreadable, unread, versions, workoutDays }: Survey,
  known?: KnownFiles,
): AsyncGenerator<Reading> {
  const { mappingPath, prefix } = sheet;
  const doubts: TableDoubts = { order: dates.finding(mappingPath), doubtsOf: unreadable.doubts(mappingPath) };
  const fixOf = session.fixes();
  const shared = await sharedOf(session, sheet, files);
  const inFile = new KeyTable();
  for await (const row of ruledRows(sheet, session.report)) {
    const { origin } = row;
    if (!("fields" in row)) {
      // The content is unknown, so the key uses the row's place.
      const place = row.known ?? (origin.locator ?? "").replace(/^line /, "");
      if (row.endsFile === true) session.report(unreadRest(origin.connector, origin.entry), origin);
      yield session.reject("quarantined", `${prefix}:row:${row.error.rule}:${place}`, origin, row.error);
      continue;
    }
    const content = contentHashOf(row.fields, sheet);
    const rejectedAs = rejectedKey(sheet, content);
    if (row.skip !== undefined) {
      const issue: Issue = { severity: "info", rule: RULES[sheet.rules]["skipped-row"], found: row.skip };
      for (const remark of row.remarks ?? []) session.report(remark, origin);
      yield { ...session.reject("skipped", rejectedAs, origin, issue), ...leftInRow(row, sheet, workoutDays) };
      continue;
    }
    const fix = fixOf?.(rejectedAs);
    if (row.hold !== undefined && fix === undefined) {
      yield session.reject("quarantined", rejectedAs, origin, heldRow(sheet.rules, row.hold));
      continue;
    }
    reportExtra(session, sheet, row.fields, origin);
    const badNumbers: Issue[] = [];
    const report = (issue: Issue) => {
      if (issue.rule === RULES.csv["bad-number"] || issue.rule === RULES.csv["no-match"]) badNumbers.push(issue);
      session.report(issue, origin);
    };
    for (const remark of [...(row.remarks ?? []), ...short.issuesOf(row)]) report(remark);
    const mapped = mapRow(row.fields, row.set, sheet, report, fix);
    const ofOrder = doubts.order?.concerns(row.fields) ? [doubts.order.doubt] : [];
    if ("rule" in mapped) {
      // One wrong word in the mapping causes the fault of every row, even if the wrong order can read some of them.
      yield session.reject("quarantined", rejectedAs, origin, ofOrder[0]?.issue ?? withAdvice(mapped, unread, sheet));
      continue;
    }
    const counts = versions.lostTo(mapped, shared?.files.ownerOf(fileOf(sheet, mapped).entry));
    if (counts !== undefined) {
      const { issue, left } = otherVersion(mapped.id ?? "", mapped.workout, counts);
      yield { ...session.reject("skipped", rejectedAs, origin, issue), ...left };
      continue;
    }
    const workout = withLost(mapped.workout, row);
    yield* readingsOfRow(session, sheet, { ...mapped, workout }, origin, {
      cellOf: cellsOf(row.fields, sheet.columns),
      content,
      doubts: [...ofOrder, ...doubts.doubtsOf(row.fields), ...lostSum(badNumbers, mapped, sheet)],
      days,
      known,
      shared,
      inFile,
    });
  }
}

/** Files that several rows name. A recording belongs to only one workout. */
interface Shared {
  readonly paths: ReadonlySet<string>;
  readonly files: SharedFiles;
}

/** Goes through the rows once more to find the owners of files that several rows name. There are rarely any. */
async function sharedOf(session: ReadSession, sheet: Sheet, all: Survey["files"]): Promise<Shared | undefined> {
  const paths = new Set([...all].filter(([, rows]) => rows > 1).map(([path]) => path));
  if (paths.size === 0) return undefined;
  const files = new SharedFiles(session);
  for await (const row of ruledRows(sheet)) {
    if (!("fields" in row) || row.skip !== undefined) continue;
    const mapped = mapRow(row.fields, row.set, sheet, () => {});
    const { entry } = "rule" in mapped ? {} : fileOf(sheet, mapped);
    if ("rule" in mapped || entry === undefined || !paths.has(entry.path)) continue;
    await files.add({ entry, id: mapped.id, workout: mapped.workout, origin: row.origin });
  }
  return { paths, files };
}

/** The doubt about a row with a sum in a cell, or a text that no split fits, and nothing else that says how far or how long it was. To let it in as it is would lose it. */
function lostSum(bad: readonly Issue[], { file, workout }: MappedRow, { mapping, started }: Sheet): readonly Doubt[] {
  const isUnfit = ({ rule, found = "" }: Issue) => rule === RULES.csv["no-match"] && /\d/.test(found);
  const isSum = ({ found = "" }: Issue) => adviceForSum(found, mapping.file.decimal) !== undefined;
  const issue = bad.find((one) => isUnfit(one) || (isSum(one) && isEmptyWorkout(workout)));
  const isWithout = workout.distance === undefined && workout.duration === undefined;
  if (issue === undefined || file !== undefined || started !== undefined || !isWithout) return [];
  return [{ issue: { ...issue, severity: "error" }, about: ["distance"] }];
}

function isBadDate({ rule }: Issue): boolean {
  return rule.endsWith("/bad-date");
}

function isNoDate({ rule }: Issue): boolean {
  return rule.endsWith("/no-date");
}

/** Adds what would let the row in, if its date can't be read: an option, or a change of the mapping. */
function withAdvice(issue: Issue, unread: UnreadDates, { mappingPath: path, dateAdvice }: Sheet): Issue {
  const ofDate = () => dateAdvice?.(issue.found ?? "") ?? unread.advice(path);
  const advice = isBadDate(issue) ? ofDate() : isNoDate(issue) ? unread.adviceForMissing(path) : undefined;
  return advice === undefined ? issue : { ...issue, expected: `${issue.expected}: ${advice}` };
}

/** Facts about a row besides its own values. */
interface RowContext {
  readonly cellOf: CellOf;
  readonly content: string;
  readonly doubts: readonly Doubt[];
  readonly days: Survey["days"];
  readonly known: KnownFiles | undefined;
  /** Files that several rows name, and the rows that they belong to. */
  readonly shared: Shared | undefined;
  /** Counts the keys of the rows of this file. */
  readonly inFile: KeyTable;
}

async function* readingsOfRow(
  session: ReadSession,
  sheet: Sheet,
  mapped: MappedRow,
  origin: Origin,
  { cellOf, content, days, doubts, known, shared, inFile }: RowContext,
): AsyncGenerator<Reading> {
  const { prefix, rules, columns, inTable, mapping } = sheet;
  const { id, rounded, workout: plain } = mapped;
  const own = `${prefix}:workout:${id ?? (rounded === undefined ? content : (mapped.file ?? content))}`;
  const key = session.unique(own);
  const twin = rejectedForId(session, { rules, mapping, mapped, origin, own, key, inFile, inTable, prefix });
  if (twin !== undefined) {
    yield twin;
    return;
  }
  const workout = { ...plain, ...(doubts.length > 0 && { doubts }) };
  const named = fileOf(sheet, mapped);
  const began = named.name === undefined ? await fileByTime(sheet, plain, days) : undefined;
  const { name: file, entry } = began === undefined ? named : { name: began.entry.path, entry: began.entry };
  if (file === undefined) {
    const value = (await sheet.made?.addTo(workout, origin, cellOf)) ?? workout;
    yield { kind: "workout", key, value, origin };
    return;
  }
  // If the row is not wanted, its file can stay closed, unless files without a row must be distinguished from it.
  if (known === undefined && session.context.wants?.(origin) === false) {
    yield { kind: "workout", key, value: workout, origin };
    return;
  }
  const field = columns.columns.find(({ spec }) => spec.field === "file")?.name ?? "file";
  if (entry !== undefined && began === undefined && shared?.paths.has(entry.path) === true) {
    const sharing = { entry, id, workout: plain, origin };
    const is = await shared.files.of(sharing);
    if (is === "other" || is === "same") {
      const issue = shared.files.issue(sharing, is, { field, found: file });
      if (is === "same") {
        yield session.reject("skipped", key, origin, issue);
        return;
      }
      session.report(issue, origin);
      const lostFile = { because: "missing", name: file } as const;
      yield { kind: "workout", key, value: { ...workout, lostFile }, origin };
      return;
    }
  }
  const row = { key, workout, origin, filename: file, file: entry, field };
  const joined = { rules, fills: sheet.filesFill ?? true, ...(began !== undefined && { recording: began.index }) };
  yield* withFile(session, row, joined, known);
}

/** The device file of a row that has no name leading to one: by its start, or else by its day. */
async function fileByTime(
  { started }: Sheet,
  { start, duration }: MappedRow["workout"],
  days: Survey["days"],
): Promise<StartedRecording | undefined> {
  const { date, time } = start;
  if (started === undefined || date === undefined || time !== undefined) return started?.find(start, duration);
  return days.get(date) === 1 ? started.findOfDay(date) : undefined;
}

/** The device file of a row: the one that the row names, otherwise the one with the name of the row's id or of its own file. */
function fileOf(
  sheet: Sheet,
  { id, file }: Pick<MappedRow, "id" | "file">,
): { readonly name?: string; readonly entry?: Entry } {
  const unnamed = (id && sheet.fileOfId?.(id)) || sheet.fileBeside;
  const entry = file === undefined ? unnamed : sheet.fileNamed?.(file);
  const name = file ?? (entry ? entry.path : undefined);
  return { ...(name !== undefined && { name }), ...(entry && { entry }) };
}

function reportExtra(session: ReadSession, { rules, columns }: Sheet, fields: readonly string[], origin: Origin): void {
  // If columns are found by place, such a row is rejected instead.
  if (columns.byPlace) return;
  const extra = fields.slice(columns.width).filter((cell) => cell.trim() !== "");
  if (extra.length === 0) return;
  const issue: Issue = {
    severity: "warning",
    rule: RULES[rules]["extra-cells"],
    found: extra.join(", ").slice(0, 100),
    expected: `${columns.width} cells`,
  };
  session.report(issue, origin);
}
