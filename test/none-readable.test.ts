import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { runHere } from "./support/here.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

// One wrong word of a mapping file makes every row unreadable. The run ends with an error that says which word, and not with "Done".

let rehearsal: Rehearsal;
let sheet: string;
beforeAll(async () => {
  rehearsal = await rehearse();
  sheet = join(rehearsal.folder, "log.csv");
  writeFileSync(
    sheet,
    'Day,km\n"lun., 30 juin 2014 7:03",5\n"mar., 1 juil. 2014 7:10",6\n"mer., 2 juil. 2014 7:00",7\n',
  );
});
afterAll(() => rehearsal.close());

function say(field: string): void {
  const mapping = `version: 1\ndates: { order: dmy }\ncolumns:\n  Day: { field: ${field} }\n  km: { field: distance, unit: km }\ndefaults: { activity: run }\n`;
  writeFileSync(join(rehearsal.folder, "log.map.yaml"), mapping);
}

const CHANGE = "say field: datetime for columns.Day in log.map.yaml, which reads 3 of the 3 dates that can't be read";

test("a sheet without a readable row is an error of inspect, plan and import, with the change that lets the rows in", async () => {
  say("date");
  const inspected = await rehearsal.run(["inspect", sheet]);
  expect(inspected.code).toBe(5);
  expect(inspected.err).toContain("None of the 3 records can be used, such as log.csv line 2: csv/bad-date");
  expect(inspected.err).toContain(CHANGE);

  const planned = await rehearsal.run(["plan", sheet]);
  expect(planned.code).toBe(5);
  expect(planned.err).toContain(
    'None of the 3 rows can be read: Day is "lun., 30 juin 2014 7:03", expected day.month.year: ',
  );
  expect(planned.err).toContain(CHANGE);
  expect(planned.out).not.toContain("Next: logferry apply");
  const json = await rehearsal.run(["plan", sheet, "--json"]);
  expect(jsonLines(json.out).filter(({ type }) => type === "error")).toHaveLength(1);

  const imported = await rehearsal.run(["import", sheet]);
  expect(imported.code).toBe(5);
  expect(imported.out).toContain("Nothing was loaded. 0 of 3 records are in your log.");
  expect(imported.out).not.toContain("Done");
  expect(imported.out).not.toContain("logferry verify");
  const [, id = ""] = /logferry quarantine fix ([0-9a-f]{6})/.exec(imported.err) ?? [];
  expect((await rehearsal.run(["quarantine", id])).out).toContain("line 2");

  say("datetime");
  const mended = await rehearsal.run(["import", sheet]);
  expect(mended).toMatchObject({ code: 0, err: expect.not.stringContaining("None of") });
});

test("a rehearsal of it says to mend the rows, because the same command would end the same way", async () => {
  say("date");
  const words = ["rehearse", sheet, "--out", join(rehearsal.folder, "private"), "--no-pages"];
  const ran = await runHere(rehearsal, words);
  expect(ran.code).toBe(5);
  expect(ran.out).toContain("all records were rejected, so nothing could be loaded");
  expect(ran.out).toContain("rehearse once more: logferry rehearse");
  expect(ran.out).not.toContain("Go on with the same command");
});

test("one readable row is enough for a plan that goes on", async () => {
  say("date");
  writeFileSync(sheet, 'Day,km\n"lun., 30 juin 2014 7:03",5\n3.7.2014,6\n');
  const planned = await rehearsal.run(["plan", sheet]);
  expect(planned.code).toBe(3);
  expect(planned.out).toContain("Next: logferry apply");
});
