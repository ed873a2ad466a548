import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { flotrack } from "./table.ts";

test("minutes with their seconds in one cell are a time, and what is no time is named", async () => {
  const rows = ["2010-05-06,A,45,30", '2010-05-07,B,"45:30",0', "2010-05-08,C,0,0", '2010-05-09,D,"45,5",'];
  const table = [
    "Date,Name,Minutes,Seconds,Distance,Unit,Feel,Cross Train Type",
    ...rows.map((row) => `${row},5,miles,,`),
  ];
  const { readings, issues } = await readAll(
    flotrack,
    memoryArchive("a", { "running-logs.csv": `${table.join("\n")}\n` }),
  );
  const durations = readings.map((one) => (one.kind === "workout" ? one.value.duration : one.kind));
  expect(durations).toEqual([2730, 2730, undefined, undefined]);
  expect(issues).toMatchObject([{ rule: "table/bad-duration", found: "45,5 min 0 s" }]);
});
