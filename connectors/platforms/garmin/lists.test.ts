import { expect, test } from "vitest";
import type { Reading } from "../../../transforms/model/item.ts";
import type { UnitOf } from "../../../transforms/units.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { garmin } from "./table.ts";

async function read(table: string, distanceUnits: readonly UnitOf<"distance">[] = []): Promise<readonly Reading[]> {
  const readings: Reading[] = [];
  const context = { signal: new AbortController().signal, report: () => {}, sports: new Map(), distanceUnits };
  for await (const reading of garmin.read(memoryArchive("a", { "x.csv": table }), context)) readings.push(reading);
  return readings;
}

/** The dates of a list that a spreadsheet program saved again, as they are read. */
async function datesOf(...dates: readonly string[]): Promise<readonly (string | undefined)[]> {
  const rows = dates.map((date) => `Yoga,"${date}",FALSE,x,0.00,0:30:00`);
  const readings = await read(["Activity Type,Date,Favorite,Title,Distance,Time", ...rows, ""].join("\n"));
  return readings.map((reading) => {
    if (reading.kind === "set-aside") return reading.issue.rule;
    if (reading.kind !== "workout") return reading.kind;
    const { date, time } = reading.value.start;
    return `${date} ${time}`;
  });
}

test("a number of 13 or more shows which number is the day, for all rows", async () => {
  expect(await datesOf("12/11/20 11:59", "13/11/20 7:05")).toEqual(["2020-11-12 11:59:00", "2020-11-13 07:05:00"]);
  expect(await datesOf("12/11/20 11:59", "11/13/20 7:05")).toEqual(["2020-12-11 11:59:00", "2020-11-13 07:05:00"]);
  expect(await datesOf("31.12.2020 23:59:01")).toEqual(["2020-12-31 23:59:01"]);
  expect(await datesOf("1/31/2020 11:59 PM")).toEqual(["2020-01-31 23:59:00"]);
});

test("where no row shows it, or rows contradict each other, the rows are rejected", async () => {
  expect(await datesOf("12/11/20 11:59", "1/2/20 7:05")).toEqual(["table/bad-date", "table/bad-date"]);
  expect(await datesOf("13/11/20 11:59", "11/13/20 7:05")).toEqual(["table/bad-date", "table/bad-date"]);
});

test("a list that is partly as the website wrote it keeps those dates", async () => {
  expect(await datesOf("2020-11-12 11:59:07", "13/11/20 7:05")).toEqual(["2020-11-12 11:59:07", "2020-11-13 07:05:00"]);
  expect(await datesOf("99/99/20 11:59")).toEqual(["table/bad-date"]);
});

test.each([
  ["Fr, 25 Mai 2012 20:31", "2012-05-25 20:31:00"],
  ["lun., 30 juin 2014 7:03", "2014-06-30 07:03:00"],
  ["Fri, May 25, 2012 8:31 PM", "2012-05-25 20:31:00"],
])("the list of 2012 to 2015 has the date %s", async (date, expected) => {
  const header = " Favorite,Activity Name,Activity Type,Course,Start,Time,Distance,Avg HR,";
  const [reading] = await read(`Activities by jo\n\n${header}\n,x,Yoga,,"${date}",45:10,"0,00",99,\n`);
  if (reading?.kind !== "workout") throw new Error("no workout");
  const { start } = reading.value;
  expect(`${start.date} ${start.time}`).toBe(expected);
});

test("a person says the unit of the list of 2012 to 2015", async () => {
  const header = " Favorite,Activity Name,Activity Type,Course,Start,Time,Distance,Avg HR,";
  const row = ',x,Running,,"Fr, 25 Mai 2012 20:31",45:10,"10,20",99,';
  const list = `Activities by jo\n\n${header}\n${row}\n`;
  expect(await read(list)).toMatchObject([{ issue: { rule: "table/unknown-unit" } }]);
  expect(await read(list, ["mi"])).toMatchObject([{ value: { distance: { unit: "mi", value: 10.2 } } }]);
});
