import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Drill, writeDrill } from "../../connectors/repository/drills.ts";
import { storedRecord } from "../../connectors/repository/records.ts";
import { openRepository } from "../../connectors/repository/repository.ts";
import { errorOf } from "../../test/support/api.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { isTooOld, readBackupStatus } from "./backup-status.ts";

const root = join(temporaryFolder(), "repository");

const NOON = Date.parse("2026-11-21T12:00:00Z");
const HOUR_MS = 3_600_000;
const hoursBefore = (hours: number) => new Date(NOON - hours * HOUR_MS).toISOString();

/** A snapshot of so many hours ago. @param unread ids that could not be read. @param notes of the one course it holds. @returns its id */
async function snapshot(hours: number, unread: readonly string[] = [], notes?: string): Promise<string> {
  const repository = await openRepository(root);
  await repository.prepareToWrite();
  const time = hoursBefore(hours);
  const courses = notes === undefined ? [] : [storedRecord({ id: "c1", notes })];
  const { pieces } = await repository.writeChunks("course", "all", courses);
  const { id } = await repository.writeSnapshot({
    format: "logferry-snapshot",
    version: 1,
    time,
    day: time.slice(0, 10),
    logferry: "0",
    log: { host: "http://log.example", userHash: "0", name: "demo" },
    pass: "full",
    fullAt: time,
    unread: unread.map((one) => ({ kind: "workout", id: one, kept: false })),
    pieces,
  });
  return id;
}

const drill = (id: string, madeHoursAgo: number, hoursAgo: number, differences = 0): Promise<void> => {
  const note: Drill = {
    format: "logferry-drill",
    version: 1,
    time: hoursBefore(hoursAgo),
    snapshot: id,
    snapshotTime: hoursBefore(madeHoursAgo),
    logferry: "0",
    records: 3,
    differences,
    notSet: { retired: 1 },
  };
  return writeDrill(root, note);
};

describe("how backups stand", () => {
  test("is the age of the last good one and of the last proven one, also when that was forgotten since", async () => {
    const proven = "a".repeat(64);
    const last = await snapshot(6);
    await drill(proven, 72, 71);
    await drill("b".repeat(64), 30, 5, 2);
    const status = await readBackupStatus(root, NOON);
    expect(status.lastGood).toEqual({ snapshot: last, time: hoursBefore(6), ageMs: 6 * HOUR_MS });
    expect(status.lastProven).toEqual({
      snapshot: proven,
      time: hoursBefore(72),
      ageMs: 72 * HOUR_MS,
      drilledAt: hoursBefore(71),
    });
    expect(status.lastDrill).toMatchObject({ snapshot: "b".repeat(64), differences: 2 });
    expect(isTooOld(status, 6 * HOUR_MS)).toBe(false);
    expect(isTooOld(status, 6 * HOUR_MS - 1)).toBe(true);
  });

  test("counts no backup with a damaged file or with unread records; a log without a listing of courses is all right", async () => {
    const good = await snapshot(50, ["*"]);
    await snapshot(20, ["w1"]);
    const damaged = await snapshot(10);
    const name = readdirSync(join(root, "snapshots")).find((one) => one.includes(damaged)) ?? "";
    writeFileSync(join(root, "snapshots", name), "{}");
    const status = await readBackupStatus(root, NOON);
    expect(status.lastGood?.snapshot).toBe(good);
    expect(isTooOld(status, 26 * HOUR_MS)).toBe(true);
  });

  test("counts no backup whose data is gone or cut short", async () => {
    const whole = await snapshot(50, [], "one");
    const cut = await snapshot(30, [], "two");
    expect((await readBackupStatus(root, NOON)).lastGood?.snapshot).toBe(cut);
    const before = readdirSync(join(root, "data", "courses"));
    const gone = await snapshot(10, [], "three");
    expect((await readBackupStatus(root, NOON)).lastGood?.snapshot).toBe(gone);
    const newest = readdirSync(join(root, "data", "courses")).find((name) => !before.includes(name)) ?? "";
    rmSync(join(root, "data", "courses", newest));
    expect((await readBackupStatus(root, NOON)).lastGood?.snapshot).toBe(cut);
    const first = (await (await openRepository(root)).readSnapshots()).snapshots.at(1)?.pieces[0]?.file ?? "";
    writeFileSync(join(root, first), readFileSync(join(root, first)).subarray(1));
    expect((await readBackupStatus(root, NOON)).lastGood?.snapshot).toBe(whole);
  });

  test("counts no proof whose note was damaged", async () => {
    await snapshot(6);
    await drill("a".repeat(64), 6, 5);
    const [name = ""] = readdirSync(join(root, "drills"));
    writeFileSync(join(root, "drills", name), "{}");
    expect((await readBackupStatus(root, NOON)).lastProven).toBeUndefined();
  });

  test("of a repository without a snapshot is too old at any age; of no repository there is none to tell", async () => {
    await (await openRepository(root)).prepareToWrite();
    expect(isTooOld(await readBackupStatus(root, NOON), Number.POSITIVE_INFINITY)).toBe(true);
    mkdirSync(join(root, "..", "empty"));
    expect(await errorOf(readBackupStatus(join(root, "..", "empty"), NOON))).toMatchObject({ code: "repository/none" });
  });

  test("keeps the notes of the last hundred drills", async () => {
    await (await openRepository(root)).prepareToWrite();
    for (let hours = 103; hours > 0; hours--) await drill("a".repeat(64), hours, hours);
    const names = readdirSync(join(root, "drills")).toSorted();
    expect(names).toHaveLength(100);
    expect(names.at(-1)).toContain(hoursBefore(1).replaceAll(":", ""));
  });
});
