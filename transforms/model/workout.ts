/**
 * A workout, in the words of the field and in the units of its source. Every field of the log's Workout resource has
 * its place here; what the log can't hold is kept in `unsupported`, so that loss is counted and never silent.
 */
import type { Activity, WorkoutType } from "../activities.ts";
import type { LocalDate, LocalTime, LocalTimeBasis } from "../calendar.ts";
import type { Position } from "../geo.ts";
import type { Measure } from "../units.ts";
import type { Issue } from "./issue.ts";
import type { LostFile } from "./lost-file.ts";

/** Seconds with their fraction: the log's durations are decimal seconds. */
export type Seconds = number;

/**
 * When a workout began. The log holds floating local dates and times; a device file holds an instant. A connector
 * fills what its source says; the step `resolveLocalTime` fills `date` and `time` from the rest.
 */
export interface Start {
  readonly date?: LocalDate;
  /** Absent when the source has only a date: the workout is then untimed, not at midnight. */
  readonly time?: LocalTime;
  /** Milliseconds since 1970 UTC, where the source holds an instant. */
  readonly instant?: number;
  /** Minutes east of UTC, where the source itself says so (FIT `local_timestamp`, an ISO offset). */
  readonly offsetMinutes?: number;
  /** The first position, for the zone. */
  readonly position?: Position;
  /** Which source gave the local date and time. */
  readonly basis?: LocalTimeBasis;
}

/**
 * One interval of a workout. `type` is the log's own word: interval, rest or recovery, or another the source has; absent where a log
 * itself has none.
 */
export interface Interval {
  readonly type?: string;
  readonly distance?: Measure<"distance">;
  readonly duration?: Seconds;
}

export interface IntervalSet {
  readonly name?: string;
  readonly intervals: readonly Interval[];
}

export interface Health {
  readonly avgHR?: number;
  readonly maxHR?: number;
  readonly restHR?: number;
  readonly weight?: Measure<"weight">;
}

export interface RaceStats {
  readonly fieldPlacement?: number;
  readonly fieldSize?: number;
  readonly groupMinAge?: number;
  readonly groupMaxAge?: number;
  readonly groupPlacement?: number;
  readonly groupSize?: number;
}

export interface Ratings {
  readonly effort?: number;
  readonly quality?: number;
}

export interface Weather {
  /** The log's flags that are set: clear, overcast, snow, windy, and any other the source has. */
  readonly conditions?: readonly string[];
  /** Flags that are false and say so, as a log can have them. */
  readonly falseConditions?: readonly string[];
  readonly temperature?: Measure<"temperature">;
}

/** A recording inside a device file of the archive. The file itself stays there until it is loaded. */
export interface TrackRef {
  readonly entry: string;
  readonly format: "fit" | "gpx" | "tcx";
  /** Which recording of the file this workout is, from 0, and how many the file holds. */
  readonly recording: number;
  readonly recordings: number;
  /** SHA-256 of the decoded file (after gzip), in hex: the same file is recognised under any name. */
  readonly sha256: string;
  /** Index of the source that holds the entry; known once a plan reads several sources. */
  readonly source?: number;
  /** The recording is sent as a device file of its own: the whole file would make its other recordings too. */
  readonly alone?: true;
}

/** A value of the source that the log has no field for. */
export interface UnsupportedValue {
  /** What it is, in the field's words: `calories`, `elevation gain`, `second equipment`. */
  readonly field: string;
  /** The value as text, with its unit. */
  readonly value: string;
}

/**
 * What in a source contradicts a workout's own values: a damaged file whose summary disagrees with its records. A doubt holds the
 * workout back like an implausible value, until a person says what is right; it goes no further than the plan.
 */
export interface Doubt {
  readonly issue: Issue;
  /** The values it is about: saying one of them by hand settles it. */
  readonly about: readonly ("date" | "distance" | "duration")[];
  /** Its file stops before its end: what is there is true, and a part. */
  readonly isCut?: true;
}

export interface Workout {
  /** Absent when no table knows the source's word: asked for or rejected, never guessed. */
  readonly activity?: Activity;
  /** The source's own word for the sport. */
  readonly sport?: string;
  /** What kind of training it was, where the source says so. */
  readonly type?: WorkoutType;
  readonly start: Start;
  /** The source's title. The log has no field for it; the step `nameInNotes` puts it first in the notes. */
  readonly name?: string;
  readonly notes?: string;
  /** Key of the course item it was run on. */
  readonly course?: string;
  /** Keys of equipment items, the source's order. The log takes one: the step `keepOneEquipment` chooses. */
  readonly equipment?: readonly string[];
  readonly distance?: Measure<"distance">;
  readonly duration?: Seconds;
  readonly health?: Health;
  readonly intervalSet?: IntervalSet;
  readonly raceStats?: RaceStats;
  readonly ratings?: Ratings;
  readonly weather?: Weather;
  readonly track?: TrackRef;
  /** The app that recorded it, in a source that collects from several: two apps may have recorded one workout. */
  readonly recorder?: string;
  /** The file it should have come with. Of one that is cut there is a track as well: its beginning. */
  readonly lostFile?: LostFile;
  readonly unsupported?: readonly UnsupportedValue[];
  readonly doubts?: readonly Doubt[];
}
