import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { runalyze } from "./table.ts";

const BACKUP = [
  "version=4.4",
  '{"TABLE":"runalyze_sport"}',
  '{"1":{"name":"Running","internal_sport_id":"1"}}',
  '{"TABLE":"runalyze_training"}',
  '{"7":{"time":"1656666000","timezone_offset":"120","sportid":"1","s":"3600","distance":"10","mood":"fine"}}',
  '{"TABLE":"runalyze_raceresult"}',
  '{"":{"activity_id":"7","name":"City run","official_distance":"10","bib":"77"}}',
  '{"TABLE":"runalyze_comment"}',
  '{"1":{"activity_id":"7","text":"well done"}}',
  '{"2":{"activity_id":"7","text":"thanks"}}',
  '{"3":{"activity_id":"8","text":"where is it?"}}',
  '{"TABLE":"runalyze_training_new"}',
  '{"8":{"time":"1656766000","sportid":"1","s":"3600","distance":"10"}}',
  '{"9":{"time":"1656866000","sportid":"1","s":"3600","distance":"10"}}',
  '{"TABLE":"runalyze_empty"}',
];

test("what new columns and tables of a backup hold is counted with its workout, and rows of no workout are one rejected record a table", async () => {
  const { readings, issues } = await readAll(runalyze, memoryArchive("a", { "b.json": `${BACKUP.join("\n")}\n` }));
  const [run, ...others] = readings;
  expect(run).toHaveProperty("value.unsupported", [
    { field: "official distance", value: "10 km" },
    { field: "mood", value: "fine" },
    { field: "raceresult: bib", value: "77" },
    { field: "comment (a whole table)", value: "2 rows" },
  ]);
  const rejected = { as: "quarantined", issue: { rule: "runalyze/new-table" } };
  expect(others).toMatchObject([
    { ...rejected, issue: { found: expect.stringContaining("1 row of the table comment (from line 11)") } },
    { ...rejected, issue: { found: expect.stringContaining("2 rows of the table training_new (from line 13)") } },
  ]);
  expect(issues.map(({ rule, field }) => `${rule} ${field}`).sort()).toEqual([
    "table/unknown-column comment (a whole table)",
    "table/unknown-column mood",
    "table/unknown-column raceresult: bib",
  ]);
});
