/** `--certify`: a certificate for each athlete whose import is over, beside their report. */
import { join } from "node:path";
import { FatalError } from "../../connectors/errors.ts";
import { isOver } from "../../pipelines/batch/outcome.ts";
import type { BatchCertificate } from "../../pipelines/batch/overview.ts";
import type { JournalReader } from "../../pipelines/journal/journal.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import type { CommandContext } from "../arguments/command.ts";
import { issueAndWrite } from "../certificate/issue.ts";
import { checkOwnKey, ownKeyPath } from "../certificate/own-key.ts";
import { sessionOn } from "../session/session.ts";
import { createOutput } from "../terminal/output.ts";
import { completedFor, failureOf, toAthleteContext } from "./athlete.ts";
import type { Hosts } from "./hosts.ts";
import { openAs } from "./preflight.ts";
import type { AthleteResult } from "./run.ts";
import type { BatchStore } from "./store.ts";

/** Another batch may make its certificate of the same log. That takes seconds, so it is waited for. */
const TRIES = 12;
const AGAIN_MS = 5_000;

/**
 * Writes the certificate of an athlete into their folder. It never throws, so a problem concerns only this athlete.
 *
 * @returns the answer, with the reason for the coach; undefined for an athlete whose import isn't over
 */
export async function certifyAthlete(
  context: CommandContext,
  { athlete, outcome }: Pick<AthleteResult, "athlete" | "outcome">,
  how: { readonly hosts: Hosts; readonly store: BatchStore },
  folder: string,
): Promise<BatchCertificate | undefined> {
  try {
    return await whenFree(context, () => certifyOnce(context, { athlete, outcome }, how, folder));
  } catch (error) {
    if (context.signal.aborted) return { canClose: false, says: STOPPED };
    return { canClose: false, says: `No certificate: ${failureOf(error, false).why}` };
  }
}

const STOPPED = "No certificate: it was stopped. Run the same batch again.";

/** Does something again while another command works on the same log or journal, for a minute. @throws whatever the last try throws */
export async function whenFree<T>(
  { signal, sleep }: Pick<CommandContext, "signal" | "sleep">,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof FatalError) || error.reason !== "locked" || tries === TRIES) throw error;
      await sleep(AGAIN_MS, signal);
    }
  }
}

/** The run of a batch; a later one of the same sources, where a person imported them again by hand. */
async function lastOf(journal: JournalReader, id: number): Promise<Run | undefined> {
  const [own, last] = [await journal.run(id), await journal.run()];
  const pathsOf = (run: Run) => JSON.stringify(run.sources.map(({ path }) => path));
  const isLater = last !== undefined && own !== undefined && last.id > own.id && last.state === "finished";
  return isLater && last.options.restores === undefined && pathsOf(last) === pathsOf(own) ? last : own;
}

/** @throws whatever opening and reading the log throws */
async function certifyOnce(
  context: CommandContext,
  { athlete, outcome }: Pick<AthleteResult, "athlete" | "outcome">,
  { hosts, store }: { readonly hosts: Hosts; readonly store: BatchStore },
  folder: string,
): Promise<BatchCertificate | undefined> {
  if (!isOver(outcome) || outcome.run === undefined) return undefined;
  const silent = createOutput("quiet", false, { out: { write: () => true }, err: { write: () => true } });
  let says = "";
  const conclude = (...lines: string[]) => {
    says = lines.join(" ");
  };
  const output = completedFor({ ...silent, conclude }, athlete, store.journalOf(athlete));
  const own = toAthleteContext(context, athlete, output, store.journalOf(athlete));
  await using session = await sessionOn(own, await openAs(own, hosts(outcome.log?.url), store), store);
  const run = await lastOf(session.journal, outcome.run);
  if (run === undefined) return { canClose: false, says: `There is no run ${outcome.run} in its journal any more.` };
  const path = join(folder, "certificate.json");
  const page = join(folder, "certificate.html");
  const keyPath = ownKeyPath();
  await checkOwnKey(keyPath);
  const exit = await issueAndWrite(own, session, run, { path, page, keyPath });
  return { canClose: exit === "done", says, ...(exit !== "stopped" && { isWritten: true }) };
}
