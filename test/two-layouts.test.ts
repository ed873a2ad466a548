/** Two exports of one platform in one folder, each in a layout of its own: both are read, and a workout that both have is in the log once. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse();
});
afterEach(() => rehearsal.close());

/** A run of 10 km in 50 minutes, on 2 May 2014 at 07:30. Each first file has it with a run of 1 May, each second one with a run of 3 May. */
const EXPORTS: Readonly<Record<string, readonly [first: Files, second: Files]>> = {
  runningahead: [
    { "log.xml": runningAhead("2014-05-01T07:30:00Z", "2014-05-02T07:30:00Z") },
    {
      "log.txt": [
        "Date\tTimeOfDay\tType\tSubType\tDistance\tDistanceUnit\tDuration\tCourse\tCourseSurface",
        "2014-05-02\t7:30 AM\tRun\tEasy\t10\tKilometer\t0:50:00\t\t",
        "2014-05-03\t7:30 AM\tRun\tEasy\t10\tKilometer\t0:50:00\t\t",
        "",
      ].join("\n"),
    },
  ],
  dailymile: [
    {
      "jo_dailymile_export.tsv": [
        "id\ttimestamp\ttitle\tactivity_type\tfelt\tduration_seconds\tdistance\tdistance_units\tdescription\tgear\teffort_outof_5\tweather\tcalories\turl",
        "71\t2014-05-01T07:30:20Z\tHome\tRunning\tgood\t3000\t10\tkilometers\t\tNone\tNone\tNone\tNone\tNone",
        "72\t2014-05-02T07:30:20Z\tHome\tRunning\tgood\t3000\t10\tkilometers\t\tNone\t3\tSunny\tNone\tNone",
        "",
      ].join("\n"),
    },
    {
      "entries.csv": [
        "id,url,timestamp,title,activity_type,felt,duration_seconds,distance,distance_units,description",
        "72,http://www.dailymile.com/entries/72,2014-05-02T07:30:20Z,Home,Running,good,3000,10,kilometers,",
        "73,http://www.dailymile.com/entries/73,2014-05-03T07:30:20Z,Home,Running,good,3000,10,kilometers,",
        "",
      ].join("\n"),
    },
  ],
  "dailymile of the service": [
    {
      "entries.csv": [
        "id,url,timestamp,title,activity_type,felt,duration_seconds,distance,distance_units,description",
        "71,http://www.dailymile.com/entries/71,2014-05-01T07:30:20Z,Home,Running,good,3000,10,kilometers,",
        "72,http://www.dailymile.com/entries/72,2014-05-02T07:30:20Z,Home,Running,good,3000,10,kilometers,",
        "",
      ].join("\n"),
    },
    { "entries.json": JSON.stringify({ entries: [dailymile(72, "2014-05-02"), dailymile(73, "2014-05-03")] }) },
  ],
  oura: [
    {
      "App Data/workout.csv": [
        "id;day;activity;calories;distance;intensity;label;source;start_datetime;end_datetime",
        "a-1;2014-05-01;running;400;10000;hard;;manual;2014-05-01T07:30:00+02:00;2014-05-01T08:20:00+02:00",
        "a-2;2014-05-02;running;400;10000;hard;;manual;2014-05-02T07:30:00+02:00;2014-05-02T08:20:00+02:00",
        "",
      ].join("\n"),
    },
    { "oura_2014.json": JSON.stringify({ workout: [oura("w2", "2014-05-02"), oura("w3", "2014-05-03")] }) },
  ],
  runalyze: [
    {
      "runalyze-backup.json": [
        "version=4.3",
        "",
        '{"TABLE":"runalyze_sport"}',
        '{"1":{"name":"Running"}}',
        "",
        '{"TABLE":"runalyze_training"}',
        '{"8":{"time":"1398929400","sportid":"1","s":"3000.00","distance":"10.00"}}',
        '{"9":{"time":"1399015800","sportid":"1","s":"3000.00","distance":"10.00"}}',
        "",
      ].join("\n"),
    },
    {
      "activities.csv": [
        "id,time,timezoneOffset,sportid,typeid,title,distance,s,pulseAvg",
        "9,1399008600,120,1,,,10,3000,",
        "10,1399095000,120,1,,,10,3000,",
        "",
      ].join("\n"),
    },
  ],
  garmin: [
    {
      "DI_CONNECT/DI-Connect-Fitness/jo_0_summarizedActivities.json": JSON.stringify([
        { summarizedActivitiesExport: [garmin(101, "2014-05-01"), garmin(102, "2014-05-02")] },
      ]),
    },
    {
      "Activities.csv": [
        "Activity Type,Date,Favorite,Title,Distance,Calories,Time,Avg HR,Max HR,Steps,Avg Stride Length",
        'Running,2014-05-02 07:30:00,false,"Home","10.00","400","00:50:00","--","--","8,000","1.25"',
        'Running,2014-05-03 07:30:00,false,"Home","10.00","400","00:50:00","--","--","8,000","1.25"',
        "",
      ].join("\n"),
    },
  ],
};

/** Texts by their paths. */
type Files = Readonly<Record<string, string>>;

function runningAhead(...starts: readonly string[]): string {
  const events = starts.map(
    (start, at) =>
      `<Event type="10" typeName="Run" subtype="1" subtypeName="Easy" id="25f0000000000000000000000000000${at}" time="${start}"><Distance unit="km">10</Distance><Duration seconds="3000.00">50:00</Duration></Event>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>\n<RunningAHEADLog version="3.1"><EventCollection>${events.join("\n")}</EventCollection></RunningAHEADLog>`;
}

function dailymile(id: number, day: string) {
  const workout = {
    ...{ title: "Home", activity_type: "Running", felt: "good", duration: 3000 },
    distance: { value: 10, units: "kilometers" },
  };
  return { id, url: `http://www.dailymile.com/entries/${id}`, at: `${day}T07:30:20Z`, message: "", workout };
}

function oura(id: string, day: string) {
  const times = { start_datetime: `${day}T07:30:00.000+02:00`, end_datetime: `${day}T08:20:00.000+02:00` };
  return { id, day, activity: "running", distance: 10_000, intensity: "hard", label: null, source: "manual", ...times };
}

function garmin(activityId: number, day: string) {
  const start = Date.parse(`${day}T05:30:00Z`);
  return {
    ...{ activityId, name: "Home", activityType: "running", userProfileId: 77, distance: 1_000_000 },
    ...{ startTimeGmt: start, startTimeLocal: start + 7_200_000, duration: 3_000_000, elapsedDuration: 3_000_000 },
  };
}

const put = (files: Files, place: string) => {
  for (const [path, text] of Object.entries(files)) {
    const file = join(rehearsal.folder, "exports", place, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
};

const PLACES = [
  ["in one folder", ".", "."],
  ["in a folder each", "one", "two"],
  ["the second in a folder beside the first", ".", "second"],
  ["the first in a folder beside the second", "first", "."],
] as const;

test.each(Object.keys(EXPORTS).flatMap((name) => PLACES.map((place) => [name, ...place] as const)))(
  "%s: two layouts %s are both read, a shared workout arrives once, and the old account can be closed",
  async (name, _how, firstPlace, secondPlace) => {
    const [first, second] = EXPORTS[name] ?? expect.unreachable(name);
    put(first, firstPlace);
    put(second, secondPlace);
    const words = ["--zone", "Etc/UTC", "--sport", "sport 1=run", "--distance-unit", "km", ...rehearsal.activities];
    const loaded = await rehearsal.run(["import", join(rehearsal.folder, "exports"), "--json", ...words]);
    expect(loaded.code, loaded.out + loaded.err).toBe(0);
    const summary = jsonLines(loaded.out).findLast(({ type }) => type === "summary");
    expect(summary).toMatchObject({ ledger: { created: 3, quarantined: 0 } });
    const inLog = await rehearsal.listed("/rest/logs/me/workouts");
    expect(inLog.map(({ date }) => date).toSorted()).toEqual(["2014-05-01", "2014-05-02", "2014-05-03"]);
    expect((await rehearsal.run(["verify"])).code).toBe(0);
    const certified = await rehearsal.run(["certify", join(rehearsal.folder, "certificate.json")]);
    expect(certified.code, certified.out).toBe(0);
  },
  60_000,
);
