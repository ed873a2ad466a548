/** Finds columns that come in groups, with a workout in each: `AM miles, AM time, PM miles, PM time`. */
import type { Choice } from "./choice.ts";
import { type ColumnSample, columnsOf, fits } from "./column.ts";
import { foldHeader, type Role, readHeaderWords } from "./header-words.ts";
import type { SheetSample } from "./sample.ts";

/** For each new column: the columns of the first workout, of the second, and so on. Null for a workout that lacks it. */
export type RepeatedColumns = ReadonlyMap<string, readonly (string | null)[]>;

/** A table with one workout a row, and how it came of a table with several. */
export interface Regrouped {
  readonly sample: SheetSample;
  readonly repeat: RepeatedColumns;
  readonly choice: Choice;
}

type TagKind = "day" | "number" | "copy";

/** A header in two parts: the workout of the row, and what is said of it. */
interface TaggedColumn {
  readonly column: ColumnSample;
  readonly kind: TagKind;
  readonly tag: string;
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
  for (const kind of ["day", "number", "copy"] as const) {
    const repeat = repeatOf(withFirst(kind, tagged, columns), columns, kind);
    if (repeat !== undefined) return { sample: regrouped(sample, repeat), repeat, choice: choiceOf(repeat, sample) };
  }
  return undefined;
}

function taggedColumn(column: ColumnSample): readonly TaggedColumn[] {
  const { name } = column;
  const [, copied, number] = /^(.+)#(\d+)$/.exec(name) ?? [];
  if (copied !== undefined && number !== undefined) return [{ column, kind: "copy", tag: number, base: copied }];
  const japanese = JAPANESE_PART.exec(name)?.[0];
  const tokens = name.split(/[\s_(),/-]+/).filter((token) => token !== "");
  const part = japanese ?? tokens.find((token) => PARTS_OF_DAY.has(foldHeader(token)));
  const ordinal = tokens.find((token) => /^[1-9]$/.test(token) || Object.hasOwn(ORDINALS, foldHeader(token)));
  const [attached] = /(?<=\p{L})[1-9]$/u.exec(name) ?? [];
  const said = part ?? ordinal ?? attached;
  if (said === undefined) return [];
  const at = said === attached ? name.length - 1 : name.indexOf(said);
  const base = `${name.slice(0, at)} ${name.slice(at + said.length)}`
    .replaceAll(/\(\s*\)|\s+/g, " ")
    .replaceAll(/^[\s\-_/,:]+|[\s\-_/,:]+$/g, "");
  if (base === "") return [];
  const tag = foldHeader(said);
  return [{ column, kind: part === undefined ? "number" : "day", tag: ORDINALS[tag] ?? tag, base }];
}

/** The columns of a kind. The first of numbered columns often has no number: `km, km 2`. */
function withFirst(
  kind: TagKind,
  tagged: readonly TaggedColumn[],
  columns: readonly ColumnSample[],
): readonly TaggedColumn[] {
  const own = tagged.filter((each) => each.kind === kind);
  if (kind === "day") return own;
  const bases = new Set(own.map(({ base }) => foldHeader(base)));
  const numbered = new Set(own.filter(({ tag }) => tag === "1").map(({ base }) => foldHeader(base)));
  const first = columns
    .filter(({ name }) => bases.has(foldHeader(name)) && !numbered.has(foldHeader(name)))
    .map((column): TaggedColumn => ({ column, kind, tag: "1", base: column.name }));
  return [...first, ...own];
}

/** The roles that make a group a workout. */
const MEASURED: readonly Role[] = ["distance", "duration"];

function repeatOf(
  tagged: readonly TaggedColumn[],
  columns: readonly ColumnSample[],
  kind: TagKind,
): RepeatedColumns | undefined {
  const bases = [...Map.groupBy(tagged, ({ base }) => foldHeader(base)).values()].filter((some) => some.length > 1);
  const roleOf = (some: readonly TaggedColumn[]) =>
    MEASURED.find(
      (role) =>
        readHeaderWords(some[0]?.base ?? "").roles.includes(role) &&
        some.every(({ column }) => column.meaning.purpose !== "other" && fits(role, column)),
    );
  const measured = bases.filter((some) => roleOf(some) !== undefined);
  const roles = new Set(measured.map(roleOf));
  // Columns called Time and Time are a start and a duration, and Time 1 to Time 9 are laps.
  const isEnough =
    kind === "day" ? measured.length > 0 : roles.has("distance") && (kind === "number" || measured.length > 1);
  const tags = [...new Set(measured.flat().map(({ tag }) => tag))];
  const grouped = bases.filter((some) => some.every(({ tag }) => tags.includes(tag)));
  const used = new Set(grouped.flat().map(({ column }) => column));
  // Beside a distance of the whole row, these are its parts.
  const isPart = columns.some(
    (column) =>
      !used.has(column) &&
      column.filled.length > 0 &&
      column.meaning.purpose === undefined &&
      [...roles].some((role) => role !== undefined && column.meaning.roles.includes(role) && fits(role, column)),
  );
  if (!isEnough || isPart || tags.length < 2) return undefined;
  return new Map(
    grouped.map((some) => [
      some[0]?.base ?? "",
      tags.map((tag) => some.find((each) => each.tag === tag)?.column.name ?? null),
    ]),
  );
}

/** The rows as `layout.repeat` makes them. */
function regrouped(sample: SheetSample, repeat: RepeatedColumns): SheetSample {
  const { header, units, rows } = sample;
  const lists = [...repeat.values()].map((names) => names.map((name) => (name === null ? -1 : header.indexOf(name))));
  const used = new Set(lists.flat());
  const kept = [...header.keys()].filter((index) => !used.has(index));
  const count = lists[0]?.length ?? 0;
  const cellsOf = (fields: readonly string[], group: number) =>
    lists.map((indexes) => fields[indexes[group] ?? -1] ?? "");
  return {
    ...sample,
    header: [...kept.map((index) => header[index] ?? ""), ...repeat.keys()],
    units: units && [...kept.map((index) => units[index] ?? ""), ...cellsOf(units, 0)],
    rows: rows.flatMap((row) => {
      const own = kept.map((index) => row.fields[index] ?? "");
      const dates = row.dates?.map((index) => kept.indexOf(index)).filter((index) => index >= 0);
      const groups = [...Array(count).keys()].map((group) => cellsOf(row.fields, group));
      const filled = groups.filter((cells) => cells.some((cell) => cell.trim() !== ""));
      return (filled.length === 0 ? groups.slice(0, 1) : filled).map((cells) => ({
        ...row,
        fields: [...own, ...cells],
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
