import { join } from "node:path";
import { describe, expect } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Ran, rehearse } from "./support/rehearsal.ts";
import { type RequestLog, requestLog } from "./support/request-log.ts";
import { ANOTHER_RUN, COURSE, copyDeviceFiles, someRuns, THREE_RUNS, writeSheet } from "./support/small-sources.ts";
import { longTest, rowTest, test } from "./support/tier-tests.ts";
import { firstOf } from "./support/tiers.ts";

// The number of requests the service gets, by its own count: the cost that a plan states, the use that a run states, and the savings.

type Json = Record<string, unknown>;

function lineOf({ out }: Ran, type: string): Json {
  return jsonLines(out).findLast((line) => line.type === type) as Json;
}

/** The requests from the given index on, as `POST /workouts`. */
function newOnes(asked: RequestLog, from: number): string[] {
  return asked.all
    .slice(from)
    .map(({ method, path }) => `${method} ${path.replace("/rest/logs/me", "").replace(/\/[\w-]{16,}/, "/ID")}`);
}

function tallied(requests: readonly string[]): Record<string, number> {
  const tally: Record<string, number> = {};
  for (const request of requests) tally[request] = (tally[request] ?? 0) + 1;
  return tally;
}

const RUNS = someRuns(12).map((run, index) => (index === 0 ? { ...run, shoe: "Kinvara" } : run));

test.concurrent("a plan says what it costs, applying it uses exactly that, and a run without changes only opens and lists the log", async () => {
  const asked = requestLog();
  await using rehearsal = await opened(asked);
  const { folder, run } = rehearsal;
  const sheet = writeSheet(folder, RUNS);
  const files = copyDeviceFiles(join(folder, "watch"), [ANOTHER_RUN, THREE_RUNS, COURSE]);
  const sources = [sheet, files, "--zone", "Europe/Vienna", ...rehearsal.activities];

  const planned = await run(["plan", "--json", ...sources]);
  expect(planned.code).toBe(0);
  // Whose log it is, its units, its activities, and one page of each listing.
  expect(newOnes(asked, 0).toSorted()).toEqual([
    "GET /activity_types",
    "GET /courses",
    "GET /equipment",
    "GET /rest/users/me",
    "GET /rest/users/me/preference",
    "GET /workouts",
  ]);
  const cost = lineOf(planned, "plan").cost as Json;
  // 12 runs and a shoe are saved. Two files with one and three workouts are imported, read and saved. A course has its line. Then each kind is looked
  // at once more.
  expect(cost).toMatchObject({ imports: 2, overwrites: 0, looks: 8 });

  const before = asked.all.length;
  const applied = await run(["apply", "--json"]);
  expect(applied.code).toBe(0);
  const sent = newOnes(asked, before);
  expect(sent).toHaveLength(Number(cost.requests));
  expect(lineOf(applied, "summary").requests).toBe(sent.length);
  const tally = tallied(sent);
  expect(tally).toMatchObject({
    "POST /workouts/fit": 2,
    "GET /workouts/ID": 4,
    "PUT /workouts/ID": 4,
    "POST /workouts": 12,
    "POST /equipment": 1,
  });
  expect(cost.saves).toBe(12 + 1 + (tally["POST /courses"] ?? 0));

  const second = asked.all.length;
  const again = await run(["import", "--json", ...sources]);
  expect(again.code).toBe(0);
  expect(newOnes(asked, second).toSorted()).toEqual([
    "GET /activity_types",
    "GET /courses",
    "GET /equipment",
    "GET /rest/users/me",
    "GET /rest/users/me/preference",
    "GET /workouts",
  ]);
  expect(lineOf(again, "plan").cost).toMatchObject({ requests: 0 });
  expect(lineOf(again, "summary").requests).toBe(6);
});

test.concurrent("an import says what is left to do after the listing, and what it costs in words", async () => {
  const asked = requestLog();
  await using rehearsal = await opened(asked);
  const sheet = writeSheet(rehearsal.folder, someRuns(8));
  const ran = await rehearsal.run(["import", sheet, "--rate", "40"]);
  expect(ran.code).toBe(0);
  // Eight saves and the look after them. 9 / 40 a second is less than a second.
  expect(ran.out).toContain("\nIt takes 9 requests, about 1 s at 40 a second.\n");
  expect(ran.out).toContain("\nThis took 15 requests.\n");
  expect(asked.all).toHaveLength(15);
});

describe("what is used up ends a run, resumable", () => {
  test.concurrent("--max-requests: not one more is sent, what was begun is whole, and what is left is done by the next run", async () => {
    const asked = requestLog();
    await using rehearsal = await opened(asked);
    const sheet = writeSheet(rehearsal.folder, RUNS);
    const files = copyDeviceFiles(join(rehearsal.folder, "watch"), [ANOTHER_RUN, THREE_RUNS]);
    const words = ["import", sheet, files, "--zone", "Europe/Vienna", ...rehearsal.activities];
    const first = await rehearsal.run([...words, "--max-requests", "14"]);
    expect(first.code).toBe(75);
    expect(asked.all.length).toBeLessThanOrEqual(14);
    expect(first.out).toMatch(
      /^Stopped early: the 14 requests of --max-requests are used up\. .* still to do\. Resume with: logferry apply$/m,
    );
    for (const { finished } of await readFinished(rehearsal.folder)) expect(finished).toBe(1);
    const second = await rehearsal.run(["apply"]);
    expect(second.code).toBe(0);
    expect((await rehearsal.listed("/rest/logs/me/workouts")).length).toBe(12 + 1 + 3);
  });

  test.concurrent("--max-requests that are used up by the listing: nothing was changed, and it says so", async () => {
    const asked = requestLog();
    await using rehearsal = await opened(asked);
    const sheet = writeSheet(rehearsal.folder, RUNS);
    const ran = await rehearsal.run(["import", sheet, "--max-requests", "3"]);
    expect(ran).toMatchObject({
      code: 75,
      err: "Stopped early, before anything was changed: the 3 requests of --max-requests are used up. Allow more, or run it again later.\n",
    });
    expect(asked.all).toHaveLength(3);
    expect(asked.writes()).toEqual([]);
  });

  longTest.concurrent("--max-duration: what is under way is finished, and the next run goes on", async () => {
    const asked = requestLog();
    await using rehearsal = await opened(asked);
    const sheet = writeSheet(rehearsal.folder, someRuns(40));
    // At two a second it would take twenty. A second is over in the middle of it, however busy the machine is.
    const ran = await rehearsal.run(["import", sheet, "--rate", "2", "--max-duration", "5s"]);
    expect(ran.code).toBe(75);
    expect(ran.out + ran.err).toMatch(/the 5s of --max-duration are over/);
    for (const { status } of asked.writes()) expect(status).toBe(200);
    const second = await rehearsal.run(["import", sheet]);
    expect(second.code).toBe(0);
    expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(40);
    expect(asked.ending("POST", "/workouts")).toHaveLength(40);
  });

  rowTest.concurrent.each(
    firstOf(1, [
      ["stop", 1],
      ["2", 3],
      ["continue", 9],
    ]),
  )("--on-errors %s: the log refuses every record from the fourth on", async (onErrors, refused) => {
    const asked = requestLog();
    await using rehearsal = await opened(asked, [
      "status-before-commit:POST /rest/logs/me/workouts:status=422,nth=4..",
    ]);
    const sheet = writeSheet(rehearsal.folder, someRuns(12));
    const ran = await rehearsal.run(["import", "--json", sheet, "--concurrency", "1", "--on-errors", onErrors]);
    const summary = lineOf(ran, "summary") as { ledger: Json; stoppedBy?: string };
    expect(summary.ledger).toMatchObject({ created: 3, refused, left: 12 - 3 - refused });
    expect(ran.code).toBe(onErrors === "continue" ? 3 : 75);
    expect(summary.stoppedBy?.includes(`--on-errors ${onErrors}`) ?? false).toBe(onErrors !== "continue");
  });
});

longTest.concurrent(
  "a service that is down for a while in the middle of a run is waited for: nothing is lost, doubled or left",
  async () => {
    const asked = requestLog();
    await using rehearsal = await opened(asked, ["status-before-commit:* /rest/**:status=502,nth=9..13"]);
    const sheet = writeSheet(rehearsal.folder, someRuns(12));
    const ran = await rehearsal.run(["import", "--json", sheet, "--settle", "0", "--concurrency", "1"], {
      env: { LOGFERRY_PATIENCE: "2m" },
    });
    expect(ran.code).toBe(0);
    expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(12);
    // One request was let through to see whether the service is well again, and it was.
    const gaps = asked.all.map(({ at }, index) => at - (asked.all[index - 1]?.at ?? at));
    expect(gaps.filter((gap) => gap > 20_000)).toHaveLength(1);
    const told = jsonLines(ran.out).filter(({ waiting }) =>
      String(waiting).startsWith("the service, which failed 5 times"),
    );
    expect(told.length).toBeGreaterThan(0);
  },
);

/** A log whose service writes down its requests. */
async function opened(asked: RequestLog, armed: readonly string[] = []) {
  const rehearsal = await rehearse("kilometres", { database: ":memory:", log: asked, faults: { armed } });
  return { ...rehearsal, [Symbol.asyncDispose]: () => rehearsal.close() };
}

/** The journal's notes on the records it put into the log. */
async function readFinished(folder: string): Promise<readonly { finished: number }[]> {
  const { DatabaseSync } = await import("node:sqlite");
  using database = new DatabaseSync(join(folder, "journal.db"), { readOnly: true });
  return database.prepare("SELECT finished FROM placed").all() as unknown as { finished: number }[];
}
