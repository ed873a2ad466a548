/**
 * Reads the memory of earlier runs once, entry by entry, and keeps of each entry only what a roster asks it for. So a memory of a hundred thousand
 * athletes takes little more room than the roster.
 */
import type { Position } from "../../transforms/geo.ts";
import { NAMELESS } from "../log/log-view.ts";
import type { Suspect } from "./block.ts";
import { cellOf, cellsAround } from "./cells.ts";
import { MarkSet } from "./mark-set.ts";
import { calledKey, isElsewhere, merged, ofArchive, type Remembered, type Trace } from "./memory.ts";
import { Positions } from "./positions.ts";
import { THRESHOLDS } from "./rules/rule.ts";
import type { Turns } from "./turns.ts";

/** What earlier runs say of one athlete of the roster. */
export interface Earlier {
  /** The evidence in their archives; undefined when there were none. */
  before?: Trace;
  /** Fingerprints of the contradictions that a person trusted. */
  readonly trusted: Set<string>;
  /** Whether their log is remembered under their name. */
  isKnown: boolean;
  /** Whether they are remembered with another log. */
  isElsewhere: boolean;
}

/** The memory, as far as it concerns a roster. */
export interface EarlierRuns {
  /** One for each athlete of the roster, in their order. */
  readonly athletes: readonly Earlier[];
  /** Athletes outside the roster who share something with an archive of it. Of their traces only that is kept. */
  readonly others: readonly Remembered[];
}

/** Reads a memory for a roster. */
export async function readEarlier(
  suspects: readonly Suspect[],
  memory: AsyncIterable<Remembered> | Iterable<Remembered>,
  turns: Turns,
): Promise<EarlierRuns> {
  const all = suspects.map(
    (suspect): OfRoster => ({
      suspect,
      earlier: { trusted: new Set(), isKnown: false, isElsewhere: false },
    }),
  );
  const others: Remembered[] = [];
  const index = indexOf(all);
  const asked = await askedBy(suspects, turns);
  for await (const one of memory) {
    if (turns.isDue()) await turns.give();
    const called = calledKey(one.athlete);
    for (const { suspect, earlier } of index.named(one, called))
      if (suspect.account !== undefined && isElsewhere(one, suspect, suspect.account)) earlier.isElsewhere = true;
    const owners = index.owners(one, called);
    for (const { suspect, earlier } of owners) addOwn(earlier, one, called === calledKey(suspect.athlete));
    const trace = owners.length > 0 ? undefined : sharedPart(one.trace, asked);
    if (trace !== undefined) others.push({ ...one, trace });
  }
  return { athletes: all.map(({ earlier }) => earlier), others };
}

function addOwn(earlier: Earlier, { trace, trusted }: Remembered, isCalledSo: boolean): void {
  earlier.before = earlier.before === undefined ? trace : merged(earlier.before, trace);
  for (const key of trusted) earlier.trusted.add(key);
  if (isCalledSo) earlier.isKnown = true;
}

interface OfRoster {
  readonly suspect: Suspect;
  readonly earlier: Earlier;
}

/** Finds the athletes of a roster whom a remembered entry may concern. */
function indexOf(all: readonly OfRoster[]) {
  const [logs, names, members] = [new Positions<OfRoster>(), new Positions<OfRoster>(), new Positions<OfRoster>()];
  for (const one of all) {
    const { athlete, account, member } = one.suspect;
    if (account === undefined) continue;
    const called = calledKey(athlete);
    // Logs without a name look alike, so the athlete's name is a part of what identifies them.
    logs.add([account.baseUrl, account.userHash, account.name === NAMELESS ? called : ""], one);
    names.add([account.baseUrl, called], one);
    if (member !== undefined) members.add([account.baseUrl, member.key], one);
  }
  return {
    owners: ({ baseUrl, userHash }: Remembered, called: string) => [
      ...logs.at([baseUrl, userHash, ""]),
      ...logs.at([baseUrl, userHash, called]),
    ],
    named: ({ baseUrl, member }: Remembered, called: string) => [
      ...names.at([baseUrl, called]),
      ...(member === undefined ? [] : members.at([baseUrl, member.key])),
    ],
  };
}

/** What the archives of a roster can be known by. */
interface Asked {
  readonly digests: ReadonlySet<string>;
  readonly devices: ReadonlySet<string>;
  readonly persons: ReadonlySet<string>;
  readonly marks: MarkSet;
  /** Cells where most workouts of an archive began. */
  readonly homes: ReadonlySet<string>;
}

async function askedBy(suspects: readonly Suspect[], turns: Turns): Promise<Asked> {
  const [digests, devices, persons, homes] = [
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
  ];
  const archives = suspects.flatMap(({ account, evidence }) =>
    account === undefined ? [] : (evidence?.archives ?? []),
  );
  const marks = new MarkSet(archives.reduce((sum, { sample }) => sum + sample.marks.length, 0));
  for (const archive of archives) {
    const trace = ofArchive(archive);
    for (const digest of trace.digests) digests.add(digest);
    for (const { mark } of trace.devices) devices.add(mark);
    for (const mark of trace.persons) persons.add(mark);
    for (const mark of archive.sample.marks) marks.add(mark);
    const [home] = archive.areas;
    if (home !== undefined) homes.add(cellOf(home));
    if (turns.isDue()) await turns.give();
  }
  return { digests, devices, persons, marks, homes };
}

/** The part of a trace that archives of the roster ask for; undefined when there is none. */
function sharedPart(trace: Trace, asked: Asked): Trace | undefined {
  const digests = trace.digests.filter((digest) => asked.digests.has(digest));
  const devices = trace.devices.filter(({ mark }) => asked.devices.has(mark));
  const persons = trace.persons.filter((mark) => asked.persons.has(mark));
  const marks = trace.sample.marks.filter((mark) => asked.marks.has(mark));
  const areas = trace.areas.slice(0, 1).filter((area) => isAskedFor(area, asked));
  const isShared = [digests, devices, persons, areas].some((list) => list.length > 0);
  if (!isShared && marks.length < THRESHOLDS.workouts) return undefined;
  return { digests, devices, persons, sample: { ...trace.sample, marks: marks.toSorted() }, areas };
}

function isAskedFor(area: Position & { readonly workouts: number }, { homes }: Asked): boolean {
  return area.workouts >= THRESHOLDS.homeWorkouts && cellsAround(area).some((cell) => homes.has(cell));
}
