/**
 * A track as GeoJSON, for drawing on a map.
 *
 * Source: RFC 7946. A position is longitude, latitude and, if known, metres of height.
 */
import type { Feature, FeatureCollection, LineString } from "geojson";
import type { Point } from "../recording.ts";

/**
 * Gives one LineString for each segment (`breakBefore` begins a segment). Points without a position are left out. A segment with a
 * single point is left out too, because it is no line.
 *
 * @param properties given to each of the features
 */
export function toGeoJson(
  points: Iterable<Point>,
  properties: Readonly<Record<string, string | number>> = {},
): FeatureCollection<LineString> {
  const segments: number[][][] = [];
  for (const { position, elevation, breakBefore } of points) {
    if (breakBefore || segments.length === 0) segments.push([]);
    if (position === undefined) continue;
    const coordinate = [position.lon, position.lat];
    if (elevation !== undefined) coordinate.push(elevation);
    segments.at(-1)?.push(coordinate);
  }
  const features = segments
    .filter((segment) => segment.length > 1)
    .map((coordinates): Feature<LineString> => {
      return { type: "Feature", properties: { ...properties }, geometry: { type: "LineString", coordinates } };
    });
  return { type: "FeatureCollection", features };
}
