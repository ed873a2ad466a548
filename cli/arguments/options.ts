/**
 * Every option of every command, in one table: its flag, its environment variable, its key in the config file, its help. A value comes from
 * the flag, else from the environment, else from the config file, else from the default.
 */
import type { OptionSpec } from "./option-spec.ts";
import { OPTIONS } from "./option-table.ts";

export { shareOf } from "./option-checks.ts";
export type { OptionSpec } from "./option-spec.ts";
export { OPTIONS };

/** The name of an option. */
export type OptionName = keyof typeof OPTIONS;

/** The values that a command receives; undefined for an option without a value. */
export type OptionValues = {
  -readonly [K in OptionName]?: (typeof OPTIONS)[K]["type"] extends "number"
    ? number
    : (typeof OPTIONS)[K]["type"] extends "boolean"
      ? boolean
      : (typeof OPTIONS)[K]["type"] extends "strings"
        ? string[]
        : string;
};

/** Environment variables that are not options: secrets, which must never be on a command line. */
export const SECRET_VARIABLES = [
  "LOGFERRY_TOKEN",
  "LOGFERRY_CLIENT_SECRET",
  "LOGFERRY_SMTP_PASSWORD",
  "LOGFERRY_HEARTBEAT_URL",
] as const;

/** `noTracks` as the flag and the config key spell it: `no-tracks`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `noTracks` as the environment spells it: `LOGFERRY_NO_TRACKS`. */
export function toVariable(name: string): string {
  return `LOGFERRY_${kebab(name).replaceAll("-", "_").toUpperCase()}`;
}

/** The options that have a default, with their defaults. */
export function defaults(): { profile: string } & OptionValues {
  const values: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(OPTIONS) as [string, OptionSpec][]) {
    if (spec.default !== undefined) values[name] = spec.default;
  }
  return values as { profile: string };
}

const EXPECTED = { string: "text", number: "a number", boolean: "true or false", strings: "a list of texts" } as const;

/**
 * Converts a value to the option's type, from a flag, the environment or the config file.
 *
 * @param fail called with the expected form; it throws
 */
export function checkedValue(name: OptionName, value: unknown, fail: (message: string) => never): unknown {
  const { type, choices, check }: OptionSpec = OPTIONS[name];
  const isRight = {
    string: typeof value === "string",
    number: typeof value === "number" && Number.isFinite(value),
    boolean: typeof value === "boolean",
    strings: Array.isArray(value) && value.every((one) => typeof one === "string"),
  }[type];
  if (!isRight) fail(`expected ${EXPECTED[type]}${found(value)}`);
  if (choices !== undefined && ![value].flat().every((one) => choices.includes(one as string)))
    fail(`expected ${choices.join(" or ")}${found(value)}`);
  if (check !== undefined && !check.isRight(value as string | number))
    fail(`expected ${check.expected}${found(value)}${check.meant?.(String(value)) ?? ""}`);
  return value;
}

function found(value: unknown): string {
  return value === undefined || Number.isNaN(value) ? "" : `, found ${JSON.stringify(value)}`;
}
