/** Finds groups of columns that begin with a sport, and go on with headers that stand there once a sport: `Run, Time, Bike, Time`. */
import { areDurations, type ColumnSample, fits } from "../sample/column.ts";
import { foldHeader } from "../words/header-words.ts";
import { isNumber } from "../words/values.ts";
import { meaningOfBase, sportOf, type TaggedColumn, taggedColumn } from "./group-tags.ts";

/** A column that names a sport, and the columns behind it up to the next one. */
interface Led {
  readonly sport: string;
  /** What the column itself is: `km` of `Run km`, or Distance of `Run`. */
  readonly base: string;
  readonly column: ColumnSample;
  readonly others: readonly { readonly column: ColumnSample; readonly base: string }[];
}

/**
 * The columns of each sport; none for a table without such groups. A column that stands behind one sport alone is of none: it may be of the whole row.
 */
export function taggedByLeader(columns: readonly ColumnSample[]): readonly TaggedColumn[] {
  const groups = groupsIn(columns);
  const counts = new Map<string, number>();
  for (const { others } of groups)
    for (const base of new Set(others.map((one) => foldHeader(one.base))))
      counts.set(base, (counts.get(base) ?? 0) + 1);
  const isEach = (base: string) => counts.get(foldHeader(base)) === groups.length;
  if (groups.length < 2 || new Set(groups.map(({ sport }) => sport)).size < groups.length) return [];
  if (![...counts.keys()].some((base) => isEach(base) && measures(base))) return [];
  return groups.flatMap(({ sport, base, column, others }): readonly TaggedColumn[] => {
    const tag = { kind: "sport", tag: sport, said: sport, sport } as const;
    return [{ ...tag, column, base }, ...others.filter((one) => isEach(one.base)).map((one) => ({ ...tag, ...one }))];
  });
}

function groupsIn(columns: readonly ColumnSample[]): readonly Led[] {
  const groups: { -readonly [K in keyof Led]: K extends "others" ? Led["others"][number][] : Led[K] }[] = [];
  for (const column of columns) {
    if (column.filled.length === 0) continue;
    const led = leaderIn(column);
    if (led !== undefined) groups.push({ ...led, column, others: [] });
    else groups.at(-1)?.others.push({ column, base: column.name.replace(/#\d+$/, "") });
  }
  return groups;
}

/** What a column is that begins a group: it names a sport, alone or with a measure, and its values fit. */
function leaderIn(column: ColumnSample): Pick<Led, "sport" | "base"> | undefined {
  const { name, filled } = column;
  const sport = sportOf(name.trim());
  if (sport !== undefined) {
    if (areDurations(column)) return { sport, base: "Duration" };
    return filled.every(isNumber) && fits("distance", column) ? { sport, base: "Distance" } : undefined;
  }
  const tagged = taggedColumn(column).find(({ kind }) => kind === "sport");
  return tagged !== undefined && measures(tagged.base) ? { sport: tagged.tag, base: tagged.base } : undefined;
}

/** Whether a header without its sport is a distance or a duration. */
function measures(base: string): boolean {
  return meaningOfBase(base).roles.some((role) => role === "distance" || role === "duration");
}
