/** Describes in words what a description reads and leaves out. The table of all platforms in docs/platforms.md uses it. */
import type { PlatformSummary } from "../../contract.ts";
import type { Description } from "./description.ts";
import { hasTracks } from "./files/made-tracks.ts";
import type { ColumnSpec } from "./mapping/fields.ts";

/** The names that people use for the fields of columns. Fields without a value of their own are missing. */
const WORDS: Partial<Readonly<Record<ColumnSpec["field"], string>>> = {
  date: "start",
  datetime: "start",
  time: "start",
  instant: "start",
  zone: "time zone",
  offset: "time zone",
  activity: "sport",
  type: "kind of training",
  name: "name",
  notes: "notes",
  course: "course",
  equipment: "gear",
  gear: "gear",
  "gear.bike": "gear",
  "gear.shoes": "gear",
  distance: "distance",
  duration: "duration",
  "duration.hours": "duration",
  "duration.minutes": "duration",
  "duration.seconds": "duration",
  moving: "duration",
  elapsed: "duration",
  end: "duration",
  avgHR: "heart rates",
  maxHR: "heart rates",
  restHR: "resting heart rate",
  weight: "weight",
  temperature: "weather",
  conditions: "weather",
  effort: "ratings",
  quality: "ratings",
  fieldPlacement: "places in races",
  groupPlacement: "places in races",
  laps: "intervals",
  file: "device files",
};

/** Sums up a description. */
export function summaryOf({
  workouts,
  gear,
  calledGear,
  courses,
  routes,
  days = [],
  recordings,
  leaves,
  leavesWorkouts = [],
}: Description): PlatformSummary {
  const columns = workouts.flatMap((table) => table.columns);
  const reads = new Set(columns.map(([, field]) => WORDS[field]).filter((word) => word !== undefined));
  for (const [, field] of days.flatMap((table) => table.columns))
    if (field !== "day" && field !== "left") reads.add(WORDS[field] ?? field);
  if (gear !== undefined || calledGear !== undefined) reads.add("lists of gear");
  if (courses !== undefined || routes?.line !== undefined) reads.add("routes with maps");
  if (recordings !== undefined) reads.add("device files");
  if (workouts.some(hasTracks)) reads.add("tracks");
  const ofDays = days.flatMap((table) =>
    table.columns.flatMap(([, field, how]) => (field === "left" ? (how?.label ?? []) : [])),
  );
  const ofWorkouts = columns.flatMap(([, field, how]) =>
    field === "unsupported" || field === "series" ? (how?.label ?? []) : [],
  );
  const labels = [...ofWorkouts, ...ofDays];
  const ignored = [...columns, ...(gear?.columns ?? []), ...(routes?.columns ?? [])].flatMap(([theirs, field, how]) =>
    field === "ignore" ? [theirs].flat().map((column) => ({ column, why: how?.why ?? "" })) : [],
  );
  return {
    ignored,
    reads: [...reads],
    unsupported: [...new Set(labels)],
    leaves: [...new Set(Object.values(leaves))],
    leftNames: Object.keys(leaves).filter((name) => !leavesWorkouts.includes(name)),
  };
}
