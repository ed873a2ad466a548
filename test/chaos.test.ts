import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { watchOn } from "../fixtures/make/athlete/gear.ts";
import { PLACES } from "../fixtures/make/athlete/places.ts";
import { writeFit } from "../fixtures/make/fit.ts";
import { randomFrom } from "../fixtures/make/random.ts";
import { record } from "../fixtures/make/recording.ts";
import { sportNamed } from "../fixtures/make/sports.ts";
import { localOf, offsetMinutes } from "../fixtures/make/zones.ts";
import { FAULT_KINDS } from "../service/faults/kinds.ts";
import { heldBy, IMPORTS, lacking, markOf, openWorld, SAVES, summaryOf, WRITES } from "./matrix/world.ts";
import { randomOf, SEED } from "./support/random.ts";
import type { Ran } from "./support/rehearsal.ts";
import { type SheetRun, someRuns } from "./support/small-sources.ts";

// Everything at once. The archive has saves and imports. The service misbehaves in every way it can, each at two in a hundred requests. The process
// is killed at random moments and resumed until it is done. Then the log must hold what the archive holds. The test writes that down as it makes the
// archive. `npm run chaos` takes 5,000 workouts and 20 kills.

const [WORKOUTS = 300, KILLS = 4] = (process.env.LOGFERRY_TEST_CHAOS ?? "300,4").split(",").map(Number);
/** One workout in so many is a device file, and one in so many is there twice. */
const FILE_EVERY = 25;
const DUPLICATE_EVERY = 40;

/** Two in a hundred of each kind. A fault that ends a run every time it hits is limited to a few. */
const FAULTS: readonly string[] = [
  `bad-id:${SAVES}:rate=0.02`,
  "clock-skew:* /rest/**:seconds=-90000,rate=0.02",
  "close-idle:* /rest/**:rate=0.02",
  `code-after-commit:${SAVES}:rate=0.02`,
  `code-before-commit:${SAVES}:rate=0.02`,
  "cut-body:* /rest/**:rate=0.02",
  `gzip-answer:${WRITES}:mebibytes=2,rate=0.02`,
  `hang-after-commit:${WRITES}:rate=0.02,times=10`,
  `hang-before-commit:${WRITES}:rate=0.02,times=10`,
  `html-after-commit:${WRITES}:rate=0.02`,
  "html-before-commit:* /rest/**:rate=0.02",
  `huge-answer:${WRITES}:mebibytes=3,rate=0.02`,
  "import-ids:ids=fewer,rate=0.02",
  "insert-workout:rate=0.02,times=20",
  "latency:* /rest/**:ms=30,rate=0.02",
  "part-import:rate=0.02",
  `rate-limit:${IMPORTS}:per-second=3`,
  `reset-after-commit:${WRITES}:rate=0.02`,
  "reset-before-commit:* /rest/**:rate=0.02",
  "revoke-token:* /rest/**:rate=0.02,times=3",
  `save-twice:${SAVES}:rate=0.02,times=20`,
  "stale-listing:seconds=20,rate=0.02",
  `status-after-commit:${WRITES}:status=500,rate=0.02`,
  "status-before-commit:* /rest/**:status=429,retry-after=0,rate=0.02",
];

test("every kind of fault takes part", () => {
  expect(FAULTS.map((spec) => spec.split(":")[0])).toEqual(FAULT_KINDS.map(({ name }) => name));
});

/** Writes device files. @returns what a log must show of each */
function writeFiles(folder: string, count: number): string[] {
  mkdirSync(folder, { recursive: true });
  const device = watchOn("2019-05-01");
  return Array.from({ length: count }, (_, index) => {
    const start = Date.UTC(2016, 0, 1, 5) + index * 86_400_000;
    const timer = 1800 + (index % 900);
    const wish = {
      sport: sportNamed("run"),
      start,
      timer,
      metres: 5000 + 10 * (index % 300),
      place: PLACES.prater,
      every: 60,
    };
    const made = record(wish, randomFrom(`chaos ${index}`));
    writeFileSync(
      join(folder, `${index}.fit`),
      writeFit([made], { device, offsetMinutes: offsetMinutes("Europe/Vienna", start) }),
    );
    const { date, time } = localOf("Europe/Vienna", start);
    return markOf({ date, time: time.slice(0, 5), km: made.metres / 1000, seconds: timer });
  });
}

test(`${WORKOUTS} workouts, every fault at 2 %, killed ${KILLS} times (LOGFERRY_TEST_SEED=${SEED}): the log ends equal to the archive`, async () => {
  const random = randomOf(SEED);
  const files = Math.floor(WORKOUTS / FILE_EVERY);
  const duplicates = Math.floor(WORKOUTS / DUPLICATE_EVERY);
  const shoes = ["Pegasus", "Kinvara", ""];
  const runs: SheetRun[] = someRuns(WORKOUTS - files - duplicates, "2002-01-01").map((run, index) => ({
    ...run,
    shoe: shoes[index % 3] ?? "",
    notes: `number ${index}`,
  }));
  for (let index = 0; index < duplicates; index++) runs.push(runs[index * 7] as SheetRun);
  await using world = await openWorld({ runs, armed: FAULTS, seed: SEED % 2 ** 31 });
  const watch = join(world.folder, "watch");
  const wanted = [...runs.map(markOf), ...writeFiles(watch, files)];
  expect(wanted).toHaveLength(WORKOUTS);

  // The request that ends a life is drawn beforehand, so that a slow machine is killed as often as a quick one.
  const lives = Array.from({ length: KILLS }, () => Math.ceil((random() * 2 * WORKOUTS) / Math.max(1, KILLS)));
  const flags = ["--settle", "3", "--timeout", "4", "--concurrency", "4"];
  let { token } = world;
  let kills = 0;
  let last: Ran | undefined;
  let starts = 0;
  for (; starts < 40 + 4 * KILLS; starts++) {
    const command = starts % 2 === 1 && last?.signal !== null ? "apply" : "import";
    const { child, ended } = world.start(world.importWords({ flags, sources: [world.sheet, watch], command }), {
      env: { LOGFERRY_TOKEN: token },
    });
    const life = lives[kills];
    const stop = life === undefined ? () => undefined : killAfter(life, () => child.kill("SIGKILL"));
    last = await ended;
    stop();
    if (last.signal === "SIGKILL") {
      kills++;
      continue;
    }
    if (last.code === 4) token = await world.service.operator.addToken(world.userId);
    // 7: all is done, and the copies that `save-twice` made are named at every start. Nobody deletes them here.
    if (last.code !== 0 && last.code !== 3 && last.code !== 7) continue;
    const { ledger } = summaryOf(last);
    // A record that a fault refused is tried again, as a person would.
    if (ledger.refused === 0 && ledger.failed === 0 && ledger.inDoubt === 0 && ledger.left === 0) break;
  }
  expect(summaryOf(last as Ran)).toMatchObject({
    balanced: true,
    ledger: { left: 0, inDoubt: 0, refused: 0, failed: 0 },
  });

  const hits = new Map(world.service.faults.hits().map(({ fault, hits: count }) => [fault.split(":")[0], count]));
  const theirs = (hits.get("insert-workout") ?? 0) + (hits.get("save-twice") ?? 0);
  const held = await heldBy(world);
  const lost = lacking(wanted, held);
  const others = lacking(held, wanted);
  process.stdout.write(
    `chaos: seed ${SEED}, ${WORKOUTS} workouts, ${starts + 1} starts, ${kills} kills, ${world.asked.all.length} requests, ` +
      `${world.asked.ending("POST", "/workouts").length} saves, ${[...hits.values()].reduce((sum, one) => sum + one, 0)} faults; ` +
      `lost ${lost.length}, doubled ${others.length - theirs}\n`,
  );
  const doubled = others.length - theirs;
  // All are named: the test can't tell which of them the owner made.
  expect({ lost, doubled, others: doubled === 0 ? [] : others.toSorted() }).toEqual({
    lost: [],
    doubled: 0,
    others: [],
  });
  const equipment = { activityID: undefined, showRetired: true };
  expect((await world.service.store.equipments(world.userId, { limit: 100, offset: 0 }, equipment)).total).toBe(2);
  if (WORKOUTS >= 1000) expect([...hits].filter(([, count]) => count === 0)).toEqual([]);

  function killAfter(requests: number, kill: () => void): () => void {
    const from = world.asked.all.length;
    const timer = setInterval(() => {
      if (world.asked.all.length - from >= requests) kill();
    }, 5);
    return () => clearInterval(timer);
  }
});
