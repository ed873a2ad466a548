/** Mi Fitness: the workouts in the copy of a Xiaomi account's data. README.md lists the parts that are read or left out. */

import { isoOfSeconds } from "../table/cells/instants.ts";
import { platform } from "../table/platform.ts";
import { leftByName } from "../table/sources/left-by-name.ts";
import { sportRecords } from "./records.ts";

const none = "none" as const;
const derived = { why: "follows from distance and time" };
const inside = { why: "a mark of the platform's own" };

/** The paths to values of the cell of JSON. */
const value = (...names: readonly string[]) => names.map((name) => `Value/${name}`);

export const miFitness = platform({
  name: "mi-fitness",
  title: "Mi Fitness data copy",
  howToGet: "account.xiaomi.com > Privacy > Mi Fitness > a copy of your data; unpack the zip with its password first.",
  workouts: [
    {
      from: sportRecords(),
      dates: { order: "iso", zone: "utc" },
      decimal: "float",
      skips: (cellOf) => (cellOf("replaced") === "yes" ? "a later row has the same workout" : undefined),
      // biome-ignore format: a table is read by its columns
      columns: [
        ["id", "id"],
        ["sport", "activity"],
        [value("start_time"), "datetime", { read: isoOfSeconds }],
        ["Time", "datetime", { read: isoOfSeconds, otherwise: true }],
        [value("duration"), "duration", { format: ["seconds"], zero: none }],
        [value("end_time"), "end", { read: isoOfSeconds }],
        [value("distance"), "distance", { unit: "m", zero: none }],
        [value("avg_hrm"), "avgHR"],
        [value("max_hrm"), "maxHR"],
        [value("min_hrm"), "unsupported", { label: "lowest heart rate", unit: "a minute", zero: none }],
        [value("total_cal"), "unsupported", { label: "calories", unit: "kcal", zero: none }],
        [value("calories"), "unsupported", { label: "active calories", unit: "kcal", zero: none }],
        [value("steps"), "unsupported", { label: "steps", zero: none }],
        [value("avg_cadence"), "unsupported", { label: "average cadence", unit: "a minute", zero: none }],
        [value("max_cadence"), "unsupported", { label: "max cadence", unit: "a minute", zero: none }],
        ...leftByName(["vo2_max", "min_pace", "max_pace", "anaerobic_train_effect", "aerobic_train_effect", "train_load"], "Value/"),
        [value("avg_pace"), "ignore", derived],
        [value("sport_type"), "ignore", { why: "the sport as a number" }],
        [["Category", "Key"], "ignore", { why: "read as the sport" }],
        ["replaced", "ignore", { why: "such a row is skipped" }],
        [["Uid", "Sid", "UpdateTime"], "ignore", inside],
      ],
    },
  ],
  // Each file of a copy has the number of the user.
  ownerFiles: [{ files: /(^|\/)\d{8}_(?<id>\d{1,20})_MiFitness_[^/]*\.csv$/i }],
  leaves: {
    "*hlth_center_sport_track_data.csv": "links to tracks, which expire: no track is in the copy",
    "*hlth_center_fitness_data.csv": "measurements of days: their layout isn't known",
    "*hlth_center_aggregated_fitness_data.csv": "measurements of days: their layout isn't known",
    "*hlth_center_data_source.csv": "the devices",
    "*user_fitness_profile.csv": "the account",
    "*user_member_profile.csv": "the account",
    "*user_device_setting.csv": "the devices",
    "*user_fitness_data_records.csv": "the account",
  },
});
