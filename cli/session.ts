/**
 * What the commands that talk to a log have in common: the token, the connection, the journal, and the two pipelines.
 */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleepFor } from "node:timers/promises";
import { checkedBaseUrl, withoutLastSlashes } from "../connectors/api/base-url.ts";
import type { Connection } from "../connectors/api/connection.ts";
import { openConnection } from "../connectors/api/connection.ts";
import { type Fetcher, poolFetcher, TIMEOUTS } from "../connectors/api/exchange.ts";
import type { LogNumbers } from "../connectors/api/from-wire.ts";
import { openPacing, type Pacing } from "../connectors/api/pacing.ts";
import { createSink } from "../connectors/api/sink.ts";
import { FatalError } from "../connectors/errors.ts";
import type { Sink } from "../connectors/sink.ts";
import { checkAssumptions } from "../pipelines/check-assumptions.ts";
import type { When } from "../pipelines/cost.ts";
import { createEncoder } from "../pipelines/encode.ts";
import type { Witness } from "../pipelines/identity/evidence.ts";
import type { AccountRef, Journal, JournalReader, Run, RunOptions } from "../pipelines/journal/journal.ts";
import { type Lock, takeAccountLock } from "../pipelines/journal/lock.ts";
import { openJournal, openJournalToRead } from "../pipelines/journal/sqlite.ts";
import { type LoadContext, load } from "../pipelines/load.ts";
import type { LogView } from "../pipelines/log-view.ts";
import { NAMELESS, readAccount, readLogView } from "../pipelines/log-view.ts";
import { lookAhead } from "../pipelines/look-ahead.ts";
import { type OpenedSource, plan } from "../pipelines/plan.ts";
import { readIfThere, settle } from "../pipelines/settle.ts";
import { openSourceFiles } from "../pipelines/source-files.ts";
import type { TakeUp } from "../pipelines/take-up.ts";
import { ACTIVITY_NAMES, type Activity } from "../transforms/activities.ts";
import {
  ACTIVITY_IDS,
  MOST_REQUESTS_PER_SECOND,
  REQUESTS_IN_FLIGHT,
  REQUESTS_PER_SECOND,
} from "../transforms/assumptions.ts";
import { describeIssue, type Issue } from "../transforms/issue.ts";
import { ARCHIVE_OPTIONS, archiveLimits } from "./archive-limits.ts";
import { type Budget, openBudget } from "./budget.ts";
import type { CommandContext } from "./command.ts";
import { type ActivityTables, PATHS } from "./config.ts";
import { checkedProfile, credentialsPath, readCredentials, readLogin, readTokenFile } from "./credentials.ts";
import { durationMs } from "./durations.ts";
import { UsageError } from "./exit-codes.ts";
import { givingUpSoon } from "./first-contact.ts";
import type { OptionName } from "./options.ts";
import { firstDay, lastDay } from "./periods.ts";
import type { Pricing, Used } from "./print-run.ts";
import { checkedToken } from "./token.ts";
import { commandToken } from "./token-command.ts";
import { packageVersion } from "./version.ts";

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

/** How fast a log is asked, by its options. */
export function pace({ rate }: { readonly rate?: number | undefined }): {
  readonly start: number | undefined;
  readonly rate: number | undefined;
} {
  if (rate === undefined) return { start: REQUESTS_PER_SECOND, rate: MOST_REQUESTS_PER_SECOND };
  return rate === 0 ? { start: undefined, rate: undefined } : { start: rate, rate };
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
 * The owner's tables; for what comes from another log, what they don't say is taken from the log's own list of names, where it has one:
 * its numbers differ from the other's.
 */
async function tablesFor(
  tables: ActivityTables,
  signal: AbortSignal,
  session: Session,
  sources: readonly OpenedSource[],
): Promise<ActivityTables> {
  if (!sources.some(({ connector }) => connector.ofLog)) return tables;
  const listed = await session.view.numbers?.(signal);
  if (listed === undefined) return tables;
  const workoutIDs: ActivityTables["workoutIDs"] = Object.fromEntries(
    ACTIVITY_NAMES.map((name) => [name, { ...listed.workoutIDs[name], ...tables.workoutIDs[name] }]),
  );
  return { ...tables, activityIDs: { ...listed.activityIDs, ...tables.activityIDs }, workoutIDs };
}

/** A run whose records are taken up, and which of them. */
export interface Taking {
  readonly base: Run;
  readonly taking: TakeUp;
}

/** How a plan is made that puts a snapshot back. */
export interface Restoring {
  /** The numbers of the snapshot's activities in the log. */
  readonly numbers: LogNumbers;
  readonly restores: NonNullable<RunOptions["restores"]>;
  readonly compare: NonNullable<Parameters<typeof plan>[0]["compare"]>;
}

/**
 * Makes a plan of opened sources; undefined when it was stopped.
 *
 * @param taken where only what another run left is taken up: read with that run's settings, and what was set today in their place
 * @param who listens for whose the sources are, and may refuse them before the plan counts
 * @param restoring where the source is a snapshot, of which the days were chosen already
 */
export async function makePlan(
  context: CommandContext,
  session: Session,
  sources: readonly OpenedSource[],
  taken?: Taking,
  who: { readonly witness?: Witness; readonly approve?: () => Promise<void> } = {},
  restoring?: Restoring,
): Promise<Run | undefined> {
  const { output, now } = context;
  const { signal } = session;
  const { preference } = session.view;
  const settings = planSettings(context, taken?.base.options);
  const { zone, tracks } = settings;
  const { since, until } = restoring === undefined ? settings : {};
  const tables =
    restoring === undefined
      ? await tablesFor(settings.tables, signal, session, sources)
      : { sports: new Map<string, Activity>(), ...restoring.numbers };
  // What settling remarks belongs to the run that is planned next: it is the one whose result is shown.
  const remarks: Issue[] = [];
  await settleDoubts(context, session, async (issue) => void remarks.push(issue));
  const planning = plan({
    sources,
    log: session.view,
    journal: session.journal,
    read: (kind, id, stop) => readIfThere(session.sink, kind, id, stop),
    settings: {
      ...tables,
      preference,
      time: {
        ...(zone !== undefined && { zone }),
        ...(preference.utcOffset !== undefined && { utcOffset: preference.utcOffset }),
      },
      since,
      until,
      again: context.options.again === true,
    },
    options: {
      tracks,
      ...(zone !== undefined && { zone }),
      ...(tables.sports.size > 0 && { sports: [...tables.sports] }),
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
      ...(taken !== undefined && { takesUp: taken.base.id }),
      ...(restoring !== undefined && { restores: restoring.restores }),
      activityIDs: tables.activityIDs,
      workoutIDs: tables.workoutIDs,
      version: packageVersion(),
      distanceUnit: preference.distanceUnit,
    },
    ...(taken !== undefined && { takeUp: taken.taking }),
    ...who,
    ...(restoring !== undefined && { compare: restoring.compare }),
    signal,
    now,
    onIssue: sayIssue(context),
    onProgress: (phase, done) => output.progress({ phase, done, waiting: session.view.waiting() }),
  });
  const run = await planning.catch((error: unknown) => {
    throw session.budget.explain(error);
  });
  output.endProgress();
  if (run !== undefined) for (const issue of remarks) await session.journal.addIssue(run.id, issue);
  return run;
}

/** What a plan is made with: today's options and tables, over those of the run that is taken up. */
function planSettings({ options, tables }: CommandContext, base: RunOptions | undefined) {
  // A number that is not the built-in one was set by the owner.
  const own = Object.entries(tables.activityIDs).filter(([name, id]) => ACTIVITY_IDS[name as Activity] !== id);
  return {
    zone: options.zone ?? base?.zone,
    since: firstDay(options.since) ?? base?.since,
    until: lastDay(options.until) ?? base?.until,
    tracks: options.noTracks !== true && base?.tracks !== false,
    tables:
      base === undefined
        ? tables
        : {
            sports: new Map([...(base.sports ?? []), ...tables.sports]),
            activityIDs: { ...tables.activityIDs, ...base.activityIDs, ...Object.fromEntries(own) },
            workoutIDs: { ...base.workoutIDs, ...tables.workoutIDs },
          },
  };
}

/** Looks up every answer that was lost, of whichever run. @returns how many can't be */
export function settleLostAnswers(context: CommandContext, session: Session): Promise<number> {
  const say = sayIssue(context);
  return settleDoubts(context, session, async (issue) => say(issue));
}

/**
 * Carries out a run.
 *
 * @param isFresh whether it was planned just now; else the log is compared with what the plan assumed
 * @returns the run as it stands afterwards
 */
export async function loadRun(context: CommandContext, session: Session, run: Run, isFresh = false): Promise<Run> {
  const { output, now } = context;
  const { budget, journal, signal } = session;
  const tally = await journal.tally(run.id);
  const total = tally
    .filter(({ state }) => state === "planned" || state === "in-flight")
    .reduce((sum, row) => sum + row.count, 0);
  const files = openSourceFiles(run, archiveLimits(context.options));
  const say = sayIssue(context);
  const report = async (issue: Issue) => {
    say(issue);
    await journal.addIssue(run.id, issue);
  };
  const watched = watch(context, session, "loading", total);
  try {
    await load(run, {
      journal,
      sink: session.sink,
      files,
      encode: createEncoder(run.options),
      settle: (_signal, quietMs) =>
        settleDoubts(context, session, report, quietMs, watched.waitFor).finally(() => watched.waitFor(undefined)),
      ...(!isFresh && comparing(session, run)),
      ...settleTime(context.options),
      report,
      onProgress: watched.progress,
      now,
      concurrency: session.concurrency,
      signal,
      isWaitedFor: session.isWaitedFor,
      mayBegin: (requests) => budget.mayBegin(requests),
      onSetAside: () => budget.setAside(),
    });
  } catch (error) {
    // Used up while what was lost was looked up: the journal knows where to go on.
    if (budget.explain(error) === error) throw withWayOn(error);
  } finally {
    watched.stop();
    await files.close();
    output.endProgress();
  }
  await journal.addRequests(run.id, session.usedSinceAsked());
  return (await journal.run(run.id)) ?? run;
}

/** How the log is held against a plan that was made before. */
function comparing({ budget, journal, view }: Session, run: Run): Pick<LoadContext, "check" | "lookAhead"> {
  const { list, page } = view;
  return {
    check: (kinds, signal) => checkAssumptions(run, { journal, list }, kinds, signal),
    ...(page !== undefined && {
      // A command that may end before it comes to that settles first what was lost: its owner may change it meanwhile.
      lookAhead: async (inDoubt, signal) =>
        inDoubt > 0 && budget.isBounded ? undefined : lookAhead(run, { journal, page }, inDoubt, signal),
    }),
  };
}

/** What ends a run that a login mends says what goes on with the run. */
function withWayOn(error: unknown): unknown {
  if (!(error instanceof FatalError) || error.reason !== "login") return error;
  return new FatalError(error.code, error.reason, error.message, { cause: error, goOn: "logferry apply" });
}

/**
 * Progress of a long step that is said again while nothing happens: what it waits for then is what a person wants to know.
 *
 * @param total records of the step, where known
 */
function watch({ output }: CommandContext, { budget, view }: Session, phase: string, total?: number) {
  let done = 0;
  let waitsFor: string | undefined;
  const say = () => {
    const end = budget.why === undefined ? undefined : `what is under way; ${budget.why}`;
    const waiting = view.waiting() ?? waitsFor ?? end;
    output.progress({ phase, done, total, waiting });
  };
  const timer = setInterval(say, 1000).unref();
  return {
    progress(count: number) {
      done = count;
      say();
    },
    waitFor(what: string | undefined) {
      waitsFor = what;
      if (what !== undefined) say();
    },
    stop: () => clearInterval(timer),
  };
}

/** Who a token belongs to: asks the service. */
export async function checkAccount(url: string, token: string, signal: AbortSignal): Promise<LogView["account"]> {
  const connection = connectTo(url, token);
  try {
    return await readAccount(connection, signal);
  } finally {
    await connection.close();
  }
}

/**
 * A connection for a few requests, which gives up soon when nobody answers.
 *
 * @param token none for the token endpoint
 * @param wrap may put something around what carries the requests
 */
export function connectTo(
  url: string,
  token: string | undefined,
  wrap: (fetcher: Fetcher) => Fetcher = (fetcher) => fetcher,
): Connection {
  return connect(url, token, { start: REQUESTS_PER_SECOND, rate: REQUESTS_PER_SECOND, inFlight: 1, wrap });
}

/** What a connection is made with. */
interface ConnectOptions {
  readonly start: number | undefined;
  readonly rate: number | undefined;
  readonly inFlight: number;
  readonly host?: Pacing | undefined;
  readonly wrap?: (fetcher: Fetcher) => Fetcher;
  readonly timeoutSeconds?: number | undefined;
  readonly patienceMs?: number | undefined;
}

/** A connection that gives up soon when nobody answers the first request. */
function connect(url: string, token: string | undefined, options: ConnectOptions): Connection {
  const { start, rate, inFlight, host, wrap = (fetcher) => fetcher, timeoutSeconds, patienceMs } = options;
  const { origin, prefix } = checkedBaseUrl(url);
  const timeouts = { ...TIMEOUTS, ...(timeoutSeconds !== undefined && { headersMs: timeoutSeconds * 1000 }) };
  const fetcher = wrap(givingUpSoon(poolFetcher(origin, inFlight, timeouts), `${origin}${prefix}`));
  const pacing = openPacing({ start, rate, inFlight, host });
  return openConnection({ baseUrl: url, token, pacing, fetcher, patienceMs });
}

function settleTime({ settle: seconds }: CommandContext["options"]): { readonly settleMs?: number } {
  return seconds === undefined ? {} : { settleMs: seconds * 1000 };
}

function settleDoubts(
  { options, output }: CommandContext,
  { journal, signal, sink, view }: Session,
  report: (issue: Issue) => Promise<void>,
  quietMs = 0,
  onWait = (what: string) => output.progress({ phase: "settling", done: 0, waiting: what }),
): Promise<number> {
  return settle(
    {
      journal,
      list: view.list,
      read: (kind, id, stop) => readIfThere(sink, kind, id, stop),
      sleep: async (ms, stop) => {
        await sleepFor(ms, undefined, { signal: stop }).catch(() => undefined);
      },
      onWait,
      report,
      ...settleTime(options),
    },
    signal,
    quietMs,
  );
}

function sayIssue({ output }: CommandContext): (issue: Issue) => void {
  return (issue) => {
    if (output.loudness === "verbose") output.say(`  ${describeIssue(issue)}`);
  };
}

/** Where the address and the token of a command come from. */
export interface FoundCredentials {
  readonly url: string;
  readonly token: string;
  /** Where the token is from: what was given for this command, or what the profile remembers. */
  readonly from: "given" | "stored";
}

/**
 * The address and the token, from the options, the environment, or what the profile remembers.
 *
 * @throws FatalError `login/none`, reason `login`, when nobody logged in; UsageError when the stored token is another service's
 */
export async function findCredentials({
  options,
  environment,
}: Pick<CommandContext, "options" | "environment">): Promise<FoundCredentials> {
  const path = credentialsPath(options.profile);
  const stored = await readLogin(path);
  const url = options.url ?? stored?.url;
  // Where there is no address, no command is asked for what can't be used.
  const given = url === undefined ? undefined : await findToken(options, environment);
  if (url !== undefined && given !== undefined) return { url, token: given, from: "given" };
  if (url === undefined || stored === undefined) {
    const profile = options.profile === "default" ? "" : ` --profile ${options.profile}`;
    const missing = url === undefined ? "URL" : shownAddress(url);
    throw new FatalError("login/none", "login", `Not logged in. Run: logferry login --url ${missing}${profile}`);
  }
  if (!isSameAddress(url, stored.url)) {
    throw new UsageError(
      `Cannot use the stored token of ${options.profile}: it is for ${stored.url}. Log in to ${url} first, perhaps with another --profile`,
    );
  }
  // Only now, when it will be used: the keyring may have to be unlocked by its owner.
  const { token = "" } = (await readCredentials(path, environment)) ?? {};
  return { url, token, from: "stored" };
}

/** An address as it may be shown: what somebody pasted may hold a password, or a token in its query. */
export function shownAddress(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null || parsed.origin === "null" ? "URL" : `${parsed.origin}${parsed.pathname.replace(/\/$/, "")}`;
}

/** Whether two addresses lead to one service: a slash at the end, or capitals in the host's name, make no difference. */
function isSameAddress(one: string, other: string): boolean {
  const [a, b] = [checkedBaseUrl(one), checkedBaseUrl(other)];
  return a.origin === b.origin && a.prefix === b.prefix;
}

/**
 * The token that a file, a command or the environment gives, in this order; undefined when none does.
 *
 * @param environment of which an empty `LOGFERRY_TOKEN` counts as not set
 * @throws UsageError when both a file and a command are named, the file can't be read, or what is there can't be a token; FatalError as
 *   `commandToken`
 */
export async function findToken(
  { tokenFile, tokenCommand }: Pick<CommandContext["options"], "tokenFile" | "tokenCommand">,
  environment: CommandContext["environment"],
): Promise<string | undefined> {
  if (tokenFile !== undefined && tokenCommand !== undefined)
    throw new UsageError("Cannot choose between --token-file and --token-command: both are set. Use one of them");
  if (tokenFile !== undefined) return readTokenFile(tokenFile);
  if (tokenCommand !== undefined) return commandToken(tokenCommand, environment);
  const { LOGFERRY_TOKEN: variable = "" } = environment;
  return variable === "" ? undefined : checkedToken(variable);
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
