/**
 * Lists the log once more after a run, and compares the listing with the journal. Only this check allows logferry to say "each once". It
 * finds records that are gone. It also finds workouts that something between logferry and the log made twice.
 */
import { utcDay } from "../../transforms/calendar.ts";
import { type Kind, LOADING_ORDER } from "../../transforms/model/item.ts";
import { requestsToList, requestsToLookBack } from "../journal/cost.ts";
import { GONE_MEANWHILE } from "../journal/gone.ts";
import type { Journal } from "../journal/journal.ts";
import type { Line } from "../journal/line.ts";
import type { Looked, Run, SeenSums, Surplus } from "../journal/run.ts";
import { disownSwapped } from "../load/mixed-up.ts";
import { type SettleContext, STALE_ROUNDS } from "../load/settle.ts";
import type { LogView } from "../log/log-view.ts";
import { SEVERAL } from "../log/stale-listing.ts";

/** The journal, the log and the settings for looking back. */
export interface LookBackContext extends Pick<SettleContext, "journal" | "list" | "sleep" | "onWait"> {
  /** Asks the log for one record. */
  readonly isThere: (kind: Kind, id: string, signal: AbortSignal) => Promise<boolean>;
  readonly page?: LogView["page"];
  /** The number of records of each kind that the run made. */
  readonly made: ReadonlyMap<Kind, number>;
  readonly settleMs: number;
  readonly now: () => number;
  /** Whether the run ended before, and the look is a later one: it says nothing about the end of the run. Default: no. */
  readonly isLater?: boolean;
  /**
   * Called when saves got each other's ids, with their number. These records lose their ids and must be settled again. Without this
   * function, no id is taken away.
   */
  readonly onSwapped?: (count: number) => void;
}

/**
 * Limit of missing records that are requested one by one. If a listing lacks more, logferry requests a sample of this size, spread evenly.
 */
const ASKED_FOR = 100;

/** Number of records that are given to the journal together. They share one wait for the disk. */
const TOGETHER = 200;

/**
 * Lists the records of a finished run in the log, and marks the ones that are gone.
 *
 * @throws the errors of listing and reading
 */
export async function lookBack(run: Run, context: LookBackContext, signal: AbortSignal): Promise<Looked> {
  const [surplus, before]: [Surplus[], Surplus[]] = [[], []];
  // An additional record in the log may be a record in doubt. Or its id was mixed up with another one.
  const isInDoubt = (await context.journal.doubtful()).length > 0 || (await isMixedUp(run, context.journal));
  let [gone, isSure] = [0, !isInDoubt];
  let sums: SeenSums | undefined;
  for (const kind of LOADING_ORDER) {
    if (!(await context.journal.hasInLog(run.id, kind))) continue;
    const seen = await lookAt(run, kind, context, signal);
    gone += seen.gone;
    isSure &&= seen.isSure;
    sums = seen.seen ?? sums;
    if (isInDoubt) continue;
    surplus.push(...seen.surplus);
    before.push(...seen.before);
  }
  return { at: context.now(), isSure, gone, surplus, before, seen: sums };
}

/**
 * Compares a run with a listing that was just taken, such as the baseline of a plan. It sends no request.
 *
 * @param lists whether the listing has records of a kind
 */
export async function lookAtBaseline(
  run: Run,
  journal: Journal,
  lists: (kind: Kind) => boolean,
  now: () => number,
): Promise<Looked> {
  const [surplus, before]: [Surplus[], Surplus[]] = [[], []];
  const isMixed = await isMixedUp(run, journal);
  let isSure = !isMixed;
  let sums: SeenSums | undefined;
  for (const kind of LOADING_ORDER) {
    if (isMixed || !(await journal.hasInLog(run.id, kind))) continue;
    if (!lists(kind)) {
      isSure = false;
      continue;
    }
    if (kind === "workout") sums = await journal.seenSums(run.id);
    const seen = await journal.surplus(run.id, kind);
    surplus.push(...seen.surplus);
    before.push(...seen.before);
  }
  return { at: now(), isSure, gone: 0, surplus, before, seen: sums };
}

/**
 * Whether two records of a run have the same id. Then one save got the answer to another save, and one of the two records is missing or
 * unknown.
 */
async function isMixedUp(run: Run, journal: Journal): Promise<boolean> {
  return (await journal.claimedTwice(run.id)).length > 0;
}

type Seen = Omit<Looked, "at">;

const UNSEEN: Seen = { isSure: false, gone: 0, surplus: [], before: [] };

async function lookAt(run: Run, kind: Kind, context: LookBackContext, signal: AbortSignal): Promise<Seen> {
  const { journal } = context;
  if (kind === "workout" && (await isCountedRight(run, context, signal))) return { ...UNSEEN, isSure: true };
  for (let round = 0; ; round++) {
    const listing = await context.list(kind, signal, true);
    if (listing === undefined) return UNSEEN;
    await journal.takeListing(listing, false);
    const swapped = context.onSwapped === undefined ? 0 : await disownSwapped(run, kind, journal);
    if (swapped > 0) {
      context.onSwapped?.(swapped);
      return UNSEEN;
    }
    const absent = await journal.absentLines(run.id, kind);
    if (listing.doubt === undefined && !(await isAnyThere(kind, absent, context, signal))) {
      await markGone(absent, context);
      const sums = kind === "workout" ? await journal.seenSums(run.id) : undefined;
      return { isSure: true, gone: absent.length, ...(await journal.surplus(run.id, kind)), seen: sums };
    }
    // This listing lacks existing records, came from a cache, or changed at each reading. So it proves nothing about the other records
    // either.
    if (round === STALE_ROUNDS) return { ...UNSEEN, gone: await markTheGone(absent, kind, context, signal) };
    context.onWait(`a listing of ${SEVERAL[kind]} that is up to date`);
    await context.sleep(context.settleMs / 2, signal);
    if (signal.aborted) return UNSEEN;
  }
}

/**
 * Whether the log's count of workouts equals the count of the journal. This is used only when listing the log would take longer than the
 * run itself.
 */
async function isCountedRight(run: Run, context: LookBackContext, signal: AbortSignal): Promise<boolean> {
  const { journal, made, page } = context;
  const known = await journal.knownWorkouts(run.id);
  const isCheaper = requestsToLookBack(known, made.get("workout") ?? 0) < requestsToList(known);
  if (page === undefined || !isCheaper) return false;
  const first = await page(0, signal);
  return first?.total !== undefined && first.entries.length < first.total && first.total === known;
}

/** Asks the service by id for the records that a doubtful listing lacks, at most `ASKED_FOR` of them. It marks the ones that are gone. */
async function markTheGone(
  absent: readonly Line[],
  kind: Kind,
  context: LookBackContext,
  signal: AbortSignal,
): Promise<number> {
  const gone: Line[] = [];
  for (const line of absent.slice(0, ASKED_FOR)) {
    if (line.remoteId !== undefined && !(await context.isThere(kind, line.remoteId, signal))) gone.push(line);
  }
  await markGone(gone, context);
  return gone.length;
}

async function isAnyThere(
  kind: Kind,
  absent: readonly Line[],
  { isThere }: LookBackContext,
  signal: AbortSignal,
): Promise<boolean> {
  const step = Math.max(1, absent.length / ASKED_FOR);
  for (let at = 0; at < absent.length; at += step) {
    const id = absent[Math.floor(at)]?.remoteId;
    if (id !== undefined && (await isThere(kind, id, signal))) return true;
  }
  return false;
}

async function markGone(lines: readonly Line[], { journal, isLater = false, now }: LookBackContext): Promise<void> {
  const when = isLater
    ? `after this run, and had it no longer on ${utcDay(now())}`
    : "during this run, and had it no longer at the end";
  for (let at = 0; at < lines.length; at += TOGETHER) {
    await Promise.all(
      lines.slice(at, at + TOGETHER).map((line) =>
        journal.receive(line, "gone", {
          reason: `${GONE_MEANWHILE} (the log had it as ${line.remoteId} ${when})`,
        }),
      ),
    );
  }
}
