/** What runs schedules: systemd or cron. Both are asked and told alike. */
import type { Schedule, Stored } from "./schedule.ts";

/** The names of `--with`. */
export type SchedulerName = "systemd" | "crontab";

/** A schedule that is there. */
export interface Installed {
  readonly name: string;
  readonly with: SchedulerName;
  /** Undefined where it was changed by hand so that it can't be read. */
  readonly stored: Stored | undefined;
  /** What keeps it from running, as far as it can be seen. */
  readonly problem?: string;
}

/** Something that runs schedules. */
export interface Scheduler {
  readonly name: SchedulerName;
  /** Whether it runs for this user. */
  isThere(): Promise<boolean>;
  /** What would be written: for people. @throws UsageError for what can't be written */
  preview(schedule: Schedule): string;
  /** Installs a schedule, in the place of one of its name. @returns false when it was there just so. @throws UsageError */
  install(schedule: Schedule): Promise<boolean>;
  /** Begins the first backup of an installed schedule, where what runs it doesn't look by itself for one that never was. */
  begin?(name: string): Promise<void>;
  installed(): Promise<readonly Installed[]>;
  /** @returns false when there was none. @throws UsageError */
  remove(name: string): Promise<boolean>;
}
