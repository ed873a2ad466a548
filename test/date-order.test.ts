import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

// The mapping has days and months the wrong way round. By the real command line against a log over HTTP. A date up to the 12th can be read both ways,
// and must not be loaded on the wrong day.

let rehearsal: Rehearsal;

beforeAll(async () => {
  rehearsal = await rehearse();
});
afterAll(() => rehearsal.close());

/** Writes a sheet of runs of these days. @returns how to run a command on it, and how to change the mapping's order */
function sheet(name: string, days: readonly string[], order: string, field = "date") {
  const folder = join(rehearsal.folder, name);
  mkdirSync(folder);
  const path = join(folder, "log.csv");
  writeFileSync(path, ["Day;Sport;Distance", ...days.map((day, index) => `${day};run;${index + 5}`)].join("\n"));
  const say = (word: string) =>
    writeFileSync(
      join(folder, "log.map.yaml"),
      `version: 1
dates: { order: ${word} }
columns:
  Day: { field: ${field} }
  Sport: { field: activity }
  Distance: { field: distance, unit: km }
`,
    );
  say(order);
  return {
    path,
    say,
    run: (...words: readonly string[]) => rehearsal.run(words, { journal: join(folder, "journal.db") }),
  };
}

const ledgerOf = (out: string) => jsonLines(out).findLast(({ type }) => type === "summary")?.ledger;

test.each([
  {
    name: "month-first",
    order: "dmy",
    right: "mdy",
    field: "date",
    days: ["3/4/2015", "3/25/2015", "12/11/2015", "12/31/15"],
    says: '2 of 4 cells of the column "Day" can\'t be read as day.month.year, such as "3/25/2015", and all of them look like month/day/year, expected day.month.year: say dates.order: mdy in log.map.yaml, and plan again',
    dates: ["2015-03-04", "2015-03-25", "2015-12-11", "2015-12-31"],
  },
  {
    name: "day-first",
    order: "mdy",
    right: "dmy",
    field: "datetime",
    days: ["4.3.2014 18:05", "25.3.2014 18:05", "11.12.2014 7:00"],
    says: '1 of 3 cells of the column "Day" can\'t be read as month/day/year, such as "25.3.2014 18:05", and all of them look like day.month.year, expected month/day/year: say dates.order: dmy in log.map.yaml, and plan again',
    dates: ["2014-03-04", "2014-03-25", "2014-12-11"],
  },
])(
  "no row is loaded on a wrong day where dates are $name, and the other order mends it",
  async ({ name, order, right, field, days, says, dates }) => {
    const { path, say, run } = sheet(name, days, order, field);
    const inspected = await run("inspect", path);
    expect(inspected.code).toBe(3);
    expect(inspected.out.replace(/\s+/g, " ")).toContain(says);
    const planned = await run("plan", path);
    expect(planned.out.replace(/\s+/g, " ")).toContain(says);
    const loaded = await run("import", path, "--json");
    expect(loaded.code).toBe(3);
    expect(ledgerOf(loaded.out)).toMatchObject({ read: days.length, created: 0, quarantined: days.length });
    const listing = jsonLines((await run("quarantine", "--json")).out).filter(({ type }) => type === "quarantined");
    expect(listing.map(({ rule }) => rule)).toEqual(days.map(() => "csv/date-order"));
    say(right);
    const again = await run("import", path, "--json");
    expect(again.code, again.out + again.err).toBe(0);
    const year = dates[0]?.slice(0, 4) ?? "";
    const listed = (await rehearsal.listed("/rest/logs/me/workouts")).map(({ date }) => String(date));
    expect(listed.filter((date) => date.startsWith(year)).sort()).toEqual(dates);
  },
);

test("rows that are right as they are read may be let in", async () => {
  const { path, run } = sheet("let-in", ["3/4/2013", "3/25/2013", "4/26/2013"], "dmy");
  await run("import", path);
  const retried = await run("quarantine", "retry", "csv/date-order", "--allow", "implausible", "--json");
  expect(retried.code).toBe(3);
  expect(ledgerOf(retried.out)).toMatchObject({ created: 1, quarantined: 2 });
});

test("a slip of a hand among dates that fit rejects its own row and nothing else", async () => {
  const { path, run } = sheet("slip", ["3.4.2012", "25.3.2012", "3.26.2012", "11.12.2012", "n/a 7"], "dmy");
  const loaded = await run("import", path, "--json");
  expect(ledgerOf(loaded.out)).toMatchObject({ created: 3, quarantined: 2 });
});

test("dates that both orders read are read as the mapping says", async () => {
  const { path, run } = sheet("both", ["3.4.2011", "11.12.2011"], "dmy");
  const loaded = await run("import", path, "--json");
  expect(loaded.code, loaded.err).toBe(0);
  const listed = (await rehearsal.listed("/rest/logs/me/workouts")).map(({ date }) => String(date));
  expect(listed.filter((date) => date.startsWith("2011")).sort()).toEqual(["2011-04-03", "2011-12-11"]);
});

test("an export of Strong that Excel saved again brings nothing new, although its times lost their seconds", async () => {
  const folder = join(rehearsal.folder, "strong");
  mkdirSync(folder);
  const header =
    "Date,Workout Name,Duration,Exercise Name,Set Order,Weight,Reps,Distance,Seconds,Notes,Workout Notes,RPE";
  // Two workouts of one day, and a run in each, of which the day alone is known.
  const write = (name: string, ...starts: readonly string[]) => {
    const rows = starts.flatMap((start, index) => [
      `${start},Legs,45m,Squat,1,${60 + index},8,0,0,,,`,
      `${start},Legs,45m,Running (Treadmill),2,0,0,5,1800,,,`,
    ]);
    writeFileSync(join(folder, name), [header, ...rows, ""].join("\n"));
    return join(folder, name);
  };
  const own = write("strong.csv", "2010-03-13 17:05:40", "2010-03-13 19:10:00", "2010-03-14 07:00:01");
  const saved = write("strong saved.csv", "3/13/2010 17:05", "3/13/2010 19:10", "3/14/2010 7:00");
  const run = async (...paths: readonly string[]) => {
    const words = ["import", ...paths, "--distance-unit", "km", "--json"];
    return ledgerOf((await rehearsal.run(words, { journal: join(folder, "journal.db") })).out);
  };
  expect(await run(own)).toMatchObject({ read: 6, created: 6 });
  expect(await run(saved)).toMatchObject({ read: 6, created: 0, unchanged: 6 });
  expect(await run(saved, own)).toMatchObject({ read: 12, created: 0 });
  const listed = (await rehearsal.listed("/rest/logs/me/workouts")).map(({ date }) => String(date));
  expect(listed.filter((date) => date.startsWith("2010"))).toHaveLength(6);
});
