/** Sorts names in the order people look them up: letter case and accents matter last, and 2 comes before 10. */

const COLLATOR = new Intl.Collator("en", { numeric: true });

/** Negative when `one` comes first. Names that compare as equal keep their order. */
export function compareNames(one: string, other: string): number {
  return COLLATOR.compare(one, other);
}
