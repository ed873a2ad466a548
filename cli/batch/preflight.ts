/** Finds out everything about an athlete before anything is written: the owner of the token, the contents of the archives, the cost. */

import { GUARD } from "../../connectors/api/pace.ts";
import type { Pacing } from "../../connectors/api/pacing.ts";
import type { AthleteStatus, Outcome } from "../../pipelines/batch/outcome.ts";
import { costOf, REQUESTS_TO_OPEN, requestsToReadBack } from "../../pipelines/journal/cost.ts";
import { BRING_BACK } from "../../pipelines/journal/gone.ts";
import type { JournalReader } from "../../pipelines/journal/journal.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { inLog, type Ledger, summarise } from "../../pipelines/journal/summary.ts";
import { NAMELESS } from "../../pipelines/log/log-view.ts";
import { compareOwner, type LogOwner } from "../../pipelines/log/owner.ts";
import type { Suspect } from "../../pipelines/ownership/block.ts";
import { createEvidenceCollector, readOwnerEvidence } from "../../pipelines/ownership/evidence.ts";
import { assumedTimes } from "../../pipelines/plan/records/assumed-times.ts";
import { closeSources, type OpenedSource, openSources } from "../../pipelines/sources/sources.ts";
import { defined } from "../../transforms/model/defined.ts";
import { trustOption } from "../../transforms/text/shell.ts";
import { openOptions } from "../arguments/archive-limits.ts";
import type { CommandContext } from "../arguments/command.ts";
import { pace } from "../login/pace.ts";
import { exitOfRun } from "../printing/closing.ts";
import type { Budget, Tally } from "../session/budget.ts";
import { UnknownNumberError } from "../session/check-numbers.ts";
import { makePlan } from "../session/make-plan.ts";
import { type OpenedLog, openLogView, sessionOn } from "../session/session.ts";
import { type Output, records } from "../terminal/output.ts";
import { computeFingerprint, failureOf, findAddress, toAthleteContext, trustLine } from "./athlete.ts";
import type { Hosts } from "./hosts.ts";
import { hashOfToken } from "./other-log.ts";
import { knownBy } from "./renamed.ts";
import { type Athlete, isAmong } from "./roster.ts";
import type { BatchStore } from "./store.ts";

/** The findings of a preflight. */
export interface Preflight {
  readonly athlete: Athlete;
  /** `ready`, or the reason why it can't begin. */
  readonly outcome: Outcome;
  /** The evidence about the owner of the log and of the archives. */
  readonly suspect: Suspect;
  /** Numbers that their log has no activity for. */
  readonly unknownNumbers?: UnknownNumberError;
}

/** Facts that a preflight collects, even if it ends early. */
type Learnt = { -readonly [K in keyof Outcome]?: Outcome[K] };

/** Settings for this work. */
export interface Checking {
  readonly hosts: Hosts;
  readonly output: Output;
  readonly store: BatchStore;
}

/** Checks one athlete. It never throws, so a problem concerns only this athlete. */
export async function preflight(
  context: CommandContext,
  athlete: Athlete,
  { hosts, output, store }: Checking,
): Promise<Preflight> {
  const learnt: Learnt = { fingerprint: "" };
  let budget: Budget | undefined;
  let suspect: Suspect = { athlete: athlete.name, expects: athlete.expects };
  const found = (status: AthleteStatus, why?: string): Preflight => ({
    athlete,
    suspect,
    outcome: {
      ...{ athlete: athlete.name, status, at: context.now(), fingerprint: "" },
      ...learnt,
      requests: (store.tally?.before ?? 0) + (budget?.used ?? 0),
      ...defined({ why }),
    },
  });
  const failed = (error: unknown): Preflight => {
    const { status, why, ...because } = failureOf(error, context.signal.aborted);
    Object.assign(learnt, because);
    return { ...found(status, why), ...(error instanceof UnknownNumberError && { unknownNumbers: error }) };
  };
  let sources: readonly OpenedSource[] = [];
  try {
    const url = await findAddress(athlete, context.options);
    if (url !== undefined) learnt.log = { url, account: athlete.expects.screenName ?? athlete.name };
    learnt.knownBy = await knownBy(athlete, context.options);
    const journal = store.journalOf(athlete);
    const own = toAthleteContext(context, athlete, output, journal);
    sources = await openSources(own.arguments, own.options.map, openOptions(own));
    learnt.fingerprint = await computeFingerprint(athlete, context);
    const opened = await openAs(own, hosts(url), store, store.tally).catch((error: unknown) => failed(error));
    // The evidence in the archives helps to check other athletes, even if this log can't be opened.
    const heard = async () => {
      suspect = { ...suspect, evidence: await readOwnerEvidence(sources, context.signal) };
    };
    if ("athlete" in opened) {
      await heard();
      return { ...opened, suspect };
    }
    budget = opened.budget;
    const { account, owner } = opened.view;
    learnt.log = { url: opened.url, account: account.name };
    suspect = { ...suspect, account, owner, tokenHash: hashOfToken(opened.token) };
    const stranger = whyStranger(context, athlete, owner);
    if (stranger !== undefined) {
      await opened.close();
      await heard();
      return found("held", stranger);
    }
    // From here on, the journal is bound to the account.
    await using session = await sessionOn(own, opened, store);
    const collector = createEvidenceCollector();
    const run = await store.trace.part("plan", () => makePlan(own, session, sources, { who: { collector } }));
    if (run === undefined) return found("stopped", session.budget.why ?? "stopped while it was planned");
    suspect = { ...suspect, evidence: collector.evidence() };
    const { all, unreadValues } = await summarise(session.journal, run);
    const loading = await costOf(session.journal, run.id, "later");
    const requests =
      Math.max(loading.requests, REQUESTS_TO_OPEN) +
      (context.options.noVerify === true ? 0 : await requestsToReadBack(session.journal, all));
    const perSecond = pace({ rate: own.options.rate, url: opened.url }).start;
    Object.assign(learnt, { journal, run: run.id, ledger: all }, await doubtsOf(session.journal, run));
    if (unreadValues !== undefined) learnt.unreadValues = unreadValues.count;
    const seconds = perSecond && Math.ceil((requests * GUARD) / perSecond);
    learnt.cost = { requests, ...defined({ seconds }) };
    const emptied = whyEmptied(account.name, all, store.wordsFor(athlete));
    return emptied === undefined ? found("ready") : found("held", emptied);
  } catch (error) {
    return failed(error);
  } finally {
    await closeSources(sources);
  }
}

/** Why nothing is loaded where nothing of what logferry had loaded is there, and nothing says whose log it is; undefined for any other log. */
function whyEmptied(account: string, ledger: Ledger, words: string): string | undefined {
  const { gone } = ledger;
  if (account !== NAMELESS || gone === 0 || inLog(ledger) > 0) return undefined;
  const found = `none of the ${records(gone)} that logferry had put into the log ${gone === 1 ? "is" : "are"} in this one, and its access token doesn't tell whose log it opens`;
  return `${found}. Look whose token it is. If the athlete emptied the log: ${BRING_BACK} ${words}`;
}

/** What a person should know of a plan before it is carried out. */
async function doubtsOf(journal: JournalReader, run: Run): Promise<Pick<Outcome, "assumedTimes" | "isToLookAt">> {
  const times = await assumedTimes(journal, run, ["planned"]);
  return {
    ...(times && { assumedTimes: { workouts: times.workouts, offsetMinutes: times.offsetMinutes } }),
    ...((await exitOfRun(journal, run, "plan")) !== "done" && { isToLookAt: true }),
  };
}

/** Opens the log of an athlete, at the pace of its host. @param tally of the athlete's requests so far */
export function openAs(
  own: CommandContext,
  host: Pacing | undefined,
  { permit, trace }: Pick<BatchStore, "permit" | "trace">,
  tally?: Tally,
): Promise<OpenedLog> {
  const shared = { permit, trace, tally, ...(host !== undefined && { host }) };
  return trace.part("open log", () => openLogView(own, shared));
}

/** Why a log must not be loaded, as at the check: a token command may print another person's token since. Such a log is closed. */
export async function closedForStranger(
  context: CommandContext,
  athlete: Athlete,
  { view, close }: OpenedLog,
): Promise<string | undefined> {
  const stranger = whyStranger(context, athlete, view.owner);
  if (stranger !== undefined) await close();
  return stranger;
}

/**
 * Why logferry must not even plan for a log: it is somebody else's, or it has no name and isn't trusted. Planning would bind the journal to
 * it.
 */
function whyStranger(context: CommandContext, athlete: Athlete, owner: LogOwner): string | undefined {
  const verdict = compareOwner(owner, athlete.expects);
  if (verdict.is === "expected") return undefined;
  if (verdict.is === "other") return `${verdict.says}. Log in as the athlete, or correct whose log it should be`;
  if (isAmong(athlete, context.options.trust)) return undefined;
  return `${verdict.says}. If all is well with it: ${trustLine(context, trustOption(athlete.name))}`;
}
