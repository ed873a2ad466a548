/** Waits for a moment of the wall clock, for commands that stay for days. */
import type { CommandContext } from "../arguments/command.ts";

/** The longest single sleep. After a machine was suspended or its clock was set, logferry notices within a minute. */
const LONGEST_SLEEP_MS = 60_000;

/**
 * Waits until a moment.
 *
 * @param due milliseconds since 1970 UTC
 * @param onWait called before each sleep
 * @returns false when it was stopped
 */
export async function waitUntil(
  due: number,
  { now, sleep, signal }: Pick<CommandContext, "now" | "sleep" | "signal">,
  onWait: () => void = () => undefined,
): Promise<boolean> {
  while (due > now()) {
    if (signal.aborted) return false;
    onWait();
    try {
      await sleep(Math.min(due - now(), LONGEST_SLEEP_MS), signal);
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
  }
  return !signal.aborted;
}
