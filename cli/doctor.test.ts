import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openJournal } from "../pipelines/journal/sqlite.ts";
import { emptyHome, jsonLines, runCli, type StartOptions } from "../test/support/cli.ts";
import { type Received, type Reply, startServer } from "../test/support/http-server.ts";
import { type Ran, type Rehearsal, rehearse } from "../test/support/rehearsal.ts";
import { clockFinding } from "./checks/log.ts";
import { diskFinding } from "./checks/machine.ts";

let log: Rehearsal;
beforeAll(async () => {
  log = await rehearse("kilometres");
});
afterAll(() => log.close());

const TOKEN = "c4naryT0ken";

function doctor(home: string, url: string, token: string, words: readonly string[] = [], options: StartOptions = {}) {
  const env = { LOGFERRY_URL: url, LOGFERRY_TOKEN: token, ...options.env };
  return runCli(home, ["doctor", ...words], { ...options, env });
}

/** Checks of the JSON lines: `{ token: "good", ... }`. */
function states({ out }: Ran): Record<string, unknown> {
  const checks = jsonLines(out).filter(({ type }) => type === "check");
  return Object.fromEntries(checks.map(({ check, state }) => [check, state]));
}

const GOOD = {
  login: "good",
  address: "good",
  reachable: "good",
  clock: "good",
  token: "good",
  preference: "good",
  user: "good",
  workouts: "good",
  courses: "good",
  filters: "good",
  journal: "good",
  disk: "good",
};

/** A log that answers as a test says, and rightly where it says nothing. */
function scripted(answer: (request: Received) => Reply | undefined) {
  return startServer((request) => {
    const said = answer(request);
    if (said !== undefined) return said;
    if (request.path === "/rest/users/me") return { json: { code: 0, data: { screenName: "ana" } } };
    if (request.path === "/rest/users/me/preference") {
      return { json: { code: 0, data: { preference: { distanceUnit: "km", utcOffset: 0 } } } };
    }
    return { json: { code: 0, data: { entries: [], numEntries: 0 } } };
  });
}

test("against the real service with a workout in it, every check is good, and nothing is made anywhere", async () => {
  using home = emptyHome();
  const body = JSON.stringify({ activityID: 10, date: "2024-05-01" });
  await fetch(`${log.service.url}/rest/logs/me/workouts?access_token=${log.token}`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json" },
  });
  await runCli(home.path, ["login", "--url", log.service.url, "--profile", "ana"], { input: log.token });
  const before = readdirSync(home.path, { recursive: true }).toSorted();
  const text = await runCli(home.path, ["doctor", "--profile", "ana"]);
  expect(text).toMatchObject({ code: 0, err: "" });
  const lines = text.out.trimEnd().split("\n");
  expect(lines.slice(0, -1).map((line) => line.slice(0, 12).trimEnd())).toEqual(
    Object.keys(GOOD).map((check) => `✓ ${check}`.slice(0, 12)),
  );
  expect(lines).toContain("✓ user        demo");
  expect(lines).toContain("✓ workouts    the service lists workouts, 1 of them");
  expect(lines).toContain("✓ filters     the listing of workouts takes filters");
  expect(lines.at(-1)).toBe("All is well.");
  expect(readdirSync(home.path, { recursive: true }).toSorted()).toEqual(before);
  const json = await runCli(home.path, ["doctor", "--profile", "ana", "--json"]);
  expect(json).toMatchObject({ code: 0, err: "" });
  expect(states(json)).toEqual(GOOD);
  const quiet = await runCli(home.path, ["doctor", "--profile", "ana", "--quiet"]);
  expect(quiet).toMatchObject({ code: 0, out: "All is well.\n", err: "" });
  for (const { out, err } of [text, json, quiet]) expect(out + err).not.toContain(log.token);
});

test("nobody logged in is exit code 4, says how to, and still looks at this machine", async () => {
  using home = emptyHome();
  const ran = await runCli(home.path, ["doctor", "--json"]);
  expect(ran.code).toBe(4);
  expect(states(ran)).toEqual({
    ...Object.fromEntries(Object.keys(GOOD).map((check) => [check, "unknown"])),
    login: "bad",
    journal: "good",
    disk: "good",
  });
  expect(jsonLines(ran.out)[0]).toMatchObject({ found: "Not logged in. Run: logferry login --url URL" });
});

test("a token that was revoked is exit code 4: the service is reached, and what to do is said", async () => {
  using home = emptyHome();
  const ran = await doctor(home.path, log.service.url, "revokedRevokedRevoked");
  expect(ran.code).toBe(4);
  expect(ran.out).toMatch(/^✓ reachable/m);
  expect(ran.out).toMatch(
    /^✗ token {7}The log at \S+ doesn't accept this access token: it answered 401\n {14}Log in again: logferry login$/m,
  );
  expect(ran.out).toMatch(/^\? preference {2}can't be told before the rest is right$/m);
  expect(ran.out.trimEnd().split("\n").at(-1)).toBe("One check failed: token.");
  expect(ran.out).not.toContain("revokedRevoked");
});

test("where nobody listens it is exit code 6", async () => {
  using home = emptyHome();
  const closed = await scripted(() => undefined);
  await closed.close();
  const ran = await doctor(home.path, closed.url, TOKEN, ["--json"]);
  expect(ran.code).toBe(6);
  expect(states(ran)).toMatchObject({
    login: "good",
    address: "good",
    reachable: "bad",
    clock: "unknown",
    token: "unknown",
  });
});

test("an address that must not get a token is exit code 2, and is not asked", async () => {
  using home = emptyHome();
  const ran = await doctor(home.path, "http://log.example", TOKEN, ["--json"]);
  expect(ran.code).toBe(2);
  expect(states(ran)).toMatchObject({ address: "bad", reachable: "unknown" });
});

test("what works and is worth knowing is said, with exit code 0: no listings, no filters, a nameless owner, no offset, a wrong clock", async () => {
  const server = await scripted(({ path, query }) => {
    const headers = { date: "Thu, 01 Jan 2026 09:00:00 GMT" };
    if (path === "/rest/users/me") return { status: 403, json: { code: 403 } };
    if (path.endsWith("/preference"))
      return { headers, json: { code: 0, data: { preference: { distanceUnit: "mi" } } } };
    if (path.endsWith("/courses")) return { status: 404, json: { code: 404 } };
    if (path.endsWith("/workouts")) {
      return query.has("filters")
        ? { status: 400, json: { code: 1 } }
        : { json: { code: 0, data: { entries: [{ id: "w1" }], numEntries: 12_345 } } };
    }
    return undefined;
  });
  try {
    using home = emptyHome();
    const ran = await doctor(home.path, server.url, TOKEN);
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toMatch(
      /^! clock {7}this machine's clock is \d+ h (ahead of|behind) the service's\n {14}Set this machine's clock/m,
    );
    expect(ran.out).toMatch(/^! preference {2}units mi; no offset from UTC\n/m);
    expect(ran.out).toMatch(/^! user {8}the owner's name is withheld/m);
    expect(ran.out).toMatch(/^✓ workouts {4}the service lists workouts, 12 345 of them$/m);
    expect(ran.out).toMatch(/^! courses {5}the service can't list courses\n/m);
    expect(ran.out).toMatch(/^✓ filters {5}the listing of workouts takes no filters; all is read instead$/m);
    expect(ran.out.trimEnd().split("\n").at(-1)).toBe("All is well; worth knowing: clock, preference, user, courses.");
    expect(server.requests.every(({ method }) => method === "GET")).toBe(true);
  } finally {
    await server.close();
  }
});

test("a server that ignores filters is seen to, and an empty log leaves it open", async () => {
  const entries = { ignoring: [{ id: "w1" }], empty: [] };
  for (const [name, state, found] of [
    ["ignoring", "good", /takes no filters/],
    ["empty", "unknown", /can't be told: the log is empty/],
  ] as const) {
    const server = await scripted(({ path }) =>
      path.endsWith("/workouts")
        ? { json: { code: 0, data: { entries: entries[name], numEntries: entries[name].length } } }
        : undefined,
    );
    try {
      using home = emptyHome();
      const ran = await doctor(home.path, server.url, TOKEN, ["--json"]);
      expect(ran.code).toBe(0);
      expect(jsonLines(ran.out).find(({ check }) => check === "filters")).toMatchObject({
        state,
        found: expect.stringMatching(found),
      });
    } finally {
      await server.close();
    }
  }
});

test("an address that is no training log is exit code 6, and what it answered is said", async () => {
  const server = await startServer(() => ({ status: 404, headers: { "content-type": "text/html" }, body: "<html>" }));
  try {
    using home = emptyHome();
    const ran = await doctor(home.path, server.url, TOKEN, ["--json"]);
    expect(ran.code).toBe(6);
    expect(states(ran)).toMatchObject({ reachable: "good", preference: "bad", token: "unknown", workouts: "unknown" });
  } finally {
    await server.close();
  }
});

test("a preference without units, and a listing that fails, are bad; the other checks go on", async () => {
  const server = await scripted(({ path }) => {
    if (path.endsWith("/preference")) return { json: { code: 0, data: { preference: {} } } };
    if (path.endsWith("/courses")) return { status: 400, json: { code: 9, message: "no" } };
    return undefined;
  });
  try {
    using home = emptyHome();
    const ran = await doctor(home.path, server.url, TOKEN, ["--json"]);
    expect(ran.code).toBe(6);
    expect(states(ran)).toMatchObject({
      token: "good",
      preference: "bad",
      user: "good",
      workouts: "good",
      courses: "bad",
    });
  } finally {
    await server.close();
  }
});

describe("the journal", () => {
  test("is opened and counted; a locked one is no problem; a file of another kind is bad", async () => {
    using home = emptyHome();
    const path = join(home.path, "journal.db");
    const check = async () => {
      const ran = await doctor(home.path, log.service.url, log.token, ["--json", "--journal", path]);
      return { code: ran.code, ...jsonLines(ran.out).find(({ check }) => check === "journal") };
    };
    const journal = await openJournal(path);
    expect(await check()).toMatchObject({ code: 0, state: "look" });
    await journal.close();
    expect(await check()).toMatchObject({ code: 0, state: "good", found: `${path}, 0 runs` });
    writeFileSync(path, "these are notes, and no database at all\n".repeat(100));
    expect(await check()).toMatchObject({ code: 2, state: "bad", remedy: expect.stringContaining("--journal") });
  });

  test("that can't be made is bad: a file stands where its folder would be", async () => {
    using home = emptyHome();
    const file = join(home.path, "file");
    writeFileSync(file, "", { mode: 0o755 });
    const ran = await doctor(home.path, log.service.url, log.token, ["--json", "--journal", join(file, "journal.db")]);
    expect(ran.code).toBe(2);
    expect(jsonLines(ran.out).find(({ check }) => check === "journal")).toMatchObject({ state: "bad" });
  });
});

test.each([
  [600e6, "good", "600 MB free for /data"],
  [500e6, "good", "500 MB free for /data"],
  [499e6, "look", "499 MB free for /data"],
  [50e6, "look", "50 MB free for /data"],
  [49.9e6, "bad", "49 MB free for /data"],
  [12.34e9, "good", "12.3 GB free for /data"],
])("%d bytes free is %s", (free, state, found) => {
  expect(diskFinding(free, "/data")).toMatchObject({ state, found });
});

test.each([
  ["the same", 0, "good"],
  ["59 s ahead", 59_000, "good"],
  ["59 s behind", -59_000, "good"],
  ["3 min ahead", 180_000, "look"],
  ["3 min behind", -180_000, "look"],
  ["5 h behind", -18_000_000, "look"],
] as const)("a clock that is %s", (words, differenceMs, state) => {
  // The service writes whole seconds, sometime between the question and the answer.
  const theirs = Date.parse("2026-01-01T09:00:00.900Z");
  const asked = theirs + differenceMs - 100;
  const finding = clockFinding("Thu, 01 Jan 2026 09:00:00 GMT", asked, asked + 250);
  expect(finding.state).toBe(state);
  if (state === "look")
    expect(finding.found).toContain(words.replace("ahead", "ahead of the").replace("behind", "behind the"));
});

test("a service that doesn't say the time leaves the clock open", () => {
  expect(clockFinding(undefined, 0, 1).state).toBe("unknown");
  expect(clockFinding("yesterday", 0, 1).state).toBe("unknown");
});
