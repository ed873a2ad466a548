/**
 * Looks up answers that were lost, before a plan is made and while one is carried out.
 */
import { setTimeout as sleepFor } from "node:timers/promises";
import { readIfThere, settle } from "../pipelines/load/settle.ts";
import { describeIssue, type Issue } from "../transforms/model/issue.ts";
import type { CommandContext } from "./arguments/command.ts";
import type { Session } from "./session/session.ts";

/** Looks up every answer that was lost, of whichever run. @returns how many can't be */
export function settleLostAnswers(context: CommandContext, session: Session): Promise<number> {
  const say = sayIssue(context);
  return settleDoubts(context, session, async (issue) => say(issue));
}

/** How long a server may take to do what it was sent, where the options say it: for whatever settles. */
export function settleTime({ settle: seconds }: CommandContext["options"]): { readonly settleMs?: number } {
  return seconds === undefined ? {} : { settleMs: seconds * 1000 };
}

/**
 * Settles lost answers of an open log (see `settle`).
 *
 * @param report is given remarks
 * @param onWait is told what is waited for
 */
export function settleDoubts(
  { options, output }: CommandContext,
  { journal, signal, sink, view }: Session,
  report: (issue: Issue) => Promise<void>,
  quietMs = 0,
  onWait = (what: string) => output.progress({ phase: "settling", done: 0, waiting: what }),
): Promise<number> {
  return settle(
    {
      journal,
      list: view.list,
      read: (kind, id, stop) => readIfThere(sink, kind, id, stop),
      sleep: async (ms, stop) => {
        await sleepFor(ms, undefined, { signal: stop }).catch(() => undefined);
      },
      onWait,
      report,
      ...settleTime(options),
    },
    signal,
    quietMs,
  );
}

/** Says issues where a command says everything. */
export function sayIssue({ output }: CommandContext): (issue: Issue) => void {
  return (issue) => {
    if (output.loudness === "verbose") output.say(`  ${describeIssue(issue)}`);
  };
}
