import { join } from "node:path";
import { fleetNumbers } from "../../pipelines/fleet/overview.ts";
import type { CommandContext } from "../arguments/command.ts";
import { userFolders } from "../arguments/config.ts";
import type { ExitName } from "../errors/exit-codes.ts";
import { fleetHosts } from "../fleet/hosts.ts";
import { serveMetrics } from "../fleet/metrics.ts";
import { openFleet } from "../fleet/open.ts";
import { fleetStore } from "../fleet/store.ts";
import { workerTokens } from "../fleet/tokens.ts";
import type { Work } from "../fleet/work.ts";
import { Worker, workerName } from "../fleet/worker.ts";
import { count } from "../terminal/output.ts";

/** Milliseconds after a stop within which everything is written down. */
const LAST_WORDS_MS = 25_000;

/** `logferry worker`: takes athletes from the queue of a fleet. */
export async function act(context: CommandContext): Promise<ExitName> {
  const { options, output, signal } = context;
  // After a stop, what is under way still has to be written down.
  const patience = new AbortController();
  const stop = () => setTimeout(() => patience.abort(), LAST_WORDS_MS).unref();
  signal.addEventListener("abort", stop, { once: true });
  await using fleet = await openFleet(context, patience.signal);
  const hosts = fleetHosts(fleet.database, workerName());
  const work: Work = {
    fleet,
    store: (waiting) =>
      fleetStore(fleet, { folder: join(userFolders().data, "fleet"), worker: workerName(), signal: waiting }),
    hosts: ({ options: ofBatch }) => hosts.of(ofBatch.hostRate ?? options.hostRate),
    archives: options.archives,
    tokens: await workerTokens(context, fleet.database),
  };
  const measure = async () => ({
    fleet: await fleetNumbers(fleet.database, fleet.queue),
    worker: running.counts,
    requests: hosts.counts(),
  });
  output.say(`Works for the fleet on ${fleet.database.name}, for ${options.parallel} athletes at once.`);
  const running = new Worker(context, work);
  const metrics = options.metrics === undefined ? undefined : await serveMetrics(options.metrics, measure);
  if (metrics !== undefined) output.say(`Metrics are at ${metrics.url}`);
  try {
    await running.run({ untilEmpty: options.untilEmpty === true });
  } finally {
    await metrics?.close();
  }
  const { ended, givenBack } = running.counts;
  output.conclude(
    `Stopped. ${count(ended)} ${ended === 1 ? "athlete" : "athletes"} ended here${givenBack === 0 ? "" : `, ${count(givenBack)} handed back`}.`,
  );
  return "done";
}
