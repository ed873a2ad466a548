/**
 * Changes a plan after an answer about two of its records. It links only the workouts again that the answer touches, and compares only these with the
 * log. All other lines of the plan stay as they are. It reads no source and sends no request.
 */
import { connectorNamed } from "../../connectors/registry.ts";
import { isSameRecording } from "../../transforms/duplicates.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { Journal } from "../journal/journal.ts";
import type { LineState } from "../journal/line.ts";
import type { UnlinkedWorkout } from "../journal/links.ts";
import type { Run } from "../journal/run.ts";
import type { ComparisonContext } from "./compare/comparison.ts";
import { Groups } from "./compare/groups.ts";
import { compareLinked } from "./log/compare-with-log.ts";
import { DoubtfulInLog } from "./log/doubtful-in-log.ts";
import { tellOverlapsInLog } from "./log/overlaps-in-log.ts";
import { readManualDecisions } from "./records/manual-decisions.ts";
import { linkSources } from "./sources/link-sources.ts";

/** What became of a plan: changed in so many lines; or why the answer counts from the next plan on. */
export type Amended =
  | { readonly changed: number }
  /**
   * `sent`: records that the answer touches were sent already. `older`: the plan lacks what a change needs. `log`: the change needs the log. `loaded`: the
   * plan found a record as one that an earlier run loaded.
   */
  | { readonly later: "no plan" | "sent" | "older" | "log" | "loaded" };

/**
 * Changes the newest plan after answers about these records.
 *
 * @param onScored called for every pair that is scored again, with the keys
 */
export async function amendPlan(
  journal: Journal,
  keys: readonly string[],
  onScored?: (one: string, other: string) => void,
): Promise<Amended> {
  const run = await journal.run();
  if (run === undefined || !["planned", "running", "stopped"].includes(run.state)) return { later: "no plan" };
  const { lists, enrich, again, restoreMissing } = run.options;
  if (enrich === true || again === true || restoreMissing === true) return { later: "log" };
  // A plan of one source has no pairs but those with the log, and of different apps. Of a pair with the log, one key is no record of the plan.
  const isWithLog = await lacksAny(keys, journal, run);
  if (lists === undefined || (run.sources.length < 2 && !isWithLog && !(await journal.links.hasTwins(run.id))))
    return { later: "older" };
  const touched = await touchedBy(keys, journal, run, isWithLog);
  // The newest plan retries records of another run, and not these.
  if (touched.length === 0) return { later: "no plan" };
  if (touched.some(({ now }) => now.isSent)) return { later: "sent" };
  // The plan of a single source takes such a record as it is in the log, and keeps nothing to compare it by again.
  if (touched.some(({ key, before }) => keys.includes(key) && before.state === "unchanged")) return { later: "loaded" };
  const only = new Set(touched.map(({ key }) => key));
  const context = await contextOf(run, journal, lists);
  await journal.links.atomically(async () => {
    await journal.links.begin();
    await journal.links.dropPairs(run.id, only);
    await journal.links.unlink(touched, run.id);
    await linkSources(run.id, { ...context, ...(onScored !== undefined && { onScored }) }, only);
    // Days are compared one after the other, as in a new plan.
    const seqs = touched.toSorted(byDay).map(({ seq }) => seq);
    // The remarks about single lines were made when the plan was made.
    await compareLinked(run.id, { ...context, journal: onlyLines(journal, seqs), report: async () => undefined });
    await new DoubtfulInLog(context).remarkAgain(run.id);
    await tellOverlapsInLog(run.id, context);
  });
  return { changed: only.size };
}

function byDay(a: UnlinkedWorkout, b: UnlinkedWorkout): number {
  const [ours, theirs] = [a, b].map(({ facts }) => facts?.date ?? "");
  return ours === theirs ? a.seq - b.seq : (ours ?? "") < (theirs ?? "") ? -1 : 1;
}

/** The settings that the plan was made with. */
async function contextOf(
  run: Run,
  journal: Journal,
  lists: NonNullable<Run["options"]["lists"]>,
): Promise<ComparisonContext> {
  const { options, sources } = run;
  const {
    activityIDs,
    sports,
    allowImplausible = false,
    allowOlder = false,
    allowMoved = false,
    trustClocks = false,
    doubtful,
  } = options;
  return {
    journal,
    options,
    sources,
    settings: {
      ...{
        activityIDs,
        sports: new Map(sports),
        allowImplausible,
        allowOlder,
        allowMoved,
        trustClocks,
        doubtful: doubtful ?? "two",
      },
      manualDecisions: await readManualDecisions(journal),
    },
    capabilities: { listsWorkouts: lists.workouts, listsCourses: lists.courses },
    inUse: await journal.links.activitiesInLog(),
    isOfLog: (source) => connectorNamed(sources[source]?.connector ?? "")?.ofLog === true,
    report: (issue) => journal.addIssue(run.id, issue),
  };
}

/** A journal with these lines of a run only, which are read one by one: a plan may have a hundred thousand others. */
function onlyLines(journal: Journal, seqs: readonly number[]): Journal {
  async function* lines(run: number, { state, kind }: { state?: readonly LineState[]; kind?: Kind }) {
    for (const seq of seqs) {
      const line = await journal.line(run, seq);
      if (line === undefined || (kind !== undefined && line.kind !== kind)) continue;
      if (state?.includes(line.state) !== false) yield line;
    }
  }
  return { ...journal, lines: lines as Journal["lines"] };
}

async function lacksAny(keys: readonly string[], journal: Journal, { id }: Run): Promise<boolean> {
  for (const key of keys) if ((await journal.lineWithKey(id, key)) === undefined) return true;
  return false;
}

/**
 * The workouts whose linking may depend on whether these records are one: everything that hangs together with them. Of a pair with the log, that is
 * the whole day: another workout may be the log's one then.
 */
async function touchedBy(
  keys: readonly string[],
  journal: Journal,
  run: Run,
  isWithLog: boolean,
): Promise<readonly UnlinkedWorkout[]> {
  const all: UnlinkedWorkout[] = [];
  for await (const workout of journal.links.workouts(run.id)) all.push(workout);
  const together = new Groups();
  for (const { key } of all) together.add(key, { source: 0 }, undefined, false);
  const known = new Set(all.map(({ key }) => key));
  const join = (one: string, other: string | undefined) => {
    if (other !== undefined && known.has(one) && known.has(other)) together.join(one, other);
  };
  for (const { key, now, before } of all) {
    join(key, before.duplicateOf);
    if (now.state === "merged") join(key, now.duplicateOf);
  }
  for (const { one, other } of await journal.links.pairs(run.id)) join(one, other);
  for (const { records } of await journal.links.answers()) join(records[0].key, records[1].key);
  for (const group of neighbours(all, isWithLog)) for (const { key } of group) join(key, group[0]?.key);
  const [first, ...more] = keys;
  for (const key of more) join(key, first);
  const root = first === undefined || !known.has(first) ? undefined : together.rootOf(first);
  return all.filter(({ key }) => root !== undefined && together.rootOf(key) === root);
}

/** Workouts that decide about each other without being a pair. */
function neighbours(all: readonly UnlinkedWorkout[], wholeDays: boolean): readonly (readonly UnlinkedWorkout[])[] {
  // Whether a workout is the only one of its sport and day counts where one has no time of day.
  const days = Map.groupBy(all, ({ facts }) => `${facts?.date} ${facts?.activity}`);
  const untimed = [...days.values()].filter((day) =>
    day.some(({ facts }) => facts !== undefined && (wholeDays || facts.time === undefined)),
  );
  // A triathlon may have legs of any sport, and the day or the legs may have no time of day.
  const triathlons = [...Map.groupBy(all, ({ facts }) => facts?.date).values()].filter(
    (day) =>
      day.some(({ facts }) => facts?.activity === "other") &&
      day.some(({ facts }) => facts !== undefined && facts.time === undefined),
  );
  // The recordings of one file are sent together, or each alone.
  const files = Map.groupBy(all, ({ value, source }) =>
    value.track === undefined || value.track.recordings === 1
      ? ""
      : `${value.track.source ?? source} ${value.track.entry}`,
  );
  files.delete("");
  // One recording under two sports.
  const starts = Map.groupBy(all, ({ facts }) => (facts?.time === undefined ? "" : `${facts.date} ${facts.time}`));
  starts.delete("");
  const sports = [...starts.values()].flatMap((some) =>
    some.flatMap((one, at) =>
      some
        .slice(at + 1)
        .filter((other) => one.facts && other.facts && isSameRecording(one.facts, other.facts))
        .map((other) => [one, other]),
    ),
  );
  return [...untimed, ...triathlons, ...files.values(), ...sports];
}
