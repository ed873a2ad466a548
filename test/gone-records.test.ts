import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, inject } from "vitest";
import { PLACES } from "../fixtures/make/athlete/places.ts";
import { writeFit } from "../fixtures/make/fit.ts";
import { randomFrom } from "../fixtures/make/random.ts";
import { record } from "../fixtures/make/recording.ts";
import { sportNamed } from "../fixtures/make/sports.ts";
import { expectEachOnce, heldBy, jsonOf, openWorld, summaryOf, type World } from "./matrix/world.ts";
import { copyOfDatabase } from "./support/database-copy.ts";
import { deleteFromPostgres, deleteWorkout } from "./support/delete-workout.ts";
import type { Ran } from "./support/rehearsal.ts";
import { type SheetRun, someRuns, writeSheet } from "./support/small-sources.ts";
import { longTest, rowTest, test } from "./support/tier-tests.ts";
import { firstOf } from "./support/tiers.ts";

// Records that logferry loaded and that are no longer in the log. Somebody deleted them, or a database was put back.

const databaseOf = ({ folder }: World) => join(folder, "service.db");

/** Deletes the first workouts of a log, past its service. @param postgres the address, where the log is in PostgreSQL */
async function deleteSome(world: World, count: number, postgres?: string): Promise<void> {
  const { entries } = await world.service.store.workouts(world.userId, { limit: 100, offset: 0 }, []);
  const ids = entries.slice(0, count).map(({ id }) => id ?? "");
  if (postgres !== undefined) await deleteFromPostgres(postgres, ids);
  else for (const id of ids) deleteWorkout(databaseOf(world), id);
}

const ledgerOf = (ran: Ran) => summaryOf(ran).ledger;
const told = (ran: Ran) => ran.out + ran.err;

/** The same in words, as a person reads it. */
const inWords = (world: World, words: readonly string[]) =>
  world.run([...words, "--zone", "Europe/Vienna", "--settle", "1"]);

test("a verification's sums hold what is missing on the side of the plan alone, before and after an import named it", async () => {
  await using world = await openWorld({ runs: someRuns(4), databaseFile: true });
  expect((await world.import()).code).toBe(0);
  await deleteSome(world, 1);
  const left = await world.listed("/rest/logs/me/workouts");
  const seconds = (some: readonly { seconds: number }[]) => some.reduce((sum, one) => sum + one.seconds, 0);
  const gone = world.runs.filter(({ date }) => !left.some((one) => one.date === date));
  expect(gone).toHaveLength(1);
  const sums = { planned: seconds(world.runs), found: seconds(world.runs) - seconds(gone) };
  const verification = async () =>
    jsonOf((await world.run(["verify", "--json"])).out).find(({ type }) => type === "verification");
  expect(await verification()).toMatchObject({ run: 1, seconds: sums });
  // The message says what to type before an import has named the record, too.
  const said = await world.run(["verify"]);
  expect(said.code, told(said)).toBe(7);
  expect(said.out).toContain(
    "1 record of run 1 is missing from the log. Load it again with: logferry retry --restore-missing.",
  );
  expect(said.err).toMatch(/line \d+ \(workout \S+\): it is no longer in the log/);
  expect((await world.run(["status"])).out).toContain(
    "1 record missing from the log (logferry retry --restore-missing)",
  );
  // So does a certificate, which had named the look at differences alone.
  const certified = await world.run(["certify", join(world.folder, "certificate.json")]);
  expect(certified.code, told(certified)).toBe(7);
  expect(readFileSync(join(world.folder, "certificate.html"), "utf8")).toContain("logferry retry --restore-missing");
  expect((await world.import()).code).toBe(3);
  expect(await verification()).toMatchObject({ run: 2, seconds: sums });
});

test("the history of a run says what it did then, also after somebody deleted a record and a retry brought it back", async () => {
  await using world = await openWorld({ runs: someRuns(3), databaseFile: true });
  expect((await world.import()).code).toBe(0);
  await deleteSome(world, 1);
  expect((await world.run(["retry", "--restore-missing", "--settle", "1"])).code).toBe(0);
  const history = await world.run(["history"]);
  const [retry = "", first = ""] = history.out.split(/^(?=Run 1,)/m);
  expect(retry).toMatch(/Run 2, retry of run 1, .*: 1 created/);
  expect(first).toMatch(/^Run 1, import, .*: 3 created\n.*\n {2}Since then 1 record is no longer in the log\./);
  expect(first).toMatch(/1 gone .*settled since/);
  expect(first).not.toContain("had it no longer at the end");
  expect(first).not.toContain("--restore-missing");
});

rowTest.each(firstOf(1, ["SQLite", "PostgreSQL"]))(
  "five of eight deleted in %s: they are counted, named and a reason to warn, and one command brings each back once",
  async (kind) => {
    const postgres = kind === "PostgreSQL" ? await (await fetch(inject("newDatabases"))).text() : undefined;
    const database = postgres === undefined ? { databaseFile: true } : { database: postgres };
    await using world = await openWorld({ runs: someRuns(8), ...database });
    expect((await world.import()).code).toBe(0);
    await deleteSome(world, 5, postgres);

    const again = await inWords(world, ["import", world.sheet]);
    expect(again.code, told(again)).toBe(7);
    expect(again.err).toMatch(/WARNING: 5 of 8 loaded records are no longer in the log/);
    expect(again.out).toMatch(/3 of 8 records are in your log, each once\. 5 are no longer in the log\./);
    expect(again.out).not.toMatch(/left out by/);
    expect(again.out).toContain("logferry retry --restore-missing");
    expect(again.out.match(/line \d+: plan\/gone-from-log/g)).toHaveLength(5);
    expect((await heldBy(world)).length).toBe(3);

    const verified = await world.run(["verify"]);
    expect(verified.code, told(verified)).toBe(7);
    expect(verified.out).toMatch(/Not everything of run 2 is in the log: 5 records are no longer in the log/);

    const status = await world.run(["status"]);
    expect(status.out).toMatch(
      /Can the old account be closed\? Not yet: 5 records were loaded once, and are no longer in the log/,
    );

    const back = await world.run(["retry", "--restore-missing", "--json", "--settle", "1"]);
    expect(back.code, told(back)).toBe(0);
    expect(ledgerOf(back)).toMatchObject({ read: 5, created: 5, gone: 0 });
    const last = await world.import();
    expect(last.code, told(last)).toBe(0);
    expect(ledgerOf(last)).toMatchObject({ unchanged: 8, gone: 0, created: 0 });
    await expectEachOnce(world, false);
  },
);

longTest("retry finds what is gone by itself, and so does an import that is told to bring it back", async () => {
  await using world = await openWorld({ runs: someRuns(8), databaseFile: true });
  expect((await world.import()).code).toBe(0);
  await deleteSome(world, 2);
  const back = await world.run(["retry", "--restore-missing", "--json", "--settle", "1"]);
  expect(back.code, told(back)).toBe(0);
  expect(ledgerOf(back)).toMatchObject({ read: 2, created: 2 });
  await deleteSome(world, 2);
  const goneAgain = await world.run(["retry", "--restore-missing", "--json", "--settle", "1"]);
  expect(goneAgain.code, told(goneAgain)).toBe(0);
  expect(ledgerOf(goneAgain)).toMatchObject({ read: 2, created: 2 });
  await deleteSome(world, 8);
  const all = await world.import({ flags: ["--restore-missing"] });
  expect(all.code, told(all)).toBe(0);
  expect(ledgerOf(all)).toMatchObject({ created: 8, gone: 0 });
  const nothing = await world.import({ flags: ["--restore-missing"] });
  expect(ledgerOf(nothing)).toMatchObject({ unchanged: 8, created: 0 });
  await expectEachOnce(world, false);
});

test("one record that is gone may be its owner's wish: it is told, stays out, and nothing warns", async () => {
  await using world = await openWorld({ runs: someRuns(8), databaseFile: true });
  expect((await world.import()).code).toBe(0);
  await deleteSome(world, 1);
  const again = await world.import();
  expect(again.code, told(again)).toBe(3);
  expect(ledgerOf(again)).toMatchObject({ unchanged: 7, gone: 1, skipped: 0 });
  expect(again.err).not.toMatch(/WARNING/);
  expect((await world.run(["verify"])).code).toBe(3);
  expect((await heldBy(world)).length).toBe(7);
});

test("whoever deleted a record says so once: it is left out by their word, and later imports end well", async () => {
  await using world = await openWorld({ runs: someRuns(8), databaseFile: true });
  expect((await world.import()).code).toBe(0);
  await deleteSome(world, 1);
  const noticed = await inWords(world, ["import", world.sheet]);
  const [, command = ""] = /If you deleted it yourself: (logferry quarantine drop \S+)/.exec(noticed.out) ?? [];
  expect(command, told(noticed)).not.toBe("");
  const dropped = await world.run(command.split(" ").slice(1));
  expect(dropped.code, told(dropped)).toBe(0);
  const again = await world.import();
  expect(again.code, told(again)).toBe(0);
  expect(ledgerOf(again)).toMatchObject({ unchanged: 7, gone: 0, skipped: 1 });
  expect((await heldBy(world)).length).toBe(7);
});

longTest(
  "a database that is put back in the midst of a run is noticed at its end, and never told as each once",
  async () => {
    await using world = await openWorld({ runs: someRuns(60), databaseFile: true });
    const words = world.importWords({ flags: ["--concurrency", "2"] }).filter((word) => word !== "--json");
    const { ended } = world.start(words);
    const savesReach = async (count: number) => {
      while (world.asked.ending("POST", "/workouts").length < count)
        await new Promise((resolve) => setTimeout(resolve, 2));
    };
    await savesReach(10);
    const putBack = await copyOfDatabase(databaseOf(world));
    await savesReach(35);
    await putBack();
    const ran = await ended;
    const held = (await heldBy(world)).length;
    expect(held).toBeLessThan(50);
    expect(ran.code, told(ran)).toBe(7);
    expect(ran.out).toContain(
      `${held} of 60 records are in your log, each once. ${60 - held} are no longer in the log`,
    );
    expect(ran.err).toMatch(/WARNING: \d+ of 60 loaded records are no longer in the log/);
    const back = await world.run(["retry", "--restore-missing", "--json", "--settle", "1"]);
    expect(back.code, told(back)).toBe(0);
    await expectEachOnce(world, false);
  },
);

longTest("apply of a plan with nothing to send looks at the log, and names what is gone since", async () => {
  await using world = await openWorld({ runs: someRuns(8), databaseFile: true });
  expect((await world.import()).code).toBe(0);
  expect((await world.import({ command: "plan" })).code).toBe(0);
  await deleteSome(world, 5);
  const ran = await world.run(["apply", "--settle", "1"]);
  expect(ran.code, told(ran)).toBe(7);
  expect(ran.out).toContain("3 of 8 records are in your log");
});

longTest(
  "a record made again is brought up to date where a database that was put back holds its earlier version",
  async () => {
    const runs = someRuns(4).map((run, index) => ({ ...run, id: `r${index}` }));
    await using world = await openWorld({ runs, databaseFile: true });
    expect((await world.import()).code).toBe(0);
    const putBack = await copyOfDatabase(databaseOf(world));
    await deleteSome(world, 1);
    const left = await world.listed("/rest/logs/me/workouts");
    const gone = runs.find(({ date }) => !left.some((one) => one.date === date));
    const moved = runs.map((run) => (run === gone ? { ...run, time: "23:10", seconds: run.seconds + 300 } : run));
    writeSheet(dirname(world.sheet), moved, basename(world.sheet, ".csv"));
    const again = await world.import({ flags: ["--restore-missing"] });
    expect(again.code, told(again)).toBe(0);
    await putBack();

    const ran = await inWords(world, ["import", world.sheet]);
    expect(ran.code, told(ran)).toBe(0);
    expect(ran.out).toContain("4 of 4 records are in your log, each once.");
    const held = await world.listed("/rest/logs/me/workouts");
    expect(held.map(({ date }) => date).sort()).toEqual(runs.map(({ date }) => date).sort());
    expect(held.find(({ date }) => date === gone?.date)).toMatchObject({ time: "23:10:00" });
    expect((await world.run(["verify"])).code).toBe(0);
  },
);

/**
 * Three hikes of a watch, a file each. They are two hours ahead of UTC, and the log is set to one hour. The log makes none of them right by itself.
 */
function writeHikes(folder: string): string {
  mkdirSync(folder, { recursive: true });
  for (const day of [1, 2, 3]) {
    const start = Date.UTC(2021, 6, day, 8);
    const random = randomFrom(`hike ${day}`);
    const place = PLACES.prater;
    const made = record(
      { sport: sportNamed("hike"), start, timer: 3_600, metres: 5_000 + day * 40, place, every: 60 },
      random,
    );
    const device = { manufacturer: 1, product: 2431, serial: 3_000_000_100, software: 760 };
    writeFileSync(join(folder, `hike-${day}.fit`), writeFit([made], { device, offsetMinutes: 120 }));
  }
  return folder;
}

/** Every workout of the log, read one by one, without its ids, by day. */
async function workoutsOf(world: World): Promise<Record<string, unknown>[]> {
  const listed = await world.listed("/rest/logs/me/workouts");
  const read = async ({ id }: Record<string, unknown>) => {
    const { workout } = await world.get(`/rest/logs/me/workouts/${id}`);
    const { id: _id, ...fields } = workout as Record<string, unknown>;
    return fields;
  };
  return (await Promise.all(listed.map(read))).sort((a, b) => String(a.date).localeCompare(String(b.date)));
}

for (const [named, back] of [
  ["retry", () => ["retry", "--restore-missing", "--json", "--settle", "1"]],
  ["an import", (words: readonly string[]) => [...words, "--restore-missing"]],
] as const) {
  test(`a device file that ${named} brings back has every field it had, and not what the log makes of the file`, async () => {
    await using world = await openWorld({ databaseFile: true });
    const words = world.importWords({ sources: [writeHikes(join(world.folder, "watch"))] });
    expect((await world.run(words)).code).toBe(0);
    const before = await workoutsOf(world);
    expect(before.map(({ date, timeOfDay }) => [date, timeOfDay])).toEqual(
      [1, 2, 3].map((day) => [`2021-07-0${day}`, "10:00:00"]),
    );
    await deleteSome(world, 2);
    expect((await world.run(words)).code).toBe(7);

    const restored = await world.run(back(words));
    expect(restored.code, told(restored)).toBe(0);
    expect(ledgerOf(restored)).toMatchObject({ created: 2 });
    expect(restored.out).not.toContain("load/edit-kept");
    expect(await workoutsOf(world)).toEqual(before);
  });
}

/** The log's owner types a workout by hand at its pages. */
async function typeByHand(world: World, { date, time, km, seconds }: SheetRun): Promise<string> {
  const answer = await fetch(`${world.service.url}/rest/logs/me/workouts?access_token=${world.token}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      activityID: 10,
      date,
      time: `${time}:00`,
      details: { distance: { unit: "km", value: km }, duration: seconds },
    }),
  });
  expect(answer.status).toBe(200);
  const { data } = (await answer.json()) as { data: { id: string } };
  return data.id;
}

/** A snapshot of the log, and one put back. */
const atRepository = (world: World, ...words: readonly string[]) =>
  world.run([...words, "--repository", join(world.folder, "repository")]);

longTest("what a restore put back under new ids is in the log: import, status and verify say so", async () => {
  await using world = await openWorld({ runs: someRuns(8), databaseFile: true });
  expect((await world.import()).code).toBe(0);
  expect((await atRepository(world, "backup")).code).toBe(0);
  await deleteSome(world, 3);
  const restored = await atRepository(world, "restore", "latest");
  expect(restored.code, told(restored)).toBe(0);

  const again = await inWords(world, ["import", world.sheet]);
  expect(again.code, told(again)).toBe(0);
  expect(again.out).toContain("8 of 8 records are in your log, each once.");
  expect(again.out).not.toContain("no longer in the log");
  const verified = await world.run(["verify"]);
  expect(verified.code, told(verified)).toBe(0);
  expect(verified.out).toContain("Verified: all 8 records of run 3 are in the log");
  expect((await world.run(["status"])).out).toMatch(/Can the old account be closed\? Yes/);
  const first = await world.run(["verify", "--run", "1"]);
  expect(first.code, told(first)).toBe(0);
  const retried = await world.run(["retry", "--restore-missing", "--settle", "1"]);
  expect(retried.code, told(retried)).toBe(0);
  expect(retried.out).toContain("the log has everything it loaded");
  await expectEachOnce(world, false);
});

test("a workout that its owner typed again is the one that was loaded; a similar one is once retry recognised it", async () => {
  await using world = await openWorld({ runs: someRuns(60), databaseFile: true });
  expect((await world.import()).code).toBe(0);
  const shown = await world.listed("/rest/logs/me/workouts");
  await deleteSome(world, 2);
  const left = new Set((await world.listed("/rest/logs/me/workouts")).map(({ id }) => id));
  const deleted = shown.filter(({ id }) => !left.has(id)).map(({ date }) => date);
  const typed = world.runs.filter(({ date }) => deleted.includes(date));
  expect(typed).toHaveLength(2);
  // The second one is typed 20 m shorter.
  for (const [index, run] of typed.entries()) await typeByHand(world, { ...run, km: run.km - index * 0.02 });
  const noticed = await world.import();
  expect(noticed.code, told(noticed)).toBe(3);
  expect(ledgerOf(noticed)).toMatchObject({ unchanged: 59, gone: 1, created: 0 });
  const back = await world.run(["retry", "--restore-missing", "--json", "--settle", "1"]);
  expect(back.code, told(back)).toBe(0);
  expect(ledgerOf(back)).toMatchObject({ unchanged: 1, gone: 0, created: 0 });
  const again = await world.import();
  expect(again.code, told(again)).toBe(0);
  expect(ledgerOf(again)).toMatchObject({ unchanged: 60, gone: 0, created: 0 });
  expect(await world.listed("/rest/logs/me/workouts")).toHaveLength(60);
});

longTest(
  "the check that a retry suggests for what is there twice finds it, and is content once it is deleted",
  async () => {
    await using world = await openWorld({ runs: someRuns(8), databaseFile: true });
    expect((await world.import()).code).toBe(0);
    await deleteSome(world, 1);
    const held = await world.listed("/rest/logs/me/workouts");
    const twice = world.runs.find(({ date }) => date === held[0]?.date);
    if (twice === undefined) expect.unreachable("the log holds nothing of the sheet");
    const typed = await typeByHand(world, twice);
    const back = await world.run(["retry", "--restore-missing", "--settle", "1"]);
    expect(back.code, told(back)).toBe(7);
    expect(back.out).toContain("It holds 1 more than it should");
    const [, suggested = ""] = /Then check it with: logferry (.+)/.exec(back.out) ?? [];
    const found = await world.run(suggested.split(" "));
    expect(found.code, told(found)).toBe(7);
    expect(found.out).toContain("1 that may be there twice");
    expect((await world.run(["verify"])).out).toContain(`Check the others with: logferry ${suggested}`);
    deleteWorkout(databaseOf(world), typed);
    const good = await world.run(suggested.split(" "));
    expect(good.code, told(good)).toBe(0);
  },
);
