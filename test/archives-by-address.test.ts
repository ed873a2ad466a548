import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Received, type Reply, type ScriptedServer, startServer } from "./support/http-server.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { zipBytes } from "./support/zip-bytes.ts";

// A zip behind an address, as object storage gives it: by ranges, with a signature in the query. The test runs the real command line.

const HEADER =
  "Date,Type,Route Name,Distance (km),Duration,Average Pace,Average Speed (km/h),Calories Burned,Climb (m),Average Heart Rate (bpm),Notes,GPX File";
const EXPORT = zipBytes([
  {
    name: "cardioActivities.csv",
    content: `${HEADER}\n2017-01-24 18:07:40,Running,,5.03,26:42,5:18,11.30,384.0,22,,,\n`,
  },
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

  test("planned without a query is applied later, and one with a query must be named again", async () => {
    const address = await serve(ranges(EXPORT, '"v1"'));
    const gpx = ["plan", `${address}?${SIGNATURE}`, "--zone", "UTC", ...rehearsal.activities];
    expect((await rehearsal.run(gpx)).code).toBe(0);
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
    const ran = await rehearsal.run(importWords(address));
    expect(ran.code, ran.out + ran.err).toBe(0);
    expect(server?.requests.length).toBeGreaterThan(3);
  });

  test("that moved is followed", async () => {
    const give = ranges(EXPORT, '"v1"');
    const address = await serve((request) =>
      request.path === "/moved.zip" ? give(request) : { status: 302, headers: { location: "/moved.zip" }, body: "" },
    );
    expect((await rehearsal.run(["inspect", address])).code).toBe(0);
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
    ["has expired", () => () => ({ status: 403, body: "" }), /refuses it \(403\); the address may have expired/],
    ["is not there", () => () => ({ status: 404, body: "" }), /has no such file/],
    ["is a page", () => ranges(Buffer.from("<html>Sign in</html>".repeat(50)), '"v1"'), /the end is missing/],
    [
      "leads elsewhere by plain HTTP",
      () => () => ({ status: 302, headers: { location: "http://files.example/a.zip" }, body: "" }),
      /must begin with https/,
    ],
    [
      "redirects without end",
      () => () => ({ status: 302, headers: { location: "/again" }, body: "" }),
      /redirects without end/,
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
