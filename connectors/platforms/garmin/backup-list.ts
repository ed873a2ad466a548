/**
 * The list that gcexport saves from the website's service, beside a file for each activity. It is no export of the account, and people have it as their
 * backup. Its header says the units. Source: csv_header_default.properties of pe-st/garmin-connect-export.
 */

import type { WorkoutTable } from "../table/description.ts";
import { csv } from "../table/sources/csv-source.ts";
import { OTHER_SPORTS } from "./words.ts";

const derived = { why: "follows from what is read" };

/** The local time of `2018-03-08T12:23:22+01:00`. The column Offset has the distance from UTC. */
const localTime = (text: string) => text.slice(0, 19);

/** Offsets are `+01:00`. */
const offset = (text: string) => (/^[+-]\d{1,2}:?\d{2}$/.test(text) ? text : undefined);

/** The list that gcexport writes beside the files that it takes from the website. */
export const backupList: WorkoutTable = {
  layout: "of gcexport",
  from: csv("activities.csv", ["Start Time", "Activity ID", "Activity Name", "Duration (h:m:s)", "Activity Type"]),
  onlyAlone: true,
  filesById: true,
  dates: { order: "iso", zone: "local" },
  sports: OTHER_SPORTS,
  // biome-ignore format: a table is read by its columns
  columns: [
    ["Activity ID", "id"],
    ["Start Time", "datetime", { read: localTime }],
    ["Offset", "offset", { read: offset }],
    ["Activity Name", "name", { read: (text) => (/^untitled$/i.test(text) ? undefined : text) }],
    ["Description", "notes"],
    ["Activity Type", "activity"],
    ["Event Type", "type", { read: (text) => (/^race$/i.test(text) ? "race" : undefined) }],
    ["Event Type", "unsupported", { label: "kind of event", read: (text) => (/^(race|uncategorized|training)$/i.test(text) ? undefined : text) }],
    ["Distance (km)", "distance", { unit: "km", zero: "none" }],
    ["Duration (h:m:s)", "duration", { format: ["h:mm:ss", "mm:ss"] }],
    ["Average Heart Rate (bpm)", "avgHR"],
    ["Max. Heart Rate (bpm)", "maxHR"],
    ["Gear", "equipment"],
    ["Location Name", "unsupported", { label: "place" }],
    ["Elapsed Duration (h:m:s)", "unsupported", { label: "elapsed time" }],
    ["Moving Duration (h:m:s)", "unsupported", { label: "moving time" }],
    ["Calories", "unsupported", { label: "calories", unit: "kcal", zero: "none" }],
    ["Avg. Temp (°C)", "unsupported", { label: "temperature of the device", unit: "C" }],
    ["Min. Temp (°C)", "unsupported", { label: "lowest temperature", unit: "C" }],
    ["Max. Temp (°C)", "unsupported", { label: "highest temperature", unit: "C" }],
    [["Average Speed (km/h)", "Average Speed (km/h or min/km)"], "ignore", { why: "follows from distance and time" }],
    [["End Time", "Time Zone"], "ignore", derived],
    [["Activity Parent", "Device", "Privacy", "File Format"], "ignore", { why: "a mark of the platform's own" }],
  ],
};
