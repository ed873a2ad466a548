/** The form for a fix by hand, as `quarantine fix ID --set FIELD=VALUE` keeps it. */
import type { FixField } from "../../pipelines/plan/advice/advice.ts";
import type { Quarantined } from "../../pipelines/review/quarantine.ts";
import { ACTIVITY_NAMES } from "../../transforms/activities.ts";
import type { Fix } from "../../transforms/model/fix.ts";
import type { DoubtForm } from "./doubt.ts";

/** Each field as the page shows it. */
const FIELDS: Readonly<Record<FixField, { readonly label: string; readonly hint?: string }>> = {
  date: { label: "Date", hint: "The day it was done, where you were: 2019-05-04" },
  zone: { label: "Time zone", hint: "Where you were: Europe/Vienna. It is enough where the instant is right" },
  time: { label: "Time of day", hint: "18:05 or 6:05 PM. Empty: as the source has it, if it knows one" },
  activity: { label: "Activity" },
  distance: { label: "Distance", hint: "With its unit: 10 km, 6.2 mi" },
  duration: { label: "Duration", hint: "1:02:03, or in words: 45 min" },
  name: { label: "Name" },
  notes: { label: "Notes" },
};

/** The form for a rejected record; undefined if no value mends it. It has the values of an earlier fix. */
export function fixForm({ id, advice, issue, manualDecisions }: FixedByForm): DoubtForm | undefined {
  if (advice?.needs === undefined) return undefined;
  const { needs } = advice;
  // A zone makes a local time of an instant, and says nothing about a record without one.
  const orNeeds = (advice.orNeeds ?? []).filter(
    (name) => name !== "zone" || issue?.expected?.includes("zone") === true,
  );
  const names: readonly FixField[] = [needs, ...orNeeds, ...(needs === "date" ? (["time"] as const) : [])];
  const fix = manualDecisions.flatMap((one) => one.fix ?? []).at(-1) ?? {};
  return {
    label: "Use what I type",
    command: `quarantine fix ${id} --set`,
    fixes: id,
    fields: [...new Set(names)].map((name) => ({
      name,
      ...FIELDS[name],
      ...(name === "activity" && { choices: ACTIVITY_NAMES }),
      // Where one of several fields is enough, the answer to the form says what is missing.
      isRequired: name === needs && orNeeds.length === 0,
      value: asTyped(fix[name]),
    })),
  };
}

/** What a form is made of. */
export type FixedByForm = Pick<Quarantined, "id" | "advice" | "issue" | "manualDecisions">;

/** A value of a fix as a person types it. A number is a duration. */
function asTyped(value: Fix[FixField]): string | undefined {
  if (typeof value === "number") return `${value} s`;
  return typeof value === "object" ? `${value.value} ${value.unit}` : value;
}

/** The values of a form as `--set` takes them. Fields that the form doesn't have are left. */
export function toSet({ fields }: DoubtForm, values: ReadonlyMap<string, string>): string[] {
  return fields.flatMap(({ name }) => {
    const value = values.get(name);
    return value === undefined ? [] : [`${name}=${value}`];
  });
}
