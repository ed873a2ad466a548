import { expect } from "vitest";
import { NO_MORE, timesTheWork } from "../support/growth.ts";
import { longTest, test } from "../support/tier-tests.ts";
import { readFiles, refusalOf } from "./reading.ts";

const MAPPING = `version: 1
dates: { order: iso }
columns:
  Date: { field: date }
  km: { field: distance, unit: km }
  Time: { field: duration, format: h:mm:ss }
defaults: { activity: run }
`;
const sheet = (...rows: readonly string[]) =>
  ["Date,km,Time", "2020-05-01,10,0:50:00", ...rows, "2020-05-09,11,0:55:00"].join("\n");
const read = (content: string | Uint8Array, mapping = MAPPING) =>
  readFiles({ "log.csv": content, "log.map.yaml": mapping });
const days = (items: Awaited<ReturnType<typeof read>>["items"]) =>
  items.map((item) => item.kind === "workout" && item.value.start.date);

const unclosed = (mebibytes: number) =>
  Buffer.concat([Buffer.from(sheet('2020-05-02,"')), Buffer.alloc(mebibytes * 2 ** 20, "x,\n")]);

longTest(
  "C1 of a quote that is never closed the rest isn't read at all: a file ten times as long costs the same",
  async () => {
    const [long, short] = [unclosed(170), unclosed(17)];
    expect(
      await timesTheWork(
        () => read(long),
        () => read(short),
      ),
    ).toBeLessThanOrEqual(NO_MORE);
  },
);

test("C1 a quote that is never closed ends the reading 16 mebibytes on, and says on which line it was opened", async () => {
  const { items, rejected } = await read(unclosed(17));
  expect(days(items)).toEqual(["2020-05-01"]);
  expect(Object.values(rejected)).toEqual([
    "csv/unclosed-quote (opened at line 3, expected a closing quote within 16777216 characters; nothing from this line on was read)",
  ]);
});

test.each<[string, string, string]>([
  ["two million columns", ",".repeat(2_000_000), "csv/too-many-columns (line 3, expected at most 1000 columns)"],
  [
    "500 cells of 100 kB",
    Array(500).fill("x".repeat(100_000)).join(","),
    "csv/record-too-long (line 3, expected records of at most 4194304 characters)",
  ],
  [
    "a cell of two MiB",
    `2020-05-02,${"x".repeat(2 ** 21)},1`,
    "csv/field-too-long (line 3, expected fields of at most 1048576 characters)",
  ],
  [
    "a cell of two MiB in quotes",
    `2020-05-02,"${"x".repeat(2 ** 21)}",1`,
    "csv/field-too-long (line 3, expected fields of at most 1048576 characters)",
  ],
])("C2 a row of %s is rejected, and the rows around it are read", async (_, row, said) => {
  const { items, rejected } = await read(sheet(row));
  expect(days(items)).toEqual(["2020-05-01", "2020-05-09"]);
  expect(Object.values(rejected)).toEqual([said]);
});

test.each<[string, string | Uint8Array, readonly string[]]>([
  ["NUL characters", sheet("2020-05-0\u00002,1\u0000,0:10:00"), ["2020-05-01", "2020-05-02", "2020-05-09"]],
  ["CR alone at the ends of lines", sheet().replaceAll("\n", "\r"), ["2020-05-01", "2020-05-09"]],
  ["every kind of line end", sheet().replace("\n", "\r\n"), ["2020-05-01", "2020-05-09"]],
  ["semicolons", sheet().replaceAll(",", ";"), ["2020-05-01", "2020-05-09"]],
  ["tabs", sheet().replaceAll(",", "\t"), ["2020-05-01", "2020-05-09"]],
  ["a byte order mark", `\ufeff${sheet()}`, ["2020-05-01", "2020-05-09"]],
  ["UTF-16", Buffer.from(`\ufeff${sheet()}`, "utf16le"), ["2020-05-01", "2020-05-09"]],
])("C2 a sheet with %s is read", async (_, content, expected) => {
  const { items, rejected } = await read(content);
  expect(rejected).toEqual({});
  expect(days(items)).toEqual(expected);
});

test("C2 several NUL characters in a row are a damaged block: its row is rejected with its line, and the rows around it are read", async () => {
  const { items, rejected } = await read(sheet("2020-05-02,1\0\0\0\0\0,0:20:00", "2020-05-03,1,0:10:00"));
  expect(days(items)).toEqual(["2020-05-01", "2020-05-03", "2020-05-09"]);
  expect(rejected).toEqual({
    "log.csv line 3":
      "csv/nul-block (5 NUL characters in a row, expected text: this piece of the file is damaged, and rows may be missing here)",
  });
});

test("C2 columns called alike, empty, or like members of objects are columns, and no object changes", async () => {
  const before = Reflect.ownKeys(Object.prototype).length;
  const content = sheet()
    .replace("Date,km,Time", "Date,km,Time,__proto__,constructor,,km,toString")
    .replaceAll(/:00$/gm, ":00,polluted,polluted,x,9,y");
  const { items, remarks } = await read(content);
  expect(days(items)).toEqual(["2020-05-01", "2020-05-09"]);
  for (const name of ["__proto__", "constructor", "toString"]) expect(remarks.join("\n")).toContain(name);
  expect(Reflect.ownKeys(Object.prototype).length).toBe(before);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test("C3 a number, a time or a day that could be two things is left out and told of, never guessed", async () => {
  const { items, rejected, remarks } = await read(
    sheet(
      "31.02.2020,1,0:10:00",
      "2020-02-31,1,0:10:00",
      "03/04/2020,1,0:10:00",
      '2020-05-02,"1.234,5",0:10:00',
      "2020-05-03,1,1h2m",
      "2020-05-04,12 km,0:10:00",
    ),
  );
  expect(Object.keys(rejected).map((place) => place.split(" ").at(-1))).toEqual(["3", "4", "5"]);
  for (const said of Object.values(rejected))
    expect(said).toMatch(
      /^csv\/(?:bad-date \(Date is ".+", expected year-month-day\)|no-such-day \(Date is "2020-02-31", expected a day .+\))$/,
    );
  expect(days(items)).toEqual(["2020-05-01", "2020-05-02", "2020-05-03", "2020-05-04", "2020-05-09"]);
  const said = remarks.join("\n");
  expect(said).toMatch(/log\.csv line 6: .*km is "1\.234,5"/);
  expect(said).toMatch(/log\.csv line 7: .*Time is "1h2m"/);
  const second = items.find((item) => item.kind === "workout" && item.value.start.date === "2020-05-02");
  expect(second?.value).not.toHaveProperty("distance");
  expect(second?.value).toMatchObject({ unsupported: [{ field: "distance", value: "1.234,5", isUnread: true }] });
});

test("C3 a mapping that doesn't say the order of day and month is refused: it is asked for, not guessed", async () => {
  expect(await refusalOf(read(sheet(), MAPPING.replace("dates: { order: iso }\n", "")))).toMatch(
    /^Cannot use the mapping: log\.map\.yaml line 1: dates: /,
  );
});

const head = '{"kind":"export","value":{"format":"logferry-export","version":1}}';
const workout = (day: string, more = "") =>
  `{"kind":"workout","value":{"id":"${day}","activityID":10,"activityName":"Run","date":"${day}"${more}}}`;
const exported = (...records: readonly string[]) => readFiles({ "log.ndjson": [head, ...records, ""].join("\n") });

test.each<[string, string]>([
  ["100,000 levels", `{"kind":"workout","value":${"[".repeat(100_000)}`],
  ["a comma too many", workout("2020-05-02", ",")],
  ["NaN", workout("2020-05-02", ',"details":{"duration":NaN}')],
  ["two values in a line", `${workout("2020-05-02")}${workout("2020-05-03")}`],
  ["a half", workout("2020-05-02").slice(0, 40)],
])("J2 a line of an export with %s is rejected, and the lines around it are read", async (_, line) => {
  const { items, rejected } = await exported(workout("2020-05-01"), line, workout("2020-05-09"));
  expect(days(items)).toEqual(["2020-05-01", "2020-05-09"]);
  expect(Object.entries(rejected)).toEqual([
    [expect.stringMatching(/^log\.ndjson line 3$/), expect.stringMatching(/^(logferry-export|json)\/[a-z-]+ \(/)],
  ]);
});

test("J1 J2 numbers past all bounds, ids of 20 digits, half surrogates, members that come twice or are called __proto__ do no harm", async () => {
  const before = Reflect.ownKeys(Object.prototype).length;
  const { items } = await exported(
    workout("2020-05-01", ',"details":{"duration":1e400}'),
    workout("2020-05-02", ',"notes":"\\ud800"'),
    workout("2020-05-03", ',"notes":"one","notes":"two"'),
    workout("2020-05-04", ',"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}'),
    workout("2020-05-05").replace('"2020-05-05"', "12345678901234567890"),
    workout("2020-05-05").replace('"2020-05-05"', "12345678901234567891"),
  );
  expect(days(items)).toEqual(["2020-05-01", "2020-05-02", "2020-05-03", "2020-05-04", "2020-05-05", "2020-05-05"]);
  expect(JSON.stringify(items)).not.toMatch(/Infinity|"duration"/);
  expect(items.map((item) => item.kind === "workout" && item.value.notes)[2]).toBe("two");
  expect(items[4]?.key).not.toBe(items[5]?.key);
  expect(Reflect.ownKeys(Object.prototype).length).toBe(before);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
