/** Takes away the obstacles that a person accepted before the first record was sent, with `--accept`. */
import type { Run } from "../journal/run.ts";
import { type ConditionName, conditionValue, isWithin } from "../plan/records/acceptance.ts";
import type { Verdict } from "./schema.ts";

type Obstacle = Verdict["obstacles"][number];

/** The condition that may accept an obstacle. All others always stand in the way. */
const CONDITION_OF: Readonly<Partial<Record<Obstacle["code"], ConditionName>>> = {
  rejected: "rejected",
  refused: "refused",
  "outside-dates": "dates",
  "without-file": "lost-files",
  "tracks-left-out": "lost-files",
  "tracks-left-out-by-others": "lost-files",
  "export-without-tracks": "lost-files",
  "unread-files": "unread-files",
  "unread-values": "unread-values",
  "unconfirmed-columns": "unread-values",
  "not-added": "not-added",
  "not-added-by-others": "not-added",
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
  const withLimit = (one: Obstacle): Obstacle => {
    const name = CONDITION_OF[one.code];
    const limit = name && conditionValue(accepts, name);
    return limit ? { ...one, text: `${one.text}${beyond(limit, one.count, records)}` } : one;
  };
  return {
    obstacles: found.filter((one) => !isAccepted(one)).map(withLimit),
    accepted: found.filter(isAccepted),
  };
}

/** The conditions that need every record in its class, its lost fields and the levels of the check: a certificate alone has these. */
const OF_CERTIFICATE: readonly ConditionName[] = ["dropped", "losses", "level"];

/** An obstacle where a rule has conditions that only a certificate can judge. The certificate puts its findings in the place of it. */
export function leftToCertificate({ options: { accepts } }: Pick<Run, "options">): readonly Obstacle[] {
  const asked = OF_CERTIFICATE.flatMap((name) => {
    const value = conditionValue(accepts, name);
    return value === undefined ? [] : [`${name}=${value}`];
  });
  if (asked.length === 0) return [];
  return [
    {
      code: "own-rule",
      count: asked.length,
      text: `only a certificate can tell whether your own rule is met (${asked.join(", ")})`,
      todo: `Issue it: logferry certify${asked.includes("level=restored") ? " --repository REPOSITORY" : ""}`,
    },
  ];
}

/** Both numbers of a limit that was passed: `, 6.3% of all, and your rule allows 5%`. */
function beyond(limit: string, count: number, records: number): string {
  // Rounded up, so that a share just over the limit doesn't read as the limit itself.
  const share = limit.endsWith("%") && records > 0 ? `, ${Math.ceil((count / records) * 10_000) / 100}% of all,` : ",";
  return `${share} and your rule allows ${limit}`;
}
