import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { platform } from "./platform.ts";
import { json } from "./sources/json-source.ts";

const club = platform({
  name: "club",
  title: "Club log",
  howToGet: "nobody has one.",
  workouts: [
    {
      from: json({
        files: /\.json$/,
        knownBy: ["day", "legs"],
        lists: [],
        each: { list: "legs", totals: ["metres"] },
        series: ["points"],
        mends: (text) => text.replaceAll("undefined", "null"),
      }),
      dates: { order: "iso", zone: "local" },
      sport: "run",
      columns: [
        [["legs/start", "day"], "datetime"],
        ["legs/offset", "offset"],
        ["legs/metres", "distance", { unit: "m" }],
        ["metres", "distance", { unit: "m", otherwise: true }],
        ["legs/points", "unsupported", { label: "recorded series" }],
        [
          "legs/rounds",
          "laps",
          {
            laps: (value) =>
              (Array.isArray(value) ? value : []).map((round) => ({ distance: { unit: "m", value: Number(round) } })),
          },
        ],
      ],
    },
  ],
  leaves: { "plan-*": "plans" },
});

async function read(files: Readonly<Record<string, string>>) {
  const bytes = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]));
  const { readings, issues } = await readAll(club, memoryArchive("club", bytes));
  return { issues, values: readings.map((each) => (each.kind === "workout" ? each.value : each)) };
}

test("each element of a list is a row with the members of its file, and totals are for a row alone", async () => {
  const day = '"day": "2024-01-01 08:00"';
  const { values, issues } = await read({
    "a.json": `{${day}, "metres": 900, "legs": [{"rounds": [400, 500], "points": [{"hr": 90}]}]}`,
    "b.json": `{${day}, "metres": 900, "legs": [{}, {"metres": 500, "start": "2024-01-01 09:00"}]}`,
    "c.json": `{${day}, "metres": 5, "legs": []}`,
    "d.json": '{"legs": [1, 2]}',
    "plan-1.txt": "",
  });
  const start = { date: "2024-01-01", time: "08:00:00" };
  const metres = (value: number) => ({ unit: "m", value });
  expect(values).toEqual([
    {
      activity: "run",
      start,
      distance: metres(900),
      intervalSet: {
        intervals: [
          { type: "interval", distance: metres(400) },
          { type: "interval", distance: metres(500) },
        ],
      },
      unsupported: [{ field: "recorded series", value: "hr" }],
    },
    { activity: "run", start },
    { activity: "run", start: { date: "2024-01-01", time: "09:00:00" }, distance: metres(500) },
    { activity: "run", start, distance: metres(5) },
  ]);
  expect(issues).toMatchObject([{ rule: "club/other-files", found: "d.json" }]);
});

test("a record that is not JSON is turned into JSON, and one that stays broken is rejected", async () => {
  const { values } = await read({
    "a.json": '{"day": "2024-01-01", "legs": [{"metres": undefined}]}',
    "b.json": '{"day": "2024-01-01", "legs": [{"metres": nothing}]}',
  });
  expect(values).toMatchObject([
    { start: { date: "2024-01-01" } },
    { kind: "set-aside", issue: { rule: "json/malformed" } },
  ]);
});

test("a local time with a distance from UTC has its instant, and an impossible distance is reported", async () => {
  const leg = (offset: string) => `{"start": "2024-01-01 02:00", "offset": "${offset}"}`;
  const { values, issues } = await read({
    "a.json": `{"day": "", "legs": [${["+05:30", "-0330", "+19:00", "5"].map(leg).join()}]}`,
  });
  const start = { date: "2024-01-01", time: "02:00:00" };
  expect(values).toEqual([
    { activity: "run", start: { ...start, instant: Date.UTC(2023, 11, 31, 20, 30), offsetMinutes: 330 } },
    { activity: "run", start: { ...start, instant: Date.UTC(2024, 0, 1, 5, 30), offsetMinutes: -210 } },
    { activity: "run", start },
    { activity: "run", start },
  ]);
  expect(issues).toMatchObject([
    { rule: "table/unknown-zone", found: "+19:00" },
    { rule: "table/unknown-zone", found: "5" },
  ]);
});

test("a file of a list that is empty was read, and holds nothing", async () => {
  const full = '{"day": "2024-01-01 08:00", "legs": [{"metres": 900}]}';
  const unread = async (text: string) =>
    (await read({ "a.json": full, "b.json": text })).issues.filter(({ rule }) => rule === "club/other-files").length;
  expect(await unread("[]")).toBe(0);
  expect(await unread('[{"legs": []}]')).toBe(0);
  expect(await unread("[1]")).toBe(1);
});
