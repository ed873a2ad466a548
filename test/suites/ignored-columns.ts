/** What a platform's table may say of a column that it ignores. Any other value that the log can't hold is counted by its name. */

/** The forms of such reasons: the value is read elsewhere, follows from what is read, or is none of the athlete's. */
const FORMS: readonly RegExp[] = [
  /^(?:read|counted|summed up|said|says?|shows?|names?|joins|makes|counts)\b/,
  /^in the (?:words|columns) /,
  /\bonce more$/,
  /^the same /,
  /^follows? from /,
  /^an? (?:mark|number|counter|display setting) /,
  /^settings of /,
  /^such an? [a-z ]+ is skipped$/,
];

/** Reasons of a single platform or two. */
const SINGLE: ReadonlySet<string> = new Set([
  "0: it counts from the start",
  "a display setting",
  "a plan",
  "a planned tour is skipped",
  "a record follows from the activities",
  "as it was before its owner changed it",
  "beats a minute",
  "belongs to the recorded series",
  "how the app shows a distance; the table has millimetres",
  "its number at another service",
  "no value of a workout",
  "of the day, and not of the workout",
  "of the person, and not of the piece",
  "start and end show the seconds, too",
  "sums of the workouts",
  "the FIT file of the activity has it",
  "the TCX file has them, or a track is made of them",
  "the activity as it was before its owner changed it",
  "the app that recorded it",
  "the app's name for people",
  "the day it was saved, which may be later",
  "the day of the start",
  "the device file has the laps",
  "the device file has the places",
  "the elapsed time without the moving time",
  "the exercise, its start and its place",
  "the first point of the track",
  "the first position of the recorded route",
  "the first position of the track",
  "the hour of the workout",
  "the number of samples behind the average power",
  "the service is gone",
  "the sport as a number",
  "the state of a person on that day, worked out from all workouts",
  "the summary as a picture",
  "the time that passed, without the time that the athlete moved",
  "the times are local in it",
  "the totals count, whether typed or measured",
  "the track and pictures, which the GPX file or nothing has",
  "the watch, marks of programs, and the athlete, whose weight is read for the day",
  "the weight class of the ranking, and not a weight",
  "the words for a training effect, which is counted",
  "the workout stands where it began",
  "what an exercise is for",
  "what the app had planned",
  "what the platform thought it was",
  "when the exercise was sent, and not when it was done",
  "where it began: the time has its distance from UTC",
  "with the start, the time that passed",
  "with the start, the time that passed, pauses included",
  "workouts name a course by its name",
]);

/** A fastest or highest value doesn't follow from a distance and a time. `min/km` is a unit. */
const EXTREME = /(?:^|[/_ .(])(?:max|min)(?:[_ .]|$)|best|peak|fastest|slowest/i;

/** Why a column may not be ignored for this reason; undefined if it may. */
export function ignoredWrongly({ column, why }: { readonly column: string; readonly why: string }): string | undefined {
  if (/^follows? from distance/.test(why) && EXTREME.test(column)) return "an extreme value doesn't follow from others";
  return SINGLE.has(why) || FORMS.some((form) => form.test(why)) ? undefined : "nobody counts what it holds";
}
