/** PWX, the recordings of TrainingPeaks: XML files with a workout and its samples. */

import type { XmlRecord, XmlValue } from "../../formats/xml/each.ts";
import type { ColumnRow, DayTable, WorkoutTable } from "../table/description.ts";
import type { TableLap } from "../table/mapping/fields.ts";
import { leftByName } from "../table/sources/left-by-name.ts";
import { xml } from "../table/sources/xml-source.ts";
import { refusedFor, SAMPLED, SPORT, samplesSum, withSports } from "./pwx-rows.ts";
import { SAMPLE, trackOf } from "./pwx-track.ts";
import { raceOf } from "./races.ts";

const none = "none" as const;

/** Separates the kinds of times. Most files have a local time without a zone, and some its distance from UTC. A time of UTC is an instant. */
function withTimes(workout: XmlRecord): XmlRecord {
  const time = textOf(workout.time);
  const [offset] = /[+-]\d\d:\d\d$/.exec(time) ?? [];
  const summary = membersOf(workout.summarydata);
  const elapsed = Number(textOf(summary.duration));
  const stopped = Number(textOf(summary.durationstopped));
  return {
    ...workout,
    ...(time.endsWith("Z") ? { instant: time } : { "local time": offset === undefined ? time : time.slice(0, -6) }),
    ...(offset !== undefined && { offset }),
    ...(elapsed > 0 && { elapsed: String(elapsed), moving: String(elapsed - (stopped > 0 ? stopped : 0)) }),
  };
}

/** Reads laps. Each has its own summary. */
function lapsOf(value: unknown): readonly TableLap[] {
  return [value].flat().map((segment) => {
    const summary = membersOf(membersOf(segment as XmlValue).summarydata);
    const metres = Number(textOf(summary.dist));
    const seconds = Number(textOf(summary.duration)) - (Number(textOf(summary.durationstopped)) || 0);
    return { ...(metres > 0 && { distance: { unit: "m", value: metres } }), ...(seconds > 0 && { timer: seconds }) };
  });
}

const extremes = (name: string, label: string, unit: string) =>
  ["avg", "max"].map(
    (which): ColumnRow => [
      `summarydata/${name}/${which}`,
      "unsupported",
      { label: which === "avg" ? `average ${label}` : `max ${label}`, unit, zero: none },
    ],
  );

const of = (name: string, ...members: readonly string[]) => members.map((member) => `summarydata/${name}/${member}`);

/**
 * The athlete's weight in PWX files, of the days of their workouts. As a column of the workouts it would change their keys, which are made of their
 * cells, so a later import would take each for a new one.
 */
export const pwxWeights: DayTable = {
  from: xml({
    files: /\.pwx(\.gz)?$/i,
    path: ["pwx", "workout"],
    knownBy: ["summarydata"],
    skips: ["sample", "event", "segment"],
    completes: withTimes,
  }),
  columns: [
    ["local time", "day", { read: (text) => text.slice(0, 10) }],
    ["athlete/weight", "weight", { unit: "kg", zero: none }],
  ],
  besideWorkouts: true,
};

/** The rows of PWX files. */
export const pwx: WorkoutTable = {
  from: withSports(
    xml({
      files: /\.pwx(\.gz)?$/i,
      path: ["pwx", "workout"],
      knownBy: ["summarydata"],
      skips: ["event"],
      sums: { workout: samplesSum },
      gathers: { workout: { points: "sample", members: SAMPLE } },
      completes: withTimes,
      refuses: refusedFor,
    }),
  ),
  track: trackOf,
  dates: { order: "iso", zone: "local" },
  decimal: "float",
  sports: { Other: "other" },
  // biome-ignore format: a table is read by its columns
  columns: [
    ["local time", "datetime"],
    ["instant", "instant"],
    ["offset", "offset", { notInKey: true }],
    [SPORT, "activity", { notInKey: true }],
    ["sportType", "type", { read: raceOf }],
    ["title", "name"],
    ["cmt", "notes"],
    ["goal", "notes", { label: "Goal" }],
    ["code", "notes", { label: "Code" }],
    ["moving", "moving", { zero: none }],
    ["elapsed", "elapsed", { zero: none }],
    ["summarydata/dist", "distance", { unit: "m", zero: none }],
    [SAMPLED, "distance", { unit: "m", zero: none, otherwise: true, notInKey: true }],
    ["summarydata/hr/avg", "avgHR", { zero: none }],
    ["summarydata/hr/max", "maxHR", { zero: none }],
    ["summarydata/temp/avg", "temperature", { unit: "C" }],
    ["segment", "laps", { laps: lapsOf }],
    ["sample", "series", { label: "track" }],
    ["summarydata/work", "unsupported", { label: "work", unit: "kJ", zero: none }],
    ["summarydata/tss", "unsupported", { label: "training stress score", zero: none }],
    ["summarydata/normalizedPower", "unsupported", { label: "normalised power", unit: "W", zero: none }],
    ["summarydata/climbingelevation", "unsupported", { label: "elevation gain", unit: "m", zero: none }],
    ["summarydata/descendingelevation", "unsupported", { label: "elevation loss", unit: "m", zero: none }],
    ...extremes("pwr", "power", "W"),
    ...extremes("cad", "cadence", "a minute"),
    ...extremes("torq", "torque", "N m"),
    [of("spd", "avg"), "ignore", { why: "follows from distance and time" }],
    ...leftByName(["spd/min", "spd/max", "alt/min", "alt/avg", "alt/max", "hr/min", "pwr/min", "cad/min", "torq/min", "temp/min", "temp/max"], "summarydata/"),
    [["time", "summarydata/duration", "summarydata/durationstopped", "summarydata/beginning"], "ignore", { why: "read as start and times" }],
    [["device", "athlete", "fingerprint", "event", "extension"], "ignore", { why: "the watch, marks of programs, and the athlete, whose weight is read for the day" }],
  ],
  skips: (cellOf) => (cellOf("sportType") === "Day Off" ? "a day off" : undefined),
  countsSkipped: ["a day off"],
};

function membersOf(value: XmlValue | undefined): XmlRecord {
  return typeof value === "object" && !Array.isArray(value) ? (value as XmlRecord) : {};
}

function textOf(value: XmlValue | undefined): string {
  return typeof value === "string" ? value.trim() : "";
}
