/** Finds columns that come in groups, with a workout in each: `AM miles, AM time, PM miles, PM time`, or `Run km, Bike km`. */
import type { UnitOf } from "../../../../transforms/units.ts";
import type { Answers, Choice } from "../choices/choice.ts";
import { bareGroups } from "../columns/bare-groups.ts";
import {
  isSum,
  isSumOfRows,
  KINDS,
  meaningOfBase,
  type RepeatedColumns,
  type TaggedColumn,
  type TagKind,
  taggedByRowAbove,
  taggedColumns,
} from "../columns/group-tags.ts";
import { taggedByLeader } from "../columns/leading-sports.ts";
import { repeatsFirst } from "../columns/repeated-columns.ts";
import { fieldPlace } from "../columns/roles.ts";
import { areSports, type ColumnSample, columnsOf, fits } from "../sample/column.ts";
import type { SheetSample } from "../sample/sample.ts";
import { foldHeader, lengthUnit, type Role, readHeaderWords } from "../words/header-words.ts";
import { isZero } from "../words/values.ts";
import { withFreeNames } from "./free-names.ts";
import { rowSum } from "./row-sums.ts";
import { sharedBeside, sharedChoice, withoutShared } from "./shared-values.ts";
import { sideTable } from "./side-tables.ts";
import { withTablesBeside } from "./tables-beside.ts";

/** A table with one workout a row, and how it came of a table with several. */
export interface Regrouped {
  readonly sample: SheetSample;
  readonly repeat: RepeatedColumns;
  /** The sports of the groups, in a column of their own; undefined if the headers name none. */
  readonly sports: GroupSports | undefined;
  /** Columns with one value for all workouts of a row: the hours of the day beside the kilometres of each sport. */
  readonly shared: readonly string[];
  /** The new columns in which a zero says that there was no such workout. */
  readonly zeros: ReadonlySet<string>;
  readonly choices: readonly Choice[];
}

/** A new column with the sport of each workout of a row. */
export interface GroupSports {
  readonly column: string;
  readonly words: readonly string[];
  /** The units of length in the headers of their distances: `Swim m`, `Run km`. */
  readonly units: ReadonlyMap<string, UnitOf<"distance">>;
}

/** Makes one workout a row of a table whose columns come in groups; undefined for any other table. */
export function regroup(sample: SheetSample, answers: Answers): Regrouped | undefined {
  if (!sample.hasHeader) return undefined;
  // A running sum is no workout, whatever its header.
  const all = columnsOf(sample);
  const beside = sideTable(all);
  const columns = all.filter(
    (one) =>
      !beside.includes(one) &&
      one.sumOf === undefined &&
      one.meaning.purpose !== "plan" &&
      answers.get(fieldPlace(one)) !== "ignore",
  );
  const single = columns.filter(({ name, index }) => !isSumColumn(name, sample.above[index]));
  const ways: readonly (readonly TaggedColumn[])[] = [
    taggedByRowAbove(single, sample.above),
    taggedByLeader(single),
    taggedColumns(single),
    taggedColumns(columns),
  ];
  for (const tagged of ways)
    for (const kind of KINDS) {
      const found = repeatOf(withFirst(kind, tagged, columns), columns, kind, sample.above);
      if (found !== undefined) return regroupedBy(found, kind, sample, columns);
    }
  const bare = bareGroups(columns, answers);
  if (bare === undefined) return undefined;
  const { names, kind, sports, repeat } = bare;
  const proven = provenBeside(
    columns.filter(({ name, filled }) => !names.includes(name) && filled.length > 0),
    [columns.filter(({ name }) => names.includes(name))],
  );
  const found = { roles: BARE_ROLES, repeat, sports, units: new Map(), proven };
  return regroupedBy(found, kind, sample, columns);
}

/** The table with one workout a row, once its groups are found. */
function regroupedBy(
  found: FoundGroups,
  kind: TagKind,
  sample: SheetSample,
  columns: readonly ColumnSample[],
): Regrouped {
  const { sports: words, units, proven } = found;
  const repeat = withFreeNames(withTablesBeside(found.repeat, columns), sample.header);
  const sports = kind === "sport" ? { column: SPORT, words, units } : undefined;
  const sums = sumsBeside({ ...found, repeat }, columns, sample.above);
  const shared = sharedBeside(columns, new Set([...repeat.values()].flat()), { sums, kind });
  const provenSums = new Map([...sample.provenSums, ...[...proven].filter(([name]) => sums.get(name) === "sure")]);
  const grouped = regrouped(withoutShared({ ...sample, sums, provenSums }, repeat, shared), repeat, sports);
  const choices = [choiceOf(repeat, sample, sports?.words), ...sharedChoice(sample, repeat, shared)];
  const zeros = new Set(columns.flatMap(({ name, cells }) => (cells.some(isZero) ? [name] : [])));
  return {
    ...{ sample: grouped, repeat, sports, choices },
    shared: shared.map(({ name }) => name),
    zeros: new Set([...repeat].flatMap(([name, of]) => (of.some((one) => zeros.has(one ?? "")) ? [name] : []))),
  };
}

/**
 * The columns that sum up the groups beside them. One with a value in a row without a workout may be more than a sum. `Total time` beside groups
 * without a time sums up nothing that is read.
 */
function sumsBeside(
  { repeat, roles, proven }: FoundGroups,
  columns: readonly ColumnSample[],
  above: readonly string[],
): SheetSample["sums"] {
  const names = new Set([...repeat.values()].flat());
  const groups = columns.filter(({ name }) => names.has(name));
  const isAlone = (row: number) => groups.every(({ cells }) => (cells[row] ?? "") === "");
  const summed = SUMMED.filter(([, of]) => roles.has(of)).map(([role]) => role);
  const sums = columns.filter(
    ({ name, index, meaning }) =>
      !names.has(name) &&
      (proven.has(name) ||
        (isSumColumn(name, above[index]) &&
          (isSumOfRows(name) ? SUMMED.map(([role]) => role) : summed).some((role) => meaning.roles.includes(role)))),
  );
  return new Map(
    sums.map(({ name, cells }) => {
      const isSure = isSumOfRows(name) || !cells.some((cell, row) => /[1-9]/.test(cell) && isAlone(row));
      return [name, isSure ? "sure" : "unsure"];
    }),
  );
}

/** Whether a column sums up others, by its header or by the text above it. */
function isSumColumn(name: string, above = ""): boolean {
  return isSum(name) || isSum(above);
}

/** The name of the new column for sports. */
const SPORT = "Sport";

/** The columns of a kind. The first of numbered columns often has no number: `km, km 2`. */
function withFirst(
  kind: TagKind,
  tagged: readonly TaggedColumn[],
  columns: readonly ColumnSample[],
): readonly TaggedColumn[] {
  const own = tagged.filter((each) => each.kind === kind);
  if (kind === "day" || kind === "sport") return own;
  const bases = new Set(own.map(({ base }) => foldHeader(base)));
  const numbered = new Set(own.filter(({ tag }) => tag === "1").map(({ base }) => foldHeader(base)));
  const first = columns
    .filter(({ name }) => bases.has(foldHeader(name)) && !numbered.has(foldHeader(name)))
    .map((column): TaggedColumn => ({ column, kind, tag: "1", said: "", base: column.name }));
  return [...first, ...own];
}

/** What the values below bare names of workouts may be. */
const BARE_ROLES: ReadonlySet<Role> = new Set(["distance", "duration"]);

/** The roles that make a group a workout. */
const MEASURED: readonly Role[] = ["distance", "duration"];

/** The roles of columns that sum up groups, and what the groups have of it. */
const SUMMED: readonly (readonly [role: Role, of: Role])[] = [
  ["distance", "distance"],
  ["duration", "duration"],
  ["hours", "duration"],
  ["minutes", "duration"],
];

interface FoundGroups {
  /** What makes each group a workout. */
  readonly roles: ReadonlySet<Role>;
  readonly repeat: RepeatedColumns;
  /** The sport of each group, or another word for it. */
  readonly sports: readonly string[];
  readonly units: GroupSports["units"];
  /** Columns beside the groups that are their sums row by row, with the evidence. */
  readonly proven: ReadonlyMap<string, string>;
}

function repeatOf(
  tagged: readonly TaggedColumn[],
  columns: readonly ColumnSample[],
  kind: TagKind,
  above: readonly string[],
): FoundGroups | undefined {
  const roleOf = ({ base, column }: TaggedColumn) =>
    MEASURED.find(
      (role) =>
        (meaningOfBase(base).roles.includes(role) || (role === "duration" && isWholeDuration(base, tagged))) &&
        column.meaning.purpose !== "other" &&
        column.meaning.purpose !== "plan" &&
        fits(role, column),
    );
  // The distances of two sports may have a unit each: `Swim m`, `Run km`.
  const keyOf = (one: TaggedColumn) => (kind === "sport" ? roleOf(one) : undefined) ?? foldHeader(one.base);
  const all = [...Map.groupBy(tagged, keyOf).values()];
  const bases = all.filter((some) => some.length > 1);
  const measured = bases.filter(([first, ...more]) => {
    const role = first && roleOf(first);
    return role !== undefined && more.every((one) => roleOf(one) === role);
  });
  // `Distance` in km and again in mi is one workout.
  const isOne = (some: readonly TaggedColumn[]) =>
    some[0] !== undefined && roleOf(some[0]) === "distance" && repeatsFirst(some.map(({ column }) => column));
  if ((kind === "number" || kind === "copy") && measured.some(isOne)) return undefined;
  const roles = new Set(measured.flatMap(([first]) => (first && roleOf(first)) ?? []));
  const tags = [...new Set(measured.flat().map(({ tag }) => tag))];
  const sum = tags.find((tag) => sumsUpOthers(tag, measured));
  if (sum !== undefined)
    return repeatOf(
      tagged.filter(({ tag }) => tag !== sum),
      columns,
      kind,
      above,
    );
  const said = new Set(measured.flat().map((one) => one.said));
  // `Run HR` alone is of the runs.
  const single = kind === "sport" ? all.filter(([one, ...more]) => more.length === 0 && one && said.has(one.said)) : [];
  const grouped = [...bases, ...single].filter((some) => some.every(({ tag }) => tags.includes(tag)));
  const repeat = new Map(
    grouped.map((some) => [
      nameOf(some, kind === "sport" ? some[0] && roleOf(some[0]) : undefined),
      tags.map((tag) => some.find((each) => each.tag === tag)?.column.name ?? null),
    ]),
  );
  const used = new Set([...repeat.values()].flat());
  const beside = columns.filter(({ name, filled }) => !used.has(name) && filled.length > 0);
  const proven = provenBeside(
    beside,
    grouped.map((some) => some.map(({ column }) => column)),
  );
  const others = beside.filter(({ name, index }) => !isSumColumn(name, above[index]) && !proven.has(name));
  if (!isEnough(kind, measured.length, roles) || others.some(isOfWhole(kind, roles)) || tags.length < 2)
    return undefined;
  const sportOfTag = (tag: string) => tagged.find((one) => one.tag === tag)?.sport ?? tag;
  const units = measured.flat().flatMap(({ tag, base }) => {
    const unit = lengthUnit(meaningOfBase(base).unit);
    return unit === undefined ? [] : [[sportOfTag(tag), unit] as const];
  });
  return { roles, repeat, sports: tags.map(sportOfTag), units: new Map(units), proven };
}

/** Whether a header such as `Gym min` is all that is said of a duration: no column has the hours of it. `HR` may be hours, or a heart rate. */
function isWholeDuration(base: string, tagged: readonly TaggedColumn[]): boolean {
  const partOf = (one: string) => {
    const [role, ...others] = meaningOfBase(one).roles;
    return others.length === 0 && (role === "hours" || role === "minutes") ? role : undefined;
  };
  const parts = new Set(tagged.flatMap((one) => partOf(one.base) ?? []));
  return partOf(base) !== undefined && parts.size === 1;
}

/** Whether all that is measured in a group is the sum of the other groups, row by row: `Daily total` beside `AM` and `PM`. */
function sumsUpOthers(tag: string, measured: readonly (readonly TaggedColumn[])[]): boolean {
  const own = measured.filter((some) => some.some((one) => one.tag === tag));
  return (
    own.length > 0 &&
    own.every((some) => {
      const sum = some.find((one) => one.tag === tag);
      const parts = some.filter((one) => one.tag !== tag).map(({ column }) => column);
      return sum !== undefined && rowSum(sum.column, parts) !== undefined;
    })
  );
}

/** The columns beside groups that are the sum of their columns. */
function provenBeside(
  beside: readonly ColumnSample[],
  grouped: readonly (readonly ColumnSample[])[],
): ReadonlyMap<string, string> {
  return new Map(
    beside.flatMap((column) => {
      const [evidence] = grouped.flatMap((parts) => rowSum(column, parts) ?? []);
      return evidence === undefined ? [] : [[column.name, evidence] as const];
    }),
  );
}

/** The name of the new column for some: what is left of their headers, or their role if that says less. */
function nameOf(some: readonly TaggedColumn[], role: Role | undefined): string {
  const [first = "", ...others] = [...new Set(some.map(({ base }) => base))];
  const isTelling = others.length === 0 && readHeaderWords(first).roles.length === 1;
  return isTelling || role === undefined ? first : (NAMES[role] ?? first);
}

/** The names of new columns by what they are. */
const NAMES: Readonly<Partial<Record<Role, string>>> = { distance: "Distance", duration: "Duration" };

/** Columns called Time and Time are a start and a duration, and Time 1 to Time 9 are laps. */
function isEnough(kind: TagKind, measured: number, roles: ReadonlySet<Role>): boolean {
  if (kind === "day" || kind === "sport") return measured > 0;
  return roles.has("distance") && (kind === "number" || measured > 1);
}

/** Beside a distance of the whole row, the groups are its parts. Minutes of running and of walking are parts of one distance, too. */
function isOfWhole(kind: TagKind, roles: ReadonlySet<Role>): (column: ColumnSample) => boolean {
  const isParts = kind === "sport" && roles.has("duration");
  const ofWhole = isParts ? MEASURED : MEASURED.filter((role) => roles.has(role));
  return (column) =>
    (column.meaning.purpose === undefined &&
      ofWhole.some((role) => column.meaning.roles.includes(role) && fits(role, column))) ||
    (kind === "sport" && (areSports(column) || foldHeader(column.name) === foldHeader(SPORT)));
}

/** The rows as `layout.repeat` or `layout.week` makes them. */
export function regrouped(sample: SheetSample, repeat: RepeatedColumns, sports: GroupSports | undefined): SheetSample {
  const { header, units, rows, above, upper } = sample;
  const lists = [...repeat.values()].map((names) => names.map((name) => (name === null ? -1 : header.indexOf(name))));
  const used = new Set(lists.flat());
  const kept = [...header.keys()].filter((index) => !used.has(index));
  const count = lists[0]?.length ?? 0;
  const cellsOf = (fields: readonly string[], group: number) =>
    lists.map((indexes) => fields[indexes[group] ?? -1] ?? "");
  return {
    ...sample,
    header: [...kept.map((index) => header[index] ?? ""), ...repeat.keys(), ...(sports ? [sports.column] : [])],
    above: kept.map((index) => above[index] ?? ""),
    upper: kept.map((index) => upper[index] ?? ""),
    units: units && [...kept.map((index) => units[index] ?? ""), ...cellsOf(units, 0)],
    rows: rows.flatMap((row) => {
      const own = kept.map((index) => row.fields[index] ?? "");
      const dates = row.dates?.map((index) => kept.indexOf(index)).filter((index) => index >= 0);
      const isUncomputed = (index: number | undefined) => index !== undefined && row.uncomputed?.includes(index);
      const groups = [...Array(count).keys()].map((group) => ({
        cells: cellsOf(row.fields, group),
        uncomputed: [...kept, ...lists.map((indexes) => indexes[group])].flatMap((index, at) =>
          isUncomputed(index) ? [at] : [],
        ),
        sport: sports ? [sports.words[group] ?? ""] : [],
      }));
      const filled = groups.filter(({ cells }) => cells.some((cell) => cell.trim() !== "" && !isZero(cell.trim())));
      const none = groups.slice(0, 1).map((group) => ({ ...group, sport: [] }));
      return (filled.length === 0 ? none : filled).map(({ cells, sport, uncomputed }) => ({
        ...row,
        fields: [...own, ...cells, ...sport],
        ...(dates !== undefined && { dates }),
        ...(row.uncomputed !== undefined && { uncomputed }),
      }));
    }),
  };
}

function choiceOf(
  repeat: RepeatedColumns,
  { rows, above }: SheetSample,
  sports: readonly string[] | undefined,
): Choice {
  const lists = [...repeat.values()];
  const groups = [...(lists[0]?.keys() ?? [])].map((at) => {
    const names = lists.flatMap((one) => one[at] ?? []).join(", ");
    return above.length > 0 && sports ? `${sports[at]}: ${names}` : names;
  });
  return {
    ...{ place: "layout.repeat", value: `${groups.length} workouts a row`, contradicting: 0, rows: rows.length },
    why: `the columns come in groups: ${groups.join("; ")}`,
  };
}
