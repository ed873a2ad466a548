/** Compares a row with an earlier version of it, value by value, and finds where a row stands among the rows of its table. */
import { DUPLICATE_TOLERANCE, toFacts, type WorkoutFacts } from "../../../transforms/duplicates.ts";
import type { Origin } from "../../../transforms/model/issue.ts";
import type { Workout } from "../../../transforms/model/workout.ts";
import { canonicalJson } from "../../../transforms/text/canonical.ts";
import type { Journal } from "../../journal/journal.ts";
import { placeOf } from "../sources/row-order.ts";

/** A log rounds its values. Values this close are the same value. */
export const SAME = { metres: 1, seconds: 1 } as const;

/**
 * How many values of two rows are the same, and how many are not. A value that both lack counts nowhere, and neither does one that only the later row has:
 * a column may have been added to the table.
 */
export interface RowLikeness {
  readonly equal: number;
  readonly differing: number;
  /** Whether they may be one workout of a day. If both have a time of day, it tells two workouts apart. */
  readonly isSameDay: boolean;
}

const VALUES: readonly ((value: Workout) => unknown)[] = [
  ({ start }) => start.time,
  ({ activity }) => activity,
  ({ type }) => type,
  ({ notes }) => notes,
  ({ health }) => health,
  ({ intervalSet }) => intervalSet,
  ({ raceStats }) => raceStats,
  ({ ratings }) => ratings,
  ({ weather }) => weather,
  ({ course }) => course,
  ({ equipment }) => (equipment?.length === 0 ? undefined : equipment),
];

/** Compares a row with an earlier one. */
export function compareRows(later: Workout, earlier: Workout): RowLikeness {
  const [ours, theirs] = [toFacts(later), toFacts(earlier)];
  const pairs: (boolean | undefined)[] = [
    isClose(ours?.metres, theirs?.metres, SAME.metres),
    isClose(ours?.seconds, theirs?.seconds, SAME.seconds),
    ...VALUES.map((read) => isEqual(read(later), read(earlier))),
  ];
  const isSameDay = later.start.date !== undefined && later.start.date === earlier.start.date;
  const all = [isSameDay, ...pairs];
  return {
    equal: all.filter((isSame) => isSame === true).length,
    differing: all.filter((isSame) => isSame === false).length,
    isSameDay: isSameDay && !(ours && theirs && areStartsApart(ours, theirs)),
  };
}

/** If two runs of one day both have a time of day, their starts distinguish them. */
export function areStartsApart({ time: a }: WorkoutFacts, { time: b }: WorkoutFacts): boolean {
  return a !== undefined && b !== undefined && Math.abs(secondsOf(a) - secondsOf(b)) > DUPLICATE_TOLERANCE.seconds;
}

function secondsOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
  return hours * 3600 + minutes * 60 + seconds;
}

function isClose(a: number | undefined, b: number | undefined, within: number): boolean | undefined {
  if (a === undefined || b === undefined) return a === b ? undefined : false;
  return Math.abs(a - b) <= within;
}

function isEqual(later: unknown, earlier: unknown): boolean | undefined {
  if (earlier === undefined) return undefined;
  return canonicalJson(later ?? null) === canonicalJson(earlier);
}

/** The rows of a table as a run read it. */
export interface RowsOfTable {
  /** The keys of the rows, from the first row to the last. */
  readonly keys: readonly string[];
  readonly at: ReadonlyMap<string, number>;
}

/** The rows that a run has of a table. @param table as in `RowAway` */
export async function rowsOf(run: number, table: string, journal: Journal): Promise<RowsOfTable> {
  const rows: { readonly key: string; readonly part: string; readonly row: number }[] = [];
  for await (const { key, origin } of journal.lines(run, {})) {
    const { table: part, row } = placeOf(origin);
    if (tableOf(origin) === table) rows.push({ key, part, row });
  }
  rows.sort((a, b) => (a.part === b.part ? a.row - b.row : a.part < b.part ? -1 : 1));
  const keys = rows.map(({ key }) => key);
  return { keys, at: new Map(keys.map((key, index) => [key, index])) };
}

/** The file of a line, as one text to compare. */
export function tableOf({ connector, archive, entry }: Origin): string {
  return [connector, archive, entry].join("\n");
}

/**
 * The place of a row among the rows that another reading of its table has too: the closest such row before it and after it. Undefined where the two readings
 * have no row in common.
 */
export function placeAmong(key: string, own: RowsOfTable, other: RowsOfTable): string | undefined {
  const at = own.at.get(key);
  if (at === undefined) return undefined;
  const before = own.keys.slice(0, at).findLast((one) => other.at.has(one));
  const after = own.keys.slice(at + 1).find((one) => other.at.has(one));
  return before === undefined && after === undefined ? undefined : `${before ?? ""}\n${after ?? ""}`;
}
