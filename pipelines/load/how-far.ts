/**
 * Compares a record of the log with the expected result of a request, by the values in a listing.
 */
import type { LogNumbers } from "../../connectors/api/from-wire.ts";
import { IMPORT_SHIFT_HOURS } from "../../transforms/assumptions.ts";
import { asIfUtc } from "../../transforms/calendar.ts";
import { DUPLICATE_TOLERANCE, toFacts, type WorkoutFacts } from "../../transforms/duplicates.ts";
import { identitiesOf } from "../../transforms/model/identity.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import type { Line } from "../journal/line.ts";
import type { LogEntry } from "../journal/remote-record.ts";

/**
 * The distance between a record and the result that a line's request would have. 0 means equal; undefined means that the request can't have
 * made it.
 */
export function howFar(line: Line, entry: LogEntry, activityIDs: LogNumbers["activityIDs"]): number | undefined {
  switch (line.kind) {
    case "equipment":
    case "course":
      return identitiesOf(line, activityIDs).includes(entry.identity ?? "") ? 0 : undefined;
    case "workout": {
      const workout = line.value;
      const facts = toFacts(workout);
      if (facts === undefined || entry.facts === undefined) return undefined;
      if (line.uploadMethod === "import") return importApart(asRecorded(workout, facts), entry.facts);
      const activityID = workout.activity === undefined ? undefined : activityIDs[workout.activity];
      return entry.activityID === activityID && isSaveOf(facts, entry.facts) ? 0 : undefined;
    }
    default:
      return undefined;
  }
}

/** Some logs round distances to 0.01 mi. This is half of that, in metres. No document says how finely a log keeps distances. */
const LOG_ROUNDING_METRES = 8.05;

/** Whether a record can come from this save. The log returns a save as it was sent, except for rounding. */
function isSaveOf(sent: WorkoutFacts, found: WorkoutFacts): boolean {
  return (
    sent.date === found.date &&
    sent.time === found.time &&
    near(sent.metres, found.metres, 0.005, LOG_ROUNDING_METRES) &&
    near(sent.seconds, found.seconds, 0.001, 1)
  );
}

/**
 * Range of UTC offsets in use, in hours: https://www.iana.org/time-zones. An import shifts the start by the offset that the log was given.
 */
const OFFSETS = { west: -12, east: 14 } as const;

/** A platform's row and its recording may differ in start and distance as much as duplicates may. The log's rounding comes on top. */
const IMPORT_TOLERANCE = {
  seconds: DUPLICATE_TOLERANCE.seconds + 30,
  distance: DUPLICATE_TOLERANCE.distance + 0.01,
} as const;

/** The values of a workout as its device file has them. It may have the start of another source, whose clock is right. */
export function asRecorded({ track }: Workout, facts: WorkoutFacts): WorkoutFacts {
  return track?.beginsAt === undefined ? facts : { ...facts, instant: track.beginsAt };
}

/**
 * Compares a workout with a record that an import may have made. The log computes such a record from the file itself. So it may have
 * another activity, and elapsed time or moving time. Its start may be whole quarter hours away from the planned start.
 *
 * @returns the distance: above 0, and smaller means likelier; undefined if the import can't have made the record
 */
export function importApart(sent: WorkoutFacts, found: WorkoutFacts): number | undefined {
  const hasDistances = sent.metres !== undefined && found.metres !== undefined;
  const isSameSize = hasDistances
    ? near(sent.metres, found.metres, IMPORT_TOLERANCE.distance, 20)
    : near(sent.seconds, found.seconds, 0.05, 60);
  if (!isSameSize) return undefined;
  const hours = hoursApart(sent, found);
  return hours === undefined
    ? undefined
    : 1 + hours + 10 * share(sent.metres, found.metres) + 10 * share(sent.seconds, found.seconds);
}

/** Hours between the starts; undefined if no import can shift a start this far. */
function hoursApart(sent: WorkoutFacts, found: WorkoutFacts): number | undefined {
  const hours = (asIfUtc(found) - asIfUtc(sent)) / 3_600_000;
  if (found.time === undefined) return Math.abs(hours) <= IMPORT_SHIFT_HOURS ? Math.abs(hours) : undefined;
  const slack = IMPORT_TOLERANCE.seconds / 3600;
  const shift = sent.instant === undefined ? hours : (asIfUtc(found) - sent.instant) / 3_600_000;
  const [least, most] =
    sent.instant === undefined ? [-IMPORT_SHIFT_HOURS, IMPORT_SHIFT_HOURS] : [OFFSETS.west, OFFSETS.east];
  const fromQuarter = Math.abs(shift - Math.round(shift * 4) / 4);
  return shift >= least - slack && shift <= most + slack && fromQuarter <= slack ? Math.abs(hours) : undefined;
}

/** Difference as a share of the larger value; 0 if one is missing. */
function share(a: number | undefined, b: number | undefined): number {
  return a === undefined || b === undefined ? 0 : Math.abs(a - b) / Math.max(a, b);
}

/** Whether two values are equal within a share or an amount. Two missing values are equal; one missing value is not equal to a number. */
function near(a: number | undefined, b: number | undefined, share: number, amount = 0): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Math.abs(a - b) <= Math.max(amount, share * Math.max(a, b));
}
