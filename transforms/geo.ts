/** Distances on the globe. */

/** Metres. The mean radius of the IUGG. GPX has no distances, so every reader chooses a shape of the earth. */
export const EARTH_RADIUS = 6_371_008.8;
const RADIANS = Math.PI / 180;

/**
 * Metres along the great circle between two positions, on a sphere. It is up to 0.6 % off the ellipsoid. On the tracks of the corpus it is
 * within 0.2 % of gpxpy, which uses an ellipsoidal approximation.
 */
export function haversine(from: Position, to: Position): number {
  const halfLat = Math.sin(((to.lat - from.lat) * RADIANS) / 2);
  const halfLon = Math.sin(((to.lon - from.lon) * RADIANS) / 2);
  const a = halfLat * halfLat + Math.cos(from.lat * RADIANS) * Math.cos(to.lat * RADIANS) * halfLon * halfLon;
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(a)));
}

/** A position in degrees, WGS 84. */
export interface Position {
  readonly lat: number;
  readonly lon: number;
}
