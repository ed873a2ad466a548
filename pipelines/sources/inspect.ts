/** Counts the contents of a source. It reads the whole source, but decides nothing and sends nothing. */
import type { ReadContext, SheetCount } from "../../connectors/contract.ts";
import type { Activity } from "../../transforms/activities.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { Item, Kind } from "../../transforms/model/item.ts";
import { addLost, type LostBecause, type LostFiles, NO_LOST_FILES } from "../../transforms/model/lost-file.ts";
import type { FileEvidence } from "../../transforms/model/owner-evidence.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import { activityNamed } from "../../transforms/steps/name-activity.ts";
import { printable } from "../../transforms/text/printable.ts";
import { type Profile, profileOf } from "../log/profile.ts";
import { HeldBack } from "./held-back.ts";
import { readSource } from "./read-source.ts";
import type { OpenedSource } from "./sources.ts";

/** A sport in the source's words, and the activity that logferry takes it for. */
export interface SportCount {
  readonly name: string;
  readonly activity: Activity | undefined;
  readonly count: number;
}

/** The findings in one source. */
export interface SourceReport extends Period {
  readonly name: string;
  readonly title: string;
  readonly saw: string;
  readonly read: number;
  readonly counts: Readonly<Record<Kind, number>>;
  readonly skipped: number;
  readonly quarantined: number;
  /** Workouts that can be read but can't be true, which a plan quarantines. */
  readonly implausible: number;
  /** Workouts without a known sport, which a plan quarantines unless another source or `--sport` names it. */
  readonly withoutSport: number;
  readonly withTrack: number;
  /** Workouts whose device file logferry makes of the platform's own records. */
  readonly withMadeTrack: number;
  readonly sports: readonly SportCount[];
  /** Records with a missing or damaged device file: their number, and the names of the files. */
  readonly lostFiles: readonly LostFilesOfKind[];
  /** Workouts of device files that no row of the platform names. */
  readonly withoutRow: number;
  /** The language of the headers, by its English name, where it isn't English. */
  readonly language: string | undefined;
  /** Whose export it is, if it says so. */
  readonly profile: Profile | undefined;
  /** Files that were left out. */
  readonly unread: readonly UnreadFiles[];
  /** Files that logferry leaves on purpose: their number, their names, and why. */
  readonly left: readonly { readonly count: number; readonly names: readonly string[]; readonly why: string }[];
  /** Tables of which no row can be read. */
  readonly refusedTables: readonly { readonly path: string; readonly rows: number }[];
  /** The names of columns that logferry doesn't know, and left out. */
  readonly newColumns: readonly string[];
  /** Values of cells that can't be read, and are left out of their records. */
  readonly leftValues: number;
  readonly issues: readonly { readonly rule: string; readonly count: number; readonly example: Issue }[];
  /** Workbooks and their sheets. */
  readonly workbooks: readonly { readonly path: string; readonly sheets: readonly SheetCount[] }[];
}

/** Files that were left out: their number, their names, and the formats that logferry reads in such a source. */
export interface UnreadFiles {
  readonly count: number;
  readonly names: readonly string[];
  readonly reads: string;
  /** False for pictures, texts and the like. */
  readonly mayHoldWorkouts: boolean;
}

/** Lost files for one kind of record. */
export interface LostFilesOfKind {
  readonly kind: "workout" | "course";
  readonly because: LostBecause;
  readonly count: number;
  readonly names: readonly string[];
}

/** The most files that are named for one reason. An export may have hundreds of thousands. */
const NAMED = 5_000;

/** The whole name of a file, safe to show. */
const wholeName = (path: string) => printable(path, 2 * path.length + 1);

/**
 * Reads a source to its end.
 *
 * @param context `now` in milliseconds since 1970: without it, no workout counts as one of the future
 * @throws FatalError reason `source`
 */
export async function inspectSource(
  source: OpenedSource,
  context: Pick<ReadContext, "signal" | "sports" | "distanceUnits" | "dateOrder"> & { readonly now?: number },
  onProgress: (read: number) => void,
): Promise<SourceReport> {
  const counts: Record<Kind, number> = { workout: 0, equipment: 0, course: 0 };
  const sports = new Map<string, SportCount>();
  const lost: LostFilesOfKind[] = [];
  const refusedTables: SourceReport["refusedTables"][number][] = [];
  const notes = new Notes();
  const days = new Set<string>();
  let [withoutRow, read, skipped, quarantined] = [0, 0, 0, 0];
  let withTrack = 0;
  let profile: Profile | undefined;
  let withMadeTrack = 0;
  const heldBack = new HeldBack(context.sports, context.now);
  const reportOwner = (evidence: FileEvidence) => {
    profile ??= profileOf(evidence);
  };
  for await (const record of readSource(source, {
    ...context,
    ...notes.hooks,
    readsTable: heldBack.open,
    reportOwner,
  })) {
    onProgress(++read);
    const doubt = source.connector.ofLog ? undefined : heldBack.see(record);
    if (doubt !== undefined) notes.report(doubt);
    if (record.kind === "set-aside") {
      if (record.as === "skipped") skipped++;
      else quarantined++;
      if (record.rows !== undefined) refusedTables.push({ path: record.origin.entry, rows: record.rows });
      notes.report({ ...record.issue, origin: record.issue.origin ?? record.origin });
      continue;
    }
    counts[record.kind]++;
    countLost(lost, record);
    if (record.kind !== "workout") continue;
    const day = dayOf(record.value);
    if (day !== undefined) days.add(day);
    const { track } = record.value;
    if (track?.made !== undefined) withMadeTrack++;
    else if (track !== undefined) {
      withTrack++;
      if (source.connector.recordings !== true && track.entry === record.origin.entry) withoutRow++;
    }
    countSport(sports, record.value, context.sports);
  }
  for (const { issue } of heldBack.findings()) notes.report(issue);
  return {
    name: source.archive.name,
    title: source.connector.title,
    saw: source.saw,
    read,
    counts,
    skipped,
    quarantined,
    implausible: heldBack.implausible,
    withoutSport: heldBack.withoutSport,
    ...periodOf(days),
    withTrack,
    withMadeTrack,
    withoutRow,
    language: source.language,
    profile,
    ...notes.sorted(),
    lostFiles: lost,
    refusedTables,
    sports: [...sports.values()].sort((a, b) => b.count - a.count),
  };
}

/** The rules of tables about a value that was left out. As errors, they reject the record. */
const LEFT_VALUE =
  /\/(?:bad-(?:number|duration|time|date|set)|end-before-start|unknown-zone|error-cell|formula-without-value)$/;

/** What a source says besides its records. */
class Notes {
  readonly #workbooks: SourceReport["workbooks"][number][] = [];
  readonly #issues = new Map<string, { rule: string; count: number; example: Issue }>();
  readonly #left = new Map<string, { count: number; names: string[]; why: string }>();
  readonly #unread: SourceReport["unread"][number][] = [];
  readonly #newColumns = new Set<string>();
  #leftValues = 0;

  readonly report = (issue: Issue): void => {
    const { severity, rule, count = 1, found: names = "", expected: reads = "" } = issue;
    if (rule.endsWith("/other-files")) {
      const mayHoldWorkouts = issue.severity !== "info";
      this.#unread.push({ count, names: (issue.names ?? []).map(wholeName), reads, mayHoldWorkouts });
      return;
    }
    if (rule.endsWith("/unknown-column")) this.#newColumns.add(printable(issue.field ?? names, 80));
    if (severity === "warning" && LEFT_VALUE.test(rule)) this.#leftValues += count;
    const known = this.#issues.get(rule);
    if (known === undefined) this.#issues.set(rule, { rule, count: 1, example: issue });
    else known.count++;
  };

  readonly #leftFile = (path: string, why: string): void => {
    const known = this.#left.get(why) ?? { count: 0, names: [], why };
    known.count++;
    if (known.names.length < NAMED) known.names.push(wholeName(path));
    this.#left.set(why, known);
  };

  /** For the reading of the source. */
  readonly hooks = {
    report: this.report,
    leftFile: this.#leftFile,
    readsWorkbook: (path: string, sheets: readonly SheetCount[]) => void this.#workbooks.push({ path, sheets }),
  };

  /** The issues of a rule with the most of them first. */
  sorted(): Pick<SourceReport, "issues" | "left" | "unread" | "newColumns" | "leftValues" | "workbooks"> {
    const issues = [...this.#issues.values()].sort((a, b) => b.count - a.count);
    return {
      ...{ issues, left: [...this.#left.values()], unread: this.#unread },
      ...{ newColumns: [...this.#newColumns], leftValues: this.#leftValues, workbooks: this.#workbooks },
    };
  }
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
  const activity = activityNamed(workout, own);
  sports.set(name, { name, activity, count: (sports.get(name)?.count ?? 0) + 1 });
}

function dayOf({ start }: Workout): string | undefined {
  return start.date ?? (start.instant === undefined ? undefined : new Date(start.instant).toISOString().slice(0, 10));
}

/** A period, in days of the calendar. */
interface Period {
  /** The first and the last day with a workout. Undefined if there is none. */
  readonly first: string | undefined;
  readonly last: string | undefined;
  /** Years between the two without a workout. */
  readonly emptyYears: readonly string[];
  /** The longest time without a workout, if it is longer than two months: the days before and after it. */
  readonly longestGap: { readonly after: string; readonly before: string; readonly days: number } | undefined;
}

const DAY_MS = 86_400_000;

/** Shorter times without a workout are a holiday or an injury. */
const LONG_GAP_DAYS = 60;

/** The period of days with a workout. @param found in any order, as `2024-05-01` */
function periodOf(found: Iterable<string>): Period {
  const days = [...found].sort();
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined) return { first, last, emptyYears: [], longestGap: undefined };
  return {
    first,
    last,
    emptyYears: emptyYearsIn(days, Number(first.slice(0, 4)), Number(last.slice(0, 4))),
    longestGap: longestGapIn(days),
  };
}

function emptyYearsIn(days: readonly string[], first: number, last: number): readonly string[] {
  const years = new Set(days.map((day) => Number(day.slice(0, 4))));
  return Array.from({ length: last - first }, (_, index) => first + index)
    .filter((year) => !years.has(year))
    .map(String);
}

function longestGapIn(days: readonly string[]): Period["longestGap"] {
  let longest: Period["longestGap"];
  for (const [index, before] of days.entries()) {
    const after = days[index - 1];
    const gap = after === undefined ? 0 : Math.round((Date.parse(before) - Date.parse(after)) / DAY_MS);
    if (after !== undefined && gap > (longest?.days ?? LONG_GAP_DAYS)) longest = { after, before, days: gap };
  }
  return longest;
}
