import { createServer, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { networkInterfaces } from "node:os";
import { afterEach, expect, test } from "vitest";
import { errorOf } from "../../test/support/api.ts";
import { type Call, LONGEST_LOGIN_MS, type LoopbackReceiver, openLoopback, refusalOf } from "./loopback.ts";

// O31 of the security table: every user of this machine, and every web page on it, can call this port.

const OURS = "s7ate";
const isOurs = (answer: URLSearchParams) => answer.get("state") === OURS;
const never = new AbortController().signal;

/** A clock on which no time passes. */
const STILL = {
  sleep: (_ms: number, signal: AbortSignal) =>
    new Promise<void>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
};

let receiver: LoopbackReceiver | undefined;
afterEach(() => receiver?.close());

async function open(clock = STILL): Promise<{ port: number; at: LoopbackReceiver }> {
  receiver = await openLoopback(clock);
  return { port: Number(new URL(receiver.redirectUri).port), at: receiver };
}

interface Calling {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly host?: string;
  readonly body?: string;
}

/** Calls the port. @returns the status, text and headers; without an answer, the code of the error as status */
function call(port: number, { path = "/", method = "GET", headers = {}, host = "127.0.0.1", body = "" }: Calling) {
  return new Promise<{ status: number | string; text: string; headers: Readonly<Record<string, unknown>> }>(
    (resolve) => {
      const asked = request(
        { host, port, path, method, headers: { host: `localhost:${port}`, ...headers }, agent: false },
        (response) => {
          let text = "";
          response.on("data", (chunk) => (text += chunk));
          response.on("end", () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
          response.on("error", () => resolve({ status: "cut", text, headers: {} }));
        },
      );
      asked.on("error", (error: NodeJS.ErrnoException) =>
        resolve({ status: error.code ?? "unknown", text: "", headers: {} }),
      );
      asked.end(body);
    },
  );
}

test("O31 the answer is the exact path with the login's state, on a free port of localhost", async () => {
  const { port, at } = await open();
  expect(at.redirectUri).toBe(`http://localhost:${port}/`);
  const waiting = at.answer(isOurs, never);
  const page = await call(port, { path: `/?code=c0de&state=${OURS}` });
  expect(page.status).toBe(200);
  expect(page.text).toContain("You can close this window");
  expect(Object.fromEntries(await waiting)).toEqual({ code: "c0de", state: OURS });
});

test("O31 what it shows is safe: fixed words, nothing loaded or run, nothing kept, nowhere framed", async () => {
  const { port, at } = await open();
  const waiting = at.answer(isOurs, never);
  const evil = await call(port, { path: "/?error_description=%3Cscript%3Ealert(1)%3C/script%3E" });
  const page = await call(port, { path: `/?code=c0de%3Cimg%3E&state=${OURS}` });
  await waiting;
  for (const { text, headers } of [evil, page]) {
    expect(text).not.toMatch(/script|img|c0de|alert|src=|href=/);
    expect(headers).toMatchObject({
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
  }
});

test.each<[string, Calling, number]>([
  ["another path", { path: `/callback?code=x&state=${OURS}` }, 404],
  ["a path that only resolves to it", { path: `/x/..?code=x&state=${OURS}` }, 404],
  ["two slashes", { path: `//?code=x&state=${OURS}` }, 404],
  ["an icon", { path: "/favicon.ico" }, 404],
  ["another state", { path: "/?code=x&state=other" }, 400],
  ["no state", { path: "/?code=x" }, 400],
  ["nothing", { path: "/" }, 400],
  ["POST", { method: "POST", path: `/?code=x&state=${OURS}`, body: "a=b" }, 405],
  ["HEAD", { method: "HEAD", path: `/?code=x&state=${OURS}` }, 405],
  ["OPTIONS", { method: "OPTIONS", path: `/?code=x&state=${OURS}` }, 405],
  ["an Origin header", { path: `/?code=x&state=${OURS}`, headers: { origin: "https://evil.example" } }, 403],
  ["an Origin header of a sandboxed page", { path: `/?code=x&state=${OURS}`, headers: { origin: "null" } }, 403],
  ["a page's script", { path: `/?code=x&state=${OURS}`, headers: { "sec-fetch-mode": "no-cors" } }, 403],
  ["a name that was pointed here", { path: `/?code=x&state=${OURS}`, headers: { host: "evil.example" } }, 421],
])("O31 N3 %s is turned away, and the login waits on", async (_name, calling, status) => {
  const { port, at } = await open();
  const waiting = at.answer(isOurs, never);
  expect((await call(port, calling)).status).toBe(status);
  await call(port, { path: `/?code=right&state=${OURS}` });
  expect((await waiting).get("code")).toBe("right");
});

test("O31 a second answer finds the port closed, whoever sends it", async () => {
  const { port, at } = await open();
  const waiting = at.answer(isOurs, never);
  const both = await Promise.all([
    call(port, { path: `/?code=first&state=${OURS}` }),
    call(port, { path: `/?code=second&state=${OURS}` }),
  ]);
  const { length: taken } = both.filter(({ status }) => status === 200);
  expect(taken).toBe(1);
  await waiting;
  expect((await call(port, { path: `/?code=third&state=${OURS}` })).status).toBe("ECONNREFUSED");
});

test("O31 an answer before the login waits for one is not kept for later", async () => {
  const { port, at } = await open();
  expect((await call(port, { path: `/?code=early&state=${OURS}` })).status).toBe(400);
  const waiting = at.answer(isOurs, never);
  await call(port, { path: `/?code=right&state=${OURS}` });
  expect((await waiting).get("code")).toBe("right");
});

test("O31 it listens on the loopback addresses alone: no other address of this machine answers", async () => {
  const { port, at } = await open();
  expect([...at.addresses].toSorted()).toEqual(at.addresses.length === 2 ? ["127.0.0.1", "::1"] : ["127.0.0.1"]);
  const others = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal }) => !internal)
    // A link-local address needs its zone.
    .map(({ address, scopeid }) => (scopeid ? `${address}%${scopeid}` : address));
  for (const host of ["127.0.0.2", ...others]) {
    const code = await new Promise((resolve) => {
      const socket = connect({ host, port });
      socket.on("connect", () => {
        socket.destroy();
        resolve("connected");
      });
      socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code));
    });
    expect(code, host).not.toBe("connected");
  }
});

test("O31 a call from an address that is not this machine's is turned away, should it ever arrive", () => {
  const from = (remoteAddress: string | undefined): Call => ({
    remoteAddress,
    method: "GET",
    url: `/?code=x&state=${OURS}`,
    headers: { host: "localhost:4711" },
  });
  for (const address of ["192.0.2.7", "10.0.0.1", "2001:db8::1", "::ffff:192.0.2.7", "fe80::1", "", undefined]) {
    expect(refusalOf(from(address), 4711), String(address)).toMatchObject({ status: 403 });
  }
  for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1"]) {
    expect(refusalOf(from(address), 4711)).toBeUndefined();
  }
});

test("where this machine has ::1, the same port of it is held too, so that localhost is nobody else's", async () => {
  const { port, at } = await open();
  if (at.addresses.length === 1) {
    // Without IPv6, no program can listen on `::1`. The test proves this.
    expect(await listenOn("::1", port)).toMatch(/^EADDRNOTAVAIL$|^EAFNOSUPPORT$/);
    return;
  }
  expect(await listenOn("::1", port)).toBe("EADDRINUSE");
  const waiting = at.answer(isOurs, never);
  expect((await call(port, { host: "::1", path: `/?code=six&state=${OURS}` })).status).toBe(200);
  expect((await waiting).get("code")).toBe("six");
});

function listenOn(host: string, port: number): Promise<string> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? ""));
    server.listen({ host, port }, () => server.close(() => resolve(`free ${(server.address() as AddressInfo)?.port}`)));
  });
}

test("O31 a thousand wrong calls are turned away one by one, are told of once, and the right one is still taken", async () => {
  const { port, at } = await open();
  let told = 0;
  const waiting = at.answer(isOurs, never, () => told++);
  const statuses = new Set<number | string>();
  for (let at = 0; at < 1000; at += 20) {
    const some = Array.from({ length: 20 }, (_, index) => call(port, { path: `/?code=x&state=guess${at + index}` }));
    for (const { status } of await Promise.all(some)) statuses.add(status);
  }
  expect([...statuses]).toEqual([400]);
  expect([told, at.foreign]).toEqual([1, 1000]);
  await call(port, { path: `/?code=right&state=${OURS}` });
  expect((await waiting).get("code")).toBe("right");
});

test("O31 a caller that never finishes its request doesn't keep the port", async () => {
  const { port, at } = await open();
  const waiting = at.answer(isOurs, never);
  const slow = connect({ host: "127.0.0.1", port });
  slow.on("error", () => undefined);
  await new Promise<void>((resolve) =>
    slow.once("connect", () => slow.write("GET /?code=x HTTP/1.1\r\nHos", () => resolve())),
  );
  const ended = new Promise<void>((resolve) => slow.once("close", () => resolve()));
  await call(port, { path: `/?code=right&state=${OURS}` });
  await waiting;
  await ended;
  expect((await call(port, {})).status).toBe("ECONNREFUSED");
});

test("O31 when nothing comes for five minutes the login ends, says so, and lets go of the port", async () => {
  const slept: number[] = [];
  let over = () => {};
  const clock = {
    sleep: (ms: number) => {
      slept.push(ms);
      return new Promise<void>((resolve) => {
        over = resolve;
      });
    },
  };
  const { port, at } = await open(clock);
  const waiting = errorOf(at.answer(isOurs, never));
  await call(port, { path: "/?code=x&state=other" });
  over();
  const error = await waiting;
  expect(slept).toEqual([300_000]);
  expect(LONGEST_LOGIN_MS).toBe(300_000);
  expect(error).toMatchObject({ code: "login/timeout" });
  expect(error.message).toBe(
    "Cannot log in: the browser didn't come back within 5 minutes; what came (1) was not the answer to this login. Begin again, or use --oob where there is no browser",
  );
  expect((await call(port, {})).status).toBe("ECONNREFUSED");
});

test("Ctrl-C ends the wait at once and lets go of the port", async () => {
  const { port, at } = await open();
  const stop = new AbortController();
  const waiting = at.answer(isOurs, stop.signal).then(
    () => "answered",
    () => "stopped",
  );
  stop.abort();
  expect(await waiting).toBe("stopped");
  expect((await call(port, {})).status).toBe("ECONNREFUSED");
});
