import { open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import yauzl from "yauzl";
import { failure, MIB, noise, only, opened, paths, rules, streamed, text } from "../../test/support/opened-zip.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { extraField, zipBytes } from "../../test/support/zip-bytes.ts";
import { openArchive } from "./open.ts";
import { openZip } from "./zip.ts";

// These tests read sound zips, from memory and from the disk. Every entry is there, with its original content.

const folder = temporaryFolder("file");

describe("an honest zip", () => {
  test("says when a file was last changed, and nothing where it has the first day of the format or none", async () => {
    const zip = zipBytes([{ name: "a.csv", content: "A" }]);
    const at = zip.indexOf(Buffer.from("PK\x01\x02", "latin1"));
    const changedAt = async (date: number, time: number) => {
      const bytes = Buffer.from(zip);
      bytes.writeUInt16LE(time, at + 12);
      bytes.writeUInt16LE(date, at + 14);
      return (await opened(bytes)).entry("a.csv")?.modifiedAt;
    };
    // 2025 is year 45 of the format; 7:03:20 has its seconds in steps of two.
    expect(await changedAt((45 << 9) | (6 << 5) | 15, (7 << 11) | (3 << 5) | 10)).toBe(Date.UTC(2025, 5, 15, 7, 3, 20));
    expect(await changedAt((0 << 9) | (1 << 5) | 1, 0)).toBeUndefined();
    expect(await changedAt(0, 0)).toBeUndefined();
  });

  test("gives its entries by path in code units, folders and junk files left out", async () => {
    const archive = await opened(
      zipBytes([
        { name: "b.fit", content: "B" },
        { name: "activities/", content: "", stored: true },
        { name: "activities/1.fit", content: "1" },
        { name: "Z.fit", content: "Z" },
        { name: "é.fit", content: "é" },
        { name: "__MACOSX/._b.fit", content: "junk" },
        { name: "activities/.DS_Store", content: "junk" },
        { name: "Thumbs.db", content: "junk" },
        { name: "activities/~$list.xlsx", content: "junk" },
        { name: "activities/.~lock.list.csv#", content: "junk" },
      ]),
    );
    expect(paths(archive)).toEqual(["Z.fit", "activities/1.fit", "b.fit", "é.fit"]);
    expect(archive.issues).toEqual([]);
    expect(only(archive, "b.fit").sizeBytes).toBe(1);
    expect(archive.entry("b")).toBeUndefined();
  });

  test.each([
    ["deflated", false],
    ["stored", true],
  ])("reads and streams %s entries of every size around the limits of its buffers", async (_, stored) => {
    const sizes = [0, 1, 63, 64, 65, 16_383, 16_384, 262_143, 262_145, MIB, MIB + 1, 3 * MIB + 7];
    const specs = sizes.map((size) => ({ name: `${size}`, content: noise(size, size + 1), stored }));
    const archive = await opened(zipBytes(specs));
    for (const { name, content } of specs) {
      expect(content.equals(await archive.read(only(archive, name)))).toBe(true);
      expect(content.equals(await streamed(archive, name))).toBe(true);
    }
  });

  test.each([
    [
      "zip64 sizes in the directory, and a zip64 end",
      [{ name: "a.fit", content: "hello", zip64: true }],
      { zip64: true },
    ],
    [
      "zip64 end beside a small one that says the same",
      [{ name: "a.fit", content: "hello" }],
      { zip64: true, smallEndSpeaks: true },
    ],
    ["a comment", [{ name: "a.fit", content: "hello" }], { comment: "made by hand" }],
    [
      "a comment that mentions an end",
      [{ name: "a.fit", content: "hello" }],
      { comment: "PK\x05\x06 is where a zip ends" },
    ],
    [
      "a long extra field in the local header only",
      [{ name: "a.fit", content: "hello", local: { extra: extraField(0x9999, Buffer.alloc(5000)) } }],
      {},
    ],
    [
      "sizes that follow the data",
      [{ name: "a.fit", content: "hello", flags: 0x808, local: { crc: 0, packedBytes: 0, sizeBytes: 0 } }],
      {},
    ],
    [
      "a program in front whose length the offsets count",
      [{ name: "a.fit", content: "hello" }],
      { before: Buffer.from("MZ program"), offsetsCountBefore: true },
    ],
  ] as const)("with %s is read", async (_, entries, end) => {
    const archive = await opened(zipBytes(entries, end));
    expect(archive.issues).toEqual([]);
    expect(await text(archive, "a.fit")).toBe("hello");
    expect((await streamed(archive, "a.fit")).toString()).toBe("hello");
  });

  // Made by Info-ZIP's zip 3.0: `zip -X`, and `zip -fz -X` (zip64).
  test.each([
    [
      "UTF-8 names without the flag",
      "UEsDBAoAAAAAAGYldV2qSiYDBgAAAAYAAAANAAAAbMOkdWZlLcOpLnR4dHJ1biAxClBLAwQUAAAACABmJXVdAIhZCwsAAAAYAAAABwAAAGQvYS50eHTLSM3JyVfIQCe5AFBLAQIeAwoAAAAAAGYldV2qSiYDBgAAAAYAAAANAAAAAAAAAAEAAACkgQAAAABsw6R1ZmUtw6kudHh0UEsBAh4DFAAAAAgAZiV1XQCIWQsLAAAAGAAAAAcAAAAAAAAAAQAAAKSBMQAAAGQvYS50eHRQSwUGAAAAAAIAAgBwAAAAYQAAAAAA",
      { "d/a.txt": "hello hello hello hello\n", "läufe-é.txt": "run 1\n" },
    ],
    [
      "zip64 throughout",
      "UEsDBC0AAAAIAGYldV0AiFkL//////////8HABQAZC9hLnR4dAEAEAAYAAAAAAAAAAsAAAAAAAAAy0jNyclXyEAnuQBQSwECHgMtAAAACABmJXVdAIhZCwsAAAD/////BwAMAAAAAAABAAAApIEAAAAAZC9hLnR4dAEACAAYAAAAAAAAAFBLBgYsAAAAAAAAAB4DLQAAAAAAAAAAAAEAAAAAAAAAAQAAAAAAAABBAAAAAAAAAEQAAAAAAAAAUEsGBwAAAACFAAAAAAAAAAEAAABQSwUGAAAAAAEAAQBBAAAA/////wAA",
      { "d/a.txt": "hello hello hello hello\n" },
    ],
  ])("of another program is read: %s", async (_, base64, expected) => {
    const archive = await opened(Buffer.from(base64, "base64"));
    const contents: Record<string, string> = {};
    for (const path of paths(archive)) contents[path] = await text(archive, path);
    expect(contents).toEqual(expected);
    expect(archive.issues).toEqual([]);
  });

  test("without entries is an empty archive", async () => {
    expect(paths(await opened(zipBytes([])))).toEqual([]);
  });

  test("with bytes before or after it is read, and says so", async () => {
    const entries = [{ name: "a.fit", content: "hello" }];
    const before = await opened(zipBytes(entries, { before: Buffer.from("#!/bin/sh\n") }));
    expect(await text(before, "a.fit")).toBe("hello");
    expect(rules(before)).toEqual(["archive/leading-bytes"]);
    const after = await opened(zipBytes(entries, { after: Buffer.from("\n<!-- -->") }));
    expect(await text(after, "a.fit")).toBe("hello");
    expect(rules(after)).toEqual(["archive/trailing-bytes"]);
  });

  test("is the same in what an independent reader finds in it", async () => {
    const bytes = zipBytes([
      { name: "activities/1.fit", content: noise(70_000) },
      { name: "läufe.csv", content: "a,b\n", stored: true },
      { name: Buffer.from([0x6c, 0x84, 0x75, 0x66, 0x65]), content: "code page 437" },
    ]);
    const archive = await opened(bytes);
    const zip = await yauzl.fromBufferPromise(bytes);
    const theirs: Record<string, Buffer> = {};
    for await (const entry of zip.eachEntry()) {
      const chunks: Buffer[] = [];
      for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
      theirs[entry.fileName] = Buffer.concat(chunks);
    }
    expect(paths(archive)).toEqual(Object.keys(theirs).sort());
    for (const [path, content] of Object.entries(theirs))
      expect(content.equals(await archive.read(only(archive, path)))).toBe(true);
  });
});

describe("a zip on the disk", () => {
  test("is known by its first bytes, whatever its name", async () => {
    const path = join(folder, "export.dat");
    await writeFile(path, zipBytes([{ name: "a.fit", content: "hello" }]));
    const archive = await openArchive(path);
    expect(archive.name).toBe("export.dat");
    expect(await text(archive, "a.fit")).toBe("hello");
    await archive.close();
    await archive.close();
  });

  test("is read beyond 4 GiB", async () => {
    const far = 5 * 2 ** 30;
    const path = join(folder, "large.zip");
    const localBytes = 30 + "far.fit".length + "hello".length;
    const bytes = zipBytes(
      [{ name: "far.fit", content: "hello", stored: true, zip64: true, central: { offset: far } }],
      { zip64: { directoryOffset: far + localBytes } },
    );
    // The file is sparse. The bytes before this place take no room on the disk.
    const file = await open(path, "w");
    await file.write(Buffer.from("PK\x03\x04"), 0, 4, 0);
    await file.write(bytes, 0, bytes.length, far);
    await file.close();
    const archive = await openArchive(path);
    expect(await text(archive, "far.fit")).toBe("hello");
    expect(archive.issues).toEqual([]);
    await archive.close();
  });

  test("that is exchanged for another while it is open is noticed", async () => {
    const path = join(folder, "changing.zip");
    await writeFile(path, zipBytes([{ name: "a.fit", content: noise(100_000), stored: true }]));
    const archive = await openZip(path, "changing.zip");
    await writeFile(path, "short");
    expect(await failure(archive.read(only(archive)))).toBe("archive/changed");
    await archive.close();
  });

  test("is read by many at once", async () => {
    const path = join(folder, "many.zip");
    const specs = Array.from({ length: 200 }, (_, index) => ({ name: `${index}.fit`, content: noise(5000, index) }));
    await writeFile(path, zipBytes(specs));
    const archive = await openArchive(path);
    const contents = await Promise.all(specs.map(({ name }) => archive.read(only(archive, name))));
    expect(contents.every((content, index) => specs[index]?.content.equals(content))).toBe(true);
    await archive.close();
  });

  test("a reader that leaves a stream early leaves nothing running", async () => {
    const archive = await opened(zipBytes([{ name: "a.fit", content: noise(5 * MIB) }]));
    for await (const chunk of archive.stream(only(archive))) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect(await streamed(archive, "a.fit")).toHaveLength(5 * MIB);
  });
});
