/** The sets of a JEFIT backup, joined from its three tables of sessions, exercises and sets. */
import type { Issue, Origin } from "../../../transforms/model/issue.ts";
import { printable } from "../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import type { ReadSession } from "../session.ts";
import { isoOfMillis } from "../table/cells/instants.ts";
import { NewColumns } from "../table/cells/new-columns.ts";
import type { ReportAt, SheetRow } from "../table/cells/sheet-row.ts";
import type { RowSource } from "../table/description.ts";
import { headOf } from "../table/reading/head-of.ts";
import { type AddedColumn, amountsIn, Beside, isRead, newColumns, ownerOf, valuesIn } from "./beside.ts";
import { type SetRow, secondsOf, setsOf } from "./logs.ts";
import { type SectionRow, sectionRows, TITLE } from "./sections.ts";

const TIMES = ["total_time", "workout_time", "rest_time", "wasted_time"] as const;

/** The columns of the joined rows. */
export const JOINED = [
  ...["session", "mydate", "instant", "start in UTC", ...TIMES],
  ...["ename", "weight", "unit", "reps", "miles", "seconds", "words"],
] as const;

type Joined = Partial<Record<string, string | undefined>>;

/** Most files to check by their beginning. */
const MOST_LOOKED_AT = 20;

/** Finds the only backup of an archive. */
export const backup: RowSource = {
  async find(archive) {
    const named = [...archive.entries()].filter(({ path }) => /\.(?:csv|txt)$/i.test(path)).slice(0, MOST_LOOKED_AT);
    const found: Entry[] = [];
    for (const entry of named) if (await isBackup(archive, entry)) found.push(entry);
    const [entry] = found;
    if (entry === undefined || found.length > 1) return undefined;
    const strangers = new NewColumns();
    let tables: Promise<Tables> | undefined;
    return {
      saw: `${printable(entry.path, 80)} with a table of workout sessions`,
      byContent: true,
      entries: [entry],
      header: JOINED,
      async *rows(session, _, __, report) {
        tables ??= tablesOf(session, entry, strangers);
        yield* joined(session, entry, await tables, report);
      },
      holds: (path) => path === entry.path,
      strangers: () => strangers.all(),
    };
  },
};

/** Whether a file begins like a backup. Its first table may be any of them. */
async function isBackup(archive: Archive, entry: Entry): Promise<boolean> {
  const lines = (await headOf(archive, entry)).split(/\r?\n/).map((line) => line.trim());
  const titles = lines.map((line) => TITLE.exec(line)?.[1]);
  const first = lines.findIndex((line) => line !== "");
  return titles[first] !== undefined && titles.some((title) => title !== undefined && isRead(title));
}

/** What is read before the exercises: the sessions, the sets and the values without a field. */
interface Tables {
  readonly sessions: ReadonlyMap<string, Joined>;
  readonly sets: ReadonlyMap<string, readonly SetRow[]>;
  readonly beside: Beside;
}

async function tablesOf(session: ReadSession, entry: Entry, strangers: NewColumns): Promise<Tables> {
  const sessions = new Map<string, Joined>();
  const sets = new Map<string, SetRow[]>();
  const beside = new Beside();
  const others: Extract<SectionRow, { cellOf: unknown }>[] = [];
  const added = new Map<string, readonly AddedColumn[]>();
  for await (const row of sectionRows(session, entry)) {
    if ("header" in row) added.set(row.section, newColumns(row, strangers, entry.path));
    if (!("cellOf" in row)) continue;
    const { section, cellOf } = row;
    const values = valuesIn(cellOf, added.get(section) ?? []);
    if (!isRead(section)) {
      if (values.length > 0) others.push(row);
    } else if (section === "EXERCISE SET LOGS") {
      const set = setIn(cellOf);
      const own = sets.get(cellOf("exercise_log_id")) ?? [];
      own.push(set);
      sets.set(cellOf("exercise_log_id"), own);
      const amounts = amountsIn(cellOf, secondsOf(set.cells) !== undefined);
      beside.add(ownerOf.exercise(cellOf("exercise_log_id")), [...amounts, ...values]);
    } else {
      const isSession = section === "WORKOUT SESSIONS";
      const id = cellOf("_id");
      if (isSession && !sessions.has(id)) sessions.set(id, sessionOf(cellOf));
      beside.add(isSession ? ownerOf.session(id) : ownerOf.exercise(id), values);
    }
  }
  for (const own of sets.values()) own.sort((a, b) => a.index - b.index);
  for (const { section, origin, cellOf } of others)
    beside.addOfTable(section, origin, ownerIn(cellOf, sessions), valuesIn(cellOf, added.get(section) ?? []));
  return { sessions, sets, beside };
}

/** What a row of a new table belongs to; its day, if it names no exercise and no session. */
function ownerIn(cellOf: (column: string) => string, sessions: ReadonlyMap<string, Joined>): string {
  if (cellOf("exercise_log_id") !== "") return ownerOf.exercise(cellOf("exercise_log_id"));
  const id = cellOf("belongsession");
  return sessions.has(id) ? ownerOf.session(id) : ownerOf.day(cellOf("mydate"));
}

function setIn(cellOf: (column: string) => string): SetRow {
  const [weight_lbs, reps, distance_mi] = [cellOf("weight_lbs"), cellOf("reps"), cellOf("distance_mi")];
  const cells = { weight_lbs, reps, distance_mi, speed_mph: cellOf("speed_mph"), laps: cellOf("laps") };
  return { index: Number(cellOf("set_index")), cells: { ...cells, duration: cellOf("duration") } };
}

function sessionOf(cellOf: (column: string) => string): Joined {
  const seconds = cellOf("starttime") || cellOf("starttimie");
  const instant = Number(seconds) > 0 ? isoOfMillis(String(Number(seconds) * 1000)) : "";
  const times = Object.fromEntries(TIMES.map((name) => [name, cellOf(name)]));
  return { ...times, session: cellOf("_id"), mydate: cellOf("mydate"), instant };
}

async function* joined(
  session: ReadSession,
  entry: Entry,
  { sessions, sets, beside }: Tables,
  report: ReportAt | undefined,
): AsyncGenerator<SheetRow> {
  const given = new Map<string, Origin>();
  const used = new Set<string>();
  const reading = beside.reading();
  for await (const row of sectionRows(session, entry)) {
    if ("error" in row) yield row;
    if (!("cellOf" in row)) continue;
    const { section, cellOf, origin } = row;
    const complain = (issue: Omit<Issue, "severity">) => report?.({ severity: "warning", ...issue }, origin);
    const id = cellOf("_id");
    if (section === "WORKOUT SESSIONS") {
      if (given.has(id)) complain({ rule: "table/same-id", field: "_id", found: id, expected: "each session once" });
      else given.set(id, origin);
    }
    if (section !== "EXERCISE LOGS") continue;
    const of = sessions.get(cellOf("belongsession"));
    const day = of?.mydate || cellOf("mydate");
    if (of === undefined && day === "") {
      const expected = "the id of a session, or a day";
      const found = cellOf("belongsession");
      yield { origin, error: { severity: "error", rule: "table/no-session", field: "belongsession", found, expected } };
      continue;
    }
    if (of !== undefined) used.add(cellOf("belongsession"));
    const own = { ...of, session: of?.session ?? `day ${day}`, mydate: day, ename: cellOf("ename") };
    const unreadable = (found: string) =>
      complain({ rule: "table/bad-set", field: "logs", found: found.slice(0, 100), expected: "weight x repetitions" });
    const read = setsOf(cellOf("logs"), sets.get(id) ?? [], unreadable);
    const cut = row.cut === undefined ? {} : { cut: row.cut };
    const owners = [ownerOf.exercise(id), ownerOf.session(cellOf("belongsession")), ownerOf.day(day)];
    for (const set of read.length === 0 ? [{}] : read)
      yield { origin, fields: fieldsOf({ ...own, ...set }), ...cut, ...reading.take(owners) };
  }
  for (const [id, origin] of given) {
    if (used.has(id)) continue;
    const own = sessions.get(id) ?? {};
    yield { origin, fields: fieldsOf(own), ...reading.take([ownerOf.session(id), ownerOf.day(own.mydate ?? "")]) };
  }
  yield* reading.rest();
}

/** Makes the cells of a row. The day is certain. The instant beside it has no zone, so it shows no local time. It counts only if there is no day. */
function fieldsOf(row: Joined): readonly string[] {
  const hasDay = (row.mydate ?? "") !== "";
  const instants = { instant: hasDay ? "" : row.instant, "start in UTC": hasDay ? row.instant : "" };
  const cells: Joined = { ...row, ...instants };
  return JOINED.map((column) => cells[column] ?? "");
}
