/**
 * The content of device files, in one form for all formats. Decoders turn bytes into recordings, and report problems as
 * issues. They know formats. They don't know platforms or the log. They never throw for bad input.
 */

import type { Position } from "../../transforms/geo.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { Sex } from "../../transforms/model/owner-evidence.ts";
import type { Doubt, Seconds } from "../../transforms/model/workout.ts";
import type { Measure } from "../../transforms/units.ts";

/** The device formats. */
export type DeviceFormat = "fit" | "gpx" | "tcx";

/** One point of a track. All values of a point are in one record, so they can't shift against each other. */
export interface Point {
  /** Milliseconds since 1970 UTC. */
  readonly instant?: number;
  readonly position?: Position;
  /** Metres above sea level. */
  readonly elevation?: number;
  /** The distance since the start, as the device counted it. */
  readonly distance?: Measure<"distance">;
  /** Beats a minute. */
  readonly heartRate?: number;
  /** As the format counts it: steps or turns a minute. */
  readonly cadence?: number;
  /** Watts. */
  readonly power?: number;
  readonly temperature?: Measure<"temperature">;
  /** Metres a second. */
  readonly speed?: number;
  /** True for the first point after a break (a new GPX segment, a new TCX track). */
  readonly breakBefore?: true;
}

/** A lap, or a length group. It becomes an interval. */
export interface Lap {
  readonly start?: number;
  readonly distance?: Measure<"distance">;
  readonly elapsed?: Seconds;
  readonly timer?: Seconds;
  readonly avgHR?: number;
  readonly maxHR?: number;
  /** The format's own word: FIT `active|rest|warmup|cooldown|recovery|interval`, TCX `Active|Resting`. */
  readonly intensity?: string;
  /** The format's own word for the end of the lap: `manual`, `distance`, `session_end`. */
  readonly trigger?: string;
}

/** One activity of a file. A leg of a multisport file is a recording too. */
export interface Recording {
  /** The format's own word: FIT's names in snake_case (`cycling`), TCX `Sport`, GPX `<type>`. */
  readonly sport?: string;
  /** FIT's numbers, for the activity table. */
  readonly fitSport?: readonly [sport: number, subSport: number | undefined];
  /** Milliseconds since 1970 UTC. Absent when the file has no calendar date (FIT dates below 0x10000000). */
  readonly start?: number;
  /** The device's own distance from UTC in minutes, already checked by `isPlausibleOffset`. */
  readonly offsetMinutes?: number;
  readonly firstPosition?: Position;
  readonly distance?: Measure<"distance">;
  readonly elapsed?: Seconds;
  readonly timer?: Seconds;
  readonly avgHR?: number;
  readonly maxHR?: number;
  readonly calories?: number;
  /** Metres. */
  readonly ascent?: number;
  readonly laps: readonly Lap[];
  /** Facts in a damaged file that contradict the values above. */
  readonly doubts?: readonly Doubt[];
  /** True if a time of the file is wrong, and `points` have another one or none. The file itself must not be sent then. */
  readonly isCorrected?: true;
  readonly name?: string;
  readonly notes?: string;
  /** Number of points in the file for this recording. They are counted even if they are not kept. */
  readonly pointCount: number;
  readonly positionCount: number;
  /** Present at depth `decode` only. */
  readonly points?: readonly Point[];
}

/** A line without times: a route, a planned course. */
export interface Route {
  readonly name?: string;
  readonly notes?: string;
  readonly distance?: Measure<"distance">;
  readonly pointCount: number;
  /** Present at depth `decode` only. */
  readonly points?: readonly Point[];
}

/** The device or program that made a file. */
export interface Device {
  readonly manufacturer?: string;
  readonly product?: string;
  readonly serial?: string;
  /** Milliseconds since 1970 UTC: FIT `file_id.time_created`. With the serial it identifies a recording for ever. */
  readonly timeCreated?: number;
}

/**
 * The person who wears the device. The owner enters these values once, and the device repeats them from then on. Source: FIT profile,
 * `user_profile`. Its friendly name is not read: in 11 of 13 files of ../shared/corpus it is the device's (`edge820`). Its highest heart
 * rate is not read either: it is the maker's (185).
 */
export interface Wearer {
  readonly sex?: Sex;
  /** Years. */
  readonly age?: number;
  readonly weight?: Measure<"weight">;
}

/**
 * One device file, decoded. If the file can't be used at all, `recordings` and `routes` are empty, and an issue of severity
 * `error` gives the reason. A sound file without an activity (settings, a workout plan, waypoints only) has an issue of
 * severity `info` with a rule ending in `/no-activity`.
 */
export interface DeviceFile {
  /** Undefined for any other format. `recordings` and `routes` are then empty. */
  readonly format: DeviceFormat | undefined;
  readonly device: Device;
  /** Absent if the file says nothing about a person. */
  readonly wearer?: Wearer;
  readonly recordings: readonly Recording[];
  readonly routes: readonly Route[];
  readonly issues: readonly Issue[];
}

/** How deep to decode: `scan` for planning (no point is kept), `decode` for every point. */
export type Depth = "scan" | "decode";
