import { RATING_RANGE } from "../assumptions.ts";
import { defined, someDefined } from "../model/defined.ts";
import type { Issue } from "../model/issue.ts";
import type { UnsupportedValue, Workout } from "../model/workout.ts";
import { HEART_RATE, isHeartRate, LEAST_OF_PERSON } from "../plausibility/heart-rates.ts";
import { isTemperature, isWeight, TEMPERATURE_C, WEATHER_C, WEIGHT_KG } from "../plausibility/measures.ts";
import type { Measure } from "../units.ts";
import type { Transform } from "./transform.ts";

/**
 * Keeps heart rates and ratings that are whole numbers in the range of their field, and possible weights and temperatures. An average heart rate above the highest is removed with it. Durations and
 * distances must be finite and not negative. The step removes any other value, names it in an issue and counts it as unsupported. The rest
 * of the workout goes on. A zero heart rate means "not measured" (Strava, Garmin and Fitbit write it), and so does a zero duration beside a
 * distance. A zero temperature stays.
 */
export const keepPlausibleValues: Transform = (item, report) => {
  if (item.kind !== "workout") return item;
  const unsupported: UnsupportedValue[] = [];
  const refuse = (field: string, value: number, expected: string, unit = ""): undefined => {
    const issue: Issue = { severity: "warning", rule: "workout/implausible", field, found: String(value), expected };
    report(issue);
    unsupported.push({ field, value: `${value} ${unit}`.trimEnd() });
    return undefined;
  };
  const heartRate = (field: string, value: number | undefined): number | undefined => {
    if (value === undefined || value === 0) return undefined;
    const whole = Math.round(value);
    if (isHeartRate(whole) && whole >= LEAST_OF_PERSON) return whole;
    return refuse(field, value, `${LEAST_OF_PERSON} to ${HEART_RATE.most} beats a minute`, "a minute");
  };
  const rating = (field: string, value: number | undefined): number | undefined => {
    if (value === undefined) return undefined;
    const whole = Math.round(value);
    if (whole >= RATING_RANGE.min && whole <= RATING_RANGE.max) return whole;
    return refuse(field, value, `${RATING_RANGE.min} to ${RATING_RANGE.max}`);
  };
  const amount = (field: string, value: number | undefined, unit: string): number | undefined =>
    value === undefined || (Number.isFinite(value) && value >= 0) ? value : refuse(field, value, "0 or more", unit);

  const weight = (found: Measure<"weight"> | undefined): Measure<"weight"> | undefined =>
    found === undefined || isWeight(found)
      ? found
      : refuse("weight", found.value, `${WEIGHT_KG.least} to ${WEIGHT_KG.most} kg`, found.unit);
  // A table that a mapping file explains was typed by a person.
  const air = item.origin.connector === "csv" ? WEATHER_C : TEMPERATURE_C;
  const temperature = (found: Measure<"temperature"> | undefined): Measure<"temperature"> | undefined =>
    found === undefined || isTemperature(found, air)
      ? found
      : refuse("temperature", found.value, `${air.least} to ${air.most} °C`, found.unit);

  // One of the two is wrong, and nobody knows which.
  const heartRates = ({ avgHR, maxHR }: NonNullable<Workout["health"]>) => {
    const both = { avgHR: heartRate("avgHR", avgHR), maxHR: heartRate("maxHR", maxHR) };
    if ((both.avgHR ?? 0) <= (both.maxHR ?? both.avgHR ?? 0)) return both;
    refuse("avgHR", both.avgHR ?? 0, `up to the highest heart rate, ${both.maxHR}`, "a minute");
    refuse("maxHR", both.maxHR ?? 0, `from the average heart rate on, ${both.avgHR}`, "a minute");
    return {};
  };

  const { health, ratings, distance, duration, weather, ...others } = item.value;
  const soundDistance =
    distance !== undefined && amount("distance", distance.value, distance.unit) !== undefined ? distance : undefined;
  const value: Workout = {
    ...others,
    ...defined({
      distance: soundDistance,
      duration: isMeasured(duration, soundDistance) ? amount("duration", duration, "s") : undefined,
      health: someDefined({
        ...heartRates(health ?? {}),
        restHR: heartRate("restHR", health?.restHR),
        weight: weight(health?.weight),
      }),
      weather: someDefined({ ...weather, temperature: temperature(weather?.temperature) }),
      ratings: someDefined({ effort: rating("effort", ratings?.effort), quality: rating("quality", ratings?.quality) }),
    }),
  };
  return {
    ...item,
    value: unsupported.length === 0 ? value : { ...value, unsupported: [...(value.unsupported ?? []), ...unsupported] },
  };
};

/** Whether a duration was measured. A duration of 0 beside a distance means "not measured": a list of runs may give only their lengths. */
function isMeasured(duration: number | undefined, distance: Workout["distance"]): boolean {
  return duration !== 0 || distance === undefined || distance.value <= 0;
}
