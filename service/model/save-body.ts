/**
 * How a save body is described and checked. Every member that isn't described is refused by name
 * (`UNKNOWN_MEMBERS_ARE_REFUSED`); those a get returns
 * for display are described as "anything" and dropped by the model that owns them.
 */
import Type, { type Static, type TObject, type TOptional, type TProperties, type TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { FLAG_NAME, RANGES } from "../gaps.ts";
import { quoted, Refusal } from "../http/refusals.ts";
import { isDate, TIME } from "./calendar.ts";

const NOT_A_DAY = "must be a day that exists, as YYYY-MM-DD";

/** A day, `YYYY-MM-DD`. */
export const Day = Type.Refine(
  Type.String({ format: "date", description: "A day, YYYY-MM-DD" }),
  isDate,
  () => NOT_A_DAY,
);

/** A time of day, `HH:MM:SS`. */
export const TimeOfDay = Type.String({ pattern: TIME.source, description: "A time of day, HH:MM:SS" });

/** An object of boolean flags, the names an open set. */
export const Flags = Type.Record(Type.String({ pattern: FLAG_NAME }), Type.Boolean(), { additionalProperties: false });

/** Beats a minute. */
export const HeartRate = Type.Integer(RANGES.heartRate);

/** A placement, a field size, an age. */
export const Count = Type.Integer(RANGES.count);

/** What a get returns for display and a save ignores, whatever it is. */
export const ForDisplay = Type.Unknown({ description: "Returned for display; ignored in a save" });

/** The same where no list of required members is kept. */
export const Ignored = Type.Optional(ForDisplay);

/** An object of optional members, no others. */
export function group<P extends TProperties>(members: P): TObject<{ [K in keyof P]: TOptional<P[K]> }> {
  return saveBody(members, []) as unknown as TObject<{ [K in keyof P]: TOptional<P[K]> }>;
}

/** The members of a save body: the named ones required, the rest optional, no others. */
export function saveBody<P extends TProperties, R extends keyof P & string>(
  members: P,
  required: readonly R[],
): TObject<{ [K in keyof P]: K extends R ? P[K] : TOptional<P[K]> }> {
  const needed: readonly string[] = required;
  const properties = Object.entries(members).map(([name, schema]) => [
    name,
    needed.includes(name) ? schema : Type.Optional(schema),
  ]);
  return Type.Object(Object.fromEntries(properties), { additionalProperties: false }) as never;
}

/**
 * A check of bodies against a schema, compiled once.
 *
 * @returns a function that answers undefined for a good body, or a Refusal `bad-field` naming the first field to blame
 */
export function checkOf(schema: TSchema): (body: unknown) => Refusal | undefined {
  const compiled = Compile(schema);
  return (body) => (compiled.Check(body) ? undefined : refusalOf(compiled.Errors(body)));
}

/** What typebox says about one trouble; the part of it we read. */
interface Trouble {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

/** Names whose refusal needs a word more than "unknown". */
const ADVICE: Record<string, string> = {
  timeOfDay: "is what a get returns; a save takes `time`",
};

function refusalOf(troubles: readonly Trouble[]): Refusal {
  // For an unknown member typebox also reports the member itself ("schema is false"); the words come from its parent.
  const first = troubles.find((trouble) => trouble.keyword !== "boolean");
  if (first === undefined) return new Refusal("bad-field", "body: not what this operation takes");
  return new Refusal("bad-field", sentenceOf(first));
}

function sentenceOf({ keyword, instancePath, params, message }: Trouble): string {
  const named = params as Record<string, unknown>;
  switch (keyword) {
    case "required":
      return `${fieldAt(instancePath, firstOf(named.requiredProperties))}: is required`;
    case "additionalProperties": {
      const member = firstOf(named.additionalProperties);
      return `${fieldAt(instancePath, member)}: ${ADVICE[member] ?? "is not a field that can be saved"}`;
    }
    case "enum":
      return `${fieldAt(instancePath)}: must be one of ${String(named.allowedValues).replaceAll(",", ", ")}`;
    case "format":
      return `${fieldAt(instancePath)}: ${NOT_A_DAY}`;
    case "pattern":
      return `${fieldAt(instancePath)}: must be a time of day, as HH:MM:SS`;
    case "maxItems":
      return `${fieldAt(instancePath)}: takes at most ${String(named.limit)}`;
    default:
      return `${fieldAt(instancePath)}: ${message}`;
  }
}

/** `/details/distance/unit` as `details.distance.unit`, `/equipment/0/id` as `equipment[0].id`, the root as `body`. */
function fieldAt(instancePath: string, member?: string): string {
  const steps = instancePath.split("/").slice(1);
  const path = steps
    .map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : `${index === 0 ? "" : "."}${step}`))
    .join("");
  if (member === undefined) return path === "" ? "body" : printablePath(path);
  return printablePath(path === "" ? member : `${path}.${member}`);
}

/** Member names come from the sender: only plain ones are shown bare. */
function printablePath(path: string): string {
  return /^[\w.[\]-]{1,120}$/.test(path) ? path : quoted(path);
}

function firstOf(names: unknown): string {
  return Array.isArray(names) ? String(names[0]) : "body";
}

/** The type a schema describes. */
export type Body<S extends TSchema> = Static<S>;
