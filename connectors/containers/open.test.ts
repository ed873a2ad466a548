import { execFileSync } from "node:child_process";
import { appendFile, chmod, mkdir, mkdtemp, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { zipBytes } from "../../test/support/zip-bytes.ts";
import type { Archive, Entry } from "./archive.ts";
import { openArchive } from "./open.ts";

const root = temporaryFolder("file");

/** A new folder with these files in it. */
async function folderOf(files: Record<string, string | Uint8Array>): Promise<string> {
  const folder = await mkdtemp(join(root, "f-"));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

/** Root can read everything. So during the work, the process runs as the user `nobody`, who may look into `folder`. */
async function asNobody<T>(folder: string, work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0 || process.seteuid === undefined) return work();
  await chmod(root, 0o755);
  await chmod(folder, 0o755);
  process.seteuid(65_534);
  try {
    return await work();
  } finally {
    process.seteuid(0);
  }
}

const paths = (archive: Archive) => Array.from(archive.entries(), (entry) => entry.path);
const rules = (archive: Archive) => archive.issues.map((issue) => issue.rule);

async function text(archive: Archive, path: string): Promise<string> {
  return Buffer.from(await archive.read(archive.entry(path) as Entry)).toString();
}

async function streamed(archive: Archive, path: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive.stream(archive.entry(path) as Entry)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe("a folder", () => {
  test("gives all files in it and below, sorted, junk files left out", async () => {
    const folder = await folderOf({
      "b.fit": "B",
      "a/c.fit": "C",
      "a/empty": "",
      "a.fit": "A",
      ".DS_Store": "junk",
      "a/._c.fit": "junk",
      "__MACOSX/x/y": "junk",
    });
    const archive = await openArchive(folder);
    expect(paths(archive)).toEqual(["a.fit", "a/c.fit", "a/empty", "b.fit"]);
    expect(await text(archive, "a/c.fit")).toBe("C");
    expect(await streamed(archive, "a/c.fit")).toBe("C");
    expect(await text(archive, "a/empty")).toBe("");
    expect(await streamed(archive, "a/empty")).toBe("");
    expect(archive.issues).toEqual([]);
    await archive.close();
  });

  test("what a browser left beside the whole file is left out and named, and a download that goes on is not", async () => {
    const folder = await folderOf({
      ...{ "a.fit": "whole", "a.fit.crdownload": "who", "a.k3Jd_9aB.fit.part": "wh" },
      ...{
        "b.zip": zipBytes([{ name: "b.fit", content: "B" }]),
        "b.zip.download/b.zip": "PK",
        "b.zip.download/Info.plist": "x",
      },
      ...{ "c.fit": "", "c.fit.part": "C", "Unconfirmed 1.crdownload": "D" },
    });
    const archive = await openArchive(folder);
    expect([...archive.entries()].map(({ path }) => path)).toEqual([
      "Unconfirmed 1.crdownload",
      "a.fit",
      "b.zip!/b.fit",
      "c.fit",
      "c.fit.part",
    ]);
    expect(archive.issues.map(({ rule, origin }) => [rule, origin?.entry])).toEqual(
      ["a.fit.crdownload", "a.k3Jd_9aB.fit.part", "b.zip.download"].map((name) => [
        "archive/unfinished-download",
        name,
      ]),
    );
    await archive.close();
  });

  test("opens the zips in it where they lie, more of them than stay open at a time", async () => {
    const zips = Array.from({ length: 30 }, (_, index) => [
      `up/Part${index}.zip`,
      zipBytes([{ name: "a.fit", content: `run ${index}` }]),
    ]);
    const archive = await openArchive(await folderOf({ ...Object.fromEntries(zips), "gear.json": "{}" }));
    expect(paths(archive)).toHaveLength(31);
    const contents = await Promise.all(zips.map(([path]) => text(archive, `${path}!/a.fit`)));
    expect(contents).toEqual(zips.map((_, index) => `run ${index}`));
    await archive.close();
    await archive.close();
  });

  test("a zip in it that is none is an issue, and one two deep in that zip is too deep", async () => {
    const inner = zipBytes([{ name: "b.zip", content: zipBytes([{ name: "c.zip", content: zipBytes([]) }]) }]);
    const archive = await openArchive(await folderOf({ "cut.zip": "PK", "in.zip": inner, "a.fit": "A" }));
    expect(paths(archive)).toEqual(["a.fit"]);
    expect(archive.issues.map(({ rule, origin }) => [origin?.entry, rule])).toEqual([
      ["cut.zip", "archive/truncated"],
      ["in.zip!/b.zip!/c.zip", "archive/nested"],
    ]);
    await archive.close();
  });

  test("links and pipes are refused and not followed", async () => {
    const folder = await folderOf({ "a.fit": "A" });
    await symlink("/etc/passwd", join(folder, "passwd"));
    await symlink("/", join(folder, "everything"));
    await symlink("nowhere", join(folder, "dangling"));
    execFileSync("mkfifo", [join(folder, "pipe")]);
    const archive = await openArchive(folder);
    expect(paths(archive)).toEqual(["a.fit"]);
    expect(archive.issues.map(({ rule, origin }) => [origin?.entry, rule])).toEqual([
      ["dangling", "archive/link"],
      ["everything", "archive/link"],
      ["passwd", "archive/link"],
      ["pipe", "archive/link"],
    ]);
  });

  test("a file that became a link or a pipe since is not read", async () => {
    const folder = await folderOf({ "a.fit": "A", "b.fit": "B" });
    const archive = await openArchive(folder);
    await unlink(join(folder, "a.fit"));
    await symlink("/etc/passwd", join(folder, "a.fit"));
    await unlink(join(folder, "b.fit"));
    execFileSync("mkfifo", [join(folder, "b.fit")]);
    await expect(text(archive, "a.fit")).rejects.toMatchObject({ rule: "archive/unreadable" });
    await expect(text(archive, "b.fit")).rejects.toMatchObject({ rule: "archive/link" });
  });

  test("a file gives what it holds when it is read; one that went is an error", async () => {
    const folder = await folderOf({ "a.csv": "one\n", "b.csv": "x" });
    const archive = await openArchive(folder);
    await appendFile(join(folder, "a.csv"), "two\n");
    await unlink(join(folder, "b.csv"));
    expect(await text(archive, "a.csv")).toBe("one\ntwo\n");
    await expect(text(archive, "b.csv")).rejects.toMatchObject({ rule: "archive/unreadable" });
  });

  test("a file that grows while it is read in chunks is noticed", async () => {
    const folder = await folderOf({ "a.csv": "x".repeat(600_000) });
    const archive = await openArchive(folder);
    const reading = async () => {
      for await (const _ of archive.stream(archive.entry("a.csv") as Entry))
        await appendFile(join(folder, "a.csv"), "y");
    };
    await expect(reading()).rejects.toMatchObject({ rule: "archive/changed" });
  });

  test("a folder that can't be read is an issue, and the others are read", async () => {
    const folder = await folderOf({ "a.fit": "A", "locked/b.fit": "B" });
    await chmod(join(folder, "locked"), 0);
    const archive = await asNobody(folder, () => openArchive(folder));
    await chmod(join(folder, "locked"), 0o700);
    expect(rules(archive)).toEqual(["archive/unreadable"]);
    expect(paths(archive)).toEqual(["a.fit"]);
  });

  test.each([
    [2, "opened"],
    [3, "opened"],
    [4, "archive/too-many-entries"],
  ])("%d files under a cap of 3: %s", async (count, expected) => {
    const folder = await folderOf(Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}`, ""])));
    const outcome = openArchive(folder, { limits: { entries: 3 } }).then(
      () => "opened",
      (error) => error.code,
    );
    expect(await outcome).toBe(expected);
  });

  test.each([
    [9, undefined],
    [10, undefined],
    [11, "archive/too-large"],
  ])("a file of %d bytes under a cap of 10", async (size, rule) => {
    const archive = await openArchive(await folderOf({ a: "x".repeat(size) }), {
      limits: { entryBytes: 10, streamedBytes: 10 },
    });
    for (const read of [text, streamed]) {
      const outcome = await read(archive, "a").then(
        () => undefined,
        (error) => error.rule,
      );
      expect(outcome).toBe(rule);
    }
  });

  test("a path that is too long is refused", async () => {
    const archive = await openArchive(await folderOf({ "a/bcd": "", "a/bc": "" }), { limits: { nameBytes: 4 } });
    expect(paths(archive)).toEqual(["a/bc"]);
    expect(rules(archive)).toEqual(["archive/name-too-long"]);
  });
});

describe("a single file", () => {
  test("is an archive of itself", async () => {
    const folder = await folderOf({ "log.csv": "a,b\n", "other.csv": "" });
    const archive = await openArchive(join(folder, "log.csv"));
    expect(archive.name).toBe("log.csv");
    expect(paths(archive)).toEqual(["log.csv"]);
    expect(await text(archive, "log.csv")).toBe("a,b\n");
    await archive.close();
  });

  test("brings along the mapping that lies beside it", async () => {
    const folder = await folderOf({
      "log.csv": "",
      "log.map.yaml": "one",
      "log.csv.map.yaml": "two",
      "x.map.yaml": "",
    });
    const archive = await openArchive(join(folder, "log.csv"));
    expect(paths(archive)).toEqual(["log.csv", "log.csv.map.yaml", "log.map.yaml"]);
    expect(await text(archive, "log.map.yaml")).toBe("one");
  });

  test("is found through a link that a person named", async () => {
    const folder = await folderOf({ "real/log.csv": "a\n" });
    await symlink(join(folder, "real", "log.csv"), join(folder, "link.csv"));
    await symlink(join(folder, "real"), join(folder, "linked"));
    const file = await openArchive(join(folder, "link.csv"));
    expect(await text(file, "link.csv")).toBe("a\n");
    expect(paths(await openArchive(join(folder, "linked")))).toEqual(["log.csv"]);
  });

  test("brings along the mapping beside the link that a person named, or else beside its file", async () => {
    const folder = await folderOf({
      "real/log.csv": "a\n",
      "real/link.map.yaml": "file",
      "real/other.map.yaml": "file",
      "link.map.yaml": "link",
    });
    for (const name of ["link.csv", "other.csv"]) await symlink(join(folder, "real", "log.csv"), join(folder, name));
    expect(await text(await openArchive(join(folder, "link.csv")), "link.map.yaml")).toBe("link");
    expect(await text(await openArchive(join(folder, "other.csv")), "other.map.yaml")).toBe("file");
  });
});

describe("what can't be opened", () => {
  test.each([
    ["a path that isn't there", () => join(root, "nothing"), "archive/not-found"],
    ["a path below a file", () => "/etc/passwd/x", "archive/not-found"],
    ["a device", () => "/dev/null", "archive/not-a-file"],
    ["a path with NUL in it", () => "a\0b", "archive/not-found"],
  ])("%s ends this source, in words and without the path to it", async (_, path, code) => {
    const error = await openArchive(path()).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: "FatalError", reason: "source", code });
    expect(error.message).toMatch(/^Cannot open /);
    expect(error.message).not.toContain(root);
  });

  test("a zip cut short says what to do", async () => {
    const folder = await folderOf({ "export.zip": zipBytes([{ name: "a.fit", content: "x" }]).subarray(0, 40) });
    await expect(openArchive(join(folder, "export.zip"))).rejects.toMatchObject({
      code: "archive/truncated",
      message: expect.stringMatching(/^Cannot open export\.zip: .*cut short; download or copy it again$/),
    });
  });
});
