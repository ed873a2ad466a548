/** Writes distances, durations and speeds the way a person says them, so that a person can check the arithmetic. */
import type { Seconds } from "../model/workout.ts";
import type { Measure } from "../units.ts";

/** `1,000 km`, `42.2 km`, `1,475 m`. */
export function describeDistance({ value, unit }: Measure<"distance">): string {
  const rounded = Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
  return `${grouped(rounded)} ${unit}`;
}

const YEAR = 365.25 * 86_400;

/** `12 s`, `25 min`, `3 h 20 min`, `16 days`, `49 years`. */
export function describeDuration(seconds: Seconds): string {
  if (seconds >= 2 * YEAR) return `${grouped(Math.round(seconds / YEAR))} years`;
  if (seconds > 100 * 3600)
    return `${grouped(Math.round(seconds / 3600))} hours (${Math.round(seconds / 86_400)} days)`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${Number(seconds.toFixed(whole < 10 ? 2 : 0))} s`;
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  if (hours === 0) return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
  return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
}

/** `833 m/s`, `6.6 m/s`, `0.019 m/s`. */
export function describeSpeed(metresPerSecond: number): string {
  const digits = metresPerSecond >= 100 ? 0 : metresPerSecond >= 1 ? 1 : metresPerSecond >= 0.1 ? 2 : 4;
  return `${grouped(Number(metresPerSecond.toFixed(digits)))} m/s`;
}

/** With commas between thousands, and with every digit. */
const GROUPED = new Intl.NumberFormat("en", { maximumFractionDigits: 20 });

function grouped(value: number): string {
  return Number.isFinite(value) && Math.abs(value) < 1e21 ? GROUPED.format(value) : String(value);
}
