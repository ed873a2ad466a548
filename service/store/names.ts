/** Names in the order people look them up in: letter case and accents come last, and 2 comes before 10. */

const COLLATOR = new Intl.Collator("en", { numeric: true });

/** Negative when the first comes first. Names that differ in nothing that is heard keep the order they came in. */
export function compareNames(one: string, other: string): number {
  return COLLATOR.compare(one, other);
}
