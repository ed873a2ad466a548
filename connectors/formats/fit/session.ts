/** The session message of a FIT file. */

/** A session message. Times are raw seconds of the device; everything else is in the units of `Recording`. */
export interface FitSession {
  readonly start: number | undefined;
  /** When the message was written, which is when the session ended. */
  readonly end: number | undefined;
  readonly startLat: number | undefined;
  readonly startLon: number | undefined;
  readonly sport: number | undefined;
  readonly subSport: number | undefined;
  readonly elapsed: number | undefined;
  readonly timer: number | undefined;
  /** Metres. */
  readonly distance: number | undefined;
  /** The same in a field of an app's own. Metres. */
  readonly appDistance: number | undefined;
  readonly calories: number | undefined;
  readonly avgHR: number | undefined;
  readonly maxHR: number | undefined;
  /** Metres. */
  readonly ascent: number | undefined;
  /** Index of its first lap in the file, and how many it has. */
  readonly firstLap: number | undefined;
  readonly lapCount: number | undefined;
}
