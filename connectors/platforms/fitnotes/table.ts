/** The exports of two apps called FitNotes, for Android and for the iPhone. README.md lists the parts that are read or left out. */

import { fold } from "../table/columns/columns.ts";
import type { CellOf } from "../table/mapping/shown-units.ts";
import { platform } from "../table/platform.ts";
import { withCells } from "../table/sources/added-cells.ts";
import { csv } from "../table/sources/csv-source.ts";
import { SESSION_COLUMNS, sessions } from "../table/sources/sessions.ts";
import { repaired } from "./repair.ts";
import { androidSet, iphoneSet } from "./values.ts";

const inNotes = { why: "in the words of the set" };
const muscles = { why: "what an exercise is for" };
const WEIGHTS = ["Weight", "Weight (lbs)", "Weight (kg)"];
const UNITS = ["Distance Unit", "DistanceUnit"];

const [KILOGRAMS, POUNDS] = [/^kgs?$/i, /^lbs?$/i];
const isWeight = (cellOf: CellOf) => fold(cellOf("Measurement")) === "bodyweight";

/** The body weight of a row of measurements, if it has this unit. */
const bodyWeight = (units: RegExp) => (cellOf: CellOf) =>
  isWeight(cellOf) && units.test(cellOf("Unit")) ? cellOf("Value") : "";

/** The name of any other measurement, such as `Waist`. */
function otherMeasurement(cellOf: CellOf): string {
  if (!isWeight(cellOf)) return cellOf("Measurement");
  const unit = cellOf("Unit");
  return KILOGRAMS.test(unit) || POUNDS.test(unit) ? "" : "Bodyweight in a unit that logferry doesn't know";
}

export const fitnotes = platform({
  name: "fitnotes",
  title: "FitNotes export",
  howToGet: "FitNotes > Settings > Spreadsheet export; it makes one CSV file.",
  workouts: [
    {
      layout: "of the Android app",
      ...sessions(
        repaired(csv(undefined, ["Date", "Exercise", "Category", WEIGHTS, "Reps", "Distance", UNITS, "Time"])),
        {
          start: "Date",
          by: [],
          set: androidSet,
        },
      ),
      dates: { order: "iso", zone: "local" },
      columns: [
        ...SESSION_COLUMNS,
        ["Date", "date"],
        ["Category", "ignore", muscles],
        [[...WEIGHTS, "Distance"], "ignore", { ...inNotes, decimal: "float" }],
        [["Exercise", "Weight Unit", "Reps", "Comment"], "ignore", inNotes],
        [[...UNITS, "Time"], "ignore", inNotes],
      ],
    },
    {
      layout: "of the iPhone app",
      ...sessions(csv(undefined, ["StartTime", "Exercise", "Status", "IsWarmup", "RIR"]), {
        start: "StartTime",
        by: ["Name"],
        set: iphoneSet,
        decimal: ",",
      }),
      dates: { order: "iso", zone: "utc" },
      columns: [
        ...SESSION_COLUMNS,
        ["StartTime", "datetime"],
        ["EndTime", "end"],
        ["Name", "name"],
        ["BodyWeight", "unsupported", { label: "body weight without a unit" }],
        ["Categories", "ignore", muscles],
        [["Exercise", "Equipment", "Reps", "Weight", "Time", "Distance"], "ignore", inNotes],
        [["Status", "IsWarmup", "RPE", "RIR", "Note"], "ignore", inNotes],
      ],
    },
  ],
  days: [
    {
      from: withCells(csv("FitNotes_BodyTracker_Export.csv", ["Date", "Measurement", "Value", "Unit"]), {
        kg: bodyWeight(KILOGRAMS),
        lb: bodyWeight(POUNDS),
        other: otherMeasurement,
      }),
      numbers: ["Value"],
      columns: [
        ["Date", "day"],
        ["kg", "weight", { unit: "kg", zero: "none" }],
        ["lb", "weight", { unit: "lb", zero: "none" }],
        ["other", "left"],
      ],
    },
  ],
  leaves: { "FitNotes_BodyTracker_Export*": "measurements of the body, but for the weight of the day" },
});
