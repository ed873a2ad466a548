/** intervals.icu: the list of activities, as CSV. README.md lists the parts that are read or left out. */

import { fold } from "../table/columns/columns.ts";
import type { ColumnRow } from "../table/description.ts";
import { platform } from "../table/platform.ts";
import { withCells } from "../table/sources/added-cells.ts";
import { csvEach } from "../table/sources/csv-source.ts";
import { leftByName } from "../table/sources/left-by-name.ts";

const none = "none" as const;
const derived = { why: "follows from distance and time" };
const inside = { why: "a mark of the platform's own" };
const ofDay = { why: "the state of a person on that day, worked out from all workouts" };

const training = (...names: readonly string[]) =>
  names.map(
    (name): ColumnRow => [name, "unsupported", { label: name.replace(/^icu_/, "").replaceAll("_", " "), zero: none }],
  );

const isTrue = (text: string) => text.toLowerCase() === "true";
const ifTrue = (text: string) => (isTrue(text) ? "yes" : undefined);

/** Recognises the list of activities. A person may have chosen the columns, so one of the service's own (`icu_...`) will do. */
function isList(header: readonly string[]): boolean {
  const names = header.map(fold);
  return names.includes("start_date_local") && names.includes("type") && names.some((name) => name.startsWith("icu_"));
}

export const intervalsIcu = platform({
  name: "intervals-icu",
  title: "intervals.icu activities",
  howToGet: "intervals.icu > Activities > Download; it makes activities.csv.",
  workouts: [
    {
      from: withCells(csvEach(/\.csv$/i, isList), {
        // In some exports, a piece has only its number.
        piece: (cellOf) => cellOf("gear") || cellOf("gear_id"),
        "kind of training": (cellOf) => (isTrue(cellOf("race")) || fold(cellOf("sub_type")) === "race" ? "race" : ""),
      }),
      dates: { order: "iso", zone: "local" },
      golden: [
        {
          cells: {
            start_date_local: "2024-05-01T07:00:00",
            type: "TrailRun",
            name: "Morning",
            moving_time: "3120",
            distance: "10012.5",
            average_heartrate: "148",
            icu_rpe: "5",
          },
          gives: {
            date: "2024-05-01",
            time: "07:00:00",
            activity: "run",
            name: "Morning",
            duration: "0:52:00",
            distance: "10012.5 m",
            avgHR: "148",
            effort: "5",
          },
        },
      ],
      decimal: "float",
      // biome-ignore format: a table is read by its columns
      columns: [
        ["id", "id"],
        ["start_date_local", "datetime"],
        ["start_date", "instant"],
        ["timezone", "zone"],
        ["type", "activity"],
        ["kind of training", "type"],
        ["name", "name"],
        ["description", "notes"],
        ["moving_time", "moving", { format: ["seconds"], zero: none }],
        ["elapsed_time", "elapsed", { format: ["seconds"], zero: none }],
        ["distance", "distance", { unit: "m", zero: none }],
        ["icu_distance", "distance", { unit: "m", zero: none, otherwise: true }],
        ["average_heartrate", "avgHR", { zero: none }],
        ["max_heartrate", "maxHR", { zero: none }],
        ["icu_resting_hr", "restHR", { zero: none }],
        ["icu_weight", "weight", { unit: "kg", zero: none }],
        ["average_weather_temp", "temperature", { unit: "C" }],
        ["average_temp", "temperature", { unit: "C", otherwise: true }],
        ["piece", "equipment"],
        ["icu_rpe", "effort", { zero: none }],
        ["tags", "notes", { label: "Tags" }],
        ["total_elevation_gain", "unsupported", { label: "elevation gain", unit: "m", zero: none }],
        ["total_elevation_loss", "unsupported", { label: "elevation loss", unit: "m", zero: none }],
        ["calories", "unsupported", { label: "calories", unit: "kcal", zero: none }],
        ["feel", "unsupported", { label: "feel, 1 is best of 5", zero: none }],
        ["perceived_exertion", "unsupported", { label: "perceived exertion", zero: none }],
        ["session_rpe", "unsupported", { label: "session RPE", zero: none }],
        ["sub_type", "unsupported", { label: "kind of activity", read: (text) => (fold(text) === "race" ? undefined : text) }],
        ["device_name", "unsupported", { label: "device" }],
        ["trainer", "unsupported", { label: "on a trainer", read: ifTrue }],
        ["commute", "unsupported", { label: "commute", read: ifTrue }],
        [["max_speed", "max_temp", "min_temp", "average_feels_like"], "unsupported", { label: "more of speed and temperature" }],
        ...training("average_cadence", "average_stride", "icu_average_watts", "icu_weighted_avg_watts", "icu_joules", "icu_training_load", "icu_intensity", "icu_ftp", "lthr", "hr_load", "trimp", "carbs_ingested"),
        [["average_speed", "pace"], "ignore", derived],
        [["icu_recording_time", "source", "external_id", "strava_id", "file_type", "paired_event_id"], "ignore", inside],
        ...leftByName(["gap", "decoupling", "compliance", "interval_summary"]),
        [["gear", "gear_id"], "ignore", { why: "read as the piece" }],
        ["race", "ignore", { why: "read as the kind of training" }],
        [["icu_ctl", "icu_atl"], "ignore", ofDay],
        [["icu_hr_zone_times", "icu_zone_times", "pace_zone_times"], "ignore", { why: "follow from the heart rates and paces" }],
      ],
      skips: (cellOf) => {
        if (cellOf("type") !== "") return undefined;
        return fold(cellOf("source")) === "strava"
          ? "an activity that Strava doesn't pass on: the export of Strava has it"
          : "a note, and no activity";
      },
    },
  ],
  days: [
    {
      from: csvEach(/\.csv$/i, ["id", "restingHR", "ctl"]),
      columns: [
        ["id", "day"],
        ["restingHR", "restHR", { zero: none }],
        ["weight", "weight", { unit: "kg", zero: none }],
      ],
    },
  ],
  leaves: { "*wellness*": "days: sleep, fitness and the like, but for the weight and the resting heart rate" },
});
