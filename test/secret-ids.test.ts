import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { errorsOf, expectDone, expectEachOnce, heldBy, openWorld } from "./matrix/world.ts";
import { startConfusingProxy } from "./support/confusing-proxy.ts";
import { someRuns } from "./support/small-sources.ts";

const SAVES = "/rest/logs/me/workouts";

/** Files below a folder, the service's own database left out, that hold a text. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith("service.db") && statSync(join(folder, name)).isFile())
    .filter((name) => readFileSync(join(folder, name)).includes(text));
}

test.each<[what: string, id: (token: string) => string]>([
  ["is the access token", (token) => token],
  ["holds the access token", (token) => `id-${token}`],
])("an id that %s is no id: the save is looked up, and no file and no output holds the token", async (_what, idOf) => {
  await using world = await openWorld({ runs: someRuns(4) });
  const wrong = idOf(world.token);
  expect(wrong).toContain(world.token);
  await using proxy = await startConfusingProxy(
    world.service.url,
    (method, path) => method === "POST" && path === SAVES,
    ({ index, body }) => (index === 1 ? body.replace(/"id":"[^"]+"/, `"id":"${wrong}"`) : body),
  );
  const env = { LOGFERRY_URL: proxy.url };
  const report = join(world.folder, "report.html");
  const ran = await world.import({ env, flags: ["--concurrency", "1", "--report", report] });
  expectDone([ran]);
  await expectEachOnce(world, false);
  expect(ran.out + ran.err).not.toContain(world.token);
  expect(filesWith(world.folder, world.token)).toEqual([]);
  const verified = await world.run(["verify"], { env });
  expect(verified.code, verified.out + verified.err).toBe(0);
});

test("a listing with an id that holds the access token stops the import before anything is sent, and nothing keeps the token", async () => {
  await using world = await openWorld({ runs: someRuns(2) });
  expectDone([await world.import()]);
  await using proxy = await startConfusingProxy(
    world.service.url,
    (method, path) => method === "GET" && path === SAVES,
    ({ body }) => body.replace(/"id":"[^"]+"/, `"id":"${world.token}"`),
  );
  const flags = ["--journal", join(world.folder, "another.db")];
  const ran = await world.import({ env: { LOGFERRY_URL: proxy.url }, flags });
  expect(ran.code, ran.out + ran.err).toBe(6);
  expect(errorsOf(ran).join()).toMatch(/: the service answered with an id that contains the access token$/);
  expect(ran.out + ran.err).not.toContain(world.token);
  expect(filesWith(world.folder, world.token)).toEqual([]);
  expect(await heldBy(world)).toHaveLength(2);
});

test("a screen name that holds the access token is told without it, and nothing keeps the token", async () => {
  await using world = await openWorld({ runs: someRuns(2) });
  await using proxy = await startConfusingProxy(
    world.service.url,
    (method, path) => method === "GET" && path === "/rest/users/me",
    ({ body }) => body.replace(/"screenName":"[^"]+"/, `"screenName":"demo ${world.token}"`),
  );
  const report = join(world.folder, "report.html");
  const ran = await world.import({ env: { LOGFERRY_URL: proxy.url }, flags: ["--report", report] });
  expectDone([ran]);
  expect(readFileSync(report, "utf8")).toContain("demo [redacted]");
  expect(ran.out + ran.err).not.toContain(world.token);
  expect(filesWith(world.folder, world.token)).toEqual([]);
});

test("notes that speak of a code stay as their owner wrote them", async () => {
  await using world = await openWorld({ runs: someRuns(1) });
  const notes = "gate code=1234 at the park";
  const made = await fetch(`${world.service.url}${SAVES}?access_token=${world.token}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ activityID: 10, date: "2020-05-01", notes }),
  });
  expect(made.status, await made.text()).toBe(200);
  const folder = join(world.folder, "out");
  const ran = await world.run(["export", "--out", folder, "--format", "json"]);
  expect(ran.code, ran.out + ran.err).toBe(0);
  const written = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
  expect(written.some((name) => readFileSync(join(folder, name), "utf8").includes(notes))).toBe(true);
});
