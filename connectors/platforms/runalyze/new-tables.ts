/** Tables of a backup that no version known here has. Rows that name a workout are counted with it. The others may be workouts themselves. */
import type { RecordFound } from "../table/description.ts";
import type { JsonRow } from "../table/sources/json-source.ts";

/** Members that name a workout in the tables of Runalyze. */
const NAMES_WORKOUT = ["activityid", "activity_id", "trainingid"];

/** Rows of a table that name no workout of the backup: how many, and the line of the first. */
interface Rest {
  readonly line: number;
  count: number;
}

/** Counts the rows of new tables. */
export class NewTables {
  /** By the id of a workout, the rows of each table. */
  readonly #ofWorkout = new Map<string, Map<string, Rest>>();
  readonly #rest = new Map<string, Rest>();

  /** Takes a row, from a line of the file; undefined if it can't be read. */
  add(table: string, row: JsonRow | undefined, line: number): void {
    const id = NAMES_WORKOUT.map((member) => row?.[member]).find((each) => each !== undefined && each !== null);
    const own = id === undefined ? this.#rest : (this.#ofWorkout.get(`${id}`) ?? new Map<string, Rest>());
    if (id !== undefined) this.#ofWorkout.set(`${id}`, own);
    addTo(own, table, { line, count: 1 });
  }

  /** The rows of a workout, as members of its row. Nobody gets them again. */
  take(id: string): Readonly<Record<string, string>> {
    const own = [...(this.#ofWorkout.get(id) ?? [])];
    this.#ofWorkout.delete(id);
    return Object.fromEntries(own.map(([table, { count }]) => [`${table} (a whole table)`, rows(count)]));
  }

  /** A rejected record for each table with rows that nobody took. */
  *rest(): Generator<RecordFound> {
    for (const own of this.#ofWorkout.values()) for (const [table, rest] of own) addTo(this.#rest, table, rest);
    const inOrder = [...this.#rest].sort(([, a], [, b]) => a.line - b.line);
    for (const [table, { line, count }] of inOrder) {
      const found = `${rows(count)} of the table ${table} (from line ${line}), which logferry doesn't know`;
      const expected = "rows that name a workout of the backup";
      // The place tells the record from others in the next backup, too. There the lines are others.
      const place = `table ${table}`;
      yield { value: undefined, issue: { severity: "error", rule: "runalyze/new-table", found, expected }, place };
    }
  }
}

function addTo(counts: Map<string, Rest>, table: string, { line, count }: Rest): void {
  const known = counts.get(table);
  if (known === undefined) counts.set(table, { line, count });
  else known.count += count;
}

function rows(count: number): string {
  return `${count} ${count === 1 ? "row" : "rows"}`;
}
