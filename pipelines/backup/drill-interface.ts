/**
 * Compares the raw answers of the log and of the restored log. If our reader leaves out a field, the snapshot lacks it, too. Comparing with
 * the snapshot alone would never show that.
 */
import { getAsGiven } from "../../connectors/api/as-given.ts";
import type { Connection } from "../../connectors/api/connection.ts";
import { unitSpelt } from "../../transforms/units.ts";
import type { Difference } from "../journal/run.ts";
import { differencesBetween } from "../review/undo.ts";

/** One record in this many is read again. A moment ago the whole log was read. */
export const ONE_IN = 20;

/** Fields of a save in the document, without numbers and ids, because another log has its own. */
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

/** The differences between the answers of two logs about one record. Throws as `getWorkout`. */
export async function differencesAsGiven(
  { kind, original, restored }: InTwoLogs,
  signal: AbortSignal,
): Promise<readonly Difference[]> {
  const [given, back] = await Promise.all(
    [original, restored].map(({ connection, id }) => getAsGiven(connection, kind, id, signal)),
  );
  return differencesBetween(plain(kind, given), plain(kind, back));
}

/** The fields to compare, each in one spelling. Some services write numbers as texts, and units in words. */
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

/** Flags as words. The comparison of records treats a false flag like a missing one, but here the two differ. */
function plainFlags(value: unknown): unknown {
  const flags = Array.isArray(value) ? value.map((flag) => [String(flag), true]) : Object.entries(value as object);
  const told = flags
    .filter(([, flag]) => flag !== null)
    .map(([name, flag]) => [name, SET.has(flag) ? "set" : "not set"]);
  return told.length === 0 ? undefined : Object.fromEntries(told);
}

const SET: ReadonlySet<unknown> = new Set([true, "true", 1]);
