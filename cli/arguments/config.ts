/**
 * The config file (YAML) and the environment. A misspelt key is an error with its line number. A setting that is silently ignored would
 * load archives in the wrong units.
 */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import envPaths from "env-paths";
import { type Document, isMap, isScalar, isSeq, type Node, type Scalar } from "yaml";
import { sizeInWords } from "../../connectors/containers/sizes.ts";
import { parseYaml, YAML_BYTES } from "../../connectors/formats/yaml.ts";
import {
  ACTIVITY_NAMES,
  type Activity,
  foldSport,
  WORKOUT_TYPES,
  type WorkoutType,
} from "../../transforms/activities.ts";
import { ACTIVITY_IDS, WORKOUT_IDS } from "../../transforms/assumptions.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { describeSystemError } from "../errors/system-errors.ts";
import { didYouMean } from "../wording/suggestions.ts";
import { type NotifySettings, notifySettings } from "./notify-settings.ts";
import {
  checkedValue,
  kebab,
  OPTIONS,
  type OptionName,
  type OptionSpec,
  type OptionValues,
  SECRET_VARIABLES,
  toVariable,
} from "./options.ts";

/** The folders of logferry, by the platform's own conventions (XDG on Linux). */
export const userFolders = () => envPaths("logferry", { suffix: "" });

/** The owner's tables, which override the built-in ones. */
export interface ActivityTables {
  readonly sports: ReadonlyMap<string, Activity>;
  readonly activityIDs: Readonly<Partial<Record<Activity, number>>>;
  readonly workoutIDs: Readonly<Partial<Record<Activity, Partial<Record<WorkoutType, number>>>>>;
  /** The numbers of `activityIDs` that the owner gave. They win over the numbers from the log. */
  readonly overrides?: Readonly<Partial<Record<Activity, number>>>;
}

/** The contents of the config file: option values by name, the activity tables, and the people to tell about backups. */
export interface ConfigFile {
  readonly options: OptionValues;
  readonly tables: ActivityTables;
  readonly notify: NotifySettings;
}

const BUILT_IN: ActivityTables = { sports: new Map(), activityIDs: ACTIVITY_IDS, workoutIDs: WORKOUT_IDS };

/**
 * Reads the config file: the one that was named, else `config.yaml` in the config folder if it exists.
 *
 * @throws UsageError with file, line and key, for a missing file, a file that isn't YAML, or an unknown key or value
 */
export function readConfig(named: string | undefined): ConfigFile {
  const path = named ?? join(userFolders().config, "config.yaml");
  const text = readText(path, named !== undefined);
  return text === undefined ? { options: {}, tables: BUILT_IN, notify: {} } : parseConfig(text, path);
}

/**
 * Parses the text of a config file.
 *
 * @param path for messages
 * @throws UsageError as `readConfig`
 */
export function parseConfig(text: string, path: string): ConfigFile {
  const { document, problems, lineOf } = parseYaml(text);
  const [broken] = problems;
  if (broken !== undefined)
    throw new UsageError(`Cannot read ${path} line ${lineOf(broken.offset)}: ${broken.message}`);
  const fail: Fail = (key, message) => {
    const offset = offsetOf(document.contents, key);
    const line = offset === undefined ? "" : ` line ${lineOf(offset)}`;
    throw new UsageError(`Cannot use ${path}${line}: ${key.join(".")}: ${message}`);
  };
  const content = valuesOf(document, path);

  const options: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(content)) {
    if ((TABLE_KEYS as readonly string[]).includes(key)) continue;
    const name = optionNamed(key);
    if (name === undefined) fail([key], noSuchKey(key));
    else options[name] = checkedValue(name, textOfNumber(name, value), (message) => fail([key], message));
  }
  return {
    options: options as OptionValues,
    tables: tablesFrom(content, fail),
    notify: notifySettings(content.notify, fail),
  };
}

/** Reports the problem with a key, and the place of the key. */
type Fail = (key: readonly string[], message: string) => never;

/** Keys that hold tables. Every other key is an option. */
const TABLE_KEYS = ["sports", "activities", "workout-types", "notify"] as const;

/** Most bytes of a config file. */
export const CONFIG_BYTES = YAML_BYTES;

function readText(path: string, isNamed: boolean): string | undefined {
  try {
    const { size } = statSync(path);
    if (size > CONFIG_BYTES) throw new UsageError(`Cannot use ${path}: it is longer than ${sizeInWords(CONFIG_BYTES)}`);
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if ((error as NodeJS.ErrnoException).code === "ENOENT" && !isNamed) return undefined;
    throw new UsageError(`Cannot read the config file ${path}: ${describeSystemError(error)}`);
  }
}

function valuesOf(document: Document, path: string): Record<string, unknown> {
  let content: unknown;
  try {
    content = document.toJS() ?? {};
  } catch (error) {
    // YAML aliases that multiply, or that have no target.
    if (error instanceof ReferenceError) throw new UsageError(`Cannot use ${path}: ${error.message}`);
    throw error;
  }
  return isRecord(content) ? content : notKeys(path);
}

function notKeys(path: string): never {
  throw new UsageError(`Cannot use ${path}: expected keys and values`);
}

/** The place of a key in the file. For an entry of a list, it is the place of its first key. */
function offsetOf(node: unknown, [key, ...rest]: readonly string[]): number | undefined {
  if (isSeq(node)) {
    const item = node.items[Number(key)] as Node | undefined;
    return (rest.length > 0 ? offsetOf(item, rest) : undefined) ?? item?.range?.[0];
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
  if (pair === undefined) return undefined;
  return (rest.length > 0 ? offsetOf(pair.value, rest) : undefined) ?? (pair.key as Scalar).range?.[0];
}

/** YAML reads `since: 2023` as a number, but a person means a year. */
function textOfNumber(name: OptionName, value: unknown): unknown {
  return OPTIONS[name].type === "string" && typeof value === "number" ? String(value) : value;
}

function noSuchKey(key: string): string {
  if (isFlagOnly(key)) return `it can only be a flag, --${key}`;
  return `there is no such key${didYouMean(key, configKeys())}`;
}

function isFlagOnly(key: string): boolean {
  return (Object.keys(OPTIONS) as OptionName[]).some((name) => kebab(name) === key && "flagOnly" in OPTIONS[name]);
}

function tablesFrom(content: Record<string, unknown>, fail: Fail): ActivityTables {
  const sports = new Map<string, Activity>();
  for (const [sport, activity] of entriesOf(content.sports, "sports", fail)) {
    if (!isActivity(activity)) fail(["sports", sport], `expected one of ${ACTIVITY_NAMES.join(", ")}`);
    else sports.set(foldSport(sport), activity);
  }
  const overrides: Partial<Record<Activity, number>> = {};
  for (const [activity, id] of entriesOf(content.activities, "activities", fail)) {
    if (!isActivity(activity))
      fail(["activities", activity], `there is no such activity: expected one of ${ACTIVITY_NAMES.join(", ")}`);
    else if (!isId(id)) fail(["activities", activity], "expected the activityID, a whole number");
    else overrides[activity] = id;
  }
  const workoutIDs: Partial<Record<Activity, Partial<Record<WorkoutType, number>>>> = { ...WORKOUT_IDS };
  for (const [activity, types] of entriesOf(content["workout-types"], "workout-types", fail)) {
    if (!isActivity(activity)) {
      fail(["workout-types", activity], `there is no such activity: expected one of ${ACTIVITY_NAMES.join(", ")}`);
      continue;
    }
    const ids: Partial<Record<WorkoutType, number>> = { ...workoutIDs[activity] };
    for (const [type, id] of entriesOf(types, `workout-types.${activity}`, fail)) {
      const known = WORKOUT_TYPES.find((name) => name === type);
      if (known === undefined) fail(["workout-types", activity, type], `expected one of ${WORKOUT_TYPES.join(", ")}`);
      else if (!isId(id)) fail(["workout-types", activity, type], "expected the workoutID, a whole number");
      else ids[known] = id;
    }
    workoutIDs[activity] = ids;
  }
  return { sports, activityIDs: { ...ACTIVITY_IDS, ...overrides }, workoutIDs, overrides };
}

/**
 * Adds the pairs of `--sport NAME=ACTIVITY` and `--activity ACTIVITY=NUMBER` to the tables.
 *
 * @throws UsageError for a text that is not such a pair
 */
export function withFlags(
  tables: ActivityTables,
  sports: readonly string[],
  activities: readonly string[],
): ActivityTables {
  const map = new Map(tables.sports);
  for (const pair of sports) {
    const [, name, activity] = /^(.*)=([a-z]+)$/.exec(pair) ?? [];
    if (name === undefined || !isActivity(activity)) {
      throw new UsageError(
        `Cannot use --sport ${JSON.stringify(pair)}: expected NAME=ACTIVITY, the activity one of ${ACTIVITY_NAMES.join(", ")}`,
      );
    }
    map.set(foldSport(name), activity);
  }
  const overrides: Partial<Record<Activity, number>> = { ...tables.overrides };
  for (const pair of activities) {
    const [, activity, id] = /^([a-z]+)=(\d{1,9})$/.exec(pair) ?? [];
    if (!isActivity(activity) || id === undefined) {
      throw new UsageError(
        `Cannot use --activity ${JSON.stringify(pair)}: expected ACTIVITY=NUMBER, the activity one of ${ACTIVITY_NAMES.join(", ")}`,
      );
    }
    overrides[activity] = Number(id);
  }
  return { ...tables, sports: map, activityIDs: { ...tables.activityIDs, ...overrides }, overrides };
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

function configNames(): OptionName[] {
  return (Object.keys(OPTIONS) as OptionName[]).filter((name) => !("flagOnly" in OPTIONS[name]));
}

function configKeys(): string[] {
  const keys = configNames().map(kebab);
  return [...keys.filter((key) => optionNamed(key) !== undefined), ...TABLE_KEYS];
}

function optionNamed(key: string): OptionName | undefined {
  return configNames().find((name) => kebab(name) === key && name !== "config");
}

function entriesOf(value: unknown, key: string, fail: Fail): [string, unknown][] {
  if (value === undefined || value === null) return [];
  return isRecord(value) ? Object.entries(value) : fail(key.split("."), "expected names and values");
}

function isActivity(value: unknown): value is Activity {
  return ACTIVITY_NAMES.some((name) => name === value);
}

function isId(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
