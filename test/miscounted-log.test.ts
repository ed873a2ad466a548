import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { errorsOf, expectEachOnce, openWorld, summaryOf, type World } from "./matrix/world.ts";
import { deleteWorkout } from "./support/delete-workout.ts";
import { ROOT } from "./support/rehearsal.ts";
import { startRepeatingProxy } from "./support/repeating-proxy.ts";

// A log whose total always differs from the entries on its pages. Waiting doesn't mend it, so a person needs another way to go on.

/** The log says from now on that it has one workout more than it shows. */
function miscount(world: World): void {
  using file = new DatabaseSync(join(world.folder, "service.db"), { timeout: 60_000 });
  file.exec("UPDATE workout_months SET workouts = workouts + 1 WHERE month = '2020-01'");
}

/** The repair that docs/service.md shows. */
function countAgain(world: World): void {
  const page = readFileSync(join(ROOT, "docs", "service.md"), "utf8");
  using file = new DatabaseSync(join(world.folder, "service.db"), { timeout: 60_000 });
  file.exec(/^DELETE FROM workout_months;[^`]*/m.exec(page)?.[0] ?? "");
}

test("a total that never fits the pages stops an import with what is known and the way on, which then doubles nothing", async () => {
  await using world = await openWorld({ databaseFile: true });
  await world.import();
  miscount(world);
  const journal = join(world.folder, "another.db");
  const stopped = await world.import({ journal });
  expect(stopped.code, stopped.out + stopped.err).toBe(75);
  expect(errorsOf(stopped).join()).toContain("it says that it has 7, and shows 6, the same 3 times");
  expect(errorsOf(stopped).join()).toContain("--trust-list");
  const trusted = await world.import({ journal, flags: ["--trust-list"] });
  expect(trusted.code, trusted.out + trusted.err).toBe(0);
  expect(summaryOf(trusted).ledger).toMatchObject({ unchanged: 6, created: 0 });
  countAgain(world);
  await expectEachOnce(world, false);
});

test("what vanishes during a run is told though the list can't be trusted: the log is asked for it by its id", async () => {
  await using world = await openWorld({ databaseFile: true });
  let saves = 0;
  let first: string | undefined;
  await using proxy = await startRepeatingProxy(world.service.url, (method, path) => {
    if (method !== "POST" || !path.endsWith("/workouts") || ++saves < world.runs.length) return "once";
    using file = new DatabaseSync(join(world.folder, "service.db"), { timeout: 60_000 });
    first = String(file.prepare("SELECT id FROM workouts ORDER BY date DESC").get()?.id);
    deleteWorkout(join(world.folder, "service.db"), first);
    miscount(world);
    return "once";
  });
  const ran = await world.import({ env: { LOGFERRY_URL: proxy.url }, flags: ["--concurrency", "1"] });
  expect(first).toBeDefined();
  expect(ran.code, ran.out + ran.err).toBe(3);
  expect(summaryOf(ran).ledger).toMatchObject({ created: 5, gone: 1 });
});
