import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { COLUMNS } from "./columns.ts";
import { strava } from "./table.ts";

// These tests cover exports in other languages, exports saved by spreadsheet programs, and old uploads. The values were typed by hand from real
// layouts.

const ENGLISH = COLUMNS.map(([theirs]) => [theirs].flat()[0] ?? "");
const DUTCH = {
  ...{ 0: "Activiteits-ID", 1: "Datum van activiteit", 2: "Naam van activiteit", 3: "Activiteitstype" },
  ...{
    5: "Verstreken tijd",
    6: "Afstand",
    9: "Woon-werkverkeer",
    11: "Uitrusting voor activiteit",
    12: "Bestandsnaam",
  },
  ...{ 15: "Verstreken tijd", 16: "Beweegtijd", 17: "Afstand", 20: "Hoogtewinst", 30: "Max. hartslag" },
};
const SPANISH = { 0: "ID de actividad", 1: "Fecha de la actividad", 3: "Tipo de actividad", 12: "Nombre del archivo" };
const GERMAN_2019 =
  "Aktivitäts-ID,Aktivitätsdatum,Name der Aktivität,Aktivitätsart,Aktivitätsbeschreibung,Verstrichene Zeit,Distanz,Pendeln,Aktivitätsausrüstung,Dateiname";
const FRENCH_2019 =
  "ID de l'activité,Date de l'activité,Nom de l'activité,Type d'activité,Description de l'activité,Temps écoulé,Distance,Déplacement-transport,Matériel utilisé pour l'activité,Nom du fichier";

type Cells = Readonly<Record<number, string>>;

/** Makes a line of `width` cells, each in quotes. */
const lineOf = (cells: Cells, other: (index: number) => string, width = ENGLISH.length) =>
  Array.from({ length: width }, (_, index) => `"${cells[index] ?? other(index)}"`).join(",");

/** Makes a header with only some known words. Our knowledge of Dutch and Spanish is like this. */
const partly = (known: Cells) => lineOf(known, (index) => `palabra ${index}`);

function row(cells: Cells, width = ENGLISH.length): string {
  const usual: Cells = { 0: "7", 1: "May 4, 2019, 5:10:05 AM", 2: "x", 3: "Run", 5: "1500" };
  return lineOf({ ...usual, ...cells }, () => "", width);
}

async function read(text: string, files: Readonly<Record<string, string>> = {}) {
  const archive = memoryArchive("export.zip", { "activities.csv": text, ...files });
  const strength = (await strava.identify(archive))?.strength;
  const { readings, issues } = await readAll(strava, archive);
  const workouts = readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : []));
  return { strength, readings, workouts, rules: issues.map(({ rule }) => rule) };
}

test("a Dutch account is read by its places and the words that are known", async () => {
  const cells = {
    1: "6 mrt. 2024, 14:23:15",
    3: "Hardloopsessie",
    5: "3010",
    6: "9,44",
    9: "false",
    15: "3010.0",
    16: "2990.0",
    17: "9440.0",
  };
  const { strength, workouts, rules } = await read(`${partly(DUTCH)}\n${row(cells)}\n`);
  expect([strength, rules]).toEqual(["exact", []]);
  expect(workouts).toMatchObject([
    {
      activity: "run",
      start: { instant: Date.UTC(2024, 2, 6, 14, 23, 15) },
      distance: { unit: "m", value: 9440 },
      duration: 2990,
    },
  ]);
});

test("a Spanish account is read too, and its month by name", async () => {
  const cells = { 1: "6 de marzo de 2024, 14:23:15", 3: "Carrera", 17: "9440.0" };
  const { workouts } = await read(`${partly(SPANISH)}\n${row(cells)}\n`, { "shoes.csv": "a,b,c\n" });
  expect(workouts).toMatchObject([{ activity: "run", start: { instant: Date.UTC(2024, 2, 6, 14, 23, 15) } }]);
});

test("translated exports of 2019 have the shown distance alone: kilometres with a comma, swims in metres", async () => {
  const german = await read(
    `${GERMAN_2019}\n7,"08.08.2019, 17:33:44",Bad,Schwimmen,,1800,"1.450",false,,\n8,"09.08.2019, 17:33:44",x,Lauf,,1800,"9,44",true,,\n`,
  );
  expect(german.workouts.map(({ activity, distance, start }) => [activity, distance, start.instant])).toEqual([
    ["swim", { unit: "m", value: 1450 }, Date.UTC(2019, 7, 8, 17, 33, 44)],
    ["run", { unit: "km", value: 9.44 }, Date.UTC(2019, 7, 9, 17, 33, 44)],
  ]);
  const french = await read(`${FRENCH_2019}\n7,"8 août 2019, 17:33:44",x,Natation,,1800,"1\u202f450",false,,\n`);
  expect(french.workouts).toMatchObject([{ activity: "swim", distance: { unit: "m", value: 1450 } }]);
});

test("of 86 columns the header tells whether the 85th is a count of activities or steps", async () => {
  const first = ENGLISH.slice(0, 84).map((name) => `"${name}"`);
  const counted = await read(`${[...first, "Sport Type", "Media"].join(",")}\n${row({ 84: "3" }, 86)}\n`);
  expect(counted.workouts.map(({ unsupported }) => unsupported)).toEqual([undefined]);
  const stepped = await read(`${[...first, "Total Steps", "Media"].join(",")}\n${row({ 84: "4020" }, 86)}\n`);
  expect(stepped.workouts).toMatchObject([{ unsupported: [{ field: "steps", value: "4020" }] }]);
});

test("a table that a spreadsheet program saved again has line ends and a byte order mark of its own", async () => {
  const table = [ENGLISH.join(","), row({ 4: "a\r\nb", 9: "TRUE" }), row({ 0: "8", 5: "30:48:00" }), ""].join("\r\n");
  const { workouts, rules } = await read(`\ufeff${table}`);
  expect(workouts).toMatchObject([{ notes: "a\nb", unsupported: [{ field: "commute", value: "yes" }] }, {}]);
  // The spreadsheet turned minutes into hours. The two can't be distinguished any more, so the time is left out and reported.
  expect([workouts[1]?.duration, rules]).toEqual([undefined, ["strava/bad-number"]]);
});

test("a file with an empty track, without times or with points without a place says so, and its row goes on", async () => {
  const gpx = (inner: string) => `  <?xml version="1.0"?><gpx version="1.1"><trk><name>x</name>${inner}</trk></gpx>`;
  const at = (latitude: number, time: string) => `<trkpt lat="${latitude}" lon="16.3"><time>${time}</time></trkpt>`;
  const nowhere = "<trkpt><time>2019-05-04T05:10:05Z</time></trkpt>";
  const files = {
    "activities/1.gpx": gpx("<trkseg/>"),
    "activities/2.gpx": gpx('<trkseg><trkpt lat="48.2" lon="16.3"/><trkpt lat="48.3" lon="16.3"/></trkseg>'),
    "activities/3.gpx": gpx(
      `<trkseg>${nowhere}${at(48.2, "2019-05-04T05:10:09Z")}${at(48.21, "2019-05-04T05:11:09Z")}</trkseg>`,
    ),
  };
  const rows = [1, 2, 3].map((id) => row({ 0: String(id), 12: `activities/${id}.gpx` }));
  const { workouts, rules } = await read([ENGLISH.join(","), ...rows, ""].join("\n"), files);
  expect(workouts.map(({ track }) => track?.entry)).toEqual([undefined, undefined, "activities/3.gpx"]);
  expect(rules).toEqual([
    "gpx/empty-segment",
    "gpx/empty-track",
    "gpx/no-activity",
    "strava/no-times",
    "gpx/bad-position",
  ]);
});

test("lists of other people, pictures and sets are left by name, and the routes keep their lines", async () => {
  const route = '<gpx version="1.1"><rte><rtept lat="48.2" lon="16.3"/><rtept lat="48.21" lon="16.3"/></rte></gpx>';
  const { readings, rules } = await read(`${ENGLISH.join(",")}\n`, {
    "routes.csv": "Route Name,Route Filename\nTo work,routes/1.gpx\n",
    "routes/1.gpx": route,
    "kudos.csv": "date,type,id\n2018-05-02 04:00:10,kudo,7\n",
    "photos.csv": "filename,caption\nphotos/a.jpg,x\n",
    "photos/a.jpg": "x",
    "goals.csv": "Goal Type,Activity Type\nDistance,Run,1000.0\n",
    "structured_details.csv": "Activity ID,Exercise Name\n7,Squat\n",
  });
  expect(readings).toMatchObject([
    { kind: "course", value: { name: "To work", map: { entry: "routes/1.gpx", format: "gpx", line: 0 } } },
  ]);
  expect(rules).toEqual([]);
});

// Polish words of a table that lies by itself. No list of the export is beside it.
const polish = lineOf({ 0: "Identyfikator", 1: "Data", 2: "Nazwa", 3: "Rodzaj" }, (index) => `słowo ${index}`);

test("a table in a language nobody knows is recognised without the other lists by its values, where two columns agree", async () => {
  const cells = { 6: "9,44", 15: "1500.0", 16: "1490.0", 17: "9440.0" };
  const { strength, workouts, rules } = await read(`${polish}\n${row(cells)}\n`);
  expect(strength).toBe("exact");
  expect(workouts).toMatchObject([{ name: "x", activity: "run", distance: { value: 9440, unit: "m" } }]);
  expect(rules).toContain("strava/unknown-language");
});

test.each<[string, Cells]>([
  ["two columns disagree", { 6: "9,44", 15: "1500.0", 16: "1490.0", 17: "1200.0" }],
  ["nothing shows that a value is in its place", { 15: "1500.0", 16: "1490.0" }],
])("a table in a language nobody knows that lies by itself is no export where %s", async (_, cells) => {
  expect((await read(`${polish}\n${row(cells)}\n`)).strength).toBeUndefined();
});
