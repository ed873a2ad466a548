import { expect, test } from "vitest";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { platform } from "../platform.ts";
import { withCells } from "./added-cells.ts";
import { csv } from "./csv-source.ts";

const band = platform({
  name: "band",
  title: "Band export",
  howToGet: "nobody has one.",
  workouts: [
    {
      from: withCells(csv("band.csv", ["Start", "Stop"]), {
        whole: (cellOf) => `${cellOf("Sport")} ${cellOf("Place")}`,
      }),
      dates: { order: "iso", zone: "local" },
      columns: [
        ["Start", "datetime"],
        ["UTC", "instant"],
        ["Stop", "end"],
        ["Sport", "activity"],
        ["Place", "ignore"],
        ["Untimed", "untimed"],
        ["whole", "name"],
      ],
    },
  ],
  leaves: {},
});

async function read(row: string) {
  const text = `Start,UTC,Stop,Sport,Place,Untimed\n${row}\n`;
  const { readings, issues } = await readAll(band, memoryArchive("band", { "band.csv": Buffer.from(text) }));
  return { value: readings[0]?.kind === "workout" ? readings[0].value : readings[0], issues };
}

test("a column that follows from several cells is read like any other", async () => {
  expect((await read("2024-06-01 10:00,,,run,Vienna,")).value).toMatchObject({ name: "run Vienna" });
});

test("without any other time, the duration is the time from the start to the end", async () => {
  const { value, issues } = await read("2024-06-01 23:30:00,,2024-06-02 00:10:05,run,,");
  expect([value, issues]).toMatchObject([{ duration: 2405 }, []]);
});

test("an end without a zone is of the clock of the start, whatever its distance from UTC", async () => {
  const { value, issues } = await read("2024-06-01 10:00:00,2024-06-01T14:00:00Z,2024-06-01 10:30:00,run,,");
  expect([value, issues]).toMatchObject([{ duration: 1800, start: { offsetMinutes: -240 } }, []]);
});

test("an end before the start is reported, and the workout has no duration", async () => {
  const { value, issues } = await read("2024-06-01 10:00,,2024-06-01 09:00,run,,");
  expect(value).not.toHaveProperty("duration");
  expect(issues).toMatchObject([{ rule: "table/end-before-start", field: "Stop", found: "2024-06-01 09:00" }]);
});

test("a row that is marked so has a day without a time", async () => {
  expect((await read("2024-06-01 10:00,,,run,,yes")).value).toMatchObject({ start: { date: "2024-06-01" } });
  expect((await read("2024-06-01 10:00,,,run,,")).value).toMatchObject({ start: { time: "10:00:00" } });
});
