/**
 * Collects the results of a run from the journal alone, so that logferry can report them at any time, without the sources and without the
 * log. The database computes the sums and the records come one by one, so memory doesn't grow with the archive.
 */
import { defined } from "../../transforms/model/defined.ts";
import type { UnitOf } from "../../transforms/units.ts";
import { type MonthRow, PLACE_STEP } from "../journal/counts.ts";
import type { JournalReader } from "../journal/journal.ts";
import type { Line, LineState } from "../journal/line.ts";
import { isCurrent, type Looked, type Run, type VerifiedRun } from "../journal/run.ts";
import { shortId } from "../journal/short-id.ts";
import { summarise } from "../journal/summary.ts";
import { madeByUndone } from "../journal/undone-run.ts";
import { adviceFor } from "../plan/advice/advice.ts";
import { assumedTimes } from "../plan/records/assumed-times.ts";
import { lastLook } from "../plan/records/last-look.ts";
import {
  ledgerNow,
  leftByOthers,
  lostByOthers,
  notAddedByOthers,
  runsOfOtherSources,
  unreadByOthers,
} from "../plan/records/open-lines.ts";
import { areasOf } from "./areas.ts";
import { countOtherCopies } from "./losses.ts";
import { readMinorValues } from "./minor-values.ts";
import { nameEquipment } from "./name-equipment.ts";
import type { Report, ReportRecord, Sum, Sums, Verdict } from "./schema.ts";
import { madeFromLog, tracksLeftOut, tracksOfOthers } from "./tracks-left-out.ts";
import { readSheetsLeft } from "./unread-obstacles.ts";
import { type CertificateFacts, judgeRun } from "./verdict.ts";

/** The settings of a report. */
export interface ReportOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The version of logferry. */
  readonly version: string;
  /** Whether the report shows the places where workouts began. */
  readonly places: boolean;
  /** What a certificate knows besides, where the report is a part of one. */
  readonly certificate?: CertificateFacts;
}

/** States of records that are in the log. */
const IN_LOG: readonly LineState[] = ["done", "unchanged"];

/** Reports the results of a run, without its records. */
export async function createReport(journal: JournalReader, run: Run, options: ReportOptions): Promise<Report> {
  const [summary, account, months, reasons, verified, sent, looked] = [
    await summarise(journal, run),
    await journal.account(),
    (await journal.months(run.id, options.certificate !== undefined)).filter(({ state }) => state !== "skipped"),
    await journal.reasons(run.id),
    await journal.verified(run.id),
    await journal.sentBetween(run.id),
    (await lastLook(journal, run))?.looked,
  ];
  return {
    format: "logferry report",
    formatVersion: 1,
    writtenAt: iso(options.now),
    writtenBy: options.version,
    run: {
      number: run.id,
      state: run.state,
      plannedAt: iso(run.createdAt),
      ...defined({ plannedBy: run.options.version }),
      ...(run.finishedAt !== undefined && run.state !== "planned" && { finishedAt: iso(run.finishedAt) }),
      ...(sent !== undefined && { sentFrom: iso(sent.from), sentUntil: iso(sent.until) }),
      ...defined({ requests: run.requests }),
    },
    log: {
      ...(account !== undefined && { service: account.baseUrl, account: account.name }),
      distanceUnit: countedIn(run.options.distanceUnit),
    },
    sources: run.sources.map(({ name, connector, saw, sizeBytes }, index) => {
      const {
        name: _name,
        connector: _connector,
        ...ledger
      } = summary.bySource[index] as (typeof summary.bySource)[number];
      return { name, connector, saw, ...(sizeBytes !== undefined && { sizeBytes }), ledger };
    }),
    verdict: await verdictOn(journal, run, options.certificate),
    ledger: summary.all,
    isBalanced: summary.balanced,
    byKind: summary.byKind,
    ...(looked !== undefined && { look: lookOf(looked) }),
    ...(verified !== undefined && { verification: await verificationOf(journal, run, verified) }),
    totals: sumsOf(months),
    byActivity: grouped(months, (row) => row.activity)
      .map(([activity, rows]) => ({ ...(activity !== undefined && { activity }), ...sumsOf(rows) }))
      .sort((a, b) => b.read.seconds - a.read.seconds || b.read.workouts - a.read.workouts),
    byYear: grouped(months, (row) => row.month?.slice(0, 4)).map(([year, rows]) => ({
      ...defined({ year }),
      ...sumsOf(rows),
    })),
    byMonth: grouped(months, (row) => row.month).flatMap(([month, ofMonth]) =>
      grouped(ofMonth, (row) => row.activity).map(([activity, rows]) => ({
        ...defined({ month, activity }),
        ...sumsOf(rows),
      })),
    ),
    ...(options.places && { places: await placesOf(journal, run) }),
    ...(await timesOf(journal, run)),
    ...(await lossesOf(journal, run)),
    ...(summary.notAdded !== undefined && { notAdded: summary.notAdded.fields.map((row) => ({ ...row })) }),
    ...(summary.filled !== undefined && { filled: summary.filled.fields.map((row) => ({ ...row })) }),
    issues: (await journal.issues(run.id)).map((row) => ({ ...row })),
    reasons: reasons.map(({ state, rule, count }) => ({
      state: state as ReportRecord["state"],
      ...defined({ rule }),
      count,
      ...(state === "quarantined" && rule !== undefined && adviceOn(rule)),
    })),
  };
}

/**
 * Totals of a run's workouts in the log: the sum, the first and the last month (`YYYY-MM`), and the activities, the most frequent first.
 */
export async function totalsOf(
  journal: JournalReader,
  run: Run,
): Promise<{
  readonly inLog: Sum;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly activities: readonly (readonly [activity: string, workouts: number])[];
}> {
  const rows = (await journal.months(run.id)).filter(({ state }) => IN_LOG.includes(state));
  const months = rows.flatMap(({ month }) => month ?? []);
  const activities = grouped(rows, ({ activity }) => activity ?? "not said").map(
    ([activity, of]) => [activity, sumOf(of).workouts] as const,
  );
  return {
    inLog: sumInLog(rows),
    from: months[0],
    to: months.at(-1),
    activities: activities.toSorted((a, b) => b[1] - a[1]),
  };
}

/** Whether the old account can be closed, by the current journal. */
export async function verdictOn(journal: JournalReader, run: Run, certificate?: CertificateFacts): Promise<Verdict> {
  const summary = await summarise(journal, run);
  return judgeRun({
    summary,
    certificate,
    now: await ledgerNow(journal, run, summary.all),
    others: run.options.restores === undefined ? await leftByOthers(journal, run) : [],
    lostByOthers: run.options.restores === undefined ? await lostByOthers(journal, run) : {},
    unreadByOthers: run.options.restores === undefined ? await unreadByOthers(journal, run) : undefined,
    lackingByOthers: run.options.restores === undefined ? await notAddedByOthers(journal, run) : [],
    tracks: await tracksLeftOut(journal, run),
    madeFromLog: run.options.restores === undefined ? await madeFromLog(journal, run) : 0,
    tracksByOthers:
      run.options.restores === undefined
        ? await tracksOfOthers(journal, await runsOfOtherSources(journal, run))
        : undefined,
    verified: await journal.verified(run.id),
    reasons: await journal.reasons(run.id),
    undone: await journal.undone(run.id),
    madeByUndone: await madeByUndone(journal, run),
    looked: (await lastLook(journal, run))?.looked,
    minorValues: await readMinorValues(journal, run),
    sheetsLeft: await readSheetsLeft(journal, run),
  });
}

/** States of the records in a report. The order puts first the records that a person should look at. */
export const RECORD_STATES = ["gone", "quarantined", "refused", "failed", "in-doubt", "skipped", "merged"] as const;

/** The records of a run that are not simply in the log, one by one. */
export async function* readRecords(journal: JournalReader, run: Run): AsyncIterable<ReportRecord> {
  for (const state of RECORD_STATES) {
    for await (const line of journal.lines(run.id, { state: [state] })) yield recordFrom(line, state);
  }
}

function recordFrom(line: Line, state: ReportRecord["state"]): ReportRecord {
  const rule = state === "merged" ? undefined : ruleOf(line.reason);
  return {
    id: shortId(line.key),
    key: line.key,
    kind: line.kind,
    ...(line.kind === "equipment" && { name: nameEquipment(line.value) }),
    state,
    ...defined({ rule, reason: line.reason }),
    origin: { ...line.origin },
    ...defined({ twin: line.duplicateOf }),
  };
}

/** The stable name at the start of a reason: `workout/unknown-sport (sport is ...)`. */
function ruleOf(reason: string | undefined): string | undefined {
  const [word = ""] = reason?.split(" ", 1) ?? [];
  return word.includes("/") ? word.split(":", 1)[0] : undefined;
}

function adviceOn(rule: string): { readonly means: string; readonly remedy: string } | undefined {
  const advice = adviceFor(rule);
  return advice && { means: advice.means, remedy: advice.remedy };
}

/** The titles of workouts stay out, because a report contains no notes. */
async function timesOf(journal: JournalReader, run: Run): Promise<Pick<Report, "assumedTimes">> {
  const times = await assumedTimes(journal, run, run.state === "planned" ? ["planned"] : ["planned", "done"]);
  if (times === undefined) return {};
  const { workouts, offsetMinutes, titles, contradicting, example } = times;
  const { origin, date, time } = example;
  return {
    assumedTimes: {
      workouts,
      utcOffset: offsetMinutes / 60,
      titles,
      contradicting,
      example: { origin: { ...origin }, date, time },
    },
  };
}

async function lossesOf(journal: JournalReader, run: Run): Promise<Pick<Report, "losses" | "otherCopies">> {
  const otherCopies = await countOtherCopies(journal, run);
  return {
    losses: (await journal.losses(run.id)).map((row) => ({ ...row })),
    ...(otherCopies.length > 0 && { otherCopies: otherCopies.map((row) => ({ ...row })) }),
  };
}

async function placesOf(journal: JournalReader, run: Run): Promise<NonNullable<Report["places"]>> {
  const isPlan = run.state === "planned";
  const states: readonly LineState[] = isPlan ? [...IN_LOG, "planned"] : IN_LOG;
  const areas = areasOf(await journal.places(run.id, states));
  return { step: PLACE_STEP, workouts: areas.reduce((sum, area) => sum + area.workouts, 0), areas: [...areas] };
}

async function verificationOf(
  journal: JournalReader,
  run: Run,
  { at, runEndedAt, examples, notAdded: _, ...found }: VerifiedRun,
): Promise<NonNullable<Report["verification"]>> {
  const putBack = await journal.undone(run.id);
  return {
    at: iso(at),
    isCurrent: isCurrent(run, { at, runEndedAt }),
    ...found,
    ...(putBack > 0 && { putBack }),
    examples: examples.map(({ kind, id, origin, differences }) => ({
      kind,
      ...defined({ id }),
      origin: { ...origin },
      differences: differences.map((difference) => ({ ...difference })),
    })),
  };
}

function lookOf({ at, isSure, gone, surplus, before }: Looked): NonNullable<Report["look"]> {
  const days = (some: Looked["surplus"]) =>
    some.map(({ kind, day, count, ids }) => ({ kind, ...(day !== undefined && { day }), count, ids: [...ids] }));
  return {
    at: iso(at),
    isSure,
    gone,
    surplus: days(surplus),
    ...(before.length > 0 && { before: days(before) }),
  };
}

function sumsOf(rows: readonly MonthRow[]): Sums {
  return { read: sumOf(rows), inLog: sumInLog(rows.filter(({ state }) => IN_LOG.includes(state))) };
}

/** The sum of workouts that are in the log, with the measures that they have there. */
function sumInLog(rows: readonly MonthRow[]): Sum {
  return sumOf(rows.map(({ inLog, ...row }) => ({ ...row, ...inLog })));
}

function sumOf(rows: readonly Omit<MonthRow, "inLog">[]): Sum {
  let [workouts, metres, seconds] = [0, 0, 0];
  for (const row of rows) {
    workouts += row.workouts;
    metres += row.metres;
    seconds += row.seconds;
  }
  return { workouts, metres: rounded(metres), seconds: rounded(seconds) };
}

/** Sums of kilometres in binary fractions end in noise. A hundredth of a metre is finer than any source. */
function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

function grouped<K>(rows: readonly MonthRow[], keyOf: (row: MonthRow) => K): [K, MonthRow[]][] {
  return [...Map.groupBy(rows, keyOf)];
}

/** The unit of workout sums: kilometres or miles, whatever the unit of single workouts. */
export function countedIn(unit: UnitOf<"distance"> | undefined): "km" | "mi" {
  return unit === "mi" || unit === "yd" ? "mi" : "km";
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}
