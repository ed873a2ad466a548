/**
 * The second half of a plan: finds the planned records that the log already holds. logferry finds its own earlier records by key. It
 * recognises other records by their values: they come from somebody else, or from another source. Each record of the log stands for one
 * line only.
 */

import { mergeDuplicates, toFacts } from "../../../transforms/duplicates.ts";
import { verdictOf } from "../../../transforms/matching/likeness.ts";
import { identitiesOf } from "../../../transforms/model/identity.ts";
import { type Kind, LOADING_ORDER } from "../../../transforms/model/item.ts";
import { goneSince } from "../../journal/gone.ts";
import type { Journal } from "../../journal/journal.ts";
import { isRecord, type Line, type RecordLine } from "../../journal/line.ts";
import type { ClaimedEntry, RemoteRecord } from "../../journal/remote-record.ts";
import { SourceSteps } from "../../journal/source-steps.ts";
import { staleListing } from "../../log/stale-listing.ts";
import { isEmpty } from "../../sources/is-empty.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { EmptiedValues } from "../compare/emptied-values.ts";
import { findAgain, findEarlier, placeAgain } from "../compare/found-again.ts";
import { keepLostFile, lostAsLoaded } from "../compare/lost-before.ts";
import { allMergedInto, idInKey, isOfAnotherRow, isOneSource } from "../compare/own-records.ts";
import { takeFollowed } from "../courses/link-courses.ts";
import { tellGearGaps } from "../equipment/gear-gaps.ts";
import { mergeLikelyGear } from "../equipment/likely-gear.ts";
import { mergeSameEquipment, reuseEquipmentOfLog } from "../equipment/same-equipment.ts";
import { settleWornGear } from "../equipment/worn-in-log.ts";
import { changedSinceLoaded } from "../pairs/changed-fields.ts";
import { changedAnswer } from "../sources/changed-answer.ts";
import { linkSources } from "../sources/link-sources.ts";
import { changedPreference } from "../sources/prefer-fields.ts";
import { obeyAnswersAboutLog } from "./answers-about-log.ts";
import { BlankFields } from "./blank-fields.ts";
import { findClockOfLog } from "./clock-of-log.ts";
import { DoubtfulInLog } from "./doubtful-in-log.ts";
import { tellDroppedInLog } from "./dropped-in-log.ts";
import { findEditedRows } from "./edited-rows.ts";
import { lackingReference } from "./lacking-reference.ts";
import { findSplitsInLog } from "./log-splits.ts";
import { whyInLog } from "./match-log.ts";
import { findMergedBefore } from "./merged-before.ts";
import { holdMovedStarts } from "./moved-starts.ts";
import { keepNewerValues } from "./older-export.ts";
import { holdOtherUnits } from "./other-units.ts";
import { findOverlapsInLog } from "./overlaps-in-log.ts";
import { findOwnRecord } from "./own-record.ts";
import { PartsBefore } from "./parts-before.ts";
import { settleRowsAway } from "./rows-away.ts";
import { beforeRun, completesRecording, inDoubtSince, putBefore, undoneBefore } from "./settled-lines.ts";
import { tellTracksOfLog } from "./tracks-of-log.ts";
import { holdOtherSportsOfLog, settleTwoSports } from "./two-sports.ts";
import { chooseUploadMethods } from "./upload-methods.ts";
import { type ComparedBy, workoutsByDay } from "./workouts-by-day.ts";

/**
 * Compares every planned line with the log. The line becomes `unchanged`, `update` or `skipped`, or stays `create` and gets an upload
 * method.
 */
export async function compareWithLog(run: number, context: ComparisonContext): Promise<void> {
  await mergeSameEquipment(run, context);
  await linkSources(run, context);
  await mergeLikelyGear(run, context);
  await tellGearGaps(run, context);
  await compareLinked(run, context);
}

/** Compares the lines with the log, after the sources were linked. */
export async function compareLinked(run: number, linked: ComparisonContext): Promise<void> {
  const { journal } = linked;
  const context = { ...linked, steps: new SourceSteps(journal), emptied: new EmptiedValues(journal) };
  if (context.options.linkCourses === true) await takeFollowed(run, context);
  // Records with a known key come first. They claim their log records before other lines are matched by their values.
  await settleTwoSports(run, context);
  const isFirst = await isEmpty(journal.allRemoteRecords());
  const blanks = new BlankFields(context);
  // Shoes and courses come before the workouts that use them. Whether a workout lacks its shoe depends on whether the shoe is gone.
  if (!isFirst) for (const kind of LOADING_ORDER) await findByKey(run, kind, context, blanks);
  const isUsed = await mayBeThere(journal);
  const doubtful = new DoubtfulInLog(context);
  const settleAs = (as: Pick<Found, "mayJoin">) => (line: RecordLine, entry: ClaimedEntry, why: string) =>
    settleFound(line, { entry, why, mayFill: true, ...as }, context, blanks);
  if (isUsed) await findThings(run, context, blanks);
  // A person may say of any of these pairs that they are two. Then the line is compared again, as it was.
  if (isUsed) await journal.links.begin();
  await obeyAnswersAboutLog(run, context, settleAs({ mayJoin: "edited row" }));
  if (isUsed) await findWorkouts(run, context, { by: "own values", blanks, doubtful });
  if (!isFirst) await findEditedRows(run, context, (line, entry) => takeOver(line, entry, context, blanks));
  if (isUsed) await findWorkouts(run, context, { by: "merged values too", blanks, doubtful });
  if (isUsed) await findClockOfLog(run, context, "proven", settleAs({ mayJoin: false }));
  if (!isFirst) await findMergedBefore(run, context);
  if (isUsed) await findClockOfLog(run, context, "likely", settleAs({ mayJoin: false }));
  if (isUsed) await findSplitsInLog(run, context);
  if (isUsed) {
    // Equipment with fewer details, and workouts with another sport.
    await reuseEquipmentOfLog(run, context);
    await holdOtherSportsOfLog(run, context);
  }
  await settleWornGear(run, context);
  await keepNewerValues(run, context);
  await doubtful.remark();
  if (isUsed) await findOverlapsInLog(run, context);
  await blanks.remark();
  if (!isFirst) await holdMovedStarts(run, context);
  if (!isFirst) await holdOtherUnits(run, context);
  if (!isFirst) await settleRowsAway(run, context);
  if (!isFirst) await tellDroppedInLog(run, context);
  await context.emptied.remark(context.report);
  await chooseUploadMethods(run, context);
  await tellTracksOfLog(run, context);
}

/** Whether the log has or may have any records. For a first migration into an empty log, no search is needed. */
async function mayBeThere(journal: Journal): Promise<boolean> {
  for (const kind of LOADING_ORDER) if ((await journal.logSize(kind)) > 0) return true;
  return (await journal.doubtful()).length > 0;
}

async function findByKey(run: number, kind: Kind, context: ComparisonContext, blanks: BlankFields): Promise<void> {
  const { journal, capabilities } = context;
  const listed = { workout: capabilities.listsWorkouts, course: capabilities.listsCourses, equipment: true };
  const gone = new Set<number>();
  const parts = new PartsBefore(context);
  for await (const line of journal.lines(run, { state: ["planned"], kind })) {
    const merged = await allMergedInto(line, journal);
    const remoteRecord = await findOwnRecord(line, merged, context);
    if (remoteRecord === undefined || (await parts.settle(line, remoteRecord)) !== "not") continue;
    await journal.claimLog(kind, remoteRecord.remoteId, line.key);
    const isGone = listed[kind] && !(await journal.logHas(kind, remoteRecord.remoteId));
    if (isGone) gone.add(line.seq);
    else await settleThere(line, remoteRecord, merged, { ...context, blanks });
  }
  // By now, every record that is still there under its own id is claimed. The unclaimed records may include gone ones under a new id.
  if (gone.size > 0) await settleGone(run, kind, gone, { ...context, blanks });
}

/** The comparison, with the blank fields of the log's workouts. */
type FillingContext = ComparisonContext & { readonly blanks: BlankFields };

async function settleThere(read: Line, remoteRecord: RemoteRecord, merged: readonly Line[], context: FillingContext) {
  const { journal, settings, blanks } = context;
  let line = read;
  await keepLostFile(line, remoteRecord, context);
  const newcomer = await firstNewcomer(line, merged, journal);
  const undone = settings.manualDecisions?.undone(line.key) ?? settings.manualDecisions?.undone(remoteRecord.key);
  if (undone !== undefined) {
    const isNewer = settings.manualDecisions?.isFixedSince(line, undone.at) === true;
    const put = undoneBefore(undone, remoteRecord, isNewer ? "decided since" : settings.again);
    return journal.patchLine(line.run, line.seq, await blanks.orFill(line, remoteRecord, put));
  }
  let changed = await changedSinceLoaded(line, remoteRecord, journal);
  const kept = changed && (await context.emptied?.keep(line, await journal.loadedLine(remoteRecord)));
  if (kept !== undefined && line.kind === "workout") {
    line = { ...line, value: kept.value };
    changed = kept.changed;
    await journal.patchLine(line.run, line.seq, { value: kept.value, facts: toFacts(kept.value) });
  }
  const isComplete = putBefore(line, remoteRecord, { newcomer, changed }).action === "none";
  const reason = isComplete
    ? ((await changedPreference(line, remoteRecord, context)) ??
      (await changedAnswer(line, remoteRecord, merged, context)))
    : undefined;
  if (reason !== undefined) {
    const { remoteId } = remoteRecord;
    const preferred = { action: "update", uploadMethod: "save", remoteId, reason } as const;
    return journal.patchLine(line.run, line.seq, await blanks.orFill(line, remoteRecord, preferred));
  }
  const lacking = await lackingReference(line, remoteRecord, journal);
  const isFixed = changed !== undefined && changed.length > 0 && (await isFixedSince(line, remoteRecord, context));
  const put = putBefore(line, remoteRecord, { newcomer, lacking, changed, isFixed });
  return journal.patchLine(line.run, line.seq, await blanks.orFill(line, remoteRecord, put));
}

/** Whether a person gave values for a record since a run loaded it. */
async function isFixedSince(
  line: Line,
  { run }: RemoteRecord,
  { journal, settings }: ComparisonContext,
): Promise<boolean> {
  const loadedAt = (await journal.run(run))?.createdAt ?? 0;
  return settings.manualDecisions?.isFixedSince(line, loadedAt) ?? false;
}

/** Settles the lines whose record is gone under its id. Some of them are in the log under another id. */
async function settleGone(run: number, kind: Kind, gone: ReadonlySet<number>, context: FillingContext): Promise<void> {
  const { journal, settings } = context;
  for await (const line of journal.lines(run, { state: ["planned"], kind })) {
    if (!gone.has(line.seq)) continue;
    const merged = await allMergedInto(line, journal);
    const remoteRecord = await findOwnRecord(line, merged, context);
    if (remoteRecord === undefined) continue;
    const again = await findAgain(line, remoteRecord, journal, await candidatesFor(line, context));
    const moved = again && (await placeAgain(line, merged, again.id, journal));
    if (moved !== undefined) {
      await journal.claimLog(kind, moved.remoteId, line.key);
      await settleThere(line, moved, merged, context);
      continue;
    }
    const earlier = await findEarlier(line, merged, remoteRecord, journal);
    if (earlier !== undefined) {
      // What a later run sent says nothing about this version: its differences are nobody's edits.
      await placeAgain(line, merged, earlier, journal, { sent: undefined });
      await journal.claimLog(kind, earlier, line.key);
      await journal.patchLine(run, line.seq, beforeRun(remoteRecord, earlier));
    } else if (settings.restoreMissing === true) await refuseWhereThere(kind, remoteRecord.remoteId, context);
    else await journal.patchLine(run, line.seq, goneSince(remoteRecord));
  }
}

/**
 * Stops the plan if a record that it would make again is still in the log. This asks the log for the record itself, because the listing may
 * be stale.
 *
 * @throws FatalError `plan/listing-stale` when the record is there, or when the log can't be asked
 */
async function refuseWhereThere(kind: Kind, id: string, { isThere }: ComparisonContext): Promise<void> {
  if (isThere === undefined || (await isThere(kind, id))) throw staleListing(kind, id);
}

/** A workout from another source that was merged into this line after the line was loaded. It may add values. */
async function firstNewcomer(line: Line, merged: readonly Line[], journal: Journal): Promise<Line | undefined> {
  if (line.kind !== "workout") return undefined;
  for (const other of merged) if ((await journal.remoteRecord(other.key)) === undefined) return other;
  return undefined;
}

/** Finds the equipment and the courses of a plan in the log. */
async function findThings(run: number, context: ComparisonContext, blanks: BlankFields): Promise<void> {
  for (const kind of THINGS)
    for await (const line of context.journal.lines(run, { state: ["planned"], kind })) {
      if (!isRecord(line) || line.action !== "create") continue;
      const candidates = await candidatesFor(line, context);
      const own = idInKey(line);
      const entry = candidates.find(({ id }) => id === own) ?? candidates[0];
      if (entry === undefined) await waitIfInDoubt(line, context);
      else await settleFound(line, { entry, why: WHY_SAME[kind], mayFill: true, mayJoin: true }, context, blanks);
    }
}

const THINGS = ["equipment", "course"] as const;

const WHY_SAME = {
  equipment: "same activity, brand, model, serial and purchase date",
  course: "same name and length",
} as const;

/** Finds the workouts of a plan in the log. */
async function findWorkouts(
  run: number,
  context: ComparisonContext,
  search: { readonly by: ComparedBy; readonly blanks: BlankFields; readonly doubtful: DoubtfulInLog },
): Promise<void> {
  const { journal, settings } = context;
  for await (const { seq, match } of workoutsByDay(run, context, search.by)) {
    const line = await journal.line(run, seq);
    if (line?.kind !== "workout") continue;
    const isDoubtful = match?.likeness !== undefined && verdictOf(match.likeness.score) === "doubtful";
    const staysTwo = isDoubtful && settings.doubtful !== "one";
    // What is doubtful by its own values may be sure by those of its copies.
    if (isDoubtful && (!staysTwo || search.by === "merged values too"))
      await search.doubtful.add(line, match, staysTwo ? "doubtful" : "one");
    if (match === undefined || staysTwo) await waitIfInDoubt(line, context);
    else {
      const found = { entry: match.entry, why: whyInLog(match), mayFill: match.rivals === 0, mayJoin: true };
      await settleFound(line, found, context, search.blanks);
    }
  }
}

/** A record of the log that is a line's. */
interface Found {
  readonly entry: ClaimedEntry;
  /** How it was recognised. */
  readonly why: string;
  /** Whether the line may fill blank fields of it. */
  readonly mayFill: boolean;
  /**
   * Whether the line may join a record that an earlier run loaded, and update it. One with another clock would change the start. By a person's word, only an
   * edited row may: the log keeps its values.
   */
  readonly mayJoin: boolean | "edited row";
}

async function settleFound(
  line: RecordLine,
  { entry, why, mayFill, mayJoin }: Found,
  context: ComparisonContext,
  blanks: BlankFields,
): Promise<void> {
  const { journal } = context;
  await journal.claimLog(line.kind, entry.id, line.key);
  if (mayJoin !== false && (await joinOurOwn(line, entry, context, blanks, mayJoin))) return;
  await placeAgain(line, await allMergedInto(line, journal), entry.id, journal);
  await journal.patchLine(line.run, line.seq, await blanks.settle(line, entry, why, mayFill));
}

/** Leaves a line alone that an earlier run may have loaded. */
async function waitIfInDoubt(line: RecordLine, { journal }: ComparisonContext): Promise<void> {
  const doubt = await findDoubt(line, journal);
  if (doubt !== undefined) await journal.patchLine(line.run, line.seq, inDoubtSince(doubt));
}

/** The run that may have loaded a line, or a line merged into it. Its answer was lost, and the service has no listing to check. */
async function findDoubt(line: Line, journal: Journal): Promise<number | undefined> {
  for (const { key } of [line, ...(await allMergedInto(line, journal))]) {
    const run = await journal.runInDoubt(key);
    if (run !== undefined) return run;
  }
  return undefined;
}

/**
 * Joins a line with a workout that logferry loaded for another record. There are two cases. A platform's row joins its recording, as it
 * would in a single plan. An edited row replaces the old row: rows without an id are known by their content only. Any other pair is one
 * workout, and keeps the values of the first record.
 *
 * @returns whether one of the two cases applied
 */
async function joinOurOwn(
  line: Line,
  entry: ClaimedEntry,
  { journal, sources, emptied }: ComparisonContext,
  blanks: BlankFields,
  mayJoin: true | "edited row" = true,
): Promise<boolean> {
  if (line.kind !== "workout" || entry.claimedBy === undefined) return false;
  const remoteRecord = await journal.remoteRecord(entry.claimedBy);
  const old = remoteRecord === undefined ? undefined : await journal.lineWithKey(remoteRecord.run, remoteRecord.key);
  if (remoteRecord === undefined || old?.kind !== "workout") return false;
  const oldSource = (await journal.run(old.run))?.sources[old.source];
  const isRecording = sources[line.source]?.recordings === true;
  const isSameName = old.origin.connector === line.origin.connector && old.origin.archive === line.origin.archive;
  const isSameRow = isSameName && (await isOneSource(line, old, journal));
  if (isRecording || !(isSameRow || (mayJoin === true && oldSource?.recordings === true))) return false;
  await journal.keepRemoteRecord({ ...remoteRecord, key: line.key });
  // The log already has the file of the recording. The file lies in a source of another run.
  const { track: _track, ...recorded } = old.value;
  const ours = lostAsLoaded(line.value, old.value);
  const kept = isSameRow ? await emptied?.keep({ ...line, value: ours }, old) : undefined;
  const value = kept?.value ?? (isSameRow ? ours : mergeDuplicates(ours, recorded, true));
  const own = { ...remoteRecord, key: line.key };
  const settled = { ...putBefore(line, own, kept), value };
  const put =
    isSameRow || settled.action !== "update"
      ? settled
      : { ...settled, reason: completesRecording(line, remoteRecord, old) };
  await journal.patchLine(line.run, line.seq, await blanks.orFill({ ...line, value }, own, put));
  return true;
}

/**
 * Makes an edited row the successor of the row that was loaded.
 *
 * @returns whether it did
 */
async function takeOver(
  line: Line,
  entry: ClaimedEntry,
  context: ComparisonContext,
  blanks: BlankFields,
): Promise<boolean> {
  if (!(await joinOurOwn(line, entry, context, blanks))) return false;
  await context.journal.claimLog("workout", entry.id, line.key);
  return true;
}

/** Whether a log record stands for another workout: a person said so, or it is another row of the line's own file. */
async function isOfAnother(line: Line, entry: ClaimedEntry, context: ComparisonContext): Promise<boolean> {
  if (context.settings.manualDecisions?.pairs.areTwoInLog(line.key, entry) === true) return true;
  return isOfAnotherRow(line, entry, context);
}

/**
 * The log records that may equal a line. For a workout: workouts of its activity around its day, except records of other rows. For a shoe
 * or a course: records with the same identity.
 */
async function candidatesFor(line: RecordLine, context: ComparisonContext): Promise<readonly ClaimedEntry[]> {
  const { journal, settings } = context;
  if (line.kind === "workout") {
    const workout = line.value;
    const facts = toFacts(workout);
    const activityID = workout.activity === undefined ? undefined : settings.activityIDs[workout.activity];
    if (facts === undefined || activityID === undefined) return [];
    const free: ClaimedEntry[] = [];
    const own = idInKey(line);
    for (const entry of await journal.logCandidates(line.run, facts, activityID))
      if (entry.id === own || !(await isOfAnother(line, entry, context))) free.push(entry);
    return free;
  }
  const alike: ClaimedEntry[] = [];
  for (const identity of identitiesOf(line, settings.activityIDs))
    alike.push(...(await journal.logWithIdentity(line.run, line.kind, identity)));
  return alike;
}
