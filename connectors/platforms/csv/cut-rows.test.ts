import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { csv } from "./connector.ts";

const MAPPING = `version: 1
dates: { order: iso }
columns: { Date: { field: date }, km: { field: distance, unit: km }, Time: { field: duration, format: "h:mm:ss" }, Kind: { field: notes }, Notes: { field: notes } }
defaults: { activity: run }
rows:
  - { when: { column: Time, matches: "^$" }, skip: no time }
  - { when: { column: Date, matches: total }, skip: totals }
  - { when: { column: Kind, isNot: Run }, skip: other sports }
`;

/** What becomes of the last row of a sheet, which has no line end. */
async function last(row: string): Promise<string | undefined> {
  const days = ["01", "02", "03", "04"].map((day) => `2024-03-${day},5,0:25:00,Run,easy`);
  const archive = memoryArchive("log", {
    "log.csv": ["Date,km,Time,Kind,Notes", ...days, row].join("\n"),
    "log.map.yaml": MAPPING,
  });
  const reading = (await readAll(csv, archive)).readings.at(-1);
  return reading?.kind === "set-aside" ? reading.issue.rule : reading?.kind;
}

test.each(["2024-03-05", "2024-03-05,7.5", "2024-03-05,7.5,", "2024-03-05,7.5,0:36:00", "2024-03-05,7.5,0:36:00,Ru"])(
  "a last row that is cut off is rejected, and no rule about its cells skips it: %s",
  async (row) => {
    expect(await last(row)).toBe("csv/cut-row");
  },
);

test.each(["2024-03-05,7.5,,Run,", "total,27.5,2:10:00", "2024-03-05,7.5,0:36:00,Swim,"])(
  "a last row whose whole cells are enough for a rule is skipped: %s",
  async (row) => {
    expect(await last(row)).toBe("csv/skipped-row");
  },
);
