import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { emptyHome, jsonLines, runCli } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { RUNKEEPER_HEADER } from "./support/small-sources.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";
import { longTest, rowTest, test } from "./support/tier-tests.ts";
import { firstOf } from "./support/tiers.ts";
import { zipBytes } from "./support/zip-bytes.ts";

// Archives as people have them: a folder of downloads, two exports of one account a year apart, a download in several zips. By the real command line.

const runkeeper = (...days: readonly string[]) =>
  [RUNKEEPER_HEADER, ...days.map((day) => `${day} 18:07:40,Running,,5.03,26:42,5:18,11.30,384.0,22,,,`), ""].join("\n");
const nike = (day: string) =>
  JSON.stringify({
    id: `0a1b2c3d-0000-4000-9000-0000000000${day.slice(-2)}`,
    type: "run",
    start_epoch_ms: Date.parse(`${day}T16:00:00Z`),
    end_epoch_ms: Date.parse(`${day}T16:30:00Z`),
    active_duration_ms: 1_800_000,
    tags: { "com.nike.name": "Evening" },
    summaries: [
      {
        metric: "distance",
        summary: "total",
        source: "nike.running.ios",
        app_id: "com.nike.sport.running.ios",
        value: 5.2,
      },
    ],
    metrics: [],
  });

const GPX = `<?xml version="1.0"?>
<gpx version="1.1" creator="a watch" xmlns="http://www.topografix.com/GPX/1/1"><trk><type>running</type><trkseg>
${Array.from({ length: 20 }, (_, at) => `<trkpt lat="${48.2 + at / 2000}" lon="16.37"><time>2021-05-01T06:${10 + at}:00Z</time></trkpt>`).join("\n")}
</trkseg></trk></gpx>`;

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse();
});
afterEach(() => rehearsal.close());
const folder = temporaryFolder();
const put = (path: string, content: string | Uint8Array) => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), content);
};
const zipped = (files: Readonly<Record<string, string>>) =>
  zipBytes(Object.entries(files).map(([name, content]) => ({ name, content })));

async function inspected(...words: readonly string[]) {
  using home = emptyHome();
  const ran = await runCli(home.path, ["inspect", "--json", ...words]);
  const sources = jsonLines(ran.out).filter(({ type }) => type === "source") as {
    name: string;
    title: string;
    counts: { workout: number };
    quarantined: number;
    unread: { names: string[] }[];
    issues: { rule: string; example: { found: string } }[];
  }[];
  return { ...ran, sources };
}

describe("a folder of downloads", () => {
  test("with exports of two platforms, of one of them twice, and with watch files is as many sources", async () => {
    put("all/runkeeper-2023.zip", zipped({ "cardioActivities.csv": runkeeper("2023-05-01", "2023-05-03") }));
    put("all/runkeeper-2024.zip", zipped({ "cardioActivities.csv": runkeeper("2024-05-01") }));
    put("all/nike/activities/a.json", nike("2022-07-04"));
    put("all/ride.gpx", GPX);
    put("all/letter.txt", "to whom it may concern");
    const { sources, out } = await inspected(join(folder, "all"));
    expect(sources.map(({ name, counts }) => [name, counts.workout])).toEqual([
      ["all/nike", 1],
      ["all/runkeeper-2023.zip", 2],
      ["all/runkeeper-2024.zip", 1],
      ["all", 1],
    ]);
    expect(out).toContain("letter.txt");
  });

  test("with one export and files that nobody knows is that export, and the files are named", async () => {
    put("some/runkeeper.zip", zipped({ "cardioActivities.csv": runkeeper("2023-05-01") }));
    put("some/letter.docx", "to whom it may concern");
    const { sources } = await inspected(join(folder, "some"));
    expect(sources).toMatchObject([{ counts: { workout: 1 }, unread: [{ names: ["letter.docx"] }] }]);
  });

  test("with folders of exports in it is looked into, however deep, and loose files beside an export are a source", async () => {
    put("deep/old/2023/runkeeper.zip", zipped({ "cardioActivities.csv": runkeeper("2023-05-01") }));
    put("deep/old/2024/runkeeper.zip", zipped({ "cardioActivities.csv": runkeeper("2024-05-01") }));
    put("deep/new/runkeeper.zip", zipped({ "cardioActivities.csv": runkeeper("2025-05-01") }));
    put("deep/new/ride.gpx", GPX);
    const { sources } = await inspected(join(folder, "deep"));
    expect(sources.map(({ name, counts }) => [name, counts.workout])).toEqual([
      ["deep/new/runkeeper.zip", 1],
      ["deep/new", 1],
      ["deep/old/2023", 1],
      ["deep/old/2024", 1],
    ]);
  });

  rowTest.each(
    firstOf(2, [
      ["one file", { "page.html.csv": "<html>Please sign in</html>" }],
      ["files whose names begin alike", { log: "a", "log.csv": "b", "log.csv.csv": "c" }],
      [
        "hundreds of folders in folders",
        Object.fromEntries(
          Array.from({ length: 900 }, (_, at) => [`${at % 30}/${Math.floor(at / 30)}/x.csv`, "a,b\n1,2\n"]),
        ),
      ],
    ]),
  )("of nothing that is known, with %s, is refused", async (_what, files) => {
    put("unknown.zip", zipped(files));
    const { out, code } = await inspected(join(folder, "unknown.zip"));
    expect(code).toBe(5);
    expect(out).toContain("Cannot tell what unknown.zip is");
  });

  longTest("with a spreadsheet and its mapping file beside an export is two sources", async () => {
    const mapping =
      "version: 1\ndates: { order: iso }\ncolumns: { Day: { field: date }, km: { field: distance, unit: km } }\n";
    put("mixed/runkeeper/cardioActivities.csv", runkeeper("2021-05-01"));
    for (const [name, map] of [
      ["a", "a.map.yaml"],
      ["b", "b.csv.map.yaml"],
    ]) {
      put(`mixed/${name}.csv`, "Day,km\n2020-05-01,5\n");
      put(`mixed/${map}`, mapping);
    }
    const { sources, code } = await inspected(join(folder, "mixed"));
    // The spreadsheets name no sport.
    expect(code).toBe(3);
    expect(sources.map(({ name, title, counts }) => [name, title, counts.workout]).toSorted()).toEqual([
      ["mixed", "Spreadsheet with a mapping file", 2],
      ["mixed/runkeeper", "Runkeeper export", 1],
    ]);
  });

  test("with several tables of one platform is a source for each", async () => {
    const strong = (day: string) =>
      `Date,Workout Name,Duration,Exercise Name,Set Order,Weight,Reps,Distance,Seconds,Notes,Workout Notes,RPE\n${day} 18:00:00,Evening,45m,Squat,1,80,5,0,0,,,\n`;
    put("tables/strong.csv", strong("2023-05-01"));
    put("tables/strong (1).csv", strong("2024-05-01"));
    put("tables/shopping.csv", "what,how many\nmilk,2\n");
    const { sources } = await inspected(join(folder, "tables"));
    expect(sources.map(({ name, counts, unread }) => [name, counts.workout, unread])).toEqual([
      ["tables/strong (1).csv", 1, [expect.objectContaining({ names: ["shopping.csv"] })]],
      ["tables/strong.csv", 1, []],
    ]);
  });

  test("with the files of two requests for one account has each workout once, and asks about one that changed between them", async () => {
    const walk = (hour: number, metres: number) => ({
      ...{ sportType: 5, startTime: Date.parse(`2024-07-05T0${hour}:00:00Z`), timeZone: "+0200" },
      ...{ totalTime: 3_500_000, totalDistance: metres, attribute: "" },
    });
    const place = "huawei/Motion path detail data & description/motion path detail data";
    put(`${place}1733000000000.json`, JSON.stringify([walk(5, 6000), walk(5, 6000), walk(7, 4000)]));
    put(`${place}1764000000000.json`, JSON.stringify([walk(5, 6000), walk(5, 6000), walk(7, 4100), walk(9, 2000)]));
    const { sources, out } = await inspected(join(folder, "huawei"));
    expect(sources).toMatchObject([{ counts: { workout: 4 }, quarantined: 1 }]);
    expect(out).toContain("table/changed-row");
  });

  test("with a recording and its table of laps is one source, and a table without its recording is another", async () => {
    const laps = `Split,Time,Moving Time,Distance,Elevation Gain,Elev Loss,Avg Pace,Avg Moving Paces,Best Pace,Avg Stride Length\n1,00:30:00,00:29:00,8.0,10,10,3:45,--,3:00,1.1\n`;
    put("coros/Ride.gpx", GPX);
    put("coros/Ride.csv", laps);
    const { sources, out } = await inspected(join(folder, "coros"));
    expect(sources).toMatchObject([{ counts: { workout: 1 }, quarantined: 0, unread: [] }]);
    expect(out).toContain("a table of laps, which Ride.gpx has, too");
    put("coros/Run.csv", laps);
    const two = (await inspected(join(folder, "coros"))).sources;
    expect(two.map(({ name, quarantined }) => [name, quarantined])).toEqual([
      ["coros/Run.csv", 1],
      ["coros", 0],
    ]);
  });

  test("with two platforms in one zip is two sources", async () => {
    const files = {
      "Takeout/Runs/cardioActivities.csv": runkeeper("2023-05-01"),
      "Takeout/Nike/a.json": nike("2022-07-04"),
      "Takeout/archive_browser.html": "<html/>",
    };
    put("takeout.zip", zipped(files));
    const { sources } = await inspected(join(folder, "takeout.zip"));
    expect(sources.map(({ name, counts, unread }) => [name, counts.workout, unread.length])).toEqual([
      ["takeout.zip/Takeout/Nike", 1, 1],
      ["takeout.zip/Takeout/Runs", 1, 0],
    ]);
  });

  test("with two unpacked exports of one platform is two sources, and an export with two folders of tables is one", async () => {
    put("two/2023/cardioActivities.csv", runkeeper("2023-05-01"));
    put("two/2024/cardioActivities.csv", runkeeper("2024-05-01"));
    expect((await inspected(join(folder, "two"))).sources.map(({ name }) => name)).toEqual(["two/2023", "two/2024"]);
    put("one/a/activities/a.json", nike("2022-07-04"));
    put("one/b/old/b.json", nike("2022-07-05"));
    expect((await inspected(join(folder, "one"))).sources).toMatchObject([{ name: "one", counts: { workout: 2 } }]);
  });

  test("is imported with each workout once, and again without any", async () => {
    put("all/runkeeper-2023.zip", zipped({ "cardioActivities.csv": runkeeper("2023-05-01", "2023-05-03") }));
    put(
      "all/runkeeper-2024.zip",
      zipped({ "cardioActivities.csv": runkeeper("2023-05-01", "2023-05-03", "2024-05-01") }),
    );
    const words = ["import", join(folder, "all"), "--zone", "UTC", "--json", ...rehearsal.activities];
    const first = await rehearsal.run(words);
    expect(first.code, first.out).toBe(0);
    const days = async () => (await rehearsal.listed("/rest/logs/me/workouts")).map(({ date }) => date).toSorted();
    expect(await days()).toEqual(["2023-05-01", "2023-05-03", "2024-05-01"]);
    const again = await rehearsal.run(words);
    expect(jsonLines(again.out).findLast(({ type }) => type === "summary")).toMatchObject({
      ledger: { created: 0, updated: 0, left: 0 },
    });
    put("all/runkeeper-2025.zip", zipped({ "cardioActivities.csv": runkeeper("2024-05-01", "2025-05-01") }));
    expect((await rehearsal.run(words)).code).toBe(0);
    expect(await days()).toEqual(["2023-05-01", "2023-05-03", "2024-05-01", "2025-05-01"]);
  });

  longTest("has its rejected records retried in their own export", async () => {
    const odd = runkeeper("2024-05-01").replace("Running", "Kegeln");
    put("all/a.zip", zipped({ "cardioActivities.csv": runkeeper("2023-05-01") }));
    put("all/b.zip", zipped({ "cardioActivities.csv": odd }));
    const ran = await rehearsal.run(["import", join(folder, "all"), "--zone", "UTC", ...rehearsal.activities]);
    expect(ran.code).toBe(3);
    const retried = await rehearsal.run(["quarantine", "retry", "--sport", "Kegeln=walk", ...rehearsal.activities]);
    expect(retried.code, retried.out + retried.err).toBe(0);
    expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(2);
  });
});

describe("a download in several zips", () => {
  const FIRST = { "Takeout/archive_browser.html": "<html/>", "Takeout/Nike/a.json": nike("2022-07-04") };
  const SECOND = { "Takeout/archive_browser.html": "<html/>", "Takeout/Nike/b.json": nike("2022-07-05") };
  const PARTS = ["takeout-20261006T101010Z-001.zip", "takeout-20261006T101010Z-002.zip"];

  test.each([
    ["by its folder", () => [join(folder, "parts")]],
    ["part by part, in any order", () => PARTS.toReversed().map((name) => join(folder, "parts", name))],
  ])("named %s is one source", async (_how, words) => {
    put(`parts/${PARTS[0]}`, zipped(FIRST));
    put(`parts/${PARTS[1]}`, zipped(SECOND));
    const { sources, code } = await inspected(...words());
    expect(code).toBe(0);
    expect(sources).toMatchObject([{ name: `${PARTS[0]} (2 parts)`, counts: { workout: 2 }, quarantined: 0 }]);
  });

  test("is imported from its parts", async () => {
    put(`parts/${PARTS[0]}`, zipped({ "Takeout/a.gpx": GPX }));
    put(`parts/${PARTS[1]}`, zipped({ "Takeout/Nike/b.json": nike("2022-07-05") }));
    const ran = await rehearsal.run(["import", join(folder, "parts"), "--zone", "UTC", ...rehearsal.activities]);
    expect(ran.code, ran.out + ran.err).toBe(0);
    expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(2);
  });

  test.each([
    ["export (2 of 3).zip", "export (3 of 3).zip", "no part 1 of 3"],
    ["export (1 of 3).zip", "export (2 of 3).zip", "no part 3 of 3"],
    ["takeout-20261006T101010Z-001.zip", "takeout-20261006T101010Z-003.zip", "no part 2 of 3"],
  ])("of which %s and %s are there says what is missing, and ends with 3", async (one, other, found) => {
    put(`parts/${one}`, zipped(FIRST));
    put(`parts/${other}`, zipped(SECOND));
    const { sources, code } = await inspected(join(folder, "parts"));
    expect(code).toBe(3);
    expect(sources).toMatchObject([
      { counts: { workout: 2 }, quarantined: 1, issues: [{ rule: "archive/missing-part", example: { found } }] },
    ]);
  });

  test.each([
    ["the folder", () => join(folder, "parts")],
    ["the file", () => join(folder, "parts", PARTS[1] ?? "")],
  ])("of which only a later part is there says so, whether a person names %s", async (_, word) => {
    put(`parts/${PARTS[1]}`, zipped(SECOND));
    const { sources, code } = await inspected(word());
    expect(code).toBe(3);
    expect(sources).toMatchObject([
      {
        name: PARTS[1],
        counts: { workout: 1 },
        quarantined: 1,
        issues: [{ rule: "archive/missing-part", example: { found: "no part 1 of 2" } }],
      },
    ]);
  });

  test("of which one is missing asks for it first, and for no sport that it may name", async () => {
    const nameless = GPX.replace("<type>running</type>", "");
    put(
      `parts/${PARTS[1]}`,
      zipped({ "Takeout/a.gpx": nameless, "Takeout/b.gpx": nameless.replaceAll("2021", "2022") }),
    );
    const { out } = await rehearsal.run(["plan", join(folder, "parts"), "--zone", "UTC"]);
    const rules = [...out.matchAll(/\((archive\/missing-part|workout\/unknown-sport)\)$/gm)].map(([, rule]) => rule);
    expect(rules).toEqual(["archive/missing-part", "workout/unknown-sport"]);
    expect(out).toContain("    Get the missing part of the download first: it may name the sport.");
    expect(out).not.toContain("--sport");
    const { out: listed } = await rehearsal.run(["quarantine"]);
    expect(listed).not.toContain("quarantine retry --sport =ACTIVITY");
    expect(listed.indexOf("archive/missing-part")).toBeLessThan(listed.indexOf("workout/unknown-sport"));
  });

  test("that nobody can read, in a folder with an export, is named as unread, and the export is read", async () => {
    put("parts/Photos part 2.zip", zipped({ "a.jpg": "a" }));
    const alone = await inspected(join(folder, "parts"));
    expect(alone.code).toBe(5);
    put("parts/takeout.zip", zipped(FIRST));
    const { sources, code } = await inspected(join(folder, "parts"));
    expect(code).toBe(0);
    expect(sources).toMatchObject([
      {
        counts: { workout: 1 },
        unread: [{ names: ["a.jpg"] }, { names: ["takeout.zip!/Takeout/archive_browser.html"] }],
      },
    ]);
  });

  test("of which one part was not named says so", async () => {
    put(`parts/${PARTS[0]}`, zipped(FIRST));
    put(`parts/${PARTS[1]}`, zipped(SECOND));
    const { out, code } = await inspected(join(folder, "parts", PARTS[0] ?? ""));
    expect(code).toBe(3);
    expect(out).toContain("a part that lies beside the others and was not named");
  });
});
