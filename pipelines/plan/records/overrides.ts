/**
 * Checks values that a person sets with `--set`, like the cells of a spreadsheet: `date=2019-05-04`, `distance="10 km"`. Each value has a
 * single format, whatever format the source uses. So logferry can't mistake one value for another.
 */
import { parseMeasure, parseTimeOfDay } from "../../../connectors/platforms/table/cells/cells.ts";
import { parseDuration } from "../../../connectors/platforms/table/cells/durations.ts";
import { ACTIVITY_NAMES, activityNamed } from "../../../transforms/activities.ts";
import { isLocalDate, isZone, utcDay } from "../../../transforms/calendar.ts";
import type { Fix } from "../../../transforms/model/fix.ts";
import { inMetres, measureText } from "../../../transforms/units.ts";
import type { FixField } from "../advice/advice.ts";

const ISO = { order: "iso", twoDigitYearPivot: 70, zone: "local" } as const;

/** Reads a typed value. @returns undefined for one that can't be read or can't be true. @param now milliseconds since 1970 */
type Read = (text: string, now: number) => unknown;

/** A day that has begun somewhere is at most a day ahead of UTC. */
const DAY_MS = 86_400_000;

/** The longest races by bike are shorter and take less time: the Race Across America has 4,900 km, and the slowest finish in 12 days. */
const MOST_METRES = 5_000_000;
const MOST_SECONDS = 30 * 86_400;

/** The format of each field, and the function that reads it. */
const FIELDS: Readonly<Record<FixField, { readonly expected: string; readonly read: Read }>> = {
  date: {
    expected: "a day like 2019-05-04, from 1900 on and not in the future",
    read: (text, now) => (isLocalDate(text) && text >= "1900" && text <= utcDay(now + DAY_MS) ? text : undefined),
  },
  zone: {
    expected: "a time zone like Europe/Vienna",
    read: (text) => (isZone(text) ? text : undefined),
  },
  time: { expected: "a time of day like 18:05 or 6:05 PM", read: (text) => parseTimeOfDay(text, ISO, ".") },
  activity: {
    expected: "an activity such as run, bike or swim",
    read: (text) => ACTIVITY_NAMES.find((name) => name === text.trim().toLowerCase()) ?? activityNamed(text),
  },
  distance: {
    expected: 'a number with its unit, like "10 km" or "6.2 mi", and 5000 km at most',
    read(text) {
      const measure = parseMeasure("distance", text, undefined, ".");
      return measure === undefined || measure.value < 0 || inMetres(measure) > MOST_METRES ? undefined : measure;
    },
  },
  duration: {
    expected: 'a time like 1:02:03 or "45 min", and 30 days at most',
    read(text) {
      const seconds = parseDuration(text, ["h:mm:ss", "text"], ".");
      return seconds === undefined || seconds > MOST_SECONDS ? undefined : seconds;
    },
  },
  name: { expected: "text", read: words },
  notes: { expected: "text", read: words },
};

/** The fields that can be set. */
export const FIX_FIELDS = Object.keys(FIELDS) as readonly FixField[];

/**
 * Reads `--set` values.
 *
 * @param pairs each `FIELD=VALUE`
 * @param now milliseconds since 1970: no workout is in the future
 * @returns the fix, or a sentence about the first error
 */
export function readFix(pairs: readonly string[], now: number): { readonly fix: Fix } | { readonly error: string } {
  const fix: Record<string, unknown> = {};
  for (const pair of pairs) {
    const [, name = "", text = ""] = /^([^=]*)=(.*)$/su.exec(pair) ?? [];
    const field = FIELDS[name as FixField];
    if (!Object.hasOwn(FIELDS, name) || field === undefined)
      return { error: `expected FIELD=VALUE with one of ${FIX_FIELDS.join(", ")}, found ${JSON.stringify(pair)}` };
    const value = field.read(text.trim(), now);
    if (value === undefined) return { error: `${name} is ${JSON.stringify(text)}, expected ${field.expected}` };
    fix[name] = value;
  }
  return { fix };
}

/** A fix in words: `date 2019-05-04, distance 10 km`. */
export function describeFix(fix: Fix): string {
  const { implausible, ...fields } = fix;
  const values = Object.entries(fields).map(
    ([name, value]) =>
      `${name} ${typeof value === "object" ? measureText(value) : value}${name === "duration" ? " s" : ""}`,
  );
  return [...values, ...(implausible === undefined ? [] : ["--allow implausible"])].join(", ");
}

function words(text: string): string | undefined {
  return text === "" ? undefined : text;
}
