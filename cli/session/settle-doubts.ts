/** Looks up lost answers, before a plan is made and while one is carried out. */

import { setTimeout as sleepFor } from "node:timers/promises";
import { readIfThere } from "../../connectors/sink.ts";
import { settle } from "../../pipelines/load/settle.ts";
import { SETTLE_MS } from "../../transforms/assumptions.ts";
import { describeIssue, type Issue } from "../../transforms/model/issue.ts";
import type { CommandContext } from "../arguments/command.ts";
import type { LogSession } from "./session.ts";

/** Looks up every lost answer of every run. @returns the number that can't be looked up */
export function settleLostAnswers(context: CommandContext, session: LogSession): Promise<number> {
  const say = sayIssue(context);
  return settleDoubts(context, session, async (issue) => say(issue));
}

/** Sleeps this many milliseconds, or until the signal stops it. */
export async function sleepUntil(ms: number, stop: AbortSignal): Promise<void> {
  await sleepFor(ms, undefined, { signal: stop }).catch(() => undefined);
}

/** The time that a server may take to carry out a request, if the options give it, for every function that settles. */
export function settleTime({ settle: seconds }: CommandContext["options"]): { readonly settleMs?: number } {
  return seconds === undefined ? {} : { settleMs: seconds * 1000 };
}

/**
 * Settles lost answers of an open log (see `settle`).
 *
 * @param report receives remarks
 * @param onWait receives the reason for a wait
 */
export function settleDoubts(
  { options, output }: CommandContext,
  { journal, signal, sink, view }: LogSession,
  report: (issue: Issue) => Promise<void>,
  quietMs = 0,
  onWait = (what: string) => output.progress({ phase: "settling", done: 0, waiting: what }),
): Promise<number> {
  return settle(
    {
      journal,
      list: view.list,
      read: (kind, id, stop) => readIfThere(() => sink.read(kind, id, stop)),
      sleep: sleepUntil,
      onWait,
      report,
      ...settleTime(options),
    },
    signal,
    quietMs,
  );
}

/** Waits for the open requests of a run with another journal. That run was cut off, and this journal doesn't know its requests. */
export async function waitForCutOff(
  { options, output }: CommandContext,
  { memory, signal }: Pick<LogSession, "memory" | "signal">,
): Promise<void> {
  const other = memory.ofAnother();
  if (other === undefined || signal.aborted) return;
  const { settleMs = SETTLE_MS } = settleTime(options);
  const seconds = Math.ceil(settleMs / 1000);
  const since =
    other.since === 0 ? "" : `, begun on ${new Date(other.since).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  output.remark(
    `Another run on this log was cut off (journal ${other.path}${since}). Up to ${other.inFlight} of its requests may still reach the log, and this journal doesn't know them: waiting ${seconds} s before the log is read.`,
  );
  output.progress({
    phase: "waiting",
    done: 0,
    waiting: `what a run that was cut off may still have under way, ${seconds} s`,
  });
  await sleepUntil(settleMs, signal);
  if (!signal.aborted) memory.forgetAnother();
}

/** Prints issues with --verbose only. */
export function sayIssue({ output }: CommandContext): (issue: Issue) => void {
  return (issue) => {
    if (output.loudness === "verbose") output.say(`  ${describeIssue(issue)}`);
  };
}
