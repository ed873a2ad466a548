/** Formats the numbers of a log for its owner: in the units of the preference, rounded for reading. */
import { DISPLAY_UNITS } from "../gaps.ts";
import { type Distance, metresOf } from "../model/measure.ts";
import type { Preference } from "../model/preference.ts";
import type { Workout } from "../model/workout.ts";

/** The units of an owner's pages. */
export interface Units {
  readonly distance: "mi" | "km" | "m";
  readonly weight: "lb" | "kg";
  readonly temperature: "F" | "C";
}

/** The units of a preference. `DISPLAY_UNITS` fills in the missing ones. */
export function unitsOf(preference: Preference): Units {
  return {
    distance: preference.distanceUnit ?? DISPLAY_UNITS.distance,
    weight: preference.weightUnit ?? DISPLAY_UNITS.weight,
    temperature: preference.temperatureUnit ?? DISPLAY_UNITS.temperature,
  };
}

const MILE = 1609.344;
const POUND = 0.45359237;
const FOOT = 0.3048;

/** Metres of the unit for pace and splits: a mile, or else a kilometre. */
export function lapMetres(units: Units): number {
  return units.distance === "mi" ? MILE : 1000;
}

/** `1,234.5`: at most so many digits after the point, or exactly so many. */
export function numberText(value: number, digits = 0, isExact = false): string {
  const text = (value === 0 ? 0 : value).toLocaleString("en-US", {
    maximumFractionDigits: digits,
    minimumFractionDigits: isExact ? digits : 0,
  });
  return text.replace(/^-/, "−");
}

/**
 * `12.34 km` or `1.475 km` of one workout: two digits after the point, or three where the third isn't 0. A distance that was saved in
 * metres and is shorter than a kilometre or mile stays in metres: `32 m`.
 */
export function distanceText(distance: Distance, units: Units): string {
  const metres = metresOf(distance);
  const isShort = distance.unit === "m" && metres < lapMetres(units);
  if (isShort || units.distance === "m") return `${numberText(metres)} m`;
  const text = numberText(inUnit(metres, units), 3, true);
  return `${text.replace(/0$/, "")} ${units.distance}`;
}

/** `1,234.5 km` of many workouts. */
export function totalDistance(metres: number, units: Units): string {
  return `${numberText(inUnit(metres, units), units.distance === "m" ? 0 : 1, true)} ${units.distance}`;
}

/** The distance in the unit, as a number. */
export function inUnit(metres: number, units: Units): number {
  return metres / { mi: MILE, km: 1000, m: 1 }[units.distance];
}

/** `1:02:03`, `2:03`. Hundredths of a race's time are shown when there are any. */
export function durationText(seconds: number, isExact = false): string {
  const hundredths = isExact ? Math.round(seconds * 100) : Math.round(seconds) * 100;
  const whole = Math.floor(hundredths / 100);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const fraction = hundredths % 100 === 0 ? "" : `.${pad(hundredths % 100).replace(/0$/, "")}`;
  return `${h > 0 ? `${numberText(h)}:${pad(m)}` : m}:${pad(s)}${fraction}`;
}

/** `123:05`, hours and minutes, for a column of totals. */
export function hoursText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return `${numberText(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

/** `123 h 05 min` of many workouts. */
export function totalDuration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return `${numberText(Math.floor(minutes / 60))} h ${pad(minutes % 60)} min`;
}

function pad(number: number): string {
  return String(number).padStart(2, "0");
}

/** The form of an activity's speed: time for a length, or length in an hour. */
export interface SpeedStyle {
  readonly name: "Pace" | "Speed";
  readonly unit: string;
  /** The number in the chart: seconds for a length, or lengths an hour. */
  numberOf(metresASecond: number): number;
  textOf(number: number): string;
}

/** Bikes by speed, swimming by the 100 m, all other activities by pace. */
export function speedStyle(activityID: number, units: Units): SpeedStyle {
  const isMile = units.distance === "mi";
  if (activityID === BIKE) {
    const unit = isMile ? "mph" : "km/h";
    return {
      name: "Speed",
      unit,
      numberOf: (speed) => (speed * 3600) / lapMetres(units),
      textOf: (n) => numberText(n, 1, true),
    };
  }
  const metres = activityID === SWIM ? 100 : lapMetres(units);
  const unit = activityID === SWIM ? "/100 m" : isMile ? "/mi" : "/km";
  return { name: "Pace", unit, numberOf: (speed) => metres / speed, textOf: (n) => durationText(n) };
}

/** Built-in activities, see `BUILT_IN_ACTIVITIES`. */
const BIKE = 11;
const SWIM = 12;

/** `4:41 /km`; undefined without a distance and a duration. */
export function paceText(metres: number, seconds: number, activityID: number, units: Units): string | undefined {
  if (!(metres > 0) || !(seconds > 0)) return undefined;
  const style = speedStyle(activityID, units);
  return `${style.textOf(style.numberOf(metres / seconds))} ${style.unit}`;
}

/** `70.1 kg` */
export function weightText(weight: NonNullable<NonNullable<Workout["health"]>["weight"]>, units: Units): string {
  const kilograms = weight.unit === "kg" ? weight.value : weight.value * POUND;
  const value = weight.unit === units.weight ? weight.value : units.weight === "kg" ? kilograms : kilograms / POUND;
  return `${numberText(value, 1)} ${units.weight}`;
}

/** `−2.5 °C` */
export function temperatureText(
  temperature: NonNullable<NonNullable<Workout["weather"]>["temperature"]>,
  units: Units,
): string {
  const { unit, value } = temperature;
  const shown =
    unit === units.temperature ? value : units.temperature === "C" ? ((value - 32) * 5) / 9 : (value * 9) / 5 + 32;
  return `${numberText(shown, 1)} °${units.temperature}`;
}

/** `189 m`, `620 ft`: heights are in feet where distances are in miles. */
export function heightText(metres: number, units: Units): string {
  return `${numberText(heightIn(metres, units))} ${heightUnit(units)}`;
}

/** A height as a number in its unit (`heightUnit`). @param metres a height or a climb */
export function heightIn(metres: number, units: Units): number {
  return units.distance === "mi" ? metres / FOOT : metres;
}

/** The unit of heights: feet where distances are in miles. */
export function heightUnit(units: Units): "ft" | "m" {
  return units.distance === "mi" ? "ft" : "m";
}

/** Exactly as it was saved: `4.1299999 mi`. */
export function savedText({ unit, value }: { readonly unit: string; readonly value: number }): string {
  return `${value} ${unit}`;
}

/** Metres of a distance; 0 for none. */
export function metresIn(distance: Distance | undefined): number {
  return distance === undefined ? 0 : metresOf(distance);
}

/** `partlyCloudy` as `partly cloudy`. */
export function flagText(flag: string): string {
  return flag
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .toLowerCase();
}

/** `1 workout`, `2 workouts` */
export function countText(count: number, what: string): string {
  return `${numberText(count)} ${what}${count === 1 ? "" : "s"}`;
}
