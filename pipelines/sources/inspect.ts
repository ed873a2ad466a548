/**
 * What a source holds: read whole, counted, nothing decided and nothing sent.
 */
import type { ReadContext } from "../../connectors/contract.ts";
import { type Activity, foldSport } from "../../transforms/activities.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import { readSource } from "./read-source.ts";
import type { OpenedSource } from "./sources.ts";
import { TablesWatch } from "./unit-columns.ts";

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
  /** Workouts that can be read and can't be true: a plan holds them back. */
  readonly implausible: number;
  /** Days of the first and the last workout, in local time where known, else in UTC. */
  readonly first: string | undefined;
  readonly last: string | undefined;
  readonly withTrack: number;
  readonly sports: readonly SportCount[];
  /** Files that were passed over: how many, the first ones by name, and what is read of such a source. */
  readonly unread: { readonly count: number; readonly names: string; readonly reads: string } | undefined;
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
  let unread: SourceReport["unread"];
  let read = 0;
  let skipped = 0;
  let quarantined = 0;
  let withTrack = 0;
  let first: string | undefined;
  let last: string | undefined;
  const report = (issue: Issue) => {
    const { rule, count = 1, found: names = "", expected: reads = "" } = issue;
    if (rule.endsWith("/other-files")) {
      unread = { count, names, reads };
      return;
    }
    const known = issues.get(issue.rule);
    if (known === undefined) issues.set(issue.rule, { rule: issue.rule, count: 1, example: issue });
    else known.count++;
  };
  let implausible = 0;
  const tables = new TablesWatch();
  for await (const record of readSource(source, { ...context, report, readsTable: tables.open })) {
    onProgress(++read);
    const verdict = source.connector.ofLog ? undefined : tables.see(record);
    if (verdict !== undefined) {
      implausible++;
      report({ ...verdict, severity: "warning", origin: record.origin });
    }
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
  for (const { issue } of tables.findings()) report(issue);
  return {
    name: source.archive.name,
    title: source.connector.title,
    saw: source.saw,
    read,
    counts,
    skipped,
    quarantined,
    implausible,
    first,
    last,
    withTrack,
    unread,
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
