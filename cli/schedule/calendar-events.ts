/** Translates cron expressions for systemd. */
import { cronFields, WEEKDAYS } from "../../transforms/schedule.ts";
import { UsageError } from "../errors/exit-codes.ts";

/**
 * A cron expression as calendar events. It is one event, or two when cron means either the days of the month or the days of the week.
 *
 * Source: systemd.time(7), "Calendar events"
 * @throws UsageError for a text that isn't a cron expression
 */
export function calendarEvents(cron: string): readonly string[] {
  const fields = cronFields(cron);
  if (typeof fields === "string") throw new UsageError(`Cannot schedule ${JSON.stringify(cron)}: ${fields}`);
  const { minutes, hours, days, months, weekdays, isEitherDay } = fields;
  const names = weekdays.length === 7 ? "" : `${weekdays.map(weekdayName).join(",")} `;
  const at = (weekday: string, day: string) =>
    `${weekday}*-${listed(months, 12)}-${day} ${listed(hours, 24)}:${listed(minutes, 60)}:00`;
  return isEitherDay ? [at(names, "*"), at("", listed(days, 31))] : [at(names, listed(days, 31))];
}

/** `*` for all values, else `02,14`. */
function listed(values: readonly number[], all: number): string {
  return values.length === all ? "*" : values.map((value) => String(value).padStart(2, "0")).join(",");
}

function weekdayName(day: number): string {
  const name = WEEKDAYS[day] ?? "";
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
