import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packed, xlsxParts } from "../fixtures/make/workbook.ts";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

// A column is written in another way than the mapping says. By the real command line against a log over HTTP. Its rows must not be loaded without its
// values.

let rehearsal: Rehearsal;

beforeAll(async () => {
  rehearsal = await rehearse();
});
afterAll(() => rehearsal.close());

/** Writes a sheet of runs. @returns how to run a command on it */
function sheet(name: string, rows: readonly string[], format = "h:mm:ss") {
  const folder = join(rehearsal.folder, name);
  mkdirSync(folder);
  const path = join(folder, "log.csv");
  const dated = rows.map((row, index) => `2015-01-0${index + 1};run;${row}`);
  writeFileSync(path, ["Day;Sport;Distance;Time;Pulse", ...dated].join("\n"));
  writeFileSync(
    join(folder, "log.map.yaml"),
    `version: 1
dates: { order: iso }
columns:
  Day: { field: date }
  Sport: { field: activity }
  Distance: { field: distance, unit: km }
  Time: { field: duration, format: "${format}" }
  Pulse: { field: avgHR }
`,
  );
  return {
    path,
    run: (...words: readonly string[]) => rehearsal.run(words, { journal: join(folder, "journal.db") }),
  };
}

test.each([
  {
    name: "decimal commas",
    rows: ["10,25;0:50:00;", "8,4;0:42:10;", "12;1:00:00;", "5,5;0:27:30;", ";0:30:00;"],
    says: '3 of 4 cells of the column "Distance" can\'t be read, such as "10,25", expected a number of km: say file.decimal: "," in log.map.yaml, and plan again',
    held: 4,
  },
  {
    name: "minutes and seconds for hours, minutes and seconds",
    rows: ["6;31:30;", "8;42:10;", "12;61:00;", "5;;"],
    says: '3 of 3 cells of the column "Time" can\'t be read, such as "31:30", expected 1:02:03: say format: mm:ss for columns.Time in log.map.yaml, and plan again',
    held: 3,
  },
])("rows wait whose column is written with $name, and may be let in without it", async ({ name, rows, says, held }) => {
  const { path, run } = sheet(name, rows);
  const inspected = await run("inspect", path);
  expect(inspected.code).toBe(3);
  expect(inspected.out.replace(/\s+/g, " ")).toContain(says);
  const loaded = await run("import", path, "--json");
  expect(loaded.code).toBe(3);
  expect(jsonLines(loaded.out).findLast(({ type }) => type === "summary")).toMatchObject({
    ledger: { read: rows.length, created: rows.length - held, quarantined: held },
  });
  const listing = jsonLines((await run("quarantine", "--json")).out).filter(({ type }) => type === "quarantined");
  expect(listing.map(({ rule }) => rule)).toEqual(Array.from({ length: held }, () => "csv/unreadable-column"));
  // Allowing what can't be true is another permission.
  const doubted = await run("quarantine", "retry", "csv/unreadable-column", "--allow", "implausible");
  expect(doubted.code).toBe(3);
  expect(doubted.out).toContain(
    "To load them without these cells, type: logferry quarantine retry csv/unreadable-column --allow unread-cells",
  );
  expect(doubted.out).not.toContain("If they are right");
  const retried = await run("quarantine", "retry", "csv/unreadable-column", "--allow", "unread-cells", "--json");
  // They are in the log. What nobody could read is named, and in the loss file.
  expect(retried.code, retried.err).toBe(3);
  expect(jsonLines(retried.out).findLast(({ type }) => type === "summary")).toMatchObject({
    ledger: { read: held, quarantined: 0 },
  });
});

test("durations that are formulas nobody computed keep the old account open, and are named in the proposal and the plan", async () => {
  const folder = join(rehearsal.folder, "formulas");
  mkdirSync(folder);
  const formula = { raw: '<c r="@"><f>D2+E2/60</f><v></v></c>' };
  const rows = [1, 2, 3, 4].map((day) => [`2015-03-0${day}`, 5 + day, formula]);
  const path = join(folder, "log.xlsx");
  writeFileSync(path, packed(xlsxParts([{ name: "Runs", rows: [["Date", "km", "Time"], ...rows] }])));
  const run = (...words: readonly string[]) => rehearsal.run(words, { journal: join(folder, "journal.db") });
  const proposed = await run("map", "infer", path, "--out", `${path}.map.yaml`, "--set", "defaults.activity=run");
  expect(proposed.out).toContain("4 of 4 values are formulas that were never computed");
  const inspected = await run("inspect", path);
  expect(inspected.out).not.toContain("Everything can be read");
  const planned = await run("plan", path);
  expect(planned.out).toContain("a formula without a stored value, expected a value: open the workbook");
  expect(planned.out).toContain("4 distances or times can't be read");
  expect(planned.code).toBe(3);
  await run("import", path);
  await run("verify");
  expect((await run("certify", join(folder, "certificate.json"))).out).toContain(
    "Not yet: 4 distances or times can't be read",
  );
});

test("dashes for what wasn't measured and a slip or two hold nothing back, and the slips are counted", async () => {
  const { path, run } = sheet("dashes", ["6;0:31:30;-", "8;42:10;-", "12;1:01:00;-", "5;0:30;140", "7;0:39:00;-"]);
  const planned = await run("plan", path);
  expect(planned.out).not.toContain("quarantined");
  expect(planned.out).toContain("2 distances or times can't be read");
  expect(planned.code).toBe(3);
});
