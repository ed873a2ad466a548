import { describe, expect, test } from "vitest";
import { proposalFor } from "../../../../test/support/proposal.ts";
import { isOpen, writeMapping } from "../infer.ts";

/** Proposes a mapping for a table of these lines. */
async function infer(lines: readonly string[], answers: Record<string, string> = {}) {
  const proposal = await proposalFor(`${lines.join("\n")}\n`, new Map(Object.entries(answers)));
  return {
    ...{ columns: Object.fromEntries(proposal.draft.columns), text: writeMapping(proposal, "log.csv") },
    ...{ repeat: Object.fromEntries(proposal.draft.repeat), rules: proposal.draft.rows },
    open: proposal.choices.filter(isOpen).map(({ place, why }) => [place, why]),
    activity: proposal.draft.activity,
  };
}

const PLANS = ["Planned", "Goal", "Target", "Geplante", "Soll", "Prévu", "Objectif", "Previsto", "Planeado", "Obiettivo", "Geplande", "Schema", "Planerade", "Mål", "Planlagt", "Planowane", "予定", "目標"] as const; // biome-ignore format: a list

describe("a plan is no value of a workout", () => {
  test.each(PLANS)("%s km is left beside km", async (word) => {
    const { columns, open } = await infer([
      `Date,${word} km,km,Time,Run`,
      "2014-01-01,10,8,0:40:00,x",
      "2014-01-02,10,9,0:45:00,x",
      "2014-01-03,12,12,1:01:00,x",
    ]);
    expect(columns).toMatchObject({
      [`${word} km`]: { field: "ignore", why: "a plan, and no value of a workout" },
      km: { field: "distance", unit: "km" },
    });
    expect(open.filter(([place]) => place?.endsWith(".field"))).toEqual([]);
  });

  test("a plan in words becomes a line of the notes, and a column of what was done needs no question", async () => {
    const { columns, open } = await infer([
      "Date,Plan,km,Actual km,Time",
      "2014-01-01,8 easy,10,8,0:40:00",
      "2014-01-02,9 with hills,10,9,0:45:00",
    ]);
    expect(columns).toMatchObject({ Plan: { field: "notes", label: "Plan" }, "Actual km": { field: "distance" } });
    expect(open.map(([place]) => place)).toEqual(["defaults.activity"]);
  });
});

describe("a second distance or duration", () => {
  test("is a question, and the answer stands in the file", async () => {
    const lines = ["Date,Km A,Km B,Time", "2014-01-01,8,3,0:40:00", "2014-01-02,,4,", "2014-01-03,12,2,1:01:00"];
    const asked = await infer(lines);
    expect(asked.open[0]).toEqual([
      "columns.Km B.field",
      'the table has a second distance column that is not read: "Km B", beside "Km A"; 1 row has a value only there',
    ]);
    const { columns } = await infer(lines, { "columns.Km B.field": "ignore" });
    expect(columns["Km B"]).toEqual({ field: "ignore", why: "your answer" });
  });

  test("in another unit, with rows that have a value only there, may be the distance where the other is empty", async () => {
    const lines = [
      "Date,Miles,km,Time",
      "2018-12-30,5.9,9.5,0:52:43",
      "2019-01-02,,8,0:41:00",
      "2019-01-03,4,,0:36:00",
    ];
    const { text } = await infer(lines);
    expect(text).toContain(
      '{ field: distance, unit: km, otherwise: true } (it is the distance where "Miles" is empty), or',
    );
    const { columns } = await infer(lines, { "columns.km.field": "otherwise" });
    expect(columns).toMatchObject({
      Miles: { field: "distance", unit: "mi" },
      km: { field: "distance", unit: "km", otherwise: true },
    });
  });

  test.each(["HR drop", "HR drift", "Pulse after", "Puls Erholung", "Bar weight"])(
    "%s is no value of a workout",
    async (header) => {
      const { columns } = await infer([
        `Date,km,Time,${header}`,
        "2014-01-01,8,0:40:00,62",
        "2014-01-03,12,1:01:00,60",
      ]);
      expect(columns[header]).toMatchObject({ field: "unsupported" });
    },
  );

  test.each([
    ["Coach km,Coach time,Me km,Me time", [0, 1], [2, 3]],
    ["Team km,My km,Team time,My time", [0, 2], [1, 3]],
    ["km,Zielzeit,Endzeit", [1], [0, 2]],
    ["Run km,Time,Last year km,Last year time", [2, 3], [0, 1]],
  ] as const)("below %s, those of others and of other years are asked about, and left out first", async (header, others, own) => {
    const names = header.split(",");
    const cellOf = (name: string, row: number) => (/km/.test(name) ? `1${row}.${row}` : `0:5${row}:${name.length + 10}`);
    const rows = [0, 1, 2, 3].map((row) => `2014-01-0${row + 1},${names.map((name, at) => cellOf(name, (row + at) % 4)).join(",")}`);
    const { columns, open } = await infer([`Date,${header}`, ...rows], { "defaults.activity": "run" });
    expect(open.map(([place]) => place)).toEqual(others.map((at) => `columns.${names[at]}.field`));
    expect(own.map((at) => columns[names[at] ?? ""]?.field)).toEqual(["distance", "duration"]);
    expect(others.map((at) => columns[names[at] ?? ""]?.field)).toEqual(others.map(() => "unsupported"));
  }); // biome-ignore format: a table

  test("of another surface is added to it where one time stands beside them", async () => {
    const lines = ["Date,Road km,Trail km,Treadmill km,Time", "2014-01-01,11.6,2.5,,1:10:13", "2014-01-02,,15.6,,1:15:25", "2014-01-03,,,17.8,1:35:52"];
    const { columns, open } = await infer(lines, { "defaults.activity": "run" });
    expect(open).toEqual([]);
    expect(["Road km", "Trail km", "Treadmill km"].map((name) => columns[name]?.field)).toEqual(["distance", "distance", "distance"]);
  }); // biome-ignore format: a table

  test("below a sport is known by the units in its cells", async () => {
    const { columns, open, activity } = await infer(['Date,Swim,Time,Notes', '2014-01-14,"2,150m",0:40:47,easy', '2014-01-15,"2,700 yd",0:56:53,', '2014-01-16,"1,900 yd",0:42:20,']);
    expect(open).toEqual([]);
    expect([columns.Swim?.field, activity]).toEqual(["distance", "swim"]);
  }); // biome-ignore format: a table

  test("that says the same in miles is left without a question", async () => {
    const { columns, open } = await infer([
      "Date,Distance (km),Distance (mi),Time",
      "2014-01-01,10,6.21,0:50:00",
      "2014-01-02,8,4.97,0:41:00",
      "2014-01-03,15,9.32,1:17:00",
    ]);
    expect(columns["Distance (mi)"]).toEqual({ field: "ignore", why: "the same as Distance (km)" });
    expect(open.map(([place]) => place)).toEqual(["defaults.activity"]);
  });

  test("of another sport is a question, no shoe, and no day without a workout", async () => {
    const { columns, open, rules, activity } = await infer([
      "Date,Run km,Run time,Bike km,Bike time,Elapsed",
      "2014-01-01,,,30,1:10:00,1:10:00",
      "2014-01-02,9,0:41:00,,,0:41:00",
      "2014-01-03,,,32,1:12:00,1:12:00",
      "2014-01-04,8,0:43:00,,,0:43:00",
    ]);
    expect(activity).toBe("run");
    expect(columns).toMatchObject({ "Run km": { field: "distance" } });
    expect(open.map(([place]) => place)).toContain("columns.Bike km.field");
    expect(open[0]?.[1]).toContain("a second distance column that is not read");
    expect(open[0]?.[1]).toContain("2 rows have a value only there; if a row may have a workout of each sport, say");
    expect(rules).toEqual([]);
  });
});

describe("columns in groups are several workouts a row", () => {
  test("of the morning and the afternoon", async () => {
    const { columns, repeat, text } = await infer([
      "Date,AM miles,AM time,PM miles,PM time,Notes",
      "2014-01-01,5.0,0:50:57,4.1,0:31:21,x",
      "2014-01-03,5.3,0:54:34,,,x",
      "2014-01-05,,,4.4,0:33:42,x",
    ]);
    expect(repeat).toEqual({ miles: ["AM miles", "PM miles"], time: ["AM time", "PM time"] });
    expect(columns).toMatchObject({ miles: { field: "distance", unit: "mi" }, time: { field: "duration" } });
    expect(text).toContain(
      "layout:\n  repeat:  # 2 workouts a row: the columns come in groups: AM miles, AM time; PM miles, PM time\n    miles: [AM miles, PM miles]\n",
    );
  });

  test.each([
    ["numbered ones", "Date,Distance 1 (km),Time 1,Distance 2 (km),Time 2", ["Distance 1 (km)", "Distance 2 (km)"]],
    ["ones with equal headers", "Date,km,Time,km,Time", ["km", "km#2"]],
  ])("of %s", async (_, header, distances) => {
    const { repeat } = await infer([header, "2014-01-01,8,0:40:00,5,0:26:00", "2014-01-02,9,0:46:00,,"]);
    expect(Object.values(repeat)[0]).toEqual(distances);
  });

  test("of sports, each with the sport of its headers and a unit of its own", async () => {
    const { columns, repeat, text, open } = await infer([
      "Date,Swim m,Swim time,Run km,Run time,Run HR,Notes",
      "2014-01-02,,,9,0:41:00,150,x",
      "2014-01-03,1500,0:32:00,5,0:25:00,140,x",
      "2014-01-04,,,8,0:43:00,141,x",
    ]);
    expect(repeat).toEqual({
      Distance: ["Swim m", "Run km"],
      Duration: ["Swim time", "Run time"],
      HR: [null, "Run HR"],
    });
    expect(columns).toEqual({
      Date: { field: "date" },
      Notes: { field: "notes" },
      Distance: { field: "distance", unit: { swim: "m", default: "km" } },
      Duration: { field: "duration", format: ["h:mm:ss"] },
      HR: { field: "avgHR" },
      Sport: { field: "activity" },
    });
    expect(text).toContain("  texts:\n    Sport: [swim, run]\ncolumns:\n");
    expect(open).toEqual([]);
  });

  test("of sports, one of them with minutes alone", async () => {
    const { repeat, open } = await infer([
      "Date,Run km,Run min,Bike km,Bike min,Gym min,Notes",
      "2018-01-02,8,45,,,,a",
      "2018-01-03,,,31,71,,b",
      "2018-01-04,,,,,40,c",
      "2018-01-05,9.1,52,,,35,d",
    ]);
    expect(repeat).toEqual({ km: ["Run km", "Bike km", null], min: ["Run min", "Bike min", "Gym min"] });
    expect(open).toEqual([]);
  });

  test.each([
    [
      "the minutes of running and walking beside one distance",
      "Date,km,Run time,Walk time",
      "2014-01-01,8,0:40:00,0:09:00",
    ],
    ["groups beside a column of sports", "Date,Sport,Run km,Bike km", "2014-01-01,Run,8,"],
  ])("but not %s", async (_, header, row) => {
    const { repeat } = await infer([header, row, row.replace("01-01", "01-02")]);
    expect(repeat).toEqual({});
  });

  test("but not the laps beside the distance of the workout", async () => {
    const { repeat } = await infer(["Date,km,Time,Time 1,Time 2", "2014-01-01,8,0:40:00,0:20:10,0:19:50"]);
    expect(repeat).toEqual({});
  });
});

describe("a column called something and time", () => {
  const KM = [8, 10, 12, 15, 9];
  const withTimes = (header: string, times: readonly string[], duration?: readonly string[]) =>
    infer([
      `Date,km,${duration === undefined ? "" : "Duration,"}${header}`,
      ...KM.map((km, at) => `2014-01-0${at + 1},${km},${duration === undefined ? "" : `${duration[at]},`}${times[at]}`),
    ]);
  const HOURS = ["0:44", "0:55", "1:06", "1:22", "0:50"];
  const LONG = ["0:44:00", "0:55:10", "1:06:00", "1:22:30", "0:49:30"];
  const ROUND = ["10:00", "12:30", "15:00", "15:30", "12:00"];

  test.each(["Day run time", "Moving time of day run", "Race time", "Run time of the day run"])(
    "is no start where its values are durations: %s",
    async (header) => {
      const alone = await withTimes(header, HOURS);
      expect(alone.columns).toMatchObject({ [header]: { field: "duration", format: ["h:mm"] } });
      const second = await withTimes(header, LONG, LONG.toReversed());
      expect(second.columns).toMatchObject({ Duration: { field: "duration" }, [header]: { field: "unsupported" } });
      expect(second.open.map(([place]) => place)).toContain(`columns.${header}.field`);
    },
  );

  test.each(["Race time", "Day run time"])("is a question where its values can be both: %s", async (header) => {
    const { open } = await withTimes(header, ROUND, LONG);
    expect(open.map(([place]) => place)).toContain(`columns.${header}.field`);
  });

  test.each(["Time", "Start time", "Time of day", "Heure de départ", "Time out"])(
    "is the start without a question where its words say so: %s",
    async (header) => {
      const { columns, open } = await withTimes(header, ["7:00", "17:30", "6:45", "18:00", "12:15"], LONG);
      expect(columns).toMatchObject({ [header]: { field: "time" } });
      expect(open.map(([place]) => place)).not.toContain(`columns.${header}.field`);
    },
  );

  test.each(["Warmup time", "Warm-up time", "Cooldown time", "Interval time", "Recovery time", "Einlaufen Zeit"])(
    "is neither the start nor the duration where it is of a part: %s",
    async (header) => {
      for (const times of [LONG, ROUND]) {
        const { columns, open } = await withTimes(header, times, LONG);
        expect(columns).toMatchObject({ [header]: { field: "unsupported", label: header } });
        expect(open.map(([place]) => place)).toEqual(["defaults.activity"]);
      }
      const alone = await withTimes(header, HOURS);
      expect(alone.columns).toMatchObject({ [header]: { field: "unsupported" } });
      expect(alone.open.map(([place]) => place)).toContain(`columns.${header}.field`);
    },
  );
});

describe("a running sum is left, with its evidence", () => {
  const KM = [8, 10.5, 12, 15.5, 9, 7, 11, 10];
  const DATES = ["12-26", "12-28", "12-29", "12-31", "01-02", "01-03", "01-05", "01-06"].map(
    (day, at) => `${at < 4 ? 2013 : 2014}-${day}`,
  );
  const clock = (minutes: number) =>
    `${Math.floor(minutes / 60)}:${String(Math.floor(minutes % 60)).padStart(2, "0")}:${minutes % 1 === 0 ? "00" : "30"}`;
  const ALL = [8, 18.5, 30.5, 46, 55, 62, 73, 83];
  const YEAR = [8, 18.5, 30.5, 46, 9, 16, 27, 37];

  test.each([
    ["total km,total time", ALL],
    ["Year km,Year time", YEAR],
    ["km,time", YEAR],
  ])("as in km,time,%s", async (header, sums) => {
    const rows = KM.map((km, at) => `${DATES[at]},${km},${clock(km * 5)},${sums[at]},${clock((sums[at] ?? 0) * 5)}`);
    const [distance = "", duration = ""] = header === "km,time" ? ["km#2", "time#2"] : header.split(",");
    for (const lines of [rows, rows.toReversed()]) {
      const { columns, open, repeat } = await infer([`Date,km,time,${header}`, ...lines]);
      expect(columns).toMatchObject({
        ...{ km: { field: "distance", unit: "km" }, time: { field: "duration" } },
        [distance]: { field: "ignore", why: expect.stringMatching(/^the running sum of km: \d rows go on/) },
        [duration]: { field: "ignore", why: expect.stringMatching(/^the running sum of time: \d rows go on/) },
      });
      expect(repeat).toEqual({});
      expect(open.map(([place]) => place)).toEqual(["defaults.activity"]);
    }
  });

  test("also where it sums up two sports, and in another unit", async () => {
    const rows = KM.map(
      (km, at) =>
        `${DATES[at]},${at % 2 === 0 ? km : ""},${at % 2 === 0 ? "" : km},${ALL[at]},${(ALL[at] ?? 0) * 1000}`,
    );
    const { columns, repeat } = await infer(["Date,Run km,Bike km,Year km,Metres", ...rows]);
    expect(repeat).toEqual({ km: ["Run km", "Bike km"] });
    expect(columns).toMatchObject({
      "Year km": { field: "ignore", why: "the running sum of Run km and Bike km: 7 rows go on from the sum before" },
      Metres: { field: "ignore" },
    });
  });

  test.each([
    ["Run min,Bike min,Core min", (minutes: number) => `${2 * minutes}`, (at: number) => `${22 + at * 3}`],
    ["Run time,Bike time,Swim time", (minutes: number) => `1:${minutes}:00`, (at: number) => `0:31:${40 + at * 3}`],
  ])("and not the times of a third sport that rise slowly: %s", async (header, time, third) => {
    const rides = [55, 58, 51, 59, 53, 57];
    const rows = rides.flatMap((ride, at) => [`${time(36 + ((at * 5) % 14))},,`, `,${time(ride)},`, `,,${third(at)}`]);
    const { text } = await infer([`Date,${header}`, ...rows.map((row, at) => `2021-01-${at + 10},${row}`)]);
    expect(text).not.toContain("running sum");
  });

  test("and no column that grows is one by chance", async () => {
    const rows = KM.map((km, at) => `${DATES[at]},${km},${clock(km * 5)},${20 + at * 9}`);
    const { columns } = await infer(["Date,km,time,km", ...rows]);
    expect(columns).toMatchObject({ "km#2": { field: "unsupported" } });
  });
});

describe("a duration in several columns", () => {
  const ROWS = ["8,0,41,17", "15.1,1,15,32", "16.5,1,23,8", "17,1,26,10", "9.1,0,46,26", "12,1,2,11"].map(
    (row, at) => `2019-03-0${at + 1},${row},140`,
  );

  test.each([
    "Date,Km,h,min,s,HR",
    "Date,Km,h,m,s,HR",
    "Date,Distance km,H,M,S,HR",
    "Date,Km,hh,mm,ss,HR",
    "Datum,Km,Std,Min,Sek,Puls",
    "Date,Km,hrs,mins,secs,HR",
    "Date,Km,Time (h),Time (m),Time (s),HR",
    "Date,Km,Time h,Time min,Time s,HR",
  ])("is read whole: %s", async (header) => {
    const { columns, open } = await infer([header, ...ROWS]);
    const fields = Object.values(columns).map(({ field }) => field);
    expect(fields).toEqual(["date", "distance", "duration.hours", "duration.minutes", "duration.seconds", "avgHR"]);
    expect(open.map(([place]) => place)).toEqual(["defaults.activity"]);
  });
});

describe("parts of a workout with their sum", () => {
  const ROWS = ["2,5.3,1.5,8.8,0:44:44", "2,6.6,1.5,10.1,0:51:21", "2,8.5,1.5,12,1:01:00", "2.5,9,1,12.5,1:03:10"].map(
    (row, at) => `2019-03-0${at + 1},${row}`,
  );

  test.each([
    ["WU,Main,CD,Total,Time", "Total"],
    ["Easy,Tempo,Fast,All,Zeit", "All"],
    ["Warm up km,Main km,Cool down km,Total km,Time", "Total km"],
  ])("the sum is the distance, and its evidence is shown: %s", async (header, sum) => {
    const { columns, text, open } = await infer([`Date,${header}`, ...ROWS]);
    expect(Object.values(columns).map(({ field }) => field)).toEqual(
      ["date", "unsupported", "unsupported", "unsupported", "distance", "duration"], // the parts are counted as left
    );
    expect(text).toMatch(new RegExp(`  ${sum}: .+ # .*distance: the sum of .+, .+ and .+, in 4 of 4 rows`));
    expect(open.map(([place]) => place)).not.toContain(`columns.${sum}.field`);
  });

  test("without a time beside it, the sum is a question with the distance as its first answer", async () => {
    const { open, text } = await infer([
      "Date,WU,Main,CD,Total",
      ...ROWS.map((row) => row.split(",").slice(0, 5).join(",")),
    ]);
    expect(open[0]?.[0]).toBe("columns.Total.field");
    expect(text).toMatch(/Total: \{ field: ASK, .*unit: ASK/);
  });
});
