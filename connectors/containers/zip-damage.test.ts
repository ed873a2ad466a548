import { deflateRawSync } from "node:zlib";
import { describe, expect } from "vitest";
import { growth, LINEAR, NO_MORE, timesTheWork } from "../../test/support/growth.ts";
import {
  failure,
  MIB,
  noise,
  only,
  opened,
  paths,
  refusal,
  rules,
  streamed,
  text,
} from "../../test/support/opened-zip.ts";
import { longTest, test } from "../../test/support/tier-tests.ts";
import { u16, type ZipSpec, zipBytes } from "../../test/support/zip-bytes.ts";

// These tests read zips that are damaged or lie. Some zips can't be listed, and some entries can't be unpacked. Other entries are refused, and the
// rest is read.

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
    // The data of `outer` begins with the local header of `inner`. Before it are 30 bytes of header and 5 of name.
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
        // The header claims an extra field that is longer than the written one. So the data would end inside `good.fit`.
        { name: "a.fit", content: "x", stored: true, data: Buffer.concat([Buffer.from("x")]) },
        { name: "good.fit", content: "y" },
      ]).fill(u16(7), 28, 30),
    );
    expect(await failure(archive.read(only(archive)))).toBe("archive/overlap");
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
    // Both ends reach to the end of the file: the end of `fake`, and the end whose comment is `fake`.
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
    // The first header and a part of its name are cut off. So no entry is at its stated place, and one offset is before the start.
    for (const lost of [1, 5, 11, 30]) {
      const archive = await opened(bytes.subarray(lost));
      for (const entry of archive.entries()) expect(await failure(archive.read(entry))).toBe("archive/header");
    }
  });

  longTest("a count modulo 65,536 is right, as some programs write it", async () => {
    const many = Array.from({ length: 65_537 }, (_, index) => ({ name: `${index}`, stored: true }));
    const archive = await opened(zipBytes(many, { count: 1 }));
    expect(paths(archive)).toHaveLength(65_537);
    expect(archive.issues).toEqual([]);
  });
});
