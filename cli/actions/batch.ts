import { dirname, resolve } from "node:path";
import { isDone } from "../../pipelines/batch/outcome.ts";
import type { CommandContext } from "../arguments/command.ts";
import { CHECKING_ENDS } from "../arguments/stop-lines.ts";
import { withoutOwnToken } from "../batch/athlete.ts";
import { causesAmong, printCauses } from "../batch/causes.ts";
import { certifyAthlete } from "../batch/certify.ts";
import { openHosts } from "../batch/hosts.ts";
import { exitOfPlans, printBatch, printPreflight } from "../batch/print.ts";
import { followed } from "../batch/renamed.ts";
import { checkCertify, checkedFolder, writeBatch } from "../batch/report.ts";
import { type Athlete, chosen, readRoster } from "../batch/roster.ts";
import { type AthleteResult, carryAll, preflightAll, withOthers } from "../batch/run.ts";
import { showStatus } from "../batch/status.ts";
import { ON_THIS_MACHINE } from "../batch/store.ts";
import { TEMPLATE } from "../batch/template.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import type { FleetWord } from "../fleet/batch.ts";

/** `logferry batch`: many athletes, one command. */
export async function act(context: CommandContext): Promise<ExitName> {
  const { options, output } = context;
  if (options.template === true) {
    output.conclude(...TEMPLATE.trimEnd().split("\n"));
    return "done";
  }
  const [first, second] = context.arguments;
  const word = second === undefined ? undefined : WORDS.find((one) => one === first);
  const isStatus = word === "status";
  if (first === undefined)
    throw new UsageError("Cannot batch: say which roster. For one to begin with: logferry batch --template");
  if (word === undefined && second !== undefined)
    throw new UsageError(`Cannot batch: it has no use for ${JSON.stringify(second)}`);
  const roster = word === undefined ? first : (second ?? first);
  if (options.maxAge !== undefined && (!isStatus || options.fleet === undefined))
    throw new UsageError("Cannot use --max-age here: it goes with logferry batch status ROSTER and a fleet");
  if (options.yes === true && word !== "forget")
    throw new UsageError("Cannot use --yes here: it goes with logferry batch forget ROSTER and a fleet");
  if (options.fleet !== undefined) return inFleet(context, word ?? "put", roster);
  if (options.detach === true || (word !== undefined && !isStatus))
    throw new UsageError(`Cannot use ${word ?? "--detach"}: it is for a fleet, which --fleet or LOGFERRY_FLEET names`);
  const store = ON_THIS_MACHINE;
  const everybody = await followed(await readRoster(roster, { ...context, isToLookAt: isStatus }), options, store);
  const athletes = chosen(everybody, "only", options.only);
  chosen(everybody, "trust", options.trust);
  if (options.remember === true && options.trust === undefined)
    throw new UsageError("Cannot use --remember: there is nothing to keep without --trust");
  return isStatus ? showStatus(context, athletes) : runBatch(withoutOwnToken(context), roster, everybody, athletes);
}

/** Words before the roster. All but the first are for a fleet. */
const WORDS = ["status", "retry", "cancel", "forget"] as const;

/** Does the batch by a fleet. PostgreSQL's client and the queue are loaded only here. */
async function inFleet(context: CommandContext, word: FleetWord, roster: string): Promise<ExitName> {
  const { batchInFleet } = await import("../fleet/batch.ts");
  const reading = { ...context, isForFleet: true, isToLookAt: word !== "put" };
  const folder = dirname(resolve(roster));
  return batchInFleet(context, word, { roster, folder, athletes: await readRoster(roster, reading) });
}

async function runBatch(
  context: CommandContext,
  roster: string,
  everybody: readonly Athlete[],
  chosenOnes: readonly Athlete[],
): Promise<ExitName> {
  const { options, output, signal } = context;
  const store = ON_THIS_MACHINE;
  const athletes = options.retryFailed === true ? await failedBefore(chosenOnes) : chosenOnes;
  if (athletes.length === 0) {
    output.conclude("Nobody of them failed the last time: there is nothing to try again.");
    return "done";
  }
  const folder = await checkedFolder(context);
  checkCertify(options, folder);
  const write = async (results: readonly AthleteResult[], isPlan: boolean) => {
    if (folder === undefined) return;
    const all = await withOthers(context, everybody, results, store);
    const certify = (result: AthleteResult, own: string) => certifyAthlete(context, result, means, own);
    await writeBatch(context, {
      folder,
      roster,
      results: all,
      store,
      isPlan,
      ...(options.certify === true && { certify }),
    });
  };
  // One pace from the first request to the last, so that the limit holds in every second.
  const means = { hosts: openHosts(options), store };
  context.sayAtStop?.(CHECKING_ENDS);
  const results = await preflightAll(context, athletes, means);
  printPreflight(context, results);
  if (signal.aborted) {
    output.conclude("Stopped before anything was changed.");
    return "stopped";
  }
  if (options.dryRun === true) {
    await write(results, true);
    printCauses(output, await causesAmong(results, roster, store));
    output.conclude("Dry run: nothing was changed. Without -n, this is what will be done.");
    return exitOfPlans(results);
  }
  context.sayAtStop?.(undefined);
  const carried = await carryAll(context, results, means);
  await write(carried, false);
  const causes = await causesAmong(carried, roster, store);
  return printBatch(context, carried, { isStopped: signal.aborted, planned: results, causes });
}

async function failedBefore(athletes: readonly Athlete[]): Promise<readonly Athlete[]> {
  const failed: Athlete[] = [];
  for (const athlete of athletes) {
    const before = await ON_THIS_MACHINE.outcome(athlete.key);
    if (before !== undefined && !isDone(before)) failed.push(athlete);
  }
  return failed;
}
