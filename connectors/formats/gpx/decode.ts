/**
 * Turns GPX 1.0 and 1.1 into recordings and routes.
 *
 * - Every `<trk>` with at least one timed point is a recording. `breakBefore` marks the start of a segment.
 * - A `<trk>` without times, or with times that a program filled in, is a route. Every `<rte>` is a route. Waypoints are only counted.
 * - Distance is the sum of great-circle distances between neighbouring points, within segments. GPX has no distance of its own.
 * - `elapsed` goes from the earliest time to the latest. GPX itself doesn't give the moving time: `timer` is that of Garmin's TrackStatsExtension, if any.
 * - A `<trk>` whose times all can't be read is a recording without a start, if it has heart rates or several such times. So is one with heart rates whose
 *   times a program filled in.
 * - `start` is the first time in the file's order, and the earliest where the whole track is in reverse order. Where the times before it can't be read,
 *   it is the time of the file's metadata, if that lies less than an hour before.
 * - A point without a usable position is left out and counted. For any other bad value only the value is left out.
 */
import type { Position } from "../../../transforms/geo.ts";
import { defined } from "../../../transforms/model/defined.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import { cutShort } from "../cut-short.ts";
import type { Depth, DeviceFile, Recording, Route } from "../recording.ts";
import { doubtfulDay, doubtsOf } from "../xml/first-time.ts";
import { readXml, type XmlAttributes, type XmlHandler, type XmlOutcome } from "../xml/reader.ts";
import { costly, Remarks } from "../xml/remarks.ts";
import { TRACK_CAPS, Track, type TrackCaps } from "../xml/track.ts";
import { parseDecimal, parseTime } from "../xml/values.ts";
import { believedOffset } from "../xml/written-offset.ts";
import { type Draft, fill, READINGS } from "./readings.ts";

/**
 * Decodes a whole file.
 *
 * @param source the file's bytes (not compressed), or its text
 * @returns never throws. Problems are in `issues` (see `DeviceFile`)
 */
export function decodeGpx(source: Uint8Array | string, depth: Depth, caps: TrackCaps = TRACK_CAPS): DeviceFile {
  const decoder = gpxDecoder(depth, caps);
  return decoder.finish(readXml(source, decoder, caps));
}

/** A `<trk>` or `<rte>` that is being read. */
interface Line {
  readonly kind: "trk" | "rte";
  readonly track: Track;
  /** The number of points in the file before it. */
  readonly began: number;
  /** Texts by the element's name: name, desc, cmt, type, TimerTime. */
  readonly texts: Map<string, string>;
  offsetMinutes: number | undefined;
}

interface GpxDecoder extends XmlHandler {
  finish(outcome: XmlOutcome): DeviceFile;
}

const LINE_TEXTS = new Set(["name", "desc", "cmt", "type"]);

/** Seconds without pauses, in Garmin's TrackStatsExtension. OpenTracks writes it, too. */
const TIMER = "TimerTime";

/** Whether an element says something about the whole line. */
function isLineText(name: string, path: readonly string[]): boolean {
  return path.length === 2 ? LINE_TEXTS.has(name) : name === TIMER && path.at(-1) === "TrackStatsExtension";
}

const POINTS_OF = { trk: "trkpt", rte: "rtept" } as const;

function gpxDecoder(depth: Depth, caps: TrackCaps): GpxDecoder {
  const remarks = new Remarks();
  const recordings: Recording[] = [];
  const routes: Route[] = [];
  let root: string | undefined;
  let creator: string | undefined;
  /** The time of the metadata. Devices write the start of the recording there. */
  let metadataTime: number | undefined;
  let line: Line | undefined;
  let breakNext = false;
  let points = 0;
  let segmentBegan = 0;
  let waypoints = 0;
  /** The depth of the current point; -1 outside a point. The draft of a point without a position is undefined. */
  let pointDepth = -1;
  let draft: Draft | undefined;

  function openPoint(attributes: XmlAttributes, at: number): boolean {
    if (points === caps.points) {
      remarks.add({
        severity: "warning",
        rule: "gpx/too-many-points",
        found: `more than ${caps.points} points`,
        expected: "fewer; the first ones were read",
      });
      return false;
    }
    points++;
    pointDepth = at;
    const position = positionOf(attributes, remarks);
    draft = position === undefined ? undefined : { position };
    return true;
  }

  function closePoint(track: Track): void {
    pointDepth = -1;
    if (draft === undefined) return;
    if (breakNext) draft.breakBefore = true;
    breakNext = false;
    track.add(draft);
    draft = undefined;
  }

  function readValue(point: Draft, name: string, text: string, isOwn: boolean): void {
    if (isOwn && name === "time") {
      const time = parseTime(text);
      if (time === undefined) {
        line?.track.addBadTime(text);
        remarks.add({
          severity: "warning",
          rule: "gpx/bad-time",
          field: "time",
          found: text,
          expected: "a date and time",
        });
        return;
      }
      point.instant = time.instant;
      if (!time.zoned) {
        remarks.add({
          severity: "warning",
          rule: "gpx/time-without-zone",
          field: "time",
          found: text,
          expected: "a Z at its end; it was read as UTC",
        });
      }
      if (line !== undefined && line.offsetMinutes === undefined) line.offsetMinutes = time.offsetMinutes;
      return;
    }
    const reading = isOwn && name === "ele" ? "elevation" : (READINGS.get(name) ?? READINGS.get(name.toLowerCase()));
    if (reading === undefined || text === "") return;
    const value = parseDecimal(text);
    if (value === undefined) {
      remarks.add({ severity: "warning", rule: "gpx/bad-value", field: name, found: text, expected: "a number" });
    } else if (reading === "elevation") {
      point.elevation = value;
    } else {
      fill(point, reading, value);
    }
  }

  function closeLine(done: Line, stop?: XmlOutcome): void {
    line = undefined;
    const { track, texts } = done;
    if (track.pointCount === 0) {
      // If it had points, and all of them were unusable, that is reported already.
      if (points > done.began) return;
      const found = texts.get("name") ?? "no name";
      remarks.add({
        severity: "info",
        rule: "gpx/empty-track",
        field: done.kind,
        found,
        expected: "points; it was left out",
      });
      return;
    }
    for (const issue of [track.backwardsIssue("gpx"), track.heartRateIssue("gpx")])
      if (issue !== undefined) remarks.add(issue);
    const words = { name: texts.get("name"), notes: notesOf(texts) };
    const distance = { unit: "m", value: track.metres } as const;
    const { pointCount, positionCount } = track;
    const isFilledIn = done.kind === "trk" && track.hasPlaceholderTimes;
    if (isFilledIn) remarks.add(placeholderTimes(track));
    const isTimeless = track.start === undefined || isFilledIn;
    if (done.kind === "rte" || (isTimeless && !track.lostItsTimes)) {
      routes.push(defined({ ...words, distance, pointCount, points: track.points }));
      return;
    }
    const doubtful = isFilledIn ? undefined : doubtfulDay(track, track.start);
    track.forgetFirstElsewhere();
    const firstPosition = track.beginPosition;
    const { start, elapsed } = isFilledIn
      ? {}
      : timesOf(track, recordings.length === 0 ? metadataTime : undefined, remarks);
    recordings.push(
      defined({
        sport: texts.get("type"),
        start,
        offsetMinutes: believedOffset(done.offsetMinutes, { start, firstPosition }, "gpx", remarks),
        firstPosition,
        distance,
        ...{ elapsed, timer: believedTimer(texts.get(TIMER), elapsed) },
        avgHR: track.avgHR,
        maxHR: track.maxHR,
        laps: [],
        doubts: doubtsOf(doubtful, stop?.end === "cut" ? cutShort(distance.value, `in line ${stop.line}`) : undefined),
        isCorrected: doubtful && (true as const),
        ...words,
        pointCount,
        positionCount,
        points: track.points,
      }),
    );
  }

  return {
    open(name, attributes, path) {
      if (path.length === 0) {
        root = name;
        creator = attributes.creator;
        return name === "gpx";
      }
      if (line === undefined) {
        if (path.length === 1 && name === "wpt") waypoints++;
        if (path.length === 1 && (name === "trk" || name === "rte")) {
          line = { kind: name, track: new Track(depth), began: points, texts: new Map(), offsetMinutes: undefined };
          breakNext = false;
        }
        return true;
      }
      if (pointDepth !== -1) return true;
      if (name === POINTS_OF[line.kind]) return openPoint(attributes, path.length);
      if (name === "trkseg") {
        breakNext = line.track.pointCount > 0;
        segmentBegan = points;
      }
      return true;
    },
    close(name, text, path) {
      if (line === undefined) {
        if (isMetadataTime(name, path)) metadataTime ??= parseTime(text)?.instant;
        return;
      }
      if (pointDepth !== -1) {
        if (path.length === pointDepth) closePoint(line.track);
        else if (draft !== undefined) readValue(draft, name, text, path.length === pointDepth + 1);
        return;
      }
      if (name === "trkseg" && points === segmentBegan) {
        remarks.add({ severity: "info", rule: "gpx/empty-segment", field: name, expected: "points; it was left out" });
      }
      if (path.length === 1) closeLine(line);
      else if (text !== "" && isLineText(name, path)) line.texts.set(name, text);
    },
    finish(outcome) {
      if (line !== undefined) closeLine(line, outcome);
      const file = { format: "gpx", device: defined({ product: creator === "" ? undefined : creator }) } as const;
      const issues = [...outcome.issues, ...remarks.list()];
      if (root !== undefined && root !== "gpx") issues.push(notGpx(root));
      if (outcome.end === "refused" || root !== "gpx")
        return { ...file, recordings: [], routes: [], issues: costly(issues) };
      if (recordings.length + routes.length > 0) return { ...file, recordings, routes, issues };
      const isSound = outcome.end === "complete" && points === 0;
      if (!isSound) return { ...file, recordings, routes, issues: costly(issues) };
      const holds = waypoints === 0 ? "nothing" : `${waypoints} waypoints`;
      issues.push({ severity: "info", rule: "gpx/no-activity", found: holds, expected: "a track or a route" });
      return { ...file, recordings, routes, issues };
    },
  };
}

/**
 * The position of a point. Undefined, with a remark, if it is absent, if its text is not a number as a whole (`47,123`), or
 * if it is off the globe.
 */
function positionOf(attributes: XmlAttributes, remarks: Remarks): Position | undefined {
  const lat = parseDecimal((attributes.lat ?? "").trim());
  const lon = parseDecimal((attributes.lon ?? "").trim());
  const latIsGood = lat !== undefined && Math.abs(lat) <= 90;
  const lonIsGood = lon !== undefined && Math.abs(lon) <= 180;
  if (latIsGood && lonIsGood) return { lat, lon };
  const field = latIsGood ? "lon" : "lat";
  remarks.add({
    severity: "warning",
    rule: "gpx/bad-position",
    field,
    found: attributes[field] ?? "",
    expected: `degrees, ${field === "lat" ? "-90 to 90" : "-180 to 180"}; the point was left out`,
  });
  return undefined;
}

const HOUR_MS = 3_600_000;

/** The time of the whole file: in `<metadata>`, or in GPX 1.0 below the root. */
function isMetadataTime(name: string, path: readonly string[]): boolean {
  return name === "time" && (path.length === 1 || (path.length === 2 && path[1] === "metadata"));
}

/**
 * When a track begins, and how long it lasts. Where the times of its first points can't be read, it began at the time of the metadata, if the others
 * follow within an hour.
 */
function timesOf(
  { begin, beginsBadly, elapsed, isReversed }: Track,
  metadata: number | undefined,
  remarks: Remarks,
): { readonly start?: number; readonly elapsed?: number } {
  if (begin === undefined || elapsed === undefined) return {};
  const earlier = metadata === undefined || !beginsBadly || isReversed ? 0 : begin - metadata;
  if (metadata === undefined || earlier <= 0 || earlier >= HOUR_MS) return { start: begin, elapsed };
  remarks.add({
    severity: "warning",
    rule: "gpx/start-of-metadata",
    found: "first times that can't be read",
    expected: `times; it was read as begun at ${new Date(metadata).toISOString()}, which the metadata says`,
  });
  return { start: metadata, elapsed: elapsed + earlier / 1000 };
}

/** A timer that runs longer than the recording lasts is none. */
function believedTimer(text: string | undefined, elapsed: number | undefined): number | undefined {
  const timer = text === undefined ? undefined : parseDecimal(text);
  return timer !== undefined && elapsed !== undefined && timer > 0 && timer <= elapsed + 1 ? timer : undefined;
}

function placeholderTimes({ timeCount, start = 0, lostItsTimes }: Track): Issue {
  return {
    severity: "warning",
    rule: "gpx/placeholder-times",
    found: `${timeCount} points that all say ${new Date(start).toISOString()}, or that time on other days`,
    expected: lostItsTimes
      ? "times that go on; it has heart rates, so it is a workout whose start nobody knows"
      : "times that go on; it was read as a route, not as a workout",
  };
}

function notesOf(texts: ReadonlyMap<string, string>): string | undefined {
  const notes = [texts.get("desc"), texts.get("cmt")].filter((text) => text !== undefined);
  // Many programs write the same text into both, or the name.
  const distinct = [...new Set(notes)].filter((text) => text !== texts.get("name"));
  return distinct.length === 0 ? undefined : distinct.join("\n");
}

function notGpx(root: string): Issue {
  return {
    severity: "error",
    rule: "gpx/not-gpx",
    found: `a document whose first element is <${root}>`,
    expected: "<gpx>",
  };
}
