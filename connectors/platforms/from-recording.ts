/**
 * What a recording of a device says about a workout: the same for a bare file and for a file that belongs to a platform's row.
 */
import { type Activity, activityNamed, activityOfFit, foldSport } from "../../transforms/activities.ts";
import type { Beyond, Health, Interval, IntervalSet, Start, Workout } from "../../transforms/model/workout.ts";
import type { Lap, Recording } from "../formats/recording.ts";

/** The word FIT has for changing clothes between two legs. */
const TRANSITION = "transition";

/**
 * The log's words for a lap's intensity, folded: FIT's `active`, `interval`, `rest`, `recovery`, `warmup`, `cooldown`, and `Active` and
 * `Resting` of TCX. A word that isn't here is kept; the log's interval types are an open set.
 */
const INTERVAL_TYPES: ReadonlyMap<string, string> = new Map([
  ["active", "interval"],
  ["interval", "interval"],
  ["rest", "rest"],
  ["resting", "rest"],
  ["recovery", "recovery"],
]);

/** The activity a recording says it is; the owner's own names first. Undefined for a word no table has. */
export function activityOfRecording(
  { sport, fitSport }: Recording,
  sports: ReadonlyMap<string, Activity>,
): Activity | undefined {
  const own = sport === undefined ? undefined : sports.get(foldSport(sport));
  if (own !== undefined) return own;
  if (fitSport !== undefined) return activityOfFit(...fitSport);
  return sport === undefined ? undefined : activityNamed(sport);
}

/** Whether a recording is the pause between two legs of a triathlon, which is no workout. */
export function isTransition({ sport, fitSport }: Recording): boolean {
  return sport === TRANSITION || fitSport?.[0] === FIT_TRANSITION;
}

const FIT_TRANSITION = 3;

/**
 * A recording as a workout: sport, start, distance, duration, heart rate, laps, and what the log can't hold. The duration is the
 * device's timer, which stands still in pauses; where it has none, the time from start to end. A distance of 0 is what devices
 * write where they measured none (strength training, a treadmill without a sensor).
 */
export function workoutOf(recording: Recording, sports: ReadonlyMap<string, Activity>): Workout {
  const { sport, distance, timer, elapsed, name, notes } = recording;
  const activity = activityOfRecording(recording, sports);
  const duration = timer ?? elapsed;
  const health = healthOf(recording);
  const intervalSet = intervalsOf(recording.laps);
  const beyond = beyondOf(recording);
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
    ...(beyond.length > 0 && { beyond }),
  };
}

/** What a recording knows about when it began, and where. */
export function startOf({ start, offsetMinutes, firstPosition }: Recording): Start {
  return {
    ...(start !== undefined && { instant: start }),
    ...(offsetMinutes !== undefined && { offsetMinutes }),
    ...(firstPosition !== undefined && { position: firstPosition }),
  };
}

/** Heart rates as the log has them: whole beats, and absent where 0, which is "not measured". */
export function healthOf({ avgHR, maxHR }: Pick<Recording, "avgHR" | "maxHR">): Health | undefined {
  const avg = heartRate(avgHR);
  const max = heartRate(maxHR);
  if (avg === undefined && max === undefined) return undefined;
  return { ...(avg !== undefined && { avgHR: avg }), ...(max !== undefined && { maxHR: max }) };
}

/** A heart rate in whole beats a minute, or undefined for 0. One that no heart can do stays: a step remarks on it. */
export function heartRate(value: number | undefined): number | undefined {
  const beats = value === undefined ? 0 : Math.round(value);
  return beats > 0 ? beats : undefined;
}

/**
 * Laps as intervals, when there are at least two that cover any distance or time: one lap is the workout itself, and presses of
 * the button within a second are none.
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

function beyondOf({ calories, ascent, timer, elapsed }: Recording): Beyond[] {
  const beyond: Beyond[] = [];
  if (calories !== undefined && calories > 0) beyond.push({ field: "calories", value: `${calories} kcal` });
  if (ascent !== undefined && ascent > 0) beyond.push({ field: "elevation gain", value: `${ascent} m` });
  if (timer !== undefined && elapsed !== undefined && Math.abs(elapsed - timer) >= 1)
    beyond.push({ field: "elapsed time", value: `${elapsed} s` });
  return beyond;
}

function isSaid(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== "";
}
