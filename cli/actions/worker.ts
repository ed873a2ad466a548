import { stat } from "node:fs/promises";
import { join } from "node:path";
import { openCopies } from "../../pipelines/fleet/copies.ts";
import { type FleetNumbers, fleetNumbers } from "../../pipelines/fleet/overview.ts";
import { defined } from "../../transforms/model/defined.ts";
import type { CommandContext } from "../arguments/command.ts";
import { userFolders } from "../arguments/config.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { fleetHosts } from "../fleet/hosts.ts";
import { serveMetrics } from "../fleet/metrics.ts";
import { type Fleet, openFleet } from "../fleet/open.ts";
import { fleetStore } from "../fleet/store.ts";
import { workerTokens } from "../fleet/tokens.ts";
import { openTraceExport } from "../fleet/trace-export.ts";
import type { Work } from "../fleet/work.ts";
import { Worker, workerName } from "../fleet/worker.ts";
import { count } from "../terminal/output.ts";

/** Milliseconds after a stop within which everything is written down. */
const LAST_WORDS_MS = 25_000;

/** Every athlete would end without their archives, so a worker refuses to start. @throws UsageError for a folder that isn't there */
async function checkArchives(folder: string | undefined): Promise<void> {
  if (folder === undefined) return;
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  throw new UsageError(`Cannot use --archives ${folder}: there is no such folder on this machine`);
}

/** Milliseconds that a page of metrics waits for the database. */
const METRICS_MS = 2_000;

/** The numbers of a fleet; undefined while its database doesn't answer. Requests for a page share a question that is open. */
function numbersSoon(sleep: CommandContext["sleep"]): (fleet: Fleet) => Promise<FleetNumbers | undefined> {
  let asking: Promise<FleetNumbers | undefined> | undefined;
  return async ({ database, queue }) => {
    asking ??= fleetNumbers(database, queue)
      .catch(() => undefined)
      .finally(() => {
        asking = undefined;
      });
    const over = new AbortController();
    const late = sleep(METRICS_MS, over.signal).catch(() => undefined);
    return await Promise.race([asking, late.then(() => undefined)]).finally(() => over.abort());
  };
}

/** `logferry worker`: takes athletes from the queue of a fleet. */
export async function act(context: CommandContext): Promise<ExitName> {
  const { options, output, signal } = context;
  // After a stop, what is under way still has to be written down.
  const patience = new AbortController();
  const stop = () => setTimeout(() => patience.abort(), LAST_WORDS_MS).unref();
  signal.addEventListener("abort", stop, { once: true });
  await checkArchives(options.archives);
  await using traces = await openTraceExport(options.traces, workerName(), (text) => output.remark(text));
  await using fleet = await openFleet(context, patience.signal);
  const hosts = fleetHosts(fleet.database, workerName());
  using copies = openCopies(join(userFolders().data, "fleet"), context.now());
  const work: Work = {
    fleet,
    store: (waiting, tally, trace) =>
      fleetStore(fleet, {
        ...{ folder: copies.path, worker: workerName(), signal: waiting, tally },
        ...defined({ trace }),
      }),
    hosts: ({ options: ofBatch }) => hosts.of(ofBatch.hostRate ?? options.hostRate),
    archives: options.archives,
    name: workerName(),
    copies: copies.path,
    tracer: traces.tracer,
    tokens: await workerTokens(context, fleet.database),
  };
  const soon = numbersSoon(context.sleep);
  const measure = async () => ({
    fleet: await soon(fleet),
    worker: running.counts,
    requests: hosts.counts(),
  });
  output.say(`Works for the fleet on ${fleet.database.name}, for ${options.parallel} athletes at once.`);
  const running = new Worker(context, work);
  const metrics = options.metrics === undefined ? undefined : await serveMetrics(options.metrics, measure);
  if (metrics !== undefined) output.say(`Metrics are at ${metrics.url}`);
  if (traces.address !== undefined) output.say(`Traces go to ${traces.address}`);
  let left = 0;
  try {
    left = await running.run({ untilEmpty: options.untilEmpty === true });
  } finally {
    await metrics?.close();
  }
  const { ended, givenBack } = running.counts;
  output.conclude(
    `Stopped. ${count(ended)} ${ended === 1 ? "athlete" : "athletes"} ended here${givenBack === 0 ? "" : `, ${count(givenBack)} handed back`}.`,
    ...(left === 0 ? [] : [`${left === 1 ? "1 athlete waits" : `${count(left)} athletes wait`} for another worker.`]),
  );
  return left === 0 ? "done" : "setAside";
}
