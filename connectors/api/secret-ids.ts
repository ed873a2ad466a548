/**
 * Answers that quote a secret. A broken service may answer with the access token where an id or a name belongs, and both are written into
 * journals and reports and shown. Such an id is none, and such a text says `[redacted]` in its place.
 */
import { isRecord } from "./json.ts";
import type { Redact } from "./redact.ts";

/** Members that hold ids: `id`, `ids`, `brandID`, `workoutIds`. */
const HOLDS_IDS = /^ids?$|I[dD]s?$/;

/** An answer with `null` in place of every id that holds a secret. The answer itself where there is none. */
export function withoutSecretIds<T>(value: T, redact: Redact): T;
export function withoutSecretIds(value: unknown, redact: Redact): unknown {
  if (Array.isArray(value)) return changed(value, (one) => withoutSecretIds(one, redact));
  if (!isRecord(value)) return value;
  let clean: Record<string, unknown> | undefined;
  for (const [name, member] of Object.entries(value)) {
    const kept = HOLDS_IDS.test(name) ? withoutSecrets(member, redact) : withoutSecretIds(member, redact);
    if (kept !== member) clean = { ...(clean ?? value), [name]: kept };
  }
  return clean ?? value;
}

/** The value of a member that holds an id or a list of them. */
function withoutSecrets(value: unknown, redact: Redact): unknown {
  if (Array.isArray(value)) return changed(value, (one) => withoutSecrets(one, redact));
  if (typeof value !== "string") return withoutSecretIds(value, redact);
  return redact(value) === value ? value : null;
}

function changed(values: readonly unknown[], change: (value: unknown) => unknown): readonly unknown[] {
  const clean = values.map(change);
  return clean.every((one, index) => one === values[index]) ? values : clean;
}

/** An answer in which every text and every name of a member has lost the secret. The answer itself where there is none. */
export function withoutSecretTexts<T>(value: T, redact: Redact): T;
export function withoutSecretTexts(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return changed(value, (one) => withoutSecretTexts(one, redact));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => ({
    name,
    member,
    clean: [redact(name), withoutSecretTexts(member, redact)] as const,
  }));
  const isClean = entries.every(({ name, member, clean: [cleanName, kept] }) => name === cleanName && kept === member);
  return isClean ? value : Object.fromEntries(entries.map(({ clean }) => clean));
}
