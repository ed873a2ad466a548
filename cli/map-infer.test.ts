import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { packed, xlsxParts } from "../fixtures/make/workbook.ts";
import { emptyHome, jsonLines, runCli } from "../test/support/cli.ts";
import { type Rehearsal, rehearse } from "../test/support/rehearsal.ts";
import { onTerminal } from "../test/support/terminal.ts";

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse("kilometres", { database: ":memory:" });
});
afterEach(() => rehearsal.close());

const GERMAN = [
  "Datum;Strecke (km);Zeit;Bemerkung",
  "5.3.2014;10,2;52:10;kalt",
  "14.3.2014;8;41:30;",
  "Summe;18,2;93:40;",
];
/** Nothing here says the unit, nor the sport. */
const BARE = [
  "Date,Distance,Time",
  "2014-03-05,10.2,52:10",
  "2014-03-14,8,41:30",
  "2014-03-20,12,63:05",
  "2014-03-29,6,30:00",
];

const write = (name: string, lines: readonly string[]) => {
  const path = join(rehearsal.folder, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
};

test("map infer proposes the file, shows why and the first workouts, and a plan reads the table with it", async () => {
  const path = write("Lauftagebuch.csv", GERMAN);
  const ran = await rehearsal.run(["map", "infer", path]);
  expect(ran.code, ran.err).toBe(0);
  expect(ran.out).toContain("  Strecke (km)  distance: km\n");
  expect(ran.out).toContain("columns.Strecke (km).unit: km. the header says so\n");
  expect(ran.out).toContain('2014-03-05  run  10.2 km  0:52:10  "kalt"\n');
  expect(ran.out).toContain("1 of 3 rows are left out by rule: total.\n");
  const days = [
    "Week of,Mon,Tue,Wed,Thu,Fri,Sat,Sun",
    ...["03", "10", "17"].map((day) => `2014-03-${day},x,-,x,-,x,-,x`),
  ];
  const marked = await rehearsal.run(["map", "infer", write("marked.csv", days)]);
  expect(marked.out).toContain("21 of 21 rows are left out by rule: rest day.\n");
  const planned = await rehearsal.run(["plan", path, "--json"]);
  expect(jsonLines(planned.out).find(({ type }) => type === "plan")).toMatchObject({
    ledger: { read: 3, skipped: 1, quarantined: 0 },
  });
});

test("a table in a zip, as Numbers exports it, has a printed command that finds its mapping file", async () => {
  const path = join(rehearsal.folder, "numbers.zip");
  writeFileSync(path, packed({ "My log/2014-Table 1.csv": `${GERMAN.join("\n")}\n` }));
  const ran = await rehearsal.run(["map", "infer", path, "--set", "defaults.activity=run"]);
  expect(ran.out).toContain(`logferry plan ${path} --map ${path}.map.yaml\n`);
  const planned = await rehearsal.run(["plan", path, "--map", `${path}.map.yaml`]);
  expect(planned.code, planned.err).toBe(0);
  expect(planned.out).toMatch(/create +2 /);
});

test("what the table doesn't show is a question: the file says ASK, a plan refuses it, and --set answers", async () => {
  const path = write("log.csv", BARE);
  const ran = await rehearsal.run(["map", "infer", path]);
  expect(ran.code).toBe(3);
  expect(ran.out).toContain("2 questions are open.");
  expect(readFileSync(`${path}.map.yaml`, "utf8")).toMatch(
    /Distance: \{ field: distance, unit: ASK \} {2}# CHECK: km \(kilometres\), or mi/,
  );
  const refused = await rehearsal.run(["plan", path]);
  expect(refused.code).toBe(5);
  expect(refused.err).toContain(
    "columns.Distance.unit: a question is open: put one of the words behind it in place of ASK. Words in braces replace the braces around it, too",
  );
  // The command of its last line replaces the proposal, which nobody changed.
  const set = ["--set", "columns.Distance.unit=km", "--set", "defaults.activity=run"];
  const again = await rehearsal.run(["map", "infer", path, "--out", `${path}.map.yaml`, ...set]);
  expect(again.code, again.err).toBe(0);
  expect((await rehearsal.run(["plan", path])).code).toBe(0);
  writeFileSync(`${path}.map.yaml`, "# mine\n", { flag: "a" });
  const kept = await rehearsal.run(["map", "infer", path]);
  expect(kept.code).toBe(2);
  expect(kept.err).toContain("there is such a file already");
});

test("on a terminal it asks, and each answer stands in the file", async () => {
  const path = write("log.csv", BARE);
  const { code, text } = await onTerminal(
    rehearsal,
    ["map", "infer", path],
    [
      [/In which unit are the distances in the column "Distance"\?[\s\S]*Enter leaves it open/, "2"],
      [/What sport are the rows[\s\S]*Enter takes run/, "swimming"],
      [/Type a number from 1 to 11/, ""],
    ],
  );
  expect(code, text).toBe(0);
  const written = readFileSync(`${path}.map.yaml`, "utf8");
  expect(written).toContain("Distance: { field: distance, unit: mi }  # mi: your answer");
  expect(written).toContain("activity: run  # run: your answer");
});

test("off a terminal the evidence beside each answer stands below its question", async () => {
  const path = write("log.csv", ["Date,Sport,Load", "2014-03-05,run,10", "2014-03-14,run,35", "2014-03-20,run,140"]);
  const { out } = await rehearsal.run(["map", "infer", path]);
  expect(out).toMatch(
    / {2}columns\.Load\.field: OPEN: [^\n]*\n(?: {4}[^\n]*\n)* {4}distance: numbers from 10 to 140\n/,
  );
  // An answer that is its own meaning has no line.
  expect(out).not.toContain("    date: ");
});

test("a header with a line break has a command that can be pasted, and a file name with one has none", async () => {
  const lines = ['Date,"Distance\nrun",Time', ...BARE.slice(1)];
  const { out } = await rehearsal.run(["map", "infer", write("log.csv", lines)]);
  const [, pasted = ""] = /--set '(columns\.[^']+)=\w+'/.exec(out) ?? [];
  expect(pasted).toBe("columns.Distance\\x0arun.unit");
  const path = write("an\nother.csv", lines);
  const again = await rehearsal.run(["map", "infer", path, "--set", `${pasted}=km`]);
  expect(again.code, again.err).toBe(0);
  expect(again.out).toContain("no terminal shows. Rename the table, or type its name there.");
  expect(again.out).toContain("logferry plan FILE");
  expect(readFileSync(`${path}.map.yaml`, "utf8")).toContain("unit: km }  # km: your answer");
});

test("a column without a header is listed as one", async () => {
  const path = write("log.csv", ["Date,km,,Time", "2014-03-05,10,cold,0:52:10", "2014-03-14,8,windy,0:41:30"]);
  expect((await rehearsal.run(["map", "infer", path])).out).toMatch(/^ {2}\(no header\) {2}\w+/m);
});

test("an unknown sport is named with the command that says what it is", async () => {
  const path = write("log.csv", ["Date,Sport,km", "2014-03-05,Zorbing,10", "2014-03-14,run,8", "2014-03-20,run,9"]);
  const { out } = await rehearsal.run(["map", "infer", path]);
  const command = `map infer ${path} --out ${path}.map.yaml --set values.activity.Zorbing=`;
  expect(out).toContain(`  logferry ${command}SPORT\nA sport is one of run, bike, swim, `);
  const again = await rehearsal.run(`${command}other`.split(" "));
  expect(again.code, again.err).toBe(0);
  expect(again.out).toContain("2014-03-05  other  10 km\n");
});

test("with --json it gives the text, each choice with its evidence, and what would come of it", async () => {
  const path = write("Lauftagebuch.csv", GERMAN);
  const out = join(rehearsal.folder, "other.map.yaml");
  const ran = await rehearsal.run(["map", "infer", path, "--json", "--out", out]);
  const [line] = jsonLines(ran.out);
  expect(line).toMatchObject({ type: "mapping", file: out, rows: 3, counts: { workouts: 2, leftOut: 1, rejected: 0 } });
  expect(line?.choices).toContainEqual(expect.objectContaining({ place: "dates.order", value: "dmy" }));
  expect(existsSync(out)).toBe(true);
});

/** A column that mixes hours and minutes with minutes and seconds. */
const MIXED = [
  "Date,Distance (km),Time",
  ...["2014-03-01,22.3,1:48", "2014-03-02,15.1,1:22", "2014-03-03,23.2,2:02", "2014-03-04,21.6,2:07"],
  ...["2014-03-05,5.1,32:32", "2014-03-06,6.2,35:10", "2014-03-07,4.4,24:20", "2014-03-08,-5,30:00"],
];

test("the printed command has all answers, and replaces the proposal that an earlier answer made", async () => {
  const path = write("log.csv", MIXED);
  const first = await rehearsal.run(["map", "infer", path, "--set", "defaults.activity=run"]);
  expect(first.code, first.err).toBe(3);
  expect(first.out).toContain(
    "[h:mm, mm:ss], hoursBelow: 10 or h:mm or mm:ss. 4 rows are usual only as h:mm, and 4 only as mm:ss\n",
  );
  const out = `${path}.map.yaml`;
  expect(readFileSync(out, "utf8")).toContain("  Time: { field: duration, format: ASK }  # CHECK: [h:mm, mm:ss], ");
  const [own, answer] = [
    ["map", "infer", path, "--out", out, "--set", "defaults.activity=run"],
    "columns.Time.format=",
  ];
  const command = `logferry ${own.join(" ")} --set '${answer}[h:mm, mm:ss], hoursBelow: 10'`;
  expect(first.out).toContain(`  ${command}\nIt replaces the file as long as you didn't change it.\n`);
  const second = await rehearsal.run([...own, "--set", `${answer}[h:mm, mm:ss], hoursBelow: 10`]);
  expect(second.code, second.err).toBe(0);
  expect(second.out).not.toContain("-5 km");
  expect(second.out).toContain("2014-03-04  run  21.6 km  2:07:00\n  2014-03-05  run  5.1 km  0:32:32\n");
  expect(readFileSync(out, "utf8")).toContain("format: [h:mm, mm:ss], hoursBelow: 10 }");
  const third = await rehearsal.run([...own, "--set", `${answer}h:mm`]);
  expect(third.code, third.err).toBe(0);
  expect(readFileSync(out, "utf8")).toContain("format: h:mm }  # h:mm: your answer");
});

test.each([
  ["columns.Distanz.unit=km", 'Cannot use --set "columns.Distanz.unit=km": the proposal has no such place. Possible are: dates.order, columns.Distance.unit, '],
  ["columns.Distance.unit=furlong", "expected mi, km, m or yd"],
  ["columns.Distance.field=length", "expected date, datetime, time, end, distance, duration, "],
  ["columns.Time.format=h:mm, mm:ss", "expected one of h:mm:ss, h:mm, mm:ss, "],
  ["columns.Time.format=[h:mm:ss, mm:ss], hoursBelow: 10", "expected one of h:mm:ss, h:mm, mm:ss, "],
  ["defaults.activity=jogging", "expected run, bike, swim, "],
  ["dates.order=ydm", "expected iso, dmy, mdy, ymd, excel or excel-1904"],
  ["rows.0=x", "the proposal has no such place"],
])("the answer %s is refused, and nothing is written", async (answer, message) => {
  const path = write("log.csv", BARE);
  const ran = await rehearsal.run(["map", "infer", path, "--set", answer]);
  expect(ran.code, ran.out).toBe(2);
  expect(ran.err).toContain(message);
  expect(existsSync(`${path}.map.yaml`)).toBe(false);
}); // biome-ignore format: a table

/** Writes a workbook with one sheet of these rows, and this text behind it. */
const writeWorkbook = (name: string, rows: readonly (readonly string[])[], behind = "") => {
  const path = join(rehearsal.folder, name);
  const parts = xlsxParts([{ name: "Log", rows }]);
  const sheet = "xl/worksheets/sheet1.xml";
  writeFileSync(path, packed({ ...parts, [sheet]: `${parts[sheet]}${behind}` }));
  return path;
};

test("a list of Garmin needs no mapping file, and its unit is said by an option where nothing shows it", async () => {
  const row = 'Yoga,2025-02-06 17:06:03,false,x,"0.00",00:31:24';
  const header = "Activity Type,Date,Favorite,Title,Distance,Time";
  const path = write("Activities.csv", [header, row]);
  const without = await rehearsal.run(["map", "infer", path]);
  expect(without.err).toContain("No mapping file is needed: Activities.csv is a table of Garmin");
  expect(without.err).not.toContain("--distance-unit");
  write("Activities.csv", [header, row, row.replace("Yoga", "Cycling").replace("0.00", "31.40")]);
  const unsaid = await rehearsal.run(["map", "infer", path]);
  expect(unsaid.err).toContain(". It doesn't say the unit of its distances: say --distance-unit km, or mi if");
  expect(unsaid.err).toContain("logferry plan --distance-unit km ");
});

test("an HTML table under the name .xls is read, and --sheet is refused for it", async () => {
  const cells = [
    ["Date", "km", "Time"],
    ["5.3.2014", "10.2", "52:10"],
    ["14.3.2014", "8", "41:30"],
  ];
  const rows = cells.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`);
  const path = write("log.xls", ["<html><body><table>", ...rows, "</table></body></html>"]);
  const unknown = await rehearsal.run(["inspect", path]);
  expect(unknown.err).toContain("A spreadsheet needs a mapping file");
  const sheet = await rehearsal.run(["map", "infer", path, "--sheet", "Log"]);
  expect(sheet.err).toContain("log.xls: a text, which has no sheets; expected a workbook, or no --sheet");
  const ran = await rehearsal.run(["map", "infer", path, "--set", "defaults.activity=run"]);
  expect(ran.out, ran.err).toContain("2014-03-14  run  8 km  0:41:30\n");
  const planned = await rehearsal.run(["plan", path, "--json"]);
  expect(jsonLines(planned.out).find(({ type }) => type === "plan")).toMatchObject({
    ledger: { read: 2, skipped: 0, quarantined: 0 },
  });
});

test("--sheet names sheets of a workbook, and the sheets that are not read are told in words", async () => {
  const path = join(rehearsal.folder, "log.xlsx");
  const runs = (name: string, day: string) => ({
    name,
    rows: [
      ["Date", "Sport", "km"],
      [day, "run", "10"],
    ],
  });
  const shoes = { name: "Shoes", rows: [["Shoe", "Price"], ["Ghost", "120"]] }; // biome-ignore format: a table
  writeFileSync(path, packed(xlsxParts([runs("2014", "2014-03-05"), runs("2015", "2015-03-05"), shoes])));
  const one = await rehearsal.run(["map", "infer", path, "--sheet", "2015"]);
  expect(one.code, one.err).toBe(0);
  expect(one.out).toContain("  2015-03-05  run  10 km\n");
  expect(one.out).toContain(
    '\n2 sheets not read: "2014" (2 rows), "Shoes" (2 rows). For one of them: --sheet NAME, with --out for a mapping file of its own\n',
  );
  const out = join(rehearsal.folder, "other.map.yaml");
  const other = await rehearsal.run(["map", "infer", path, "--sheet", "2014", "--out", out]);
  expect(other.out).toContain(`logferry plan ${path} --map ${out}\n`);
  expect(readFileSync(out, "utf8")).toContain("\nfile:\n  name: log.xlsx\n  sheet: ");
  const two = await rehearsal.run(["map", "infer", path, "--sheet", "2014", "--sheet", "2015"]);
  expect(two.out).toContain("2 of 2 workouts, as they would be loaded:\n");
  const missing = await rehearsal.run(["map", "infer", path, "--sheet", "2016"]);
  expect(missing.err).toContain('log.xlsx: no sheet "2016"; expected one of "2014", "2015", "Shoes", or all');
  const unlike = await rehearsal.run(["map", "infer", path, "--sheet", "2014", "--sheet", "Shoes"]);
  expect(unlike.code).toBe(5);
  expect(unlike.err).toContain('the sheet "Shoes" lacks columns of the sheet "2014", such as "Date", "Sport" and "km"');
});

test.each([
  ["unpacks to very much", [["Date", "km"], ["2014-03-05", "10"]], " ".repeat(8_000_000), "raise --max-ratio if you trust it"],
  ["has too many columns", [Array.from({ length: 1001 }, (_, at) => `c${at}`)], "", "too many columns: column ALM; expected filled cells in the first 1000 columns"],
])("a workbook that %s is refused with the reason", async (_, rows, behind, message) => {
  const ran = await rehearsal.run(["map", "infer", writeWorkbook("log.xlsx", rows, behind)]);
  expect(ran.code, ran.err).toBe(5);
  expect(ran.err).toMatch(/^Cannot propose a mapping for log\.xlsx: /);
  expect(ran.err).toContain(message);
}); // biome-ignore format: a table

test.each([
  [["map", "infer"], 2, "name one table"],
  [["map", "infer", "none.csv"], 5, "none.csv"],
  [["map", "infer", "x.csv", "--set", "km"], 2, "expected PLACE=VALUE"],
])("logferry %j is refused, and says what to type", async (words, code, message) => {
  using home = emptyHome();
  const ran = await runCli(home.path, words);
  expect(ran.code).toBe(code);
  expect(ran.err).toContain(message);
});

test("sheets with their header in different lines are named, with what to do", async () => {
  const path = join(rehearsal.folder, "runs.xlsx");
  const rows = (year: number) => [["Date", "km", "Time"], [`${year}-01-03`, 10, "0:50:00"], [`${year}-01-05`, 8, "0:41:00"]]; // biome-ignore format: a table
  const sheets = [
    { name: "2018", rows: [["Running 2018"], [""], ...rows(2018)] },
    { name: "2019", rows: rows(2019) },
  ];
  writeFileSync(path, packed(xlsxParts(sheets)));
  const { code, err } = await rehearsal.run(["map", "infer", path, "--sheet", "all"]);
  expect(code).not.toBe(0);
  expect(err.replace(/\s+/g, " ")).toContain(
    'Cannot propose a mapping for runs.xlsx: a mapping reads sheets with the same header in the same line, which is line 3 in the first sheet. The columns of runs.xlsx, Sheet "2019" are: "2019-01-05", "8", "0:41:00". Make the sheets alike, or propose for each by itself, with a mapping file of its own: --sheet NAME --out NAME.map.yaml',
  );
});

test("two answers for one place are refused", async () => {
  const path = write("log.csv", BARE);
  const set = ["--set", "columns.Distance.unit=km", "--set", "columns.Distance.unit=mi"];
  const { code, err } = await rehearsal.run(["map", "infer", path, ...set]);
  expect(code).toBe(2);
  expect(err.replace(/\s+/g, " ")).toContain(
    'Cannot use --set "columns.Distance.unit=mi": another --set says columns.Distance.unit=km. Leave one of them out',
  );
});
