/** Which courses a workout can have followed, before its track is read. */
import { haversine, type Position } from "../geo.ts";
import type { ThinLine } from "./thin-line.ts";

/** A track is at least so much of the course: a watch cuts corners, and it is started late. */
const LEAST_SHARE = 0.8;

/** Metres, and a share of the workout's distance, by which a distance and a first position may be wrong. */
const ERROR = { metres: 300, share: 0.05 } as const;

/** A rectangle on the map, in degrees. */
export interface Box {
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
}

/** The box around a line. A line over the 180th meridian has a box around the globe. */
export function boxOf({ lat, lon }: ThinLine): Box {
  const [south, north] = [lat.reduce((a, b) => Math.min(a, b)), lat.reduce((a, b) => Math.max(a, b))];
  const [west, east] = [lon.reduce((a, b) => Math.min(a, b)), lon.reduce((a, b) => Math.max(a, b))];
  return { south, north, west, east };
}

/**
 * Whether a workout may contain the whole course: it must be long enough for the course and for the way to it.
 *
 * @param from the first position of the workout; without one, only the distance decides
 * @param metres the distance of the workout; without one, any course is in reach
 */
export function isInReach(
  { box, metres: length }: { readonly box: Box; readonly metres: number },
  { from, metres }: { readonly from: Position | undefined; readonly metres: number | undefined },
): boolean {
  if (metres === undefined) return true;
  if (metres < LEAST_SHARE * length) return false;
  if (from === undefined) return true;
  const spare = Math.max(0, metres - length) + ERROR.metres + ERROR.share * metres;
  const nearest = {
    lat: Math.min(box.north, Math.max(box.south, from.lat)),
    lon: Math.min(box.east, Math.max(box.west, from.lon)),
  };
  return haversine(from, nearest) <= spare;
}
