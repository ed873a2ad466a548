/**
 * Checks save bodies. A refusal names only the first field to blame. typebox can list every error of a body, but that takes seconds for a
 * megabyte of them. So this file walks through objects and arrays, and typebox checks single values.
 */
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { quoted, Refusal } from "../http/refusals.ts";
import { NOT_A_DAY } from "./save-body.ts";

/**
 * Makes a check of bodies against a schema, compiled once.
 * @returns a function that answers undefined for a good body, or a Refusal `bad-field` naming the first field to blame
 */
export function checkOf(schema: TSchema): (body: unknown) => Refusal | undefined {
  const compiled = Compile(schema);
  const find = finderOf(schema);
  return (body) => {
    if (compiled.Check(body)) return undefined;
    const { at, says } = find(body) ?? { at: [], says: "not what this operation takes" };
    return new Refusal("bad-field", `${fieldAt(at)}: ${says}`);
  };
}

/** A problem and its field. `at` holds the member names and array positions that lead to the field. */
interface Problem {
  readonly at: readonly (string | number)[];
  readonly says: string;
}

/** Finds the first problem of a value; undefined for a value that fits its schema. */
type Finder = (value: unknown) => Problem | undefined;

/** The members of a schema that are read here. */
interface Described {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly maxProperties?: number;
  readonly items?: TSchema;
  readonly maxItems?: number;
}

function finderOf(schema: TSchema): Finder {
  const described = schema as Described;
  if (described.type === "object") return objectFinder(described);
  if (described.type === "array" && described.items !== undefined) return arrayFinder(described, described.items);
  const compiled = Compile(schema);
  return (value) => {
    const [first] = compiled.Errors(value);
    return first && { at: [], says: sentenceOf(first) };
  };
}

/** Names that need more advice in a refusal than "unknown". */
const ADVICE: ReadonlyMap<string, string> = new Map([["timeOfDay", "is what a get returns; a save takes `time`"]]);

/** Looks for missing members, then for unknown members. Then it checks each member, in the order of the schema. */
function objectFinder({ properties = {}, patternProperties = {}, required = [], maxProperties }: Described): Finder {
  const members = new Map(Object.entries(properties).map(([name, schema]) => [name, finderOf(schema)]));
  const patterns = Object.entries(patternProperties).map(
    ([pattern, schema]) => [new RegExp(pattern, "u"), finderOf(schema)] as const,
  );
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return { at: [], says: "must be object" };
    const missing = required.find((name) => !Object.hasOwn(value, name));
    if (missing !== undefined) return { at: [missing], says: "is required" };
    const names = Object.keys(value);
    if (names.length > (maxProperties ?? Number.POSITIVE_INFINITY)) return takesAtMost(maxProperties);
    const finders = new Map<string, Finder>();
    for (const name of names) {
      const finder = members.get(name) ?? patterns.find(([pattern]) => pattern.test(name))?.[1];
      if (finder === undefined) return { at: [name], says: ADVICE.get(name) ?? "is not a field that can be saved" };
      finders.set(name, finder);
    }
    for (const name of members.size > 0 ? members.keys() : names) {
      const problem = within(name, finders.get(name)?.((value as Record<string, unknown>)[name]));
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}

function arrayFinder({ maxItems }: Described, items: TSchema): Finder {
  const find = finderOf(items);
  return (value) => {
    if (!Array.isArray(value)) return { at: [], says: "must be array" };
    if (value.length > (maxItems ?? Number.POSITIVE_INFINITY)) return takesAtMost(maxItems);
    for (const [index, element] of value.entries()) {
      const problem = within(index, find(element));
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}

function within(step: string | number, problem: Problem | undefined): Problem | undefined {
  return problem && { ...problem, at: [step, ...problem.at] };
}

function takesAtMost(limit: number | undefined): Problem {
  return { at: [], says: `takes at most ${limit}` };
}

function sentenceOf({ keyword, params, message }: { keyword: string; params: object; message: string }): string {
  switch (keyword) {
    case "enum":
      return `must be one of ${String((params as { allowedValues?: unknown }).allowedValues).replaceAll(",", ", ")}`;
    case "format":
      return NOT_A_DAY;
    case "pattern":
      return "must be a time of day, as HH:MM:SS";
    default:
      return message;
  }
}

/** `details.distance.unit`, `equipment[0].id`, the root as `body`. Names come from the sender, so only plain ones are shown bare. */
function fieldAt(steps: Problem["at"]): string {
  if (steps.length === 0) return "body";
  const path = steps.map((step, index) =>
    typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${step}`,
  );
  const shown = path.join("");
  return /^[\w.[\]-]{1,120}$/.test(shown) ? shown : quoted(shown);
}
