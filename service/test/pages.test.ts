/** The pages show the log only to its owner, and every text in it stays text. */
import { beforeAll, describe, expect, test } from "vitest";
import { send } from "./client.ts";
import { ann, COURSES, EQUIPMENT, log, run, WORKOUTS, withReader } from "./pages-reader.ts";
import { type Reader, reader, textOf } from "./reader.ts";
import { formsOf, Visitor } from "./visitor.ts";

withReader();

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
    // 26 km of running and 10 miles, 16.09344 km. 7,900 s and an hour, 3 h 11 min 40 s.
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
