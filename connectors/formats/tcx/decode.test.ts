import { describe, expect, test } from "vitest";
import { TRACK_CAPS } from "../xml/track.ts";
import { decodeTcx } from "./decode.ts";

const T = ["2012-11-05T11:52:21Z", "2012-11-05T11:53:21Z", "2012-11-05T11:54:21Z"] as const;
const INSTANT = 1352116341000;
const tcx = (inside: string) => `<TrainingCenterDatabase>${inside}</TrainingCenterDatabase>`;
const activity = (inside: string, sport = "Running") =>
  tcx(`<Activities><Activity Sport="${sport}"><Id>${T[0]}</Id>${inside}</Activity></Activities>`);
const lap = (inside: string, start: string = T[0]) => `<Lap StartTime="${start}">${inside}</Lap>`;
const point = (time: string, inside = "") => `<Trackpoint><Time>${time}</Time>${inside}</Trackpoint>`;
const position = (lat: string, lon: string) =>
  `<Position><LatitudeDegrees>${lat}</LatitudeDegrees><LongitudeDegrees>${lon}</LongitudeDegrees></Position>`;
const hr = (beats: string, name = "HeartRateBpm") => `<${name}><Value>${beats}</Value></${name}>`;

describe("an activity of TCX", () => {
  const WHOLE = activity(
    lap(
      `<TotalTimeSeconds>60.5</TotalTimeSeconds><DistanceMeters>200</DistanceMeters><MaximumSpeed>4</MaximumSpeed>
       <Calories>0</Calories>${hr("140", "AverageHeartRateBpm")}${hr("150", "MaximumHeartRateBpm")}
       <Intensity>Active</Intensity><Cadence>80</Cadence><TriggerMethod>Manual</TriggerMethod>
       <Track>${point(T[0], `${position("48", "16")}<AltitudeMeters>0</AltitudeMeters><DistanceMeters>0</DistanceMeters>${hr("100")}`)}
       </Track><Track>${point(
         T[1],
         `<Cadence>85</Cadence>${hr("120")}<Extensions><ns3:TPX><ns3:Speed>3.5</ns3:Speed><ns3:Watts>0</ns3:Watts></ns3:TPX></Extensions>`,
       )}</Track><Notes>first</Notes>
       <Extensions><ns3:LX><ns3:AvgSpeed>3</ns3:AvgSpeed><ns3:DistanceMeters>9</ns3:DistanceMeters></ns3:LX></Extensions>`,
    ) +
      lap(
        `<TotalTimeSeconds>30</TotalTimeSeconds><DistanceMeters>100</DistanceMeters><Calories>20</Calories>
       <Intensity>Resting</Intensity><TriggerMethod>Distance</TriggerMethod><Track>${point(T[2])}</Track>`,
        T[1],
      ) +
      `<Notes>windy</Notes><Creator xsi:type="Device_t"><Name>Forerunner 225</Name><UnitId>3893152</UnitId><ProductID>2157</ProductID></Creator>`,
  );

  test("has the distance of its points where its laps have none", () => {
    const far = (time: string, metres: number) => point(time, `<DistanceMeters>${metres}</DistanceMeters>`);
    const none = (points: string) => lap(`<Track>${points}</Track>`);
    const said = (metres: number, points: string) =>
      lap(`<DistanceMeters>${metres}</DistanceMeters><Track>${points}</Track>`);
    const read = (...laps: readonly string[]) => {
      const { recordings, issues } = decodeTcx(activity(laps.join("")), "scan");
      return [
        recordings[0]?.laps.map(({ distance }) => distance && Math.round(distance.value)),
        issues.map(({ rule, found }) => `${rule} ${found}`),
      ];
    };
    const remark = (count: string) => [`tcx/computed-distance ${count} laps without a distance`];
    expect(read(none(far(T[0], 0) + far(T[1], 400)), none(far(T[2], 1000)))).toEqual([[400, 600], remark("2 of 2")]);
    // This device counts from 0 again in each lap.
    expect(read(none(far(T[0], 0) + far(T[1], 400)), none(far(T[1], 1) + far(T[2], 600)))).toEqual([
      [400, 600],
      remark("2 of 2"),
    ]);
    expect(read(said(390, far(T[0], 0) + far(T[1], 400)), none(far(T[2], 1000)))).toEqual([
      [390, 600],
      remark("1 of 2"),
    ]);
    // A rest of 0 m beside a lap of 400 m is a rest. If all laps say 0, the device measured no distance.
    expect(read(said(400, far(T[0], 0) + far(T[1], 400)), said(0, far(T[2], 425)))).toEqual([[400, 0], []]);
    expect(read(said(0, far(T[0], 0) + far(T[1], 400)))).toEqual([[400], remark("1 of 1")]);
    // A hundredth of a degree of the equator is 1,111.95 m on a sphere of 6,371.0088 km.
    const line = point(T[0], position("0", "16")) + point(T[1], position("0", "16.01"));
    expect(read(none(line))).toEqual([[1112], remark("1 of 1")]);
    expect(read(said(0, line))).toEqual([[0], []]);
  });

  test("is a recording with its laps, and sums of them", () => {
    const file = decodeTcx(WHOLE, "decode");
    expect(file.issues).toEqual([]);
    expect(file.device).toEqual({ product: "Forerunner 225", serial: "3893152" });
    const [recording] = file.recordings;
    expect(recording).toMatchObject({
      sport: "Running",
      start: INSTANT,
      firstPosition: { lat: 48, lon: 16 },
      distance: { unit: "m", value: 300 },
      elapsed: 120,
      timer: 90.5,
      avgHR: 110,
      maxHR: 120,
      calories: 20,
      notes: "first\nwindy",
      pointCount: 3,
      positionCount: 1,
    });
    expect(recording?.laps).toEqual([
      {
        start: INSTANT,
        timer: 60.5,
        distance: { unit: "m", value: 200 },
        avgHR: 140,
        maxHR: 150,
        intensity: "Active",
        trigger: "Manual",
      },
      {
        start: INSTANT + 60_000,
        timer: 30,
        distance: { unit: "m", value: 100 },
        intensity: "Resting",
        trigger: "Distance",
      },
    ]);
    expect(recording?.points).toEqual([
      {
        instant: INSTANT,
        position: { lat: 48, lon: 16 },
        elevation: 0,
        distance: { unit: "m", value: 0 },
        heartRate: 100,
      },
      { instant: INSTANT + 60_000, cadence: 85, heartRate: 120, speed: 3.5, power: 0, breakBefore: true },
      { instant: INSTANT + 120_000 },
    ]);
  });

  test("says the same at depth scan, and keeps no points", () => {
    const { points: _, ...rest } = decodeTcx(WHOLE, "decode").recordings[0] ?? { points: [] };
    expect(decodeTcx(WHOLE, "scan").recordings).toEqual([rest]);
  });

  test("has the laps' heart rate, weighed by time, where no point has any", () => {
    const laps = [
      lap(
        `<TotalTimeSeconds>10</TotalTimeSeconds>${hr("100", "AverageHeartRateBpm")}${hr("130", "MaximumHeartRateBpm")}`,
      ),
      lap(
        `<TotalTimeSeconds>30</TotalTimeSeconds>${hr("140", "AverageHeartRateBpm")}${hr("120", "MaximumHeartRateBpm")}`,
      ),
    ];
    expect(decodeTcx(activity(laps.join("")), "scan").recordings).toMatchObject([{ avgHR: 130, maxHR: 130 }]);
  });

  test("has the laps' heart rates where each lap has both, else those of its points", () => {
    const points = point(T[0], hr("139")) + point(T[1], hr("141"));
    const read = (...rates: readonly string[]) =>
      decodeTcx(
        activity(
          rates.map((one) => lap(`<TotalTimeSeconds>60</TotalTimeSeconds>${one}<Track>${points}</Track>`)).join(""),
        ),
        "scan",
      ).recordings;
    const both = (mean: string, most: string) => hr(mean, "AverageHeartRateBpm") + hr(most, "MaximumHeartRateBpm");
    expect(read(both("142", "156"))).toMatchObject([{ avgHR: 142, maxHR: 156 }]);
    expect(read(both("142", "156"), both("150", "160"))).toMatchObject([{ avgHR: 146, maxHR: 160 }]);
    expect(read(both("142", "156"), "")).toMatchObject([{ avgHR: 140, maxHR: 141 }]);
    expect(read(both("142", "255"))).toMatchObject([{ avgHR: 140, maxHR: 141 }]);
    expect(read(both("138", "140"))).toMatchObject([{ avgHR: 140, maxHR: 141 }]);
  });

  test("without any sum has none: absent is not 0", () => {
    const [recording] = decodeTcx(activity(lap(`<Track>${point(T[0])}</Track>`)), "scan").recordings;
    expect(Object.keys(recording ?? {}).sort()).toEqual([
      "elapsed",
      "laps",
      "pointCount",
      "positionCount",
      "sport",
      "start",
    ]);
  });

  test("begins with its first lap, else with its Id, else with its first point", () => {
    const start = (inside: string) =>
      decodeTcx(tcx(`<Activities><Activity>${inside}</Activity></Activities>`), "scan").recordings[0]?.start;
    const track = `<Track>${point(T[2])}</Track>`;
    expect(start(`<Id>${T[1]}</Id>${lap(track)}`)).toBe(INSTANT);
    expect(start(`<Id>${T[1]}</Id><Lap>${track}</Lap>`)).toBe(INSTANT + 60_000);
    expect(start(`<Id>run 5</Id><Lap>${track}</Lap>`)).toBe(INSTANT + 120_000);
  });

  test("a program that isn't a device has no serial", () => {
    const file = decodeTcx(activity(`${lap("")}<Creator><Name>App</Name><UnitId>0</UnitId></Creator>`), "scan");
    expect(file.device).toEqual({ product: "App" });
  });
});

describe("several in a file", () => {
  const leg = (sport: string) =>
    `<Activity Sport="${sport}"><Id>${T[0]}</Id>${lap("<TotalTimeSeconds>1</TotalTimeSeconds>")}</Activity>`;

  test("every activity is a recording", () => {
    const file = decodeTcx(tcx(`<Activities>${leg("Running")}${leg("Biking")}</Activities>`), "scan");
    expect(file.recordings.map((recording) => recording.sport)).toEqual(["Running", "Biking"]);
  });

  test("so is every leg of a multisport session; transitions are remarked on", () => {
    const session = `<Activities><MultiSportSession><Id>${T[0]}</Id><FirstSport>${leg("Other")}</FirstSport><NextSport>
      <Transition StartTime="${T[0]}"><TotalTimeSeconds>9</TotalTimeSeconds></Transition>${leg("Biking")}</NextSport>
      <NextSport>${leg("Running")}</NextSport></MultiSportSession></Activities>`;
    const file = decodeTcx(tcx(session), "scan");
    expect(file.recordings).toMatchObject([
      { sport: "Other", timer: 1 },
      { sport: "Biking", timer: 1 },
      { sport: "Running", timer: 1 },
    ]);
    expect(file.issues).toMatchObject([{ severity: "info", rule: "tcx/transition" }]);
  });

  test("a course is a route, its distance that of its lap", () => {
    const course = `<Courses><Course><Name>Loop</Name><Lap><TotalTimeSeconds>9</TotalTimeSeconds><DistanceMeters>500</DistanceMeters></Lap>
      <Track>${point(T[0], position("0", "0"))}${point(T[1], position("0", "0.001"))}</Track><Notes>flat</Notes></Course></Courses>`;
    expect(decodeTcx(tcx(course), "scan")).toMatchObject({
      recordings: [],
      routes: [{ name: "Loop", notes: "flat", distance: { unit: "m", value: 500 }, pointCount: 2 }],
      issues: [],
    });
  });

  test("workout plans hold no activity, and that is no fault", () => {
    expect(
      decodeTcx(tcx('<Workouts><Workout Sport="Running"><Name>4 x 400</Name></Workout></Workouts>'), "scan"),
    ).toMatchObject({
      recordings: [],
      issues: [{ severity: "info", rule: "tcx/no-activity", found: "1 workout plans" }],
    });
  });
});

describe("bad input", () => {
  test.each([
    ["47,123", "16"],
    ["91", "16"],
    ["NaN", "16"],
    ["47", ""],
  ])("a position of %s %s is left out and counted; its point stays", (lat, lon) => {
    const file = decodeTcx(activity(lap(`<Track>${point(T[0], position(lat, lon) + hr("100"))}</Track>`)), "decode");
    expect(file.recordings[0]?.points).toEqual([{ instant: INSTANT, heartRate: 100 }]);
    expect(file.issues.at(-1)).toMatchObject({ severity: "warning", rule: "tcx/bad-position" });
  });

  test("a bad number is left out and named by its field", () => {
    const file = decodeTcx(
      activity(lap("<TotalTimeSeconds>1:30</TotalTimeSeconds><DistanceMeters>1e999</DistanceMeters>")),
      "scan",
    );
    expect(file.recordings[0]?.laps).toEqual([{ start: INSTANT }]);
    expect(file.issues).toMatchObject([
      { rule: "tcx/bad-value", field: "TotalTimeSeconds", found: "1:30" },
      { rule: "tcx/bad-value", field: "DistanceMeters", found: "1e999" },
    ]);
  });

  /** A run as the app of Nike writes it, with the time of its lap (and its Id) and those of its points. */
  const nike = (begun: string, ...times: readonly string[]) =>
    decodeTcx(
      `<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities><Activity Sport="Running"><Id>
 ${begun}
</Id><Lap StartTime="${begun}"><TotalTimeSeconds>
 120
</TotalTimeSeconds><Track>${times
        .map((at) => `<Trackpoint><Time>\n ${at}\n</Time></Trackpoint>`)
        .join("")}</Track></Lap></Activity></Activities></TrainingCenterDatabase>`,
      "decode",
    );
  const [BEGUN, MINUTE, TWO] = ["2024-08-01T03:35:08.502Z", "2024-08-01T03:36:08.502Z", "2024-08-01T03:37:08.502Z"];
  const instantsOf = (file: ReturnType<typeof nike>) =>
    file.recordings[0]?.points?.map(({ instant }) => instant && new Date(instant).toISOString());

  test("a first time with the lap's time of day and another year is the lap's time, and a remark says so", () => {
    const read = nike(BEGUN, "2019-08-03T03:35:08.502Z", MINUTE, TWO);
    expect(read.recordings).toMatchObject([
      { start: Date.UTC(2024, 7, 1, 3, 35, 8, 502), timer: 120, elapsed: 120, pointCount: 3, isCorrected: true },
    ]);
    expect(instantsOf(read)).toEqual([BEGUN, MINUTE, TWO]);
    expect(read.issues).toMatchObject([
      {
        rule: "tcx/time-before-lap",
        found: "2019-08-03T03:35:08.502Z at the first point",
        expected: `${BEGUN}, when its lap began; that time was taken`,
      },
    ]);
    // A watch that found its satellites a minute before the lap began is believed.
    const early = nike(BEGUN, "2024-08-01T03:34:08.502Z", MINUTE, TWO);
    expect(early).toMatchObject({ recordings: [{ elapsed: 180 }], issues: [] });
    expect(early.recordings[0]).not.toHaveProperty("isCorrected");
  });

  test("a first time with another time of day is left out", () => {
    const read = nike(BEGUN, "2019-08-03T11:02:00.000Z", MINUTE, TWO);
    expect(read.recordings).toMatchObject([{ timer: 120, elapsed: 60, pointCount: 3, isCorrected: true }]);
    expect(instantsOf(read)).toEqual([undefined, MINUTE, TWO]);
    expect(read.issues).toMatchObject([{ rule: "tcx/time-before-lap", field: "Time" }]);
  });

  test("where the lap has the wrong year of the first point, nothing shows the right day, and a person is asked for it", () => {
    const read = nike("2019-08-03T03:35:08.502Z", "2019-08-03T03:35:08.502Z", MINUTE, TWO);
    expect(instantsOf(read)).toEqual([undefined, MINUTE, TWO]);
    expect(read.recordings).toMatchObject([{ elapsed: 60, isCorrected: true, doubts: [{ about: ["date"] }] }]);
    expect(read.recordings[0]?.doubts?.[0]?.issue).toMatchObject({
      rule: "workout/implausible-date",
      found: "its first point is of 2019-08-03, and its other points are of 2024-08-01",
    });
    const lap = nike("2019-08-03T03:35:08.502Z", BEGUN, MINUTE, TWO).recordings[0];
    expect(lap?.doubts?.[0]?.issue.found).toBe("its lap is of 2019-08-03, and its other points are of 2024-08-01");
    expect(lap).not.toHaveProperty("isCorrected");
  });

  test("times going back are counted", () => {
    const file = decodeTcx(activity(lap(`<Track>${point(T[1])}${point(T[0])}</Track>`)), "scan");
    expect(file.issues).toMatchObject([{ rule: "tcx/time-backwards", found: "1 of 2 times" }]);
  });

  test("a file cut inside a trackpoint keeps the laps and points before it", () => {
    const whole = activity(lap(`<TotalTimeSeconds>60</TotalTimeSeconds><Track>${point(T[0])}${point(T[1])}</Track>`));
    const file = decodeTcx(whole.slice(0, whole.indexOf(T[1]) + 4), "scan");
    expect(file.recordings).toMatchObject([{ timer: 60, pointCount: 1, start: INSTANT }]);
    expect(file.issues).toMatchObject([
      { severity: "warning", rule: "xml/truncated", found: expect.stringContaining("inside Time") },
    ]);
  });

  test("an activity with nothing in it is no recording", () => {
    expect(decodeTcx(tcx("<Activities><Activity Sport='Running'/></Activities>"), "scan")).toMatchObject({
      recordings: [],
      issues: [{ severity: "error", rule: "tcx/empty-activity" }],
    });
  });

  test("another document is named", () => {
    expect(decodeTcx("<gpx/>", "scan").issues).toMatchObject([
      { severity: "error", rule: "tcx/not-tcx", found: expect.stringContaining("<gpx>") },
    ]);
  });

  test("points beyond the cap are not read, and that is said", () => {
    const source = activity(lap(`<Track>${point(T[0]).repeat(5)}</Track>`));
    const read = (points: number) => decodeTcx(source, "scan", { ...TRACK_CAPS, points });
    expect(read(5)).toMatchObject({ recordings: [{ pointCount: 5 }], issues: [] });
    expect(read(4)).toMatchObject({ recordings: [{ pointCount: 4 }], issues: [{ rule: "tcx/too-many-points" }] });
  });
});
