/**
 * Turns TCX (Garmin Training Center Database v2) into recordings and routes.
 *
 * - Every `<Activity>` is a recording, also inside a `<MultiSportSession>`. Every `<Course>` is a route. Workout plans are only counted.
 * - Distance, timer and calories are summed over the laps. `TotalTimeSeconds` is timer time. A lap without a distance gets the distance
 *   of its points.
 * - Heart rate comes from the trackpoints. If no trackpoint has one, it comes from the laps. An impossible heart rate is left out if a
 *   possible one exists.
 * - `elapsed` goes from the earliest trackpoint to the latest. A first time of another day than all the rest doesn't count: see
 *   `xml/first-time.ts`.
 * - `start` is the first lap's `StartTime`, else the activity's `Id`, else the first trackpoint's time.
 * - Devices begin a new `<Track>` inside a lap after a pause, so that is a break. The first `<Track>` of a lap is no break.
 * - Trackpoints without a position are points too: pools and trainers have only such points.
 */
import { defined } from "../../../transforms/model/defined.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import { isHeartRate } from "../../../transforms/plausibility/heart-rates.ts";
import { cutShort } from "../cut-short.ts";
import type { Depth, Device, DeviceFile, Lap, Point, Recording, Route } from "../recording.ts";
import { correctFirstTime, doubtfulDay, doubtsOf } from "../xml/first-time.ts";
import { readXml, type XmlHandler, type XmlOutcome } from "../xml/reader.ts";
import { costly, Remarks } from "../xml/remarks.ts";
import { TRACK_CAPS, Track, type TrackCaps } from "../xml/track.ts";
import { parseDecimal, parseTime, type Time } from "../xml/values.ts";
import { believedOffset } from "../xml/written-offset.ts";
import { type LapMeter, lapMeter } from "./lap-distance.ts";
import { fillDistances, sumOf, timerOf } from "./lap-totals.ts";

/**
 * Decodes a whole file.
 *
 * @param source the file's bytes (not compressed), or its text
 * @returns never throws. Problems are in `issues` (see `DeviceFile`)
 */
export function decodeTcx(source: Uint8Array | string, depth: Depth, caps: TrackCaps = TRACK_CAPS): DeviceFile {
  const decoder = tcxDecoder(depth, caps);
  return decoder.finish(readXml(source, decoder, caps));
}

function badPosition(lat: number | undefined, lon: number | undefined): Issue {
  const found = `${lat ?? "none"} ${lon ?? "none"}`;
  const expected = "degrees, -90 to 90 and -180 to 180; the point was kept without it";
  return { severity: "warning", rule: "tcx/bad-position", field: "Position", found, expected };
}

interface TcxDecoder extends XmlHandler {
  finish(outcome: XmlOutcome): DeviceFile;
}

/** An `<Activity>` or `<Course>` that is being read. */
interface Unit {
  readonly kind: "Activity" | "Course";
  /** Its depth in the document. */
  readonly depth: number;
  readonly sport: string | undefined;
  readonly track: Track;
  readonly meter: LapMeter;
  readonly laps: LapDraft[];
  /** Texts by the element's name: Id, Name, and Notes (with the notes of the laps). */
  readonly texts: Map<string, string>;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
/** `counted` and `lasted`: metres and seconds by its points. */
type LapDraft = Writable<Lap> & { calories?: number; counted?: number | undefined; lasted?: number | undefined };
/** A point, and what becomes its position. Apart from it, so that no point is copied. */
interface PointDraft {
  readonly point: Writable<Point>;
  lat?: number;
  lon?: number;
  hasPosition?: true;
}
type Setter<T> = (draft: T, value: number) => void;

/** The root element, and the TCX names of the fields of a point or a lap. `Name/Value` is `Value` inside `Name`. */
const ROOT = "TrainingCenterDatabase";

const POINT_NUMBERS = new Map<string, Setter<PointDraft>>([
  ["AltitudeMeters", ({ point }, value) => (point.elevation = value)],
  ["DistanceMeters", ({ point }, value) => (point.distance = { unit: "m", value })],
  ["HeartRateBpm", ({ point }, value) => (point.heartRate = value)],
  ["Cadence", ({ point }, value) => (point.cadence = value)],
  ["RunCadence", ({ point }, value) => (point.cadence ??= value)],
  ["Speed", ({ point }, value) => (point.speed = value)],
  ["Watts", ({ point }, value) => (point.power = value)],
  ["LatitudeDegrees", (draft, value) => (draft.lat = value)],
  ["LongitudeDegrees", (draft, value) => (draft.lon = value)],
]);

const LAP_NUMBERS = new Map<string, Setter<LapDraft>>([
  ["TotalTimeSeconds", (lap, value) => (lap.timer = value)],
  ["DistanceMeters", (lap, value) => (lap.distance = { unit: "m", value })],
  ["Calories", (lap, value) => (lap.calories = value)],
  ["AverageHeartRateBpm", (lap, value) => (lap.avgHR = value)],
  ["MaximumHeartRateBpm", (lap, value) => (lap.maxHR = value)],
]);

const LAP_WORDS = new Map<string, (lap: LapDraft, text: string) => void>([
  ["Intensity", (lap, text) => (lap.intensity = text)],
  ["TriggerMethod", (lap, text) => (lap.trigger = text)],
]);

function tcxDecoder(depth: Depth, caps: TrackCaps): TcxDecoder {
  const remarks = new Remarks();
  const recordings: Recording[] = [];
  const routes: Route[] = [];
  let root: string | undefined;
  let device: Device = {};
  let unit: Unit | undefined;
  let lap: LapDraft | undefined;
  let tracksOfLap = 0;
  let breakNext = false;
  /** Whether a time of the current unit was left out or replaced. */
  let corrected = false;
  let points = 0;
  let workouts = 0;
  /** The depth of the current point; -1 outside a point. */
  let pointDepth = -1;
  let draft: PointDraft = { point: {} };

  function number(field: string, text: string): number | undefined {
    const value = parseDecimal(text);
    if (value === undefined) {
      remarks.add({ severity: "warning", rule: "tcx/bad-value", field, found: text, expected: "a number" });
    }
    return value;
  }

  function time(field: string, text: string): Time | undefined {
    const read = parseTime(text);
    if (read === undefined) {
      remarks.add({ severity: "warning", rule: "tcx/bad-time", field, found: text, expected: "a date and time" });
    } else if (!read.zoned) {
      const expected = "a Z at its end; it was read as UTC";
      remarks.add({ severity: "warning", rule: "tcx/time-without-zone", field, found: text, expected });
    }
    return read;
  }

  function openPoint(at: number): boolean {
    if (points === caps.points) {
      remarks.add({
        severity: "warning",
        rule: "tcx/too-many-points",
        found: `more than ${caps.points} points`,
        expected: "fewer; the first ones were read",
      });
      return false;
    }
    points++;
    pointDepth = at;
    draft = { point: {} };
    return true;
  }

  function closePoint({ track, meter }: Unit): void {
    pointDepth = -1;
    const { point, lat, lon, hasPosition } = draft;
    if (lat !== undefined && lon !== undefined && Math.abs(lat) <= 90 && Math.abs(lon) <= 180) {
      point.position = { lat, lon };
    } else if (hasPosition) {
      remarks.add(badPosition(lat, lon));
    }
    const wrong = track.timeCount === 0 ? correctFirstTime(point, lap?.start) : undefined;
    if (wrong !== undefined) remarks.add(wrong);
    corrected ||= wrong !== undefined;
    if (breakNext) point.breakBefore = true;
    breakNext = false;
    meter.add(point);
    track.add(point);
  }

  function readPoint(name: string, text: string, parent: string | undefined): void {
    if (name === "Position") draft.hasPosition = true;
    if (text === "") return;
    if (name === "Time") {
      const read = time("Time", text);
      if (read !== undefined) draft.point.instant = read.instant;
      return;
    }
    const field = name === "Value" ? (parent ?? "") : name;
    const set = POINT_NUMBERS.get(field);
    if (set === undefined) return;
    const value = number(field, text);
    if (value !== undefined) set(draft, value);
  }

  function readLap(into: LapDraft, name: string, text: string, parent: string | undefined): void {
    const field = name === "Value" ? (parent ?? "") : name;
    if (parent === "Lap") LAP_WORDS.get(name)?.(into, text);
    // Extensions of a lap have fields of the same names (`LX`). Only the lap's own fields count.
    const set = parent === "Lap" || name === "Value" ? LAP_NUMBERS.get(field) : undefined;
    const value = set === undefined ? undefined : number(field, text);
    if (value !== undefined) set?.(into, value);
  }

  function closeLap({ meter }: Unit): void {
    if (lap !== undefined) {
      lap.counted = meter.metres(lap.distance === undefined);
      lap.lasted = meter.seconds(lap.start);
    }
    lap = undefined;
  }

  function readUnit(into: Unit, name: string, text: string, parent: string | undefined): void {
    if (parent === "Creator") {
      // `UnitId` is 0 if a program made the file, and not a device.
      if (name === "Name" && device.product === undefined) device = { ...device, product: text };
      if (name === "UnitId" && text !== "0" && device.serial === undefined) device = { ...device, serial: text };
    }
    if (name === "Notes" && (parent === into.kind || parent === "Lap")) {
      const notes = into.texts.get("Notes");
      into.texts.set("Notes", notes === undefined ? text : `${notes}\n${text}`);
    } else if (parent === into.kind && (name === "Id" || name === "Name")) {
      into.texts.set(name, text);
    }
  }

  function closeUnit(done: Unit, stop?: XmlOutcome): void {
    unit = undefined;
    lap = undefined;
    if (done.kind === "Course") closeCourse(done);
    else closeActivity(done, stop);
  }

  function closeCourse({ track, laps, texts }: Unit): void {
    routes.push(
      defined({
        name: texts.get("Name"),
        notes: texts.get("Notes"),
        distance: metres(sumOf(laps, (each) => each.distance?.value)) ?? metres(track.metres),
        pointCount: track.pointCount,
        points: track.points,
      }),
    );
  }

  function closeActivity({ sport, track, laps, texts }: Unit, stop?: XmlOutcome): void {
    const id = texts.get("Id");
    const begun = laps[0]?.start ?? (id === undefined ? undefined : parseTime(id)?.instant) ?? track.start;
    if (begun === undefined && laps.length === 0 && track.pointCount === 0) {
      remarks.add({ severity: "warning", rule: "tcx/empty-activity", found: id ?? "nothing", expected: "laps" });
      return;
    }
    const doubtful = doubtfulDay(track, begun);
    corrected ||= track.forgetFirstElsewhere();
    for (const issue of [track.backwardsIssue("tcx"), track.heartRateIssue("tcx")])
      if (issue !== undefined) remarks.add(issue);
    const offset = id === undefined ? undefined : parseTime(id)?.offsetMinutes;
    const measured = fillDistances(laps);
    if (measured > 0) {
      const found = `${measured} of ${laps.length} laps without a distance`;
      const expected = "DistanceMeters; computed from their points";
      remarks.add({ severity: "warning", rule: "tcx/computed-distance", found, expected });
    }
    const timer = timerOf(laps, track.elapsed, remarks);
    const distance = metres(sumOf(laps, (each) => each.distance?.value));
    recordings.push(
      defined({
        sport,
        start: begun,
        offsetMinutes: believedOffset(offset, { start: begun, firstPosition: track.firstPosition }, "tcx", remarks),
        firstPosition: track.firstPosition,
        distance,
        elapsed: track.elapsed,
        timer,
        ...heartRatesOf(laps, track),
        calories: sumOf(laps, (each) => each.calories),
        laps: laps.map(({ calories: _, counted: _metres, lasted: _seconds, ...each }) => each),
        doubts: doubtsOf(doubtful, stop?.end === "cut" ? cutShort(track.metres, `in line ${stop.line}`) : undefined),
        isCorrected: corrected || undefined,
        name: texts.get("Name"),
        notes: texts.get("Notes"),
        pointCount: track.pointCount,
        positionCount: track.positionCount,
        points: track.points,
      }),
    );
  }

  return {
    open(name, attributes, path) {
      if (path.length === 0) {
        root = name;
        return name === ROOT;
      }
      if (pointDepth !== -1) return true;
      if (unit === undefined) {
        const parent = path.at(-1);
        if (name === "Workout" && parent === "Workouts") workouts++;
        if (name === "Transition" && parent === "NextSport") {
          const found = "between the legs of a multisport session";
          remarks.add({ severity: "info", rule: "tcx/transition", found, expected: "an activity; it was left out" });
        }
        if (name === "Activity" || (name === "Course" && parent === "Courses")) {
          const track = new Track(depth);
          unit = {
            kind: name,
            depth: path.length,
            sport: attributes.Sport,
            track,
            meter: lapMeter(track),
            laps: [],
            texts: new Map(),
          };
          breakNext = false;
          corrected = false;
        }
        return true;
      }
      if (name === "Trackpoint") return openPoint(path.length);
      if (name === "Lap") {
        const began = attributes.StartTime === undefined ? undefined : time("StartTime", attributes.StartTime);
        lap = began === undefined ? {} : { start: began.instant };
        unit.laps.push(lap);
        unit.meter.open();
        tracksOfLap = 0;
      } else if (name === "Track") {
        breakNext = tracksOfLap > 0;
        tracksOfLap++;
      }
      return true;
    },
    close(name, text, path) {
      if (unit === undefined) return;
      const parent = path.at(-1);
      if (pointDepth !== -1) {
        if (path.length === pointDepth) closePoint(unit);
        else readPoint(name, text, parent);
        return;
      }
      if (path.length === unit.depth) return closeUnit(unit);
      if (name === "Lap") closeLap(unit);
      if (text === "") return;
      if (lap !== undefined) readLap(lap, name, text, parent);
      readUnit(unit, name, text, parent);
    },
    finish(outcome) {
      if (unit !== undefined) closeUnit(unit, outcome);
      const issues = [...outcome.issues, ...remarks.list()];
      const file = { format: "tcx", device } as const;
      if (root !== undefined && root !== ROOT) {
        const found = `a document whose first element is <${root}>`;
        issues.push({ severity: "error", rule: "tcx/not-tcx", found, expected: `<${ROOT}>` });
      }
      if (outcome.end === "refused" || root !== ROOT)
        return { ...file, recordings: [], routes: [], issues: costly(issues) };
      if (recordings.length + routes.length > 0) return { ...file, recordings, routes, issues };
      if (outcome.end !== "complete" || remarks.count("tcx/empty-activity") > 0) {
        return { ...file, recordings, routes, issues: costly(issues) };
      }
      const found = workouts === 0 ? "nothing" : `${workouts} workout plans`;
      issues.push({ severity: "info", rule: "tcx/no-activity", found, expected: "an activity or a course" });
      return { ...file, recordings, routes, issues };
    },
  };
}

function metres(value: number | undefined): { unit: "m"; value: number } | undefined {
  return value === undefined ? undefined : { unit: "m", value };
}

/**
 * The heart rates of an activity. The laps say what the device measured, and a file may have a point every minute only. They count where each lap
 * has both, and where these can be true: a highest rate below one of a point is not. Otherwise both come from the points, or what is there from either.
 */
function heartRatesOf(laps: readonly LapDraft[], track: Pick<Track, "avgHR" | "maxHR">) {
  const [mean, most] = [meanHR(laps), maxHR(laps)];
  const isWhole = laps.every((lap) => isHeartRate(lap.avgHR) && isHeartRate(lap.maxHR) && lap.timer !== undefined);
  const canBeTrue = mean !== undefined && most !== undefined && mean <= most && (track.maxHR ?? 0) <= most;
  if (isWhole && canBeTrue) return { avgHR: mean, maxHR: most };
  return { avgHR: track.avgHR ?? mean, maxHR: track.maxHR ?? most };
}

/** The highest possible heart rate of the laps. If all are impossible, the highest of them: the plan then reports it. */
function maxHR(laps: readonly LapDraft[]): number | undefined {
  let max: number | undefined;
  for (const { maxHR: one } of laps) {
    if (one === undefined) continue;
    const isBetter = isHeartRate(one) === isHeartRate(max) ? max === undefined || one > max : isHeartRate(one);
    if (isBetter) max = one;
  }
  return max;
}

/**
 * The mean of the laps' possible mean heart rates, each weighted by the time of its lap. If all are impossible, all count. Undefined if no
 * lap has both a heart rate and a time.
 */
function meanHR(laps: readonly LapDraft[]): number | undefined {
  const all = laps.filter((lap) => lap.avgHR !== undefined && lap.timer !== undefined);
  const sound = all.filter((lap) => isHeartRate(lap.avgHR));
  const both = sound.length === 0 ? all : sound;
  const seconds = sumOf(both, (lap) => lap.timer);
  const beats = sumOf(both, (lap) => (lap.avgHR ?? 0) * (lap.timer ?? 0));
  return seconds === undefined || seconds === 0 || beats === undefined ? undefined : beats / seconds;
}
