import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { errorsOf, expectDone, expectEachOnce, heldBy, lacking, markOf, openWorld, summaryOf } from "./matrix/world.ts";
import type { CacheRule } from "./rounds/cache.ts";
import { type Fate, startProxy } from "./rounds/proxy.ts";
import { someRuns } from "./support/small-sources.ts";
import { longTest, test } from "./support/tier-tests.ts";

// A cache may stand between a client and a log: a company's proxy, or a service's own front. It keeps listings for longer than `--settle`. A save
// whose answer was lost is then "not there" at every look, and is sent a second time.

const SAVES = /\/workouts$/;

/** Imports a run through a cache that saw the log empty. The answer to its save is lost, and nothing else in the log tells the time. */
async function importedThrough(cache: CacheRule) {
  const world = await openWorld({ runs: someRuns(1) });
  let saves = 0;
  const fate = ({ method, path }: { method: string; path: string }) =>
    method === "POST" && SAVES.test(path) && ++saves === 1 ? ({ kind: "drop" } as const) : ({ kind: "pass" } as const);
  await using proxy = await startProxy(world.service.url, { cache, fate });
  const env = { LOGFERRY_URL: proxy.url };
  const ran = await world.import({ flags: ["--concurrency", "1", "--settle", "1"], env });
  return { world, ran, met: new Map(proxy.met) };
}

const AN_HOUR = 3_600_000;

test.each<[string, CacheRule]>([
  ["keeps every address for an hour, whatever is asked of it", { ms: AN_HOUR, by: "address" }],
  ["leaves out what it doesn't know of an address, and obeys", { ms: AN_HOUR, by: "paging", obeys: true }],
])("a cache that %s doubles nothing, and the import is done", async (_how, cache) => {
  const { world, ran, met } = await importedThrough(cache);
  await using _closing = world;
  expect(met.get("drop")).toBe(1);
  expectDone([ran]);
  await expectEachOnce(world);
});

test("a cache that obeys nobody and says how old its answers are is not believed: nothing is doubled, and what is open is said", async () => {
  const { world, ran, met } = await importedThrough({ ms: AN_HOUR, by: "paging", tellsAge: true });
  await using _closing = world;
  expect(met.get("cached")).toBeGreaterThan(0);
  // After one more look than the cache has kept, the record shows, or it stays in doubt. There is never a second save.
  const held = await heldBy(world);
  expect(lacking(held, world.runs.map(markOf))).toEqual([]);
  const { ledger } = summaryOf(ran);
  expect(held).toHaveLength((ledger.created ?? 0) + (ledger.inDoubt ?? 0));
  expect(ran.code).toBe(ledger.inDoubt === 0 ? 0 : 3);
});

longTest(
  "a listing that never holds still proves nothing: an import that would go by it stops before it sends anything",
  async () => {
    await using world = await openWorld({ runs: someRuns(3) });
    expectDone([await world.import()]);
    // As if pages of two ages came: each listing gives one total, and shows another number of workouts.
    const fate = ({ method, path }: { method: string; path: string }) =>
      method === "GET" && SAVES.test(path) ? ({ kind: "shifted" } as const) : ({ kind: "pass" } as const);
    await using proxy = await startProxy(world.service.url, { fate, random: () => 0.9 });
    const ran = await world.import({ env: { LOGFERRY_URL: proxy.url }, journal: `${world.folder}/another.db` });
    expect(ran.code, ran.out + ran.err).toBe(75);
    expect(errorsOf(ran).join()).toMatch(/it says that it has 3, and shows [012], the same 3 times/);
    await expectEachOnce(world, false);
  },
);

longTest("a list that moves is told with what was seen, both possible causes, and what to do about each", async () => {
  await using world = await openWorld({ runs: someRuns(3), databaseFile: true });
  expectDone([await world.import()]);
  // Each page is a workout behind, and each answer counts one more. A log looks like this while somebody adds workouts, and also behind a cache.
  const fate = ({ method, path }: { method: string; path: string }) => {
    if (method !== "GET" || !SAVES.test(path)) return { kind: "pass" } as const;
    using file = new DatabaseSync(join(world.folder, "service.db"), { timeout: 60_000 });
    file.exec("UPDATE workout_months SET workouts = workouts + 1 WHERE month = '2020-01'");
    return { kind: "shifted" } as const;
  };
  await using proxy = await startProxy(world.service.url, { fate, random: () => 0.9 });
  const ran = await world.import({ env: { LOGFERRY_URL: proxy.url }, journal: `${world.folder}/another.db` });
  expect(ran.code, ran.out + ran.err).toBe(75);
  const said = errorsOf(ran).join();
  expect(said).toMatch(
    /it says that it has 4, then 5, and shows 2; then it says that it has 6, then 7, and shows 2; then/,
  );
  expect(said).toContain("Something else writes to the log: wait until it is done, and run the same command again.");
  expect(said).toContain("Or a cache between here and the log gives old answers. Ask the people who run the cache");
});

test("a list out of a cache that says so is told as that, with what to do about the cache", async () => {
  await using world = await openWorld({ runs: someRuns(3) });
  await using proxy = await startProxy(world.service.url, { cache: { ms: AN_HOUR, by: "paging", tellsAge: true } });
  const env = { LOGFERRY_URL: proxy.url };
  await world.import({ env });
  const ran = await world.import({ env, journal: `${world.folder}/another.db` });
  expect(ran.code, ran.out + ran.err).toBe(75);
  const said = errorsOf(ran).join();
  expect(said).toMatch(/may be an old one, because a cache gave it \(Age: \d+\)\. /);
  expect(said).toContain("Ask the people who run the cache");
  expect(said).not.toContain("Something else writes");
});

longTest(
  "a listing that never holds still settles nothing: what has no answer stays in doubt, and the run says so",
  async () => {
    await using world = await openWorld({ runs: someRuns(1) });
    let isLost = false;
    const fate = ({ method, path }: { method: string; path: string }): Fate => {
      if (!SAVES.test(path)) return { kind: "pass" };
      if (method === "GET") return { kind: isLost ? "shifted" : "pass" };
      isLost = true;
      return { kind: "drop" };
    };
    await using proxy = await startProxy(world.service.url, { fate, random: () => 0.9 });
    const ran = await world.import({ env: { LOGFERRY_URL: proxy.url } });
    expect(ran.code, ran.out + ran.err).toBe(3);
    expect(summaryOf(ran).ledger).toMatchObject({ created: 0, inDoubt: 1, left: 0 });
    expect(await heldBy(world)).toEqual(world.runs.map(markOf));
  },
);
