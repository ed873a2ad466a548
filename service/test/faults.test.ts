/** Faults on request: for each kind, what was stored and what was answered, over real HTTP. */
import { connect } from "node:net";
import { gunzipSync } from "node:zlib";
import { request } from "undici";
import { afterEach, describe, expect, test } from "vitest";
import type { FaultOptions } from "../faults/faults.ts";
import { FAULT_KINDS } from "../faults/kinds.ts";
import { BadFault, readFault } from "../faults/spec.ts";
import { type Service, startService } from "../server.ts";
import { codeOf, exchange, scene, WEB } from "./authorization.ts";
import { type Person, person, send } from "./client.ts";
import { FILE_ID, fitFile, session } from "./fit.ts";

const WORKOUTS = "/rest/logs/me/workouts";
const EQUIPMENT = "/rest/logs/me/equipment";
const RUN = { activityID: 10, date: "2024-05-05", details: { duration: 1800 } };
/** Two workouts in one file. */
const TWO_RUNS = fitFile([
  FILE_ID,
  session("2024-03-01T08:00:00Z", 1, 1800, 5000),
  session("2024-03-01T09:00:00Z", 1, 900, 3000),
]);

/** A service that misbehaves, with somebody whose log it keeps. */
interface Misbehaving {
  readonly log: Service;
  readonly ann: Person;
  /** How many workouts the log holds: asked of the store, which no fault touches. */
  readonly stored: () => Promise<number>;
  /** How often each fault was hit. */
  readonly hits: () => number[];
}

const running: Service[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});

async function misbehaving(
  armed: string | readonly string[],
  more: Partial<FaultOptions> & { readonly now?: () => number } = {},
): Promise<Misbehaving> {
  const { now, ...options } = more;
  const faults = { armed: [armed].flat(), ...options };
  const log = await startService({ database: ":memory:", faults, ...(now !== undefined && { now }) });
  running.push(log);
  const ann = await person(log);
  const slice = { limit: 100, offset: 0 };
  return {
    log,
    ann,
    stored: async () => (await log.store.workouts(ann.userId, slice, [])).total,
    hits: () => log.faults.hits().map(({ hits }) => hits),
  };
}

const saveRun = (ann: Person) => ann.send("POST", WORKOUTS, { body: RUN });

/** The code of the error a request ends with. */
async function failure(sent: Promise<unknown>): Promise<string> {
  return await sent.then(
    () => "it was answered",
    (error) => error.code ?? error.cause?.code,
  );
}

/** Settles when a condition holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

describe("before the commit nothing is stored, and the next request is served", () => {
  test.each([
    ["status-before-commit:status=500,nth=1", 500, {}],
    ["status-before-commit:status=502,nth=1", 502, {}],
    ["status-before-commit:status=503,retry-after=120,nth=1", 503, { "retry-after": "120" }],
    ["status-before-commit:status=429,nth=1", 429, {}],
    ["status-before-commit:status=429,retry-after=3,nth=1", 429, { "retry-after": "3" }],
    ["status-before-commit:status=429,retry-after=soon,nth=1", 429, { "retry-after": "soon" }],
    ["status-before-commit:status=429,retry-after=-5,nth=1", 429, { "retry-after": "-5" }],
    ["status-before-commit:status=413,nth=1", 413, {}],
    ["html-before-commit:nth=1", 200, { "content-type": "text/html" }],
  ])("%s", async (spec, status, headers) => {
    const { ann, stored, hits } = await misbehaving(spec);
    const answer = await saveRun(ann);
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(/^<!doctype html>/);
    expect(answer.headers).toMatchObject(headers);
    expect("retry-after" in answer.headers).toBe("retry-after" in headers);
    expect(await stored()).toBe(0);
    expect((await saveRun(ann)).status).toBe(200);
    expect(await stored()).toBe(1);
    expect(hits()).toEqual([1]);
  });

  test("code-before-commit answers 200 and the code", async () => {
    const { ann, stored } = await misbehaving("code-before-commit:code=23,nth=1");
    const answer = await saveRun(ann);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ code: 23, message: expect.any(String) });
    expect(await stored()).toBe(0);
  });

  test("reset-before-commit ends the connection without a byte", async () => {
    const { ann, stored, hits } = await misbehaving(`reset-before-commit:POST ${WORKOUTS}:nth=1`);
    expect(await failure(saveRun(ann))).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
    expect(await stored()).toBe(0);
    expect((await saveRun(ann)).status).toBe(200);
    expect(hits()).toEqual([1]);
  });

  test("hang-before-commit never answers, and a close doesn't wait for it", async () => {
    const { log, ann, stored, hits } = await misbehaving("hang-before-commit:nth=1");
    const lost = failure(saveRun(ann));
    await until(() => hits()[0] === 1);
    expect(await stored()).toBe(0);
    await log.close();
    expect(await lost).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
  });

  test("Retry-After as a date is the service's own now and so many seconds", async () => {
    const now = () => Date.parse("2026-02-03T04:05:06Z");
    const { ann } = await misbehaving("status-before-commit:status=429,retry-after-date=30", { now });
    expect((await saveRun(ann)).headers["retry-after"]).toBe("Tue, 03 Feb 2026 04:05:36 GMT");
  });

  test("rate-limit lets so many through in any second, and turns the rest away", async () => {
    let time = 1_000_000;
    const { ann, stored, hits } = await misbehaving("rate-limit:per-second=2,retry-after=1", { now: () => time });
    const statuses = async () => [await saveRun(ann), await saveRun(ann), await saveRun(ann)].map((a) => a.status);
    expect(await statuses()).toEqual([200, 200, 429]);
    time += 999;
    expect((await saveRun(ann)).status).toBe(429);
    time += 1;
    expect(await statuses()).toEqual([200, 200, 429]);
    expect(await stored()).toBe(4);
    expect(hits()).toEqual([3]);
  });

  test("what the service refuses is not kept from being refused: a fault is for what would have been done", async () => {
    const { log, ann, hits } = await misbehaving("status-before-commit:status=503");
    const bad = await ann.send("POST", WORKOUTS, { body: { activityID: 10 } });
    expect(bad.status).toBe(400);
    expect((await send(log.url, "POST", WORKOUTS, { body: RUN })).status).toBe(401);
    expect(hits()).toEqual([0]);
  });
});

describe("after the commit it is stored, and the answer is lost or wrong", () => {
  test.each([
    ["status-after-commit:status=500,nth=1", 500],
    ["status-after-commit:status=504,retry-after=7,nth=1", 504],
    ["html-after-commit:nth=1", 200],
  ])("%s", async (spec, status) => {
    const { ann, stored, hits } = await misbehaving(spec);
    const answer = await saveRun(ann);
    expect(answer.status).toBe(status);
    expect(answer.headers["content-type"]).toBe("text/html");
    expect(answer.text).toMatch(/^<!doctype html>/);
    expect(await stored()).toBe(1);
    expect(hits()).toEqual([1]);
  });

  test("code-after-commit answers 200 and a code that is not 0", async () => {
    const { ann, stored } = await misbehaving("code-after-commit");
    expect((await saveRun(ann)).json).toEqual({ code: 17, message: expect.any(String) });
    expect(await stored()).toBe(1);
  });

  test("reset-after-commit ends the connection without a byte", async () => {
    const { ann, stored, hits } = await misbehaving(`reset-after-commit:POST ${WORKOUTS}:nth=1`);
    expect(await failure(saveRun(ann))).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
    expect(await stored()).toBe(1);
    expect(hits()).toEqual([1]);
  });

  test("hang-after-commit never answers, and a close doesn't wait for it", async () => {
    const { log, ann, stored, hits } = await misbehaving("hang-after-commit:nth=1");
    const lost = failure(saveRun(ann));
    await until(() => hits()[0] === 1);
    expect(await stored()).toBe(1);
    await log.close();
    expect(await lost).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
  });

  test.each([
    ["cut-body:nth=1", undefined],
    ["cut-body:bytes=3,nth=1", 3],
    ["cut-body:bytes=0,nth=1", 0],
  ])("%s promises a body and ends in the middle of it", async (spec, bytes) => {
    const { log, ann, stored } = await misbehaving(spec);
    const answer = await request(`${log.url}${WORKOUTS}?access_token=${ann.token}`, {
      method: "POST",
      body: JSON.stringify(RUN),
      headers: { "content-type": "application/json" },
    });
    expect(answer.statusCode).toBe(200);
    const { entries } = await log.store.workouts(ann.userId, { limit: 1, offset: 0 }, []);
    const whole = `{"code":0,"data":{"id":"${entries[0]?.id}"}}`;
    expect(answer.headers["content-length"]).toBe(String(whole.length));
    let got = "";
    const cut = (async () => {
      for await (const chunk of answer.body) got += chunk;
    })();
    expect(await failure(cut)).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
    expect(got).toBe(whole.slice(0, bytes ?? whole.length / 2));
    expect(await stored()).toBe(1);
  });

  test.each([
    ["none", undefined],
    ["number", 17],
    ["empty", ""],
    ["long", "f".repeat(10_000)],
  ])("bad-id:id=%s", async (id, expected) => {
    const { ann, stored, hits } = await misbehaving(`bad-id:id=${id}`);
    const answer = await saveRun(ann);
    expect(answer.json).toEqual({ code: 0, data: expected === undefined ? {} : { id: expected } });
    await ann.send("GET", WORKOUTS);
    expect(await stored()).toBe(1);
    expect(hits()).toEqual([1]);
  });

  test.each([
    ["fewer", 1, 1],
    ["more", 3, 3],
    ["repeated", 3, 2],
  ])("import-ids:ids=%s gives %d ids, %d of them different, for two workouts", async (ids, given, different) => {
    const { ann, stored } = await misbehaving(`import-ids:ids=${ids}`);
    const answer = await ann.send("POST", `${WORKOUTS}/fit`, { body: TWO_RUNS });
    expect(answer.json.code).toBe(0);
    expect(answer.json.data.ids).toHaveLength(given);
    expect(new Set(answer.json.data.ids).size).toBe(different);
    expect(await stored()).toBe(2);
  });

  test("part-import keeps the first workouts of a file and answers 500", async () => {
    const { ann, stored, hits } = await misbehaving("part-import:nth=1");
    const answer = await ann.send("POST", `${WORKOUTS}/fit`, { body: TWO_RUNS });
    expect(answer.status).toBe(500);
    expect(await stored()).toBe(1);
    expect((await ann.send("POST", `${WORKOUTS}/fit`, { body: TWO_RUNS })).json.data.ids).toHaveLength(2);
    expect(await stored()).toBe(3);
    expect(hits()).toEqual([1]);
  });

  test("save-twice makes a second, equal workout of one save", async () => {
    const { ann, stored, hits } = await misbehaving("save-twice:nth=1");
    const id = (await saveRun(ann)).json.data.id;
    expect(await stored()).toBe(2);
    const { entries } = (await ann.send("GET", WORKOUTS)).json.data;
    const [one, other] = entries.map(({ id: _, ...rest }: { id: string }) => rest);
    expect(one).toMatchObject(RUN);
    expect(other).toEqual(one);
    expect(entries.map((entry: { id: string }) => entry.id)).toContain(id);
    expect(hits()).toEqual([1]);
  });

  test("close-idle closes the kept connection after a whole answer, without a word", async () => {
    const waits: number[] = [];
    let close = () => {};
    const sleep = (ms: number) => {
      waits.push(ms);
      return new Promise<void>((resolve) => {
        close = resolve;
      });
    };
    const { log, ann, hits } = await misbehaving("close-idle:ms=5000,nth=1", { sleep });
    const socket = connect(Number(new URL(log.url).port), "127.0.0.1");
    let got = "";
    socket.on("data", (chunk) => (got += chunk));
    socket.write(`GET ${WORKOUTS}?access_token=${ann.token} HTTP/1.1\r\nHost: here\r\n\r\n`);
    await until(() => hits()[0] === 1 && got.endsWith("}}"));
    expect(got).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(got).toMatch(/\r\nConnection: keep-alive\r\n/i);
    expect(waits).toEqual([5000]);
    expect(socket.closed).toBe(false);
    close();
    socket.on("error", () => {});
    socket.write(`GET ${WORKOUTS}?access_token=${ann.token} HTTP/1.1\r\nHost: here\r\n\r\n`);
    await until(() => socket.closed || got.split("HTTP/1.1").length > 2);
    expect(got.split("HTTP/1.1")).toHaveLength(2);
  });

  test("huge-answer sends as much as it is told to", async () => {
    const { ann, stored } = await misbehaving("huge-answer:mebibytes=3");
    expect((await saveRun(ann)).text).toBe(" ".repeat(3 * 2 ** 20));
    expect(await stored()).toBe(1);
  });

  test("gzip-answer sends little that unpacks to much", async () => {
    const { log, ann, stored } = await misbehaving("gzip-answer:mebibytes=64");
    const answer = await request(`${log.url}/rest/users/me?access_token=${ann.token}`);
    expect(answer.headers["content-encoding"]).toBe("gzip");
    const packed = Buffer.from(await answer.body.arrayBuffer());
    expect(packed.length).toBeLessThan(2 ** 18);
    expect(gunzipSync(packed).length).toBe(64 * 2 ** 20);
    expect(await stored()).toBe(0);
  });
});

describe("time and place", () => {
  test("latency waits before anything is done, and does it although the sender has gone", async () => {
    const wakes: (() => void)[] = [];
    const sleep = (_ms: number) => new Promise<void>((resolve) => void wakes.push(resolve));
    const { log, ann, stored, hits } = await misbehaving("latency:POST /**:ms=90000", { sleep });
    const slow = saveRun(ann);
    await until(() => hits()[0] === 1);
    expect(await stored()).toBe(0);
    wakes[0]?.();
    expect((await slow).status).toBe(200);
    expect(await stored()).toBe(1);

    const stop = new AbortController();
    const left = request(`${log.url}${WORKOUTS}?access_token=${ann.token}`, {
      method: "POST",
      body: JSON.stringify(RUN),
      headers: { "content-type": "application/json" },
      signal: stop.signal,
    });
    await until(() => wakes.length === 2);
    stop.abort();
    await expect(left).rejects.toThrow();
    expect(await stored()).toBe(1);
    wakes[1]?.();
    while ((await stored()) < 2) await new Promise((resolve) => setImmediate(resolve));
  });

  test("latency waits for the milliseconds asked for", async () => {
    const waits: number[] = [];
    const sleep = async (ms: number) => void waits.push(ms);
    const { ann } = await misbehaving(["latency", "latency:ms=20"], { sleep });
    await saveRun(ann);
    expect(waits).toEqual([1000, 20]);
  });

  test("clock-skew shows in the Date header and in what the service reckons with, for the requests it hits", async () => {
    const now = () => Date.parse("2026-02-03T04:05:06Z");
    const { ann } = await misbehaving(
      ["clock-skew:seconds=-3600,nth=2", "status-before-commit:status=429,retry-after-date=30,nth=2"],
      { now },
    );
    const right = await saveRun(ann);
    expect(right.headers.date).not.toBe("Tue, 03 Feb 2026 03:05:06 GMT");
    const wrong = await saveRun(ann);
    expect(wrong.headers.date).toBe("Tue, 03 Feb 2026 03:05:06 GMT");
    expect(wrong.headers["retry-after"]).toBe("Tue, 03 Feb 2026 03:05:36 GMT");
  });

  test("clock-skew is what the service reckons with: a code of this minute is over for a request that is eleven minutes ahead", async () => {
    const { log, hits } = await misbehaving("clock-skew:POST /oauth2/token:seconds=660,nth=1");
    const from = await scene(log);
    const attempt = async () => {
      const answer = await exchange(log.url, from.application, { code: await codeOf(from), redirect_uri: WEB });
      return answer.json.error ?? answer.status;
    };
    expect([await attempt(), await attempt()]).toEqual(["invalid_request", 200]);
    expect(hits()).toEqual([1]);
  });

  test("revoke-token refuses the token from then on, and no other", async () => {
    const { log, ann, stored, hits } = await misbehaving("revoke-token:nth=2");
    const bob = await person(log);
    expect((await saveRun(ann)).status).toBe(200);
    const revoked = await saveRun(ann);
    expect(revoked.status).toBe(401);
    expect(revoked.headers["www-authenticate"]).toMatch(/^Bearer /);
    expect((await ann.send("GET", WORKOUTS)).status).toBe(401);
    expect((await saveRun(bob)).status).toBe(200);
    expect(await stored()).toBe(1);
    expect(hits()).toEqual([2]);
    const token = await log.operator.addToken(ann.userId);
    expect((await send(log.url, "GET", WORKOUTS, { query: { access_token: token } })).status).toBe(200);
  });

  test("revoke-token answers 403 where asked to", async () => {
    const { ann } = await misbehaving("revoke-token:status=403");
    expect((await saveRun(ann)).status).toBe(403);
  });

  test("stale-listing answers as before until its seconds are over", async () => {
    let time = 0;
    const { ann, stored, hits } = await misbehaving(`stale-listing:GET ${WORKOUTS}:seconds=10`, { now: () => time });
    const listed = async () => (await ann.send("GET", WORKOUTS)).json.data.numEntries;
    expect(await listed()).toBe(0);
    await saveRun(ann);
    expect(await stored()).toBe(1);
    time = 9999;
    expect(await listed()).toBe(0);
    time = 10_000;
    expect(await listed()).toBe(1);
    expect(hits()).toEqual([1]);
  });

  test("insert-workout puts one workout more into the log, before the page is read", async () => {
    const { ann, hits } = await misbehaving("insert-workout:nth=2");
    await saveRun(ann);
    const listed = async () => (await ann.send("GET", WORKOUTS)).json.data.numEntries;
    expect([await listed(), await listed(), await listed()]).toEqual([1, 2, 2]);
    expect(hits()).toEqual([1]);
  });
});

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
      // What is answered is each kind's own test.
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
