/** The period of a source, and the times in it without a workout. They may be an injury, or a part of the archive that is missing. */

/** A period, in days of the calendar. */
export interface Period {
  /** The first and the last day with a workout. Undefined if there is none. */
  readonly first: string | undefined;
  readonly last: string | undefined;
  /** Years between the two without a workout. */
  readonly emptyYears: readonly string[];
  /** The longest time without a workout, if it is longer than two months: the days before and after it. */
  readonly longestGap: { readonly after: string; readonly before: string; readonly days: number } | undefined;
}

const DAY_MS = 86_400_000;

/** Shorter times without a workout are a holiday or an injury. */
const LONG_GAP_DAYS = 60;

/** The period of days with a workout. @param found in any order, as `2024-05-01` */
export function periodOf(found: Iterable<string>): Period {
  const days = [...found].sort();
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined) return { first, last, emptyYears: [], longestGap: undefined };
  return {
    first,
    last,
    emptyYears: emptyYearsIn(days, Number(first.slice(0, 4)), Number(last.slice(0, 4))),
    longestGap: longestGapIn(days),
  };
}

function emptyYearsIn(days: readonly string[], first: number, last: number): readonly string[] {
  const years = new Set(days.map((day) => Number(day.slice(0, 4))));
  return Array.from({ length: last - first }, (_, index) => first + index)
    .filter((year) => !years.has(year))
    .map(String);
}

function longestGapIn(days: readonly string[]): Period["longestGap"] {
  let longest: Period["longestGap"];
  for (const [index, before] of days.entries()) {
    const after = days[index - 1];
    const gap = after === undefined ? 0 : Math.round((Date.parse(before) - Date.parse(after)) / DAY_MS);
    if (after !== undefined && gap > (longest?.days ?? LONG_GAP_DAYS)) longest = { after, before, days: gap };
  }
  return longest;
}
