/**
 * Finds, for an archive, the athletes that the rules have to look at: those who share with it what a rule asks for. Nobody else can contradict it, so
 * most athletes are compared with nobody.
 */
import type { Position } from "../../transforms/geo.ts";
import { foldWord } from "../log/names.ts";
import type { Suspect } from "./block.ts";
import { cellOf, cellsAround } from "./cells.ts";
import { isElsewhere, type Remembered, type Trace } from "./memory.ts";
import { ascending, Positions } from "./positions.ts";
import { type Other, type Others, THRESHOLDS } from "./rules/rule.ts";
import type { Sample } from "./sample.ts";
import { findSharedMarks, type MarksAt, type SharedMarks, sharing } from "./shared-marks.ts";
import type { Turns } from "./turns.ts";

/** An athlete of the roster, with all their evidence. */
interface OfRoster {
  readonly suspect: Suspect;
  readonly all: Trace;
}

/** Gives the others of each athlete of a roster. They come in the order of the roster, and those of earlier runs after them. */
export type OthersOf = (position: number) => Others;

/** Prepares the search. @param remembered athletes outside the roster, as `readEarlier` leaves them */
export async function findCandidates(
  roster: readonly OfRoster[],
  remembered: readonly Remembered[],
  turns: Turns,
): Promise<OthersOf> {
  const all: readonly Other[] = [
    ...roster.map(({ suspect, all: trace }) => ({ athlete: suspect.athlete, trace, suspect })),
    ...remembered.map(({ athlete, trace }) => ({ athlete, trace })),
  ];
  const index = new Positions<number>();
  for (const [at, other] of all.entries()) {
    addTo(index, at, other);
    if (turns.isDue()) await turns.give();
  }
  const shared = await findSharedMarks(all.flatMap(marksAt), turns);
  return (position) => othersOf(position, { all, remembered, index, shared });
}

function addTo(index: Positions<number>, at: number, { trace, suspect }: Other): void {
  for (const digest of trace.digests) index.add(["digest", digest], at);
  for (const { mark } of trace.devices) index.add(["device", mark], at);
  for (const mark of trace.persons) index.add(["person", mark], at);
  for (const mail of [suspect?.owner?.email, suspect?.expects.email])
    if (mail !== undefined) index.add(["mail", foldWord(mail)], at);
  const [home] = trace.areas;
  if (home !== undefined && !(home.workouts < THRESHOLDS.homeWorkouts)) index.add(["home", cellOf(home)], at);
}

/** The fingerprints of an athlete. Their sample may be too small for all that their archives ask for. */
function marksAt({ trace, suspect }: Other, position: number): readonly MarksAt[] {
  const archives = trace.sample.upTo === undefined ? [] : (suspect?.evidence?.archives ?? []);
  return [trace, ...archives].map(({ sample: { marks } }) => ({ position, marks }));
}

interface Found {
  readonly all: readonly Other[];
  readonly remembered: readonly Remembered[];
  readonly index: Positions<number>;
  readonly shared: SharedMarks;
}

function othersOf(position: number, { all, remembered, index, shared }: Found): Others {
  const suspect = all[position]?.suspect;
  const inRoster = all.length - remembered.length;
  /** The other athlete at a position; undefined for the athlete alone, and for one of earlier runs who doesn't count. */
  const otherAt = (at: number): Other | undefined => {
    if (at < inRoster) return at === position ? undefined : all[at];
    const [one, account] = [remembered[at - inRoster], suspect?.account];
    if (one === undefined || suspect === undefined || account === undefined) return undefined;
    return one.baseUrl !== account.baseUrl || isElsewhere(one, suspect, account) ? undefined : all[at];
  };
  function* by(...keys: readonly (readonly string[])[]): Generator<Other> {
    for (const at of ascending(keys.map((words) => index.at(words)))) {
      const other = otherAt(at);
      if (other !== undefined) yield other;
    }
  }
  function* withWorkouts({ marks }: Sample, least: number): Generator<Other> {
    const share = marks.length * THRESHOLDS.workoutsShare;
    for (const { position: at, both } of sharing(shared, marks, least)) {
      const other = otherAt(at);
      // A sample that left some out is compared by a part of the archive, so its share may be larger.
      if (other !== undefined && (both >= share || other.trace.sample.upTo !== undefined)) yield other;
    }
  }
  return {
    withWorkouts,
    withDigest: (digest) => by(["digest", digest]),
    withDevice: (mark) => by(["device", mark]),
    withPerson: (marks, email) =>
      by(...marks.map((mark) => ["person", mark]), ...(email === undefined ? [] : [["mail", foldWord(email)]])),
    near: (home: Position) => by(...cellsAround(home).map((cell) => ["home", cell])),
  };
}
