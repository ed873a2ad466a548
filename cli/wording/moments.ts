/** Moments as people read them. */
import { inZone } from "../../transforms/calendar.ts";
import type { Rule } from "../../transforms/schedule.ts";

/** `2026-11-21 02:30`, by the clock of a cron expression's zone, else by the machine's own clock. */
export function timeInWords(at: number, rule: Rule): string {
  const { date, time } = inZone(at, "zone" in rule ? rule.zone : ownZone());
  return `${date} ${time.slice(0, 5)}`;
}

/** The machine's zone. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
