/** Fills in totals of TCX laps that the writer left out or wrote as 0, although the points have them. */
import type { Measure } from "../../../transforms/units.ts";
import type { Remarks } from "../xml/remarks.ts";

/** The values of a lap that are used here. Times are in seconds, distances in metres. */
export interface LapTotals {
  distance?: Measure<"distance">;
  timer?: number;
  /** Metres by its points. */
  readonly counted?: number | undefined;
  /** Seconds by its points. */
  readonly lasted?: number | undefined;
}

/**
 * Gives laps without a distance the distance of their points. If another lap has metres, a 0 is believed (a rest at the wall). If no
 * lap has metres, a 0 means "not measured".
 *
 * @returns the number of laps that got a distance
 */
export function fillDistances(laps: readonly LapTotals[]): number {
  const isUnmeasured = (sumOf(laps, (lap) => lap.distance?.value) ?? 0) === 0;
  const filled = laps.filter(
    (lap) => (lap.distance === undefined || isUnmeasured) && lap.counted !== undefined && lap.counted > 0,
  );
  for (const lap of filled) lap.distance = { unit: "m", value: lap.counted ?? 0 };
  return filled.length;
}

/**
 * The time of all laps together. If every lap says 0, the time was not measured, and each lap gets the time of its points.
 *
 * @param elapsed seconds between the first and the last point of the activity
 * @returns seconds; undefined if no lap has a time. Then there is only the elapsed time
 */
export function timerOf(laps: readonly LapTotals[], elapsed: number | undefined, remarks: Remarks): number | undefined {
  const timer = sumOf(laps, (lap) => lap.timer);
  if (timer !== 0 || elapsed === undefined || elapsed <= 0) return timer;
  for (const lap of laps) {
    if (lap.lasted !== undefined && lap.lasted > 0) lap.timer = lap.lasted;
    else delete lap.timer;
  }
  const computed = sumOf(laps, (lap) => lap.timer);
  const found = `a TotalTimeSeconds of 0 in ${laps.length === 1 ? "the lap" : `all ${laps.length} laps`}`;
  const expected = `the time it took; ${Math.round(computed ?? elapsed)} s were computed from the points`;
  remarks.add({ severity: "warning", rule: "tcx/computed-duration", field: "TotalTimeSeconds", found, expected });
  return computed;
}

/** The sum over the laps that have a value; undefined if no lap has one. */
export function sumOf<L>(laps: readonly L[], value: (lap: L) => number | undefined): number | undefined {
  let sum: number | undefined;
  for (const lap of laps) {
    const one = value(lap);
    if (one !== undefined) sum = (sum ?? 0) + one;
  }
  return sum;
}
