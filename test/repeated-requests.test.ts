import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { expectEachOnce, heldBy, openWorld, summaryOf } from "./matrix/world.ts";
import type { Ran } from "./support/rehearsal.ts";
import { startRepeatingProxy } from "./support/repeating-proxy.ts";
import {
  COURSE,
  copyDeviceFiles,
  NUMBERED_ROWS,
  type SheetRun,
  someRuns,
  writeSheet,
} from "./support/small-sources.ts";
import { longTest, test } from "./support/tier-tests.ts";

// "Each once" is a statement about the records that logferry saw. A proxy on the way may send a save twice, and no answer shows it.

const SAVES = "/rest/logs/me/workouts";

longTest(
  "behind a proxy that sends every tenth save twice, the days that are there twice are named, on a second import too",
  async () => {
    const runs = someRuns(50);
    await using world = await openWorld({ runs });
    await using proxy = await startRepeatingProxy(world.service.url, (method, path, index) =>
      method === "POST" && path === SAVES && index % 10 === 9 ? "twice" : "once",
    );
    const env = { LOGFERRY_URL: proxy.url };
    const ran = await world.import({ env, flags: ["--concurrency", "1"] });
    expect(await heldBy(world)).toHaveLength(55);
    expect(ran.code, ran.out + ran.err).toBe(7);
    // One at a time, newest first: the tenth, the twentieth and so on are the runs 40, 30, 20, 10 and 0 of fifty.
    const days = [0, 10, 20, 30, 40].map((at) => runs[at]?.date);
    const { look } = summaryOf(ran) as unknown as { look: { surplus: { day: string; count: number }[] } };
    expect(look.surplus.map(({ day, count }) => [day, count])).toEqual(days.map((day) => [day, 1]));

    const words = ["import", world.sheet, "--zone", "Europe/Vienna", "--settle", "1"];
    const again = await world.run(words, { env });
    expect(again.code, again.out + again.err).toBe(7);
    expect(again.out).toMatch(/50 of 50 records are in your log\. It holds 5 more than it should\./);
    expect(again.out).not.toContain("each once");
    expect(again.out).toContain(`${days[0]}: 1 more than expected`);
    const status = await world.run(["status"], { env });
    expect(status.out).toMatch(/closed\? Not yet: the log holds 5 records more than it should \(2020-01-01, /);
  },
);

test("a device file that is imported twice on its way is told by its day, though the second is not completed", async () => {
  await using world = await openWorld({ runs: [] });
  await using proxy = await startRepeatingProxy(world.service.url, (method, path) =>
    method === "POST" && path.startsWith(`${SAVES}/`) ? "twice" : "once",
  );
  const file = join(import.meta.dirname, "..", "fixtures", "device-files", "fit", "archive", "2019-05-04-07-10-05.fit");
  const ran = await world.import({ sources: [file], env: { LOGFERRY_URL: proxy.url } });
  expect(await heldBy(world)).toHaveLength(2);
  expect(ran.code, ran.out + ran.err).toBe(7);
  const { look } = summaryOf(ran) as unknown as { look: { surplus: { count: number }[] } };
  expect(look.surplus.map(({ count }) => count)).toEqual([1]);
});

test("workouts without a time of day that were saved twice are named again by a second import, and by one with another journal", async () => {
  const runs = someRuns(20).map((run) => ({ ...run, time: "" }));
  await using world = await openWorld({ runs });
  await using proxy = await startRepeatingProxy(world.service.url, (method, path, index) =>
    method === "POST" && path === SAVES && index % 10 === 9 ? "twice" : "once",
  );
  const env = { LOGFERRY_URL: proxy.url };
  const ran = await world.import({ env, flags: ["--concurrency", "1"] });
  expect(await heldBy(world)).toHaveLength(22);
  expect(moreIn(ran)).toEqual(["2020-01-01", "2020-01-11"]);

  const words = ["import", world.sheet, "--zone", "Europe/Vienna", "--settle", "1"];
  const again = await world.run(words, { env });
  expect(again.code, again.out + again.err).toBe(7);
  expect(again.out).toMatch(/20 of 20 records are in your log\. It holds 2 more than it should\./);
  expect(again.out).not.toContain("each once");
  expect(again.out).toContain("2020-01-11: 1 more than expected");

  // Another journal can't tell these from two runs that somebody typed. It names them, and does not say "each once".
  const another = await world.run([...words, "--journal", join(world.folder, "another.db")], { env });
  expect(another.code, another.out + another.err).toBe(0);
  expect(another.out).toMatch(/20 of 20 records are in your log\. It held 2 equal to another before this run\./);
  expect(another.out).not.toContain("each once");
  expect(another.out).toContain("2020-01-11: 1 record equal to another");
});

test("a shoe and a course that were saved twice are named by each import and by a verification", async () => {
  const runs = someRuns(4).map((run) => ({ ...run, shoe: "Pegasus" }));
  await using world = await openWorld({ runs });
  await using proxy = await startRepeatingProxy(world.service.url, (method, path) =>
    method === "POST" && /[/](equipment|courses)$/.test(path) ? "twice" : "once",
  );
  const env = { LOGFERRY_URL: proxy.url };
  const sources = [world.sheet, copyDeviceFiles(join(world.folder, "routes"), [COURSE])];
  const ran = await world.import({ env, sources });
  expect(moreIn(ran)).toEqual(["equipment", "course"]);

  const words = ["import", ...sources, "--zone", "Europe/Vienna", "--settle", "1"];
  const again = await world.run(words, { env });
  expect(again.code, again.out + again.err).toBe(7);
  expect(again.out).toMatch(/6 of 6 records are in your log\. It holds 2 more than it should\./);
  expect(again.out).toContain("equipment: 1 more than expected");
  expect(again.out).toContain("course: 1 more than expected");
  const verified = await world.run(["verify"], { env });
  expect(verified.code, verified.out + verified.err).toBe(7);
  expect(verified.out).toContain("0 of 6 records of run");
  expect(verified.out).toContain("2 that may be there twice");
  expect(verified.err).toMatch(
    /^Equipment \S+ of the log looks the same as \S+\. It was sent twice, or typed by hand/m,
  );
  expect(verified.err).toMatch(/^Course \S+ of the log looks the same as \S+\. It was sent twice, or typed by hand/m);

  const others = ["--journal", join(world.folder, "another.db")];
  const another = await world.run([...words, ...others], { env });
  expect(another.code, another.out + another.err).toBe(0);
  expect(another.out).toMatch(/6 of 6 records are in your log\. It held 2 equal to another before this run\./);
  const both = await world.run(["verify", ...others], { env });
  expect(both.code, both.out + both.err).toBe(0);
  expect(both.err).toMatch(/^Equipment \S+ of the log looks the same as \S+\. Both were there before/m);
  expect(both.err).toMatch(/^Course \S+ of the log looks the same as \S+\. Both were there before/m);
  expect(both.out).toContain("2 records of the log are equal to another");
});

longTest(
  "two equal pairs of shoes and two equal runs that the owner had before are named, and end nothing with a difference",
  async () => {
    const [first, second] = someRuns(2).map((run) => ({ ...run, time: "", shoe: "Pegasus" }));
    await using world = await openWorld({ runs: [first as SheetRun, second as SheetRun] });
    const typed = writeSheet(join(world.folder, "typed"), [first as SheetRun]);
    await using twice = await startRepeatingProxy(world.service.url, (method) =>
      method === "POST" ? "twice" : "once",
    );
    await world.import({ sources: [typed], journal: join(world.folder, "hand.db"), env: { LOGFERRY_URL: twice.url } });
    expect(await world.listed("/rest/logs/me/equipment")).toHaveLength(2);
    expect(await heldBy(world)).toHaveLength(2);

    for (const again of ["first", "second"]) {
      const ran = await world.run(["import", world.sheet, "--zone", "Europe/Vienna", "--settle", "1"]);
      expect(ran.code, again + ran.out + ran.err).toBe(0);
      expect(ran.out).toContain("It held 2 equal to another before this run");
      expect(ran.out).toContain("equipment: 1 record equal to another");
      expect(ran.out).toContain("2020-01-01: 1 record equal to another");
      const verified = await world.run(["verify"]);
      expect(verified.code, verified.out + verified.err).toBe(0);
      expect(verified.out).toContain("2 records of the log are equal to another");
    }
    expect(await heldBy(world)).toHaveLength(3);
  },
);

test("a save that never arrived, and was given the answer of the save before it, is looked up and sent", async () => {
  await using world = await openWorld({ runs: someRuns(5) });
  await using proxy = await startRepeatingProxy(world.service.url, (method, path, index) =>
    method === "POST" && path === SAVES && index === 2 ? "replayed" : "once",
  );
  const env = { LOGFERRY_URL: proxy.url };
  const ran = await world.import({ env, flags: ["--concurrency", "1"] });
  expect(ran.code, ran.out + ran.err).toBe(0);
  await expectEachOnce(world, false);
  const verified = await world.run(["verify"], { env });
  expect(verified.code, verified.out + verified.err).toBe(0);
});

test("what a retry brought in twice keeps the account open until it is deleted, and each verification names it", async () => {
  await using world = await openWorld({ runs: [], databaseFile: true });
  const sheet = join(world.folder, "days.csv");
  const rows = ["1,2020-05-01,run,5", "2,2020-05-02,run,6", "3,2020-05-03,Rodaje,7", "4,2020-05-04,Rodaje,8"];
  writeFileSync(sheet, ["No,Day,Sport,Distance,Notes", ...rows.map((row) => `${row},`), ""].join("\n"));
  writeFileSync(`${sheet}.map.yaml`, NUMBERED_ROWS);
  const saves = { left: 0 };
  await using proxy = await startRepeatingProxy(world.service.url, (method, path) =>
    method === "POST" && path === SAVES && saves.left-- > 0 ? "twice" : "once",
  );
  const env = { LOGFERRY_URL: proxy.url };
  const run = async (...words: readonly string[]) => {
    const ran = await world.run(words, { env });
    return { ...ran, all: ran.out + ran.err };
  };
  expect((await run("import", sheet, "--settle", "1")).code).toBe(3);
  saves.left = 1;
  const retried = await run("quarantine", "retry", "--sport", "Rodaje=run", "--settle", "1");
  expect([retried.code, retried.all]).toEqual([7, expect.stringContaining("It holds 1 more than it should")]);
  expect(retried.out).toContain("Then check it with: logferry verify\n");
  expect(await heldBy(world)).toHaveLength(5);

  const certificate = join(world.folder, "twice.json");
  for (const words of [["verify"], ["verify", "--run", "1"]]) {
    const verified = await run(...words, "--settle", "1");
    expect([verified.code, verified.all]).toEqual([7, expect.stringContaining("1 that may be there twice")]);
  }
  const open = await run("certify", certificate, "--settle", "1");
  expect([open.code, open.all]).toEqual([
    3,
    expect.stringMatching(/Not yet: the log holds 1 record more than it should/),
  ]);

  using database = new DatabaseSync(join(world.folder, "service.db"), { timeout: 60_000 });
  const [, more = ""] = /^Workout (\S+) of the log looks the same/m.exec((await run("verify")).err) ?? [];
  database.prepare("DELETE FROM workouts WHERE id = ?").run(more);
  expect((await run("verify", "--settle", "1")).code).toBe(0);
  const closed = await run("certify", certificate, "--settle", "1");
  expect([closed.code, closed.all]).toEqual([0, expect.stringContaining("closed? Yes")]);
});

/** The surplus that a run reports in the log: the days, or the kind of records without a day. */
function moreIn(ran: Ran): readonly string[] {
  const { look } = summaryOf(ran) as unknown as {
    look: { surplus: { kind: string; day?: string; count: number }[] };
  };
  return look.surplus.flatMap(({ kind, day, count }) => Array.from({ length: count }, () => day ?? kind));
}
