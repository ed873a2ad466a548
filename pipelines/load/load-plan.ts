/**
 * Does exactly what a plan says. logferry writes the intent to disk before a request leaves, and the receipt before anything uses it. It
 * looks up a lost answer before it sends anything again. A run that was killed at any moment resumes where it was.
 */
import { FatalError } from "../../connectors/errors.ts";
import { SETTLE_MS } from "../../transforms/assumptions.ts";
import { type Kind, LOADING_ORDER } from "../../transforms/model/item.ts";
import type { Line } from "../journal/line.ts";
import type { Run } from "../journal/run.ts";
import { isEmpty } from "../sources/is-empty.ts";
import { fileOf, findLegs } from "../sources/legs.ts";
import { forEachConcurrently } from "./concurrently.ts";
import type { LoadContext } from "./load-context.ts";
import type { MayBeSent } from "./look-ahead.ts";
import { RecordLoader } from "./record-loader.ts";
import { reopened } from "./settle.ts";

/**
 * Loads everything that is planned and not done yet.
 *
 * @returns true when nothing planned is left; false when the signal stopped it
 * @throws FatalError when the run had to stop; the journal keeps the finished records and the place to resume
 */
export async function loadPlan(run: Run, context: LoadContext): Promise<boolean> {
  const { journal, signal, now } = context;
  await journal.setRunState(run.id, "running", now());
  using work = withGrace(signal, context.isIdle);
  const loader = new RecordLoader(run, context, work.signal);
  try {
    const ahead = await begin(context);
    for (const kind of LOADING_ORDER) {
      await loadKind(kind, loader, run, context, kind === "workout" ? ahead : SETTLED);
      // Workouts point at equipment and courses. While one of those is still open, the workouts wait for the next run.
      if (signal.aborted || !(await isEmpty(journal.lines(run.id, { state: ["planned"], kind })))) break;
    }
  } catch (error) {
    // A journal that can't be written reports that error only once: it is the error that ended the run.
    await journal.setRunState(run.id, "stopped", now()).catch((problem: unknown) => {
      if (!(problem instanceof FatalError)) throw problem;
    });
    throw error;
  }
  const isDone = !signal.aborted && (await isEmpty(journal.lines(run.id, { state: ["planned", "in-flight"] })));
  await journal.setRunState(run.id, isDone ? "finished" : "stopped", now());
  return isDone;
}

/** Loads the planned records of a kind, and settles their lost answers. */
async function loadKind(kind: Kind, loader: RecordLoader, run: Run, context: LoadContext, ahead: Ahead): Promise<void> {
  const { check, concurrency, journal, settle, settleMs = SETTLE_MS, signal } = context;
  let { mayBeSent, doubts } = ahead;
  // Another pass loads records that settling put back to planned, records whose reading failed, and records that waited for a listing. It
  // ends: each pass finishes a record, or the guard counts one more failure in a row and stops the run at five. While requests are held back from
  // a failing service, the patience with it ends the run.
  for (;;) {
    let waiting = 0;
    loader.guard.beginRound();
    // Earlier lost answers are settled soon, because the owner may change those records meanwhile.
    const isTime = () => doubts.length > 0 && loader.guard.ageMs() >= settleMs;
    const planned = new Cut(journal.lines(run.id, { state: ["planned"], kind }), isTime);
    // The workouts of one sent file are settled together, so a file with a doubtful workout waits.
    const files = new Set(doubts.map(fileOf));
    // A shoe's id goes into every workout that names it. Equipment and courses are sent one at a time, so that their answers can't be
    // swapped.
    await forEachConcurrently(planned, kind === "workout" ? concurrency : 1, signal, async (line) => {
      if (line.uploadMethod === "import" && files.has(fileOf(line))) return;
      if (mayBeSent !== undefined && !(await mayAllBeSent(line, mayBeSent, journal))) waiting++;
      else await loader.load(line);
    }).finally(() => loader.receipts.written());
    const { lostAnswers, putOff } = loader.guard;
    if (signal.aborted || lostAnswers + putOff + waiting + doubts.length === 0) return;
    if (lostAnswers + waiting + doubts.length > 0) await settle(signal, loader.guard.quietMs());
    doubts = [];
    if (signal.aborted) return;
    if (planned.isCut || waiting === 0) continue;
    await check?.([kind], signal);
    mayBeSent = undefined;
  }
}

/** Whether a workout may be sent now, together with all workouts that its device file makes. */
async function mayAllBeSent(line: Line, mayBeSent: MayBeSent, journal: LoadContext["journal"]): Promise<boolean> {
  for (const leg of line.kind === "workout" && line.uploadMethod === "import" ? await findLegs(line, journal) : [line])
    if (!(await mayBeSent(leg))) return false;
  return true;
}

/** Work that is left before workouts may be sent, or while they are sent. */
interface Ahead {
  /** Undefined when the log was compared with the plan, or when no comparison is needed. */
  readonly mayBeSent: MayBeSent | undefined;
  /** Lines whose answers were lost earlier and are not settled. */
  readonly doubts: readonly Line[];
}

const SETTLED: Ahead = { mayBeSent: undefined, doubts: [] };

/** Settles lost answers and compares the log with the plan, as far as this is necessary before the first request. */
async function begin({ check, journal, lookAhead, settle, signal }: LoadContext): Promise<Ahead> {
  const doubts = await reopened(journal);
  // Workouts point at equipment and courses, so those are settled first.
  if (lookAhead !== undefined && doubts.every(({ kind }) => kind === "workout")) {
    await check?.(["equipment", "course"], signal);
    const mayBeSent = signal.aborted ? undefined : await lookAhead(doubts.length, signal);
    if (mayBeSent !== undefined) return { mayBeSent, doubts };
  }
  await settle(signal, 0);
  if (!signal.aborted) await check?.(LOADING_ORDER, signal);
  return SETTLED;
}

/** Yields lines until a given moment. */
class Cut<T extends Line> implements AsyncIterable<T> {
  /** Whether the moment came before the last line. */
  isCut = false;
  readonly #lines: AsyncIterable<T>;
  readonly #isTime: () => boolean;

  constructor(lines: AsyncIterable<T>, isTime: () => boolean) {
    this.#lines = lines;
    this.#isTime = isTime;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    for await (const line of this.#lines) {
      this.isCut = this.#isTime();
      if (this.isCut) return;
      yield line;
    }
  }
}

/** Milliseconds that open requests get to finish after the run was told to stop. */
const GRACE_MS = 10_000;

/** Milliseconds between two checks whether any request is still open. */
const LOOK_MS = 100;

/**
 * Makes a signal that follows another one after a grace time, because a request that is cut off loses its answer. If the run is idle, since
 * it waits for the service, the signal follows at once.
 */
function withGrace(
  signal: AbortSignal,
  isIdle: () => boolean = () => false,
): { readonly signal: AbortSignal; [Symbol.dispose](): void } {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let looking: NodeJS.Timeout | undefined;
  const stop = () => {
    timer = setTimeout(() => late.abort(signal.reason), GRACE_MS).unref();
    looking = setInterval(() => {
      if (isIdle()) late.abort(signal.reason);
    }, LOOK_MS).unref();
  };
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  return {
    signal: late.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      clearInterval(looking);
      signal.removeEventListener("abort", stop);
    },
  };
}
