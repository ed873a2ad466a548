/**
 * The second half of a plan: what of the planned lines the log already holds. What we put there before is known by key; what
 * somebody else put there, or we for another source, is recognised. Each record of the log stands for one line only.
 */

import { closerTwin, factsOf, mergeTwins, twinEvidence } from "../transforms/duplicates.ts";
import { courseIdentity, equipmentIdentity } from "../transforms/identity.ts";
import type { Course } from "../transforms/model/course.ts";
import type { Equipment } from "../transforms/model/equipment.ts";
import type { Issue } from "../transforms/model/issue.ts";
import type { TrackRef, Workout } from "../transforms/model/workout.ts";
import type { ActivitySettings } from "../transforms/steps/name-activity.ts";
import type { DecisionSettings } from "./decide.ts";
import type { Ruling } from "./journal/audit-trail.ts";
import type { ClaimedEntry, Journal, Line, Placed, RunOptions, RunSource } from "./journal/journal.ts";
import { dayOf } from "./plan/manual-decisions.ts";
import { findRemoteId, LACKS_REFERENCE } from "./references.ts";
import { isEmpty } from "./sources/is-empty.ts";

/** What of the log could be listed: where it can't, only the journal tells what is there. */
export interface LogCapabilities {
  readonly listsWorkouts: boolean;
  readonly listsCourses: boolean;
}

/** What comparing needs besides the run. */
export interface ComparisonContext {
  readonly journal: Journal;
  readonly settings: ActivitySettings & Pick<DecisionSettings, "rulings" | "again">;
  readonly capabilities: LogCapabilities;
  readonly options: RunOptions;
  /** Of the run. */
  readonly sources: readonly RunSource[];
  readonly report: (issue: Issue) => Promise<void>;
}

/** Settles every planned line against the log: `unchanged`, `update`, `skipped`, or left `create` with its carrier. */
export async function compareWithLog(run: number, context: ComparisonContext): Promise<void> {
  const { journal } = context;
  // All that is known by key comes first: its records are taken before any is recognised by what it looks like.
  if (!(await isEmpty(journal.allPlaced()))) await findByKey(run, context);
  if (await mayBeThere(journal)) await findByLooks(run, context);
  await chooseCarriers(run, context);
}

/** Whether the log has anything, or may: of a first migration into an empty log, no record is looked for. */
async function mayBeThere(journal: Journal): Promise<boolean> {
  for (const kind of ["workout", "equipment", "course"] as const) if ((await journal.logSize(kind)) > 0) return true;
  return (await journal.doubtful()).length > 0;
}

async function findByKey(run: number, { journal, capabilities, settings }: ComparisonContext): Promise<void> {
  const listed = { workout: capabilities.listsWorkouts, course: capabilities.listsCourses, equipment: true };
  for await (const line of journal.lines(run, { state: ["planned"] })) {
    if (line.kind === "set-aside") continue;
    const merged = await allMergedInto(line, journal);
    const placed = await placedFor(line, merged, journal);
    if (placed === undefined) continue;
    await journal.claimLog(line.kind, placed.remoteId, line.key);
    const isGone = listed[line.kind] && !(await journal.logHas(line.kind, placed.remoteId));
    const newcomer = await firstNewcomer(line, merged, journal);
    const undone = settings.rulings?.undone(line.key) ?? settings.rulings?.undone(placed.key);
    if (isGone) await journal.patchLine(run, line.seq, deletedSince(placed));
    else if (undone !== undefined) await journal.patchLine(run, line.seq, undoneBefore(undone, placed, settings.again));
    else {
      const lacking = await lackingReference(line, placed, journal);
      await journal.patchLine(run, line.seq, putBefore(line, placed, newcomer, lacking));
    }
  }
}

/** The shoe or course that a workout went without, and that it can have now or once this run has put it there. */
async function lackingReference(line: Line, placed: Placed, journal: Journal): Promise<string | undefined> {
  if (line.kind !== "workout" || placed.sent === undefined) return undefined;
  const { course, equipment } = line.value as Workout;
  const sent = placed.sent as { readonly course?: unknown; readonly equipment?: readonly unknown[] };
  const references = [
    { key: equipment?.[0], isThere: sent.equipment?.[0] !== undefined },
    { key: course, isThere: sent.course !== undefined },
  ];
  for (const { key, isThere } of references) {
    if (key === undefined || isThere) continue;
    const isPlanned = (await journal.lineWithKey(line.run, key))?.state === "planned";
    if (isPlanned || (await findRemoteId(journal, line.run, key)) !== undefined) return key;
  }
  return undefined;
}

/** Every line that was merged into one, by whatever steps. */
async function allMergedInto(line: Line, journal: Journal): Promise<readonly Line[]> {
  const all: Line[] = [];
  const keys = [line.key];
  for (const key of keys) {
    for (const merged of await journal.mergedInto(line.run, key)) {
      if (keys.includes(merged.key)) continue;
      all.push(merged);
      keys.push(merged.key);
    }
  }
  return all;
}

/** Where a line stands in the log: put there under its own key, or under that of a record that is now merged into it. */
async function placedFor(line: Line, merged: readonly Line[], journal: Journal): Promise<Placed | undefined> {
  const own = await journal.placed(line.key);
  if (own !== undefined) return own;
  for (const { key } of merged) {
    const theirs = await journal.placed(key);
    if (theirs === undefined) continue;
    // A workout's content is then another one: it is brought up to date. A shoe under another key is the same shoe.
    const content = line.kind === "workout" ? theirs.content : (line.content ?? "");
    const ours = { ...theirs, key: line.key, content };
    await journal.place(ours);
    return ours;
  }
  return undefined;
}

/** A workout of another source that was merged into a line since it was put there: it may add something. */
async function firstNewcomer(line: Line, merged: readonly Line[], journal: Journal): Promise<Line | undefined> {
  if (line.kind !== "workout") return undefined;
  for (const other of merged) if ((await journal.placed(other.key)) === undefined) return other;
  return undefined;
}

function putBefore(line: Line, placed: Placed, newcomer: Line | undefined, lacking?: string) {
  const isMerged = placed.key !== line.key;
  const isSame = isMerged || placed.content === line.content;
  const isComplete = placed.finished && isSame && newcomer === undefined;
  if (isComplete && lacking !== undefined) {
    const reason = `${LACKS_REFERENCE} (run ${placed.run} put it there without ${lacking})`;
    return { action: "update", carrier: "save", remoteId: placed.remoteId, reason } as const;
  }
  if (isComplete) {
    return {
      state: "unchanged",
      action: "none",
      twin: placed.remoteId,
      remoteId: placed.remoteId,
      reason: `put there by run ${placed.run}${isMerged ? `, as one with ${placed.key}` : ""}`,
    } as const;
  }
  return { action: "update", carrier: "save", remoteId: placed.remoteId, reason: whyUpdate(placed, isSame) } as const;
}

function whyUpdate({ finished, run }: Placed, isSame: boolean): string {
  if (!finished) return `run ${run} had not finished it`;
  return isSame ? `found in another source since run ${run}` : `changed at the source since run ${run}`;
}

/** What was undone is not done again, unless a person asks for it. */
function undoneBefore({ run, at }: Ruling, { remoteId }: Placed, again: boolean | undefined) {
  if (again === true)
    return {
      action: "update",
      carrier: "save",
      remoteId,
      reason: `undone of run ${run}, and asked for again`,
    } as const;
  return {
    state: "skipped",
    action: "none",
    twin: remoteId,
    reason: `plan/undone (run ${run} was undone on ${dayOf(at)}: left as it is; --again brings it up to date)`,
  } as const;
}

/** A record its owner took out of the log stays out. */
function deletedSince(placed: Placed) {
  return {
    state: "skipped",
    action: "none",
    twin: placed.remoteId,
    reason: `plan/deleted-in-log (put there by run ${placed.run}, no longer there: not put there again)`,
  } as const;
}

async function findByLooks(run: number, context: ComparisonContext): Promise<void> {
  const { journal } = context;
  for await (const line of journal.lines(run, { state: ["planned"] })) {
    if (line.kind === "set-aside" || line.action !== "create") continue;
    const twin = await recognise(line, context);
    if (twin === undefined) {
      const doubt = await findDoubt(line, journal);
      if (doubt !== undefined) await journal.patchLine(run, line.seq, inDoubtSince(doubt));
      continue;
    }
    await journal.claimLog(line.kind, twin.entry.id, line.key);
    if (await joinOurOwn(line, twin.entry, context)) continue;
    await journal.patchLine(run, line.seq, {
      state: "unchanged",
      action: "none",
      twin: twin.entry.id,
      remoteId: twin.entry.id,
      reason: `already in the log: ${twin.why}`,
    });
  }
}

/** The run that may have put a line there, or what is merged into it, and can't find out: the service has no listing. */
async function findDoubt(line: Line, journal: Journal): Promise<number | undefined> {
  for (const { key } of [line, ...(await allMergedInto(line, journal))]) {
    const run = await journal.runInDoubt(key);
    if (run !== undefined) return run;
  }
  return undefined;
}

/** What may be in the log already is not sent a second time. */
function inDoubtSince(run: number) {
  return {
    state: "quarantined",
    action: "none",
    reason: `plan/in-doubt (run ${run} sent it, the answer was lost, and the service can't list what it has: look in the log)`,
  } as const;
}

/**
 * A workout we put there for another record than this one: a platform's row joins its recording, as it would have in one
 * plan, and a row whose words changed (known by its content alone) takes the place of the old one. Any other two are one
 * workout, and the first one's words stay.
 *
 * @returns whether it is one of the two
 */
async function joinOurOwn(line: Line, entry: ClaimedEntry, { journal, sources }: ComparisonContext): Promise<boolean> {
  if (line.kind !== "workout" || entry.claimedBy === undefined) return false;
  const placed = await journal.placed(entry.claimedBy);
  const old = placed === undefined ? undefined : await journal.lineWithKey(placed.run, placed.key);
  if (placed === undefined || old === undefined) return false;
  const oldSource = (await journal.run(old.run))?.sources[old.source];
  const isRecording = sources[line.source]?.recordings === true;
  const isSameRow = old.origin.connector === line.origin.connector && old.origin.archive === line.origin.archive;
  if (isRecording || (oldSource?.recordings !== true && !isSameRow)) return false;
  await journal.place({ ...placed, key: line.key });
  // The recording's file is in the log already, and lies in another run's source.
  const { track: _track, ...recorded } = old.value as Workout;
  const value = isSameRow ? (line.value as Workout) : mergeTwins(line.value as Workout, recorded, true);
  await journal.patchLine(line.run, line.seq, { ...putBefore(line, { ...placed, key: line.key }, undefined), value });
  return true;
}

/**
 * Whether a record of the log stands for another row of the line's own file: of a run that takes up single rows the others are not
 * lines, and two rows of one file are two workouts, however alike. A recording has no such others: nobody runs twice at once.
 */
async function isOfAnotherRow(line: Line, entry: ClaimedEntry, context: ComparisonContext): Promise<boolean> {
  const { journal, options, sources } = context;
  const own = sources[line.source];
  if (options.takesUp === undefined || own === undefined || own.recordings === true) return false;
  for (const other of await journal.custody.find({ remoteId: entry.id })) {
    if (other.kind !== line.kind || other.key === line.key || other.run === line.run) continue;
    const theirs = (await journal.run(other.run))?.sources ?? [];
    const rows = [other, ...(await allMergedInto(other, journal))];
    if (rows.some(({ source, key }) => theirs[source]?.path === own.path && key !== line.key)) return true;
  }
  return false;
}

async function recognise(
  line: Line,
  context: ComparisonContext,
): Promise<{ entry: ClaimedEntry; why: string } | undefined> {
  const { journal, settings } = context;
  if (line.kind === "workout") {
    const workout = line.value as Workout;
    const facts = factsOf(workout);
    const activityID = workout.activity === undefined ? undefined : settings.activityIDs[workout.activity];
    if (facts === undefined || activityID === undefined) return undefined;
    const found = [];
    const candidates = await journal.logCandidates(line.run, facts, activityID);
    const itself = candidates.find((entry) => isItself(line, entry));
    if (itself !== undefined) return { entry: itself, why: "same id, day and activity" };
    for (const entry of candidates) {
      const evidence = entry.facts === undefined ? undefined : twinEvidence(facts, entry.facts);
      if (evidence !== undefined && !(await isOfAnotherRow(line, entry, context))) found.push({ entry, evidence });
    }
    const closest = found.sort((a, b) => closerTwin(a.evidence, b.evidence))[0];
    return closest === undefined ? undefined : { entry: closest.entry, why: `same ${closest.evidence.rule}` };
  }
  if (line.kind === "set-aside") return undefined;
  const identity =
    line.kind === "equipment"
      ? equipmentIdentity(line.value as Equipment, settings.activityIDs[(line.value as Equipment).activity])
      : courseIdentity(line.value as Course);
  const alike = await journal.logWithIdentity(line.run, line.kind, identity);
  const entry = alike.find((one) => isItself(line, one)) ?? alike[0];
  if (entry === undefined) return undefined;
  return {
    entry,
    why: line.kind === "equipment" ? "same activity, brand, model, serial and purchase date" : "same name and length",
  };
}

/** Whether a line came out of this very log: an export's keys name the ids that records had. */
function isItself(line: Line, entry: ClaimedEntry): boolean {
  return line.key === `${line.origin.connector}:${line.kind}:${entry.id}`;
}

/**
 * A workout with a device file goes by import where the file holds nothing but workouts this plan creates: an import makes
 * a record of every recording in the file, and the log can delete none. Any other goes by save, without its track.
 */
async function chooseCarriers(run: number, { journal, options, report }: ComparisonContext): Promise<void> {
  for await (const line of journal.lines(run, { state: ["planned"], kind: "workout" })) {
    if (line.action !== "create") continue;
    const { track } = line.value as Workout;
    if (track === undefined || !options.tracks) {
      await journal.patchLine(run, line.seq, { carrier: "save" });
      continue;
    }
    const isWhole = track.recordings === 1 || (await isPlannedWhole(run, journal, track));
    await journal.patchLine(run, line.seq, { carrier: isWhole ? "import" : "save" });
    if (isWhole) continue;
    await report({
      severity: "warning",
      rule: "plan/track-left-out",
      origin: line.origin,
      found: `${track.recordings} recordings in one file`,
      expected: "all of them new to the log: importing the file would also make the others. Saved without its track",
    });
  }
}

async function isPlannedWhole(run: number, journal: Journal, track: TrackRef): Promise<boolean> {
  const legs = new Set<number>();
  for (const line of await journal.linesOfFile(run, track.source ?? 0, track.entry)) {
    const leg = (line.value as Workout).track?.recording;
    if (line.kind === "workout" && line.state === "planned" && line.action === "create" && leg !== undefined)
      legs.add(leg);
  }
  return legs.size === track.recordings;
}
