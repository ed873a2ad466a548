import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import { describe, expect } from "vitest";
import { longTest, test } from "../../test/support/tier-tests.ts";
import { unpacked } from "../../test/support/unpacked.ts";
import { zipBytes } from "../../test/support/zip-bytes.ts";
import type { Entry } from "./archive.ts";
import { readUnpacked, startsLikeGzip, ungzip, withoutGz } from "./gzip.ts";
import { memoryArchive } from "./memory.ts";
import { openZipBytes } from "./zip.ts";

const MIB = 2 ** 20;

/** Makes a member byte by byte, with any header fields. */
function member(content: Uint8Array, flags: number, fields: Uint8Array): Buffer {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(content), 0);
  trailer.writeUInt32LE(content.length, 4);
  return Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3]),
    fields,
    deflateRawSync(content),
    trailer,
  ]);
}

const hello = Buffer.from("hello hello hello");

describe("gzip", () => {
  test.each<[string, Uint8Array, string]>([
    ["one member", gzipSync("hello"), "hello"],
    ["nothing in it", gzipSync(""), ""],
    ["two members", Buffer.concat([gzipSync("hel"), gzipSync("lo")]), "hello"],
    ["a name with a path in it, which is never looked at", member(hello, 8, Buffer.from("../../etc/x\0")), `${hello}`],
    ["a comment", member(hello, 16, Buffer.from("why\0")), `${hello}`],
    ["an extra field", member(hello, 4, Buffer.from([3, 0, 9, 9, 9])), `${hello}`],
    ["all of them", member(hello, 28, Buffer.from([1, 0, 9, 0x61, 0, 0x62, 0])), `${hello}`],
    ["no packing at all", hello, `${hello}`],
    ["no bytes at all", Buffer.alloc(0), ""],
    ["two bytes that only begin like it", Buffer.from([0x1f, 0x8b]), "\x1f\x8b"],
  ])("%s", async (_, bytes, content) => {
    const { whole, chunks } = await unpacked(bytes);
    expect(whole).toEqual({ content, rules: [] });
    expect(chunks).toEqual({ content, rules: [] });
  });

  // RELIABILITY B.7, Z11.
  test("what follows the last member is remarked on, and the content is whole", async () => {
    const { whole, chunks } = await unpacked(Buffer.concat([gzipSync("hello"), Buffer.from("junk")]));
    expect(whole).toEqual({ content: "hello", rules: ["gzip/trailing-bytes"] });
    expect(chunks).toEqual(whole);
  });

  test("of a file cut short comes what was before the cut", async () => {
    const content = Array.from({ length: 5000 }, (_, index) => `line ${index}`).join("\n");
    const packed = gzipSync(content);
    for (const cut of [packed.length - 1, packed.length - 8, packed.length - 9, 2000]) {
      const { whole, chunks } = await unpacked(packed.subarray(0, cut));
      for (const outcome of [whole, chunks]) {
        expect(outcome.rules).toEqual(["gzip/cut-short"]);
        expect(content.startsWith(outcome.content as string)).toBe(true);
        // If only the checksum is missing, all of the content is there.
        if (cut >= packed.length - 8) expect(outcome.content).toBe(content);
        else expect(outcome.content?.length).toBeGreaterThan(3000);
      }
    }
  });

  test("a second member cut short leaves the first whole", async () => {
    const { whole } = await unpacked(Buffer.concat([gzipSync("hello"), gzipSync(" and more").subarray(0, 12)]));
    expect(whole.content).toMatch(/^hello/);
    expect(whole.rules).toEqual(["gzip/cut-short"]);
  });

  test.each<[string, Uint8Array, string]>([
    ["a header cut in its name", Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3, 0x61]), "gzip/damaged"],
    [
      "packed data that is none",
      Buffer.concat([gzipSync("hello").subarray(0, 10), Buffer.alloc(50, 0xff)]),
      "gzip/damaged",
    ],
    [
      "a wrong checksum",
      Buffer.concat([gzipSync("hello").subarray(0, -8), Buffer.from([1, 0, 0, 0, 5, 0, 0, 0])]),
      "archive/crc",
    ],
  ])("%s is an error", async (_, bytes, rule) => {
    const { whole, chunks } = await unpacked(bytes);
    expect(whole).toEqual({ rules: [rule] });
    expect(chunks).toEqual({ rules: [rule] });
  });

  test("a file packed twice is unpacked twice, and says so; three times is refused", async () => {
    const archive = memoryArchive("x", {
      twice: gzipSync(gzipSync("hello")),
      thrice: gzipSync(gzipSync(gzipSync("hello"))),
    });
    const read = await readUnpacked(archive, archive.entry("twice") as Entry);
    expect(Buffer.from(read.bytes).toString()).toBe("hello");
    expect(read.issues).toMatchObject([{ severity: "info", rule: "gzip/twice" }]);
    await expect(readUnpacked(archive, archive.entry("thrice") as Entry)).rejects.toMatchObject({
      rule: "gzip/damaged",
    });
  });

  test("a bomb is refused by its ratio, whole or in chunks, and packed twice over as well", async () => {
    const bomb = gzipSync(Buffer.alloc(20 * MIB));
    const { whole, chunks } = await unpacked(bomb);
    expect(whole.rules).toEqual(["archive/ratio"]);
    expect(chunks.rules).toEqual(["archive/ratio"]);
    expect((await unpacked(gzipSync(bomb))).whole.rules).toEqual(["archive/ratio"]);
    expect((await unpacked(Buffer.concat(Array(30).fill(gzipSync(Buffer.alloc(MIB)))))).whole.rules).toEqual([
      "archive/ratio",
    ]);
  });

  test("below the first MiB the ratio doesn't matter", async () => {
    expect((await unpacked(gzipSync(Buffer.alloc(MIB)))).whole.rules).toEqual([]);
  });

  test.each([
    [9, []],
    [10, []],
    [11, ["archive/too-large"]],
  ])("%d bytes of content under a cap of 10", async (size, expected) => {
    // gzip makes so few bytes longer. The cap also limits the packed size of the entry.
    const packed = gzipSync("x".repeat(size));
    const zip = await openZipBytes(zipBytes([{ name: "a.gz", content: packed }]), "x.zip");
    const bytes = await zip.read(zip.entry("a.gz") as Entry);
    const archive = { ...memoryArchive("x", { "a.gz": bytes }), read: async () => bytes };
    const rules = await readUnpacked(archive, archive.entry("a.gz") as Entry, { maxBytes: 10 }).then(
      ({ issues }) => issues.map(({ rule }) => rule),
      (error) => [error.rule],
    );
    expect(rules).toEqual(expected);
  });

  longTest("members without an end are refused, and the rest of them is not read", async () => {
    const empty = gzipSync("");
    const members = (count: number) => Buffer.concat(Array(count).fill(empty));
    const tooMany = /it has more than 10000 members/;
    expect(() => ungzip(members(1_000_000), "a.gz")).toThrow(tooMany);
    // Whoever reads on past 10,001 members meets the damaged ones.
    const damaged = Buffer.concat([empty.subarray(0, 10), Buffer.alloc(30, 0xff)]);
    expect(() => ungzip(Buffer.concat([members(9_999), damaged]), "a.gz")).toThrow(/its packed data is damaged/);
    expect(() => ungzip(Buffer.concat([members(10_001), damaged]), "a.gz")).toThrow(tooMany);
    const { whole } = await unpacked(members(10_001));
    expect(whole.rules).toEqual(["gzip/damaged"]);
  });

  test("is known by its first three bytes", () => {
    expect(startsLikeGzip(gzipSync(""))).toBe(true);
    expect(startsLikeGzip(Buffer.from("PK"))).toBe(false);
    expect(withoutGz("activities/1.fit.GZ")).toBe("activities/1.fit");
    expect(withoutGz("gz")).toBe("gz");
  });
});
