/** The units of a schedule for systemd: a service and a timer for the backups, and a service and a timer for the alarm. */
import { calendarEvents } from "./calendar-events.ts";
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
