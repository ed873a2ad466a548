import { execFileSync, spawnSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { errorOf } from "../../test/support/api.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { inputs } from "../../test/support/tiers.ts";
import { checkRepository } from "./check.ts";
import { storedRecord, unpack } from "./records.ts";
import { openRepository } from "./repository.ts";
import type { Chunk, Snapshot } from "./snapshot.ts";

const root = join(temporaryFolder(), "repo");

/** The test damages one byte in this many. The number is odd, so that each bit has its turn. */
const EVERY = inputs({ first: 81, long: 3 });

const WHOLE = { part: 1, of: 1 };
const check = (share = WHOLE) =>
  openRepository(root).then((repository) => checkRepository(repository, share, new AbortController().signal));

const RUN = storedRecord({ id: "w1", date: "2024-02-29", notes: "Zürich 東京" }, "0a1b2c3d");
const REST = storedRecord({ id: "w2", date: "2024-02-28", details: { duration: 0 } });
const SHOE = storedRecord({ id: "s1", brandName: "Acme", retired: false });

async function snapshot(
  time: string,
  records: Partial<Record<Chunk["kind"], readonly (typeof RUN)[]>>,
): Promise<Snapshot> {
  const repository = await openRepository(root);
  await repository.prepareToWrite();
  const pieces: Chunk[] = [];
  for (const [kind, some] of Object.entries(records)) {
    const part = kind === "workout" ? "2024-02" : "all";
    pieces.push(...(await repository.writeChunks(kind as Chunk["kind"], part, some)).pieces);
  }
  return repository.writeSnapshot({
    format: "logferry-snapshot",
    version: 1,
    time,
    day: time.slice(0, 10),
    logferry: "0.1.0",
    log: { host: "example.com", userHash: "0", name: "ann" },
    pass: "full",
    fullAt: time,
    unread: [],
    pieces,
  });
}

/** Every file of the repository, below it. */
function files(): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(root, name)).isFile())
    .toSorted();
}

describe("a flipped bit", () => {
  test("anywhere in the repository is found, and its file named", async () => {
    await snapshot("2024-03-01T01:00:00.000Z", { workout: [RUN, REST], equipment: [SHOE] });
    expect((await check()).damaged).toEqual([]);
    let flipped = 0;
    for (const name of files()) {
      const path = join(root, name);
      const bytes = readFileSync(path);
      for (let index = 0; index < bytes.length; index += EVERY) {
        // In short files, every bit is flipped. In other files, one bit of the byte is flipped.
        for (const bit of bytes.length <= 256 ? [0, 1, 2, 3, 4, 5, 6, 7] : [index % 8]) {
          const broken = Buffer.from(bytes);
          broken[index] = (broken[index] ?? 0) ^ (1 << bit);
          writeFileSync(path, broken);
          const { damaged } = await check();
          if (!damaged.some(({ file }) => file === name)) expect.unreachable(`bit ${bit} of byte ${index} of ${name}`);
          flipped++;
        }
      }
      writeFileSync(path, bytes);
    }
    expect(flipped).toBeGreaterThan(3_000 / EVERY);
    expect((await check()).damaged).toEqual([]);
  });

  test("in memory, after a record was read and before it is written, stops the backup", async () => {
    const changed = { ...RUN, value: { ...RUN.value, notes: "Zürich 東亭" } };
    expect((await errorOf(snapshot("2024-03-01T01:00:00.000Z", { workout: [REST, changed] }))).message).toBe(
      `Cannot store the record "w1": it changed in this computer's memory after it was read. Run the command again. If it happens again, test the memory.`,
    );
    expect(files().filter((name) => /^(?:data|snapshots)\//.test(name))).toEqual([]);
  });

  test("in a line of an older logferry is found by the checksum of the record", () => {
    const lines = `{"sum":"${RUN.sum}","value":{"date":"2024-02-29","id":"w1","notes":"Zürich 東亭"}}\n`;
    expect(unpack(zstdCompressSync(lines))).toBe("the record in line 1 differs from its checksum");
    expect(unpack(zstdCompressSync(lines.replace("亭", "京")))).toMatchObject([{ value: RUN.value }]);
  });
});

test.each([
  ['{"sum":"00000000","value":{}}', "its last line is cut"],
  ["{}\n", "line 1 is no record"],
  ["[]\n", "line 1 is no record"],
  ["\n", "line 1 is no record"],
  ['{"sum":"44136fa3","value":{}}\n{"sum":"44136FA3","value":{}}\n', "line 2 is no record"],
])("lines %j are %s", (lines, found) => {
  expect(unpack(zstdCompressSync(lines))).toBe(found);
});

test("what is no packed text at all, or cut, is said to be so", () => {
  expect(unpack(Buffer.from("hello"))).toBe("can't be unpacked");
  expect(unpack(zstdCompressSync('{"sum":"44136fa3","value":{}}\n').subarray(0, 20))).toBe("can't be unpacked");
});

test("a file of data that is missing, cut or longer is named; so is a snapshot whose name is another's", async () => {
  const { file: name, pieces } = await snapshot("2024-03-01T01:00:00.000Z", { workout: [RUN], equipment: [SHOE] });
  const [workouts, shoes] = pieces as [Chunk, Chunk];
  rmSync(join(root, workouts.file));
  truncateSync(join(root, shoes.file), shoes.bytes - 1);
  renameSync(join(root, name), join(root, name.replace("2024-03-01T01", "2024-03-01T02")));
  expect((await check()).damaged).toEqual([
    {
      file: name.replace("2024-03-01T01", "2024-03-01T02"),
      found: "is named for another time than 2024-03-01T01:00:00.000Z",
    },
  ]);
  renameSync(join(root, name.replace("2024-03-01T01", "2024-03-01T02")), join(root, name));
  expect((await check()).damaged).toEqual([
    { file: shoes.file, found: `is ${shoes.bytes - 1} bytes long, not ${shoes.bytes}` },
    { file: workouts.file, found: "is missing" },
  ]);
  expect(await (await openRepository(root)).readChunk(workouts)).toBe("is missing");
  expect(await (await openRepository(root)).readChunk(shoes)).toBe("differs from its checksum");
});

test("the shares of a check read every file once, and the whole of what they don't read is still looked for", async () => {
  const records = Array.from({ length: 12_000 }, (_, index) => storedRecord({ id: `w${index}` }));
  const { pieces } = await snapshot("2024-03-01T01:00:00.000Z", { workout: records });
  expect(pieces.map(({ part, records: many }) => [part, many])).toEqual(
    Array.from({ length: 12 }, (_, index) => [index === 0 ? "2024-02" : `2024-02-${index + 1}`, 1_000]),
  );
  const read = [];
  for (const part of [1, 2, 3]) read.push((await check({ part, of: 3 })).read);
  expect(read.reduce((sum, one) => sum + one)).toBe(12);
  expect(Math.max(...read)).toBeLessThan(12);
  rmSync(join(root, pieces[0]?.file ?? ""));
  for (const part of [1, 2, 3]) expect((await check({ part, of: 3 })).damaged).toHaveLength(1);
});

test("the same records are stored once, and go with the last snapshot that names them", async () => {
  const one = await snapshot("2024-03-01T01:00:00.000Z", { workout: [RUN], equipment: [SHOE] });
  const two = await snapshot("2024-03-02T01:00:00.000Z", { workout: [RUN, REST], equipment: [SHOE] });
  expect(files().filter((name) => name.startsWith("data"))).toHaveLength(3);
  expect(await (await openRepository(root)).removeSnapshots([one], [two])).toBe(1);
  expect((await (await openRepository(root)).readSnapshots()).snapshots).toEqual([two]);
  expect(await check()).toMatchObject({ damaged: [], unused: [], records: 3 });
});

describe("a folder", () => {
  test("that isn't there, or is empty, may become a repository; one with a backup that was stopped early too", async () => {
    expect((await openRepository(root)).isThere).toBe(false);
    mkdirSync(join(root, "tmp"), { recursive: true });
    writeFileSync(join(root, "tmp", "1-README.txt"), "half");
    expect((await openRepository(root)).isThere).toBe(false);
    await (await openRepository(root)).prepareToWrite();
    expect((await openRepository(root)).isThere).toBe(true);
    expect(readdirSync(join(root, "tmp"))).toEqual([]);
  });

  test("with something else in it is refused by name, and so is a repository of a newer logferry", async () => {
    mkdirSync(root);
    writeFileSync(join(root, "holiday.jpg"), "");
    expect((await errorOf(openRepository(root))).message).toBe(
      `Cannot use ${root}: it is no snapshot repository, and holds "holiday.jpg". Name another folder, or an empty one.`,
    );
    writeFileSync(join(root, "repository.json"), '{"format":"logferry-repository","version":5}\n');
    expect((await errorOf(openRepository(root))).code).toBe("repository/newer");
  });
});

/** Replacements for the tools in README.txt, for a machine that lacks them. They use only Node, and no code of the repository. */
const STAND_INS = {
  sha256sum: `
    const { createHash } = require("node:crypto");
    const { readFileSync } = require("node:fs");
    const sum = (file) => createHash("sha256").update(readFileSync(file)).digest("hex");
    const [first, list] = process.argv.slice(1);
    if (first === undefined) console.log(sum(0) + "  -");
    else if (first !== "-c") for (const file of process.argv.slice(1)) console.log(sum(file) + "  " + file);
    else for (const line of readFileSync(list, "utf8").trimEnd().split(require("node:os").EOL))
      if (!line.startsWith("#")) console.log(line.slice(66) + (sum(line.slice(66)) === line.slice(0, 64) ? ": OK" : ": FAILED"));`,
  zstdcat: `
    for (const file of process.argv.slice(1))
      process.stdout.write(require("node:zlib").zstdDecompressSync(require("node:fs").readFileSync(file)));`,
};

/** Shell functions that replace the tools. */
function standIns(): string {
  return Object.entries(STAND_INS)
    .map(([tool, script]) => `${tool}() { '${process.execPath}' -e '${script}' -- "$@"; }\n`)
    .join("");
}

const hasTools = Object.keys(STAND_INS).every((tool) => spawnSync(tool, ["--version"]).status === 0);

test.each([["Node's own", standIns()] as const, ...(hasTools ? [["this machine's", ""] as const] : [])])(
  "README.txt names the tools that open it: what they print is what was written (%s)",
  async (_whose, functions) => {
    const { pieces, file } = await snapshot("2024-03-01T01:00:00.000Z", { workout: [RUN, REST] });
    const shell = (line: string) => execFileSync("sh", ["-c", `${functions}${line}`], { cwd: root, encoding: "utf8" });
    expect(shell("sha256sum -c SHA256SUMS")).toBe("README.txt: OK\nrepository.json: OK\n");
    expect(shell("sha256sum -c snapshots.sha256")).toBe(`${file}: OK\n`);
    for (const line of shell("sha256sum data/*/*.zst snapshots/*.json").trimEnd().split("\n")) {
      const [sum = "", name = ""] = line.split("  ");
      expect(name).toContain(`-${sum}.`);
      expect([file, pieces[0]?.file]).toContain(name);
    }
    expect(shell("zstdcat data/workouts/2024-*.zst")).toBe(
      [
        `{"listed":"0a1b2c3d","value":{"date":"2024-02-29","id":"w1","notes":"Zürich 東京"}}\n`,
        `{"value":{"date":"2024-02-28","details":{"duration":0},"id":"w2"}}\n`,
      ].join(""),
    );
    const value = '{"date":"2024-02-28","details":{"duration":0},"id":"w2"}';
    expect(zstdDecompressSync(readFileSync(join(root, pieces[0]?.file ?? ""))).toString()).toContain(value);
  },
);
