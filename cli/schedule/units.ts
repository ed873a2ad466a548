/** The units of a schedule for systemd: a service and a timer for the backups, and a service and a timer for the alarm. */

import { cronFields, WEEKDAYS } from "../../transforms/schedule.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { systemdLine, systemdText, systemdWord } from "./quoting.ts";
import { type Schedule, storedLine } from "./schedule.ts";

/** The timers of a schedule. */
export function timersOf(name: string): [backup: string, alarm: string] {
  return [`logferry-backup-${name}.timer`, `logferry-alarm-${name}.timer`];
}

/** The name of the schedule with this backup timer; undefined for another file. */
export function nameOfTimer(file: string): string | undefined {
  return /^logferry-backup-([\w.-]+)\.timer$/.exec(file)?.[1];
}

/** The service that a timer starts. */
export function serviceOf(timer: string): string {
  return timer.replace(/timer$/, "service");
}

/** The units of a schedule: the text of each file, by its name. */
export function unitsOf(schedule: Schedule): ReadonlyMap<string, string> {
  const { name, cron, alarmCron, backup, alarm, randomDelayMs } = schedule;
  const [backupTimer, alarmTimer] = timersOf(name);
  const delay = randomDelayMs === 0 ? [] : [`RandomizedDelaySec=${Math.round(randomDelayMs / 1000)}`];
  const units: readonly (readonly [file: string, lines: readonly string[]])[] = [
    [
      serviceOf(backupTimer),
      [
        ...header(schedule, "backup"),
        "# A backup that failed is tried again every half hour, six times at the most.",
        "StartLimitIntervalSec=12h",
        "StartLimitBurst=6",
        ...service(schedule, backup),
        "Restart=on-failure",
        "RestartSec=30min",
        "# What trying again doesn't mend: a bug, a setting, rejected items, a login, damage.",
        "RestartPreventExitStatus=1 2 3 4 5 7",
      ],
    ],
    [backupTimer, [...header(schedule, "when to back up"), ...timer(cron, delay)]],
    [
      serviceOf(alarmTimer),
      [
        ...header(schedule, "is the last good backup too old?"),
        "# After a night that was missed both are due at once: the backup first.",
        `After=${serviceOf(backupTimer)}`,
        ...service(schedule, alarm),
      ],
    ],
    [alarmTimer, [...header(schedule, "when to ask how old the last good backup is"), ...timer(alarmCron, [])]],
  ];
  return new Map(units.map(([file, lines]) => [file, `${lines.join("\n")}\n`]));
}

function header(schedule: Schedule, title: string): string[] {
  const { profile, repository } = schedule;
  return [
    storedLine(schedule),
    "[Unit]",
    `Description=${systemdText(`logferry: ${title} (profile ${profile}, ${repository})`)}`,
  ];
}

function service({ variables }: Schedule, words: readonly string[]): string[] {
  return [
    "",
    "[Service]",
    "Type=oneshot",
    ...Object.entries(variables).map(([key, value]) => `Environment=${systemdWord(`${key}=${value}`)}`),
    `ExecStart=${systemdLine(words)}`,
  ];
}

function timer(when: string, more: readonly string[]): string[] {
  return [
    "",
    "[Timer]",
    ...calendarEvents(when).map((event) => `OnCalendar=${event}`),
    "# What was missed while the machine was off or asleep is made up for.",
    "Persistent=true",
    ...more,
    "",
    "[Install]",
    "WantedBy=timers.target",
  ];
}

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
