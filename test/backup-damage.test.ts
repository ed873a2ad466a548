import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { deleteWorkout } from "./support/delete-workout.ts";
import { runHere } from "./support/here.ts";
import { held, here, line, log, open, repository, save } from "./support/snapshots.ts";

// What forget takes away and what it keeps. The repository is whole or damaged, or a clock was wrong before.

beforeEach(() => open());
afterEach(() => log.close());

describe("damage", () => {
  test("is named by check with 7, stops forget, and what the log still holds is written anew by the next backup", async () => {
    await save("workouts", { activityID: 10, date: "2024-02-10" });
    await save("workouts", { activityID: 10, date: "2025-03-10" });
    await here("backup");
    await here("backup");
    const folder = join(repository(), "data", "workouts");
    const [name = ""] = readdirSync(folder);
    const bytes = readFileSync(join(folder, name));
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    writeFileSync(join(folder, name), bytes);
    expect(await line("damage", "check")).toMatchObject({
      code: 7,
      file: `data/workouts/${name}`,
      found: "differs from its checksum",
    });
    const forgetting = await here("forget", "--keep-last", "1");
    expect(forgetting.code).toBe(7);
    expect(forgetting.err).toContain(`Cannot forget anything: data/workouts/${name} differs from its checksum`);
    expect(readdirSync(join(repository(), "snapshots"))).toHaveLength(2);
    const mended = await here("backup");
    expect(mended.code).toBe(3);
    expect(mended.err).toContain(`data/workouts/${name} differs from its checksum`);
    expect(await line("repository", "check")).toMatchObject({ code: 0, damaged: 0, snapshots: 3 });
    expect(await here("backup")).toMatchObject({ code: 0 });
  });

  test("of a snapshot leaves the others, is named by every command, and stops forget", async () => {
    await here("backup");
    await here("backup");
    const folder = join(repository(), "snapshots");
    const [name = ""] = readdirSync(folder);
    writeFileSync(join(folder, name), readFileSync(join(folder, name), "utf8").replace("demo", "dem0"));
    const listed = await here("snapshots");
    expect(listed).toMatchObject({ code: 7 });
    expect(listed.out).toContain("1 snapshot of the log of demo; 1 more can't be read.");
    expect(listed.err).toContain(`snapshots/${name} differs from its checksum`);
    expect(await here("check")).toMatchObject({ code: 7 });
    expect(await here("forget", "--keep-last", "1")).toMatchObject({ code: 7 });
    expect(await here("backup")).toMatchObject({ code: 3 });
  });

  test("that no backup mends is given up by forget --drop-damaged, and the last whole snapshot never is", async () => {
    const id = await save("workouts", { activityID: 10, date: "2024-02-10" });
    await save("workouts", { activityID: 10, date: "2025-03-10" });
    await here("backup");
    const [old = ""] = readdirSync(join(repository(), "data", "workouts"));
    const path = join(repository(), "data", "workouts", old);
    writeFileSync(path, readFileSync(path).subarray(1));
    expect(await here("forget", "--drop-damaged")).toMatchObject({
      code: 7,
      err: expect.stringContaining("Cannot give up what is damaged: no snapshot is whole. Make a backup first"),
    });
    // The log no longer holds the damaged records.
    deleteWorkout(join(log.folder, "service.db"), id);
    await here("backup");
    await here("backup");
    const snapshots = () => readdirSync(join(repository(), "snapshots")).toSorted();
    const [incomplete = "", broken = "", whole = ""] = snapshots();
    writeFileSync(join(repository(), "snapshots", broken), "{}");
    const rehearsed = await here("forget", "--drop-damaged", "--dry-run");
    expect(rehearsed.code).toBe(0);
    expect(rehearsed.out).toContain(`would go snapshots/${broken}, which differs from its checksum`);
    expect(rehearsed.out).toContain("2 damaged files and snapshots would be given up; 1 snapshot whole.");
    expect(snapshots()).toEqual([incomplete, broken, whole]);
    expect(await here("forget", "--drop-damaged", "--keep-last", "3")).toMatchObject({ code: 2 });
    expect((await here("forget", "--drop-damaged")).out).toContain(
      "2 damaged files and snapshots given up; 1 snapshot whole.",
    );
    expect(snapshots()).toEqual([whole]);
    expect(await line("repository", "check")).toMatchObject({ code: 0, damaged: 0, unused: [] });
    expect(await here("forget", "--keep-last", "1")).toMatchObject({ code: 0 });
  });
});

describe("forget", () => {
  test("refuses a policy that keeps nothing, rehearses with --dry-run, and keeps what it says", async () => {
    await here("backup");
    await save("workouts", { activityID: 10, date: "2024-02-10" });
    await here("backup");
    for (const words of [[], ["--keep-last", "0", "--keep-daily", "0"]]) {
      const refused = await here("forget", ...words);
      expect(refused).toMatchObject({ code: 2, out: "" });
      expect(refused.err).toMatch(/^Cannot forget: say what to keep/);
    }
    expect((await here("forget", "--keep-daily", "3", "--dry-run")).out).toContain(
      "1 snapshot would be forgotten. 1 would stay.",
    );
    expect(readdirSync(join(repository(), "snapshots"))).toHaveLength(2);
    expect((await here("forget", "--keep-daily", "3")).out).toContain(
      "1 snapshot forgotten, and 0 files of unused data",
    );
    expect(held().workouts).toHaveLength(1);
    expect(await line("repository", "check")).toMatchObject({ code: 0, snapshots: 1, unused: [] });
  });
});

describe("a clock that was years ahead for a night", () => {
  const at = (time: string) => ({ now: () => Date.parse(time), sleep: async () => undefined });
  const by = (time: string, ...words: string[]) =>
    runHere(log, [...words, "--repository", repository()], { clock: at(time) });

  test("hides no silence, keeps no backup from being due, and takes none away", async () => {
    await by("2026-11-20T02:30:00Z", "backup");
    await save("workouts", { activityID: 10, date: "2024-02-10" });
    expect(await by("2099-01-01T00:00:00Z", "backup", "--drill")).toMatchObject({ code: 0 });
    const ahead = readdirSync(join(repository(), "snapshots")).toSorted().at(-1) ?? "";
    const silent = await by("2026-11-22T02:30:00Z", "status", "--max-age", "26h");
    expect(silent).toMatchObject({ code: 7 });
    expect(`${silent.out}${silent.err}`).toContain(
      "Last good backup: 48 h 0 min ago (" +
        `${(await snapshotIds())[0]?.slice(0, 8)}) (TOO OLD: it may be 26h). Last one proven to restore: none yet (logferry backup --drill). THE CLOCK IS OR WAS WRONG: a snapshot is of 2099-01-01T00:00:00.000Z, in the future.`,
    );
    const due = await by(
      "2026-11-22T02:31:00Z",
      "backup",
      "--if-due",
      "24h",
      "--drill-every",
      "7d",
      "--keep-last",
      "1",
    );
    expect(due).toMatchObject({ code: 3 });
    expect(due.out).toContain("1 read in full");
    expect(due.out).toContain("was restored into a private log");
    expect(due.out).toContain(
      `there is a snapshot of 2099-01-01T00:00:00.000Z, still to come: set the clock; where it was wrong then, delete snapshots/${ahead} in the repository`,
    );
    const kept = await by("2026-11-22T02:32:00Z", "forget", "--keep-last", "1");
    expect(kept).toMatchObject({ code: 2 });
    expect(kept.err).toContain("Cannot forget anything: the snapshot ");
    expect(readdirSync(join(repository(), "snapshots"))).toHaveLength(3);
    rmSync(join(repository(), "snapshots", ahead));
    expect(await by("2026-11-22T02:33:00Z", "backup", "--keep-last", "2")).toMatchObject({ code: 0 });
    expect(await by("2026-11-22T02:34:00Z", "status", "--max-age", "26h")).toMatchObject({ code: 0 });
  });

  const snapshotIds = async () =>
    jsonLines((await here("snapshots", "--json")).out).flatMap(({ type, id }) =>
      type === "snapshot" ? [String(id)] : [],
    );
});
