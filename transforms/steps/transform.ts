/**
 * A transform is one sentence about an item that it makes true: pure, no clock, no I/O. A drop has a reason, so a bug and a
 * decision never look alike.
 */
import type { Issue } from "../model/issue.ts";
import type { Item, Reading, Rejected } from "../model/item.ts";

/** Receives remarks about an item; whoever runs the transform adds the item's origin. */
export type Report = (issue: Issue) => void;

/** Gives the item changed, the same item untouched, or rejected with the reason. */
export type Transform = (item: Item, report: Report) => Item | Rejected;

/** Runs an item through transforms in order; what is rejected goes no further. Issues get the item's origin. */
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

/** Rejects an item, for the reason the issue gives. */
export function reject(item: Item, as: Rejected["as"], issue: Issue): Rejected {
  return { kind: "set-aside", key: item.key, origin: item.origin, as, issue: { ...issue, origin: item.origin } };
}
