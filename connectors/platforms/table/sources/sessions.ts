/**
 * Reads strength logs. Each row is a set, and the rows of a session are one workout. A session becomes one row for the engine. Sets with a distance
 * become separate rows, because they are another sport.
 */
import type { Activity } from "../../../../transforms/activities.ts";
import type { Issue, Origin } from "../../../../transforms/model/issue.ts";
import type { UnsupportedValue } from "../../../../transforms/model/workout.ts";
import { roundTo, type UnitOf } from "../../../../transforms/units.ts";
import type { ReadContext } from "../../../contract.ts";
import { addedValue } from "../cells/new-columns.ts";
import type { ReportAt, SheetRow } from "../cells/sheet-row.ts";
import { type Column, fold } from "../columns/columns.ts";
import type { AnyColumn, ColumnRow, FoundRows, OtherUnit, RowSource, WorkoutTable } from "../description.ts";
import type { Decimal } from "../mapping/fields.ts";
import { givenForRoads } from "../mapping/shown-units.ts";
import { stubOf } from "../reading/cut-row.ts";
import { columnsIn } from "./described-columns.ts";
import { inOtherUnits } from "./other-units.ts";
import {
  AMOUNTS,
  type GymSet,
  isDone,
  isUnread,
  isUnreadDistance,
  positiveIn,
  setsInWords,
  withoutFeet,
  withoutNegatives,
} from "./sets.ts";

/** A column, by all its spellings. */
export type Spellings = string | readonly string[];

/** Gives the text of a set's cell; "" if there is no such column. */
export type SetCellOf = (column: Spellings) => string;

/** A row that is not a set, and the note in it. */
export interface NoSet {
  readonly leave: string;
  readonly exercise?: string;
  readonly note?: string;
}

/** The description of a table of sets. */
export interface SessionWords {
  /** The column of the start. */
  readonly start: Spellings;
  /** Rows with the same start and the same cells in these columns belong to one session. */
  readonly by: readonly Spellings[];
  /** Reads a row. */
  readonly set: (cellOf: SetCellOf) => GymSet | NoSet;
  /** The decimal mark of the sets. */
  readonly decimal?: Decimal;
}

const ADDED = [
  "the sets",
  "sport of the sets",
  "distance of the sets",
  "unit of the sets",
  "seconds of the sets",
  "session of the sets",
  "day of the sets",
] as const;
const [SETS, SPORT, DISTANCE, UNIT, SECONDS, KEY, DAY] = ADDED;

const WITHOUT_UNIT =
  "its unit, which nothing in the table says. Say it for all rows: --distance-unit km, or --distance-unit mi";

/** The columns that `sessions` adds. They stand before the platform's own duration. */
export const SESSION_COLUMNS: readonly ColumnRow[] = [
  [SPORT, "activity"],
  [DISTANCE, "distance", { unitBy: (cellOf) => cellOf(UNIT) || undefined, decimal: "float", expected: WITHOUT_UNIT }],
  [UNIT, "ignore", { why: "read with its value" }],
  [SECONDS, "duration", { format: ["seconds"] }],
  [DAY, "untimed"],
  [SETS, "notes"],
  [KEY, "ignore", { why: "makes a session the same in a later export" }],
];

/** Exercises of gym apps that are sports. The table of activities lacks their names. */
const EXERCISES: Readonly<Record<string, Activity>> = {
  "Running (Treadmill)": "run",
  "Running (Outdoor)": "run",
  "Cycling (Indoor)": "bike",
  "Cycling - Stationary": "bike",
  "Assault Bike": "bike",
  "Rowing (Machine)": "row",
};

/** A set with a distance is a separate workout if it lasted longer than this, in seconds. */
const LEAST_SECONDS = 60;

/** Makes the parts of a table of workouts from a source of sets. */
export function sessions(
  source: RowSource,
  words: SessionWords,
): Pick<WorkoutTable, "from" | "sameBy" | "skips" | "sport" | "sports"> {
  return {
    from: {
      ...(source.claims && { claims: source.claims }),
      async find(archive, columns) {
        const found = await source.find(archive, columns);
        return found && withSessions(found, words, columns);
      },
    },
    sport: "weight",
    sports: EXERCISES,
    sameBy: (cellOf) => cellOf(KEY),
    skips: (cellOf) => (cellOf(SETS) === "" ? "no set in it was done" : undefined),
  };
}

function withSessions(found: FoundRows, words: SessionWords, columns: readonly AnyColumn[]): FoundRows {
  const others = found.otherUnits ?? inOtherUnits(found.header, columns);
  // The engine gives a source the columns of its own table of workouts.
  const strangers = columnsIn(found, columns as readonly ColumnRow[]).columns.filter(({ isUnknown }) => isUnknown);
  const sets: Sets = { words, decimal: words.decimal ?? ".", ...cellsOf(found.header), others, strangers };
  const counts = new Map<string, Promise<ReadonlyMap<string, number>>>();
  return {
    ...found,
    header: [...found.header, ...ADDED],
    async *rows(session, entry, mapping, report) {
      const { distanceUnits = [], usesGiven } = session.context;
      const given = givenForRoads(distanceUnits);
      const counted = counts.get(entry.path) ?? countOf(found.rows(session, entry, mapping), sets);
      counts.set(entry.path, counted);
      const left = new Map<string, number>();
      for await (const row of gathered(
        found.rows(session, entry, mapping, report),
        await counted,
        { ...sets, given, usesGiven },
        report,
      )) {
        if ("error" in row) yield row;
        else yield* rowsOf(row, sets, left);
      }
      for (const [found, count] of left) {
        const issue: Issue = { severity: "info", rule: "table/no-set", found, expected: "a set", count };
        report?.(issue, session.origin(entry.path));
      }
    },
  };
}

/** A table of sets, and the way to read it. */
interface Sets {
  readonly words: SessionWords;
  readonly decimal: Decimal;
  readonly width: number;
  readonly indexOf: (column: Spellings) => number | undefined;
  /** The unit that a person gave, for sets that have none. */
  readonly given?: UnitOf<"distance"> | undefined;
  readonly usesGiven?: ReadContext["usesGiven"];
  /** Columns of weights and distances in other units than the known ones. */
  readonly others: readonly OtherUnit<AnyColumn>[];
  /** Columns that nobody here knows. A session has a value of them for each set. */
  readonly strangers: readonly Pick<Column, "index" | "name">[];
}

function cellsOf(header: readonly string[]): Pick<Sets, "width" | "indexOf"> {
  const indexes = new Map(header.map((name, index) => [fold(name), index]));
  const indexOf = (column: Spellings) =>
    [column]
      .flat()
      .map((name) => indexes.get(fold(name)))
      .find((index) => index !== undefined);
  return { width: header.length, indexOf };
}

function textIn(fields: readonly string[], column: Spellings, { indexOf }: Sets): string {
  return (fields[indexOf(column) ?? -1] ?? "").trim();
}

function keyOf(fields: readonly string[], sets: Sets): string {
  const { start, by } = sets.words;
  return JSON.stringify([start, ...by].map((column) => textIn(fields, column, sets)));
}

/** Counts the rows of each session. So a session is complete as soon as its last row was read, in any order of the rows. */
async function countOf(rows: AsyncIterable<SheetRow>, sets: Sets): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for await (const row of rows) {
    if (!("fields" in row)) continue;
    const key = keyOf(row.fields, sets);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** The values of a set in columns that nobody here knows. */
interface Lost {
  readonly lost?: readonly UnsupportedValue[] | undefined;
  /** The same of the table's own header. Each of them counts. */
  readonly strange: readonly UnsupportedValue[];
}

/** Takes the values of unknown columns out of a set's cells, because the row of a session has room for one of them alone. */
function withoutStrangers(cells: readonly string[], { strangers }: Sets) {
  const fields = [...cells];
  const strange = strangers.flatMap(({ index, name }) => {
    const text = (cells[index] ?? "").trim();
    if (index < fields.length) fields[index] = "";
    return text === "" ? [] : [addedValue(name, text)];
  });
  return { fields, strange };
}

/** The rows of one session. */
interface Session {
  readonly key: string;
  readonly origin: Origin;
  /** The first filled cell of each column. */
  readonly fields: string[];
  readonly rows: ((GymSet | NoSet) & Lost)[];
  /** A session with a cut row is incomplete as a whole. */
  cut?: Issue;
}

const EXTRA = { severity: "warning", rule: "table/extra-cells", expected: "as many cells as the header has" } as const;

async function* gathered(
  rows: AsyncIterable<SheetRow>,
  counts: ReadonlyMap<string, number>,
  sets: Sets,
  report: ReportAt | undefined,
): AsyncGenerator<Session | Extract<SheetRow, { error: Issue }>> {
  const open = new Map<string, Session>();
  for await (const row of rows) {
    if (!("fields" in row)) {
      yield row;
      continue;
    }
    const { origin, fields: cells, missing, added: lost } = row;
    const cut = row.cut ?? stubOf(cells, missing);
    const { fields, strange } = withoutStrangers(cells, sets);
    const key = keyOf(fields, sets);
    const session: Session = open.get(key) ?? { key, origin, fields: Array(sets.width).fill(""), rows: [] };
    open.set(key, session);
    for (const [index, cell] of fields.slice(0, sets.width).entries()) session.fields[index] ||= cell;
    const extra = fields.slice(sets.width).filter((text) => text.trim() !== "");
    if (extra.length > 0) report?.({ ...EXTRA, found: extra.join(", ").slice(0, 100) }, origin);
    const set = sets.words.set((column) => textIn(fields, column, sets));
    const remark = (issue: Issue) => report?.(issue, origin);
    const own =
      "leave" in set
        ? set
        : soundSet(inGiven(withoutFeet(inOther(set, fields, sets), sets.decimal), sets), sets.decimal, remark);
    session.rows.push({ ...own, lost, strange });
    if (cut !== undefined) session.cut = cut;
    if (session.rows.length < (counts.get(key) ?? 0)) continue;
    open.delete(key);
    yield session;
  }
}

/**
 * A set without numbers that can't be true. A distance below 0 with its time is a workout of its own, and stays as it is: the workout's row rejects
 * the value, and it counts as one that can't be read.
 */
function soundSet(set: GymSet, decimal: Decimal, remark: (issue: Issue) => void): GymSet {
  return withoutNegatives(set, isWay(set, decimal) ? ["reps", "seconds"] : AMOUNTS, decimal, remark);
}

/** The set with its weight and its distance from columns in other units. */
function inOther(set: GymSet, fields: readonly string[], { others }: Sets): GymSet {
  const amounts = others.flatMap(({ index, dimension, unit }) => {
    const text = (fields[index] ?? "").trim();
    return text === ""
      ? []
      : [dimension === "weight" ? { weight: text, weightUnit: unit } : { distance: text, distanceUnit: unit }];
  });
  return Object.assign({}, set, ...amounts);
}

/** The set with the unit that a person gave, if it has a distance without one. */
function inGiven(set: GymSet, { given, usesGiven }: Pick<Sets, "given" | "usesGiven">): GymSet {
  const isBare = (set.distance ?? "") !== "" && (set.distanceUnit ?? "") === "";
  if (!isBare || given === undefined) return set;
  usesGiven?.(given);
  return { ...set, distanceUnit: given };
}

/** Gives the rows of a session: the one of its strength sets, and one for each kind of set with a distance. */
function* rowsOf(session: Session, sets: Sets, left: Map<string, number>): Generator<SheetRow> {
  const { decimal } = sets;
  const ofNoSet: Lost[] = [];
  const kept = session.rows.flatMap((row): (GymSet & Lost)[] => {
    const why = "leave" in row ? row.leave : isDone(row, decimal) ? undefined : "a set without any number";
    if (why === undefined) return "leave" in row ? [] : [row];
    left.set(why, (left.get(why) ?? 0) + 1);
    const { exercise, note = "", lost, strange } = row;
    if (exercise !== undefined && note.trim() !== "") return [{ exercise, note, lost, strange }];
    ofNoSet.push({ lost, strange });
    return [];
  });
  const [ways = [], strength = []] = parted(kept, (set) => isWay(set, decimal));
  const kinds = Map.groupBy(ways, ({ exercise, distanceUnit }) => JSON.stringify([exercise, distanceUnit]));
  const isAlone = kinds.size === 1 && strength.length === 0;
  const lostOf = (own: readonly Lost[]) => lostIn([...ofNoSet.splice(0), ...own]);
  if (kinds.size === 0 || strength.length > 0)
    yield withLost(rowOf(session, session.fields, strengthCells(session, strength, sets)), lostOf(strength));
  for (const own of kinds.values()) {
    const fields = isAlone ? session.fields : startOnly(session, sets);
    yield withLost(rowOf(session, fields, wayCells(session, own, sets, isAlone ? "" : "only")), lostOf(own));
  }
}

function parted<T>(all: readonly T[], test: (one: T) => boolean): readonly [yes: T[], no: T[]] {
  return [all.filter(test), all.filter((one) => !test(one))];
}

function isWay({ distance, seconds }: GymSet, decimal: Decimal): boolean {
  const isFar = isUnreadDistance(distance, decimal) || (positiveIn(distance, decimal) ?? 0) > 0;
  return isFar && (isUnread(seconds, decimal) || (positiveIn(seconds, decimal) ?? 0) > LEAST_SECONDS);
}

/** The added cells of a row, in the order of their columns. */
type AddedCells = readonly [
  sets: string,
  sport: string,
  distance: string,
  unit: string,
  seconds: string,
  key: string,
  day: string,
];

function strengthCells({ key }: Session, strength: readonly GymSet[], { decimal }: Sets): AddedCells {
  return [setsInWords(strength, decimal), "", "", "", "", key, ""];
}

function wayCells({ key }: Session, own: readonly GymSet[], { decimal }: Sets, day: string): AddedCells {
  // A sum lacks the amounts that nobody can read. So the first of them stands in its place, and is reported.
  const sum = (texts: readonly (string | undefined)[], isBad = isUnread) =>
    texts.find((text) => isBad(text, decimal)) ??
    String(
      roundTo(
        texts.reduce((all, text) => all + (positiveIn(text, decimal) ?? 0), 0),
        6,
      ),
    );
  const { exercise = "", distanceUnit = "" } = own[0] ?? {};
  const [distance, seconds] = [
    sum(
      own.map((set) => set.distance),
      isUnreadDistance,
    ),
    sum(own.map((set) => set.seconds)),
  ];
  return [setsInWords(own, decimal), exercise, distance, distanceUnit, seconds, `${key} ${exercise}`, day];
}

function rowOf({ origin, cut }: Session, fields: readonly string[], added: AddedCells): SheetRow {
  return { origin, fields: [...fields, ...added], ...(cut !== undefined && { cut }) };
}

function withLost(row: SheetRow, added: readonly UnsupportedValue[]): SheetRow {
  return "fields" in row && added.length > 0 ? { ...row, added } : row;
}

function lostIn(sets: readonly Lost[]): readonly UnsupportedValue[] {
  return [...folded(sets.flatMap(({ lost = [] }) => lost)), ...sets.flatMap(({ strange }) => strange)];
}

const KCAL = " kcal";

/** The values of each column as one, because a workout has many sets: calories add up, and of others the different ones are counted. */
function folded(values: readonly UnsupportedValue[]): readonly UnsupportedValue[] {
  return [...Map.groupBy(values, ({ field }) => field)].map(([field, own]) => {
    const [first = "", ...others] = [...new Set(own.map(({ value }) => value))];
    const numbers = own.map(({ value }) => (value.endsWith(KCAL) ? Number(value.slice(0, -KCAL.length)) : Number.NaN));
    const sum = numbers.reduce((all, number) => all + number, 0);
    if (!Number.isNaN(sum)) return { field, value: `${roundTo(sum, 2)}${KCAL}` };
    return { field, value: others.length === 0 ? first : `${others.length + 1} values` };
  });
}

/** The cells of a set among others. It has only the day of its session, because its time is unknown. */
function startOnly({ fields }: Session, { words, width, indexOf }: Sets): string[] {
  const only: string[] = Array(width).fill("");
  for (const column of [words.start, ...words.by]) {
    const index = indexOf(column);
    if (index !== undefined) only[index] = fields[index] ?? "";
  }
  return only;
}
