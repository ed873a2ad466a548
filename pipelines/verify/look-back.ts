/**
 * The look that earns the words "each once": after a run the log is listed once more and compared with the journal. A record that is
 * gone shows, and so does a workout that something between here and the log made twice.
 */
import type { Kind } from "../../transforms/model/item.ts";
import { requestsToList, requestsToLookBack } from "../journal/cost.ts";
import { GONE_MEANWHILE } from "../journal/gone.ts";
import type { Journal } from "../journal/journal.ts";
import type { Line } from "../journal/line.ts";
import type { Looked, Run, SeenSums, Surplus } from "../journal/run.ts";
import { disownSwapped } from "../load/mixed-up.ts";
import { type SettleContext, STALE_ROUNDS } from "../load/settle.ts";
import type { LogView } from "../log/log-view.ts";
import { SEVERAL } from "../log/stale-listing.ts";

/** What looking back needs. */
export interface LookBackContext extends Pick<SettleContext, "journal" | "list" | "sleep" | "onWait"> {
  /** Asks the log for one record. */
  readonly isThere: (kind: Kind, id: string, signal: AbortSignal) => Promise<boolean>;
  readonly page?: LogView["page"];
  /** How many records of each kind the run made. */
  readonly made: ReadonlyMap<Kind, number>;
  readonly settleMs: number;
  readonly now: () => number;
  /** Told how many records have each other's ids, which are taken from them: they are to be settled. Left out, none is. */
  readonly onSwapped?: (count: number) => void;
}

/** Records that a listing lacks and that are asked for one by one; of more, so many spread evenly. */
const ASKED_FOR = 100;

/** Records handed to the journal together: they share one wait for the disk. */
const TOGETHER = 200;

const KINDS: readonly Kind[] = ["equipment", "course", "workout"];

/**
 * Lists what a finished run has in the log, and marks what is gone.
 *
 * @throws what listing and reading throw
 */
export async function lookBack(run: Run, context: LookBackContext, signal: AbortSignal): Promise<Looked> {
  const [surplus, before]: [Surplus[], Surplus[]] = [[], []];
  // What is in doubt, or has an id that is another's, may be among what the log has besides.
  const isInDoubt = (await context.journal.doubtful()).length > 0 || (await isMixedUp(run, context.journal));
  let [gone, isSure] = [0, !isInDoubt];
  let sums: SeenSums | undefined;
  for (const kind of KINDS) {
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
 * What a listing shows that was taken in a moment ago, as the baseline of a plan is: nothing is asked for.
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
  for (const kind of KINDS) {
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

/** Whether two records of a run have one id: the answer to a save was another's, and one of the two is not there or not known. */
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
      await markGone(absent, journal);
      const sums = kind === "workout" ? await journal.seenSums(run.id) : undefined;
      return { isSure: true, gone: absent.length, ...(await journal.surplus(run.id, kind)), seen: sums };
    }
    // A listing that lacks what is there, that a cache gave or that never held still says nothing about the others either.
    if (round === STALE_ROUNDS) return { ...UNSEEN, gone: await markTheGone(absent, kind, context, signal) };
    context.onWait(`a listing of ${SEVERAL[kind]} that is up to date`);
    await context.sleep(context.settleMs / 2, signal);
    if (signal.aborted) return UNSEEN;
  }
}

/** Whether a long log has as many workouts as the journal knows of, where listing it would take longer than the run itself. */
async function isCountedRight(run: Run, context: LookBackContext, signal: AbortSignal): Promise<boolean> {
  const { journal, made, page } = context;
  const known = await journal.knownWorkouts(run.id);
  const isCheaper = requestsToLookBack(known, made.get("workout") ?? 0) < requestsToList(known);
  if (page === undefined || !isCheaper) return false;
  const first = await page(0, signal);
  return first?.total !== undefined && first.entries.length < first.total && first.total === known;
}

/** Of what a doubtful listing lacks, the service itself says by the id whether it is there. At most so many are asked for. */
async function markTheGone(
  absent: readonly Line[],
  kind: Kind,
  { journal, isThere }: LookBackContext,
  signal: AbortSignal,
): Promise<number> {
  const gone: Line[] = [];
  for (const line of absent.slice(0, ASKED_FOR)) {
    if (line.remoteId !== undefined && !(await isThere(kind, line.remoteId, signal))) gone.push(line);
  }
  await markGone(gone, journal);
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

async function markGone(lines: readonly Line[], journal: Journal): Promise<void> {
  for (let at = 0; at < lines.length; at += TOGETHER) {
    await Promise.all(
      lines.slice(at, at + TOGETHER).map((line) =>
        journal.receive(line, "gone", {
          reason: `${GONE_MEANWHILE} (the log had it as ${line.remoteId} during this run, and had it no longer at the end)`,
        }),
      ),
    );
  }
}
