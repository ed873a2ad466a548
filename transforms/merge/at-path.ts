/** Reads and sets a field of a save body by its path: `notes`, `details.distance`. */

/** A save body, or a group of its fields. */
export type Body = Readonly<Record<string, unknown>>;

/** The value at a path of a save body or a workout; undefined if there is none. */
export function at(body: object, path: string): unknown {
  const [name = "", ...rest] = path.split(".");
  const value = (body as Body)[name];
  if (rest.length === 0) return value;
  return typeof value === "object" && value !== null ? at(value, rest.join(".")) : undefined;
}

/** The same body or workout with another value at a path. Without a value, the field is removed, and so is a group that it leaves empty. */
export function withAt<T extends object>(body: T, path: string, value: unknown): T {
  const [name = "", ...rest] = path.split(".");
  const { [name]: old, ...others } = body as Body;
  const inner = rest.length === 0 ? value : withAt((old ?? {}) as Body, rest.join("."), value);
  const isEmpty = inner === undefined || (rest.length > 0 && Object.keys(inner as object).length === 0);
  return (isEmpty ? others : { ...others, [name]: inner }) as T;
}
