import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { packed, xlsxParts } from "../fixtures/make/workbook.ts";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { longTest, test } from "./support/tier-tests.ts";

// A spreadsheet that goes on after it was loaded. Its owner edits, sorts, adds and removes rows, and imports the sheet again. A row without an id is
// known by its content. logferry must not turn an edited row into a second workout without saying so.

let rehearsal: Rehearsal;
let source: string;

beforeEach(async () => {
  rehearsal = await rehearse();
  const folder = join(rehearsal.folder, "sheet");
  mkdirSync(folder);
  source = join(folder, "log.csv");
  writeFileSync(
    join(folder, "log.map.yaml"),
    `version: 1
dates: { order: iso }
columns:
  Day: { field: date }
  At: { field: time }
  Sport: { field: activity }
  Distance: { field: distance, unit: km }
  Time: { field: duration, format: "h:mm:ss" }
  Notes: { field: notes }
`,
  );
});
afterEach(() => rehearsal.close());

function sheet(...rows: readonly string[]): void {
  writeFileSync(source, ["Day,At,Sport,Distance,Time,Notes", ...rows].join("\n"));
}

async function imported(...rows: readonly string[]) {
  sheet(...rows);
  const planned = await rehearsal.run(["plan", source]);
  const loaded = await rehearsal.run(["import", source, "--json"]);
  expect(loaded.code, loaded.err).toBe(0);
  const ledger = jsonLines(loaded.out).findLast(({ type }) => type === "summary")?.ledger;
  return { planned: planned.out.replace(/\s+/g, " "), ledger };
}

/** Day, kilometres, seconds and notes of every workout in the log. */
async function inLog(): Promise<string[]> {
  const found: string[] = [];
  for (const { id } of await rehearsal.listed("/rest/logs/me/workouts")) {
    const { workout } = await rehearsal.get(`/rest/logs/me/workouts/${id}`);
    const { date, details, notes } = workout as {
      date: string;
      details: { distance?: { value: number }; duration?: number };
      notes?: string;
    };
    found.push(`${date} ${details.distance?.value} ${details.duration} ${notes}`);
  }
  return found.sort();
}

test("edited rows bring their workouts up to date, and the plan says how many there are", async () => {
  await imported(
    "2015-03-01,,run,10,0:50:00,first",
    "2015-03-02,,run,8,0:40:00,second",
    "2015-03-03,18:00,run,12,1:00:00,third",
    "2015-03-04,,run,6,0:30:00,fourth",
  );
  // A typing mistake in a duration, one in a distance, one in a time of day, and other words. The sheet was also sorted the other way.
  const edited = [
    "2015-03-04,,run,6,0:30:00,fourth and slow",
    "2015-03-03,8:00,run,12,1:00:00,third",
    "2015-03-02,,run,9.5,0:40:00,second",
    "2015-03-01,,run,10,0:55:00,first",
  ];
  const { planned, ledger } = await imported(...edited);
  expect(planned).toContain("3 rows look like edited versions of loaded workouts");
  expect(planned).toContain("The workouts in the log are brought up to date, and no second ones are made");
  expect(ledger).toMatchObject({ read: 4, created: 0, updated: 4 });
  const expected = [
    "2015-03-01 10 3300 first",
    "2015-03-02 9.5 2400 second",
    "2015-03-03 12 3600 third",
    "2015-03-04 6 1800 fourth and slow",
  ];
  expect(await inLog()).toEqual(expected);
  const again = await imported(...edited);
  expect(again.ledger).toMatchObject({ read: 4, created: 0, updated: 0, unchanged: 4 });
  expect(again.planned).not.toContain("edited version");
  expect(await rehearsal.run(["verify"])).toMatchObject({ code: 0 });
});

test("a row that is edited and edited back has its first values in the log again", async () => {
  const [first, second] = ["2015-03-01,,run,10,0:50:00,first", "2015-03-02,,run,8,0:40:00,second"];
  const [other, third] = ["2015-03-02,,run,9.5,0:40:00,other", "2015-03-02,,run,9.5,0:40:00,third"];
  const updated = { read: 2, created: 0, updated: 1, unchanged: 1 };
  await imported(first, second);
  expect((await imported(first, other)).ledger).toMatchObject(updated);
  expect((await imported(first, second)).ledger).toMatchObject(updated);
  expect(await inLog()).toEqual(["2015-03-01 10 3000 first", "2015-03-02 8 2400 second"]);
  expect((await imported(first, other)).ledger).toMatchObject(updated);
  expect((await imported(first, third)).ledger).toMatchObject(updated);
  expect((await imported(first, second)).ledger).toMatchObject(updated);
  expect((await imported(first, second)).ledger).toMatchObject({ updated: 0, unchanged: 2 });
  expect(await inLog()).toEqual(["2015-03-01 10 3000 first", "2015-03-02 8 2400 second"]);
  expect(await rehearsal.run(["verify"])).toMatchObject({ code: 0 });
  // The first version beside the edited one is a second workout.
  expect((await imported(first, other)).ledger).toMatchObject(updated);
  expect((await imported(first, other, second)).ledger).toMatchObject({ read: 3, created: 1, unchanged: 2 });
  expect(await inLog()).toEqual(["2015-03-01 10 3000 first", "2015-03-02 8 2400 second", "2015-03-02 9.5 2400 other"]);
});

test("a sheet in another order is the same sheet", async () => {
  const rows = ["2015-03-01,,run,10,0:50:00,a", "2015-03-01,,run,10,0:50:00,a", "2015-03-02,,run,8,0:40:00,b"];
  await imported(...rows);
  const { ledger } = await imported(...rows.toReversed());
  expect(ledger).toMatchObject({ read: 3, created: 0, updated: 0, unchanged: 3 });
});

test("a second run of a day is new while the row of the first is still there", async () => {
  await imported("2015-03-01,,run,10,0:50:00,a");
  const { planned, ledger } = await imported("2015-03-01,,run,10,0:50:00,a", "2015-03-01,,run,10,0:58:00,b");
  expect(ledger).toMatchObject({ read: 2, created: 1, unchanged: 1 });
  expect(planned).not.toContain("edited version");
});

longTest("of two edited rows of one day each finds its own workout", async () => {
  await imported("2015-03-01,,run,10,0:50:00,a", "2015-03-01,,run,10,1:10:00,b");
  const { ledger } = await imported("2015-03-01,,run,10,1:15:00,b", "2015-03-01,,run,10,0:53:00,a");
  expect(ledger).toMatchObject({ read: 2, created: 0, updated: 2 });
  expect(await inLog()).toEqual(["2015-03-01 10 3180 a", "2015-03-01 10 4500 b"]);
});

longTest(
  "a row of another time of day with another length is another run, and one of another day waits in a table of other rows",
  async () => {
    await imported("2015-03-01,7:00,run,10,0:50:00,a", "2015-03-05,,run,5,0:25:00,b");
    sheet("2015-03-01,18:00,run,10,0:58:00,c", "2015-03-06,,run,5,0:25:00,b");
    const loaded = await rehearsal.run(["import", source]);
    expect(loaded.code, loaded.out).toBe(3);
    expect(loaded.out).toContain("4 values are those of log.csv line 3, 2015-03-05 5 km (run 2), which is in your log");
    expect(loaded.out).toContain(
      "1 workout of your log that an earlier run loaded is no longer in these sources: log.csv line 2, 2015-03-01 07:00 10 km (run 2)",
    );
    expect(await inLog()).toEqual(["2015-03-01 10 3000 a", "2015-03-01 10 3480 c", "2015-03-05 5 1500 b"]);
  },
);

test("a row with another day, another sport, or another distance and time is the same workout", async () => {
  await imported(
    "2015-03-01,,run,10,0:50:00,a",
    "2015-03-02,,run,8,0:40:00,b",
    "2015-03-03,,run,12,1:00:00,c",
    "2015-03-04,,run,6,0:31:00,d",
    "2015-03-05,,run,7,0:35:00,e",
    "2015-03-06,,run,9,0:45:00,f",
  );
  const edited = [
    "2015-03-01,,run,10,0:50:00,a",
    "2015-03-12,,run,8,0:40:00,b",
    "2015-03-03,,run,12,1:00:00,c",
    "2015-03-04,,bike,16,0:31:00,d",
    "2015-03-05,,run,7,0:35:00,e",
    "2015-03-06,,run,9.9,0:59:59,f",
    "2015-03-07,,run,6,0:30:00,g",
  ];
  const { planned, ledger } = await imported(...edited);
  expect(planned).toContain("3 rows look like edited versions of loaded workouts");
  expect(ledger).toMatchObject({ read: 7, created: 1, updated: 3, unchanged: 3 });
  expect(await inLog()).toEqual([
    "2015-03-01 10 3000 a",
    "2015-03-03 12 3600 c",
    "2015-03-04 16 1860 d",
    "2015-03-05 7 2100 e",
    "2015-03-06 9.9 3599 f",
    "2015-03-07 6 1800 g",
    "2015-03-12 8 2400 b",
  ]);
});

test("a sport that was put right in a table that was sorted meanwhile is put right in the log", async () => {
  const rows = [
    "2015-03-01,8:00,run,10,0:50:00,first",
    "2015-03-02,8:10,walk,8,1:40:00,second",
    "2015-03-03,8:20,run,12,1:00:00,third",
    "2015-03-04,,walk,6,1:10:00,fourth",
    "2015-03-05,8:40,run,7,0:35:00,fifth",
  ];
  await imported(...rows);
  const [first, second, third, fourth, fifth] = rows;
  const { planned, ledger } = await imported(
    ...[fifth, third, fourth?.replace("walk", "hike"), first, second?.replace("walk", "run")].flatMap(
      (row) => row ?? [],
    ),
  );
  expect(planned).toContain("2 rows look like edited versions of loaded workouts");
  expect(ledger).toMatchObject({ read: 5, created: 0, updated: 2, unchanged: 3 });
  expect(await inLog()).toHaveLength(5);
  const sports = new Map<string, unknown>();
  for (const { id } of await rehearsal.listed("/rest/logs/me/workouts")) {
    const { workout } = await rehearsal.get(`/rest/logs/me/workouts/${id}`);
    const { date, activityID } = workout as { date: string; activityID: number };
    sports.set(date, activityID);
  }
  const ofDay = (day: number) => sports.get(`2015-03-0${day}`);
  expect(ofDay(1)).toBeGreaterThan(0);
  expect([ofDay(2), ofDay(3), ofDay(5)]).toEqual([ofDay(1), ofDay(1), ofDay(1)]);
  expect(ofDay(4)).not.toBe(ofDay(1));
});

test("a row that was taken out is named as long as your log has its workout", async () => {
  const [first, second, third] = [
    "2015-03-01,,run,10,0:50:00,a",
    "2015-03-02,,run,8,0:40:00,b",
    "2015-03-03,,run,12,1:00:00,c",
  ];
  await imported(first, second, third);
  await imported(first, third);
  const away = "1 workout of your log that an earlier run loaded is no longer in these sources";
  const again = await rehearsal.run(["import", source]);
  expect(again.out.replace(/\s+/g, " ")).toContain(`${away}: log.csv line 3, 2015-03-02 8 km (run 2), expected`);
  expect(again.out).toContain(`${away}. `);
  const verified = await rehearsal.run(["verify"]);
  expect(verified.code).toBe(0);
  expect(verified.out).toContain(`${away}: log.csv line 3`);
  const certified = await rehearsal.run(["certify", join(rehearsal.folder, "certificate.json")]);
  expect(certified.out).toContain(away);
  expect((await imported(first, second, third)).ledger).toMatchObject({ created: 0, unchanged: 3 });
  expect((await rehearsal.run(["verify"])).out).not.toContain(away);
});

test("a mapping file for each sheet of a workbook: the sheets that it doesn't read have not gone away", async () => {
  const header = ["Day", "Sport", "Distance", "Notes"];
  const loops = (year: number) => [1, 2, 3, 4].map((day) => [`${year}-04-0${day}`, "run", 8, "Park loop"]);
  const workbook = join(rehearsal.folder, "years.xlsx");
  const sheets = [2019, 2020].map((year) => ({ name: String(year), rows: [header, ...loops(year)] }));
  writeFileSync(workbook, packed(xlsxParts(sheets)));
  const load = async (year: number) => {
    const map = join(rehearsal.folder, `${year}.map.yaml`);
    writeFileSync(
      map,
      `version: 1
dates: { order: iso }
file: { sheet: "${year}", ignoreSheets: ["${4039 - year}"] }
columns:
  Day: { field: date }
  Sport: { field: activity }
  Distance: { field: distance, unit: km }
  Notes: { field: notes }
`,
    );
    const { code, out, err } = await rehearsal.run(["import", workbook, "--map", map]);
    return [code, `${out}${err}`.includes("no longer in these sources")];
  };
  expect(await load(2019)).toEqual([0, false]);
  expect(await load(2020)).toEqual([0, false]);
  expect(await inLog()).toHaveLength(8);
  // A row that was taken out of a sheet that is read has gone away.
  const cut = sheets.map(({ name, rows }) => ({ name, rows: name === "2019" ? rows.toSpliced(1, 1) : rows }));
  writeFileSync(workbook, packed(xlsxParts(cut)));
  expect(await load(2019)).toEqual([0, true]);
});

test("a value that a row has no longer stays in your log, is named, and is no change", async () => {
  await imported("2015-03-01,,run,10,0:50:00,a", "2015-03-02,,run,8,0:40:00,b");
  const emptied = ["2015-03-01,,run,10,0:50:00,", "2015-03-02,,run,,0:40:00,c"];
  const { planned, ledger } = await imported(...emptied);
  expect(planned).toContain(
    "2 workouts of your log keep values that this source has no longer: notes (log.csv line 2); distance (log.csv line 3)",
  );
  expect(ledger).toMatchObject({ created: 0, updated: 1, unchanged: 1 });
  expect(await inLog()).toEqual(["2015-03-01 10 3000 a", "2015-03-02 8 2400 c"]);
  const again = await imported(...emptied);
  expect(again.ledger).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
  expect(again.planned).toContain(
    "1 workout of your log keeps values that this source has no longer: notes (log.csv line 2)",
  );
  expect(await rehearsal.run(["verify"])).toMatchObject({ code: 0 });
});

test("a sheet of the same name in another folder is another sheet, unless it has half of the rows", async () => {
  const first = ["2015-03-01,,run,10,0:50:00,a", "2015-03-02,,run,8,0:40:00,b", "2015-03-03,,run,12,1:00:00,c"];
  await imported(...first);
  const mapping = readFileSync(source.replace(/csv$/, "map.yaml"));
  const move = (name: string) => {
    const folder = join(rehearsal.folder, name);
    mkdirSync(folder);
    writeFileSync(join(folder, "log.map.yaml"), mapping);
    source = join(folder, "log.csv");
  };
  move("other");
  const other = await imported(
    "2015-03-01,,run,10,0:56:00,d",
    "2015-03-02,,run,8,0:40:00,e",
    "2015-03-09,,run,5,0:25:00,f",
  );
  expect(other.planned).toContain("perhaps one workout: log.csv line 2 and ");
  expect(other.planned).not.toContain("edited version");
  expect(other.planned).not.toContain("no longer in these sources");
  expect(other.ledger).toMatchObject({ created: 2, updated: 0, unchanged: 1 });
  const all = ["2015-03-01 10 3000 a", "2015-03-01 10 3360 d", "2015-03-02 8 2400 b", "2015-03-03 12 3600 c"];
  expect(await inLog()).toEqual([...all, "2015-03-09 5 1500 f"]);
  move("moved");
  const moved = await imported("2015-03-01,,run,10,0:51:00,a", ...first.slice(1));
  expect(moved.ledger).toMatchObject({ created: 0, updated: 1, unchanged: 2 });
  expect(await inLog()).toEqual(["2015-03-01 10 3060 a", ...all.slice(1), "2015-03-09 5 1500 f"]);
});

test("a corrected day together with a new column waits for a person, and is not loaded as a second workout", async () => {
  const rows = Array.from({ length: 8 }, (_, at) => [`2021-01-${10 + 2 * at}`, 8 + at / 2, `0:4${at}:07`, `note ${at}`] as const);
  const written = (heart: boolean) =>
    rows.map(([day, km, time, note], at) => {
      const date = heart && at === 4 ? day.replace("18", "19") : day;
      return `${date},,run,${km},${time},${note}${heart ? `,14${at}` : ""}`;
    });
  expect((await imported(...written(false))).ledger).toMatchObject({ created: 8 });
  writeFileSync(source, ["Day,At,Sport,Distance,Time,Notes,HR", ...written(true)].join("\n"));
  const map = source.replace("csv", "map.yaml");
  writeFileSync(map, `${readFileSync(map, "utf8")}  HR: { field: avgHR }\n`);
  const later = await rehearsal.run(["import", source]);
  expect(later.code, later.out).toBe(3);
  expect(later.out).toContain("plan/perhaps-edited");
  expect(await inLog()).toHaveLength(8);
}); // biome-ignore format: long calls
