import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { deleteWorkout } from "./support/delete-workout.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { type SheetRun, writeSheet } from "./support/small-sources.ts";
import { startsInLog } from "./support/starts-in-log.ts";

// Two sources of one training were imported one after the other, and the log has some of it twice. By the real command line.

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse();
});
afterEach(() => rehearsal.close());

const run = (...words: readonly string[]) => rehearsal.run(words);
const ids = async () => (await rehearsal.listed("/rest/logs/me/workouts")).map(({ id }) => String(id));

/** Runs at other times of day, with a clock that is so many hours late. @returns the sheet's path */
function sheet(name: string, hoursLate: number): string {
  const runs = Array.from({ length: 12 }, (_, index): SheetRun => {
    const [hour, minute] = [7 + ((index * 5) % 9) + hoursLate, (index * 17) % 60];
    return {
      date: `2024-05-${String(2 + index * 2).padStart(2, "0")}`,
      time: [hour, minute].map((part) => String(part).padStart(2, "0")).join(":"),
      km: 6 + ((index * 7) % 11),
      seconds: 300 * (6 + ((index * 7) % 11)) + ((index * 37) % 100),
    };
  });
  return writeSheet(join(rehearsal.folder, name), runs, name);
}

test("workouts that the log has twice by a wrong clock are named, and keep the old account open until they are decided", async () => {
  const [right, late] = [sheet("right", 0), sheet("late", 2)];
  await run("import", right);
  // The zone was lost: with --trust-clocks all are loaded a second time.
  await run("import", "--trust-clocks", late);
  expect(await ids()).toHaveLength(24);
  const both = await run("import", right, late);
  expect(both.out).toContain("right.csv line 13 and late.csv line 13, 120 min later");
  expect(both.out).toContain("12 workouts are there twice, by their values");
  expect(both.out).not.toContain("each once");
  expect(both.code).toBe(3);
  await run("verify");
  const page = join(rehearsal.folder, "certificate.json");
  expect((await run("certify", page)).out).toContain(
    "Not yet: 12 workouts are in the log twice, by their values: surely one",
  );
  // One of each is deleted, and the other one is found again.
  const inLog = await rehearsal.listed("/rest/logs/me/workouts");
  const times = new Map<string, number>();
  for (const { id } of inLog) {
    const { workout } = (await rehearsal.get(`/rest/logs/me/workouts/${id}`)) as { workout: { date: string } };
    times.set(workout.date, (times.get(workout.date) ?? 0) + 1);
    if (times.get(workout.date) === 2) deleteWorkout(join(rehearsal.folder, "service.db"), String(id));
  }
  expect(await ids()).toHaveLength(12);
  const again = await run("import", right, late);
  expect(again.out).toContain("Done. 24 of 24 records are in your log, as 12 workouts, each once.");
});

test("of two that a person called one and of which they deleted one, the other one gets what only that one had", async () => {
  const [sheet, phone] = (["sheet", "phone"] as const).map((name, index) =>
    writeSheet(
      join(rehearsal.folder, name),
      [
        {
          date: "2024-06-16",
          time: index === 0 ? "09:00" : "09:09",
          km: 10 - index,
          seconds: 3_600 - index * 300,
          notes: name,
        },
      ],
      name,
    ),
  ) as [string, string];
  await run("import", sheet, phone);
  expect(await ids()).toHaveLength(2);
  await run("plan", "review", "--answer", "sheet.csv:2+phone.csv:2=one");
  for (const id of await ids()) {
    const { workout } = (await rehearsal.get(`/rest/logs/me/workouts/${id}`)) as { workout: { notes: string } };
    if (workout.notes === "phone") deleteWorkout(join(rehearsal.folder, "service.db"), id);
  }
  await run("import", sheet, phone);
  const [id] = await ids();
  expect(await ids()).toHaveLength(1);
  const { workout } = (await rehearsal.get(`/rest/logs/me/workouts/${id}`)) as { workout: { notes: string } };
  expect(workout.notes).toBe("sheet\n\nphone");
});

test("a run of the morning is not taken for the one of the evening, which the log has without a time of day", async () => {
  const day = { date: "2024-06-04", notes: "" };
  const sheets = [
    { name: "diary", time: "", km: 5, seconds: 1_498 },
    { name: "phone", time: "18:31:12", km: 5.02, seconds: 1_491 },
    { name: "watch", time: "07:05:04", km: 5.03, seconds: 1_526 },
  ].map(({ name, ...measures }) => writeSheet(join(rehearsal.folder, name), [{ ...day, ...measures }], name));
  for (const sheet of sheets) await run("import", sheet);
  expect(await startsInLog(rehearsal)).toEqual(["- 5", "07:05 5.03"]);
  const all = await run("import", ...sheets);
  expect(all.out).toContain("3 of 3 records are in your log, as 2 workouts, each once.");
});
