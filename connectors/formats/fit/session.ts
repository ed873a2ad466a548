/** The session message of a FIT file. */

/** A session message. Times are raw seconds of the device. Other values are in the units of `Recording`. */
export interface FitSession {
  readonly start: number | undefined;
  /** The time of the message, which is the end of the session. */
  readonly end: number | undefined;
  readonly startLat: number | undefined;
  readonly startLon: number | undefined;
  readonly sport: number | undefined;
  readonly subSport: number | undefined;
  readonly elapsed: number | undefined;
  readonly timer: number | undefined;
  /** Metres. */
  readonly distance: number | undefined;
  /** The distance in an app's own field. Metres. */
  readonly appDistance: number | undefined;
  readonly calories: number | undefined;
  readonly avgHR: number | undefined;
  readonly maxHR: number | undefined;
  /** Metres. */
  readonly ascent: number | undefined;
  /** Index of its first lap in the file, and the number of its laps. */
  readonly firstLap: number | undefined;
  readonly lapCount: number | undefined;
}
