/** A common interface of the programs that run schedules: systemd and cron. */
import type { Schedule, Stored } from "./schedule.ts";

/** The names of `--with`. */
export type SchedulerName = "systemd" | "crontab";

/** An installed schedule. */
export interface Installed {
  readonly name: string;
  readonly with: SchedulerName;
  /** Undefined if a person changed the schedule so that it can't be read. */
  readonly stored: Stored | undefined;
  /** A visible problem that keeps it from running. */
  readonly problem?: string;
}

/** A program that runs schedules. */
export interface Scheduler {
  readonly name: SchedulerName;
  /** Whether it runs for this user. */
  isThere(): Promise<boolean>;
  /** The text that `install` would write, for people. @throws UsageError for a schedule that can't be written */
  preview(schedule: Schedule): string;
  /**
   * Installs a schedule, and replaces one with the same name. @returns false when the same schedule was already there. @throws UsageError
   */
  install(schedule: Schedule): Promise<boolean>;
  /** Starts the first backup of an installed schedule, for a scheduler that doesn't do this itself. */
  begin?(name: string): Promise<void>;
  installed(): Promise<readonly Installed[]>;
  /** @returns false when there was none. @throws UsageError */
  remove(name: string): Promise<boolean>;
}
