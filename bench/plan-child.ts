/**
 * Plans one archive against an empty log, in a process of its own. It prints a JSON line: milliseconds of planning, records read, and the most memory
 * the process ever had. Started by `run.ts`.
 */
import { join } from "node:path";
import { openJournal } from "../pipelines/journal/sqlite.ts";
import type { LogView } from "../pipelines/log/log-view.ts";
import { planSources } from "../pipelines/plan/plan-sources.ts";
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
const sources = await openSources([archive], undefined);
const run = await planSources({
  sources,
  log,
  journal,
  settings: { sports: new Map(), activityIDs, preference, time: { zone: "Europe/Vienna" } },
  options: { tracks: true, activityIDs, workoutIDs: {} },
  signal: new AbortController().signal,
  now: Date.now,
  onIssue: () => {},
  onProgress: () => {},
});
const ms = performance.now() - startedAt;
await closeSources(sources);
await journal.close();
console.log(JSON.stringify({ ms, read: run?.read ?? 0, peakBytes: process.resourceUsage().maxRSS * 1024 }));
