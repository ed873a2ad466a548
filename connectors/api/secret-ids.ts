/**
 * Cleans answers that quote a secret. A broken service may answer with the access token in the place of an id or a name. Ids and names go
 * into journals and reports, and people see them. So such an id becomes null, and in a text `[redacted]` replaces the secret.
 */
import { isRecord } from "./json.ts";
import type { Redact } from "./redact.ts";

/** Members that hold ids: `id`, `ids`, `brandID`, `workoutIds`. */
const HOLDS_IDS = /^ids?$|I[dD]s?$/;

/** Replaces every id that holds a secret with `null`. Returns the answer itself if there is no such id. */
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

/** Cleans the value of a member that holds an id or a list of ids. */
function withoutSecrets(value: unknown, redact: Redact): unknown {
  if (Array.isArray(value)) return changed(value, (one) => withoutSecrets(one, redact));
  if (typeof value !== "string") return withoutSecretIds(value, redact);
  return redact(value) === value ? value : null;
}

function changed(values: readonly unknown[], change: (value: unknown) => unknown): readonly unknown[] {
  const clean = values.map(change);
  return clean.every((one, index) => one === values[index]) ? values : clean;
}

/** Removes the secret from every text and every member name. Returns the answer itself if nothing changes. */
export function withoutSecretTexts<T>(value: T, redact: Redact): T;
export function withoutSecretTexts(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return changed(value, (one) => withoutSecretTexts(one, redact));
  if (!isRecord(value)) return value;
  let isClean = true;
  const clean = Object.entries(value).map((entry): [string, unknown] => {
    const [name, member] = [redact(entry[0]), withoutSecretTexts(entry[1], redact)];
    if (name === entry[0] && member === entry[1]) return entry;
    isClean = false;
    return [name, member];
  });
  return isClean ? value : Object.fromEntries(clean);
}
