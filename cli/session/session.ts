/** An open log with its journal, for all commands that talk to a log. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { withoutLastSlashes } from "../../connectors/api/base-url.ts";
import type { Connection } from "../../connectors/api/connection.ts";
import type { Fetcher } from "../../connectors/api/exchange.ts";
import type { Pacing } from "../../connectors/api/pacing.ts";
import { type Permit, permitted } from "../../connectors/api/permit.ts";
import { createSink } from "../../connectors/api/sink.ts";
import { TransferError } from "../../connectors/errors.ts";
import type { Sink } from "../../connectors/sink.ts";
import type { Journal } from "../../pipelines/journal/journal.ts";
import { takeAccountLock } from "../../pipelines/journal/lock.ts";
import type { AccountRef } from "../../pipelines/journal/remote-record.ts";
import { AccountMemory } from "../../pipelines/load/cut-off.ts";
import { type LogView, NAMELESS, readLogView } from "../../pipelines/log/log-view.ts";
import { REQUESTS_IN_FLIGHT } from "../../transforms/assumptions.ts";
import { isLoopbackHost } from "../../transforms/text/loopback-host.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import type { CommandContext } from "../arguments/command.ts";
import { userFolders } from "../arguments/config.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { connect } from "../login/connect.ts";
import { findCredentials } from "../login/find-credentials.ts";
import { pace } from "../login/pace.ts";
import type { Used } from "../printing/print-run.ts";
import { folderOfRehearsal } from "../suggested-commands.ts";
import { durationMs } from "../wording/durations.ts";
import { type Budget, type LongLimits, openBudget, type Tally } from "./budget.ts";
import { journalPath, openOwnFleet, openOwnJournal } from "./own-journal.ts";
import { type Trace, UNTRACED } from "./trace.ts";

/** An open log with its journal. */
export interface LogSession extends AsyncDisposable {
  /** Base URL of the log. */
  readonly url: string;
  readonly journal: Journal;
  readonly view: LogView;
  readonly sink: Sink;
  readonly concurrency: number;
  /** The limits of the command, and their use so far. */
  readonly budget: Budget;
  /** Aborted by the first Ctrl-C, and when the budget is used up: finish the current work. */
  readonly signal: AbortSignal;
  /** Requests since the last call; at the first call, since the log was opened. */
  readonly usedSinceAsked: () => number;
  /** True while requests are held back until a failing service works again. */
  readonly isWaitedFor: () => boolean;
  /** As in `LoadContext`. */
  readonly isIdle: () => boolean;
  /** The account's memory of runs that were cut off, for all journals. */
  readonly memory: AccountMemory;
  close(): Promise<void>;
}

/** Resources that several logs or sessions in one process share. */
export interface Shared {
  /** The pacing of their host: all requests of these logs take turns there. */
  readonly host?: Pacing;
  /** Limits that hold over several sessions. */
  readonly long?: LongLimits | undefined;
  /** Says whether requests may leave, where somebody else may take over the journal. */
  readonly permit?: Permit | undefined;
  /** The requests of the work that this session goes on with. */
  readonly tally?: Tally | undefined;
  /** Notes the requests; absent where nobody asks. */
  readonly trace?: Trace | undefined;
}

/** Opens the log that the options and the stored token name. It sends no request yet. */
export async function openLog(context: CommandContext, shared: Shared = {}): Promise<Omit<OpenedLog, "view">> {
  const { options } = context;
  const budget = openBudget(options, shared.long, shared.tally);
  const signal = AbortSignal.any([context.signal, budget.signal]);
  const { url, token } = await findCredentials(context);
  const { permit, trace = UNTRACED } = shared;
  const sent = (fetcher: Fetcher) => trace.requests(fetcher, url);
  const connection = connect(url, token, {
    ...pace({ ...options, url }),
    host: shared.host,
    inFlight: options.concurrency ?? REQUESTS_IN_FLIGHT,
    timeoutSeconds: options.timeout,
    patienceMs: options.patience === undefined ? undefined : durationMs(options.patience),
    wrap: (fetcher) => budget.counted(permit === undefined ? sent(fetcher) : permitted(sent(fetcher), permit)),
  });
  const close = async () => {
    budget[Symbol.dispose]();
    await connection.close();
  };
  return { url, token, connection, budget, signal, close, [Symbol.asyncDispose]: close };
}

/** Opens the log that the options and the stored token name, without a journal. */
export async function openLogView(context: CommandContext, shared?: Shared): Promise<OpenedLog> {
  const opened = await openLog(context, shared);
  try {
    return {
      ...opened,
      view: await readLogView(opened.connection, opened.signal, { trustsList: context.options.trustList === true }),
    };
  } catch (error) {
    await opened.close();
    throw opened.budget.explain(error);
  }
}

/** An open log without a journal. */
export interface OpenedLog extends Pick<LogSession, "view" | "budget" | "signal">, AsyncDisposable {
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

/** The requests that a command has used so far. */
export function usedBy({ budget }: LogSession): Used {
  return { requests: budget.used, why: budget.why };
}

/** Opens the log and its journal. Other processes can't use either of them until it is closed. */
export async function openSession(context: CommandContext, shared?: Shared): Promise<LogSession> {
  const folder = folderOfRehearsal(context.typed?.journal);
  if (folder !== undefined)
    throw new UsageError(
      `Cannot use the private log of the rehearsal in ${folder}: only rehearse writes there. If its pages are open, end them with Ctrl-C. Then rehearse once more: logferry rehearse --out ${shellWord(folder)}`,
    );
  await using fleet = await openOwnFleet(context);
  if (fleet === undefined) return sessionOn(context, await openLogView(context, shared));
  // The fleet knows the address of the athlete's log. The stored login may be of another one.
  const url = context.options.url ?? fleet.address;
  const own = { ...context, options: { ...context.options, ...(url !== undefined && { url }) } };
  return await sessionOn(context, await openLogView(own, { ...shared, permit: fleet.permit }), fleet);
}

/** Where a session finds its files. */
export interface SessionPlaces {
  /** Folder of the account locks. A log that only this process knows may use another folder. */
  readonly locks?: string;
  /** Locks an account for this session, where processes of other machines may work on it too. Default: a file in `locks`. */
  readonly lockAccount?: (account: string, name: string) => Promise<{ release(): void | Promise<void> }>;
  /** Opens the journal that the options name, so that nobody else can. Default: the file on this machine. */
  readonly openJournal?: (options: CommandContext["options"]) => Promise<Journal>;
}

/**
 * Makes a session of an open log, which the session then owns. The journal is bound to the log's account here, so the caller can check the
 * owner first.
 *
 */
export async function sessionOn(
  context: CommandContext,
  opened: OpenedLog,
  places: SessionPlaces = {},
): Promise<LogSession> {
  const { url, view, token, connection, budget, signal, close } = opened;
  const { locks = join(userFolders().data, "accounts"), openJournal = openOwnJournal } = places;
  const { lockAccount = async (account: string, name: string) => takeAccountLock(locks, account, name) } = places;
  let journal: Journal | undefined;
  let lock: Awaited<ReturnType<typeof lockAccount>> | undefined;
  let memory: AccountMemory | undefined;
  const closeAll = async () => {
    if (journal !== undefined) await memory?.settle(journal).catch(ignoreProblem);
    await journal?.close();
    await lock?.release();
    await close();
  };
  try {
    journal = await openJournal(context.options);
    await journal.bindAccount(view.account);
    const fingerprint = accountFingerprint(view.account, token);
    // Machines may reach one log by several names of its host, such as an inner and an outer one.
    const anywhere = accountFingerprint({ ...view.account, baseUrl: "" }, token);
    const here = accountFingerprint({ ...view.account, baseUrl: nameOfThisMachine(view.account.baseUrl) }, token);
    lock = await lockAccount(places.lockAccount === undefined ? here : anywhere, view.account.name);
    const concurrency = context.options.concurrency ?? REQUESTS_IN_FLIGHT;
    const mine = { journal: await journal.identity(), path: journalPath(context.options), inFlight: concurrency };
    memory = new AccountMemory(join(locks, `${fingerprint}.sending.json`), mine, context.now);
    return {
      url: withoutLastSlashes(url),
      journal,
      view,
      sink: remembering(createSink(connection), memory),
      memory,
      concurrency,
      budget,
      signal,
      usedSinceAsked: sinceAsked(budget),
      isWaitedFor: () => connection.isHeldBack,
      isIdle: () => connection.pacing.counts.running === 0 && connection.waiting() !== undefined,
      close: closeAll,
      [Symbol.asyncDispose]: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** A sink that writes a note to the account's memory before it creates anything in the log. */
function remembering(sink: Sink, memory: AccountMemory): Sink {
  return {
    ...sink,
    create(kind, body, signal) {
      memory.sending();
      return sink.create(kind, body, signal);
    },
    importFile(format, bytes, signal) {
      memory.sending();
      return sink.importFile(format, bytes, signal);
    },
  };
}

/** Ignores a journal that can't be read: that error has already ended the command, and was reported. */
function ignoreProblem(error: unknown): void {
  if (!(error instanceof TransferError)) throw error;
}

/** The same log by the name `localhost`, where it is on this machine: `127.0.0.1:8080` and `localhost:8080` are one. */
function nameOfThisMachine(baseUrl: string): string {
  const host = /^(?:\[[^\]]*\]|[^:/]*)/.exec(baseUrl)?.[0] ?? "";
  return isLoopbackHost(host) ? `localhost${baseUrl.slice(host.length)}` : baseUrl;
}

/** An account as a file name. Two accounts without a name differ only by their tokens, and only a hash of a token may be stored. */
function accountFingerprint({ baseUrl, userHash, name }: AccountRef, token: string): string {
  const hash = createHash("sha256").update(`${baseUrl}\u0000${userHash}`);
  return (name === NAMELESS ? hash.update(`\u0000${token}`) : hash).digest("hex").slice(0, 32);
}
