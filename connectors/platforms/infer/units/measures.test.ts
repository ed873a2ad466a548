import { describe, expect, test } from "vitest";
import { memoryArchive } from "../../../containers/memory.ts";
import { inferMapping, isOpen } from "../infer.ts";

async function infer(lines: readonly string[], sport = "bike") {
  const archive = memoryArchive("log", { "log.csv": `${lines.join("\n")}\n` });
  const [table] = archive.entries();
  if (table === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, table, new Map([["defaults.activity", sport]]), "2026-03-01");
  if ("problem" in proposal) throw new Error(proposal.problem);
  const { choices, draft } = proposal;
  return {
    columns: Object.fromEntries(draft.columns),
    choices,
    open: choices.filter(isOpen).map(({ place }) => place),
  };
}

test("a form of durations in the header that can't be true gives way to the form that fits the distances", async () => {
  const { columns, choices, open } = await infer([
    "Date,km,Time (mm:ss)",
    "2024-03-01,60,3:45",
    "2024-03-02,62.5,3:42",
    "2024-03-04,30,1:50",
    "2024-03-05,20.5,1:10",
  ]);
  expect(open).toEqual([]);
  expect(columns).toMatchObject({ "Time (mm:ss)": { field: "duration", format: ["h:mm"] } });
  expect(choices.find(({ place }) => place === "columns.Time (mm:ss).format")?.why).toMatch(
    /^the header says mm:ss, but 4 of 4 rows can't be true so; /,
  );
});

test("a form of durations in the header that fits the distances is taken", async () => {
  const { columns, open } = await infer(["Date,km,Time (mm:ss)", "2024-03-01,20,45:10", "2024-03-02,10,25:30"]);
  expect(open).toEqual([]);
  expect(columns).toMatchObject({ "Time (mm:ss)": { field: "duration", format: ["mm:ss"] } });
});

test.each(["hr", "HR", "avg hr"])("%s with values of a heart rate is one, without a question", async (header) => {
  const { columns, open } = await infer([
    `Date,km,Time,${header}`,
    "2024-03-01,30,1:20:10,150",
    "2024-03-02,28.5,1:22:00,92",
    "2024-03-04,32,1:41:50,198",
  ]);
  expect(open).toEqual([]);
  expect(columns[header]).toEqual({ field: "avgHR" });
});

test.each(["Kilometres", "Kilómetros", "Quilômetros", "Chilometri", "Distance (kilometers)"])(
  "%s are kilometres, without a question",
  async (header) => {
    const { columns, open } = await infer(
      [`Date,${header},Time`, "2024-03-01,16.03,1:37:42", "2024-03-04,15.22,1:32:48"],
      "run",
    );
    expect(open).toEqual([]);
    expect(columns).toMatchObject({ [header]: { field: "distance", unit: "km" } });
  },
);

test.each(["Meilen", "Millas", "Miglia", "Milhas", "Mijlen", "Lauf (Meilen)"])("%s are miles, without a question", async (header) => {
  const { columns, open } = await infer([`Date,${header},Time`, "2024-03-01,6.2,0:57:42", "2024-03-04,5.1,0:46:48"], "run");
  expect(open).toEqual([]);
  expect(columns).toMatchObject({ [header]: { field: "distance", unit: "mi" } });
}); // biome-ignore format: a table

test.each([
  ["Distance", ["6m", "5m", "9m"], "mi"],
  ["Miles", ["6", "5m", "9"], "mi"],
  ["Distance", ["6000m", "5000m", "9000m"], "m"],
])("below %s, cells such as %j are in %s", async (header, cells, unit) => {
  const rows = cells.map((cell, at) => `2024-03-0${at + 1},${cell},0:${[52, 43, 78][at]}:00`);
  const { columns } = await infer([`Date,${header},Time`, ...rows], "run");
  expect(columns).toMatchObject({ [header]: { field: "distance", unit } });
});

test("runs in metres or yards are a question with metres first, because yards are for pools", async () => {
  const { choices } = await infer(
    [
      "Date,Distance,Time",
      ...[9900, 13300, 12600, 8000].map((far, day) => `2024-03-0${day + 1},${far},${Math.round(far / 3.06)}`),
    ],
    "run",
  );
  const unit = choices.find(({ place }) => place === "columns.Distance.unit");
  expect(unit?.options?.map(({ value }) => value)).toEqual(["m", "yd"]);
  expect(unit).toMatchObject({
    value: "m",
    why: "both fit; that yards are for pools speaks for m, which is not enough",
  });
});

test("where each distance has its unit in its cell, the unit is no question", async () => {
  const { columns, open } = await infer([
    "Date,Distance,Time",
    "2024-03-01,10 km,0:25:00",
    "2024-03-02,6.2 mi,0:26:00",
    "2024-03-03,20 km,0:50:00",
    "2024-03-04,15 mi,1:00:00",
  ]);
  expect(open).toEqual([]);
  expect(columns).toMatchObject({ Distance: { field: "distance" } });
});

test.each([
  ["mm:ss", ["17:23", "16:58", "23:12", "17:45"], [3, 3, 4, 3], ["5:48", "5:39", "5:48", "5:55"]],
  ["h:mm", ["5:20", "6:10", "5:02", "7:31"], [80, 92.5, 75, 111], ["4:00", "4:00", "4:02", "4:04"]],
] as const)(
  "times that are the distance times the pace are durations in %s, without a question",
  async (form, times, km, pace) => {
    const rows = times.map((time, at) => `2024-03-0${at + 1},${km[at]},${time},${pace[at]}`);
    const { columns, open } = await infer(["Date,km,Time,Pace", ...rows]);
    expect(open).toEqual([]);
    expect(columns).toMatchObject({ Time: { field: "duration", format: [form] } });
  },
);

test("two heart rates a cell are left, with the line that reads them", async () => {
  const rows = ["140/170", "138/165", "145 / 172"].map((rates, at) => `2024-03-0${at + 1},10,0:50:00,${rates}`);
  const { columns, choices } = await infer(["Date,km,Time,HR", ...rows]);
  expect(columns).toMatchObject({ HR: { field: "unsupported", label: "HR" } });
  expect(choices.find(({ place }) => place === "columns.HR.field")?.why).toBe(
    '3 of 3 cells hold two heart rates, such as "140/170"; if they are the average and the highest, write { split: "(?P<avgHR>[0-9]+) */ *(?P<maxHR>[0-9]+)" }',
  );
});

test("the unit of the header is not doubted where some durations are hours and minutes, and others minutes and seconds", async () => {
  const rows = Array.from({ length: 12 }, (_, at) => [`2024-01-${String(at + 10)},11.6,1:1${at % 5}`, `2024-02-${String(at + 10)},7.2,38:5${at % 5}`]);
  const { open, choices } = await infer(["Date,km,Time", ...rows.map(([hours]) => hours ?? ""), ...rows.map(([, minutes]) => minutes ?? "")], "run");
  expect(open).toEqual(["columns.Time.format"]);
  expect(choices.find(({ place }) => place === "columns.km.unit")?.value).toBe("km");
}); // biome-ignore format: a table

describe("a unit that changes on the way", () => {
  const KM = ["10,0:52:00", "8,0:41:00", "12,1:02:00", "10,0:51:00"];
  const MILES = ["6.2,0:52:00", "5,0:42:00", "7.5,1:02:00", "6.2,0:51:30"];
  const asked = async (header: string, lines: readonly string[], notes: readonly string[] = []) => {
    const rows = lines.map((line, at) => `2024-03-${String(at + 1).padStart(2, "0")},${line},${notes[at] ?? ""}`);
    const { choices } = await infer([header, ...rows], "run");
    return choices.find(({ place }) => place.endsWith(".unit"));
  };

  test("is a question where the speeds jump by a mile in kilometres, and the row is named", async () => {
    for (const [rows, word] of [
      [[...KM, ...MILES], "smaller"],
      [[...MILES, ...KM], "larger"],
      [[...KM, ...MILES.map((row) => row.replace("6.2", "5.8").replace(/^5,/, "4.7,").replace("7.5", "7"))], "smaller"],
    ] as const) {
      const unit = await asked("Date,Distance,Time,Notes", rows);
      expect(unit?.question).toBe('In which unit are the distances in the column "Distance"?');
      expect(unit?.options?.map(({ value }) => value)).toEqual(["km", "mi"]);
      expect(unit?.why).toContain(`from the row of 2024-03-05 on the numbers are ${word} for the same time`);
      expect(unit?.why).toContain("write the other unit into each of its cells, as in 6.2 mi");
    }
  });

  test("is a question below a header that names the unit, too", async () => {
    for (const header of ["km", "Distance (km)"]) {
      const unit = await asked(`Date,${header},Time,Notes`, [...KM, ...MILES]);
      expect(unit?.options?.map(({ value }) => value)).toEqual(["km", "mi"]);
      expect(unit?.isUnproven).toBe(true);
      expect(unit?.why).toContain("the header says so; from the row of 2024-03-05 on the numbers are smaller");
    }
  });

  test("is a question where weights jump by a kilogram in pounds, and the first such weight is named", async () => {
    const weights = [75.5, 75.2, 76, 75.8, 166.5, 167, 166, 165.8];
    for (const [header, some, word] of [
      ["Weight", weights, "larger"],
      ["Weight (kg)", weights, "larger"],
      ["Gewicht", weights.toReversed(), "smaller"],
    ] as const) {
      const rows = some.map((weight, at) => `2024-03-0${at + 1},10,0:5${at}:00,${weight}`);
      const { choices } = await infer([`Date,Distance (km),Time,${header}`, ...rows], "run");
      const weight = choices.find(({ place }) => place === `columns.${header}.unit`);
      expect(weight?.options?.map(({ value }) => value)).toEqual(["kg", "lb"]);
      expect(weight?.why).toContain(`from the row with ${some[4]} on the numbers are ${word} by a factor of 2.2`);
    }
    const rows = weights.map((weight, at) => `2024-03-0${at + 1},10,0:50:00,${weight > 100 ? `${weight} lb` : weight}`);
    expect((await infer(["Date,Distance (km),Time,Weight (kg)", ...rows], "run")).open).toEqual([]);
  });

  test.each([
    ["Distance (km)", "from here in miles"],
    ["km", "Note: ab hier in Meilen!"],
    ["Distance (mi)", "switched to km"],
    ["Distance", "all miles from here on"],
    ["Distance", "now in kilometers!"],
    ["Distance", "new watch - metric from today"],
    ["km", "from now on miles"],
    ["km", "from here on miles"],
    ["km", "new watch - now miles"],
    ["km", "ab jetzt Meilen"],
    ["km", "von nun an alles in Meilen"],
    ["km", "à partir de maintenant en miles"],
    ["km", "désormais en milles"],
    ["km", "a partir de ahora en millas"],
    ["km", "d'ora in poi in miglia"],
    ["km", "a partir de agora em milhas"],
    ["km", "vanaf nu in mijlen"],
    ["km", "från och med nu i miles"],
    ["km", "fra nu af i miles"],
    ["km", "od teraz w milach"],
    ["km", "ここからマイル"],
  ])("is a question below %s where a note says: %s", async (header, note) => {
    const unit = await asked(`Date,${header},Time,Notes`, [...KM, ...MILES], ["", "", "", "", note]);
    expect(unit?.options?.length).toBeGreaterThan(1);
    expect(unit?.why).toContain(`${JSON.stringify(note)} stands in the column "Notes"`);
  });

  test("is a question that names the rows with a unit in place of a distance", async () => {
    const rows = ["(miles),", ...KM, "(km),", ...MILES];
    const unit = await asked("Date,Distance,Time", rows);
    expect(unit).toMatchObject({ isUnproven: true, why: expect.stringMatching(/the rows "[\d-]+, \(miles\)" and "[\d-]+, \(km\)" name a unit each/) });
    expect((await asked("Date,Distance,Time", ["(miles),", ...MILES]))?.why).not.toContain("a unit each");
  }); // biome-ignore format: a call

  test("is none where the cells of one unit say it, though a note does too", async () => {
    const miles = MILES.map((row) => row.replace(",", " mi,"));
    const unit = await asked(
      "Date,Distance (km),Time,Notes",
      [...KM, ...miles],
      ["", "", "", "", "from here in miles"],
    );
    expect(unit?.options).toBeUndefined();
  });

  test("is none where somebody gets faster, or a note names a place", async () => {
    const faster = KM.map((row) => row.replace("0:5", "0:4").replace("1:02", "0:53"));
    for (const rows of [
      [...KM, ...faster],
      [...KM, ...KM],
    ])
      for (const note of ["5 km loop from here", "now 5 miles", "doing more miles now", "more miles from now on"])
        expect((await asked("Date,Distance (km),Time,Notes", rows, [note]))?.options).toBeUndefined();
    const unit = await asked("Date,Distance,Time,Notes", [...KM, ...faster]);
    expect(unit?.why).not.toContain("from the row of");
  });
});

test.each([
  ["German", "Datum;Sport;Distanz;Zeit", ",", []],
  ["English", "Date;Sport;Distance;Time", ".", ["columns.Distance.unit", "columns.Distance.unit.run"]],
])("runs beside swims in metres are kilometres where a %s table says so, else they are asked for", async (_, header, mark, asked) => {
  const [swim, run] = mark === "," ? ["Schwimmen", "Laufen"] : ["Swim", "Run"];
  const day = (of: number) => `2021-01-${String(of).padStart(2, "0")}`;
  const swims = [1200, 2500, 1950, 1500].map((metres, at) => `${day(2 * at + 1)};${swim};${metres};0:${Math.round(metres / 46)}:00`);
  const runs = ["9.5;0:52:43", "7.4;0:39:20", "11.5;1:04:47"].map((row, at) => `${day(2 * at + 2)};${run};${row.replace(".", mark)}`);
  const { columns, open } = await infer([header, ...swims, ...runs]);
  expect(open).toEqual(asked);
  expect(Object.values(columns)).toContainEqual({ field: "distance", unit: { run: "km", default: "m" } });
}); // biome-ignore format: long calls

test.each(["Start (hh:mm)", "Start [h:mm]", "Beginn (hh:mm)", "Start time (hh:mm:ss)"])(
  "%s is the start, and the duration beside it stays the duration",
  async (header) => {
    const { columns, open } = await infer(
      [`Date,${header},km,Duration (h:mm:ss)`, "2021-01-03,06:00,6.2,0:36:28", "2021-01-06,07:01,9.5,0:52:43"],
      "run",
    );
    expect(open).toEqual([]);
    expect(columns).toMatchObject({ [header]: { field: "time" }, "Duration (h:mm:ss)": { field: "duration" } });
  },
);

test("the question for a unit says that a sport may have its own, where there are several", async () => {
  const rows = Array.from({ length: 8 }, (_, at) => `2024-03-0${at + 1},${at % 2 ? `bike,28.${at},1:10` : `run,6.${at},0:55`}:0${at}`);
  const unitOf = async (lines: readonly string[]) =>
    (await infer(lines)).choices.find(({ place }) => place === "columns.Distance.unit");
  const unit = await unitOf(["Date,Sport,Distance,Time", ...rows]);
  expect(unit?.options).toBeDefined();
  expect(unit?.why).toMatch(/\. If a sport has a unit of its own, write it into the mapping file, as unit: \{ (?:bike|run): \w+, default: \w+ \}$/);
  const runs = await unitOf(["Date,Distance,Time", ...rows.map((row) => row.replace(/,(?:bike|run)/, ""))]);
  expect(runs?.why).not.toContain("of its own");
}); // biome-ignore format: a call
