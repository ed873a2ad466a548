/** What reading a run back needs, for `verify` and `certify`. */
import type { Run } from "../../pipelines/journal/run.ts";
import { createEncoder } from "../../pipelines/plan/log/encode.ts";
import type { VerifyContext } from "../../pipelines/verify/verify.ts";
import type { CommandContext } from "../arguments/command.ts";
import type { LogSession } from "./session.ts";
import type { Watching } from "./watch.ts";

/** The journal, the log and the settings for reading a run back. @param watching shows the progress */
export function verifyContext(
  { signal }: CommandContext,
  { journal, sink, view, concurrency }: LogSession,
  run: Run,
  watching: Watching,
): VerifyContext {
  return {
    journal,
    sink,
    encode: createEncoder(run.options),
    list: (kind) => view.list(kind, signal),
    concurrency,
    signal,
    onProgress: watching.progress,
  };
}
