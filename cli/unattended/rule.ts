/** When backups are due, as the options say it. */
import { cronFields, type Rule } from "../../transforms/schedule.ts";
import type { CommandContext } from "../command.ts";
import { durationMs } from "../durations.ts";
import { UsageError } from "../exit-codes.ts";

/** The rule of --every or --cron. @throws UsageError for both at once */
export function ruleOf({ every, cron, zone }: CommandContext["options"]): Rule | undefined {
  if (every !== undefined && cron !== undefined)
    throw new UsageError("Cannot use --every and --cron at once: say when with one of them");
  if (every !== undefined) return { everyMs: durationMs(every) ?? 0 };
  return cron === undefined ? undefined : { cron, zone: zone ?? ownZone() };
}

/** The rule of --if-due: a duration, or a cron expression. */
export function dueRuleOf(text: string, zone: string | undefined): Rule {
  const everyMs = durationMs(text);
  return everyMs === undefined ? { cron: text, zone: zone ?? ownZone() } : { everyMs };
}

/** Whether a text is a duration of a minute or more. */
export function isInterval(text: string): boolean {
  return (durationMs(text) ?? 0) >= 60_000;
}

/** Whether a text is a cron expression that every cron takes alike. */
export function isCron(text: string): boolean {
  return typeof cronFields(text) !== "string";
}

/** The machine's zone. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
