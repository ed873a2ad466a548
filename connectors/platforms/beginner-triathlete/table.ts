/** BeginnerTriathlete: the log's entries in the form of its service. README.md lists the parts that are read or left out. */

import { platform } from "../table/platform.ts";
import { json } from "../table/sources/json-source.ts";

const none = "none" as const;
const inside = { why: "a mark of the service's own" };

const SPORTS: Readonly<Record<string, string>> = { 1: "Bike", 2: "Run", 3: "Swim" };

export const beginnerTriathlete = platform({
  name: "beginner-triathlete",
  title: "BeginnerTriathlete log",
  howToGet:
    "BeginnerTriathlete has no export that is known here; programs that ask its service save lists of JSON records.",
  workouts: [
    {
      from: json({
        files: /\.json$/i,
        knownBy: ["EventId", "EventType", "EventDate", "TotalKilometers"],
        lists: [["*"]],
      }),
      dates: { order: "mdy", zone: "local" },
      decimal: "float",
      skips: (cellOf) => (cellOf("Planned") === "true" ? "planned" : undefined),
      // biome-ignore format: a table is read by its columns
      columns: [
        ["EventId", "id"],
        ["EventType", "activity", { read: (text) => SPORTS[text] ?? `event type ${text}` }],
        ["EventDate", "date"],
        ["EventTime", "time"],
        ["RouteName", "name"],
        ["Comments", "notes"],
        ["TotalMinutes", "duration", { format: ["minutes"], zero: none }],
        ["TotalKilometers", "distance", { unit: "km", zero: none }],
        ["AverageHeartRate", "avgHR"],
        ["MaximumHeartRate", "maxHR"],
        ["MinimumHeartRate", "unsupported", { label: "lowest heart rate", unit: "a minute", zero: none }],
        ["DeviceUploadFile", "unsupported", { label: "file on the server" }],
        ["Planned", "ignore", { why: "such an entry is skipped" }],
        [["HasDeviceUpload", "MemberId", "MemberUsername"], "ignore", inside],
      ],
    },
  ],
  recordings: /\.(fit|gpx|tcx)(\.gz)?$/i,
  filesByStart: true,
  leaves: {},
});
