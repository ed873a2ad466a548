/** The progress of a long step, such as a load or a verification. */
import type { CommandContext } from "../arguments/command.ts";
import type { LogSession } from "./session.ts";

/** See `watch`. */
export interface Watching {
  /** Reports the number of finished records of the step. */
  progress(count: number): void;
  /** Reports the reason for a wait of the step itself; undefined for none. */
  waitFor(what: string | undefined): void;
  stop(): void;
}

/**
 * Shows the progress of a long step, and repeats it while nothing happens, because the person then wants to know the reason for the wait.
 *
 * @param total records of the step, if known
 */
export function watch(
  { output }: CommandContext,
  { budget, view }: LogSession,
  phase: string,
  total?: number,
): Watching {
  let done = 0;
  let waitsFor: string | undefined;
  const say = () => {
    const end = budget.why === undefined ? undefined : `what is under way; ${budget.why}`;
    const waiting = view.waiting() ?? waitsFor ?? end;
    output.progress({ phase, done, total, waiting });
  };
  const timer = setInterval(say, 1000).unref();
  return {
    progress(count: number) {
      // A record that got another record's answer is completed twice.
      done = Math.min(count, total ?? count);
      say();
    },
    waitFor(what: string | undefined) {
      waitsFor = what;
      if (what !== undefined) say();
    },
    stop: () => clearInterval(timer),
  };
}
