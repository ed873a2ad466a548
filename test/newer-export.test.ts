import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { longDescribe, longTest, test } from "./support/tier-tests.ts";

// Two exports of one Strava account, a year apart. The owner changed a title, a distance and a race flag in between. By the real command line.

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse();
});
afterEach(() => rehearsal.close());

const FIXTURES = join(import.meta.dirname, "..", "fixtures", "strava");
const [HEADER = ""] = readFileSync(join(FIXTURES, "h-2025-101-columns", "archive", "activities.csv"), "utf8").split(
  "\n",
);

interface Activity {
  readonly id: number;
  /** In May 2023, in UTC. */
  readonly day: number;
  readonly title: string;
  /** Empty, or no number: a blank or unreadable cell. */
  readonly metres?: number | string;
  readonly isRace?: boolean;
  readonly sport?: string;
  /** The name of a line of shoes.csv. */
  readonly shoe?: string;
}

const EARLIER: readonly Activity[] = [
  { id: 1, day: 4, title: "Morning" },
  { id: 2, day: 6, title: "Vienna 10 k" },
];
const LATER: readonly Activity[] = [
  { id: 1, day: 4, title: "Along the river" },
  { id: 2, day: 6, title: "Vienna 10 k", metres: 5100, isRace: true },
];

/** Writes an export. Its files have the time of the 1st of June of a year. */
function strava(name: string, activities: readonly Activity[], year: number): string {
  const folder = join(rehearsal.folder, name);
  mkdirSync(folder, { recursive: true });
  const names = HEADER.split(",");
  const rows = activities.map(({ id, day, title, metres = 5000, isRace = false, sport = "Run", shoe = "" }) => {
    const cells: Record<string, string> = {
      "Activity ID": String(id),
      "Activity Date": `"May ${day}, 2023, 5:00:00 AM"`,
      "Activity Name": title,
      ...{ "Activity Type": sport, "Elapsed Time": "1800", "Moving Time": "1800", Competition: isRace ? "1.0" : "" },
      "Activity Gear": shoe,
    };
    return names
      .map((column, at) =>
        column === "Distance"
          ? typeof metres === "number" && names.indexOf(column) === at
            ? metres / 1000
            : metres
          : (cells[column] ?? ""),
      )
      .join(",");
  });
  const path = join(folder, "activities.csv");
  writeFileSync(path, `${[HEADER, ...rows].join("\n")}\n`);
  utimesSync(path, new Date(`${year}-06-01T00:00:00Z`), new Date(`${year}-06-01T00:00:00Z`));
  return folder;
}

const load = (...words: string[]): Promise<Ran> =>
  rehearsal.run(["import", "--zone", "Europe/Vienna", ...rehearsal.activities, ...words]);

/** Title, kilometres and kind of each workout in the log, by day. */
async function inLog(): Promise<readonly unknown[]> {
  const all: Record<string, unknown>[] = [];
  for (const { id } of await rehearsal.listed("/rest/logs/me/workouts"))
    all.push((await rehearsal.get(`/rest/logs/me/workouts/${id}`)).workout as Record<string, unknown>);
  return all
    .sort((a, b) => (String(a.date) < String(b.date) ? -1 : 1))
    .map(({ notes, details, workoutName }) => [
      notes,
      (details as { distance: { value: number } }).distance.value,
      workoutName,
    ]);
}

const NEWER = [
  ["Along the river", 5, undefined],
  ["Vienna 10 k", 5.1, "Race"],
];

describe("two exports of one account in one command", () => {
  test.each([
    ["the older one first", false],
    ["the newer one first", true],
  ])("give the values of the newer export, %s", async (_order, isNewerFirst) => {
    const both = [strava("old", EARLIER, 2024), strava("new", LATER, 2025)];
    const ran = await load(...(isNewerFirst ? both.toReversed() : both));
    expect(ran.code, ran.out + ran.err).toBe(0);
    expect(await inLog()).toEqual(NEWER);
    expect(ran.out).toContain(
      "old activities.csv line 2: the same record as new activities.csv line 2, whose export is newer: it has another name or notes\n",
    );
    expect(ran.out).toContain(
      "old activities.csv line 3: the same record as new activities.csv line 3, whose export is newer: it has another type, distance\n",
    );
    expect(ran.out).toMatch(
      /^ {2}2 times, such as old activities\.csv line 2: another name or notes than in the newer/m,
    );
    const again = await load("--json", ...both);
    expect(jsonLines(again.out).findLast(({ type }) => type === "summary")).toMatchObject({
      ledger: { created: 0, updated: 0, unchanged: 2, merged: 2 },
    });
  });

  test("are told apart by their newest workouts first, whatever the times of their files", async () => {
    const more = [...LATER, { id: 3, day: 8, title: "One more" }];
    const both = [strava("new", more, 2024), strava("old", EARLIER, 2025)];
    const ran = await load(...both.toReversed());
    expect(ran.code, ran.out + ran.err).toBe(0);
    expect(await inLog()).toEqual([...NEWER, ["One more", 5, undefined]]);
  });

  test("keep the shoe that the newer one has dropped from its workouts, and the plan names them", async () => {
    const [first, second] = EARLIER as [Activity, Activity];
    const old = strava("old", [{ ...first, shoe: "Old pair" }, second], 2024);
    writeFileSync(join(old, "shoes.csv"), "Shoe Name,Shoe Brand,Shoe Model\nOld pair,ASICS,Nimbus\n");
    const both = [old, strava("new", [...EARLIER, { id: 3, day: 8, title: "One more" }], 2025)];
    const ran = await load(...both);
    expect(ran.code, ran.out + ran.err).toBe(0);
    expect(ran.out).toContain(
      "old activities.csv line 2: the same record as new activities.csv line 2. The newer export has no equipment for it, so it keeps this one\n",
    );
    const worn = async () => {
      const [, , earliest] = await rehearsal.listed("/rest/logs/me/workouts");
      return (await rehearsal.get(`/rest/logs/me/workouts/${earliest?.id}`)).workout;
    };
    const wanted = { date: "2023-05-04", equipment: { name: "ASICS Nimbus" } };
    expect(await worn()).toMatchObject(wanted);
    const again = await load("--json", ...both);
    expect(jsonLines(again.out).findLast(({ type }) => type === "summary")).toMatchObject({
      ledger: { created: 0, updated: 0, unchanged: 4, merged: 2 },
    });
    expect(await worn()).toMatchObject(wanted);
  });

  test.each<[string, string]>([
    ["blank", ""],
    ["unreadable", "five"],
  ])("fill what the newer one has %s from the older one, and say so", async (_what, metres) => {
    const [first, second] = EARLIER as [Activity, Activity];
    const newer = strava("new", [{ ...first, title: "", metres }, second, { id: 3, day: 8, title: "One more" }], 2025);
    const ran = await load(strava("old", EARLIER, 2024), newer);
    expect(ran.code, ran.out + ran.err).toBeOneOf([0, 3]);
    expect((await inLog())[0]).toEqual(["Morning", 5, undefined]);
    expect(ran.out).toContain(
      "old activities.csv line 2: the same record as new activities.csv line 2. The newer export has no notes, distance for it, so it keeps this one\n",
    );
  });

  test("whose age nothing shows give the values of the one that is named first, and none is called newer", async () => {
    const both = [strava("one", EARLIER, 2024), strava("other", LATER, 2024)];
    const ran = await load(...both);
    expect(ran.code, ran.out + ran.err).toBe(0);
    expect((await inLog())[0]).toEqual(["Morning", 5, undefined]);
    expect(ran.out).toContain(
      "the same record as one activities.csv line 2, which counts, because nothing shows whose export is newer: it has another name or notes\n",
    );
    expect(ran.out).not.toContain("the newer export");
  });

  longTest("say nothing of records that are the same in both", async () => {
    const ran = await load(strava("old", EARLIER, 2024), strava("new", EARLIER, 2025));
    expect(ran.out).toContain("the same record as new activities.csv line 2\n");
    expect(ran.out).not.toContain("newer");
  });
});

longDescribe("an export in another language and another folder, in a command of its own,", () => {
  const ROUTE = `<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><rte><rtept lat="48" lon="16"/><rtept lat="48.01" lon="16"/></rte></gpx>`;
  const withRoute = (name: string, folder: string, activities: readonly Activity[], year: number): string => {
    const inner = strava(join(name, folder), activities, year);
    mkdirSync(join(inner, "routes"));
    writeFileSync(join(inner, "routes", "1.gpx"), ROUTE);
    writeFileSync(join(inner, "routes.csv"), "Route Name,Route Filename\nHome,routes/1.gpx\n");
    return join(rehearsal.folder, name);
  };
  const inGerman = (activities: readonly Activity[]) => activities.map((one) => ({ ...one, sport: "Lauf" }));

  longTest("has the same workouts and courses, and of a changed one explain names the fields", async () => {
    const english = await load(withRoute("en", "export_1", LATER, 2024));
    expect(english.code, english.out + english.err).toBe(0);
    const german = withRoute("de", "export_1 (2)", inGerman(LATER), 2024);
    const same = await load(german);
    expect(same.out).toMatch(/^ {2}unchanged +3 /m);
    expect(same.out).not.toMatch(/newer|^ {2}updated/m);
    // The other way round nothing is newer either.
    expect((await load(withRoute("old", "x", inGerman(LATER), 2023))).out).not.toMatch(/newer|^ {2}updated/m);
    const [first, second] = LATER as [Activity, Activity];
    const changed = await load(withRoute("changed", "x", inGerman([first, { ...second, metres: 5200 }]), 2025));
    expect(changed.out).toMatch(/^ {2}updated +1 /m);
    const explained = await rehearsal.run(["explain", "2023-05-06"]);
    expect(explained.out).toContain("changed at the source since run 1: distance");
    // The length of the route is compared as it is written: in the log's unit, rounded.
    const both = await load(join(rehearsal.folder, "en"), german);
    expect(both.out).toMatch(/^ {2}merged +3 /m);
    expect(both.out).not.toMatch(/other copies differ|than in the newer export/);
  });
});

describe("an older export after a newer one, in a command of its own,", () => {
  const BY_FILES =
    "old is older than new, which run 1 loaded (its files are of 2024-06-01 00:00 UTC, those of the newer export of 2025-06-01 00:00 UTC): 2 workouts";

  longTest(
    "changes nothing back, and the plan says so beforehand, with their number and how to have it otherwise",
    async () => {
      await load(strava("new", LATER, 2025));
      const old = strava("old", EARLIER, 2024);
      const planned = await rehearsal.run(["plan", "--zone", "Europe/Vienna", ...rehearsal.activities, old]);
      expect(planned.code, planned.out + planned.err).toBe(0);
      expect(planned.out).toContain(
        `${BY_FILES} keep the newer values, expected the newer export; to load the older values all the same, add --allow older-values`,
      );
      const applied = await rehearsal.run(["apply"]);
      expect(applied.code, applied.out + applied.err).toBe(0);
      expect(await inLog()).toEqual(NEWER);
      const again = await load("--json", old);
      expect(jsonLines(again.out).findLast(({ type }) => type === "summary")).toMatchObject({
        ledger: { created: 0, updated: 0, unchanged: 2 },
      });
      expect(await inLog()).toEqual(NEWER);
      // The log holds what the newer export says, and the sums are those of the log.
      const verified = await rehearsal.run(["verify"]);
      expect(verified.code, verified.out + verified.err).toBe(0);
      expect(verified.out).toContain("10.1 km");
      expect(verified.out).not.toContain("10.0 km");
    },
  );

  longTest("brings the workouts that only it has, and times that differ by seconds are shown with them", async () => {
    const setTime = (folder: string, second: string) => {
      const at = new Date(`2025-06-01T00:00:${second}Z`);
      utimesSync(join(folder, "activities.csv"), at, at);
      return folder;
    };
    await load(setTime(strava("new", LATER, 2025), "30"));
    const old = setTime(strava("old", [...EARLIER, { id: 0, day: 2, title: "Deleted since" }], 2024), "10");
    const ran = await load(old);
    expect(ran.code, ran.out + ran.err).toBe(0);
    expect(ran.out).toContain(
      "its files are of 2025-06-01 00:00:10 UTC, those of the newer export of 2025-06-01 00:00:30 UTC",
    );
    expect(await inLog()).toEqual([["Deleted since", 5, undefined], ...NEWER]);
  });

  test("changes them back when it is told to, and the plan says that", async () => {
    await load(strava("new", LATER, 2025));
    const ran = await load("--allow", "older-values", strava("old", EARLIER, 2024));
    expect(ran.code, ran.out + ran.err).toBe(0);
    expect(ran.out).toContain(`${BY_FILES} get the older values back`);
    // The older export says nothing of a race, and what it doesn't say changes nothing.
    expect(await inLog()).toEqual([
      ["Morning", 5, undefined],
      ["Vienna 10 k", 5, "Race"],
    ]);
  });

  longTest("beside another platform leaves its values out too, and counts them", async () => {
    await load(strava("new", LATER, 2025));
    const other = join(rehearsal.folder, "cardioActivities.csv");
    writeFileSync(
      other,
      "Date,Type,Route Name,Distance (km),Duration,Average Pace,Average Speed (km/h),Calories Burned,Climb (m),Average Heart Rate (bpm),Notes,GPX File\n2023-05-04 07:00:00,Running,,5.00,30:00,6:00,10.00,384.0,22,151,,\n",
    );
    const ran = await load(strava("old", EARLIER, 2024), other);
    expect(ran.code, ran.out + ran.err).toBe(0);
    expect(ran.out).toContain("2 workouts keep the newer values");
    expect(ran.out).toContain("lacks values that only these sources have: average heart rate 1");
    expect(await inLog()).toEqual(NEWER);
  });

  longTest("is known by its newest workout too, and a newer export counts", async () => {
    const first = await load(strava("old", EARLIER, 2025));
    expect(first.out).not.toContain("older");
    const second = await load(strava("new", [...LATER, { id: 3, day: 8, title: "One more" }], 2024));
    expect(second.out).not.toContain("older");
    const all = [...NEWER, ["One more", 5, undefined]];
    expect(await inLog()).toEqual(all);
    const back = await load(strava("old", EARLIER, 2025));
    expect(back.out).toContain(
      "old is older than new, which run 2 loaded (its newest workout is of 2023-05-06, that of the newer export of 2023-05-08): 2 workouts keep the newer values",
    );
    expect(await inLog()).toEqual(all);
  });

  longTest("is older than a retried record of the newer one, whatever the day of that record", async () => {
    const [first, second] = LATER as [Activity, Activity];
    const odd = { ...first, sport: "Kegeln" };
    await load(strava("new", [odd, second, { id: 3, day: 8, title: "One more" }], 2025));
    const retried = await rehearsal.run(["quarantine", "retry", "--sport", "Kegeln=run", ...rehearsal.activities]);
    expect(retried.code, retried.out + retried.err).toBe(0);
    const back = await load(strava("old", EARLIER, 2024));
    expect(back.out).toContain("2 workouts keep the newer values");
    expect(await inLog()).toEqual([...NEWER, ["One more", 5, undefined]]);
  });

  longTest("is not seen in one file that its owner edits, nor in the days of --until", async () => {
    const more = { id: 3, day: 8, title: "One more" };
    await load(strava("export", [...EARLIER, more], 2024));
    const edited = await load(strava("export", LATER, 2025));
    expect(edited.out).not.toContain("older");
    expect(await inLog()).toEqual([...NEWER, ["One more", 5, undefined]]);
    const back = [{ id: 1, day: 4, title: "The river" }, { id: 2, day: 6, title: "Vienna 10 k" }, more];
    const part = await load("--until", "2023-05-05", strava("latest", back, 2026));
    expect(part.out).not.toContain("older");
    expect((await inLog())[0]).toEqual(["The river", 5, undefined]);
  });
});

test("values of a newer export that can't be true are named by each import, and the log keeps what it has", async () => {
  const [first, second] = EARLIER as [Activity, Activity];
  await load(strava("old", EARLIER, 2024));
  // 30 km in half an hour.
  const newer = strava("new", [{ ...first, metres: 30_000 }, second], 2025);
  const before = await inLog();
  for (const ran of [await load("--json", newer), await load("--json", newer)]) {
    expect(ran.code, ran.out + ran.err).toBe(0);
    const named = jsonLines(ran.out).filter(({ rule }) => rule === "plan/kept-as-loaded");
    const found = expect.stringContaining("implausible-speed");
    expect(named).toMatchObject([{ count: 1, example: { origin: { entry: "activities.csv" }, found } }]);
  }
  expect(await inLog()).toEqual(before);
  const unchanged = await load("--json", strava("old", EARLIER, 2024));
  expect(unchanged.out).not.toContain("plan/kept-as-loaded");
});
