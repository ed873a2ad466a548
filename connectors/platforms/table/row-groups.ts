/** Several workouts in one row: repeated groups of columns, or a week with a column for each day. */
import { addDays, type LocalDate } from "../../../transforms/calendar.ts";
import { printable } from "../../../transforms/text/printable.ts";
import { noColumn } from "./header-problem.ts";
import { eachRow, type FilledRow, indexesOf, type Shape } from "./shape.ts";

/** For each new column: the columns of the workouts of a row, in their order. Null for a workout that lacks it. */
export type RowGroups = Readonly<Record<string, readonly (string | null)[]>>;

/** A way to read and write the days of a column. */
export interface DayColumn {
  /** The names that the column may have. */
  readonly names: readonly string[];
  readonly read: (text: string) => LocalDate | undefined;
  readonly write: (date: LocalDate) => string;
}

/** Whether a cell of a new column means "nothing". */
export type IsNothing = (column: string, cell: string) => boolean;

/** Each group of columns becomes a row. The other columns belong to all of them. A group without any value is no workout. */
export function repeated(groups: RowGroups, isNothing: IsNothing): Shape {
  const words = { where: "layout.repeat", word: "workout", isNothing };
  return (header) =>
    grouped(header, groups, words, ({ row, cellsOf, filled }) =>
      filled.map((group) => ({ ...row, fields: [...row.kept, ...cellsOf(group)], group })),
    );
}

/** Each day of a week becomes a row. The column of the date holds the first day of the week. */
export function weekly(groups: RowGroups, date: DayColumn, isNothing: IsNothing): Shape {
  const words = { where: "layout.week", word: "day", isNothing };
  return (header) => {
    const index = date.names.map(indexesOf(header)).find((each) => each !== undefined);
    return grouped(header, groups, words, ({ row, cellsOf, filled, moved }) => {
      const at = index === undefined ? undefined : moved(index);
      const first = index === undefined ? undefined : date.read((row.fields[index] ?? "").trim());
      return filled.map((day) => {
        const fields = [...row.kept, ...cellsOf(day)];
        if (at !== undefined && first !== undefined) fields[at] = date.write(addDays(first, day));
        return { ...row, fields, group: day };
      });
    });
  };
}

/** A row with its groups. */
interface GroupedRow {
  readonly row: FilledRow & { readonly kept: readonly string[] };
  /** The cells of one workout, in the order of the new columns. */
  readonly cellsOf: (group: number) => string[];
  /** The workouts that have a value. */
  readonly filled: readonly number[];
  /** The place of a kept column among the kept ones. */
  readonly moved: (index: number) => number | undefined;
}

/** A workout of a row, and its place among those of the row. */
type Grouped = FilledRow & { readonly group?: number };

/** The words for messages: where the mapping says it, and what a group is. */
interface GroupWords {
  readonly where: string;
  readonly word: string;
  readonly isNothing: IsNothing;
}

/** Why a row is skipped whose groups are all empty. A rule may give a better reason, such as a rest day. */
const WITHOUT_WORKOUT = "no workout in this row";

function grouped(
  header: readonly string[],
  groups: RowGroups,
  { where, word, isNothing }: GroupWords,
  split: (row: GroupedRow) => readonly Grouped[],
): ReturnType<Shape> {
  const indexOf = indexesOf(header);
  const lists = Object.entries(groups);
  const errors = lists.flatMap(([name, columns]) =>
    columns
      .filter((column) => column !== null && indexOf(column) === undefined)
      .map((column) => noColumn([...where.split("."), name], column ?? "")),
  );
  if (errors.length > 0) return { errors };
  const used = new Set(
    lists.flatMap(([, columns]) => columns.flatMap((column) => (column === null ? [] : (indexOf(column) ?? [])))),
  );
  const kept = [...header.keys()].filter((index) => !used.has(index));
  /** `day 3 ("Wed")`: the place of a workout in its row, with its columns. */
  const placeOf = (group: number) => {
    const names = lists
      .flatMap(([, columns]) => columns[group] ?? [])
      .map((name) => JSON.stringify(printable(name, 40)));
    return `${word} ${group + 1} (${names.join(", ")})`;
  };
  const places = lists.map(([, columns]) => columns.map((column) => (column === null ? -1 : (indexOf(column) ?? -1))));
  const count = Math.max(0, ...places.map(({ length }) => length));
  return {
    header: [...kept.map((index) => header[index] ?? ""), ...lists.map(([name]) => name)],
    rows: eachRow((row) => {
      const own = kept.map((index) => row.fields[index] ?? "");
      const extra = row.fields.slice(header.length);
      const cellsOf = (group: number) => places.map((columns) => row.fields[columns[group] ?? -1] ?? "");
      if (row.skip !== undefined) return [{ ...row, fields: [...own, ...cellsOf(0), ...extra] }];
      const filled = [...Array(count).keys()].filter((group) =>
        cellsOf(group).some((cell, index) => !isNothing(lists[index]?.[0] ?? "", cell)),
      );
      if (filled.length === 0)
        return [{ ...row, fields: [...own, ...cellsOf(0), ...extra], skipElse: WITHOUT_WORKOUT }];
      const made = split({
        row: { ...row, kept: own },
        cellsOf,
        filled,
        moved: (index) => (kept.includes(index) ? kept.indexOf(index) : undefined),
      });
      return made.map(({ fields, group, ...rest }, index) => ({
        ...rest,
        origin:
          group === undefined ? rest.origin : { ...rest.origin, locator: `${rest.origin.locator}, ${placeOf(group)}` },
        fields: [...fields, ...(index === 0 ? extra : [])],
      }));
    }),
  };
}
