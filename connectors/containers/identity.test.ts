import { afterEach, expect, test } from "vitest";
import { type ScriptedServer, startServer } from "../../test/support/http-server.ts";
import { zipBytes } from "../../test/support/zip-bytes.ts";
import { identityOf } from "./identity.ts";

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

/** Serves a file by ranges. @returns its identity as it is now */
async function served(file: Uint8Array, etag?: string): Promise<string> {
  await server?.close();
  server = await startServer(({ headers }) => {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
    const body = Buffer.from(file).subarray(Number(from), Number(to) + 1);
    const range = `bytes ${from}-${Number(from) + body.length - 1}/${file.length}`;
    return { status: 206, headers: { "content-range": range, ...(etag !== undefined && { etag }) }, body };
  });
  return identityOf(`${server.url}/export.zip?key=1`, "export.zip", {});
}

const zipOf = (text: string) =>
  zipBytes([
    { name: "activities.csv", content: text, stored: true },
    { name: "profile.csv", content: "Name\nAnna\n" },
  ]);

test("a zip of the same size with another file in it is another one, also without an ETag", async () => {
  const [before, after] = [zipOf("Date,Km\n2024-05-01,10\n"), zipOf("Date,Km\n2024-05-01,12\n")];
  expect(before.length).toBe(after.length);
  const first = await served(before);
  expect(await served(before)).toBe(first);
  expect(await served(after)).not.toBe(first);
});

test("an ETag says whether a file changed, and nothing but its first bytes is asked for", async () => {
  const first = await served(zipOf("Date,Km\n2024-05-01,10\n"), '"1"');
  expect(server?.requests).toHaveLength(1);
  expect(await served(zipOf("Date,Km\n2024-05-01,10\n"), '"2"')).not.toBe(first);
});

test("what is no zip has its size alone", async () => {
  expect(await served(Buffer.from("<html>not found</html>"))).toBe("22 ");
});
