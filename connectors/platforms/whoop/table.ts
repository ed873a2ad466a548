/** The WHOOP export: workouts.csv among four tables. README.md lists the parts that are read or left out. */
import { withCells } from "../table/added-cells.ts";
import { csv } from "../table/csv-source.ts";
import type { ColumnRow } from "../table/description.ts";
import { platform } from "../table/platform.ts";
import { instantOf, lengthWithoutEnd } from "./values.ts";

const START = ["Workout start time", "Hora de inicio del entrenamiento"];
const NAME = ["Activity name", "Nombre de la actividad"];
const STRAIN = ["Activity Strain", "Esfuerzo de actividad"];
const ofDay = { why: "of the day, and not of the workout" };

const zones = [1, 2, 3, 4, 5].map(
  (zone): ColumnRow => [
    `HR Zone ${zone} %`,
    "unsupported",
    { label: `heart rate zone ${zone}`, unit: "%", zero: "none" },
  ],
);

export const whoop = platform({
  name: "whoop",
  title: "WHOOP export",
  howToGet: "WHOOP app > More > App settings > Data export; the link to a zip comes by mail.",
  workouts: [
    {
      from: withCells(csv("workouts.csv", [START, NAME, STRAIN]), {
        "start in UTC": instantOf,
        "length without an end": lengthWithoutEnd,
      }),
      dates: { order: "iso", zone: "local" },
      sameBy: (cellOf) => START.map(cellOf).find((text) => text !== "") ?? "",
      // biome-ignore format: a table is read by its columns
      columns: [
        [START, "datetime"],
        ["start in UTC", "instant"],
        ["Workout end time", "end"],
        ["length without an end", "duration", { format: ["minutes"], zero: "none" }],
        ["Duration (min)", "ignore", { why: "start and end show the seconds, too" }],
        [NAME, "activity"],
        ["Distance (meters)", "distance", { unit: "m", zero: "none" }],
        ["Average HR (bpm)", "avgHR"],
        [["Max HR (bpm)", "FC máx. (lpm)"], "maxHR"],
        [["Energy burned (cal)", "Energía quemada (cal)"], "unsupported", { label: "calories", unit: "kcal", zero: "none" }],
        [STRAIN, "unsupported", { label: "strain" }],
        ...zones,
        ["Altitude gain (meters)", "unsupported", { label: "elevation gain", unit: "m", zero: "none" }],
        ["Altitude change (meters)", "unsupported", { label: "elevation change", unit: "m", zero: "none" }],
        [["GPS enabled", "GPS habilitado"], "ignore", { why: "shows in the distance" }],
        [["Cycle start time", "Cycle end time"], "ignore", ofDay],
        ["Cycle timezone", "ignore", { why: "read with the start" }],
      ],
      sports: {
        Weightlifting: "weight",
        "Assault Bike": "bike",
        "Hiking/Rucking": "hike",
        "Disc Golf": "other",
        "Manual Labor": "other",
        "Yard Work": "other",
        Gaming: "other",
      },
    },
  ],
  leaves: {
    "*physiological_cycles.csv": "days: sleep, recovery and resting heart rates without a workout",
    "*sleeps.csv": "nights without a workout",
    "sueño.csv": "nights without a workout",
    "*journal_entries.csv": "answers that are private",
  },
});
