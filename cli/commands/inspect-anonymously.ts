/** `logferry inspect --anonymise`: describes the structure of archives, without any of their values, on the screen or in a file. */
import { writeFile } from "node:fs/promises";
import { reportStructure } from "../../pipelines/structure/report.ts";
import { archiveLimits } from "../arguments/archive-limits.ts";
import type { CommandContext } from "../arguments/command.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { cannotUse, onSystemError } from "../errors/system-errors.ts";
import { structureLines } from "../printing/print-structure.ts";
import { packageVersion } from "../system/version.ts";

const READ_FIRST =
  "Read it before you send it: column names and keys are words of your archive. More in docs/my-archive-isnt-read.md.";

/** Describes each archive. */
export async function inspectAnonymously(context: CommandContext): Promise<ExitName> {
  const { arguments: paths, options, output, signal, tables } = context;
  if (options.out === "") throw new UsageError("Cannot write: say where to, with --out FILE");
  const text: string[] = [];
  let isUnopened = false;
  for (const path of paths) {
    // The live line doesn't name the archive either, because people copy it from the screen with the rest.
    const onProgress = (done: number) => output.progress({ phase: "looking at the structure", done });
    const report = await reportStructure(path, {
      limits: archiveLimits(options),
      signal,
      sports: tables.sports,
      onProgress,
    });
    output.endProgress();
    const lines = structureLines(report, packageVersion());
    text.push(...lines, "");
    isUnopened ||= report.files === 0 && report.problem !== undefined;
    output.emit("structure", { ...report });
    if (options.out === undefined) output.say(...lines, "");
    if (signal.aborted) break;
  }
  const { out } = options;
  if (out !== undefined)
    await writeFile(out, `${text.join("\n")}\n`, { flag: "wx", mode: 0o600 }).catch(
      onSystemError((_problem, error) => cannotUse(out, error, "structure/disk-full")),
    );
  if (signal.aborted) {
    output.conclude("Stopped: not everything was looked at.");
    return "stopped";
  }
  output.conclude(`${options.out === undefined ? "" : `Written: ${options.out}. `}${READ_FIRST}`);
  return isUnopened ? "source" : "done";
}
