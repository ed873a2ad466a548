import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { FatalError } from "../../connectors/errors.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { inputs } from "../../test/support/tiers.ts";
import type { Journal } from "./journal.ts";
import type { Line, NewLine } from "./line.ts";
import { takeLock } from "./lock.ts";
import { STEPS } from "./schema.ts";
import { openJournal, openJournalToRead } from "./sqlite.ts";

/** The distance between two bytes with a flipped bit. */
const EVERY = inputs({ first: 2_779, long: 397 });

// What happens to a journal's file between two runs.

const folder = temporaryFolder();
const path = join(folder, "journal.db");

const OPTIONS = { tracks: true, activityIDs: { run: 10 }, workoutIDs: {} };

/** A journal with a plan of so many workouts, closed. */
async function made(count: number): Promise<void> {
  const journal = await openJournal(path);
  await addPlan(journal, count);
  await journal.close();
}

async function addPlan(journal: Journal, count: number): Promise<number> {
  const run = await journal.startPlan([{ path: "/a", name: "a", connector: "test", saw: "" }], OPTIONS, 1);
  for (let number = 1; number <= count; number++) {
    const line: NewLine = {
      key: `key ${number}`,
      kind: "workout",
      source: 0,
      origin: { connector: "test", archive: "a.zip", entry: "a.csv" },
      state: "planned",
      action: "create",
      uploadMethod: "save",
      content: "c",
      value: { activity: "run", start: { date: "2020-01-01" }, notes: `workout ${number}` },
    };
    await journal.addLine(run, line);
  }
  await journal.planReady(run, count);
  return run;
}

async function linesOf(journal: Pick<Journal, "lines">, run: number): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of journal.lines(run, {})) lines.push(line);
  return lines;
}

async function refusalOf(): Promise<FatalError> {
  const outcome = await openJournal(path).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(FatalError);
  return outcome as FatalError;
}

describe("a file that is not as it was closed", () => {
  test("is refused whichever bit of it flipped, says what to do, and is taken again once it is whole", async () => {
    await made(40);
    const whole = readFileSync(path);
    const offsets = [0, 18, 24, 60, 68, 95, 99, 100];
    for (let offset = 101; offset < whole.length; offset += EVERY) offsets.push(offset);
    expect(offsets.length).toBeGreaterThan(80_000 / EVERY);
    for (const offset of offsets) {
      const bytes = Buffer.from(whole);
      bytes[offset] = (bytes[offset] ?? 0) ^ (1 << (offset % 8));
      writeFileSync(path, bytes);
      const refusal = await refusalOf();
      expect(refusal, `byte ${offset}`).toMatchObject({ code: "journal/damaged", reason: "journal" });
      expect(refusal.message).toMatch(
        /^Cannot use .+journal\.db: it is damaged, .* Restore it from a backup. Or move it aside and plan again: /,
      );
    }
    writeFileSync(path, whole);
    const journal = await openJournal(path);
    expect(await linesOf(journal, 1)).toHaveLength(40);
    await journal.close();
  });

  test("is refused when it was cut", async () => {
    await made(400);
    const { length } = readFileSync(path);
    for (const size of [length - 1, length - 4096, length >> 1, 4096, 100, 1, 0]) {
      truncateSync(path, size);
      expect((await refusalOf()).code, `${size} bytes`).toBe("journal/damaged");
    }
  });

  test("is refused where it has no checksum, when SQLite finds its shape broken", async () => {
    await made(400);
    rmSync(`${path}.seal`);
    const bytes = readFileSync(path);
    bytes.fill(0xff, 3 * 4096, 5 * 4096);
    writeFileSync(path, bytes);
    expect((await refusalOf()).code).toBe("journal/damaged");
  });

  test("is taken when it was restored from a backup of another day", async () => {
    await made(3);
    copyFileSync(path, join(folder, "backup"));
    const journal = await openJournal(path);
    await addPlan(journal, 5);
    await journal.close();
    copyFileSync(join(folder, "backup"), path);
    const restored = await openJournal(path);
    expect((await restored.runs()).map(({ id }) => id)).toEqual([1]);
    await restored.close();
  });
});

test("a journal that is looked at while a run closes it opens again, and so does one that was left open", async () => {
  const journal = await openJournal(path);
  const run = await addPlan(journal, 3);
  const reader = await openJournalToRead(path);
  await addPlan(journal, 2);
  await journal.close();
  expect(existsSync(`${path}.seal`)).toBe(false);
  await reader.close();
  await (await openJournal(path)).close();
  expect(existsSync(`${path}.seal`)).toBe(true);
  const later = await openJournalToRead(path);
  expect(await linesOf(later, run)).toHaveLength(3);
  await later.close();
  await (await openJournal(path)).close();
});

test("a journal of the first version is brought up to date, and loses nothing", async () => {
  // As logferry 0.1 made it: the first step alone, and rows as it wrote them.
  const old = new DatabaseSync(path);
  old.exec(`PRAGMA journal_mode = WAL; PRAGMA application_id = 0x6c667279; ${STEPS[0]} PRAGMA user_version = 1`);
  old.exec(`
    INSERT INTO account VALUES (1, 'log.example', 'hash', 'ana');
    INSERT INTO run VALUES (1, 'stopped', 5, 6, '[{"path":"/a","name":"a","connector":"csv","saw":""}]', '{"tracks":true,"activityIDs":{"run":10},"workoutIDs":{}}', 3);
    INSERT INTO line (run, seq, key, kind, source, origin, state, action, carrier, content, value, remote_id, local_s) VALUES
      (1, 1, 'k1', 'workout', 0, '{"connector":"csv","archive":"a","entry":"a.csv"}', 'done', 'create', 'save', 'c1', '{"activity":"run","start":{"date":"2020-01-01"}}', 'id1', 1577836800),
      (1, 2, 'k2', 'workout', 0, '{"connector":"csv","archive":"a","entry":"a.csv"}', 'in-flight', 'create', 'save', 'c2', '{"activity":"run","start":{"date":"2020-01-02"}}', NULL, 1577923200),
      (1, 3, 'k3', 'workout', 0, '{"connector":"csv","archive":"a","entry":"a.csv"}', 'planned', 'create', 'save', 'c3', '{"activity":"run","start":{"date":"2020-01-03"}}', NULL, 1578009600);
    INSERT INTO event (run, seq, at, "from", "to", note) VALUES (1, 1, 5, 'planned', 'in-flight', NULL), (1, 1, 6, 'in-flight', 'done', NULL);
    INSERT INTO placed VALUES ('k1', 'workout', 'id1', 'c1', '{"activityID":10,"date":"2020-01-01"}', 1, 1);
    INSERT INTO log (kind, id, baseline) VALUES ('workout', 'id0', 1);
  `);
  old.close();
  const journal = await openJournal(path);
  await journal.bindAccount({ baseUrl: "log.example", userHash: "hash", name: "ana" });
  expect((await linesOf(journal, 1)).map(({ key, state }) => [key, state])).toEqual([
    ["k3", "planned"],
    ["k2", "in-flight"],
    ["k1", "done"],
  ]);
  expect(await journal.remoteRecord("k1")).toMatchObject({
    remoteId: "id1",
    sent: { activityID: 10, date: "2020-01-01" },
  });
  expect((await journal.doubtful()).map(({ key }) => key)).toEqual(["k2"]);
  const [, , planned] = (await linesOf(journal, 1)).toReversed();
  await journal.intend([planned as Line], 7);
  await journal.receive(planned as Line, "done", { remoteId: "id3" });
  await journal.close();
  const again = await openJournal(path);
  expect((await again.line(1, 3))?.state).toBe("done");
  await again.close();
});

test("a journal of the first version can be looked at", async () => {
  const old = new DatabaseSync(path);
  old.exec(`PRAGMA journal_mode = WAL; PRAGMA application_id = 0x6c667279; ${STEPS[0]} PRAGMA user_version = 1`);
  old.close();
  const reader = await openJournalToRead(path);
  expect(await reader.runs()).toEqual([]);
  await reader.close();
});

describe("a folder on a network file system", () => {
  // linux/magic.h; fs/smb/client/cifsglob.h
  test.each([
    ["NFS", 0x6969],
    ["SMB", 0x517b],
    ["SMB", 0xfe534d42],
    ["SMB", 0xfe534d42 | 0],
    ["CIFS", 0xff534d42],
  ])("(%s) holds no journal, unless its owner says that it may", async (name, type) => {
    const statfs = () => ({ type });
    const refused = openJournal(path, { statfs });
    await expect(refused).rejects.toMatchObject({ code: "journal/on-network", reason: "journal" });
    await expect(refused).rejects.toThrow(`${folder}: it is on a network file system (${name})`);
    await expect(refused).rejects.toThrow("--network-journal");
    expect(existsSync(path)).toBe(false);
    await (await openJournal(path, { statfs, onNetwork: true })).close();
    expect(existsSync(path)).toBe(true);
  });

  test.each([
    ["ext4", 0xef53],
    ["btrfs", 0x9123683e],
    ["tmpfs", 0x01021994],
    ["overlay", 0x794c7630],
  ])("is not %s", async (_name, type) => {
    await (await openJournal(path, { statfs: () => ({ type }) })).close();
  });
});

test("a lock on a full disk is refused with what to do, and is free afterwards", () => {
  const locked = join(folder, "full.db");
  symlinkSync("/dev/full", `${locked}.holder`);
  expect(() => takeLock(locked)).toThrow(
    expect.objectContaining({
      code: "journal/no-lock",
      message: `Cannot write ${locked}.lock: the disk is full. Free some space, then run the same command again: nothing is repeated`,
    }),
  );
  rmSync(`${locked}.holder`);
  takeLock(locked).release();
});

// The index of the write-ahead log has 32 KiB. A process whose files may not grow to that gets the answer of a full disk.
test("a journal on a full disk can't be looked at, and the disk is called full", async () => {
  await made(1);
  const script = `import { openJournalToRead } from ${JSON.stringify(join(import.meta.dirname, "sqlite.ts"))};
    await openJournalToRead(process.argv[1]).catch(({ code, message }) => console.log(JSON.stringify({ code, message })));`;
  const words = [process.execPath, "--input-type=module", "--eval", script, path];
  const { stdout, stderr } = spawnSync("/bin/sh", ["-c", 'ulimit -f 8; exec "$0" "$@"', ...words], {
    encoding: "utf8",
  });
  expect(JSON.parse(stdout || JSON.stringify(stderr))).toEqual({
    code: "journal/disk-full",
    message: `Cannot use ${path}: the disk is full. Free some space, then run the same command again: nothing is repeated.`,
  });
  await (await openJournalToRead(path)).close();
});
