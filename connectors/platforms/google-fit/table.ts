/** Google Fit in the form of Google Takeout: a JSON file for each session, and TCX files. README.md lists the parts that are read or left out. */

import { platform } from "../table/platform.ts";
import { json } from "../table/sources/json-source.ts";
import { severalOf } from "../table/sources/left-by-name.ts";
import { FILE_NAME } from "../table/sources/record-source.ts";
import { offsetOf, SPORTS, secondsOf, skips } from "./values.ts";

const none = "none" as const;

/** The path to a sum of a session. */
const sum = (name: string, value: string) => `aggregate[metricName=com.google.${name}]/${value}`;

export const googleFit = platform({
  name: "google-fit",
  title: "Google Fit export",
  howToGet: "takeout.google.com, with Fit selected; Google gives a zip.",
  workouts: [
    {
      from: json({
        files: /(^|\/)\d{4}-\d\d-\d\dT\d\d_\d\d_\d\d[^/]*\.json$/i,
        knownBy: ["fitnessActivity", "startTime", "endTime"],
        lists: [],
      }),
      dates: { order: "iso", zone: "offset" },
      decimal: "float",
      sameBy: (cellOf) => `${new Date(cellOf("startTime")).getTime()} ${cellOf("fitnessActivity")}`,
      skips: (cellOf) => skips(cellOf("fitnessActivity")),
      // biome-ignore format: a table is read by its columns
      columns: [
        ["fitnessActivity", "activity"],
        ["startTime", "datetime"],
        [FILE_NAME, "offset", { read: offsetOf }],
        ["endTime", "end"],
        ["duration", "duration", { format: ["seconds"], read: secondsOf, zero: none }],
        [sum("distance.delta", "floatValue"), "distance", { unit: "m", zero: none }],
        [sum("calories.expended", "floatValue"), "unsupported", { label: "calories", unit: "kcal", zero: none }],
        [sum("step_count.delta", "intValue"), "unsupported", { label: "steps", zero: none }],
        [sum("speed.summary", "floatValue"), "ignore", { why: "follows from distance and time" }],
        [[sum("active_minutes", "intValue"), sum("active_minutes", "floatValue")], "unsupported", { label: "active minutes", zero: none }],
        [[sum("heart_minutes.summary", "floatValue"), sum("heart_minutes.summary", "intValue")], "unsupported", { label: "heart points", zero: none }],
        ["segment", "unsupported", { label: "segments", read: severalOf }],
      ],
      sports: SPORTS,
    },
  ],
  recordings: /\.tcx$/i,
  filesByStart: true,
  ownerFiles: [{ files: /(^|\/)Takeout\/Profile\/Profile\.json$/ }],
  leaves: {
    "All data/": "measurements without a workout",
    "All Data/": "measurements without a workout",
    "Daily activity metrics/": "sums of days",
    "Daily Aggregations/": "sums of days",
    "Daily activity metrics.csv": "sums of days",
    "derived_com.google.*": "measurements without a workout",
    "raw_com.google.*": "measurements without a workout",
    "####-##-##.csv": "sums of days",
    "Dagelijkse activiteits*": "sums of days",
    "Métricas de actividad diaria*": "sums of days",
    "archive_browser.html": "a page about the archive",
  },
  // The names of folders and files follow the language of the account.
  leavesByHead: [
    {
      files: /\.json$/i,
      head: /^\s*\{\s*"(?:Data Source|Data Points)"\s*:/,
      why: "measurements without a workout",
    },
    // A day and its sums, which are numbers alone.
    { files: /\.csv$/i, head: /^[^\n]*\n\d{4}-\d\d-\d\d(?:,-?[\d.]*){8,}\s/, why: "sums of days" },
  ],
});
