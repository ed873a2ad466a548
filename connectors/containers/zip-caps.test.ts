import { deflateRawSync } from "node:zlib";
import { describe, expect } from "vitest";
import { growth, LINEAR } from "../../test/support/growth.ts";
import { failure, MIB, noise, only, opened, paths, refusal, streamed } from "../../test/support/opened-zip.ts";
import { longTest, test } from "../../test/support/tier-tests.ts";
import { zipBytes } from "../../test/support/zip-bytes.ts";

// These tests check each limit of a zip at its edge.

describe("caps", () => {
  // Z4: deflate can reach at most 1029:1.
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
    // A record has 46 bytes, and its name has 3.
    expect(paths(await opened(bytes, { centralDirectoryBytes: 50 }))).toEqual(["abc"]);
    expect(paths(await opened(bytes, { centralDirectoryBytes: 49 }))).toEqual(["abc"]);
    expect(await refusal(bytes, { centralDirectoryBytes: 48 })).toBe("archive/directory-too-large");
  });

  longTest("60,000 empty entries are listed for what their number costs", async () => {
    const empty = (count: number) =>
      zipBytes(Array.from({ length: count }, (_, index) => ({ name: `e/${index}`, stored: true })));
    expect(await growth(empty, opened, 15_000)).toBeLessThanOrEqual(LINEAR);
    expect(paths(await opened(empty(60_000)))).toHaveLength(60_000);
  });
});
