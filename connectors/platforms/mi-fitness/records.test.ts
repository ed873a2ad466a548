import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { miFitness } from "../index.ts";

const NAME = "20241101_7_MiFitness_hlth_center_sport_record.csv";
const VALUE = `"{""start_time"": 1730000000, ""duration"": 1800, ""distance"": 5010, ""avg_hrm"": 149}"`;

async function read(text: string) {
  const { readings, issues } = await readAll(miFitness, memoryArchive("m.zip", { [NAME]: text }));
  return { readings, issues: issues.map(({ rule, field }) => [rule, field]) };
}
const run = { kind: "workout", value: { activity: "run", duration: 1800, distance: { value: 5010 } } };

test("the table is known with a column more, and with its columns in another order; the column is named", async () => {
  const more = await read(
    `Uid,Sid,Future,Key,Time,Category,Value,UpdateTime\n7,a,x,outdoor_running,1730000000,running,${VALUE},1730002000\n`,
  );
  expect(more).toMatchObject({ readings: [run], issues: [["table/unknown-column", "Future"]] });
  const moved = await read(
    `UpdateTime,Value,Category,Time,Key,Sid,Uid\n1730002000,${VALUE},running,1730000000,outdoor_running,a,7\n`,
  );
  expect(moved).toMatchObject({ readings: [run], issues: [] });
});

test("a category in lost letters leaves the sport to the key, and a bare NaN is no value", async () => {
  const value = VALUE.replace("149", "NaN");
  const { readings } = await read(
    `Uid,Sid,Key,Time,Category,Value,UpdateTime\n7,a,outdoor_running,1730000000,怒化,${value},1730002000\n`,
  );
  expect(readings).toMatchObject([run]);
  expect(readings[0]).not.toHaveProperty("value.health");
});

test("a cell that is no JSON is told with its text", async () => {
  const { readings } = await read(
    "Uid,Sid,Key,Time,Category,Value,UpdateTime\n7,a,running,1730000000,running,{broken,1730002000\n",
  );
  expect(readings).toMatchObject([{ kind: "set-aside", issue: { rule: "mi-fitness/no-value", found: "{broken" } }]);
});
