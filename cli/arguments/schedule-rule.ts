/** Reads from the options when backups are due. */
import { cronFields, findNext, type Rule } from "../../transforms/schedule.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { durationMs } from "../wording/durations.ts";
import { ownZone } from "../wording/moments.ts";

/** The options about the time of backups. */
interface WhenOptions {
  readonly every?: string | undefined;
  readonly cron?: string | undefined;
  readonly zone?: string | undefined;
  readonly ifDue?: string | undefined;
  readonly maxFailures?: number | undefined;
}

/** The rule of --every or --cron. @throws UsageError for options that don't go together */
export function ruleOf({ every, cron, zone, ifDue, maxFailures }: WhenOptions): Rule | undefined {
  const isOnce = every === undefined && cron === undefined;
  if (isOnce && maxFailures !== undefined)
    throw new UsageError("Cannot use --max-failures: it is for --every and --cron");
  if (!isOnce && ifDue !== undefined)
    throw new UsageError("Cannot use --if-due with --every or --cron: they wait until a backup is due by themselves");
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

/** Whether a text is a cron expression that every cron reads alike, and that fits some day (unlike the 30th of February). */
export function isCron(text: string): boolean {
  return typeof cronFields(text) !== "string" && findNext({ cron: text, zone: "UTC" }, 0) !== Number.POSITIVE_INFINITY;
}
