/** A schedule: the backups, their times, and the command lines that make them, check for missed ones, and warn. */

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { cronFields, longestGap } from "../../transforms/schedule.ts";
import type { CommandContext } from "../arguments/command.ts";
import { readConfig } from "../arguments/config.ts";
import { PASSED_OPTIONS } from "../arguments/option-lists.ts";
import { defaults, kebab, type OptionName } from "../arguments/options.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { scheduleName } from "../notify/remembered.ts";
import { packageFolder } from "../system/version.ts";
import { durationMs } from "../wording/durations.ts";
import { ownZone } from "../wording/moments.ts";

/** Options whose values are paths, because a schedule runs in another folder. */
const PATHS_AMONG: readonly OptionName[] = ["tokenFile", "identity", "passphraseFile"];

/** Variables for the folders of logferry and for the trusted certificates. Cron and systemd set none of them. */
const VARIABLES = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "NODE_EXTRA_CA_CERTS"];

const STORED = z.object({
  profile: z.string(),
  repository: z.string(),
  cron: z.string(),
  maxAge: z.string(),
  node: z.string(),
  entry: z.string(),
});

/** The data that logferry stores beside an installed schedule, to report on it. */
export type Stored = z.infer<typeof STORED>;

/** A schedule to be installed. */
export interface Schedule extends Stored {
  readonly name: string;
  /** The program and its arguments. */
  readonly backup: readonly string[];
  /** The same for a missed backup: every hour, under a scheduler that doesn't check for missed ones itself. */
  readonly catchUp: readonly string[];
  readonly catchUpCron: string;
  readonly alarm: readonly string[];
  /** The times of the alarm check, in the fields of cron. */
  readonly alarmCron: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly randomDelayMs: number;
}

const HOUR_MS = 3_600_000;

/**
 * The schedule in the options.
 *
 * @throws UsageError when the options give no time, or a time that can't be scheduled
 */
export async function scheduleOf({ options, environment }: CommandContext, repository: string): Promise<Schedule> {
  const cron = cronOf(options);
  const fields = cronFields(cron);
  if (typeof fields === "string") throw new UsageError(`Cannot schedule ${JSON.stringify(cron)}: ${fields}`);
  const folder = resolve(repository);
  const { profile, randomDelay = "0" } = options;
  const randomDelayMs = durationMs(randomDelay) ?? 0;
  const gapMs = longestGap({ cron, zone: "UTC" }, 0) + randomDelayMs;
  const maxAge = options.maxAge ?? `${Math.ceil(gapMs / HOUR_MS) + 2}h`;
  const node = process.execPath;
  const entry = join(packageFolder(), "bin", "logferry.js");
  const program = [node, ...(options.envFile === undefined ? [] : [`--env-file=${resolve(options.envFile)}`]), entry];
  const common = [
    "--repository",
    folder,
    ...(profile === "default" ? [] : ["--profile", profile]),
    ...(options.config === undefined ? [] : ["--config", resolve(options.config)]),
    "--quiet",
  ];
  const backup = [...program, "backup", ...common, ...(await passedOn(options))];
  const [minute = 0] = fields.minutes;
  const [hour = 0] = fields.hours;
  const catchUpMinute = (minute + 17) % 60;
  return {
    name: scheduleName(profile, folder),
    profile,
    repository: folder,
    cron,
    maxAge,
    node,
    entry,
    backup,
    catchUp: [...backup, "--if-due", cron, "--zone", ownZone()],
    catchUpCron: `${catchUpMinute} * * * *`,
    alarm: [...program, "status", ...common, "--max-age", maxAge],
    // In the morning after a night's backup, and a while after the check for missed ones.
    alarmCron: `${(catchUpMinute + 20) % 60} ${(hour + 8) % 24} * * *`,
    variables: Object.fromEntries(VARIABLES.flatMap((name) => (environment[name] ? [[name, environment[name]]] : []))),
    randomDelayMs,
  };
}

function cronOf({ daily, cron }: CommandContext["options"]): string {
  if ((daily === undefined) === (cron === undefined)) {
    throw new UsageError('Cannot install a schedule: say when, with --daily 02:30 or with --cron "30 2 * * *"');
  }
  if (cron !== undefined) return cron.trim().split(/\s+/).join(" ");
  const [hour = "", minute = ""] = (daily ?? "").split(":");
  return `${Number(minute)} ${Number(hour)} * * *`;
}

/** The options from flags and variables. The config file is read again for each backup. */
async function passedOn(options: CommandContext["options"]): Promise<readonly string[]> {
  const { options: ofFile } = await readConfig(options.config);
  const inFile = { ...defaults(), ...ofFile };
  return PASSED_OPTIONS.flatMap((name) => {
    const value = options[name];
    if (value === undefined || JSON.stringify(value) === JSON.stringify(inFile[name])) return [];
    return [value].flat().flatMap((one) => [`--${kebab(name)}`, pathOr(name, String(one))]);
  });
}

function pathOr(name: OptionName, value: string): string {
  // A recipient is a key, or a file of keys.
  return PATHS_AMONG.includes(name) || (name === "recipient" && existsSync(value)) ? resolve(value) : value;
}

/** The stored data as one line, for a comment beside the schedule. */
export function storedLine({ profile, repository, cron, maxAge, node, entry }: Stored): string {
  return `# logferry: ${JSON.stringify({ profile, repository, cron, maxAge, node, entry })}`;
}

/** Reads the stored data from the comment among some lines; undefined without a readable one. */
export function storedIn(text: string): Stored | undefined {
  const line = text.split("\n").find((one) => one.startsWith("# logferry: {"));
  if (line === undefined) return undefined;
  try {
    return STORED.parse(JSON.parse(line.slice("# logferry: ".length)));
  } catch {
    return undefined;
  }
}

/** The missing parts of a schedule: Node, or logferry itself, was moved or updated elsewhere. */
export function goneOf({ node, entry }: Stored): readonly string[] {
  return [node, entry].filter((path) => !existsSync(path));
}
