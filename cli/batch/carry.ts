/** One athlete's plan carried out, read back, and told. */
import type { Outcome, Standing } from "../../pipelines/batch/outcome.ts";
import { createEncoder } from "../../pipelines/encode.ts";
import { REQUESTS_TO_OPEN } from "../../pipelines/journal/cost.ts";
import type { Run } from "../../pipelines/journal/journal.ts";
import { needsAttention, summarise } from "../../pipelines/journal/summary.ts";
import { keepVerification, verify } from "../../pipelines/verify.ts";
import type { CommandContext } from "../arguments/command.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { loadRun } from "../session/load-run.ts";
import { type Session, sessionOn } from "../session/session.ts";
import { count, type Output } from "../terminal/output.ts";
import { contextOf, failureOf, wordsFor } from "./athlete.ts";
import type { Hosts } from "./hosts.ts";
import { openAs, type Preflight } from "./preflight.ts";

/** What may be set about it. */
export interface Carrying {
  readonly hosts: Hosts;
  readonly output: Output;
  readonly verifies: boolean;
}

/** Carries out what a preflight planned. Never throws: what goes wrong is this athlete's alone. */
export async function carry(
  context: CommandContext,
  { athlete, outcome }: Pick<Preflight, "athlete" | "outcome">,
  how: Carrying,
): Promise<Outcome> {
  let session: Session | undefined;
  const ended = (standing: Standing, more: Partial<Outcome> = {}): Outcome => ({
    ...outcome,
    standing,
    ...more,
    requests: outcome.requests + (session?.budget.used ?? 0),
    at: context.now(),
  });
  try {
    const own = contextOf(context, athlete, how.output);
    const { maxRequests } = own.options;
    if (maxRequests !== undefined) {
      const left = maxRequests - outcome.requests;
      if (left <= REQUESTS_TO_OPEN) return ended("stopped", { why: usedUp(maxRequests) });
      own.options.maxRequests = left;
    }
    session = await sessionOn(own, await openAs(own, how.hosts(outcome.log?.url)));
    const planned = await session.journal.run(outcome.run);
    if (planned === undefined) throw new UsageError(`There is no run ${outcome.run} in its journal any more`);
    const run = await loadRun(own, session, planned);
    const { all } = await summarise(session.journal, run);
    const found = { ledger: all, run: run.id };
    if (all.left > 0) {
      // Its own bound was what the preflight had left.
      const isUsedUp = maxRequests !== undefined && session.budget.why?.includes("--max-requests") === true;
      const why = isUsedUp ? usedUp(maxRequests) : (session.budget.why ?? "stopped");
      return ended("stopped", { ...found, why: `${why}: ${count(all.left)} of ${count(all.read)} records are left` });
    }
    const differing = how.verifies ? await readBack(own, session, run) : undefined;
    if (how.verifies && differing === undefined)
      return ended("stopped", { ...found, why: "all is in the log; stopped before it was read back" });
    const aside = needsAttention(all);
    const why = [
      ...(differing !== undefined && differing.wrong > 0
        ? [
            `${count(differing.wrong)} of ${count(differing.checked)} records differ from what was planned: logferry verify ${wordsFor(athlete)}`,
          ]
        : []),
      ...(aside > 0 ? [`${count(aside)} records to look at: logferry quarantine ${wordsFor(athlete)}`] : []),
    ].join("; ");
    const checked = differing === undefined ? {} : { checked: differing.checked };
    const standing =
      differing !== undefined && differing.wrong > 0
        ? "differs"
        : aside > 0
          ? "partly"
          : differing === undefined
            ? "loaded"
            : "verified";
    return ended(standing, { ...found, ...checked, ...(why !== "" && { why }) });
  } catch (error) {
    const { standing, why } = failureOf(error, context.signal.aborted);
    const ledger = await ledgerNow(session, outcome.run);
    return ended(standing, { why, ...(ledger !== undefined && { ledger }) });
  } finally {
    await session?.close();
  }
}

function usedUp(maxRequests: number): string {
  return `the ${count(maxRequests)} requests of --max-requests are used up`;
}

/** Where the run stands, as far as its journal can still be read. */
async function ledgerNow(session: Session | undefined, id: number | undefined) {
  try {
    const run = await session?.journal.run(id);
    return run === undefined || session === undefined ? undefined : (await summarise(session.journal, run)).all;
  } catch {
    // The trouble that ended the athlete's run may be the journal's own, and is told already.
    return undefined;
  }
}

/** Reads everything back. @returns undefined when it was stopped */
async function readBack(own: CommandContext, session: Session, run: Run) {
  const { signal } = session;
  const result = await verify(run, {
    journal: session.journal,
    sink: session.sink,
    encode: createEncoder(run.options),
    list: () => session.view.list("workout", signal),
    concurrency: session.concurrency,
    signal,
    onProgress: (done) => own.output.progress({ phase: "reading back", done }),
  });
  if (signal.aborted) return undefined;
  await keepVerification(session.journal, run, result, own.now());
  const { checked, discrepancyCount, claimedTwice, equal } = result;
  return { checked, wrong: discrepancyCount + claimedTwice.length + equal.length };
}
