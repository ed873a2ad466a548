/** The object every answer of a data endpoint is: `code` 0 means success, and `data` is there where data is returned. */
export interface Envelope<D> {
  code: 0;
  data: D;
}

/** Success with data. Ids of saves and imports sit under `data` (known H). */
export function success<D>(data: D): Envelope<D> {
  return { code: 0, data };
}

/** Success without data: "Envelope with `code` only". */
export const SUCCESS = { code: 0 } as const;

/** The same value without what is empty: undefined, "", `{}` and `[]` at any depth. 0 and false are values and stay. */
export function withoutEmpty<T extends object>(value: T): T {
  const kept = Object.entries(value)
    .map(([name, member]) => [name, emptied(member)] as const)
    .filter(([, member]) => member !== undefined);
  return Object.fromEntries(kept) as T;
}

function emptied(value: unknown): unknown {
  if (value === "") return undefined;
  if (Array.isArray(value)) {
    // Elements stay whatever they hold: the third interval must not become the second.
    return value.length === 0
      ? undefined
      : value.map((element) => (isObject(element) ? withoutEmpty(element) : element));
  }
  if (!isObject(value)) return value;
  const kept = withoutEmpty(value);
  return Object.keys(kept).length === 0 ? undefined : kept;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
