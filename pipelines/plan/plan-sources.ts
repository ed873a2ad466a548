/**
 * Reads the sources, decides about every record, and writes the decisions to the journal. Changes nothing in the log.
 */

import { basename, resolve } from "node:path";
import type { LogNumbers } from "../../connectors/api/from-wire.ts";
import { defined } from "../../transforms/model/defined.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { Journal } from "../journal/journal.ts";
import type { Run, RunOptions, RunSource } from "../journal/run.ts";
import { trusted } from "../log/log-listing.ts";
import type { LogView } from "../log/log-view.ts";
import { staleListing } from "../log/stale-listing.ts";
import type { EvidenceCollector } from "../ownership/evidence.ts";
import { readSource } from "../sources/read-source.ts";
import type { OpenedSource } from "../sources/sources.ts";
import { holdColumn, TablesWatch } from "../sources/unit-columns.ts";
import { ActivitiesInUse, type LogActivity } from "./activity-numbers.ts";
import { compareWithLog } from "./compare-with-log.ts";
import type { ComparisonContext } from "./comparison.ts";
import { Decider, type DecisionSettings } from "./decide.ts";
import { readManualDecisions } from "./manual-decisions.ts";
import type { ReadingSource } from "./plan-lines.ts";
import { isOfWanted, type RetrySelection } from "./retry-selection.ts";

/** What a plan is made from and with. */
export interface PlanContext {
  readonly sources: readonly OpenedSource[];
  readonly log: LogView;
  readonly journal: Journal;
  /** What the log has under an id, asked by itself. Left out, what a listing lacks counts as taken out of the log. */
  readonly read?: (kind: Kind, id: string, signal: AbortSignal) => Promise<unknown>;
  readonly settings: DecisionSettings;
  readonly options: RunOptions;
  /** The log's numbers, asked for once the log was listed; left out, those of the settings stand. */
  readonly numbers?: (inUse: ActivitiesInUse, signal: AbortSignal) => Promise<PlanNumbers>;
  /** Called when the log was listed: mends what the journal has wrong about it. */
  readonly mend?: () => Promise<void>;
  /** How the lines are compared with the log, where they are no migration's. */
  readonly compare?: (run: number, context: ComparisonContext) => Promise<void>;
  /** Where only open records of another run are retried. */
  readonly retry?: RetrySelection;
  /** Listens for whose the sources are. */
  readonly collector?: EvidenceCollector | undefined;
  /** Asked when all sources were read: what it throws ends the planning, and the journal holds nothing of it. */
  readonly approve?: (() => Promise<void>) | undefined;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Called for every issue, as it is met. */
  readonly onIssue: (issue: Issue) => void;
  /** Called as the log and the sources are read: how many records so far, and of what. */
  readonly onProgress: (phase: string, done: number) => void;
}

/** The log's numbers, and what the log shows of its activities. */
export interface PlanNumbers extends LogNumbers {
  readonly activities: readonly LogActivity[];
  /** Whether these are all: the log lists them itself. */
  readonly areAll: boolean;
}

/**
 * Makes a plan.
 *
 * @returns the run it was written to, in state `planned`; undefined when the signal stopped it (the journal then holds nothing of it)
 * @throws FatalError when a source as a whole can't be read, or the log can't be listed; `plan/listing-stale` when the listing is old
 */
export async function planSources(context: PlanContext): Promise<Run | undefined> {
  const { journal, log, signal } = context;
  // A stop while lost answers were looked up leaves them open: a baseline now would take what they made for old.
  if (signal.aborted) return undefined;
  const inUse = await takeBaseline(context);
  const { activities = [], areAll = false, ...numbers } = (await context.numbers?.(inUse, signal)) ?? {};
  const options: RunOptions = { ...context.options, ...numbers, ...activitiesOf(activities, areAll) };
  const sources = context.sources.map(runSourceOf);
  const run = await journal.startPlan(sources, options, context.now());
  const report = async (issue: Issue) => {
    context.onIssue(issue);
    await journal.addIssue(run, issue);
  };
  const isOfRecordings = (index: number) => context.sources[index]?.connector.recordings === true;
  const manualDecisions = await readManualDecisions(journal.auditTrail);
  const settings: DecisionSettings = { ...context.settings, ...numbers, manualDecisions, now: context.now() };
  const decider = new Decider({ run, journal, settings, isOfRecordings, report });
  const read = await decideAll(context, { run, settings, decider, isOfRecordings, report });
  if (read === undefined) return undefined;
  await context.approve?.();
  await (context.compare ?? compareWithLog)(run, {
    journal,
    settings,
    capabilities: log.capabilities,
    options,
    sources,
    inUse: inUse.numbers(),
    isOfLog: (index) => context.sources[index]?.connector.ofLog === true,
    report,
    ...(context.read !== undefined && {
      isThere: async (kind, id) => (await context.read?.(kind, id, signal)) !== undefined,
    }),
  });
  if (signal.aborted) return undefined;
  await journal.planReady(run, read);
  return journal.run(run);
}

/** What a run's options keep of the activities that the log shows. */
function activitiesOf(activities: readonly LogActivity[], areAll: boolean): Partial<RunOptions> {
  if (activities.length === 0) return {};
  const logActivities = activities.map(({ activityID, name }) => ({ activityID, ...(name !== undefined && { name }) }));
  return { logActivities, ...(areAll && { logActivitiesAreAll: true }) };
}

/** What the journal keeps of a source. */
function runSourceOf({ path, archive, connector, saw, sizeBytes, mapping }: OpenedSource): RunSource {
  return {
    path: resolve(path),
    name: archive.name || basename(path),
    connector: connector.name,
    ...(connector.recordings && { recordings: connector.recordings }),
    saw,
    ...defined({ sizeBytes, mapping }),
  };
}

/** A run that is being planned. */
interface Planning {
  readonly run: number;
  readonly settings: DecisionSettings;
  readonly decider: Decider;
  readonly isOfRecordings: (source: number) => boolean;
  readonly report: (issue: Issue) => Promise<void>;
}

/** Reads the sources and has a line decided for each of their records. @returns how many were read; undefined when it was stopped */
async function decideAll(context: PlanContext, planning: Planning): Promise<number | undefined> {
  const { journal, signal, retry, collector } = context;
  const { run, settings, decider, isOfRecordings, report } = planning;
  let read = 0;
  const holds: (() => Promise<void>)[] = [];
  for (const [index, { archive, connector }] of context.sources.entries()) {
    const ofLog = connector.ofLog === true;
    const source: ReadingSource = { index, name: archive.name, recordings: isOfRecordings(index), ofLog };
    // A connector reports between two of its records; the journal is written between them too, in order.
    const pending: Issue[] = [];
    const reportPending = async () => {
      for (const issue of pending.splice(0))
        if (retry === undefined || isOfWanted(retry, index, issue)) await report(issue);
    };
    collector?.open(index, archive.name);
    const tables = new TablesWatch();
    const reading = readSource(
      { archive, connector },
      {
        signal,
        report: (issue) => pending.push(issue),
        sports: settings.sports,
        fixes: settings.manualDecisions?.fixes ?? new Map(),
        readsTable: tables.open,
        ...(retry !== undefined && { wants: (origin) => retry.wants(index, origin) }),
        ...(collector !== undefined && { reportOwner: (evidence) => collector.addFile(index, evidence) }),
      },
    );
    for await (const record of reading) {
      await reportPending();
      collector?.addReading(index, record);
      const selected = retry === undefined ? [{ reading: record, seq: undefined }] : await retry.take(index, record);
      for (const { reading: one, seq } of selected) {
        read++;
        tables.see(one);
        await decider.add(one, source, seq);
      }
      context.onProgress(`reading ${archive.name}`, read);
      if (signal.aborted) return undefined;
    }
    await reportPending();
    for (const finding of tables.findings()) {
      await report(finding.issue);
      if (settings.allowImplausible === true) continue;
      const hold = () => holdColumn(journal, run, index, finding, settings.manualDecisions?.fixes ?? new Map());
      holds.push(hold);
      await hold();
    }
  }
  await decider.settle();
  // A row whose sport had to be found out is planned only now.
  for (const hold of holds) await hold();
  return read;
}

/** What the log holds before anything is done to it: read once, kept in the journal. @returns the activities that its records name */
async function takeBaseline(context: PlanContext): Promise<ActivitiesInUse> {
  const { journal, log, signal } = context;
  const inUse = new ActivitiesInUse();
  async function* everything() {
    let done = 0;
    for (const kind of ["equipment", "course", "workout"] as const) {
      const listing = await log.list(kind, signal);
      if (listing === undefined) continue;
      for await (const entry of trusted(kind, listing)) {
        context.onProgress("reading the log", ++done);
        inUse.see(entry);
        yield entry;
      }
    }
  }
  await journal.takeListing(everything(), true);
  for (const kind of ["equipment", "course", "workout"] as const) await refuseStale(kind, context);
  await context.mend?.();
  return inUse;
}

/** Of the records of ours that a listing lacks so many are asked for one by one. */
const ASKED_FOR = 5;

/**
 * A listing out of a cache lacks what was put there since: planned by it, a workout that is there would be sent again, and one that is
 * there would count as taken out by its owner.
 */
async function refuseStale(kind: Kind, { journal, log, read, signal }: PlanContext): Promise<void> {
  if (read === undefined) return;
  if (kind === "workout" && !log.capabilities.listsWorkouts) return;
  if (kind === "course" && !log.capabilities.listsCourses) return;
  for (const id of await journal.unlisted(kind, ASKED_FOR)) {
    if ((await read(kind, id, signal)) === undefined) continue;
    throw staleListing(kind, id);
  }
}
