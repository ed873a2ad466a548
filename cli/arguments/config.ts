/** The settings of the config file and of the environment. */
import { statSync } from "node:fs";
import { join } from "node:path";
import envPaths from "env-paths";
import { didYouMean } from "../../transforms/text/suggestions.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { BUILT_IN } from "./activity-tables.ts";
import type { ConfigFile } from "./config-file.ts";
import { configNames, isFlagOnly } from "./config-names.ts";
import { checkedValue, OPTIONS, type OptionSpec, type OptionValues, SECRET_VARIABLES, toVariable } from "./options.ts";

/** The folders of logferry, by the platform's own conventions (XDG on Linux). */
export const userFolders = () => envPaths("logferry", { suffix: "" });

/**
 * Reads the config file: the one that was named, else `config.yaml` in the config folder if it exists.
 *
 * @throws UsageError with file, line and key, for a missing file, a file that isn't YAML, or an unknown key or value
 */
export async function readConfig(named: string | undefined): Promise<ConfigFile> {
  const path = named ?? join(userFolders().config, "config.yaml");
  if (named === undefined && !isThere(path)) return { options: {}, tables: BUILT_IN, notify: {} };
  const { readConfigFile } = await import("./config-file.ts");
  return readConfigFile(path);
}

/** Whether there is a file, or something that keeps us from seeing it: its reader says what. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/**
 * The option values from the environment.
 *
 * @throws UsageError for a `LOGFERRY_` variable without an option
 */
export function readEnvironment(environment: Readonly<Record<string, string | undefined>>): OptionValues {
  const byVariable = new Map(configNames().map((name) => [toVariable(name), name]));
  const values: Record<string, unknown> = {};
  for (const [variable, value] of Object.entries(environment)) {
    if (!variable.startsWith("LOGFERRY_") || value === undefined) continue;
    if ((SECRET_VARIABLES as readonly string[]).includes(variable)) continue;
    const name = byVariable.get(variable);
    const fail = (message: string): never => {
      throw new UsageError(`Cannot use the environment variable ${variable}: ${message}`);
    };
    if (name === undefined) fail(noSuchVariable(variable, [...byVariable.keys()]));
    else if (value === "") fail("it is empty; unset it, or give it a value");
    else values[name] = checkedValue(name, parsed(OPTIONS[name], value), fail);
  }
  return values as OptionValues;
}

function noSuchVariable(variable: string, known: readonly string[]): string {
  const key = variable.slice("LOGFERRY_".length).toLowerCase().replaceAll("_", "-");
  if (isFlagOnly(key)) return `it can only be a flag, --${key}`;
  return `there is no such setting${didYouMean(variable, [...known, ...SECRET_VARIABLES])}`;
}

function parsed(spec: OptionSpec, text: string): unknown {
  switch (spec.type) {
    case "number":
      return text.trim() === "" ? text : numberOr(text);
    case "boolean":
      return { "1": true, true: true, "0": false, false: false }[text] ?? text;
    case "strings":
      return text.split(",");
    case "string":
      return text;
  }
}

function numberOr(text: string): number | string {
  return Number.isFinite(Number(text)) ? Number(text) : text;
}
