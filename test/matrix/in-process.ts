/** The loader in this process, by a clock of the test's own, over real HTTP to the real service. */

import { join } from "node:path";
import { openConnection } from "../../connectors/api/connection.ts";
import { type Fetcher, poolFetcher, TIMEOUTS } from "../../connectors/api/exchange.ts";
import { createSink } from "../../connectors/api/sink.ts";
import { readIfThere } from "../../connectors/sink.ts";
import { openJournal } from "../../pipelines/journal/sqlite.ts";
import { type Ledger, summarise } from "../../pipelines/journal/summary.ts";
import { loadPlan } from "../../pipelines/load/load-plan.ts";
import { settle } from "../../pipelines/load/settle.ts";
import { readLogView } from "../../pipelines/log/log-view.ts";
import { createEncoder } from "../../pipelines/plan/log/encode.ts";
import { planSources } from "../../pipelines/plan/plan-sources.ts";
import { openSourceFiles } from "../../pipelines/sources/source-files.ts";
import { closeSources, openSources } from "../../pipelines/sources/sources.ts";
import type { VirtualTime } from "../support/virtual-time.ts";
import type { World } from "./world.ts";

/** Plans a world's sheet and loads it. @returns the ledger. @throws what stopped the run */
export async function importHere(world: World, time: VirtualTime, settleMs: number): Promise<Ledger> {
  const { signal } = new AbortController();
  const { clock } = time;
  const connection = openConnection({
    baseUrl: world.service.url,
    token: world.token,
    rate: undefined,
    inFlight: 1,
    fetcher: withoutDates(poolFetcher(world.service.url, 1, { ...TIMEOUTS, headersMs: 1_500 })),
    clock,
  });
  const sources = await openSources([world.sheet], undefined);
  const journal = await openJournal(join(world.folder, "journal.db"));
  try {
    const view = await readLogView(connection, signal);
    await journal.bindAccount(view.account);
    const sink = createSink(connection);
    const activityIDs = { run: 10 };
    const { preference } = view;
    const options = { tracks: true, activityIDs, workoutIDs: {} };
    const now = clock.now;
    const run = await planSources({
      ...{ sources, log: view, journal, options, signal, now },
      settings: { sports: new Map(), activityIDs, preference, time: { zone: "Europe/Vienna" } },
      onIssue: () => undefined,
      onProgress: () => undefined,
    });
    if (run === undefined) throw new Error("the plan was stopped");
    const files = openSourceFiles(run);
    const report = async () => undefined;
    await loadPlan(run, {
      ...{ journal, sink, files, report, now, signal, concurrency: 1 },
      monotonic: now,
      encode: createEncoder(options),
      settle: (stop, quietMs) =>
        settle(
          {
            ...{ journal, list: view.list, settleMs, report },
            read: (kind, id, end) => readIfThere(() => sink.read(kind, id, end)),
            sleep: (ms, end) => clock.sleep(ms, end),
            onWait: () => undefined,
          },
          stop,
          quietMs,
        ),
      onProgress: () => undefined,
    });
    await files.close();
    return (await summarise(journal, (await journal.run(run.id)) ?? run)).all;
  } finally {
    await journal.close();
    await closeSources(sources);
    await connection.close();
  }
}

/** Answers without their dates. The service's clock goes on as always while a test moves the loader's clock. */
function withoutDates(fetcher: Fetcher): Fetcher {
  return {
    async exchange(request, signal) {
      const outcome = await fetcher.exchange(request, signal);
      return outcome.kind === "answer" ? { ...outcome, date: undefined } : outcome;
    },
    close: () => fetcher.close(),
  };
}
