/**
 * A workout, in the field's words and in the units of its source. Every field of the log's Workout resource has its place here.
 * `unsupported` keeps the values that the log can't hold, so that logferry counts every loss.
 */
import type { Activity, WorkoutType } from "../activities.ts";
import type { LocalDate, LocalTime, LocalTimeBasis } from "../calendar.ts";
import type { Following } from "../courses/follow.ts";
import type { Position } from "../geo.ts";
import type { Measure } from "../units.ts";
import type { Issue } from "./issue.ts";
import type { LostFile } from "./lost-file.ts";

/** Seconds with their fraction: the log's durations are decimal seconds. */
export type Seconds = number;

/** An instant that stands for a day alone if it is midnight or noon on the athlete's clock. */
export const MIDNIGHT_OR_NOON = "at midnight or noon";

/**
 * The start of a workout. The log holds floating local dates and times, and a device file holds an instant. A connector fills in the values
 * of its source. The step `resolveLocalTime` then fills `date` and `time` from the rest.
 */
export interface Start {
  readonly date?: LocalDate;
  /** Absent when the source has only a date. The workout then has no time, which is different from midnight. */
  readonly time?: LocalTime;
  /** Milliseconds since 1970 UTC, if the source holds an instant. */
  readonly instant?: number;
  /** Minutes east of UTC, if the source itself gives them (FIT `local_timestamp`, an ISO offset). */
  readonly offsetMinutes?: number;
  /** The instant stands for a day alone: its local time of day says nothing. Some platforms write midnight or noon for that, and no other time. */
  readonly untimed?: true | typeof MIDNIGHT_OR_NOON;
  /** The first position, which gives the zone. */
  readonly position?: Position;
  /** The source of the local date and time. */
  readonly basis?: LocalTimeBasis;
  /** How much later than in its source the start is set, in milliseconds, because other sources show that its clock is off. */
  readonly clockSet?: number;
  /** A person gave the time of day for this record. No clock sets it. */
  readonly isTyped?: true;
}

/** The field of an unsupported value: the instant of a workout that has only its day. A zone gives it its time of day. */
export const START_IN_UTC = "start in UTC, for a time of day with --zone";

/**
 * One interval of a workout. `type` is the log's own word: interval, rest or recovery, or another one of the source. It is absent if a log
 * itself has none.
 */
export interface Interval {
  readonly type?: string;
  readonly distance?: Measure<"distance">;
  readonly duration?: Seconds;
}

/** The intervals of a workout in their order, with the name of the session, if the source gives one: `8x500m`. The log keeps one set a workout. */
export interface IntervalSet {
  readonly name?: string;
  readonly intervals: readonly Interval[];
}

/**
 * The athlete's body. `avgHR` and `maxHR` are of the workout, `restHR` and `weight` of its day. Heart rates are beats a minute. A weight keeps the unit
 * of its source.
 */
export interface Health {
  readonly avgHR?: number;
  readonly maxHR?: number;
  readonly restHR?: number;
  readonly weight?: Measure<"weight">;
}

/** A weight or a resting heart rate of a day on the athlete's clock. */
export interface DayValues extends Pick<Health, "restHR" | "weight"> {
  readonly date: LocalDate;
}

/**
 * The result of a race. `field` is the whole race, `group` the athlete's age group: the placement from 1, and the number of athletes. Ages are in
 * years.
 */
export interface RaceStats {
  readonly fieldPlacement?: number;
  readonly fieldSize?: number;
  readonly groupMinAge?: number;
  readonly groupMaxAge?: number;
  readonly groupPlacement?: number;
  readonly groupSize?: number;
}

/** What the athlete thinks of the workout, each from 1 to 10 (`RATING_RANGE`): how hard it was, and how good. */
export interface Ratings {
  readonly effort?: number;
  readonly quality?: number;
}

/** The weather of a workout, as the source noted it. The temperature keeps the unit of its source. */
export interface Weather {
  /** The log's flags that are set: clear, overcast, snow, windy, and any others of the source. */
  readonly conditions?: readonly string[];
  /** Flags that a log explicitly sets to false. */
  readonly falseConditions?: readonly string[];
  readonly temperature?: Measure<"temperature">;
}

/** A span of time: milliseconds since 1970 UTC, without its end. */
export interface TimeSpan {
  readonly from: number;
  readonly until: number;
}

/** A recording inside a device file of the archive. The file itself stays in the archive until it is loaded. */
export interface TrackRef {
  readonly entry: string;
  readonly format: "fit" | "gpx" | "tcx";
  /** The index of this workout's recording in the file, from 0, and the number of recordings in the file. */
  readonly recording: number;
  readonly recordings: number;
  /** SHA-256 of the decoded file (after gzip), in hex. It identifies the file under any name. */
  readonly sha256: string;
  /** Index of the source that holds the entry; set once a plan reads several sources. */
  readonly source?: number;
  /** logferry sends the recording as a device file of its own, because the whole file would also create its other recordings. */
  readonly alone?: true;
  /** A time in the file is wrong. logferry sends the recording as a file of its own, with the time corrected or left out. */
  readonly corrected?: true;
  /**
   * The connector that makes a device file of its platform's own record. The entry is no device file then: `recording` is the record's number
   * in it, and `format` and `sha256` are those of the made file. So a record is the same in a later export, whatever lies beside it.
   */
  readonly made?: string;
  /** The instant at which the recording begins, where the workout has the start of another record: milliseconds since 1970. An import makes a record that begins then. */
  readonly beginsAt?: number;
  /** Other entries that the file is made of. */
  readonly also?: readonly string[];
  /** The time of the workout, if the entries hold the points of whole days. */
  readonly between?: TimeSpan;
}

/** A value of the source that the log has no field for. */
export interface UnsupportedValue {
  /** The name of the value, in the field's words: `calories`, `elevation gain`, `second equipment`. */
  readonly field: string;
  /** The value as text, with its unit. */
  readonly value: string;
  /**
   * The log has a field for it, and logferry can't read it: `5,5` where the file writes `5.5`. Without a distance, a duration or a time of day a workout
   * isn't whole, and the old account stays open. Any other value is `minor`: it is counted as a loss.
   */
  readonly isUnread?: true | "minor";
}

/** A value of a source that the log's workout does not get, because the log had the workout already. */
export interface ValueNotAdded extends UnsupportedValue {
  /** The log's own value, if it has another one; absent if it has none. */
  readonly inLog?: string;
  /** Whether it is unknown if the log has such a value: nobody loaded the workout with logferry, and a listing doesn't show the field. */
  readonly isUnknown?: true;
}

/** The values that a source has for a workout that the log has already, from another source or typed by hand. */
export interface NotAdded {
  /** The run that loaded the workout, and the index of the source among the sources of that run. Absent if logferry didn't load it. */
  readonly run?: number;
  readonly source?: number;
  readonly values: readonly ValueNotAdded[];
}

/** A value of a source that fills a blank field of a workout in the log. */
export interface FilledValue extends UnsupportedValue {
  /** The field in the save body: `health.avgHR`. */
  readonly path: string;
}

/** The blank fields of a workout in the log that a source fills. All its other fields stay as they are. */
export interface Completion {
  /** The workout in the log, as the plan read it, in the form of a save. */
  readonly before: Readonly<Record<string, unknown>>;
  readonly values: readonly FilledValue[];
}

/** The course that the track of a workout follows, with the measures that show it. */
export interface FollowedCourse {
  /** Key of the course item. */
  readonly course: string;
  readonly name: string;
  readonly by: Following;
}

/**
 * A contradiction between a source and a workout's own values, such as a damaged file with a summary that disagrees with its records. A
 * doubt rejects the workout like an implausible value, until a person gives the right value. Doubts end with the plan.
 */
export interface Doubt {
  readonly issue: Issue;
  /** The values in doubt. A person settles the doubt by giving one of them. */
  readonly about: readonly ("date" | "distance" | "duration")[];
  /** The file stops before its end. Its values are true, but they cover only a part. */
  readonly isCut?: true;
  /** Cells can't be read. It isn't about a value that can't be true, so whoever allows such values doesn't settle it. */
  readonly isUnread?: true;
}

/**
 * A workout. A connector fills in the values that its source has, and nothing else. The steps (`transforms/steps`) then find the rest: the local time,
 * the activity and the one piece of equipment. Absent is undefined: a distance of 0 is a distance.
 */
export interface Workout {
  /** Absent when no table knows the source's word. logferry then asks or rejects the workout, and never guesses. */
  readonly activity?: Activity;
  /** The source's own word for the sport. */
  readonly sport?: string;
  /** The kind of training, if the source gives it. */
  readonly type?: WorkoutType;
  readonly start: Start;
  /** The source's title. The log has no field for it; the step `nameInNotes` puts it first in the notes. */
  readonly name?: string;
  readonly notes?: string;
  /** Key of the course item of this workout. */
  readonly course?: string;
  /** Set by a plan with `--link-courses`. It becomes the course where no source names one. */
  readonly follows?: FollowedCourse;
  /** Set likewise: the courses that it may follow. It gets none of them. */
  readonly mayFollow?: readonly FollowedCourse[];
  /** Keys of equipment items, in the source's order. The log takes only one, which the step `keepOneEquipment` chooses. */
  readonly equipment?: readonly string[];
  readonly distance?: Measure<"distance">;
  readonly duration?: Seconds;
  readonly health?: Health;
  /**
   * The values of the days on which the workout may have begun, if only its instant is known. The step `resolveLocalTime` takes those of its day.
   */
  readonly possibleDays?: readonly DayValues[];
  readonly intervalSet?: IntervalSet;
  readonly raceStats?: RaceStats;
  readonly ratings?: Ratings;
  readonly weather?: Weather;
  readonly track?: TrackRef;
  /** The app that recorded the workout, for a source that collects from several. Two apps may have recorded one workout. */
  readonly recorder?: string;
  /** The workout's missing or damaged file. A cut file still gives a track: its beginning. */
  readonly lostFile?: LostFile;
  readonly unsupported?: readonly UnsupportedValue[];
  /** Set by the plan, for a workout that the log has already. */
  readonly notAdded?: NotAdded;
  /** Set by a plan with `--enrich`, for a workout that the log has already and that has blank fields there. */
  readonly completes?: Completion;
  readonly doubts?: readonly Doubt[];
}
