/** Says what an export of a log can't bring: its workouts may have tracks and its courses maps, and no log gives them back. */
import type { Origin } from "../../../transforms/model/issue.ts";
import type { ComparisonContext } from "../compare/comparison.ts";

/** Reports how many workouts and courses a plan makes from exports of logs, without a track or a map of another source. */
export async function tellTracksOfLog(
  run: number,
  { journal, sources, isOfLog, report }: Pick<ComparisonContext, "journal" | "sources" | "isOfLog" | "report">,
): Promise<void> {
  if (!sources.some((_, index) => isOfLog?.(index) === true)) return;
  let first: Origin | undefined;
  let count = 0;
  for await (const line of journal.lines(run, { state: ["planned"] })) {
    if (line.action !== "create" || isOfLog?.(line.source) !== true) continue;
    const isBare =
      (line.kind === "workout" && line.value.track === undefined) ||
      (line.kind === "course" && line.value.map === undefined);
    if (!isBare) continue;
    first ??= line.origin;
    count++;
  }
  if (first === undefined) return;
  await report({
    severity: "info",
    rule: "plan/export-without-tracks",
    origin: first,
    found: `${count === 1 ? "1 workout or course comes" : `${count} workouts and courses come`} from an export of a log`,
    expected:
      "tracks and maps, if the old log has them: no log gives them back, so an export has none. Name the archives that they came from beside it",
  });
}
