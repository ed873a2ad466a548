/** Prints the rejected records of a run for a person: one line for each cause, with the one command that lets all of its records in. */

import type { JournalReader } from "../../pipelines/journal/journal.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { shortId } from "../../pipelines/journal/short-id.ts";
import { adviceFor } from "../../pipelines/plan/advice/advice.ts";
import { type Cause, causesOf } from "../../pipelines/review/causes.ts";
import { ACTIVITY_NAMES } from "../../transforms/activities.ts";
import { describeOrigin, withoutRule } from "../../transforms/model/issue.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import { withIdOf } from "../suggested-commands.ts";
import { count, type Output } from "../terminal/output.ts";

/** The command that retries rejected records. */
const RETRY = "logferry quarantine retry";

/**
 * Prints the causes of a run's rejected records; prints nothing if there are none.
 *
 * @param after the kind of output: after a plan the person plans again, after a result the person retries the rejected records
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

/** If one setting or another cause mends all records, one example is enough. */
function examplesOf({ rule, settings, first, examples, count: all }: Cause, { options }: Run): readonly string[] {
  if ((settings.length > 0 || first !== undefined) && options.restores === undefined)
    return examples.slice(0, 1).map(({ origin }) => `such as ${describeOrigin(origin)}`);
  const shown = examples.map(
    ({ key, origin, reason = "" }) => `${describeOrigin(origin)}: ${withIdOf(shortId(key), withoutRule(reason, rule))}`,
  );
  // For many implausible records, the arithmetic of one shows the problem.
  if (adviceFor(rule)?.allows !== undefined && !isDouble(rule))
    return shown.slice(0, 1).map((one) => (all > 1 ? `such as ${one}` : one));
  return all > shown.length ? [...shown, `... and ${count(all - shown.length)} more (--verbose shows all)`] : shown;
}

/** The commands to type, and the meaning of the words in capitals. */
function waysOut({ rule, settings, parts, first }: Cause, run: Run, after: "plan" | "result"): readonly string[] {
  // The command `restore` puts a snapshot back again, once the log is ready for it.
  if (run.options.restores !== undefined) return [];
  const allowed = adviceFor(rule)?.allows;
  if (isDouble(rule)) {
    const allow = after === "plan" ? "plan again with:" : `type: ${RETRY} ${rule}`;
    return [
      `If it is the same workout, leave it out: logferry quarantine drop ${rule}`,
      `If they are two workouts, ${allow} --allow implausible`,
      `For one of them alone: logferry quarantine ${rule}`,
    ];
  }
  if (allowed === "unread-cells") {
    const command = after === "plan" ? "plan again with:" : `type: ${RETRY} ${rule}`;
    return [
      `What to do: logferry quarantine ${rule}`,
      `To load them without these cells, ${command} --allow unread-cells`,
    ];
  }
  if (allowed === "moved-starts") {
    const command = after === "plan" ? "plan again with:" : `type: ${RETRY} ${rule}`;
    return [
      "If the times in your log are right, plan again with the options of the run that gave them",
      `If the new times are right, ${command} --allow moved-starts`,
    ];
  }
  if (allowed !== undefined) {
    const command =
      after === "plan" ? "plan again with: --allow implausible" : `type: ${RETRY} ${rule} --allow implausible`;
    return [`If they are right, ${command}`, `If not: logferry quarantine ${rule}`];
  }
  if (first !== undefined && settings.length === 0) return [first];
  if (settings.length === 0) return [`What to do: logferry quarantine ${rule}`];
  const which = letIn({ settings, parts });
  const command =
    after === "plan"
      ? `To let ${which} in, plan again with: ${wordsOf(settings)}`
      : `To let ${which} in: ${retryWith(settings)}`;
  return [command, settings[0]?.option === "--sport" ? ACTIVITIES : numbersOf(run)];
}

/** Whether the records are most likely duplicates. */
function isDouble(rule: string): boolean {
  return adviceFor(rule)?.isDouble === true;
}

/** `them`, or the number of names that a command lets in. The next output shows the remaining names. */
export function letIn({ settings, parts }: Pick<Cause, "settings" | "parts">): string {
  return settings.length === parts.length ? "them" : `${count(settings.length)} of these ${count(parts.length)} names`;
}

/** The command that retries rejected records with settings that let them in, ready to paste. */
export function retryWith(settings: Cause["settings"]): string {
  return `${RETRY} ${wordsOf(settings)}`;
}

function wordsOf(settings: Cause["settings"]): string {
  // The parser would read a value with a leading dash as an option of its own.
  return settings
    .map(({ option, value }) => `${option}${value.startsWith("-") ? "=" : " "}${shellWord(value)}`)
    .join(" ");
}

const ACTIVITIES = `ACTIVITY is one of ${ACTIVITY_NAMES.join(", ")}.`;

/** The place where a person finds the numbers. */
function numbersOf({ options: { logActivities = [] } }: Run): string {
  const known = logActivities.map(({ activityID, name }) => `${activityID}${name === undefined ? "" : ` ${name}`}`);
  return known.length === 0
    ? "NUMBER is the number that your log has for the activity."
    : `NUMBER is the number that your log has for the activity. It has: ${known.join(", ")}.`;
}
