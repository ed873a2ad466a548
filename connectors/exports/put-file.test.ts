import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Reply, type ScriptedServer, startServer } from "../../test/support/http-server.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { putFile } from "./put-file.ts";

const folder = temporaryFolder();
let storage: ScriptedServer;
let replies: Reply[] = [];
let got: { readonly method: string; readonly path: string; readonly length: string; readonly text: string }[] = [];
beforeAll(async () => {
  storage = await startServer(({ method, path, headers, body }) => {
    got.push({ method, path, length: String(headers["content-length"]), text: Buffer.from(body).toString() });
    return replies.shift() ?? { status: 200, body: "" };
  });
});
afterAll(() => storage.close());

const answers = (...statuses: readonly number[]): Reply[] =>
  statuses.map((status) => ({ status, headers: { location: `${storage.url}/elsewhere` }, body: "" }));

test.each([
  ["arrives at once", [201], undefined, []],
  ["arrives after the storage was busy", [503, 429, 200], undefined, [1_000, 2_000]],
  ["is refused for good", [403], "its address answered 403", []],
  ["follows no redirect", [307], "its address answered 307, and logferry follows no redirect there", []],
  ["is given up after four tries", [500, 500, 500, 500], "its address answered 500", [1_000, 2_000, 4_000]],
] as const)("a file %s", async (_name, statuses, problem, waits) => {
  const path = join(folder, "report.html");
  writeFileSync(path, "<p>Größe</p>");
  [replies, got] = [answers(...statuses), []];
  const waited: number[] = [];
  const sleep = async (ms: number) => void waited.push(ms);
  const file = { path, type: "text/html", signal: new AbortController().signal, sleep };
  expect(await putFile(`${storage.url}/bucket/ana?X-Sig=secret`, file)).toBe(problem);
  expect(waited).toEqual(waits);
  const one = { method: "PUT", path: "/bucket/ana", length: "14", text: "<p>Größe</p>" };
  expect(got).toEqual(statuses.map(() => one));
});

test("a problem names no part of the address", async () => {
  const path = join(folder, "report.html");
  writeFileSync(path, "");
  const file = { path, type: "text/html", signal: new AbortController().signal, sleep: async () => undefined };
  const problem = await putFile("http://127.0.0.1:1/bucket/ana?X-Sig=secret", file);
  expect(problem).toBe("its address can't be reached (ECONNREFUSED)");
});
