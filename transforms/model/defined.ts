/** The type that `defined` gives. A member that may be undefined can be missing instead; the others stay as they are. */
export type Defined<T extends object> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The members that are not undefined. It drops absent values, and keeps 0, false and "". */
export function defined<T extends object>(members: T): Defined<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/** The same, or undefined when nothing is left. */
export function someDefined<T extends object>(members: T): Defined<T> | undefined {
  const kept = defined(members);
  return Object.keys(kept).length === 0 ? undefined : kept;
}
