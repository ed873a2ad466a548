/** Reads the sources, decides about every record, and writes the decisions to the journal. It changes nothing in the log. */

import type { LogNumbers } from "../../connectors/api/from-wire.ts";
import { absoluteSource, nameOfSource } from "../../connectors/containers/address.ts";
import { defined } from "../../transforms/model/defined.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import { type Kind, LOADING_ORDER } from "../../transforms/model/item.ts";
import type { Journal } from "../journal/journal.ts";
import type { Run, RunOptions, RunSource } from "../journal/run.ts";
import { trusted } from "../log/log-listing.ts";
import type { LogView } from "../log/log-view.ts";
import { describePeople, type NamedProfile, otherPersonIssue, profileOf, severalPeopleIssue } from "../log/profile.ts";
import { staleListing } from "../log/stale-listing.ts";
import type { EvidenceCollector } from "../ownership/evidence.ts";
import { type AgedSource, lastChangeIn, readingOrder } from "../sources/export-age.ts";
import { readSource } from "../sources/read-source.ts";
import type { SourceFiles } from "../sources/source-files.ts";
import { sourceLines } from "../sources/source-lines.ts";
import type { OpenedSource } from "../sources/sources.ts";
import { holdColumn, TablesWatch } from "../sources/unit-columns.ts";
import type { ComparisonContext } from "./compare/comparison.ts";
import { findFollowed } from "./courses/link-courses.ts";
import { tellUnknownGear } from "./equipment/unknown-gear.ts";
import { compareWithLog } from "./log/compare-with-log.ts";
import { ACCEPTANCE, hashRule } from "./records/acceptance.ts";
import { ActivitiesInUse, type LogActivity } from "./records/activity-numbers.ts";
import { Decider, type DecisionSettings } from "./records/decide.ts";
import { readManualDecisions } from "./records/manual-decisions.ts";
import type { ReadingSource } from "./records/plan-lines.ts";
import { isOfWanted, type RetrySelection } from "./records/retry-selection.ts";
import { stoppableJournal } from "./records/stoppable-journal.ts";
import { type TypedOptions, UsedOptions } from "./records/unused-options.ts";
import { tellZeroDistances } from "./records/zero-distances.ts";

/** The sources, the log and the settings of a plan. */
export interface PlanContext {
  readonly sources: readonly OpenedSource[];
  readonly log: LogView;
  readonly journal: Journal;
  /**
   * Asks the log for a single record by its id. Without this function, a record that is missing in a listing counts as gone from the log.
   */
  readonly read?: (kind: Kind, id: string, signal: AbortSignal) => Promise<unknown>;
  readonly settings: DecisionSettings;
  readonly options: RunOptions;
  /** The options about sports, units and dates that a person typed for this plan. One that no record needs is named. */
  readonly typed?: TypedOptions;
  /** Finds the log's activity numbers, after the log was listed. Without this function, the numbers of the settings apply. */
  readonly numbers?: (inUse: ActivitiesInUse, signal: AbortSignal) => Promise<PlanNumbers>;
  /** Called after the log was listed. It corrects errors of the journal about the log. */
  readonly mend?: () => Promise<void>;
  /** Compares the lines with the log, for plans that are not a migration. Default: `compareWithLog`. */
  readonly compare?: (run: number, context: ComparisonContext) => Promise<void>;
  /** As in `ComparisonContext`. */
  readonly onDoubtfulInLog?: ComparisonContext["onDoubtfulInLog"];
  /** Opens the files of the sources, to find the courses that workouts follow. Without this function, none are looked for. */
  readonly openFiles?: (run: Run) => SourceFiles;
  /** Selects the records, when the run retries only open records of another run. */
  readonly retry?: RetrySelection;
  /** Collects evidence about the owner of the sources. */
  readonly collector?: EvidenceCollector | undefined;
  /**
   * Called after all sources were read, if they are surely of several people and no collector looks at that. If it throws, the planning ends, and
   * the plan is not kept in the journal. Without this function, the plan has a remark.
   */
  readonly refusePeople?: ((people: string) => void) | undefined;
  /** Called after all sources were read, with the number of the run. If it throws, the planning ends, and the plan is not kept in the journal. */
  readonly approve?: ((run: number) => Promise<void>) | undefined;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Called for every issue, when it occurs. */
  readonly onIssue: (issue: Issue) => void;
  /** Called while the log and the sources are read, with the phase and the number of records so far. */
  readonly onProgress: (phase: string, done: number) => void;
}

/** The log's numbers, and the activities that the log shows. */
export interface PlanNumbers extends LogNumbers {
  readonly activities: readonly LogActivity[];
  /** Whether these are all activities of the log. This is so if the log lists its activities. */
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
  // If a person stops while logferry looks up lost answers, these stay open. A baseline taken now would count their records as old.
  if (signal.aborted) return undefined;
  const inUse = await takeBaseline(context);
  const { activities = [], areAll = false, ...numbers } = (await context.numbers?.(inUse, signal)) ?? {};
  const options: RunOptions = {
    ...{ ...context.options, ...numbers, ...activitiesOf(activities, areAll) },
    ...(context.compare === undefined && comparisonOf(context)),
  };
  const sources = context.sources.map(runSourceOf);
  const run = await journal.startPlan(sources, options, context.now());
  const report = async (issue: Issue) => {
    context.onIssue(issue);
    await journal.addIssue(run, issue);
  };
  const isOfRecordings = (index: number) => context.sources[index]?.connector.recordings === true;
  const manualDecisions = await readManualDecisions(journal);
  const used = new UsedOptions();
  const sports = used.watchSports(context.settings.sports);
  const settings: DecisionSettings = { ...context.settings, ...numbers, sports, manualDecisions, now: context.now() };
  const decider = new Decider({ run, journal, settings, isOfRecordings, report });
  const profiles: NamedProfile[] = [];
  const read = await decideAll(context, { run, settings, decider, isOfRecordings, report, profiles, used });
  if (read === undefined) return undefined;
  const people = describePeople(profiles);
  if (people !== undefined) {
    context.refusePeople?.(people);
    await report(severalPeopleIssue(people));
  }
  await context.approve?.(run);
  await followCourses(context, run, report);
  const comparing = (context.compare ?? compareWithLog)(run, {
    journal: stoppableJournal(journal, signal),
    settings,
    capabilities: log.capabilities,
    options,
    sources,
    inUse: inUse.numbers(),
    unknownSports: decider.unknownSports,
    onDoubtfulInLog: context.onDoubtfulInLog,
    isOfLog: (index) => context.sources[index]?.connector.ofLog === true,
    report,
    ...readerOf(context, options),
    ...(context.read !== undefined && {
      isThere: async (kind, id) => (await context.read?.(kind, id, signal)) !== undefined,
    }),
  });
  await comparing.catch((error: unknown) => {
    if (!signal.aborted || error !== signal.reason) throw error;
  });
  if (signal.aborted) return undefined;
  await tellUnknownGear(run, { journal, options, report });
  await tellZeroDistances(run, decider.zeroDistances, { journal, report });
  const unused = used.unusedIssue(context.typed ?? {});
  if (unused !== undefined) await report(unused);
  await journal.planReady(run, read);
  return journal.run(run);
}

/** Finds the courses that workouts follow, where a person asked for it. */
async function followCourses(context: PlanContext, run: number, report: (issue: Issue) => Promise<void>) {
  const { journal, signal, onProgress } = context;
  const planned = context.openFiles === undefined ? undefined : await journal.run(run);
  const files = planned && context.openFiles?.(planned);
  if (files === undefined) return;
  try {
    await findFollowed(run, {
      journal,
      lines: sourceLines(files),
      isOfLog: (index) => context.sources[index]?.connector.ofLog === true,
      report,
      onProgress: (done) => onProgress("comparing tracks with courses", done),
      signal,
    });
  } finally {
    await files.close();
  }
}

/** What `amend-plan.ts` needs to compare some lines again. */
function comparisonOf({ settings, log, options }: PlanContext): Partial<RunOptions> {
  const { trustClocks, doubtful, again, restoreMissing } = settings;
  return {
    acceptance: ACCEPTANCE,
    acceptanceHash: hashRule(options.accepts),
    lists: { workouts: log.capabilities.listsWorkouts, courses: log.capabilities.listsCourses },
    ...(trustClocks === true && { trustClocks }),
    ...(doubtful === "one" && { doubtful }),
    ...(again === true && { again }),
    ...(restoreMissing === true && { restoreMissing }),
  };
}

/** Reads workouts of the log in full, and shows how many it has read. */
function readerOf(
  { log, signal, onProgress }: PlanContext,
  numbers: LogNumbers,
): Pick<ComparisonContext, "readWorkout"> {
  let done = 0;
  return {
    ...(log.readWorkout !== undefined && {
      readWorkout: async (id) => {
        try {
          onProgress("reading workouts of the log", ++done);
          return (await log.readWorkout?.(id, numbers, signal)) ?? { found: undefined };
        } catch (error) {
          if (signal.aborted) throw signal.reason;
          throw error;
        }
      },
    }),
  };
}

/** The activities that the log shows, as the options of a run keep them. */
function activitiesOf(activities: readonly LogActivity[], areAll: boolean): Partial<RunOptions> {
  if (activities.length === 0) return {};
  const logActivities = activities.map(({ activityID, name }) => ({ activityID, ...(name !== undefined && { name }) }));
  return { logActivities, ...(areAll && { logActivitiesAreAll: true }) };
}

/** A source, as the journal keeps it. */
function runSourceOf({ path, parts, within, archive, connector, saw, sizeBytes, mapping }: OpenedSource): RunSource {
  return {
    path: absoluteSource(path),
    ...(parts !== undefined && { parts: parts.map(absoluteSource) }),
    ...defined({ within }),
    name: archive.name || nameOfSource(path),
    connector: connector.name,
    ...(connector.recordings && { recordings: connector.recordings }),
    saw,
    ...defined({ sizeBytes, changedAt: lastChangeIn(archive), mapping }),
  };
}

/** A run that is being planned. */
interface Planning {
  readonly run: number;
  readonly settings: DecisionSettings;
  readonly decider: Decider;
  readonly isOfRecordings: (source: number) => boolean;
  readonly report: (issue: Issue) => Promise<void>;
  /** Gets whose each source says it is, unless a collector does. */
  readonly profiles: NamedProfile[];
  readonly used: UsedOptions;
}

/**
 * Reads the sources and decides about each of their records.
 *
 * @returns the number of records read; undefined when the signal stopped it
 */
async function decideAll(context: PlanContext, planning: Planning): Promise<number | undefined> {
  const { journal, signal, retry, collector } = context;
  const { run, settings, decider, isOfRecordings, report } = planning;
  let read = 0;
  const holds: (() => Promise<void>)[] = [];
  const { sports, distanceUnits, dateOrder, withoutPrivateNotes } = settings;
  const reads = { signal, sports, ...defined({ distanceUnits, dateOrder, withoutPrivateNotes }) };
  const order =
    retry === undefined
      ? await readingOrder(context.sources, reads, context.now())
      : [...context.sources.keys()].map((index): AgedSource => ({ index }));
  for (const { index, age } of order) {
    const { archive, connector } = context.sources[index] as OpenedSource;
    const ofLog = connector.ofLog === true;
    const source: ReadingSource = { index, name: archive.name, recordings: isOfRecordings(index), ofLog, age };
    // A connector reports issues between two records. They are written to the journal in the same order.
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
        ...reads,
        usesGiven: planning.used.useWord,
        report: (issue) => pending.push(issue),
        fixes: settings.manualDecisions?.fixes ?? new Map(),
        readsTable: tables.open,
        ...(retry !== undefined && { wants: (origin) => retry.wants(index, origin) }),
        reportOwner: (evidence) => {
          if (collector !== undefined) return collector.addFile(index, evidence);
          const profile = retry === undefined ? profileOf(evidence) : undefined;
          if (profile === undefined) return;
          planning.profiles.push({ name: archive.name, profile });
          const origin = { connector: connector.name, archive: archive.name, entry: evidence.entry };
          const issue = otherPersonIssue(profile, context.log.owner);
          if (issue !== undefined) pending.push({ ...issue, origin });
        },
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
    if (signal.aborted) return undefined;
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
  // Rows whose sport was found late are planned only now. So this holds back the rows of implausible columns once more.
  for (const hold of holds) await hold();
  return read;
}

/**
 * Lists the log once before any change, and keeps the listing in the journal.
 *
 * @returns the activities that the log's records use
 */
async function takeBaseline(context: PlanContext): Promise<ActivitiesInUse> {
  const { journal, log, signal } = context;
  const inUse = new ActivitiesInUse();
  async function* everything() {
    let done = 0;
    for (const kind of LOADING_ORDER) {
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
  for (const kind of LOADING_ORDER) await refuseStale(kind, context);
  await context.mend?.();
  return inUse;
}

/** When a listing lacks records of ours, so many of them are requested one by one. */
const ASKED_FOR = 5;

/**
 * Refuses a listing that is out of date, for example from a cache. It lacks newer records. A plan made with it would send such a record
 * again, or would count it as removed by its owner.
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
