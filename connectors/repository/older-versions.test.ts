import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { checkRepository } from "./check.ts";
import { openRepository } from "./repository.ts";

const root = join(temporaryFolder(), "repo");
const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");

/** The files of version 3 as logferry wrote them, to the byte. Each line has the checksum of its record. */
const README_3 = `This folder holds backups of a training log, made by logferry. Everything in it is in plain formats; logferry is not needed to read it.

snapshots/  one JSON file a backup. Its "pieces" name the files that the log consisted of at that time, and how many records each holds.
data/       the records: workouts by year, the rest by kind. A file is text packed with Zstandard, one JSON object a line:
            "value" is the record in the names of the log's interface, "sum" the first 8 digits of the SHA-256 of "value" as it is written.

Every name ends in the SHA-256 of its file. On Linux or macOS:

  sha256sum data/*/*.zst snapshots/*.json     prints what the names must end in
  zstdcat data/workouts/2024-*.zst            the workouts of 2024, of every snapshot that differs
  sha256sum -c SHA256SUMS                     checks this file and repository.json

A file that no snapshot names is left over, and of no use. Files in tmp/ were never finished.

snapshots.sha256 names every backup that must be here. "sha256sum -c snapshots.sha256" tells whether one is missing or damaged.
`;
const MARKER_3 = '{"format":"logferry-repository","version":3,"snapshots":"snapshots.sha256"}\n';
const VALUE = '{"date":"2024-02-29","id":"w1","notes":"Zürich 東京"}';
const chunk = zstdCompressSync(`{"sum":"${sha256(VALUE).slice(0, 8)}","listed":"0a1b2c3d","value":${VALUE}}\n`);
const CHUNK = `data/workouts/2024-${sha256(chunk)}.ndjson.zst`;
const snapshot = `${JSON.stringify({
  format: "logferry-snapshot",
  version: 1,
  time: "2024-03-01T01:00:00.000Z",
  day: "2024-03-01",
  logferry: "0.1.0",
  log: { host: "example.com", userHash: "0", name: "ann" },
  pass: "full",
  fullAt: "2024-03-01T01:00:00.000Z",
  unread: [],
  pieces: [{ kind: "workout", part: "2024", file: CHUNK, records: 1, bytes: chunk.length }],
})}\n`;
const SNAPSHOT = `snapshots/2024-03-01T010000.000Z-${sha256(snapshot)}.json`;
const listed = `${sha256(snapshot)}  ${SNAPSHOT}\n`;
const VERSION_3: Readonly<Record<string, string | Buffer>> = {
  [CHUNK]: chunk,
  [SNAPSHOT]: snapshot,
  "snapshots.sha256": `${listed}# ${sha256(listed)}\n`,
  "README.txt": README_3,
  SHA256SUMS: `${sha256(README_3)}  README.txt\n${sha256(MARKER_3)}  repository.json\n`,
  "repository.json": MARKER_3,
};

function writeVersion3(): void {
  for (const [name, bytes] of Object.entries(VERSION_3)) {
    mkdirSync(join(root, dirname(name)), { recursive: true });
    writeFileSync(join(root, name), bytes);
  }
}

const check = async () => checkRepository(await openRepository(root), { part: 1, of: 1 }, new AbortController().signal);

test("a repository of version 3 is read, and its next backup makes it version 4, which older ones refuse, and leaves its chunks", async () => {
  writeVersion3();
  expect(await check()).toMatchObject({ damaged: [], unused: [], records: 1 });

  const repository = await openRepository(root);
  await repository.prepareToWrite();
  expect(readFileSync(join(root, "repository.json"), "utf8")).toBe(MARKER_3.replace("3", "4"));
  const { snapshots } = await repository.readSnapshots();
  expect(snapshots).toMatchObject([{ pieces: [{ file: CHUNK }] }]);
  expect(await check()).toMatchObject({ damaged: [], unused: [], records: 1 });
  expect(readdirSync(join(root, "data/workouts"))).toEqual([CHUNK.split("/").at(-1)]);

  // Stopped between any two of the new files, it is whole.
  const names = ["README.txt", "SHA256SUMS", "repository.json"];
  const after = names.map((name) => [name, readFileSync(join(root, name))] as const);
  writeVersion3();
  for (const [name, bytes] of after) {
    writeFileSync(join(root, name), bytes);
    expect((await check()).damaged, name).toEqual([]);
  }
});

test.each(["repository.json", "SHA256SUMS", "README.txt"])(
  "a repository of version 3 that lost %s has no other damage, and may be written again",
  async (name) => {
    writeVersion3();
    rmSync(join(root, name));
    expect((await check()).damaged).toEqual([{ file: name, found: "is missing" }]);
    await (await openRepository(root)).prepareToWrite();
    expect(await check()).toMatchObject({ damaged: [], records: 1 });
  },
);
