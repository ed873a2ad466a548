/** The archive of Endomondo, which closed in 2020: a JSON and a TCX file for each workout. README.md lists the parts that are read or left out. */

import { platform } from "../table/platform.ts";
import { json } from "../table/sources/json-source.ts";
import { OF_POINTS, trackOf, withPoints } from "./points.ts";

const none = "none" as const;
const leftOut = () => "left out";

export const endomondo = platform({
  name: "endomondo",
  title: "Endomondo archive",
  howToGet: "Endomondo closed on 31 December 2020: the zip that you asked for before.",
  workouts: [
    {
      from: withPoints(
        json({
          files: /(^|\/)(Workouts\/[^/]*|\d{4}-\d\d-\d\d \d\d_\d\d_\d\d[^/]*)\.json$/i,
          knownBy: ["sport", "source", "start_time", "duration_s"],
          lists: [],
          merges: true,
          skips: ["points"],
        }),
      ),
      track: trackOf,
      filesByName: true,
      dates: { order: "iso", zone: "utc" },
      decimal: "float",
      sameBy: (cellOf) => `${cellOf("created_date")} ${cellOf("start_time")} ${cellOf("sport")}`,
      // biome-ignore format: a table is read by its columns
      columns: [
        ["sport", "activity"],
        ["start_time", "datetime"],
        [OF_POINTS.position, "position"],
        [OF_POINTS.series, "series", { label: "recorded series" }],
        ["name", "name"],
        ["notes", "notes"],
        ["message", "notes"],
        ["tags/name", "notes", { label: "tags" }],
        ["distance_km", "distance", { unit: "km", zero: none }],
        ["duration_s", "duration", { format: ["seconds"], zero: none }],
        ["heart_rate_avg_bpm", "avgHR"],
        ["heart_rate_max_bpm", "maxHR"],
        ["calories_kcal", "unsupported", { label: "calories", unit: "kcal", zero: none }],
        ["ascend_m", "unsupported", { label: "elevation gain", unit: "m", zero: none }],
        ["descend_m", "unsupported", { label: "elevation loss", unit: "m", zero: none }],
        ["altitude_min_m", "unsupported", { label: "lowest elevation", unit: "m" }],
        ["altitude_max_m", "unsupported", { label: "highest elevation", unit: "m" }],
        ["cadence_avg_rpm", "unsupported", { label: "average cadence", unit: "a minute", zero: none }],
        ["cadence_max_rpm", "unsupported", { label: "max cadence", unit: "a minute", zero: none }],
        ["speed_max_kmh", "unsupported", { label: "max speed", unit: "km/h", zero: none }],
        ["hydration_l", "unsupported", { label: "hydration", unit: "l", zero: none }],
        ["source", "unsupported", { label: "typed by hand", read: (text) => (text === "INPUT_MANUAL" ? "yes" : undefined) }],
        ["comments/text", "unsupported", { label: "comments", read: leftOut }],
        ["pictures/picture/url", "unsupported", { label: "pictures", read: leftOut }],
        ["speed_avg_kmh", "ignore", { why: "follows from distance and time" }],
        ["end_time", "ignore", { why: "with the start, the time that passed, pauses included" }],
        ["created_date", "ignore", { why: "the day it was saved, which may be later" }],
        ["points", "ignore", { why: "the TCX file has them, or a track is made of them" }],
        [["comments/author", "comments/created_date"], "ignore", { why: "counted as comments" }],
        [["pictures/picture", "pictures/point", "pictures/created_date"], "ignore", { why: "counted as pictures" }],
      ],
      sports: { CROSS_TRAINING: "elliptical" },
    },
  ],
  recordings: /\.tcx$/i,
  ownerFiles: [{ files: /(^|\/)Profile\/[^/]*\.json$/ }],
  leaves: {
    "resources/": "the log has no place for pictures",
    "Friends/": "other people",
    "Profile/": "the account",
    "Weights/": "weights: their layout isn't known",
    "Routes/": "routes, whose layout isn't known",
    "index.html": "the same for a browser",
  },
});
