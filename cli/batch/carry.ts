/** Carries out one athlete's plan, reads it back, and reports the result. */
import type { AthleteStatus, Outcome } from "../../pipelines/batch/outcome.ts";
import { REQUESTS_TO_OPEN } from "../../pipelines/journal/cost.ts";
import { BRING_BACK } from "../../pipelines/journal/gone.ts";
import type { JournalReader } from "../../pipelines/journal/journal.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import {
  isShareLost,
  type Ledger,
  needsAttention,
  type RunSummary,
  summarise,
} from "../../pipelines/journal/summary.ts";
import { createEncoder } from "../../pipelines/plan/log/encode.ts";
import { countFileChanged } from "../../pipelines/sources/describe-changed.ts";
import { keepVerification } from "../../pipelines/verify/keep.ts";
import { verify } from "../../pipelines/verify/verify.ts";
import { defined } from "../../transforms/model/defined.ts";
import type { Kind } from "../../transforms/model/item.ts";
import { sumOfLost } from "../../transforms/model/lost-file.ts";
import { describeFiles, describeValues } from "../../transforms/model/unread.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import type { CommandContext } from "../arguments/command.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { carryOut } from "../session/carry-out.ts";
import { type LogSession, sessionOn } from "../session/session.ts";
import { count, type Output, records } from "../terminal/output.ts";
import { failureOf, toAthleteContext } from "./athlete.ts";
import { firstAlone } from "./first-alone.ts";
import type { Hosts } from "./hosts.ts";
import { type IsTokenOfCheck, whyOtherLog } from "./other-log.ts";
import { closedForStranger, openAs, type Preflight } from "./preflight.ts";
import type { BatchStore } from "./store.ts";

/** Settings for this work. */
export interface Carrying {
  readonly hosts: Hosts;
  readonly output: Output;
  readonly store: BatchStore;
  readonly verifies: boolean;
}

/** An athlete who was checked. */
export interface ToCarry extends Pick<Preflight, "athlete" | "outcome"> {
  /** Undefined where the check opened no log. */
  readonly isTokenOfCheck: IsTokenOfCheck | undefined;
  /** The run with its sources where this machine has them, where another machine may have planned it. */
  readonly here?: (run: Run) => Run;
}

/** Carries out the plan of a preflight. It never throws, so a problem concerns only this athlete. */
export async function carry(
  context: CommandContext,
  { athlete, outcome, isTokenOfCheck, here }: ToCarry,
  how: Carrying,
): Promise<Outcome> {
  let session: LogSession | undefined;
  const words = how.store.wordsFor(athlete);
  const tally = how.store.tally ?? { before: outcome.requests };
  const ended = (status: AthleteStatus, more: Partial<Outcome> = {}): Outcome => ({
    ...outcome,
    status,
    ...more,
    requests: tally.before + (session?.budget.used ?? 0),
    at: context.now(),
  });
  const held = async (why: string) => ended("held", { why, ...(await currentLedger(session?.journal, outcome, how)) });
  try {
    const own = toAthleteContext(context, athlete, how.output, how.store.journalOf(athlete));
    const { maxRequests } = own.options;
    if (maxRequests !== undefined && maxRequests - tally.before <= REQUESTS_TO_OPEN)
      return ended("stopped", { why: usedUp(maxRequests), ...(await currentLedger(undefined, outcome, how)) });
    const log = await openAs(own, how.hosts(outcome.log?.url), how.store, tally);
    const stranger = await closedForStranger(context, athlete, log);
    if (stranger !== undefined) return await held(stranger);
    const open = await sessionOn(own, log, how.store);
    session = open;
    const other = await whyOtherLog(open, log.token, isTokenOfCheck);
    if (other !== undefined) return await held(other);
    const planned = await open.journal.run(outcome.run);
    if (planned === undefined) throw new UsageError(`There is no run ${outcome.run} in its journal any more`);
    const careful = await firstAlone(open);
    const run = await how.store.trace.part("load", () => carryOut(own, careful, here?.(planned) ?? planned));
    const { all, unreadFiles, unreadValues, changedSources, perhapsInLog = 0 } = await summarise(session.journal, run);
    const found = { ledger: all, run: run.id, ...(unreadValues && { unreadValues: unreadValues.count }) };
    if (all.left > 0) {
      const why = session.budget.why ?? "stopped";
      return ended("stopped", { ...found, why: `${why}: ${count(all.left)} of ${count(all.read)} records are left` });
    }
    const differing = how.verifies ? await readBack(own, open, run, how.store) : undefined;
    if (how.verifies && differing === undefined) return ended("stopped", { ...found, why: notReadBack(session) });
    // A missing record may be the athlete's wish, so it is reported, but doesn't count as open.
    const rejectedCount = needsAttention(all) - all.gone;
    const lost = sumOfLost(all.lostFiles);
    const { wrong, doubled, unread, checked, unsaved } = differing ?? NOT_READ;
    const more = Math.max(doubled, await surplusOf(session, run));
    const differs = wrong > 0 || more > 0 || isShareLost(all) || (await hasVanished(session, run));
    const changed = await countFileChanged(session.journal, run);
    const says = [
      ...notAsPlanned(differing, more, words),
      ...openIn(all, { changed, changedSources }, words, context),
      ...perhapsThere(perhapsInLog, words),
      ...notRead({ unreadFiles, unreadValues, lost }, words),
    ].join("; ");
    const left = rejectedCount + lost + unread + perhapsInLog + (unreadFiles?.count ?? 0) + (unreadValues?.count ?? 0);
    const carried = differing === undefined ? "loaded" : "verified";
    const isPartly = left > 0 || changedSources !== undefined;
    const status = differs ? "differs" : isPartly ? "partly" : carried;
    return ended(status, { ...found, ...defined({ checked, unsaved }), ...(says !== "" && { why: says }) });
  } catch (error) {
    const ledger = await ledgerNow(session?.journal, outcome, how.store);
    if (session !== undefined && session.budget.explain(error) !== error)
      return ended("stopped", {
        ...(ledger !== undefined && { ledger }),
        why: ledger?.left === 0 ? notReadBack(session) : (session.budget.why ?? "stopped"),
      });
    const { status, why, isAway, ...because } = failureOf(error, context.signal.aborted);
    const isUnbegun = session === undefined && isAway === true;
    return ended(status, { why, ...(isUnbegun && { isAway }), ...because, ...defined({ ledger }) });
  } finally {
    await session?.close();
  }
}

/** The number of records that the log holds beyond those that it should. */
async function surplusOf({ journal }: LogSession, run: Run): Promise<number> {
  return ((await journal.looked(run.id))?.surplus ?? []).reduce((sum, one) => sum + one.count, 0);
}

/** The ledger as it is now, for an outcome. */
async function currentLedger(open: JournalReader | undefined, outcome: Outcome, { store }: Pick<Carrying, "store">) {
  return defined({ ledger: await ledgerNow(open, outcome, store) });
}

/** Whether a record that this run itself put into the log is gone from it. Nobody deletes a workout on purpose in these minutes. */
async function hasVanished({ journal }: LogSession, run: Run): Promise<boolean> {
  return (await journal.tally(run.id)).some(({ state, action }) => state === "gone" && action === "create");
}

/** Why an athlete whose records are all in the log is not verified. */
function notReadBack({ budget }: LogSession): string {
  const state = "all is in the log; stopped before it was read back";
  return budget.why === undefined ? state : `${state}: ${budget.why}`;
}

const NOT_READ = { wrong: 0, doubled: 0, unread: 0, checked: undefined, unsaved: undefined };

/** What the reading back found, each with the command that shows more. */
function notAsPlanned(differing: Awaited<ReturnType<typeof readBack>>, more: number, words: string): readonly string[] {
  const { wrong, unread, checked = 0, unsaved } = differing ?? NOT_READ;
  return [
    ...(wrong > 0
      ? [`${count(wrong)} of ${count(checked)} records differ from what was planned: logferry verify ${words}`]
      : []),
    ...(unsaved === undefined
      ? []
      : [`the log confirmed the save of ${count(unsaved)} of them and doesn't have it: the same batch sends it again`]),
    ...(unread > 0 ? [`${records(unread)} could not be read back: logferry verify ${words}`] : []),
    ...(more > 0 ? [`the log holds ${count(more)} more than it should: logferry status ${words}`] : []),
  ];
}

/** What of the sources is not in the log, though its records are. @param lost records without their whole device file */
function notRead(
  {
    unreadFiles,
    unreadValues,
    lost,
  }: {
    readonly unreadFiles: RunSummary["unreadFiles"] | undefined;
    readonly unreadValues: RunSummary["unreadValues"] | undefined;
    readonly lost: number;
  },
  words: string,
): readonly string[] {
  return [
    ...(unreadFiles === undefined ? [] : [describeFiles(unreadFiles)]),
    ...(unreadValues === undefined ? [] : [describeValues(unreadValues)]),
    ...(lost > 0 ? [`${records(lost)} without the whole device file: logferry status ${words}`] : []),
  ];
}

/** New workouts that the log perhaps has by another clock. */
function perhapsThere(n: number, words: string): readonly string[] {
  const list = `logferry plan review --list ${words}`;
  return n === 0 ? [] : [`${count(n)} new, perhaps in the log already: ${list}`];
}

/** What changed between the check and the load. */
interface Changed {
  /** The number of records that were not sent because their file changed or went away. */
  readonly changed: number;
  /** The files, in words. */
  readonly changedSources: string | undefined;
}

/** The open records, each kind with its command: rejected records, and records that were refused or not sent. */
function openIn(
  { gone, quarantined, refused, refusedThere = 0, failed, inDoubt }: Ledger,
  { changed, changedSources }: Changed,
  words: string,
  context: CommandContext,
): readonly string[] {
  const again = `logferry batch ${shellWord(context.arguments[0] ?? "ROSTER")}`;
  const unsent = refused + failed + inDoubt - changed;
  const files = changed === 1 ? "its file" : "their files";
  return [
    ...(gone > 0 ? [`${count(gone)} no longer in the log: ${BRING_BACK} ${words}`] : []),
    ...(quarantined > 0 ? [`${records(quarantined)} rejected: logferry quarantine ${words}`] : []),
    ...(changed > 0
      ? [`${records(changed)} not sent, because ${files} changed or went away after the check: ${again} --retry-failed`]
      : []),
    ...(unsent > 0 ? [`${records(unsent)} refused, not sent or in doubt: ${again} --retry-failed`] : []),
    ...(refusedThere > 0
      ? [`${records(refusedThere)} in the log without your values, so that date and time may be hours off`]
      : []),
    ...(changedSources === undefined || changed > 0 ? [] : [describeNewer(changedSources, again)]),
  ];
}

/** The archives that were loaded are not those that lie there now. The plan is in the log, and nobody has read what is newer. */
function describeNewer(found: string, again: string): string {
  return `loaded as it was checked, and not what is newer, because an archive changed after the check (${found}): ${again}`;
}

function usedUp(maxRequests: number): string {
  return `the ${count(maxRequests)} requests of --max-requests are used up`;
}

/**
 * The ledger of an athlete's run, if its journal can be read: an outcome knows only the plan, and another worker may have loaded some of it.
 *
 * @param open the journal, where it is open
 */
export async function ledgerNow(
  open: JournalReader | undefined,
  { journal: name, run: id }: Pick<Outcome, "journal" | "run">,
  store: Pick<BatchStore, "readJournal">,
): Promise<Ledger | undefined> {
  if (id === undefined || name === undefined) return undefined;
  try {
    if (open === undefined) {
      await using read = await store.readJournal(name);
      return await ledgerOf(read, id);
    }
    return await ledgerOf(open, id);
  } catch {
    // The journal itself may be the problem that ended the run, which is already reported.
    return undefined;
  }
}

async function ledgerOf(journal: JournalReader, id: number): Promise<Ledger | undefined> {
  const run = await journal.run(id);
  return run && (await summarise(journal, run)).all;
}

/** Reads all records back. @returns undefined when it was stopped */
async function readBack(own: CommandContext, session: LogSession, run: Run, { trace }: Pick<BatchStore, "trace">) {
  const { signal } = session;
  const how = {
    journal: session.journal,
    sink: session.sink,
    encode: createEncoder(run.options),
    list: (kind: Kind) => session.view.list(kind, signal),
    concurrency: session.concurrency,
    signal,
    onProgress: (done: number) => own.output.progress({ phase: "reading back", done }),
  };
  const result = await trace.part("read back", () => verify(run, how));
  if (signal.aborted) return undefined;
  await keepVerification(session.journal, run, result, own.now());
  const { checked, discrepancies, discrepancyCount, claimedTwice, doubled, unread } = result;
  const unsaved = discrepancies.filter((one) => one.unsaved !== undefined).length;
  return {
    checked,
    unsaved: unsaved === 0 ? undefined : unsaved,
    wrong: discrepancyCount + claimedTwice.length,
    doubled,
    unread: unread.count,
  };
}
