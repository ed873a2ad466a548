/** A schedule: which backups, when, and the command lines that make them, look for missed ones, and warn. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { cronFields, longestGap } from "../../transforms/schedule.ts";
import type { CommandContext } from "../arguments/command.ts";
import { readConfig } from "../arguments/config.ts";
import { defaults, kebab, type OptionName } from "../arguments/options.ts";
import { ownZone } from "../arguments/schedule-rule.ts";
import { POLICY_OPTIONS } from "../backup/repository.ts";
import { KEY_OPTIONS } from "../backup/repository-keys.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { scheduleName } from "../notify/remembered.ts";
import { packageFolder } from "../system/version.ts";
import { durationMs } from "../wording/durations.ts";

/** Options that a scheduled backup may be given: those that were given to `schedule install` are passed on. */
export const PASSED_OPTIONS: readonly OptionName[] = [
  "url",
  "tokenFile",
  "tokenCommand",
  "recipient",
  ...KEY_OPTIONS,
  "fullEvery",
  "drillEvery",
  ...POLICY_OPTIONS,
  "rate",
  "concurrency",
  "timeout",
  "patience",
];

/** Options whose values are paths. A schedule runs in another folder. */
const PATHS_AMONG: readonly OptionName[] = ["tokenFile", "identity", "passphraseFile"];

/** Variables that say where logferry keeps things, and whom it trusts: cron and systemd set none of them. */
const VARIABLES = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "NODE_EXTRA_CA_CERTS"];

const STORED = z.object({
  profile: z.string(),
  repository: z.string(),
  cron: z.string(),
  maxAge: z.string(),
  node: z.string(),
  entry: z.string(),
});

/** What stands beside an installed schedule, so that it can be told. */
export type Stored = z.infer<typeof STORED>;

/** A schedule to be installed. */
export interface Schedule extends Stored {
  readonly name: string;
  /** Program and words. */
  readonly backup: readonly string[];
  /** The same, where one was missed: asked every hour by what doesn't look for missed ones itself. */
  readonly catchUp: readonly string[];
  readonly catchUpCron: string;
  readonly alarm: readonly string[];
  /** When the alarm is asked, in the fields of cron. */
  readonly alarmCron: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly randomDelayMs: number;
}

const HOUR_MS = 3_600_000;

/**
 * The schedule that the options name.
 *
 * @throws UsageError where they don't say when, or what they say can't be scheduled
 */
export function scheduleOf({ options, environment }: CommandContext, repository: string): Schedule {
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
  const backup = [...program, "backup", ...common, ...passedOn(options)];
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
    // In the morning after a night, and a while after missed ones were looked for.
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

/** What was set by a flag or a variable: the config file is read again each time. */
function passedOn(options: CommandContext["options"]): readonly string[] {
  const inFile = { ...defaults(), ...readConfig(options.config).options };
  return PASSED_OPTIONS.flatMap((name) => {
    const value = options[name];
    if (value === undefined || JSON.stringify(value) === JSON.stringify(inFile[name])) return [];
    return [value].flat().flatMap((one) => [`--${kebab(name)}`, pathOr(name, String(one))]);
  });
}

function pathOr(name: OptionName, value: string): string {
  // A recipient is a key, or a file of them.
  return PATHS_AMONG.includes(name) || (name === "recipient" && existsSync(value)) ? resolve(value) : value;
}

/** A line that can stand as a comment beside a schedule. */
export function storedLine({ profile, repository, cron, maxAge, node, entry }: Stored): string {
  return `# logferry: ${JSON.stringify({ profile, repository, cron, maxAge, node, entry })}`;
}

/** What the comment among some lines says; undefined without a readable one. */
export function storedIn(text: string): Stored | undefined {
  const line = text.split("\n").find((one) => one.startsWith("# logferry: {"));
  if (line === undefined) return undefined;
  try {
    return STORED.parse(JSON.parse(line.slice("# logferry: ".length)));
  } catch {
    return undefined;
  }
}

/** What of a schedule is not there any more: Node, or logferry itself, was moved or updated elsewhere. */
export function goneOf({ node, entry }: Stored): readonly string[] {
  return [node, entry].filter((path) => !existsSync(path));
}
