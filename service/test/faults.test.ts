/** Faults on request. For each kind the tests check the stored workouts and the answer, over real HTTP. */
import { connect } from "node:net";
import { gunzipSync } from "node:zlib";
import { request } from "undici";
import { describe, expect, test } from "vitest";
import { codeOf, exchange, scene, WEB } from "./authorization.ts";
import { person, send } from "./client.ts";
import { closeAfterEach, failure, misbehaving, RUN, saveRun, TWO_RUNS, until, WORKOUTS } from "./misbehaving.ts";

closeAfterEach();

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
