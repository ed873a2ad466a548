/**
 * Plans one archive against an empty log, as `logferry plan` does, in a process of its own. It prints a JSON line: milliseconds of planning, records read, and the most memory
 * the process ever had. Started by `run.ts`.
 */
import { join } from "node:path";
import { notingHashes } from "../connectors/containers/read-hashes.ts";
import { openJournal } from "../pipelines/journal/sqlite.ts";
import type { LogView } from "../pipelines/log/log-view.ts";
import { planSources } from "../pipelines/plan/plan-sources.ts";
import { takeInventory } from "../pipelines/sources/inventory.ts";
import { closeSources, openSources } from "../pipelines/sources/sources.ts";

const [archive, folder] = process.argv.slice(2);
if (archive === undefined || folder === undefined) throw new Error("usage: plan-child.ts ARCHIVE FOLDER");

const preference = { distanceUnit: "km", weightUnit: "kg", temperatureUnit: "C", utcOffset: 1 } as const;
const log: LogView = {
  account: { baseUrl: "bench", userHash: "", name: "bench" },
  owner: {},
  preference,
  capabilities: { listsWorkouts: true, listsCourses: true },
  async list() {
    return (async function* () {})();
  },
  waiting: () => undefined,
};
const activityIDs = {
  run: 10,
  bike: 11,
  swim: 12,
  weight: 13,
  walk: 14,
  hike: 15,
  row: 16,
  ski: 17,
  yoga: 18,
  elliptical: 19,
  other: 20,
};

const journal = await openJournal(join(folder, `plan-${process.pid}.db`));
const startedAt = performance.now();
const opened = await openSources([archive], undefined);
const noted = opened.map((source) => notingHashes(source.archive));
const sources = opened.map((source, index) => ({ ...source, archive: noted[index]?.archive ?? source.archive }));
const signal = new AbortController().signal;
const run = await planSources({
  sources,
  log,
  journal,
  settings: { sports: new Map(), activityIDs, preference, time: { zone: "Europe/Vienna" } },
  options: { tracks: true, activityIDs, workoutIDs: {} },
  signal,
  now: Date.now,
  onIssue: () => {},
  onProgress: () => {},
});
const read = noted.map(({ hashes }) => hashes);
if (run !== undefined)
  await takeInventory(run, journal, Date.now(), { open: {}, version: "bench", signal, onProgress: () => {}, read });
const ms = performance.now() - startedAt;
await closeSources(sources);
await journal.close();
console.log(JSON.stringify({ ms, read: run?.read ?? 0, peakBytes: process.resourceUsage().maxRSS * 1024 }));
