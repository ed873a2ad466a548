/**
 * What a source holds: read whole, counted, nothing decided and nothing sent.
 */
import type { ReadContext } from "../../connectors/contract.ts";
import { type Activity, foldSport } from "../../transforms/activities.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import type { OpenedSource } from "../plan/plan.ts";
import { readSource } from "./read-source.ts";

/** A sport as the source calls it, and what it is taken for. */
export interface SportCount {
  readonly name: string;
  readonly activity: Activity | undefined;
  readonly count: number;
}

/** What was found in one source. */
export interface SourceReport {
  readonly name: string;
  readonly title: string;
  readonly saw: string;
  readonly read: number;
  readonly counts: Readonly<Record<Kind, number>>;
  readonly skipped: number;
  readonly quarantined: number;
  /** Days of the first and the last workout, in local time where known, else in UTC. */
  readonly first: string | undefined;
  readonly last: string | undefined;
  readonly withTrack: number;
  readonly sports: readonly SportCount[];
  readonly issues: readonly { readonly rule: string; readonly count: number; readonly example: Issue }[];
}

/** Reads a source to its end. @throws FatalError reason `source` */
export async function inspectSource(
  source: OpenedSource,
  context: Pick<ReadContext, "signal" | "sports">,
  onProgress: (read: number) => void,
): Promise<SourceReport> {
  const counts: Record<Kind, number> = { workout: 0, equipment: 0, course: 0 };
  const sports = new Map<string, SportCount>();
  const issues = new Map<string, { rule: string; count: number; example: Issue }>();
  let read = 0;
  let skipped = 0;
  let quarantined = 0;
  let withTrack = 0;
  let first: string | undefined;
  let last: string | undefined;
  const report = (issue: Issue) => {
    const known = issues.get(issue.rule);
    if (known === undefined) issues.set(issue.rule, { rule: issue.rule, count: 1, example: issue });
    else known.count++;
  };
  for await (const record of readSource(source, { ...context, report })) {
    onProgress(++read);
    if (record.kind === "set-aside") {
      if (record.as === "skipped") skipped++;
      else quarantined++;
      report({ ...record.issue, origin: record.issue.origin ?? record.origin });
      continue;
    }
    counts[record.kind]++;
    if (record.kind !== "workout") continue;
    const day = dayOf(record.value);
    if (day !== undefined) {
      if (first === undefined || day < first) first = day;
      if (last === undefined || day > last) last = day;
    }
    if (record.value.track !== undefined) withTrack++;
    countSport(sports, record.value, context.sports);
  }
  return {
    name: source.archive.name,
    title: source.connector.title,
    saw: source.saw,
    read,
    counts,
    skipped,
    quarantined,
    first,
    last,
    withTrack,
    sports: [...sports.values()].sort((a, b) => b.count - a.count),
    issues: [...issues.values()].sort((a, b) => b.count - a.count),
  };
}

function countSport(sports: Map<string, SportCount>, workout: Workout, own: ReadContext["sports"]): void {
  const name = workout.sport ?? workout.activity ?? "without a sport";
  const activity = own.get(foldSport(name)) ?? workout.activity;
  sports.set(name, { name, activity, count: (sports.get(name)?.count ?? 0) + 1 });
}

function dayOf({ start }: Workout): string | undefined {
  return start.date ?? (start.instant === undefined ? undefined : new Date(start.instant).toISOString().slice(0, 10));
}
