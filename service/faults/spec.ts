/** Reads the spec of a fault: `reset-after-commit:POST /rest/logs/me/workouts:nth=3`. */
import { CONDITIONS, FAULT_KINDS, type FaultKind, type Parameter, SPEC_FORM } from "./kinds.ts";

/** Which of the matching requests the fault hits. */
export interface Condition {
  /** First and last request, counted from 1. */
  readonly nth?: readonly [number, number];
  readonly every?: number;
  readonly rate?: number;
  readonly times?: number;
  /** Seconds after the start. */
  readonly from?: number;
  readonly to?: number;
}

/** A fault, as read from its spec. */
export interface Fault {
  /** The text of the spec. */
  readonly spec: string;
  readonly kind: FaultKind;
  /** Whether a request matches. The path has no query. */
  readonly matches: (method: string, path: string) => boolean;
  readonly condition: Condition;
  /** Values of the kind's parameters, by name. */
  readonly values: Readonly<Record<string, number | string>>;
}

/** A spec that can't be read. The message names it and says what is wrong. */
export class BadFault extends Error {
  override readonly name = "BadFault";
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "*"];

/**
 * Reads a fault from its spec, `KIND[:METHOD PATH][:NAME=VALUE,...]`. In a path `*` stands for anything but a slash, `**` for anything.
 * @throws BadFault naming what is wrong
 */
export function readFault(spec: string): Fault {
  const fail = (found: string): never => {
    throw new BadFault(`Cannot arm the fault ${JSON.stringify(spec.slice(0, 200))}: ${found}`);
  };
  const [name = "", ...parts] = spec.split(":");
  const kind =
    FAULT_KINDS.find((one) => one.name === name) ??
    fail(`there is no kind ${JSON.stringify(name)}; there are ${FAULT_KINDS.map((one) => one.name).join(", ")}`);
  const target = parts[0] !== undefined && !parts[0].includes("=") ? parts.shift() : undefined;
  if (parts.length > 1) fail(`expected ${SPEC_FORM}, found ${parts.length - 1} more parts`);
  const settings = settingsOf(parts[0], fail);
  const condition = conditionOf(settings, fail);
  const values = valuesOf(kind, settings, fail);
  return { spec, kind, matches: targetOf(target ?? kind.target, fail), condition, values };
}

type Fail = (found: string) => never;

function targetOf(target: string, fail: Fail): Fault["matches"] {
  const [, wanted = "", pattern = ""] = /^(\S+) (\/\S*)$/.exec(target) ?? [];
  if (!METHODS.includes(wanted)) {
    fail(
      `expected a method and a path, such as "POST /rest/logs/me/workouts" or "* /rest/**", found ${JSON.stringify(target)}`,
    );
  }
  const pieces = pattern
    .split(/(\*\*?)/)
    .map((piece) => WILD.get(piece) ?? piece.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  const path = new RegExp(`^${pieces.join("")}$`);
  return (method, found) => (wanted === "*" || wanted === method) && path.test(found);
}

const WILD: ReadonlyMap<string, string> = new Map([
  ["*", "[^/]*"],
  ["**", ".*"],
]);

function settingsOf(text: string | undefined, fail: Fail): Map<string, string> {
  const settings = new Map<string, string>();
  for (const setting of text?.split(",") ?? []) {
    const [, name = "", value = ""] = /^([^=]+)=(.+)$/.exec(setting) ?? [];
    if (name === "") fail(`expected NAME=VALUE, found ${JSON.stringify(setting)}`);
    if (settings.has(name)) fail(`${name} is there twice`);
    settings.set(name, value);
  }
  return settings;
}

const NUMBERS: Readonly<Record<string, { readonly expected: string; readonly isRight: (value: number) => boolean }>> = {
  every: { expected: "a whole number, 1 or more", isRight: isCount },
  rate: { expected: "a number above 0 and up to 1", isRight: (value) => value > 0 && value <= 1 },
  times: { expected: "a whole number, 1 or more", isRight: isCount },
  from: { expected: "seconds, 0 or more", isRight: (value) => value >= 0 },
  to: { expected: "seconds, above 0", isRight: (value) => value > 0 },
};

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}

/** Takes the conditions out of the settings. The settings that remain belong to the kind. */
function conditionOf(settings: Map<string, string>, fail: Fail): Condition {
  const condition: Record<string, unknown> = {};
  const nth = settings.get("nth");
  settings.delete("nth");
  if (nth !== undefined) condition.nth = rangeOf(nth) ?? fail(`nth must be 3, 3..5 or 3.., found ${nth}`);
  for (const [name, { expected, isRight }] of Object.entries(NUMBERS)) {
    const text = settings.get(name);
    if (text === undefined) continue;
    settings.delete(name);
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (!isRight(value)) fail(`${name} must be ${expected}, found ${text}`);
    condition[name] = value;
  }
  const choices = ["nth", "every", "rate"].filter((name) => name in condition);
  if (choices.length > 1) fail(`${choices.join(" and ")} can't be combined`);
  return condition;
}

function rangeOf(text: string): readonly [number, number] | undefined {
  const [, from = "", dots, to = ""] = /^(\d+)(\.\.(\d*))?$/.exec(text) ?? [];
  const first = Number(from);
  const last = dots === undefined ? first : to === "" ? Number.POSITIVE_INFINITY : Number(to);
  return from !== "" && first >= 1 && last >= first ? [first, last] : undefined;
}

function valuesOf(kind: FaultKind, settings: ReadonlyMap<string, string>, fail: Fail): Fault["values"] {
  const values: Record<string, number | string> = {};
  for (const name of settings.keys()) {
    if (kind.parameters.some((parameter) => parameter.name === name)) continue;
    const known = [...kind.parameters.map((parameter) => parameter.name), ...CONDITIONS.map(nameOf), "to"];
    fail(`${kind.name} has no ${name}; it has ${known.join(", ")}`);
  }
  for (const parameter of kind.parameters) {
    const value = settingOf(kind, parameter, settings.get(parameter.name), fail);
    if (value !== undefined) values[parameter.name] = value;
  }
  return values;
}

function settingOf(kind: FaultKind, parameter: Parameter, text: string | undefined, fail: Fail) {
  if (text !== undefined) {
    return parameter.read(text) ?? fail(`${parameter.name} must be ${parameter.expected}, found ${text}`);
  }
  if (parameter.default === undefined && parameter.isOptional !== true) {
    fail(`${kind.name} needs ${parameter.name}=, ${parameter.expected}`);
  }
  return parameter.default;
}

function nameOf({ form }: (typeof CONDITIONS)[number]): string {
  return form.split("=")[0] ?? "";
}
