/**
 * An open log with its journal: what the commands that talk to a log have in common.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { withoutLastSlashes } from "../../connectors/api/base-url.ts";
import type { Connection } from "../../connectors/api/connection.ts";
import type { Pacing } from "../../connectors/api/pacing.ts";
import { createSink } from "../../connectors/api/sink.ts";
import type { Sink } from "../../connectors/sink.ts";
import type { When } from "../../pipelines/journal/cost.ts";
import type { AccountRef, Journal, JournalReader, Run } from "../../pipelines/journal/journal.ts";
import { type Lock, takeAccountLock } from "../../pipelines/journal/lock.ts";
import { openJournal, openJournalToRead } from "../../pipelines/journal/sqlite.ts";
import type { LogView } from "../../pipelines/log/log-view.ts";
import { NAMELESS, readLogView } from "../../pipelines/log/log-view.ts";
import { REQUESTS_IN_FLIGHT } from "../../transforms/assumptions.ts";
import { ARCHIVE_OPTIONS } from "../arguments/archive-limits.ts";
import type { CommandContext } from "../arguments/command.ts";
import { PATHS } from "../arguments/config.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { connect, pace } from "../login/connect.ts";
import { checkedProfile } from "../login/credentials.ts";
import { findCredentials } from "../login/find-credentials.ts";
import type { OptionName } from "../options.ts";
import type { Pricing, Used } from "../printing/print-run.ts";
import { durationMs } from "../wording/durations.ts";
import { type Budget, openBudget } from "./budget.ts";

/** Options of every command that opens the log. */
export const SESSION_OPTIONS: readonly OptionName[] = [
  "url",
  "tokenFile",
  "tokenCommand",
  "journal",
  "networkJournal",
  "rate",
  "concurrency",
  "timeout",
  "patience",
  "settle",
];

/** Options of the commands that write to the log: what they may use up. */
export const RUN_OPTIONS: readonly OptionName[] = ["maxRequests", "maxDuration", "onErrors"];

/** Of these, the ones that bound a command in which no record is refused. */
export const RUN_BOUNDS: readonly OptionName[] = ["maxRequests", "maxDuration"];

/** Options of the commands that plan. */
export const PLAN_OPTIONS: readonly OptionName[] = [
  "map",
  "zone",
  "since",
  "until",
  "sport",
  "activity",
  "noTracks",
  ...ARCHIVE_OPTIONS,
  ...SESSION_OPTIONS,
];

/** An open log with its journal. */
export interface Session {
  /** Base URL of the log. */
  readonly url: string;
  readonly journal: Journal;
  readonly view: LogView;
  readonly sink: Sink;
  readonly concurrency: number;
  /** What the command may use up, and has used. */
  readonly budget: Budget;
  /** Aborted by the first Ctrl-C, and when the budget is used up: finish what is under way. */
  readonly signal: AbortSignal;
  /** Requests that were used since this was asked last; since the log was opened, the first time. */
  readonly usedSinceAsked: () => number;
  /** True while requests are held back until a service that fails is well. */
  readonly isWaitedFor: () => boolean;
  close(): Promise<void>;
}

/** What several logs that are worked on in one process share. */
export interface Shared {
  /** The pacing of their host: all of their requests wait for their turn there. */
  readonly host?: Pacing;
}

/** Opens the log the options and the stored token lead to. Nothing is asked of it yet. */
export async function openLog(context: CommandContext, shared: Shared = {}): Promise<Omit<OpenedLog, "view">> {
  const { options } = context;
  const budget = openBudget(options);
  const signal = AbortSignal.any([context.signal, budget.signal]);
  const { url, token } = await findCredentials(context);
  const connection = connect(url, token, {
    ...pace(options),
    host: shared.host,
    inFlight: options.concurrency ?? REQUESTS_IN_FLIGHT,
    timeoutSeconds: options.timeout,
    patienceMs: options.patience === undefined ? undefined : durationMs(options.patience),
    wrap: (fetcher) => budget.counted(fetcher),
  });
  const close = async () => {
    budget[Symbol.dispose]();
    await connection.close();
  };
  return { url, token, connection, budget, signal, close };
}

/** Opens the log the options and the stored token lead to, without a journal. */
export async function openLogView(context: CommandContext, shared?: Shared): Promise<OpenedLog> {
  const opened = await openLog(context, shared);
  try {
    return { ...opened, view: await readLogView(opened.connection, opened.signal) };
  } catch (error) {
    await opened.close();
    throw opened.budget.explain(error);
  }
}

/** A log that was opened, without a journal. */
export interface OpenedLog extends Pick<Session, "view" | "budget" | "signal"> {
  readonly url: string;
  readonly token: string;
  readonly connection: Connection;
  close(): Promise<void>;
}

function sinceAsked(budget: Budget): () => number {
  let asked = 0;
  return () => {
    const used = budget.used - asked;
    asked = budget.used;
    return used;
  };
}

/** What a command used up so far. */
export function usedBy({ budget }: Session): Used {
  return { requests: budget.used, why: budget.why };
}

/** What a plan is priced with. */
export function pricing(options: Pick<CommandContext["options"], "rate">, when: When): Pricing {
  return { when, perSecond: pace(options).start };
}

/** Opens the log and the journal that belongs to it. Both are this process's alone until it is closed. */
export async function openSession(context: CommandContext): Promise<Session> {
  return sessionOn(context, await openLogView(context));
}

/**
 * The same of a log that was opened already, which is the session's from then on. Whose log it is can be looked at before: the journal
 * is bound to it here.
 *
 * @param locks folder of the locks of accounts; that of a log which only this process knows may be another one
 */
export async function sessionOn(
  context: CommandContext,
  opened: OpenedLog,
  locks = join(PATHS.data, "accounts"),
): Promise<Session> {
  const { url, view, token, connection, budget, signal, close } = opened;
  let journal: Journal | undefined;
  let lock: Lock | undefined;
  const closeAll = async () => {
    await journal?.close();
    lock?.release();
    await close();
  };
  try {
    journal = await openOwnJournal(context.options);
    await journal.bindAccount(view.account);
    lock = takeAccountLock(locks, accountMark(view.account, token), view.account.name);
    return {
      url: withoutLastSlashes(url),
      journal,
      view,
      sink: createSink(connection),
      concurrency: context.options.concurrency ?? REQUESTS_IN_FLIGHT,
      budget,
      signal,
      usedSinceAsked: sinceAsked(budget),
      isWaitedFor: () => connection.isHeldBack,
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** An account as a file name. Two nameless ones differ by their tokens alone, of which only a hash may stand anywhere. */
function accountMark({ baseUrl, userHash, name }: AccountRef, token: string): string {
  const hash = createHash("sha256").update(`${baseUrl}\u0000${userHash}`);
  return (name === NAMELESS ? hash.update(`\u0000${token}`) : hash).digest("hex").slice(0, 32);
}

/** Opens the journal the options name: one a profile, unless `--journal` says otherwise. */
export function openOwnJournal(options: CommandContext["options"]): Promise<Journal> {
  return openJournal(journalPath(options), { onNetwork: options.networkJournal });
}

/** Opens the journal the options name to look at it, also while a run works with it. */
export function openOwnJournalToRead(options: CommandContext["options"]): Promise<JournalReader> {
  return openJournalToRead(journalPath(options));
}

/** Where the journal is, or will be. */
export function journalPath({ journal, profile }: CommandContext["options"]): string {
  return journal ?? join(PATHS.data, `${checkedProfile(profile)}.journal.db`);
}

/**
 * The run of a number, else the last one.
 *
 * @throws UsageError when there is no run of that number
 */
export async function findRun(journal: JournalReader, id: number | undefined): Promise<Run | undefined> {
  const run = await journal.run(id);
  if (run !== undefined || id === undefined) return run;
  const ids = (await journal.runs()).map((one) => one.id);
  throw new UsageError(`There is no run ${id}${ids.length === 0 ? "" : `; the journal holds ${ids.join(", ")}`}`);
}
