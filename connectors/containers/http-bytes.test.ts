import { randomBytes } from "node:crypto";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { selfSigned } from "../../test/support/certificate.ts";
import { type Received, type Reply, startServer } from "../../test/support/http-server.ts";
import { zipBytes } from "../../test/support/zip-bytes.ts";
import { remedyOf, wordsOf } from "./http-answers.ts";
import { openHttpBytes } from "./http-bytes.ts";
import { openZipAt } from "./zip.ts";

/** Keeps the waits between two tries, and doesn't wait. */
function noted() {
  const waits: number[] = [];
  const texts: string[] = [];
  const sleep = async (ms: number) => void waits.push(ms);
  return { waits, texts, waiting: { sleep, onWait: (text: string) => void texts.push(text) } };
}

const FILE = Buffer.from("0123456789".repeat(100));

/** Gives the part that a request asks for. */
function part({ headers }: Received): Reply & { readonly body: Buffer } {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
  return {
    status: 206,
    headers: { "content-range": `bytes ${from}-${to}/1000` },
    body: FILE.subarray(Number(from), Number(to) + 1),
  };
}

test("a server that isn't there is told of in words, with the tries and what to do", async () => {
  const server = await startServer(() => ({ status: 200 }));
  await server.close();
  await expect(openHttpBytes(`${server.url}/export.zip?key=1`, "export.zip", noted().waiting)).rejects.toThrow(
    "Cannot read export.zip: nobody answers at its address (ECONNREFUSED). logferry tried 5 times in a row without a byte more. It has received nothing of the file. Give the same command again later, or download the file and name it",
  );
});

test("a server with a certificate that nobody knows is asked once, and the message says what to do", async () => {
  const server = createServer(selfSigned({ host: "127.0.0.1" }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const { waits, waiting } = noted();
  await expect(openHttpBytes(`https://127.0.0.1:${port}/export.zip`, "export.zip", waiting)).rejects.toThrow(
    "Cannot read export.zip: this computer does not trust the authority that signed the certificate of its server (DEPTH_ZERO_SELF_SIGNED_CERT). If you trust that authority, name the file with its certificate in NODE_EXTRA_CA_CERTS, or download the file and name it",
  );
  expect(waits).toEqual([]);
  await new Promise((resolve) => server.close(resolve));
});

test.each([
  ["CERT_HAS_EXPIRED", "has expired", "Ask whoever runs the server to renew it"],
  ["CERT_NOT_YET_VALID", "is not valid yet", "Check the date and time of this computer"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "is for another host", "Check the address"],
])("another try can't help against %s, and something else can", (code, words, remedy) => {
  expect(wordsOf({ code })).toContain(`the certificate of its server ${words}`);
  expect(remedyOf({ code })).toBe(remedy);
});

test.each(["ECONNREFUSED", "ECONNRESET", "ENOTFOUND"])("another try may help against %s", (code) => {
  expect(remedyOf({ code })).toBeUndefined();
});

test("a server that ends every connection before its answer is asked five times, and each wait is told of", async () => {
  const server = await startServer(() => ({ fault: "reset" }));
  const { waits, texts, waiting } = noted();
  await expect(openHttpBytes(`${server.url}/export.zip`, "export.zip", waiting)).rejects.toThrow(
    /^Cannot read export\.zip: its server ended the connection before the answer was complete(?: \(ECONNRESET\))?\. logferry tried 5 times/,
  );
  expect(server.requests).toHaveLength(5);
  expect(waits).toEqual([1000, 2000, 4000, 8000]);
  expect(texts.map((text) => text.replace(/ \([A-Z_]+\)/, ""))).toEqual([
    "export.zip: its server ended the connection before the answer was complete. logferry tries again in 1 s (try 2 of 5)",
    "export.zip: its server ended the connection before the answer was complete. logferry tries again in 2 s (try 3 of 5)",
    "export.zip: its server ended the connection before the answer was complete. logferry tries again in 4 s (try 4 of 5)",
    "export.zip: its server ended the connection before the answer was complete. logferry tries again in 8 s (try 5 of 5)",
  ]);
  await server.close();
});

test("the bytes of an answer that was cut are kept, and the rest is asked for", async () => {
  const server = await startServer((request, index) =>
    index === 0 || index > 3 ? part(request) : { ...part(request), fault: "cut" },
  );
  const { waits, texts, waiting } = noted();
  const file = await openHttpBytes(`${server.url}/export.zip`, "export.zip", { ...waiting, now: () => 0 });
  expect(await file.read(200, 800)).toEqual(FILE.subarray(200));
  expect(server.requests.map(({ headers }) => headers.range)).toEqual([
    "bytes=0-3",
    "bytes=200-999",
    "bytes=600-999",
    "bytes=800-999",
    "bytes=900-999",
  ]);
  // Each try had bytes, so none was the second in a row.
  expect(waits).toEqual([1000, 1000, 1000]);
  // One line in ten seconds of trouble is enough.
  expect(texts.map((text) => text.replace(/ \([A-Z_]+\)/, ""))).toEqual([
    "export.zip: its server ended the connection before the answer was complete. logferry keeps what came and asks for the rest (received 400 bytes of 1000 bytes)",
  ]);
  await file.close();
  await server.close();
});

test("a server that cuts every answer is given up at the byte that doesn't come, with how far it came", async () => {
  const server = await startServer((request, index) =>
    index === 0 ? part(request) : { ...part(request), fault: "cut" },
  );
  const { waiting } = noted();
  const file = await openHttpBytes(`${server.url}/export.zip`, "export.zip", waiting);
  await expect(file.read(0, 1000)).rejects.toThrow("It has received 999 bytes of 1000 bytes. Give");
  // 500, 250, 125, 62, 31, 16, 8, 4, 2 and 1 bytes came. The last byte was asked for five times.
  expect(server.requests).toHaveLength(1 + 10 + 5);
  await file.close();
  await server.close();
});

test("a server that asks for a minute again and again is given up after ten minutes", async () => {
  const server = await startServer((request, index) =>
    index % 5 === 0 ? part(request) : { status: 503, headers: { "retry-after": "60" }, body: "" },
  );
  const { waits, texts, waiting } = noted();
  const file = await openHttpBytes(`${server.url}/export.zip`, "export.zip", {
    ...waiting,
    now: () => waits.reduce((sum, ms) => sum + ms, 0),
  });
  const readAll = async () => {
    for (let at = 0; at < 1000; at += 100) await file.read(at, 100);
  };
  await expect(readAll()).rejects.toThrow(
    "its server answers with 503. Failed answers and the waits after them took more than 10 minutes",
  );
  expect(waits).toEqual(Array(10).fill(60_000));
  expect(texts).toHaveLength(10);
  await file.close();
  await server.close();
});

test("ten minutes are those of the clock, however many reads wait at once", async () => {
  const asked = new Map<string, number>();
  const server = await startServer((request, index) => {
    const range = String(request.headers.range);
    const times = (asked.get(range) ?? 0) + 1;
    asked.set(range, times);
    return index === 0 || times > 3 ? part(request) : { status: 503, headers: { "retry-after": "60" }, body: "" };
  });
  let clock = 0;
  const { texts, waiting } = noted();
  const file = await openHttpBytes(`${server.url}/export.zip`, "export.zip", {
    ...waiting,
    now: () => clock,
    async sleep(ms) {
      const end = clock + ms;
      await new Promise(setImmediate);
      clock = Math.max(clock, end);
    },
  });
  const readAll = async () => {
    for (let at = 0; at < 1000; at += 100) await Promise.all([file.read(at, 50), file.read(at + 50, 50)]);
  };
  await expect(readAll()).rejects.toThrow("took more than 10 minutes");
  expect(clock).toBeGreaterThanOrEqual(9 * 60_000);
  expect(texts.length).toBeGreaterThan(10);
  await file.close();
  await server.close();
});

describe("a server that asks for a longer wait", () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: new Date(2026, 4, 3, 13, 40) }));
  afterEach(() => vi.useRealTimers());

  const busy = (after: string): Reply => ({ status: 503, headers: { "retry-after": after }, body: "" });

  test.each([
    ["150", 150_000, "13:43"],
    [new Date(2026, 4, 3, 13, 45).toUTCString(), 300_000, "13:45"],
  ])("gets it (%s), and its end is said", async (after, ms, clock) => {
    const server = await startServer((request, index) => (index === 0 ? busy(after) : part(request)));
    const { waits, texts, waiting } = noted();
    const file = await openHttpBytes(`${server.url}/export.zip`, "export.zip", { ...waiting, now: () => 0 });
    expect(waits).toEqual([ms]);
    expect(texts).toEqual([
      `export.zip: its server answers with 503. logferry tries again at ${clock}, as the server asks (try 2 of 5)`,
    ]);
    await file.close();
    await server.close();
  });

  test.each([
    ["1500", "14:05"],
    ["86400", "2026-05-04 13:40"],
  ])("than logferry has (%s) is left at once, and the time to come back is said", async (after, clock) => {
    const server = await startServer(() => busy(after));
    const { waits, waiting } = noted();
    await expect(openHttpBytes(`${server.url}/export.zip`, "export.zip", waiting)).rejects.toThrow(
      `Cannot read export.zip: its server answers with 503. It asks to wait until ${clock}. logferry waits 10 minutes altogether. It has received nothing of the file. Give the same command again at ${clock} or later, or download the file and name it`,
    );
    expect(waits).toEqual([]);
    expect(server.requests).toHaveLength(1);
    await server.close();
  });
});

test("a host that a redirect leads to is named, where it doesn't answer", async () => {
  const gone = await startServer(() => ({ status: 200 }));
  await gone.close();
  const location = `${gone.url}/kept.zip?key=1`;
  const server = await startServer(() => ({ status: 307, headers: { location }, body: "" }));
  const { texts, waiting } = noted();
  const { host } = new URL(gone.url);
  await expect(openHttpBytes(`${server.url}/export.zip`, "export.zip", waiting)).rejects.toThrow(
    `Cannot read export.zip: nobody answers at ${host}, to which its server redirects (ECONNREFUSED). logferry tried 5 times`,
  );
  expect(texts[0]).toContain(`export.zip: nobody answers at ${host}, to which its server redirects (ECONNREFUSED). `);
  await server.close();
});

test("a server that sends a byte now and then doesn't keep a command for days", async () => {
  const server = await startServer((request, index) =>
    index === 0 ? part(request) : { ...part(request), fault: "drip" },
  );
  let now = 0;
  // Ten seconds pass at every look at the clock.
  const file = await openHttpBytes(`${server.url}/export.zip`, "export.zip", {
    ...noted().waiting,
    now: () => (now += 10_000),
  });
  await expect(file.read(0, 1000)).rejects.toThrow(
    /its server sends less than 1 kB a second\. Failed answers and the waits after them took more than 10 minutes\. It has received [1-9]\d bytes of 1000 bytes/,
  );
  expect(server.requests.length).toBeLessThan(10);
  await file.close();
  await server.close();
});

test("a server that fails in the middle of a packed file is told of, and the file doesn't count as damaged", async () => {
  const zip = zipBytes([{ name: "log.csv", content: randomBytes(12 * 2 ** 20) }]);
  const server = await startServer(({ headers }, index) => {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
    // The size, the beginning, the end with the list, and the first part of the file came.
    if (index > 3) return { status: 404, body: "" };
    const body = zip.subarray(Number(from), Number(to) + 1);
    const range = `bytes ${from}-${Number(from) + body.length - 1}/${zip.length}`;
    return { status: 206, headers: { "content-range": range }, body };
  });
  const archive = await openZipAt(`${server.url}/export.zip`, "export.zip", noted().waiting);
  const [entry] = archive.entries();
  let came = 0;
  const readAll = async () => {
    if (entry !== undefined) for await (const chunk of archive.stream(entry)) came += chunk.length;
  };
  await expect(readAll()).rejects.toThrow("Cannot read export.zip: its server has no such file (404)");
  expect(came).toBeGreaterThan(0);
  await archive.close();
  await server.close();
});

test("how far it came counts a part that was asked for twice once", async () => {
  const server = await startServer((request, index) => (index < 4 ? part(request) : { status: 503, body: "" }));
  const file = await openHttpBytes(`${server.url}/export.zip`, "export.zip", noted().waiting);
  await file.read(0, 600);
  await file.read(0, 600);
  await file.read(500, 200);
  await expect(file.read(700, 300)).rejects.toThrow("It has received 700 bytes of 1000 bytes. Give");
  await file.close();
  await server.close();
});
