/** The object in every answer of a data endpoint. `code` 0 means success, and `data` is there where data is returned. */
export interface Envelope<D> {
  code: 0;
  data: D;
}

/** Sent with every answer, refusals too. The address holds a token, so nothing may keep the address or pass it on. */
export const HEADERS = {
  "Cache-Control": "private, no-store",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/** Success with data. Ids of saves and imports are members of `data` (known H). */
export function success<D>(data: D): Envelope<D> {
  return { code: 0, data };
}

/** Success without data: "Envelope with `code` only". */
export const SUCCESS = { code: 0 } as const;

/**
 * The same value without empty members: undefined, "", `{}` and `[]` at any depth. 0 and false are values and stay. A value without empty
 * members is given back itself: copying a workout of 10,000 intervals takes ten times as long as looking.
 */
export function withoutEmpty<T extends object>(value: T): T {
  if (!holdsEmpty(value)) return value;
  const kept = Object.entries(value)
    .map(([name, member]) => [name, emptied(member)] as const)
    .filter(([, member]) => member !== undefined);
  return Object.fromEntries(kept) as T;
}

function emptied(value: unknown): unknown {
  if (value === "") return undefined;
  if (Array.isArray(value)) {
    // Elements of an array stay even when they are empty: the third interval must not become the second.
    return value.length === 0
      ? undefined
      : value.map((element) => (isObject(element) ? withoutEmpty(element) : element));
  }
  if (!isObject(value)) return value;
  const kept = withoutEmpty(value);
  return Object.keys(kept).length === 0 ? undefined : kept;
}

/** Whether `emptied` would change a member at any depth. */
function holdsEmpty(value: object): boolean {
  for (const name in value) if (isEmptied((value as Record<string, unknown>)[name])) return true;
  return false;
}

function isEmptied(value: unknown): boolean {
  if (value === undefined || value === "") return true;
  if (Array.isArray(value)) {
    return value.length === 0 || value.some((element) => isObject(element) && holdsEmpty(element));
  }
  return isObject(value) && (Object.keys(value).length === 0 || holdsEmpty(value));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
