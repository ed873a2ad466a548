import { expect, test } from "vitest";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { platform } from "../platform.ts";
import { csvByPlace } from "./placed-source.ts";
import { layoutFinder } from "./places.ts";

const COLUMNS = [
  [["Id", "Nummer"], "id", { matches: /^\d+$/, expected: "a number" }],
  [["Date", "Datum"], "datetime"],
  [["Distance", "Strecke"], "distance", { unit: "km", decimal: "shown", otherwise: true }],
  [["Shoe", "Schuh"], "gear"],
  [["Distance", "Strecke"], "distance", { unit: "m", decimal: "float", zero: "none" }],
  [["Moving", "Bewegt"], "moving"],
  [["Elapsed", "Gesamt"], "elapsed"],
  [["Kind", "Art"], "type"],
  [["File", "Datei"], "file"],
] as const;

const layout = layoutFinder({
  columns: COLUMNS.map(([names]) => names),
  generations: [
    { name: "old", seen: "2019", places: [0, 1, 2, 3] },
    { name: "new", seen: "2020", places: [0, 1, 2, 3, 4, 5, 6, 7, 8] },
  ],
  stable: { width: 10, kept: 8, least: 8 },
});

const placed = platform({
  name: "placed",
  title: "Placed export",
  howToGet: "placed.example > Export.",
  workouts: [
    {
      from: csvByPlace({ file: "all.csv", layout, sure: 3, siblings: ["shoes.csv"], languages: "English or German" }),
      dates: { order: "shown", zone: "utc" },
      decimal: "float",
      sport: "run",
      columns: COLUMNS,
    },
  ],
  calledGear: { lists: { "shoes.csv": "shoe" } },
  courses: { file: "routes.csv", folder: "routes/" },
  owner: [{ file: "me.csv", cells: [undefined, "email"] }],
  rules: { "table/bad-id": { rule: "placed/bad-id" } },
  recordings: /\.gpx$/,
  leaves: {},
});

const OLD = "Id,Date,Distance,Shoe";
const NEW = "Nummer,Datum,Strecke,Schuh,Strecke,Bewegt,Gesamt,Art,Datei";

async function read(table: string, files: Record<string, string> = {}) {
  const { readings, issues } = await readAll(placed, memoryArchive("x.zip", { "all.csv": `${table}\n`, ...files }));
  const workouts = readings.flatMap((each) => (each.kind === "workout" ? [each.value] : []));
  return { readings, issues, workouts };
}

test("columns of one name are told apart by their places, in each generation and language", async () => {
  const old = await read(`${OLD}\n1,"4 May 2019, 05:10:05","1.234,5",`);
  expect(old.workouts).toMatchObject([
    { start: { instant: Date.parse("2019-05-04T05:10:05Z") }, distance: { unit: "km", value: 1234.5 } },
  ]);
  const row = (id: number, metres: string) => `${id},"04.05.2019, 05:10:05","9,44",,${metres},,,,`;
  const now = await read([NEW, row(1, "9440.5"), row(2, ""), row(3, "fast"), row(4, "0.0")].join("\n"));
  expect(now.workouts.map(({ distance }) => distance)).toEqual([
    { unit: "m", value: 9440.5 },
    { unit: "km", value: 9.44 },
    { unit: "km", value: 9.44 },
    undefined,
  ]);
  expect(now.issues).toMatchObject([{ rule: "table/bad-number", field: "Strecke", found: "fast" }]);
});

test("the time that moved is the duration, of a race the time that passed", async () => {
  const row = (id: number, kind: string) => `${id},"04.05.2019, 05:10:05",,,,1500.0,1600.0,${kind},`;
  const { workouts } = await read([NEW, row(1, ""), row(2, "race")].join("\n"));
  expect(workouts.map(({ duration, unsupported }) => [duration, unsupported])).toEqual([
    [1500, [{ field: "elapsed time", value: "1600 s" }]],
    [1600, [{ field: "moving time", value: "1500 s" }]],
  ]);
});

test("a row of another width and an id that isn't one are rejected, under the names that the platform has for it", async () => {
  const { readings } = await read(`${OLD}\n1,2\nx,"4 May 2019, 05:10:05",,`);
  expect(readings).toMatchObject([
    { issue: { rule: "table/row-width", found: "2 cells" } },
    { issue: { rule: "placed/bad-id", found: "x", field: "Id" } },
  ]);
});

test("decimal commas of columns that share a name are read by their places", async () => {
  const rows = [1, 2].map((id) => `${id};04.05.2019, 05:10:0${id};5,25;;5251,5;1500,0;1510,0;;`);
  const { issues, workouts } = await read([NEW.replaceAll(",", ";"), ...rows].join("\n"));
  expect(workouts.map(({ distance, duration }) => [distance, duration])).toEqual(
    [1, 2].map(() => [{ unit: "m", value: 5251.5 }, 1500]),
  );
  expect(issues).toMatchObject([{ rule: "table/decimal-comma" }]);
});

test("gear that rows call by its name and its model is one piece, and the lists beside the table are read", async () => {
  const row = (id: number, shoe: string) => `${id},"4 May 2019, 05:10:05",1.0,${shoe}`;
  const { readings, workouts, issues } = await read([OLD, row(1, "Blue"), row(2, "Acme Fast Blue")].join("\n"), {
    "shoes.csv": "Name,Brand,Model\nBlue,Acme,Fast\n",
    "routes.csv": "Name,File\nTo work,routes/1.gpx\n",
  });
  expect(readings.map(({ kind }) => kind)).toEqual(["equipment", "course", "workout", "workout"]);
  expect(new Set(workouts.flatMap(({ equipment }) => equipment))).toEqual(new Set([readings[0]?.key]));
  expect(issues.map(({ rule }) => rule)).toEqual(["table/missing-course"]);
});

const GPX = `<gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg><trkpt lat="1" lon="1"><time>2019-05-04T05:10:05Z</time></trkpt><trkpt lat="1.001" lon="1"><time>2019-05-04T05:11:05Z</time></trkpt></trkseg></trk></gpx>`;

test("a file that only a rejected row names waits with the row", async () => {
  const rejected = await read(`${NEW}\n1,yesterday,,,,,,,1.gpx`, { "1.gpx": GPX });
  expect(rejected.readings).toMatchObject([{ kind: "set-aside", issue: { rule: "table/bad-date" } }]);
  expect((await read(NEW, { "1.gpx": GPX })).readings).toMatchObject([{ kind: "workout" }]);
});

test("of two rows that name a file, the one that began when the file did gets it", async () => {
  const row = (id: number, time: string) => `${id},"04.05.2019, ${time}",,,,,,,1.gpx`;
  const { workouts, issues } = await read([NEW, row(1, "09:00:00"), row(2, "05:10:00")].join("\n"), { "1.gpx": GPX });
  expect(workouts.map(({ track }) => track?.entry)).toEqual([undefined, "1.gpx"]);
  expect(issues).toMatchObject([{ rule: "table/shared-file", found: "1.gpx" }]);
});

test("of two rows that name a file and began with it, the one that fits it best gets it, and the other is named", async () => {
  const rowOf = (id: number, metres: string) => `${id},"04.05.2019, 05:10:05",,,${metres},,,,1.gpx`;
  const tried = async (metres: readonly string[], ids = [1, 2]) => {
    const rows = metres.map((each, at) => rowOf(ids[at] ?? 0, each));
    const { issues, readings, workouts } = await read([NEW, ...rows].join("\n"), { "1.gpx": GPX });
    const rejected = readings.flatMap((one) =>
      one.kind === "set-aside" ? [[one.as, one.issue.rule, one.issue.expected]] : [],
    );
    const told = issues.map(({ rule, origin }) => `${rule} ${origin?.locator}`);
    return { rejected, told, tracks: workouts.map(({ track, lostFile }) => track?.entry ?? lostFile?.because) };
  };
  // The file has 111 m in a minute.
  expect(await tried(["", ""])).toEqual({
    rejected: [["skipped", "table/shared-file", "each workout once: line 2 has this file and the same values"]],
    told: [],
    tracks: ["1.gpx"],
  });
  const told = ["table/shared-file line 2"];
  expect(await tried(["5000", "110"])).toEqual({ rejected: [], told, tracks: ["missing", "1.gpx"] });
  expect(await tried(["120", "6000"])).toMatchObject({ rejected: [], tracks: ["1.gpx", "missing"] });
  // Rows of one id and one start are versions of one workout. The one that the file fits counts, wherever it stands.
  const counts = "each activity once: another row has this id and this start, with 120 m. That row counts";
  for (const metres of [
    ["120", "6000"],
    ["6000", "120"],
  ])
    expect(await tried(metres, [1, 1])).toEqual({
      ...{ rejected: [["skipped", "table/other-version", counts]], told: [], tracks: ["1.gpx"] },
    });
});

test("an id that a spreadsheet program rounded is none: rows are told apart by their files and values", async () => {
  const row = (metres: string, file: string) => `"1,61235E+10","04.05.2019, 05:10:05",,,${metres},,,,${file}`;
  const rows = [row("110", "1.gpx"), row("5000", ""), row("6000", ""), row("5000", "")];
  const { issues, readings } = await read([NEW, ...rows].join("\n"), { "1.gpx": GPX });
  expect(
    readings.map((one) => (one.kind === "set-aside" ? [one.as, one.issue.rule] : one.key.includes("1.gpx"))),
  ).toEqual([true, false, false, ["quarantined", "table/rounded-id"]]);
  expect(issues.filter(({ rule }) => rule === "table/rounded-id")).toHaveLength(4);
});

test("a table in a language nobody has met is known by what lies beside it, and one of no known form is rejected", async () => {
  const strange = memoryArchive("x.zip", { "all.csv": "a,b,c,d\n" });
  expect(await placed.identify(strange)).toBeUndefined();
  const beside = memoryArchive("x.zip", { "all.csv": "a,b,c,d\n", "shoes.csv": "a\n" });
  expect(await placed.identify(beside)).toMatchObject({ saw: "all.csv with 4 columns, generation old" });
  const grown = memoryArchive("x.zip", { "all.csv": "Id,Date,Weather\n" });
  expect(await placed.identify(grown)).toMatchObject({ saw: "all.csv with 3 columns of a form not known yet" });
  expect((await readAll(placed, grown)).readings).toMatchObject([{ issue: { rule: "table/unknown-columns" } }]);
});
