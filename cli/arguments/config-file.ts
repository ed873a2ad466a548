/**
 * Parses the config file (YAML). A misspelt key is an error with its line number. A setting that is silently ignored would load archives in
 * the wrong units. Loaded only where there is such a file: the libraries take a third of the time of a short command.
 */
import { readFileSync, statSync } from "node:fs";
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
import { didYouMean } from "../../transforms/text/suggestions.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { describeSystemError } from "../errors/system-errors.ts";
import { type ActivityTables, isActivity } from "./activity-tables.ts";
import { configNames, isFlagOnly } from "./config-names.ts";
import { type NotifySettings, notifySettings } from "./notify-settings.ts";
import { checkedValue, kebab, OPTIONS, type OptionName, type OptionValues } from "./options.ts";

/** The contents of the config file: option values by name, the activity tables, and the people to tell about backups. */
export interface ConfigFile {
  readonly options: OptionValues;
  readonly tables: ActivityTables;
  readonly notify: NotifySettings;
}

/** Most bytes of a config file. */
export const CONFIG_BYTES = YAML_BYTES;

/**
 * Reads a config file.
 *
 * @throws UsageError with file, line and key, for a missing file, a file that isn't YAML, or an unknown key or value
 */
export function readConfigFile(path: string): ConfigFile {
  return parseConfig(readText(path), path);
}

function readText(path: string): string {
  try {
    const { size } = statSync(path);
    if (size > CONFIG_BYTES) throw new UsageError(`Cannot use ${path}: it is longer than ${sizeInWords(CONFIG_BYTES)}`);
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`Cannot read the config file ${path}: ${describeSystemError(error)}`);
  }
}

/**
 * Parses the text of a config file.
 *
 * @param path for messages
 * @throws UsageError with the path, line and key, for a text that is not YAML, or an unknown key or value
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

function isId(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
