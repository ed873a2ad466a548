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

/** The way along positions, as they come. */
export class Way {
  #metres = 0;
  #last: Position | undefined;

  /** Its length in metres: 0 without two positions in a row. */
  get metres(): number {
    return this.#metres;
  }

  /** Goes on to a position. Over a break there is no way. */
  to(position: Position, isBehindBreak = false): void {
    if (this.#last !== undefined && !isBehindBreak) this.#metres += haversine(this.#last, position);
    this.#last = position;
  }
}
