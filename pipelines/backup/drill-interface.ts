/**
 * What the log's own interface gives, against what the interface of the restored log gives: a field that our reader leaves out is missing
 * in the snapshot too, and comparing with the snapshot alone would never show it.
 */
import { getAsGiven } from "../../connectors/api/as-given.ts";
import type { Connection } from "../../connectors/api/connection.ts";
import { unitSpelt } from "../../transforms/units.ts";
import type { Difference } from "../journal/run.ts";
import { differencesBetween } from "../review/undo.ts";

/** Every so-many-th record is read once more: the log has been read whole a moment ago. */
export const ONE_IN = 20;

/** Fields that the document has for a save, but for numbers and ids, which another log has of its own. */
const FIELDS = {
  workout: ["date", "timeOfDay", "notes", "details", "health", "intervalSet", "raceStats", "ratings", "weather"],
  course: ["name", "notes", "distance", "surfaces"],
} as const;

/** One record in two logs. */
export interface InTwoLogs {
  readonly kind: keyof typeof FIELDS;
  readonly original: { readonly connection: Connection; readonly id: string };
  readonly restored: { readonly connection: Connection; readonly id: string };
}

/** Where the answers of two logs about one record differ. Throws as `getWorkout`. */
export async function differencesAsGiven(
  { kind, original, restored }: InTwoLogs,
  signal: AbortSignal,
): Promise<readonly Difference[]> {
  const [given, back] = await Promise.all(
    [original, restored].map(({ connection, id }) => getAsGiven(connection, kind, id, signal)),
  );
  return differencesBetween(plain(kind, given), plain(kind, back));
}

/** The fields that count, each in one spelling: services are known to write numbers as texts and units in words. */
function plain(kind: keyof typeof FIELDS, given: unknown): Record<string, unknown> {
  const record = { ...(given as Record<string, unknown>) };
  record.timeOfDay ??= record.time;
  const entries = FIELDS[kind].map((name) => [name, plainValue(record[name], name)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function plainValue(value: unknown, name: string): unknown {
  if (value === undefined || value === null || value === "") return undefined;
  if (name === "conditions" || name === "surfaces") return plainFlags(value);
  if (name === "unit")
    return (
      ["distance", "weight", "temperature"].map((of) => unitSpelt(of as "distance", String(value))).find(Boolean) ??
      value
    );
  if (name === "timeOfDay") return String(value).slice(0, 5);
  if (Array.isArray(value)) return value.map((member) => plainValue(member, ""));
  if (typeof value === "object") {
    const members = Object.entries(value as object)
      .map(([member, inner]) => [member, plainValue(inner, member)] as const)
      .filter(([, inner]) => inner !== undefined);
    return members.length === 0 ? undefined : Object.fromEntries(members);
  }
  const isNumber =
    typeof value === "string" && !TEXTS.has(name) && value.trim() !== "" && Number.isFinite(Number(value));
  return isNumber ? Number(value) : value;
}

const TEXTS: ReadonlySet<string> = new Set(["notes", "name", "type", "id", "date"]);

/** As words: whoever compares records takes a flag that is false for one that isn't there. */
function plainFlags(value: unknown): unknown {
  const flags = Array.isArray(value) ? value.map((flag) => [String(flag), true]) : Object.entries(value as object);
  const told = flags
    .filter(([, flag]) => flag !== null)
    .map(([name, flag]) => [name, SET.has(flag) ? "set" : "not set"]);
  return told.length === 0 ? undefined : Object.fromEntries(told);
}

const SET: ReadonlySet<unknown> = new Set([true, "true", 1]);
