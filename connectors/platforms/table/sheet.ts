/**
 * The engine: a table read by its description, whatever format its rows come in. The rows are gone through twice: what they name
 * (courses, equipment, files) comes before the workouts, and what is doubtful in most of them holds all of them back.
 */
import type { Issue, Origin } from "../../../transforms/model/issue.ts";
import type { Reading } from "../../../transforms/model/item.ts";
import type { Doubt, Start } from "../../../transforms/model/workout.ts";
import { contentHash } from "../../../transforms/text/canonical.ts";
import type { Entry } from "../../containers/archive.ts";
import { atInstant } from "../at-instant.ts";
import type { KnownFiles } from "../device-files/readings.ts";
import { scanFile } from "../scan-file.ts";
import type { ReadSession } from "../session.ts";
import { withFile } from "../with-file.ts";
import { GearUse } from "./called-gear.ts";
import type { Columns } from "./columns.ts";
import { DateOrder, type DateOrderFinding } from "./date-order.ts";
import { type MappedRow, mapRow, namesIn, type RowReader } from "./row.ts";
import type { Overrides } from "./row-cells.ts";
import { RULES } from "./rule-names.ts";
import type { MatchRule } from "./rules.ts";
import type { ReportAt, SheetRow } from "./sheet-row.ts";
import { type CellOf, ShownUnits, type System } from "./shown-units.ts";
import type { StartedFiles } from "./started-files.ts";
import { courseKey, equipmentOf, Named } from "./things.ts";
import { UnreadableColumns } from "./unreadable.ts";

/** A table, and everything its rows are read with. */
export interface Sheet extends RowReader {
  /** Its rows from the first to the last, again at each call. */
  readonly rows: (report?: ReportAt) => AsyncIterable<SheetRow>;
  /** Which of the description's rules a row meets. */
  readonly match: MatchRule;
  /** What a row shows of the units of the table. */
  readonly shows?: (cellOf: CellOf) => System | undefined;
  /** The mapping file, for people who can change it. */
  readonly mappingPath?: string;
  /** The device files that rows name, by the name they have for them. */
  readonly fileNamed?: (name: string) => Entry | undefined;
  /** Whether a file fills what its row leaves open; it does unless a table says otherwise. */
  readonly filesFill?: false;
  /** The device file that is named by a row's id, where rows name none themselves. */
  readonly fileOfId?: (id: string) => Entry | undefined;
  /** What of a row without an id makes it the same row in a later export; undefined: its content does. */
  readonly sameBy?: (cellOf: CellOf) => string;
  /** The device files by when they began, for rows that no name leads to one. */
  readonly started?: StartedFiles;
}

/** What the first of two passes finds. */
export interface Survey {
  /** The courses and the equipment that the rows name that can be used. */
  readonly named: Named;
  /** Paths of the device files that the rows name, and of how many rows each is. */
  readonly files: ReadonlyMap<string, number>;
  readonly unreadable: UnreadableColumns;
  readonly dates: DateOrder;
  readonly units: ShownUnits;
  /** What the rows call their gear, of rejected ones too. */
  readonly gear: GearUse;
}

/** The first pass. */
export async function surveyOf(session: ReadSession, sheet: Sheet): Promise<Survey> {
  const dates = new DateOrder(sheet.columns, sheet.mapping);
  const named = new Named();
  const files = new Map<string, number>();
  const unreadable = new UnreadableColumns(sheet.columns, sheet.mapping);
  const units = new ShownUnits();
  const gear = new GearUse();
  const fixOf = session.fixes();
  // The units are known once all rows were seen; until then any will do.
  const reader: RowReader = { ...sheet, system: "metric" };
  for await (const row of ruledRows(sheet)) {
    if (!("fields" in row) || row.skip !== undefined) continue;
    dates.add(row.fields);
    units.add(sheet.shows?.(cellsOf(row.fields, sheet.columns)));
    const remarks: Issue[] = [];
    const fix = fixOf?.(rejectedKey(sheet, contentOf(row.fields, sheet.columns)));
    const mapped = mapRow(row.fields, row.set, reader, (issue) => remarks.push(issue), fix);
    if ("rule" in mapped) {
      const names = namesIn(row.fields, row.set, reader);
      if (names === undefined) continue;
      gear.add(names.called, names.activity);
      // Its file waits with it.
      const { entry } = fileOf(sheet, names);
      if (entry !== undefined) files.set(entry.path, files.get(entry.path) ?? 0);
      continue;
    }
    gear.add(mapped.called, mapped.workout.activity);
    unreadable.add(row.fields, remarks);
    const { course, equipment, workout } = mapped;
    if (course !== undefined) named.addCourse(course, courseKey(course, sheet.prefix), row.origin);
    for (const { text, key } of equipment) named.addEquipment(text, key, workout.activity, row.origin);
    const { entry } = fileOf(sheet, mapped);
    if (entry !== undefined) files.set(entry.path, (files.get(entry.path) ?? 0) + 1);
  }
  return { named, files, unreadable, dates, units, gear };
}

/** The courses and the equipment that the rows name. */
export function* thingsOf(session: ReadSession, sheet: Sheet, { named }: Survey): Generator<Reading> {
  const { words, mapping, rules, gear } = sheet;
  for (const [key, { name, origin }] of named.courses) {
    if (session.unique(key) === key) yield { kind: "course", key, value: { name }, origin };
  }
  for (const [key, use] of named.equipment) {
    // Another table of the archive may have named it already.
    if (session.unique(key) !== key) continue;
    const { origin } = use;
    const value = equipmentOf(use, words, mapping.defaults.activity, rules);
    if ("rule" in value) yield { kind: "set-aside", key, origin, as: "quarantined", issue: { ...value, origin } };
    else yield { kind: "equipment", key, value: gear?.define(key, value) ?? value, origin };
  }
}

/** What is doubtful in the rows of a table. */
interface TableDoubts {
  readonly order: DateOrderFinding | undefined;
  readonly doubtsOf: (fields: readonly string[]) => readonly Doubt[];
}

/**
 * The second pass.
 *
 * @param known told of the files that are read, where files that no row names are to be told from them
 */
export async function* readWorkouts(
  session: ReadSession,
  sheet: Sheet,
  { dates, files, unreadable }: Survey,
  known?: KnownFiles,
): AsyncGenerator<Reading> {
  const { mappingPath, prefix } = sheet;
  const doubts: TableDoubts = { order: dates.finding(mappingPath), doubtsOf: unreadable.doubts(mappingPath) };
  const fixOf = session.fixes();
  const shared = new Set([...files].filter(([, rows]) => rows > 1).map(([path]) => path));
  for await (const row of ruledRows(sheet, session.report)) {
    const { origin } = row;
    if (!("fields" in row)) {
      // Of what it holds nothing is known: it is known by where it stands.
      const place = row.known ?? (origin.locator ?? "").replace(/^line /, "");
      yield session.reject("quarantined", `${prefix}:row:${row.error.rule}:${place}`, origin, row.error);
      continue;
    }
    const content = contentHashOf(row.fields, sheet);
    const rejectedAs = rejectedKey(sheet, content);
    if (row.skip !== undefined) {
      const issue: Issue = { severity: "info", rule: RULES[sheet.rules]["skipped-row"], found: row.skip };
      yield session.reject("skipped", rejectedAs, origin, issue);
      continue;
    }
    reportExtra(session, sheet, row.fields, origin);
    const report = (issue: Issue) => session.report(issue, origin);
    const mapped = mapRow(row.fields, row.set, sheet, report, fixOf?.(rejectedAs));
    const ofOrder = doubts.order?.concerns(row.fields) ? [doubts.order.doubt] : [];
    if ("rule" in mapped) {
      // One wrong word in the mapping is one cause for all rows, whether the wrong order happens to read them or not.
      yield session.reject("quarantined", rejectedAs, origin, ofOrder[0]?.issue ?? mapped);
      continue;
    }
    yield* readingsOfRow(session, sheet, mapped, origin, {
      content,
      doubts: [...ofOrder, ...doubts.doubtsOf(row.fields)],
      known,
      shared,
    });
  }
}

/** What is known of a row besides its own values. */
interface RowContext {
  readonly content: string;
  readonly doubts: readonly Doubt[];
  readonly known: KnownFiles | undefined;
  /** Files that several rows name: a recording is of one workout. */
  readonly shared: ReadonlySet<string>;
}

async function* readingsOfRow(
  session: ReadSession,
  sheet: Sheet,
  mapped: MappedRow,
  origin: Origin,
  { content, doubts, known, shared }: RowContext,
): AsyncGenerator<Reading> {
  const { prefix, rules, columns } = sheet;
  const { id, workout: plain } = mapped;
  const own = `${prefix}:workout:${id ?? content}`;
  const key = session.unique(own);
  // A person's sheet may number its rows as it likes; a platform's number is one activity.
  if (rules === "table" && id !== undefined && key !== own) {
    const issue: Issue = { severity: "info", rule: "table/same-id", found: id, expected: "each activity once" };
    yield session.reject("skipped", key, origin, issue);
    return;
  }
  const workout = { ...plain, ...(doubts.length > 0 && { doubts }) };
  const named = fileOf(sheet, mapped);
  const began = named.name === undefined ? await sheet.started?.find(plain.start, plain.duration) : undefined;
  const { name: file, entry } = began === undefined ? named : { name: began.entry.path, entry: began.entry };
  if (file === undefined) {
    yield { kind: "workout", key, value: workout, origin };
    return;
  }
  // Of a row that isn't wanted the file need not be opened, unless files no row names are to be told from it.
  if (known === undefined && session.context.wants?.(origin) === false) return;
  const field = columns.columns.find(({ spec }) => spec.field === "file")?.name ?? "file";
  if (entry !== undefined && shared.has(entry.path) && (await isOfAnother(session, entry, workout.start))) {
    const expected = "a file that began when the row did; this one is another row's";
    session.report({ severity: "warning", rule: "table/shared-file", field, found: file, expected }, origin);
    yield { kind: "workout", key, value: workout, origin };
    return;
  }
  const row = { key, workout, origin, filename: file, file: entry, field };
  const joined = { rules, fills: sheet.filesFill ?? true, ...(began !== undefined && { recording: began.index }) };
  yield* withFile(session, row, joined, known);
}

/** Seconds between the button and the first point. */
const SECONDS_APART = 10;

/**
 * Whether a file is the recording of another row: it began neither at the row's instant nor whole quarters of an hour from its local time.
 * Of a damaged file nobody knows whose it is, so each of its rows says that it is damaged.
 */
async function isOfAnother({ archive }: ReadSession, entry: Entry, start: Start): Promise<boolean> {
  const scanned = await scanFile(archive, entry);
  if ("rule" in scanned) return false;
  const { recordings, issues } = scanned.file;
  const instant = recordings[0]?.start;
  if (instant === undefined) return recordings.length > 0 || issues.every(({ severity }) => severity !== "error");
  if (start.date === undefined) return Math.abs((start.instant ?? 0) - instant) > SECONDS_APART * 1000;
  return atInstant(start, instant, SECONDS_APART / 60) === start;
}

/** The device file of a row: the one it names, else the one that is named by it. */
function fileOf(
  sheet: Sheet,
  { id, file }: Pick<MappedRow, "id" | "file">,
): { readonly name?: string; readonly entry?: Entry } {
  const entry = file === undefined ? id && sheet.fileOfId?.(id) : sheet.fileNamed?.(file);
  const name = file ?? (entry ? entry.path : undefined);
  return { ...(name !== undefined && { name }), ...(entry && { entry }) };
}

function reportExtra(session: ReadSession, { rules, columns }: Sheet, fields: readonly string[], origin: Origin): void {
  // Where columns are known by their places, such a row is rejected.
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

/** The key a row is rejected under. */
function rejectedKey({ prefix }: Sheet, content: string): string {
  return `${prefix}:row:${content}`;
}

function contentHashOf(fields: readonly string[], { columns, sameBy }: Sheet): string {
  return sameBy === undefined
    ? contentOf(fields, columns)
    : contentHash([sameBy(cellsOf(fields, columns))]).slice(0, 32);
}

/** What a row is known by: its cells that mean something, whatever the order of the columns. */
function contentOf(fields: readonly string[], { columns, byPlace }: Columns): string {
  if (byPlace) return contentHash(fields).slice(0, 32);
  const cells = columns
    .filter(({ spec }) => spec.field !== "ignore")
    .map(({ name, index }) => [name, (fields[index] ?? "").trim()]);
  return contentHash(Object.fromEntries(cells)).slice(0, 32);
}

/** A row after the rules: to be skipped, or with what they set. */
type RuledRow = { readonly origin: Origin } & (
  | { readonly fields: readonly string[]; readonly skip: string | undefined; readonly set: Overrides }
  | { readonly error: Issue; readonly known?: string }
);

async function* ruledRows({ rows, columns, match }: Sheet, report?: ReportAt): AsyncGenerator<RuledRow> {
  for await (const row of rows(report)) {
    if (!("fields" in row)) {
      yield row;
      continue;
    }
    const { origin, fields, cut } = row;
    const rule = match(cellsOf(fields, columns));
    // A row that is skipped whatever it holds, as a line of totals, needs no end.
    if (cut !== undefined && rule?.skip === undefined) yield { origin, error: cut };
    else yield { origin, fields, skip: rule?.skip, set: rule?.set ?? {} };
  }
}

function cellsOf(fields: readonly string[], { indexOf }: Columns): CellOf {
  return (column) => (fields[indexOf(column) ?? -1] ?? "").trim();
}
