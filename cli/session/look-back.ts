/** Looks at the log again after a run, so that the closing sentence rests on a look. */

import { FatalError, TransferError } from "../../connectors/errors.ts";
import { readIfThere } from "../../connectors/sink.ts";
import { requestsToList, requestsToLookBack } from "../../pipelines/journal/cost.ts";
import type { Journal } from "../../pipelines/journal/journal.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { lastLook, surplusOf } from "../../pipelines/plan/records/last-look.ts";
import { lookAtBaseline, lookBack } from "../../pipelines/verify/look-back.ts";
import { SETTLE_MS } from "../../transforms/assumptions.ts";
import { defined } from "../../transforms/model/defined.ts";
import { describeIssue } from "../../transforms/model/issue.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { CommandContext } from "../arguments/command.ts";
import type { LogSession } from "./session.ts";
import { settleTime, sleepUntil } from "./settle-doubts.ts";

/** Records that a run will create, by kind. */
export type ToMake = ReadonlyMap<Kind, number>;

/**
 * The number of records of each kind that a run creates when it is carried out. It includes the records that it has already created: their
 * answers may have been mixed up, and no look has checked them yet.
 */
export async function toMake(journal: Journal, run: Run): Promise<ToMake> {
  const made = new Map<Kind, number>();
  for (const { kind, state, action, count } of await journal.tally(run.id)) {
    const isMade = state === "planned" || state === "in-flight" || state === "in-doubt" || state === "done";
    if (isMade && action === "create" && kind !== "set-aside") made.set(kind, (made.get(kind) ?? 0) + count);
  }
  return made;
}

/** The data for a look after a run. */
export interface LookingAfter {
  readonly made: ToMake;
  /** Receives the reason for a wait. */
  readonly onWait: (what: string | undefined) => void;
  /** Receives the number of records that have each other's ids. The run must then be loaded again. */
  readonly onSwapped?: (count: number) => void;
}

/**
 * Looks at the records of a finished run in the log, and keeps the findings. If the log can't be read now, the run itself is still good,
 * and the closing sentence says less.
 */
export async function lookAfter(
  context: CommandContext,
  session: LogSession,
  run: Run,
  { made, onWait, onSwapped }: LookingAfter,
): Promise<void> {
  const { journal, signal, budget } = session;
  const cost = requestsToLookBack(await journal.knownWorkouts(run.id), made.get("workout") ?? 0);
  const others = requestsToList(await journal.logSize("equipment")) + requestsToList(await journal.logSize("course"));
  if (budget.left < cost + others) return;
  try {
    const looked = await lookBack(
      run,
      { ...lookingAt(context, session, onWait), made, ...(onSwapped && { onSwapped }) },
      signal,
    );
    if (!signal.aborted) await journal.setLooked(run.id, looked);
  } catch (error) {
    if (!(error instanceof TransferError) || (error instanceof FatalError && error.reason === "journal")) throw error;
    context.output.remark(describeIssue({ severity: "warning", rule: "load/not-looked-at", found: error.message }));
  } finally {
    onWait(undefined);
  }
}

/** The same for a plan with nothing to do: the listing of the plan is the look. */
export async function lookAtPlan({ now }: CommandContext, { journal, view }: LogSession, run: Run): Promise<void> {
  const { listsWorkouts, listsCourses } = view.capabilities;
  const lists: Readonly<Record<Kind, boolean>> = { workout: listsWorkouts, course: listsCourses, equipment: true };
  await journal.setLooked(run.id, await lookAtBaseline(run, journal, (kind) => lists[kind], now));
}

/** Marks loaded records of a run that are gone from the log. @returns the findings of the look */
export async function markGone(context: CommandContext, session: LogSession, run: Run) {
  const onWait = (what: string | undefined) =>
    context.output.progress({ phase: "reading the log", done: 0, waiting: what });
  const { page: _page, ...looking } = lookingAt(context, session, onWait);
  return lookBack(run, { ...looking, made: new Map(), isLater: true }, session.signal);
}

/**
 * Lists the log once more where the last look after a run, or after a retry of its records, found too much. The person may have deleted it since.
 *
 * @throws the errors of listing
 */
export async function lookAgain(context: CommandContext, session: LogSession, run: Run): Promise<void> {
  const { journal, signal } = session;
  const last = await lastLook(journal, run);
  if (last === undefined || surplusOf(last.looked) === 0) return;
  const looked = await markGone(context, session, last.of);
  if (!signal.aborted && looked.isSure) await journal.setLooked(last.of.id, looked);
}

function lookingAt(
  { now, options }: CommandContext,
  { journal, sink, view }: LogSession,
  onWait: (what: string | undefined) => void,
) {
  const { settleMs = SETTLE_MS } = settleTime(options);
  return {
    journal,
    list: view.list,
    ...defined({ page: view.page }),
    isThere: async (kind: Kind, id: string, signal: AbortSignal) =>
      (await readIfThere(() => sink.read(kind, id, signal))) !== undefined,
    sleep: sleepUntil,
    onWait,
    settleMs,
    now,
  };
}
