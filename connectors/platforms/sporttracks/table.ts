/** SportTracks 2 and 3: the logbook itself, and files of chosen activities. README.md lists the parts that are read or left out. */

import type { Issue } from "../../../transforms/model/issue.ts";
import { platform } from "../table/platform.ts";
import { xml } from "../table/sources/xml-source.ts";
import { gear } from "./gear.ts";
import { historyOfAthlete } from "./history.ts";
import { besideLogbook, logbook } from "./logbook.ts";
import { trackOfLogbook } from "./logbook-track.ts";
import { POINT, trackOf } from "./track.ts";
import { lapsAsMade, nameOf, priceOf, trackSum, withoutSign, withTotals } from "./values.ts";

const FRIEND = "an activity of a friend";
const NEWER_IN_FITLOG = "a fitlog beside the logbook has it in a newer state";
const IN_LOGBOOK: Readonly<Record<string, string>> = {
  same: "the logbook has it, too",
  logbook: "the logbook has it, too, and in a newer state",
};
const inside = { why: "a mark of the program's own" };
const readByParts = { why: "read by its parts" };

/** Weather codes, as far as notes and files show them. The log's own words for the weather are read too. */
const conditions = { Clouds: ["overcast"], PartClouds: ["partlyCloudy"], LightRain: ["rain"] };

/** Names of races in the languages of logbooks. */
const types = {
  Rennen: "race",
  Wettkampf: "race",
  Intervalle: "interval",
  Intervalltraining: "interval",
  Intervals: "interval",
} as const;

const OTHER_IN_LOGBOOK: Issue = {
  severity: "error",
  rule: "sporttracks/other-in-logbook",
  found: "an activity that the logbook has with other values, and nothing shows which is newer",
  expected: "the time of the last edit, in both",
};

export const sportTracks = platform({
  name: "sporttracks",
  title: "SportTracks logbook",
  howToGet:
    "SportTracks 2 or 3: copy the .logbook or .logbook3 file; or File > Export makes a .fitlog of chosen activities.",
  workouts: [
    {
      layout: "logbook",
      from: logbook(),
      track: trackOfLogbook,
      dates: { order: "iso", zone: "offset" },
      decimal: "float",
      conditions,
      types,
      // biome-ignore format: a table is read by its columns
      columns: [
        ["referenceId", "id"],
        ["start", "datetime", { expected: "a start in UTC. A day without a time is a midnight; this one fits two days or none" }],
        ["position", "position"],
        ["sport", "activity"],
        ["kind", "type"],
        ["name", "name", { read: nameOf }],
        ["notes", "notes"],
        ["location", "notes", { label: "Location" }],
        ["Weather/conditionsText", "notes", { label: "Weather" }],
        ["totalTime", "duration", { format: ["seconds"] }],
        ["totalDistance", "distance", { unit: "m", zero: "none" }],
        ["averageHeartRate", "avgHR"],
        ["maximumHeartRate", "maxHR"],
        ["intensity", "effort", { zero: "none" }],
        ["lapList", "laps", { laps: lapsAsMade }],
        ["Weather/conditions", "conditions"],
        ["Weather/temperatureCelsius", "temperature", { unit: "C", zero: "none" }],
        ["zero degrees", "temperature", { unit: "C", notInKey: true }],
        ["temperature 0", "unsupported", { label: "temperature 0, which may stand for none", notInKey: true }],
        ["totalCalories", "unsupported", { label: "calories", unit: "kcal", zero: "none" }],
        ["totalAscend", "unsupported", { label: "elevation gain", unit: "m", zero: "none" }],
        ["totalDescend", "unsupported", { label: "elevation loss", unit: "m", zero: "none", read: withoutSign }],
        ["series", "series", { label: "recorded series" }],
        [["startTime", "hasStartTime", "categoryId", "categoryName", "Laps", "DistanceMarkers"], "ignore", readByParts],
        ["TimerPauses", "unsupported", { label: "pauses", notInKey: true }],
        [["friend", "newerInFitlog"], "ignore", { why: "such a record is skipped" }],
        ["useEnteredData", "ignore", { why: "the totals count, whether typed or measured" }],
        ["Metadata", "ignore", inside],
      ],
      skips: (cellOf) =>
        cellOf("friend") === "true" ? FRIEND : cellOf("newerInFitlog") === "true" ? NEWER_IN_FITLOG : undefined,
    },
    {
      layout: "fitlog",
      from: xml({
        files: /\.(fitlog\d?|xml)$/i,
        path: ["FitnessWorkbook", "AthleteLog", "Activity"],
        knownBy: ["StartTime"],
        sums: { Track: trackSum },
        gathers: { Track: { points: "pt", members: POINT } },
        completes: withTotals,
        elsewhere: besideLogbook,
        refuses: ({ inLogbook }) => (inLogbook === "open" ? OTHER_IN_LOGBOOK : undefined),
      }),
      track: trackOf,
      dates: { order: "iso", zone: "offset" },
      decimal: "float",
      conditions,
      types,
      sameBy: (cellOf) => cellOf("StartTime"),
      // biome-ignore format: a table is read by its columns
      columns: [
        ["Id", "id"],
        ["StartTime", "datetime"],
        ["Track/position", "position"],
        ["sport", "activity"],
        ["Category/Name", "activity", { otherwise: true }],
        ["kind", "type"],
        ["Name", "name", { read: nameOf }],
        ["Notes", "notes"],
        ["Location/Name", "notes", { label: "Location" }],
        ["Duration/TotalSeconds", "duration", { format: ["seconds"] }],
        [["secondsInLaps", "onTrack"], "elapsed", { zero: "none" }],
        ["Distance/TotalMeters", "distance", { unit: "m", zero: "none" }],
        [["inLaps", "Track/metres"], "distance", { unit: "m", zero: "none", otherwise: true }],
        ["HeartRate/AverageBPM", "avgHR"],
        ["Track/meanHR", "avgHR", { otherwise: true }],
        ["HeartRate/MaximumBPM", "maxHR"],
        ["Intensity/Value", "effort", { zero: "none" }],
        ["Route/Name", "notes", { label: "Route" }],
        ["Track/maxHR", "maxHR", { otherwise: true }],
        ["lapList", "laps", { laps: lapsAsMade }],
        ["gear", "equipment", { separator: ", " }],
        ["Weather/Conditions", "conditions"],
        ["Weather/text()", "notes", { label: "Weather" }],
        ["Weather/Temp", "temperature", { unit: "C", zero: "none" }],
        ["zero degrees", "temperature", { unit: "C", notInKey: true }],
        ["temperature 0", "unsupported", { label: "temperature 0, which may stand for none", notInKey: true }],
        ["Calories/TotalCal", "unsupported", { label: "calories", unit: "kcal", zero: "none" }],
        ["Elevation/AscendMeters", "unsupported", { label: "elevation gain", unit: "m", zero: "none" }],
        ["Elevation/DescendMeters", "unsupported", { label: "elevation loss", unit: "m", zero: "none", read: withoutSign }],
        ["Cadence/AverageRPM", "unsupported", { label: "average cadence", unit: "a minute", zero: "none" }],
        ["Cadence/MaximumRPM", "unsupported", { label: "max cadence", unit: "a minute", zero: "none" }],
        ["Power/AverageWatts", "unsupported", { label: "average power", unit: "W", zero: "none" }],
        ["Power/MaximumWatts", "unsupported", { label: "max power", unit: "W", zero: "none" }],
        ["Weather/Notes", "notes", { label: "Weather" }],
        ["Track/series", "series", { label: "recorded series" }],
        [["Laps", "DistanceMarkers", "EquipmentUsed", "Track/StartTime", "Track/seconds"], "ignore", readByParts],
        ["TrackClock", "unsupported", { label: "pauses" }],
        [["inLogbook", "friend"], "ignore", { why: "such a record is skipped" }],
        [["Category/Id", "Location/Id", "Route/Id", "Metadata"], "ignore", inside],
      ],
      skips: (cellOf) => (cellOf("friend") === "true" ? FRIEND : IN_LOGBOOK[cellOf("inLogbook")]),
    },
  ],
  days: historyOfAthlete,
  gear: {
    from: gear,
    // biome-ignore format: a table is read by its columns
    columns: [
      [["referenceId", "Id"], "id"],
      ["brand", "brandName"],
      ["model", "modelName"],
      ["datePurchased", "purchaseDate"],
      ["notes", "notes"],
      ["type", "notes", { label: "Type" }],
      ["purchaseLocation", "notes", { label: "Bought at" }],
      ["purchasePrice", "price", { zero: "none", read: priceOf }],
      ["extraKilometersUsed", "notes", { label: "Used before", unit: "km", zero: "none" }],
      ["expectedLifeKilometers", "notes", { label: "Expected life", unit: "km", zero: "none" }],
      ["inUse", "status"],
      ["workouts", "workout"],
      ["Name", "ignore", { why: "read as brand and model" }],
      [["Activities"], "ignore", { why: "read as the workouts of the piece" }],
      [["displayWithActivity", "Metadata"], "ignore", inside],
    ],
    kinds: {},
    retired: "false",
  },
  recordings: /\.(fit|gpx|tcx)(\.gz)?$/i,
  filesByStart: true,
  ownerFiles: [{ files: /\.(fitlog|logbook3?)$/i, head: /<Athlete\s[^>]*?\bName="(?<name>[^"&]+)"/i }],
  leaves: {},
});
