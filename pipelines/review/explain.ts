/**
 * The audit trail of one record, from the journal alone. It shows the record's place, its values, the origin of its local time and
 * activity, and the records that it was compared with. Then come the decisions, requests and answers, run by run, and the values that the
 * log can't hold.
 */
import { activityNamed, foldSport } from "../../transforms/activities.ts";
import { asIfUtc, showsAt, utcText, zoneAt } from "../../transforms/calendar.ts";
import { toFacts, type WorkoutFacts } from "../../transforms/duplicates.ts";
import type { Likeness } from "../../transforms/matching/compare-facts.ts";
import { compareAsTheyAre, isSure } from "../../transforms/matching/compare-facts.ts";
import { describeLikeness, describeSteps } from "../../transforms/matching/describe-likeness.ts";
import type { Origin } from "../../transforms/model/issue.ts";
import type { Start, UnsupportedValue, ValueNotAdded, Workout } from "../../transforms/model/workout.ts";
import type { LineDetails, LineEvent, ManualDecision, Overwritten } from "../journal/audit-trail.ts";
import type { JournalReader } from "../journal/journal.ts";
import type { Line } from "../journal/line.ts";
import type { FoundPair, PairAnswer } from "../journal/links.ts";
import type { LogEntry, RemoteRecord } from "../journal/remote-record.ts";
import type { Run, RunOptions } from "../journal/run.ts";
import { isNamedBy, isShortId, longId, shortId } from "../journal/short-id.ts";
import { SourceSteps } from "../journal/source-steps.ts";
import { offsetInWords } from "../plan/pairs/describe-match.ts";
import { findTrack } from "../sources/legs.ts";
import { decisionsAbout } from "./decided.ts";
import { type FieldSource, fieldSources } from "./field-sources.ts";

/** A record in one run. */
export interface HistoryEntry {
  readonly run: Run;
  readonly line: Line;
  readonly details: LineDetails;
  readonly events: readonly LineEvent[];
  /** Other records that were merged with it in that run. */
  readonly mergedHere: readonly Line[];
  /** The log's record before this run overwrote it. */
  readonly overwritten: Overwritten | undefined;
}

/** Another workout of the same day, and whether it is the same one. */
export interface ComparedWorkout {
  /** A line of the run, or a workout of the log that no line stands for. */
  readonly with: Line | LogEntry;
  readonly isSame: boolean;
  /** The evidence that they are the same, or the difference between the two. */
  readonly why: string;
}

/** All that is known about a record. */
export interface RecordHistory {
  readonly id: string;
  readonly key: string;
  /** Run by run, oldest first. The output begins with the last one. */
  readonly entries: readonly [HistoryEntry, ...HistoryEntry[]];
  /** The origin of its local time; undefined for other kinds, and for a workout without one. */
  readonly localTime: string | undefined;
  /** The origin of its activity, likewise. */
  readonly activity: string | undefined;
  /** The steps to which its source rounds its values, in words; undefined where it rounds none of them, and for other kinds. */
  readonly rounded: string | undefined;
  readonly comparedWith: readonly ComparedWorkout[];
  /** A person's decisions about it. */
  readonly manualDecisions: readonly ManualDecision[];
  /** A person's answers about it and another record. */
  readonly answers: readonly PairAnswer[];
  /** Its record in the log, if there is one. */
  readonly remoteRecord: RemoteRecord | undefined;
  /** The record that it was merged into. The history continues there. */
  readonly goesOnAs: Line | undefined;
  /** Of a workout that others were merged into: the source of each field. */
  readonly fieldSources: readonly FieldSource[];
  readonly unsupported: readonly UnsupportedValue[];
  /** Values that the log's workout lacks or has otherwise, because another source brought the workout first. */
  readonly notAdded: readonly ValueNotAdded[];
  /** Values that a run fills into blank fields of the log's workout, or has filled. */
  readonly filled: readonly UnsupportedValue[];
}

/**
 * The records that the words name: a date, an id or its beginning, a key, the log's id, a file of a source, or a place in it
 * (`log.csv:212`, `log.csv line 212`, `log.xlsx Sheet "2019", row 12`).
 *
 * @returns the last line of each
 */
export async function recordsNamed(journal: JournalReader, words: string): Promise<readonly Line[]> {
  const { auditTrail } = journal;
  const found = [...(await auditTrail.linesWithKey(words)), ...(await auditTrail.find({ remoteId: words }))];
  if (isShortId(words)) found.push(...(await linesWithId(journal, words)));
  if (/^\d{4}-\d{2}-\d{2}$/.test(words)) found.push(...(await auditTrail.find({ date: words })));
  const places = [[words, undefined] as const, ...placeNamed(words)];
  for (const [path, locator] of places) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const exact = await auditTrail.find({ place: path, locator });
    found.push(...(exact.length > 0 || name === path ? exact : await auditTrail.find({ place: name, locator })));
  }
  if (found.length === 0) found.push(...(await linesDecidedAs(journal, words)));
  const last = new Map<string, Line>();
  for (const line of found) {
    const known = last.get(line.key);
    if (known === undefined || known.run <= line.run) last.set(line.key, line);
  }
  return [...last.values()];
}

/**
 * Parses `log.csv:212`, `log.csv 212`, `log.csv line 212` or `a.fit recording 2` into the entry, and the place in it as an origin writes
 * it.
 */
function placeNamed(words: string): (readonly [path: string, locator: string])[] {
  const sheet = words.search(/[: ]Sheet "/);
  const cell =
    sheet < 1 ? undefined : /^Sheet ".*", row \d{1,9}(?=$|, column [A-Z]{1,3}$)/.exec(words.slice(sheet + 1))?.[0];
  if (cell !== undefined) return [[words.slice(0, sheet).replace(/:$/, ""), cell]];
  let end = words.length;
  while (/[0-9]/.test(words[end - 1] ?? "")) end--;
  const number = words.slice(end);
  const head = words.slice(0, end);
  if (number === "" || !(head.endsWith(":") || head.endsWith(" "))) return [];
  const before = head.endsWith(":") ? head.slice(0, -1) : head.trimEnd();
  const what =
    head.endsWith(" ") &&
    ["line", "recording"].find((word) => before.endsWith(` ${word}`) || before.endsWith(`:${word}`));
  const path = what ? before.slice(0, -what.length - 1).trimEnd() : before;
  return path === "" ? [] : [[path, `${what || "line"} ${number}`]];
}

/** The lines at the place of a record that a person decided about by this name. With a typed value a row has another key, and so another name. */
async function linesDecidedAs({ auditTrail }: JournalReader, word: string): Promise<readonly Line[]> {
  const named = (await auditTrail.manualDecisions()).filter(({ key }) => isNamedBy(word, key));
  const lines: Line[] = [];
  for (const { origin } of named)
    lines.push(...(await auditTrail.find({ place: origin.entry, locator: origin.locator })));
  return lines;
}

/** The lines of all runs with a short name that begins so. */
async function linesWithId(journal: JournalReader, word: string): Promise<readonly Line[]> {
  const seqs: Line[] = [];
  for (const run of await journal.runs()) {
    for await (const { seq, key } of journal.auditTrail.keys(run.id)) {
      if (!longId(key).startsWith(word)) continue;
      const line = await journal.line(run.id, seq);
      if (line !== undefined) seqs.push(line);
    }
  }
  return seqs;
}

/** Reads the whole history of a record. @returns undefined when no run has it */
export async function readHistory(journal: JournalReader, key: string): Promise<RecordHistory | undefined> {
  const entries: HistoryEntry[] = [];
  for (const line of await journal.auditTrail.linesWithKey(key)) {
    const run = await journal.run(line.run);
    if (run !== undefined) entries.push(await readEntry(journal, run, line));
  }
  const [first, ...later] = entries;
  if (first === undefined) return undefined;
  const { run, line, details } = entries.at(-1) ?? first;
  const workout = line.kind === "workout" ? line.value : undefined;
  const own = workout && toFacts(workout);
  const steps = new SourceSteps(journal);
  return {
    id: shortId(key),
    key,
    entries: [first, ...later],
    localTime: workout === undefined ? undefined : describeLocalTime(workout.start, run.options),
    activity: workout === undefined ? undefined : describeActivity(workout, details, run.options),
    rounded: own && describeSteps(await steps.ofWorkout(line, own)),
    comparedWith: await othersOfTheDay(journal, run, line, steps),
    manualDecisions: await decisionsAbout(journal, line),
    answers: (await journal.links.answers()).filter(({ records }) => records.some((record) => record.key === key)),
    remoteRecord: await journal.remoteRecord(key),
    goesOnAs:
      line.state === "merged" && line.duplicateOf !== undefined && line.duplicateOf !== key
        ? await journal.lineWithKey(line.run, line.duplicateOf)
        : undefined,
    fieldSources: await fieldSources(journal, run, line),
    unsupported: workout?.unsupported ?? [],
    notAdded: workout?.notAdded?.values ?? [],
    filled: filledIn(entries),
  };
}

/** The values of the last run that filled some. A later run finds them in the log. */
function filledIn(entries: readonly HistoryEntry[]): readonly UnsupportedValue[] {
  const filling = entries.findLast(({ line }) => line.kind === "workout" && line.value.completes !== undefined)?.line;
  return filling?.kind === "workout" ? (filling.value.completes?.values ?? []) : [];
}

async function readEntry(journal: JournalReader, run: Run, line: Line): Promise<HistoryEntry> {
  const { auditTrail } = journal;
  return {
    run,
    line,
    details: await auditTrail.details(line.run, line.seq),
    events: await auditTrail.events(line.run, line.seq),
    mergedHere: await journal.mergedInto(line.run, line.key),
    overwritten: (await auditTrail.overwritten(line.run, line.seq))[0],
  };
}

/** The zone that gave a local time: that of the run, if it gives this one. */
export function zoneInWords({ date, time, instant }: Start, { zone }: Pick<RunOptions, "zone">): string {
  const isRuns =
    zone === undefined ||
    (date !== undefined && time !== undefined && instant !== undefined && showsAt(zone, instant, { date, time }));
  return isRuns ? `by the zone you named: ${zone ?? "as it was then"}` : "by the zone that you typed for it";
}

/** The source of the local date and time, with the zone and the offset from UTC. */
export function describeLocalTime(start: Start, options: Pick<RunOptions, "zone">): string | undefined {
  const { date, time, instant, basis, position, clockSet, isTyped } = start;
  if (date === undefined) return undefined;
  const offset =
    instant === undefined || time === undefined
      ? ""
      : `, ${utcText(Math.round((asIfUtc({ date, time }) - instant) / 60_000))}`;
  if (isTyped === true) return "as you typed it";
  switch (basis) {
    case "device":
      return `by the device's own clock${offset}`;
    case "position":
      return `by the zone at the first position${position === undefined ? "" : `: ${zoneAt(position)}`}${offset}`;
    case "other source":
      return `by the local time of other sources${offset}`;
    case "named zone":
      return `${zoneInWords(start, options)}${offset}`;
    case "utcOffset":
      return `by the fixed offset of your log's preference${offset}: no source knew better, so with daylight saving it may be an hour off`;
    default:
      if (clockSet !== undefined)
        return `as the source itself has it, set ${offsetInWords(clockSet)}: the other sources show that its clock is off`;
      return `as the source itself has it${time === undefined ? ", without a time of day" : ""}`;
  }
}

function describeActivity(
  { activity }: Workout,
  { asRead }: LineDetails,
  { sports = [] }: RunOptions,
): string | undefined {
  if (activity === undefined) return undefined;
  const sport = asRead?.sport;
  if (typeof sport !== "string") {
    const isSaid = sports.some(([name, to]) => name === "" && to === activity);
    const why = isSaid
      ? ', and you said what that means (--sport "=...")'
      : "; the file, its mapping or the workout it matches says it";
    return `${activity}: the source names no sport${why}`;
  }
  if (sports.some(([name, to]) => name === foldSport(sport) && to === activity))
    return `${activity}: ${JSON.stringify(sport)}, as you said (--sport, or "sports" in the config file)`;
  if (activityNamed(sport) === activity) return `${activity}: ${JSON.stringify(sport)} in the built-in table`;
  return `${activity}: ${JSON.stringify(sport)}, by the words of its source or the workout it matches`;
}

/** logferry never compares two workouts whose starts are further apart than this. */
const NEAR_SECONDS = 2 * 3600;

/** Workouts of the same run and day that could have been the same, and those of the log. */
async function othersOfTheDay(
  journal: JournalReader,
  run: Run,
  line: Line,
  steps: SourceSteps,
): Promise<readonly ComparedWorkout[]> {
  const own = line.kind === "workout" ? toFacts(line.value) : undefined;
  if (own === undefined) return [];
  const others: ComparedWorkout[] = [];
  const scored = await journal.links.pairs(run.id, line.key);
  for (const other of await journal.auditTrail.find({ date: own.date })) {
    if (other.run !== line.run || other.seq === line.seq || other.kind !== "workout") continue;
    const theirs = toFacts(other.value);
    // A clock that is off may bring two together that are far apart.
    const byClock = scored.find((pair) => isWith(other.key, pair) && pair.ms !== 0 && pair.verdict !== "two");
    if (theirs === undefined || (isFar(own, theirs) && byClock === undefined)) continue;
    const isSame =
      (other.state === "merged" && other.duplicateOf === line.key) ||
      (line.state === "merged" && line.duplicateOf === other.key) ||
      isPartOf(other.key, scored);
    // A merged line keeps the evidence of its merge. Since the merge, each of the two may have values of the other.
    const said = other.state === "merged" ? other.reason : line.reason;
    const kept =
      line.source === other.source
        ? "two records of one source are two workouts"
        : whyAnother(scored, await journal.links.pairs(run.id, other.key));
    const likeness = async () =>
      scoreWith(other.key, scored) ??
      compareAsTheyAre(own, theirs, {
        steps: [await steps.ofWorkout(line, own), await steps.ofWorkout(other, theirs)],
      });
    const asTwo = async () =>
      byClock === undefined
        ? whyApart(own, theirs, kept, await likeness())
        : `${describeLikeness(byClock)}, if one clock is ${offsetInWords(-byClock.ms).replace(/ \w+$/, "")} off`;
    const why = isSame ? (said ?? "the same record") : await asTwo();
    others.push({ with: other, isSame, why });
  }
  return [...others, ...(await othersInLog(journal, line, own, { activityIDs: run.options.activityIDs, steps }))];
}

/** Whether one of the two is a part of the other one. The whole stands for one of its parts, or one of the parts for the whole. */
function isPartOf(key: string, scored: readonly FoundPair[]): boolean {
  return scored.some(
    ({ one, other, verdict, parts }) => parts !== undefined && verdict === "one" && [one, other].includes(key),
  );
}

/**
 * Why two stayed two that are surely one workout by their own values.
 *
 * @param scored the scored pairs of one of the two
 * @param ofOther those of the other one
 */
function whyAnother(scored: readonly FoundPair[], ofOther: readonly FoundPair[]): string {
  const [chosen, chosenOfOther] = [scored, ofOther].map((pairs) =>
    pairs.find(({ verdict, parts }) => verdict !== "two" && parts === undefined),
  );
  if (chosen?.differences.isByOrder === true) return "the order of the rows speaks for another pair that fits as well";
  if (chosen?.differences.rivals !== undefined) return "another pair fits as well";
  if (chosen !== undefined && chosenOfOther !== undefined) return "each of the two has another that is closer";
  if (chosen !== undefined || chosenOfOther !== undefined) return "one of the two has another that is closer";
  return "the clocks of their sources are apart, or an answer keeps them two";
}

function isWith(key: string, { one, other }: FoundPair): boolean {
  return one === key || other === key;
}

function isFar(own: WorkoutFacts, theirs: WorkoutFacts): boolean {
  const isTimed = own.time !== undefined && theirs.time !== undefined;
  return isTimed && Math.abs(asIfUtc(own) - asIfUtc(theirs)) > NEAR_SECONDS * 1000;
}

/** The workouts of the log that no line stands for, as the last listing had them. */
async function othersInLog(
  journal: JournalReader,
  line: Line,
  own: WorkoutFacts,
  { activityIDs, steps }: Pick<RunOptions, "activityIDs"> & { readonly steps: SourceSteps },
): Promise<readonly ComparedWorkout[]> {
  const activityID = own.activity === undefined ? undefined : activityIDs[own.activity];
  if (activityID === undefined) return [];
  const others: ComparedWorkout[] = [];
  for (const entry of await journal.logCandidates(line.run, own, activityID)) {
    const theirs = entry.facts;
    if (theirs === undefined || theirs.date !== own.date || isFar(own, theirs)) continue;
    const likeness = compareAsTheyAre(own, theirs, {
      steps: [await steps.ofWorkout(line, own), await steps.ofRecord(entry)],
    });
    others.push({ with: entry, isSame: false, why: whyApart(own, theirs, "they stayed two", likeness) });
  }
  return others;
}

/** The score that the plan gave a pair. It counts what the other workouts of both sources say, too. */
function scoreWith(key: string, scored: readonly FoundPair[]): Likeness | undefined {
  return scored.find(
    ({ one, other, isClockUnproven, ms }) => [one, other].includes(key) && ms === 0 && !isClockUnproven,
  );
}

/** @param kept why two workouts that are alike stayed two */
function whyApart(own: WorkoutFacts, theirs: WorkoutFacts, kept: string, likeness: Likeness): string {
  if (own.activity !== theirs.activity) return `another activity: ${theirs.activity ?? "unknown"}`;
  return `${describeLikeness(likeness)}${isSure(likeness) ? `, but ${kept}` : ""}`;
}

/** The path that a person opens, with the folder or archive on their disk. */
export function pathOf(run: Run, line: Line): string | undefined {
  return run.sources[line.source]?.path;
}

/** An origin with the entry of the track, if that is a different one. */
export function trackEntry(line: Line): { readonly entry: string; readonly recording: string | undefined } | undefined {
  const track = findTrack(line);
  if (track === undefined || (track.entry === line.origin.entry && track.recordings === 1)) return undefined;
  return {
    entry: track.entry,
    recording:
      track.recordings === 1
        ? undefined
        : `recording ${track.recording + 1} of ${track.recordings}${track.alone ? ", sent as a file of its own" : ""}`,
  };
}

/** An origin with the short name of its record, for JSON. */
export function reference(line: Line): { readonly id: string; readonly key: string; readonly origin: Origin } {
  return { id: shortId(line.key), key: line.key, origin: line.origin };
}
