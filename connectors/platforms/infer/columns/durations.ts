/** The ways in which a column of durations can be read. */
import { DURATION_FORMATS, type DurationFormat } from "../../table/mapping/fields.ts";
import type { HeaderMeaning } from "../words/header-words.ts";
import { isDotted, isNumber } from "../words/values.ts";

/** A column of durations. */
interface DurationCells {
  readonly filled: readonly string[];
  readonly meaning: Pick<HeaderMeaning, "unit">;
}

/** Formats that a column needs together. */
export type Formats = readonly DurationFormat[];

const THREE = /^(?:\d{1,3} days?,? )?\d{1,4}:[0-5]?\d:[0-5]?\d(?:[.,]\d+)?(?:\s?(?:h|hrs?|std|uur|godz)\.?)?$/i;
const CLOCK = /^\d{1,2}:[0-5]\d(?::[0-5]\d)?\s?[AP]\.?M\.?$/i;
const ZERO_DAY = /1899|\/99 |\.99 /;
const TWO = /^\d{1,4}:[0-5]\d(?:[.,]\d+)?(?:\s?(?:h|hrs?|std|uur|godz|min|mins|mn)\.?)?$/i;

/** What a header's unit says of bare numbers. */
const BARE: Readonly<Record<string, DurationFormat>> = Object.fromEntries(
  (
    [
      ["minutes", "min mins minutes minuten minuti minutos 分"],
      ["hours", "h hrs hr hour hours std stunden"],
      ["seconds", "s sec secs seconds sek"],
      ["milliseconds", "ms"],
    ] as const
  ).flatMap(([format, words]) => words.split(" ").map((word) => [word, format])),
);

/** What a header's unit says of cells with colons, and of cells with dots. */
const CLOCKS: Readonly<Record<string, readonly [withColon: DurationFormat, withDot: DurationFormat]>> = {
  "h:mm": ["h:mm", "h.mm"],
  "mm:ss": ["mm:ss", "mm.ss"],
};

/**
 * The sets of formats that a column may have. Each set reads every kind of its cells.
 *
 * @returns empty if no set reads them
 */
export function formatsOf({ filled, meaning }: DurationCells): readonly Formats[] {
  const three = filled.filter((cell) => THREE.test(cell));
  const two = filled.filter((cell) => TWO.test(cell));
  const bare = filled.filter((cell) => isNumber(cell));
  const clocks = filled.filter((cell) => CLOCK.test(cell));
  const zeroDays = filled.filter((cell) => ZERO_DAY.test(cell));
  const inWords = filled.filter(
    (cell) => /\p{L}|['"′″’]/u.test(cell) && ![CLOCK, ZERO_DAY, THREE, TWO].some((form) => form.test(cell)),
  );
  const dotted = filled.filter(isDotted);
  const clock = meaning.unit === undefined ? undefined : CLOCKS[meaning.unit];
  const choices: (readonly Formats[])[] = [];
  const each = (...formats: Formats) => formats.map((format): Formats => [format]);
  // 45:30:00 is what a spreadsheet makes of 45:30 that somebody typed.
  if (three.length > 0) choices.push(clocksOf(three));
  if (two.length > 0) choices.push(clock !== undefined ? [[clock[0]]] : each("mm:ss", "h:mm"));
  if (dotted.length > 0) choices.push([["h.mm.ss"]]);
  if (bare.length > 0) choices.push(each(...bareOf(bare, meaning.unit, two.length + three.length)));
  if (clocks.length > 0) choices.push([["clock"]]);
  if (zeroDays.length > 0) choices.push([["zero-day"]]);
  if (inWords.length > 0) choices.push([["text"]]);
  if (choices.length === 0) return [];
  return choices
    .reduce<Formats[]>((sets, options) => sets.flatMap((set) => options.map((option) => [...set, ...option])), [[]])
    .map((set) => set.toSorted((a, b) => DURATION_FORMATS.indexOf(a) - DURATION_FORMATS.indexOf(b)));
}

/** The formats of bare numbers: as the unit of the header says, or all that they may have. A few of them among cells with colons are minutes. */
function bareOf(bare: readonly string[], unit: string | undefined, withColons: number): Formats {
  const said = unit === undefined ? undefined : BARE[unit];
  const clock = unit === undefined ? undefined : CLOCKS[unit]?.[1];
  const dots = dotsIn(bare);
  if (clock !== undefined && dots !== "none") return [clock];
  // People write 45.30 below `min`, and 1.05 below `h`, for what has a colon elsewhere.
  if (said === "minutes") return dots === "sure" ? ["minutes", "mm.ss"] : ["minutes"];
  if (said === "hours") {
    const isProven = dots === "sure" && bare.length >= PROVEN_DOTTED;
    return isProven ? ["h.mm"] : dots === "sure" ? ["hours", "h.mm"] : ["hours"];
  }
  if (said !== undefined) return [said];
  if (withColons > bare.length) return ["minutes"];
  const others = ["minutes", "seconds", "hours", "day-fraction", "milliseconds"] as const;
  if (dots === "none") return areWithoutColons(bare) ? ["hmmss", ...others] : others;
  if (dots === "quarters") return ["minutes", "mm.ss", ...others];
  if (dots !== "sure") return ["mm.ss", ...others];
  return bare.every((cell) => Number.parseInt(cell, 10) <= MOST_HOURS) ? ["mm.ss", "h.mm"] : ["mm.ss"];
}

/**
 * Whether the parts behind the marks of numbers are sixtieths, as in 45.30. Halves and quarters are more likely parts of a minute: 45.50. A spreadsheet
 * drops zeros at the end, so tenths are sixtieths only beside cells such as 45.36.
 */
function dotsIn(bare: readonly string[]): "sure" | "maybe" | "quarters" | "none" {
  const least = bare.length * DOTTED;
  const whole = bare.filter((cell) => /^\d{1,4}[.,][0-5]\d$/.test(cell));
  const cut = bare.filter((cell) => /^\d{1,4}(?:[.,][0-5]?)?$/.test(cell));
  if (whole.length >= least) {
    if (whole.every((cell) => /(?:00|25|50)$/.test(cell))) return "quarters";
    return bare.length >= ENOUGH_DOTTED ? "sure" : "maybe";
  }
  return whole.length > bare.length / 2 && whole.length + cut.length >= least ? "maybe" : "none";
}

/** Whether all numbers can be minutes and seconds with their colon dropped, as in 4530. Seconds themselves are past 59 in the last two digits now and then. */
function areWithoutColons(bare: readonly string[]): boolean {
  return (
    bare.length >= LEAST_WITHOUT_COLONS &&
    bare.every((cell) => /^(?:\d{1,2}[0-5]\d|\d{1,2})?[0-5]\d$/.test(cell) && cell.length > 2)
  );
}

/** Fewer numbers are so by chance. */
const LEAST_WITHOUT_COLONS = 5;

/** Parts of a minute below 60 in that many cells are seconds: for decimals, the chance is one in 450. */
const ENOUGH_DOTTED = 12;

/** Numbers in front of the dot that may be hours. */
const MOST_HOURS = 12;

/** Decimals below 60 in that many cells of hours are minutes: by chance it happens once in four million columns. */
const PROVEN_DOTTED = 30;

/** The share of cells such as 45.30 in a column of minutes and seconds. */
const DOTTED = 0.95;

/** The formats of cells with three parts. Some or all of them may be minutes and seconds. */
function clocksOf(three: readonly string[]): readonly Formats[] {
  if (!three.some((cell) => Number.parseInt(cell, 10) >= 12 && cell.endsWith(":00")))
    return areLong(three) ? [["h:mm:ss"], ["mm:ss:00"]] : [["h:mm:ss"]];
  const both: Formats = ["h:mm:ss", "mm:ss:00"];
  if (!three.every((cell) => cell.endsWith(":00"))) return [["h:mm:ss"], both];
  const isMixed = three.some((cell) => Number.parseInt(cell, 10) < 12);
  return [["h:mm:ss"], ["mm:ss:00"], ...(isMixed ? [both] : [])];
}

/** Whether most cells are whole minutes past four hours: few workouts last so long, and 8:30:00 is 8:30 of a short run. */
function areLong(three: readonly string[]): boolean {
  const long = three.filter((cell) => Number.parseInt(cell, 10) >= LONG_HOURS);
  return three.every((cell) => cell.endsWith(":00")) && long.length > three.length / 2;
}

/** From so many hours on, a workout is long. */
const LONG_HOURS = 4;

/** The form of a duration in words, for questions. */
export const FORMAT_MEANS: Readonly<Record<DurationFormat, string>> = {
  "h:mm:ss": "hours, minutes and seconds",
  "h:mm": "hours and minutes: 1:05 is 65 minutes",
  "mm:ss": "minutes and seconds: 45:30 is 45 and a half minutes",
  "mm:ss:00": "minutes and seconds before :00, as spreadsheets change 45:30 into 45:30:00",
  "h.mm.ss": "hours, minutes and seconds with dots: 1.05.30 is 65 and a half minutes",
  "mm.ss": "minutes and seconds with a dot: 45.30 is 45 and a half minutes",
  "h.mm": "hours and minutes with a dot: 1.05 is 65 minutes",
  hmmss: "hours, minutes and seconds without colons: 10230 is 1 h 2 min 30 s. No number has minutes or seconds past 59",
  clock: "as a time of day: 12:45:30 AM is 45 and a half minutes",
  "zero-day": "as a time of the year 1899, as spreadsheets keep durations",
  minutes: "minutes: 45.5 is 45 and a half minutes",
  hours: "hours: 1.25 is 75 minutes",
  seconds: "seconds",
  milliseconds: "milliseconds",
  "day-fraction": "parts of a day, as spreadsheets keep times",
  text: "in words: 1h 5m",
};
