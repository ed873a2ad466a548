import type { Transform } from "./transform.ts";

/** What the retired mark of a shoe or a bike is counted as. */
export const RETIRED = "retired";

/**
 * Counts the retired mark of a shoe or a bike as unsupported. A log shows which pieces are retired, and has no way to retire one: its owner does it by
 * hand.
 */
export const countRetired: Transform = (item) => {
  if (item.kind !== "equipment" || item.value.retired !== true) return item;
  const { unsupported = [] } = item.value;
  return { ...item, value: { ...item.value, unsupported: [...unsupported, { field: RETIRED, value: "yes" }] } };
};
