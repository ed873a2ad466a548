/**
 * Lost answers, settled by looking: what was sent and never answered is either in the log, and is adopted, or is not, and
 * may be sent again. Nothing is concluded before a server has had the time to finish what it was sent, nor from a log that
 * can't be listed.
 */
import type { LogNumbers } from "../connectors/api/from-wire.ts";
import { IMPORT_SHIFT_HOURS, SETTLE_MS } from "../transforms/assumptions.ts";
import { asIfUtc } from "../transforms/calendar.ts";
import { courseIdentity, equipmentIdentity } from "../transforms/identity.ts";
import type { Course } from "../transforms/model/course.ts";
import type { Equipment } from "../transforms/model/equipment.ts";
import type { Kind } from "../transforms/model/item.ts";
import type { Workout } from "../transforms/model/workout.ts";
import { factsOf, TWIN_TOLERANCE, type WorkoutFacts } from "../transforms/twins.ts";
import type { Journal, Line, LogEntry } from "./journal/journal.ts";

/** Begins the reason of a leg whose file was imported by an answer that has no id for it: the file is never sent again for it. */
export const WITHOUT_AN_ID = "load/not-imported";

/** What settling needs. */
export interface SettleContext {
  readonly journal: Journal;
  /** A fresh listing of a kind, or undefined where the service has none. */
  readonly list: (kind: Kind, signal: AbortSignal) => Promise<AsyncIterable<LogEntry> | undefined>;
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onWait: (what: string) => void;
  /** Milliseconds a server may take to commit what it was sent; SETTLE_MS but in tests. */
  readonly settleMs?: number;
}

/**
 * Settles every line that was sent and not answered, of this run and of dead ones.
 *
 * @returns how many stay in doubt: because the service can't list them, or because the signal stopped the wait, after which
 * nothing is concluded
 */
export async function settle(context: SettleContext, signal: AbortSignal): Promise<number> {
  const { journal } = context;
  let inDoubt = 0;
  const doubtful: Line[] = [];
  for (const line of await journal.doubtful()) {
    // What has an id is only written over: that can be repeated.
    if (line.remoteId !== undefined) await journal.receive(line, "planned", {});
    else doubtful.push(line);
  }
  if (doubtful.length === 0) return 0;
  await waitForTheServer(context, doubtful, signal);
  if (signal.aborted) return doubtful.length;
  for (const kind of ["equipment", "course", "workout"] as const) {
    const lines = doubtful.filter((line) => line.kind === kind);
    if (lines.length === 0) continue;
    const listing = await context.list(kind, signal);
    if (listing === undefined) {
      // What is in doubt already says why, perhaps with the ids that an import made.
      for (const line of lines) {
        // The service answered, and there is nothing to hold its word against.
        if (isWithoutAnId(line)) await saveInstead(line, journal);
        else inDoubt++;
        if (line.state === "in-flight")
          await journal.receive(line, "in-doubt", { reason: `the service can't list its ${kind}s` });
      }
      continue;
    }
    await journal.takeListing(listing, false);
    await adopt(lines, await journal.appeared(kind), journal);
  }
  return inDoubt;
}

async function waitForTheServer(context: SettleContext, lines: readonly Line[], signal: AbortSignal): Promise<void> {
  const now = context.now();
  // Of what was in flight when its process ended nobody knows when it left: a pause of the service may have held it back.
  const lastSent = Math.max(...lines.map(({ state, intendedAt }) => (state === "in-flight" ? now : (intendedAt ?? 0))));
  const settleMs = context.settleMs ?? SETTLE_MS;
  // A clock that was set back must not make the wait long.
  const ms = Math.min(settleMs, lastSent + settleMs - now);
  if (ms <= 0) return;
  context.onWait(`${lines.length} lost answers, looked up in ${Math.ceil(ms / 1000)} s`);
  await context.sleep(ms, signal);
}

/** A record that appeared and may be what a line's lost request made. */
interface Candidate {
  readonly line: Line;
  readonly entry: LogEntry;
  /** How far apart they are: 0 is alike, and only an import may be further. */
  readonly apart: number;
}

/** Gives the doubtful lines the records that appeared, the closest first, one record a line; the lines left over were never made. */
async function adopt(lines: readonly Line[], appeared: readonly LogEntry[], journal: Journal): Promise<void> {
  const candidates: Candidate[] = [];
  for (const line of lines) {
    // The numbers it was sent with: those of its own run, which may be an old one.
    const { activityIDs = {} } = (await journal.run(line.run))?.options ?? {};
    for (const entry of appeared) {
      const apart = howFar(line, entry, activityIDs);
      if (apart !== undefined) candidates.push({ line, entry, apart });
    }
  }
  const found = new Map<Line, LogEntry>();
  const taken = new Set<LogEntry>();
  for (const { line, entry } of candidates.sort((a, b) => a.apart - b.apart)) {
    if (found.has(line) || taken.has(entry)) continue;
    found.set(line, entry);
    taken.add(entry);
  }
  for (const line of lines) await conclude(line, found.get(line), journal);
}

function isWithoutAnId({ carrier, reason }: Line): boolean {
  return carrier === "import" && reason?.startsWith(WITHOUT_AN_ID) === true;
}

async function saveInstead(line: Line, journal: Journal): Promise<void> {
  await journal.receive(line, "planned", { carrier: "save", reason: `${WITHOUT_AN_ID}: saved without its track` });
}

async function conclude(line: Line, match: LogEntry | undefined, journal: Journal): Promise<void> {
  if (match === undefined && isWithoutAnId(line)) return saveInstead(line, journal);
  if (match === undefined) {
    await journal.receive(line, "planned", {
      reason: "the answer was lost, and the log doesn't hold it: to be sent again",
    });
    return;
  }
  await journal.claimLog(match.kind, match.id, line.key);
  // Completed by a PUT, whatever the lost request was: that is safe, and makes the record whole after an import.
  await journal.receive(
    line,
    "planned",
    { remoteId: match.id, reason: "the answer was lost, and the log holds it: adopted" },
    {
      key: line.key,
      kind: match.kind,
      remoteId: match.id,
      content: line.content ?? "",
      sent: undefined,
      finished: false,
      run: line.run,
    },
  );
}

/** How far a record that appeared is from what the line's lost request would have made; undefined when it can't be that. */
function howFar(line: Line, entry: LogEntry, activityIDs: LogNumbers["activityIDs"]): number | undefined {
  switch (line.kind) {
    case "equipment": {
      const equipment = line.value as Equipment;
      return entry.identity === equipmentIdentity(equipment, activityIDs[equipment.activity]) ? 0 : undefined;
    }
    case "course":
      return entry.identity === courseIdentity(line.value as Course) ? 0 : undefined;
    case "workout": {
      const workout = line.value as Workout;
      const facts = factsOf(workout);
      if (facts === undefined || entry.facts === undefined) return undefined;
      if (line.carrier === "import") return importApart(facts, entry.facts);
      const activityID = workout.activity === undefined ? undefined : activityIDs[workout.activity];
      return entry.activityID === activityID && isSaveOf(facts, entry.facts) ? 0 : undefined;
    }
    default:
      return undefined;
  }
}

/** A save comes back as it was sent, but for rounding. */
function isSaveOf(sent: WorkoutFacts, found: WorkoutFacts): boolean {
  return (
    sent.date === found.date &&
    sent.time === found.time &&
    near(sent.metres, found.metres, 0.005) &&
    near(sent.seconds, found.seconds, 0.001, 1)
  );
}

/** Distances of UTC in use, in hours: https://www.iana.org/time-zones. An import shifts by the one its log was told. */
const OFFSETS = { west: -12, east: 14 } as const;

/** Start and distance of a platform's row and of its recording may differ as twins may; the log's rounding comes on top. */
const IMPORT_TOLERANCE = { seconds: TWIN_TOLERANCE.seconds + 30, distance: TWIN_TOLERANCE.distance + 0.01 } as const;

/**
 * An import makes the record itself, of the file: another activity perhaps, elapsed time or moving time, and a start that is
 * whole quarter hours away from what was planned.
 *
 * @returns above 0 and the smaller the likelier, or undefined
 */
function importApart(sent: WorkoutFacts, found: WorkoutFacts): number | undefined {
  const hasDistances = sent.metres !== undefined && found.metres !== undefined;
  const isSameSize = hasDistances
    ? near(sent.metres, found.metres, IMPORT_TOLERANCE.distance, 20)
    : near(sent.seconds, found.seconds, 0.05, 60);
  if (!isSameSize) return undefined;
  const hours = hoursApart(sent, found);
  return hours === undefined
    ? undefined
    : 1 + hours + 10 * share(sent.metres, found.metres) + 10 * share(sent.seconds, found.seconds);
}

/** Hours between the starts, or undefined where no import can have put the record there. */
function hoursApart(sent: WorkoutFacts, found: WorkoutFacts): number | undefined {
  const hours = (asIfUtc(found) - asIfUtc(sent)) / 3_600_000;
  if (found.time === undefined) return Math.abs(hours) <= IMPORT_SHIFT_HOURS ? Math.abs(hours) : undefined;
  const slack = IMPORT_TOLERANCE.seconds / 3600;
  const shift = sent.instant === undefined ? hours : (asIfUtc(found) - sent.instant) / 3_600_000;
  const [least, most] =
    sent.instant === undefined ? [-IMPORT_SHIFT_HOURS, IMPORT_SHIFT_HOURS] : [OFFSETS.west, OFFSETS.east];
  const fromQuarter = Math.abs(shift - Math.round(shift * 4) / 4);
  return shift >= least - slack && shift <= most + slack && fromQuarter <= slack ? Math.abs(hours) : undefined;
}

/** Difference as a share of the larger; 0 where one is missing. */
function share(a: number | undefined, b: number | undefined): number {
  return a === undefined || b === undefined ? 0 : Math.abs(a - b) / Math.max(a, b);
}

/** Equal within a share or an amount; two missing values are equal, one missing is not. */
function near(a: number | undefined, b: number | undefined, share: number, amount = 0): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Math.abs(a - b) <= Math.max(amount, share * Math.max(a, b));
}
