/** Ends a process by SIGKILL: at a commit of its journal, or after a while. */
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import type { Ran } from "./rehearsal.ts";

const PRELOAD = join(import.meta.dirname, "kill-at-commit.ts");

/**
 * The environment of a process that ends itself at a commit of its journal: `after:any:7`, `before:in-flight:1` (see
 * kill-at-commit.ts). Without a spec it only writes down its commits.
 *
 * @param log a file that gets a line a commit
 */
export function killAt(spec: string | undefined, log?: string): Record<string, string> {
  return {
    NODE_OPTIONS: `--import=${PRELOAD}`,
    ...(spec !== undefined && { KILL_AT: spec }),
    ...(log !== undefined && { KILL_LOG: log }),
  };
}

/** Lets a process run for so many milliseconds at the most. */
export async function killed(
  { child, ended }: { readonly child: ChildProcess; readonly ended: Promise<Ran> },
  afterMs: number,
): Promise<Ran> {
  const timer = setTimeout(() => child.kill("SIGKILL"), afterMs);
  const ran = await ended;
  clearTimeout(timer);
  return ran;
}
