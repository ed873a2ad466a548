/** Turns a recording of a device into a workout. A bare file and the file of a platform's row are treated alike. */
import { type Activity, activityNamed, activityOfFit, foldSport } from "../../transforms/activities.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type {
  Doubt,
  Health,
  Interval,
  IntervalSet,
  Seconds,
  Start,
  UnsupportedValue,
  Workout,
} from "../../transforms/model/workout.ts";
import { describeDuration } from "../../transforms/plausibility/wording.ts";
import type { Lap, Recording } from "../formats/recording.ts";

/** FIT's word for changing clothes between two legs. */
const TRANSITION = "transition";

/**
 * The log's words for a lap's intensity, folded. FIT has `active`, `interval`, `rest`, `recovery`, `warmup` and `cooldown`. TCX has `Active` and
 * `Resting`. Any other word is kept, because the log accepts any interval type.
 */
const INTERVAL_TYPES: ReadonlyMap<string, string> = new Map([
  ["active", "interval"],
  ["interval", "interval"],
  ["rest", "rest"],
  ["resting", "rest"],
  ["recovery", "recovery"],
]);

/** The activity of a recording. The owner's own names count first; undefined for an unknown word. */
export function activityOfRecording(
  { sport, fitSport }: Recording,
  sports: ReadonlyMap<string, Activity>,
): Activity | undefined {
  const own = sport === undefined ? undefined : sports.get(foldSport(sport));
  if (own !== undefined) return own;
  if (fitSport !== undefined) return activityOfFit(...fitSport);
  return sport === undefined ? undefined : activityNamed(sport);
}

/** Whether a recording is the pause between two legs of a triathlon. Such a pause is not a workout. */
export function isTransition({ sport, fitSport }: Recording): boolean {
  return sport === TRANSITION || fitSport?.[0] === FIT_TRANSITION;
}

const FIT_TRANSITION = 3;

/**
 * Whether a GPX file is a planned tour. Tools that save the tours of Komoot write estimated times on the points. They write the same notes for
 * every tour. A recorded tour has `(Completed)` at the end of its name.
 */
export function isPlannedTour({ name = "", notes = "" }: Recording): boolean {
  return /^Distance: [\d.]+ ?km, Estimated duration: /.test(notes) && !name.trimEnd().endsWith("(Completed)");
}

/**
 * Turns a recording into a workout: sport, start, distance, duration, heart rate, laps and unsupported values. The duration is the device's timer,
 * which stops in pauses. Without a timer, it is the time from start to end. Devices write a distance of 0 if they measured none (strength training,
 * a treadmill without a sensor).
 */
export function toWorkout(recording: Recording, sports: ReadonlyMap<string, Activity>): Workout {
  const { sport, distance, name, notes } = recording;
  const activity = activityOfRecording(recording, sports);
  const duration = isSinglePoint(recording) ? undefined : durationOf(recording);
  const health = healthOf(recording);
  const intervalSet = intervalsOf(recording.laps);
  const unsupported = readUnsupported(recording);
  const doubts = doubtsOf(recording);
  return {
    ...(activity !== undefined && { activity }),
    ...(sport !== undefined && { sport }),
    start: startOf(recording),
    ...(isSaid(name) && { name: name.trim() }),
    ...(isSaid(notes) && { notes: notes.trim() }),
    ...(distance !== undefined && distance.value > 0 && { distance }),
    ...(duration !== undefined && { duration }),
    ...(health !== undefined && { health }),
    ...(intervalSet !== undefined && { intervalSet }),
    ...(unsupported.length > 0 && { unsupported }),
    ...(doubts.length > 0 && { doubts }),
  };
}

/**
 * The duration. A timer can't run longer than the time that passed. If it did, the value that agrees better with the laps counts. Without laps, the
 * time that passed counts. Only FIT states both. In other formats, the time that passed is only the time between two points.
 */
function durationOf({ timer, elapsed, laps, fitSport }: Recording): Seconds | undefined {
  if (timer === undefined || elapsed === undefined || fitSport === undefined) return timer ?? elapsed;
  if (!isTimerTooLong({ timer, elapsed })) return timer;
  const inLaps = laps.reduce((sum, lap) => sum + (lap.elapsed ?? lap.timer ?? 0), 0);
  return elapsed === 0 || (inLaps > 0 && Math.abs(inLaps - timer) < Math.abs(inLaps - elapsed)) ? timer : elapsed;
}

/** Whether the timer ran longer than the time that passed, by more than rounding explains. */
function isTimerTooLong({ timer, elapsed }: { readonly timer: Seconds; readonly elapsed: Seconds }): boolean {
  return timer > elapsed + Math.max(1, elapsed / 100);
}

/** The remark about a recording whose timer ran longer than the time that passed; undefined for any other recording. */
export function timerIssue(recording: Recording): Issue | undefined {
  const { timer, elapsed, fitSport } = recording;
  if (timer === undefined || elapsed === undefined || fitSport === undefined) return undefined;
  if (!isTimerTooLong({ timer, elapsed })) return undefined;
  return {
    severity: "warning",
    rule: "fit/elapsed-below-timer",
    found: `its timer ran ${describeDuration(timer)} in the ${describeDuration(elapsed)} that passed`,
    expected: `a timer that runs no longer; ${describeDuration(durationOf(recording) ?? timer)} was taken`,
  };
}

/** Whether a recording has a track to send. A single point without a measured value is not a track, and logs refuse it. */
export function hasTrack(recording: Recording): boolean {
  return !isSinglePoint(recording);
}

function isSinglePoint({ pointCount, fitSport, timer, elapsed, distance }: Recording): boolean {
  const isMeasured = timer !== undefined || (elapsed ?? 0) > 0 || (distance?.value ?? 0) > 0;
  return pointCount === 1 && fitSport === undefined && !isMeasured;
}

/** The doubts about a recording: those of its decoder, and a GPX of one point. Such a point shows when and where the workout began, and no more. */
function doubtsOf(recording: Recording): readonly Doubt[] {
  const { doubts = [] } = recording;
  if (!isSinglePoint(recording)) return doubts;
  const issue: Issue = {
    severity: "error",
    rule: "workout/single-point",
    found: "its file holds a single point: when and where it began, and nothing else",
    expected: "two points or more",
  };
  return [...doubts, { issue, about: ["distance", "duration"] }];
}

/** `sub_sport` of a ride or run in a virtual world. Source: the FIT profile, `virtual_activity`. */
const VIRTUAL_ACTIVITY = 58;

/** Zwift puts Watopia among the Solomon Islands. So its positions don't show the real place and the local time. */
function isVirtual({ fitSport, sport = "" }: Recording): boolean {
  return fitSport?.[1] === VIRTUAL_ACTIVITY || /virtual/i.test(sport);
}

/** The time and place where a recording began. */
export function startOf(recording: Recording): Start {
  const { start, offsetMinutes } = recording;
  const firstPosition = isVirtual(recording) ? undefined : recording.firstPosition;
  return {
    ...(start !== undefined && { instant: start }),
    ...(offsetMinutes !== undefined && { offsetMinutes }),
    ...(firstPosition !== undefined && { position: firstPosition }),
  };
}

/** Heart rates in the log's form: whole beats. 0 means "not measured" and is left out. */
export function healthOf({ avgHR, maxHR }: Pick<Recording, "avgHR" | "maxHR">): Health | undefined {
  const avg = heartRate(avgHR);
  const max = heartRate(maxHR);
  if (avg === undefined && max === undefined) return undefined;
  return { ...(avg !== undefined && { avgHR: avg }), ...(max !== undefined && { maxHR: max }) };
}

/** A heart rate in whole beats a minute; undefined for 0. An impossible heart rate stays, and a later step remarks on it. */
export function heartRate(value: number | undefined): number | undefined {
  const beats = value === undefined ? 0 : Math.round(value);
  return beats > 0 ? beats : undefined;
}

/**
 * Turns laps into intervals, if at least two of them cover a distance or a time. A single lap is the workout itself. Presses of the button within a
 * second are not laps.
 */
export function intervalsOf(laps: readonly Lap[]): IntervalSet | undefined {
  const intervals: Interval[] = [];
  for (const { intensity, distance, timer, elapsed } of laps) {
    const duration = timer ?? elapsed;
    if ((duration ?? 0) < 1 && (distance?.value ?? 0) <= 0) continue;
    const word = (intensity ?? "active").toLowerCase();
    intervals.push({
      type: INTERVAL_TYPES.get(word) ?? word,
      ...(distance !== undefined && distance.value > 0 && { distance }),
      ...(duration !== undefined && { duration }),
    });
  }
  return intervals.length > 1 ? { intervals } : undefined;
}

function readUnsupported({ calories, ascent, timer, elapsed }: Recording): UnsupportedValue[] {
  const unsupported: UnsupportedValue[] = [];
  if (calories !== undefined && calories > 0) unsupported.push({ field: "calories", value: `${calories} kcal` });
  if (ascent !== undefined && ascent > 0) unsupported.push({ field: "elevation gain", value: `${ascent} m` });
  if (timer !== undefined && elapsed !== undefined && Math.abs(elapsed - timer) >= 1)
    unsupported.push({ field: "elapsed time", value: `${elapsed} s` });
  return unsupported;
}

function isSaid(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== "";
}
