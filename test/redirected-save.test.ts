import { expect } from "vitest";
import { expectDone, expectEachOnce, openWorld, SAVES, summaryOf } from "./matrix/world.ts";
import { startRepeatingProxy } from "./support/repeating-proxy.ts";
import { longTest, test } from "./support/tier-tests.ts";

// A redirect in answer to a save may come after the save was done. The tests also check the message of a run that leaves records in doubt or unsent.

test("a save answered by a redirect, though it was done, stops the run with a next step, and is there once after it", async () => {
  await using world = await openWorld();
  await using proxy = await startRepeatingProxy(world.service.url, (method, path, index) =>
    method === "POST" && path.endsWith("/workouts") && index === 2 ? "redirected" : "once",
  );
  const env = { LOGFERRY_URL: proxy.url };
  const words = world.importWords({ flags: ["--concurrency", "1"] }).filter((word) => word !== "--json");
  const stopped = await world.run(words, { env });
  expect(stopped.code, stopped.out + stopped.err).toBe(6);
  expect(stopped.err).toMatch(/Cannot save the workout: the service answered 302.* It is not followed/);
  expect(stopped.err).toContain("The next run looks it up before it sends it again.");
  expect(stopped.err).toContain("logferry doctor --url URL");
  expect(stopped.err).toContain("Then resume with: logferry apply");
  const applied = await world.import({ command: "apply", env });
  expectDone([applied]);
  await expectEachOnce(world);
});

longTest("a run that was in doubt of records counts them in its total: never 7 of 6", async () => {
  await using world = await openWorld({
    armed: [`reset-after-commit:${SAVES}:nth=2`, `reset-after-commit:${SAVES}:nth=4`],
  });
  const { child, ended } = world.start(world.importWords({ flags: ["--concurrency", "1", "--settle", "20"] }));
  while (world.asked.ending("POST", "/workouts").length < 5) await new Promise((resolve) => setTimeout(resolve, 2));
  child.kill("SIGKILL");
  await ended;
  const applied = await world.import({ command: "apply" });
  expectDone([applied]);
  const progress = applied.out.split("\n").filter((line) => line.includes('"phase":"loading"'));
  expect(progress.length).toBeGreaterThan(0);
  for (const line of progress) {
    const { done, total } = JSON.parse(line) as { done: number; total: number };
    expect(done, line).toBeLessThanOrEqual(total);
  }
});

test("verify of a run that is not through says what is left and what is in doubt, and doesn't exit as if all were there", async () => {
  await using world = await openWorld({
    armed: [`status-before-commit:GET /rest/logs/me/workouts:status=404`, `reset-before-commit:${SAVES}:nth=2`],
  });
  const bounded = await world.import({ flags: ["--concurrency", "1", "--settle", "0", "--max-requests", "8"] });
  expect(bounded.code).toBe(75);
  const { ledger } = summaryOf(bounded);
  expect(ledger).toMatchObject({ created: 1, inDoubt: 1 });
  const verified = await world.run(["verify"]);
  expect(verified.code, verified.out + verified.err).toBe(75);
  expect(verified.out).toContain(
    `Not everything of run 1 is in the log: ${ledger.left} records are still to be sent (logferry apply); 1 record is in doubt (logferry retry). The other record is there, every field as planned.`,
  );
  const rest = await world.import({ command: "apply", flags: ["--settle", "0"] });
  expect(summaryOf(rest).ledger).toMatchObject({ left: 0, inDoubt: 1 });
  expect((await world.run(["verify"])).code).toBe(3);
});
