import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect } from "vitest";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { rowTest, test } from "./support/tier-tests.ts";
import { firstOf } from "./support/tiers.ts";

// Tracks in the formats of programs. Each becomes a TCX file in the log. The points are typed by hand, in the units of each format.

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse("kilometres", { database: ":memory:" });
});
afterEach(() => rehearsal.close());

/** Written as the program writes it: a mark of UTF-8 in front, `3.` for 3, and no comma between two references. */
const GOLDEN_CHEETAH = `\ufeff{"RIDE":{"STARTTIME":"2016\\/03\\/05 07:10:00 UTC ","RECINTSECS":1,"TAGS":{"Sport":"Run ","Filename":"2016_03_05_08_10_00.json "},
"REFERENCES":[ { "WATTS":250 } { "WATTS":260 } ],
"SAMPLES":[{ "SECS":0, "KM":0, "HR":0, "LAT":48.2, "LON":16.37, "ALT":171 },{ "SECS":30, "KM":0.1, "HR":141, "WATTS":250, "LAT":48.21, "LON":16.37, "ALT":3., "LRBALANCE":51 }]}}`;

/** In radians and hertz: 48.2 and 16.37 degrees, 141 beats a minute. */
const SUUNTO_JSON = JSON.stringify({
  DeviceLog: {
    Header: { ActivityType: 3, DateTime: "2018-03-13T17:57:02.000+01:00", Duration: 1800, Distance: 5000 },
    Windows: [],
    Device: {},
    Samples: [
      { TimeISO8601: "2018-03-13T17:57:03.000+01:00", HR: 2.35, Distance: 3 },
      { TimeISO8601: "2018-03-13T16:57:03.400+00:00", Latitude: 0.8412487, Longitude: 0.285710399, GPSAltitude: 171 },
      {
        TimeISO8601: "2018-03-13T17:57:05.000+01:00",
        Attributes: { "suunto/sml": { Sample: { HR: 2.5, Cadence: null } } },
      },
    ],
  },
});

const SML = `<?xml version="1.0" encoding="utf-8"?><sml Version="2.0.38" xmlns="http://www.suunto.com/schemas/sml"><DeviceLog>
<Header><Duration>1800</Duration><Distance>5000</Distance><ActivityType>3</ActivityType><DateTime>2014-06-01T08:30:00</DateTime></Header>
<Samples><Sample><UTC>2014-06-01T06:30:00.000Z</UTC><Time>0</Time></Sample>
<Sample><SampleType>gps-base</SampleType><Latitude>0.84124870</Latitude><Longitude>0.285710399</Longitude><Time>1.1</Time></Sample>
<Sample><SampleType>periodic</SampleType><HR>2.35</HR><Distance>4</Distance><Time>2</Time></Sample></Samples></DeviceLog></sml>`;

const FITLOG = `<?xml version="1.0" encoding="utf-8"?><FitnessWorkbook xmlns="http://www.zonefivesoftware.com/xmlschemas/FitnessLogbook/v2"><AthleteLog>
<Athlete Id="1" Name="Demo"/><Activity StartTime="2010-05-06T16:30:00Z" Id="a1"><Duration TotalSeconds="1800"/><Distance TotalMeters="5000"/><Category Id="c" Name="Running"/>
<Track StartTime="2010-05-06T16:30:05Z"><pt tm="0" lat="48.2" lon="16.37" ele="101.5" hr="99" dist="0"/><pt tm="60" lat="48.21" lon="16.37" hr="0" dist="250"/></Track></Activity>
<Activity StartTime="2010-05-07T18:30:00+02:00" Id="a2"><Duration TotalSeconds="600"/><Category Id="c" Name="Running"/>
<Track StartTime="2010-05-07T18:30:00+02:00"><pt tm="0" hr="101"/><pt tm="600" hr="102"/></Track></Activity></AthleteLog></FitnessWorkbook>`;

/** The clock on the wall, in Frankfurt in winter. */
const PWX = `<?xml version="1.0"?><pwx xmlns="http://www.peaksware.com/PWX/1/0" version="1.0" creator="x"><workout><sportType>Run</sportType>
<time>2012-03-04T07:15:00</time><summarydata><beginning>0</beginning><duration>1800</duration><dist>5000</dist></summarydata>
<segment><name>Lap 1</name><summarydata><beginning>0</beginning><duration>900</duration></summarydata></segment>
<sample><timeoffset>1</timeoffset><hr>92</hr><spd>3.2</spd><dist>3.2</dist><lat>50.1</lat><lon>8.6</lon></sample>
<event><timeoffset>40</timeoffset><type>Starting</type></event>
<sample><timeoffset>61</timeoffset><hr>141</hr><pwr>250</pwr><alt>99</alt></sample></workout></pwx>`;

/** Lines of text, one kind after the other. Bare numbers stand for names, which is not JSON. 255 beats and a pause are no values. */
const HUAWEI = `[{"sportType":4,"startTime":1700000000000,"timeZone":"+0200","totalTime":1800000,"totalDistance":5120,"partTimeMap":{1.0:352.0},
"attribute":"HW_EXT_TRACK_DETAIL@istp=lbs;k=0;lat=48.2;lon=16.37;alt=0.0;t=1.7E9;\\ntp=lbs;k=1;lat=90.0;lon=-80.0;alt=0.0;t=1.700000003E12;\\ntp=lbs;k=2;lat=48.21;lon=16.37;alt=0.0;t=1.700000005E12;\\ntp=h-r;k=1700000000400;v=120;\\ntp=h-r;k=1700000005000;v=255;\\ntp=alti;k=1700000000000;v=171.0;\\ntp=cad;k=1700000005000;v=80;\\n&&HW_EXT_TRACK_SIMPLIFY@is{}"}]`;

/** A pause, a line without a place, and 0 beats where the heart rate is missing. */
const OPENTRACKS = `#time,trackpoint_type,latitude,longitude,altitude,accuracy_horizontal,accuracy_vertical,speed,altitude_gain,altitude_loss,sensor_distance,heartrate,cadence,power
"2022-03-05T10:00:00+01:00","SEGMENT_START_MANUAL",,,,,,,,,,,,
"2022-03-05T10:00:01+01:00","TRACKPOINT",48.2,16.37,171.5,5,,12.1,1.5,0,,0,,
"2022-03-05T10:00:02+01:00","TRACKPOINT",,,,,,,,,,131,80,250
"2022-03-05T10:30:00+01:00","TRACKPOINT",48.21,16.37,172,5,,12.1,1.5,0,,140,,
`;

/** The points of both workouts alternate in one list. */
const FITOTRACK = `<fito-track><version>3</version><workouts>
<workouts><id>1</id><start>1685635200000</start><end>1685637000000</end><duration>1800000</duration><workoutTypeId>running</workoutTypeId><length>5000</length></workouts>
<workouts><id>2</id><start>1685721600000</start><end>1685723400000</end><duration>1800000</duration><workoutTypeId>hiking</workoutTypeId><length>3000</length></workouts>
</workouts><samples>
<samples><workoutId>2</workoutId><lat>48.3</lat><lon>16.4</lon><elevationMSL>180</elevationMSL><absoluteTime>1685721600000</absoluteTime><heartRate>-1</heartRate></samples>
<samples><workoutId>1</workoutId><lat>48.2</lat><lon>16.37</lon><elevationMSL>171.5</elevationMSL><absoluteTime>1685635200000</absoluteTime><heartRate>120</heartRate></samples>
<samples><workoutId>2</workoutId><lat>48.31</lat><lon>16.4</lon><elevationMSL>190</elevationMSL><absoluteTime>1685721660000</absoluteTime><heartRate>-1</heartRate></samples>
<samples><workoutId>1</workoutId><lat>48.21</lat><lon>16.37</lon><elevationMSL>172</elevationMSL><absoluteTime>1685635260000</absoluteTime><heartRate>140</heartRate></samples>
</samples></fito-track>`;

const STRYD = `Timestamp,Power (w/kg),Form Power (w/kg),Watch Distance (meters),Stryd Distance (meters),Cadence (spm),Watch Elevation (m),Heart Rate (bpm)
1685635200,3.5,0.9,0,0,0,150.5,0
1685637000,3.4,0.9,5100,5000,172,151,141
`;

/** -1 stands for a missing value. */
const SMASHRUN = JSON.stringify([
  {
    ...{
      activityId: 1,
      startDateTimeLocal: "2016-03-27T07:30:00+02:00",
      activityType: "running",
      distance: 5,
      duration: 1500,
    },
    recordingKeys: ["clock", "distance", "latitude", "longitude", "elevation", "heartRate"],
    recordingValues: [
      [0, 60],
      [0, 0.2],
      [48.2, 48.21],
      [16.37, 16.37],
      [160, -1],
      [-1, 141],
    ],
  },
]);

/** Local times, in a night in which the clock goes forward. Each row has one cell more than the header. */
const TOMTOM = `time,activityType,lapNumber,distance,speed,calories,lat,long,elevation,heartRate,cycles,localtime\r
0,0,1,0.00000,0.00,0,48.2,16.37,171.00,,2,2016-03-27T01:30:00,0:00\r
3600,0,1,9000.00000,2.50,700,48.25,16.37,172.00,150,3,2016-03-27T03:30:00,1:00:00\r
`;

/** The points of each track in the log: the content of the TCX file, without the names of elements. */
async function tracks(): Promise<Readonly<Record<string, readonly string[] | undefined>>> {
  const { service, userId } = rehearsal;
  const { entries } = await service.store.workouts(userId, { limit: 100, offset: 0 }, []);
  const found: [string, readonly string[] | undefined][] = [];
  for (const { id, date, time } of entries) {
    const stored = await service.store.track(userId, id);
    const points = stored && gunzipSync(stored.packed).toString().split("<Trackpoint>").slice(1);
    const textOf = (point: string) => (point.split("</Trackpoint>")[0] ?? "").replaceAll(/<[^>]*>|\s+/g, " ").trim();
    found.push([`${date} ${time}`, points?.map((point) => textOf(point).replaceAll(/ +/g, " "))]);
  }
  return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

rowTest.each(
  firstOf(3, [
    [
      "Golden Cheetah",
      "2016_03_05_08_10_00.json",
      GOLDEN_CHEETAH,
      {
        "2016-03-05 08:10:00": [
          "2016-03-05T07:10:00.000Z 48.2 16.37 171 0",
          "2016-03-05T07:10:30.000Z 48.21 16.37 3 100 141 250",
        ],
      },
    ],
    [
      "Suunto's JSON",
      "log.json",
      SUUNTO_JSON,
      {
        "2018-03-13 17:57:02": ["2018-03-13T16:57:03.000Z 48.2 16.37 171 3 141", "2018-03-13T16:57:05.000Z 150"],
      },
    ],
    [
      "Suunto's SML",
      "log.sml",
      SML,
      { "2014-06-01 08:30:00": ["2014-06-01T06:30:01.100Z 48.2 16.37", "2014-06-01T06:30:02.000Z 4 141"] },
    ],
    [
      "SportTracks",
      "log.fitlog",
      FITLOG,
      {
        "2010-05-06 18:30:00": [
          "2010-05-06T16:30:05.000Z 48.2 16.37 101.5 0 99",
          "2010-05-06T16:31:05.000Z 48.21 16.37 250",
        ],
        "2010-05-07 18:30:00": ["2010-05-07T16:30:00.000Z 101", "2010-05-07T16:40:00.000Z 102"],
      },
    ],
    [
      "PWX",
      "a.pwx",
      PWX,
      {
        "2012-03-04 07:15:00": ["2012-03-04T06:15:01.000Z 50.1 8.6 3.2 92", "2012-03-04T06:16:01.000Z 99 141 250"],
      },
    ],
    [
      "Huawei Health",
      "motion path detail data.json",
      HUAWEI,
      {
        "2023-11-15 00:13:20": [
          "2023-11-14T22:13:20.000Z 48.2 16.37 171 120",
          "2023-11-14T22:13:25.000Z 48.21 16.37 80",
        ],
      },
    ],
    [
      "OpenTracks",
      "track.csv",
      OPENTRACKS,
      {
        "2022-03-05 10:00:00": [
          "2022-03-05T09:00:00.000Z",
          "2022-03-05T09:00:01.000Z 48.2 16.37 171.5",
          "2022-03-05T09:00:02.000Z 131 80 250",
          "2022-03-05T09:30:00.000Z 48.21 16.37 172 140",
        ],
      },
    ],
    [
      "TomTom",
      "run.csv",
      TOMTOM,
      {
        "2016-03-27 01:30:00": [
          "2016-03-27T00:30:00.000Z 48.2 16.37 171 0",
          "2016-03-27T01:30:00.000Z 48.25 16.37 172 9000 150",
        ],
      },
    ],
    [
      "FitoTrack",
      "data.xml",
      FITOTRACK,
      {
        "2023-06-01 18:00:00": [
          "2023-06-01T16:00:00.000Z 48.2 16.37 171.5 120",
          "2023-06-01T16:01:00.000Z 48.21 16.37 172 140",
        ],
        "2023-06-02 18:00:00": ["2023-06-02T16:00:00.000Z 48.3 16.4 180", "2023-06-02T16:01:00.000Z 48.31 16.4 190"],
      },
    ],
    [
      "Stryd",
      "run.csv",
      STRYD,
      { "2023-06-01 18:00:00": ["2023-06-01T16:00:00.000Z 150.5 0", "2023-06-01T16:30:00.000Z 151 5000 141 172"] },
    ],
    [
      "Smashrun",
      "runs.json",
      SMASHRUN,
      {
        "2016-03-27 07:30:00": [
          "2016-03-27T05:30:00.000Z 48.2 16.37 160 0",
          "2016-03-27T05:31:00.000Z 48.21 16.37 200 141",
        ],
      },
    ],
  ]),
)("the tracks of %s are in the log", async (_what, name, content, expected) => {
  const folder = join(rehearsal.folder, "export");
  mkdirSync(folder);
  writeFileSync(join(folder, name), content);
  const options = ["--settle", "0.3", "--zone", "Europe/Vienna", "--sport", "=run"];
  const imported = await rehearsal.run(["import", folder, "--json", ...options]);
  expect(imported.code, imported.err + imported.out).toBe(0);
  const found = await tracks();
  expect(found).toEqual(expected);
  expect((await rehearsal.run(["verify"])).code).toBe(0);
});

test("the places and the heart rates of Samsung Health are joined from two files, which must both be as they were planned", async () => {
  const jsons = join(rehearsal.folder, "export", "jsons", "com.samsung.shealth.exercise", "1");
  mkdirSync(jsons, { recursive: true });
  const start = Date.UTC(2019, 8, 23, 9, 33, 20);
  const header = [
    "start_time",
    "time_offset",
    "exercise_type",
    "duration",
    "distance",
    "datauuid",
    "live_data",
    "location_data",
  ];
  const names = ["live_data", "location_data"].map((kind) => `1a.com.samsung.health.exercise.${kind}.json`);
  const row = ["2019-09-23 09:33:20.000", "UTC+0530", "1002", "1800000", "5000", "1a", ...names];
  writeFileSync(
    join(rehearsal.folder, "export", "com.samsung.shealth.exercise.20270101120000.csv"),
    `\ufeffcom.samsung.shealth.exercise,6320001,17\r\n${header.map((name) => `com.samsung.health.exercise.${name}`).join(",")}\r\n${row.join(",")},\r\n`,
  );
  const [live = "", places = ""] = names.map((name) => join(jsons, name));
  writeFileSync(
    live,
    JSON.stringify([
      { start_time: start + 200, heart_rate: 141 },
      { start_time: start + 1000, distance: 2.5, speed: 2.5, cadence: 168 },
      { start_time: start + 2000, heart_rate: 0 },
    ]),
  );
  const placesOf = (latitude: number) =>
    JSON.stringify([
      { start_time: start, latitude: 18.52, longitude: 73.85, altitude: 560.5, accuracy: 5 },
      { start_time: start + 2000, latitude, longitude: 73.85 },
    ]);
  writeFileSync(places, placesOf(18.53));
  const folder = join(rehearsal.folder, "export");
  const planned = await rehearsal.run(["plan", folder, "--json"]);
  expect(planned.code, planned.err + planned.out).toBe(0);
  expect(planned.out).toContain('"fields":[{"field":"recorded route","count":1,"because":"no field"}]');
  writeFileSync(live, "[]");
  const changed = await rehearsal.run(["apply", "--json", "--settle", "0.3"]);
  expect(changed.out + changed.err).toContain("changed since it was planned");
  expect(await tracks()).toEqual({});
  writeFileSync(live, JSON.stringify([{ start_time: start + 200, heart_rate: 141 }]));
  const imported = await rehearsal.run(["import", folder, "--json", "--settle", "0.3"]);
  expect(imported.code, imported.err + imported.out).toBe(0);
  expect(await tracks()).toEqual({
    "2019-09-23 15:03:20": ["2019-09-23T09:33:20.000Z 18.52 73.85 560.5 141", "2019-09-23T09:33:22.000Z 18.53 73.85"],
  });
});

test("a track without an instant is counted as lost, and the workout is there", async () => {
  const folder = join(rehearsal.folder, "export");
  mkdirSync(folder);
  // No position says the zone of the clock on the wall.
  writeFileSync(join(folder, "a.pwx"), PWX.replace("<lat>50.1</lat><lon>8.6</lon>", ""));
  const imported = await rehearsal.run(["import", folder, "--json", "--settle", "0.3", "--zone", "Europe/Vienna"]);
  expect(imported.code, imported.err + imported.out).toBe(0);
  expect(imported.out).toContain('{"type":"loss","fields":[{"field":"track","count":1,"because":"no field"}');
  expect(await tracks()).toEqual({ "2012-03-04 07:15:00": undefined });
});
