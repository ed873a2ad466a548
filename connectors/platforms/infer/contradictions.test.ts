/** What a header, a title or a sheet says against the cells is a question or a refusal, and never a guess. */
import { describe, expect, test } from "vitest";
import { type MadeSheet, packed, xlsxParts } from "../../../fixtures/make/workbook.ts";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { csv } from "../csv/connector.ts";
import { inferMapping, isOpen, type Proposal, writeMapping } from "./infer.ts";

type Rows = MadeSheet["rows"];

/** What comes of a file: its refusal, or its open questions, the fields of its columns and the mapping file. */
interface Inferred {
  readonly refused?: string;
  readonly open?: readonly {
    readonly place: string;
    readonly values: readonly string[];
    readonly isUnproven: boolean;
  }[];
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly draft?: Proposal["draft"];
  readonly text?: string;
}

/** The proposal for a file. */
async function infer(
  name: string,
  content: string | Uint8Array,
  answers: Record<string, string> = {},
): Promise<Inferred> {
  const archive = memoryArchive("log", { [name]: content });
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, entry, new Map(Object.entries(answers)), "2026-03-01");
  if ("problem" in proposal) return { refused: `${proposal.problem}. ${proposal.next}` };
  const { choices, draft } = proposal;
  return {
    open: choices.filter(isOpen).map(({ place, options, isUnproven }) => ({
      ...{ place, values: options.map(({ value }) => value) },
      isUnproven: isUnproven === true,
    })),
    fields: Object.fromEntries([...draft.columns].map(([column, { field }]) => [column, field])),
    ...{ draft, text: writeMapping(proposal, name) },
  };
}

const book = (sheets: Readonly<Record<string, Rows>>) =>
  packed(xlsxParts(Object.entries(sheets).map(([name, rows]) => ({ name, rows }))));

const lines = (...all: readonly string[]) => `${all.join("\n")}\n`;

const KM = [8.2, 10, 12.4, 6.1, 15.5, 9.9];
/** As long as people take for these kilometres. */
const TIMES = ["0:45:10", "0:52:03", "1:07:20", "0:31:15", "1:25:40", "0:54:08"];
const days = KM.map((_, at) => `2022-01-${String(3 + 2 * at).padStart(2, "0")}`);

describe("texts above groups of columns", () => {
  const below = (one: string, other: string): Rows => [
    ["", one, "", other, ""],
    ["Date", "km", "time", "km", "time"],
    ...days.map((day, at) => [day, 10, "0:50:00", KM[at], TIMES[at]]),
  ];

  test.each([
    ["Planned", "Actual"],
    ["Previsto", "Realizado"],
    ["Soll", "Ist"],
  ])("%s and %s are a plan, which is left out, and what was done", async (plan, done) => {
    const { fields } = await infer("log.xlsx", book({ Log: below(plan, done) }), { "defaults.activity": "run" });
    expect(fields).toEqual({ Date: "date", km: "ignore", time: "ignore", "km#2": "distance", "time#2": "duration" });
  });

  test("that nobody knows are a question without a usual answer: two people would be one", async () => {
    const { open } = await infer("log.xlsx", book({ Log: below("Anna", "Ben") }));
    expect(open).toContainEqual({ place: "layout.repeat", values: ["Anna", "Ben", "all"], isUnproven: true });
  });

  test("that are numbered are several workouts a row", async () => {
    const { draft } = await infer("log.xlsx", book({ Log: below("Workout 1", "Workout 2") }));
    expect(draft?.repeat.get("km")).toEqual(["km", "km#2"]);
  });
});

test.each([
  ["Datum;Laufen;;Notiz", ";Meilen;Zeit;", "Meilen", "mi"],
  ["Date;Run;;Heart rate", ";Distance (km);Time;Avg", "Distance (km)", "km"],
])("below %s, the row %s is a part of the header, and no row of values", async (header, second, name, unit) => {
  const rows = days.map((day, at) => `${day};${KM[at]};${TIMES[at]};${at === 0 ? "" : "150"}`);
  const { draft } = await infer("log.csv", lines(header, second, ...rows));
  expect(draft?.columns.get(name)).toMatchObject({ field: "distance", unit });
});

describe("years of dates without one", () => {
  const table = (title: string) =>
    lines(title, "", "Date;km;Time", ...KM.map((km, at) => `0${at + 1}.02.;${km};${TIMES[at]}`));

  test.each([
    ["a title that contradicts the file", "log-2022.csv", "Training log 2021", ["2021", "2022"]],
    ["the year of a club", "my training-2022.csv", "TSV Waldheim 1921 e.V. training", ["2022"]],
  ])("are asked for with %s, and Enter leaves it open", async (_, name, title, values) => {
    const { open } = await infer(name, table(title), { "defaults.activity": "run" });
    const asked = open?.filter(({ place }) => place === "dates.year") ?? [];
    expect(asked).toEqual(values.length === 1 ? [] : [{ place: "dates.year", values, isUnproven: true }]);
  });

  test("are those of the file where it agrees with the title", async () => {
    const { draft } = await infer("log-2022.csv", table("Training log 2022"));
    expect(draft?.year).toBe("2022");
  });

  test("that a workbook hides are refused where its sheet names another one", async () => {
    const cell = (day: number, format: string) => ({ days: 45_292 + day, format, shown: "" });
    const log = (format: string): Rows => [
      ["Date", "km", "Time"],
      ...KM.map((km, at) => [cell(at, format), km, TIMES[at]]),
    ];
    const { refused } = await infer("log.xlsx", book({ 2021: log("d-mmm") }));
    expect(refused).toMatch(/^the cells of the column "Date" show no year, and hold dates of 2024, while "2021" says/);
    expect((await infer("log.xlsx", book({ 2021: log("d-mmm-yy") }))).fields).toBeDefined();
    expect((await infer("log.xlsx", book({ 2024: log("d-mmm") }))).fields).toBeDefined();
    const told = await infer("log.xlsx", book({ 2021: log("d-mmm") }), { "dates.order": "iso" });
    expect(told.fields).toBeDefined();
  });
});

describe("columns that look like another", () => {
  test.each(["AM/PM", "Shoe"])("the only duration is no time of day beside %s", async (header) => {
    const halves = header === "Shoe" ? ["A", "P"] : ["AM", "PM"];
    const rows = days.map((day, at) => `${day},${halves[at % 2]},${KM[at]},${TIMES[at]}`);
    const { fields } = await infer("log.csv", lines(`Date,${header},Run km,Time`, ...rows));
    expect(fields).toMatchObject({ "Run km": "distance", Time: "duration" });
  });

  test("the date of the next race is no day of a workout beside the stamp of a form", async () => {
    const rows = days.map((day, at) => `${day} 19:00,${KM[at]},${TIMES[at]},2022-02-${20 + at}`);
    const { fields } = await infer("log.csv", lines("Timestamp,Run km,Duration,Next race", ...rows));
    expect(fields).toMatchObject({ Timestamp: "datetime", "Next race": "unsupported" });
  });

  test.each([
    ["Schema km,Schema tijd,Gelopen km,Gelopen tijd", "Gelopen km"],
    ["Coach km,Coach time,Me km,Me time", "Me km"],
    ["Team km,Team time,My km,My time", "My km"],
  ])("of %s, what the person did is the distance", async (header, km) => {
    const rows = days.map((day, at) => `${day},10,0:50:00,${KM[at]},${TIMES[at]}`);
    const { fields } = await infer("log.csv", lines(`Date,${header}`, ...rows));
    expect(Object.entries(fields ?? {}).filter(([, field]) => field === "distance")).toEqual([[km, "distance"]]);
  });

  test("rows of a target beside those of what was done are a question", async () => {
    const rows = days.flatMap((day, at) => [`${day},target,10,0:50:00`, `${day},actual,${KM[at]},${TIMES[at]}`]);
    const { open } = await infer("log.csv", lines("Date,Kind,Run km,Time", ...rows));
    expect(open).toContainEqual({ place: "rows.0", values: ["not done", "workouts"], isUnproven: false });
  });

  test.each([
    ["Schwimmen (m);Schwimmzeit;Rad (km);Radzeit;Laufen (km);Laufzeit", ["swim", "bike", "run"]],
    ["Sim m;Simtid;Cykel km;Cykeltid;Löp km;Löptid", ["swim", "bike", "run"]],
    ["Zwemmen (m);Zwemtijd;Fietsen (km);Fietstijd;Lopen (km);Looptijd", ["swim", "bike", "run"]],
    ["Zwemmen m;Zwemmen tijd;Hardlopen km;Hardlopen tijd;Lopen km;Lopen tijd", ["swim", "run", "walk"]],
  ])("%s are three workouts a row", async (header, sports) => {
    const rows = days.map((day, at) => `${day};2000;0:44:00;;;;\n${day};;;${KM[at]};1:10:00;${KM[at]};1:20:00`);
    const { draft } = await infer("log.csv", lines(`Datum;${header}`, ...rows));
    expect(draft?.groupSports?.words).toEqual(sports);
    expect(draft?.columns.get("Duration")).toMatchObject({ field: "duration" });
  });

  test("sheets named after several sports need a mapping file each", async () => {
    const log: Rows = [["Date", "km", "Time"], ...days.map((day, at) => [day, KM[at], TIMES[at]])];
    const other: Rows = [["Date", "km", "Time"], ...days.map((day, at) => [day, (KM[at] ?? 0) + 20, "1:10:00"])];
    const workbook = book({ Running: log, Cycling: other });
    const { refused } = await infer("log.xlsx", workbook);
    expect(refused).toMatch(/named after several sports, such as "Running" and "Cycling".*--sheet Running --out/);
    expect((await infer("log.xlsx", workbook, { "defaults.activity": "run" })).fields).toBeDefined();
  });
});

describe("rows that wait", () => {
  test("those with a wrong year are held until somebody corrects them, and not left out for good", async () => {
    const dates = ["2014-12-27", "2014-12-29", "2014-12-31", "2014-01-02", "2015-01-04", "2015-01-06", "2015-01-08"];
    const table = lines("Date,Run km,Time", ...dates.map((day) => `${day},10,0:52:00`));
    const { text = "" } = await infer("log.csv", table, { "rows.0": "wrong year" });
    expect(text).toContain("    hold: wrong year\n");
    const { readings } = await readAll(csv, memoryArchive("log", { "log.csv": table, "log.map.yaml": text }));
    const waiting = readings.flatMap((one) => (one.kind === "set-aside" ? [[one.as, one.issue.rule]] : []));
    expect([waiting, readings.length]).toEqual([[["quarantined", "csv/held-row"]], dates.length]);
  });

  test("those whose text no split fits wait where they have no other distance or time", async () => {
    const mapping =
      "version: 1\ndates: { order: iso }\ndefaults: { activity: run }\ncolumns:\n  Date: { field: date }\n  What: { split: 'Run (?P<distance>[0-9.]+) km', parts: { distance: { field: distance, unit: km } } }\n  Notes: { field: notes }\n";
    const table = lines("Date,What,Notes", "2022-01-03,Run 8 km,", "2022-01-04,Run 8 km then bike 20 km,hot");
    const { readings } = await readAll(csv, memoryArchive("log", { "log.csv": table, "log.map.yaml": mapping }));
    const doubts = readings.map((one) =>
      one.kind === "workout" ? (one.value.doubts?.[0]?.issue.rule ?? "sure") : one.kind,
    );
    expect(doubts).toEqual(["sure", "csv/no-match"]);
  });
});
