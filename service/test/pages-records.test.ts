/** The pages of single records show all that was saved, and every user's text stays text. */
import { beforeAll, describe, expect, test } from "vitest";
import { ann, COURSES, EQUIPMENT, log, run, WORKOUTS, withReader } from "./pages-reader.ts";
import { gpx, type Reader, reader, textOf } from "./reader.ts";

withReader();

describe("a workout", () => {
  test("shows every field of the record, zeros too", async () => {
    const course = await ann.save(COURSES, { name: "River loop" });
    const shoe = await ann.save(EQUIPMENT, { activityID: 10, brandName: "Brand", modelName: "Model 7" });
    const id = await ann.save(WORKOUTS, {
      activityID: 10,
      workoutID: 3,
      date: "2022-02-28",
      time: "06:07:08",
      notes: "First line\nsecond line",
      course: { id: course },
      equipment: [{ id: shoe }],
      details: { distance: { unit: "km", value: 21.0975 }, duration: 5274.53 },
      health: { avgHR: 151, maxHR: 0, restHR: 48, weight: { unit: "kg", value: 70.1 } },
      intervalSet: {
        id: "set-9",
        name: "Yasso",
        intervals: [
          { type: "interval", distance: { unit: "m", value: 800 }, duration: 180.25 },
          { type: "rest", duration: 90 },
        ],
      },
      raceStats: {
        fieldPlacement: 12,
        fieldSize: 340,
        groupMinAge: 35,
        groupMaxAge: 39,
        groupPlacement: 2,
        groupSize: 41,
      },
      ratings: { effort: 0, quality: 8 },
      weather: { conditions: { partlyCloudy: true, snow: false }, temperature: { unit: "C", value: -2.5 } },
    });
    const page = await ann.read(`/workouts/${id}`);
    const said = [
      "Run · Interval on Monday 28 February 2022 at 06:07",
      "Distance 21.098 km Time 1:27:54.53 Pace 4:10 /km",
      "First line second line",
      "Activity Run (10)",
      "Workout type Interval (3)",
      "Date 2022-02-28",
      "Time of day 06:07:08",
      "Course River loop",
      "Equipment Brand Model 7",
      "Distance, as saved 21.0975 km",
      "Duration, as saved 5274.53 s",
      "Average heart rate 151 bpm",
      "Highest heart rate 0 bpm",
      "Resting heart rate 48 bpm",
      "Weight 70.1 kg",
      "1 interval 800 m 3:00.25 3:45 /km",
      "2 rest 1:30",
      "Name Yasso",
      "Id set-9",
      "Place 12 of 340",
      "Place in the group 2 of 41",
      "Ages of the group 35 to 39",
      "Effort 0 of 10",
      "Quality 8 of 10",
      "Conditions partly cloudy, not snow",
      "Temperature −2.5 °C",
      `Id ${id}`,
    ];
    for (const text of said) expect(page).toContain(text);
    const { text } = await ann.visitor.get(`/workouts/${id}`);
    expect(text).toContain(`<a href="/courses/${course}">River loop</a>`);
    expect(text).toContain(`<a href="/equipment/${shoe}">Brand Model 7</a>`);
  });

  test("that was imported has a map and charts of its track, with its splits", async () => {
    // North along a meridian: 0.01 degrees are 1,111.95 m. 300 points, one every 10 s, 37.065 m apart: 11.08 km in 2,990 s.
    const points = Array.from({ length: 300 }, (_, i) => ({
      lat: 48 + i * (0.01 / 30),
      lon: 16,
      s: i * 10,
      hr: 120 + Math.floor(i / 10),
      ele: 200 + i,
    }));
    const id = await ann.save(`${WORKOUTS}/gpx`, gpx(points));
    const page = await ann.read(`/workouts/${id}`);
    expect(page).toContain("The track, 11.1 km long, 0 km from west to east, 11.1 km from south to north");
    expect(page).toMatch(/Pace, \/km.*Heart rate, bpm From 120 to 149.*Elevation, m From 200 to 499/);
    // 37.065 m in 10 s are 4:30 a kilometre. 1 km is 27 points, 27 m of climbing.
    expect(page).toMatch(/Splits by kilometre .* 1 4:30 .*4:30 12\d \+2\d m/);
    expect(page).toMatch(/ 82 m 0:2[12] 4:30/);
    expect(page).toContain("Track from a gpx file");
    const { text } = await ann.visitor.get(`/workouts/${id}`);
    expect(text).toMatch(/<path class="track" d="M[\d.]+,[\d.]+ [\d., ]*"\/>/);
    expect(text.length).toBeLessThan(60_000);
  });

  test("whose file has no position has charts and no map; one that was saved has neither", async () => {
    const id = await ann.save(WORKOUTS, run("2020-01-01", 5, 1500));
    const { text } = await ann.visitor.get(`/workouts/${id}`);
    expect(text).not.toContain("<svg");
  });

  test("leads to the ones before and after it in the log", async () => {
    const kim = await reader(log, { screenName: "kim" });
    const first = await kim.save(WORKOUTS, run("2024-01-01", 1, 300));
    const second = await kim.save(WORKOUTS, run("2024-01-01", 2, 600, { time: "09:00:00" }));
    const third = await kim.save(WORKOUTS, run("2024-02-01", 3, 900));
    const { text } = await kim.visitor.get(`/workouts/${second}`);
    expect(text).toMatch(new RegExp(`rel="prev" href="/workouts/${first}"`));
    expect(text).toMatch(new RegExp(`rel="next" href="/workouts/${third}"`));
    expect((await kim.visitor.get(`/workouts/${third}`)).text).not.toContain('rel="next"');
  });

  test("with notes of 60,000 characters and a thousand intervals is a page of less than 100 kB that says what it leaves out", async () => {
    const id = await ann.save(WORKOUTS, {
      ...run("2019-01-01", 5, 1500),
      notes: "<&>".repeat(20_000),
      intervalSet: { intervals: Array.from({ length: 1000 }, () => ({ duration: 60, type: "interval" })) },
    });
    const { text } = await ann.visitor.get(`/workouts/${id}`);
    expect(text.length).toBeLessThan(100_000);
    expect(textOf(text)).toMatch(/50000 more characters are not shown.*700 more are not shown/);
  });
});

describe("courses, equipment and plans", () => {
  test("a course shows its record, its map and the workouts on it", async () => {
    const course = await ann.save(COURSES, {
      name: "Round the lake",
      notes: "flat",
      distance: { unit: "mi", value: 5 },
      surfaces: { asphalt: true, forestPath: true },
    });
    const places = [0, 1, 2, 3].map((i) => ({ lat: 48 + 0.01 * (i % 2), lon: 16 + 0.01 * i }));
    const saved = await fetch(`${log.url}${COURSES}/${course}/gpx?access_token=${ann.token}`, {
      method: "POST",
      body: gpx(places),
    });
    expect(saved.status).toBe(200);
    await ann.save(WORKOUTS, run("2018-08-08", 8, 2400, { course: { id: course }, notes: "a lap" }));
    const page = await ann.read(`/courses/${course}`);
    const said = [
      "Length 8.047 km",
      "Workouts 1 Distance 8.0 km",
      "Surfaces asphalt, forest path",
      "Last used Wed 8 Aug 2018",
    ];
    for (const text of [...said, "Distance, as saved 5 mi", "Map from a gpx file", "a lap", "flat"])
      expect(page).toContain(text);
    expect((await ann.visitor.get(`/courses/${course}`)).text).toContain('<path class="track"');
    const list = await ann.visitor.get("/courses");
    expect(textOf(list.text)).toContain("Round the lake 8.047 km · 1 workout · last Wed 8 Aug 2018");
    expect(list.text).toContain('<svg class="thumbnail"');
  });

  test("equipment shows what its workouts add up to, and what is retired apart", async () => {
    const old = await ann.save(EQUIPMENT, {
      activityID: 10,
      brandName: "Old",
      modelName: "One",
      serial: "S-1",
      gender: "F",
      notes: "worn",
      ratings: { avgRating: 3.5 },
      purchaseDate: "2017-01-02",
      price: 99.9,
    });
    for (const km of [10, 5.5]) await ann.save(WORKOUTS, run("2017-03-04", km, 1800, { equipment: [{ id: old }] }));
    await log.operator.retireEquipment(ann.userId, old);
    const list = await ann.read("/equipment");
    expect(list.indexOf("Old One")).toBeGreaterThan(list.indexOf("Retired"));
    expect(list).toContain("Old One Run 15.5 km 2 Sat 4 Mar 2017");
    const page = await ann.read(`/equipment/${old}`);
    const said = ["Old One retired", "Workouts 2 Distance 15.5 km Time 1 h 00 min", "Serial S-1", "Gender F", "worn"];
    for (const text of [...said, "Rating 3.5 of 10", "Bought Mon 2 Jan 2017", "Price 99.9", "Retired yes"]) {
      expect(page).toContain(text);
    }
  });

  test("two pieces of one name are told apart, and one without a name says what it is for", async () => {
    const eva = await reader(log, { screenName: "eva", units: "kilometres" });
    const pair = { activityID: 10, brandName: "Nike", modelName: "Pegasus" };
    await eva.save(EQUIPMENT, { ...pair, purchaseDate: "2016-03-01" });
    const second = await eva.save(EQUIPMENT, { ...pair, serial: "B-2" });
    const used = await eva.save(EQUIPMENT, pair);
    await eva.save(EQUIPMENT, { activityID: 10, brandName: "Hoka", purchaseDate: "2018-01-01" });
    await eva.save(EQUIPMENT, { activityID: 11 });
    await eva.save(WORKOUTS, run("2017-03-04", 10, 3600, { equipment: [{ id: used }] }));
    const workout = await eva.save(WORKOUTS, run("2017-03-05", 10, 3600, { equipment: [{ id: second }] }));
    const list = await eva.read("/equipment");
    for (const text of [
      "Nike Pegasus Run, bought Tue 1 Mar 2016",
      "Nike Pegasus Run, serial B-2",
      "Nike Pegasus Run, first used Sat 4 Mar 2017",
      "Bike equipment without a name",
    ])
      expect(list).toContain(text);
    // Only a piece that shares its name with another needs more details.
    expect(list).not.toMatch(/Hoka Run,|Unnamed/);
    expect((await eva.visitor.get(`/workouts/${workout}`)).text).toContain("Nike Pegasus</a>, serial B-2");
  });

  test("plans say who can see them, the commercial ones of every application among them", async () => {
    const { operator } = log;
    const application = await operator.addApplication({ name: "Coach", redirectURIs: ["https://coach.example.com/"] });
    await operator.addTrainingPlan(ann.userId, {
      name: "To the marathon",
      beginDate: "2024-01-01",
      endDate: "2024-04-21",
      numWeeks: 16,
      attributes: { commercial: true },
      application: application.clientId,
    });
    await operator.addTrainingPlan(ann.userId, { name: "My own", attributes: { private: true } });
    const page = await ann.read("/plans");
    expect(page).toContain("To the marathon Mon 1 Jan 2024 Sun 21 Apr 2024 16 Coach you alone, always (commercial)");
    expect(page).toMatch(/My own\s+you you alone \(private\)/);
  });
});

describe("O9 what somebody wrote", () => {
  const SCRIPT = `</title></td></svg><script>document.title='broken'</script><img src=x onerror=alert(1)>"'onfocus="alert(2)`;
  const UNSEEN = "a\u202eb\u0000c\u001bd\u2066e\ufefff\u0085g";
  const evil = (name: string) => `${name} ${SCRIPT} ${UNSEEN}`;
  let mal: Reader;
  let addresses: readonly string[];

  beforeAll(async () => {
    const { operator } = log;
    const preference = { distanceUnit: "km", weightUnit: "kg", temperatureUnit: "C" } as const;
    mal = await reader(log, { screenName: `mal${SCRIPT}` });
    await log.store.replacePreference(mal.userId, preference);
    // PostgreSQL can't store NUL, and the service refuses it with either database.
    const kept = (name: string) => evil(name).replaceAll("\u0000", "");
    const activityID = await operator.addActivity(mal.userId, kept("activity"), [kept("type")]);
    const course = await mal.save(COURSES, { name: kept("course"), notes: kept("course notes") });
    const shoe = await mal.save(EQUIPMENT, {
      activityID,
      brandName: kept("brand"),
      modelName: kept("model"),
      serial: kept("serial"),
      gender: kept("gender"),
      notes: kept("equipment notes"),
    });
    const workout = await mal.save(WORKOUTS, {
      activityID,
      workoutID: 1,
      date: "2024-05-05",
      notes: kept("notes"),
      course: { id: course },
      equipment: [{ id: shoe }],
      details: { distance: { unit: "km", value: 5 }, duration: 1500 },
      intervalSet: { id: kept("set id"), name: kept("set"), intervals: [{ type: kept("interval") }] },
    });
    const application = await operator.addApplication({
      name: kept("application"),
      redirectURIs: ["https://a.example/"],
    });
    await operator.addTrainingPlan(mal.userId, { name: kept("plan"), application: application.clientId });
    await operator.addToken(mal.userId, { application: application.clientId });
    addresses = [
      ...[
        "/",
        "/log/2024",
        "/log/2024-05",
        "/courses",
        "/equipment",
        "/plans",
        "/preference",
        "/connected",
        "/account",
      ],
      `/workouts/${workout}`,
      `/courses/${course}`,
      `/equipment/${shoe}`,
    ];
  });

  test("stays text in every field of every page, and nothing of it is hidden or turned around", async () => {
    const seen = new Set<string>();
    for (const address of addresses) {
      const { status, text } = await mal.visitor.get(address);
      expect([address, status]).toEqual([address, 200]);
      expect([address, text.replace(/"[^"]*"/g, '""').match(/<script|<img|<[^>]*\son\w+=|javascript:/i)]).toEqual([
        address,
        null,
      ]);
      expect([
        address,
        text.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/),
      ]).toEqual([address, null]);
      for (const [, name] of text.matchAll(/([a-z]+(?: [a-z]+)?) &lt;\/title&gt;/gi))
        seen.add((name as string).toLowerCase());
      if (address.startsWith("/workouts")) expect(text).toContain("a[U+202E]bc[U+001B]d[U+2066]e[U+FEFF]f[U+0085]g");
    }
    const shown = [
      "activity",
      "type",
      "course",
      "course notes",
      "brand",
      "model",
      "serial",
      "gender",
      "equipment notes",
    ];
    const rest = ["notes", "set id", "set", "interval", "application", "plan"];
    for (const name of [...shown, ...rest]) expect([...seen].some((one) => one.endsWith(name))).toBe(true);
  });
});
