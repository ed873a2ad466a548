/**
 * The app of Nike Run Club writes the first point of a run with a date of another year: 2019-08-03T03:35:08.502Z in a run that began
 * 2024-08-01T03:35:08.502Z. Where the lap and the later points show the right time, it is taken. Where they don't, a person decides.
 */
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Doubt } from "../../../transforms/model/workout.ts";
import type { Track } from "./track.ts";

const DAY_MS = 86_400_000;

/**
 * Checks the first time of a recording against the start of its lap, and corrects the point: it gets the lap's time, or none. A watch may have its
 * first point a little before its lap.
 *
 * @returns the remark; undefined if the time is believed
 */
export function correctFirstTime(point: { instant?: number }, lap: number | undefined): Issue | undefined {
  const { instant } = point;
  if (instant === undefined || lap === undefined || instant >= lap - DAY_MS) return undefined;
  const isSameClock = (lap - instant) % DAY_MS === 0;
  if (isSameClock) point.instant = lap;
  else delete point.instant;
  const expected = isSameClock
    ? `${iso(lap)}, when its lap began; that time was taken`
    : "a time after its lap began; the point was kept without it";
  const found = `${iso(instant)} at the first point`;
  return { severity: "warning", rule: "tcx/time-before-lap", field: "Time", found, expected };
}

/**
 * The doubt about the day of a recording: its first point, its lap or its Id is more than a day away from all other points, and nothing shows
 * which of them is right.
 *
 * @param start the start by its lap or its Id
 */
export function doubtfulDay(track: Track, start: number | undefined): Doubt | undefined {
  const { start: first, second } = track;
  if (first === undefined) return undefined;
  const others = track.isFirstElsewhere ? second : first;
  const wrong = track.isFirstElsewhere ? first : start;
  if (others === undefined || wrong === undefined || Math.abs(wrong - others) <= DAY_MS) return undefined;
  const what = track.isFirstElsewhere ? "its first point" : "its lap";
  const found = `${what} is of ${iso(wrong).slice(0, 10)}, and its other points are of ${iso(others).slice(0, 10)}`;
  const issue: Issue = {
    severity: "error",
    rule: "workout/implausible-date",
    found,
    expected: "times of one workout: say the day that is right",
  };
  return { issue, about: ["date"] };
}

/** The doubts that there are; undefined if there are none. */
export function doubtsOf(...doubts: readonly (Doubt | undefined)[]): readonly Doubt[] | undefined {
  const found = doubts.filter((doubt) => doubt !== undefined);
  return found.length === 0 ? undefined : found;
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}
