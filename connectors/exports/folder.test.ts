import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { EVERYTHING } from "./choose.ts";
import { DATA_PACKAGE, dataPackage } from "./data-package.ts";
import { beginFolder } from "./folder.ts";

const parent = temporaryFolder();
let out: string;

beforeEach(() => {
  out = join(parent, "my-log");
});

/** Writes a whole export with one file in it. */
async function exportWith(text: string, isReplacing = false): Promise<void> {
  const folder = await beginFolder(out, isReplacing);
  writeFileSync(join(folder.staging, "user.csv"), text);
  const files = [{ path: "user.csv", records: 1 }];
  const description = await dataPackage(folder.staging, files, EVERYTHING.tables, { now: 0, rawCsv: false });
  writeFileSync(join(folder.staging, DATA_PACKAGE), description);
  await folder.complete();
}

test("P2 until it is whole, a folder is called partial and nobody else's; then it has its name, and nothing else is left", async () => {
  const folder = await beginFolder(out, false);
  expect(folder.staging).toMatch(/my-log\.partial-\w{6}$/);
  expect(statSync(folder.staging).mode & 0o777).toBe(0o700);
  writeFileSync(join(folder.staging, "a"), "1");
  expect(readdirSync(parent)).toHaveLength(1);
  expect(await folder.complete()).toBe(out);
  expect(readdirSync(parent)).toEqual(["my-log"]);
  expect(readFileSync(join(out, "a"), "utf8")).toBe("1");
});

test("an empty folder is taken; the folders above are made", async () => {
  mkdirSync(out);
  await exportWith("1");
  expect(readdirSync(out).toSorted()).toEqual([DATA_PACKAGE, "user.csv"]);
  out = join(parent, "deep", "er", "my-log");
  await exportWith("2");
  expect(readFileSync(join(out, "user.csv"), "utf8")).toBe("2");
});

test("what was discarded leaves nothing", async () => {
  const folder = await beginFolder(out, false);
  writeFileSync(join(folder.staging, "a"), "1");
  await folder.discard();
  expect(readdirSync(parent)).toEqual([]);
});

test.each([
  ["a file", () => writeFileSync(out, "x"), /a file is in the way/],
  [
    "a folder with somebody's files",
    () => {
      mkdirSync(out);
      writeFileSync(join(out, "diary.txt"), "x");
    },
    /there are files in it/,
  ],
  ["a link", () => symlinkSync(mkdtempSync(join(parent, "real-")), out), /it is a link/],
  ["a link to nowhere", () => symlinkSync(join(parent, "nowhere"), out), /it is a link/],
])("P2 %s is in the way, whether it is to be replaced or not, and stays as it is", async (_, make, message) => {
  make();
  const before = readdirSync(parent, { recursive: true });
  for (const isReplacing of [false, true]) {
    await expect(beginFolder(out, isReplacing)).rejects.toMatchObject({
      code: "export/in-the-way",
      message: expect.stringMatching(message),
    });
  }
  expect(readdirSync(parent, { recursive: true })).toEqual(before);
});

test("an export is replaced, whole, when that is asked for, and only then", async () => {
  await exportWith("old");
  await expect(beginFolder(out, false)).rejects.toThrow(/there is an export in it: .*--replace/);
  await exportWith("new", true);
  expect(readFileSync(join(out, "user.csv"), "utf8")).toBe("new");
  expect(readdirSync(parent)).toEqual(["my-log"]);
});

test("an export with a file of somebody else's among it is not replaced", async () => {
  await exportWith("old");
  writeFileSync(join(out, "notes.txt"), "mine");
  await expect(beginFolder(out, true)).rejects.toThrow(/"notes\.txt", which is none of its files/);
});

test("what came to be there meanwhile is not written over", async () => {
  const folder = await beginFolder(out, true);
  mkdirSync(out);
  writeFileSync(join(out, "diary.txt"), "mine");
  await expect(folder.complete()).rejects.toMatchObject({ code: "export/in-the-way" });
  expect(readdirSync(out)).toEqual(["diary.txt"]);
});
