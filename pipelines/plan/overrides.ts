/**
 * Checks values that a person sets with `--set`, like the cells of a spreadsheet: `date=2019-05-04`, `distance="10 km"`. Each value has a
 * single format, whatever format the source uses. So logferry can't mistake one value for another.
 */
import { parseMeasure, parseTimeOfDay } from "../../connectors/platforms/table/cells.ts";
import { parseDuration } from "../../connectors/platforms/table/durations.ts";
import { activityNamed } from "../../transforms/activities.ts";
import { isLocalDate } from "../../transforms/calendar.ts";
import type { Fix } from "../../transforms/model/fix.ts";
import { measureText } from "../../transforms/units.ts";
import type { FixField } from "./advice.ts";

const ISO = { order: "iso", twoDigitYearPivot: 70, zone: "local" } as const;

/** The format of each field, and the function that reads it. */
const FIELDS: Readonly<Record<FixField, { readonly expected: string; readonly read: (text: string) => unknown }>> = {
  date: { expected: "a day like 2019-05-04", read: (text) => (isLocalDate(text) ? text : undefined) },
  time: { expected: "a time of day like 18:05 or 6:05 PM", read: (text) => parseTimeOfDay(text, ISO, ".") },
  activity: { expected: "an activity such as run, bike or swim", read: activityNamed },
  distance: {
    expected: 'a number with its unit, like "10 km" or "6.2 mi"',
    read(text) {
      const measure = parseMeasure("distance", text, undefined, ".");
      return measure === undefined || measure.value < 0 ? undefined : measure;
    },
  },
  duration: {
    expected: 'a time like 1:02:03 or "45 min"',
    read: (text) => parseDuration(text, ["h:mm:ss", "text"], "."),
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
 * @returns the fix, or a sentence about the first error
 */
export function readFix(pairs: readonly string[]): { readonly fix: Fix } | { readonly error: string } {
  const fix: Record<string, unknown> = {};
  for (const pair of pairs) {
    const [, name = "", text = ""] = /^([^=]*)=(.*)$/su.exec(pair) ?? [];
    const field = FIELDS[name as FixField];
    if (!Object.hasOwn(FIELDS, name) || field === undefined)
      return { error: `expected FIELD=VALUE with one of ${FIX_FIELDS.join(", ")}, found ${JSON.stringify(pair)}` };
    const value = field.read(text.trim());
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
