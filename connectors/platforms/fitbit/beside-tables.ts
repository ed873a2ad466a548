/**
 * Compares the JSON files with the tables of the same export, which have the same workouts under other ids. A table knows more of them: the distance of
 * the athlete's clock from UTC, and that its owner removed one.
 */
import { DUPLICATE_TOLERANCE } from "../../../transforms/duplicates.ts";
import type { ReadSession } from "../session.ts";
import { conventionsOf } from "../table/conventions.ts";
import type { FoundRows, RowSource, WorkoutTable } from "../table/description.ts";
import { exercises } from "./exercises.ts";

/** The columns that a JSON row gets from the row of a table with the same workout. */
export const OF_TABLES = { offset: "utc_offset in the tables", removed: "removed in the tables" } as const;

/** A workout of the tables. */
interface Timed {
  /** Its start in UTC, in milliseconds since 1970. */
  readonly start: number;
  readonly seconds: number;
  /** The distance of the athlete's clock from UTC, as the table writes it, and in milliseconds. */
  readonly offset: string;
  readonly offsetMs: number;
  readonly isRemoved: boolean;
}

/** The workouts of the tables that a JSON row may be: with its start in UTC, or with its start on the athlete's clock. */
export interface Matches {
  readonly utc: readonly Timed[];
  readonly local: readonly Timed[];
}

/** Finds the workouts of the tables that began when a JSON row says, and lasted as long. Undefined if the archive has no tables. */
export async function tablesBeside(
  session: ReadSession,
): Promise<((cellOf: (name: string) => string) => Matches | undefined) | undefined> {
  const tables = await exercises.from.find(session.archive, exercises.columns);
  if (tables === undefined) return undefined;
  const known = new Map<number, Timed[]>();
  for await (const cellOf of cellsOf(session, exercises, tables)) {
    const [start, end] = [Date.parse(cellOf("exercise_start")), Date.parse(cellOf("exercise_end"))];
    const offset = cellOf("utc_offset");
    const offsetMs = offsetOf(offset);
    if (!(end > start) || offsetMs === undefined) continue;
    const isRemoved = cellOf("deletion_reason") !== "";
    const one: Timed = { start, seconds: (end - start) / 1000, offset, offsetMs, isRemoved };
    for (const wall of new Set([start, start + offsetMs]))
      known.set(minuteOf(wall), [...(known.get(minuteOf(wall)) ?? []), one]);
  }
  return (cellOf) => {
    const wall = wallOf(cellOf("startTime"));
    const seconds = Number(cellOf("duration")) / 1000;
    if (wall === undefined || !(seconds > 0)) return undefined;
    const near = new Set([-2, -1, 0, 1, 2].flatMap((minutes) => known.get(minuteOf(wall) + minutes) ?? []));
    const isOne = (one: Timed, start: number) =>
      Math.abs(start - wall) <= DUPLICATE_TOLERANCE.seconds * 1000 &&
      Math.abs(one.seconds - seconds) <= Math.max(60, DUPLICATE_TOLERANCE.duration * seconds);
    return {
      utc: [...near].filter((one) => isOne(one, one.start)),
      local: [...near].filter((one) => isOne(one, one.start + one.offsetMs)),
    };
  };
}

/** Gives each JSON row what the tables know of its workout. Where several rows of the tables could be it and differ in that, it gets nothing. */
export function withTables(source: RowSource): RowSource {
  return {
    ...source,
    async find(archive, columns) {
      const found = await source.find(archive, columns);
      if (found === undefined) return undefined;
      const [offset, removed] = [OF_TABLES.offset, OF_TABLES.removed].map((name) => found.header.indexOf(name));
      let tables: ReturnType<typeof tablesBeside> | undefined;
      return {
        ...found,
        async *rows(session, entry, mapping, report) {
          tables ??= tablesBeside(session);
          const matchesOf = await tables;
          for await (const row of found.rows(session, entry, mapping, report)) {
            const matches = "fields" in row ? matchesOf?.(cellReader(found.header, row.fields)) : undefined;
            if (matches === undefined || !("fields" in row)) {
              yield row;
              continue;
            }
            const all = matches.utc.length > 0 ? matches.utc : matches.local;
            const fields = [...row.fields];
            fields[offset ?? -1] = onlyOne(matches.utc.map((one) => one.offset)) ?? "";
            fields[removed ?? -1] = all.length > 0 && all.every(({ isRemoved }) => isRemoved) ? "yes" : "";
            yield { ...row, fields };
          }
        },
      };
    },
  };
}

/** Gives for each row that can be read a function from the name of a column to its cell. */
export async function* cellsOf(session: ReadSession, table: WorkoutTable, { entries, header, rows }: FoundRows) {
  for (const entry of entries)
    for await (const row of rows(session, entry, conventionsOf(table)))
      if ("fields" in row) yield cellReader(header, row.fields);
}

function cellReader(header: readonly string[], fields: readonly string[]): (name: string) => string {
  return (name) => fields[header.findIndex((each) => each.toLowerCase() === name.toLowerCase())]?.trim() ?? "";
}

function onlyOne(texts: readonly string[]): string | undefined {
  return new Set(texts).size === 1 ? texts[0] : undefined;
}

function minuteOf(instant: number): number {
  return Math.floor(instant / 60_000);
}

/** Reads `01/31/18 14:25:33` as if it were UTC. */
function wallOf(text: string): number | undefined {
  const [, month, day, year, time] = /^(\d\d)\/(\d\d)\/(\d\d) (\d\d:\d\d:\d\d)$/.exec(text) ?? [];
  const wall = Date.parse(`20${year}-${month}-${day}T${time}Z`);
  return Number.isNaN(wall) ? undefined : wall;
}

/** Reads `+05:30` in milliseconds. */
function offsetOf(text: string): number | undefined {
  const [, sign, hours, minutes] = /^([-+])(\d\d):(\d\d)$/.exec(text) ?? [];
  return sign === undefined ? undefined : (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
