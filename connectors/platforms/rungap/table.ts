/** RunGap: a zip for each workout, with its data and its track. README.md lists the parts that are read or left out. */
import { utcOf } from "../table/cells/instants.ts";
import { platform } from "../table/platform.ts";
import { json } from "../table/sources/json-source.ts";
import { FILE_NAME } from "../table/sources/record-source.ts";
import { trackOf, withTrackFile } from "./track.ts";

const inside = { why: "a mark of the app's own" };

export const rungap = platform({
  name: "rungap",
  title: "RunGap export",
  howToGet: "RunGap > Share > Export to Dropbox, iCloud Drive or a folder; it makes a zip for each workout.",
  workouts: [
    {
      from: json({
        files: /\.metadata\.json$/i,
        knownBy: ["activityType", "startTime", "source"],
        lists: [],
        completes: withTrackFile,
      }),
      trackFiles: { columns: ["track file"], files: /\.rungap\.json$/i, track: trackOf },
      dates: { order: "iso", zone: "utc" },
      decimal: "float",
      // biome-ignore format: a table is read by its columns
      columns: [
        [FILE_NAME, "id", { read: (text) => text.replace(/\.metadata\.json$/i, "") }],
        ["title", "name"],
        ["description", "notes"],
        ["activityType/internalName", "activity"],
        ["activityType/sourceName", "activity", { otherwise: true }],
        ["startTime/time", "datetime", { read: utcOf }],
        ["startTime/timeZone", "zone"],
        ["distance", "distance", { unit: "m", zero: "none" }],
        ["duration", "duration", { format: ["seconds"], zero: "none" }],
        ["track file", "ignore", { why: "names the file with its points" }],
        ["laps", "unsupported", { label: "laps without a length", notInKey: true }],
        ["source", "unsupported", { label: "recorded by" }],
        ["appversion", "ignore", inside],
      ],
    },
  ],
  recordings: /\.(fit|gpx|tcx)$/i,
  filesByStart: true,
  leaves: {
    "*.rungap.json": "points of workouts, which tracks are made of",
    "*.nike.json": "the track as Nike has it",
  },
});
