/** The WHOOP export: workouts.csv among four tables. README.md lists the parts that are read or left out. */

import { fold } from "../table/columns/columns.ts";
import type { ColumnRow, FoundRows, RowSource } from "../table/description.ts";
import { platform } from "../table/platform.ts";
import { withCells } from "../table/sources/added-cells.ts";
import { csv, csvEach } from "../table/sources/csv-source.ts";
import { csvByForm, type FormColumn } from "../table/sources/form-source.ts";
import { instantOf, lengthWithoutEnd, ZONE } from "./values.ts";

const START = ["Workout start time", "Hora de inicio del entrenamiento"];
const NAME = ["Activity name", "Nombre de la actividad"];
const STRAIN = ["Activity Strain", "Esfuerzo de actividad"];
/** Behind the columns that are read by place, the word itself says the unit. */
const DISTANCE = [
  "Distance (meters)",
  "Distancia (metros)",
  "Distance (mètres)",
  "Distanz (Meter)",
  "Distância (metros)",
];
const ofDay = { why: "of the day, and not of the workout" };

const zones = [1, 2, 3, 4, 5].map(
  (zone): ColumnRow => [
    `HR Zone ${zone} %`,
    "unsupported",
    { label: `heart rate zone ${zone}`, unit: "%", zero: "none" },
  ],
);

const TIME = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d$/;
const TIME_OR_NONE = /^(?:\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d)?$/;
const NUMBER = /^-?[\d.]{0,20}$/;

const OF_2023: readonly FormColumn[] = [
  ...([
    ["Cycle start time", TIME],
    ["Cycle end time", TIME_OR_NONE],
    ["Cycle timezone", ZONE],
  ] as const),
  ...([
    ["Workout start time", TIME],
    ["Workout end time", TIME_OR_NONE],
    ["Duration (min)", NUMBER],
  ] as const),
  ...([
    ["Activity name", /\S/],
    ["Activity Strain", NUMBER],
    ["Energy burned (cal)", NUMBER],
  ] as const),
  ...([
    ["Max HR (bpm)", NUMBER],
    ["Average HR (bpm)", NUMBER],
  ] as const),
  ...[1, 2, 3, 4, 5].map((zone): FormColumn => [`HR Zone ${zone} %`, NUMBER]),
  // A yes or no in the language of the account: `true`, `verdadero`.
  ["GPS enabled", /^\p{L}{0,20}$/u],
];
const SINCE_2024: readonly FormColumn[] = [
  ...OF_2023,
  ...([
    ["Distance (meters)", NUMBER],
    ["Altitude gain (meters)", NUMBER],
    ["Altitude change (meters)", NUMBER],
  ] as const),
];
const inOtherLanguage = csvByForm({ layouts: [OF_2023, SINCE_2024], header: true, of: "a workout", agrees });

/** Swapped columns of one form show in a row: an end before its start, other minutes than between them, a maximum below its mean. */
function agrees(cellOf: (column: string) => string): boolean {
  const end = cellOf("Workout end time");
  const minutes = (Date.parse(`${end}Z`) - Date.parse(`${cellOf("Workout start time")}Z`)) / 60_000;
  const isLength =
    end === "" || cellOf("Duration (min)") === "" || Math.abs(minutes - Number(cellOf("Duration (min)"))) <= 2;
  const most = Number(cellOf("Max HR (bpm)"));
  return isLength && !(minutes < 0) && (most === 0 || most >= Number(cellOf("Average HR (bpm)")));
}

const named = csv("workouts.csv", [START, NAME, STRAIN]);

/** The columns that say how long a workout was. */
const LENGTHS = ["Workout end time", "Duration (min)"];

/** Why a table in another language waits, if neither its places nor its words show how long the workouts were. */
const WITHOUT_LENGTH: NonNullable<FoundRows["refused"]> = {
  key: "workouts.csv",
  issue: {
    severity: "error",
    rule: "whoop/without-length",
    found: "no column that logferry knows says when a workout ended or how long it was",
    expected:
      "an export of the account in English, or a mapping file: `logferry map infer` with the table alone makes one",
  },
};

/**
 * The headers follow the language of the account. Outside of English, the places of the columns count: few of the other words are known. By these
 * words alone, workouts would be without their time.
 */
const workouts: RowSource = {
  ...(named.claims && { claims: named.claims }),
  async find(archive, columns) {
    const found = await named.find(archive, columns);
    const has = (...names: readonly string[]) =>
      found?.header.some((name) => names.some((known) => fold(known) === fold(name))) === true;
    if (has("Workout start time") && has(...LENGTHS)) return found;
    const placed = await inOtherLanguage.find(archive, columns);
    if (placed !== undefined || found === undefined || has(...LENGTHS)) return placed ?? found;
    return { ...found, refused: WITHOUT_LENGTH };
  },
};

export const whoop = platform({
  name: "whoop",
  title: "WHOOP export",
  howToGet: "WHOOP app > More > App settings > Data export; the link to a zip comes by mail.",
  workouts: [
    {
      from: withCells(workouts, {
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
        [DISTANCE, "distance", { unit: "m", zero: "none" }],
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
        "Functional Fitness": "weight",
        "Assault Bike": "bike",
        "Hiking/Rucking": "hike",
        "Disc Golf": "other",
        "Manual Labor": "other",
        "Yard Work": "other",
        Gaming: "other",
        Commuting: "other",
        "Barry's": "other",
      },
    },
  ],
  days: [
    {
      from: csv("physiological_cycles.csv", ["Wake onset", "Resting heart rate (bpm)"]),
      columns: [
        // The night ends on the day that the heart rate belongs to.
        ["Wake onset", "day", { read: (text) => text.slice(0, 10) }],
        ["Resting heart rate (bpm)", "restHR", { zero: "none" }],
      ],
    },
    {
      // A cycle begins with one night and ends with the next, so its own times don't say the day.
      from: csvEach(
        /(^|\/)physiological_cycles\.csv$/i,
        (header) => header.includes("Resting heart rate (bpm)") && !header.includes("Wake onset"),
      ),
      columns: [
        ["Cycle start time", "day", { read: (text) => text.slice(0, 10) }],
        [
          "Resting heart rate (bpm)",
          "left",
          { label: "resting heart rates without the column Wake onset", zero: "none" },
        ],
      ],
    },
  ],
  leaves: {
    "*physiological_cycles.csv": "days: sleep, recovery and the like, but for the resting heart rate",
    "*sleeps.csv": "nights without a workout",
    "sueño.csv": "nights without a workout",
    "*journal_entries.csv": "answers that are private",
  },
});
