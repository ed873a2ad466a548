import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectedLines, fixtureCases, openCase } from "../../test/suites/fixture-cases.ts";
import { EXPLAINED_NAMES } from "../../test/support/explained-names.ts";
import { namesInFile } from "../../test/support/names-in-file.ts";
import { memoryArchive } from "../containers/memory.ts";
import { connectorNamed, exportWithoutWorkouts, identifyArchive } from "../registry.ts";
import { headOf } from "./table/reading/head-of.ts";

/** Connectors of no platform: their columns are the person's own, or the formats'. */
const GENERAL = ["csv", "device-files", "logferry-export"];

test.each([
  ["adidas-running/until-2020", /layout until 2020$/],
  ["adidas-running/since-2021", /layout since 2021$/],
  ["apple-health/", /layout export\.xml$/],
  ["fitbod/days", /layout of 2019$/],
  ["fitbod/kilograms", /layout since 2020$/],
  ["huawei/days-2020", /layout days$/],
  ["huawei/flat-2024", /layout activities$/],
  ["huawei/hitrack", /layout HiTrack$/],
  ["polar/new-layout", /layout with timezoneOffsetMinutes$/],
  ["polar/old-layout", /layout of version 1\.\d$/],
  ["runalyze/backup-3", /layout of version 3\.2$/],
  ["runalyze/backup-4", /layout of version 4\.3$/],
  ["runalyze/table", /layout of runalyze\.com$/],
  ["samsung/prefixed", /layout with long names of columns$/],
  ["sporttracks/fitlog", /layout fitlog$/],
  ["suunto/movescount", /layout Movescount$/],
  ["tomtom/watch", /layout of the watch$/],
])("the layout of %s is named", async (name, layout) => {
  const found = fixtureCases().find((each) => `${each.connector}/${each.name}`.startsWith(name));
  const archive = await openCase(found ?? expect.unreachable(`there is no case ${name}`));
  const match = await connectorNamed(found?.connector ?? "")?.identify(archive);
  await archive.close();
  expect(match?.saw).toMatch(layout);
});

test("the files beside the workouts of an export show no other platform", async () => {
  const shown: string[] = [];
  for (const each of fixtureCases()) {
    const archive = await openCase(each);
    const rest = exportWithoutWorkouts(archive);
    await archive.close();
    if (rest === undefined) continue;
    expect(rest.connector.name).toBe(each.connector);
    shown.push(each.connector);
  }
  expect(new Set(shown)).toContain("garmin");
});

// Names of columns and members are those of the notes on each platform (other-loggers 8, 10, 18, 20; more-platforms on Komoot and Ride with GPS).
test.each([
  [
    "intervals-icu",
    "activities.csv",
    "id,type,start_date_local,moving_time,distance,icu_rpe\ni1,Run,2024-05-04T07:10:00,2400,10000,7\n",
  ],
  [
    "stryd",
    "run.csv",
    "Timestamp,Power (w/kg),Stryd Speed (m/s),Stryd Distance (meters)\n1454000000,2.8,2.5,0\n1454000900,2.9,2.5,2250\n",
  ],
  [
    "endurain",
    "data/activities.json",
    '[{"id":1,"name":"Run","activity_type":1,"start_time":"2024-05-04T07:10:00","total_timer_time":2400,"distance":10000}]',
  ],
  [
    "ride-with-gps",
    "trips.json",
    '{"results":[{"id":1,"departed_at":"2024-05-04T05:10:00Z","duration":2400,"distance":10000,"is_gps":true}]}',
  ],
  [
    "komoot",
    "tours.json",
    '{"_embedded":{"tours":[{"id":1,"type":"tour_recorded","sport":"jogging","date":"2024-05-04T05:10:00.000Z","distance":10000}]}}',
  ],
  [
    "runalyze",
    "runalyze-backup.json",
    'version=4.3\n\n{"TABLE": "runalyze_sport"}\n{"3": {"name": "Run"}}\n\n{"TABLE": "runalyze_training"}\n{"70": {"time": "1400000400", "sportid": "3", "s": "1800.00"}}\n',
  ],
])("an export of %s with few of its columns is known, and its workout is read", async (name, path, text) => {
  const { connector } = await identifyArchive(memoryArchive("a.zip", { [path]: Buffer.from(text) }));
  expect(connector.name).toBe(name);
  const kinds: string[] = [];
  const context = { signal: new AbortController().signal, report: () => undefined, sports: new Map() };
  const archive = memoryArchive("a.zip", { [path]: Buffer.from(text) });
  for await (const { kind } of connector.read(archive, context)) kinds.push(kind);
  expect(kinds).toEqual(["workout"]);
});

test("a planned tour of Komoot is left out by a rule, whatever it says of its climb", async () => {
  const tour = '{"id":2,"type":"tour_planned","sport":"hike","date":"2024-05-04T05:10:00.000Z","name":"a plan"}';
  const archive = memoryArchive("a.zip", { "tours.json": Buffer.from(`{"_embedded":{"tours":[${tour}]}}`) });
  const context = { signal: new AbortController().signal, report: () => undefined, sports: new Map() };
  const read: unknown[] = [];
  for await (const one of connectorNamed("komoot")?.read(archive, context) ?? []) read.push(one);
  expect(read).toMatchObject([{ kind: "set-aside", as: "skipped" }]);
});

test("each column and member of the files that are read is mapped, left on purpose, or reported", async () => {
  expect(namesInFile("a.csv", '"Day, local";Pace;7\n1;2;3\n')).toEqual(["Day, local", "Pace"]);
  expect(namesInFile("a.json", '[{"day": 1, "lap" : {"7": "pace:"}}]')).toEqual(["day", "lap"]);
  expect(namesInFile("a.xml", '<?xml version="1.0"?><x:log day="1"><Lap/></x:log>')).toEqual(["log", "day", "Lap"]);
  const unexplained: string[] = [];
  const unused = new Set(Object.values(EXPLAINED_NAMES).flat());
  for (const each of fixtureCases()) {
    const platformFolder = join(import.meta.dirname, each.connector);
    if (GENERAL.includes(each.connector) || !existsSync(platformFolder)) continue;
    const code = globSync("**/*.ts", { cwd: platformFolder }).map((file) =>
      readFileSync(join(platformFolder, file), "utf8"),
    );
    const reported = (expectedLines(each) ?? []).filter((line) => /"kind":"(?:issue|set-aside)"/.test(line));
    const said = [...code, ...reported].join("\n").toLowerCase();
    const archive = await openCase(each);
    const own = await connectorNamed(each.connector)?.filesIn?.(archive);
    for (const entry of archive.entries()) {
      if (own?.reads(entry.path) !== true) continue;
      for (const name of namesInFile(entry.path, await headOf(archive, entry))) {
        if (said.includes(name.toLowerCase())) continue;
        const rule = EXPLAINED_NAMES[each.connector]?.find(([names]) => names.test(name));
        if (rule !== undefined) unused.delete(rule);
        else unexplained.push(`${each.connector}: ${name} in ${entry.path}`);
      }
    }
    await archive.close();
  }
  expect([...new Set(unexplained)]).toEqual([]);
  expect([...unused], "explanations of names that no fixture has").toEqual([]);
});
