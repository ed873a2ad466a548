import { describe, expect, test } from "vitest";
import { memoryArchive } from "../../../containers/memory.ts";
import { inferMapping, isOpen } from "../infer.ts";

/** Proposes a mapping for rows without their dates. */
async function infer(header: string, rows: readonly string[]) {
  const lines = [`Date,${header}`, ...rows.map((row, at) => `2015-03-${String(at + 10)},${row}`)];
  const archive = memoryArchive("log", { "log.csv": `${lines.join("\n")}\n` });
  const [table] = archive.entries();
  if (table === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, table, new Map([["defaults.activity", "run"]]), "2026-03-01");
  if ("problem" in proposal) throw new Error(proposal.problem);
  const { choices, draft } = proposal;
  return { columns: Object.fromEntries(draft.columns), rules: draft.rows, choices, open: choices.filter(isOpen) };
}

/** 7.2 km, 12.5 km and so on, with the true pace of a mile: 0:40:13 over 7.2 km is 5:35 a kilometre, and 8:59 a mile. */
const KM = ["7.2,0:40:13,8:59", "12.5,1:06:13,8:31", "11.3,1:03:24,9:01", "14.0,1:16:35,8:48"];
/** Miles, with the true pace of a kilometre: 0:51:37 over 6.3 miles is 8:12 a mile, and 5:05 a kilometre. */
const MILES = ["6.3,0:51:37,5:05", "4.2,0:35:42,5:16", "6.8,0:55:50,5:06", "4.8,0:38:49,5:01"];
/** Miles, with the true speed in kilometres an hour. */
const RIDES = ["18.7,1:07:37,26.7", "22.3,1:16:28,28.2", "34.8,1:59:45,28.1", "35.3,2:10:14,26.2"];
/** 10 and 8 km with the pace of a kilometre. */
const BOTH_KM = ["10.0,0:52:00,5:12", "8.0,0:41:04,5:08", "12.0,1:03:00,5:15", "5.0,0:24:10,4:50"];

describe("the unit of the distances", () => {
  test.each([
    ["kilometres beside the pace of a mile", "Distance,Time,min/mile", KM, "km"],
    ["miles beside the pace of a kilometre", "Distance,Time,min/km", MILES, "mi"],
    ["miles beside a speed in km/h", "Distance,Time,km/h", RIDES, "mi"],
    ["kilometres beside the pace of a kilometre", "Distance,Time,Pace (min/km)", BOTH_KM, "km"],
  ])("is that in which the pace is the time over the distance: %s", async (_, header, rows, unit) => {
    const { columns, open } = await infer(header, rows);
    expect(open).toEqual([]);
    expect(columns).toMatchObject({ Distance: { field: "distance", unit } });
    expect(Object.values(columns).at(-1)).toEqual({ field: "ignore", why: "follows from distance and time" });
  });

  test("is a question where its header says another one than the pace", async () => {
    const { open } = await infer("km,Time,Pace (min/mi)", ["8.4,1:08:51,8:11", "7.5,1:06:26,8:51", "5.0,0:40:18,8:03"]);
    expect(open.map(({ place, options }) => [place, options.map(({ value }) => value)])).toEqual([
      ["columns.km.unit", ["mi", "km"]],
    ]);
    expect(open[0]?.why).toBe(
      'the header or the cells say km, but in mi the column "Pace (min/mi)" is the time over the distance so in 3 of 3 rows. One of the two headers is wrong',
    );
  });

  test("is not taken from a header whose values contradict every unit", async () => {
    const { open } = await infer("Distance,Time,min/mile", [
      "8.0,0:40:00,3:09",
      "8.5,0:41:00,4:19",
      "9.0,0:42:00,6:29",
    ]);
    expect(open.map(({ place }) => place)).toContain("columns.Distance.unit");
  });
});

test("a share of the highest heart rate is no heart rate", async () => {
  const rows = ["8.0,0:40:00,60", "8.5,0:41:00,72", "9.0,0:42:00,84"];
  for (const header of ["HF (% max)", "HR %", "% HRmax"])
    expect((await infer(`km,Time,${header}`, rows)).columns[header]).toMatchObject({ field: "unsupported" });
});

test.each([
  ["Status", "done", "skipped", "planned"],
  ["Status", "erledigt", "ausgefallen", "geplant"],
  ["Statut", "fait", "annulé", "prévu"],
  ["Estado", "hecho", "cancelado", "planeado"],
  ["Stato", "fatto", "saltato", "previsto"],
  ["Status", "genomförd", "inställd", "planerad"],
])("rows whose %s is no %s are a question, and left out first", async (header, done, skipped, planned) => {
  const rows = [done, skipped, done, planned, done].map((state, at) => `${8 + at},0:5${at}:00,${state}`);
  const { rules, choices } = await infer(`km,Time,${header}`, rows);
  const when = [{ column: header, matches: `^(?:${skipped}|${planned})$` }];
  expect(rules).toEqual([{ when, skip: "not done", place: "rows.0" }]);
  const choice = choices.find(({ place }) => place === "rows.0");
  expect(choice?.options?.map(({ value }) => value)).toEqual(["not done", "workouts"]);
  expect(choice?.why).toBe(
    `2 rows have a state in the column "${header}" that says so: "${skipped}" once, "${planned}" once; the others have "${done}"`,
  );
});

test("a pace that contradicts the distance and the time is counted as left, with an example", async () => {
  const { columns, choices } = await infer("km,Time,Pace", [
    "8.0,0:40:00,3:09",
    "8.5,0:41:00,4:19",
    "9.0,0:42:00,6:29",
  ]);
  expect(columns).toMatchObject({ Pace: { field: "unsupported", label: "pace" } });
  expect(choices.find(({ place }) => place === "columns.Pace.field")?.why).toBe(
    'it doesn\'t follow from distance and time in 3 of 3 rows, such as "3:09" beside 8.0 in 0:40:00',
  );
});

describe("splits", () => {
  const SPLITS = ["5,0:24:59,4:59,5:00,4:58,5:01,5:01", "5,0:24:54,4:59,4:58,4:58,4:58,5:01", "5,0:25:10,5:02,5:03,5:01,5:04,5:00"]; // biome-ignore format: a table

  test("with numbers are values that nobody knows, also where each is near the pace of the whole", async () => {
    const { columns } = await infer("km,Time,Split 1,Split 2,Split 3,Split 4,Split 5", SPLITS);
    for (const at of [1, 2, 3, 4, 5])
      expect(columns[`Split ${at}`]).toEqual({ field: "unsupported", label: `Split ${at}`, proposed: true });
  });

  test("without a number are a pace, which follows from distance and time", async () => {
    const { columns } = await infer("km,Time,Split", ["10.0,0:52:00,5:12", "8.0,0:41:04,5:08", "12.0,1:03:00,5:15"]);
    expect(columns.Split).toEqual({ field: "ignore", why: "follows from distance and time" });
  });
});
