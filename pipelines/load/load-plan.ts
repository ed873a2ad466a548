/**
 * Does exactly what a plan says. The intent is durable before a request leaves, its receipt before anything uses it; a lost
 * answer is looked up, never sent again blindly. Killed at any moment, a run goes on where it was.
 */
import { FatalError } from "../../connectors/errors.ts";
import { SETTLE_MS } from "../../transforms/assumptions.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { Line } from "../journal/line.ts";
import type { Run } from "../journal/run.ts";
import { isEmpty } from "../sources/is-empty.ts";
import { fileOf, findLegs } from "../sources/legs.ts";
import { forEachConcurrently } from "./concurrently.ts";
import type { LoadContext } from "./load-context.ts";
import type { MayBeSent } from "./look-ahead.ts";
import { RecordLoader } from "./record-loader.ts";
import { reopened } from "./settle.ts";

const ORDER: readonly Kind[] = ["equipment", "course", "workout"];

/**
 * Loads what is planned and not done yet.
 *
 * @returns true when nothing planned is left; false when the signal stopped it
 * @throws FatalError when the run had to stop; what is done is done, and the journal says where to go on
 */
export async function loadPlan(run: Run, context: LoadContext): Promise<boolean> {
  const { journal, signal, now } = context;
  await journal.setRunState(run.id, "running", now());
  using work = withGrace(signal, context.isIdle);
  const loader = new RecordLoader(run, context, work.signal);
  try {
    const ahead = await begin(context);
    for (const kind of ORDER) {
      await loadKind(kind, loader, run, context, kind === "workout" ? ahead : SETTLED);
      // Workouts point at equipment and courses: while one of those is still to be made, they wait for the next run.
      if (signal.aborted || !(await isEmpty(journal.lines(run.id, { state: ["planned"], kind })))) break;
    }
  } catch (error) {
    // A journal that can't be written says so once: it is the problem that ended the run.
    await journal.setRunState(run.id, "stopped", now()).catch((problem: unknown) => {
      if (!(problem instanceof FatalError)) throw problem;
    });
    throw error;
  }
  const isDone = !signal.aborted && (await isEmpty(journal.lines(run.id, { state: ["planned", "in-flight"] })));
  await journal.setRunState(run.id, isDone ? "finished" : "stopped", now());
  return isDone;
}

/** Loads what is planned of a kind, and settles what was lost of it. */
async function loadKind(kind: Kind, loader: RecordLoader, run: Run, context: LoadContext, ahead: Ahead): Promise<void> {
  const { check, concurrency, journal, settle, settleMs = SETTLE_MS, signal } = context;
  let { mayBeSent, doubts } = ahead;
  // A second pass for what a lost answer put back among the planned, once it is settled, and for what waited for a listing.
  for (let passes = 2; passes > 0; ) {
    let waiting = 0;
    loader.guard.lostAnswers = 0;
    // What was lost before isn't left open for long: its owner may change it meanwhile.
    const isTime = () => doubts.length > 0 && loader.guard.ageMs() >= settleMs;
    const planned = new Cut(journal.lines(run.id, { state: ["planned"], kind }), isTime);
    // What became of a file that was sent is known of all of its workouts or of none.
    const files = new Set(doubts.map(fileOf));
    // A shoe's id goes into every workout that has it: one at a time, no two of them can be given each other's answers.
    await forEachConcurrently(planned, kind === "workout" ? concurrency : 1, signal, async (line) => {
      if (line.uploadMethod === "import" && files.has(fileOf(line))) return;
      if (mayBeSent !== undefined && !(await mayAllBeSent(line, mayBeSent, journal))) waiting++;
      else await loader.load(line);
    });
    if (signal.aborted || (loader.guard.lostAnswers === 0 && waiting === 0 && doubts.length === 0)) return;
    await settle(signal, loader.guard.quietMs());
    doubts = [];
    if (planned.isCut) continue;
    passes--;
    if (waiting === 0 || signal.aborted) continue;
    await check?.([kind], signal);
    mayBeSent = undefined;
    passes = 1;
  }
}

/** Whether a workout may be sent, and with it all that its device file makes. */
async function mayAllBeSent(line: Line, mayBeSent: MayBeSent, journal: LoadContext["journal"]): Promise<boolean> {
  for (const leg of line.kind === "workout" && line.uploadMethod === "import" ? await findLegs(line, journal) : [line])
    if (!(await mayBeSent(leg))) return false;
  return true;
}

/** What is left to do before workouts may be sent, or beside it. */
interface Ahead {
  /** Undefined where the log was compared with the plan, or need not be. */
  readonly mayBeSent: MayBeSent | undefined;
  /** Whose answers were lost before and are not settled. */
  readonly doubts: readonly Line[];
}

const SETTLED: Ahead = { mayBeSent: undefined, doubts: [] };

/** Settles lost answers and compares the log with the plan, as far as that must be done before anything is sent. */
async function begin({ check, journal, lookAhead, settle, signal }: LoadContext): Promise<Ahead> {
  const doubts = await reopened(journal);
  // Workouts point at equipment and courses: what became of those is known first.
  if (lookAhead !== undefined && doubts.every(({ kind }) => kind === "workout")) {
    await check?.(["equipment", "course"], signal);
    const mayBeSent = signal.aborted ? undefined : await lookAhead(doubts.length, signal);
    if (mayBeSent !== undefined) return { mayBeSent, doubts };
  }
  await settle(signal, 0);
  if (!signal.aborted) await check?.(ORDER, signal);
  return SETTLED;
}

/** Lines up to a moment. */
class Cut<T extends Line> implements AsyncIterable<T> {
  /** Whether the moment came before the last of them. */
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

/** What is under way when a run is told to stop has this long to be finished, in milliseconds. */
const GRACE_MS = 10_000;

/** How often it is looked whether anything is under way still, in milliseconds. */
const LOOK_MS = 100;

/**
 * A signal that follows another one a grace later: a request that is cut off is an answer lost. Where nothing is under way, since the
 * service is waited for, nobody has to wait for the grace to end.
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
