/** Counts the contents of a source. It reads the whole source, but decides nothing and sends nothing. */
import type { ReadContext } from "../../connectors/contract.ts";
import { type Activity, foldSport } from "../../transforms/activities.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { Item, Kind } from "../../transforms/model/item.ts";
import { addLost, type LostBecause, type LostFiles, NO_LOST_FILES } from "../../transforms/model/lost-file.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import { readSource } from "./read-source.ts";
import type { OpenedSource } from "./sources.ts";
import { TablesWatch } from "./unit-columns.ts";

/** A sport in the source's words, and the activity that logferry takes it for. */
export interface SportCount {
  readonly name: string;
  readonly activity: Activity | undefined;
  readonly count: number;
}

/** The findings in one source. */
export interface SourceReport {
  readonly name: string;
  readonly title: string;
  readonly saw: string;
  readonly read: number;
  readonly counts: Readonly<Record<Kind, number>>;
  readonly skipped: number;
  readonly quarantined: number;
  /** Workouts that can be read but can't be true, which a plan quarantines. */
  readonly implausible: number;
  /** Days of the first and the last workout, in local time if known, else in UTC. */
  readonly first: string | undefined;
  readonly last: string | undefined;
  readonly withTrack: number;
  readonly sports: readonly SportCount[];
  /** Records with a missing or damaged device file: their number, and the names of the first files. */
  readonly lostFiles: readonly LostFilesOfKind[];
  /** Files that were left out: their number, the first names, and the formats that logferry reads in such a source. */
  readonly unread: { readonly count: number; readonly names: string; readonly reads: string } | undefined;
  readonly issues: readonly { readonly rule: string; readonly count: number; readonly example: Issue }[];
}

/** Lost files for one kind of record. */
export interface LostFilesOfKind {
  readonly kind: "workout" | "course";
  readonly because: LostBecause;
  readonly count: number;
  readonly names: readonly string[];
}

/** The number of files that are named. */
const NAMED = 5;

/** Reads a source to its end. @throws FatalError reason `source` */
export async function inspectSource(
  source: OpenedSource,
  context: Pick<ReadContext, "signal" | "sports">,
  onProgress: (read: number) => void,
): Promise<SourceReport> {
  const counts: Record<Kind, number> = { workout: 0, equipment: 0, course: 0 };
  const sports = new Map<string, SportCount>();
  const lost: LostFilesOfKind[] = [];
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
    countLost(lost, record);
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
    lostFiles: lost,
    sports: [...sports.values()].sort((a, b) => b.count - a.count),
    issues: [...issues.values()].sort((a, b) => b.count - a.count),
  };
}

function countLost(lost: LostFilesOfKind[], record: Item): void {
  if (record.kind === "equipment" || record.value.lostFile === undefined) return;
  const { because, name } = record.value.lostFile;
  const at = lost.findIndex((one) => one.kind === record.kind && one.because === because);
  const { count, names } = lost[at] ?? { count: 0, names: [] };
  const more = { kind: record.kind, because, count: count + 1, names: count < NAMED ? [...names, name] : names };
  lost.splice(at === -1 ? lost.length : at, 1, more);
}

/** The counts for one kind of record. */
export function lostIn(found: readonly LostFilesOfKind[], kind: LostFilesOfKind["kind"]): LostFiles {
  return found
    .filter((one) => one.kind === kind)
    .reduce((sum, { because, count }) => addLost(sum, { ...NO_LOST_FILES, [because]: count }), NO_LOST_FILES);
}

function countSport(sports: Map<string, SportCount>, workout: Workout, own: ReadContext["sports"]): void {
  const name = workout.sport ?? workout.activity ?? "without a sport";
  const activity = own.get(foldSport(name)) ?? workout.activity;
  sports.set(name, { name, activity, count: (sports.get(name)?.count ?? 0) + 1 });
}

function dayOf({ start }: Workout): string | undefined {
  return start.date ?? (start.instant === undefined ? undefined : new Date(start.instant).toISOString().slice(0, 10));
}
