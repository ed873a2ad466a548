/** Makes a plan, for all commands that plan. */

import type { LogNumbers } from "../../connectors/api/from-wire.ts";
import { notingHashes, type ReadHashes } from "../../connectors/containers/read-hashes.ts";
import { readIfThere } from "../../connectors/sink.ts";
import type { AccountRef } from "../../pipelines/journal/remote-record.ts";
import type { Promotes, Run, RunOptions } from "../../pipelines/journal/run.ts";
import { exchangeSwapped } from "../../pipelines/load/mixed-up.ts";
import type { LogView } from "../../pipelines/log/log-view.ts";
import { SEVERAL } from "../../pipelines/log/stale-listing.ts";
import type { EvidenceCollector } from "../../pipelines/ownership/evidence.ts";
import { type PlanContext, type PlanNumbers, planSources } from "../../pipelines/plan/plan-sources.ts";
import { toConditions } from "../../pipelines/plan/records/acceptance.ts";
import { type ActivitiesInUse, activitiesOfLog, findNumbers } from "../../pipelines/plan/records/activity-numbers.ts";
import { keptZone, keptZoneIssue } from "../../pipelines/plan/records/kept-zone.ts";
import type { RetrySelection } from "../../pipelines/plan/records/retry-selection.ts";
import { takeInventory } from "../../pipelines/sources/inventory.ts";
import { openSourceFiles, type SourceFiles } from "../../pipelines/sources/source-files.ts";
import type { OpenedSource } from "../../pipelines/sources/sources.ts";
import { ACTIVITY_NAMES, type Activity, type WorkoutType } from "../../transforms/activities.ts";
import { WORKOUT_IDS } from "../../transforms/assumptions.ts";
import { defined } from "../../transforms/model/defined.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import { LOADING_ORDER } from "../../transforms/model/item.ts";
import { openOptions } from "../arguments/archive-limits.ts";
import type { CommandContext } from "../arguments/command.ts";
import { givenDateOrder, givenUnits } from "../arguments/distance-units.ts";
import { type Numbers, rememberedNumbers } from "../login/remembered-numbers.ts";
import { packageVersion } from "../system/version.ts";
import { firstDay, lastDay } from "../wording/periods.ts";
import { listing } from "./carry-out.ts";
import { checkNumbers } from "./check-numbers.ts";
import { checkLossFields } from "./check-rule.ts";
import { readPreferences } from "./field-preferences.ts";
import type { LogSession } from "./session.ts";
import { sayIssue, settleDoubts, waitForCutOff } from "./settle-doubts.ts";

/** A run with records to retry, and the choice of records. */
export interface Retry {
  readonly base: Run;
  readonly selection: RetrySelection;
}

/** Settings for a plan that restores a snapshot. */
export interface Restoring {
  /** The log's numbers for the snapshot's activities. */
  readonly numbers: LogNumbers;
  readonly restores: NonNullable<RunOptions["restores"]>;
  readonly compare: NonNullable<Parameters<typeof planSources>[0]["compare"]>;
}

/** Settings for a plan that repeats a rehearsal. */
export interface Promoting {
  readonly promotes: Promotes;
  /**
   * The offset that the rehearsal was planned with, in hours. The log's own may be another. With that one, records would get other times, and other
   * records would be one workout, than a person saw.
   */
  readonly utcOffset: number | undefined;
  readonly onDoubtfulInLog: (seq: number, theirs: string) => void;
}

/** The purpose of a plan, unless it is an ordinary import. */
export interface PlanPurpose {
  /** A retry of records that another run left out. It uses that run's settings, and today's settings override them. */
  readonly retried?: Retry;
  /** A restore of a snapshot. The caller has already chosen its days. */
  readonly restoring?: Restoring;
  /** The rehearsal that the plan repeats, and a function for the workouts that the log may have. */
  readonly promoting?: Promoting;
  /** The folder of the rehearsal that it is a part of. */
  readonly rehearsedIn?: string;
  /** Collects evidence about the owner of the sources. It may refuse the sources before the plan counts. */
  readonly who?:
    | {
        readonly collector?: EvidenceCollector;
        readonly approve?: () => Promise<void>;
        readonly refusePeople?: (people: string) => void;
      }
    | undefined;
}

/** Makes a plan of opened sources; undefined when it was stopped. */
export async function makePlan(
  context: CommandContext,
  session: LogSession,
  opened: readonly OpenedSource[],
  { retried, restoring, promoting, rehearsedIn, who }: PlanPurpose = {},
): Promise<Run | undefined> {
  const { output, now } = context;
  const [{ signal }, { preference }] = [session, session.view];
  await waitForCutOff(context, session);
  const { utcOffset } = promoting ?? preference;
  const { settings, issues } = await settingsOf(context, session, opened, { retried, restoring, promoting });
  const { zone, tracks, enrich, allowImplausible, allowUnread, allowOlder, allowMoved, linkCourses, accepts, reads } =
    settings;
  const sports = restoring === undefined ? settings.sports : new Map<string, Activity>();
  const { since, until } = restoring === undefined ? settings : {};
  const given = await givenNumbers(context, session.view.account);
  const overrides = restoring?.numbers ?? numberOverrides(context, given, retried?.base.options);
  const { sources, read } = restoring === undefined ? notingSources(opened) : { sources: opened };
  const preferences = readPreferences(context.options, sources, retried?.base);
  // Remarks of the settling go to the run that is planned next, because the person sees the result of that run.
  const remarks: Issue[] = [...preferences.remarks, ...issues];
  await settleDoubts(context, session, async (issue) => void remarks.push(issue));
  const planning = planSources({
    sources,
    ...{ log: session.view, journal: session.journal, typed: restoring === undefined ? typedOptions(context) : {} },
    read: (kind, id, stop) => readIfThere(() => session.sink.read(kind, id, stop)),
    settings: {
      ...overrides,
      ...{ sports, preference, ...reads },
      time: defined({ zone, utcOffset }),
      ...{ since, until },
      again: context.options.again === true,
      restoreMissing: context.options.restoreMissing === true,
      enrich,
      ...{ allowImplausible, allowUnread },
      trustClocks: context.options.trustClocks === true,
      doubtful: context.options.doubtful === "one" ? "one" : "two",
      ...{ allowOlder, allowMoved },
    },
    mend: async () => void remarks.push(...(await exchangedIds(session))),
    ...(restoring === undefined && {
      numbers: (inUse, stop) => numbersOfLog(session.view, { overrides, given }, inUse, stop),
    }),
    options: {
      tracks,
      ...(sports.size > 0 && { sports: [...sports] }),
      ...defined({ zone, utcOffset, since, until, accepts, promotes: promoting?.promotes }),
      ...reads,
      ...{ ...(enrich && { enrich }), ...(linkCourses && { linkCourses }) },
      ...preferences.options,
      ...allowedIn({ allowImplausible, allowUnread, allowOlder, allowMoved }),
      ...defined({ rehearsedIn, retryOf: retried?.base.id, restores: restoring?.restores }),
      ...overrides,
      version: packageVersion(),
      distanceUnit: preference.distanceUnit,
    },
    ...(retried !== undefined && { retry: retried.selection }),
    ...who,
    approve: approval(session, settings.accepts, { retried, who }),
    ...defined({ onDoubtfulInLog: promoting?.onDoubtfulInLog, compare: restoring?.compare }),
    ...(linkCourses && openFilesOf({ ...context, signal })),
    signal,
    now,
    onIssue: sayIssue(context),
    onProgress: (phase, done) => output.progress({ phase, done, waiting: session.view.waiting() }),
  });
  const run = await planning.catch((error: unknown) => {
    throw session.budget.explain(error);
  });
  output.endProgress();
  return run && (await withFiles(context, session, run, { remarks, read, opened: sources }));
}

/** What must hold of the records that were read, before the plan is kept: the fields of the person's rule, and whose they are. */
function approval(
  { journal }: LogSession,
  accepts: readonly string[] = [],
  { retried, who }: { readonly retried: Retry | undefined; readonly who: PlanPurpose["who"] },
): (run: number) => Promise<void> {
  return async (run) => {
    // A retry reads single records, and its rule was checked with all of them.
    if (retried === undefined) await checkLossFields(journal, run, accepts);
    await who?.approve?.();
  };
}

/** The same sources, and what a plan reads of each. */
function notingSources(opened: readonly OpenedSource[]) {
  const noted = opened.map((source) => ({ source, ...notingHashes(source.archive) }));
  return {
    sources: noted.map(({ source, archive }) => ({ ...source, archive })),
    read: noted.map((one) => one.hashes),
  };
}

/** What a plan read, and its remarks. */
interface PlannedFiles {
  readonly remarks: readonly Issue[];
  /** Undefined for a restore. */
  readonly read: readonly ReadHashes[] | undefined;
  readonly opened: readonly OpenedSource[];
}

/**
 * Lists the files that a plan speaks of: its load and its certificate compare theirs with them. A restore has none.
 *
 * @returns undefined when a person stopped it
 */
async function withFiles(
  context: CommandContext,
  session: LogSession,
  run: Run,
  { remarks, read, opened }: PlannedFiles,
): Promise<Run | undefined> {
  const { journal } = session;
  for (const issue of remarks) await journal.addIssue(run.id, issue);
  const reading = { ...listing(context, session), ...defined({ read }), opened };
  const isReady = read === undefined || (await takeInventory(run, journal, context.now(), reading));
  context.output.endProgress();
  return isReady ? run : undefined;
}

/** Opens the files of a plan's sources, as a load does. */
function openFilesOf(context: CommandContext): { readonly openFiles: (run: Run) => SourceFiles } {
  return { openFiles: (run) => openSourceFiles(run, openOptions(context), packageVersion()) };
}

/** Corrects journal entries of earlier runs that have each other's ids, and reports the corrections. */
async function exchangedIds({ journal }: LogSession): Promise<readonly Issue[]> {
  const issues: Issue[] = [];
  for (const kind of LOADING_ORDER) {
    const count = await exchangeSwapped(kind, journal);
    if (count === 0) continue;
    issues.push({
      severity: "warning",
      rule: "load/ids-exchanged",
      found: `${count} ${SEVERAL[kind]} that an earlier run knew by each other's ids`,
      expected: "each by its own: they are told by what the log holds now",
    });
  }
  return issues;
}

/** What a person let in. A run's options have only what is so. */
function allowedIn(given: Pick<RunOptions, "allowImplausible" | "allowUnread" | "allowOlder" | "allowMoved">) {
  return Object.fromEntries(Object.entries(given).filter(([, isAllowed]) => isAllowed));
}

/** The settings of a plan: today's options, which override those of the retried run. */
function planSettings({ options, tables }: CommandContext, base: RunOptions | undefined) {
  return {
    zone: options.zone ?? base?.zone,
    since: firstDay(options.since) ?? base?.since,
    until: lastDay(options.until) ?? base?.until,
    tracks: options.noTracks !== true && base?.tracks !== false,
    reads: defined({
      distanceUnits: givenUnits(options) ?? base?.distanceUnits,
      dateOrder: givenDateOrder(options) ?? base?.dateOrder,
      withoutPrivateNotes: options.noPrivateNotes === true ? (true as const) : base?.withoutPrivateNotes,
    }),
    sports: new Map([...(base?.sports ?? []), ...tables.sports]),
    linkCourses: options.linkCourses === true || base?.linkCourses === true,
    enrich: options.enrich === true || base?.enrich === true,
    accepts: options.accept === undefined ? base?.accepts : toConditions(options.accept),
    allowImplausible: options.allow?.includes("implausible") === true || base?.allowImplausible === true,
    allowUnread: options.allow?.includes("unread-cells") === true || base?.allowUnread === true,
    allowOlder: options.allow?.includes("older-values") === true || base?.allowOlder === true,
    allowMoved: options.allow?.includes("moved-starts") === true || base?.allowMoved === true,
  };
}

/** The settings of a plan. Without a zone, an import has the one that earlier runs of these platforms had, with a remark. */
async function settingsOf(
  context: CommandContext,
  { journal }: LogSession,
  opened: readonly OpenedSource[],
  {
    retried,
    restoring,
    promoting,
  }: { readonly [name in "retried" | "restoring" | "promoting"]: PlanPurpose[name] | undefined },
): Promise<{ readonly settings: ReturnType<typeof planSettings>; readonly issues: readonly Issue[] }> {
  const settings = planSettings(context, retried?.base.options);
  const isImport = restoring === undefined && promoting === undefined;
  if (settings.zone !== undefined || !isImport) return { settings, issues: [] };
  const kept = await keptZone(journal, new Set(opened.map(({ connector }) => connector.name)));
  return kept === undefined
    ? { settings, issues: [] }
    : { settings: { ...settings, zone: kept.zone }, issues: [keptZoneIssue(kept)] };
}

/** The options that should fit a record of this plan. */
function typedOptions({ typed = {} }: CommandContext): NonNullable<PlanContext["typed"]> {
  const order = givenDateOrder(typed);
  return { sports: typed.sport, words: [...(givenUnits(typed) ?? []), ...(order === undefined ? [] : [order])] };
}

/** The activity numbers that the owner set: today's, else those of an earlier run. */
async function givenNumbers({ options, tables }: CommandContext, account: AccountRef): Promise<Numbers> {
  return { ...(await rememberedNumbers(options.profile, account)), ...tables.overrides };
}

/** All numbers that the owner set. Without one, that of the retried run counts. */
function numberOverrides({ tables }: CommandContext, given: Numbers, base: RunOptions | undefined): LogNumbers {
  return {
    activityIDs: { ...base?.activityIDs, ...given },
    workoutIDs: { ...base?.workoutIDs, ...ownTypes(tables.workoutIDs) },
  };
}

/** The numbers of workout types that differ from the built-in ones, because the owner set them. */
function ownTypes(workoutIDs: LogNumbers["workoutIDs"]): LogNumbers["workoutIDs"] {
  const own: Partial<Record<Activity, Partial<Record<WorkoutType, number>>>> = {};
  for (const name of ACTIVITY_NAMES) {
    const assumed: Readonly<Record<string, number | undefined>> = WORKOUT_IDS[name] ?? {};
    const set = Object.entries(workoutIDs[name] ?? {}).filter(([type, id]) => assumed[type] !== id);
    if (set.length > 0) own[name] = Object.fromEntries(set);
  }
  return own;
}

/** The most activity numbers that logferry looks up by reading a workout, because no listing shows their names. */
const LOOKED_UP = 10;

/** The numbers that the log itself shows: in its list of activities, else by the names on its workouts. */
async function numbersOfLog(
  view: LogView,
  { overrides, given }: { readonly overrides: LogNumbers; readonly given: Numbers },
  inUse: ActivitiesInUse,
  signal: AbortSignal,
): Promise<PlanNumbers> {
  const listed = await view.activityTypes?.(signal);
  if (listed === undefined) {
    for (const { activityID, workout } of inUse.unnamed(LOOKED_UP)) {
      const name = await view.activityNameOf?.(workout, signal);
      if (name !== undefined) inUse.name(activityID, name);
    }
  }
  const shown = { listed, inUse: inUse.all() };
  const activities = activitiesOfLog(shown);
  // Only a whole list shows that the log lacks a number.
  if (listed !== undefined) checkNumbers(given, activities);
  return { ...findNumbers({ overrides, ...shown }), activities, areAll: listed !== undefined };
}
