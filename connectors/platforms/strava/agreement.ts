/**
 * Whether the rows of activities.csv hold what their places say. It is asked for headers of which most words are unknown: there an inserted column would
 * shift all columns behind it in silence. Several values stand in a row twice, or follow from one another, and a shifted column breaks that.
 */
import { parseFloatText } from "../table/cells/shown-numbers.ts";

/** The cell of a canonical place; empty for a column that the table lacks. */
type CellAt = (place: number) => string;

/** A promise of a row. It is undefined where the row has nothing to judge by. */
interface Promised {
  /** For people: the columns by their English names. */
  readonly of: string;
  /** A column that no other one can be taken for. Where it holds, no column before it is shifted. */
  readonly proves?: number;
  readonly holds: (cellAt: CellAt) => boolean | undefined;
}

const numberAt = (cellAt: CellAt, place: number) => (cellAt(place) === "" ? undefined : parseFloatText(cellAt(place)));

/** A promise about cells that are filled; one that holds no number breaks it. */
function numbers(of: string, places: readonly number[], holds: (...values: readonly number[]) => boolean): Promised {
  return {
    of,
    holds(cellAt) {
      const filled = places.every((place) => cellAt(place) !== "");
      if (!filled) return undefined;
      const values = places.map((place) => numberAt(cellAt, place));
      return values.every((value) => value !== undefined) && holds(...(values as readonly number[]));
    },
  };
}

function text(of: string, place: number, form: RegExp): Promised {
  return { of, holds: (cellAt) => (cellAt(place) === "" ? undefined : form.test(cellAt(place))) };
}

const isNear = (one: number, other: number, part: number, least: number) =>
  Math.abs(one - other) <= Math.max(Math.abs(other) * part, least);

/** The shown distance may have either mark, so its digits count: kilometres or metres. */
function shows(cellAt: CellAt): boolean | undefined {
  const metres = numberAt(cellAt, 17);
  const shown = cellAt(6);
  if (shown === "" || metres === undefined || metres === 0) return undefined;
  const digits = Number(shown.replaceAll(/[\s.,'’]/g, ""));
  return [1, 10, 100].some((by) => [1, 1000].some((unit) => isNear((digits / by) * unit, metres, 0.01, 10)));
}

/** The platform translates names, but no flags. */
const FLAG = /^(?:[01](?:\.0)?|true|false)$/i;

/** The number of a piece of gear. */
const GEAR = /^\d{3,20}(?:[.,]0{0,20})?$/;

const isTemperature = (degrees: number) => degrees > -70 && degrees < 60;
/** Seconds since 1970, from 1973 on. */
const isSeconds = (value: number) => value > 1e8;

/** Source: the meanings of the columns in `columns.ts`. The rows of both real exports at hand keep all of them. */
const PROMISES: readonly Promised[] = [
  text("Activity ID", 0, /^\d{1,20}$/),
  // Rows of people who call a workout 5000 are few.
  { of: "Activity Name", holds: (cellAt) => /[^\d\s.,]/.test(cellAt(2)) },
  { of: "Activity Type", holds: (cellAt) => /^[^\d]{1,80}$/.test(cellAt(3)) },
  // Eleven days at most. The numbers of activities are longer.
  text("Elapsed Time", 5, /^\d{1,6}(?:\.0)?$/),
  text("Distance", 6, /^\d[\d\s.,'’]{0,15}$/),
  text("Relative Effort", 8, /^\d{1,5}(?:\.0)?$/),
  text("Commute", 9, FLAG),
  text("Activity Gear", 11, /[^\d\s.,]/),
  { ...text("Filename", 12, /^activities\/./), proves: 12 },
  numbers("Athlete Weight", [13], (weight) => weight === 0 || (weight > 15 && weight < 500)),
  numbers("Elapsed Time and the second Elapsed Time", [5, 15], (shown, elapsed) => isNear(shown, elapsed, 0.01, 1)),
  numbers("Moving Time and Elapsed Time", [16, 15], (moving, elapsed) => moving <= elapsed + 1),
  { of: "Distance and the second Distance", holds: shows, proves: 17 },
  numbers("Max Speed and Average Speed", [18, 19], (most, average) => most === 0 || most >= average * 0.9),
  numbers(
    "Distance, Moving Time and Average Speed",
    [17, 16, 19],
    (metres, seconds, speed) => speed === 0 || seconds === 0 || isNear(metres / seconds, speed, 0.05, 0.05),
  ),
  numbers("Elevation Low and Elevation High", [22, 23], (low, high) => low <= high),
  {
    ...numbers("Max Heart Rate and Average Heart Rate", [30, 31], (most, mean) => most === 0 || most >= mean),
    proves: 30,
  },
  numbers("Max Heart Rate and the second Max Heart Rate", [7, 30], (one, other) => one === other),
  numbers("Average Heart Rate", [31], (mean) => mean === 0 || (mean > 20 && mean < 260)),
  numbers("Average Temperature", [36], isTemperature),
  numbers("Relative Effort and the second Relative Effort", [8, 37], (one, other) => one === other),
  numbers("Perceived Exertion", [43], (effort) => effort >= 0 && effort <= 10 && Number.isInteger(effort)),
  text("Prefer Perceived Exertion", 48, FLAG),
  text("the second Commute", 50, FLAG),
  text("From Upload", 52, FLAG),
  { ...numbers("Weather Observation Time", [54], isSeconds), proves: 54 },
  numbers("Weather Condition", [55], (condition) => condition >= 0 && condition <= 20 && Number.isInteger(condition)),
  numbers("Weather Temperature", [56], isTemperature),
  { ...numbers("Sunrise Time", [65], isSeconds), proves: 65 },
  { ...numbers("Sunset Time", [66], isSeconds), proves: 66 },
  numbers("Sunrise Time and Sunset Time", [65, 66], (sunrise, sunset) => sunrise < sunset),
  { ...text("Bike", 68, GEAR), proves: 68 },
  // A number of a bike may be shifted to the place of the shoes, so this proves nothing.
  text("Gear", 69, GEAR),
  text("Competition", 95, FLAG),
  text("Long Run", 96, FLAG),
];

/** The share of rows that may break a promise: a person has edited some, and devices err. */
const BROKEN = 0.2;

/**
 * Reads rows by their places.
 *
 * @returns the columns that don't hold what belongs there, for a message; if all do, the last place up to which the values prove that no column is shifted
 */
export async function judgePlaces(
  rows: AsyncIterable<readonly string[]>,
  indexOf: (canonical: number) => number | undefined,
): Promise<string | number> {
  const counts = PROMISES.map(() => ({ judged: 0, broken: 0 }));
  let shown = 0;
  let fractions = 0;
  for await (const cells of rows) {
    const cellAt = (place: number) => (cells[indexOf(place) ?? -1] ?? "").trim();
    for (const [index, count] of counts.entries()) {
      const held = PROMISES[index]?.holds(cellAt);
      if (held === undefined) continue;
      count.judged++;
      if (!held) count.broken++;
    }
    if (cellAt(6) !== "") shown++;
    if (/\d[.,]\d/.test(cellAt(6))) fractions++;
  }
  const judged = PROMISES.map((promise, index) => ({ ...promise, ...(counts[index] ?? { judged: 0, broken: 0 }) }));
  const broken = judged.filter((each) => each.broken > each.judged * BROKEN).map(({ of }) => of);
  // Without the second block nothing else says which of two columns of numbers is the distance.
  if (indexOf(17) === undefined && shown > 0 && fractions === 0) broken.push("Distance");
  if (broken.length > 0) return broken.join("; ");
  return Math.max(0, ...judged.map((each) => (each.judged > 0 ? (each.proves ?? 0) : 0)));
}
