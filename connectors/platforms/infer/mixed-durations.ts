/** Finds columns in which some durations are hours and minutes, and others minutes and seconds: `1:48` beside `32:32`. */
import { type Reading, type SpeedRow, score } from "./score.ts";

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

/** Counts the rows, if each of two readings has many of its own; undefined if one reading explains the column. */
export function mixedRows(rows: readonly SpeedRow[], first: Reading, second: Reading): MixedRows | undefined {
  const formats = [...first.formats, ...second.formats];
  if (!formats.includes("h:mm") || !formats.includes("mm:ss")) return undefined;
  const own = (one: Reading, other: Reading) => rows.filter((row) => isUsual(row, one) && !isUsual(row, other));
  const found = [own(first, second), own(second, first)] as const;
  const [ofFirst, ofSecond] = found.map(({ length }) => length) as [number, number];
  if (Math.min(ofFirst, ofSecond) < Math.max(LEAST, rows.length * LEAST_SHARE)) return undefined;
  const [hours, minutes] = first.formats.includes("h:mm") ? found : [found[1], found[0]];
  const below = boundBetween(hours, minutes);
  const both = below === undefined ? undefined : mixedWords([...new Set(formats)].toSorted(), below);
  return { first: ofFirst, second: ofSecond, both };
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

function isUsual(row: SpeedRow, reading: Reading): boolean {
  const { rated, usual, usualTimes } = score([row], reading);
  return (rated > 0 ? usual : usualTimes) > 0;
}
