/**
 * Measures laps without a distance or a time of their own, in metres and seconds. A lap must have `DistanceMeters` and `TotalTimeSeconds`.
 * Some writers leave them out or write 0. The points of such a file have these values, or at least a position.
 */
import type { Point } from "../recording.ts";
import type { Track } from "../xml/track.ts";

/** Measures the laps of one activity, one after another. */
export interface LapMeter {
  /** A lap begins. */
  open(): void;
  /** A point of the lap, before it is added to the track. */
  add(point: Point): void;
  /**
   * Metres since the lap began.
   *
   * @param mayDrift whether positions count if the points have no distance of their own
   */
  metres(mayDrift: boolean): number | undefined;
  /**
   * Seconds from the lap's start to its latest point.
   *
   * @param start the lap's own start in milliseconds since 1970 UTC. If it is undefined, the first point counts
   */
  seconds(start: number | undefined): number | undefined;
}

/** Makes a meter for the laps of a track. */
export function lapMeter(track: Track): LapMeter {
  /** The device's count at the last point that has one. The count goes on from lap to lap. */
  let counted = 0;
  let begun: number | undefined;
  let metresBefore = 0;
  let positionsBefore = 0;
  let first: number | undefined;
  let latest: number | undefined;
  return {
    open() {
      first = undefined;
      latest = undefined;
      begun = undefined;
      metresBefore = track.metres;
      positionsBefore = track.positionCount;
    },
    add({ distance, instant }) {
      if (instant !== undefined) {
        first ??= instant;
        latest = Math.max(latest ?? instant, instant);
      }
      if (distance === undefined) return;
      // Some devices count from 0 again in each lap. The limit is half, because a count may step back by a metre.
      begun ??= distance.value < counted / 2 ? 0 : Math.min(counted, distance.value);
      counted = distance.value;
    },
    metres(mayDrift) {
      if (begun !== undefined) return Math.max(0, counted - begun);
      const hasLine = track.positionCount - positionsBefore > 1;
      return mayDrift && hasLine ? track.metres - metresBefore : undefined;
    },
    seconds(start) {
      const begun = start ?? first;
      return begun === undefined || latest === undefined ? undefined : Math.max(0, latest - begun) / 1000;
    },
  };
}
