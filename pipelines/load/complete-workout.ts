/** Fills the blank fields of a workout in the log. All other fields are sent back exactly as they were read. */
import type { SaveBody } from "../../connectors/sink.ts";
import { fillBlanks } from "../../transforms/merge/fill-blanks.ts";
import { sameValue } from "../../transforms/merge/three-way.ts";
import type { Completion } from "../../transforms/model/workout.ts";
import type { WorkoutLine } from "../journal/line.ts";
import { compareBodies } from "../log/compare-bodies.ts";
import { LOG_CHANGED } from "./check-assumptions.ts";
import type { LoadContext } from "./load-context.ts";

/** A workout to complete. */
export interface ToComplete {
  readonly line: WorkoutLine;
  /** The log's id of the workout. */
  readonly id: string;
  readonly completes: Completion;
}

/** The log and the journal, and what sends a body. */
export interface CompleteContext extends Pick<LoadContext, "journal" | "now"> {
  readonly read: (id: string) => Promise<SaveBody>;
  readonly replace: (id: string, body: SaveBody) => Promise<void>;
  /** Sends what the line's own body makes, and once more without a shoe or course that turns out to be gone. */
  readonly send: (send: (ours: SaveBody) => Promise<void>) => Promise<void>;
}

/**
 * Completes a workout. It reads the workout first: if somebody changed it since the plan, it stays as it is.
 *
 * @returns whether the log has the values now; false when the workout was left as it is
 */
export async function completeWorkout(
  { line, id, completes }: ToComplete,
  { journal, now, read, replace, send }: CompleteContext,
): Promise<boolean> {
  const { before, values } = completes;
  await journal.intend([line], now());
  const current = await read(id);
  if (sameValue(current, before)) {
    await send(async (ours) => {
      const sent = fillBlanks(
        before,
        ours,
        values.map(({ path }) => path),
      );
      await journal.auditTrail.overwriting(line, { id, before, sent, at: now() });
      await replace(id, sent);
    });
  } else if (!(await isFilledAlready(line, current, journal))) {
    await journal.receive(line, "planned", {});
    const { completes: _completes, ...value } = line.value;
    const reason = `${LOG_CHANGED}: somebody changed ${id} since the plan was made. It is left as it is, and its blank fields are not filled. Plan again`;
    await journal.patchLine(line.run, line.seq, { state: "unchanged", action: "none", value, reason });
    return false;
  }
  await journal.receive(line, "done", { remoteId: id });
  return true;
}

/** Whether the log has the workout as this run sent it before: the answer was lost, and the values arrived. */
async function isFilledAlready(
  line: WorkoutLine,
  current: SaveBody,
  journal: LoadContext["journal"],
): Promise<boolean> {
  const [{ sent } = {}] = await journal.auditTrail.overwritten(line.run, line.seq);
  if (sent === undefined) return false;
  return [...compareBodies(sent, current), ...compareBodies(current, sent)].every(
    ({ field }) => field === "intervalSet.id",
  );
}
