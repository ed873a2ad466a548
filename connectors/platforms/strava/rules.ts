/** What the issues about an export are called: names that journals, and what people were told, have known since before it was a table. */
import { calledGearBook, type GearLine, type GearUse } from "../table/called-gear.ts";
import type { OwnRules } from "../table/own-rules.ts";

export const RULES: OwnRules = {
  "table/unlisted-gear": { rule: "strava/unlisted-gear", field: "Activity Gear" },
  "table/same-gear": { rule: "strava/same-gear" },
  "table/missing-course": { rule: "strava/missing-file", field: "Route Filename" },
};

/** The lists of gear. */
export const LISTS = { "shoes.csv": "shoe", "bikes.csv": "bike" } as const;

/** All gear of an export, by the lines of its lists and what its rows call it. */
export const stravaGear = (lines: readonly GearLine[], use: GearUse) =>
  calledGearBook(lines, use, { prefix: "strava", lists: LISTS, rules: RULES });
