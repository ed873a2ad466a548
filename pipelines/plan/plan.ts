/**
 * Reads the sources, decides about every record, and writes the decisions to the journal. Changes nothing in the log.
 */
import { basename, resolve } from "node:path";
import type { Archive } from "../../connectors/containers/archive.ts";
import type { Connector } from "../../connectors/contract.ts";
import { FatalError } from "../../connectors/errors.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { Kind } from "../../transforms/model/item.ts";
import { type ComparisonContext, compareWithLog } from "../compare-with-log.ts";
import { createDecider, type DecisionSettings, type ReadingSource } from "../decide.ts";
import type { Journal, Run, RunOptions, RunSource } from "../journal/journal.ts";
import type { LogView } from "../log/log-view.ts";
import type { Witness } from "../ownership/evidence.ts";
import { readSource } from "../sources/read-source.ts";
import { readRulings } from "./manual-decisions.ts";
import { isOfWanted, type TakeUp } from "./retry-selection.ts";

/** A source that was opened and recognised. */
export interface OpenedSource {
  /** As the person gave it. */
  readonly path: string;
  readonly archive: Archive;
  readonly connector: Connector;
  readonly saw: string;
  /** Of the file, or of all files of the folder. */
  readonly sizeBytes?: number;
  /** Absolute path of the mapping file that was named for it. */
  readonly mapping?: string;
}

/** What a plan is made from and with. */
export interface PlanContext {
  readonly sources: readonly OpenedSource[];
  readonly log: LogView;
  readonly journal: Journal;
  /** What the log has under an id, asked by itself. Left out, what a listing lacks counts as taken out of the log. */
  readonly read?: (kind: Kind, id: string, signal: AbortSignal) => Promise<unknown>;
  readonly settings: DecisionSettings;
  readonly options: RunOptions;
  /** How the lines are compared with the log, where they are no migration's. */
  readonly compare?: (run: number, context: ComparisonContext) => Promise<void>;
  /** Where only what another run left is taken up. */
  readonly takeUp?: TakeUp;
  /** Listens for whose the sources are. */
  readonly witness?: Witness | undefined;
  /** Asked when all sources were read: what it throws ends the planning, and the journal holds nothing of it. */
  readonly approve?: (() => Promise<void>) | undefined;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Called for every issue, as it is met. */
  readonly onIssue: (issue: Issue) => void;
  /** Called as the log and the sources are read: how many records so far, and of what. */
  readonly onProgress: (phase: string, done: number) => void;
}

/**
 * Makes a plan.
 *
 * @returns the run it was written to, in state `planned`; undefined when the signal stopped it (the journal then holds nothing of it)
 * @throws FatalError when a source as a whole can't be read, or the log can't be listed; `plan/listing-stale` when the listing is old
 */
export async function plan(context: PlanContext): Promise<Run | undefined> {
  const { journal, log, signal, takeUp, witness } = context;
  // A stop while lost answers were looked up leaves them open: a baseline now would take what they made for old.
  if (signal.aborted) return undefined;
  await takeBaseline(context);
  const sources: RunSource[] = context.sources.map(({ path, archive, connector, saw, sizeBytes, mapping }) => ({
    path: resolve(path),
    name: archive.name || basename(path),
    connector: connector.name,
    ...(connector.recordings && { recordings: connector.recordings }),
    saw,
    ...(sizeBytes !== undefined && { sizeBytes }),
    ...(mapping !== undefined && { mapping }),
  }));
  const run = await journal.startPlan(sources, context.options, context.now());
  const report = async (issue: Issue) => {
    context.onIssue(issue);
    await journal.addIssue(run, issue);
  };
  const isOfRecordings = (index: number) => context.sources[index]?.connector.recordings === true;
  const settings: DecisionSettings = { ...context.settings, rulings: await readRulings(journal.custody) };
  const decider = createDecider(run, journal, settings, isOfRecordings, report);

  let read = 0;
  for (const [index, { archive, connector }] of context.sources.entries()) {
    const ofLog = connector.ofLog === true;
    const source: ReadingSource = { index, name: archive.name, recordings: isOfRecordings(index), ofLog };
    // A connector reports between two of its records; the journal is written between them too, in order.
    const pending: Issue[] = [];
    const reportPending = async () => {
      for (const issue of pending.splice(0))
        if (takeUp === undefined || isOfWanted(takeUp, index, issue)) await report(issue);
    };
    witness?.open(index, archive.name);
    const reading = readSource(
      { archive, connector },
      {
        signal,
        report: (issue) => pending.push(issue),
        sports: settings.sports,
        fixes: settings.rulings?.fixes ?? new Map(),
        ...(takeUp !== undefined && { wants: (origin) => takeUp.wants(index, origin) }),
        ...(witness !== undefined && { testify: (said) => witness.hear(index, said) }),
      },
    );
    for await (const record of reading) {
      await reportPending();
      witness?.see(index, record);
      const taken = takeUp === undefined ? [{ reading: record, seq: undefined }] : await takeUp.take(index, record);
      for (const { reading: one, seq } of taken) {
        read++;
        await decider.add(one, source, seq);
      }
      context.onProgress(`reading ${archive.name}`, read);
      if (signal.aborted) return undefined;
    }
    await reportPending();
  }
  await context.approve?.();
  await (context.compare ?? compareWithLog)(run, {
    journal,
    settings,
    capabilities: log.capabilities,
    options: context.options,
    sources,
    report,
  });
  if (signal.aborted) return undefined;
  await journal.planReady(run, read);
  return journal.run(run);
}

/** What the log holds before anything is done to it: read once, kept in the journal. */
async function takeBaseline(context: PlanContext): Promise<void> {
  const { journal, log, signal } = context;
  async function* everything() {
    let done = 0;
    for (const kind of ["equipment", "course", "workout"] as const) {
      const listing = await log.list(kind, signal);
      if (listing === undefined) continue;
      for await (const entry of listing) {
        context.onProgress("reading the log", ++done);
        yield entry;
      }
    }
  }
  await journal.takeListing(everything(), true);
  for (const kind of ["equipment", "course", "workout"] as const) await refuseStale(kind, context);
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
    throw new FatalError(
      "plan/listing-stale",
      "service",
      `Cannot plan: the log's listing of ${kind}s is out of date, it lacks ${id}, which is there. Run the same command again in a minute.`,
    );
  }
}
