/**
 * Refusals of requests whose body is still on its way, or that can't be read as HTTP at all. The sender still gets the answer, in the
 * interface's own form, over bare TCP.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LIMITS, type Limits } from "../http/limits.ts";
import { type Service, startService } from "../server.ts";
import { type Person, person, send } from "./client.ts";
import { type Caller, call } from "./raw.ts";

const WORKOUTS = "/rest/logs/me/workouts";
const MIB = 2 ** 20;

let log: Service;
let ann: Person;
let callers: Caller[];

beforeEach(async () => {
  callers = [];
  await startWith({});
});
afterEach(async () => {
  for (const { socket } of callers) socket.destroy();
  await log.close();
});

async function startWith(limits: Partial<Limits>): Promise<void> {
  await log?.close();
  log = await startService({ database: ":memory:", limits: { ...LIMITS, ...limits } });
  ann = await person(log);
}

async function says(text: string | Buffer): Promise<Caller> {
  const caller = await call(log.url, text);
  callers.push(caller);
  return caller;
}

const head = (token: string, more: string) =>
  `POST ${WORKOUTS}?access_token=${token} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${more}\r\n`;

/** Status, envelope and headers of the one answer that arrived. */
function answerOf(heard: string): { status: number; json: unknown; headers: string } {
  const [, status = "", headers = "", body = ""] = /^HTTP\/1\.1 (\d+) [^\r]*\r\n(.*?)\r\n\r\n(.*)$/s.exec(heard) ?? [];
  return { status: Number(status), headers, json: body === "" ? heard : JSON.parse(body) };
}

describe("a sender that reads nothing until its whole body is out hears why it was refused", () => {
  const TOO_LARGE = { code: 10, message: "body: larger than this operation takes" };

  /** Sends a head and so many bytes, and only then begins to read. */
  async function sentThenRead(start: string, size: number, chunked = false): Promise<ReturnType<typeof answerOf>> {
    const caller = await says(start);
    caller.socket.pause();
    const chunk = Buffer.alloc(64 * 1024, "x");
    for (let sent = 0; sent < size && !caller.socket.destroyed; sent += chunk.length) {
      const bytes = chunked ? Buffer.concat([Buffer.from("10000\r\n"), chunk, Buffer.from("\r\n")]) : chunk;
      await new Promise((done) => caller.socket.write(bytes, done));
    }
    if (chunked && !caller.socket.destroyed) caller.socket.write("0\r\n\r\n");
    caller.socket.resume();
    await caller.over;
    return answerOf(caller.heard());
  }

  test.each([2 * MIB, 16 * MIB])("413 for %d bytes, which the header said before", async (size) => {
    const answer = await sentThenRead(head(ann.token, `Content-Length: ${size}\r\n`), size);
    expect([answer.status, answer.json]).toEqual([413, TOO_LARGE]);
    expect(answer.headers.toLowerCase()).toContain("connection: close");
  });

  test("413 for a body in chunks, whose length nobody said before", async () => {
    const answer = await sentThenRead(head(ann.token, "Transfer-Encoding: chunked\r\n"), 16 * MIB, true);
    expect([answer.status, answer.json]).toEqual([413, TOO_LARGE]);
  });

  test("401 and 415 for one that says it will close its connection", async () => {
    const size = 16 * MIB;
    const closing = `Connection: close\r\nContent-Length: ${size}\r\n`;
    expect((await sentThenRead(head("x".repeat(32), closing), size)).json).toMatchObject({ code: 6 });
    expect((await sentThenRead(head(ann.token, `Content-Encoding: br\r\n${closing}`), size)).json).toMatchObject({
      code: 11,
    });
  });
});

describe("a refused body is read on for a bounded while", () => {
  test("one that never ends is heard out for the time there is, and not longer", async () => {
    await startWith({ lingerMs: 200 });
    const caller = await says(head(ann.token, `Content-Length: ${2 * MIB}\r\n`));
    await caller.over;
    expect(answerOf(caller.heard()).status).toBe(413);
  });

  test("one that goes on and on is cut off once it was that long", async () => {
    await startWith({ lingerMs: 600_000, lingerBytes: 4 * MIB });
    const caller = await says(head(ann.token, `Content-Length: ${2 ** 40}\r\n`));
    const chunk = Buffer.alloc(64 * 1024, "x");
    const pour = () => {
      while (!caller.socket.destroyed && caller.socket.write(chunk)) {}
    };
    caller.socket.on("drain", pour);
    pour();
    await caller.over;
    expect(answerOf(caller.heard()).status).toBe(413);
  });

  test("what comes after it on the same connection is not done", async () => {
    const late = JSON.stringify({ activityID: 10, date: "2020-01-01" });
    const caller = await says(
      Buffer.concat([
        Buffer.from(head(ann.token, `Content-Length: ${2 * MIB}\r\n`)),
        Buffer.alloc(2 * MIB, "x"),
        Buffer.from(`${head(ann.token, `Content-Length: ${late.length}\r\n`)}${late}`),
      ]),
    );
    await caller.over;
    expect(caller.heard().match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect((await ann.send("GET", WORKOUTS)).json.data.numEntries).toBe(0);
  });
});

describe("a malformed request is answered in the form of the interface", () => {
  const BAD = { code: 1, message: "The request can't be read" };

  test.each([
    ["a request line that isn't one", "HELLO\r\n\r\n", 400, BAD],
    ["a method nobody knows", "FETCH / HTTP/1.1\r\nHost: a\r\n\r\n", 400, BAD],
    ["a version there isn't", "GET /health HTTP/9.9\r\nHost: a\r\n\r\n", 400, BAD],
    ["TLS", Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc]), 400, BAD],
    ["a header without a name", "GET /health HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", 400, BAD],
    ["no host", "GET /health HTTP/1.1\r\n\r\n", 400, { code: 1, message: "Host: is required" }],
    ["two lengths", "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na", 400, BAD],
    [
      "a length and chunks",
      "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
      BAD,
    ],
    [
      "headers that are too long",
      `GET /health HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(1_000_000)}\r\n\r\n`,
      431,
      { code: 14, message: "The headers are too long" },
    ],
    ["a tunnel", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", 405, { code: 9, message: "This is no proxy" }],
  ])("%s", async (_what, text, status, json) => {
    const caller = await says(text);
    await caller.over;
    const answer = answerOf(caller.heard());
    expect([answer.status, answer.json]).toEqual([status, json]);
    expect(answer.headers.toLowerCase()).toMatch(/content-type: application\/json; charset=utf-8/);
    expect(answer.headers.toLowerCase()).toMatch(/connection: close/);
    expect(answer.headers.toLowerCase()).toMatch(/cache-control: private, no-store/);
    expect((await send(log.url, "GET", "/health")).status).toBe(200);
  });

  test("a private log doesn't answer to the name of another site, on any of its addresses", async () => {
    await log.close();
    log = await startService({ database: ":memory:", isRehearsal: true });
    const { port } = new URL(log.url);
    for (const path of ["/", "/sign-in", "/health", "/rest/users/me", "/nothing"]) {
      for (const host of [`evil.example:${port}`, "127.0.0.1", "127.0.0.1:1", `127.0.0.1.evil.example:${port}`]) {
        const caller = await says(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
        await caller.over;
        expect(caller.heard(), `${path} of ${host}`).toMatch(/^HTTP\/1\.1 421 /);
        expect(caller.heard()).toContain(`on this computer only, at http://127.0.0.1:${port}`);
      }
    }
    for (const host of [`127.0.0.1:${port}`, `LOCALHOST:${port}`]) {
      const caller = await says(`GET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      await caller.over;
      expect(caller.heard()).toMatch(/^HTTP\/1\.1 200 /);
    }
  });

  test("a chunk without a length, in a body that is being read", async () => {
    const caller = await says(`${head(ann.token, "Transfer-Encoding: chunked\r\n")}5\r\nhello\r\nzzz\r\n`);
    await caller.over;
    expect(answerOf(caller.heard())).toMatchObject({ status: 400, json: BAD });
  });

  test("a sender who is too slow", async () => {
    await startWith({ headersTimeoutMs: 200, requestTimeoutMs: 200, checkEveryMs: 50 });
    const caller = await says("GET /health HTTP/1.1\r\nHost: a\r\n");
    await caller.over;
    expect(answerOf(caller.heard())).toMatchObject({
      status: 408,
      json: { code: 15, message: "The request didn't arrive in time" },
    });
  });

  test("an expectation nobody knows is no reason to refuse", async () => {
    const caller = await says("GET /health HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nConnection: close\r\n\r\n");
    await caller.over;
    expect(answerOf(caller.heard())).toMatchObject({ status: 200, json: { status: "ok" } });
  });

  test("a second request that can't be read comes after the answer to the first", async () => {
    const caller = await says("GET /health HTTP/1.1\r\nHost: a\r\n\r\nHELLO\r\n\r\n");
    await caller.over;
    expect(caller.heard()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(caller.heard().split('{"status":"ok"}')).toHaveLength(2);
  });
});
