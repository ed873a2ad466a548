/** Tests with thousands of damaged archives. The answer must always be an issue, or one of the errors that the contract names. */
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { zipBytes } from "../../test/support/zip-bytes.ts";
import { FatalError } from "../errors.ts";
import { ArchiveError } from "./archive-error.ts";
import { streamUnpacked, ungzip } from "./gzip.ts";
import { memoryArchive } from "./memory.ts";
import { openZipBytes } from "./zip.ts";

const words = Array.from({ length: 400 }, (_, index) => `word${index * 7919}`).join(" ");

/** Overwrites a few bytes, and may cut off the end. */
const damage = fc.record({
  writes: fc.array(
    fc.tuple(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.integer({ min: 0, max: 255 })),
    {
      maxLength: 6,
    },
  ),
  keep: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
});

function damaged(bytes: Uint8Array, { writes, keep }: { writes: [number, number][]; keep: number }): Buffer {
  const copy = Buffer.from(bytes);
  for (const [where, value] of writes) copy[Math.floor(where * copy.length)] = value;
  return copy.subarray(0, Math.ceil(keep * copy.length));
}

/** The error of `action`, if the contract doesn't allow it; undefined if `action` succeeds, or fails with an allowed error. */
async function surprise(action: () => Promise<void>): Promise<unknown> {
  try {
    await action();
    return undefined;
  } catch (error) {
    if (error instanceof ArchiveError || (error instanceof FatalError && error.reason === "source")) return undefined;
    return error;
  }
}

async function readAll(bytes: Uint8Array): Promise<void> {
  const archive = await openZipBytes(bytes, "x.zip");
  for (const entry of archive.entries()) {
    expect(await surprise(async () => void (await archive.read(entry)))).toBeUndefined();
    expect(
      await surprise(async () => {
        for await (const _ of archive.stream(entry));
      }),
    ).toBeUndefined();
  }
  await archive.close();
}

test("a damaged zip is read as far as it goes, and nothing unexpected is thrown", async () => {
  const inner = zipBytes([{ name: "a.fit", content: words }]);
  const seeds = [
    zipBytes([
      { name: "a.fit", content: words },
      { name: "b.csv", content: "a,b\n1,2\n", stored: true },
      { name: "in.zip", content: inner, stored: true },
      { name: "packed.zip", content: inner },
    ]),
    zipBytes([{ name: "a.fit", content: words, zip64: true }], { zip64: true, comment: "a comment" }),
  ];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...seeds), damage, async (seed, how) => {
      expect(await surprise(() => readAll(damaged(seed, how)))).toBeUndefined();
    }),
    { numRuns: 1500 },
  );
});

test("a damaged gzip file gives its content, its first part or a reason, the same whole and in chunks", async () => {
  const seed = Buffer.concat([gzipSync(words), gzipSync(words.slice(0, 100))]);
  await fc.assert(
    fc.asyncProperty(damage, async (how) => {
      const bytes = damaged(seed, how);
      const archive = memoryArchive("x", { a: bytes });
      const parts: Uint8Array[] = [];
      let whole: Uint8Array | undefined;
      const unpack = async () => {
        whole = ungzip(bytes, "a").bytes;
      };
      expect(await surprise(unpack)).toBeUndefined();
      const entry = archive.entry("a");
      expect(
        await surprise(async () => {
          if (entry === undefined) return;
          for await (const chunk of streamUnpacked(archive, entry, () => {})) parts.push(chunk);
        }),
      ).toBeUndefined();
      if (whole !== undefined) expect(Buffer.concat(parts).equals(whole)).toBe(true);
    }),
    { numRuns: 1500 },
  );
});
