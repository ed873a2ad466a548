/**
 * Refuses activity numbers that the log doesn't have. The service takes a device file without a number, and then refuses its values: the workout would
 * stay in the log at the service's own time, which may be hours off.
 */
import type { Activity } from "../../transforms/activities.ts";
import { UsageError } from "../errors/exit-codes.ts";
import type { Numbers } from "../login/remembered-numbers.ts";

/** An activity as a log lists it. */
interface ListedActivity {
  readonly activityID: number;
  readonly name?: string | undefined;
}

/** Numbers that a log has no activity for. */
export class UnknownNumberError extends UsageError {
  /** The numbers, by the activity that they were given for. */
  readonly numbers: Numbers;
  /** The activities that the log has, for a person to choose from. */
  readonly offered: string;

  constructor(numbers: Numbers, offered: string) {
    super(`Cannot import: ${describeUnknown(numbers)} The log has no such activity. It has: ${offered}.`, {
      more: [`Give its own number: ${toFlags(numbers)}`],
    });
    this.name = "UnknownNumberError";
    this.numbers = numbers;
    this.offered = offered;
  }
}

/**
 * Checks the numbers that a person gave, today or before.
 *
 * @param given by the command line, the config file or an earlier run
 * @param all every activity of the log
 * @throws UnknownNumberError
 */
export function checkNumbers(given: Numbers, all: readonly ListedActivity[]): void {
  const known = new Set(all.map(({ activityID }) => activityID));
  const unknown = Object.entries(given).filter(([, number]) => !known.has(number));
  if (unknown.length > 0) throw new UnknownNumberError(Object.fromEntries(unknown), listActivities(all));
}

/** The same mistake in several logs, said once. */
export function describeForAll(errors: readonly UnknownNumberError[], names: string): UsageError {
  const numbers: Numbers = Object.assign({}, ...errors.map((one) => one.numbers));
  const offered = new Set(errors.map((one) => one.offered));
  const [only] = offered;
  return new UsageError(
    `Cannot import for anybody: ${describeUnknown(numbers)} The log of ${names} has no such activity.${offered.size === 1 ? ` It has: ${only}.` : ""}`,
    {
      more: [
        `Give the right number: ${toFlags(numbers)}. Where the logs have different numbers, give each in the column "activity" of the roster.`,
      ],
    },
  );
}

/** The activities of a log in words: `10 Run, 14 walk`. */
export function listActivities(activities: readonly ListedActivity[]): string {
  return activities.map(({ activityID, name }) => `${activityID}${name === undefined ? "" : ` ${name}`}`).join(", ");
}

function describeUnknown(numbers: Numbers): string {
  return Object.entries(numbers)
    .map(([activity, number]) => `the number ${number} was given for ${activity}.`)
    .join(" ");
}

function toFlags(numbers: Numbers): string {
  return (Object.keys(numbers) as Activity[]).map((activity) => `--activity ${activity}=NUMBER`).join(" ");
}
