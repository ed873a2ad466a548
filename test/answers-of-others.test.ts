import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { expectDone, expectEachOnce, heldBy, issuesOf, openWorld, type World } from "./matrix/world.ts";
import { pathOf, told, typed } from "./support/certified.ts";
import { type Answered, mixing, startConfusingProxy, swapping } from "./support/confusing-proxy.ts";
import { killAt } from "./support/kills.ts";
import { randomOf } from "./support/random.ts";
import { ANOTHER_RUN, copyDeviceFiles, ONE_RUN, someRuns, writeSheet } from "./support/small-sources.ts";
import { longTest } from "./support/tier-tests.ts";
import { firstOf, inputs } from "./support/tiers.ts";

// Something on the way gives a save the answer of another one. An id that belongs to another known record proves nothing, so logferry looks at the
// log. Each workout ends up there once, as it was sent.

const SAVES = "/rest/logs/me/workouts";
const isSave = (method: string, path: string) => method === "POST" && path === SAVES;

/** Behind a proxy that confuses the saves, each workout is in the log once. A verification finds each as it was sent. */
async function loadBehind(
  world: World,
  confuse: (answered: Answered) => string | Promise<string>,
  flags: readonly string[],
  sources: readonly string[] = [world.sheet],
): Promise<readonly string[]> {
  await using proxy = await startConfusingProxy(world.service.url, isSave, confuse);
  const env = { LOGFERRY_URL: proxy.url };
  const ran = await world.import({ env, flags, sources });
  expectDone([ran]);
  const issues = await issuesOf(world);
  await expectEachOnce(world, false);
  const verified = await world.run(["verify"], { env });
  expect(verified.code, verified.out + verified.err).toBe(0);
  const again = await world.run(["import", ...sources, "--zone", "Europe/Vienna", "--settle", "1"], { env });
  expect(again.code, again.out + again.err).toBe(0);
  expect(again.out).toContain("each once");
  return issues;
}

test("where a save has the answer of the save before it, both are looked up, and each is in the log once", async () => {
  await using world = await openWorld({ runs: someRuns(6) });
  const bodies = new Map<number, string>();
  const issues = await loadBehind(
    world,
    ({ index, body }) => {
      bodies.set(index, body);
      return index === 2 ? (bodies.get(1) ?? body) : body;
    },
    ["--concurrency", "1"],
  );
  expect(issues).toContain("load/id-of-another");
});

test("where a save has the answer of one that is still under way, the one whose answer it was keeps its record", async () => {
  await using world = await openWorld({ runs: someRuns(6) });
  const first = Promise.withResolvers<string>();
  const third = Promise.withResolvers<void>();
  await loadBehind(
    world,
    async ({ index, body }) => {
      if (index === 0) {
        first.resolve(body);
        // The worker that got the wrong answer accepted it. It sends the next save.
        await third.promise;
      }
      if (index === 2) third.resolve();
      return index === 1 ? first.promise : body;
    },
    ["--concurrency", "2"],
  );
});

test("where a save is answered with a workout that was in the log before, it is looked up, and the older one stays as it was", async () => {
  const runs = someRuns(6);
  await using world = await openWorld({ runs });
  const older = someRuns(1, "2019-05-05");
  let id = "";
  // The older sheet is loaded first: its save is the first of all.
  await using proxy = await startConfusingProxy(world.service.url, isSave, ({ index, body }) =>
    index === 3 ? body.replace(/"id":"[^"]+"/, `"id":"${id}"`) : body,
  );
  const env = { LOGFERRY_URL: proxy.url };
  const before = await world.import({ env, sources: [writeSheet(join(world.folder, "older"), older)] });
  expectDone([before]);
  [{ id }] = (await world.listed(SAVES)) as [{ id: string }];
  const whole = await world.get(`${SAVES}/${id}`);
  expectDone([await world.import({ env, flags: ["--concurrency", "1"] })]);
  await expectEachOnce({ ...world, runs: [...runs, ...older] }, false);
  const verified = await world.run(["verify"], { env });
  expect(verified.code, verified.out + verified.err).toBe(0);
  expect(await world.get(`${SAVES}/${id}`)).toEqual(whole);
});

test("where two saves have each other's answers, each is in the log once, and each line of the journal names its own", async () => {
  await using world = await openWorld({ runs: someRuns(6) });
  await loadBehind(
    world,
    swapping((first) => first === 2),
    ["--concurrency", "2"],
  );
});

/** The first two saves get each other's answers. With `ninth`, the ninth save gets the id that the service gave to the first. */
function firstTwoSwapped(ninth: boolean): (answered: Answered) => Promise<string> {
  const swap = swapping((first) => first === 0);
  let first = "";
  return (answered) => {
    if (answered.index === 0) first = answered.body;
    return answered.index === 8 && ninth ? Promise.resolve(first) : swap(answered);
  };
}

longTest(
  "where two saves have each other's answers, and a later one has that of one of them, each is in the log once",
  async () => {
    await using world = await openWorld({ runs: someRuns(12) });
    await loadBehind(world, firstTwoSwapped(true), ["--concurrency", "2"]);
  },
);

const ENDINGS = [
  ["stopped at its number of requests", ["--max-requests", "14"], {}, 75],
  ["killed", [], killAt("after:any:24"), null],
] as const;

test.each(firstOf(1, ENDINGS))(
  "where two saves had each other's answers and the run was %s, the next import puts their ids right",
  async (_how, flags, ending, code) => {
    for (const ninth of [false, true].slice(0, inputs({ first: 1, long: 2 }))) {
      await using world = await openWorld({ runs: someRuns(30) });
      await using proxy = await startConfusingProxy(world.service.url, isSave, firstTwoSwapped(ninth));
      const env = { LOGFERRY_URL: proxy.url };
      const begun = await world.import({ env: { ...env, ...ending }, flags: [...flags, "--concurrency", "2"] });
      expect(begun.code, begun.out + begun.err).toBe(code);
      const made = (await heldBy(world)).length;
      expect(made).toBeGreaterThan(2);
      expect(made).toBeLessThan(30);
      expectDone([await world.import({ env, flags: ["--concurrency", "2"] })]);
      await expectEachOnce(world, false);
      const verified = await world.run(["verify"], { env });
      expect(verified.code, verified.out + verified.err).toBe(0);
    }
  },
);

longTest(
  "what their owner wrote into both meanwhile stays in each, when the next import puts their ids right",
  async () => {
    await using world = await openWorld({ runs: someRuns(30) });
    await using proxy = await startConfusingProxy(world.service.url, isSave, firstTwoSwapped(false));
    const env = { LOGFERRY_URL: proxy.url };
    const begun = await world.import({ env, flags: ["--max-requests", "14", "--concurrency", "2"] });
    expect(begun.code, begun.out + begun.err).toBe(75);
    // Newest first. These two were saved first, and have each other's ids in the journal.
    const edited = (await world.listed(SAVES)).slice(0, 2).map(({ id, date }) => ({ id: String(id), date }));
    for (const { id, date } of edited) await write(world, id, `what I felt on ${date}`);
    expectDone([await world.import({ env, flags: ["--concurrency", "2"] })]);
    await expectEachOnce(world, false);
    for (const { id, date } of edited) {
      const { workout } = (await world.get(`${SAVES}/${id}`)) as { workout: Record<string, unknown> };
      expect(workout).toMatchObject({ date, notes: `what I felt on ${date}` });
    }
  },
);

/** Writes notes into a workout, as its owner would. */
async function write({ service, userId }: World, id: string, notes: string): Promise<void> {
  const found = await service.store.workout(userId, id);
  if (found === undefined) throw new Error(`there is no workout ${id}`);
  await service.store.replaceWorkout(userId, id, { ...found.workout, notes });
}

longTest.each([1, 2, 3])(
  "where answers are exchanged, are another's or get lost at random (seed %i), each workout ends up there once",
  async (seed) => {
    await using world = await openWorld({ runs: someRuns(40) });
    const confuse = mixing(randomOf(seed * 7919), { swapped: 0.2, ofAnother: 0.05, dropped: 0.07 });
    await using proxy = await startConfusingProxy(world.service.url, isSave, confuse);
    const env = { LOGFERRY_URL: proxy.url };
    expectDone(await world.carry({ env }));
    await expectEachOnce(world, false);
    const verified = await world.run(["verify"], { env });
    expect(verified.code, verified.out + verified.err).toBe(0);
  },
);

test("where the log can't be looked at then, the save stays in doubt and is named, and is not sent again", async () => {
  await using world = await openWorld({ runs: someRuns(4) });
  const saved: string[] = [];
  let isCached = true;
  await using proxy = await startConfusingProxy(
    world.service.url,
    (method, path) => path === SAVES && (method === "POST" || saved.length > 0),
    ({ method, body }) => {
      // The cache keeps the listing from before the third save.
      if (method === "GET") return isCached ? withoutEntry(body, String(saved[2])) : body;
      saved.push(/"id":"([^"]+)"/.exec(body)?.[1] ?? "");
      return saved.length === 3 ? body.replace(String(saved[2]), String(saved[1])) : body;
    },
    (method) => (method === "GET" && isCached && saved.length > 0 ? { age: "100" } : {}),
  );
  const env = { LOGFERRY_URL: proxy.url };
  const words = world.importWords({ flags: ["--concurrency", "1"] }).filter((word) => word !== "--json");
  const ran = await world.run(words, { env });
  expect(ran.code, ran.out + ran.err).toBe(3);
  // One at a time, newest first: the third of four is the second row.
  expect(ran.out + ran.err).toMatch(/log\.csv line 3: in-doubt: /);
  expect(await heldBy(world)).toHaveLength(4);
  isCached = false;
  expectDone([await world.import({ env, flags: ["--concurrency", "1"] })]);
  await expectEachOnce(world, false);
});

/** A listing without one of its records. */
function withoutEntry(body: string, id: string): string {
  const listing = JSON.parse(body) as { data: { entries: { id: string }[]; numEntries: number } };
  const entries = listing.data.entries.filter((entry) => entry.id !== id);
  return JSON.stringify({ ...listing, data: { ...listing.data, entries, numEntries: entries.length } });
}

test.each(firstOf(1, ["repeated", "swapped"]))(
  "where the answers to two imports are %s, each device file has its own record, with its own track",
  async (how) => {
    await using world = await openWorld({ runs: [] });
    const folder = copyDeviceFiles(join(world.folder, "files"), [ONE_RUN, ANOTHER_RUN]);
    const swap = swapping(() => true);
    let first = "";
    await using proxy = await startConfusingProxy(
      world.service.url,
      (method, path) => method === "POST" && path.startsWith(`${SAVES}/`),
      (answered) => {
        if (how === "swapped") return swap(answered);
        first ||= answered.body;
        return first;
      },
    );
    const env = { LOGFERRY_URL: proxy.url };
    expectDone([
      await world.import({ env, sources: [folder], flags: ["--concurrency", how === "swapped" ? "2" : "1"] }),
    ]);
    const made = await world.listed(SAVES);
    expect(made).toHaveLength(2);
    // Newest first: the run of the evening, then the one of the morning.
    for (const [index, name] of [ANOTHER_RUN, ONE_RUN].map((path) => basename(path)).entries()) {
      const track = await world.service.store.track(world.userId, String(made[index]?.id));
      expect(gunzipSync(track?.packed ?? "").equals(readFileSync(join(folder, name))), name).toBe(true);
    }
    const verified = await world.run(["verify"], { env });
    expect(verified.code, verified.out + verified.err).toBe(0);
  },
);

longTest(
  "two workouts with one device file, of which one was given another distance by hand, are each there once",
  async () => {
    await using world = await openWorld({ runs: [] });
    const folder = join(world.folder, "export");
    copyDeviceFiles(join(folder, "activities"), [ONE_RUN]);
    const name = basename(ONE_RUN);
    copyFileSync(join(folder, "activities", name), join(folder, "activities", "again.fit"));
    // The file's own: 4.2 km in 1,500 s, from 05:10:05 UTC.
    const row = (id: number, km: number, file: string) =>
      `${id},"May 4, 2019, 5:10:05 AM",Run,Run,,1500,${km.toFixed(2)},,false,,activities/${file}`;
    const header =
      "Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Relative Effort,Commute,Activity Gear,Filename";
    writeFileSync(
      join(folder, "activities.csv"),
      `${[header, row(101, 4.2, name), row(102, 3.9, "again.fit")].join("\n")}\n`,
    );
    for (let round = 0; round < 3; round++) {
      const ran = await world.run(["import", folder, "--zone", "Europe/Vienna", "--settle", "1", "--concurrency", "4"]);
      expect(ran.code, ran.out + ran.err).toBe(0);
      expect(ran.out + ran.err).not.toContain("id-of-another");
      expect(await heldBy(world)).toHaveLength(2);
    }
  },
);

test("where a read is answered with another workout, it is asked for again, and neither gets the other's values", async () => {
  await using world = await openWorld({ runs: [] });
  const folder = copyDeviceFiles(join(world.folder, "files"), [ONE_RUN, ANOTHER_RUN]);
  const bodies = new Map<string, string>();
  await using proxy = await startConfusingProxy(
    world.service.url,
    (method, path) => method === "GET" && path.startsWith(`${SAVES}/`),
    ({ body, path, index }) => {
      bodies.set(path, body);
      // Every third answer is given to the other of two saves, whichever comes first.
      const [other = body] = [...bodies].flatMap(([of, text]) => (of === path ? [] : [text]));
      return index % 3 === 2 ? other : body;
    },
  );
  const env = { LOGFERRY_URL: proxy.url };
  expectDone([await world.import({ env, sources: [folder], flags: ["--concurrency", "2"] })]);
  const heartRates = (await Promise.all((await world.listed(SAVES)).map(({ id }) => world.get(`${SAVES}/${id}`)))).map(
    ({ workout }) => (workout as { health: { avgHR: number } }).health.avgHR,
  );
  // Newest first. By the files' own summaries: fixtures/device-files/fit.
  expect(heartRates).toEqual([147, 149]);
  for (let round = 0; round < 3; round++) {
    const verified = await world.run(["verify"], { env });
    expect(verified.code, verified.out + verified.err).toBe(0);
  }
});

longTest(
  "an answer with an empty workout is no workout: the certificate has it as unread, and doesn't say yes",
  async () => {
    await using world = await openWorld({ runs: someRuns(2) });
    for (const { date, time, km, seconds } of world.runs)
      await typed(world, {
        ...{ date, time: `${time}:00` },
        details: { distance: { unit: "km", value: km }, duration: seconds },
      });
    let empties = 0;
    await using proxy = await startConfusingProxy(
      world.service.url,
      (method, path) => method === "GET" && path.startsWith(`${SAVES}/`),
      ({ body }) => (empties-- > 0 ? '{"code":0,"data":{"workout":{}}}' : body),
    );
    const env = { LOGFERRY_URL: proxy.url };
    const imported = await world.import({ env, flags: ["--accept", "not-added"] });
    expect(imported.code, told(imported)).toBe(0);
    const sound = await world.run(["certify", pathOf(world)], { env });
    expect(sound.code, told(sound)).toBe(0);
    empties = 1;
    const ran = await world.run(["certify", pathOf(world)], { env });
    expect(ran.code, told(ran)).toBe(3);
    expect(told(ran)).toContain("1 record could not be read back from the log");
    expect(told(ran)).toContain("1 unread: the log refused to show it");
  },
);
