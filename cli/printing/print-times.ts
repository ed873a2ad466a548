/** Tells the person, before anything is written, about local times that no source gave. */
import type { AssumedTimes } from "../../pipelines/plan/records/assumed-times.ts";
import { utcText } from "../../transforms/calendar.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import { printable } from "../../transforms/text/printable.ts";
import { count, type Output } from "../terminal/output.ts";

/** A zone for an example, if the machine has none of its own. */
const EXAMPLE_ZONE = "Europe/Vienna";

/** Prints the paragraph about workouts of a plan with an assumed local time; prints nothing if there are none. */
export function printAssumedTimes(output: Output, times: AssumedTimes | undefined): void {
  if (times !== undefined) output.say("", ...timesText(times, machineZone()));
}

/**
 * The lines: the number of workouts, the offset, an example, the evidence of the titles, and the command.
 *
 * @param zone for the example
 */
export function timesText(
  { workouts, offsetMinutes, titles, contradicting, example, known }: AssumedTimes,
  zone: string,
): readonly string[] {
  const { title, date, time, origin } = example;
  const many = workouts === 1 ? "1 workout has" : `${count(workouts)} workouts have`;
  const named = title === undefined ? describeOrigin(origin) : `"${printable(title, 60)}" (${describeOrigin(origin)})`;
  const lines = [
    `${many} no known time zone: the source gives neither a zone nor a position. ${workouts === 1 ? "Its local time uses" : "Their local times use"} your log's offset, ${utcText(offsetMinutes)}.`,
    `  For example, ${named} would start at ${time.slice(0, 5)} on ${date}.`,
  ];
  if (contradicting > 0)
    lines.push(`  ${count(contradicting)} of ${count(titles)} titles that name a time of day don't fit.`);
  else if (titles > 0) lines.push(`  All ${count(titles)} titles that name a time of day fit.`);
  // The other workouts show only where the athlete was then. So they are a hint, and the choice is the athlete's.
  if (known !== undefined && known.offsetMinutes !== offsetMinutes)
    lines.push(
      `  ${known.all === 1 ? "The only workout" : `${count(known.workouts)} of the ${count(known.all)} workouts`} with a known time zone ${known.workouts === 1 ? "is" : "are"} at ${utcText(known.offsetMinutes)}.`,
    );
  lines.push(`  If you were somewhere else, plan again with your own time zone, such as: --zone ${zone}`);
  return lines;
}

function machineZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone.includes("/") && !timeZone.startsWith("Etc/") ? timeZone : EXAMPLE_ZONE;
}
