import { describe, expect, test } from "vitest";
import { type MadeSheet, packed, xlsxParts } from "../../../fixtures/make/workbook.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { parseMapping } from "../csv/mapping.ts";
import { inferMapping, isOpen, type Proposal, writeMapping } from "./infer.ts";

const TODAY = "2026-03-01";

/** Proposes a mapping for a table of these lines. */
async function infer(lines: readonly string[], name = "log.csv", answers: Record<string, string> = {}) {
  const archive = memoryArchive("log", { [name]: `${lines.join("\n")}\n` });
  const entry = archive.entry(name);
  if (entry === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, entry, new Map(Object.entries(answers)), TODAY);
  if ("problem" in proposal) throw new Error(proposal.problem);
  return {
    ...proposal,
    text: writeMapping(proposal, name),
    open: proposal.choices.filter(isOpen).map(({ place }) => place),
  };
}

const columnsOf = ({ draft }: Proposal) => Object.fromEntries(draft.columns);
const why = ({ choices }: Proposal, place: string) => choices.find((choice) => choice.place === place)?.why;

/** Proposes a mapping for a workbook. */
async function proposeFor(sheets: readonly MadeSheet[], answers: Record<string, string> = {}): Promise<Proposal> {
  const archive = memoryArchive("log", { "log.xlsx": packed(xlsxParts(sheets)) });
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, entry, new Map(Object.entries(answers)), TODAY);
  if ("problem" in proposal) throw new Error(proposal.problem);
  return proposal;
}

/** Rows of runs, a week apart: `date, kilometres, seconds`. */
const RUNS = [
  ["2014-03-05", 10, 3120], ["2014-03-12", 8.2, 2600], ["2014-03-19", 15.5, 5020], ["2014-03-26", 6, 1830],
  ["2014-04-02", 21.1, 6420], ["2014-04-09", 5, 1500], ["2014-04-16", 12.4, 3980], ["2014-04-23", 9.9, 3050],
] as const; // biome-ignore format: a table
const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

test("a German sheet is read by its words: comma, day first, kilometres, and what has no field is kept", async () => {
  const proposal = await infer([
    "Lauftagebuch 2014;;;;;;",
    "Datum;Strecke (km);Zeit;Ø Puls;Schuhe;Wetter;Bemerkung;Höhenmeter",
    ...RUNS.map(([day, km, s]) => {
      const [year, month, date] = day.split("-");
      return `${date}.${month}.${year};${String(km).replace(".", ",")};${clock(s)};148;Pegasus;sonnig;gut;120`;
    }),
  ]);
  expect(columnsOf(proposal)).toEqual({
    Datum: { field: "date" },
    "Strecke (km)": { field: "distance", unit: "km" },
    Zeit: { field: "duration", format: ["mm:ss"] },
    "Ø Puls": { field: "avgHR" },
    Schuhe: { field: "equipment" },
    Wetter: { field: "conditions" },
    Bemerkung: { field: "notes" },
    Höhenmeter: { field: "unsupported", label: "elevation gain" },
  });
  expect(proposal.draft).toMatchObject({ order: "dmy", activity: "run", file: { decimal: ",", skip: 1 } });
  expect([...proposal.draft.values.conditions]).toEqual([["sonnig", "sunny"]]);
  expect(proposal.open).toEqual([]);
  expect(parseMapping("log.map.yaml", proposal.text)).toHaveProperty("mapping");
});

describe("a distance without a unit", () => {
  const sheet = (factor: number, header: string) => [
    header,
    ...RUNS.map(([day, km, s]) => `${day},${(km * factor).toFixed(2)},${clock(s)},70`),
  ];

  test("is a question where both units make ordinary runs, and the plan refuses the file before it is answered", async () => {
    const proposal = await infer(sheet(1, "Date,Distance,Time,Run"));
    expect(proposal.open).toContain("columns.Distance.unit");
    expect(proposal.text).toContain("unit: ASK");
    expect(parseMapping("log.map.yaml", proposal.text)).toMatchObject({
      errors: expect.arrayContaining([
        expect.stringMatching(/line \d+: columns\.Distance\.unit: a question is open: put one of the words/),
      ]),
    });
    const answered = await infer(sheet(1, "Date,Distance,Time,Run"), "log.csv", { "columns.Distance.unit": "km" });
    expect(columnsOf(answered)).toMatchObject({ Distance: { field: "distance", unit: "km" } });
  });

  test("is kilometres where miles would beat the world record", async () => {
    const fast = RUNS.map(([day, km]) => `${day},${km},${clock(Math.round(km * 215))}`);
    const proposal = await infer(["Date,Distance,Time", ...fast], "runs.csv");
    expect(columnsOf(proposal)).toMatchObject({ Distance: { field: "distance", unit: "km" } });
    expect(why(proposal, "columns.Distance.unit")).toMatch(/as mi \d of 8 rows can't be true/);
  });

  test("is metres where the header says miles and no row could be true", async () => {
    const proposal = await infer(sheet(1000, "Date,Dist (mi),Time,Run"));
    expect(columnsOf(proposal)).toMatchObject({ "Dist (mi)": { field: "distance", unit: "m" } });
    expect(why(proposal, "columns.Dist (mi).unit")).toMatch(/the header says mi, but 8 of 8 rows would be impossible/);
  });
});

describe("the order of dates", () => {
  const rows = (dates: readonly string[]) => dates.map((date) => `${date},10,50:00`);

  test("is found by the rows where no day is past the 12th", async () => {
    const proposal = await infer([
      "Date,km,Time",
      ...rows(["3/10/2014", "5/10/2014", "8/10/2014", "1/11/2014", "4/11/2014", "6/11/2014", "2/12/2014"]),
    ]);
    expect(proposal.draft.order).toBe("dmy");
    expect(why(proposal, "dates.order")).toContain("in the order of their days");
  });

  test("is found by the weekdays beside them", async () => {
    const proposal = await infer([
      "Day,Date,km,Time",
      "Mon,3/10/2014,10,50:00",
      "Wed,2/5/2014,8,42:00",
      "Sun,11/9/2014,9,45:00",
      "Sat,8/2/2014,9,45:00",
    ]);
    expect(proposal.draft.order).toBe("mdy");
    expect(columnsOf(proposal)).toMatchObject({ Day: { field: "ignore" }, Date: { field: "date" } });
  });

  test("is a question where nothing shows it", async () => {
    const proposal = await infer(["Date,km,Time", ...rows(["3/4/2014", "1/2/2013", "5/6/2012"])]);
    expect(proposal.open).toContain("dates.order");
  });

  test.each([
    ["ymd", "has the year in front where the rows follow each other so", ["17-01-02", "17-01-05", "17-01-08", "17-02-11", "17-02-14", "17-03-17"]],
    ["ymd", "has the year in front with dots, too", ["17.11.28", "17.12.05", "17.12.18", "18.01.11", "18.02.14"]],
    ["ymd", "has the year in front where no day is so high", ["98/01/02", "98/01/05", "99/02/08"]],
    ["ymd", "has the year in front where 年 says so, though each row is possible as a day", ["22年4月2日", "22年4月5日", "22年4月12日", "22年5月1日"]],
    ["iso", "of an era is the whole year", ["平成22年4月2日", "H22.4.5", "平成22年4月12日", "平成22年5月1日"]],
    ["dmy", "has the day in front in a few rows of a month", ["13.05.17", "15.05.17", "18.05.17", "21.05.17"]],
    ["dmy", "has the day in front where other days would be to come", ["28.05.17", "30.05.17", "02.06.17"]],
    ["mdy", "has the month in front", ["05/13/17", "05/21/17", "06/02/17"]],
  ])("%s: a year of two digits %s", async (order, _, dates) => {
    const { draft, open } = await infer(["Date,km,Time", ...rows(dates)]);
    expect([draft.order, open.includes("dates.order")]).toEqual([order, false]);
  }); // biome-ignore format: a table

  test.each([
    ["in no order", ["10-08-12", "12-02-06", "11-06-02", "12-05-03", "10-01-08"]],
    ["of a race each year, or of a streak", ["12-07-04", "13-07-04", "14-07-04", "15-07-04", "16-07-04", "17-07-04"]],
  ])("may be any of three with a year of two digits and rows %s", async (_, dates) => {
    const { choices } = await infer(["Date,km,Time", ...rows(dates)]);
    const choice = choices.find(({ place }) => place === "dates.order");
    const options = choice !== undefined && isOpen(choice) ? choice.options.map(({ value }) => value) : [];
    expect(options).toEqual(expect.arrayContaining(["dmy", "ymd"]));
  }); // biome-ignore format: a table
});

describe("a duration", () => {
  const sheet = (header: string, write: (seconds: number) => string) => [
    `Date,Distance (km),${header}`,
    ...RUNS.map(([day, km, s]) => `${day},${km},${write(s)}`),
  ];

  test.each([
    ["minutes", "Time", (s: number) => (s / 60).toFixed(1), ["minutes"]],
    ["hours", "Time", (s: number) => (s / 3600).toFixed(3), ["hours"]],
    ["seconds", "Time", (s: number) => String(s), ["seconds"]],
    ["parts of a day", "Time", (s: number) => (s / 86_400).toFixed(8), ["day-fraction"]],
    [
      "minutes and seconds that a spreadsheet made hours and minutes of",
      "Time",
      (s: number) => `${clock(s)}:00`,
      ["mm:ss:00"],
    ],
    ["hours and minutes", "Time", (s: number) => clock(Math.round(s / 60)), ["h:mm"]],
    ["words", "Time", (s: number) => `${Math.floor(s / 60)} min`, ["text"]],
  ])("is told from distance and speed: %s", async (_, header, write, format) => {
    const proposal = await infer(sheet(header, write));
    expect(columnsOf(proposal)).toMatchObject({ Time: { field: "duration", format } });
    expect(proposal.open).not.toContain("columns.Time.format");
  });

  const dotted = (seconds: number) => clock(seconds).replace(":", ".");
  const ofHours = (seconds: number, mark: string) =>
    `${Math.floor(seconds / 3600)}${mark}${String(Math.round((seconds % 3600) / 60)).padStart(2, "0")}`;

  test.each([
    ["Time (min.sec)", dotted, "mm.ss"],
    ["Tid (min.sek)", dotted, "mm.ss"],
    ["Zeit (mm.ss)", dotted, "mm.ss"],
    ["Tiempo (mm:ss)", dotted, "mm.ss"],
    ["Temps (mn:s)", clock, "mm:ss"],
    ["Zeit (Std:Min)", (s: number) => ofHours(s, ":"), "h:mm"],
    ["Tid (t.mm)", (s: number) => ofHours(s, "."), "h.mm"],
    ["Aika (h.mm.ss)", (s: number) => `${ofHours(s, ".")}.00`, "h.mm.ss"],
    ["タイム (分:秒)", clock, "mm:ss"],
  ])("is as its header says: %s", async (header, write, format) => {
    const proposal = await infer(sheet(header, write));
    expect(columnsOf(proposal)[header]).toEqual({ field: "duration", format: [format] });
    expect(proposal.open).not.toContain(`columns.${header}.format`);
  }); // biome-ignore format: a table

  test("of a pace that says minutes and seconds is a pace", async () => {
    const proposal = await infer(sheet("Tempo (min:sek/km)", (s) => clock(Math.round(s / 10))));
    expect(columnsOf(proposal)["Tempo (min:sek/km)"]).not.toMatchObject({ field: "duration" });
  });

  test.each(["Core min", "Stretching (min)", "Sauna min"])("of something else is a question, and never hours: %s", async (header) => {
    const proposal = await infer(sheet(header, (s) => String((s % 4) * 5 + 10)), "log.csv", { "defaults.activity": "run" });
    expect(proposal.open).toContain(`columns.${header}.field`);
    expect(proposal.choices.find(({ place }) => place === `columns.${header}.format`)?.value).toBe("minutes");
  }); // biome-ignore format: a table

  const halves = (seconds: number) => Math.round(seconds / 30) / 2;

  test.each([
    ["halves of a minute, or 50 seconds", "Time", (s: number) => halves(s).toFixed(2), ["minutes", "mm.ss"]],
    ["minutes and seconds without the zeros at their end", "Time", (s: number) => String(Number(dotted(s > 3500 ? s : s + 7))), ["mm.ss", "minutes"]],
    ["parts of an hour, or minutes behind a dot", "Hours", (s: number) => ofHours(s, "."), ["hours", "h.mm"]],
  ])("may be two things, and is a question: %s", async (_, header, write, readings) => {
    const twice = sheet(header, write);
    const { choices } = await infer([...twice, ...twice.slice(1).map((row) => row.replace("2014-", "2015-"))]);
    const choice = choices.find(({ place }) => place === `columns.${header}.format`);
    expect(choice !== undefined && isOpen(choice) && choice.options.map(({ value }) => value).toSorted()).toEqual(readings.toSorted());
  }); // biome-ignore format: a table

  test.each([
    ["minutes", (shown: number) => shown * 60],
    ["mm.ss", (shown: number) => Math.floor(shown) * 60 + (shown % 1) * 100],
  ])("is %s where the pace beside it says so", async (format, secondsOf) => {
    const proposal = await infer([
      "Date,Distance (km),Time,Pace",
      ...RUNS.map(([day, km, s]) => {
        const shown = halves(s);
        return `${day},${km},${shown.toFixed(2)},${clock(Math.round(secondsOf(shown) / km))}`;
      }),
    ]);
    expect(columnsOf(proposal)).toMatchObject({ Time: { field: "duration", format: [format] } });
    expect(proposal.open).not.toContain("columns.Time.format");
  });
});

test.each([
  ["are of 10 where one is above 7", [2, 9, 5, 6, 7, 4, 3, 5], undefined],
  ["may be of 7, or of 10", [2, 7, 5, 6, 7, 4, 3, 5], ["1..7 -> 1..10", "1..10 -> 1..10"]],
  ["may be of 6, or of 10", [2, 6, 5, 6, 1, 4, 3, 5], ["1..6 -> 1..10", "1..10 -> 1..10"]],
] as const)("efforts %s", async (_, efforts, scales) => {
  const { choices } = await infer(["Date,km,Effort", ...RUNS.map(([day, km], at) => `${day},${km},${efforts[at]}`)]);
  const choice = choices.find(({ place }) => place === "columns.Effort.scale");
  expect(choice && isOpen(choice) ? choice.options.map(({ value }) => value) : undefined).toEqual(scales);
});

test("swims in metres among runs in kilometres have a unit of their own", async () => {
  const swims = ["2014-03-06,Swim,1500,32:10", "2014-03-13,Swim,2000,44:00", "2014-03-20,Swim,1200,25:30"];
  const runs = RUNS.map(([day, km, s]) => `${day},Run,${km},${clock(s)}`);
  const proposal = await infer(["Date,Sport,Distance,Time (mm:ss)", ...runs, ...swims], "log.csv", {
    "columns.Distance.unit": "km",
  });
  expect(columnsOf(proposal)).toMatchObject({ Distance: { field: "distance", unit: { swim: "m", default: "km" } } });
  expect(proposal.text).toContain("unit: { swim: m, default: km }");
  expect(parseMapping("log.map.yaml", proposal.text)).toHaveProperty("mapping");
});

test("rows of totals and days of rest are left out by rules, with their numbers", async () => {
  const proposal = await infer([
    "Date,Miles,Time",
    "3/31/2014,6.2,50:00", "4/1/2014,off,", "4/2/2014,5,41:00", "Week total,11.2,91:00",
    "4/14/2014,3.1,26:00", "4/15/2014,off,", "Week total,3.1,26:00",
  ]); // biome-ignore format: a table
  expect(proposal.draft.rows).toEqual([
    { when: [{ column: "Date", matches: "^(?:Week total)" }], skip: "total" },
    {
      when: [
        { column: "Miles", matches: "^(?:off)$" },
        { column: "Time", matches: "^(?:0+(?:[.,:]0*)*|[-–—/?.]*|n/?a)$" },
      ],
      skip: "rest day",
    },
  ]);
  expect(why(proposal, "rows.0")).toBe('2 rows such as "Week total" in the column "Date"');
});

test("a row of totals with a date is left out, if its distance is the sum of the rows above", async () => {
  const rows = ["2014-01-01,8,0:44:00,easy", "2014-01-02,9.5,0:52:00,", "2014-01-03,12,1:06:00,total wreck"];
  const sums = ["2014-01-31,29.5,2:42:00,Monthly total"];
  const proposal = await infer(["Date,km,Time,Notes", ...rows.slice(0, 2), "2014-01-03,12,1:06:00,long", ...sums]);
  expect(proposal.draft.rows).toEqual([{ when: [{ column: "Notes", matches: "^(?:Monthly total)$" }], skip: "total" }]);
  expect(why(proposal, "rows.0")).toBe(
    '1 row such as "Monthly total" in the column "Notes", and the distance is the sum of the rows above',
  );
  expect((await infer(["Date,km,Time,Notes", ...rows])).draft.rows).toEqual([]);
});

test("days of nothing are left out by a rule that looks at the distance and the duration", async () => {
  const rows = ["2014-01-01,8,0:44:00,x", "2014-01-02,,,", "2014-01-03,-,0:00:00,", "2014-01-04,9,0:50:00,x"];
  const { draft, text } = await infer(["Date,km,Time,Notes", ...rows, "2014-01-05,n/a,k.A.,"], "running.csv");
  expect(draft.rows).toEqual([
    {
      when: [
        { column: "km", matches: "^(?:0+(?:[.,:]0*)*|[-–—/?.]*|n/?a)$" },
        { column: "Time", matches: "^(?:0+(?:[.,:]0*)*|[-–—/?.]*|n/?a|k\\.A\\.)$" },
      ],
      skip: "nothing done",
    },
  ]);
  expect(text).toContain("  - when: { column: km, matches: ");
  expect(parseMapping("log.map.yaml", text)).toHaveProperty("mapping");
});

test("evidence counts the cells that can be read", async () => {
  const proposal = await infer([
    "Date,km,Time",
    "2014-01-01,8,0:44:00",
    "2014-01-02,9,0:50:00",
    "2014-01-03,12,0:44:00?",
  ]);
  expect(why(proposal, "columns.Time.format")).toBe("2 of 3 cells are h:mm:ss");
});

test.each(["Elevação (m)", "Elevación (m)", "Altimetria (m)", "Höhenmeter"])("a climb in metres is no distance: %s", async (header) => {
  const { draft } = await infer([`Date,${header},Notes`, ...RUNS.map(([day], at) => `${day},${at * 17 + 80},x`)]);
  expect(draft.columns.get(header)).toMatchObject({ field: "unsupported", label: "elevation gain" });
}); // biome-ignore format: a table

test("a column called Hours that holds 2:25:00 is the duration", async () => {
  const proposal = await infer(["Date,km,Hours", "2014-01-01,50,2:25:00", "2014-01-02,60,2:50:00"]);
  expect(proposal.draft.columns.get("Hours")).toMatchObject({ field: "duration", format: ["h:mm:ss"] });
  expect(proposal.choices.map(({ place }) => place)).not.toContain("columns.Hours.field");
});

test.each([
  ["Distance (km),Time", "90.3,3:10:23", ["bike", "as run 3 of 3 rows can't be true"]],
  ["Yards,Time", "1800,0:32:33", ["swim", "as run 0 of 3 rows have a usual speed"]],
  ["Strecke (m),Zeit", "1500,0:30:00", ["swim", "as run 0 of 3 rows have a usual speed"]],
  ["Distance (km),Time", "10.3,0:55:23", ["run", undefined]],
])("the first answer for the sport fits the speeds below %s: %s", async (header, values, [sport, why]) => {
  const rows = ["02", "05", "09"].map((day) => `2015-04-${day},${values}`);
  const { choices } = await infer([`Date,${header}`, ...rows]);
  const choice = choices.find(({ place }) => place === "defaults.activity");
  const first = choice !== undefined && isOpen(choice) ? choice.options[0]?.value : undefined;
  expect([choice?.value, first]).toEqual([sport, sport]);
  expect(choice?.why).toBe(["nothing in the table says it", ...(why === undefined ? [] : [why])].join("; "));
});

test.each(["kg", "Weight (kg)"])(
  "kilograms called %s beside exercises and sets are no weight of a body",
  async (name) => {
    const rows = ["Bench,5x5,100", "Squat,5x5,60", "Bench,5x5,80"].map((row, at) => `2015-04-0${at + 2},${row}`);
    const { draft } = await infer([`Date,Exercise,Sets,${name}`, ...rows]);
    expect(draft.columns.get(name)).toMatchObject({ field: "unsupported" });
  },
);

describe("a table without dates gets no proposal, and the reason", () => {
  const refusal = async (table: string | Uint8Array, answers: Record<string, string> = {}) => {
    const archive = memoryArchive("log", { "a.csv": table });
    const [entry] = archive.entries();
    if (entry === undefined) throw new Error("no table");
    return inferMapping(archive, entry, new Map(Object.entries(answers)), TODAY);
  };
  const readme = "connectors/platforms/csv/README.md";
  const DAYS = "Write the day of each workout, as in 2021-01-20, and propose again";
  const MIL =
    "Write ten times the numbers into a column called km, and propose again. If they are miles, call the column Miles";

  test.each([
    ["nothing seen", "Name,City\nAda,Graz\n", "no column has dates", `Write one by hand: ${readme} shows how`],
    ["formulas around texts", 'Date,km\n"=""2021-01-03""",6.2\n"=""2021-01-06""",9.5\n', 'in the column "Date" no dates can be read, such as ="2021-01-03": each cell is a formula around a text', "Open the table in a spreadsheet program, save it as .xlsx, and propose for that file"],
    ["apostrophes", "Date,km\n'2021-01-03,6.2\n", `in the column "Date" no dates can be read, such as "'2021-01-03": an apostrophe stands before each value`, "Remove the apostrophes with a text editor, and propose again"],
    ["weeks of a year", "Date,km\n2021-W01-7,6.2\n", 'in the column "Date" no dates can be read, such as "2021-W01-7": the cells are weeks of a year', DAYS],
    ["days of a year", "Date,km\n2021-003,6.2\n", 'in the column "Date" no dates can be read, such as "2021-003": the cells are days of a year, counted from 1 January', DAYS],
    ["year, day and month", "Date,km\n2021-03-01,6.2\n2021-13-01,7\n2021-28-02,8\n", 'in the column "Date" no dates can be read, such as "2021-13-01": the day stands before the month, behind the year', "Write year, month and day, as in 2021-01-20, and propose again"],
    ["months with their year", "Month,km\nJan 2018,111.4\nFeb 2018,139\n", 'in the column "Month" no dates can be read, such as "Jan 2018": each row seems to be a month, and a sum is no workout', "Use a table with a row for each workout or each day"],
    ["dates in words", "When,km\nSunday 3 January 2021 at 07:00,6.2\n", 'in the column "When" no dates can be read, such as "Sunday 3 January 2021 at 07:00": its cells are no dates that logferry can read', "Write them as year, month and day, such as 2021-01-20, or 2021-01-20 07:00 with the time, and propose again"],
    ["lines in quotes", '"Date,km,Time"\n"2021-01-03,6.2,0:36:28"\n', 'the table has one column, "1", and each cell seems to be a whole row: "Date,km,Time"', "Quotes stand around whole lines: remove them with a text editor, and propose again"],
    ["sections", "2014;;\nDatum;km;Zeit\n01.01.;12,3;1:04:50\n2015;;\nDatum;km;Zeit\n04.01.;6,5;0:40:02\n", 'no column has whole dates, and 1 title stands among the rows, such as "2015": they seem to say the year or the month', `Write one by hand with layout: { sections: true }: ${readme}, "Sections"`],
    ["sums of weeks", "Week starting,Miles,Hours\n2019-03-04,30.5,4.5\n2019-03-11,31.5,4.75\n", 'each row seems to sum up the days from a date in the column "Week starting", such as 2019-03-04: a sum is no workout', 'If each row is one workout, rename "Week starting" to Date and propose again'],
    ["numbers of weeks", "Week,Miles,Time\nKW 1,32.5,4:45:00\nKW 2,30,4:20:00\n", 'each row seems to sum up a week, whose number stands in the column "Week": a sum is no workout', "If each row is one workout, add a column Date and propose again"],
    ["weeks from a date to another", "KW;von;bis;km;Stunden\n1;1.1.2018;7.1.2018;43,9;4,2\n2;8.1.2018;14.1.2018;44,8;5,2\n3;15.1.2018;21.1.2018;59,7;5,9\n", 'each row seems to sum up the days from one date to another, in the columns "von" and "bis": a sum is no workout', 'If each row is one workout, remove the column "bis" and propose again'],
    ["months from a date to another", "From,To,Miles\n2018-01-01,2018-01-31,93\n2018-02-01,2018-02-28,88\n2018-03-01,2018-03-31,104\n", 'each row seems to sum up the days from one date to another, in the columns "From" and "To": a sum is no workout', 'If each row is one workout, remove the column "To" and propose again'],
    ["sums of months", "Month,Miles,Hours\n2018-01-01,93,14.5\n2018-02-01,88,13.1\n2018-03-01,104,16\n2018-04-01,97,15.2\n", 'each row seems to sum up the month of a date in the column "Month", such as 2018-01-01: a sum is no workout', 'If each row is one workout, rename "Month" to Date and propose again'],
    ["weeks with a number of workouts", "Date,km,Hours,Runs\n2018-01-07,55.2,5.7,6\n2018-01-14,43.2,6.1,4\n2018-01-21,68.0,4.0,4\n2018-01-28,46.2,4.2,6\n", 'each row seems to sum up a week: the dates in the column "Date" are a week apart, and the column "Runs" has a number of workouts. A sum is no workout', 'If each row is one workout, remove the column "Runs" and propose again'],
    ["weeks without a date", "Week,Mon,Tue,Wed,Thu,Fri,Sat,Sun\n1,5,,8,,6,,15\n", "a row seems to be a week, with a column for each day (Mon, Tue, Wed, Thu, Fri, Sat, Sun), and no column has the date of the week", 'Write the first day of each week, with its year, into a column "Week of" before "Mon", and propose again'],
    ["weeks from the middle of a week", "Week of,Mon,Tue,Wed,Thu,Fri,Sat,Sun\n2014-01-08,5,,8,,6,,15\n", 'a row seems to be a week, and its date in the column "Week of" is a Wednesday: neither the first nor the last of its days, which are Monday and Sunday', 'Write the date of the first day of each week into the column "Week of", and propose again'],
    ["rows in no order", "Date,Km,Time\n30.12.,12.0,1:01:33\n2.1.,9,0:45:00\n28.12.,20.4,1:51:37\n", 'the dates in the column "Date" have no year, such as "30.12.", and the order of the rows doesn\'t say which year each is of: the month jumps both ways', "Sort the rows, or write the year into each date, and propose again"],
    ["some days of a week", "Woche ab;Di km;Di Zeit;Do km;Do Zeit\n01.03.2010;;;10,0;0:51:20\n08.03.2010;6,0;0:33:38;;\n", "a row seems to be a week, with columns for some of its days (Di km, Do km)", `Write one by hand with layout: { week: ... }, with null for a day without a column: ${readme}, "A week a row"`],
    ["some days of a week beside a date", "Datum;Di km;Do km;So km\n01.03.2010;;10,0;12\n08.03.2010;6,0;;8\n", "a row seems to be a week, with columns for some of its days (Di km, Do km, So km)", `Write one by hand with layout: { week: ... }, with null for a day without a column: ${readme}, "A week a row"`],
    ["Swedish miles", "Datum;Sträcka (mil);Tid\n2015-04-02;3,5;1:15:50\n2015-04-05;8,1;2:55:30\n", 'the distances in the column "Sträcka (mil)" seem to be in mil, which are 10 km each. A mapping file has no such unit', MIL],
    ["Swedish miles in the cells", "Datum;Sträcka;Tid\n2015-04-02;3,5 mil;1:15:50\n2015-04-05;8,1 mil;2:55:30\n", 'the distances in the column "Sträcka" seem to be in mil, which are 10 km each. A mapping file has no such unit', MIL],
    ["years of an era", "ランニング日誌 平成22年,,\n日付,距離(km),タイム\n22年4月2日,10,0:57:50\n22年4月4日,8,0:39:57\n", 'the years in the column "日付" have two digits, such as "22年4月2日", and "平成" stands above them: 22 may be the year 2010 or 2022', "Write the era into each date, as 平成22年4月2日, and propose again. If they are years such as 2022, propose with --set dates.order=ymd"],
    ["years of an era between slashes", "昭和63年,,\n日付,距離(km),タイム\n63/4/2,10,0:57:50\n63/4/14,8,0:39:57\n", 'the years in the column "日付" have two digits, such as "63/4/2", and "昭和" stands above them: 63 may be the year 1988 or 2063', "Write the era into each date, as 昭和63年4月2日, and propose again. If they are years such as 2063, propose with --set dates.order=ymd"],
    ["dates of two columns", "Jour;Mois;km\n4;vendange;20,6\n", "the date stands in several columns: Jour, Mois", `Write one by hand with join, as in join: { Whole date: "{Jour} {Mois}" }: ${readme}, "Two columns into one"`],
  ])("%s", async (_, table, problem, next) => {
    expect(await refusal(table)).toEqual({ problem, next });
  }); // biome-ignore format: a table

  const GEAR =
    'Propose a mapping for the table of your workouts. Their gear gets its brand and purchase date below values.equipment: connectors/platforms/csv/README.md, "The mapping file". If each row is one workout, add a column Sport and propose again';

  test.each([
    ["in English", "Shoe,Purchased,Price,Distance (mi)\nBrooks Ghost,2017-03-01,$119.99,412\nNike Pegasus,2017-09-15,$109.50,388\n", '"Brooks Ghost", with a price in "Price", a purchase in "Purchased" and a whole mileage in "Distance (mi)"'],
    ["in German", "Schuh;Gekauft am;Preis;km\nGhost 10;01.03.2017;119,99 €;412\nPegasus;15.09.2017;110 €;388\n", '"Ghost 10", with a price in "Preis", a purchase in "Gekauft am" and a whole mileage in "km"'],
    ["without a date", "Shoe,Cost,Distance\nGhost,120,412\nPegasus,110,388\n", '"Ghost", with a price in "Cost" and a whole mileage in "Distance"'],
  ])("a list of shoes %s", async (_, table, says) => {
    const problem = `each row seems to be a piece of gear, such as ${says}. It holds no workouts`;
    expect(await refusal(table)).toEqual({ problem, next: GEAR });
  }); // biome-ignore format: a table

  test.each([
    ["a new shoe in each run", "Date,Shoe,Distance (km)\n2014-03-01,Ghost,10\n2014-03-04,Ride,12\n"],
    ["races with a fee and a time", "Date,Shoe,Entry fee,km,Time\n2014-03-01,Ghost,35,100,9:44:00\n2014-04-01,Ride,45,160,21:40:00\n"],
  ])("but not %s", async (_, table) => {
    expect(await refusal(table)).toHaveProperty("draft");
  }); // biome-ignore format: a table

  test.each(["Price", "Preis (€)", "Prix", "Costo", "Preço", "Prijs", "Pris", "Cena", "料金", "Entry fee"])("%s has money, which is no value of a workout", async (header) => {
    const proposal = await infer([`Date,Distance (km),${header}`, "2014-03-01,10,35", "2014-03-04,12,45", "2014-03-06,9,30"]);
    expect(proposal.choices.map(({ place }) => place)).not.toContain(`columns.${header}.field`);
    expect(proposal.draft.columns.get(header)).toMatchObject({ field: "unsupported" });
    const { problem } = (await refusal(`Date,${header}\n2014-03-01,35\n2014-03-04,45\n`)) as { problem?: string };
    expect(problem).toBe(`no column has a distance, a duration or a sport, and "${header}" has amounts of money. It seems to hold no workouts`);
  }); // biome-ignore format: a table

  test.each([
    ["workouts that end on the day they began, or the next", "Date,Until,km\n2018-01-07,2018-01-07,10.2\n2018-01-14,2018-01-15,80.5\n2018-01-21,2018-01-21,9.8\n2018-01-28,2018-01-28,9.1\n"],
    ["a long run each week, numbered", "Date,km,Time,Runs\n2018-01-07,15,1:30:00,1\n2018-01-14,16,1:36:00,1\n2018-01-21,17,1:40:00,1\n2018-01-28,18,1:45:00,1\n"],
    ["workouts on any day, with a number of runs", "Date,km,Time,Runs\n2018-01-07,15,1:30:00,2\n2018-01-09,16,1:36:00,2\n2018-01-10,17,1:40:00,3\n2018-01-14,18,1:45:00,2\n"],
  ])("but not %s", async (_, table) => {
    expect(await refusal(table)).toHaveProperty("draft");
  }); // biome-ignore format: a table

  const PRICES = "Date,Item,Price,Shipping\n2014-03-01,Socks,39,5\n2014-03-04,Gel,21,9\n2014-03-06,Shoes,121,3\n";
  const NEITHER = { "columns.Price.field": "unsupported", "columns.Shipping.field": "unsupported" };

  test("prices, once a person said that they are nothing of a workout", async () => {
    expect(await refusal(PRICES, NEITHER)).toEqual({
      problem:
        'no column has a distance, a duration or a sport, "Price" has amounts of money, and you said that "Shipping" is none of these. It seems to hold no workouts',
      next: "If each row is a workout, add a column Sport and propose again",
    });
  });

  test.each([
    ["one question is open", PRICES, { "columns.Price.field": "unsupported" }],
    ["a column is a diary", PRICES.replace("Item", "Notes"), NEITHER],
    ["a column is the sport", PRICES.replace("Item", "Sport"), NEITHER],
    ["one of the numbers is a distance", PRICES, { ...NEITHER, "columns.Shipping.field": "distance" }],
  ])("but not where %s", async (_, table, answers) => {
    expect(await refusal(table, answers)).toHaveProperty("draft");
  });

  test.each([
    // "日付,距離" and "日付,距離,メモ", "道" as a cell, and "Data;Odległość (km);Bieżnia".
    ["Shift_JIS", "93fa95742c8b9797a30a", "2014/1/5,10\n", ["日付", "距離"]],
    ["EUC-JP", "c6fcc9d52cb5f7cea50a", "2014/1/5,10\n", ["日付", "距離"]],
    ["Windows-1250", "446174613b4f646c6567b36f9ce620286b6d290a", "2014-01-05;10,5\n", ["Data", "Odległość (km)"]],
  ])("but not where a spreadsheet program wrote %s", async (_, header, rows, names) => {
    const proposal = await refusal(Buffer.concat([Buffer.from(header, "hex"), Buffer.from(rows)]));
    expect(proposal).toHaveProperty(
      "draft.columns",
      new Map([
        [names[0], expect.anything()],
        [names[1], expect.objectContaining({ field: "distance" })],
      ]),
    );
  });
});

describe("dates of a workbook beside typed ones", () => {
  // 41640 is 2014-01-01.
  const days = (serial: number) => ({ days: serial, format: "m/d/yy", shown: "" });
  const sheet = (dates: readonly (number | string)[]): MadeSheet => ({
    name: "Log",
    rows: [
      ["Date", "km", "Time"],
      ...dates.map((date) => [typeof date === "number" ? days(date) : date, "8", "0:44:00"]),
    ],
  });
  // 10 to 14 January 2014 and 10 to 14 February, typed with the day first. 10/1 became October 1.
  const swapped = sheet([
    41913,
    41944,
    41974,
    "13/01/2014",
    "14/01/2014",
    41914,
    41945,
    41975,
    "13/02/2014",
    "14/02/2014",
  ]);

  test("whose day and month a spreadsheet program swapped are refused, with the signs and what to do", async () => {
    await expect(proposeFor([swapped])).rejects.toThrow(
      /^6 dates in the column "Date" seem to have their day and month swapped.* None of the 6 dates .* past the 12th\. All 4 that stayed text have one\. Rows that jump against the order of the others: 2\. With day and month swapped: 0$/,
    );
    const { draft } = await proposeFor([swapped], { "dates.order": "dmy" });
    expect(draft.order).toBe("dmy");
  });

  test("that were decimals such as 20.8 are refused, with the way to mend them", async () => {
    // 20.8 became 2018-08-20, and 10.2 and 17.1 in the same way. 9.13 stayed a number.
    const km = [43332, 43141, 43117].map(days);
    const refused = proposeFor([
      {
        name: "Log",
        rows: [
          ["Datum", "km", "Zeit"],
          ...[...km, "9.13"].map((cell, row) => [days(43103 + row), cell, "0:44:00"] as const),
        ],
      },
    ]);
    await expect(refused).rejects.toThrow(
      /^3 of 4 cells of the column "km" are dates, such as 2018-08-20\. .* 20\.8 became 2018-08-20$/,
    );
  });

  test("count in any order, and need no look where one of them is past the 12th", async () => {
    const { draft, choices } = await proposeFor([
      sheet([41650, 41651, 41652, 41654, "16/01/2014", "17/01/2014", "18/01/2014"]),
    ]);
    expect(draft.order).toBe("dmy");
    expect(choices.find(({ place }) => place === "dates.order")).toMatchObject({ contradicting: 0, rows: 7 });
  });
});

describe("a workbook", () => {
  const header = ["Date", "Miles", "Time (mm:ss)", "Run"];
  const sheet = (name: string, rows: readonly (readonly string[])[]): MadeSheet => ({ name, rows });
  const year = (of: number) => RUNS.map(([day, km, s]) => [day.replace("2014", String(of)), String(km), clock(s), ""]);

  test("with a sheet a year is read whole, and among different sheets a person chooses", async () => {
    const both = await proposeFor([sheet("2014", [header, ...year(2014)]), sheet("2015", [header, ...year(2015)])]);
    expect(both.draft.file).toMatchObject({ sheets: "all" });
    const mixed = [
      sheet("Races", [
        ["Race", "Place"],
        ["Vienna", "12"],
      ]),
      sheet("Log", [header, ...year(2014)]),
    ];
    const asked = await proposeFor(mixed, { "file.sheet": "Log" });
    expect(asked.draft.file).toMatchObject({ sheet: "Log" });
    expect(columnsOf(asked)).toMatchObject({ Miles: { field: "distance", unit: "mi" } });
  });

  test("offers all sheets with one header first, and takes all, a list or one sheet for an answer", async () => {
    const other = sheet("Races", [
      ["Race", "Place"],
      ["Vienna", "12"],
    ]);
    const sheets = [other, ...[2014, 2015, 2016].map((of) => sheet(String(of), [header, ...year(of)]))];
    const asked = await proposeFor(sheets);
    const [choice] = asked.choices.filter(isOpen);
    expect(choice).toMatchObject({
      place: "file.sheet",
      value: "[2014, 2015, 2016]",
      why: "3 of 4 sheets with rows have the same columns",
    });
    expect(choice?.options[0]).toEqual({ value: "[2014, 2015, 2016]", means: "the 3 sheets with the same columns" });
    expect(asked.draft.file).toMatchObject({ sheets: ["2014", "2015", "2016"] });
    expect(writeMapping(asked, "log.xlsx")).toContain("  sheets: ASK  # CHECK: [2014, 2015, 2016] (the 3 sheets");
    const words = async (said: string) => (await proposeFor(sheets, { "file.sheet": said })).draft.file;
    expect(await words("all")).toMatchObject({ sheets: ["2014", "2015", "2016"] });
    expect(await words("2014, 2016")).toMatchObject({ sheets: ["2014", "2016"] });
    expect(await words("2015")).toMatchObject({ sheet: "2015" });
    await expect(proposeFor(sheets, { "file.sheet": "2017" })).rejects.toThrow(
      'no sheet "2017"; expected one of "Races", "2014", "2015", "2016", or all',
    );
  });
});

describe("the column of sports", () => {
  const ROWS = [
    "Laufen;10,2;0:52:10",
    "Rad;40;1:30:00",
    "Schwimmen;1,5;0:32:00",
    "Laufen;8;0:41:00",
    "Stabi XY;;0:30:00",
  ];

  test.each(["Einheit", "Kategorie", "Trainingsart", "Was", "Qwertz"])("is found by its cells: %s", async (header) => {
    const proposal = await infer([`Datum;${header};km;Zeit`, ...ROWS.map((row, at) => `2024-03-0${at + 1};${row}`)]);
    expect(columnsOf(proposal)).toMatchObject({ [header]: { field: "activity" } });
    expect(proposal.open).toEqual([]);
    expect(proposal.draft.unknownSports).toEqual([["Stabi XY", 1]]);
  });

  test("is not the one whose header says so, if its cells are other words, and the evidence is shown", async () => {
    const rows = ROWS.slice(0, 4).map((row, at) => `2024-03-0${at + 1};Tour ${at};${row}`);
    const proposal = await infer(["Datum;Aktivität;Einheit;km;Zeit", ...rows]);
    expect(columnsOf(proposal)).toMatchObject({ Aktivität: { field: "notes" }, Einheit: { field: "activity" } });
    expect(why(proposal, "columns.Einheit.field")).toBe("4 of 4 cells are sports");
  });

  test("is no column of notes in which a few rows name a sport", async () => {
    const rows = RUNS.map(([day, km, s], at) => `${day};${km};${clock(s)};${at === 0 ? "treadmill" : ""}`);
    const { draft } = await infer(["Date;km;Time;Notes", ...rows]);
    expect(draft.columns.get("Notes")).toEqual({ field: "notes" });
  });
});

test.each([
  ["Hungarian", "Dátum;Táv (km);Futásidő;Átlag pulzus;Max pulzus;Megjegyzés"],
  ["Czech", "Datum;Vzdálenost (km);Doba trvání;Prům. TF;Max. TF;Poznámka"],
  ["Finnish", "Pvm;Matka (km);Kesto;Keskisyke;Maksimisyke;Huomiot"],
  ["Russian", "Дата;Дистанция (km);Время;Ср. пульс;Макс. пульс;Комментарий"],
  ["Turkish", "Tarih;Mesafe (km);Time;Ort. nabız;Maks. nabız;Notlar"],
])("the heart rates of a %s sheet are known by their headers", async (_, header) => {
  const rows = RUNS.map(([day, km, s]) => `${day};${km};${clock(s)};148;170;x`);
  const { draft } = await infer([header, ...rows]);
  const fields = [...draft.columns.values()].map(({ field }) => field);
  expect(fields).toEqual(["date", "distance", "duration", "avgHR", "maxHR", "notes"]);
});
