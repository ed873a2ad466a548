import { hash } from "node:crypto";

/** JSON with sorted members and without undefined members: equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member) =>
    isPlainObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
}

/** SHA-256 of the canonical JSON, in hex. It shows whether two values are the same, even years apart. */
export function contentHash(value: unknown): string {
  return hash("sha256", canonicalJson(value));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
