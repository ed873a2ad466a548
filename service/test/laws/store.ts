/** The promises of `LogStore`, tested with each database. `NONE` holds ids that were never given. */
import { inspect } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Workout } from "../../model/workout.ts";
import type { Database } from "../../store/database.ts";
import { LogStore } from "../../store/log-store.ts";
import { openDatabase } from "../../store/open.ts";
import type { PackedFile } from "../../store/slice.ts";
import type { WorkoutFilter } from "../../store/store.ts";
import type { NewDatabase } from "../stores.ts";

const NONE = "0".repeat(32);
const ALL = { limit: 100, offset: 0 };
const ODD = "NUL \0, U+0001 \u00010, half a pair \ud800, ' OR 1=1 --, 🏃";

const never = () => Promise.reject(new Error("not to be asked"));

export function storeLaws(newDatabase: NewDatabase): void {
  let database: Database;
  let store: LogStore;
  /** New in every test. */
  let ann: string;
  let bob: string;

  beforeAll(async () => {
    database = await openDatabase(await newDatabase());
    store = new LogStore(database);
  });
  beforeEach(async () => {
    ann = await store.addUser({ screenName: "ann" }, {});
    bob = await store.addUser({ screenName: "bob" }, {});
  });
  afterAll(() => database.close());

  const add = (date: string, time?: string, more: Partial<Workout> = {}) =>
    store.addWorkout(ann, { activityID: 10, date, ...(time !== undefined && { time }), ...more });

  describe("tokens", () => {
    test("a token is found by its hash, case and all, and belongs to whom it was given", async () => {
      const token = { hash: `${ann}a`, userId: ann, application: "app", readsProfile: false };
      await store.addToken(token);
      await store.addToken({ ...token, hash: `${ann}b`, readsProfile: true });
      expect(await store.token(`${ann}a`)).toEqual(token);
      expect(await store.token(`${ann}b`)).toEqual({ ...token, hash: `${ann}b`, readsProfile: true });
      for (const hash of [`${ann}A`, `${ann}`, "%", "", ODD]) expect(await store.token(hash)).toBeUndefined();
    });
  });

  describe("users", () => {
    test("profile and preference come back as they were, and a preference is replaced whole", async () => {
      const profile = { screenName: ODD, person: { givenName: ODD, birthDate: "1980-05-06" } };
      const id = await store.addUser(profile, { utcOffset: -3.5, distanceUnit: "mi" });
      expect(await store.profile(id)).toEqual(profile);
      expect(await store.preference(id)).toEqual({ utcOffset: -3.5, distanceUnit: "mi" });
      await store.replacePreference(id, { weightUnit: "kg" });
      expect(await store.preference(id)).toEqual({ weightUnit: "kg" });
      expect(await store.preference(ann)).toEqual({});
    });

    test("activities are a user's own, by id from 100 on, each id once however many are added side by side", async () => {
      const ids = await Promise.all(["a", "b", "c", "d", "e", "f"].map((name) => store.addActivity(ann, name, [])));
      expect(ids.toSorted((a, b) => a - b)).toEqual([100, 101, 102, 103, 104, 105]);
      expect(await store.addActivity(ann, ODD, ["Easy", ODD])).toBe(106);
      expect((await store.activities(ann)).map(({ id }) => id)).toEqual([100, 101, 102, 103, 104, 105, 106]);
      expect((await store.activities(ann)).at(-1)).toEqual({ id: 106, name: ODD, types: ["Easy", ODD] });
      expect(await store.activities(bob)).toEqual([]);
      expect(await store.addActivity(bob, "his", [])).toBe(100);
    });
  });

  describe("workouts", () => {
    test("the first page of a log, or of one activity's workouts, is one question to the database", async () => {
      for (const [date, activityID] of [
        ["2024-01-01", 10],
        ["2024-02-02", 11],
        ["2024-03-03", 10],
      ] as const)
        await add(date, "08:00:00", { activityID });
      let questions = 0;
      const counting = new LogStore({
        ...{ run: never, transaction: never, snapshot: never, exclusively: never, close: never },
        get: (...asked) => database.get(...asked).finally(() => questions++),
        all: (...asked) => database.all(...asked).finally(() => questions++),
      });
      const runs: WorkoutFilter = { field: "activityID", operator: "eq", value: 10 };
      const later: WorkoutFilter = { field: "date", operator: "gt", value: "2024-01-01" };
      for (const [filters, dates] of [
        [[], ["2024-03-03", "2024-02-02"]],
        [[runs], ["2024-03-03", "2024-01-01"]],
        [[runs, later], ["2024-03-03"]],
      ] as const) {
        questions = 0;
        const { entries, total } = await counting.workouts(ann, { limit: 2, offset: 0 }, filters);
        expect(entries.map(({ date }) => date)).toEqual(dates);
        expect([total, questions]).toEqual([filters.length === 0 ? 3 : dates.length, 1]);
      }
    });

    test("a workout comes back as it was saved, every number and character", async () => {
      const workout: Workout = {
        activityID: 12,
        workoutID: 6,
        date: "2024-02-29",
        time: "00:00:00",
        notes: ODD,
        details: { distance: { unit: "mi", value: 4.1299999 }, duration: 2112.99 },
        health: { avgHR: 0 },
      };
      const id = await store.addWorkout(ann, workout);
      expect(await store.workout(ann, id)).toEqual({ id, workout });
      expect((await store.workouts(ann, ALL, [])).entries).toEqual([
        {
          id,
          activityID: 12,
          workoutID: 6,
          date: "2024-02-29",
          time: "00:00:00",
          details: { distance: { unit: "mi", value: 4.1299999 }, duration: 2112.99 },
        },
      ]);
    });

    test("a workout shows the names its course and its equipment have now, whatever is in them", async () => {
      const course = await store.addCourse(ann, { name: "old" });
      const equipment = await store.addEquipment(ann, { activityID: 10, brandName: "Old" });
      const id = await add("2024-01-01", undefined, { course, equipment });
      await store.replaceCourse(ann, course, { name: ODD });
      await store.replaceEquipment(ann, equipment, { activityID: 10, modelName: ODD });
      const named = { course: { id: course, name: ODD }, equipment: { id: equipment, name: ODD } };
      expect(await store.workout(ann, id)).toMatchObject(named);
      expect((await store.workouts(ann, ALL, [])).entries).toMatchObject([named]);
    });

    test("the newest comes first, an untimed one after the timed ones of its day, of equals the last made", async () => {
      const ids: Record<string, string> = {};
      for (const [name, date, time] of [
        ["d", "2024-01-02", undefined],
        ["f", "2024-01-01", "08:00:00"],
        ["c", "2024-01-02", undefined],
        ["b", "2024-01-02", "00:00:00"],
        ["a", "2024-01-02", "23:59:59"],
        ["e", "2024-01-01", "08:00:00"],
        ["g", "0999-12-31", "08:00:00"],
      ] as const) {
        ids[await add(date, time)] = name;
      }
      const { entries, total } = await store.workouts(ann, ALL, []);
      expect(entries.map(({ id }) => ids[id]).join("")).toBe("abcdefg");
      expect(total).toBe(7);
    });

    test("pages hold every workout once, and the total is that of all pages", async () => {
      for (let day = 10; day < 17; day++) await add(`2024-01-${day}`);
      const days: string[] = [];
      for (const offset of [0, 3, 6, 9]) {
        const { entries, total } = await store.workouts(ann, { limit: 3, offset }, []);
        expect(total).toBe(7);
        days.push(entries.map(({ date }) => date.slice(-2)).join(" "));
      }
      expect(days).toEqual(["16 15 14", "13 12 11", "10", ""]);
      expect(await store.workouts(ann, { limit: 100, offset: 2 ** 53 - 1 }, [])).toEqual({ entries: [], total: 7 });
    });

    test("what is deleted past the service leaves a listing whose total and pages agree", async () => {
      for (let day = 1; day <= 9; day++) await add(`2024-0${1 + (day % 3)}-0${day}`);
      await database.run(
        "DELETE FROM workouts WHERE user_id = ? AND date IN ('2024-02-01', '2024-03-02', '2024-03-05')",
        ann,
      );
      const days: string[] = [];
      for (const offset of [0, 2, 4]) {
        const { entries, total } = await store.workouts(ann, { limit: 2, offset }, []);
        expect(total).toBe(6);
        days.push(...entries.map(({ date }) => date));
      }
      expect(days).toEqual(["2024-03-08", "2024-02-07", "2024-02-04", "2024-01-09", "2024-01-06", "2024-01-03"]);
    });

    test("pages are right wherever workouts are added and moved to, in whole logs and of one activity", async () => {
      const day = fc
        .integer({ min: 0, max: 800 })
        .map((days) => new Date(Date.UTC(2023, 0, days)).toISOString().slice(0, 10));
      const step = fc.record({
        date: day,
        activityID: fc.constantFrom(10, 11),
        moves: fc.option(fc.nat(), { nil: undefined }),
      });
      const slice = fc.record({ limit: fc.integer({ min: 1, max: 12 }), offset: fc.nat({ max: 45 }) });
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: 40 }),
          fc.array(slice, { minLength: 3 }),
          async (steps, slices) => {
            const userId = await store.addUser({ screenName: "" }, {});
            const log: { id: string; date: string; activityID: number }[] = [];
            for (const { date, activityID, moves } of steps) {
              const at = moves === undefined || log.length === 0 ? undefined : moves % log.length;
              if (at === undefined) {
                log.push({ id: await store.addWorkout(userId, { date, activityID }), date, activityID });
              } else {
                const { id } = log[at] as { id: string };
                await store.replaceWorkout(userId, id, { date, activityID });
                log[at] = { id, date, activityID };
              }
            }
            for (const activityID of [undefined, 10]) {
              const listed = log
                .filter((one) => activityID === undefined || one.activityID === activityID)
                .toSorted((a, b) => (`${a.date}${a.id}` < `${b.date}${b.id}` ? 1 : -1));
              const filters: WorkoutFilter[] =
                activityID === undefined ? [] : [{ field: "activityID", operator: "eq", value: activityID }];
              for (const { limit, offset } of slices) {
                const { total, entries } = await store.workouts(userId, { limit, offset }, filters);
                expect(total).toBe(listed.length);
                expect(entries.map(({ id }) => id)).toEqual(listed.slice(offset, offset + limit).map(({ id }) => id));
              }
            }
          },
        ),
        { numRuns: 15 },
      );
    });

    test("the total is right after saves, moves and imports side by side", async () => {
      const moved = await Promise.all([add("2024-01-01"), add("2024-02-01")]);
      const recordings = ["2024-02-01", "2024-01-01"].map((date, recording) => ({
        recording,
        workout: { activityID: 10, date },
      }));
      await Promise.all(
        Array.from({ length: 30 }, (_, index) => {
          const date = `2024-0${1 + (index % 3)}-01`;
          if (index % 3 === 0) return add(date);
          if (index % 3 === 1) return store.addImport(ann, { format: "fit", packed: new Uint8Array() }, recordings);
          return store.replaceWorkout(ann, moved[index % 2] as string, { activityID: 10 + (index % 2), date });
        }),
      );
      // 2 that are moved about, 10 saves, 10 imports of 2
      const { total, entries } = await store.workouts(ann, ALL, []);
      expect([total, entries.length]).toEqual([32, 32]);
      expect((await store.workouts(ann, { limit: 1, offset: 31 }, [])).entries).toEqual([entries[31]]);
    });

    describe("filters", () => {
      beforeEach(async () => {
        await add("2024-01-01", "06:00:00", { workoutID: 1, details: { duration: 1800 } });
        await add("2024-01-02", "18:00:00", { workoutID: 3, details: { duration: 1800.5 } });
        await add("2024-01-03", undefined, { activityID: 12 });
      });

      test.each<[string, string, WorkoutFilter[]]>([
        ["nothing", "03 02 01", []],
        ["a day", "02", [{ field: "date", operator: "eq", value: "2024-01-02" }]],
        ["days from", "03 02", [{ field: "date", operator: "ge", value: "2024-01-02" }]],
        ["days to", "02 01", [{ field: "date", operator: "le", value: "2024-01-02" }]],
        ["days after", "03", [{ field: "date", operator: "gt", value: "2024-01-02" }]],
        ["days before", "01", [{ field: "date", operator: "lt", value: "2024-01-02" }]],
        ["a time from, which an untimed one has not", "02 01", [{ field: "time", operator: "ge", value: "00:00:00" }]],
        ["a time before, which it has not either", "01", [{ field: "time", operator: "lt", value: "06:00:01" }]],
        ["a time up to any", "02 01", [{ field: "time", operator: "le", value: "23:59:59" }]],
        ["an activity", "03", [{ field: "activityID", operator: "eq", value: 12 }]],
        ["an activity that can't be", "", [{ field: "activityID", operator: "eq", value: 10.5 }]],
        ["activities up to more than any integer", "03 02 01", [{ field: "activityID", operator: "lt", value: 1e300 }]],
        ["a type, which one without has not", "02 01", [{ field: "workoutID", operator: "ge", value: 0 }]],
        ["a duration to the fraction", "02", [{ field: "duration", operator: "gt", value: 1800.25 }]],
        ["a duration that is equal", "02", [{ field: "duration", operator: "eq", value: 1800.5 }]],
        ["a day that is none", "", [{ field: "date", operator: "eq", value: ODD }]],
        [
          "two things at once",
          "01",
          [
            { field: "activityID", operator: "eq", value: 10 },
            { field: "time", operator: "lt", value: "12:00:00" },
          ],
        ],
      ])("%s", async (_what, days, filters) => {
        const { entries, total } = await store.workouts(ann, ALL, filters);
        expect(entries.map(({ date }) => date.slice(-2)).join(" ")).toBe(days);
        expect(total).toBe(entries.length);
        const summed = await store.days(ann, filters);
        expect(summed.map(({ date }) => date.slice(-2)).join(" ")).toBe(days);
      });
    });

    test("the sums of a day are those of its workouts", async () => {
      await add("2024-01-01", undefined, { details: { distance: { unit: "km", value: 1 }, duration: 60.5 } });
      await add("2024-01-01", undefined, { details: { distance: { unit: "m", value: 500 } } });
      await add("2024-01-02");
      expect(await store.days(ann, [])).toEqual([
        { date: "2024-01-02", workouts: 1, metres: 0, seconds: 0 },
        { date: "2024-01-01", workouts: 2, metres: 1500, seconds: 60.5 },
      ]);
    });

    test("a replaced workout is the new one alone, where it now belongs", async () => {
      const id = await add("2024-01-01", "06:00:00", { workoutID: 1, notes: "old", details: { duration: 1 } });
      const later = await add("2024-01-02");
      expect(await store.replaceWorkout(ann, id, { activityID: 12, date: "2024-01-03" })).toBe(true);
      expect(await store.workout(ann, id)).toEqual({ id, workout: { activityID: 12, date: "2024-01-03" } });
      const { entries } = await store.workouts(ann, ALL, []);
      expect(entries.map((entry) => entry.id)).toEqual([id, later]);
      expect(entries[0]).toEqual({ id, activityID: 12, date: "2024-01-03", details: {} });
    });
  });

  describe("imports", () => {
    const file: PackedFile = { format: "fit", packed: Uint8Array.from([0, 1, 2, 0xff, 0]) };
    const imported = (recording: number, more: Partial<Workout> = {}) => ({
      recording,
      workout: { activityID: 10, date: `2024-01-0${recording + 1}`, ...more },
    });

    test("a file and the workouts made of it are kept, their ids in order; a replaced workout keeps its track", async () => {
      const ids = await store.addImport(ann, file, [imported(1), imported(0)]);
      expect(ids).toHaveLength(2);
      const dates = await Promise.all(ids.map(async (id) => (await store.workout(ann, id))?.workout.date));
      expect(dates).toEqual(["2024-01-02", "2024-01-01"]);
      await store.replaceWorkout(ann, ids[0] as string, { activityID: 10, date: "2020-01-01" });
      expect(await store.track(ann, ids[0] as string)).toEqual({ ...file, recording: 1 });
      expect(await store.track(ann, ids[1] as string)).toEqual({ ...file, recording: 0 });
    });

    test("a workout that was saved has no track", async () => {
      expect(await store.track(ann, await add("2024-01-01"))).toBeUndefined();
    });

    test("nothing of an import is kept when one of its workouts can't be", async () => {
      const uploads = () => database.get("SELECT COUNT(*) AS total FROM uploads WHERE user_id = ?", ann);
      await expect(store.addImport(ann, file, [imported(0), imported(1, { course: NONE })])).rejects.toThrow();
      expect(await uploads()).toEqual({ total: 0 });
      expect(await store.workouts(ann, ALL, [])).toEqual({ total: 0, entries: [] });
    });
  });

  describe("courses", () => {
    test("a course comes back as it was saved, and is replaced whole", async () => {
      const course = {
        name: ODD,
        notes: ODD,
        distance: { unit: "mi" as const, value: 3.1 },
        surfaces: { asphalt: true },
      };
      const id = await store.addCourse(ann, course);
      expect(await store.course(ann, id)).toEqual({ id, course });
      expect(await store.replaceCourse(ann, id, { name: "new" })).toBe(true);
      expect(await store.course(ann, id)).toEqual({ id, course: { name: "new" } });
    });

    test("are ordered by their last workout, by name, or shortest first; those without come last", async () => {
      const names = ["park", "Zoo", "ämter", "alley", "park"];
      const ids: string[] = [];
      for (const [index, name] of names.entries()) {
        const distance = index === 0 ? undefined : ({ unit: "km", value: 10 - index } as const);
        ids.push(await store.addCourse(ann, { name, ...(distance !== undefined && { distance }) }));
      }
      await add("2024-01-02", undefined, { course: ids[3] as string });
      await add("2024-01-01", undefined, { course: ids[1] as string });
      const order = async (by: "last used" | "name" | "distance") => {
        const { entries, total } = await store.courses(ann, ALL, by);
        expect(total).toBe(5);
        return entries.map(({ id }) => ids.indexOf(id));
      };
      expect(await order("name")).toEqual([3, 2, 0, 4, 1]);
      expect(await order("distance")).toEqual([4, 3, 2, 1, 0]);
      expect(await order("last used")).toEqual([3, 1, 4, 2, 0]);
      const { entries, total } = await store.courses(ann, { limit: 2, offset: 1 }, "name");
      expect([entries.map(({ id }) => ids.indexOf(id)), total]).toEqual([[2, 0], 5]);
    });

    test("a map is kept byte for byte, and a new one takes its place", async () => {
      const id = await store.addCourse(ann, { name: "a" });
      expect(await store.courseMap(ann, id)).toBeUndefined();
      for (const packed of [Uint8Array.from([0, 255, 1]), Uint8Array.from([7])]) {
        expect(await store.putCourseMap(ann, id, { format: "gpx", packed })).toBe(true);
        expect(await store.courseMap(ann, id)).toEqual({ format: "gpx", packed });
      }
      await store.replaceCourse(ann, id, { name: "b" });
      expect(await store.courseMap(ann, id)).toEqual({ format: "gpx", packed: Uint8Array.from([7]) });
    });
  });

  describe("equipment", () => {
    test("a piece comes back as it was saved, with the metres of its workouts in whatever unit", async () => {
      const equipment = { activityID: 10, brandName: ODD, serial: ODD, price: 129.95, purchaseDate: "2024-01-01" };
      const id = await store.addEquipment(ann, equipment);
      expect(await store.equipment(ann, id)).toEqual({ id, equipment, metres: 0 });
      expect([await store.has("equipment", ann, id), await store.has("courses", ann, id)]).toEqual([true, false]);
      for (const distance of [
        { unit: "km", value: 5 },
        { unit: "m", value: 250 },
        { unit: "mi", value: 2 },
      ] as const) {
        await add("2024-01-01", undefined, { equipment: id, details: { distance } });
      }
      await add("2024-01-01", undefined, { equipment: id });
      // 5,000 + 250 + 2 x 1,609.344
      expect((await store.equipment(ann, id))?.metres).toBeCloseTo(8468.688, 6);
      expect(await store.replaceEquipment(ann, id, { activityID: 11 })).toBe(true);
      expect(await store.equipment(ann, id)).toMatchObject({ id, equipment: { activityID: 11 } });
    });

    test("is listed in the order it was made, by activity, and without the retired unless they are asked for", async () => {
      const ids: string[] = [];
      for (const activityID of [11, 10, 10, 12]) ids.push(await store.addEquipment(ann, { activityID }));
      expect(await store.retireEquipment(ann, ids[1] as string)).toBe(true);
      const list = async (activityID: number | undefined, showRetired: boolean, slice = ALL) => {
        const { entries, total } = await store.equipments(ann, slice, { activityID, showRetired });
        return [total, entries.map(({ id }) => ids.indexOf(id)).join("")];
      };
      expect(await list(undefined, false)).toEqual([3, "023"]);
      expect(await list(undefined, true)).toEqual([4, "0123"]);
      expect(await list(10, false)).toEqual([1, "2"]);
      expect(await list(10, true)).toEqual([2, "12"]);
      expect(await list(99, true)).toEqual([0, ""]);
      expect(await list(2 ** 53, true)).toEqual([0, ""]);
      expect(await list(undefined, true, { limit: 2, offset: 1 })).toEqual([4, "12"]);
    });
  });

  test("an application sees every plan but the commercial ones of others", async () => {
    for (const [name, application, attributes] of [
      ["own", undefined, undefined],
      ["private", undefined, { private: true }],
      ["mine", "app", { commercial: true }],
      ["theirs", "other", { commercial: true }],
      ["theirs, free", "other", undefined],
    ] as const) {
      await store.addTrainingPlan(ann, {
        name,
        ...(application !== undefined && { application }),
        ...(attributes !== undefined && { attributes }),
      });
    }
    const names = async (application: string) =>
      (await store.trainingPlans(ann, application)).map((plan) => plan.name).join(", ");
    expect(await names("app")).toBe("own, private, mine, theirs, free");
    expect(await names("other")).toBe("own, private, theirs, theirs, free");
    expect(await names("")).toBe("own, private, theirs, free");
    expect(await store.trainingPlans(bob, "app")).toEqual([]);
  });

  test("somebody else's id, and one that never was, is as good as none, and changes nothing", async () => {
    const packed = Uint8Array.from([1]);
    const [workout] = (await store.addImport(ann, { format: "gpx", packed }, [
      { recording: 0, workout: { activityID: 10, date: "2024-01-01" } },
    ])) as [string];
    const course = await store.addCourse(ann, { name: "hers" });
    const equipment = await store.addEquipment(ann, { activityID: 10 });
    await store.putCourseMap(ann, course, { format: "gpx", packed });
    const everything = async () =>
      inspect(
        await Promise.all([
          store.workout(ann, workout),
          store.track(ann, workout),
          store.course(ann, course),
          store.courseMap(ann, course),
          store.equipments(ann, ALL, { activityID: undefined, showRetired: false }),
        ]),
        { depth: 9 },
      );
    const before = await everything();
    const tries: [string, string][] = [workout, course, equipment].map((id) => [bob, id]);
    for (const id of [NONE, "", "%", ODD, `${workout} `]) tries.push([ann, id], [ODD, id]);
    for (const [user, id] of tries) {
      for (const found of await Promise.all([
        store.workout(user, id),
        store.track(user, id),
        store.course(user, id),
        store.courseMap(user, id),
        store.equipment(user, id),
      ])) {
        expect(found).toBeUndefined();
      }
      for (const changed of await Promise.all([
        store.has("courses", user, id),
        store.has("equipment", user, id),
        store.replaceWorkout(user, id, { activityID: 11, date: "2000-01-01" }),
        store.replaceCourse(user, id, { name: "stolen" }),
        store.putCourseMap(user, id, { format: "gpx", packed: new Uint8Array() }),
        store.replaceEquipment(user, id, { activityID: 11 }),
        store.retireEquipment(user, id),
      ])) {
        expect(changed).toBe(false);
      }
    }
    expect(await everything()).toBe(before);
    expect((await store.workouts(bob, ALL, [])).total).toBe(0);
    expect((await store.courses(bob, ALL, "last used")).total).toBe(0);
    expect((await store.equipments(bob, ALL, { activityID: undefined, showRetired: true })).total).toBe(0);
  });
}
