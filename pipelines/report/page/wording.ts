/** Writes numbers and times for the page. */
import { grouped } from "../../../transforms/text/grouped.ts";
import type { ReportRecord } from "../schema.ts";

/** A narrow blank that no line breaks at, between groups of three digits and before a unit. */
const THIN = "\u202f";

/** `12 345`, `8 526.2`. */
export function number(value: number, digits = 0): string {
  const [whole = "", fraction] = Math.abs(value).toFixed(digits).split(".");
  return `${value < 0 ? "−" : ""}${grouped(Number(whole), THIN)}${fraction === undefined ? "" : `.${fraction}`}`;
}

/** The owner's unit of distance. */
export type DistanceUnit = "km" | "mi";

const METRES: Readonly<Record<DistanceUnit, number>> = { km: 1000, mi: 1609.344 };

/** Only the number: `8 526.2`. A dash for no distance. */
export function distance(metres: number, unit: DistanceUnit): string {
  return metres === 0 ? "–" : number(metres / METRES[unit], 1);
}

/** With its unit: `8 526.2 km`. */
export function withUnit(metres: number, unit: DistanceUnit): string {
  return `${number(metres / METRES[unit], 1)}${THIN}${unit}`;
}

/** Hours and minutes for a column: `799:39`. A dash for no time. */
export function hours(seconds: number): string {
  if (seconds === 0) return "–";
  const minutes = Math.round(seconds / 60);
  return `${number(Math.floor(minutes / 60))}:${String(minutes % 60).padStart(2, "0")}`;
}

/** `799 h 39 min` */
export function span(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)}${THIN}s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes}${THIN}min`;
  return `${number(Math.floor(minutes / 60))}${THIN}h ${minutes % 60}${THIN}min`;
}

const MONTHS = Array.from({ length: 12 }, (_, month) => new Date(2000, month).toLocaleString("en", { month: "long" }));

/** `2020-03` as `March 2020`. */
export function monthName(month: string): string {
  return `${MONTHS[Number(month.slice(5, 7)) - 1]} ${Number(month.slice(0, 4))}`;
}

/** An ISO instant as `21 November 2026, 20:01 UTC`. */
export function instantText(iso: string): string {
  return `${dayText(iso)}, ${iso.slice(11, 16)}${THIN}UTC`;
}

/** The same without the time. */
export function dayText(iso: string): string {
  return `${Number(iso.slice(8, 10))} ${monthName(iso)}`;
}

/** `1 record`, `2 records` */
export function counted(count: number, word: string, plural = `${word}s`): string {
  return `${number(count)} ${count === 1 ? word : plural}`;
}

/** `48.2° N, 16.4° E` */
export function placeText({ lat, lon }: { readonly lat: number; readonly lon: number }, digits = 1): string {
  const one = (value: number, positive: string, negative: string) =>
    `${Math.abs(value).toFixed(digits)}°${THIN}${value < 0 ? negative : positive}`;
  return `${one(lat, "N", "S")}, ${one(lon, "E", "W")}`;
}

/** `2.4 MB` */
export function sizeText(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let [value, at] = [bytes, 0];
  while (value >= 999.5 && at < units.length - 1) [value, at] = [value / 1000, at + 1];
  return `${at === 0 || value >= 99.5 ? number(value) : value.toFixed(1)}${THIN}${units[at]}`;
}

/** The place where a person can look: `export.zip activities.csv line 212`. */
export function originText({ archive, entry, locator }: ReportRecord["origin"]): string {
  return [archive, entry === archive ? undefined : entry, locator].filter((part) => part !== undefined).join(" ");
}
