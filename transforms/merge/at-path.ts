/** Reads and sets a field of a save body by its path: `notes`, `details.distance`. */

/** A save body, or a group of its fields. */
export type Body = Readonly<Record<string, unknown>>;

/** The value at a path; undefined if there is none. */
export function at(body: Body, path: string): unknown {
  const [name = "", ...rest] = path.split(".");
  const value = body[name];
  if (rest.length === 0) return value;
  return typeof value === "object" && value !== null ? at(value as Body, rest.join(".")) : undefined;
}

/** A body with another value at a path. Without a value, the field is removed, and so is a group that it leaves empty. */
export function withAt(body: Body, path: string, value: unknown): Body {
  const [name = "", ...rest] = path.split(".");
  const { [name]: old, ...others } = body;
  const inner = rest.length === 0 ? value : withAt((old ?? {}) as Body, rest.join("."), value);
  const isEmpty = inner === undefined || (rest.length > 0 && Object.keys(inner as object).length === 0);
  return isEmpty ? others : { ...others, [name]: inner };
}
