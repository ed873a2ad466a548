/** The form for a fix by hand, as `quarantine fix ID --set FIELD=VALUE` keeps it. */
import type { FixField } from "../../pipelines/plan/advice.ts";
import type { Quarantined } from "../../pipelines/review/quarantine.ts";
import { ACTIVITY_NAMES } from "../../transforms/activities.ts";
import type { DoubtForm } from "./doubt.ts";

/** Each field as the page shows it. */
const FIELDS: Readonly<Record<FixField, { readonly label: string; readonly hint?: string }>> = {
  date: { label: "Date", hint: "The day it was done, where you were: 2019-05-04" },
  time: { label: "Time of day", hint: "18:05 or 6:05 PM. Empty: as the source has it" },
  activity: { label: "Activity" },
  distance: { label: "Distance", hint: "With its unit: 10 km, 6.2 mi" },
  duration: { label: "Duration", hint: "1:02:03, or in words: 45 min" },
  name: { label: "Name" },
  notes: { label: "Notes" },
};

/** The form for a rejected record; undefined if no value mends it. */
export function fixForm({ id, advice }: Pick<Quarantined, "id" | "advice">): DoubtForm | undefined {
  if (advice?.needs === undefined) return undefined;
  const { needs, orNeeds = [] } = advice;
  const names: readonly FixField[] = [needs, ...orNeeds, ...(needs === "date" ? (["time"] as const) : [])];
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
    })),
  };
}

/** The values of a form as `--set` takes them. Fields that the form doesn't have are left. */
export function toSet({ fields }: DoubtForm, values: ReadonlyMap<string, string>): string[] {
  return fields.flatMap(({ name }) => {
    const value = values.get(name);
    return value === undefined ? [] : [`${name}=${value}`];
  });
}
