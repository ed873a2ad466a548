/**
 * Plans a sheet of workouts against a log that has each of them already, otherwise measured, or against an empty one, in a process of its own. It prints a JSON line:
 * milliseconds of planning, workouts found in the log, and the most memory the process ever had. Started by `log-twins.ts`.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openJournal } from "../pipelines/journal/sqlite.ts";
import type { LogView } from "../pipelines/log/log-view.ts";
import { planSources } from "../pipelines/plan/plan-sources.ts";
import { closeSources, openSources } from "../pipelines/sources/sources.ts";
import { MAPPING } from "./twin-sheet.ts";

const [folder, count, isEmpty] = [process.argv[2], Number(process.argv[3]), process.argv[4] === "empty"];
if (folder === undefined || !(count > 0)) throw new Error("usage: log-twins-child.ts FOLDER COUNT [empty]");

const A_DAY = 10;
const RUN = 10;
const activityIDs = { run: RUN };

/** A workout: ten a day, an hour and a half apart, none as long as its neighbours. */
function workoutAt(at: number) {
  const start = new Date(Date.UTC(1990, 0, 1 + Math.floor(at / A_DAY), 6, 90 * (at % A_DAY) + (at % 40))).toISOString();
  return { day: start.slice(0, 10), time: start.slice(11, 19), metres: 4_000 + 700 * (at % 13) };
}

/** As another program of the log has it: 40 s later, 4 % longer, and each tenth without a time of day. */
async function* ofLog() {
  for (let at = 0; at < count; at++) {
    const { day, time, metres } = workoutAt(at);
    const clock = at % A_DAY === 0 ? undefined : `${time.slice(0, 6)}40`;
    const seconds = Math.round(metres * 0.3);
    const facts = { activity: undefined, date: day, time: clock, instant: undefined, metres: metres * 1.04, seconds };
    yield { kind: "workout" as const, id: `log-${at}`, activityID: RUN, facts };
  }
}

const sheet = join(folder, `sheet-${count}.csv`);
const rows = Array.from({ length: count }, (_, at) => {
  const { day, time, metres } = workoutAt(at);
  return `${at},${day},${time},Run,${metres / 1_000},${Math.round(metres * 0.3)}`;
});
writeFileSync(sheet, `No,Day,At,Sport,Km,Took\n${rows.join("\n")}\n`);
writeFileSync(join(folder, `sheet-${count}.map.yaml`), MAPPING);
rows.length = 0;

const preference = { distanceUnit: "km", weightUnit: "kg", temperatureUnit: "C", utcOffset: 1 } as const;
const log: LogView = {
  account: { baseUrl: "bench", userHash: "", name: "bench" },
  owner: {},
  preference,
  capabilities: { listsWorkouts: true, listsCourses: true },
  async list(kind) {
    return kind === "workout" && !isEmpty ? ofLog() : (async function* () {})();
  },
  waiting: () => undefined,
};

const journal = await openJournal(join(folder, `log-twins-${process.pid}.db`));
const startedAt = performance.now();
const sources = await openSources([sheet], undefined);
const run = await planSources({
  sources,
  log,
  journal,
  settings: { sports: new Map(), activityIDs, preference, time: {} },
  options: { tracks: true, activityIDs, workoutIDs: {} },
  signal: new AbortController().signal,
  now: Date.now,
  onIssue: () => {},
  onProgress: () => {},
});
const ms = performance.now() - startedAt;
const found = (await journal.tally(run?.id ?? 0)).reduce(
  (sum, { state, count: n }) => sum + (state === "unchanged" ? n : 0),
  0,
);
await closeSources(sources);
await journal.close();
console.log(JSON.stringify({ ms, found, peakBytes: process.resourceUsage().maxRSS * 1024 }));
