/** Finds columns in which some durations are hours and minutes, and others minutes and seconds: `1:48` beside `32:32`. */
import { type Reading, type SpeedRow, score, secondsOf } from "../columns/score.ts";

/** How many rows only one of two readings makes usual. */
export interface MixedRows {
  readonly first: number;
  readonly second: number;
  /** Both formats, and the number before the colon that tells them apart; undefined if none does. */
  readonly both: string | undefined;
}

/** Writes two formats as a mapping file does: `[h:mm, mm:ss], hoursBelow: 10`. */
const mixedWords = (formats: readonly string[], hoursBelow: number) =>
  `[${formats.join(", ")}], hoursBelow: ${hoursBelow}`;

/** Reads what is said of durations: `mm:ss`, `h:mm:ss, mm:ss` or `[h:mm, mm:ss], hoursBelow: 10`. */
export function durationWords(said: string): { readonly format: readonly string[]; readonly hoursBelow?: number } {
  const [, list = "", below = ""] = /^\[(.*)\], hoursBelow: ([1-9]|[1-5]\d)$/.exec(said) ?? [];
  return list === "" ? { format: said.split(/,\s*/) } : { format: list.split(/,\s*/), hoursBelow: Number(below) };
}

/** Fewer rows are slips, and so is a smaller share. */
const [LEAST, LEAST_SHARE] = [3, 0.1];

/** People train for at least three minutes, and at most twelve hours. */
const LASTING = [180, 12 * 3600] as const;

/** A row as each of two readings takes it. */
interface ReadRow {
  readonly row: SpeedRow;
  readonly isRated: boolean;
  /** The reading that alone makes it usual; undefined if both do, or neither. */
  readonly only: "first" | "second" | undefined;
}

/**
 * Counts the rows, if the second of two readings has many of its own; undefined if the first explains the column. Each sport is judged for itself, and so
 * are rows without a distance: they have to last as long as workouts do.
 */
export function mixedRows(rows: readonly SpeedRow[], first: Reading, second: Reading): MixedRows | undefined {
  const formats = [...first.formats, ...second.formats];
  if (!formats.includes("h:mm") || !formats.includes("mm:ss")) return undefined;
  const read = rows.map((row): ReadRow => {
    const [one, other] = [usualIn(row, first), usualIn(row, second)];
    const only = one.isUsual === other.isUsual ? undefined : one.isUsual ? "first" : "second";
    return { row, isRated: one.isRated || other.isRated, only };
  });
  const own = (which: "first" | "second") => read.flatMap(({ row, only }) => (only === which ? [row] : []));
  const found = [own("first"), own("second")] as const;
  const [ofFirst, ofSecond] = found.map(({ length }) => length) as [number, number];
  const groups = [
    ...Map.groupBy(read, ({ row, isRated }) => `${row.activity} ${isRated}`).values(),
    read.filter(({ isRated }) => !isRated),
  ];
  if (ofFirst === 0 || !groups.some(isSplit)) return undefined;
  const [hours, minutes] = first.formats.includes("h:mm") ? found : [found[1], found[0]];
  const below = boundBetween(hours, minutes);
  const both = below === undefined ? undefined : mixedWords([...new Set(formats)].toSorted(), below);
  return { first: ofFirst, second: ofSecond, both };
}

/** Whether many rows of a group are usual in the second reading alone. */
function isSplit(group: readonly ReadRow[]): boolean {
  const against = group.filter(({ only }) => only === "second").length;
  return against >= Math.max(LEAST, group.length * LEAST_SHARE);
}

/** A usual bound: nobody trains for ten hours, and few for less than ten minutes. */
const USUAL_BOUND = 10;

/** The number before the colon that all hours are below, and no minutes; undefined if there is none. */
function boundBetween(hours: readonly SpeedRow[], minutes: readonly SpeedRow[]): number | undefined {
  const numbers = (rows: readonly SpeedRow[]) => rows.map(({ duration }) => Number.parseInt(String(duration), 10));
  const [most, least] = [Math.max(...numbers(hours)), Math.min(...numbers(minutes))];
  if (!(most < least)) return undefined;
  return Math.min(Math.max(USUAL_BOUND, most + 1), least);
}

/** Whether a row has a speed in a reading, and whether its speed is usual. Without one, whether it lasts as long as workouts do. */
export function usualIn(row: SpeedRow, reading: Reading): { readonly isRated: boolean; readonly isUsual: boolean } {
  const { rated, usual } = score([row], reading);
  if (rated > 0) return { isRated: true, isUsual: usual > 0 };
  const seconds = secondsOf(row, reading) ?? 0;
  return { isRated: false, isUsual: seconds >= LASTING[0] && seconds <= LASTING[1] };
}
