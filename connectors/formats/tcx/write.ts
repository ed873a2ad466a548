/**
 * Writes TCX (Garmin Training Center Database v2): one recording as a device file of its own, with every point that has a time.
 *
 * Elements stand in the order of Garmin's schema (TrainingCenterDatabasev2.xsd, and ActivityExtensionv2.xsd for the extensions of a point).
 * TCX has no field for a point's temperature, and no way to begin a lap with a break. So these two are not written.
 */

import { activityNamed, activityOfFit } from "../../../transforms/activities.ts";
import { defined } from "../../../transforms/model/defined.ts";
import { HEART_RATE } from "../../../transforms/plausibility/heart-rates.ts";
import { inMetres, type Measure } from "../../../transforms/units.ts";
import type { Lap, Point, Recording } from "../recording.ts";
import { decimal, escaped } from "../xml/write.ts";

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2">
<Activities>
`;
const TAIL = "</Activities>\n</TrainingCenterDatabase>\n";
const EXTENSION = "http://www.garmin.com/xmlschemas/ActivityExtension/v2";

/**
 * Writes a recording as a TCX document.
 *
 * @param recording decoded with its points
 * @returns undefined if no point has a time, because the schema requires a time for each point
 */
export function writeTcx(recording: Recording): Uint8Array | undefined {
  const timed = (recording.points ?? []).filter(isTimed);
  const [first] = timed;
  if (first === undefined) return undefined;
  // The document is made in chunks. Its whole text beside its bytes would double the memory for a day's recording.
  const chunks: Buffer[] = [];
  let text = "";
  const { start } = recording;
  for (const part of tcxParts(recording, timed, start !== undefined && isDate(start) ? start : first.instant)) {
    text += part;
    if (text.length < CHUNK) continue;
    chunks.push(Buffer.from(text));
    text = "";
  }
  chunks.push(Buffer.from(text));
  return Buffer.concat(chunks);
}

const CHUNK = 2 ** 16;

type TimedPoint = Point & { readonly instant: number };

function isTimed(point: Point): point is TimedPoint {
  return point.instant !== undefined && isDate(point.instant);
}

/** Whether `Date` can write the instant with a year of four digits. */
function isDate(instant: number): boolean {
  return instant >= -62_135_596_800_000 && instant < 253_402_300_800_000;
}

function* tcxParts(recording: Recording, points: readonly TimedPoint[], start: number): Generator<string> {
  const sport = sportOf(recording);
  const pointText = pointWriter(sport, distanceBefore(recording, points));
  yield `${HEAD}<Activity Sport="${sport}">\n<Id>${dateTime(start)}</Id>\n`;
  let next = 0;
  for (const [index, lap] of lapsOf(recording, start).entries()) {
    yield lapHead(lap, index === 0 ? recording.calories : 0);
    // Points stay in the file's order. If the clock goes back, the point stays in the current lap.
    const from = next;
    for (; next < points.length && (points[next] as TimedPoint).instant < lap.until; next++) {
      const point = points[next] as TimedPoint;
      if (next === from) yield "<Track>\n";
      else if (point.breakBefore) yield "</Track>\n<Track>\n";
      yield pointText(point);
    }
    yield next > from ? "</Track>\n</Lap>\n" : "</Lap>\n";
  }
  const notes = escaped(recording.notes ?? "");
  yield `${notes === "" ? "" : `<Notes>${notes}</Notes>\n`}</Activity>\n${TAIL}`;
}

/** A lap with the start that the schema requires, and with the start of the next lap. */
interface WrittenLap extends Lap {
  readonly start: number;
  /** Milliseconds since 1970 UTC. Infinite for the last lap. */
  readonly until: number;
}

/** The laps in the order of their starts. If there are no laps, or a lap has no start, there is one lap for the whole recording. */
function lapsOf({ laps, distance, timer, elapsed, avgHR, maxHR }: Recording, start: number): readonly WrittenLap[] {
  const areTimed = laps.length > 0 && laps.every((lap) => lap.start !== undefined && isDate(lap.start));
  const own: readonly Lap[] = areTimed
    ? laps.toSorted((a, b) => (a.start ?? 0) - (b.start ?? 0))
    : [defined({ start, distance, timer, elapsed, avgHR, maxHR })];
  return own.map((lap, index) => ({
    ...lap,
    start: lap.start ?? start,
    until: own[index + 1]?.start ?? Number.POSITIVE_INFINITY,
  }));
}

function lapHead(lap: WrittenLap, calories = 0): string {
  const metres = lap.distance === undefined ? 0 : Math.max(0, inMetres(lap.distance));
  const parts = [
    element("TotalTimeSeconds", decimal(lap.timer ?? lap.elapsed ?? 0)),
    element("DistanceMeters", decimal(metres)),
    element("Calories", whole(calories, 0, 65_535) ?? "0"),
    heartRate("AverageHeartRateBpm", lap.avgHR),
    heartRate("MaximumHeartRateBpm", lap.maxHR),
    element("Intensity", RESTING.has(lap.intensity?.toLowerCase() ?? "") ? "Resting" : "Active"),
    element("TriggerMethod", TRIGGERS.get(lap.trigger?.toLowerCase() ?? "") ?? "Manual"),
  ];
  return `<Lap StartTime="${dateTime(lap.start)}">\n${parts.join("")}\n`;
}

/** The words of FIT and of TCX, in lower case. */
const RESTING: ReadonlySet<string> = new Set(["rest", "resting", "recovery"]);
const TRIGGERS: ReadonlyMap<string, string> = new Map([
  ["distance", "Distance"],
  ["time", "Time"],
  ["location", "Location"],
  ["position_start", "Location"],
  ["position_lap", "Location"],
  ["position_waypoint", "Location"],
  ["position_marked", "Location"],
  ["heartrate", "HeartRate"],
]);

/** @param before metres that the device had counted when the recording began */
function pointWriter(sport: TcxSport, before: number): (point: TimedPoint) => string {
  return ({ instant, position, elevation, distance, heartRate: bpm, cadence, power, speed }) => {
    const turns = whole(cadence, 0, 254);
    const extension = [
      element("Speed", speed === undefined ? undefined : decimal(speed)),
      element("RunCadence", sport === "Running" ? turns : undefined),
      element("Watts", whole(power, 0, 65_535)),
    ].join("");
    const parts = [
      element("Time", dateTime(instant)),
      position === undefined
        ? ""
        : `<Position>${element("LatitudeDegrees", decimal(position.lat))}${element("LongitudeDegrees", decimal(position.lon))}</Position>`,
      element("AltitudeMeters", elevation === undefined ? undefined : decimal(elevation)),
      element("DistanceMeters", distance === undefined ? undefined : decimal(metresSince(distance, before))),
      heartRate("HeartRateBpm", bpm),
      element("Cadence", sport === "Running" ? undefined : turns),
      extension === "" ? "" : `<Extensions><TPX xmlns="${EXTENSION}">${extension}</TPX></Extensions>`,
    ];
    return `<Trackpoint>${parts.join("")}</Trackpoint>\n`;
  };
}

function metresSince(distance: Measure<"distance">, before: number): number {
  return Math.max(0, inMetres(distance) - before);
}

/** Some devices count on through the legs of a triathlon. A count that is less than this above the leg's length is no such count. */
const COUNTED_ON_METRES = 100;

/** Metres the device had counted before the recording began. */
function distanceBefore({ distance }: Recording, points: readonly Point[]): number {
  const counted = points.filter((point) => point.distance !== undefined);
  const first = counted[0]?.distance;
  const last = counted.at(-1)?.distance;
  if (distance === undefined || first === undefined || last === undefined) return 0;
  const more = inMetres(last) - inMetres(distance);
  return more < COUNTED_ON_METRES ? 0 : Math.min(inMetres(first), more);
}

type TcxSport = "Running" | "Biking" | "Other";

/** The three words of the schema. */
function sportOf({ sport, fitSport }: Recording): TcxSport {
  const activity = (fitSport === undefined ? undefined : activityOfFit(...fitSport)) ?? (sport && activityNamed(sport));
  return activity === "run" ? "Running" : activity === "bike" ? "Biking" : "Other";
}

/** Leaves out an impossible heart rate, because a log would use it for the average or the maximum. */
function heartRate(name: string, beats: number | undefined): string {
  const value = whole(beats, HEART_RATE.least, HEART_RATE.most);
  return value === undefined ? "" : `<${name}>${element("Value", value)}</${name}>`;
}

/** A number as a small whole number of the schema; undefined if it is out of range. */
function whole(value: number | undefined, least: number, most: number): string | undefined {
  const rounded = value === undefined ? Number.NaN : Math.round(value);
  return rounded >= least && rounded <= most ? String(rounded) : undefined;
}

function element(name: string, text: string | undefined): string {
  return text === undefined ? "" : `<${name}>${text}</${name}>`;
}

function dateTime(instant: number): string {
  return new Date(instant).toISOString();
}
