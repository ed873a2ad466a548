/** Hashes of records as a log has them. A later check finds a changed value with them, and names its field. */
import { contentHash } from "../../transforms/text/canonical.ts";

/** A record of the log, as hashes. */
export interface RecordHash {
  /** SHA-256 of the record's canonical JSON, in hex. */
  readonly log: string;
  /** The first 8 digits of the hash of each field, by its path: `notes`, `details.distance`. */
  readonly fields: Readonly<Record<string, string>>;
}

const DIGITS = 8;

/** Hashes a record in the form in which it is saved. A flag that is false equals a missing one, because a log may keep either. */
export function hashRecord(body: Readonly<Record<string, unknown>>): RecordHash {
  const kept = withoutFalse(body) as Readonly<Record<string, unknown>>;
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(kept)) {
    if (name !== "details" || typeof value !== "object" || value === null) {
      fields[name] = contentHash(value).slice(0, DIGITS);
      continue;
    }
    for (const [inner, one] of Object.entries(value)) fields[`details.${inner}`] = contentHash(one).slice(0, DIGITS);
  }
  return { log: contentHash(kept), fields };
}

/** The fields in which two records differ, sorted. */
export function changedFields(before: RecordHash["fields"], now: RecordHash["fields"]): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].filter((name) => before[name] !== now[name]).toSorted();
}

function withoutFalse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFalse);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined && member !== false)
      .map(([name, member]) => [name, withoutFalse(member)]),
  );
}
