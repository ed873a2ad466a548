/**
 * The Strava bulk export: activities.csv row by row, each with the device file it names, after the gear and the routes. README.md
 * says what is in the export, what is read and what is left.
 */
import { activityNamed, foldSport } from "../../../transforms/activities.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Reading } from "../../../transforms/model/item.ts";
import type { Workout } from "../../../transforms/model/workout.ts";
import { contentHash } from "../../../transforms/text/canonical.ts";
import { printable } from "../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { findEntry } from "../../containers/find.ts";
import type { Connector, ReadContext, SourceMatch } from "../../contract.ts";
import { FatalError } from "../../errors.ts";
import { type KnownFiles, readDeviceFile } from "../device-files/readings.ts";
import { OtherFiles } from "../other-files.ts";
import { createReadSession, type ReadSession } from "../session.ts";
import { type FindBeside, findBeside } from "../table/beside.ts";
import { type CalledGearBook, GearUse, readGearLines } from "../table/called-gear.ts";
import { readCourses } from "../table/listed-courses.ts";
import { withOwnRules } from "../table/own-rules.ts";
import { type OwnerTable, readOwner } from "../table/owner.ts";
import { cleanHeader } from "../table/places.ts";
import { isRecord, type Row, readTable } from "../table/read-table.ts";
import { withFile } from "../with-file.ts";
import { ACTIVITIES, findActivities, readHeader, WORDS_TO_BE_SURE } from "./find-activities.ts";
import { findLayout } from "./generations.ts";
import { isKnownFile } from "./map.ts";
import { fileAndSport, gearCells, mapRow, type Table } from "./row.ts";
import { LISTS, RULES, stravaGear } from "./rules.ts";

const NAME = "strava";

/** Lists that stand beside activities.csv in every generation: one of them tells an export in a language we don't know. */
const SIBLINGS = ["shoes.csv", "bikes.csv", "routes.csv", "profile.csv"];

/** Both tables have begun with these columns since 2018. */
const OWNER: readonly OwnerTable[] = [
  { file: "profile.csv", cells: ["id", "email", "givenName", "familyName", "sex", undefined, "weight"] },
  { file: "general_preferences.csv", cells: ["born", "weight", undefined, "maxHR"] },
];

export const strava: Connector = {
  name: NAME,
  title: "Strava bulk export",
  howToGet:
    "strava.com > Settings > My Account > Download or Delete Your Account > Request Your Archive; the zip comes by mail.",

  async identify(archive: Archive): Promise<SourceMatch | undefined> {
    const entry = await findActivities(archive);
    const header = entry === undefined ? undefined : await readHeader(archive, entry);
    if (entry === undefined || header === undefined) return undefined;
    const layout = findLayout(header);
    const columns = `${printable(entry.path, 80)} with ${header.length} columns`;
    if (typeof layout === "string") {
      return beginsLikeOurs(header) ? { saw: `${columns} of a form not known yet`, strength: "exact" } : undefined;
    }
    const beside = findBeside(archive, entry);
    if (layout.wordsKnown < WORDS_TO_BE_SURE && !SIBLINGS.some((name) => beside(name) !== undefined)) return undefined;
    const isRenamed = findEntry(archive, ACTIVITIES) === undefined;
    return {
      saw: `${columns}, generation ${layout.generation}`,
      strength: "exact",
      ...(isRenamed && { byContent: true }),
    };
  },

  async *read(archive: Archive, context: ReadContext): AsyncGenerator<Reading> {
    for await (const reading of readExport(withOwnRules(createReadSession(NAME, archive, context), RULES))) {
      if (context.signal.aborted) return;
      yield reading;
    }
  },
};

async function* readExport(session: ReadSession): AsyncGenerator<Reading> {
  const { archive } = session;
  const entry = await findActivities(archive);
  if (entry === undefined) {
    throw new FatalError(
      "strava/no-activities",
      "source",
      `Cannot read ${archive.name}: there is no ${ACTIVITIES} in it`,
    );
  }
  const beside = findBeside(archive, entry);
  const table = await tableOf(session, entry);
  const survey = table === undefined ? undefined : await surveyRows(session, entry, table);
  const book = stravaGear(await readGearLines(session, { lists: LISTS }, beside), survey?.gear ?? new GearUse());
  await readOwner(session, OWNER, beside, NAME);
  yield* readGear(session, book, entry, beside);
  yield* readCourses(session, { file: "routes.csv", folder: "routes/" }, beside, NAME);
  if (table === undefined || survey === undefined) {
    const header = (await readHeader(archive, entry)) ?? [];
    const layout = findLayout(header);
    yield session.reject("quarantined", `strava:${ACTIVITIES}`, session.origin(entry.path, "line 1"), {
      severity: "error",
      rule: "strava/unknown-columns",
      found: typeof layout === "string" ? layout : "nothing",
      expected: "the columns of an export of 2018 to 2026; what is new in yours has to be added to the connector",
    });
    return;
  }
  const orphans = orphansOf(archive, entry, survey.files);
  const known: KnownFiles = new Map();
  yield* readRows(session, entry, table, book, beside, orphans.length > 0 ? known : undefined);
  for (const orphan of orphans) yield* readDeviceFile(session, orphan, NAME, known);
  reportUnknownFiles(session, entry);
}

/** The header and its layout, with remarks on what is unknown in it; undefined for a header of no known form. */
async function tableOf(session: ReadSession, entry: Entry): Promise<Table | undefined> {
  const header = await readHeader(session.archive, entry);
  const layout = header === undefined ? "" : findLayout(header);
  if (header === undefined || typeof layout === "string") return undefined;
  const origin = session.origin(entry.path, "line 1");
  for (const { index, name } of layout.unknown) {
    session.report(
      {
        severity: "warning",
        rule: "strava/unknown-column",
        found: `column ${index + 1}, ${name}`,
        expected: "a known column; it was left out",
      },
      origin,
    );
  }
  for (const { index, name, as } of layout.unfamiliar) {
    session.report(
      {
        severity: "warning",
        rule: "strava/unfamiliar-column",
        found: `column ${index + 1}, ${name}`,
        expected: `${as}, as which it was read`,
      },
      origin,
    );
  }
  if (layout.wordsKnown === 0) {
    session.report(
      {
        severity: "warning",
        rule: "strava/unknown-language",
        found: header.slice(0, 3).map(cleanHeader).join(", "),
        expected: "English, German, French, Dutch or Spanish; columns were read by their place alone",
      },
      origin,
    );
  }
  return { header, layout };
}

function beginsLikeOurs(header: readonly string[]): boolean {
  const begin = header.slice(0, 3).map((word) => cleanHeader(word).toLowerCase());
  return begin[0] === "activity id" && begin[1] === "activity date";
}

/** The first of two passes: what rows call their gear, and which files they name. */
async function surveyRows(
  session: ReadSession,
  entry: Entry,
  table: Table,
): Promise<{ gear: GearUse; files: ReadonlySet<string> }> {
  const gear = new GearUse();
  const files = new Set<string>();
  const { sports } = session.context;
  for await (const row of rowsBelowHeader(readTable(session.archive, entry))) {
    if (!isRecord(row) || row.fields.length !== table.layout.width) continue;
    const { filename, sport } = fileAndSport(row.fields, table);
    if (filename !== "") files.add(detached(filename));
    gear.add(gearCells(row.fields, table), sports.get(foldSport(sport)) ?? activityNamed(sport));
  }
  return { gear, files };
}

function* readGear(
  session: ReadSession,
  book: CalledGearBook,
  activities: Entry,
  beside: FindBeside,
): Generator<Reading> {
  for (const { key, value, line, issue } of book.gear) {
    const list = line === undefined ? activities : beside(line.kind === "shoe" ? "shoes.csv" : "bikes.csv");
    const origin = session.origin(list?.path, line === undefined ? undefined : `line ${line.line}`);
    if (issue !== undefined) session.report(issue, origin);
    yield { kind: "equipment", key, value, origin };
  }
}

async function* readRows(
  session: ReadSession,
  entry: Entry,
  table: Table,
  book: CalledGearBook,
  beside: FindBeside,
  known: KnownFiles | undefined,
): AsyncGenerator<Reading> {
  const report = (issue: Issue, line: number) => session.report(issue, session.origin(entry.path, `line ${line}`));
  const fixOf = session.fixes();
  for await (const row of rowsBelowHeader(readTable(session.archive, entry, { report }))) {
    const origin = session.origin(entry.path, `line ${row.line}`);
    if (!isRecord(row)) {
      // Of what it holds nothing is known: it is known by where it stands.
      yield session.reject("quarantined", `strava:row:${row.error.rule}:${row.line}`, origin, row.error);
      continue;
    }
    const rejectedAs = `strava:row:${contentHash(row.fields).slice(0, 32)}`;
    const reportRow = (issue: Issue) => session.report(issue, origin);
    const mapped = mapRow(row.fields, table, session.context.sports, reportRow, fixOf?.(rejectedAs));
    if ("rule" in mapped) {
      yield session.reject("quarantined", rejectedAs, origin, mapped);
      continue;
    }
    const key = `strava:workout:${mapped.id}`;
    const unique = session.unique(key);
    if (unique !== key) {
      const issue: Issue = {
        severity: "info",
        rule: "strava/same-id",
        field: "Activity ID",
        found: mapped.id,
        expected: "each activity once",
      };
      yield session.reject("skipped", unique, origin, issue);
      continue;
    }
    // Of a row that isn't wanted the file need not be opened, unless files no row names are to be told from it.
    if (known === undefined && session.context.wants?.(origin) === false) continue;
    const equipment = book.keyFor(gearCells(row.fields, table));
    const workout: Workout = { ...mapped.workout, ...(equipment !== undefined && { equipment: [equipment] }) };
    const { filename } = mapped;
    if (filename === undefined) yield { kind: "workout", key, value: workout, origin };
    else {
      const named = { key, workout, origin, filename, file: beside(filename), field: "Filename" };
      yield* withFile(session, named, { rules: NAME }, known);
    }
  }
}

/** A copy: a piece of a string keeps all of it in memory, which here is the text of the whole table. */
function detached(text: string): string {
  return Buffer.from(text).toString();
}

/** Files of uploads that no row names, in the archive's order. None were seen in real exports; people add and remove rows. */
function orphansOf(archive: Archive, activities: Entry, named: ReadonlySet<string>): Entry[] {
  const base = baseOf(activities);
  const folder = `${base}activities/`;
  const orphans: Entry[] = [];
  for (const entry of archive.entries())
    if (entry.path.startsWith(folder) && !named.has(entry.path.slice(base.length))) orphans.push(entry);
  return orphans;
}

/** Files that no export had when the lists in `map.ts` were made: one remark, with the first of them. */
function reportUnknownFiles(session: ReadSession, activities: Entry): void {
  const base = baseOf(activities);
  const others = new OtherFiles();
  for (const { path } of session.archive.entries()) {
    if (path === activities.path || (path.startsWith(base) && isKnownFile(path.slice(base.length)))) continue;
    others.add(path);
  }
  const issue = others.issue("strava/other-files", "files of an export");
  if (issue !== undefined) session.report(issue, session.origin());
}

function baseOf({ path }: Entry): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

async function* rowsBelowHeader(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  let isHeader = true;
  for await (const row of rows) {
    if (!isHeader || !isRecord(row)) yield row;
    if (isRecord(row)) isHeader = false;
  }
}
