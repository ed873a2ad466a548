import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { emptyHome, jsonLines, runCli } from "./support/cli.ts";
import { ROOT } from "./support/rehearsal.ts";
import { inputs } from "./support/tiers.ts";
import { zipBytes } from "./support/zip-bytes.ts";

// The output that a person sends who reports an unreadable archive, by the real command line. It shows how the archive is built, and no data of the
// person.

/** Every value of the archive below. The output must not contain any of them. */
const CANARIES = [
  "Quendolyn",
  "Zwitscherlein",
  "quendolyn@canary.example",
  "canary.example",
  "48.208176",
  "16.373819",
  "1987-03-21",
  "21.03.1987",
  "7716253440",
  "Birkenweg",
  "Felsenkeller",
  "knee hurts",
  "Xanadu",
  "+43 664 5551234",
  "6645551234",
  "Vindobona",
  "quendolyn_z",
  "WKN-88213",
  "blessed",
];

const HEADED = `Datum;Strecke;Puls;Bemerkung;Xyzzy
21.03.1987;7,71;153;knee hurts Quendolyn;48.208176
22.03.1987;10,02;148;Felsenkeller;16.373819
23.03.1987;5,5;;"Birkenweg; Xanadu";16.373819
`;

const HEADLESS = `Quendolyn,Zwitscherlein,quendolyn@canary.example,1987-03-21,48.208176
Xanadu,Felsenkeller,vindobona@canary.example,1987-03-22,16.373819
`;

/** It has no number and no date. It holds only words, and some of them occur in headers. */
const WORDS_ONLY = `Quendolyn\tMorning distance\tVindobona
Xanadu\tEasy time\tVindobona
Felsenkeller\tLong time\tBirkenweg
`;

/** Two cells of the first line are the same, and the words are a person's. */
const SAME_WORDS = `Quendolyn,Xanadu,Xanadu,distance
Vindobona,Birkenweg,Felsenkeller,7.71
Vindobona,Felsenkeller,Birkenweg,8.71
`;

/** A narrow line stands above a wide one, and both hold a person's words. */
const NARROW_FIRST = `Quendolyn,Xanadu
Vindobona,Felsenkeller,distance Birkenweg,blessed
Vindobona,Felsenkeller,distance Birkenweg,blessed
`;

/** The first line's cell of a column of numbers is missing, as in a race without a time. */
const GAPS = `Quendolyn;;distance to Birkenweg;
Xanadu;12,5;Felsenkeller;7716253440
Vindobona;13,5;Xanadu;7716253440
`;

const JSON_FILE = JSON.stringify({
  user: { email: "quendolyn@canary.example", "Quendolyn Zwitscherlein": "Xanadu", blessed: true },
  activities: [1, 2, 3, 4].map((index) => ({
    id: 7716253440 + index,
    startTime: "1987-03-21T06:30:00Z",
    notes: "knee hurts",
    lactateMmol: 2.5,
  })),
  days: { "1987-03-21": { distance: 7.71 }, "1987-03-22": { distance: 3 } },
  friends: { "quendolyn@canary.example": 1, quendolyn_z: 2, Vindobona: [48.208176, 16.373819], "7716253440": null },
});

const XML_FILE = `<?xml version="1.0"?><!-- Quendolyn --><wko creator="Zwitscherlein"><athlete><name>Quendolyn</name></athlete>
<workout id="7716253440"><time>1987-03-21T06:30:00</time><Felsenkeller>x</Felsenkeller><sample><lat>48.208176</lat></sample><sample><lat>16.373819</lat></sample></workout></wko>`;

const FIT = readFileSync(join(ROOT, "fixtures/device-files/fit/archive/2019-05-05-09-30-00.fit"));

/** @param more files beside: with a device file among them, a connector reads it and leaves the others */
function canaryZip(more: Parameters<typeof zipBytes>[0] = []): Buffer {
  const comment = "Quendolyn Zwitscherlein, Birkenweg";
  return zipBytes(
    [
      { name: "Quendolyn Zwitscherlein/headed.csv", content: HEADED },
      { name: "Quendolyn Zwitscherlein/Xanadu 1987.csv", content: HEADLESS },
      { name: "words/Vindobona.tsv", content: WORDS_ONLY },
      { name: "gaps/Vindobona-Felsenkeller.csv", content: GAPS },
      ...more,
      { name: "DI_CONNECT/quendolyn@canary.example_1987-03-21.json", content: JSON_FILE },
      { name: "profile/Quendolyn.wko", content: XML_FILE },
      { name: "notes/Birkenweg.txt", content: "knee hurts\nFelsenkeller" },
      {
        name: "media/WKN-88213.Vindobona",
        content: Buffer.from([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]),
      },
      { name: "damaged/Felsenkeller.csv", content: HEADED, crc: 1 },
      { name: "../../Birkenweg/escape.csv", content: HEADED },
    ],
    { comment },
  );
}

const DEVICE_FILES = ["7716253440", "7716253441"].map((name) => ({
  name: `activities/${name}.fit.gz`,
  content: gzipSync(FIT),
}));

function expectNoCanary(text: string): void {
  const lower = text.toLowerCase();
  expect(CANARIES.filter((canary) => lower.includes(canary.toLowerCase()))).toEqual([]);
}

test("an archive of canaries, which no connector knows, is described without one of them", async () => {
  using home = emptyHome();
  const path = join(home.path, "Quendolyn_7716253440.zip");
  writeFileSync(path, canaryZip());
  const ran = await runCli(home.path, ["inspect", path, "--anonymise"]);
  expect(ran.code, ran.err).toBe(0);
  expectNoCanary(ran.out + ran.err);
  const lines = ran.out.split("\n");
  expect(lines[0]).toMatch(/^Structure of a_#{10}\.zip, without its values \(logferry /);
  expect(ran.out).toContain("recognised by no connector (source/unknown)");
  expect(ran.out).toContain("DI_CONNECT/a@a.a_####-##-##.json: json");
  expect(ran.out).toMatch(/ {2}refused: archive\/[a-z-]+ \(1\)/);
  expect(ran.out).toContain("a/a.csv: unreadable\n  archive/crc");
});

test("an archive that a connector reads in part is described with the rules that its records broke", async () => {
  using home = emptyHome();
  const path = join(home.path, "Quendolyn_7716253440.zip");
  writeFileSync(path, canaryZip(DEVICE_FILES));
  const ran = await runCli(home.path, ["inspect", path, "--anonymise"]);
  expectNoCanary(ran.out + ran.err);
  expect(ran.out).toContain("recognised by device-files: 4 records, 1 left out by rule, 2 unusable");
  expect(ran.out).toContain("finding: device-files/same-recording (1)");
  expect(ran.out).toContain("  2 x activities/##########.fit.gz, ");
});

test("a table is told by its delimiter, its headers and the shapes of its columns", async () => {
  using home = emptyHome();
  const path = join(home.path, "x.zip");
  writeFileSync(path, canaryZip());
  const { out } = await runCli(home.path, ["inspect", path, "--anonymise"]);
  expect(out).toContain(
    [
      "a a/a.csv: table",
      "  semicolon, utf-8, 3 records below the first line",
      "  3 records of 5 columns",
      '  1 "Datum": ##.##.#### (3)',
      '  2 "Strecke": decimal comma of 1 to 2 decimals (3)',
      '  3 "Puls": whole number of 3 digits (2), empty (1)',
      '  4 "Bemerkung": text (3)',
      '  5 "Xyzzy": decimal point of 6 decimals (3)',
    ].join("\n"),
  );
});

test.each([
  ["with values in it", HEADLESS, "(first line: text)"],
  ["of words alone", WORDS_ONLY, "(first line: text)"],
  ["with gaps where numbers belong", GAPS, "(first line: empty)"],
  ["with one name twice", SAME_WORDS, "(first line: text)"],
  ["below a narrower one", NARROW_FIRST, "(first line: text)"],
])("a first line %s is no header, and none of its cells is shown", async (_, content, first) => {
  using home = emptyHome();
  const path = join(home.path, "Vindobona.csv");
  writeFileSync(path, content);
  const ran = await runCli(home.path, ["inspect", path, "--anonymise"]);
  expectNoCanary(ran.out + ran.err);
  expect(ran.out).toContain(first);
  expect(ran.out).not.toContain("distance");
});

/** The header of activities.csv of 2018 and later, as far as its weather. Four names stand there twice. */
const STRAVA =
  "Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Max Heart Rate,Relative Effort,Commute,Activity Gear,Filename,Elapsed Time,Moving Time,Distance,Max Heart Rate,Sky Colour";

test("headers of a platform that repeat are shown", async () => {
  using home = emptyHome();
  const path = join(home.path, "activities.csv");
  const row = `1,"Mar 21, 1987, 6:30:00 AM",Quendolyn,Run,knee hurts,1500,7.71,153,,false,Xanadu,,1500.0,1490.0,7710.0,153.0,Vindobona`;
  writeFileSync(path, `${STRAVA}\n${row}\n${row.replace("1,", "2,")}\n`);
  const ran = await runCli(home.path, ["inspect", path, "--anonymise"]);
  expectNoCanary(ran.out + ran.err);
  for (const line of ['  7 "Distance": ', '  15 "Distance": ', '  16 "Max Heart Rate": ', '  17 "Sky Colour": '])
    expect(ran.out).toContain(line);
});

test("headers of a wide table in another language are shown, though a few repeat", async () => {
  using home = emptyHome();
  const path = join(home.path, "aktivitäten.csv");
  const names = Array.from(
    { length: 40 },
    (_, index) => `Spalte ${"abcdefghij"[index % 10]}${"klmn"[Math.floor(index / 10)]}`,
  );
  const cells = names.map((_, index) => (index === 2 ? "Quendolyn" : "7.71")).join(";");
  writeFileSync(path, `${[...names, "Datum", "Spalte ak"].join(";")}\n${cells};1;2\n${cells};1;2\n`);
  const ran = await runCli(home.path, ["inspect", path, "--anonymise"]);
  expectNoCanary(ran.out + ran.err);
  for (const line of ['  1 "Spalte ak": ', '  42 "Spalte ak": ']) expect(ran.out).toContain(line);
});

test("headers below a title are shown, and the title by its shape", async () => {
  using home = emptyHome();
  const path = join(home.path, "exercise.csv");
  const table =
    "com.samsung.shealth.exercise,6320001,17\nstart_time,comment,mean_heart_rate,live_data_internal,com.samsung.new_in_2027\n";
  writeFileSync(
    path,
    `${table}1987-03-21 06:30:00.000,knee hurts,153,Quendolyn,,\n1987-03-22 06:30:00.000,Xanadu,148,Vindobona,,\n`,
  );
  const ran = await runCli(home.path, ["inspect", path, "--anonymise"]);
  expectNoCanary(ran.out + ran.err);
  expect(ran.out).toContain("  a title above the first line: a.samsung.a.exercise, #######, ##\n");
  expect(ran.out).toContain(", 2 records below the first line");
  for (const line of ['  1 "start_time": ', '  4 "live_data_internal": ', '  5 "a.samsung.a_a_####": '])
    expect(ran.out).toContain(line);
});

test("keys of a program are shown with their types, and keys that are data by their shape", async () => {
  using home = emptyHome();
  mkdirSync(join(home.path, "x"));
  const path = join(home.path, "x", "Felsenkeller.json");
  writeFileSync(path, JSON_FILE);
  const ran = await runCli(home.path, ["inspect", path, "--anonymise"]);
  expectNoCanary(ran.out + ran.err);
  for (const line of [
    "  activities list (1)",
    "    [] object (4)",
    "      id number (4): whole number of 10 digits (4)",
    "      startTime text (4): ####-##-##T##:##:##Z (4)",
    "      lactateMmol number (4): decimal point of 1 decimal (4)",
    "    ####-##-## object (2)",
    "    a@a.a number (1): whole number of 1 digit (1)",
  ])
    expect(ran.out.split("\n")).toContain(line);
});

test("elements and attributes of XML are shown with the shapes of what stands in them", async () => {
  using home = emptyHome();
  const path = join(home.path, "Quendolyn.wko");
  writeFileSync(path, XML_FILE);
  const ran = await runCli(home.path, ["inspect", path, "--anonymise"]);
  expectNoCanary(ran.out + ran.err);
  expect(ran.out).toContain("      @id text (1): whole number of 10 digits (1)");
  expect(ran.out).toContain("        lat object (2), text (2): decimal point of 6 decimals (2)");
});

test("a FIT file is told by the numbers of its messages and fields", async () => {
  using home = emptyHome();
  const path = join(home.path, "Quendolyn.fit");
  writeFileSync(path, FIT);
  const ran = await runCli(home.path, ["inspect", path, "--anonymise"]);
  expect(ran.out).toContain("recognised by device-files: 1 records");
  // `record` is message 20, its time field 253, four bytes of base type 134 (Garmin's FIT protocol).
  expect(ran.out).toMatch(/ {2}message 20 \(\d[\d ]*\): .*253:4:134/);
});

test("--json gives the same as one line, and --out writes the text to a new file", async () => {
  using home = emptyHome();
  const path = join(home.path, "Quendolyn.zip");
  const out = join(home.path, "structure.txt");
  writeFileSync(path, canaryZip());
  const json = await runCli(home.path, ["inspect", path, "--anonymise", "--json"]);
  expectNoCanary(json.out);
  const report = jsonLines(json.out).find(({ type }) => type === "structure");
  expect(report).toMatchObject({ archive: "a.zip", recognised: [], files: 9 });
  const written = await runCli(home.path, ["inspect", path, "--anonymise", "--out", out]);
  expect(written.out.split("\n")).toHaveLength(2);
  expectNoCanary(readFileSync(out, "utf8"));
  expect(readFileSync(out, "utf8")).toContain("DI_CONNECT/a@a.a_####-##-##.json");
  const again = await runCli(home.path, ["inspect", path, "--anonymise", "--out", out]);
  expect(again).toMatchObject({ code: 2 });
});

test("a zip that can't be opened is told by the rule, and not by its name", async () => {
  using home = emptyHome();
  const path = join(home.path, "Quendolyn.zip");
  writeFileSync(path, canaryZip(DEVICE_FILES).subarray(0, 3000));
  const ran = await runCli(home.path, ["inspect", path, "--anonymise"]);
  expectNoCanary(ran.out + ran.err);
  expect(ran.out).toContain("recognised by no connector (archive/truncated)");
  expect(ran.code).toBe(5);
});

test("an archive with no end of keys, shapes and paths is described in few lines", async () => {
  using home = emptyHome();
  const folder = join(home.path, "many");
  mkdirSync(folder);
  const numbers = Array.from({ length: inputs({ first: 20_000, long: 100_000 }) }, (_, index) => index);
  const keyOf = (index: number) => "abcdefghij"[index % 10]?.repeat(index % 60) + index.toString(36);
  writeFileSync(
    join(folder, "a.json"),
    JSON.stringify(Object.fromEntries(numbers.map((index) => [keyOf(index), index]))),
  );
  writeFileSync(
    join(folder, "b.csv"),
    numbers.map((index) => `${index}${"-/.:"[index % 4]?.repeat(index % 30)}1,x`).join("\n"),
  );
  writeFileSync(join(folder, "c.json"), "[".repeat(100_000));
  writeFileSync(join(folder, "d.xml"), `<r>${numbers.map((index) => `<${`e${index}x`.repeat(5)}/>`).join("")}</r>`);
  for (let index = 0; index < 1_000; index++)
    writeFileSync(join(folder, `x${"x-".repeat(index % 40)}${"1.".repeat(index / 40)}`), "");
  const ran = await runCli(home.path, ["inspect", folder, "--anonymise"]);
  expect(ran.code, ran.err).toBe(0);
  expect(ran.out.split("\n").length).toBeLessThan(2_000);
  expect(ran.out.length).toBeLessThan(200_000);
  expect(ran.out).toContain("files of other shapes");
  expect(ran.out).toContain("json/too-deep");
});

test("--out without --anonymise is refused", async () => {
  using home = emptyHome();
  const ran = await runCli(home.path, ["inspect", ROOT, "--out", "x"]);
  expect(ran.code).toBe(2);
  expect(ran.err).toContain("it goes with --anonymise");
});
