import { mkdtemp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MIB, opened, paths, refusal, rules, text } from "../../test/support/opened-zip.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { zipBytes } from "../../test/support/zip-bytes.ts";
import { openZipBytes } from "./zip.ts";

// These tests read zips inside a zip: the depth, the place for unpacking, and the limits.

const folder = temporaryFolder("file");

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
    const archive = await opened(zipBytes([{ name: "in.zip", content: bomb }]), { nesting: 1 });
    expect(paths(archive)).toEqual([]);
    expect(rules(archive)).toEqual(["archive/nested"]);
    const alone = await opened(bomb);
    expect(rules(alone)).toEqual(["archive/ratio"]);
    await alone.close();
  });
});
