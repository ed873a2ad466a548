/**
 * Finds the start and the end of activities.csv, and the day and the weight of weight.csv. Withings translates their names, and only those in English
 * and German are known. In any other language the kinds of the values decide, and where they leave a doubt, the table waits.
 */
import type { Issue } from "../../../transforms/model/issue.ts";
import { printable } from "../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { fold } from "../table/columns/columns.ts";
import { firstName } from "../table/columns/second-columns.ts";
import { isRecord, readTable } from "../table/reading/read-table.ts";

/** Two columns of a table by their places, and a remark where their names are unknown. */
export interface Pair {
  readonly places: readonly [number, number];
  readonly remark?: Issue;
}

/** The names in English and German. Source: two real exports. */
const START = ["from", "von"];
const END = ["to", "bis"];
const DATE = ["Date", "Datum"];
const WEIGHT = ["Weight", "Gewicht"];

/** Columns of activities.csv that keep their names in every known language. */
const KEPT = ["from (manual)", "to (manual)", "Timezone", "Activity type", "Data", "GPS", "Modified"];

const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)? ?(?:Z|[+-]\d\d:?\d\d)$/;
const DAY = /^\d{4}-\d\d-\d\d(?:$|[T ]\d\d?:\d\d)/;
/** The unit of a mass, at the end of its name. */
export const MASS = /\((kg|lb|st)\)(?:#\d{1,4})?$/;

/** The masses of the scale: weight, fat, bone, muscle and hydration. One more may be a weight of another kind, such as a goal. */
const MOST_MASSES = 5;

/** Finds the start and the end of an activity. An issue says why the values of the columns leave a doubt. */
export async function findSpan(archive: Archive, entry: Entry, header: readonly string[]): Promise<Pair | Issue> {
  const starts = placesOf(header, START);
  const ends = placesOf(header, END);
  const [start, otherStart] = starts;
  const [end, otherEnd] = ends;
  if (otherStart !== undefined || otherEnd !== undefined)
    return doubt(entry, header, otherStart === undefined ? ends : starts, "are two columns of one name");
  if (start !== undefined && end !== undefined) return { places: [start, end] };
  const kept = new Set(KEPT.map(fold));
  const known = [start, end].filter((place) => place !== undefined);
  const unknown = header.flatMap((name, place) => (kept.has(fold(name)) || known.includes(place) ? [] : [place]));
  const times = new Set<number>(known);
  const order = { rising: 0, falling: 0 };
  for await (const cells of cellsIn(archive, entry)) {
    for (const place of unknown) if (INSTANT.test(cells[place] ?? "")) times.add(place);
    if (times.size > 2) break;
    const [first = -1, second = -1] = [...times].map((place) => Date.parse(cells[place] ?? ""));
    if (first < second) order.rising++;
    if (first > second) order.falling++;
  }
  const [first, second, ...others] = [...times];
  if (first === undefined || second === undefined || others.length > 0)
    return doubt(entry, header, [...times], "are the columns with dates and times");
  if (order.rising > 0 && order.falling > 0)
    return doubt(entry, header, [first, second], "hold the earlier time in turns");
  const isTurned = order.falling > 0;
  if ((start !== undefined && isTurned) || (end !== undefined && order.rising > 0))
    return doubt(entry, header, [first, second], "are a start and an end in the wrong order");
  // Of two equal times either is both.
  const places = isTurned || end !== undefined ? ([second, first] as const) : ([first, second] as const);
  return { places, remark: remarkOn(header, places, ["the start", "the end"]) };
}

/** Finds the day and the weight of weight.csv. An issue says why the values of the columns leave a doubt. */
export async function findWeight(archive: Archive, entry: Entry, header: readonly string[]): Promise<Pair | Issue> {
  const masses = header.flatMap((name, place) => (MASS.test(name) ? [place] : []));
  const bare = header.map((name) => name.replace(MASS, "").trim());
  const dates = placesOf(header, DATE);
  const weights = placesOf(bare, WEIGHT).filter((place) => masses.includes(place));
  const [date, otherDate] = dates;
  const [weight, otherWeight] = weights;
  if (otherDate !== undefined || otherWeight !== undefined)
    return doubt(entry, header, otherDate === undefined ? weights : dates, "are two columns of one name");
  if (date !== undefined && weight !== undefined) return { places: [date, weight] };
  const days = new Set<number>(date === undefined ? [] : [date]);
  const largest = new Set<number>(weight === undefined ? masses : [weight]);
  const filled = new Set<number>();
  for await (const cells of cellsIn(archive, entry)) {
    const values = new Map(
      masses.map((place) => [place, Number((cells[place] ?? "").replace(",", ".") || Number.NaN)]),
    );
    const most = Math.max(...[...values.values()].filter((value) => value > 0));
    for (const [place, value] of values) {
      if (value > 0) filled.add(place);
      if (most > 0 && value !== most && weight === undefined) largest.delete(place);
    }
    if (date === undefined) for (const [place, cell] of cells.entries()) if (DAY.test(cell)) days.add(place);
  }
  const [day, otherDay] = days;
  if (day === undefined || otherDay !== undefined) return doubt(entry, header, [...days], "are the columns with days");
  const [only, other] = [...largest].filter((place) => weight !== undefined || filled.has(place));
  if (only === undefined || other !== undefined || (weight === undefined && masses.length > MOST_MASSES))
    return doubt(entry, header, masses, "are the columns with a mass");
  return { places: [day, only], remark: remarkOn(header, [day, only], ["the day", "the weight"]) };
}

/** The places of the columns with one of these names, also of a second column of one name. */
function placesOf(header: readonly string[], names: readonly string[]): readonly number[] {
  const wanted = names.map(fold);
  return header.flatMap((name, place) => (wanted.includes(fold(firstName(name))) ? [place] : []));
}

async function* cellsIn(archive: Archive, entry: Entry): AsyncGenerator<readonly string[]> {
  let isHeader = true;
  for await (const row of readTable(archive, entry)) {
    if (isRecord(row) && !isHeader) yield row.fields.map((field) => field.trim());
    if (isRecord(row)) isHeader = false;
  }
}

function doubt(entry: Entry, header: readonly string[], places: readonly number[], are: string): Issue {
  return {
    severity: "error",
    rule: "withings/unknown-columns",
    found: `${printable(entry.path, 80)}: ${named(header, places)} ${are}`,
    expected:
      "the columns of an export in English or German, or two columns that only one reading fits. Export again with the account in English",
  };
}

function remarkOn(
  header: readonly string[],
  [one, two]: readonly [number, number],
  [asOne, asTwo]: readonly [string, string],
): Issue {
  const found = `columns in a language that logferry doesn't know: ${named(header, [one])} is read as ${asOne}, and ${named(header, [two])} as ${asTwo}`;
  const expected = "names in English or German; the values of no other columns fit. Check a few workouts in the plan";
  return { severity: "warning", rule: "withings/columns-by-kind", found, expected };
}

/** The names of columns, for people. */
function named(header: readonly string[], places: readonly number[]): string {
  const names = places.map((place) => `"${printable(header[place] ?? "", 40)}"`).slice(0, 6);
  return names.length === 0 ? "no columns" : names.join(" and ");
}
