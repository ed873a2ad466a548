/** The pages say what is in the log, to its owner and to nobody else, and whatever is in it stays text. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Service } from "../server.ts";
import { send, service } from "./client.ts";
import { gpx, type Reader, reader, textOf } from "./reader.ts";
import { formsOf, Visitor } from "./visitor.ts";

const WORKOUTS = "/rest/logs/me/workouts";
const COURSES = "/rest/logs/me/courses";
const EQUIPMENT = "/rest/logs/me/equipment";

let log: Service;
let ann: Reader;

beforeAll(async () => {
  log = await service();
  ann = await reader(log, { screenName: "ann", units: "kilometres" });
});
afterAll(() => log.close());

/** A run of so many kilometres and seconds. */
function run(date: string, km: number, seconds: number, more: object = {}): object {
  return {
    activityID: 10,
    date,
    details: { distance: { unit: "km", value: km }, duration: seconds },
    ...more,
  };
}

describe("who sees a page", () => {
  const PAGES = ["/", "/log/2024", "/log/2024-05", "/workouts/x", "/courses", "/courses/x"];
  const MORE = ["/equipment", "/equipment/x", "/plans", "/preference"];

  test.each([...PAGES, ...MORE])(
    "%s: nobody who isn't signed in, who is sent to sign in and then back",
    async (path) => {
      const answer = await new Visitor(log.url).get(path);
      expect(answer.status).toBe(302);
      expect(answer.headers.location).toBe(`/sign-in?next=${encodeURIComponent(path)}`);
      expect(answer.text).toBe("");
    },
  );

  test("a record of somebody else's is answered to the letter like one that doesn't exist", async () => {
    const bob = await reader(log, { screenName: "bob" });
    const ids = {
      workouts: await ann.save(WORKOUTS, run("2001-01-01", 5, 1500, { notes: "ann's own" })),
      courses: await ann.save(COURSES, { name: "Ann's way" }),
      equipment: await ann.save(EQUIPMENT, { activityID: 10, brandName: "Ann's shoe" }),
    };
    for (const [what, id] of Object.entries(ids)) {
      const theirs = await bob.visitor.get(`/${what}/${id}`);
      const missing = await bob.visitor.get(`/${what}/nothing`);
      expect([what, theirs.status, theirs.text]).toEqual([what, 404, missing.text]);
      expect((await ann.visitor.get(`/${what}/${id}`)).status).toBe(200);
    }
    const pages = await Promise.all(["/", "/log/2001-01", "/courses", "/equipment"].map((path) => bob.read(path)));
    expect(pages.join(" ")).not.toMatch(/ann's/i);
  });

  test("an address without a year, a month or an id is not found, and no error", async () => {
    const addresses = ["/log/0000", "/log/2024-00", "/log/2024-13", "/log/24", "/log/x", "/log/2024-05-01"];
    for (const path of [...addresses, "/workouts/%00", "/workouts/%27%20OR%201=1", "/courses/%F0%9F%98%85"]) {
      expect([path, (await ann.visitor.get(path)).status]).toEqual([path, 404]);
    }
    for (const path of ["/log/0001", "/log/0001-01", "/log/9999", "/log/9999-12", "/log/2024-05?offset=x", "/?by=x"]) {
      expect([path, (await ann.visitor.get(path)).status]).toEqual([path, 200]);
    }
  });
});

test("a log of the longest workouts a save takes is added up in numbers, on every page and in the interface", async () => {
  const zed = await reader(log, { screenName: "zed", units: "miles" });
  const details = { distance: { unit: "mi", value: 1e9 }, duration: 1e9 };
  const equipment = await zed.save(EQUIPMENT, { activityID: 10, modelName: "Endless", price: 1e9 });
  const course = await zed.save(COURSES, { name: "Endless", distance: { unit: "mi", value: 1e9 } });
  const paths = ["/", "/log/2024", "/log/2024?by=time", "/log/2024-05", "/courses", "/equipment"];
  for (const day of ["01", "02", "03"]) {
    const body = {
      activityID: 10,
      date: `2024-05-${day}`,
      details,
      equipment: [{ id: equipment }],
      course: { id: course },
    };
    paths.push(`/workouts/${await zed.save(WORKOUTS, body)}`);
  }
  for (const path of [...paths, `/courses/${course}`, `/equipment/${equipment}`]) {
    expect([path, (await zed.visitor.get(path)).text.match(/∞|NaN|null|undefined|Infinity/)]).toEqual([path, null]);
  }
  const [sum] = (await send(log.url, "GET", WORKOUTS, { query: { access_token: zed.token, dateMode: "year" } })).json
    .data.entries;
  expect(sum.details).toEqual({ distance: { unit: "m", value: 4.828032e12 }, duration: 3e9 });
});

describe("an empty log", () => {
  test("says that it is empty and what to do next", async () => {
    const newcomer = await reader(log, { screenName: "newcomer" });
    expect(await newcomer.read("/")).toMatch(/nothing in this log yet.*logferry login.*logferry plan.*logferry apply/);
    expect(await newcomer.read("/courses")).toContain("no course in this log yet");
    expect(await newcomer.read("/equipment")).toContain("no equipment in this log yet");
    expect(await newcomer.read("/plans")).toContain("no training plan in this log yet");
    expect(await newcomer.read("/log/2024")).toContain("No workout in this year");
    expect(await newcomer.read("/log/2024-05")).toContain("No workout in this month");
  });
});

describe("the log", () => {
  let eve: Reader;

  beforeAll(async () => {
    eve = await reader(log, { screenName: "eve", units: "kilometres" });
    // 1 May 2024 was a Wednesday, 2 June a Sunday.
    await eve.save(WORKOUTS, run("2024-04-30", 10, 3000, { notes: "before May" }));
    await eve.save(WORKOUTS, run("2024-05-02", 5, 1500, { notes: "Lunch\nwith hills" }));
    await eve.save(WORKOUTS, run("2024-05-06", 8, 2400, { workoutID: 6, time: "17:30:09" }));
    await eve.save(WORKOUTS, run("2024-06-02", 3, 1000));
    await eve.save(WORKOUTS, { activityID: 11, date: "2023-12-31", details: { distance: { unit: "mi", value: 10 } } });
    await eve.save(WORKOUTS, { activityID: 13, date: "2021-07-07", details: { duration: 3600 } });
  });

  test("adds up every year and activity, and says from when to when it goes", async () => {
    const page = await eve.read("/");
    expect(page).toContain("From Wed 7 Jul 2021 to Sun 2 Jun 2024");
    // 26 km of running and 10 miles, 16.09344 km; 7,900 s and an hour, 3 h 11 min 40 s.
    expect(page).toContain("Workouts 6 Distance 42.1 km Time 3 h 12 min");
    expect(page).toMatch(/2024 4 26\.0 km 2:12 .*2023 1 16\.1 km – .*2021 1 – 1:00/);
    expect(page).toMatch(/Run 4 26\.0 km 2:12 .*Weight 1 – 1:00 .*Bike 1 16\.1 km –/);
  });

  test("adds up a year by month and by week, and leads to the years around it that have something", async () => {
    const page = await eve.read("/log/2024");
    expect(page).toMatch(/April 1 10\.0 km 0:50 .*May 2 13\.0 km 1:05 .*June 1 3\.0 km 0:17/);
    expect(page).toMatch(/29 April to 5 May 2 15\.0 km 1:15 .*6 to 12 May 1 8\.0 km 0:40/);
    const { text } = await eve.visitor.get("/log/2023");
    expect(text).toContain('<a class="button" rel="prev" href="/log/2021">');
    expect(text).toContain('<a class="button" rel="next" href="/log/2024">');
  });

  test("shows a month by weeks, and counts in every number the days that it lists", async () => {
    const page = await eve.read("/log/2024-05");
    expect(page).toContain("Workouts 2 Distance 13.0 km Time 1 h 05 min");
    expect(page).toMatch(/^(?!.*(27 May|Sun 2|Tue 30))/);
    expect(page).toMatch(/6 to 12 May 1 workout 8\.0 km 40:00 Mon 6 Run · Race 17:30 8\.00 km 40:00 5:00 \/km/);
    expect(page).toMatch(/1 to 5 May 1 workout 5\.0 km 25:00 Thu 2 Lunch Run 5\.00 km/);
  });

  test("a chart measures distance or, when asked, time, and says in words what it shows", async () => {
    expect(await eve.read("/log/2024")).toContain("26.0 km in all; the most in 29 April to 5 May, 15.0 km");
    expect(await eve.read("/log/2024?by=time")).toContain(
      "2 h 12 min in all; the most in 29 April to 5 May, 1 h 15 min",
    );
  });

  test("numbers are in the units of the preference, and a workout says what was saved", async () => {
    const max = await reader(log, { screenName: "max", units: "miles" });
    const id = await max.save(WORKOUTS, {
      ...run("2024-05-01", 16.09344, 3600),
      health: { weight: { unit: "kg", value: 100 } },
      weather: { temperature: { unit: "C", value: 0 } },
    });
    const page = await max.read(`/workouts/${id}`);
    expect(page).toContain("Distance 10.00 mi Time 1:00:00 Pace 6:00 /mi");
    expect(page).toContain("Distance, as saved 16.09344 km");
    expect(page).toContain("Weight 220.5 lb");
    expect(page).toContain("Temperature 32 °F");
    await max.visitor.fillIn("/preference", { distanceUnit: "km", weightUnit: "kg", temperatureUnit: "C" }, 1);
    const later = await max.read(`/workouts/${id}`);
    expect(later).toContain("Distance 16.093 km Time 1:00:00 Pace 3:44 /km");
    expect(later).toContain("Temperature 0 °C");
  });

  test("a month of a thousand workouts is shown in pages, none left out, the totals right", async () => {
    const many = await reader(log, { screenName: "many", units: "kilometres" });
    for (let made = 0; made < 250; made++)
      await many.save(WORKOUTS, run("2024-05-15", 1, 60, { notes: `no. ${made}.` }));
    const seen = new Set<string>();
    let address: string | undefined = "/log/2024-05";
    for (let pages = 0; address !== undefined; pages++) {
      expect(pages).toBeLessThan(4);
      const { text } = await many.visitor.get(address);
      expect(textOf(text)).toContain("Workouts 250 Distance 250.0 km");
      expect(text.length).toBeLessThan(80_000);
      for (const [name] of text.matchAll(/no\. \d+\./g)) seen.add(name);
      address = /<a href="([^"]*)" rel="next">/.exec(text)?.[1];
    }
    expect(seen.size).toBe(250);
  });
});

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
    // 37.065 m in 10 s are 4:30 a kilometre; 1 km is 27 points, 27 m of climbing.
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
    // Only what another piece is called like needs more.
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

describe("the preference", () => {
  test("is saved by its form and shown again", async () => {
    const pat = await reader(log, { screenName: "pat" });
    const fields = { distanceUnit: "km", weightUnit: "kg", temperatureUnit: "C", utcOffset: "−3,5" };
    const answer = await pat.visitor.fillIn("/preference", fields, 1);
    expect(answer.status).toBe(303);
    expect(await pat.read(answer.headers.location as string)).toContain("Saved.");
    const expected = { distanceUnit: "km", weightUnit: "kg", temperatureUnit: "C", utcOffset: -3.5 };
    expect(await log.store.preference(pat.userId)).toEqual(expected);
    const { text } = await pat.visitor.get("/preference");
    expect(text).toContain('<option value="km" selected>');
    expect(formsOf(text)[1]?.fields.utcOffset).toBe("-3.5");
  });

  test.each([
    ["utcOffset", "15"],
    ["utcOffset", "one"],
    ["distanceUnit", "furlong"],
  ])(
    "is not saved with %s %s: the page names the field, keeps what was typed, and nothing changes",
    async (field, value) => {
      const before = await log.store.preference(ann.userId);
      const answer = await ann.visitor.fillIn("/preference", { utcOffset: "2", [field]: value }, 1);
      expect(answer.status).toBe(400);
      expect(textOf(answer.text)).toContain(`Not saved. ${field}: `);
      if (field === "utcOffset") expect(formsOf(answer.text)[1]?.fields.utcOffset).toBe(value);
      expect(await log.store.preference(ann.userId)).toEqual(before);
    },
  );

  test("is not saved by a form that isn't ours", async () => {
    const before = await log.store.preference(ann.userId);
    for (const token of [{}, { _csrf: "x" }]) {
      expect((await ann.visitor.post("/preference", { distanceUnit: "m", ...token })).status).toBe(403);
    }
    expect(await log.store.preference(ann.userId)).toEqual(before);
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
    // PostgreSQL keeps no NUL, and the service refuses it on either.
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

describe("what a page loads", () => {
  test("is one stylesheet and one icon of this service, open to everybody and kept for good", async () => {
    const { text } = await ann.visitor.get("/");
    const addresses = [...text.matchAll(/<link [^>]*href="([^"]*)"/g)].map(([, address]) => address as string);
    expect(addresses).toHaveLength(2);
    expect(text).not.toMatch(/(src|action|href)="(https?:)?\/\//);
    for (const address of addresses) {
      const answer = await new Visitor(log.url).get(address);
      expect(answer.status).toBe(200);
      expect(answer.headers["cache-control"]).toContain("immutable");
      expect(answer.text).not.toMatch(/url\(|@import/);
    }
  });

  test("a page itself is kept by nobody", async () => {
    expect((await ann.visitor.get("/")).headers["cache-control"]).toContain("no-store");
  });
});
