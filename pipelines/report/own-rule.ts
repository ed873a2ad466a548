/** Takes away the obstacles that a person accepted before the first record was sent, with `--accept`. */
import type { Run } from "../journal/run.ts";
import { type ConditionName, conditionValue, isWithin } from "../plan/acceptance.ts";
import type { Verdict } from "./schema.ts";

type Obstacle = Verdict["obstacles"][number];

/** The condition that may accept an obstacle. All others always stand in the way. */
const CONDITION_OF: Readonly<Partial<Record<Obstacle["code"], ConditionName>>> = {
  rejected: "rejected",
  refused: "refused",
  "outside-dates": "dates",
  "without-file": "lost-files",
  "unread-files": "unread-files",
  "unread-values": "unread-values",
  "not-added": "not-added",
};

/** Divides what was found into obstacles and what the rule of a run accepts. @param records all records of the run, for a share */
export function byOwnRule(
  { options: { accepts } }: Pick<Run, "options">,
  records: number,
  found: readonly Obstacle[],
): { readonly obstacles: Obstacle[]; readonly accepted: Obstacle[] } {
  const isAccepted = ({ code, count }: Obstacle): boolean => {
    const name = CONDITION_OF[code];
    const value = name && conditionValue(accepts, name);
    return value === "" || isWithin(value, count, records);
  };
  return { obstacles: found.filter((one) => !isAccepted(one)), accepted: found.filter(isAccepted) };
}
