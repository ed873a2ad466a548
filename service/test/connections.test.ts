/** O37: senders who are slow, send too much or send too often don't keep others out. The service ends their connections. */
import type { Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { LIMITS, type Limits } from "../http/limits.ts";
import { type Service, startService } from "../server.ts";
import { send } from "./client.ts";
import { type Caller, call as rawCall } from "./raw.ts";

let log: Service | undefined;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await log?.close();
});

async function serviceWith(limits: Partial<Limits>): Promise<Service> {
  log = await startService({ database: ":memory:", limits: { ...LIMITS, ...limits } });
  return log;
}

const call = async (url: string, says: string): Promise<Caller> => {
  const caller = await rawCall(url, says);
  sockets.push(caller.socket);
  return caller;
};

const isUp = async (url: string) => (await send(url, "GET", "/health")).status;

test("O37 500 senders who never finish their headers keep nobody out, and are all closed", async () => {
  const { url } = await serviceWith({ headersTimeoutMs: 2_000, requestTimeoutMs: 60_000, checkEveryMs: 100 });
  const slow = await Promise.all(
    Array.from({ length: 500 }, () => call(url, "GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: a")),
  );
  expect(await isUp(url)).toBe(200);
  // A byte now and then doesn't help: the time counts from the start of the headers.
  for (const { socket } of slow) socket.write("a");
  await Promise.all(slow.map(({ over }) => over));
  for (const { heard } of slow) expect(heard().split("\r\n")[0]).toBe("HTTP/1.1 408 Request Timeout");
  expect(await isUp(url)).toBe(200);
});

test("O37 a sender who never finishes a body is closed", async () => {
  const { url } = await serviceWith({ headersTimeoutMs: 500, requestTimeoutMs: 500, checkEveryMs: 100 });
  const head =
    "POST /oauth2/token HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\na";
  const slow = await call(url, head);
  await slow.over;
  expect(slow.heard()).toMatch(/^HTTP\/1\.1 408 /);
  expect(await isUp(url)).toBe(200);
});

test("O37 a connection on which nothing moves is closed", async () => {
  const { url } = await serviceWith({ silenceTimeoutMs: 200 });
  const silent = await call(url, "");
  await silent.over;
  expect(await isUp(url)).toBe(200);
});

test("O37 10,000 bytes of headers are answered, 100,000 are refused with 431, and 10,000 headers harm nobody", async () => {
  const { url } = await serviceWith({});
  const asked = async (headers: string) => {
    const caller = await call(url, `GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`);
    await caller.over;
    return caller.heard().split("\r\n")[0];
  };
  expect(await asked(`X-Long: ${"a".repeat(10_000)}\r\n`)).toBe("HTTP/1.1 200 OK");
  expect(await asked(`X-Long: ${"a".repeat(100_000)}\r\n`)).toBe("HTTP/1.1 431 Request Header Fields Too Large");
  expect(await asked("a:\r\n".repeat(10_000))).toBe("HTTP/1.1 431 Request Header Fields Too Large");
  expect(await isUp(url)).toBe(200);
});

test("O37 2,000 requests in one breath are answered one after the other, and others in between", async () => {
  const { url } = await serviceWith({});
  const one = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n";
  const last = "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  const caller = await call(url, one.repeat(1_999) + last);
  expect(await isUp(url)).toBe(200);
  await caller.over;
  expect(caller.heard().split("HTTP/1.1 200 OK")).toHaveLength(2_001);
});

test("O37 one connection more than there may be is closed, and the others go on", async () => {
  const { url } = await serviceWith({ maxConnections: 3 });
  const callers = await Promise.all(Array.from({ length: 3 }, () => call(url, "GET /health HTTP/1.1\r\nHost: x\r\n")));
  const fourth = await call(url, "GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
  await fourth.over;
  expect(fourth.heard()).toBe("");
  for (const { socket } of callers) socket.write("Connection: close\r\n\r\n");
  await Promise.all(callers.map(({ over }) => over));
  for (const { heard } of callers) expect(heard()).toMatch(/^HTTP\/1\.1 200 OK/);
});

test("O37 the limits of a service that nobody set are there, and wide enough for an import over a phone", async () => {
  expect(LIMITS.headersTimeoutMs).toBeLessThanOrEqual(60_000);
  expect(LIMITS.requestTimeoutMs).toBeGreaterThanOrEqual(120_000);
  expect(Number.isFinite(LIMITS.requestTimeoutMs + LIMITS.silenceTimeoutMs + LIMITS.maxConnections)).toBe(true);
});
