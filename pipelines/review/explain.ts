/**
 * The chain of custody of one record, from the journal alone: where it lies, what was read, how its local time and its activity came
 * about, which others it was held against, what was decided, sent and answered, run by run, and what the log can't hold of it.
 */
import { activityNamed, foldSport } from "../../transforms/activities.ts";
import { asIfUtc, zoneAt } from "../../transforms/calendar.ts";
import { factsOf, twinEvidence, type WorkoutFacts, whyNotTwins } from "../../transforms/duplicates.ts";
import type { Origin } from "../../transforms/model/item.ts";
import type { Beyond, Start, Workout } from "../../transforms/model/workout.ts";
import type { LineDetails, LineEvent, Overwritten, Ruling } from "../journal/audit-trail.ts";
import type { JournalReader, Line, Placed, Run, RunOptions } from "../journal/journal.ts";
import { isShortId, longId, shortId } from "../journal/short-id.ts";
import { describeEvidence } from "../plan/describe-match.ts";

/** A record in one run. */
export interface Chapter {
  readonly run: Run;
  readonly line: Line;
  readonly details: LineDetails;
  readonly events: readonly LineEvent[];
  /** Other records that are one with it there. */
  readonly mergedHere: readonly Line[];
  /** How the record of the log stood before this run wrote over it. */
  readonly overwritten: Overwritten | undefined;
}

/** Another workout of the same day, and whether it is the same one. */
export interface HeldAgainst {
  readonly line: Line;
  readonly isSame: boolean;
  /** The evidence, or what tells the two apart. */
  readonly why: string;
}

/** Everything that is known of a record. */
export interface Story {
  readonly id: string;
  readonly key: string;
  /** Run by run, oldest first; the last one is what is told first. */
  readonly chapters: readonly [Chapter, ...Chapter[]];
  /** How its local time came about; undefined where it is no workout, or has none. */
  readonly localTime: string | undefined;
  /** How its activity came about, likewise. */
  readonly activity: string | undefined;
  readonly heldAgainst: readonly HeldAgainst[];
  /** What a person decided about it. */
  readonly rulings: readonly Ruling[];
  /** Where it stands in the log, if it does. */
  readonly placed: Placed | undefined;
  /** The record it was merged into, whose story goes on where its own ends. */
  readonly goesOnAs: Line | undefined;
  readonly beyond: readonly Beyond[];
}

/**
 * The records that words name: a date, an id or the beginning of one, a key, the log's id, a file of a source, or a place in it
 * (`log.csv:212`, `log.csv line 212`).
 *
 * @returns the last line of each
 */
export async function recordsNamed(journal: JournalReader, words: string): Promise<readonly Line[]> {
  const { custody } = journal;
  const found = [...(await custody.linesWithKey(words)), ...(await custody.find({ remoteId: words }))];
  if (isShortId(words)) found.push(...(await linesWithId(journal, words)));
  if (/^\d{4}-\d{2}-\d{2}$/.test(words)) found.push(...(await custody.find({ date: words })));
  const places = [[words, undefined] as const, ...placeNamed(words)];
  for (const [path, locator] of places) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const exact = await custody.find({ place: path, locator });
    found.push(...(exact.length > 0 || name === path ? exact : await custody.find({ place: name, locator })));
  }
  const last = new Map<string, Line>();
  for (const line of found) {
    const known = last.get(line.key);
    if (known === undefined || known.run <= line.run) last.set(line.key, line);
  }
  return [...last.values()];
}

/** `log.csv:212`, `log.csv 212`, `log.csv line 212`, `a.fit recording 2`: the entry, and the place in it as an origin has it. */
function placeNamed(words: string): (readonly [path: string, locator: string])[] {
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

/** Lines whose short name begins so, in the last run that has them. */
async function linesWithId(journal: JournalReader, word: string): Promise<readonly Line[]> {
  const seqs: Line[] = [];
  for (const run of await journal.runs()) {
    for await (const { seq, key } of journal.custody.keys(run.id)) {
      if (!longId(key).startsWith(word)) continue;
      const line = await journal.line(run.id, seq);
      if (line !== undefined) seqs.push(line);
    }
  }
  return seqs;
}

/** Tells all of a record. @returns undefined when no run has it */
export async function storyOf(journal: JournalReader, key: string): Promise<Story | undefined> {
  const chapters: Chapter[] = [];
  for (const line of await journal.custody.linesWithKey(key)) {
    const run = await journal.run(line.run);
    if (run !== undefined) chapters.push(await chapterOf(journal, run, line));
  }
  const [first, ...later] = chapters;
  if (first === undefined) return undefined;
  const { run, line, details } = chapters.at(-1) ?? first;
  const workout = line.kind === "workout" ? (line.value as Workout | undefined) : undefined;
  return {
    id: shortId(key),
    key,
    chapters: [first, ...later],
    localTime: workout === undefined ? undefined : describeLocalTime(workout.start, run.options),
    activity: workout === undefined ? undefined : describeActivity(workout, details, run.options),
    heldAgainst: await othersOfTheDay(journal, line),
    rulings: (await journal.custody.rulings()).filter((ruling) => ruling.key === key),
    placed: await journal.placed(key),
    goesOnAs:
      line.state === "merged" && line.twin !== undefined && line.twin !== key
        ? await journal.lineWithKey(line.run, line.twin)
        : undefined,
    beyond: workout?.beyond ?? [],
  };
}

async function chapterOf(journal: JournalReader, run: Run, line: Line): Promise<Chapter> {
  const { custody } = journal;
  return {
    run,
    line,
    details: await custody.details(line.run, line.seq),
    events: await custody.events(line.run, line.seq),
    mergedHere: await journal.mergedInto(line.run, line.key),
    overwritten: (await custody.overwritten(line.run)).find(({ seq }) => seq === line.seq),
  };
}

/** Where the local date and time are from, with the zone and the distance from UTC. */
export function describeLocalTime(start: Start, options: Pick<RunOptions, "zone">): string | undefined {
  const { date, time, instant, basis, position } = start;
  if (date === undefined) return undefined;
  const offset = instant === undefined || time === undefined ? "" : `, ${offsetOf(asIfUtc({ date, time }) - instant)}`;
  switch (basis) {
    case "device":
      return `by the device's own clock${offset}`;
    case "position":
      return `by the zone at the first position${position === undefined ? "" : `: ${zoneAt(position)}`}${offset}`;
    case "named zone":
      return `by the zone you named: ${options.zone ?? "as it was then"}${offset}`;
    case "utcOffset":
      return `by the fixed offset of your log's preference${offset}: no source knew better, so with daylight saving it may be an hour off`;
    default:
      return `as the source itself has it${time === undefined ? ", without a time of day" : ""}`;
  }
}

function offsetOf(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? "-" : "+"}${hours}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`}`;
}

function describeActivity(
  { activity }: Workout,
  { asRead }: LineDetails,
  { sports = [] }: RunOptions,
): string | undefined {
  if (activity === undefined) return undefined;
  const sport = asRead?.sport;
  if (typeof sport !== "string") {
    const forNone = sports.some(([name]) => name === "");
    return `${activity}: the source names no sport${forNone ? ', and you said what that means (--sport "=...")' : "; the file or its mapping says it"}`;
  }
  if (sports.some(([name, to]) => name === foldSport(sport) && to === activity))
    return `${activity}: ${JSON.stringify(sport)}, as you said (--sport, or "sports" in the config file)`;
  if (activityNamed(sport) === activity) return `${activity}: ${JSON.stringify(sport)} in the built-in table`;
  return `${activity}: ${JSON.stringify(sport)}, by the words of its source`;
}

/** Two workouts that begin further apart than this are held against each other by nobody. */
const NEAR_SECONDS = 2 * 3600;

/** Workouts of the same run and day that could have been it. */
async function othersOfTheDay(journal: JournalReader, line: Line): Promise<readonly HeldAgainst[]> {
  const own = line.kind === "workout" ? factsOf(line.value as Workout) : undefined;
  if (own === undefined) return [];
  const others: HeldAgainst[] = [];
  for (const other of await journal.custody.find({ date: own.date })) {
    if (other.run !== line.run || other.seq === line.seq || other.kind !== "workout") continue;
    const theirs = factsOf(other.value as Workout);
    if (theirs === undefined) continue;
    const isFar =
      own.time !== undefined &&
      theirs.time !== undefined &&
      Math.abs(asIfUtc(own) - asIfUtc(theirs)) > NEAR_SECONDS * 1000;
    if (isFar) continue;
    const isSame =
      (other.state === "merged" && other.twin === line.key) || (line.state === "merged" && line.twin === other.key);
    // What a merge was made by stands with it: since then each of the two may have values of the other.
    const said = other.state === "merged" ? other.reason : line.reason;
    const why = isSame ? (said ?? "the same record") : whyApart(line, other, own, theirs);
    others.push({ line: other, isSame, why });
  }
  return others;
}

function whyApart(line: Line, other: Line, own: WorkoutFacts, theirs: WorkoutFacts): string {
  const evidence = twinEvidence(own, theirs);
  if (evidence === undefined) return whyNotTwins(own, theirs) ?? "not the same";
  const kept =
    line.source === other.source
      ? "two records of one source are two workouts"
      : "each of the two has another that is closer";
  return `${describeEvidence(evidence)}, but ${kept}`;
}

/** A place as a person opens it, with the folder or archive on their disk. */
export function pathOf(run: Run, line: Line): string | undefined {
  return run.sources[line.source]?.path;
}

/** An origin with the entry of the track, where that is another. */
export function trackEntry(line: Line): { readonly entry: string; readonly recording: string | undefined } | undefined {
  const track = line.kind === "workout" ? (line.value as Workout | undefined)?.track : undefined;
  if (track === undefined || (track.entry === line.origin.entry && track.recordings === 1)) return undefined;
  return {
    entry: track.entry,
    recording: track.recordings === 1 ? undefined : `recording ${track.recording + 1} of ${track.recordings}`,
  };
}

/** For JSON: an origin with the short name of its record. */
export function reference(line: Line): { readonly id: string; readonly key: string; readonly origin: Origin } {
  return { id: shortId(line.key), key: line.key, origin: line.origin };
}
