/** Huawei Health: the workouts of the export of an account. README.md lists the parts that are read or left out. */
import { isoOfMillis } from "../table/cells/instants.ts";
import { platform } from "../table/platform.ts";
import { json } from "../table/sources/json-source.ts";
import { recordings } from "./hitrack.ts";
import { trackOf } from "./track.ts";
import { sportOf, withAttribute } from "./values.ts";

const inside = { why: "a mark of the service's own" };

export const huawei = platform({
  name: "huawei",
  title: "Huawei Health export",
  howToGet:
    "Huawei Health > Me > your name > Privacy Centre > Request your data > Health; unpack the zip with its password first.",
  workouts: [
    {
      layout: [
        [/"motionPathData"/, "days"],
        [/./, "activities"],
      ],
      from: json({
        files: /(^|\/)motion path detail data[^/]*\.json$/i,
        knownBy: ["sportType"],
        lists: [["*", "motionPathData", "*"], ["*"]],
        // The names of their members are bare numbers, which is not JSON.
        drops: ["partTimeMap", "paceMap"],
        completes: withAttribute,
      }),
      track: trackOf,
      dates: { order: "iso", zone: "utc" },
      decimal: "float",
      sameBy: (cellOf) => cellOf("startTime"),
      // biome-ignore format: a table is read by its columns
      columns: [
        ["startTime", "datetime", { read: isoOfMillis }],
        ["timeZone", "offset"],
        ["sportType", "activity", { read: sportOf }],
        ["totalDistance", "distance", { unit: "m", zero: "none" }],
        ["simple/totalDistance", "distance", { unit: "m", zero: "none", otherwise: true }],
        ["totalTime", "duration", { format: ["milliseconds"] }],
        ["simple/avgHeartRate", "avgHR"],
        ["heart/mean", "avgHR", { otherwise: true }],
        ["simple/maxHeartRate", "maxHR"],
        ["heart/max", "maxHR", { otherwise: true }],
        ["totalCalories", "unsupported", { label: "calories", unit: "kcal", per: 1000, zero: "none" }],
        ["totalSteps", "unsupported", { label: "steps", zero: "none" }],
        ["simple/avgStepRate", "unsupported", { label: "average cadence", unit: "a minute", zero: "none" }],
        ["simple/wearSportData/swim_pool_length", "unsupported", { label: "pool length", unit: "cm", zero: "none" }],
        ["sportDataSource", "unsupported", { label: "typed by hand", read: (text) => (text === "2" ? "yes" : undefined) }],
        ["kinds", "series", { label: "recorded series" }],
        ["partTimeMap", "unsupported", { label: "split times", read: () => "yes" }],
        ["paceMap", "unsupported", { label: "paces", read: () => "yes" }],
        ["endTime", "ignore", { why: "with the start, the time that passed, pauses included" }],
        ["simple/creepingWave", "unsupported", { label: "climb, in an unknown unit", zero: "none" }],
        ["simple/mTotalDescent", "unsupported", { label: "descent, in an unknown unit", zero: "none" }],
        ["simple/mSwimSegments", "unsupported", { label: "swim segments, in unknown units" }],
        ["simple/mExtendTrackDataMap", "unsupported", { label: "more of the machine" }],
        ["simple/totalCalories", "ignore", { why: "said by the activity" }],
        ["attribute", "ignore", { why: "read by its parts" }],
        [["recordId", "vendor", "abnormalTrack"], "ignore", inside],
      ],
    },
    {
      layout: "HiTrack",
      from: recordings(),
      track: trackOf,
      dates: { order: "iso", zone: "utc" },
      decimal: "float",
      sameBy: (cellOf) => cellOf("startTime"),
      // biome-ignore format: a table is read by its columns
      columns: [
        ["startTime", "datetime", { read: isoOfMillis }],
        ["position", "position"],
        ["seconds", "elapsed", { zero: "none" }],
        ["metres", "distance", { unit: "m", zero: "none" }],
        ["heart/mean", "avgHR"],
        ["heart/max", "maxHR"],
        ["kinds", "series", { label: "recorded series" }],
        [["simple", "attribute"], "ignore", { why: "read by its parts" }],
      ],
    },
  ],
  leaves: {
    "Health detail data & description/": "measurements without a workout",
    "Sport per minute merged data & description/": "steps of minutes",
  },
});
