import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyHome, runCli } from "./support/cli.ts";

test("every mistake of a mapping file stands on a line of its own", async () => {
  using home = emptyHome();
  const sheet = join(home.path, "log.csv");
  writeFileSync(sheet, "Date,km\n2015-03-01,10\n");
  writeFileSync(
    join(home.path, "log.map.yaml"),
    "version: 1\ndates: { order: ydm }\ncolumns:\n  Date: { field: date }\n  km: { field: distance, unit: kn }\n",
  );
  const { code, err } = await runCli(home.path, ["inspect", sheet]);
  expect(code).toBe(5);
  const [first, second, ...rest] = err.trimEnd().split("\n");
  expect(first).toMatch(/^Cannot use the mapping: log\.map\.yaml line 2: dates\.order: expected iso, dmy, mdy/);
  expect(second).toMatch(/^ {2}log\.map\.yaml line 5: columns\.km\.unit: expected /);
  expect(rest).toEqual([]);
});

test("a column that the table hasn't got comes with its line, wherever the mapping file says it", async () => {
  using home = emptyHome();
  const sheet = join(home.path, "log.csv");
  writeFileSync(sheet, "Date,km\n2015-03-01,10\n");
  const mapping = [
    "version: 1",
    "dates: { order: iso }",
    "columns:",
    "  Date: { field: date }",
    "  Distanz: { field: distance, unit: km }",
    "rows:",
    '  - when: { column: Sport, matches: "^rest$" }',
    "    skip: rest day",
  ];
  writeFileSync(join(home.path, "log.map.yaml"), `${mapping.join("\n")}\n`);
  const { code, err } = await runCli(home.path, ["inspect", sheet]);
  expect(code).toBe(5);
  expect(err).toBe(
    'Cannot use log.map.yaml: line 5: columns: there is no column "Distanz"; line 7: rows.0.when.column: there is no column "Sport". The columns of log.csv are: "Date", "km"\n',
  );
  writeFileSync(join(home.path, "log.map.yaml"), `${mapping.slice(0, 4).join("\n")}\njoin:\n  Day: "{Tag}"\n`);
  expect((await runCli(home.path, ["inspect", sheet])).err).toContain(
    'log.map.yaml: line 6: join.Day: there is no column "Tag"',
  );
});

test("a misspelt column, wherever the mapping file says it, comes with the nearest column of the sheet", async () => {
  using home = emptyHome();
  const sheet = join(home.path, "log.csv");
  writeFileSync(sheet, "Date,Distance,Shoes,AM km,PM km\n2015-03-01,10,Pegasus,4,6\n");
  const mistakes = async (...lines: readonly string[]) => {
    const mapping = ["version: 1", "dates: { order: iso }", ...lines, "columns:", "  Date: { field: date }"];
    writeFileSync(join(home.path, "log.map.yaml"), `${mapping.join("\n")}\n`);
    return (await runCli(home.path, ["inspect", sheet])).err;
  };
  expect(await mistakes('rows: [{ when: { column: shoe, matches: "x" }, skip: x }]')).toContain(
    'rows.0.when.column: there is no column "shoe"; did you mean "Shoes"?',
  );
  expect(await mistakes("layout: { repeat: { km: [AM km, PM-km] } }")).toContain(
    'layout.repeat.km: there is no column "PM-km"; did you mean "PM km"?',
  );
  expect(await mistakes("layout: { asAbove: [Dtae] }")).toContain(
    'layout.asAbove: there is no column "Dtae"; did you mean "Date"?',
  );
  expect(await mistakes('join: { Both: "{Date} {Shose}" }')).toContain(
    'join.Both: there is no column "Shose"; did you mean "Shoes"?',
  );
  writeFileSync(
    join(home.path, "log.map.yaml"),
    "version: 1\ndates: { order: iso }\ncolumns:\n  Date: { field: date }\n  Distanz: { field: distance, unit: km }\n",
  );
  expect((await runCli(home.path, ["inspect", sheet])).err).toBe(
    'Cannot use log.map.yaml: line 5: columns: there is no column "Distanz"; did you mean "Distance"? The columns of log.csv are: "Date", "Distance", "Shoes", "AM km", "PM km"\n',
  );
});
