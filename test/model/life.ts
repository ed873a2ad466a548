/**
 * One life of logferry: a command, from its start to its end or to the moment its process dies. Most of it is the real thing: plan, settle, load, the
 * client and its reading of answers, the journal's SQL. The network, the clock and the end of the process are made up.
 */

import { DatabaseSync } from "node:sqlite";
import { systemClock } from "../../connectors/api/clock.ts";
import { openConnection } from "../../connectors/api/connection.ts";
import type { Fetcher, Outcome } from "../../connectors/api/exchange.ts";
import type { Pacing } from "../../connectors/api/pacing.ts";
import type { WireRequest } from "../../connectors/api/request.ts";
import { createSink } from "../../connectors/api/sink.ts";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { TransferError } from "../../connectors/errors.ts";
import { readIfThere } from "../../connectors/sink.ts";
import { Shipping } from "../../pipelines/fleet/shipping.ts";
import type { JournalStore } from "../../pipelines/fleet/store.ts";
import { JournalDatabase } from "../../pipelines/journal/database.ts";
import type { Journal } from "../../pipelines/journal/journal.ts";
import { type ChangeSource, type Replication, replicatedOn } from "../../pipelines/journal/replicated.ts";
import { STEPS } from "../../pipelines/journal/schema.ts";
import { journalOn } from "../../pipelines/journal/sqlite-journal.ts";
import { type RunSummary, summarise } from "../../pipelines/journal/summary.ts";
import { checkAssumptions } from "../../pipelines/load/check-assumptions.ts";
import { loadPlan } from "../../pipelines/load/load-plan.ts";
import { lookAhead } from "../../pipelines/load/look-ahead.ts";
import { settle } from "../../pipelines/load/settle.ts";
import { type LogView, readLogView } from "../../pipelines/log/log-view.ts";
import { createEncoder } from "../../pipelines/plan/log/encode.ts";
import { planSources } from "../../pipelines/plan/plan-sources.ts";
import type { SourceFiles } from "../../pipelines/sources/source-files.ts";
import type { OpenedSource } from "../../pipelines/sources/sources.ts";
import type { Reading } from "../../transforms/model/item.ts";
import type { Choices, Option } from "./choices.ts";
import type { MadeRecording, WireLog } from "./wire-log.ts";

/** The time a server may take to carry out a request, in milliseconds. */
export const QUIET_MS = 60_000;

/** The time until a late request is done, after its client gave up. It is within the promised time. */
const LATE_MS = 0.9 * QUIET_MS;

/** The settings of a life. */
export interface LifeSettings {
  readonly readings: readonly Reading[];
  /** Made-up device files by entry. */
  readonly files: Readonly<Record<string, readonly MadeRecording[]>>;
  readonly concurrency: number;
  readonly mutant?: Mutant | undefined;
  /** The journal in PostgreSQL, where the journal of a fleet outlives its worker. Without it, the journal outlives its process. */
  readonly kept?: DatabaseSync | undefined;
}

/** A protection taken away, by changing the parts around the loader. */
export interface Mutant {
  readonly settleMs?: number;
  readonly journal?: (inner: Journal, database: MemoryDatabase) => Journal;
  readonly fetcher?: (inner: Fetcher) => Fetcher;
  /** Around the listings that settling reads. */
  readonly list?: (inner: List) => List;
  /** Settling can't read a record. */
  readonly isBlind?: true;
  /** The way to PostgreSQL. */
  readonly replication?: (inner: Replication) => Replication;
}

export type List = LogView["list"];

/** How a life ended. */
export type LifeEnd =
  /** The process died. */
  | { readonly kind: "died" }
  /** It stopped by itself, with this message. */
  | { readonly kind: "stopped"; readonly said: string }
  /** It came to its end. Something may be left. */
  | { readonly kind: "ended"; readonly summary: RunSummary };

/** The process is gone. This is no error of logferry's, so no code may catch it and go on. */
class Died extends Error {}

/** A journal's database in memory, with the tables of the real one. */
export class MemoryDatabase extends JournalDatabase {
  readonly connection: DatabaseSync;
  /** Commits are left out. The writer sees what it wrote, and loses it when it dies. */
  isLazy = false;
  /** Nothing is written any more, even if parts of the process still run. */
  isOver = false;

  constructor() {
    const connection = new DatabaseSync(":memory:");
    for (const step of STEPS) connection.exec(step);
    super(connection);
    this.connection = connection;
  }

  /** Loses uncommitted work, and can be written again. */
  lose(): void {
    this.isOver = false;
    this.isLazy = false;
    if (!this.connection.isTransaction) return;
    this.connection.exec("ROLLBACK; BEGIN");
    this.commit();
  }

  override commit(): void {
    if (this.isOver) throw new Died();
    if (!this.isLazy) super.commit();
  }

  override transaction(body: () => void): void {
    if (this.isOver) throw new Died();
    if (this.isLazy) {
      this.beginChunk();
      body();
    } else super.transaction(body);
  }
}

/** The true time, in milliseconds. It moves when a command sleeps. */
export interface Time {
  now: number;
}

/**
 * The process may die before any of these. Each makes something durable that matters. (The next plan forgets a plan that was only begun. The note
 * that a run is under way is only shown.) Between two of these calls nothing can be lost.
 */
const COMMITS = new Set<string>(["takeListing", "planReady", "intend", "receive", "receiveId", "disown", "exchange"]);

const NO_FAULT: Option = { name: "well", faults: 0 };
const DIES: Option = { name: "dies before", faults: 1 };
const READ_PROBLEM: readonly Option[] = [NO_FAULT, { name: "down", faults: 1 }];
const WRITE_OVER_PROBLEM: readonly Option[] = [
  NO_FAULT,
  { name: "lost after", faults: 1 },
  { name: "down", faults: 1 },
  { name: "down after", faults: 1 },
];
const MAKE_PROBLEM: readonly Option[] = [
  NO_FAULT,
  ...["never sent", "429", "lost before", "lost after", "500 before", "500 after", "cut after"].map(
    (name): Option => ({ name, faults: 1 }),
  ),
  { name: "late", faults: 1 },
  { name: "dies, late", faults: 1 },
];

const NEVER = new AbortController().signal;

/** Lives one life. The choices decide about the command and the faults. */
export async function live(
  settings: LifeSettings,
  log: WireLog,
  database: MemoryDatabase,
  time: Time,
  choices: Choices,
): Promise<LifeEnd> {
  const { mutant = {} } = settings;
  let isDead = false;
  const die = (): never => {
    isDead = true;
    // The requests of other workers in the same turn are not committed either.
    database.isOver = true;
    throw new Died();
  };
  // Several moments have the same future when nothing became durable and no time passed between them. One of them is enough.
  let canDie = true;
  let canFailToRead = true;
  const onChange = () => {
    canDie = true;
    canFailToRead = true;
  };
  const ask = (before: string, others: readonly Option[]): string => {
    if (isDead) throw new Died();
    const isRead = others === READ_PROBLEM;
    const problems = isRead && !canFailToRead ? [NO_FAULT] : others;
    const chosen = choices.choose(before, canDie ? [...problems, DIES] : problems);
    canDie = false;
    if (isRead) canFailToRead = false;
    return chosen === DIES.name ? die() : chosen;
  };
  const sleep = async (ms: number) => {
    if (ms > 0) onChange();
    time.now += ms;
  };

  const wire = wireOf(log, time, ask, die, onChange);
  const connection = openConnection({
    baseUrl: "http://localhost:1",
    token: "token",
    fetcher: mutant.fetcher?.(wire) ?? wire,
    pacing: unpaced(),
    clock: { now: () => time.now, date: () => time.now, sleep, random: () => 0 },
  });
  database.isLazy = false;
  let replication: Replication | undefined;
  const { kept } = settings;
  const replicate = (source: ChangeSource) => {
    const shipping = shippingTo(kept as DatabaseSync, source, database);
    replication = mutant.replication?.(shipping) ?? shipping;
    return replication;
  };
  const real = kept === undefined ? journalOn(database, () => undefined) : replicatedOn(database, replicate);
  const journal = dying(mutant.journal?.(real, database) ?? real, {
    before: (name, values) => {
      if (isDead) throw new Died();
      if (!COMMITS.has(name) && !(name === "setRunState" && values[1] === "finished")) return;
      ask(name, [NO_FAULT]);
      onChange();
    },
  });

  try {
    const latest = await journal.run();
    const commands: readonly Option[] = [
      { name: "import", faults: 0 },
      { name: "apply", faults: 0 },
    ];
    const canApply = latest !== undefined && latest.state !== "finished";
    const command = choices.choose("command", canApply ? commands : commands.slice(0, 1));
    const view = await readLogView(connection, NEVER);
    await journal.bindAccount(view.account);
    const list = mutant.list?.(view.list) ?? view.list;
    const page = view.page ?? (async () => undefined);
    const sink = createSink(connection);
    const context = {
      settings,
      journal,
      view,
      now: () => time.now,
      settle: (quietMs: number) =>
        settle(
          {
            journal,
            list,
            ...(mutant.isBlind !== true && {
              read: (kind, id, signal) => readIfThere(() => sink.read(kind, id, signal)),
            }),
            sleep,
            onWait: () => undefined,
            settleMs: mutant.settleMs ?? QUIET_MS,
          },
          NEVER,
          quietMs,
        ),
    };
    if (command === "import") await planned(context);
    const run = await journal.run();
    if (run === undefined) throw new Error("there is no run");
    await loadPlan(run, {
      journal,
      sink,
      files: filesOf(settings),
      encode: createEncoder(run.options),
      settle: (_signal, quietMs) => context.settle(quietMs),
      ...(command === "apply" && {
        check: (kinds, signal) => checkAssumptions(run, { journal, list }, kinds, signal),
        lookAhead: (inDoubt, signal) => lookAhead(run, { journal, page }, inDoubt, signal),
      }),
      settleMs: mutant.settleMs ?? QUIET_MS,
      report: (issue) => journal.addIssue(run.id, issue),
      onProgress: () => undefined,
      now: context.now,
      monotonic: context.now,
      concurrency: settings.concurrency,
      signal: NEVER,
    });
    return { kind: "ended", summary: await summarise(journal, (await journal.run(run.id)) ?? run) };
  } catch (error) {
    if (isDead) return { kind: "died" };
    if (error instanceof TransferError) return { kind: "stopped", said: error.message };
    throw error;
  } finally {
    // A process that ends by itself closes its journal. A process that dies leaves on the disk only what was there before.
    if (isDead) database.lose();
    else database.commit();
    if (!isDead) await replication?.end();
  }
}

/** Ships changes to a journal in PostgreSQL, as a worker does. */
function shippingTo(kept: DatabaseSync, source: ChangeSource, database: MemoryDatabase): Replication {
  const append: JournalStore["append"] = async (_fence, { changes }) => {
    if (database.isOver) throw new Died();
    if (!kept.applyChangeset(changes)) throw new Error("the changes don't fit");
    return true;
  };
  const unasked = async () => false;
  return new Shipping(source, {
    store: { append, keepPiece: unasked, useSnapshot: unasked },
    claim: { fence: 1, over: NEVER, lose: () => expectNever() },
    patience: { clock: systemClock, signal: NEVER, onWait: () => undefined },
    copyPath: "",
    shipped: { number: 0, changes: 0, bytes: 0 },
    fileBytes: 0,
  });
}

function expectNever(): never {
  throw new Error("nobody else claims the journal here");
}

async function planned({
  settings,
  journal,
  view,
  now,
  settle: settled,
}: {
  readonly settings: LifeSettings;
  readonly journal: Journal;
  readonly view: LogView;
  readonly now: () => number;
  readonly settle: (quietMs: number) => Promise<number>;
}): Promise<void> {
  const activityIDs = { run: 10 };
  await settled(0);
  await planSources({
    sources: [sourceOf(settings.readings)],
    log: view,
    journal,
    settings: { sports: new Map(), activityIDs, preference: view.preference, time: { utcOffset: 2 } },
    options: { tracks: true, activityIDs, workoutIDs: {} },
    signal: NEVER,
    now,
    onIssue: () => undefined,
    onProgress: () => undefined,
  });
}

/** A journal that calls a function before each call. */
function dying(journal: Journal, { before }: { before: (name: string, values: readonly unknown[]) => void }): Journal {
  return new Proxy(journal, {
    get(target, name) {
      const method = Reflect.get(target, name, target) as unknown;
      if (typeof method !== "function") return method;
      return (...values: unknown[]) => {
        before(String(name), values);
        return Reflect.apply(method, target, values);
      };
    },
  });
}

/** The network between a loader and a log. */
function wireOf(
  log: WireLog,
  time: Time,
  ask: (before: string, others: readonly Option[]) => string,
  die: () => never,
  onChange: () => void,
): Fetcher {
  /** Requests that fail at every repetition. */
  const down = new Map<WireRequest, string>();
  return {
    async exchange(request) {
      const { method } = request;
      const path = request.path.split("?")[0] ?? "";
      const sent = { method, path, body: request.body === undefined ? "" : Buffer.from(request.body).toString("utf8") };
      log.catchUp(time.now);
      const effect = () => {
        if (method !== "GET") onChange();
        return log.answer(sent);
      };
      const fault = down.get(request) ?? ask(`${method} ${path}`, PROBLEM[method]);
      switch (fault) {
        case "down":
          down.set(request, fault);
          return method === "GET" ? answer(500, {}) : LOST;
        case "down after":
          down.set(request, "down");
          effect();
          return LOST;
        case "never sent":
          down.set(request, fault);
          return { kind: "never-sent", code: "ECONNREFUSED", found: "nobody listens", isTrust: false };
        case "429":
          return answer(429, {});
        case "lost before":
          return LOST;
        case "500 before":
          return answer(500, {});
        case "lost after":
          effect();
          return LOST;
        case "500 after":
          effect();
          return answer(500, {});
        case "cut after":
          return { ...answer(200, effect().json), cut: "its answer was cut off" };
        case "late":
          log.state.late.push({ due: time.now + LATE_MS, request: sent });
          onChange();
          return LOST;
        case "dies, late":
          log.state.late.push({ due: time.now + LATE_MS, request: sent });
          return die();
        default: {
          const { status, json } = effect();
          return answer(status, json);
        }
      }
    },
    close: async () => undefined,
  };
}

const PROBLEM: Readonly<Record<WireRequest["method"], readonly Option[]>> = {
  GET: READ_PROBLEM,
  PUT: WRITE_OVER_PROBLEM,
  POST: MAKE_PROBLEM,
};

const LOST: Outcome = { kind: "lost", code: "ECONNRESET", found: "the connection was reset" };

function answer(status: number, json: unknown): Outcome & { kind: "answer" } {
  const none = { retryAfter: undefined, date: undefined, location: undefined, cut: undefined };
  return { kind: "answer", status, body: Buffer.from(JSON.stringify(json)), ...none };
}

/** Everything at once. */
function unpaced(): Pacing {
  return {
    inFlight: 8,
    run: (task) => task(),
    perSecond: undefined,
    pause: () => undefined,
    accepted: () => undefined,
    memberTurnedAway: () => undefined,
    waiting: () => undefined,
    counts: { waiting: 0, running: 0, started: 0, pauses: 0 },
  };
}

function sourceOf(readings: readonly Reading[]): OpenedSource {
  return {
    path: "/made",
    archive: memoryArchive("made", {}),
    saw: "made up",
    connector: {
      name: "made",
      title: "made",
      howToGet: "made up",
      identify: async () => undefined,
      async *read() {
        yield* readings;
      },
    },
  };
}

function filesOf({ files }: LifeSettings): SourceFiles {
  return {
    track: async (_source, { entry }) => Buffer.from(JSON.stringify(files[entry])),
    leg: async (_source, { entry, recording }) => {
      const leg = files[entry]?.[recording];
      return leg && Buffer.from(JSON.stringify([leg]));
    },
    courseMap: async () => Buffer.from("<gpx/>"),
    close: async () => undefined,
  };
}
