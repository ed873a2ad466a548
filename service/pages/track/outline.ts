/**
 * Turns all points of a track into an outline that a page can draw: lines of at most a few hundred corners, a few hundred samples for the
 * charts, and the splits. It is pure arithmetic, and runs in a thread of its own (`outline-worker.ts`).
 */
import type { Point } from "../../../connectors/formats/recording.ts";

/** A place, in degrees. */
export interface Place {
  readonly lat: number;
  readonly lon: number;
}

/** A stretch of the track, for the charts, with the averages of its measurements. */
export interface Sample {
  /** Metres and seconds from the start of the track to the end of the stretch, pauses included. */
  readonly metres: number;
  readonly seconds: number;
  /** Metres a second, over the time spent moving; undefined where the track has no times or no distances. */
  readonly speed?: number;
  readonly heartRate?: number;
  /** Metres above sea level. */
  readonly elevation?: number;
}

/** One kilometre or mile. The last one is shorter. */
export interface Split {
  readonly metres: number;
  /** Seconds spent moving. */
  readonly seconds: number;
  readonly heartRate?: number;
  /** Height of its end minus height of its start, in metres. Positive is up. */
  readonly climb?: number;
}

/** The smallest and the largest value. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/** The data that a page draws of a track. */
export interface Outline {
  /** One line for each part without a break, simplified to a thousandth of the whole's width or height. */
  readonly lines: readonly (readonly Place[])[];
  /** Metres along the whole track: the device's own count, or else along the positions. */
  readonly metres: number;
  readonly seconds: number;
  /** Over all points, before they are averaged into samples. */
  readonly heartRate?: Range;
  readonly elevation?: Range;
  readonly samples: readonly Sample[];
  readonly splits: readonly Split[];
  /** Metres of a full split: a kilometre or mile, or a round number of them. */
  readonly splitMetres: number;
}

/** The most samples of a chart: about one every three pixels. */
const SAMPLES = 240;

/** With fewer points in each sample a chart is noise. */
const POINTS_A_SAMPLE = 2;

/** The most splits. A longer track gets longer splits. */
const MAX_SPLITS = 60;
const SPLIT_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/** The most corners of all lines together, and the most points that are examined for them. */
const MAX_CORNERS = 1500;
const MAX_LOOKED_AT = 20_000;

/** The part of a track's width or height that is too small to see on a drawing. */
const TOLERANCE = 1 / 1000;

/** A line that is simplified further than this no longer resembles the track. */
const COARSE = 1 / 30;

/** Two points this far apart in time, with a speed this slow, are a pause with the watch stopped. */
const PAUSE = { seconds: 20, metresASecond: 0.3 } as const;

/** The earth's mean radius in metres (IUGG). */
const EARTH = 6_371_008.8;

/**
 * Makes the outline of a track.
 * @param points the track's points in order, as decoded
 * @param unitMetres the length of a split: 1000 or 1609.344
 */
export function drawOutline(points: readonly Point[], unitMetres: number): Outline {
  const along = alongOf(points);
  const last = along.at(-1);
  const metres = last?.metres ?? 0;
  const splitMetres = splitOf(metres, unitMetres);
  return {
    lines: linesOf(points),
    metres,
    seconds: last?.seconds ?? 0,
    ...ranges(along),
    samples: samplesOf(along),
    splits: splitsOf(along, splitMetres),
    splitMetres,
  };
}

/** A point with its distance along the track. */
interface Along {
  readonly metres: number;
  /** Seconds since the start, with pauses and without. */
  readonly seconds: number;
  readonly moving: number;
  readonly heartRate: number | undefined;
  readonly elevation: number | undefined;
}

function alongOf(points: readonly Point[]): readonly Along[] {
  const isCounted = points.some((point) => point.distance !== undefined && point.distance.value > 0);
  const along: Along[] = [];
  let [metres, seconds, moving] = [0, 0, 0];
  let lastInstant: number | undefined;
  let lastPlace: Place | undefined;
  for (const point of points) {
    const before = metres;
    const place = placeOf(point);
    if (isCounted) {
      const counted = metresOf(point);
      // A counter that goes back was reset or is broken. The distance so far stays.
      if (counted !== undefined) metres = Math.max(metres, counted);
    } else if (place !== undefined && lastPlace !== undefined && point.breakBefore !== true) {
      metres += between(lastPlace, place);
    }
    if (point.instant !== undefined) {
      const passed = Math.max(0, (point.instant - (lastInstant ?? point.instant)) / 1000);
      const isPause =
        point.breakBefore === true || (passed > PAUSE.seconds && (metres - before) / passed < PAUSE.metresASecond);
      seconds += passed;
      if (!isPause) moving += passed;
      lastInstant = point.instant;
    }
    if (place !== undefined) lastPlace = place;
    along.push({ metres, seconds, moving, heartRate: point.heartRate, elevation: point.elevation });
  }
  return along;
}

function metresOf({ distance }: Point): number | undefined {
  if (distance === undefined) return undefined;
  return distance.value * { m: 1, km: 1000, mi: 1609.344, yd: 0.9144 }[distance.unit];
}

function placeOf({ position }: Point): Place | undefined {
  return position && { lat: position.lat, lon: position.lon };
}

/** Metres between two places, along a great circle (haversine). */
function between(a: Place, b: Place): number {
  const [phi1, phi2] = [radians(a.lat), radians(b.lat)];
  const h =
    Math.sin((phi2 - phi1) / 2) ** 2 + Math.cos(phi1) * Math.cos(phi2) * Math.sin(radians(b.lon - a.lon) / 2) ** 2;
  return 2 * EARTH * Math.asin(Math.min(1, Math.sqrt(h)));
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

function ranges(along: readonly Along[]): { heartRate?: Range; elevation?: Range } {
  const heartRate = rangeOf(along.map((point) => point.heartRate));
  const elevation = rangeOf(along.map((point) => point.elevation));
  return { ...(heartRate !== undefined && { heartRate }), ...(elevation !== undefined && { elevation }) };
}

function rangeOf(values: readonly (number | undefined)[]): Range | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : { least: least(known), most: most(known) };
}

/** Parts of equal length along the track, or of equal time where it has no length. */
function samplesOf(along: readonly Along[]): readonly Sample[] {
  const last = along.at(-1);
  if (last === undefined) return [];
  const by = last.metres > 0 ? "metres" : "seconds";
  const whole = last[by];
  const count = Math.min(SAMPLES, Math.floor(along.length / POINTS_A_SAMPLE));
  if (whole <= 0 || count < 2) return [];
  const samples: Sample[] = [];
  let first = 0;
  for (let next = 1; next < along.length; next++) {
    const isLast = next === along.length - 1;
    if (!isLast && (along[next] as Along)[by] < (whole * (samples.length + 1)) / count) continue;
    samples.push(sampleOf(along.slice(first, next + 1)));
    first = next;
  }
  return samples;
}

function sampleOf(part: readonly Along[]): Sample {
  const [first, last] = [part[0] as Along, part.at(-1) as Along];
  const moving = last.moving - first.moving;
  const metres = last.metres - first.metres;
  return {
    metres: last.metres,
    seconds: last.seconds,
    ...(moving > 0 && { speed: metres / moving }),
    ...averages(part),
  };
}

function splitOf(metres: number, unitMetres: number): number {
  const step = SPLIT_STEPS.find((one) => metres / (unitMetres * one) <= MAX_SPLITS);
  return unitMetres * (step ?? Math.ceil(metres / unitMetres / MAX_SPLITS));
}

/** A split ends between two points, so it takes its share of the time between them. */
function splitsOf(along: readonly Along[], splitMetres: number): readonly Split[] {
  const last = along.at(-1);
  if (last === undefined || last.metres < splitMetres || last.moving <= 0) return [];
  const splits: Split[] = [];
  let [first, startedAt, start] = [0, 0, (along[0] as Along).moving];
  for (let next = 1; next < along.length; next++) {
    const [before, here] = [along[next - 1] as Along, along[next] as Along];
    for (let end = startedAt + splitMetres; here.metres >= end; end += splitMetres) {
      const share = (end - before.metres) / (here.metres - before.metres);
      const endedAt = before.moving + share * (here.moving - before.moving);
      splits.push(splitFrom(along.slice(first, next + 1), end - startedAt, endedAt - start));
      [first, startedAt, start] = [next, end, endedAt];
    }
  }
  const rest = last.metres - startedAt;
  // A remainder of a stride after the last full split is not a split of its own.
  if (rest > splitMetres / 100) splits.push(splitFrom(along.slice(first), rest, last.moving - start));
  return splits;
}

function splitFrom(part: readonly Along[], metres: number, seconds: number): Split {
  const { heartRate } = averages(part);
  const heights = part.map((point) => point.elevation).filter((height) => height !== undefined);
  const climb = heights.length < 2 ? undefined : (heights.at(-1) as number) - (heights[0] as number);
  return {
    metres,
    seconds,
    ...(heartRate !== undefined && { heartRate }),
    ...(climb !== undefined && { climb }),
  };
}

function averages(part: readonly Along[]): { heartRate?: number; elevation?: number } {
  const heartRate = mean(part.map((point) => point.heartRate));
  const elevation = mean(part.map((point) => point.elevation));
  return { ...(heartRate !== undefined && { heartRate }), ...(elevation !== undefined && { elevation }) };
}

function mean(values: readonly (number | undefined)[]): number | undefined {
  let [sum, count] = [0, 0];
  for (const value of values) {
    if (value === undefined) continue;
    sum += value;
    count++;
  }
  return count === 0 ? undefined : sum / count;
}

/** A place on a plane, in metres. */
interface Spot {
  readonly x: number;
  readonly y: number;
  readonly place: Place;
}

function linesOf(points: readonly Point[]): readonly (readonly Place[])[] {
  const parts: Place[][] = [];
  for (const point of points) {
    const place = placeOf(point);
    if (place === undefined) continue;
    if (point.breakBefore === true || parts.length === 0) parts.push([]);
    parts.at(-1)?.push(place);
  }
  const lines = onPlane(thinned(parts.filter((part) => part.length > 0)));
  const spots = lines.flat();
  const extent = Math.max(span(spots.map((spot) => spot.x)), span(spots.map((spot) => spot.y)));
  for (let tolerance = extent * TOLERANCE; tolerance < extent * COARSE; tolerance *= 2) {
    const simple = lines.map((line) => simplified(line, tolerance));
    if (countOf(simple) <= MAX_CORNERS) return simple.map(placesOf);
  }
  // A scribble, or thousands of breaks: no simpler line resembles it. So the page draws fewer of its points, or only its longest parts.
  return countOf(lines) <= MAX_CORNERS
    ? lines.map(placesOf)
    : longest(everyNth(lines, Math.ceil(countOf(lines) / MAX_CORNERS) + 1)).map(placesOf);
}

function countOf(parts: readonly (readonly unknown[])[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

function placesOf(line: readonly Spot[]): readonly Place[] {
  return line.map((spot) => spot.place);
}

/** Every n-th point of each part, and its last. */
function everyNth<T>(parts: readonly (readonly T[])[], n: number): readonly (readonly T[])[] {
  return parts.map((part) => part.filter((_, index) => index % n === 0 || index === part.length - 1));
}

/** Fewer points, when there are too many to examine. */
function thinned(parts: readonly (readonly Place[])[]): readonly (readonly Place[])[] {
  return everyNth(parts, Math.max(1, Math.ceil(countOf(parts) / MAX_LOOKED_AT)));
}

/** Around the middle of the track a degree of longitude is cos(latitude) of a degree of latitude. */
function onPlane(parts: readonly (readonly Place[])[]): readonly (readonly Spot[])[] {
  const first = parts[0]?.[0];
  if (first === undefined) return [];
  const lats = parts.flat().map((place) => place.lat);
  const scale = Math.cos(radians((least(lats) + most(lats)) / 2));
  return parts.map((part) =>
    part.map(({ lat, lon }) => {
      // Goes the shorter way across the date line: 179° and -179° are two degrees apart.
      const near = lon - 360 * Math.round((lon - first.lon) / 360);
      return { x: near * scale, y: lat, place: { lat, lon: near } };
    }),
  );
}

/** The longest parts whose corners together are few enough to draw. */
function longest(lines: readonly (readonly Spot[])[]): readonly (readonly Spot[])[] {
  let left = MAX_CORNERS;
  return [...lines]
    .sort((a, b) => b.length - a.length)
    .filter((line) => {
      left -= line.length;
      return left >= 0;
    });
}

/** Ramer-Douglas-Peucker: keeps a corner when the line without it would be off by more than the tolerance. */
function simplified(line: readonly Spot[], tolerance: number): readonly Spot[] {
  if (line.length <= 2) return line;
  const isKept = new Uint8Array(line.length);
  isKept[0] = isKept[line.length - 1] = 1;
  const open: (readonly [number, number])[] = [[0, line.length - 1]];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const [from, to] = part;
    let [farthest, distance] = [from, tolerance];
    for (let index = from + 1; index < to; index++) {
      const here = offLine(line[index] as Spot, line[from] as Spot, line[to] as Spot);
      if (here > distance) [farthest, distance] = [index, here];
    }
    if (farthest === from) continue;
    isKept[farthest] = 1;
    open.push([from, farthest], [farthest, to]);
  }
  return line.filter((_, index) => isKept[index] === 1);
}

/** The distance of a spot from the line between two others. */
function offLine(spot: Spot, from: Spot, to: Spot): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length2 = dx * dx + dy * dy;
  const along = length2 === 0 ? 0 : ((spot.x - from.x) * dx + (spot.y - from.y) * dy) / length2;
  const share = Math.min(1, Math.max(0, along));
  return Math.hypot(spot.x - from.x - share * dx, spot.y - from.y - share * dy);
}

function span(values: readonly number[]): number {
  return values.length === 0 ? 0 : most(values) - least(values);
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}

function most(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
}
