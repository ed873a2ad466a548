/** How faults are armed: the requests they hit, the report of their hits, and specs that can't be read. */
import { describe, expect, test } from "vitest";
import { FAULT_KINDS } from "../faults/kinds.ts";
import { BadFault, readFault } from "../faults/spec.ts";
import { startService } from "../server.ts";
import { type Person, person, send } from "./client.ts";
import { closeAfterEach, EQUIPMENT, misbehaving, RUN, running, saveRun, WORKOUTS } from "./misbehaving.ts";

closeAfterEach();

describe("which requests are hit", () => {
  /** Statuses of so many saves. */
  async function statuses(ann: Person, count: number): Promise<number[]> {
    const seen: number[] = [];
    for (let sent = 0; sent < count; sent++) seen.push((await saveRun(ann)).status);
    return seen;
  }

  test.each([
    ["nth=3", [200, 200, 503, 200, 200]],
    ["nth=2..3", [200, 503, 503, 200, 200]],
    ["nth=4..", [200, 200, 200, 503, 503]],
    ["every=2", [200, 503, 200, 503, 200]],
    ["every=2,times=1", [200, 503, 200, 200, 200]],
    ["times=2", [503, 503, 200, 200, 200]],
    ["rate=1", [503, 503, 503, 503, 503]],
  ])("%s", async (condition, expected) => {
    const { ann } = await misbehaving(`status-before-commit:status=503,${condition}`);
    expect(await statuses(ann, 5)).toEqual(expected);
  });

  test("from and to count seconds from the start", async () => {
    let time = 50_000;
    const { ann } = await misbehaving("status-before-commit:status=503,from=10,to=70", { now: () => time });
    const seen = [];
    for (const seconds of [0, 9, 10, 70, 71]) {
      time = 50_000 + seconds * 1000;
      seen.push((await saveRun(ann)).status);
    }
    expect(seen).toEqual([200, 200, 503, 503, 200]);
  });

  test("a rate hits the same requests for the same seed, others for another, and about as many as it says", async () => {
    const spec = "status-before-commit:status=503,rate=0.3";
    const [one, same, other] = await Promise.all(
      [7, 7, 8].map(async (seed) => statuses((await misbehaving(spec, { seed })).ann, 100)),
    );
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
    const struck = one?.filter((status) => status === 503).length;
    expect(struck).toBeGreaterThan(15);
    expect(struck).toBeLessThan(45);
  });

  test("a method and a path choose; the query is no part of the path; a star is one step, two are any", async () => {
    const { ann, hits } = await misbehaving([
      `latency:POST ${WORKOUTS}:ms=0`,
      `latency:PUT ${WORKOUTS}/*:ms=0`,
      `latency:* ${WORKOUTS}**:ms=0`,
      "latency:GET /**:ms=0",
      "latency:GET /rest/*:ms=0",
      "latency:ms=0",
    ]);
    const id = (await saveRun(ann)).json.data.id;
    await ann.send("PUT", `${WORKOUTS}/${id}`, { body: RUN });
    await ann.send("GET", EQUIPMENT);
    await ann.send("GET", "/health");
    expect(hits()).toEqual([1, 1, 2, 2, 0, 3]);
  });

  test.each(["status-before-commit:status=429", "code-before-commit", "html-before-commit"])(
    "%s keeps a save from being done, however long another fault holds its answer up",
    async (fault) => {
      const { ann, stored } = await misbehaving([
        `save-twice:POST ${WORKOUTS}:nth=1..`,
        fault,
        "import-ids:nth=1..",
        "cut-body:every=2",
      ]);
      // The test of each kind checks the answers.
      for (let times = 0; times < 4; times++) await saveRun(ann).catch(() => undefined);
      expect(await stored()).toBe(0);
    },
  );

  test("several faults hit one request together", async () => {
    const { ann, stored, hits } = await misbehaving(["save-twice", "status-after-commit:status=502"]);
    expect((await saveRun(ann)).status).toBe(502);
    expect(await stored()).toBe(2);
    expect(hits()).toEqual([1, 1]);
  });
});

describe("a service says that it misbehaves", () => {
  test("in /health with the counts, and in its log when it starts", async () => {
    const lines: string[] = [];
    const faults = { armed: ["latency:ms=0,nth=1", "reset-after-commit:nth=9"] };
    const log = await startService({ database: ":memory:", faults, log: { write: (line) => void lines.push(line) } });
    running.push(log);
    await saveRun(await person(log));
    expect((await send(log.url, "GET", "/health")).json).toEqual({
      status: "ok",
      misbehavesOnPurpose: [
        { fault: "latency:ms=0,nth=1", hits: 1 },
        { fault: "reset-after-commit:nth=9", hits: 0 },
      ],
    });
    const said = lines.map((line) => JSON.parse(line)).filter(({ fault }) => fault !== undefined);
    expect(said.map(({ fault, level }) => [fault, level])).toEqual([
      ["latency:ms=0,nth=1", 40],
      ["reset-after-commit:nth=9", 40],
    ]);
  });

  test("a service without faults has none to count, and its health says nothing of any", async () => {
    const log = await startService({ database: ":memory:" });
    running.push(log);
    expect(log.faults.hits()).toEqual([]);
    expect((await send(log.url, "GET", "/health")).json).toEqual({ status: "ok" });
  });
});

describe("a spec that can't be read is refused, and says why", () => {
  test("a pattern takes every word to the letter, also one that all objects have", () => {
    const { matches } = readFault("status-before-commit:GET /*constructor*:status=500");
    expect([matches("GET", "/a-constructor-b"), matches("GET", "/other")]).toEqual([true, false]);
  });

  test.each([
    ["rest-after-commit", 'there is no kind "rest-after-commit"; there are bad-id, clock-skew, '],
    ["", 'there is no kind ""'],
    ["latency:POST:ms=1", 'expected a method and a path, such as "POST /rest/logs/me/workouts" or "* /rest/**"'],
    ["latency:post /rest", "expected a method and a path"],
    ["latency:GET rest", "expected a method and a path"],
    ["latency:GET /rest:ms=1:nth=1", "expected KIND[:METHOD PATH][:NAME=VALUE,NAME=VALUE...], found 1 more"],
    ["latency:ms=1,ms=2", "ms is there twice"],
    ["latency:ms=1,,nth=2", 'expected NAME=VALUE, found ""'],
    ["latency:ms=", 'expected NAME=VALUE, found "ms="'],
    ["latency:ms=-1", "ms must be a whole number, 0 or more, of milliseconds, found -1"],
    ["latency:seconds=1", "latency has no seconds; it has ms, nth, every, rate, times, from, to"],
    ["latency:nth=0", "nth must be 3, 3..5 or 3.., found 0"],
    ["latency:nth=5..3", "nth must be 3, 3..5 or 3.., found 5..3"],
    ["latency:nth=x", "nth must be 3, 3..5 or 3.., found x"],
    ["latency:every=0", "every must be a whole number, 1 or more, found 0"],
    ["latency:rate=0", "rate must be a number above 0 and up to 1, found 0"],
    ["latency:rate=1.1", "rate must be a number above 0 and up to 1, found 1.1"],
    ["latency:nth=3,rate=0.5", "nth and rate can't be combined"],
    ["status-before-commit", "status-before-commit needs status=, an HTTP status from 400 to 599"],
    ["status-before-commit:status=200", "status must be an HTTP status from 400 to 599, found 200"],
    ["clock-skew:nth=1", "clock-skew needs seconds=, a whole number, of seconds"],
    ["bad-id:id=weird", "id must be one of none, number, empty, long, found weird"],
  ])("%j", (spec, message) => {
    expect(() => readFault(spec)).toThrow(BadFault);
    expect(() => readFault(spec)).toThrow(`Cannot arm the fault ${JSON.stringify(spec)}: ${message}`);
  });

  test("a service isn't started with one", async () => {
    await expect(startService({ database: ":memory:", faults: { armed: ["nonsense"] } })).rejects.toThrow(BadFault);
  });

  test("every kind can be armed with what it needs and nothing else", () => {
    const needed: Record<string, string> = {
      "clock-skew": ":seconds=60",
      "rate-limit": ":per-second=5",
      "status-after-commit": ":status=500",
      "status-before-commit": ":status=500",
    };
    for (const { name } of FAULT_KINDS) expect(readFault(name + (needed[name] ?? "")).kind.name).toBe(name);
  });
});
