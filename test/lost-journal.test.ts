import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { rehearse } from "./support/rehearsal.ts";

// Who lost the journal (a new computer, a folder cleared) imports the same once more: what was noted, however little, is recognised in the log.

const MAPPING = `version: 1
dates: { order: iso }
columns:
  Day: { field: date }
  At: { field: time }
  Sport: { field: activity }
  Km: { field: distance, unit: km }
  Took: { field: duration, format: h:mm:ss }
  Notes: { field: notes }
`;

const ROWS = [
  "2019-05-01,,run,10,,a day and a distance",
  "2019-05-02,,run,5,,the first of two alike",
  "2019-05-02,,run,5,,the second of two alike",
  "2019-05-03,,run,,0:50:00,a day and a duration",
  "2019-05-04,,run,8,0:40:00,a day and both",
  "2019-05-05,07:30,run,12,,a time and a distance",
  "2019-05-06,,run,,,a day alone",
];

test("a journal that is lost costs nothing: the same sheet is recognised in the log, row by row, and none is there twice", async () => {
  const rehearsal = await rehearse("kilometres", { database: ":memory:" });
  try {
    const sheet = join(rehearsal.folder, "log.csv");
    writeFileSync(join(rehearsal.folder, "log.map.yaml"), MAPPING);
    writeFileSync(sheet, ["Day,At,Sport,Km,Took,Notes", ...ROWS].join("\n"));
    const created = async (journal: string) => {
      const ran = await rehearsal.run(["import", sheet, "--json"], { journal: join(rehearsal.folder, journal) });
      expect(ran.code, ran.err + ran.out.slice(-500)).toBe(0);
      const { ledger } = jsonLines(ran.out).findLast(({ type }) => type === "summary") as {
        ledger: { created: number };
      };
      return ledger.created;
    };
    expect(await created("first.db")).toBe(ROWS.length);
    expect(await created("second.db")).toBe(0);
    expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(ROWS.length);
  } finally {
    await rehearsal.close();
  }
});
