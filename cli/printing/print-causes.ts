/** What a run rejected, as a person reads it: a line a cause, with the one command that lets all of its records in. */

import type { JournalReader } from "../../pipelines/journal/journal.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { adviceFor } from "../../pipelines/plan/advice.ts";
import { type Cause, causesOf } from "../../pipelines/review/causes.ts";
import { ACTIVITY_NAMES } from "../../transforms/activities.ts";
import { describeOrigin, withoutRule } from "../../transforms/model/issue.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import { count, type Output } from "../terminal/output.ts";

/** The words that take rejected records up again. */
const RETRY = "logferry quarantine retry";

/**
 * Prints the causes for which a run rejected records; nothing where it rejected none.
 *
 * @param after what was done with the run: a plan is made again, of a result the rejected records are retried
 */
export async function printCauses(
  output: Output,
  journal: JournalReader,
  run: Run,
  after: "plan" | "result",
): Promise<void> {
  const causes = await causesOf(journal, run);
  if (causes.length === 0) return;
  output.say("", "Rejected, for you to look at:");
  for (const cause of causes) {
    output.say(`  ${cause.sentence} (${cause.rule})`);
    for (const line of examplesOf(cause, run)) output.say(`      ${line}`);
    for (const line of waysOut(cause, run, after)) output.say(`    ${line}`);
  }
}

/** Where a setting mends all, one place is enough to look at. */
function examplesOf({ rule, settings, examples, count: all }: Cause, { options }: Run): readonly string[] {
  if (settings.length > 0 && options.restores === undefined)
    return examples.slice(0, 1).map(({ origin }) => `such as ${describeOrigin(origin)}`);
  const shown = examples.map(({ origin, reason = "" }) => `${describeOrigin(origin)}: ${withoutRule(reason, rule)}`);
  // Of many that can't be true, the arithmetic of one says what is wrong.
  if (isAllowable(rule) && !isDouble(rule)) return shown.slice(0, 1).map((one) => (all > 1 ? `such as ${one}` : one));
  return all > shown.length ? [...shown, `... and ${count(all - shown.length)} more (--verbose shows all)`] : shown;
}

/** What to type, and what stands for the words in capitals. */
function waysOut({ rule, settings, parts }: Cause, run: Run, after: "plan" | "result"): readonly string[] {
  // What a snapshot holds is put back by its own command, once the log is ready for it.
  if (run.options.restores !== undefined) return [];
  if (isDouble(rule)) {
    const allow = after === "plan" ? "plan again with:" : `type: ${RETRY} ${rule}`;
    return [
      `If it is the same workout, leave it out: logferry quarantine drop ${rule}`,
      `If they are two workouts, ${allow} --allow implausible`,
      `For one of them alone: logferry quarantine ${rule}`,
    ];
  }
  if (isAllowable(rule)) {
    const command =
      after === "plan" ? "plan again with: --allow implausible" : `type: ${RETRY} ${rule} --allow implausible`;
    return [`If they are right, ${command}`, `If not: logferry quarantine ${rule}`];
  }
  if (settings.length === 0) return [`What to do: logferry quarantine ${rule}`];
  const which = letIn({ settings, parts });
  const command =
    after === "plan"
      ? `To let ${which} in, plan again with: ${wordsOf(settings)}`
      : `To let ${which} in: ${retryWith(settings)}`;
  return [command, settings[0]?.option === "--sport" ? ACTIVITIES : numbersOf(run)];
}

/** Whether a person may let the records in as they are. */
function isAllowable(rule: string): boolean {
  return adviceFor(rule)?.allows !== undefined;
}

/** Whether the records are most likely others once more. */
function isDouble(rule: string): boolean {
  return adviceFor(rule)?.isDouble === true;
}

/** `them`, or how many of the names a command lets in: what is left is shown with the next one. */
export function letIn({ settings, parts }: Pick<Cause, "settings" | "parts">): string {
  return settings.length === parts.length ? "them" : `${count(settings.length)} of these ${count(parts.length)} names`;
}

/** The command that takes rejected records up again with settings that let them in, as it is pasted. */
export function retryWith(settings: Cause["settings"]): string {
  return `${RETRY} ${wordsOf(settings)}`;
}

function wordsOf(settings: Cause["settings"]): string {
  // A value that begins with a dash would be read as an option of its own.
  return settings
    .map(({ option, value }) => `${option}${value.startsWith("-") ? "=" : " "}${shellWord(value)}`)
    .join(" ");
}

const ACTIVITIES = `ACTIVITY is one of ${ACTIVITY_NAMES.join(", ")}.`;

/** Where a person finds the numbers. */
function numbersOf({ options: { logActivities = [] } }: Run): string {
  const known = logActivities.map(({ activityID, name }) => `${activityID}${name === undefined ? "" : ` ${name}`}`);
  return known.length === 0
    ? "NUMBER is the number that your log has for the activity."
    : `NUMBER is the number that your log has for the activity. It has: ${known.join(", ")}.`;
}
