/**
 * `logferry worker`: takes athletes from the queue of a fleet until it is told to stop. A heartbeat says that it is alive. Without one, others
 * take its athletes.
 */
import { hostname } from "node:os";
import { dirname } from "node:path";
import { ATHLETE_STATUSES, type Outcome } from "../../pipelines/batch/outcome.ts";
import { type TakenAthlete, tallyOf } from "../../pipelines/fleet/athletes.ts";
import { hasRoom } from "../../pipelines/fleet/own-disk.ts";
import { HEARTBEAT_SECONDS, type Job } from "../../pipelines/fleet/queue.ts";
import { sayAtWork, sayEnded } from "../../pipelines/fleet/workers.ts";
import { defined } from "../../transforms/model/defined.ts";
import { printable } from "../../transforms/text/printable.ts";
import { asSentence } from "../../transforms/text/sentence.ts";
import type { CommandContext } from "../arguments/command.ts";
import { ledgerNow } from "../batch/carry.ts";
import { asJson, whyOf } from "../batch/print.ts";
import type { Athlete } from "../batch/roster.ts";
import { bugLines } from "../errors/describe-error.ts";
import type { Output } from "../terminal/output.ts";
import { traceStep } from "./spans.ts";
import { doStep, endAs, type Work } from "./work.ts";

/** An athlete under way. */
interface Running {
  readonly job: Job;
  readonly leave: AbortController;
  readonly cancel: AbortController;
  readonly ended: Promise<void>;
}

/** Milliseconds between two looks into an empty queue. */
const LOOK_MS = 500;

/** Milliseconds between two heartbeats: two may be lost. */
const BEAT_MS = (HEARTBEAT_SECONDS * 1000) / 3;

/** Milliseconds that the athletes under way have to finish their requests after a stop. The rest is handed back as it stands. */
const FINISH_MS = 20_000;

/** Seconds until an athlete is tried again whose journal another worker still holds. */
const AGAIN_SECONDS = 5;

/** Seconds until an athlete is tried again whose log doesn't answer. */
const AWAY_SECONDS = 10;

/** Milliseconds until a worker with a full disk looks whether there is room, and until one that can't see an archive takes another athlete. */
const [FULL_MS, UNSEEN_MS] = [10_000, 2 * LOOK_MS];

/** Seconds until an athlete comes again whose token this worker can't open. */
const LEFT_SECONDS = 30;

/** What a worker says of an athlete whom it has no more. */
const LOST =
  "another worker has them now, because this one gave no sign of life in time. Nothing more is sent from here";

/** Why an athlete is left whom another worker has by now. Nothing of them is handed back. */
const TAKEN = new Error("another worker has the athlete");

/** The name of this worker, for people. */
export const workerName = () => `process ${process.pid} on ${hostname()}`;

/** Counts of a worker, for its last sentence and its metrics. */
export interface WorkerCounts {
  readonly running: number;
  readonly ended: number;
  /** Athletes whom this worker left for another one, because it was stopped. */
  readonly givenBack: number;
  readonly statuses: Readonly<Record<string, number>>;
}

/** A worker. */
export class Worker {
  readonly #context: CommandContext;
  readonly #work: Work;
  readonly #running = new Map<string, Running>();
  readonly #statuses: Record<string, number> = {};
  /** Athletes whose token this worker can't open. */
  readonly #left = new Set<string>();
  /** Athletes whose archives this worker can't see, and when they may be taken again, in milliseconds since 1970. */
  readonly #unseen = new Map<string, number>();
  /** Takes no athlete before this time, in milliseconds since 1970. */
  #takesAt = 0;
  /** Why it takes no athlete. */
  #takesNobody: string | undefined;
  #ended = 0;
  #givenBack = 0;

  constructor(context: CommandContext, work: Work) {
    this.#context = context;
    this.#work = work;
  }

  get counts(): WorkerCounts {
    return {
      running: this.#running.size,
      ended: this.#ended,
      givenBack: this.#givenBack,
      statuses: { ...this.#statuses },
    };
  }

  /**
   * Works until the signal of its context is aborted, or until the queue is empty.
   *
   * @returns how many athletes wait whom only another worker can do; 0 when it was stopped
   */
  async run({ untilEmpty = false }: { readonly untilEmpty?: boolean } = {}): Promise<number> {
    const { signal, options, output, sleep } = this.#context;
    const { queue } = this.#work.fleet;
    const over = new AbortController();
    const beating = this.#beat(over.signal);
    try {
      await sayAtWork(this.#work.fleet.database, workerName());
      while (!signal.aborted) {
        const free = this.#mayTake() ? (options.parallel ?? 1) - this.#running.size : 0;
        const jobs = free > 0 ? await queue.take(free) : [];
        for (const job of jobs) this.#start(job);
        if (jobs.length > 0 || (await this.#takeGivenUp())) continue;
        const waiting = untilEmpty && this.#running.size === 0 ? await this.#waiting() : undefined;
        // Those whom this worker must leave to others don't keep it from ending.
        if (waiting !== undefined && waiting <= this.#left.size) return waiting;
        await Promise.race([sleep(LOOK_MS, signal).catch(() => undefined), this.#oneEnds()]);
      }
      await this.#leave();
    } catch (error) {
      if (!signal.aborted) {
        // Nothing goes on after this worker ended: its database is closed then.
        await this.#leave().catch(() => undefined);
        throw error;
      }
      // PostgreSQL may be away while the worker stops. Without a heartbeat its athletes are taken again.
      output.remark("The fleet's database doesn't answer. Other workers take the athletes when it is back.");
    } finally {
      over.abort();
      await beating;
      await sayEnded(this.#work.fleet.database, workerName()).catch(() => undefined);
    }
    return 0;
  }

  async #waiting(): Promise<number> {
    const { waiting, running } = await this.#work.fleet.queue.counts();
    return waiting + running;
  }

  /** Settles when an athlete under way ends; never while there is none. */
  #oneEnds(): Promise<void> {
    if (this.#running.size === 0) return new Promise(() => undefined);
    return Promise.race([...this.#running.values()].map(({ ended }) => ended));
  }

  #start(job: Job): void {
    const [leave, cancel] = [new AbortController(), new AbortController()];
    const ended = this.#do(job, leave, cancel).finally(() => this.#running.delete(job.id));
    this.#running.set(job.id, { job, leave, cancel, ended });
  }

  /** Does a job to its end. It never throws: what nobody expected is reported as a bug, and the job comes again. */
  async #do(job: Job, leave: AbortController, cancel: AbortController): Promise<void> {
    const { queue, athletes } = this.#work.fleet;
    const { output } = this.#context;
    let name = "";
    let isEnded = false;
    let isLost = false;
    let taken: TakenAthlete | undefined;
    try {
      taken = await athletes.take(job, workerName());
      if (taken === undefined) return await queue.finish(job);
      name = printable((taken.athlete as Athlete).name, 40);
      const stops = { leave: leave.signal, cancelled: cancel.signal };
      const onWait = (text: string) => output.remark(`${name}: ${text}`);
      const step = { job, taken, stops, output: quiet(output) };
      const done = await traceStep(this.#work.tracer, taken, (trace) =>
        doStep({ ...this.#context, onWait }, this.#work, { ...step, trace }),
      );
      isEnded = done.is === "ended";
      isLost = done.is === "not ours";
      if (done.is === "ended") this.#report(taken, done.outcome);
      if (done.is !== "ended" && done.is !== "not ours")
        await athletes.leave(taken, done.is === "for others" ? done.why : undefined);
      if (done.is === "away") await this.#waitForLog(taken, job, done.why);
      if (done.is === "locked") await queue.giveBack(job, AGAIN_SECONDS);
      if (done.is === "disk full") await this.#leaveDiskFull(job, done.why);
      if (done.is === "unseen") await this.#leaveUnseen(job);
      if (done.is === "for others") await this.#leaveToOthers(job, `${name}: ${done.why}`);
      if (done.is !== "given back") return;
      if (leave.signal.reason !== TAKEN) this.#givenBack++;
      await queue.giveBack(job);
    } catch (error) {
      if (!leave.signal.aborted) output.warn(...bugLines(error));
      else if (taken !== undefined && leave.signal.reason !== TAKEN) await this.#handBack(taken, job);
    } finally {
      if (name !== "" && !isEnded && (isLost || leave.signal.reason === TAKEN)) output.remark(`${name}: ${LOST}`);
    }
  }

  /** Hands an athlete back whose step ended in the middle, because the worker stops: it waited for an archive, say. */
  async #handBack(taken: TakenAthlete, job: Job): Promise<void> {
    const { queue, athletes } = this.#work.fleet;
    try {
      await athletes.leave(taken);
      await queue.giveBack(job);
      this.#givenBack++;
    } catch {
      // The database may be gone already. Without a heartbeat the job comes again.
    }
  }

  /** Gives an athlete back whom this worker can't do anything for, and says so once. */
  async #leaveToOthers(job: Job, says: string): Promise<void> {
    if (!this.#left.has(job.data.key)) this.#context.output.remark(says);
    this.#left.add(job.data.key);
    await this.#work.fleet.queue.giveBack(job, LEFT_SECONDS, true);
  }

  /** Whether this worker takes athletes now. After its disk was full it does once there is room. */
  #mayTake(): boolean {
    const now = this.#context.now();
    if (now < this.#takesAt || this.#givesWay(now)) return false;
    if (this.#takesNobody === undefined) return true;
    this.#takesAt = now + FULL_MS;
    if (!hasRoom(this.#work.copies)) return false;
    this.#takesNobody = undefined;
    this.#context.output.remark(`The disk of ${hostname()} has room again. This worker takes athletes again.`);
    return true;
  }

  /** Gives an athlete back because this machine's disk is full, and says so once. Nothing of theirs is lost: the journal is in PostgreSQL. */
  async #leaveDiskFull(job: Job, why: string): Promise<void> {
    this.#takesAt = this.#context.now() + FULL_MS;
    if (this.#takesNobody === undefined) {
      const folder = dirname(this.#work.copies);
      this.#takesNobody = `the disk of ${hostname()} is full, or can't be written (${folder})`;
      this.#context.output.remark(
        `This worker takes no more athletes, and hands its own to others: ${this.#takesNobody}. It goes on once there is room. It heard: ${why}`,
      );
      await sayAtWork(this.#work.fleet.database, workerName(), this.#takesNobody);
    }
    await this.#work.fleet.queue.giveBack(job);
  }

  /** Gives an athlete back whose archives this worker can't see: at once, and later on after some seconds, in which it does others. */
  async #leaveUnseen(job: Job): Promise<void> {
    const { key } = job.data;
    const afterSeconds = this.#unseen.has(key) ? AGAIN_SECONDS : 0;
    this.#unseen.set(key, this.#context.now() + afterSeconds * 1000);
    await this.#work.fleet.queue.giveBack(job, afterSeconds);
  }

  /**
   * Whether an athlete whose archives this worker can't see may be taken since a moment ago. It takes nobody then, so that another one does: workers look
   * at equal intervals, and the same one would always be the first.
   */
  #givesWay(now: number): boolean {
    return [...this.#unseen.values()].some((due) => now >= due && now < due + UNSEEN_MS);
  }

  /** Gives an athlete back whose log doesn't answer, and says so once. */
  async #waitForLog(taken: TakenAthlete, job: Job, why: string): Promise<void> {
    const { queue, athletes } = this.#work.fleet;
    if (taken.awayMs === undefined)
      this.#context.output.remark(
        `${printable((taken.athlete as Athlete).name, 40)}: ${asSentence(why)} It is tried again`,
      );
    await athletes.away(taken, why);
    await queue.giveBack(job, AWAY_SECONDS, true);
  }

  #report({ step, athlete: row }: TakenAthlete, outcome: Outcome): void {
    const { output } = this.#context;
    const athlete = row as Athlete;
    if (step === "check" && outcome.status === "ready") return;
    this.#ended++;
    this.#statuses[outcome.status] = (this.#statuses[outcome.status] ?? 0) + 1;
    output.emit("athlete", { phase: "result", ...asJson(outcome) });
    const { word, isGood } = ATHLETE_STATUSES[outcome.status];
    output.say(`${printable(athlete.name, 40)}: ${isGood ? word : whyOf({ athlete, outcome })}`);
    if (outcome.note !== undefined) output.remark(`${printable(athlete.name, 40)}: ${outcome.note}`);
  }

  /** Ends the athletes whose workers ended again and again without a word. @returns whether there was one */
  async #takeGivenUp(): Promise<boolean> {
    const { queue, athletes } = this.#work.fleet;
    const [job] = await queue.takeGivenUp(1);
    if (job === undefined) return false;
    const taken = await athletes.take(job, workerName());
    if (taken !== undefined) {
      const blank = { athlete: (taken.athlete as Athlete).name, fingerprint: "" };
      const tally = tallyOf(this.#work.fleet.database, taken);
      const { before: requests } = tally;
      const store = this.#work.store(this.#context.signal, tally);
      const ledger = taken.outcome && (await ledgerNow(undefined, taken.outcome, store));
      const ended = { status: "bug", why: GAVE_UP, requests, at: this.#context.now() } as const;
      const outcome: Outcome = { ...blank, ...taken.outcome, ...ended, ...defined({ ledger }) };
      this.#report(taken, outcome);
      await endAs(this.#context, this.#work, { taken, outcome, job });
    }
    await queue.finishGivenUp(job);
    return true;
  }

  /** Says again and again that this worker is alive, and hears which of its athletes are no longer its own. */
  async #beat(over: AbortSignal): Promise<void> {
    const { queue, athletes } = this.#work.fleet;
    const { sleep } = this.#context;
    while (!over.aborted) {
      await sleep(BEAT_MS, over).catch(() => undefined);
      try {
        const running = [...this.#running.values()];
        await sayAtWork(this.#work.fleet.database, workerName(), this.#takesNobody);
        const lost = await queue.beat(running.map(({ job }) => job));
        for (const { job, leave } of running) if (lost.includes(job)) leave.abort(TAKEN);
        const cancelled = await athletes.cancelled(running.map(({ job }) => job.data.key));
        for (const { job, cancel } of running) if (cancelled.has(job.data.key)) cancel.abort();
        await queue.watch();
      } catch (error) {
        // The database may be closed by now. Otherwise the next heartbeat may get through.
        if (!over.aborted) this.#context.output.remark(...bugLines(error));
      }
    }
  }

  /** Lets the athletes under way finish their requests, and hands them back. */
  async #leave(): Promise<void> {
    const running = [...this.#running.values()];
    for (const { leave } of running) leave.abort();
    const over = new AbortController();
    const all = Promise.all(running.map(({ ended }) => ended));
    const late = this.#context.sleep(FINISH_MS, over.signal).catch(() => undefined);
    await Promise.race([all, late]).finally(() => over.abort());
    for (const { job } of this.#running.values()) {
      this.#givenBack++;
      await this.#work.fleet.queue.giveBack(job);
    }
  }
}

const GAVE_UP =
  "its workers ended again and again without a word, perhaps for want of memory: import it alone, and look at it";

/** Shows nothing of the steps. A worker tells the results alone. */
function quiet(output: Output): Output {
  const nothing = () => undefined;
  return {
    ...{ loudness: "quiet", isJson: false, width: output.width },
    ...{ say: nothing, conclude: nothing, warn: nothing, remark: nothing, emit: nothing },
    ...{ progress: nothing, endProgress: nothing },
  };
}
