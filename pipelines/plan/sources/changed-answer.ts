/** Finds what a person answered otherwise since a workout was loaded: other fields of a pair, or that the pair is two. */
import { at } from "../../../transforms/merge/at-path.ts";
import { canonicalJson } from "../../../transforms/text/canonical.ts";
import type { Line } from "../../journal/line.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { CHOOSABLE } from "../pairs/pair-answers.ts";

/**
 * Finds and reports that a workout of an earlier run gets other values now, because the person answered otherwise since.
 *
 * @param loadedBy the run that loaded it
 * @param merged the lines that are merged into it now
 * @returns the reason of the update; undefined without a change
 */
export async function changedAnswer(
  line: Line,
  loadedBy: { readonly run: number },
  merged: readonly Line[],
  { journal, settings, report }: Pick<ComparisonContext, "journal" | "settings" | "report">,
): Promise<string | undefined> {
  const answers = settings.manualDecisions?.pairs.all ?? [];
  const run = answers.length === 0 || line.kind !== "workout" ? undefined : await journal.run(loadedBy.run);
  if (run === undefined || line.kind !== "workout") return undefined;
  const keys = new Set([line, ...merged, ...(await journal.mergedInto(run.id, line.key))].map(({ key }) => key));
  const since = answers.filter(
    ({ at: answeredAt, records }) => answeredAt > run.createdAt && records.some(({ key }) => keys.has(key)),
  );
  if (since.length === 0) return undefined;
  const before = await journal.lineWithKey(run.id, line.key);
  if (before?.kind !== "workout") return undefined;
  const changed = CHOOSABLE.filter(([, path]) => {
    const [old, now] = [before.value, line.value].map((value) => canonicalJson(at(value, path) ?? null));
    return old !== now;
  }).map(([field]) => field);
  if (changed.length === 0) return undefined;
  const found = `you answered otherwise in plan review since run ${run.id}: another ${changed.join(", ")}`;
  const expected = "the answers of that run: the workout is brought up to date";
  await report({ severity: "warning", rule: "plan/answer-changed", origin: line.origin, found, expected });
  return found;
}
