/** The command that goes on with a run. */
import { shellWord } from "../../transforms/text/shell.ts";
import type { Run } from "./run.ts";

/** The command that goes on with a run. Only a promotion keeps to its hours and its quota. */
export function resumeCommand({ options: { promotes } }: Pick<Run, "options">): string {
  return promotes === undefined ? "logferry apply" : `logferry promote --out ${shellWord(promotes.folder)}`;
}
