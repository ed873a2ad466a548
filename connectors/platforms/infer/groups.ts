/** Finds columns that come in groups, with a workout in each: `AM miles, AM time, PM miles, PM time`, or `Run km, Bike km`. */
import { activityNamed } from "../../../transforms/activities.ts";
import type { UnitOf } from "../../../transforms/units.ts";
import type { Choice } from "./choice.ts";
import { areSports, type ColumnSample, columnsOf, fits } from "./column.ts";
import { foldHeader, type HeaderMeaning, lengthUnit, type Role, readHeaderWords } from "./header-words.ts";
import type { SheetSample } from "./sample.ts";
import { sportInTitle } from "./words.ts";

/** For each new column: the columns of the first workout, of the second, and so on. Null for a workout that lacks it. */
export type RepeatedColumns = ReadonlyMap<string, readonly (string | null)[]>;

/** A table with one workout a row, and how it came of a table with several. */
export interface Regrouped {
  readonly sample: SheetSample;
  readonly repeat: RepeatedColumns;
  /** The sports of the groups, in a column of their own; undefined if the headers name none. */
  readonly sports: GroupSports | undefined;
  readonly choice: Choice;
}

/** A new column with the sport of each workout of a row. */
export interface GroupSports {
  readonly column: string;
  readonly words: readonly string[];
  /** The units of length in the headers of their distances: `Swim m`, `Run km`. */
  readonly units: ReadonlyMap<string, UnitOf<"distance">>;
}

const KINDS = ["day", "number", "copy", "sport"] as const;
type TagKind = (typeof KINDS)[number];

/** A header in two parts: the workout of the row, and what is said of it. */
interface TaggedColumn {
  readonly column: ColumnSample;
  readonly kind: TagKind;
  readonly tag: string;
  /** The word of the header that says it. */
  readonly said: string;
  readonly base: string;
}

const words = (text: string) => new Set(text.split(/\s+/).map(foldHeader));

/** Parts of the day, in the languages of sheets. */
const PARTS_OF_DAY = words(
  `am pm morning evening afternoon noon midday lunch night morgens abends früh abend vormittag nachmittag mittag matin soir
  midi mañana tarde noche mattina mattino pomeriggio sera manhã noite ochtend middag avond morgon kväll förmiddag eftermiddag morgen formiddag
  aften rano wieczór popołudnie`,
);
const JAPANESE_PART = /^(午前|午後|朝|昼|夕方|夕|夜)/;

const ORDINALS: Readonly<Record<string, string>> = {
  ...{ "1st": "1", first: "1", erste: "1", premier: "1", primera: "1", "2nd": "2", second: "2", zweite: "2" },
  ...{ deuxieme: "2", segunda: "2", "3rd": "3", third: "3", dritte: "3" },
};

/** Makes one workout a row of a table whose columns come in groups; undefined for any other table. */
export function regroup(sample: SheetSample): Regrouped | undefined {
  if (!sample.hasHeader) return undefined;
  const columns = columnsOf(sample);
  const tagged = columns.flatMap(taggedColumn);
  for (const kind of KINDS) {
    const found = repeatOf(withFirst(kind, tagged, columns), columns, kind);
    if (found === undefined) continue;
    const { repeat, tags, units } = found;
    const sports = kind === "sport" ? { column: SPORT, words: tags, units } : undefined;
    return { sample: regrouped(sample, repeat, sports), repeat, sports, choice: choiceOf(repeat, sample) };
  }
  return undefined;
}

/** The name of the new column for sports. */
const SPORT = "Sport";

function taggedColumn(column: ColumnSample): readonly TaggedColumn[] {
  const { name } = column;
  const [, copied, number] = /^(.+)#(\d+)$/.exec(name) ?? [];
  if (copied !== undefined && number !== undefined)
    return [{ column, kind: "copy", tag: number, said: number, base: copied }];
  const japanese = JAPANESE_PART.exec(name)?.[0];
  const tokens = name.split(/[\s_(),/-]+/).filter((token) => token !== "");
  const part = japanese ?? tokens.find((token) => PARTS_OF_DAY.has(foldHeader(token)));
  const ordinal = tokens.find((token) => /^[1-9]$/.test(token) || Object.hasOwn(ORDINALS, foldHeader(token)));
  const [attached] = /(?<=\p{L})[1-9]$/u.exec(name) ?? [];
  const sport = tokens.find((token) => sportOf(token) !== undefined);
  const said = part ?? ordinal ?? attached ?? sport;
  if (said === undefined) return [];
  const at = said === attached ? name.length - 1 : name.indexOf(said);
  const base = `${name.slice(0, at)} ${name.slice(at + said.length)}`
    .replaceAll(/\(\s*\)|\s+/g, " ")
    .replaceAll(/^[\s\-_/,:]+|[\s\-_/,:]+$/g, "");
  if (base === "") return [];
  const tag = foldHeader(said);
  if (said === sport) return [{ column, kind: "sport", tag: sportOf(said) ?? tag, said: tag, base }];
  return [{ column, kind: part === undefined ? "number" : "day", tag: ORDINALS[tag] ?? tag, said: tag, base }];
}

/** The sport that a word of a header names, in the log's own word. */
function sportOf(word: string): string | undefined {
  // Exports number their sports, and in a header a number is another one.
  return /\d/.test(word) ? undefined : (activityNamed(word) ?? sportInTitle(word));
}

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

/** The roles that make a group a workout. */
const MEASURED: readonly Role[] = ["distance", "duration"];

interface FoundGroups {
  readonly repeat: RepeatedColumns;
  readonly tags: readonly string[];
  readonly units: GroupSports["units"];
}

function repeatOf(
  tagged: readonly TaggedColumn[],
  columns: readonly ColumnSample[],
  kind: TagKind,
): FoundGroups | undefined {
  const roleOf = ({ base, column }: TaggedColumn) =>
    MEASURED.find(
      (role) => meaningOf(base).roles.includes(role) && column.meaning.purpose !== "other" && fits(role, column),
    );
  // The distances of two sports may have a unit each: `Swim m`, `Run km`.
  const keyOf = (one: TaggedColumn) => (kind === "sport" ? roleOf(one) : undefined) ?? foldHeader(one.base);
  const all = [...Map.groupBy(tagged, keyOf).values()];
  const bases = all.filter((some) => some.length > 1);
  const measured = bases.filter(([first, ...more]) => {
    const role = first && roleOf(first);
    return role !== undefined && more.every((one) => roleOf(one) === role);
  });
  const roles = new Set(measured.flatMap(([first]) => (first && roleOf(first)) ?? []));
  const tags = [...new Set(measured.flat().map(({ tag }) => tag))];
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
  const others = columns.filter(({ name, filled }) => !used.has(name) && filled.length > 0);
  if (!isEnough(kind, measured.length, roles) || others.some(isOfWhole(kind, roles)) || tags.length < 2)
    return undefined;
  const units = measured.flat().flatMap(({ tag, base }) => {
    const unit = lengthUnit(meaningOf(base).unit);
    return unit === undefined ? [] : [[tag, unit] as const];
  });
  return { repeat, tags, units: new Map(units) };
}

/** What is left of a header without its group. A lone letter is a unit there: `Swim m`. */
function meaningOf(base: string): HeaderMeaning {
  return readHeaderWords(/^m$/i.test(base) ? "(m)" : base);
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
  const ofWhole = kind === "sport" ? MEASURED : MEASURED.filter((role) => roles.has(role));
  return (column) =>
    (column.meaning.purpose === undefined &&
      ofWhole.some((role) => column.meaning.roles.includes(role) && fits(role, column))) ||
    (kind === "sport" && (areSports(column) || foldHeader(column.name) === foldHeader(SPORT)));
}

/** The rows as `layout.repeat` makes them. */
function regrouped(sample: SheetSample, repeat: RepeatedColumns, sports: GroupSports | undefined): SheetSample {
  const { header, units, rows } = sample;
  const lists = [...repeat.values()].map((names) => names.map((name) => (name === null ? -1 : header.indexOf(name))));
  const used = new Set(lists.flat());
  const kept = [...header.keys()].filter((index) => !used.has(index));
  const count = lists[0]?.length ?? 0;
  const cellsOf = (fields: readonly string[], group: number) =>
    lists.map((indexes) => fields[indexes[group] ?? -1] ?? "");
  return {
    ...sample,
    header: [...kept.map((index) => header[index] ?? ""), ...repeat.keys(), ...(sports ? [sports.column] : [])],
    units: units && [...kept.map((index) => units[index] ?? ""), ...cellsOf(units, 0)],
    rows: rows.flatMap((row) => {
      const own = kept.map((index) => row.fields[index] ?? "");
      const dates = row.dates?.map((index) => kept.indexOf(index)).filter((index) => index >= 0);
      const groups = [...Array(count).keys()].map((group) => ({
        cells: cellsOf(row.fields, group),
        sport: sports ? [sports.words[group] ?? ""] : [],
      }));
      const filled = groups.filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
      const none = groups.slice(0, 1).map(({ cells }) => ({ cells, sport: [] }));
      return (filled.length === 0 ? none : filled).map(({ cells, sport }) => ({
        ...row,
        fields: [...own, ...cells, ...sport],
        ...(dates !== undefined && { dates }),
      }));
    }),
  };
}

function choiceOf(repeat: RepeatedColumns, { rows }: SheetSample): Choice {
  const lists = [...repeat.values()];
  const groups = [...(lists[0]?.keys() ?? [])].map((at) => lists.flatMap((names) => names[at] ?? []).join(", "));
  return {
    ...{ place: "layout.repeat", value: `${groups.length} workouts a row`, contradicting: 0, rows: rows.length },
    why: `the columns come in groups: ${groups.join("; ")}`,
  };
}
