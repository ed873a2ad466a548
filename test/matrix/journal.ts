/** Rows 51 to 54: the journal's disk and its file. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { atWrites } from "../support/at-write.ts";
import { someRuns } from "../support/small-sources.ts";
import type { Row } from "./row.ts";
import { errorsOf, expectDone, expectEachOnce, openWorld, savesOf, type World } from "./world.ts";

const ONE_AT_A_TIME = ["--concurrency", "1"];
const FULL_DISK = join(import.meta.dirname, "..", "support", "full-disk.ts");

/** An import whose journal finds no room at a state of a line (see full-disk.ts). It is resumed when there is room again. */
async function filled(at: string, check: (world: World, sent: number) => void): Promise<void> {
  await using world = await openWorld({ runs: someRuns(12) });
  const env = { NODE_OPTIONS: `--import=${FULL_DISK}`, FULL_AT: at };
  const ran = await world.import({ flags: ONE_AT_A_TIME, env });
  expect(ran.code, `${ran.out.slice(-500)}${ran.err}`).toBe(75);
  expect(errorsOf(ran)).toHaveLength(1);
  expect(errorsOf(ran)[0]).toMatch(/disk.*full/i);
  check(world, savesOf(world));
  expectDone([await world.import({ command: "apply" })]);
  await expectEachOnce(world);
  expect(savesOf(world)).toBe(world.runs.length);
}

function doneIn({ folder }: World): number {
  using database = new DatabaseSync(join(folder, "journal.db"), { readOnly: true });
  return Number(database.prepare("SELECT count(*) AS done FROM line WHERE state = 'done'").get()?.done);
}

/** A journal's file that was spoilt, and what a command says about it. The command must write nothing to the log. */
interface Spoilt {
  readonly how: string;
  readonly spoil: (path: string) => void;
  readonly says: RegExp;
}

const SPOILT: readonly Spoilt[] = [
  {
    how: "truncated",
    spoil: (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
    says: /damaged|integrity/i,
  },
  { how: "overwritten in its middle", spoil: overwriteMiddle, says: /damaged|integrity/i },
  {
    how: "made by a newer logferry",
    spoil: (path) => {
      // A newer logferry writes the checksums of its journals itself.
      rmSync(`${path}.seal`, { force: true });
      using database = new DatabaseSync(path);
      database.exec("PRAGMA user_version = 999");
    },
    says: /newer logferry/,
  },
  {
    how: "no database",
    spoil: (path) => writeFileSync(path, "Dear diary,\n".repeat(1000)),
    says: /not a journal|not a database|damaged/i,
  },
  {
    how: "somebody else's database",
    spoil: (path) => {
      rmSync(path);
      using database = new DatabaseSync(path);
      database.exec("CREATE TABLE recipes (name TEXT)");
    },
    says: /not a journal/,
  },
];

function overwriteMiddle(path: string): void {
  const { size } = statSync(path);
  const file = openSync(path, "r+");
  for (let at = 4096; at < size; at += 4096) writeSync(file, Buffer.alloc(1024, 0xa5), 0, 1024, at);
  closeSync(file);
}

export const JOURNAL: readonly Row[] = [
  {
    number: 51,
    fault: "the journal's disk is full as a record is about to be sent",
    injected: "SQLite is told that the file may not grow (SQLITE_FULL)",
    expected: "the request doesn't leave; exit 75 with the remedy; it goes on when there is room",
    firstTierHas: "row 52: the disk is full as an answer is kept",
    run: () =>
      filled("in-flight:5", (world, sent) => {
        expect(sent).toBe(4);
        expect(doneIn(world)).toBe(4);
      }),
  },
  {
    number: 52,
    fault: "the journal's disk is full as an answer is to be kept",
    injected: "SQLite is told that the file may not grow (SQLITE_FULL)",
    expected: "nothing more is sent; it goes on when there is room, and finds what was sent",
    run: () =>
      filled("done:5", (world, sent) => {
        expect(sent).toBe(5);
        expect(doneIn(world)).toBe(4);
      }),
  },
  {
    number: 53,
    fault: "the journal can't be written any more: its disk fails, or its file is deleted or replaced",
    injected: "a limit on the size of the process's files (EFBIG); the file is moved away by the test",
    expected: "nothing more is sent, exit 75",
    firstTierHas: "row 52: the disk is full as an answer is kept",
    async run() {
      await using world = await openWorld({ runs: someRuns(60) });
      const words = world.importWords({ flags: ONE_AT_A_TIME });
      expect((await world.import({ command: "plan" })).code).toBe(0);
      const apply = world.importWords({ flags: ONE_AT_A_TIME, command: "apply" });
      const failed = await limited(world, apply);
      expect(failed.code, failed.err).toBe(75);
      const sent = savesOf(world);
      expect(sent).toBeLessThan(world.runs.length);
      expect(doneIn(world)).toBeGreaterThanOrEqual(sent - 1);
      expectDone([await world.run(words)]);
      await expectEachOnce(world);
      expect(savesOf(world)).toBe(world.runs.length);

      for (const replaced of [false, true]) {
        await using other = await openWorld({ runs: someRuns(20) });
        const path = join(other.folder, "journal.db");
        let sentThen = 0;
        atWrites(other.service, {
          after: (_write, index) => {
            if (index !== 4) return;
            for (const end of ["", "-wal", "-shm"])
              if (existsSync(path + end)) renameSync(path + end, `${path}.moved${end}`);
            if (replaced) copyFileSync(`${path}.moved`, path);
            sentThen = savesOf(other);
          },
        });
        const ran = await other.import({ flags: ONE_AT_A_TIME });
        expect(ran.code, `${ran.out.slice(-300)}${ran.err}`).toBe(75);
        expect(errorsOf(ran)).toHaveLength(1);
        expect(savesOf(other)).toBe(sentThen);
        // With the sound file put back, the import is resumed.
        for (const end of ["", "-wal", "-shm"]) {
          rmSync(path + end, { force: true });
          if (existsSync(`${path}.moved${end}`)) renameSync(`${path}.moved${end}`, path + end);
        }
        expectDone([await other.import({ command: "apply" })]);
        await expectEachOnce(other);
      }
    },
  },
  {
    number: 54,
    fault: "the journal is cut, overwritten, newer, or no journal at all",
    injected: "the file between two runs",
    expected: "refused in words that say which, exit 2, and nothing is sent",
    firstTierHas: "pipelines/journal/journal-problems.test.ts: a file that is not as it was closed is refused",
    async run() {
      await using world = await openWorld({ runs: someRuns(300) });
      expect((await world.import({ command: "plan" })).code).toBe(0);
      const path = join(world.folder, "journal.db");
      const good = readFileSync(path);
      for (const { how, spoil, says } of SPOILT) {
        for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
        writeFileSync(path, good);
        spoil(path);
        const ran = await world.import({ command: "apply" });
        expect([how, ran.code, errorsOf(ran).length]).toEqual([how, 2, 1]);
        expect(errorsOf(ran)[0], how).toMatch(says);
        expect(savesOf(world)).toBe(0);
      }
      for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
      writeFileSync(path, good);
      expectDone([await world.import({ command: "apply" })]);
      await expectEachOnce(world);
    },
  },
];

/** Runs a command with a limit on the size of its files, which allows only a few answers. The limit is in blocks of 512 bytes, as in POSIX. */
async function limited(world: World, words: readonly string[]) {
  const size = statSync(join(world.folder, "journal.db")).size;
  const blocks = Math.ceil(Math.max(size, 100_000) / 512);
  return world.run(words, { through: ["/bin/sh", "-c", `ulimit -f ${blocks}; exec "$0" "$@"`] });
}
