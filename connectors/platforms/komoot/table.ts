/** Komoot: pages of tours in the form of its service, with GPX files. README.md lists the parts that are read or left out. */

import { platform } from "../table/platform.ts";
import { json } from "../table/sources/json-source.ts";

const none = "none" as const;
const inside = { why: "a mark of the service's own" };

export const komoot = platform({
  name: "komoot",
  title: "Komoot tours",
  howToGet:
    "Komoot gives a GPX file for each tour; tools such as KomootGPX save all of them, and some save the service's own pages.",
  workouts: [
    {
      from: json({
        files: /\.json$/i,
        knownBy: ["id", "type", "sport", "date"],
        lists: [["_embedded", "tours", "*"]],
        skips: ["_embedded", "_links"],
      }),
      dates: { order: "iso", zone: "offset" },
      decimal: "float",
      skips: (cellOf) => (cellOf("type") === "tour_recorded" ? undefined : "a tour that was planned"),
      // biome-ignore format: a table is read by its columns
      columns: [
        ["id", "id"],
        ["sport", "activity"],
        ["name", "name"],
        ["date", "datetime"],
        ["distance", "distance", { unit: "m", zero: none }],
        ["time_in_motion", "moving"],
        ["duration", "elapsed"],
        ["elevation_up", "unsupported", { label: "elevation gain", unit: "m", zero: none }],
        ["elevation_down", "unsupported", { label: "elevation loss", unit: "m", zero: none }],
        ["kcal_active", "unsupported", { label: "calories", unit: "kcal", zero: none }],
        ["type", "ignore", { why: "a planned tour is skipped" }],
        ["start_point", "ignore", { why: "the first position of the track" }],
        ["difficulty", "unsupported", { label: "difficulty", notInKey: true }],
        [["_embedded", "_links"], "ignore", { why: "the track and pictures, which the GPX file or nothing has" }],
        [["status", "changed_at"], "ignore", inside],
        ["kcal_resting", "unsupported", { label: "energy of the body at rest", notInKey: true, unit: "kcal", zero: "none" }],
      ],
    },
  ],
  toldTotal: { files: /\.json$/i, list: ["_embedded", "tours", "*"], total: ["page", "totalElements"] },
  recordings: /\.gpx$/i,
  filesByStart: true,
  leaves: { "_images/": "the log has no place for pictures" },
});
