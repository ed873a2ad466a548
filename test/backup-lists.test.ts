import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { deleteWorkout } from "./support/delete-workout.ts";
import { fillLog } from "./support/logged.ts";
import { held, here, line, log, open, repository, save } from "./support/snapshots.ts";
import { longTest, test } from "./support/tier-tests.ts";

// Backups of a log that loses answers, can't be listed or read, or lost half its records. A snapshot names every gap that it has.

beforeEach(() => open());
afterEach(() => log.close());

describe("a service that misbehaves", () => {
  longTest("answers that are lost, cut, refused or late leave no gap", async () => {
    await log.close();
    const armed = [
      "reset-after-commit:GET /rest/**:every=17",
      "cut-body:GET /rest/**:every=19",
      "status-before-commit:GET /rest/**:status=503,every=13",
      "status-before-commit:GET /rest/**:status=429,retry-after=0,every=23",
    ];
    await open({ faults: { armed } });
    const filled = await fillLog(log);
    expect(await line("snapshot", "backup")).toMatchObject({
      code: 0,
      records: { workout: filled.workouts },
      unread: [],
    });
    expect(log.service.faults.hits().every(({ hits }) => hits > 0)).toBe(true);
    expect(await line("repository", "check")).toMatchObject({ code: 0, damaged: 0 });
  });

  test("a listing that shifts while it is read is read again: nobody is missing who was there all along", async () => {
    const { store } = log.service;
    const ids: string[] = [];
    for (let index = 0; index < 250; index++) {
      const month = String(1 + Math.floor(index / 25)).padStart(2, "0");
      const day = String(1 + (index % 25)).padStart(2, "0");
      ids.push(await store.addWorkout(log.userId, { activityID: 10, date: `2024-${month}-${day}` }));
    }
    // While the second page is asked for, a workout of the first page is taken out. One that is older than all others is added, so the total stays.
    const list = store.workouts.bind(store);
    let isDone = false;
    let old = "";
    store.workouts = async (userId, slice, ...rest) => {
      if (slice.offset > 0 && !isDone) {
        isDone = true;
        deleteWorkout(join(log.folder, "service.db"), ids[249] ?? "");
        old = await store.addWorkout(log.userId, { activityID: 10, date: "1999-01-01" });
      }
      return list(userId, slice, ...rest);
    };
    expect(await line("snapshot", "backup")).toMatchObject({ code: 0, records: { workout: 250 } });
    expect(isDone).toBe(true);
    expect((held().workouts ?? []).map(({ id }) => id).toSorted()).toEqual([...ids.slice(0, 249), old].toSorted());
  });

  test("a listing that never holds still ends the backup with 75, and there is no snapshot", async () => {
    await log.close();
    await open({ faults: { armed: ["insert-workout:GET /rest/logs/me/workouts"] } });
    for (let day = 0; day < 110; day++)
      await log.service.store.addWorkout(log.userId, { activityID: 10, date: "2024-01-01" });
    const ran = await here("backup");
    expect(ran.code).toBe(75);
    expect(ran.err).toContain("Cannot list the workouts: the list changed each of the 5 times it was read");
    expect(readdirSync(join(repository(), "snapshots"))).toEqual([]);
  });

  longTest("a record that can't be read keeps its older copy, is named, and the exit code is 3", async () => {
    const id = await save("workouts", { activityID: 10, date: "2024-02-10", notes: "before" });
    await here("backup");
    await save("workouts", { activityID: 10, date: "2024-02-10", notes: "after" }, id);
    const lost = await save("workouts", { activityID: 10, date: "2024-02-11" });
    const read = log.service.store.workout.bind(log.service.store);
    const { Refusal } = await import("../service/http/refusals.ts");
    log.service.store.workout = async (userId, one) => {
      if (one === id || one === lost) throw new Refusal("bad-parameter", "no");
      return read(userId, one);
    };
    const ran = await here("backup");
    expect(ran).toMatchObject({ code: 3 });
    expect(ran.err).toContain(`The workout ${id} could not be read: its older copy is kept`);
    expect(ran.err).toContain(`The workout ${lost} could not be read: it is not in the snapshot`);
    expect(ran.out).toContain("2 could not be read.");
    expect(held().workouts).toMatchObject([{ id, notes: "before" }]);
    log.service.store.workout = read;
    expect(await line("snapshot", "backup")).toMatchObject({ code: 0, records: { workout: 2 }, unread: [] });
    expect(held().workouts).toMatchObject([{ notes: "after" }, { id: lost }]);
  });

  test("a record that is denied while it is still listed is unread, and not gone; one that was taken out is gone", async () => {
    const denied = await save("workouts", { activityID: 10, date: "2024-02-10", ratings: { effort: 3 } });
    const fresh = await save("workouts", { activityID: 10, date: "2024-02-11" });
    const removed = await save("workouts", { activityID: 10, date: "2024-02-12" });
    const course = await save("courses", { name: "River" });
    await here("backup");
    await save("workouts", { activityID: 10, date: "2024-02-10", ratings: { effort: 5 } }, denied);
    const { Refusal } = await import("../service/http/refusals.ts");
    const { store } = log.service;
    const [workout, readCourse] = [store.workout.bind(store), store.course.bind(store)];
    store.workout = async (userId, one) => {
      if (one === removed) deleteWorkout(join(log.folder, "service.db"), removed);
      if (one === denied) throw new Refusal("not-found", "no such workout");
      return workout(userId, one);
    };
    store.course = async () => {
      throw new Refusal("not-found", "no such course");
    };
    const ran = await here("backup", "--full");
    Object.assign(store, { workout, course: readCourse });
    expect(ran).toMatchObject({ code: 3 });
    expect(ran.err).toContain(`The workout ${denied} could not be read: its older copy is kept`);
    expect(ran.err).toContain(`The course ${course} could not be read: its older copy is kept`);
    expect(held().workouts).toMatchObject([{ id: denied, ratings: { effort: 3 } }, { id: fresh }]);
    // No listing shows an effort. The backup reads the record again because it could not be read before.
    expect(await line("snapshot", "backup")).toMatchObject({ code: 0, pass: "changes", readInFull: 2, unread: [] });
    expect(held().workouts).toMatchObject([{ id: denied, ratings: { effort: 5 } }, { id: fresh }]);
  });
});

test("a log that lost half its records is said once, and takes no older snapshot with it", async () => {
  const ids = await Promise.all(
    Array.from({ length: 40 }, () => save("workouts", { activityID: 10, date: "2024-02-10" })),
  );
  await here("backup");
  const goes = (some: readonly string[]) => {
    for (const id of some) deleteWorkout(join(log.folder, "service.db"), id);
  };
  goes(ids.slice(0, 19));
  expect(await here("backup", "--keep-last", "1")).toMatchObject({ code: 0 });
  goes(ids.slice(19));
  const ran = await here("backup", "--keep-last", "1");
  expect(ran).toMatchObject({ code: 3 });
  expect(ran.out).toContain("the log lists 0 workouts, and the snapshot before holds 21: look whether that is so.");
  expect(readdirSync(join(repository(), "snapshots"))).toHaveLength(2);
  expect(await here("backup", "--keep-last", "1")).toMatchObject({ code: 0 });
});
