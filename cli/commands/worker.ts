import { join } from "node:path";
import { fleetNumbers } from "../../pipelines/fleet/overview.ts";
import type { Command } from "../arguments/command.ts";
import { userFolders } from "../arguments/config.ts";
import { fleetHosts } from "../fleet/hosts.ts";
import { serveMetrics } from "../fleet/metrics.ts";
import { openFleet } from "../fleet/open.ts";
import { fleetStore } from "../fleet/store.ts";
import { workerTokens } from "../fleet/tokens.ts";
import type { Work } from "../fleet/work.ts";
import { Worker, workerName } from "../fleet/worker.ts";
import { count } from "../terminal/output.ts";

/** `logferry worker`: takes athletes from the queue of a fleet. */
export const worker: Command = {
  name: "worker",
  details: [
    "Takes athletes that `logferry batch --fleet` put into the queue, checks them and loads them, until you stop it. Start it on as many machines as you like. docs/fleet.md shows the whole way.",
    "The first Ctrl-C or SIGTERM lets it finish the requests under way. It hands the athletes back within 30 seconds, and other workers go on with them. When a worker dies, others take its athletes after ten seconds.",
    "Put the address of a PostgreSQL database with a password into LOGFERRY_FLEET or the config file. Other users of the machine can read command lines.",
  ],
  options: ["fleet", "parallel", "archives", "identity", "tokenCommand", "hostRate", "metrics", "untilEmpty"],
  says: {
    identity: {
      metavar: "FILE",
      help: "opens the access tokens that `batch --recipient` sealed: an age key (AGE-SECRET-KEY-1...)",
    },
    tokenCommand: {
      metavar: "COMMAND",
      help: "take each access token from the first line that a command prints. It gets the athlete's screen name, or else the e-mail address, as its last word",
    },
  },
  examples: [
    { line: "logferry worker", does: "work until it is stopped, with LOGFERRY_FLEET" },
    { line: "logferry worker --archives /mnt/exports --parallel 8", does: "with the archives in a shared folder" },
    { line: "logferry worker --until-empty", does: "work until nobody waits" },
  ],
  stopping:
    "Stopping: requests under way are finished, and the athletes handed back, within 30 s. Once more ends at once.",
  async run(context) {
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
  },
};

/** Milliseconds after a stop within which everything is written down. */
const LAST_WORDS_MS = 25_000;
