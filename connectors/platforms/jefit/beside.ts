/**
 * The values of a backup that the log has no field for: calories and speeds of sets, and those of columns and tables that nobody here knows. They are
 * counted with the workout that they belong to: by its exercise, its session or its day.
 */
import type { Origin } from "../../../transforms/model/issue.ts";
import type { UnsupportedValue } from "../../../transforms/model/workout.ts";
import { printable } from "../../../transforms/text/printable.ts";
import { parseNumber } from "../table/cells/cells.ts";
import { addedValue, type NewColumns } from "../table/cells/new-columns.ts";
import type { SheetRow } from "../table/cells/sheet-row.ts";
import { fold } from "../table/columns/columns.ts";

/** The columns that are read. Any other column is reported by name. */
const KNOWN: Readonly<Record<string, string>> = {
  "WORKOUT SESSIONS":
    "rowid,_id,userid,edit_time,day_id,total_time,workout_time,rest_time,wasted_time,total_exercises,starttime,starttimie,endtime,mydate",
  "EXERCISE LOGS":
    "userid,timestamp,belongsys,logs,_id,record,mydate,eid,ename,day_item_id,belongsession,logtime,interval_logs,auto_generated",
  "EXERCISE SET LOGS":
    "_id,userid,exercise_log_id,set_index,weight_lbs,reps,calories,distance_mi,speed_mph,laps,duration",
};

/** Tables without workouts. They are left out. */
const LEFT = ["SETTING", "EXERCISE RECORDS"];

/** A table of days: as everywhere, days without a workout are left. */
const OF_DAYS = ["BODY MEASURES"];

/** Columns of a new table that join it with others, or number its rows. */
const JOINS = "rowid,_id,userid,eid,belongsession,exercise_log_id,mydate,edit_time,timestamp".split(",");

type CellOf = (column: string) => string;

/** Whether a table is one of the three that workouts are made of. */
export function isRead(section: string): boolean {
  return section in KNOWN;
}

/** A column that nobody here knows: in the table, and in words. */
export interface AddedColumn {
  readonly column: string;
  readonly name: string;
}

/** The new columns of a table by its header. Those of a whole new table go by the name of the table. */
export function newColumns(
  { section, header }: { readonly section: string; readonly header: readonly string[] },
  strangers: NewColumns,
  path: string,
): readonly AddedColumn[] {
  if (LEFT.includes(section)) return [];
  const known = (KNOWN[section]?.split(",") ?? JOINS).map(fold);
  const own = header.filter((name) => name !== "" && !known.includes(fold(name)));
  if (isRead(section)) return own.flatMap((column) => (strangers.add(column, path) ? [{ column, name: column }] : []));
  return strangers.add(`${section} (a whole table)`, path)
    ? own.map((column) => ({ column, name: `${section}: ${column}` }))
    : [];
}

/** The rows of a whole new table: where they begin, and what each of them belongs to. */
interface NewTable {
  readonly origin: Origin;
  readonly owners: string[];
}

/** Collects the values, and gives each of them to the first row that asks for its owner. */
export class Beside {
  readonly #values = new Map<string, UnsupportedValue[]>();
  readonly #tables = new Map<string, NewTable>();

  /** Takes the values of a row of the three tables. @param owner what they belong to, as `ownerOf` writes it */
  add(owner: string, values: readonly UnsupportedValue[]): void {
    if (values.length > 0) this.#values.set(owner, [...(this.#values.get(owner) ?? []), ...values]);
  }

  /** Takes a row of a new table. */
  addOfTable(section: string, origin: Origin, owner: string, values: readonly UnsupportedValue[]): void {
    if (values.length === 0) return;
    const table = this.#tables.get(section) ?? { origin, owners: [] };
    this.#tables.set(section, table);
    table.owners.push(owner);
    this.add(owner, values);
  }

  /** Begins a reading, which gives each value once. */
  reading(): BesideReading {
    return new BesideReading(new Map(this.#values), this.#tables);
  }
}

/** One reading of the values. */
export class BesideReading {
  readonly #values: Map<string, UnsupportedValue[]>;
  readonly #tables: ReadonlyMap<string, NewTable>;

  constructor(values: Map<string, UnsupportedValue[]>, tables: ReadonlyMap<string, NewTable>) {
    this.#values = values;
    this.#tables = tables;
  }

  /** The values of some owners that no row had before, as a part of a row. */
  take(owners: readonly string[]): { readonly added?: readonly UnsupportedValue[] } {
    const values = owners.flatMap((owner) => this.#values.get(owner) ?? []);
    for (const owner of owners) this.#values.delete(owner);
    return values.length === 0 ? {} : { added: values };
  }

  /** A rejected record for each new table with rows that belong to no workout. Nobody knows what they are. */
  *rest(): Generator<SheetRow> {
    for (const [section, { origin, owners }] of this.#tables) {
      const count = owners.filter((owner) => this.#values.has(owner)).length;
      if (count === 0 || OF_DAYS.includes(section)) continue;
      const table = printable(section, 60);
      yield {
        origin,
        known: `table ${section}`,
        error: {
          severity: "error",
          rule: "jefit/new-table",
          found: `${count} ${count === 1 ? "row" : "rows"} of the table ${table}, which logferry doesn't know`,
          expected: "rows with the day or the session of a workout",
        },
      };
    }
  }
}

/** Names what values belong to. */
export const ownerOf = {
  exercise: (id: string) => `exercise ${id}`,
  session: (id: string) => `session ${id}`,
  day: (date: string) => `day ${date.slice(0, 10)}`,
} as const;

/** The filled cells of new columns. */
export function valuesIn(cellOf: CellOf, columns: readonly AddedColumn[]): readonly UnsupportedValue[] {
  return columns.flatMap(({ column, name }) => {
    const value = cellOf(column).trim();
    return value === "" ? [] : [addedValue(name, value)];
  });
}

/** Calories of a set, and its speed where nothing else says it. 0 means none. @param isTimed whether its distance and time are read */
export function amountsIn(cellOf: CellOf, isTimed: boolean): readonly UnsupportedValue[] {
  const [calories, speed] = [parseNumber(cellOf("calories"), "."), parseNumber(cellOf("speed_mph"), ".")];
  return [
    ...((calories ?? 0) > 0 ? [{ field: "calories", value: `${calories} kcal` }] : []),
    ...((speed ?? 0) > 0 && !isTimed ? [{ field: "speed", value: `${speed} mi/h` }] : []),
  ];
}
