import { copyFileSync, renameSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as soon } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FatalError } from "../../connectors/errors.ts";
import { openWorld, type World } from "../../test/support/scripted-log.ts";
import type { Item } from "../../transforms/model/item.ts";

// A journal that can't be written any more, in the middle of a run: nothing more is sent, and what was is found again.

let world: World;
const { exec } = DatabaseSync.prototype;

beforeEach(() => {
  world = openWorld();
});
afterEach(async () => {
  DatabaseSync.prototype.exec = exec;
  await world.close();
});

const RUNS = 6;

function runs(count: number = RUNS): Item[] {
  return Array.from({ length: count }, (_, day) => ({
    kind: "workout",
    key: `run ${day}`,
    origin: { connector: "made", archive: "made", entry: `run ${day}` },
    value: {
      activity: "run",
      start: { date: new Date(Date.UTC(2024, 4, 1 + day)).toISOString().slice(0, 10), time: "07:00:00" },
      duration: 3000 + day,
      notes: `run ${day}`,
    },
  }));
}

const NOTES = runs().map(({ key }) => key);

function notes(): string[] {
  return world.log.of("workout").map(({ body }) => String(body.notes));
}

/** Applies a plan that can't be carried to its end, and holds that nothing is sent once that is known. @returns the error's code */
async function stoppedApply(): Promise<string> {
  const error = await world.apply().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(FatalError);
  const sent = world.log.calls.length;
  await soon(5);
  expect(world.log.calls).toHaveLength(sent);
  await world.closeJournal();
  return (error as FatalError).code;
}

async function expectResumed(): Promise<void> {
  const summary = await world.apply();
  expect(summary.balanced).toBe(true);
  expect(summary.all).toMatchObject({ left: 0, inDoubt: 0, failed: 0, refused: 0 });
  expect(notes().toSorted()).toEqual(NOTES.toSorted());
}

describe.each([
  ["the disk is full", 13, "journal/disk-full"],
  ["the disk reports an error", 10, "journal/io"],
  ["the file system was made read-only", 8, "journal/read-only"],
])("%s", (_what, errcode, code) => {
  test("at the first, second, third ... commit of a run: nothing more leaves, and the next run finishes it", async () => {
    for (let failing = 1, isUntouched = false; !isUntouched; failing++) {
      await world.plan([{ name: "made", readings: runs() }]);
      let commits = 0;
      // https://sqlite.org/rescode.html
      DatabaseSync.prototype.exec = function (sql) {
        if (sql === "COMMIT" && ++commits >= failing) {
          throw Object.assign(new Error("the test says so"), { code: "ERR_SQLITE_ERROR", errcode });
        }
        exec.call(this, sql);
      };
      const outcome = await world.apply().catch((reason: unknown) => reason);
      DatabaseSync.prototype.exec = exec;
      isUntouched = commits < failing;
      if (!isUntouched) {
        expect(outcome, `commit ${failing}`).toMatchObject({ code, reason: "journal" });
        const sent = world.log.calls.length;
        // A commit before this one let at most as many requests leave as there are workers.
        expect(sent).toBeLessThanOrEqual((failing - 1) * world.concurrency);
        await soon(1);
        expect(world.log.calls).toHaveLength(sent);
        await world.closeJournal();
        await expectResumed();
      }
      expect(failing).toBeLessThan(3 * RUNS);
      await world.close();
      world = openWorld();
    }
  });
});

test("a journal that may not grow, as on a full disk, stops the run before a request leaves that it can't write down", async () => {
  const connections = new Set<DatabaseSync>();
  DatabaseSync.prototype.exec = function (sql) {
    connections.add(this);
    exec.call(this, sql);
  };
  const many = runs(200);
  await world.plan([{ name: "made", readings: many }]);
  for (const database of connections) database.exec("PRAGMA max_page_count = 1");
  expect(await stoppedApply()).toBe("journal/disk-full");
  const made = notes().length;
  expect(made).toBeLessThan(200);
  expect(world.log.calls.length).toBe(made);
  const summary = await world.apply();
  expect(summary.all).toMatchObject({ created: 200, left: 0 });
  expect(new Set(notes()).size).toBe(200);
  expect(notes()).toHaveLength(200);
});

test("requests that are under way together wait for the disk together: fewer commits than records, and each still before its request", async () => {
  world.concurrency = 8;
  await world.plan([{ name: "made", readings: runs(80) }]);
  let commits = 0;
  DatabaseSync.prototype.exec = function (sql) {
    if (sql === "COMMIT") commits++;
    exec.call(this, sql);
  };
  // Another process would see what is committed, and nothing else.
  const other = new DatabaseSync(world.journalPath, { readOnly: true });
  const sent = other.prepare("SELECT count(*) AS lines FROM line WHERE intended_at IS NOT NULL");
  let requests = 0;
  world.log.onCall = () => {
    expect(sent.get()?.lines).toBeGreaterThanOrEqual(++requests);
  };
  const summary = await world.apply();
  other.close();
  expect(requests).toBe(80);
  expect(summary.all).toMatchObject({ created: 80 });
  // One by one it would be two for each.
  expect(commits).toBeLessThan(80);
});

describe("a journal that somebody takes away while a run works with it", () => {
  /** Does something to the journal's files at the fourth request. */
  function atTheFourth(what: (path: string) => void): void {
    let calls = 0;
    world.log.onCall = () => {
      if (++calls === 4) what(world.journalPath);
    };
  }

  test("(moved) stops the run at the next intent; put back, the run is finished", async () => {
    await world.plan([{ name: "made", readings: runs() }]);
    atTheFourth((path) => renameSync(path, `${path}.away`));
    expect(await stoppedApply()).toBe("journal/replaced");
    expect(notes().length).toBeLessThan(4 + world.concurrency);
    renameSync(`${world.journalPath}.away`, world.journalPath);
    await expectResumed();
  });

  test("(replaced by a copy) stops the run at the next intent, and nothing is made twice", async () => {
    await world.plan([{ name: "made", readings: runs() }]);
    atTheFourth((path) => {
      copyFileSync(path, `${path}.copy`);
      renameSync(`${path}.copy`, path);
    });
    expect(await stoppedApply()).toBe("journal/replaced");
    // The copy knows nothing of what was sent since: the log is asked.
    const summary = await world.apply();
    expect(summary.balanced).toBe(true);
    expect(notes().toSorted()).toEqual(NOTES.toSorted());
  });

  test("(deleted) stops the run at the next intent; a new journal finds what is in the log", async () => {
    const made = [{ name: "made", readings: runs() }];
    await world.plan(made);
    atTheFourth((path) => rmSync(path));
    expect(await stoppedApply()).toBe("journal/replaced");
    for (const end of ["", "-wal", "-shm"]) rmSync(`${world.journalPath}${end}`, { force: true });
    const summary = await world.import(made);
    expect(summary.all).toMatchObject({ left: 0, inDoubt: 0, failed: 0 });
    expect(notes().toSorted()).toEqual(NOTES.toSorted());
  });

  test("(its write-ahead log deleted) stops the run at the next intent; the run is finished by the next", async () => {
    await world.plan([{ name: "made", readings: runs() }]);
    atTheFourth((path) => rmSync(`${path}-wal`));
    expect(await stoppedApply()).toBe("journal/replaced");
    const summary = await world.apply();
    expect(summary.balanced).toBe(true);
    expect(notes().toSorted()).toEqual(NOTES.toSorted());
  });
});

test("a receipt waits for the disk together with the next intent, and no request leaves before both are kept", async () => {
  const many = 30;
  await world.plan([{ name: "made", readings: runs(many) }]);
  const committed: number[] = [];
  DatabaseSync.prototype.exec = function (sql) {
    exec.call(this, sql);
    if (sql === "COMMIT") committed.push(world.log.calls.length);
  };
  await world.apply();
  DatabaseSync.prototype.exec = exec;
  // Between two commits, at most as many requests leave as there are workers: each worker's last receipt is kept by then.
  const left = committed.map((calls, index) => calls - (committed[index - 1] ?? 0));
  expect(Math.max(...left)).toBeLessThanOrEqual(world.concurrency);
  // A commit for the receipts and one for the intents would be twice as many.
  const whileSending = committed.filter((calls) => calls > 0 && calls < many);
  expect(whileSending.length).toBeLessThanOrEqual(many / world.concurrency + 2);
  expect(notes()).toHaveLength(many);
});
