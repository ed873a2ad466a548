/**
 * Asks on a terminal for activity numbers that neither the log nor its owner gave. logferry remembers them together with the numbers from
 * the options.
 */
import type { ReadStream } from "node:tty";
import type { JournalReader } from "../../pipelines/journal/journal.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { causesOf } from "../../pipelines/review/causes.ts";
import { ACTIVITY_NAMES, type Activity } from "../../transforms/activities.ts";
import type { CommandContext } from "../arguments/command.ts";
import { type Numbers, rememberNumbers } from "../login/remembered-numbers.ts";
import { openLines } from "../terminal/ask-lines.ts";
import { many } from "../terminal/output.ts";
import { listActivities } from "./check-numbers.ts";
import type { LogSession } from "./session.ts";

/** How often logferry asks one question. After that it leaves out the workouts of this activity. */
const TRIES = 3;

/**
 * Asks for the numbers that a plan lacks, if a person sits at a terminal.
 *
 * @returns the answers; empty without a person, or when no number is missing
 */
export async function askForNumbers(context: CommandContext, journal: JournalReader, run: Run): Promise<Numbers> {
  const { input, output, signal } = context;
  const isAtTerminal = (input as ReadStream).isTTY === true && process.stderr.isTTY === true;
  if (!isAtTerminal || output.isJson || output.loudness === "quiet") return {};
  const cause = (await causesOf(journal, run)).find(({ rule }) => rule === "workout/no-activity-id");
  if (cause === undefined) return {};
  const { logActivities = [] } = run.options;
  const answers: Partial<Record<Activity, number>> = {};
  const lines = openLines(input, signal);
  try {
    output.remark(
      `Your log counts each workout under the number of an activity, and logferry doesn't know all of them. Type the number and press Enter. Enter alone leaves these workouts out for now.`,
      ...(logActivities.length === 0 ? [] : [`Your log has: ${listActivities(logActivities)}.`]),
    );
    for (const { name, count: times } of cause.parts) {
      const activity = ACTIVITY_NAMES.find((one) => one === name);
      if (activity === undefined) continue;
      for (let tried = 0; tried < TRIES; tried++) {
        output.remark(`Which number has your log for ${activity} (${many(times, "workout")})?`);
        const line = await lines.next();
        if (line === undefined || line === "") break;
        const problem = problemWith(line, run.options);
        if (problem === undefined) {
          answers[activity] = Number(line);
          break;
        }
        output.remark(problem);
      }
    }
  } finally {
    lines.close();
  }
  return answers;
}

/** Why a typed number can't be used; undefined for a good one. If a log lists all of its activities, no other number is good. */
function problemWith(line: string, { logActivities = [], logActivitiesAreAll }: Run["options"]): string | undefined {
  if (!/^\d{1,9}$/.test(line)) return "A number is a whole number, such as 14.";
  if (logActivitiesAreAll !== true || logActivities.some(({ activityID }) => activityID === Number(line)))
    return undefined;
  return `Your log has no activity with the number ${Number(line)}. Type one of these: ${listActivities(logActivities)}.`;
}

/**
 * Remembers the numbers of `--activity` and of the answers with the profile, and prints them.
 *
 * @throws UsageError when they can't be written
 */
export async function keepNumbers(
  { options, output, tables }: CommandContext,
  { view }: Pick<LogSession, "view">,
  answers: Numbers = {},
): Promise<void> {
  const typed = (options.activity ?? []).map((pair) => pair.split("=", 1)[0] as Activity);
  const overrides = Object.fromEntries(typed.map((activity) => [activity, tables.overrides?.[activity]]));
  const fresh = Object.entries(await rememberNumbers(options.profile, view.account, { ...overrides, ...answers }));
  if (fresh.length === 0) return;
  const words = fresh.map(([activity, number]) => `${activity} is number ${number}`).join(", ");
  output.remark(
    `Remembered for the profile ${options.profile}: ${words}. To change it: --activity ${fresh[0]?.[0]}=NUMBER`,
  );
}
