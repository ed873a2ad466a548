/**
 * Finds durations that a program took for times of day: 31:06, typed as minutes and seconds into a column of times, is shown as `07:06:00`. Read as they
 * stand, each workout would begin at that hour, and have no duration.
 */

import type { NoProposal } from "../choices/no-proposal.ts";
import type { DatedTable } from "../dates/dated-table.ts";
import { WORKOUTS } from "../rows/sum-rules.ts";

/** Where a person says that they are times of day. */
export const WRAPPED = "rows.times";

/** Fewer rows show nothing. */
const LEAST_ROWS = 8;

/** This share of the rows must have a usual pace as minutes and seconds, perhaps with a day's 24 more. */
const SHARE = 0.9;

/** This share of the times lies before 5 o'clock, when few people train. */
const AT_NIGHT = 0.08;

/** Usual minutes for a kilometre or a mile, by foot. */
const USUAL = { from: 3, to: 13 } as const;

/** Why such a table waits; undefined for any other, and where a person says that the times are those of the day. */
export function wrappedDurations({ columns, days, answers }: DatedTable): NoProposal | undefined {
  if (answers.get(WRAPPED) === WORKOUTS) return undefined;
  const time = columns.find(({ role }) => role === "time");
  const distance = columns.find(({ role }) => role === "distance");
  const isTimed = columns.some(({ role = "" }) => ["duration", "hours", "minutes", "seconds", "pace"].includes(role));
  if (time === undefined || distance === undefined || isTimed) return undefined;
  const rows = [...days.keys()].flatMap((row) => {
    const [, hours, minutes] = /^(\d{1,2}):(\d\d):00$/.exec(time.cells[row] ?? "") ?? [];
    const far = Number((distance.cells[row] ?? "").replace(",", "."));
    return hours === undefined || !(far > 0) ? [] : [{ hours: Number(hours), seconds: Number(minutes), far }];
  });
  const filled = time.filled.length;
  if (rows.length < LEAST_ROWS || rows.length < filled * SHARE) return undefined;
  const isUsual = (minutes: number) => minutes >= USUAL.from && minutes <= USUAL.to;
  const usual = rows.filter(({ hours, seconds, far }) =>
    [0, 24, 48].some((more) => isUsual((hours + more + seconds / 60) / far)),
  );
  const atNight = rows.filter(({ hours }) => hours < 5);
  const isEven = rows.every(({ seconds }) => seconds % 5 === 0);
  if (usual.length < rows.length * SHARE || atNight.length < rows.length * AT_NIGHT || isEven) return undefined;
  return {
    problem: `the times in the column ${JSON.stringify(time.name)} may be durations: read as minutes and seconds, ${usual.length} of ${rows.length} rows have a usual pace, and ${atNight.length} would begin before 5 o'clock in the morning. A program that shows times of day takes off each 24: 31:06 becomes 07:06:00`,
    next: `Give the column the format [h]:mm:ss in your spreadsheet program, check that the times are as you wrote them, save it, and propose again. If they are the times at which you began, run this again with --set ${WRAPPED}=${WORKOUTS}`,
  };
}
