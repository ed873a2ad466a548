/**
 * A transform makes one statement about an item true. It is pure: no clock, no I/O. A drop always has a reason, so a bug never looks like a
 * decision.
 */
import type { Issue } from "../model/issue.ts";
import type { Item, Reading, Rejected } from "../model/item.ts";

/** Receives remarks about an item. The caller that runs the transform adds the item's origin. */
export type Report = (issue: Issue) => void;

/** Returns the changed item, the same item, or a rejection with its reason. */
export type Transform = (item: Item, report: Report) => Item | Rejected;

/** Runs an item through transforms in order, up to the first rejection. Issues get the item's origin. */
export function through(transforms: readonly Transform[], item: Item, report: Report): Reading {
  let current: Item = item;
  const reportWithOrigin: Report = (issue) =>
    report(issue.origin === undefined ? { ...issue, origin: item.origin } : issue);
  for (const transform of transforms) {
    const next = transform(current, reportWithOrigin);
    if (next.kind === "set-aside") return next;
    current = next;
  }
  return current;
}

/** Rejects an item for the reason in the issue. */
export function reject(item: Item, as: Rejected["as"], issue: Issue): Rejected {
  return { kind: "set-aside", key: item.key, origin: item.origin, as, issue: { ...issue, origin: item.origin } };
}
