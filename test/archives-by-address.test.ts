import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Received, type Reply, type ScriptedServer, startServer } from "./support/http-server.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { RUNKEEPER_FILES, RUNKEEPER_GPX, RUNKEEPER_HEADER } from "./support/small-sources.ts";
import { longTest, test } from "./support/tier-tests.ts";
import { zipBytes } from "./support/zip-bytes.ts";

// A zip behind an address, as object storage gives it: by ranges, with a signature in the query. The test runs the real command line.

const EXPORT = zipBytes([
  ...RUNKEEPER_FILES,
  // The import does not need this file, so it must not cross the network.
  { name: "photos/large.jpg", content: randomBytes(24 * 2 ** 20), stored: true },
]);
const SIGNATURE = "X-Sig=tOpSecret0123456789";

/** Gives ranges of a file, as RFC 9110 says. Shares no code with the reader. */
function ranges(file: Uint8Array, etag: string): (request: Received) => Reply {
  return ({ headers }) => {
    if (headers["if-match"] !== undefined && headers["if-match"] !== etag) return { status: 412, body: "" };
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
    if (from === undefined) return { status: 200, body: file };
    const part = file.subarray(Number(from), Number(to) + 1);
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${file.length}`;
    return { status: 206, headers: { etag, "content-range": range }, body: part };
  };
}

let rehearsal: Rehearsal;
let server: ScriptedServer | undefined;
beforeEach(async () => {
  rehearsal = await rehearse();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await rehearsal.close();
});

async function serve(script: (request: Received, index: number) => Reply): Promise<string> {
  server = await startServer(script);
  return `${server.url}/exports/export_1.zip`;
}

const importWords = (address: string) => ["import", address, "--zone", "UTC", "--json", ...rehearsal.activities];

describe("an archive behind an address", () => {
  test("is read by ranges: what nobody wants stays where it is", async () => {
    let sent = 0;
    const give = ranges(EXPORT, '"v1"');
    const address = await serve((request) => {
      const reply = give(request);
      sent += (reply.body ?? "").length;
      return reply;
    });
    const ran = await rehearsal.run(["inspect", "--json", address]);
    expect(ran.code, ran.err).toBe(0);
    expect(jsonLines(ran.out)).toContainEqual(
      expect.objectContaining({ name: "export_1.zip", title: "Runkeeper export" }),
    );
    expect(sent).toBeLessThan(EXPORT.length / 2);
  });

  test("is imported, and its signature is in no output, journal or report", async () => {
    const address = `${await serve(ranges(EXPORT, '"v1"'))}?${SIGNATURE}`;
    const report = join(rehearsal.folder, "report.html");
    const first = await rehearsal.run([...importWords(address), "--report", report, "--verbose"]);
    expect(first.code, first.out + first.err).toBe(0);
    expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(1);
    const again = await rehearsal.run(importWords(address));
    expect(jsonLines(again.out).findLast(({ type }) => type === "summary")).toMatchObject({
      ledger: { created: 0, updated: 0 },
    });
    const status = await rehearsal.run(["status", "--verbose"]);
    const files = readdirSync(rehearsal.folder, { recursive: true, encoding: "utf8" })
      .map((name) => join(rehearsal.folder, name))
      .filter((path) => statSync(path).isFile());
    const texts = files.map((path) => readFileSync(path, "latin1"));
    for (const text of [first.out, first.err, again.out, status.out, ...texts]) expect(text).not.toContain("tOpSecret");
  });

  longTest("planned with a query must be named again, and is taken then", async () => {
    const address = `${await serve(ranges(EXPORT, '"v1"'))}?${SIGNATURE}`;
    const planned = await rehearsal.run(["plan", address, "--zone", "UTC", ...rehearsal.activities]);
    expect(planned.code, planned.out + planned.err).toBe(0);
    // A process of its own, as a person has it: no other command's memory knows the query.
    const applied = await rehearsal.start(["apply"]).ended;
    expect(applied.code, applied.out + applied.err).toBe(5);
    expect(applied.err).toContain(
      "doesn't store the query of an address, nor its user and password. Name the whole address once more",
    );
    expect(applied.err).toContain("logferry import 'http://127.0.0.1");
    expect(applied.err).not.toContain("tOpSecret");
    expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(0);
    const again = await rehearsal.run(importWords(address));
    expect(again.code, again.out + again.err).toBe(0);
    expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(1);
  });

  test("that breaks off while it is loaded says how to resume, and the same command does", async () => {
    const give = ranges(EXPORT, '"v1"');
    let isGone = false;
    const address = `${await serve((request, index) => {
      // The first process reads all of it in a few requests. The archive is opened once more for loading.
      isGone ||= index >= 3 && request.headers["if-match"] === undefined;
      return isGone ? { status: 404, body: "" } : give(request);
    })}?${SIGNATURE}`;
    const first = await rehearsal.run(importWords(address));
    expect(first.code, first.out + first.err).toBe(5);
    expect(first.out + first.err).toContain(
      "Then resume with: the same logferry import, with the whole address of the archive",
    );
    await server?.close();
    server = undefined;
    const whole = `${await serve(give)}?${SIGNATURE}`;
    const again = await rehearsal.run(importWords(whole));
    expect(again.code, again.out + again.err).toBe(0);
    expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(1);
  });

  longTest("planned without a query is applied later", async () => {
    const address = await serve(ranges(EXPORT, '"v1"'));
    expect((await rehearsal.run(["plan", address, "--zone", "UTC", ...rehearsal.activities])).code).toBe(0);
    const applied = await rehearsal.run(["apply"]);
    expect(applied.code, applied.out + applied.err).toBe(0);
    expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(1);
  });

  test("is asked for again after a server's trouble", async () => {
    const give = ranges(EXPORT, '"v1"');
    const address = await serve((request, index) => {
      if (index === 0) return { status: 503, headers: { "retry-after": "0" }, body: "" };
      if (index === 2) return { status: 429, headers: { "retry-after": "0" }, body: "" };
      return give(request);
    });
    const ran = await rehearsal.run(importWords(address).filter((word) => word !== "--json"));
    expect(ran.code, ran.out + ran.err).toBe(0);
    expect(server?.requests.length).toBeGreaterThan(3);
    expect(ran.err).toMatch(/^export_1\.zip: its server answers with 503\. logferry tries again \(try 2 of 5\)$/m);
  });

  test("whose server never recovers ends with 5, and says the tries, how far it came and what to do", async () => {
    const give = ranges(EXPORT, '"v1"');
    const address = await serve((request, index) =>
      index < 2 ? give(request) : { status: 503, headers: { "retry-after": "0" }, body: "" },
    );
    const ran = await rehearsal.run(importWords(address));
    expect(ran.code).toBe(5);
    expect(ran.out + ran.err).toMatch(
      /its server answers with 503\. logferry tried 5 times in a row without a byte more\. It has received 66 kB of 25\.2 MB\. Give the same command again later, or download the file and name it/,
    );
    // In front of them came the size and the first part.
    expect(server?.requests).toHaveLength(2 + 5);
  });

  test("that moved is followed", async () => {
    const give = ranges(EXPORT, '"v1"');
    const address = await serve((request) =>
      request.path === "/moved.zip" ? give(request) : { status: 302, headers: { location: "/moved.zip" }, body: "" },
    );
    expect((await rehearsal.run(["inspect", address])).code).toBe(0);
  });

  test("with a user and a password is read with them, which go to its own host alone, and nowhere else", async () => {
    const basic = `Basic ${Buffer.from("jo:p@ss tOpSecret").toString("base64")}`;
    const give = ranges(EXPORT, '"v1"');
    const storage = await startServer(give);
    const address = await serve(({ headers }) =>
      headers.authorization === basic
        ? { status: 302, headers: { location: `${storage.url}/kept.zip` }, body: "" }
        : { status: 401, body: "" },
    );
    const named = address.replace("//", "//jo:p%40ss%20tOpSecret@");
    const report = join(rehearsal.folder, "report.html");
    const ran = await rehearsal.run([...importWords(named), "--report", report, "--verbose"]);
    expect(ran.code, ran.out + ran.err).toBe(0);
    expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(1);
    expect(storage.requests.length).toBeGreaterThan(0);
    expect(storage.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
    await storage.close();
    const files = readdirSync(rehearsal.folder, { recursive: true, encoding: "utf8" })
      .map((name) => join(rehearsal.folder, name))
      .filter((path) => statSync(path).isFile());
    for (const text of [ran.out, ran.err, ...files.map((path) => readFileSync(path, "latin1"))]) {
      expect(text).not.toContain("tOpSecret");
      expect(text).not.toContain(basic.slice("Basic ".length));
    }
  });

  test("whose password is wrong, or missing, says so", async () => {
    const address = await serve(() => ({ status: 401, body: "" }));
    const wrong = await rehearsal.run(["inspect", address.replace("//", "//jo:tOpSecret@")]);
    expect(wrong.code).toBe(5);
    expect(wrong.err).toContain("its server refuses the user and password of the address (401)");
    expect(wrong.err).not.toContain("tOpSecret");
    const missing = await rehearsal.run(["inspect", address]);
    expect(missing.code).toBe(5);
    expect(missing.err).toContain("Or write user and password into it: https://USER:PASSWORD@HOST/");
  });

  test.each<[number, boolean, string]>([
    [
      401,
      false,
      "asks for a login (401). logferry sends the user and password of an address to its own host alone. Download",
    ],
    [
      401,
      true,
      "asks for a login (401). logferry sends the user and password of an address to its own host alone. Download",
    ],
    [403, false, "refuses it (403). Such a redirect is often good for minutes only: give the same command again."],
    [404, false, "has no such file (404)"],
  ])("that leads to another host, which answers %i (login: %s), names that host", async (status, hasLogin, says) => {
    const storage = await startServer(() => ({ status, body: "" }));
    const location = `${storage.url}/kept.zip?${SIGNATURE}`;
    const address = await serve(() => ({ status: 302, headers: { location }, body: "" }));
    const ran = await rehearsal.run(["inspect", hasLogin ? address.replace("//", "//jo:tOpSecret@") : address]);
    await storage.close();
    const { host } = new URL(storage.url);
    expect(ran.err).toContain(`Cannot read export_1.zip: ${host}, to which its server redirects, ${says}`);
    expect(ran.err).not.toContain("tOpSecret");
    expect(ran.code).toBe(5);
  });

  longTest("of a page that gives several is another one for each query, in one command too", async () => {
    const other = zipBytes([
      {
        name: "cardioActivities.csv",
        content: `${RUNKEEPER_HEADER}\n2017-02-24 18:07:40,Running,,6.03,30:42,5:18,11.30,384.0,22,,,a.gpx\n`,
      },
      { name: "a.gpx", content: RUNKEEPER_GPX.replaceAll("2017-01-24", "2017-02-24") },
    ]);
    const address = await serve((request) => ranges(request.query.get("id") === "2" ? other : EXPORT, '"v1"')(request));
    const both = [`${address}?id=1&sig=a`, `${address}?id=2&sig=a`];
    const words = importWords(both[0] ?? "");
    const ran = await rehearsal.run([...words, both[1] ?? ""]);
    expect(ran.code, ran.out + ran.err).toBe(0);
    expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(2);
    const unclear = await rehearsal.run([...words, `${address}?id=1&sig=b`]);
    expect(unclear.code).toBe(5);
    expect(unclear.out).toContain("Cannot tell two addresses of export_1.zip apart");
  });

  test.each<
    [
      what: string,
      script: (give: (request: Received) => Reply) => (request: Received, index: number) => Reply,
      says: RegExp,
    ]
  >([
    [
      "changes while it is read",
      (give) => (request, index) => (index < 2 ? give(request) : ranges(EXPORT, '"v2"')(request)),
      /it changed since logferry began to read it/,
    ],
    ["gives no ranges", () => () => ({ status: 200, body: EXPORT }), /doesn't give parts of files; download it/],
    [
      "is a page for a login",
      () => () => ({
        status: 200,
        headers: { "content-type": "text/html; charset=utf-8" },
        body: "<html>Sign in</html>",
      }),
      /it is a web page, no zip\. The link has expired, or asks for a login: download it once more/,
    ],
    ["has expired", () => () => ({ status: 403, body: "" }), /refuses it \(403\); the address may have expired/],
    ["is not there", () => () => ({ status: 404, body: "" }), /has no such file/],
    [
      "is a page",
      () => ranges(Buffer.from("<html>Sign in</html>".repeat(50)), '"v1"'),
      /it is a web page, no zip\. The link has expired/,
    ],
    [
      "gives another part than it was asked for",
      (give) => (request, index) => {
        const reply = give(request);
        const shifted = (range = "") =>
          range.replace(/\d+-\d+/, (part) => part.replace(/\d+/g, (at) => `${Number(at) + 1}`));
        return index < 1
          ? reply
          : { ...reply, headers: { ...reply.headers, "content-range": shifted(reply.headers?.["content-range"]) } };
      },
      /answered with another part of the file than logferry asked for/,
    ],
    [
      "begins elsewhere",
      (give) => (request) => ({ ...give(request), headers: { "content-range": `bytes 7-10/${EXPORT.length}` } }),
      /answered with another part of the file than logferry asked for/,
    ],
    [
      "leads elsewhere by plain HTTP",
      () => () => ({ status: 302, headers: { location: "http://files.example/a.zip" }, body: "" }),
      /: its server redirects to http:\/\/files\.example\. logferry follows to https:\/\/ alone, .*; download it and name the file\n/,
    ],
    [
      "leads nowhere",
      () => () => ({ status: 302, body: "" }),
      /: its server redirects \(302\), and doesn't say where to; download it/,
    ],
    [
      "redirects without end",
      () => () => ({ status: 302, headers: { location: "/again" }, body: "" }),
      /redirects without end, more than 5 times in a row; download it/,
    ],
  ])("that %s is refused with 5", async (_what, script, says) => {
    const address = `${await serve(script(ranges(EXPORT, '"v1"')))}?${SIGNATURE}`;
    const ran = await rehearsal.run(["inspect", address]);
    expect(ran.err).toMatch(says);
    expect(ran.err).not.toContain("tOpSecret");
    expect(ran.code).toBe(5);
  });

  test("by plain HTTP on another machine is refused before anything is asked", async () => {
    const ran = await rehearsal.run(["inspect", "http://files.example/export.zip"]);
    expect(ran.code).toBe(5);
    expect(ran.err).toContain("its address must begin with https://");
  });
});
