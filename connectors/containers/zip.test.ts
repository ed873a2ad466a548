import { mkdtemp, open, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import yauzl from "yauzl";
import { growth, LINEAR, NO_MORE, timesTheWork } from "../../test/support/growth.ts";
import { extraField, u16, u32, type ZipSpec, zipBytes } from "../../test/support/zip-bytes.ts";
import { FatalError } from "../errors.ts";
import type { Archive, Entry } from "./archive.ts";
import { ArchiveError } from "./archive-error.ts";
import { openArchive } from "./open.ts";
import type { Limits } from "./options.ts";
import { openZip, openZipBytes } from "./zip.ts";

const MIB = 2 ** 20;
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "zip-test-"));
});

afterAll(() => rm(folder, { recursive: true }));

const opened = (bytes: Uint8Array, limits?: Partial<Limits>) =>
  openZipBytes(bytes, "x.zip", limits === undefined ? {} : { limits });
const paths = (archive: Archive) => Array.from(archive.entries(), (entry) => entry.path);
const rules = (archive: Archive) => archive.issues.map((issue) => issue.rule);
const only = (archive: Archive, path = "a.fit") => archive.entry(path) as Entry;

async function text(archive: Archive, path: string): Promise<string> {
  return Buffer.from(await archive.read(only(archive, path))).toString();
}

async function streamed(archive: Archive, path: string, maxBytes?: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive.stream(only(archive, path), maxBytes)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The rule of the ArchiveError that reading gives. */
async function failure(reading: Promise<unknown>): Promise<string> {
  const error = await reading.then(
    () => undefined,
    (thrown) => thrown,
  );
  if (!(error instanceof ArchiveError)) throw error ?? new Error("it was read");
  return error.rule;
}

/** The code of the FatalError that opening gives. */
async function refusal(bytes: Uint8Array, limits?: Partial<Limits>): Promise<string> {
  const error = await opened(bytes, limits).then(
    () => undefined,
    (thrown) => thrown,
  );
  if (!(error instanceof FatalError) || error.reason !== "source") throw error ?? new Error("it was opened");
  expect(error.message).toMatch(/^Cannot open x\.zip: /);
  return error.code;
}

/** Text that deflates to about a third, and differs everywhere. */
function noise(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed;
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[at] = 0x30 + (state >>> 28);
  }
  return bytes;
}

describe("an honest zip", () => {
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

describe("names", () => {
  const refused = async (name: string | Uint8Array) => {
    const archive = await opened(
      zipBytes([
        { name, content: "x" },
        { name: "good.fit", content: "y" },
      ]),
    );
    expect(paths(archive)).toEqual(["good.fit"]);
    expect(archive.issues).toHaveLength(1);
    return archive.issues[0];
  };

  // RELIABILITY B.7, Z1.
  test.each([
    "../x.fit",
    "/x.fit",
    "C:\\x.fit",
    "c:x.fit",
    "\\\\srv\\x.fit",
    "..\\x.fit",
    "a/../../b.fit",
    "a/../b.fit",
    "./x.fit",
    "a//b.fit",
    "~/x.fit",
    "~root/x.fit",
    "CON",
    "nul.fit",
    "a/com1.fit",
    "a.fit ",
    "a./b.fit",
    "",
    "in.zip!/a.fit",
  ])("%j is unsafe and refused, the rest goes on", async (name) => {
    expect(await refused(name)).toMatchObject({ severity: "error", rule: "archive/unsafe-name" });
  });

  // Z2.
  test.each([
    ["NUL", "a.fit\0.exe"],
    ["ESC", "a\x1b[2Jb.fit"],
    ["a direction override", "run\u202etif.exe"],
    ["a one-byte control", "a\u009b2J.fit"],
  ])("%s in a name is refused and never shown as it is", async (_, name) => {
    const issue = await refused(name);
    expect(issue?.rule).toBe("archive/bad-name");
    expect(JSON.stringify(Object.values({ ...issue, ...issue?.origin }))).not.toMatch(/\\u0000|\\u001b|\u009b|\u202e/);
  });

  test("a name flagged UTF-8 that isn't is refused", async () => {
    const archive = await opened(
      zipBytes([{ name: Buffer.from("\xff\xfe.fit", "latin1"), flags: 0x800, content: "x" }]),
    );
    expect(rules(archive)).toEqual(["archive/bad-name"]);
  });

  test("a name without the flag that isn't UTF-8 is code page 437", async () => {
    // "läufe" in code page 437 (0x84 is ä).
    const archive = await opened(zipBytes([{ name: Buffer.from([0x6c, 0x84, 0x75, 0x66, 0x65]), content: "x" }]));
    expect(paths(archive)).toEqual(["läufe"]);
  });

  test("Info-ZIP's name in UTF-8 counts when it belongs to the name, and not when the name was changed since", async () => {
    const raw = Buffer.from([0x94, 0x2e, 0x66]);
    const field = (of: Uint8Array) =>
      extraField(0x7075, Buffer.concat([Buffer.from([1]), u32(crc32(of)), Buffer.from("ő.f")]));
    expect(paths(await opened(zipBytes([{ name: raw, content: "x", extra: field(raw) }])))).toEqual(["ő.f"]);
    expect(paths(await opened(zipBytes([{ name: raw, content: "x", extra: field(Buffer.from("?")) }])))).toEqual([
      "ö.f",
    ]);
  });

  test("a backslash between folders is a slash", async () => {
    const archive = await opened(zipBytes([{ name: "activities\\1.fit", content: "x" }]));
    expect(await text(archive, "activities/1.fit")).toBe("x");
  });

  test.each([
    ["1,023 bytes", `${"a/".repeat(511)}b`, []],
    ["1,024 bytes", `${"a/".repeat(511)}bc`, []],
    ["1,025 bytes", `${"a/".repeat(511)}bcd`, ["archive/name-too-long"]],
    ["254 bytes in a part", "é".repeat(127), []],
    ["255 bytes in a part", `${"é".repeat(127)}a`, []],
    ["256 bytes in a part", "é".repeat(128), ["archive/name-too-long"]],
  ])("%s", async (_, name, expected) => {
    expect(rules(await opened(zipBytes([{ name, content: "x" }])))).toEqual(expected);
  });

  // Z10.
  test("a name that comes twice is read twice, the second under a name of its own, and reported", async () => {
    const archive = await opened(
      zipBytes([
        { name: "a.fit.gz", content: "first" },
        { name: "a.fit.gz", content: "second" },
        { name: "a (2).fit.gz", content: "has the name already" },
        { name: "a.fit.gz", content: "third" },
      ]),
    );
    const contents = await Promise.all(paths(archive).map((path) => text(archive, path)));
    expect(contents.sort()).toEqual(["first", "has the name already", "second", "third"]);
    expect(await text(archive, "a.fit.gz")).toBe("first");
    expect(await text(archive, "a (2).fit.gz")).toBe("second");
    expect(new Set(paths(archive)).size).toBe(4);
    expect(archive.issues.map(({ severity, rule }) => [severity, rule])).toEqual([
      ["warning", "archive/duplicate-name"],
      ["warning", "archive/duplicate-name"],
      ["warning", "archive/duplicate-name"],
    ]);
  });

  test("20,000 entries of one name cost by their number, not by its square", async () => {
    const alike = (count: number) => zipBytes(Array.from({ length: count }, () => ({ name: "a", stored: true })));
    expect(await growth(alike, opened, 10_000)).toBeLessThanOrEqual(LINEAR);
    expect(paths(await opened(alike(20_000)))).toHaveLength(20_000);
  });
});

describe("a refused entry is an issue, and the rest goes on", () => {
  const good: ZipSpec = { name: "good.fit", content: "y" };

  test.each([
    // Z3.
    ["a link", { mode: 0o120777 }, "archive/link"],
    ["a device", { mode: 0o020666 }, "archive/link"],
    ["a pipe", { mode: 0o010644 }, "archive/link"],
    ["a socket", { mode: 0o140644 }, "archive/link"],
    // Z7.
    ["an encrypted entry", { flags: 0x801 }, "archive/encrypted"],
    ["a strongly encrypted entry", { flags: 0x841 }, "archive/encrypted"],
    ["an entry encrypted by AES", { method: 99 }, "archive/encrypted"],
    ["an entry packed by LZMA", { method: 14 }, "archive/method"],
    ["an entry on another disk", { disk: 3 }, "archive/multi-disk"],
    ["a zip64 size that is nowhere", { central: { sizeBytes: 0xffffffff } }, "archive/size"],
    ["an entry that starts past the end", { central: { offset: 0x7fffffff } }, "archive/overlap"],
    ["an entry that reaches into the directory", { central: { packedBytes: 5_000_000 } }, "archive/overlap"],
  ] as const)("%s", async (_, spec, rule) => {
    const archive = await opened(zipBytes([good, { name: "bad.fit", content: "x", ...spec }]));
    expect(paths(archive)).toEqual(["good.fit"]);
    expect(archive.issues).toMatchObject([{ severity: "error", rule, origin: { archive: "x.zip", entry: "bad.fit" } }]);
    expect(await text(archive, "good.fit")).toBe("y");
  });

  test("a plain file and a folder of Unix are no links", async () => {
    const archive = await opened(
      zipBytes([
        { name: "d/", mode: 0o040755 },
        { ...good, mode: 0o100644 },
      ]),
    );
    expect(paths(archive)).toEqual(["good.fit"]);
    expect(archive.issues).toEqual([]);
  });

  test("an entry that hides in a folder's name is refused", async () => {
    expect(rules(await opened(zipBytes([{ name: "d/", content: "hidden" }, good])))).toHaveLength(1);
  });

  // Z5.
  test("entries that all point at one are refused", async () => {
    const kernel: ZipSpec = { name: "0", content: noise(1000) };
    const others = ["1", "2", "3"].map((name) => ({ ...kernel, name, directoryOnly: true, central: { offset: 0 } }));
    const archive = await opened(zipBytes([kernel, ...others, good]));
    expect(paths(archive)).toEqual(["good.fit"]);
    expect(rules(archive)).toEqual(Array(4).fill("archive/overlap"));
  });

  test("an entry quoted inside another's data is refused with it", async () => {
    const inner = zipBytes([{ name: "inner", content: "quoted", stored: true }]);
    const outer: ZipSpec = { name: "outer", data: inner, content: inner, stored: true };
    // The local header of `inner` is the first thing in the data of `outer`: 30 bytes of header and 5 of name before it.
    const quoted: ZipSpec = {
      name: "inner",
      content: "quoted",
      stored: true,
      directoryOnly: true,
      central: { offset: 35 },
    };
    const archive = await opened(zipBytes([outer, quoted, good]));
    expect(paths(archive)).toEqual(["good.fit"]);
    expect(rules(archive)).toEqual(["archive/overlap", "archive/overlap"]);
  });

  test("2,000 overlapping entries that would unpack to 42 GB cost no more than looking at them", async () => {
    const overlapping = (content: Uint8Array) => {
      const rest = Array.from({ length: 1999 }, (_, index) => ({
        name: `${index + 1}`,
        crc: 0,
        sizeBytes: content.length,
        packedBytes: 20_000,
        directoryOnly: true,
        central: { offset: 0 },
      }));
      return zipBytes([{ name: "0", content }, ...rest]);
    };
    const [large, small] = [overlapping(Buffer.alloc(21 * MIB)), overlapping(Buffer.alloc(21))];
    expect(paths(await opened(large))).toEqual([]);
    expect(
      await timesTheWork(
        () => opened(large),
        () => opened(small),
      ),
    ).toBeLessThanOrEqual(NO_MORE);
  });
});

describe("an entry that can't be unpacked says so when it is read", () => {
  const content = noise(3000);
  const packed = deflateRawSync(content);
  const flipped = Buffer.from(packed);
  flipped[1000] = (flipped[1000] as number) ^ 0xff;

  test.each<[string, Partial<ZipSpec>, string]>([
    // Z7.
    ["a wrong checksum", { crc: 1 }, "archive/crc"],
    ["more bytes than declared", { sizeBytes: 10 }, "archive/size"],
    ["fewer bytes than declared", { sizeBytes: 4000 }, "archive/size"],
    ["stored with two sizes", { stored: true, sizeBytes: 2999 }, "archive/size"],
    ["packed data cut", { data: packed.subarray(0, 500) }, "archive/truncated"],
    ["no packed data at all", { data: Buffer.alloc(0) }, "archive/truncated"],
    ["packed data that is none", { data: Buffer.alloc(500, 0xff) }, "archive/damaged"],
    // Z9.
    ["another name in its own header", { local: { name: "b.fit" } }, "archive/header"],
    ["a name of another length in its own header", { local: { name: "bb.fit" } }, "archive/header"],
    ["another method in its own header", { local: { method: 0 } }, "archive/header"],
    ["another size in its own header", { local: { sizeBytes: 1 } }, "archive/header"],
    ["another packed size in its own header", { local: { packedBytes: 1 } }, "archive/header"],
    ["another checksum in its own header", { local: { crc: 1 } }, "archive/header"],
    ["encryption in its own header only", { local: { flags: 0x801 } }, "archive/header"],
    ["a place where no header is", { central: { offset: 1, packedBytes: packed.length - 1 } }, "archive/header"],
  ])("%s", async (_, spec, rule) => {
    const archive = await opened(
      zipBytes([
        { name: "a.fit", content, ...spec },
        { name: "good.fit", content: "y" },
      ]),
    );
    expect(await failure(archive.read(only(archive)))).toBe(rule);
    expect(await failure(streamed(archive, "a.fit"))).toBe(rule);
    expect(await text(archive, "good.fit")).toBe("y");
  });

  test("a flipped byte is found, read whole or in chunks", async () => {
    const archive = await opened(zipBytes([{ name: "a.fit", content, data: flipped }]));
    expect(await failure(archive.read(only(archive)))).toMatch(/^archive\/(crc|damaged|truncated|size)$/);
    expect(await failure(streamed(archive, "a.fit"))).toMatch(/^archive\/(crc|damaged|truncated|size)$/);
  });

  test("a large entry is checked as well when it comes in chunks", async () => {
    const large = noise(3 * MIB);
    const lies: Partial<ZipSpec>[] = [{ crc: 1 }, { sizeBytes: 2 * MIB }, { sizeBytes: 4 * MIB }];
    for (const lie of lies) {
      const archive = await opened(zipBytes([{ name: "a.fit", content: large, ...lie }]));
      expect(await failure(streamed(archive, "a.fit"))).toBe(lie.crc === 1 ? "archive/crc" : "archive/size");
    }
    const cut = await opened(
      zipBytes([{ name: "a.fit", content: large, data: deflateRawSync(large).subarray(0, 99_999) }]),
    );
    expect(await failure(streamed(cut, "a.fit"))).toBe("archive/truncated");
  });

  test("a local extra field that hides the start of the next entry is an overlap", async () => {
    const archive = await opened(
      zipBytes([
        // The header claims an extra field longer than what is written: the data would end inside `good.fit`.
        { name: "a.fit", content: "x", stored: true, data: Buffer.concat([Buffer.from("x")]) },
        { name: "good.fit", content: "y" },
      ]).fill(u16(7), 28, 30),
    );
    expect(await failure(archive.read(only(archive)))).toBe("archive/overlap");
  });
});

describe("caps", () => {
  // Z4: 1029:1 is the most deflate can do.
  test("an entry that unpacks to 1,000 times its size is refused, read whole or in chunks", async () => {
    const archive = await opened(zipBytes([{ name: "a.fit", content: Buffer.alloc(8 * MIB) }]));
    expect(await failure(archive.read(only(archive)))).toBe("archive/ratio");
    expect(await failure(streamed(archive, "a.fit"))).toBe("archive/ratio");
  });

  test("below the first MiB the ratio doesn't matter", async () => {
    const archive = await opened(zipBytes([{ name: "a.fit", content: Buffer.alloc(MIB) }]));
    expect(await archive.read(only(archive))).toHaveLength(MIB);
  });

  test("the ratio at cap - 1, cap and cap + 1", async () => {
    const content = noise(2 * MIB);
    const packedBytes = deflateRawSync(content).length;
    const exact = content.length / packedBytes;
    const bytes = zipBytes([{ name: "a.fit", content }]);
    const at = async (ratio: number) => {
      const archive = await opened(bytes, { ratio });
      return archive.read(only(archive)).then(
        () => "read",
        (error) => error.rule,
      );
    };
    expect(await at(exact + 1 / packedBytes)).toBe("read");
    expect(await at(exact)).toBe("read");
    expect(await at(exact - 1 / packedBytes)).toBe("archive/ratio");
  });

  test.each([
    [9, "read"],
    [10, "read"],
    [11, "archive/too-large"],
  ])("an entry of %d bytes under a cap of 10: %s", async (size, expected) => {
    const bytes = zipBytes([{ name: "a.fit", content: noise(size) }]);
    const outcome = (reading: Promise<unknown>) =>
      reading.then(
        () => "read",
        (error) => error.rule,
      );
    const archive = await opened(bytes, { entryBytes: 10, streamedBytes: 10 });
    expect(await outcome(archive.read(only(archive)))).toBe(expected);
    expect(await outcome(streamed(archive, "a.fit"))).toBe(expected);
    const asked = await opened(bytes);
    expect(await outcome(asked.read(only(asked), 10))).toBe(expected);
    expect(await outcome(streamed(asked, "a.fit", 10))).toBe(expected);
  });

  // Z8.
  test.each([
    [9, "opened"],
    [10, "opened"],
    [11, "archive/too-many-entries"],
  ])("%d entries under a cap of 10: %s", async (count, expected) => {
    const bytes = zipBytes(Array.from({ length: count }, (_, index) => ({ name: `${index}`, content: "x" })));
    const outcome =
      expected === "opened" ? opened(bytes, { entries: 10 }).then(() => "opened") : refusal(bytes, { entries: 10 });
    expect(await outcome).toBe(expected);
  });

  test("the list of files at cap - 1, cap and cap + 1", async () => {
    const bytes = zipBytes([{ name: "abc", content: "x" }]);
    // 46 bytes of record and 3 of name.
    expect(paths(await opened(bytes, { centralDirectoryBytes: 50 }))).toEqual(["abc"]);
    expect(paths(await opened(bytes, { centralDirectoryBytes: 49 }))).toEqual(["abc"]);
    expect(await refusal(bytes, { centralDirectoryBytes: 48 })).toBe("archive/directory-too-large");
  });

  test("60,000 empty entries are listed for what their number costs", async () => {
    const empty = (count: number) =>
      zipBytes(Array.from({ length: count }, (_, index) => ({ name: `e/${index}`, stored: true })));
    expect(await growth(empty, opened, 15_000)).toBeLessThanOrEqual(LINEAR);
    expect(paths(await opened(empty(60_000)))).toHaveLength(60_000);
  });
});

describe("a zip that can't be listed is refused as a whole", () => {
  const entries = [{ name: "a.fit", content: noise(100) }];
  const whole = zipBytes(entries);

  // Z7.
  test.each<[string, Uint8Array, string]>([
    ["cut before its end", whole.subarray(0, whole.length - 30), "archive/truncated"],
    ["cut in the middle", whole.subarray(0, 60), "archive/truncated"],
    ["nothing", new Uint8Array(0), "archive/truncated"],
    ["three bytes", whole.subarray(0, 3), "archive/truncated"],
    ["one part of several", zipBytes(entries, { disk: 2 }), "archive/multi-disk"],
    ["a directory past the end", zipBytes(entries, { directoryOffset: 0x7000_0000 }), "archive/directory-damaged"],
    ["a directory of gigabytes", zipBytes(entries, { directoryBytes: 0x7000_0000 }), "archive/directory-damaged"],
    ["a directory that is none", zipBytes(entries, { directoryOffset: 3 }), "archive/directory-damaged"],
    [
      "a zip64 end that says otherwise",
      zipBytes(entries, { zip64: { count: 7 }, smallEndSpeaks: true }),
      "archive/ambiguous",
    ],
    ["a zip64 end that lies", zipBytes(entries, { zip64: { directoryOffset: 2 ** 52 } }), "archive/directory-damaged"],
  ])("%s", async (_, bytes, code) => {
    expect(await refusal(bytes)).toBe(code);
  });

  test("a whole second zip in its comment makes it two zips", async () => {
    // The end of `fake` reaches to the end of the file, and so does the one whose comment it is.
    const first = zipBytes([{ name: "shown.fit", content: "1" }]);
    const fake = zipBytes([{ name: "hidden.fit", content: "2" }], {
      before: first.subarray(0, first.length),
      offsetsCountBefore: true,
    });
    const end = first.length - 22;
    const bytes = Buffer.from(fake);
    bytes.writeUInt16LE(fake.length - first.length, end + 20);
    expect(await refusal(bytes)).toBe("archive/ambiguous");
  });

  test("an archive cut right after a zip stored in it is not taken for that zip", async () => {
    const inner = zipBytes([{ name: "a.fit", content: "x" }]);
    const outer = zipBytes([{ name: "UploadedFiles.zip", content: inner, stored: true }]);
    const cut = outer.subarray(0, 30 + "UploadedFiles.zip".length + inner.length);
    expect(await refusal(cut)).toBe("archive/directory-damaged");
  });

  test("64 KiB of ends in a comment cost by their number", async () => {
    const ends = (count: number) => zipBytes(entries, { comment: Buffer.from("PK\x05\x06".repeat(count), "latin1") });
    const look = (bytes: Uint8Array) => opened(bytes).catch(() => undefined);
    expect(await growth(ends, look, 8_000)).toBeLessThanOrEqual(LINEAR);
  });

  test("a directory with a damaged record gives the entries before it, and says so", async () => {
    const bytes = zipBytes([
      { name: "a.fit", content: "1" },
      { name: "b.fit", content: "2" },
    ]);
    const second = bytes.lastIndexOf("PK\x01\x02", undefined, "latin1");
    bytes.writeUInt32LE(0, second);
    const archive = await opened(bytes);
    expect(paths(archive)).toEqual(["a.fit"]);
    expect(rules(archive)).toEqual(["archive/directory-damaged"]);
  });

  test("a directory that lists fewer entries than its end counts has lost some, which is no mere remark", async () => {
    const archive = await opened(zipBytes([{ name: "a.fit", content: "1" }], { count: 2 }));
    expect(paths(archive)).toEqual(["a.fit"]);
    expect(archive.issues).toMatchObject([
      { severity: "error", rule: "archive/directory-damaged", found: "1 entries", origin: { entry: "x.zip" } },
    ]);
  });

  test("of a zip that lost bytes in front of its directory, each entry is read or says why it can't be", async () => {
    const entries = [
      { name: "a.fit", content: "1", stored: true },
      { name: "b.fit", content: "2", stored: true },
    ];
    const bytes = zipBytes(entries);
    // The first header and a bit of its name: nothing stands where the directory says any more, and one offset lies before the start.
    for (const lost of [1, 5, 11, 30]) {
      const archive = await opened(bytes.subarray(lost));
      for (const entry of archive.entries()) expect(await failure(archive.read(entry))).toBe("archive/header");
    }
  });

  test("a count modulo 65,536 is right, as some programs write it", async () => {
    const many = Array.from({ length: 65_537 }, (_, index) => ({ name: `${index}`, stored: true }));
    const archive = await opened(zipBytes(many, { count: 1 }));
    expect(paths(archive)).toHaveLength(65_537);
    expect(archive.issues).toEqual([]);
  });
});

describe("zips in a zip", () => {
  const runs = (names: readonly string[]) => zipBytes(names.map((name) => ({ name, content: `content of ${name}` })));

  test.each([
    ["stored, read where it lies", true, {}],
    ["packed, small enough for memory", false, {}],
    ["packed, in the temporary file", false, { heldEachBytes: 0 }],
  ])("one level down are opened: %s", async (_, stored, limits) => {
    const archive = await opened(
      zipBytes([
        { name: "up/Part2.ZIP", content: runs(["c.fit"]), stored },
        { name: "up/Part1.zip", content: runs(["b.fit", "a.fit"]), stored },
        { name: "gear.json", content: "{}" },
      ]),
      limits,
    );
    expect(paths(archive)).toEqual(["gear.json", "up/Part1.zip!/a.fit", "up/Part1.zip!/b.fit", "up/Part2.ZIP!/c.fit"]);
    expect(await text(archive, "up/Part1.zip!/b.fit")).toBe("content of b.fit");
    expect(await text(archive, "up/Part2.ZIP!/c.fit")).toBe("content of c.fit");
    expect(archive.issues).toEqual([]);
    await archive.close();
    await archive.close();
  });

  test("the temporary file has no name while it is used, and its folder is empty after", async () => {
    const tempFolder = await mkdtemp(join(folder, "spool-"));
    const bytes = zipBytes([{ name: "in.zip", content: runs(["a.fit"]) }]);
    const archive = await openZipBytes(bytes, "x.zip", { tempFolder, limits: { heldEachBytes: 0 } });
    if (process.platform !== "win32") expect(await readdir(tempFolder)).toEqual([]);
    expect(await text(archive, "in.zip!/a.fit")).toBe("content of a.fit");
    await archive.close();
    expect(await readdir(tempFolder)).toEqual([]);
  });

  test("a temporary folder that can't be written to stops the run instead of losing what is in the zip", async () => {
    const bytes = zipBytes([{ name: "in.zip", content: runs(["a.fit"]) }]);
    const opening = openZipBytes(bytes, "x.zip", { tempFolder: join(folder, "missing"), limits: { heldEachBytes: 0 } });
    await expect(opening).rejects.toMatchObject({ code: "archive/no-space", reason: "source" });
  });

  // Z6.
  test.each([
    [0, ["archive/nested"], []],
    [1, ["archive/nested"], ["in.zip!/b.fit"]],
    [2, [], ["in.zip!/b.fit", "in.zip!/in.zip!/a.fit"]],
  ])("deeper than %d are refused", async (nesting, expectedRules, expectedPaths) => {
    const inner = zipBytes([
      { name: "in.zip", content: runs(["a.fit"]) },
      { name: "b.fit", content: "b" },
    ]);
    const archive = await opened(zipBytes([{ name: "in.zip", content: inner }]), { nesting });
    expect(rules(archive)).toEqual(expectedRules);
    expect(paths(archive)).toEqual(expectedPaths);
  });

  test("one that is no zip, or is damaged, is an issue and the rest goes on", async () => {
    const archive = await opened(
      zipBytes([
        { name: "text.zip", content: "not a zip" },
        { name: "cut.zip", content: runs(["a.fit"]).subarray(0, 60), stored: true },
        { name: "crc.zip", content: runs(["a.fit"]), crc: 1 },
        { name: "good.zip", content: runs(["a.fit"]) },
      ]),
    );
    expect(paths(archive)).toEqual(["good.zip!/a.fit"]);
    expect(archive.issues.map(({ rule, origin }) => [origin?.entry, rule])).toEqual([
      ["text.zip", "archive/truncated"],
      ["cut.zip", "archive/truncated"],
      ["crc.zip", "archive/crc"],
    ]);
  });

  test("an unsafe name in one is placed in it", async () => {
    const archive = await opened(zipBytes([{ name: "in.zip", content: runs(["../a.fit"]) }]));
    expect(archive.issues).toMatchObject([{ rule: "archive/unsafe-name", origin: { entry: "in.zip!/../a.fit" } }]);
  });

  test("the cap on entries is on all of them together", async () => {
    const bytes = zipBytes([{ name: "in.zip", content: runs(["1", "2", "3"]) }]);
    expect(paths(await opened(bytes, { entries: 4 }))).toHaveLength(3);
    expect(await refusal(bytes, { entries: 3 }).catch((error) => error.message)).toBe("archive/too-many-entries");
  });

  test.each([
    [-1, ["archive/too-large"]],
    [0, []],
    [1, []],
  ])("the cap on what is unpacked to disk: %d bytes beyond the need", async (more, expected) => {
    const inner = runs(["a.fit"]);
    const limits = { heldEachBytes: 0, spooledBytes: inner.length + more };
    const archive = await opened(zipBytes([{ name: "in.zip", content: inner }]), limits);
    expect(rules(archive)).toEqual(expected);
    await archive.close();
  });

  test("a bomb of zips costs neither memory nor time", async () => {
    const bomb = zipBytes([{ name: "0.zip", content: Buffer.alloc(32 * MIB) }]);
    const archive = await opened(zipBytes([{ name: "in.zip", content: bomb }]));
    expect(paths(archive)).toEqual([]);
    expect(rules(archive)).toEqual(["archive/nested"]);
    const alone = await opened(bomb);
    expect(rules(alone)).toEqual(["archive/ratio"]);
    await alone.close();
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
    // A file with a hole: what is before takes no room on the disk.
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
