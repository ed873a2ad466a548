/**
 * Makes a plan: what the commands that plan have in common.
 */
import type { LogNumbers } from "../connectors/api/from-wire.ts";
import type { Run, RunOptions } from "../pipelines/journal/journal.ts";
import { readIfThere } from "../pipelines/load/settle.ts";
import type { Witness } from "../pipelines/ownership/evidence.ts";
import { type OpenedSource, plan } from "../pipelines/plan/plan.ts";
import type { TakeUp } from "../pipelines/plan/retry-selection.ts";
import { ACTIVITY_NAMES, type Activity } from "../transforms/activities.ts";
import { ACTIVITY_IDS } from "../transforms/assumptions.ts";
import type { Issue } from "../transforms/model/issue.ts";
import type { CommandContext } from "./arguments/command.ts";
import type { ActivityTables } from "./arguments/config.ts";
import type { Session } from "./session/session.ts";
import { sayIssue, settleDoubts } from "./settle-doubts.ts";
import { packageVersion } from "./system/version.ts";
import { firstDay, lastDay } from "./wording/periods.ts";

/**
 * The owner's tables; for what comes from another log, what they don't say is taken from the log's own list of names, where it has one:
 * its numbers differ from the other's.
 */
async function tablesFor(
  tables: ActivityTables,
  signal: AbortSignal,
  session: Session,
  sources: readonly OpenedSource[],
): Promise<ActivityTables> {
  if (!sources.some(({ connector }) => connector.ofLog)) return tables;
  const listed = await session.view.numbers?.(signal);
  if (listed === undefined) return tables;
  const workoutIDs: ActivityTables["workoutIDs"] = Object.fromEntries(
    ACTIVITY_NAMES.map((name) => [name, { ...listed.workoutIDs[name], ...tables.workoutIDs[name] }]),
  );
  return { ...tables, activityIDs: { ...listed.activityIDs, ...tables.activityIDs }, workoutIDs };
}

/** A run whose records are taken up, and which of them. */
export interface Taking {
  readonly base: Run;
  readonly taking: TakeUp;
}

/** How a plan is made that puts a snapshot back. */
export interface Restoring {
  /** The numbers of the snapshot's activities in the log. */
  readonly numbers: LogNumbers;
  readonly restores: NonNullable<RunOptions["restores"]>;
  readonly compare: NonNullable<Parameters<typeof plan>[0]["compare"]>;
}

/**
 * Makes a plan of opened sources; undefined when it was stopped.
 *
 * @param taken where only what another run left is taken up: read with that run's settings, and what was set today in their place
 * @param who listens for whose the sources are, and may refuse them before the plan counts
 * @param restoring where the source is a snapshot, of which the days were chosen already
 */
export async function makePlan(
  context: CommandContext,
  session: Session,
  sources: readonly OpenedSource[],
  taken?: Taking,
  who: { readonly witness?: Witness; readonly approve?: () => Promise<void> } = {},
  restoring?: Restoring,
): Promise<Run | undefined> {
  const { output, now } = context;
  const { signal } = session;
  const { preference } = session.view;
  const settings = planSettings(context, taken?.base.options);
  const { zone, tracks } = settings;
  const { since, until } = restoring === undefined ? settings : {};
  const tables =
    restoring === undefined
      ? await tablesFor(settings.tables, signal, session, sources)
      : { sports: new Map<string, Activity>(), ...restoring.numbers };
  // What settling remarks belongs to the run that is planned next: it is the one whose result is shown.
  const remarks: Issue[] = [];
  await settleDoubts(context, session, async (issue) => void remarks.push(issue));
  const planning = plan({
    sources,
    log: session.view,
    journal: session.journal,
    read: (kind, id, stop) => readIfThere(session.sink, kind, id, stop),
    settings: {
      ...tables,
      preference,
      time: {
        ...(zone !== undefined && { zone }),
        ...(preference.utcOffset !== undefined && { utcOffset: preference.utcOffset }),
      },
      since,
      until,
      again: context.options.again === true,
    },
    options: {
      tracks,
      ...(zone !== undefined && { zone }),
      ...(tables.sports.size > 0 && { sports: [...tables.sports] }),
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
      ...(taken !== undefined && { takesUp: taken.base.id }),
      ...(restoring !== undefined && { restores: restoring.restores }),
      activityIDs: tables.activityIDs,
      workoutIDs: tables.workoutIDs,
      version: packageVersion(),
      distanceUnit: preference.distanceUnit,
    },
    ...(taken !== undefined && { takeUp: taken.taking }),
    ...who,
    ...(restoring !== undefined && { compare: restoring.compare }),
    signal,
    now,
    onIssue: sayIssue(context),
    onProgress: (phase, done) => output.progress({ phase, done, waiting: session.view.waiting() }),
  });
  const run = await planning.catch((error: unknown) => {
    throw session.budget.explain(error);
  });
  output.endProgress();
  if (run !== undefined) for (const issue of remarks) await session.journal.addIssue(run.id, issue);
  return run;
}

/** What a plan is made with: today's options and tables, over those of the run that is taken up. */
function planSettings({ options, tables }: CommandContext, base: RunOptions | undefined) {
  // A number that is not the built-in one was set by the owner.
  const own = Object.entries(tables.activityIDs).filter(([name, id]) => ACTIVITY_IDS[name as Activity] !== id);
  return {
    zone: options.zone ?? base?.zone,
    since: firstDay(options.since) ?? base?.since,
    until: lastDay(options.until) ?? base?.until,
    tracks: options.noTracks !== true && base?.tracks !== false,
    tables:
      base === undefined
        ? tables
        : {
            sports: new Map([...(base.sports ?? []), ...tables.sports]),
            activityIDs: { ...tables.activityIDs, ...base.activityIDs, ...Object.fromEntries(own) },
            workoutIDs: { ...base.workoutIDs, ...tables.workoutIDs },
          },
  };
}
