/** A line on the map as evenly spaced samples, so that a walk along two lines takes few steps. */
import { haversine, type Position } from "../geo.ts";

/** Samples lie at least `least` and at most `most` metres apart. A device that stands still adds none. */
const SPACING = { least: 10, most: 20 } as const;

/** Samples of the longest line: 500 km and more. */
const MOST_SAMPLES = 50_000;

/** A line of evenly spaced samples. */
export interface ThinLine {
  /** Degrees, WGS 84. */
  readonly lat: Float64Array;
  readonly lon: Float64Array;
  /** Metres from the start of the line to each sample. */
  readonly at: Float64Array;
  /** Metres of the whole line. */
  readonly metres: number;
}

/**
 * Thins a line. Points at 0, 0 are left out: a device writes them before it knows where it is.
 *
 * @returns undefined for a line with fewer than two samples, and for one that is too long
 */
export function thinLine(positions: Iterable<Position>): ThinLine | undefined {
  const samples: Position[] = [];
  const at: number[] = [];
  for (const position of positions) {
    if (!isPlace(position)) continue;
    const last = samples.at(-1);
    if (last === undefined) {
      samples.push(position);
      at.push(0);
      continue;
    }
    const apart = haversine(last, position);
    if (apart < SPACING.least) continue;
    const pieces = Math.ceil(apart / SPACING.most);
    if (samples.length + pieces > MOST_SAMPLES) return undefined;
    const begun = at.at(-1) ?? 0;
    for (let piece = 1; piece <= pieces; piece++) {
      samples.push(between(last, position, piece / pieces));
      at.push(begun + (apart * piece) / pieces);
    }
  }
  if (samples.length < 2) return undefined;
  return {
    lat: Float64Array.from(samples, ({ lat }) => lat),
    lon: Float64Array.from(samples, ({ lon }) => lon),
    at: Float64Array.from(at),
    metres: at.at(-1) ?? 0,
  };
}

function isPlace({ lat, lon }: Position): boolean {
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 && (lat !== 0 || lon !== 0);
}

function between(from: Position, to: Position, share: number): Position {
  return { lat: from.lat + (to.lat - from.lat) * share, lon: from.lon + eastward(from.lon, to.lon) * share };
}

/** Degrees from one meridian to another, the short way round. */
export function eastward(from: number, to: number): number {
  const degrees = to - from;
  return degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees;
}

/** The same line from its end to its start. */
export function reversed({ lat, lon, at, metres }: ThinLine): ThinLine {
  return { lat: lat.toReversed(), lon: lon.toReversed(), at: at.toReversed().map((so) => metres - so), metres };
}

/** A loop that begins at another of its samples. */
export function fromSample({ lat, lon, at, metres }: ThinLine, first: number): ThinLine {
  const turned = (values: Float64Array) => {
    const all = new Float64Array(values.length);
    all.set(values.subarray(first), 0);
    all.set(values.subarray(0, first), values.length - first);
    return all;
  };
  const begun = at[first] ?? 0;
  return { lat: turned(lat), lon: turned(lon), at: turned(at).map((so) => (so - begun + metres) % metres), metres };
}
