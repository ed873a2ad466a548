/**
 * How like a record of the log is to what a request would have made, by what a listing shows of it.
 */
import type { LogNumbers } from "../../connectors/api/from-wire.ts";
import { IMPORT_SHIFT_HOURS } from "../../transforms/assumptions.ts";
import { asIfUtc } from "../../transforms/calendar.ts";
import { DUPLICATE_TOLERANCE, toFacts, type WorkoutFacts } from "../../transforms/duplicates.ts";
import { identitiesOf } from "../../transforms/model/identity.ts";
import type { Line } from "../journal/line.ts";
import type { LogEntry } from "../journal/remote-record.ts";

/** How far a record is from what a line's request would have made: 0 is alike; undefined when it can't be that. */
export function howFar(line: Line, entry: LogEntry, activityIDs: LogNumbers["activityIDs"]): number | undefined {
  switch (line.kind) {
    case "equipment":
    case "course":
      return identitiesOf(line, activityIDs).includes(entry.identity ?? "") ? 0 : undefined;
    case "workout": {
      const workout = line.value;
      const facts = toFacts(workout);
      if (facts === undefined || entry.facts === undefined) return undefined;
      if (line.uploadMethod === "import") return importApart(facts, entry.facts);
      const activityID = workout.activity === undefined ? undefined : activityIDs[workout.activity];
      return entry.activityID === activityID && isSaveOf(facts, entry.facts) ? 0 : undefined;
    }
    default:
      return undefined;
  }
}

/** A log may keep distances to 0.01 mi: half of that, in metres. No document says how finely a log keeps them. */
const LOG_ROUNDING_METRES = 8.05;

/** A save comes back as it was sent, but for rounding. */
function isSaveOf(sent: WorkoutFacts, found: WorkoutFacts): boolean {
  return (
    sent.date === found.date &&
    sent.time === found.time &&
    near(sent.metres, found.metres, 0.005, LOG_ROUNDING_METRES) &&
    near(sent.seconds, found.seconds, 0.001, 1)
  );
}

/** Distances of UTC in use, in hours: https://www.iana.org/time-zones. An import shifts by the one its log was told. */
const OFFSETS = { west: -12, east: 14 } as const;

/** Start and distance of a platform's row and of its recording may differ as those of duplicates may; the log's rounding comes on top. */
const IMPORT_TOLERANCE = {
  seconds: DUPLICATE_TOLERANCE.seconds + 30,
  distance: DUPLICATE_TOLERANCE.distance + 0.01,
} as const;

/**
 * An import makes the record itself, of the file: another activity perhaps, elapsed time or moving time, and a start that is
 * whole quarter hours away from what was planned.
 *
 * @returns above 0 and the smaller the likelier, or undefined
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

/** Hours between the starts, or undefined where no import can have put the record there. */
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

/** Difference as a share of the larger; 0 where one is missing. */
function share(a: number | undefined, b: number | undefined): number {
  return a === undefined || b === undefined ? 0 : Math.abs(a - b) / Math.max(a, b);
}

/** Equal within a share or an amount; two missing values are equal, one missing is not. */
function near(a: number | undefined, b: number | undefined, share: number, amount = 0): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Math.abs(a - b) <= Math.max(amount, share * Math.max(a, b));
}
