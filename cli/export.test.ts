import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { CLI, emptyHome, jsonLines, runCli, startCli } from "../test/support/cli.ts";
import { type Ran, type Rehearsal, rehearse } from "../test/support/rehearsal.ts";
import { longTest, test } from "../test/support/tier-tests.ts";

// The command as a person has it, against the real service.

let log: Rehearsal;

beforeAll(async () => {
  log = await rehearse();
  const save = async (path: string, body: object) => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${log.service.url}${path}?access_token=${log.token}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
  };
  await save("/rest/logs/me/equipment", { activityID: 10, brandName: "Acme" });
  await save("/rest/logs/me/courses", { name: "River" });
  for (let day = 1; day <= 9; day++) {
    await save("/rest/logs/me/workouts", {
      activityID: day % 3 === 0 ? 11 : 10,
      date: `2023-0${day}-15`,
      notes: `=note ${day}`,
      details: { distance: { unit: "km", value: day }, duration: day * 300 },
    });
  }
});
afterAll(() => log.close());

function run(home: string, words: readonly string[]): Promise<Ran> {
  return runCli(home, ["export", ...words], {
    env: { LOGFERRY_URL: log.service.url, LOGFERRY_TOKEN: log.token, LOGFERRY_RATE: "0" },
  });
}

test("every format at once, into one folder, each file named", async () => {
  using home = emptyHome();
  const out = join(home.path, "log");
  const ran = await run(home.path, [
    "--out",
    out,
    "--format",
    "csv,json,ndjson",
    "--format",
    "xlsx,parquet,ics",
    "--json",
  ]);
  expect(ran).toMatchObject({ code: 0, err: "" });
  const files = jsonLines(ran.out).filter(({ type }) => type === "file");
  expect(files.map(({ path }) => path).toSorted()).toEqual(
    readdirSync(out)
      .map((name) => join(out, name))
      .toSorted(),
  );
  const records = Object.fromEntries(files.map(({ path, records }) => [String(path).slice(out.length + 1), records]));
  expect(records).toMatchObject({
    "workouts.csv": 9,
    "workouts.parquet": 9,
    "log.ics": 9,
    "log.json": 13,
    "log.ndjson": 13,
    "datapackage.json": 0,
    "log.schema.json": 0,
  });
});

test("workouts are chosen by day and activity, records by kind, fields by name", async () => {
  using home = emptyHome();
  const out = join(home.path, "log");
  const words = ["--format", "csv", "--kind", "workouts", "--since", "2023-02", "--until", "2023-08", "--only", "run"];
  expect(await run(home.path, ["--out", out, ...words, "--fields", "distance,date", "--gzip"])).toMatchObject({
    code: 0,
  });
  expect(readdirSync(out).toSorted()).toEqual(["datapackage.json", "intervals.csv", "workouts.csv"]);
  expect(readFileSync(join(out, "workouts.csv"), "utf8")).toBe(
    "\uFEFFdistance,distanceUnit,date\n8,km,2023-08-15\n7,km,2023-07-15\n5,km,2023-05-15\n4,km,2023-04-15\n2,km,2023-02-15\n",
  );
  const second = join(home.path, "second");
  await run(home.path, ["--out", second, "--format", "ndjson", "--only", "11", "--gzip", "--kind", "workouts"]);
  expect(readdirSync(second).toSorted()).toEqual(["datapackage.json", "log.ndjson.gz", "log.schema.json"]);
});

test("only the chosen records are read: no workout of another day or activity is got", async () => {
  using home = emptyHome();
  const seen: string[] = [];
  const own = await rehearse("kilometres", { log: { write: (line: string) => seen.push(line) } });
  try {
    for (const date of ["2022-01-01", "2023-01-01", "2024-01-01"]) {
      await fetch(`${own.service.url}/rest/logs/me/workouts?access_token=${own.token}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ activityID: 10, date }),
      });
    }
    seen.length = 0;
    const env = { LOGFERRY_URL: own.service.url, LOGFERRY_TOKEN: own.token, LOGFERRY_RATE: "0" };
    const words = [
      "export",
      "--out",
      join(home.path, "log"),
      "--format",
      "ics",
      "--kind",
      "workouts",
      "--since",
      "2023",
      "--until",
      "2023",
    ];
    expect(await runCli(home.path, words, { env })).toMatchObject({ code: 0 });
    const got = seen.join("").match(/\/rest\/logs\/me\/workouts\/[\w-]+/g) ?? [];
    expect(new Set(got).size).toBe(1);
    expect(seen.join("")).not.toMatch(/\/rest\/logs\/me\/(equipment|training_plans|courses\/)/);
  } finally {
    await own.close();
  }
});

test.each([
  [
    ["--format", "cvs"],
    'Cannot use --format: there is no "cvs"; did you mean "csv"?; expected csv, json, ndjson, xlsx, parquet, ics\n',
  ],
  [["--kind", "workout"], 'Cannot use --kind: there is no "workout"; did you mean "workouts"?'],
  [["--fields", "date,distanse"], 'Cannot use --fields: there is no "distanse"; did you mean "distance"?'],
  [["--only", "running"], 'Cannot use --only: there is no "running"'],
  [["--only", "hike"], "Cannot use --only hike: say its number in your log, with --activity hike=NUMBER"],
])("%j is 2, and says what was probably meant, before anything is asked of the log", async (words, message) => {
  using home = emptyHome();
  const ran = await runCli(home.path, ["export", "--out", join(home.path, "log"), ...words], {
    env: { LOGFERRY_URL: "http://127.0.0.1:1", LOGFERRY_TOKEN: "x" },
  });
  expect(ran).toMatchObject({ code: 2, out: "" });
  expect(ran.err.startsWith(message), ran.err).toBe(true);
  expect(existsSync(join(home.path, "log"))).toBe(false);
});

describe("a folder that can't be written", () => {
  test("one with files in it is 2 and stays; an export in it is replaced when that is asked for", async () => {
    using home = emptyHome();
    const out = join(home.path, "log");
    expect(await run(home.path, ["--out", out, "--format", "ics"])).toMatchObject({ code: 0 });
    const again = await run(home.path, ["--out", out, "--format", "csv"]);
    expect(again.code).toBe(2);
    expect(again.err).toContain("there is an export in it: name another folder, or replace it with --replace");
    expect(readdirSync(out)).toContain("log.ics");
    expect(await run(home.path, ["--out", out, "--format", "csv", "--replace"])).toMatchObject({ code: 0 });
    expect(readdirSync(out)).not.toContain("log.ics");
    writeFileSync(join(out, "mine.txt"), "");
    const foreign = await run(home.path, ["--out", out, "--replace"]);
    expect(foreign.code).toBe(2);
    expect(foreign.err).toContain("mine.txt");
  });

  test("a disk that takes no more is 75, says so, and nothing is left of what was begun", async () => {
    using home = emptyHome();
    const out = join(home.path, "log");
    // The shell limits what a file may hold, in blocks of 512 or 1,024 bytes: the table of workouts needs more.
    const words = [process.execPath, CLI, "export", "--out", out, "--format", "json,xlsx"];
    const child = spawn("sh", ["-c", 'ulimit -f 1; exec "$0" "$@"', ...words], {
      env: {
        PATH: process.env.PATH ?? "",
        HOME: home.path,
        LOGFERRY_URL: log.service.url,
        LOGFERRY_TOKEN: log.token,
        LOGFERRY_RATE: "0",
        NODE_DISABLE_COMPILE_CACHE: "1",
      },
    });
    let err = "";
    child.stderr.on("data", (chunk) => (err += chunk));
    child.stdout.resume();
    const [code] = await once(child, "close");
    expect([code, err]).toEqual([
      75,
      expect.stringMatching(/^Cannot write to .*: the file would be larger than is allowed here\n$/),
    ]);
    expect(readdirSync(home.path).filter((name) => name.startsWith("log"))).toEqual([]);
  });
});

describe("an export that doesn't come to its end", () => {
  /** An export that waits for a workout which the service never gives. */
  async function hanging(home: string): Promise<{ child: ChildProcess; ended: Promise<Ran>; close(): Promise<void> }> {
    const asked = Promise.withResolvers<void>();
    const own = await rehearse("kilometres", {
      faults: { armed: ["hang-before-commit:GET /rest/logs/me/workouts/*"] },
      log: { write: (line) => (/"GET","path":"[^"]*\/workouts\/\w/.test(line) ? asked.resolve() : undefined) },
    });
    await fetch(`${own.service.url}/rest/logs/me/workouts?access_token=${own.token}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ activityID: 10, date: "2023-01-01" }),
    });
    const env = { LOGFERRY_URL: own.service.url, LOGFERRY_TOKEN: own.token, LOGFERRY_RATE: "0" };
    const started = startCli(home, ["export", "--out", join(home, "log"), "--format", "ndjson"], { env });
    await asked.promise;
    return { ...started, close: () => own.close() };
  }

  const foldersOf = (home: string) => readdirSync(home).filter((name) => name.startsWith("log"));

  test("killed, it leaves a folder that says it is a part, and nothing under the name", async () => {
    using home = emptyHome();
    const { child, ended, close } = await hanging(home.path);
    child.kill("SIGKILL");
    expect((await ended).signal).toBe("SIGKILL");
    expect(foldersOf(home.path)).toEqual([expect.stringMatching(/^log\.partial-/)]);
    await close();
  });

  longTest("stopped by Ctrl-C it is 130, and says where the part is that it has", async () => {
    using home = emptyHome();
    const { child, ended, close } = await hanging(home.path);
    child.kill("SIGINT");
    const ran = await ended;
    expect(ran.code).toBe(130);
    const [folder = ""] = foldersOf(home.path);
    expect(folder).toMatch(/^log\.partial-/);
    expect(ran.out).toContain(`Stopped early: ${join(home.path, folder)} holds a part of the log.\n`);
    const lines = readFileSync(join(home.path, folder, "log.ndjson"), "utf8")
      .trimEnd()
      .split("\n");
    expect(lines.map((line) => JSON.parse(line).kind)).toEqual(["export", "user", "preference", "end"]);
    await close();
  });
});
