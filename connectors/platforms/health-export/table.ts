/** Health Export CSV, an app that exports Apple's health data as tables. README.md lists the parts that are read or left out. */

import { platform } from "../table/platform.ts";
import { withCells } from "../table/sources/added-cells.ts";
import { csv } from "../table/sources/csv-source.ts";

const none = "none" as const;
const span = (at: 0 | 1) => (cellOf: (column: string) => string) => cellOf("Date").split(" - ")[at] ?? "";

export const healthExport = platform({
  name: "health-export",
  title: "Health Export CSV files",
  howToGet: "Health Export CSV on the iPhone > Workouts > Export.",
  workouts: [
    {
      from: withCells(csv("workouts.csv", ["Date", "Activity", "Duration(Seconds)"]), { start: span(0), end: span(1) }),
      dates: { order: "iso", zone: "local" },
      quotesCommas: true,
      sameBy: (cellOf) => `${cellOf("Date")} ${cellOf("Activity")}`,
      // biome-ignore format: a table is read by its columns
      columns: [
        ["start", "datetime", { expected: "a span like 2021-01-02 15:05:17 - 2021-01-02 16:12:32" }],
        ["Activity", "activity"],
        ["Duration(Seconds)", "duration", { format: ["seconds"], zero: none }],
        ["end", "end"],
        ["Distance(km)", "distance", { unit: "km", zero: none }],
        ["Distance(mi)", "distance", { unit: "mi", zero: none }],
        ["Heart rate: Average(count/min)", "avgHR"],
        ["Heart rate: Maximum(count/min)", "maxHR"],
        ["Weather: Temperature(degC)", "temperature", { unit: "C" }],
        ["Weather: Temperature(degF)", "temperature", { unit: "F" }],
        ["Weather: Humidity(%)", "unsupported", { label: "humidity", unit: "%", zero: none }],
        ["Active energy burned(kcal)", "unsupported", { label: "active energy", unit: "kcal", zero: none }],
        ["Active energy burned(kJ)", "unsupported", { label: "active energy", unit: "kJ", zero: none }],
        ["Elevation: Ascended(m)", "unsupported", { label: "elevation gain", unit: "m", zero: none }],
        ["Elevation: Ascended(ft)", "unsupported", { label: "elevation gain", unit: "ft", zero: none }],
        ["Elevation: Maximum(m)", "unsupported", { label: "highest point", unit: "m", zero: none }],
        ["Elevation: Minimum(m)", "unsupported", { label: "lowest point", unit: "m", zero: none }],
        ["METs Average(kcal/hr·kg)", "unsupported", { label: "average METs", zero: none }],
        ["Date", "ignore", { why: "read as start and end" }],
      ],
    },
  ],
  leaves: {
    "record.csv": "measurements without a workout",
    "cumulative_*": "days without a workout",
    "*.gpx": "routes: give them as a source of their own, and each is joined to its workout by its start",
  },
});
