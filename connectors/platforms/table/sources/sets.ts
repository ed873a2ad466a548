/** Writes the sets of a gym workout in words: `Bench Press: 3×8 @ 75 kg; 1×6 @ 80 kg`. */
import type { Issue } from "../../../../transforms/model/issue.ts";
import { convert, roundTo, unitSpelt } from "../../../../transforms/units.ts";
import { parseNumber } from "../cells/cells.ts";
import type { Decimal } from "../mapping/fields.ts";

/** One set as its platform writes it. Numbers are texts. An empty text and a 0 mean "none". */
export interface GymSet {
  readonly exercise: string;
  /** `warm-up`, or words that stand after the set, such as `to failure`. */
  readonly kind?: string | undefined;
  readonly reps?: string | undefined;
  readonly weight?: string | undefined;
  /** Left out if the file does not state it. */
  readonly weightUnit?: string | undefined;
  readonly distance?: string | undefined;
  readonly distanceUnit?: string | undefined;
  readonly seconds?: string | undefined;
  readonly rpe?: string | undefined;
  /** An amount without a field, in words: `(20 laps)`. */
  readonly more?: string | undefined;
  readonly note?: string | undefined;
}

/** Two numbers with a smaller difference count as equal. */
const NEAR = 1e-4;

/** The words for feet. The log has no feet, so such distances become metres. */
const FEET = /^(?:ft|feet|foot)\.?$/i;
const METRES_PER_FOOT = 0.3048;

/** The set with its distance in metres, if the table says that it is in feet. */
export function withoutFeet(set: GymSet, decimal: Decimal): GymSet {
  const feet = FEET.test((set.distanceUnit ?? "").trim()) ? parseNumber(set.distance ?? "", decimal) : undefined;
  if (feet === undefined) return set;
  const metres = String(roundTo(feet * METRES_PER_FOOT, 4));
  return { ...set, distance: decimal === "," ? metres.replace(".", ",") : metres, distanceUnit: "m" };
}

/** Whether a set holds a number other than 0. */
export function isDone({ reps, weight, distance, seconds, more = "" }: GymSet, decimal: Decimal): boolean {
  return more !== "" || [reps, weight, distance, seconds].some((text) => filled(text, decimal) !== undefined);
}

/** A number above 0; undefined for anything else. */
export function positiveIn(text: string | undefined, decimal: Decimal): number | undefined {
  const value = parseNumber(text ?? "", decimal);
  return value !== undefined && value > 0 ? value : undefined;
}

/** Whether a set has an amount in a form that nobody can read: `2000,5` where the file writes `2000.5`. */
export function isUnread(text: string | undefined, decimal: Decimal): boolean {
  return /[1-9]/.test(text ?? "") && parseNumber(text ?? "", decimal) === undefined;
}

/** What apps write for an amount that wasn't measured. */
const NOT_MEASURED = -1;

/** Whether a set has a distance that can't be read, or can't be true because it is below 0. */
export function isUnreadDistance(text: string | undefined, decimal: Decimal): boolean {
  const value = parseNumber(text ?? "", decimal);
  return isUnread(text, decimal) || (value !== undefined && value < 0 && value !== NOT_MEASURED);
}

/** Numbers of a set that can't be below 0. A weight can: a machine carries a part of the body. */
export const AMOUNTS = ["reps", "distance", "seconds"] as const;

/** A set without those of its amounts that are below 0. Each of them gets a remark. */
export function withoutNegatives(
  set: GymSet,
  amounts: readonly (typeof AMOUNTS)[number][],
  decimal: Decimal,
  remark: (issue: Issue) => void,
): GymSet {
  const wrong = amounts.filter((field) => (parseNumber(set[field] ?? "", decimal) ?? 0) < 0);
  for (const field of wrong) {
    const expected = "0 or more; it was left out";
    remark({ severity: "warning", rule: "table/bad-number", field, found: set[field] ?? "", expected });
  }
  return wrong.length === 0 ? set : { ...set, ...Object.fromEntries(wrong.map((field) => [field, ""])) };
}

/** Writes all sets. Each exercise is a line, in the order of the first sets. The notes of its sets stand below it. */
export function setsInWords(sets: readonly GymSet[], decimal: Decimal): string {
  const exercises = Map.groupBy(sets, ({ exercise }) => exercise);
  const lines = [...exercises].flatMap(([exercise, own]) => {
    const notes = new Set(own.map(({ note = "" }) => note.trim()).filter((note) => note !== ""));
    const done = runsOf(own.filter((set) => isDone(set, decimal)).map((set) => setInWords(set, decimal)));
    return [done.length === 0 ? exercise : `${exercise}: ${done.join("; ")}`, ...notes];
  });
  return lines.join("\n");
}

/** A set in words, without the count of equal sets. */
interface SetWords {
  readonly before: string;
  readonly said: string;
  /** The set has repetitions, so `1×8` is clearer than `8`. */
  readonly isCounted: boolean;
  readonly after: string;
}

/** Counts equal sets that follow one another: `3×8`. */
function runsOf(sets: readonly SetWords[]): string[] {
  const runs: { set: SetWords; count: number }[] = [];
  for (const set of sets) {
    const last = runs.at(-1);
    if (last !== undefined && JSON.stringify(last.set) === JSON.stringify(set)) last.count++;
    else runs.push({ set, count: 1 });
  }
  return runs.map(({ set: { before, said, after, isCounted }, count }) => {
    const times = said === "" ? String(count) : isCounted || count > 1 ? `${count}×${said}` : said;
    return `${before}${times}${after}`;
  });
}

function setInWords({ kind, rpe = "", more = "", ...set }: GymSet, decimal: Decimal): SetWords {
  const reps = filled(set.reps, decimal);
  const distance = filled(set.distance, decimal);
  const seconds = filled(set.seconds, decimal);
  const amount = [reps, distance && withUnit(distance, set.distanceUnit)].filter((part) => part !== undefined);
  const time = seconds === undefined ? [] : [`${seconds} s`];
  const said = [...(amount.length > 0 ? [amount.join(", ")] : []), ...time].join(" in ");
  const weight = weightInWords(set.weight, set.weightUnit, decimal);
  const last = [kind === undefined || kind === "warm-up" ? "" : kind, more].filter((words) => words !== "");
  const after = [...(weight === undefined ? [] : [`@ ${weight}`]), ...(rpe === "" ? [] : [`RPE ${rpe}`]), ...last];
  const before = kind === "warm-up" ? "warm-up " : "";
  return { before, said, after: after.map((word) => ` ${word}`).join(""), isCounted: reps !== undefined };
}

/** The number of a cell, for people; undefined for an empty cell and for 0. Other text is kept unchanged. */
function filled(text: string | undefined, decimal: Decimal): string | undefined {
  const plain = text?.trim() ?? "";
  if (plain === "") return undefined;
  const value = parseNumber(plain, decimal);
  if (value === undefined) return plain;
  return value === 0 ? undefined : shown(value);
}

function shown(value: number): string {
  return String(roundTo(value, 2));
}

function withUnit(text: string, unit: string | undefined): string {
  return unit === undefined || unit === "" ? text : `${text} ${unit}`;
}

/**
 * Writes a weight with its unit, if the file states one. Apps convert a weight of the other unit, which gives many decimals: `44.09245243697551`
 * are 20 kg in pounds. Such a number shows its true unit.
 */
function weightInWords(text: string | undefined, unit: string | undefined, decimal: Decimal): string | undefined {
  const value = parseNumber(text ?? "", decimal);
  const plain = filled(text, decimal);
  if (plain === undefined) return undefined;
  const said = unitSpelt("weight", unit ?? "") ?? unit;
  if (value === undefined || Math.abs(value - Number(shown(value))) < NEAR) return withUnit(plain, said);
  const kilograms = said === "kg" ? undefined : clean(convert("weight", { unit: "lb", value }, "kg").value);
  const pounds = said === "lb" ? undefined : clean(convert("weight", { unit: "kg", value }, "lb").value);
  if (kilograms !== undefined && pounds === undefined) return `${kilograms} kg`;
  if (pounds !== undefined && kilograms === undefined) return `${pounds} lb`;
  return withUnit(plain, said);
}

/** The weight, if plates can make it: a multiple of a quarter. */
function clean(value: number): number | undefined {
  const quarters = Math.round(value * 4) / 4;
  return Math.abs(value - quarters) < NEAR ? quarters : undefined;
}
