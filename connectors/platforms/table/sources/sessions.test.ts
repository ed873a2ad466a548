import { expect, test } from "vitest";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { platform } from "../platform.ts";
import { csv } from "./csv-source.ts";
import { SESSION_COLUMNS, sessions } from "./sessions.ts";

const gym = platform({
  name: "gym",
  title: "Gym log",
  howToGet: "nobody has one.",
  workouts: [
    {
      ...sessions(csv("gym.csv", ["Start", "Exercise"]), {
        start: "Start",
        by: ["Name"],
        set: (cellOf) =>
          cellOf("Reps") === "rest"
            ? { leave: "a rest" }
            : {
                exercise: cellOf("Exercise"),
                reps: cellOf("Reps"),
                weight: cellOf("Weight"),
                distance: cellOf("Metres"),
                distanceUnit: "m",
                seconds: cellOf("Seconds"),
              },
      }),
      dates: { order: "iso", zone: "local" },
      columns: [
        ...SESSION_COLUMNS,
        ["Start", "datetime"],
        ["Name", "name"],
        [["Exercise", "Reps", "Weight", "Metres", "Seconds"], "ignore"],
      ],
    },
  ],
  leaves: {},
});

async function read(...rows: readonly string[]) {
  const text = ["Start,Name,Exercise,Reps,Weight,Metres,Seconds", ...rows, ""].join("\n");
  const { readings, issues } = await readAll(gym, memoryArchive("gym", { "gym.csv": Buffer.from(text) }));
  return { readings, issues, values: readings.map((each) => (each.kind === "workout" ? each.value : each)) };
}

const A = "2024-01-01 18:00,Legs";
const B = "2024-01-01 18:00,Arms";

test("the sets of a session are one workout, in whatever order the rows stand", async () => {
  const { values } = await read(`${A},Squat,5,60,,`, `${B},Curl,8,10,,`, `${A},Squat,5,60,,`, `${A},Lunge,10,,,`);
  expect(values).toMatchObject([
    { name: "Arms", notes: "Curl: 1×8 @ 10" },
    { name: "Legs", activity: "weight", notes: "Squat: 2×5 @ 60\nLunge: 1×10" },
  ]);
});

test("sets with a distance of more than a minute are a workout of their own, on the same day", async () => {
  const { values } = await read(
    `${A},Squat,5,60,,`,
    `${A},Rowing,,,500,120`,
    `${A},Rowing,,,250.5,61`,
    `${A},Sled,,40,20,15`,
  );
  expect(values).toEqual([
    expect.objectContaining({ notes: "Squat: 1×5 @ 60\nSled: 20 m in 15 s @ 40" }),
    {
      activity: "row",
      sport: "Rowing",
      start: { date: "2024-01-01" },
      name: "Legs",
      notes: "Rowing: 500 m in 120 s; 250.5 m in 61 s",
      distance: { unit: "m", value: 750.5 },
      duration: 181,
    },
  ]);
});

test.each([
  ["2000;5", "720", { duration: 720 }, { rule: "table/bad-number", found: "2000;5", expected: "a number of m" }],
  ["2000,5", "720", { duration: 720 }, { rule: "table/bad-number", found: "2000,5", expected: "a number of m" }],
  ["2000", "28:00", { distance: { unit: "m", value: 2000 } }, { rule: "table/bad-duration", found: "28:00" }],
])("a run of %s metres in %s seconds stays a workout, without the amount that can't be read", async (...row) => {
  const [metres, seconds, kept, issue] = row;
  const { values, issues } = await read(`${A},Squat,5,60,,`, `${A},Rowing,,,"${metres}",${seconds}`);
  expect(values).toMatchObject([
    { activity: "weight" },
    { activity: "row", ...kept, unsupported: [{ value: issue.found, isUnread: true }] },
  ]);
  expect(issues).toMatchObject([issue]);
});

test("a session of a single run keeps its time of day", async () => {
  expect((await read(`${A},Treadmill,,,2000,720`)).values).toMatchObject([
    { activity: "run", start: { date: "2024-01-01", time: "18:00:00" }, duration: 720 },
  ]);
});

test("rows that are no sets are counted by kind, and a session of such rows is skipped", async () => {
  const { readings, issues } = await read(`${A},Squat,5,60,,`, `${A},Squat,rest,,,`, `${B},Curl,0,,,`);
  expect(readings).toMatchObject([
    { kind: "workout" },
    { kind: "set-aside", as: "skipped", issue: { found: "no set in it was done" } },
  ]);
  expect(issues).toMatchObject([
    { severity: "info", rule: "table/no-set", found: "a rest", count: 1 },
    { found: "a set without any number", count: 1 },
  ]);
});

test("a session whose last set is cut off waits as a whole", async () => {
  const archive = memoryArchive("gym", {
    "gym.csv": Buffer.from(`Start,Name,Exercise,Reps,Weight,Metres,Seconds\n${A},Squat,5,60,,\n${A},Squ`),
  });
  expect((await readAll(gym, archive)).readings).toMatchObject([{ kind: "set-aside", issue: { rule: "csv/cut-row" } }]);
});

test("a later set changes no key, so that a later export updates the workout", async () => {
  const before = await read(`${A},Squat,5,60,,`);
  const after = await read(`${A},Squat,5,60,,`, `${A},Squat,4,65,,`);
  expect(after.readings.map(({ key }) => key)).toEqual(before.readings.map(({ key }) => key));
});

test("cells beyond the header are reported, and move no other cell", async () => {
  const { values, issues } = await read(`${A},Squat,5,60,,,stray`);
  expect(values).toMatchObject([{ notes: "Squat: 1×5 @ 60" }]);
  expect(issues).toMatchObject([{ rule: "table/extra-cells", found: "stray", origin: { locator: "line 2" } }]);
});

test("a set with a distance below 0 is a workout whose distance can't be read, and -1 stands for none", async () => {
  const { values, issues } = await read(`${A},Squat,5,60,,`, `${A},Run,,,-3100,1680`, `${B},Row,,,-1,300`);
  expect(values).toMatchObject([
    { name: "Legs", notes: "Squat: 1×5 @ 60" },
    { notes: "Run: -3100 m in 1680 s", duration: 1680, unsupported: [{ field: "distance", value: "-3100" }] },
    { name: "Arms", notes: "Row: 300 s" },
  ]);
  expect(values[1]).not.toHaveProperty("distance");
  expect(issues.map(({ rule, found }) => [rule, found])).toEqual([
    ["table/bad-number", "-3100"],
    ["table/bad-number", "-1"],
  ]);
});

test("a column that nobody knows counts with each of its values, of sets and of rows that are none", async () => {
  const text = `Start,Name,Exercise,Reps,Weight,Metres,Seconds,Frob
${A},Squat,5,60,,,f0
${A},Squat,5,60,,,f1
${A},Squat,rest,,,,f2
${A},Rowing,,,500,120,f3
`;
  const { readings, issues } = await readAll(gym, memoryArchive("gym", { "gym.csv": Buffer.from(text) }));
  const lost = readings.map((each) => each.kind === "workout" && each.value.unsupported);
  const frob = (value: string) => ({ field: "Frob", value });
  expect(lost).toEqual([["f2", "f0", "f1"].map(frob), [frob("f3")]]);
  expect(issues.filter(({ rule }) => rule === "table/unknown-column")).toMatchObject([{ field: "Frob" }]);
});
