import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { zipBytes } from "../../test/support/zip-bytes.ts";
import type { Entry } from "../containers/archive.ts";
import { notingHashes } from "../containers/read-hashes.ts";
import { openZipBytes } from "../containers/zip.ts";
import { ScanAhead } from "./scan-ahead.ts";
import { scanFile } from "./scan-file.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures/device-files");
const FOLDERS = [
  "fit",
  "fit-chained",
  "fit-cut",
  "fit-multisport",
  "gpx-1.0",
  "gz-members",
  "kml-course",
  "tcx-leading-blanks",
];

/** Every device file of the fixtures, by a name of its own. */
const contents = new Map(
  FOLDERS.flatMap((folder) =>
    readdirSync(join(FIXTURES, folder, "archive")).map((name) => {
      const entry: [string, Buffer] = [`${folder}/${name}`, readFileSync(join(FIXTURES, folder, "archive", name))];
      return entry;
    }),
  ),
);

test("a second thread scans the files of a zip as their reader would, and damaged ones are told of by the reader", async () => {
  const whole = contents.get("fit/2019-05-04-07-10-05.fit") as Buffer;
  const specs = [
    ...Array.from(contents, ([name, content]) => ({ name, content })),
    { name: "stored.fit", content: whole, stored: true },
    { name: "wrong sum.fit", content: whole, crc: 7 },
    { name: "no deflate.fit", content: whole, data: Buffer.alloc(500, 0xff) },
    { name: "too long.fit", content: whole, sizeBytes: 100 },
  ];
  const zip = await openZipBytes(zipBytes(specs), "x.zip", {});
  const readHere: string[] = [];
  const { archive, hashes } = notingHashes({
    ...zip,
    read: (entry, maxBytes) => {
      readHere.push(entry.path);
      return zip.read(entry, maxBytes);
    },
  });
  await using ahead = new ScanAhead(
    archive,
    () => Iterator.from(archive.entries()),
    () => true,
  );
  const rules = new Map<string, string>();
  for (const entry of archive.entries()) {
    const scanned = await ahead.scan(entry);
    expect(scanned, entry.path).toEqual(await scanFile(zip, entry));
    if ("rule" in scanned) rules.set(entry.path, scanned.rule);
    else if (!entry.path.endsWith(".gz"))
      expect(scanned.sha256).toBe(
        createHash("sha256")
          .update(contents.get(entry.path) ?? whole)
          .digest("hex"),
      );
  }
  expect(Object.fromEntries(rules)).toEqual({
    "no deflate.fit": "archive/damaged",
    "too long.fit": "archive/size",
    "wrong sum.fit": "archive/crc",
  });
  const others = [
    "stored.fit",
    ...rules.keys(),
    ...[...contents.keys()].filter((path) => /\.(gz|kml|txt)$|empty/.test(path)),
  ];
  expect(readHere.sort()).toEqual(others.sort());
  for (const [path, content] of contents) expect(hashes.get(path)?.bytes, path).toBe(content.length);
});

test("each file that the second thread unpacks counts against the limit of the archive", async () => {
  const run = contents.get("fit/2019-05-04-07-10-05.fit") as Buffer;
  const bytes = zipBytes(["a.fit", "b.fit", "c.fit"].map((name) => ({ name, content: run })));
  const archive = await openZipBytes(bytes, "x.zip", { limits: { unpackedBytes: 2 * run.length } });
  await using ahead = new ScanAhead(
    archive,
    () => Iterator.from(archive.entries()),
    () => true,
  );
  const rules: (string | undefined)[] = [];
  for (const entry of archive.entries()) {
    const scanned = await ahead.scan(entry);
    rules.push("rule" in scanned ? scanned.rule : undefined);
  }
  expect(rules).toEqual([undefined, undefined, "archive/unpacked"]);
});

test("a reader that leaves early leaves nothing behind, and gets over a file that could not be given to the thread", async () => {
  const content = contents.get("fit/2019-05-04-07-10-05.fit") as Buffer;
  const names = Array.from({ length: 40 }, (_, index) => `${index + 10}.fit`);
  const zip = await openZipBytes(zipBytes(names.map((name) => ({ name, content }))), "x.zip", {});
  let isClosed = false;
  let readsAfterClosing = 0;
  const packed: typeof zip.packed = async (entry) => {
    if (isClosed) readsAfterClosing++;
    if (entry.path === "11.fit") throw new Error("it can only be read whole");
    return zip.packed?.(entry);
  };
  const entries = [...zip.entries()];
  for (const taken of [0, 1]) {
    isClosed = false;
    const ahead = new ScanAhead(
      { ...zip, packed },
      () => Iterator.from(entries),
      () => true,
    );
    const first = ahead.scan(entries[taken] as Entry);
    if (taken === 1) expect(await first).toMatchObject({ file: { format: "fit" } });
    await ahead[Symbol.asyncDispose]();
    isClosed = true;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(readsAfterClosing).toBe(0);
  }
});
