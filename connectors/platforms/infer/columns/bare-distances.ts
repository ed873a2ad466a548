/** Numbers without a unit among texts that say their distances: `14` and `6.2 easy` beside `14 km` and `6.6 miles easy`. As notes they would be workouts without a distance. */
import { compileWhole } from "../../table/mapping/pattern.ts";
import { roughNumber } from "../words/values.ts";

/** A number alone, or before words that are no unit. */
export const BARE_DISTANCE = "(?P<distance>\\d{1,3}(?:[.,]\\d{1,2})?)(?:[ ,;]+(?P<notes>[^\\d+]*))?";

/** Words behind a number that is no distance: `45 min yoga`, `3 x strides`, `2 h`. */
const OF_OTHERS =
  /^\d[\d.,]* ?(?:x|×|min|mins|minutes|minuten|h|hr|hrs|hours?|std|stunden|sec|s|reps?|sets?|laps?|rounds?|runden|m|yd|kg|lbs?|%|°)(?!\p{L})/iu;

/** The middle of these numbers is at most this far from that of the others, as a factor. */
const SPREAD = 2;

/** Such numbers of a column. */
export interface BareDistances {
  readonly count: number;
  /** That of the other distances; undefined where these have several, or are of another size. */
  readonly unit: "km" | "mi" | undefined;
}

/**
 * Finds such numbers.
 *
 * @param cells those that no pattern fits
 * @param distances the distances with units, as the other cells have them: `14 km`
 * @returns undefined without any
 */
export function bareDistances(cells: readonly string[], distances: readonly string[]): BareDistances | undefined {
  const whole = compileWhole(BARE_DISTANCE);
  const bare = cells.filter((cell) => whole.matches(cell) && !OF_OTHERS.test(cell));
  if (bare.length === 0) return undefined;
  const units = new Set(distances.map((text) => (/k/i.test(text) ? "km" : "mi")));
  const [unit] = units;
  const [own, others] = [middleOf(bare), middleOf(distances)];
  const isLike = own > 0 && others > 0 && own <= others * SPREAD && others <= own * SPREAD;
  return { count: bare.length, unit: units.size === 1 && isLike ? unit : undefined };
}

function middleOf(texts: readonly string[]): number {
  const numbers = texts.map((text) => roughNumber(/^\d+(?:[.,]\d+)?/.exec(text)?.[0] ?? "")).toSorted((a, b) => a - b);
  return numbers[Math.floor(numbers.length / 2)] ?? 0;
}
