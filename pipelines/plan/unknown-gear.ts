/** Names the words of `--same-gear` that are no shoe and no bike: most likely they are mistyped, and would have no effect. */
import { namesInIdentity } from "../../transforms/model/identity.ts";
import type { ComparisonContext } from "./comparison.ts";
import { isCalled, type Named } from "./gear-answers.ts";

/** Reports each name that neither a source of the run nor the log has. Call it after the plan was compared with the log. */
export async function tellUnknownGear(
  run: number,
  { journal, options, report }: Pick<ComparisonContext, "journal" | "options" | "report">,
): Promise<void> {
  if (options.sameGear === undefined) return;
  const pieces: Named[] = [];
  const ofLog = [...(await journal.logWithIdentity(run, "equipment"))];
  for await (const line of journal.lines(run, { kind: "equipment" })) {
    if (line.kind !== "equipment") continue;
    pieces.push(line.value);
    const entry = line.remoteId === undefined ? undefined : await journal.logEntry("equipment", line.remoteId);
    if (entry !== undefined) ofLog.push(entry);
  }
  for (const { identity = "" } of ofLog) pieces.push(namesInIdentity(identity));
  for (const word of new Set(options.sameGear.flatMap(({ names }) => names))) {
    if (pieces.some((value) => isCalled({ value }, word))) continue;
    await report({
      severity: "warning",
      rule: "plan/unknown-gear",
      found: `--same-gear: no shoe or bike of your sources or of your log is called ${JSON.stringify(word)}`,
      expected: "a name as `logferry inspect` shows it for a source, or as your log has it: this answer had no effect",
    });
  }
}
