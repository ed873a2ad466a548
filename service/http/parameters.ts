/**
 * Parameters of an address, checked by the schemas they are published with. A query is always text, and coercing libraries turn `limit=`
 * into 0. So each parameter is read here as its schema says, and every refusal names it.
 */
import Type, { type TObject } from "typebox";
import { quoted, Refusal } from "./refusals.ts";

/** A parsed query before its check. A repeated parameter is an array. */
export type Query = Readonly<Record<string, string | string[] | undefined>>;

/** A whole number within a range. `published` goes into the description of the service: a default, a sentence. */
export function integer(range: { readonly minimum: number; readonly maximum: number }, published: Published) {
  return Type.Optional(Type.Integer({ minimum: range.minimum, maximum: range.maximum, ...published }));
}

/** `true` or `false`. */
export function boolean(published: Published) {
  return Type.Optional(Type.Boolean({ default: false, ...published }));
}

/** Text that the route reads itself. */
export function text(published: Published) {
  return Type.Optional(Type.String({ ...published }));
}

/** One of a few words. */
export function word<const W extends string[]>(words: readonly [...W], published: Published) {
  return Type.Optional(Type.Enum([...words], { ...published }));
}

/** The published members of a parameter beside its type. */
export interface Published {
  readonly description: string;
  readonly default?: number;
  readonly examples?: readonly string[];
  /** Marks a parameter that the interface document doesn't show. */
  readonly "x-undocumented"?: true;
}

/** The members of a parameter's schema that are read here. */
interface ParameterSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/**
 * Makes a check of queries against the parameters an operation takes. Unknown parameters are ignored (`UNKNOWN_PARAMETERS_ARE_IGNORED`).
 * Absent parameters stay absent.
 * @returns a function that answers the parameters in their types, or a Refusal `bad-parameter` naming the first to blame
 */
export function queryCheckOf(schema: TObject): (query: unknown) => { value: object } | { error: Refusal } {
  const parameters = Object.entries(schema.properties as Record<string, ParameterSchema>);
  return (query) => {
    const value: Record<string, unknown> = {};
    for (const [name, parameter] of parameters) {
      const given = (query as Query)[name];
      if (given === undefined) continue;
      const read = typeof given === "string" ? readAs(given, parameter) : undefined;
      if (read === undefined) return { error: new Refusal("bad-parameter", `${name}: ${demandOf(parameter)}`) };
      value[name] = read;
    }
    return { value };
  };
}

function readAs(given: string, { type, enum: words, minimum = 0, maximum = 0 }: ParameterSchema): unknown {
  if (words !== undefined) return words.find((one) => one === given);
  if (type === "boolean") return given === "true" ? true : given === "false" ? false : undefined;
  if (type !== "integer") return given;
  const value = /^\d{1,10}$/.test(given) ? Number(given) : Number.NaN;
  return value >= minimum && value <= maximum ? value : undefined;
}

function demandOf({ type, enum: words, minimum, maximum }: ParameterSchema): string {
  if (words !== undefined) return `must be one of ${words.join(", ")}`;
  return type === "boolean" ? "must be true or false" : `must be a whole number from ${minimum} to ${maximum}`;
}

/**
 * Makes a check of the values in a path. When a value doesn't fit its schema, the address doesn't exist.
 * @returns a function that answers the same values, or a Refusal `not-found` naming the first to blame
 */
export function pathCheckOf(schema: TObject): (params: unknown) => { value: unknown } | { error: Refusal } {
  const parameters = Object.entries(schema.properties as Record<string, ParameterSchema>);
  return (params) => {
    const given = params as Record<string, string>;
    const wrong = parameters.find(([name, { enum: words }]) => words?.includes(given[name] ?? "") === false);
    if (wrong === undefined) return { value: params };
    return { error: new Refusal("not-found", `${wrong[0]}: ${demandOf(wrong[1])}`) };
  };
}

/**
 * Refuses a parameter that is given twice: choosing one of the two would be a guess (RFC 6749 section 3.1 forbids it too).
 * @throws Refusal `bad-parameter`
 */
export function refuseRepeated(query: Query): void {
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) throw new Refusal("bad-parameter", `${quoted(name)}: given more than once`);
  }
}
